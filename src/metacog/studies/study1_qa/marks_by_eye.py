"""Marks compared with a reader's judgement, and the book's rule of marking with the paper's.

Read were answers drawn by a seed, as many marked wrong as right of each model, and every answer that similarity alone
makes right by the paper's rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table
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


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: of marks that were read, of answers that only similarity
    makes right, and of what the stricter rule changes.
    """
    eye, by = result.by_eye, result.rules[result.rules["read"] == BY_SIMILARITY].set_index("rule")
    n, wrong = int(eye["n"].sum()), int(eye["mismarked"].sum())
    paper, book, table = by.loc[PAPERS], by.loc[BOOKS], result.changes
    moved = {f"{name}_moved": (table[name] - table[f"{name}_paper"]).abs().max() for name in CHANGED}
    return {
        "n_read": n,
        "n_mismarked": wrong,
        "n_too_good": int(eye.loc[eye["marked"] == "right", "mismarked"].sum()),
        "mismarked_most": 100 * float(wilson([wrong / n], [n])[1][0]) if n else np.nan,
        "n_similar": int(paper["n"] + paper["unclear"]),
        "n_unclear": int(paper["unclear"]),
        "n_passed": int(paper["let_pass"]),
        "n_caught": int(paper["let_pass"] - book["let_pass"]),
        "n_still": int(book["let_pass"]),
        "n_lost": int(book["lost"]),
        "n_turned": int(table["n_changed"].sum()),
        "same_order": bool(table["auroc2"].rank().equals(table["auroc2_paper"].rank())),
        **moved,
    }
