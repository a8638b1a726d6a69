"""What several questions of study 5 compute: deltas, profiles, scores, commitment, paths, integrity.

Rates and deltas (how much more often right answers are stood by than wrong ones) are in percentage points. A delta
without a right or without a wrong answer is undefined, never zero.

Both probes as one confidence have four states of commitment: WITHDRAW and NO_BET < WITHDRAW and BET < KEEP and NO_BET
< KEEP and BET. Whether the two in the middle are in that order is an assumption; merged into one they give three
levels, as a check. Of KEEP alone, AUROC2 is (1 + delta)/2 with the delta as a share.

Profiles by rule. A: blanket confidence, KEEP at or above ``high`` and a mean delta within ``delta`` of zero. B:
blanket withdrawal, KEEP at or below ``low``. C: selective sensitivity, a mean delta of at least ``delta``.

What is wrong with the published responses is found by code before anything is computed from them; :func:`variants`
gives the responses without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.frames import rows_of, typed_rows
from metacog.sdt.information import meta_information_from_counts
from metacog.sdt.intervals import Interval, difference_of_shares
from metacog.sdt.standardised import StratifiedTest, stratified_permutation, weighted_shares
from metacog.sdt.type2 import auroc2_from_counts, auroc2_interval_from_counts
from metacog.studies.study5_battery.asking.wordings import PAYOFFS
from metacog.studies.study5_battery.ledger.responses import PATHS
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE, TRACKS, UNCLASSIFIED, models_of

#: Measures that need right and wrong answers.
MEASURED = ("auroc2", "lower", "upper", "merged", "within", "keep_alone", "meta_i", "meta_i2r")
#: Fewer right or wrong answers than this and no interval is given.
FEWEST = 10


def states(responses: pd.DataFrame) -> NDArray[np.int64]:
    """State of each response, 0 to 3 in the order of :data:`STATES`."""
    return 2 * responses["keep"].to_numpy(dtype=np.int64) + responses["bet"].to_numpy(dtype=np.int64)


def tables(responses: pd.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Wrong and right answers by state."""
    state, right = states(responses), responses["correct"].to_numpy()
    return np.bincount(state[~right], minlength=4), np.bincount(state[right], minlength=4)


def merged(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same with the two states in the middle as one."""
    return np.array([table[0], table[1] + table[2], table[3]])


def _within(responses: pd.DataFrame) -> float:
    """AUROC2 of pairs of a right and a wrong answer of the same track."""
    wins = pairs = 0.0
    for _, subset in responses.groupby("track"):
        wrong, right = tables(subset)
        n = float(wrong.sum() * right.sum())
        if n:
            wins, pairs = wins + n * float(auroc2_from_counts(wrong, right)), pairs + n
    return wins / pairs if pairs else float("nan")


def measured(responses: pd.DataFrame) -> pd.DataFrame:
    """Type-2 measures of each model over T1 to T5.

    Returns
    -------
    DataFrame
        ``model, n, n_incorrect, auroc2, lower, upper`` (four states), ``merged`` (three), ``within``
        (only pairs within a track), ``keep_alone`` (two), ``meta_i`` (bits, minus its exact mean by chance),
        ``meta_i2r``, and the ``share_0`` to ``share_3`` of the states; NaN where a class is empty.
    """
    rows = []
    retro = responses[responses["track"].isin(RETROSPECTIVE)]
    for model in models_of(retro):
        subset = retro[retro["model"] == model]
        if subset.empty:
            continue
        wrong, right = tables(subset)
        n_wrong, n_right = int(wrong.sum()), int(right.sum())
        row: dict[str, object] = {"model": model, "n": len(subset), "n_incorrect": n_wrong}
        row |= {f"share_{k}": float((wrong + right)[k] / len(subset)) for k in range(4)}
        if n_wrong and n_right:
            area = auroc2_interval_from_counts(wrong, right)
            known = min(n_wrong, n_right) >= FEWEST
            information = meta_information_from_counts(wrong, right, correction="exact")
            row |= {
                "auroc2": area.estimate,
                "lower": area.lower if known else np.nan,
                "upper": area.upper if known else np.nan,
                "merged": float(auroc2_from_counts(merged(wrong), merged(right))),
                "within": _within(subset),
                "keep_alone": float(auroc2_from_counts(_pairs(wrong), _pairs(right))),
                "meta_i": information.meta_i,
                "meta_i2r": information.meta_i2r,
            }
        rows.append(row)
    columns = ["model", "n", "n_incorrect", *(f"share_{k}" for k in range(4)), *MEASURED]
    return pd.DataFrame(rows, columns=columns)


def _pairs(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """By KEEP alone."""
    return np.array([table[:2].sum(), table[2:].sum()])


#: Columns of :func:`deltas` after those of its groups.
COUNTED = dict.fromkeys(("n", "n_correct", "n_incorrect", "stood_correct", "stood_incorrect"), "int64")
DELTAS = COUNTED | dict.fromkeys(("accuracy", "stood", "kc", "ki", "delta", "lower", "upper"), "float64")
#: Columns of :func:`mean_deltas`.
MEANS = {
    "model": "str",
    **dict.fromkeys(("delta", "lower", "upper", "p"), "float64"),
    "n_defined": "int64",
    "complete": "bool",
    **dict.fromkeys(("accuracy", "stood"), "float64"),
}


def counts(
    responses: pd.DataFrame, by: Sequence[str] = ("model", "track"), probe: str = "keep"
) -> pd.DataFrame:
    """Right and wrong answers of each group that are judged, and how many of them were stood by.

    Columns of ``by``, then ``n_correct, n_incorrect, stood_correct, stood_incorrect``.
    """
    judged = responses[responses["judged"]]
    right, stood = judged["correct"], judged[probe]
    flags = judged[list(by)].assign(
        n_correct=right, n_incorrect=~right, stood_correct=right & stood, stood_incorrect=~right & stood
    )
    return flags.groupby(list(by), sort=False).sum().astype("int64").reset_index()


def delta_of(row: Any, level: float = 0.95) -> Interval:
    """The delta of a row of :func:`counts`, with Newcombe's interval, in shares."""
    return difference_of_shares(
        row.stood_correct, row.n_correct, row.stood_incorrect, row.n_incorrect, level=level
    )


def deltas(
    responses: pd.DataFrame,
    by: Sequence[str] = ("model", "track"),
    probe: str = "keep",
    level: float = 0.95,
) -> pd.DataFrame:
    """Rates and delta of each group.

    Returns
    -------
    DataFrame
        Columns of ``by``, then ``n, n_correct, n_incorrect, stood_correct, stood_incorrect, accuracy, stood``
        (rate of standing by, in %), ``kc, ki`` (the same of right and of wrong answers), ``delta, lower,
        upper``.
    """
    results = []
    for row in rows_of(counts(responses, by, probe)):
        one = delta_of(row, level)
        n = row.n_correct + row.n_incorrect
        results.append(
            {
                **{name: getattr(row, name) for name in by},
                "n": n,
                "n_correct": row.n_correct,
                "n_incorrect": row.n_incorrect,
                "stood_correct": row.stood_correct,
                "stood_incorrect": row.stood_incorrect,
                "accuracy": row.n_correct / n,
                "stood": 100 * (row.stood_correct + row.stood_incorrect) / n,
                "kc": rate(row.stood_correct, row.n_correct),
                "ki": rate(row.stood_incorrect, row.n_incorrect),
                "delta": 100 * one.estimate,
                "lower": 100 * one.lower,
                "upper": 100 * one.upper,
            }
        )
    return typed_rows(results, {**{name: responses[name].dtype for name in by}, **DELTAS})


def with_bets(responses: pd.DataFrame) -> pd.DataFrame:
    """:func:`deltas` of KEEP by model and track, and next to them ``bet_delta, bet_lower, bet_upper``."""
    key, ends = ["model", "track"], ["delta", "lower", "upper"]
    bets = deltas(responses, probe="bet")[[*key, *ends]].rename(columns={c: f"bet_{c}" for c in ends})
    return deltas(responses).merge(bets, on=key, validate="one_to_one")


def table_of(frame: pd.DataFrame, index: str, columns: Sequence[str]) -> dict[str, dict[str, float]]:
    """Numbers of a frame with one row per name, as ``table[column][name]``."""
    return {c: {str(k): float(v) for k, v in zip(frame[index], frame[c], strict=True)} for c in columns}


def rate(part: int, whole: int) -> float:
    """Percent; NaN of nothing."""
    return 100 * part / whole if whole else float("nan")


def sum_of(per_track: pd.DataFrame, weights: ArrayLike, level: float = 0.95) -> Interval:
    """A weighted sum of the deltas of rows of :func:`deltas`, with a score interval.

    Undefined where one of the deltas is; see :func:`metacog.sdt.standardised.weighted_shares`.
    """
    w = np.asarray(weights, dtype=float)
    hits, n = (
        np.concatenate([per_track[f"{name}_correct"], per_track[f"{name}_incorrect"]])
        for name in ("stood", "n")
    )
    one = weighted_shares(hits, n, np.concatenate([w, -w]), level=level)
    return Interval(100 * one.estimate, 100 * one.lower, 100 * one.upper, level)


def mean_of(per_track: pd.DataFrame, level: float = 0.95) -> Interval:
    """Mean of the defined deltas of some rows of :func:`deltas`, with a score interval."""
    subset = per_track[per_track["delta"].notna()]
    return sum_of(subset, np.full(len(subset), 1 / max(len(subset), 1)), level)


def mean_test(per_track: pd.DataFrame) -> StratifiedTest | None:
    """Exact permutation test of that mean, answers changing places within tracks; None without a delta."""
    subset = per_track[per_track["delta"].notna()]
    if subset.empty:
        return None
    return stratified_permutation(
        subset["stood_correct"], subset["n_correct"], subset["stood_incorrect"], subset["n_incorrect"]
    )


def mean_deltas(per_track: pd.DataFrame, tracks: Sequence[str] = RETROSPECTIVE) -> pd.DataFrame:
    """Mean delta of each model over the tracks in which it is defined.

    Returns
    -------
    DataFrame
        One row for each model: ``model, delta, lower, upper`` (score interval), ``p`` (exact, two-sided:
        right and wrong answers change places within tracks), ``n_defined, complete`` (defined on all tracks;
        only such means may be ranked), ``accuracy`` and ``stood`` (means over all tracks).
    """
    results = []
    for model in models_of(per_track):
        subset = per_track[(per_track["model"] == model) & per_track["track"].isin(tracks)]
        one, test = mean_of(subset), mean_test(subset)
        results.append(
            {
                "model": model,
                "delta": one.estimate,
                "lower": one.lower,
                "upper": one.upper,
                "p": np.nan if test is None else test.two_sided,
                "n_defined": int(subset["delta"].notna().sum()),
                "complete": bool(subset["delta"].notna().sum() == len(tracks)),
                "accuracy": subset["accuracy"].mean(),
                "stood": subset["stood"].mean(),
            }
        )
    return typed_rows(results, MEANS)


def mean_difference(first: pd.DataFrame, second: pd.DataFrame, level: float = 0.95) -> Interval:
    """Difference of two models' means over the tracks that both have defined, first minus second.

    Parameters
    ----------
    first, second : DataFrame
        Rows of :func:`deltas`, one for each track.
    level : float
    """
    known = [one[one["delta"].notna()] for one in (first, second)]
    shared = set(known[0]["track"]) & set(known[1]["track"])
    both = pd.concat([one[one["track"].isin(shared)] for one in known])
    k = max(len(shared), 1)
    return sum_of(both, np.repeat([1 / k, -1 / k], len(shared)), level)


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
    return rows.sort_values("declined", ascending=False, kind="stable").reset_index()


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


#: Words for kinds whose names in the data are short for something else.
_WORDS = {
    "basic_me": "basic mutual exclusivity",
    "me_under_load": "mutual exclusivity under load",
    "irony_sarcasm": "irony and sarcasm",
    "two_novel_object": "two novel objects",
}


def kind_in_words(name: str) -> str:
    """A kind of item by its name in the battery's files, in words."""
    return _WORDS.get(name, name.replace("_", " "))


def path_rates(responses: pd.DataFrame) -> pd.DataFrame:
    """How often each path of T6 was chosen, in percent: ``model, direct, hint, decline``."""
    subset = responses[responses["track"] == "T6"]
    shares = pd.crosstab(subset["model"], subset["path"], normalize="index") * 100
    shares = shares.reindex(index=models_of(responses), columns=list(PATHS.values()))
    shares.columns = pd.Index(["direct", "hint", "decline"])
    return (
        shares.fillna(0.0)
        .where(shares.notna().any(axis=1), np.nan, axis=0)
        .rename_axis("model")
        .reset_index()
    )


#: Profiles and what they are called.
NAMES = {
    "A": "A: blanket confidence",
    "B": "B: blanket withdrawal",
    "C": "C: selective sensitivity",
    UNCLASSIFIED: "unclassified",
}


@dataclass(frozen=True)
class Rule:
    """Thresholds in percent and percentage points."""

    high: float = 95.0
    low: float = 10.0
    delta: float = 15.0

    def profile(self, stood: float, delta: float) -> str:
        """The profile of a rate of KEEP and a delta.

        An undefined delta (NaN) rules out C and nothing else.
        """
        if stood <= self.low:
            return "B"
        if stood >= self.high and not abs(delta) >= self.delta:
            return "A"
        return "C" if delta >= self.delta else UNCLASSIFIED


#: The printed thresholds.
PRINTED = Rule()


def by_rule(means: pd.DataFrame, rule: Rule = PRINTED) -> dict[str, str]:
    """The profile of each row of :func:`.deltas.mean_deltas`."""
    return {row.model: rule.profile(row.stood, row.delta) for row in rows_of(means)}


# Track scores, and the rule behind them as it is read off the published files.

#: What a state (right, kept, bet on) earns. It is printed nowhere;
#: :func:`.tracks.scores.reproduced` checks it against the files.
STATE_SCORES = {
    (True, True, True): 1.0,
    (True, True, False): 0.8,
    (True, False, False): 0.5,
    (True, False, True): 0.3,
    (False, False, False): 0.6,
    (False, False, True): 0.2,
    (False, True, False): 0.1,
    (False, True, True): 0.0,
}
#: Kinds of T2 that earn 1 if right, else 0, whatever is kept or bet on.
PLAIN = "prospective"
#: Kinds of T2 whose score rests on a reply that the files do not hold: no rule is known.
UNKNOWN = "knowledge_boundary"


def scored_by_rule(responses: pd.DataFrame) -> pd.Series:
    """Score of each response by the rule read off the files; NaN where none is known (:data:`UNKNOWN`)."""

    def earned(row: Any) -> float:
        if row.track == "T6":
            right, wrong = PAYOFFS[row.path]
            return right if row.correct else wrong
        if row.item_type in (PLAIN, UNKNOWN):
            return float(row.correct) if row.item_type == PLAIN else np.nan
        return STATE_SCORES[bool(row.correct), bool(row.keep), bool(row.bet)]

    return pd.Series([earned(row) for row in rows_of(responses)], responses.index, dtype=float)


def track_scores(responses: pd.DataFrame) -> pd.DataFrame:
    """Mean score of each model on each track: ``model``, one per track, ``mean`` (of all six, or none)."""
    table = responses.groupby(["model", "track"])["score"].mean().unstack()
    table = table.reindex(columns=list(TRACKS))
    return table.assign(mean=table.mean(axis=1, skipna=False)).reset_index()
