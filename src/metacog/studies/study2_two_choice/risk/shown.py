"""What does a warning do to the criterion? In words."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.studies.study2_two_choice.risk.analysis import Risk


def page_answer(result: Risk) -> str:
    """In how many models and tasks decisions differ between the two warnings as they should."""
    pairs = result.pairs[(result.pairs["measure"] == "c") & (result.pairs["first"] == "S1")]
    ends = pairs[pairs["second"] == "S2"]
    heeded = int(((ends["difference"] < 0) & (ends["decision_wide"] != NOT_SIGNIFICANT)).sum())
    n = len(ends)
    word = "Yes" if heeded == n else "No" if not heeded else "Mostly" if 2 * heeded > n else "Seldom"
    where = {n: f"all {n}", 0: f"none of {n}"}.get(heeded, f"{heeded} of {n}")
    move = "do decisions" if not heeded else "decisions"
    return (
        f"{word}: in {where} combinations of a model and a task, {move} move away from the answer that a warning "
        "punishes."
    )


def sensitivity(result: Risk) -> str:
    """In how many pairs of warnings d' differs."""
    of_d = result.pairs[result.pairs["measure"] == "d_prime"]
    changed = int((of_d["decision_wide"] != NOT_SIGNIFICANT).sum())
    said = "so not only the line moved" if changed else "so the line moved and nothing else is seen to"
    pairs = plural(len(of_d), "pair")
    return f"What the models can tell apart, $d'$, differs in {changed} of {pairs} of warnings, {said}."


VIEWS = Views("risk", sentences={"answer": page_answer, "sensitivity": sensitivity})
