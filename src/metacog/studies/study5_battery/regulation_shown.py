"""Regulation and families of models: what is said of them."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study5_battery.regulation import Contrasts, Regulation
from metacog.studies.study5_battery.regulation_contrasts import CLAIMED_ON
from metacog.verdicts.needed import R, models_for_correlation
from metacog.verdicts.verdict import Verdict


def page_answer(result: Regulation) -> str:
    """Whether withdrawing what is wrong goes with answering directly.

    How often a model asks for help is a habit, not how well it chooses when.
    """
    p = result.verdicts[0].values["pearson"]
    if p.excludes():
        more = "more" if p.r > 0 else "less"
        return f"Models that withdraw wrong answers rather than right ones also answer directly {more} often."
    return (
        "Whether models that withdraw wrong answers also choose otherwise beforehand cannot be told: "
        f"{p.n} models are too few."
    )


def dissociation(verdict: Verdict) -> str:
    """The correlation, and over how many models it could be told."""
    p = verdict.values["pearson"]
    return (
        f"Withdraw delta and answering directly correlate at {p.r:.2f} ({p.lower:.2f} to {p.upper:.2f}); to tell a "
        f"correlation of {R:g} from none takes {models_for_correlation()} models."
    )


def needed(result: Regulation) -> str:
    """The same of the result."""
    return dissociation(result.verdicts[0])


def size(result: Contrasts) -> str:
    """In how many families deltas run in the printed order, and in how many the interval of the change shows it."""
    ordered, shown = ([v for v in result.verdicts if v.name == name] for name in ("order", "change"))
    runs, settled = (sum(v.passed is True for v in some) for some in (ordered, shown))
    untold = "".join(
        f"; in {v.values['family']} it cannot be told, since {v.values['twins'] or 'a delta is missing'}"
        for v in ordered
        if v.passed is None
    )
    return (
        f"Over size, the deltas of {CLAIMED_ON} run as printed in {runs} of "
        f"{plural(len(ordered), 'family', 'families')}{untold}; the interval of the change "
        f"shows it in {settled or 'none'}."
    )


VIEWS = (
    Views(
        "regulation",
        sentences={"answer": page_answer, "needed": needed},
        verdicts={"dissociation": dissociation},
    ),
    Views("contrasts", sentences={"size": size}),
)
