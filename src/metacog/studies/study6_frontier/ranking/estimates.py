"""Measures of each model and of its domains, with intervals over the items that all models were asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.measures.calibration import calibration_error
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.measures.coverage import NAMES, coverage_notes
from metacog.measures.estimates import Measured, measure
from metacog.measures.table import Options, make_cell
from metacog.sdt.ranking import rank_sets, significantly_higher
from metacog.sdt.type2 import auroc2_interval
from metacog.studies.study6_frontier.ledger.published import DOMAINS

#: Measures that models are shown with, each with its interval.
SHOWN = ("accuracy", "auroc2", "meta_i2r", "d_a", "ece_debiased", "brier")
#: Measures that models are ranked by; more is better in each.
RANKED = ("auroc2", "meta_i2r", "accuracy")
#: Name of the one set of items, which fixes what is resampled.
ITEMS = "atlas"


@dataclass(frozen=True)
class Order:
    """Ranks of models by one measure, all pairs judged together.

    Attributes
    ----------
    table : DataFrame
        ``model, estimate, rank, set_lower, set_upper``, best first: a model's rank lies between the ends of its set,
        for all models at once with 95 % confidence. Models without draws are left out.
    higher : array of bool, shape ``(G, G)``
        Whether the model of a row is significantly higher than that of a column, in the order of ``table``.
    left_out : tuple of str
        Models without an interval.
    """

    table: pd.DataFrame
    higher: NDArray[np.bool_]
    left_out: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """Pairs of models that are ranked."""
        return len(self.table) * (len(self.table) - 1) // 2

    @property
    def apart(self) -> int:
        """Pairs that differ significantly."""
        return int(self.higher.sum())


def measured(
    trials: pd.DataFrame, *, n_resamples: int, n_permutations: int, seed: int
) -> dict[str, Measured]:
    """All measures of each model; resamples draw from all items, the same for every model.

    Parameters
    ----------
    trials : DataFrame
        As :attr:`metacog.studies.study6_frontier.ledger.rows.Rows.trials`.
    """
    items = np.unique(trials["question_id"])
    questions = tuple((ITEMS, str(item)) for item in items)
    found = {}
    for model, own in trials.groupby("model", sort=False):
        cell = make_cell(own, own, Options())
        unit = np.searchsorted(items, own["question_id"].to_numpy()).astype(np.int64)
        found[str(model)] = measure(
            replace(cell, unit=unit, questions=questions),
            n_resamples=n_resamples,
            n_permutations=n_permutations,
            seed=seed,
            estimators=(calibration_error,),
        )
    return found


def table_of(trials: pd.DataFrame, models: dict[str, Measured]) -> pd.DataFrame:
    """One row per model: ``model, family, n, n_wrong``, :data:`SHOWN` with limits, ``coverage`` and ``flag``."""
    family = trials.drop_duplicates("model").set_index("model")["family"]
    rows = []
    for model, made in models.items():
        row = made.row()
        n, right = int(made.values["n_trials"]), int(made.values["n_correct"])
        known = {name: made.values[name] for name in NAMES if name in made.bounds}
        limits = {
            f"{name}{end}": row.get(f"{name}{end}", np.nan)
            for name in SHOWN
            for end in ("", "_lower", "_upper")
        }
        low, high = made.bounds.get("ece_debiased", (np.nan, np.nan))
        limits |= {"ece_debiased_lower": low, "ece_debiased_upper": high}
        rows.append(
            {
                "model": model,
                "family": family[model],
                "n": n,
                "n_wrong": n - right,
                **limits,
                "coverage": coverage_notes(known, n, right),
                "flag": row["flag"],
            }
        )
    return pd.DataFrame(rows).sort_values("auroc2", ascending=False, kind="stable").reset_index(drop=True)


def order(models: dict[str, Measured], quantity: str) -> Order:
    """Ranks of models by a measure, with the sets of ranks that cannot be ruled out."""
    names = sorted(models, key=lambda m: -models[m].values.get(quantity, np.nan))
    kept = [m for m in names if models[m].defined(quantity) and quantity in models[m].bounds]
    values = np.array([models[m].values[quantity] for m in kept])
    draws = np.array([models[m].paired(quantity) for m in kept])
    whole = np.isfinite(draws).all(axis=0)
    higher = significantly_higher(values, draws[:, whole])
    low, high = rank_sets(higher)
    table = pd.DataFrame(
        {
            "model": kept,
            "estimate": values,
            "rank": pd.Series(-values).rank(),
            "set_lower": low,
            "set_upper": high,
        }
    )
    return Order(table, higher, tuple(sorted(set(models) - set(kept))))


def orders(models: dict[str, Measured]) -> tuple[pd.DataFrame, dict[str, Order]]:
    """:func:`order` by each of :data:`RANKED`: one long table with the column ``quantity``, and each by name."""
    each = {quantity: order(models, quantity) for quantity in RANKED}
    return pd.concat([one.table.assign(quantity=q) for q, one in each.items()], ignore_index=True), each


def domain_cells(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of each model in each domain: ``model, domain, area, n, n_wrong, auroc2, lower, upper, why``.

    ``area`` is the domain as readers know it.

    No interval below :data:`metacog.measures.cell.MIN_FOR_INTERVALS` right or wrong answers; ``why`` says so.
    """
    rows = []
    for (model, domain), own in trials.groupby(["model", "domain"], sort=False):
        wrong = int((~own["correct"]).sum())
        few = min(wrong, len(own) - wrong) < MIN_FOR_INTERVALS
        made = auroc2_interval(own["correct"], own["score"]) if 0 < wrong < len(own) else None
        known = made is not None and not few and not made.reason
        rows.append(
            {
                "model": model,
                "domain": domain,
                "area": DOMAINS.get(str(domain), ("", str(domain)))[1],
                "n": len(own),
                "n_wrong": wrong,
                "auroc2": np.nan if made is None else made.estimate,
                "lower": made.lower if made is not None and known else np.nan,
                "upper": made.upper if made is not None and known else np.nan,
                "why": f"{wrong} wrong answers" if few or made is None else made.reason,
            }
        )
    return pd.DataFrame(rows)


def neighbours(ranked: Order, printed: list[str]) -> pd.DataFrame:
    """Neighbours in the printed order, and whether they differ: ``higher, lower, apart``."""
    place = {model: i for i, model in enumerate(ranked.table["model"])}
    known = [m for m in printed if m in place]
    return pd.DataFrame(
        [
            {"higher": a, "lower": b, "apart": bool(ranked.higher[place[a], place[b]])}
            for a, b in pairwise(known)
        ]
    )


def pair_units(ranked: Order) -> list[tuple[str, bool]]:
    """Every pair of ranked models, and whether it differs."""
    names = [row.model for row in rows_of(ranked.table)]
    return [
        (f"{names[i]} and {names[j]}", bool(ranked.higher[i, j] or ranked.higher[j, i]))
        for i, j in combinations(range(len(names)), 2)
    ]
