"""What is in the atlas's rows: what is said of it."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study6_frontier.reading.analysis import Reading


def footnote(result: Reading) -> str:
    """Which model is shown hollow and without a rank, and why."""
    if not result.n_imputed:
        return ""
    own = next(r for r in rows_of(result.runs) if r.model == result.imputed)
    return (
        f"{result.imputed} is hollow and has no rank: only {own.n - result.n_imputed:,} of its {own.n:,} replies "
        "state a confidence, and these are no sample of all. The others are left out."
    )


def repeats(result: Reading) -> str:
    """Which rows stand twice, which replies hold no answer, and which runs are partial."""
    short = result.runs[result.runs["missing"] > 0]
    return (
        f"{result.n_copies:,} of {result.n_read:,} rows repeat another and are dropped once; {result.n_no_answer} "
        f"replies name no option and count as wrong, as published. {plural(len(short), 'model')} of {result.n_models} "
        f"lack items, in stretches, as runs do that broke off; {result.n_shared:,} items were answered by all."
    )


def ties(result: Reading) -> str:
    """How many confidences are one of two numbers."""
    return (
        f"{result.share_at_100:.0%} of the stated confidences are exactly 100 and {result.share_at_95:.0%} exactly 95: "
        "ranks are full of ties, which count half."
    )


VIEWS = Views("reading", sentences={"footnote": footnote, "repeats": repeats, "ties": ties})
