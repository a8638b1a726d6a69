"""What must hold before the hypotheses are tested? How it is shown."""

from __future__ import annotations

from typing import Any

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells import MIN_CLASS
from metacog.studies.study1_qa.cells_shown import NAMES
from metacog.studies.study1_qa.validation import BOOKS, BY_SIMILARITY, CHANGED, PAPERS

#: Marks are trusted if certainly fewer than this share of those that were read are wrong, and not if certainly more.
FEW = 0.1


def answer(result: Any) -> str:
    """Whether marks can be trusted, by those that were read."""
    n, wrong = int(result.by_eye["n"].sum()), int(result.by_eye["mismarked"].sum())
    if not n:
        return "Whether to trust the marks cannot be told: nobody has read this run's answers."
    low, high = (float(limit[0]) for limit in wilson([wrong / n], [n]))
    told = "Mostly" if high < FEW else "No" if low > FEW else "Open"
    right = int(result.by_eye.loc[result.by_eye["marked"] == "right", "mismarked"].sum())
    were = "none was" if not wrong else "one was" if wrong == 1 else f"{wrong} were"
    always = ", always" if wrong > 1 else ","
    which = {
        (False, False): "",
        (False, True): f"{always} a right answer marked wrong",
        (True, False): f"{always} a wrong answer marked right",
        (True, True): ", in either direction",
    }[right > 0, wrong > right]
    return (
        f"{told}: of {n:,} marks that a language model checked by reading the answers, {were} wrong{which}."
    )


def alike(result: Any) -> str:
    """What a reader says of answers that similarity makes right, and what the book's rule makes of them."""
    by = result.rules[result.rules["read"] == BY_SIMILARITY].set_index("rule")
    paper, book = by.loc[PAPERS], by.loc[BOOKS]
    n, wrong = paper["n"] + paper["unclear"], paper["let_pass"]
    if not n:
        return "No answer of this run that only similarity makes right has been read."
    return (
        f"Of {n:,} answers that only similarity makes right by the paper's rule, the reader finds {wrong} wrong and "
        f"{paper['unclear']} unclear. The book's rule marks {wrong - book['let_pass']} of these {wrong} wrong, and "
        f"{book['lost']} right ones with them; {book['let_pass']} wrong ones still pass."
    )


def changed(result: Any) -> str:
    """What the book's rule changes of each model's measures at T = 1."""
    table = result.changes
    if not table["n_changed"].sum():
        return "At temperature 1 both rules mark every answer of this run alike."
    moved = {name: (table[name] - table[f"{name}_paper"]).abs().max() for name in CHANGED}
    same = table["auroc2"].rank().equals(table["auroc2_paper"].rank())
    return (
        f"At temperature 1 the stricter rule turns {plural(int(table['n_changed'].sum()), 'answer')} of "
        f"{plural(len(table), 'model')}, in no model more than {table['n_changed'].max()}. Accuracy falls by at most "
        f"{moved['accuracy']:.4f}, AUROC2 moves by at most {moved['auroc2']:.4f} and M-ratio by at most "
        f"{moved['m_ratio']:.3f}; the models' order in AUROC2 {'stays' if same else 'changes'}."
    )


def small(result: Any) -> str:
    """In how many subjects of models there are too few right or wrong answers."""
    missed = int((~result.minimums["enough"].astype(bool)).sum())
    return f"Fewer than {MIN_CLASS} have {missed} of {len(result.minimums)} subjects of models."


VIEWS = Views(
    "validation",
    names=NAMES,
    sentences={"answer": answer, "alike": alike, "changed": changed, "small": small},
)
