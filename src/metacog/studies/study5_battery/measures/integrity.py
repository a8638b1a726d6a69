"""What is wrong with the published responses before anything is computed from them, found by code.

Each check gives rows to look at; :func:`variants` gives the responses without what it found.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.studies.study5_battery.ledger.published import MODELS, TRACKS
from metacog.studies.study5_battery.measures.deltas import deltas

#: What one model answered to one item; two files are identical if all of these are.
GIVEN = ("correct", "keep", "bet", "path", "answer")
#: The same without what was written freely, of which no two models need choose the same words.
CLOSED = ("correct", "keep", "bet", "path")
#: Two files alike by chance are not believed below this chance, shared by all pairs of models and tracks.
ALPHA = 0.01
#: One answer to more than this share of a track's items is no answer to them.
SAME_ANSWER = 0.5


def identical(responses: pd.DataFrame) -> pd.DataFrame:
    """Pairs of models whose responses on a track are the same, item by item.

    Returns
    -------
    DataFrame
        ``track, first, second, n_items, kinds`` (how many different responses they gave), ``unusual`` (items
        on which theirs is not the most frequent response of the other models), ``log10_chance`` (see
        :func:`chance_of`), ``copied`` (that chance is below :data:`ALPHA` over the number of pairs of models
        and tracks: one file was filed twice), ``powers_of_ten`` (``log10_chance`` without its sign).
    """
    results = []
    pairs = len(TRACKS) * len(MODELS) * (len(MODELS) - 1) / 2
    for track in TRACKS:
        subset = responses[responses["track"] == track]
        whole, closed = (_joined(subset, columns) for columns in (GIVEN, CLOSED))
        for first, second in combinations(whole.columns, 2):
            if not (whole[first] == whole[second]).all():
                continue
            remaining = closed.drop(columns=[first, second])
            common = closed[first]
            same = remaining.eq(common, axis=0).sum(axis=1)
            chance = chance_of(common, remaining)
            results.append(
                {
                    "track": track,
                    "first": first,
                    "second": second,
                    "n_items": len(common),
                    "kinds": common.nunique(),
                    "unusual": int((same < _largest(remaining)).sum()),
                    "log10_chance": chance,
                    "copied": chance < np.log10(ALPHA / pairs),
                    "powers_of_ten": -chance,
                }
            )
    columns = "track first second n_items kinds unusual log10_chance copied powers_of_ten"
    return pd.DataFrame(results, columns=columns.split()).astype({"copied": bool})


def _joined(subset: pd.DataFrame, columns: tuple[str, ...]) -> pd.DataFrame:
    """Responses as one word each, one row per item and one column per model."""
    joined = subset[columns[0]].astype(str)
    for name in columns[1:]:
        joined = joined + "/" + subset[name].astype(str)
    return subset.assign(joined=joined).pivot(index="item", columns="model", values="joined")


def _largest(table: pd.DataFrame) -> NDArray[np.int64]:
    """How many models gave each item's most frequent response."""
    codes, kinds = pd.factorize(table.to_numpy().ravel())
    shaped = codes.reshape(table.shape)
    return np.max([(shaped == k).sum(axis=1) for k in range(len(kinds))], axis=0)


def chance_of(common: pd.Series, remaining: pd.DataFrame, rounds: int = 200) -> float:
    """log10 of the chance that a model gives these responses to these items.

    Of a model that gives each kind of response as often as they were given here, and leans on each item
    towards what the other models answered: the product of the two is raked to both margins (iterative
    proportional fitting, Deming & Stephan 1940), half a response of each kind added to every item.

    Parameters
    ----------
    common : Series by item
    others : DataFrame
        What the other models answered, one row per item.
    """
    kinds = sorted(set(common))
    rest = remaining.where(remaining.isin(kinds), "rest")
    table = np.stack([rest.eq(kind).sum(axis=1) for kind in kinds], axis=1) + 0.5
    wanted = np.array([(common == kind).sum() for kind in kinds], dtype=float)
    for _ in range(rounds):
        table /= table.sum(axis=1, keepdims=True)
        table *= wanted / table.sum(axis=0)
    table /= table.sum(axis=1, keepdims=True)
    at = [kinds.index(kind) for kind in common]
    return float(np.log10(table[np.arange(len(at)), at]).sum())


def declined(responses: pd.DataFrame) -> pd.DataFrame:
    """T6 items declined, and how they are logged: ``model, declined, logged_wrong, paid``."""
    subset = responses[responses["path"] == "DECLINE"]
    rows = subset.groupby("model", sort=False).agg(
        declined=("item", "size"), logged_wrong=("correct", lambda c: int((~c).sum())), paid=("score", "mean")
    )
    return rows.sort_values("declined", ascending=False).reset_index()


def unnormalised(responses: pd.DataFrame) -> pd.DataFrame:
    """Written answers logged as wrong that are the key once both are normalised.

    ``item, certain`` (equal; else the key occurs in the answer), ``models, n``.
    """
    subset = responses[~responses["correct"] & responses["match"].isin(["n", "c"])]
    rows = []
    for (item, match), part in subset.groupby(["item", "match"], sort=True):
        rows.append(
            {
                "item": item,
                "certain": match == "n",
                "n": len(part),
                "models": "; ".join(part["model"].unique()),
            }
        )
    return pd.DataFrame(rows, columns=["item", "certain", "n", "models"])


def repeated_answers(responses: pd.DataFrame) -> pd.DataFrame:
    """Models that wrote the same answer to most of T6's items: ``model, n, of, right``."""
    subset = responses[(responses["track"] == "T6") & (responses["path"] != "DECLINE")]
    rows = []
    for model, part in subset.groupby("model", sort=False):
        most = part["answer"].value_counts()
        if most.iloc[0] > max(SAME_ANSWER * len(part), 1):
            right = int(part[part["answer"] == most.index[0]]["correct"].sum())
            rows.append({"model": model, "n": int(most.iloc[0]), "of": len(part), "right": right})
    return pd.DataFrame(rows, columns=["model", "n", "of", "right"])


def undefined(responses: pd.DataFrame) -> pd.DataFrame:
    """Cells without a right or without a wrong answer: ``model, track, n_correct, n_incorrect, lacks``."""
    results = deltas(responses)
    empty = results[results["delta"].isna()]
    lacks = ["wrong answers" if row.n_correct else "right answers" for row in rows_of(empty)]
    return empty[["model", "track", "n_correct", "n_incorrect"]].assign(lacks=lacks).reset_index(drop=True)


def thin(responses: pd.DataFrame, fewest: int = 5) -> int:
    """How many defined deltas rest on fewer than ``fewest`` wrong answers."""
    results = deltas(responses)
    return int((results["delta"].notna() & (results["n_incorrect"] < fewest)).sum())


def _is_of(responses: pd.DataFrame, track: str, *models: str) -> pd.Series:
    return (responses["track"] == track) & responses["model"].isin(models)


def without_pairs(responses: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Without the tracks of both models of some pairs: whose responses they are is unknown."""
    keep = pd.Series(True, index=responses.index)
    for row in rows_of(pairs):
        keep &= ~_is_of(responses, row.track, row.first, row.second)
    return responses[keep].reset_index(drop=True)


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


def without_repeated(responses: pd.DataFrame) -> pd.DataFrame:
    """Without T6 of models that wrote one answer to most of its items."""
    out = repeated_answers(responses)["model"]
    return responses[~_is_of(responses, "T6", *out)].reset_index(drop=True)


PUBLISHED, MENDED = "as published", "all of these"


def variants(responses: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The responses as published, after each correction, and after all of them."""
    pairs = identical(responses)
    copied = pairs[pairs["copied"]]
    whole = without_repeated(without_declined(renormalised(responses)))
    return {
        PUBLISHED: responses,
        "without copied files": without_pairs(responses, copied),
        "without every identical file": without_pairs(responses, pairs),
        "declined items not judged": without_declined(responses),
        "keys normalised": renormalised(responses),
        "without one answer to everything": without_repeated(responses),
        MENDED: without_pairs(whole, copied),
    }


def easy_items(responses: pd.DataFrame) -> tuple[int, int, int]:
    """How many items there are, how many all models get right, and how many none does."""
    right = responses.groupby(["track", "item"])["correct"]
    return right.ngroups, int(right.all().sum()), int((~right.any()).sum())
