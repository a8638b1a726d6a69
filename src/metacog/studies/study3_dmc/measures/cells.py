"""One cell: the trials of a model, a way of asking and a set, measured once for every chapter.

Every interval resamples the base questions of each set, which pairings and orders repeat, and a resample is
the same for all models and ways that were asked the same questions: so differences are paired.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.measures.calibration import calibration_error
from metacog.measures.cell import MIN_PARSED, Cell
from metacog.measures.estimates import Estimator, Measured, measure
from metacog.sdt import InputError, dmc_counts
from metacog.sdt.bootstrap import padding
from metacog.sdt.dmc import tables_of_matrix
from metacog.sdt.dmc_trials import dmc_cluster_cells
from metacog.studies.study3_dmc.measures.dmc import DMC, N_RATINGS, PAD


@dataclass(frozen=True)
class Draws:
    """How intervals are made: numbers of resamples and permutations, and their seed."""

    n_resamples: int = 2000
    n_permutations: int = 2000
    seed: int = 42


@dataclass(frozen=True, eq=False)
class WayCell:
    """One cell.

    Attributes
    ----------
    asked, n, questions : int
        Trials, those with a rated confidence, and base questions asked.
    why : str
        Why a way of asking cannot be judged on these trials; empty if it can. There are no measures then.
    made : Measured
    matrix : int array, shape ``(4, K)``, or None
        TA, FA, TB, FB by rating.
    low, high : float
        The observed range, which the ratings divide into equal widths.
    padded : bool
        d^ or M-ratio is determined by what is added to every cell.
    """

    asked: int
    n: int
    questions: int
    why: str
    made: Measured
    matrix: NDArray[np.int64] | None = None
    low: float = float("nan")
    high: float = float("nan")
    padded: bool = False


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


def way_cell(trials: pd.DataFrame, draws: Draws, *, ratios: bool = True) -> WayCell:
    """All measures of one cell.

    Parameters
    ----------
    trials : DataFrame
        Of one model and way, of one set or several.
    draws : Draws
    ratios : bool
        Whether DMC and M-ratio are wanted, whose resamples are fitted.
    """
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
    padded = bool(padding(*tables_of_matrix(counts.matrix[None]), pad=PAD).sensitive[0])
    estimators: list[Estimator] = [calibration_error]
    if ratios:
        estimators.append(DMC(dmc_cluster_cells(letters, right, counts, labels), padded))
    made = measure(
        _cell(trials, labels, ok, counts.rating - 1),
        n_resamples=draws.n_resamples,
        n_permutations=draws.n_permutations,
        seed=draws.seed,
        estimators=estimators,
    )
    used = stated[counts.rating > 0]
    return WayCell(*facts, "", made, counts.matrix, float(used.min()), float(used.max()), padded)


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
