"""What is in the atlas's rows: what is said of it."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.studies.study6_frontier.reading import Reading


def footnote(result: Reading) -> str:
    """Which model is shown hollow and without a rank, and why."""
    if not result.n_imputed:
        return ""
    own = next(r for r in rows_of(result.runs) if r.model == result.imputed)
    return (
        f"{result.imputed} is hollow and has no rank: only {own.n - result.n_imputed:,} of its {own.n:,} replies "
        "state a confidence, and these are no sample of all. The others are left out."
    )


VIEWS = Views("reading", sentences={"footnote": footnote})
