"""Do the models of the run know when they are right? The answer that heads their page."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.needed import area_cost
from metacog.studies.study2_two_choice.replication.analysis import RatedDecisions
from metacog.studies.study2_two_choice.replication.lacking import usable_of
from metacog.studies.study2_two_choice.replication.ratings import SIGNAL_NAMES


def page_answer(result: RatedDecisions) -> str:
    """In how many cells what a model states tells right from wrong, and what does where it does not."""
    clear = _clear(result)
    stated, n = clear.pop("rating", (0, 0))
    others = {name: found for name, found in clear.items() if found[0]}
    if stated:
        return (
            f"The number that a model states tells right answers from wrong ones in {stated} of {n} combinations of a "
            "model and a task."
        )
    if others:
        best = max(
            others, key=lambda name: (others[name][0], name == "p_preferred")
        )  # it owes nothing to a draw
        k, of = others[best]
        return (
            f"No number that a model states tells right answers from wrong ones; {SIGNAL_NAMES[best]} does in {k} of "
            f"{plural(of, 'case')}."
        )
    most = int(result.signals["n"].max()) if len(result.signals) else 0
    few = f" from {plural(most, 'decision')} each" if most and len(result.cells) else ""
    return f"Whether these models know when they are right cannot be told{few}."


def settling(result: RatedDecisions) -> str:
    """What came back where nothing could be judged, or how many decisions would settle it; empty where it is."""
    if any(n for n, _ in _clear(result).values()):
        return ""
    if result.cells.empty:
        return usable_of(result.unfitted)
    digits = result.signals[result.signals["signal"] == "rating"]
    accuracy = digits["right"].sum() / digits["n"].sum() if digits["n"].sum() else float("nan")
    cost = area_cost(accuracy, int(digits["n"].max()) if len(digits) else 0)
    return f"{cost[:1].upper()}{cost[1:]}." if cost else ""


def _clear(result: RatedDecisions) -> dict[str, tuple[int, int]]:
    """In how many cells AUROC2 of each signal lies above one half, and of how many."""
    known = result.signals[result.signals["auroc2"].notna()]
    return {
        str(name): (int((part["auroc2_lower"] > 0.5).sum()), len(part))
        for name, part in known.groupby("signal", sort=False)
    }
