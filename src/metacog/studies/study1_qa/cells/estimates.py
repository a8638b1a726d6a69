"""Estimates of every cell, and what resampling makes of them: of trials, or of whole questions.

Counts are resampled with the registered edges, which stay. Where questions are resampled, every model and
every temperature has the same ones, so differences keep what they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.measures.cell import Cell
from metacog.measures.fits import PAD, Fits, values_of
from metacog.measures.measured import Estimator, Measured, made_by
from metacog.measures.resamples import whole_and_resamples
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.studies.study1_qa.cells.counts import Cells


def estimate(cells: Cells, *, s: ArrayLike = 1.0) -> pd.DataFrame:
    """Point estimates of every group.

    Parameters
    ----------
    cells : Cells
    s : float or array, shape ``(G,)``
        sd(S1)/sd(S2), the slope of the z-ROC.

    Returns
    -------
    DataFrame
        ``cells.frame`` with ``d_prime, c, meta_d, m_ratio, low_criterion, high_criterion`` (means of
        the type-2 criteria on either side) and ``converged``; NaN for groups that lack a class or have a
        coarse signal.
    """
    if not len(cells):
        names = ("d_prime", "c", "meta_d", "m_ratio", "low_criterion", "high_criterion")
        return cells.frame.assign(**dict.fromkeys(names, np.nan))
    fit = fit_meta_d_batch(cells.nR_S1 + PAD, cells.nR_S2 + PAD, s=s, undefined="flag")
    good = cells.measurable & ~cells.coarse
    known = {name: np.where(good, values, np.nan) for name, values in values_of(fit).items()}
    return cells.frame.assign(**known, converged=fit.converged & good).rename(columns={"criterion": "c"})


def below_one(table: pd.DataFrame) -> pd.Series:
    """Whether each row's upper limit ``m_ratio_upper`` of M-ratio is below 1; None where there is no interval."""
    known = table["m_ratio_upper"].notna()
    below = table["m_ratio_upper"] < 1
    return below if known.all() else below.astype(object).where(known, None)


def measured(
    cells: Cells, estimators: Sequence[Sequence[Estimator]], *, n_resamples: int, seed: int
) -> list[Measured]:
    """Every group's measures with trial-level resamples of its table, independent of other groups'.

    Parameters
    ----------
    estimators : sequence, length G
        Those of each group. A group that lacks a class has no measures.
    """
    found = []
    for s1, s2, own, asked, good, coarse in zip(
        cells.nR_S1,
        cells.nR_S2,
        spawn_seeds(seed, len(cells)),
        estimators,
        cells.measurable,
        cells.coarse,
        strict=True,
    ):
        cell = Cell.of_table(s1, s2, coarse=bool(coarse))
        weights = whole_and_resamples(cell, n_resamples, own) if good else cell.whole
        found.append(made_by(asked if good else (), cell, weights))
    return found


def with_limits(table: pd.DataFrame, made: Sequence[Measured], names: Sequence[str]) -> pd.DataFrame:
    """A table with the 95 % limits ``NAME_lower, NAME_upper`` of the measured cells in its rows."""
    ends = np.array([[one.bounds.get(name, (np.nan, np.nan)) for name in names] for one in made])
    flat = ends.reshape(len(made), 2 * len(names))
    columns = [f"{name}_{end}" for name in names for end in ("lower", "upper")]
    return table.assign(**dict(zip(columns, flat.T, strict=True)))


def fits(
    cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, s: ArrayLike = 1.0
) -> tuple[pd.DataFrame, list[Measured]]:
    """Fits of every group as :func:`measured`, and their table: see :func:`fits_table`."""
    slopes = np.broadcast_to(np.asarray(s, dtype=np.float64), (len(cells),))
    made = measured(cells, [[Fits(float(one))] for one in slopes], n_resamples=n_resamples, seed=seed)
    return fits_table(cells, made, s=s), made


def fits_table(cells: Cells, made: Sequence[Measured], *, s: ArrayLike = 1.0) -> pd.DataFrame:
    """:func:`estimate` with limits of M-ratio, meta-d' and d', ``n_valid`` and ``n_draws_dropped``."""
    table = with_limits(estimate(cells, s=s), made, ("m_ratio", "meta_d", "d_prime"))
    draws = [one.draws.get("m_ratio", np.empty(0)) for one in made]
    valid = np.array([np.isfinite(x).sum() for x in draws], dtype=np.int64)
    return table.assign(n_valid=valid, n_draws_dropped=[x.size for x in draws] - valid)


def question_cells(trials: pd.DataFrame, condition: str, n_ratings: int) -> dict[Any, Cell]:
    """Rated trials of each condition (model, temperature), on the questions that all conditions share.

    Parameters
    ----------
    trials : DataFrame
        Rated trials of one question set; trials without a rating are left out.
    condition : str
        Column that tells conditions apart.
    n_ratings : int

    Returns
    -------
    dict of condition to Cell
        Units are the questions, the same for all; empty with fewer than two.
    """
    rated = trials[trials["rating"].notna()]
    seen = rated.groupby("question_id", observed=True)[condition].nunique()
    shared = np.sort(seen.index[seen == rated[condition].nunique()].to_numpy())
    if len(shared) < 2:
        return {}
    return {
        name: Cell(
            own["correct"].to_numpy(dtype=bool),
            own["rating"].to_numpy(dtype=np.float64),
            own["rating"].to_numpy(dtype=np.int64) - 1,
            n_ratings,
            np.full(len(own), np.nan),
            np.searchsorted(shared, own["question_id"]).astype(np.int64),
            coarse=bool(own["coarse"].any()) if "coarse" in own else False,
        )
        for name, own in rated[rated["question_id"].isin(shared)].groupby(condition)
    }


def measured_together(
    cells: Mapping[Any, Cell], estimators: Sequence[Estimator], *, n_resamples: int = 10_000, seed: int = 42
) -> dict[Any, Measured]:
    """Cells of :func:`question_cells` on the same resamples of their questions."""
    if not cells:
        return {}
    weights = whole_and_resamples(next(iter(cells.values())), n_resamples, seed)
    return {name: made_by(estimators, cell, weights) for name, cell in cells.items()}
