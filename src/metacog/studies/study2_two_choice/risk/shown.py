"""What does a warning do to the criterion? In words."""

from __future__ import annotations

from metacog.core.frames import rows_of
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


def alone(result: Risk) -> str:
    """How many single warnings move decisions, compared with none."""
    pairs = result.pairs[result.pairs["measure"] == "c"]
    single = pairs[(pairs["first"] != "S1") | (pairs["second"] != "S2")]
    moves = int(((single["difference"] < 0) & (single["decision_wide"] != NOT_SIGNIFICANT)).sum())
    warnings = plural(len(single), "single warning")
    return f"Compared with no warning, {moves} of {warnings} move decisions as they should."


def how_far(result: Risk) -> str:
    """Who moves most and least, in answers."""
    by_way = rows_of(result.moved.assign(way=result.moved["s1"] - result.moved["s2"]).sort_values("way"))
    least, most = by_way[0], by_way[-1]
    return (
        f"{most.model} on task {most.task} moves most: it gives the second answer {most.s1:.0%} of the time warned "
        f"against the first and {most.s2:.0%} warned against the second; {least.model} on task {least.task} moves "
        f"least ({least.s1:.0%} and {least.s2:.0%})."
    )


def sensitivity(result: Risk) -> str:
    """In how many pairs of warnings d' differs."""
    of_d = result.pairs[result.pairs["measure"] == "d_prime"]
    changed = int((of_d["decision_wide"] != NOT_SIGNIFICANT).sum())
    said = "so not only the line moved" if changed else "so the line moved and nothing else is seen to"
    pairs = plural(len(of_d), "pair")
    return f"What the models can tell apart, $d'$, differs in {changed} of {pairs} of warnings, {said}."


def reproduced(result: Risk) -> str:
    """How many published criteria and half-widths are reproduced."""
    return (
        f"{result.c_reproduced} of {plural(result.n_cells, 'published criterion', 'published criteria')} and "
        f"{result.half_reproduced} of {plural(result.n_cells, 'half-width')} are reproduced to the last decimal."
    )


VIEWS = Views(
    "risk",
    sentences={
        "answer": page_answer,
        "alone": alone,
        "how_far": how_far,
        "sensitivity": sensitivity,
        "reproduced": reproduced,
    },
)
