"""Which kinds of item tell models apart, and on which monitoring works."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, judged, those
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.weighted_shares import weighted_shares
from metacog.studies.study5_battery.ledger.published import TRACKS
from metacog.studies.study5_battery.measures.deltas import counts
from metacog.studies.study5_battery.measures.profiles import kind_in_words

#: A kind of item on which this share of the models is right throughout cannot tell them apart.
CEILING = 0.5


def by_item_type(responses: pd.DataFrame, distinct: pd.DataFrame) -> pd.DataFrame:
    """Discrimination of each kind of item, all models together, and its withdraw delta within models.

    Parameters
    ----------
    responses : DataFrame
    distinct : DataFrame
        Those from which deltas are computed: without files that were filed twice and items that were declined.

    Returns
    -------
    DataFrame
        ``track, item_type, n_items, accuracy, lowest, highest`` (of the models' accuracies), ``perfect``
        (models without an error), ``models`` (with the whole track), ``of`` (all), ``item_rest`` (mean
        correlation over models of an item with the rest of its track; items that all models get right have
        none), ``n_incorrect`` (wrong answers of all models), ``delta, lower, upper, compared`` (:func:`within_models`).
    """
    rows = []
    wrong = (~responses["correct"]).groupby([responses["track"], responses["item_type"]]).sum()
    own = within_models(distinct).set_index(["track", "item_type"]).reindex(wrong.index)
    for track in TRACKS:
        subset = responses[responses["track"] == track]
        table = subset.pivot(index="item", columns="model", values="correct").dropna(axis=1).astype(float)
        rest = _item_rest(table)
        kind = subset.drop_duplicates("item").set_index("item")["item_type"]
        for name in kind.unique():
            items = kind.index[kind == name]
            means = table.loc[items].mean()
            cell = own.loc[(track, name)]
            known = rest.loc[items].dropna()
            rows.append(
                {
                    "track": track,
                    "item_type": kind_in_words(name),
                    "n_items": len(items),
                    "accuracy": means.mean(),
                    "lowest": means.min(),
                    "highest": means.max(),
                    "perfect": int((means == 1).sum()),
                    "models": table.shape[1],
                    "of": responses["model"].nunique(),
                    "item_rest": known.mean() if len(known) else np.nan,
                    "delta": cell["delta"],
                    "lower": cell["lower"],
                    "upper": cell["upper"],
                    "n_incorrect": int(wrong.loc[(track, name)]),
                    "compared": int(np.nan_to_num(cell["compared"])),
                }
            )
    return pd.DataFrame(rows)


def within_models(responses: pd.DataFrame) -> pd.DataFrame:
    """Weighted mean of models' withdraw deltas on each kind of item: right answers against one's own wrong ones.

    With all answers in one table, models that err more and withdraw more raise the delta of a kind on which none of
    them withdraws its wrong answers in particular. Models are weighted as Mantel and Haenszel do, by right times wrong
    answers over all, so that one with a single wrong answer decides little.

    Returns
    -------
    DataFrame
        ``track, item_type, compared`` (models with a right and a wrong answer), ``delta, lower, upper`` (points, with a
        score interval that takes answers as independent; NaN where no model has both).
    """
    rows = []
    cells = counts(responses, ["model", "track", "item_type"])
    for (track, kind), every in cells.groupby(["track", "item_type"], sort=False):
        both = every[(every["n_correct"] > 0) & (every["n_incorrect"] > 0)]
        right, wrong = (both[f"n_{which}"].to_numpy(dtype=float) for which in ("correct", "incorrect"))
        weight = right * wrong / (right + wrong)
        weight = weight / weight.sum() if len(both) else weight
        stood = np.concatenate([both["stood_correct"], both["stood_incorrect"]])
        one = weighted_shares(stood, np.concatenate([right, wrong]), np.concatenate([weight, -weight]))
        ends = {"delta": 100 * one.estimate, "lower": 100 * one.lower, "upper": 100 * one.upper}
        rows.append({"track": track, "item_type": kind, "compared": len(both), **ends})
    return pd.DataFrame(rows)


def _item_rest(table: pd.DataFrame) -> pd.Series:
    """Correlation of each item with the sum of the other items, over models; NaN if one does not vary."""
    total = table.sum()
    results = {}
    for item, row in table.iterrows():
        remaining = total - row
        varies = row.nunique() > 1 and remaining.nunique() > 1
        results[item] = np.corrcoef(row, remaining)[0, 1] if varies else np.nan
    return pd.Series(results)


def discrimination_verdict(table: pd.DataFrame) -> Verdict:
    """Whether every kind of item tells models apart."""
    units = [_tells(row) for row in rows_of(table)]
    return judged(
        units,
        "item types",
        Kind.EXPLORATORY,
        "On every kind of item more than half of the models make an error.",
        name="discrimination",
        topic="items",
        kinds=len(table),
        flat=those(units, False),
    )


def _tells(row: Any) -> Unit:
    """Whether more than half of all models err on a kind, whatever those without the track would do."""
    name, erring, missing = f"{row.item_type} ({row.track})", row.models - row.perfect, row.of - row.models
    if erring > CEILING * row.of:
        return Unit(name, True)
    open_ = erring + missing > CEILING * row.of
    return Unit(name, None, "models without the whole track") if open_ else Unit(name, False)
