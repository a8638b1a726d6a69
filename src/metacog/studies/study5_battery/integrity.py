"""What is wrong with the published responses, found by code before anything is computed from them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.studies.study5_battery.paper import MODELS, TRACKS

#: What one model answered to one item; two files are identical if all of these are.
GIVEN = ("correct", "keep", "bet", "path", "answer")
#: The same without what was written freely, of which no two models need choose the same words.
CLOSED = ("correct", "keep", "bet", "path")
#: Two files alike by chance are not believed below this chance, shared by all pairs of models and tracks.
ALPHA = 0.01
#: One answer to more than this share of a track's items is no answer to them.
SAME_ANSWER = 0.5
#: Rounds of raking.
ROUNDS = 200
PUBLISHED, MENDED = "as published", "all of these"


def identical(responses: pd.DataFrame) -> pd.DataFrame:
    """Pairs of models whose responses on a track are the same, item by item, and how improbable that is.

    ``powers_of_ten`` is that of :func:`chance_of` without its sign, ``copied`` whether the chance is below
    :data:`ALPHA` over the number of pairs of models and tracks: one file was filed twice.
    """
    results = []
    pairs = len(TRACKS) * len(MODELS) * (len(MODELS) - 1) / 2
    words = responses.assign(closed=_joined(responses, CLOSED), whole=_joined(responses, GIVEN))
    for track in TRACKS:
        own = words[words["track"] == track]
        whole, closed = (
            own.pivot(index="item", columns="model", values=name) for name in ("whole", "closed")
        )
        for first, second in combinations(whole.columns, 2):
            if (whole[first] == whole[second]).all():
                chance = chance_of(closed[first], closed.drop(columns=[first, second]))
                results.append((track, first, second, chance < np.log10(ALPHA / pairs), -chance))
    columns = ["track", "first", "second", "copied", "powers_of_ten"]
    return pd.DataFrame(results, columns=columns).astype({"copied": bool})


def _joined(responses: pd.DataFrame, columns: tuple[str, ...]) -> pd.Series:
    texts = responses[list(columns)].astype(str)
    return texts.iloc[:, 0].str.cat(texts.iloc[:, 1:], sep="/")


def chance_of(common: pd.Series, remaining: pd.DataFrame) -> float:
    """log10 of the chance that a model gives these responses to these items (``remaining``: what other models gave).

    Of a model that gives each kind of response as often as they were given here, and leans on each item
    towards what the other models answered: the product of the two is raked to both margins (iterative
    proportional fitting, Deming & Stephan 1940), half a response of each kind added to every item.
    """
    kinds = sorted(set(common))
    rest = remaining.where(remaining.isin(kinds), "rest")
    table = np.stack([rest.eq(kind).sum(axis=1) for kind in kinds], axis=1) + 0.5
    wanted = np.array([(common == kind).sum() for kind in kinds], dtype=float)
    for _ in range(ROUNDS):
        table /= table.sum(axis=1, keepdims=True)
        table *= wanted / table.sum(axis=0)
    table /= table.sum(axis=1, keepdims=True)
    at = [kinds.index(kind) for kind in common]
    return float(np.log10(table[np.arange(len(at)), at]).sum())


def declined(responses: pd.DataFrame) -> pd.DataFrame:
    """T6 items that each model declined, and how many of them are logged as wrong."""
    subset = responses[responses["path"] == "DECLINE"]
    rows = subset.groupby("model", sort=False).agg(
        declined=("item", "size"), logged_wrong=("correct", lambda c: int((~c).sum()))
    )
    return rows.sort_values("declined", ascending=False, kind="stable").reset_index()


def repeated_answers(responses: pd.DataFrame) -> list[str]:
    """Models that wrote the same answer to most of T6's items."""
    subset = responses[(responses["track"] == "T6") & (responses["path"] != "DECLINE")]
    most = subset.groupby("model", sort=False)["answer"].agg(lambda a: a.value_counts().iloc[0])
    of = subset.groupby("model", sort=False).size()
    return list(most.index[most > np.maximum(SAME_ANSWER * of, 1)])


def copied(responses: pd.DataFrame) -> pd.DataFrame:
    """Pairs of :func:`identical` of which one file was filed twice."""
    pairs = identical(responses)
    return pairs[pairs["copied"]]


def without_pairs(responses: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Without the tracks of both models of some pairs: whose responses they are is unknown."""
    out = {(row.track, model) for row in rows_of(pairs) for model in (row.first, row.second)}
    there = pd.MultiIndex.from_frame(responses[["track", "model"]])
    return responses[~there.isin(out)].reset_index(drop=True)


def without_declined(responses: pd.DataFrame) -> pd.DataFrame:
    """With declined items judged neither right nor wrong; that they were declined stays."""
    return responses.assign(judged=responses["judged"] & (responses["path"] != "DECLINE"))


def renormalised(responses: pd.DataFrame) -> pd.DataFrame:
    """With every answer right that equals its key after normalising, and scored as its path pays."""
    mended = responses["match"].eq("n") & ~responses["correct"] & (responses["path"] != "DECLINE")
    pays = responses["path"].map({"ANSWER_DIRECTLY": 1.0, "REQUEST_HINT": 0.5})
    return responses.assign(
        correct=responses["correct"] | mended, score=responses["score"].where(~mended, pays)
    )


def mended(responses: pd.DataFrame) -> pd.DataFrame:
    """The responses after every correction; which files are copies is seen before any.

    Models that wrote one answer to most of T6's items are left out there.
    """
    pairs = copied(responses)
    whole = without_declined(renormalised(responses))
    repeated = (whole["track"] == "T6") & whole["model"].isin(repeated_answers(whole))
    return without_pairs(whole[~repeated], pairs)
