"""Does confidence use all that the decision knew? In words."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.study2_two_choice.cells.sentences import compared, named
from metacog.studies.study2_two_choice.two_choice.analysis import TwoChoice


def page_answer(result: TwoChoice) -> str:
    """In how many cells confidence uses less evidence than the decision did."""
    ratios = result.ratios[result.ratios["kind"] == "optimality"]
    less, n = int((ratios["upper"] < 0).sum()), len(ratios)
    cells = f"{n} combinations of a model and a task"
    if not less:
        return f"Nothing shows otherwise: in none of {cells} does confidence use less evidence than the decision."
    if less == n:
        return f"No: in all {cells}, confidence uses less evidence than the decision did."
    word = "Mostly not" if 2 * less > n else "Not always"
    return f"{word}: in {less} of {cells}, confidence uses less evidence than the decision did."


def above_chance(result: TwoChoice) -> str:
    """In how many cells right answers carry more confidence than wrong ones."""
    cells = result.cells
    known = int((cells["auroc2_lower"] > 0.5).sum())
    return (
        f"In {known} of {plural(len(cells), 'combination')} right answers carry more confidence than wrong ones: the "
        f"chance of that (AUROC2) is {cells['auroc2'].min():.2f} to {cells['auroc2'].max():.2f}, where "
        "0.5 says nothing."
    )


def orders(result: TwoChoice) -> str:
    """Whether meta-I1r, which has no bell curves, orders pairs of models as the M-ratio does."""
    known = result.cells.set_index(["task", "model"])["meta_i1r"].to_dict()
    pairs = rows_of(result.ratios[result.ratios["kind"] == "models"])
    turned = [r for r in pairs if (known[r.task, r.first] - known[r.task, r.second]) * r.difference < 0]
    if not turned:
        return "meta-I1r, which assumes no bell curves, orders the models as the M-ratio does on every task."
    apart = sum(bool(r.lower > 0 or r.upper < 0) for r in turned)
    names = listed(f"{named(r.first)} and {named(r.second)} (task {r.task})" for r in turned)
    return (
        f"meta-I1r, which assumes no bell curves, orders {len(turned)} of {plural(len(pairs), 'pair')} of models the "
        f"other way ({names}); the M-ratio tells {apart or 'none'} of these apart."
    )


VIEWS = Views(
    "two_choice",
    sentences={
        "answer": page_answer,
        "above_chance": above_chance,
        "orders": orders,
        "models_compared": lambda result: compared(result.ratios, "models"),
        "tasks_compared": lambda result: compared(result.ratios, "tasks"),
    },
)
