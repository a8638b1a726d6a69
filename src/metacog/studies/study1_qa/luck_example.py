"""Two questions as a reader sees them: answered rightly and wrongly, and wrongly in the same way again and again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.trials import scored

if TYPE_CHECKING:
    from metacog.collect.questions import Question

EXAMPLE_COLUMNS = ("model", "question", "key", "answer", "confidence", "right", "temperature")
#: Answers that a question must have.
LEAST = 3


def example(trials: pd.DataFrame, asked: Mapping[str, Question]) -> pd.DataFrame:
    """Answers to the question that shows best how confidence can go with being right.

    Of the first model that has one: of the questions with a right and a wrong answer among at least :data:`LEAST`, the
    one whose least confident right answer lies farthest above its most confident wrong one; of several, the first by
    its name. First come questions that are read at a glance: every answer is one word, the right one came more than
    once, and wrong ones were not all the same. A question is passed over if the key is part of an answer marked wrong,
    which a reader might call right.
    """
    told = trials["answer"].str.strip() != ""
    known = scored(trials)[told & trials["question_id"].isin(list(asked))]
    known = known[known["score"].notna()]
    for _, own in known.groupby("model", sort=False):
        ranks = {}
        for name, rows in own.groupby("question_id"):
            gap = _gap(rows, asked[str(name)].accepted[0])
            if not np.isnan(gap):
                ranks[name] = (at_a_glance(rows) and gap > 0, gap)
        if ranks:
            return _shown(own[own["question_id"] == max(ranks, key=lambda name: ranks[name])], asked)
    return _shown(known.iloc[:0], asked)


def repeated_mistake(trials: pd.DataFrame, asked: Mapping[str, Question], model: str) -> pd.DataFrame:
    """Answers of a model to the question that shows best how sure a mistake can look that it keeps making.

    Of the questions with at least :data:`LEAST` same wrong answers, another wrong one and no right one, all of one
    word: the one whose least confident repeated answer lies farthest above the most confident of the others.
    """
    own = scored(trials[trials["question_id"].isin(list(asked)) & (trials["model"] == model)])
    own = own[own["score"].notna()]
    gaps = {}
    for name, rows in own.groupby("question_id"):
        words, key = rows["answer"].str.strip(), asked[str(name)].accepted[0]
        usual = words == words.mode().iloc[0]
        plain = (
            words.str.fullmatch(r"[A-Za-z]+").all()
            and not words.str.contains(key, case=False, regex=False).any()
        )
        if plain and not rows["correct"].any() and usual.sum() >= LEAST and not usual.all():
            gaps[name] = float(rows.loc[usual, "confidence"].min() - rows.loc[~usual, "confidence"].max())
    shown = max(gaps, key=lambda name: gaps[name]) if gaps else None
    return _shown(own[own["question_id"] == shown], asked)


def at_a_glance(answers: pd.DataFrame) -> bool:
    """Whether every answer is one word, the right one came more than once, and wrong ones are not all the same."""
    right, words = answers["correct"].astype(bool), answers["answer"].str.strip()
    return bool(words.str.fullmatch(r"[A-Za-z]+").all() and right.sum() > 1 and words[~right].nunique() > 1)


def _gap(answers: pd.DataFrame, key: str) -> float:
    """How far the least confident right answer lies above the most confident wrong one; NaN if it is no example."""
    right = answers["correct"].astype(bool)
    if len(answers) < LEAST or right.all() or not right.any():
        return np.nan
    if answers.loc[~right, "answer"].str.contains(key, case=False, regex=False).any():
        return np.nan
    return float(answers.loc[right, "confidence"].min() - answers.loc[~right, "confidence"].max())


def _shown(answers: pd.DataFrame, asked: Mapping[str, Question]) -> pd.DataFrame:
    rows = answers.sort_values("confidence", ascending=False, kind="stable").reset_index(drop=True)
    questions = [asked[name] for name in rows["question_id"]]
    return rows.assign(
        question=np.array([q.question for q in questions], dtype=object),
        key=np.array([q.accepted[0] for q in questions], dtype=object),
        answer=rows["answer"].str.strip(),
        right=rows["correct"].astype(bool),
    )[list(EXAMPLE_COLUMNS)]
