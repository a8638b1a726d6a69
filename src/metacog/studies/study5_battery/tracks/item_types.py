"""Which kinds of item tell models apart, and on which monitoring works."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, judged, those
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study5_battery.ledger.published import TRACKS
from metacog.studies.study5_battery.measures.deltas import deltas

#: A kind of item on which this share of the models is right throughout cannot tell them apart.
CEILING = 0.5
#: A kind of item on which the models are right less often than this is called hard.
HARD = 0.7


def by_item_type(responses: pd.DataFrame) -> pd.DataFrame:
    """Discrimination of each kind of item, all models together.

    Returns
    -------
    DataFrame
        ``track, item_type, n_items, accuracy, lowest, highest`` (of the models' accuracies), ``perfect``
        (models without an error), ``models`` (with the whole track), ``of`` (all), ``item_rest`` (mean
        correlation over models of an item with the rest of its track; items that all models get right have
        none), ``delta, lower, upper, n_incorrect`` (withdraw delta of all models' responses together).
    """
    rows = []
    pooled = deltas(responses, ["track", "item_type"]).set_index(["track", "item_type"])
    for track in TRACKS:
        subset = responses[responses["track"] == track]
        table = subset.pivot(index="item", columns="model", values="correct").dropna(axis=1).astype(float)
        rest = _item_rest(table)
        kind = subset.drop_duplicates("item").set_index("item")["item_type"]
        for name in kind.unique():
            items = kind.index[kind == name]
            means = table.loc[items].mean()
            cell = pooled.loc[(track, name)]
            known = rest.loc[items].dropna()
            rows.append(
                {
                    "track": track,
                    "item_type": name.replace("_", " "),
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
                    "n_incorrect": int(cell["n_incorrect"]),
                }
            )
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
