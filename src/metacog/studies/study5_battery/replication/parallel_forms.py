"""Parallel forms of the items that a seed makes: do they give the same picture of a model?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from metacog.sdt.correlation import correlation
from metacog.sdt.intervals import difference_of_shares
from metacog.studies.study5_battery.ledger.published import models_of
from metacog.studies.study5_battery.measures.deltas import deltas, mean_difference
from metacog.studies.study5_battery.replication.trials import responses

#: Fewer kinds of item than this, and no correlation is given.
FEWEST_KINDS = 4
#: What is compared over kinds of item.
OVER_KINDS = {"correct": "right", "p_keep": "probability of KEEP", "p_bet": "probability of BET"}


def two_forms(trials: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """Understood trials of the first two forms, where both have them; None if one form was asked."""
    subset = responses(trials)
    subset = subset[subset["judged"]]
    names = sorted(subset["dataset"].unique(), key=lambda name: int(name.rpartition("-")[2]))
    if len(names) < 2:
        return None
    parts = [subset[subset["dataset"] == name] for name in names[:2]]
    cells = [set(zip(p["model"], p["track"], strict=True)) for p in parts]
    both = cells[0] & cells[1]
    first, second = (p[[cell in both for cell in zip(p["model"], p["track"], strict=True)]] for p in parts)
    return first, second


def reliability(trials: pd.DataFrame) -> pd.DataFrame:
    """Correlation over kinds of item of one form with the other, for each model.

    Which kinds a model finds hard, and which it would keep, should not depend on the seed. A correlation over
    *models*, the alternate-form reliability of a leaderboard, needs more models than a run has.

    Returns
    -------
    DataFrame
        ``model, measure, kinds, r, lower, upper`` (Pearson's, with Fisher's interval; NaN where a form does
        not vary). Empty if one form was asked.
    """
    rows = []
    pair = two_forms(trials)
    for model in models_of(pair[0]) if pair else ():
        for name, label in OVER_KINDS.items():
            x, y = (
                part[part["model"] == model].groupby(["track", "item_type"])[name].mean().dropna()
                for part in pair or ()
            )
            both = x.index.intersection(y.index)
            row = {"model": model, "measure": label, "kinds": len(both)}
            row |= dict.fromkeys(("r", "lower", "upper"), np.nan)
            if len(both) >= FEWEST_KINDS:
                results = correlation(x.loc[both], y.loc[both])
                row |= {"r": results.r, "lower": results.lower, "upper": results.upper}
            rows.append(row)
    return pd.DataFrame(rows, columns=["model", "measure", "kinds", "r", "lower", "upper"])


def forms(trials: pd.DataFrame, measures: Sequence[str] = ("correct", "keep", "bet")) -> pd.DataFrame:
    """Two parallel forms side by side, on the tracks that both have.

    Returns
    -------
    DataFrame
        ``model, track, measure`` (right, KEEP and BET in %, withdraw delta), ``first, second, difference,
        lower, upper`` (points; Newcombe's interval, for the delta a score interval), ``apart`` (whether
        the interval leaves out zero), ``varies`` (whether what is counted is other than the same in every trial of both
        forms; else they cannot differ). Empty if one form was asked.
    """
    columns = [
        "model",
        "track",
        "measure",
        "first",
        "second",
        "difference",
        "lower",
        "upper",
        "apart",
        "varies",
    ]
    rows: list[dict[str, object]] = []
    pair = two_forms(trials)
    if pair is None:
        return pd.DataFrame(rows, columns=columns)
    titles = {"correct": "right", "keep": "KEEP", "bet": "BET"}
    rest = {key: part for key, part in pair[1].groupby(["model", "track"])}
    for (model, track), first in pair[0].groupby(["model", "track"], sort=False):
        second = rest[(model, track)]
        for name in measures:
            a, b = float(first[name].sum()), float(second[name].sum())
            one = difference_of_shares(a, len(first), b, len(second))
            values = (100 * a / len(first), 100 * b / len(second))
            limits = (100 * one.lower, 100 * one.upper)
            varies = 0 < a + b < len(first) + len(second)
            rows.append(_side_by_side(model, track, titles[name], values, limits, varies))
        both = [deltas(p) for p in (first, second)]
        x = [float(d["delta"].iloc[0]) for d in both]
        if np.isfinite(x).all():
            gap = mean_difference(both[0], both[1])
            kept = first["keep"].sum() + second["keep"].sum()
            varies, limits = bool(0 < kept < len(first) + len(second)), (gap.lower, gap.upper)
            rows.append(_side_by_side(model, track, "withdraw delta", (x[0], x[1]), limits, varies))
    return pd.DataFrame(rows, columns=columns)


def _side_by_side(
    model: object,
    track: object,
    measure: str,
    values: tuple[float, float],
    limits: tuple[float, float],
    varies: bool,
) -> dict[str, object]:
    return {
        "model": model,
        "track": track,
        "measure": measure,
        "first": values[0],
        "second": values[1],
        "difference": values[0] - values[1],
        "lower": limits[0],
        "upper": limits[1],
        "apart": not limits[0] <= 0 <= limits[1],
        "varies": varies,
    }
