"""Effects that claims about models' self-knowledge speak of, one number each of a whole set of models and items.

Runs of the same weights count as one, then weights of a family, then families. Intervals over items are of the first
order: an area moves with the weight of each item by its derivative, and items are drawn one by one. Others are about
models: t intervals over families, which is what could have been drawn (two models of one have more in common), and a
jackknife of families.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.stats import chi2, rankdata, t

from metacog.measures.equal_accuracy import equal_accuracy
from metacog.measures.model_items import MIN_OF_CLASS, FloatArray, ModelItems
from metacog.measures.set_effects import model_shares
from metacog.sdt.area_contrasts import areas_and_moves
from metacog.sdt.intervals import Z95

COLUMNS = ("claim", "value", "lower", "upper", "n")
#: Fewer families or strata than this carry no interval over them.
FEWEST = 3
#: How the names of sets end that this book asked, and nobody else.
ASKED_HERE = "asked here"
#: How the names of sets of people's answers end.
OF_PEOPLE = "people"


@dataclass(frozen=True)
class SetClaims:
    """What sets of answers say of claims.

    ``effects`` has a row for each ``set`` and each claim that has a value there, with :data:`COLUMNS`; ``n`` of what
    the interval is over; ends are NaN where there are too few. ``why`` says ``why`` a ``claim`` has none in a ``set``.
    """

    effects: pd.DataFrame
    why: pd.DataFrame = field(repr=False)


def by_set(found: Mapping[str, pd.DataFrame], why: Mapping[str, Mapping[str, str]]) -> SetClaims:
    """Tables of :func:`claim_effects`, and reasons by claim, of some sets."""
    reasons = [(name, claim, text) for name, of in why.items() for claim, text in of.items()]
    return SetClaims(
        pd.concat([table.assign(set=name) for name, table in found.items()], ignore_index=True)[
            ["set", *COLUMNS]
        ],
        pd.DataFrame(reasons, columns=["set", "claim", "why"]),
    )


def row(claim: str, value: float, lower: float, upper: float, n: int) -> dict[str, Any]:
    """A row of :data:`COLUMNS`."""
    return dict(zip(COLUMNS, (claim, value, lower, upper, n), strict=True))


def over(claim: str, values: ArrayLike, families: Iterable[Any]) -> dict[str, Any]:
    """The mean over families of the means of their values, with a t interval; no ends for fewer than :data:`FEWEST`."""
    each = pd.Series(np.asarray(values, dtype=np.float64)).groupby(list(families)).mean().dropna()
    if each.empty:
        return row(claim, np.nan, np.nan, np.nan, 0)
    mean, half = float(each.mean()), np.nan
    if each.size >= FEWEST:
        half = float(t.ppf(0.975, each.size - 1) * each.std(ddof=1) / np.sqrt(each.size))
    return row(claim, mean, mean - half, mean + half, each.size)


def claim_effects(
    items: ModelItems,
    weights: Sequence[str],
    *,
    stated: bool = True,
    series: pd.DataFrame | None = None,
    second: ModelItems | None = None,
) -> pd.DataFrame:
    """What a set of models and items says of each claim that it can test: :data:`COLUMNS`.

    Parameters
    ----------
    items : ModelItems
        Strata are categories of the items. Models with fewer than 10 right or wrong answers are left out; those of one
        confidence throughout stay, with an AUROC2 of one half.
    weights : sequence of str
        The weights that each model runs with.
    stated : bool
        Confidence is a number that a model wrote, which can be saturated.
    series : DataFrame, optional
        ``model, series, line, billions``: models that differ in size; lines of a series count as one.
    second : ModelItems, optional
        Another confidence of the same answers, of which it is asked whether it tells more.
    """
    hits = np.array([(r == 1).sum() for r in items.right]), np.array([(r == 0).sum() for r in items.right])
    enough = np.minimum(*hits) >= MIN_OF_CLASS
    if not enough.any():
        return pd.DataFrame(columns=list(COLUMNS))
    weights = [one for one, kept in zip(weights, enough, strict=True) if kept]
    items = items.kept(models=[m for m, kept in zip(items.models, enough, strict=True) if kept])
    areas, moves = _areas(items, items.confidence)
    families = np.array(items.families)
    share = model_shares(families, np.array(weights), np.ones(areas.size, dtype=bool))
    made = [_over_items("confidence", float(share @ areas) - 0.5, share @ moves)]
    if stated:
        of_answers = pd.DataFrame({"value": _two_commonest(items) * share, "share": share})
        sums = of_answers.groupby(families).sum()
        made.append(over("saturated", sums["value"] / sums["share"], sums.index))
    if series is not None:
        made += _sizes(items, dict(zip(items.models, areas, strict=True)), series)
    made.append(_accuracy(items, weights, areas))
    made += _domains(items, share)
    if second is not None:
        names = [model for model in items.models if model in second.models]
        there = np.array([model in names for model in items.models])
        first, sure = items.kept(models=names), second.kept(models=names).confidence
        both = np.isfinite(first.confidence) & np.isfinite(sure)
        one, one_moves = _areas(first, np.where(both, first.confidence, np.nan))
        other, other_moves = _areas(first, np.where(both, sure, np.nan))
        known = np.isfinite(one) & np.isfinite(other)
        there[there] = known
        of = model_shares(families, np.array(weights), there)[there]
        gap, move = float(of @ (other - one)[known]), of @ (other_moves - one_moves)[known]
        made.append(_over_items("tokens", gap, move))
    return pd.DataFrame(made, columns=list(COLUMNS))


def _areas(items: ModelItems, confidence: FloatArray) -> tuple[FloatArray, FloatArray]:
    each = [areas_and_moves(right[None], sure) for right, sure in zip(items.right, confidence, strict=True)]
    return np.array([area[0] for area, _ in each]), np.concatenate([move for _, move in each])


def _over_items(claim: str, value: float, move: FloatArray) -> dict[str, Any]:
    half = Z95 * float(np.sqrt(move @ move))
    return row(claim, float(value), float(value) - half, float(value) + half, move.size)


def _two_commonest(items: ModelItems) -> FloatArray:
    """Share of each model's answers that carry one of its two commonest values."""
    shares = []
    for sure in items.confidence:
        counts = np.sort(np.unique(sure[np.isfinite(sure)], return_counts=True)[1])
        shares.append(counts[-2:].sum() / counts.sum())
    return np.array(shares)


def _sizes(items: ModelItems, areas: Mapping[str, float], series: pd.DataFrame) -> list[dict[str, Any]]:
    """AUROC2 by doubling of size: least squares within a line, and smallest against largest at equal accuracy.

    Lines of a series are averaged, then series of a family, then families.
    """
    known = series[series["model"].isin(items.models)].sort_values("billions", kind="stable")
    lines = [(str(name), of) for (name, _), of in known.groupby(["series", "line"]) if len(of) > 1]
    slopes, pairs, doublings = [], [], []
    for _, of in lines:
        size = np.log2(of["billions"].to_numpy(dtype=np.float64))
        slopes.append(np.polyfit(size, [areas[model] for model in of["model"]], 1)[0])
        pairs.append((of["model"].iloc[0], of["model"].iloc[-1]))
        doublings.append(size[-1] - size[0])
    if not lines:
        return []
    equal = equal_accuracy(items, pairs, unchanged=())["equal_accuracy"].to_numpy(dtype=np.float64)
    frame = pd.DataFrame({"size": slopes, "size_equal": equal / np.array(doublings)})
    frame = frame.groupby([name for name, _ in lines]).mean()
    used = known[known["series"].isin(frame.index)]
    family = used["model"].map(dict(zip(items.models, items.families, strict=True)))
    makers = family.groupby(used["series"]).first()[frame.index]
    return [over(claim, frame[claim], makers) for claim in ("size", "size_equal")]


def _accuracy(items: ModelItems, weights: Sequence[str], areas: FloatArray) -> dict[str, Any]:
    """Spearman correlation over weights, with a jackknife of families: a bootstrap of few is too narrow.

    Families are of unlike size, and count as their effective number (Carter, Schnepel and Steigerwald 2017).
    """
    table = pd.DataFrame({"right": np.nanmean(items.right, axis=1), "area": areas, "family": items.families})
    each = table.groupby(np.array(weights)).agg({"right": "mean", "area": "mean", "family": "first"})
    pairs, names = each[["right", "area"]].to_numpy(), each["family"].unique()
    value, n = _spearman(pairs), names.size
    if n < FEWEST:
        return row("accuracy", value, np.nan, np.nan, n)
    without = np.array([_spearman(pairs[each["family"] != name]) for name in names])
    sizes = each["family"].value_counts().to_numpy()
    effective = sizes.sum() ** 2 / (sizes**2).sum()
    half = float(t.ppf(0.975, effective - 1) * np.sqrt((n - 1) * without.var()))
    return row("accuracy", value, max(value - half, -1.0), min(value + half, 1.0), n)


def _spearman(pairs: FloatArray) -> float:
    ranks = rankdata(pairs, axis=0)
    if not np.ptp(ranks, axis=0).all():
        return float("nan")
    return float(np.corrcoef(ranks.T)[0, 1])


def _domains(items: ModelItems, share: FloatArray) -> list[dict[str, Any]]:
    """Standard deviation of the true AUROC2 over strata, of the mean over families, with Q's own interval."""
    strata, names = np.array(items.strata), list(dict.fromkeys(items.strata))
    if len(names) < FEWEST:
        return []
    cells = [items.kept(strata == name) for name in names]
    fewest = [[min((r == 1).sum(), (r == 0).sum()) for r in cell.right] for cell in cells]
    enough = np.min(fewest, axis=0) >= MIN_OF_CLASS
    if not enough.any():
        return []
    of = np.where(enough, share, 0.0)
    mean, variance = [], []
    for cell in cells:
        areas, moves = _areas(cell, cell.confidence)
        move = of[enough] @ moves[enough] / of.sum()
        mean.append(of[enough] @ areas[enough] / of.sum())
        variance.append(move @ move)
    return [row("domains", *spread(np.array(mean), np.array(variance)), len(names))]


def spread(values: FloatArray, variances: FloatArray) -> tuple[float, float, float]:
    """Standard deviation of true values behind estimates, with a 95 % interval.

    Where Q at a variance between the true values equals its expectation, and the ends of its central 95 % (Viechtbauer
    2007); 0 where Q is smaller at no variance already.
    """

    def q(between: float) -> float:
        weight = 1 / (variances + between)
        return float(weight @ (values - weight @ values / weight.sum()) ** 2)

    def at(wanted: float) -> float:
        if q(0.0) <= wanted:
            return 0.0
        most = 1.0
        while q(most) > wanted:
            most *= 2
        return float(np.sqrt(brentq(lambda between: q(between) - wanted, 0.0, most, xtol=1e-14)))

    df = values.size - 1
    return at(df), at(float(chi2.ppf(0.975, df))), at(float(chi2.ppf(0.025, df)))
