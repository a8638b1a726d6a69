"""Eight families of answerers at five accuracies: expected tables, and what each measure recovers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.sdt import fit_meta_d_batch
from metacog.sdt.simulate import confidence_population
from metacog.sdt.type1 import z_roc_mle
from metacog.studies.study1_qa.correction_recovery import (
    ACCURACIES,
    ASKED,
    EFFICIENCIES,
    measures_of,
    recover,
)
from metacog.studies.study1_qa.observers import (
    N_RATINGS,
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

#: Trials at which the measures of an expected table are those of the population.
MANY = 1e7


@dataclass(frozen=True)
class Variant:
    """One member of a family.

    Attributes
    ----------
    family : str
        One of eight.
    name : str
        For readers.
    like : Answerer
        All but accuracy and noise.
    also : tuple of float
        Efficiencies tried in addition to :data:`EFFICIENCIES`, where the family cannot reach the low ones.
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


@lru_cache(maxsize=1024)
def tuned(like: Answerer, efficiency: float) -> Answerer:
    """The answerer at this efficiency; levels have it before they are cut."""
    if isinstance(like, Levels):
        return replace(like, noise=at_efficiency(like.uncut, efficiency).noise)
    return at_efficiency(like, efficiency)


def ladder(variant: Variant, accuracy: float) -> Iterator[tuple[float, Answerer | None, float]]:
    """Efficiency, its answerer, and what efficiency is left where there is none, from the top down.

    A family that cannot have the accuracy gives one row, without an answerer and with nothing left.
    """
    for efficiency in sorted({*EFFICIENCIES, *variant.also}, reverse=True):
        try:
            yield efficiency, tuned(replace(variant.like, accuracy=accuracy), efficiency), np.nan
        except Unreachable as short:
            yield efficiency, None, short.left
        except MetacogError:
            yield efficiency, None, np.nan
            return


def expected(answerer: Answerer) -> tuple[FloatArray, FloatArray]:
    """Expected wrong and right answers by rating, of so many that padding is nothing; shape ``(8,)``."""
    wrong, right = answerer.table()
    return wrong * MANY, right * MANY


def cells(
    variants: tuple[Variant, ...] = VARIANTS, accuracies: tuple[float, ...] = ACCURACIES
) -> pd.DataFrame:
    """Every answerer of every family, with the measures of its expected table.

    Returns
    -------
    DataFrame
        One row per variant, accuracy and efficiency: ``family, variant, accuracy, wanted`` (efficiency),
        ``left`` (the lowest efficiency that is reachable, where the wanted one is not), ``efficiency,
        noise, available`` (bits), ``entropy``,
        the measures of :data:`ASKED`, ``z_slope``, and ``predicted``: the M-ratio of a straight z-ROC
        with this table's slope, d_a and accuracy.
    """
    rows: list[dict[str, object]] = []
    made: list[Answerer] = []
    for variant in variants:
        for accuracy in accuracies:
            for wanted, answerer, left in ladder(variant, accuracy):
                row: dict[str, object] = {"family": variant.family, "variant": variant.name}
                row |= {"accuracy": accuracy, "wanted": wanted, "left": left, "made": answerer is not None}
                rows.append(row)
                made += [answerer] if answerer is not None else []
    table = pd.DataFrame(rows)
    have = table.pop("made").to_numpy()
    for name in ("efficiency", "noise", "available", "entropy"):
        table.loc[have, name] = [getattr(a, name) for a in made]
    tables = [expected(a) for a in made]
    wrong, right = (np.stack([t[i] for t in tables]) for i in (0, 1))
    for name, values in {**measures_of(wrong, right), "predicted": predicted(wrong, right)}.items():
        table.loc[have, name] = values
    return table


def predicted(wrong: FloatArray, right: FloatArray) -> FloatArray:
    """M-ratios of straight z-ROCs with the tables' slopes, d_a and accuracies; NaN with too few ratings.

    Parameters
    ----------
    wrong, right : arrays, shape ``(B, 8)``
        Expected answers by rating, :data:`MANY` in all.
    """
    found = np.full(len(wrong), np.nan)
    lines = {}
    for i in range(len(wrong)):
        if ((wrong[i] + right[i]) > 0).sum() < 3:
            continue
        line = z_roc_mle(wrong[i] / MANY * 5000, right[i] / MANY * 5000)
        if line.converged:
            accuracy = float(right[i].sum() / MANY)
            lines[i] = confidence_population(
                line.d_a, accuracy=accuracy, n_ratings=wrong.shape[1], slope=line.slope
            )
    if lines:
        s1, s2 = (np.stack([getattr(p, f) for p in lines.values()]) * MANY for f in ("s1", "s2"))
        found[list(lines)] = fit_meta_d_batch(s1, s2, undefined="flag").m_ratio
    return found


def outcomes(
    n_repetitions: int,
    seed: int = 42,
    variants: tuple[Variant, ...] = VARIANTS,
    n_trials: int = 5000,
    accuracies: tuple[float, ...] = ACCURACIES,
) -> pd.DataFrame:
    """The page's criterion, asked of all measures alike in every variant and at every accuracy.

    Returns
    -------
    DataFrame
        One row per variant, accuracy and measure: ``family, variant, accuracy, measure, n_answerers,
        rho, order, amount, outcome``; accuracies that a family cannot have are left out.
    """
    rows = []
    for i, variant in enumerate(variants):
        for j, accuracy in enumerate(accuracies):
            made = {f"{e:.2f}": a for e, a, _ in ladder(variant, accuracy) if a is not None}
            if len(made) < 3:
                continue
            found = recover(made, n_trials=n_trials, n_repetitions=n_repetitions, seed=seed + 100 * i + j)
            rho = found.rank_correlation.set_index("measure")["mean"]
            rows += [
                (variant.family, variant.name, accuracy, m, len(made), float(rho[m]), *found.outcome(m))
                for m in ASKED
            ]
    names = ["family", "variant", "accuracy", "measure", "n_answerers", "rho", "order", "amount", "outcome"]
    return pd.DataFrame(rows, columns=names)


#: Ways to cut confidence into eight ratings: the shares of answers below each edge, or equal widths.
CUTS = {
    "at quantiles": tuple(np.arange(1, 8) / 8),
    "of equal width": (),
    "with small ends": (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98),
    "mostly high": (0.3, 0.5, 0.6, 0.7, 0.8, 0.88, 0.95),
}


def recut(
    variants: tuple[Variant, ...] = VARIANTS, accuracies: tuple[float, ...] = ACCURACIES
) -> pd.DataFrame:
    """The same answers of fully efficient answerers, rated in several ways.

    Returns
    -------
    DataFrame
        One row per variant of uneven spread, accuracy and way of cutting: ``variant, accuracy, cut,
        m_ratio``.
    """
    keys: list[tuple[str, float]] = []
    tables: dict[str, list[tuple[FloatArray, FloatArray]]] = {name: [] for name in CUTS}
    for variant in (v for v in variants if v.family == "unequal"):
        for accuracy in accuracies:
            answerer = replace(variant.like, accuracy=accuracy)
            keys.append((variant.name, accuracy))
            low, high = answerer.quantiles([0.025, 0.975])
            even = low + (high - low) * np.arange(1, N_RATINGS) / N_RATINGS
            for name, shares in CUTS.items():
                tables[name].append(answerer.cut(answerer.quantiles(shares) if shares else even))
    ratios = {
        name: measures_of(*(np.stack([t[i] for t in found]) * MANY for i in (0, 1)))["m_ratio"]
        for name, found in tables.items()
    }
    rows = [(*key, name, float(r[i])) for i, key in enumerate(keys) for name, r in ratios.items()]
    return pd.DataFrame(rows, columns=["variant", "accuracy", "cut", "m_ratio"])
