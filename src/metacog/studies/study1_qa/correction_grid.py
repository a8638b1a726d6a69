"""Do the measures follow efficiency where it is known? Eight families of simulated answerers at five accuracies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.sdt import fit_meta_d_batch
from metacog.sdt.populations import confidence_population
from metacog.sdt.type1 import z_roc_mle
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.correction_recovery import (
    ASKED,
    EFFICIENCIES,
    measures_of,
    of_same_table,
    recover,
    recovered,
)
from metacog.studies.study1_qa.observers import (
    Answerer,
    FloatArray,
    Graded,
    HeavyTails,
    Lapses,
    Levels,
    Mixture,
    OneSided,
    Unequal,
    Unreachable,
    at_efficiency,
)

ACCURACIES = (0.1, 0.2, 0.43, 0.6, 0.8)
#: M-ratios of which it is asked where they come from.
RATIOS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3)
#: Trials at which the measures of an expected table are those of the population.
MANY = 1e7


class Variant(NamedTuple):
    """One member of a family: ``like`` is all of it but accuracy and noise; the efficiencies in ``also`` are tried
    besides :data:`EFFICIENCIES`, where the family cannot reach the low ones.
    """

    family: str
    name: str
    like: Answerer
    also: tuple[float, ...] = ()


VARIANTS = (
    Variant("additive", "additive noise", Answerer()),
    Variant("lapses", "lapses", Lapses()),
    Variant("graded", "graded noise", Graded(), (0.92, 0.84)),
    Variant("tails", "heavy tails", HeavyTails()),
    Variant("mixture", "known or guessed (5 %)", Mixture()),
    Variant("mixture", "known or guessed (25 %)", Mixture(guess_right=0.25)),
    Variant("one-sided", "only downwards", OneSided()),
    Variant("one-sided", "only upwards", OneSided(down=False)),
    Variant("unequal", "wrong spread 0.65", Unequal(spread=0.65)),
    Variant("unequal", "wrong spread 1.4", Unequal(spread=1.4)),
    *(Variant("levels", f"{n} levels", Levels(levels=n)) for n in (2, 3, 5, 11)),
)


@analysis(name="correction_recovery")
def latent_answerers(inputs: Inputs, *, n_repetitions: int = 60, seed: int = 42) -> dict[str, Any]:
    """Do the measures follow efficiency where it is known?"""
    grid = cells()
    same_table, _ = recover(of_same_table(), n_repetitions=n_repetitions, seed=seed)
    return {
        "cells": grid,
        "same": same_ratio(grid),
        "counted": counted(outcomes(n_repetitions, seed)),
        "explained": explained(grid),
        "same_table": same_table,
        "repetitions": n_repetitions,
    }


@lru_cache(maxsize=1024)
def tuned(like: Answerer, efficiency: float) -> Answerer:
    """The answerer at this efficiency; levels have it before they are cut."""
    if isinstance(like, Levels):
        return replace(like, noise=at_efficiency(like.uncut, efficiency).noise)
    return at_efficiency(like, efficiency)


def ladder(variant: Variant, accuracy: float) -> Iterator[tuple[float, Answerer | None]]:
    """Efficiency and its answerer, None where no noise leaves so little, from the top down.

    A family that cannot have the accuracy gives one row, without an answerer.
    """
    for efficiency in sorted({*EFFICIENCIES, *variant.also}, reverse=True):
        try:
            yield efficiency, tuned(replace(variant.like, accuracy=accuracy), efficiency)
        except Unreachable:
            yield efficiency, None
        except MetacogError:
            yield efficiency, None
            return


def expected(answerer: Answerer) -> tuple[FloatArray, FloatArray]:
    """Expected wrong and right answers by rating, of so many that padding is nothing; shape ``(8,)``."""
    wrong, right = answerer.table()
    return wrong * MANY, right * MANY


def cells(accuracies: tuple[float, ...] = ACCURACIES) -> pd.DataFrame:
    """Every answerer of every family, with the measures of its expected table.

    ``wanted`` is the efficiency asked for; there are no numbers where none is reached. ``predicted`` is the M-ratio of
    a straight z-ROC with the table's slope, d_a and accuracy.
    """
    rows: list[tuple[object, ...]] = []
    made: list[Answerer] = []
    for variant, accuracy in product(VARIANTS, accuracies):
        for wanted, answerer in ladder(variant, accuracy):
            rows.append((variant.family, variant.name, accuracy, wanted, answerer is not None))
            made += [answerer] if answerer is not None else []
    table = pd.DataFrame(rows, columns=["family", "variant", "accuracy", "wanted", "made"])
    have = table.pop("made").to_numpy()
    table.loc[have, "efficiency"] = [answerer.efficiency for answerer in made]
    wrong, right = (np.stack(side) for side in zip(*map(expected, made), strict=True))
    for name, values in {**measures_of(wrong, right), "predicted": predicted(wrong, right)}.items():
        table.loc[have, name] = values
    return table


def predicted(wrong: FloatArray, right: FloatArray) -> FloatArray:
    """M-ratios of straight z-ROCs with slopes, d_a and accuracies of :func:`expected` tables; NaN of two ratings."""
    found, lines = np.full(len(wrong), np.nan), {}
    for i in np.flatnonzero((wrong + right > 0).sum(axis=1) > 2):
        line = z_roc_mle(wrong[i] / MANY * 5000, right[i] / MANY * 5000)
        if line.converged:
            accuracy = float(right[i].sum() / MANY)
            lines[i] = confidence_population(line.d_a, accuracy=accuracy, n_ratings=8, slope=line.slope)
    if lines:
        s1, s2 = (np.stack([getattr(p, f) for p in lines.values()]) * MANY for f in ("s1", "s2"))
        found[list(lines)] = fit_meta_d_batch(s1, s2, undefined="flag").m_ratio
    return found


def outcomes(n_repetitions: int, seed: int = 42, accuracies: tuple[float, ...] = ACCURACIES) -> pd.DataFrame:
    """Which measures recover order and amount of efficiency in every variant and at every accuracy that it can have."""
    rows = []
    for (i, variant), (j, accuracy) in product(enumerate(VARIANTS), enumerate(accuracies)):
        made = {f"{e:.2f}": a for e, a in ladder(variant, accuracy) if a is not None}
        if len(made) >= 3:
            found = recover(made, n_repetitions=n_repetitions, seed=seed + 100 * i + j)
            rows += [(variant.name, accuracy, m, found[1][m], *recovered(*found, m)) for m in ASKED]
    return pd.DataFrame(rows, columns=["variant", "accuracy", "measure", "rho", "order", "amount"])


def counted(outcomes: pd.DataFrame) -> pd.DataFrame:
    """At how many accuracies each measure recovers what, of each variant: ``recovered`` is the share with the order."""
    groups = outcomes.groupby(["variant", "measure"], sort=False)
    found = groups.agg(
        accuracies=("accuracy", "nunique"), order=("order", "sum"), amount=("amount", "sum")
    ).reset_index()
    found["recovered"] = found["order"] / found["accuracies"]
    found["why"] = [
        f"of {r.accuracies} accuracies: order at {r.order}, amount at {r.amount}" for r in rows_of(found)
    ]
    return found


def same_ratio(grid: pd.DataFrame) -> pd.DataFrame:
    """Which families give the same M-ratio, and at which efficiencies, from ``lowest`` to ``highest``.

    Between neighbouring efficiencies of a variant at one accuracy the M-ratio is read off a straight line.
    """
    rows = []
    paths: Any = grid.dropna(subset=["m_ratio"]).groupby(["family", "variant", "accuracy"], sort=False)
    for ratio in RATIOS:
        hits: list[tuple[str, float]] = []
        for (family, _, _), path in paths:
            e, m = path["efficiency"].to_numpy(), path["m_ratio"].to_numpy()
            hits += [(family, x) for x in e[np.abs(m - ratio) <= 0.005]]
            for a, b, low, high in zip(e[:-1], e[1:], m[:-1], m[1:], strict=True):
                if min(low, high) <= ratio <= max(low, high) and low != high:
                    hits.append((family, a + (b - a) * (ratio - low) / (high - low)))
        found = [x for _, x in hits]
        ends = (min(found), max(found)) if found else (np.nan, np.nan)
        rows.append((ratio, len({family for family, _ in hits}), *ends))
    return pd.DataFrame(rows, columns=["m_ratio", "n_families", "lowest", "highest"])


def explained(grid: pd.DataFrame) -> pd.DataFrame:
    """How far the M-ratio of each family lies from 1, and from what slope and accuracy give, at most."""
    known = grid[grid["m_ratio"].notna()]
    off = {"from_one": known["m_ratio"] - 1, "from_line": known["m_ratio"] - known["predicted"]}
    found = {name: size.abs().groupby(known["family"], sort=False).max() for name, size in off.items()}
    return pd.DataFrame(found).rename_axis("family").reset_index()


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: the efficiencies behind the M-ratio nearest 1, and whether
    every ratio comes from several kinds of answerers.
    """
    same = result.same[result.same["n_families"] > 0]
    near = same.loc[(same["m_ratio"] - 1).abs().sort_values().index].head(1)
    many = (same["n_families"] > 1) & (same["highest"] - same["lowest"] > 0.1)
    return {
        "ambiguous": bool(len(same) and many.all()),
        **{f"near_{name}": next(iter(near[name]), np.nan) for name in ("lowest", "highest")},
    }


VIEWS = Views("correction_recovery", numbers=figures)
