"""What was published, and what is wrong with it: sentences."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study5_battery.responses import Responses


def identical(result: Responses) -> str:
    """Which identical files cannot be identical by chance."""
    pairs = result.identical
    copied = pairs[pairs["copied"]]
    names = "; ".join(f"{r.first} and {r.second} on {r.track}" for r in rows_of(copied)) or "none"
    rest = len(pairs) - len(copied)
    return (
        f"{plural(len(copied), 'pair')} of files cannot be identical by chance. They are {names}. "
        f"{plural(rest, 'other identical pair')} can: files that say KEEP and BET to nearly everything and "
        "are nearly always right have little to differ in."
    )


def page_answer(result: Responses) -> str:
    """What is wrong with the files, and how many conclusions hang on it."""
    table = result.conclusions
    other = int((table["concludes"] == "something else").sum())
    if not other:
        return (
            "Copied files, declined items and misread answers change digits, and no conclusion of the study."
        )
    return (
        f"With copied files, declined items and misread answers corrected or left out, {other} of {len(table)} "
        f"conclusions of the study {'changes' if other == 1 else 'change'}."
    )


VIEWS = (
    Views(
        "responses",
        sentences={
            "answer": page_answer,
            "identical_files": identical,
        },
    ),
)
