"""Do the models of the run know when they are right? The answer that heads their page."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed, plural
from metacog.report.needed import area_cost
from metacog.studies.study2_two_choice.replication import ratings
from metacog.studies.study2_two_choice.replication.analysis import RatedDecisions
from metacog.studies.study2_two_choice.replication.figures import SIGNALS
from metacog.studies.study2_two_choice.replication.lacking import usable_of


def page_answer(result: RatedDecisions) -> str:
    """In how many cells each signal tells right from wrong; where none does anywhere, what would settle it."""
    known = result.signals[result.signals["auroc2"].notna()]
    digits = result.signals[result.signals["signal"] == "rating"]
    said = _said(int((digits["levels"] == 1).sum()), len(digits))
    ratio = _m_ratio(result.cells, len(digits))
    clear = {
        name: (int((part["auroc2_lower"] > 0.5).sum()), len(part))
        for name, part in known.groupby("signal", sort=False)
    }
    if any(n for n, _ in clear.values()):
        parts = [f"{SIGNALS[str(name)]} in {n} of {of}" for name, (n, of) in clear.items()]
        told = f"Right answers are told from wrong ones by {listed(parts)} cells."
        return f"{said} {told}{_drawn(result.draws)} {ratio}"
    if result.cells.empty:
        return f"Whether these models know when they are right cannot be told. {usable_of(result.unfitted)}"
    accuracy = digits["right"].sum() / digits["n"].sum() if digits["n"].sum() else float("nan")
    most = int(digits["n"].max()) if len(digits) else 0
    cost = area_cost(accuracy, most)
    few = plural(most, "decision") if most else "no decisions"
    first = f"Whether these models know when they are right cannot be told from {few} in a cell"
    return f"{first}{f': {cost}' if cost else ''}. {said} {ratio}"


def _drawn(draws: pd.DataFrame) -> str:
    """Which share of the errors the probability of the decision shows because they were drawn against the odds."""
    wrong, against = int(draws["wrong"].sum()), int(draws["wrong_against"].sum())
    if not against:
        return ""
    return (
        f" {against} of {plural(wrong, 'wrong decision')} went against the model's own preference: the probability of "
        "the decision shows this luck of the draw, that of the preferred option does not."
    )


def _m_ratio(cells: pd.DataFrame, asked: int) -> str:
    """In how many cells maximum likelihood gives an M-ratio with an interval, and in how many of those it holds 0."""
    fit = cells[(ratings.unjudged(cells) == "") & cells["m_ratio_lower"].notna()]
    zero = int(((fit["m_ratio_lower"] <= 0) & (fit["m_ratio_upper"] >= 0)).sum())
    holds = f", which contains 0 in {zero} of them" if len(fit) else ""
    return (
        f"By maximum likelihood the M-ratio has an interval in {len(fit)} of {plural(asked, 'cell')}{holds}."
    )


def _said(flat: int, cells: int) -> str:
    """Whether asking for a digit from 1 to 5 brought more than one digit."""
    if not flat:
        all_ = plural(cells, "cell")
        return f"Asked how sure they are from 1 to 5, the models use more than one digit in all {all_}."
    return (
        f"Asked how sure they are from 1 to 5, the models say the same digit throughout in {flat} of "
        f"{plural(cells, 'cell')} of a model and a task."
    )
