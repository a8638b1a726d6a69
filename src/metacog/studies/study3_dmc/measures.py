"""A cell of collected trials, of one model, way of asking and set, measured once for every chapter.

d^ is the denominator of MC and of M-ratio. Where its interval reaches 0 both are undefined, and the cell says why.

Every interval resamples the base questions of each set, which pairings and orders repeat, and a resample is the same
for all models and ways that were asked the same questions: so differences are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from metacog.measures.cell import MIN_PARSED, Cell, FloatArray
from metacog.measures.estimates import Estimator, Measured, calibration_error, measure
from metacog.sdt import InputError, fit_meta_d_batch
from metacog.sdt.dmc import cognitive_ability, dmc_cluster_cells, dmc_counts, fit_dmc_batch, tables_of_matrix
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.sensitivity import padding

#: Ratings: equal widths over the range that the cell shows, closed on the right.
N_RATINGS = 4
#: Added to every cell of both fits: DMC's padding.
PAD = 1.0 / (2 * N_RATINGS)
#: d^ as readers see it.
D_HAT = "d\N{COMBINING CIRCUMFLEX ACCENT}"
#: Measures over d^.
RATIOS = ("mc", "m_ratio")
#: Rows of the counts matrix, and what an empty one means.
ROWS = {
    "TA": "no answer A was right",
    "FA": "no answer A was wrong",
    "TB": "no answer B was right",
    "FB": "no answer B was wrong",
}
#: Why there is no ratio to an ability whose interval lies, or does not lie, below 0.
NO_ABILITY = {True: "is below 0", False: "cannot be distinguished from 0"}
#: Why a ratio is undefined where padding decides.
PADDED = f"what is added to every cell determines {D_HAT} or M-ratio"
#: A ratio is undefined if more than this share of resamples has no fit.
MOST_LOST = 0.1


def decoupled(
    cell: Cell,
    weights: FloatArray,
    *,
    per_unit: sparse.csr_array,
    padded: bool,
    ratios: Sequence[str] = RATIOS,
) -> Measured:
    """d^, d* and ``ratios`` (an :data:`metacog.measures.estimates.Estimator`) of the cell and of its resamples.

    ``per_unit`` is what each question adds to the counts matrix. Where d^ or
    M-ratio is determined by what is added to every cell (``padded``), d^ has no interval and there is no ratio.
    """
    tables = np.asarray((per_unit.T @ weights.T).T).reshape(len(weights), 4, -1)
    made = Measured({}, {}, (), {}, {})
    d_hat, _ = cognitive_ability(tables + PAD)
    _keep(made, "d_hat", d_hat)
    reason = no_ratio(tables[0], made.values["d_hat"], *made.bounds["d_hat"])
    if padded:
        del made.bounds["d_hat"]
        reason = reason or PADDED
    if reason:
        made.why.update(dict.fromkeys((*RATIOS, "d_star"), reason))
    else:
        _fit(made, tables, ratios)
    return made


def _keep(made: Measured, name: str, values: FloatArray) -> None:
    """Estimate first, resamples after it."""
    made.values[name], made.draws[name] = float(values[0]), values[1:]
    made.bounds[name] = percentile_limits(values[1:])


def _fit(made: Measured, tables: FloatArray, ratios: Sequence[str]) -> None:
    s1, s2 = tables_of_matrix(tables)
    dmc = fit_dmc_batch(s1, s2, pad=PAD, undefined="flag")
    fits = [("mc", dmc.mc, dmc.converged), ("d_star", dmc.d_star, dmc.converged)]
    if "m_ratio" in ratios:
        likely = fit_meta_d_batch(s1 + PAD, s2 + PAD, undefined="flag")
        fits.append(("m_ratio", likely.m_ratio, likely.converged))
    for name, values, good in fits:
        kept = np.where(good, values, np.nan)
        lost = float(np.isnan(kept[1:]).mean())
        if np.isnan(kept[0]):
            made.why[name] = "the fit did not converge"
        elif lost > MOST_LOST:
            made.why[name] = f"{lost:.0%} of resamples have no fit"
        else:
            _keep(made, name, kept)


def no_ratio(matrix: NDArray, d_hat: float, lower: float, upper: float) -> str:
    """Why a ratio to d^, with its interval, is undefined by a counts matrix without padding; empty if it is not."""
    empty = [text for text, total in zip(ROWS.values(), matrix.sum(axis=1), strict=True) if not total]
    if empty:
        return ", ".join(empty)
    if lower > 0:
        return ""
    return f"{D_HAT} {NO_ABILITY[upper < 0]} ({d_hat:.2f}, {lower:.2f} to {upper:.2f})"


@dataclass(frozen=True)
class Draws:
    """How intervals are made: numbers of resamples and permutations, and their seed."""

    n_resamples: int = 2000
    n_permutations: int = 2000
    seed: int = 42


@dataclass(frozen=True, eq=False)
class WayCell:
    """One cell: trials, those with a rated confidence, base questions asked, and what is measured of them.

    ``why`` says why a way of asking cannot be judged on these trials, and is empty if it can; there are no measures
    then.
    """

    asked: int
    n: int
    questions: int
    why: str
    made: Measured


def units_of(trials: pd.DataFrame) -> NDArray[np.str_]:
    """Base question of each trial, within its set."""
    return (trials["dataset"] + "/" + trials["base_id"]).to_numpy(str)


def questions_of(trials: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """Set and base question of each unit, in the order of the sorted :func:`units_of`."""
    named = trials[["dataset", "base_id"]].astype(str).drop_duplicates()
    order = np.argsort(units_of(named), kind="stable")
    return tuple(zip(named["dataset"].iloc[order], named["base_id"].iloc[order], strict=True))


def undefined(trials: pd.DataFrame) -> str:
    """Why a way of asking cannot be judged on these trials; empty if it can."""
    used = trials[trials["parse_status"] == "ok"]
    if len(used) < MIN_PARSED * len(trials):
        return f"{len(used)} of {len(trials)} replies could be parsed"
    if used["confidence"].nunique() < 2:
        return "confidence is constant"
    if used["correct"].nunique() < 2:
        return f"all answers are {'right' if used['correct'].all() else 'wrong'}"
    return "" if trials[["dataset", "base_id"]].drop_duplicates().shape[0] > 1 else "one base question"


def way_cell(trials: pd.DataFrame, draws: Draws, *, ratios: Sequence[str] = RATIOS) -> WayCell:
    """All measures of one model and way, of one set or several, with those ``ratios``, whose resamples are fitted."""
    ok = (trials["parse_status"] == "ok").to_numpy()
    labels = units_of(trials)
    facts = len(trials), int(ok.sum()), int(np.unique(labels).size)
    why, counts = undefined(trials), None
    letters = np.where(trials["response"].to_numpy() == 1, "B", "A").astype(object)
    letters[~ok] = None
    right, stated = trials["correct"].to_numpy(bool), trials["confidence"].to_numpy(np.float64)
    if not why:
        try:
            counts = dmc_counts(letters, right, stated, n_ratings=N_RATINGS)
        except InputError as error:
            why = str(error)
    if counts is None:
        return WayCell(*facts, why, Measured({}, {}, (), {}))
    estimators: list[Estimator] = [calibration_error]
    if ratios:
        padded = bool(padding(*tables_of_matrix(counts.matrix[None]), pad=PAD).sensitive[0])
        per_unit = dmc_cluster_cells(letters, right, counts, labels)
        estimators.append(partial(decoupled, per_unit=per_unit, padded=padded, ratios=ratios))
    made = measure(
        _cell(trials, labels, ok, counts.rating - 1),
        n_resamples=draws.n_resamples,
        n_permutations=draws.n_permutations,
        seed=draws.seed,
        estimators=estimators,
    )
    return WayCell(*facts, "", made)


def _cell(
    trials: pd.DataFrame, labels: NDArray[np.str_], ok: NDArray[np.bool_], level: NDArray[np.int64]
) -> Cell:
    """Trials with a confidence. Pairings and orders are aligned where the null exchanges questions."""
    unit = np.unique(labels, return_inverse=True)[1]
    stated = trials["confidence"].to_numpy(np.float64)[ok]
    return Cell(
        trials["correct"].to_numpy(bool)[ok],
        stated,
        level[ok],
        N_RATINGS,
        stated,
        unit[ok].astype(np.int64),
        condition=(trials["pairing"].astype(str) + trials["option_order"]).to_numpy(str)[ok],
        questions=questions_of(trials),
    )
