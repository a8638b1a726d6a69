"""Names of the kinds of rules, as this study's modules write them; the type is every study's."""

from metacog.report.verdicts import Kind, Verdict

PREREGISTERED = Kind.PREREGISTERED
SOUND = Kind.SOUND
EXPLORATORY = Kind.EXPLORATORY
BESIDE = Kind.BESIDE

__all__ = ["BESIDE", "EXPLORATORY", "PREREGISTERED", "SOUND", "Kind", "Verdict"]
