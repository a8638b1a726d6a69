"""Short tables of the eight families: which share an M-ratio, and how it moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of


def same_ratio(
    grid: pd.DataFrame, ratios: tuple[float, ...] = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3)
) -> pd.DataFrame:
    """Which families give the same M-ratio, and at which efficiencies.

    Between neighbouring efficiencies of a variant at one accuracy the M-ratio is read off a straight line.

    Returns
    -------
    DataFrame
        One row per M-ratio: ``m_ratio, n_families, families, lowest, highest`` (efficiency).
    """
    rows = []
    for ratio in ratios:
        hits: dict[str, list[float]] = {}
        for (family, _, _), path in grid.dropna(subset=["m_ratio"]).groupby(
            ["family", "variant", "accuracy"], sort=False
        ):
            e, m = path["efficiency"].to_numpy(), path["m_ratio"].to_numpy()
            at = list(e[np.abs(m - ratio) <= 0.005])
            for a, b, low, high in zip(e[:-1], e[1:], m[:-1], m[1:], strict=True):
                if min(low, high) <= ratio <= max(low, high) and low != high:
                    at.append(a + (b - a) * (ratio - low) / (high - low))
            if at:
                hits.setdefault(str(family), []).extend(at)
        found = [x for v in hits.values() for x in v]
        ends = (min(found), max(found)) if found else (np.nan, np.nan)
        rows.append((ratio, len(hits), ", ".join(hits), *ends))
    return pd.DataFrame(rows, columns=["m_ratio", "n_families", "families", "lowest", "highest"])


def moves(cells: pd.DataFrame) -> pd.DataFrame:
    """How M-ratio goes from the most to the least efficient answerer: one row per variant and accuracy."""
    rows = []
    known = cells[cells["m_ratio"].notna() & cells["efficiency"].notna()]
    for (family, variant, accuracy), path in known.groupby(["family", "variant", "accuracy"], sort=False):
        ordered = path.sort_values("efficiency", ascending=False)
        m = ordered["m_ratio"].to_numpy()
        rows.append(
            (
                family,
                variant,
                accuracy,
                m[0],
                m[-1],
                float(ordered["efficiency"].iloc[-1]),
                bool((np.diff(m) < 0).all()),
                len(m),
            )
        )
    names = ["family", "variant", "accuracy", "first", "last", "last_efficiency", "falls_always", "n"]
    return pd.DataFrame(rows, columns=names)


def explained(cells: pd.DataFrame) -> pd.DataFrame:
    """How far the M-ratio of each family lies from 1, and from what slope and accuracy give, at most.

    Returns
    -------
    DataFrame
        ``family, from_one, from_line``; NaN where nothing is predicted.
    """
    known = cells[cells["m_ratio"].notna()]
    off = {"from_one": known["m_ratio"] - 1, "from_line": known["m_ratio"] - known["predicted"]}
    found = {name: size.abs().groupby(known["family"], sort=False).max() for name, size in off.items()}
    return pd.DataFrame(found).rename_axis("family").reset_index()


def counted(outcomes: pd.DataFrame) -> pd.DataFrame:
    """At how many accuracies each measure recovers what, of each variant.

    Returns
    -------
    DataFrame
        ``variant, measure, accuracies, order, amount, recovered`` (share of the accuracies with the order), ``why``
        (the counts in words).
    """
    groups = outcomes.groupby(["variant", "measure"], sort=False)
    found = groups.agg(
        accuracies=("accuracy", "nunique"), order=("order", "sum"), amount=("amount", "sum")
    ).reset_index()
    found["recovered"] = found["order"] / found["accuracies"]
    found["why"] = [
        f"of {r.accuracies} accuracies: order at {r.order}, amount at {r.amount}" for r in rows_of(found)
    ]
    return found


class Cut(NamedTuple):
    """One answerer whose M-ratio moves with the way its confidence is rated."""

    variant: str
    accuracy: float
    low: float
    high: float
    ways: int


def widest_cut(cuts: pd.DataFrame) -> Cut:
    """The answerer of :func:`metacog.studies.study1_qa.correction.grid.recut` that moves most."""
    found = [
        Cut(str(key[0]), float(str(key[1])), part["m_ratio"].min(), part["m_ratio"].max(), len(part))
        for key, part in cuts.groupby(["variant", "accuracy"], sort=False)
    ]
    return max(found, key=lambda c: c.high - c.low)
