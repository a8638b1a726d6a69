"""Marks compared with a reader's judgement, and the book's rule of marking with the paper's.

Read were answers drawn by a seed, as many marked wrong as right of each model, and every answer that similarity alone
makes right by the paper's rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table
from metacog.core.words import plural
from metacog.sdt import auroc2
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells import GROUP, REFERENCE, estimate, rate_trials
from metacog.trials import SCORE, loosely_right

#: ``model, question_id, answer, marked, judged, reason``: answers of the reference run as one reader judged them,
#: ``marked`` by the paper's rule.
FILE = "data/replies/marked_by_eye.csv"
#: The same of every answer, at all temperatures, that is right by the paper's rule through similarity; ``judged`` is
#: ``unclear`` where an answer is aimed at the right name, but more than misspelt.
SIMILAR = "data/replies/similar_by_eye.csv"
#: The rules compared, and the two readings.
PAPERS, BOOKS = "the paper's", "the book's"
BY_SEED, BY_SIMILARITY = "drawn by a seed", "right by similarity alone"
#: Measures that are given by both rules.
CHANGED = ("accuracy", "auroc2", "m_ratio")


def read_answers(trials: pd.DataFrame, file: str) -> pd.DataFrame:
    """Trials whose answers one of the two files holds, with ``judged``; what was read of others counts nothing."""
    keys = ["model", "question_id", "answer"]
    found = trials.assign(answer=trials["text"].str.strip(), paper=loosely_right(trials))
    read = committed_table(file, keep_default_na=False)[[*keys, "judged"]]
    return found[[*keys, "match", "correct", "paper"]].merge(read, on=keys, validate="many_to_one")


def mismarked(trials: pd.DataFrame) -> pd.DataFrame:
    """Shares of marks of answers drawn by a seed that the reader's judgement contradicts, by model and mark, with 95 %
    Wilson intervals.
    """
    both = read_answers(trials[trials["temperature"] == REFERENCE], FILE)
    both["marked"] = np.where(both["correct"], "right", "wrong")
    both["mismarked"] = both["marked"] != both["judged"]
    table = both.groupby(["model", "marked"], as_index=False).agg(
        n=("mismarked", "size"), mismarked=("mismarked", "sum")
    )
    table["share"] = table["mismarked"] / table["n"]
    table["lower"], table["upper"] = wilson(table["share"], table["n"])
    return table


def rules_compared(trials: pd.DataFrame) -> pd.DataFrame:
    """What each rule makes of the answers that were read, a row for each reading and rule.

    Of answers judged right or wrong (``n``), wrong ones that the rule calls right, right ones that it calls wrong, and
    two shares (precision and recall). In shares, an answer drawn by the seed counts as often as there are answers of
    its model with its mark.
    """
    at_one = trials[trials["temperature"] == REFERENCE]
    seeds = read_answers(at_one, FILE)
    strata, every = ["model", "paper"], at_one.assign(paper=loosely_right(at_one))
    weights = every.groupby(strata).size() / seeds.groupby(strata).size()
    seeds["weight"] = weights.reindex(pd.MultiIndex.from_frame(seeds[strata])).to_numpy()
    alike = trials[trials["match"].isin(["similar", "near"])]
    rows = []
    for name, read in ((BY_SEED, seeds), (BY_SIMILARITY, read_answers(alike, SIMILAR).assign(weight=1.0))):
        known = read[read["judged"] != "unclear"]
        right, weight = known["judged"] == "right", known["weight"]
        for rule, passed in ((PAPERS, known["paper"]), (BOOKS, known["correct"])):
            both = weight[passed & right].sum()
            rows.append(
                {
                    "read": name,
                    "rule": rule,
                    "n": len(known),
                    "unclear": len(read) - len(known),
                    "let_pass": int((passed & ~right).sum()),
                    "lost": int((~passed & right).sum()),
                    "right_of_passed": both / weight[passed].sum() if passed.any() else np.nan,
                    "passed_of_right": both / weight[right].sum() if right.any() else np.nan,
                }
            )
    return pd.DataFrame(rows)


def changes(trials: pd.DataFrame) -> pd.DataFrame:
    """Measures at T = 1 by the book's rule and, with ``_paper`` behind the name, by the paper's; ``n_changed`` answers
    only the paper's rule calls right.
    """
    both = {"": trials, "_paper": trials.assign(correct=loosely_right(trials))}
    near = trials[trials["temperature"] == REFERENCE].groupby(list(GROUP))["match"]
    table = near.agg(n_changed=lambda match: int((match == "near").sum())).reset_index()
    for which, marked in both.items():
        cells = rate_trials(marked).cells()
        found = estimate(cells)[[*GROUP, "accuracy", "m_ratio"]]
        at_one = marked[(marked["temperature"] == REFERENCE) & marked[SCORE].notna()]
        area = {
            key: auroc2(own["correct"], own[SCORE]) if own["correct"].nunique() == 2 else np.nan
            for key, own in at_one.groupby(list(GROUP))
        }
        found["auroc2"] = found[list(GROUP)].apply(tuple, axis=1).map(area)
        table = table.merge(found.rename(columns={name: name + which for name in CHANGED}), on=list(GROUP))
    return table


#: Marks are trusted if certainly fewer than this share of those that were read are wrong, and not if certainly more.
FEW = 0.1


def answer(result: Any) -> str:
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
