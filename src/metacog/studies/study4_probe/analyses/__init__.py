"""The analyses of study 4, by name."""

from metacog.studies.study4_probe.analyses.own import own
from metacog.studies.study4_probe.analyses.printed import printed

ANALYSES = (own, printed)
