"""DMC beside the other measures on the book's own trials: a cell a model, way of asking and set.

Every interval resamples base questions, and one draw resamples the same questions for all models and ways
that were asked them: so differences are paired. d^ is the denominator of MC and of M-ratio. Where its
interval reaches 0 both are undefined, and the cell says why.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from metacog.measures.cell import MIN_FOR_INTERVALS, MIN_TRIALS, MIN_UNITS
from metacog.measures.estimates import ECE_BINS
from metacog.sdt import InputError, dmc_counts, fit_dmc_batch, fit_meta_d_batch
from metacog.sdt.calibrated import if_calibrated
from metacog.sdt.calibration import calibration_edges, debiased_ece
from metacog.sdt.dmc import cognitive_ability
from metacog.sdt.dmc_matrix import tables_of_matrix
from metacog.sdt.dmc_trials import dmc_cluster_cells
from metacog.sdt.information import clustered_meta_i2r_se, meta_i2r, meta_i2r_interval
from metacog.sdt.intervals import centred, percentile_limits
from metacog.sdt.padding import padding
from metacog.sdt.resampling import cluster_cells, cluster_weights
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study3_dmc.signals import N_RATINGS, undefined

FloatArray = NDArray[np.float64]

#: What is compared, as readers know it.
MEASURES = {
    "mc": "MC (DMC)",
    "m_ratio": "M-ratio (ML)",
    "meta_i2r": "meta-I2r",
    "auroc2": "AUROC2",
    "ece": "ECE",
    "brier": "Brier",
}
#: Those that are compared between ways and models, and whose CV is taken. Not ECE: even debiased
#: it lies above 0 for a calibrated signal. By how much hangs on the spread of confidence and on the number of
#: trials, so a difference or a CV would compare these.
COMPARED = {name: title for name, title in MEASURES.items() if name != "ece"}
#: Those over d^.
RATIOS = ("mc", "m_ratio")
#: Shown beside them.
ABILITY = ("accuracy", "d_hat", "d_star")
ROWS = ("TA", "FA", "TB", "FB")
IN_WORDS = {
    "TA": "no answer A was right",
    "FA": "no answer A was wrong",
    "TB": "no answer B was right",
    "FB": "no answer B was wrong",
}
#: Added to every cell of both fits: DMC's padding.
PAD = 1.0 / (2 * N_RATINGS)
#: Why a ratio is undefined whose parts that makes.
PADDED = "what is added to every cell makes d^ or M-ratio"
#: A ratio is undefined if more than this share of resamples has no fit.
MOST_LOST = 0.1


class Resamples:
    """Weights of base questions: the same for everyone who was asked the same questions of a set.

    Parameters
    ----------
    n_resamples, seed : int
    """

    def __init__(self, n_resamples: int, seed: int) -> None:
        self.n_resamples, self.seed = n_resamples, seed
        self._known: dict[tuple[str, ...], FloatArray] = {}

    def of_set(self, dataset: str, ids: Sequence[str]) -> FloatArray:
        """Shape ``(1 + B, C)``: the questions as they are, then resampled."""
        key = (dataset, *ids)
        if key not in self._known:
            rng = np.random.default_rng([self.seed, zlib.crc32("\n".join(key).encode())])
            drawn = cluster_weights(len(ids), self.n_resamples, rng)
            self._known[key] = np.concatenate([np.ones((1, len(ids))), drawn])
        return self._known[key]

    def of(self, trials: pd.DataFrame) -> FloatArray:
        """Weights of the units of some trials, in sorted order; each set is resampled by itself."""
        units = np.unique(units_of(trials))
        weights = np.empty((1 + self.n_resamples, units.size))
        for dataset, own in trials.groupby("dataset"):
            ids = sorted(own["base_id"].unique())
            columns = np.searchsorted(units, [f"{dataset}/{one}" for one in ids])
            weights[:, columns] = self.of_set(str(dataset), ids)
        return weights


def units_of(trials: pd.DataFrame) -> NDArray[np.str_]:
    """Base question of each trial, within its set."""
    return (trials["dataset"] + "/" + trials["base_id"]).to_numpy(str)


@dataclass(frozen=True, eq=False)
class Measured:
    """One cell.

    Attributes
    ----------
    values, draws, bounds : dict
        By measure: the estimate, its resamples ``(B,)``, and 95 % limits. Undefined ones are absent.
        ``ece_calibrated``, the mean ECE of a calibrated signal with the same confidences, is a value alone.
    why : dict
        Why a measure is undefined.
    asked, n, questions : int
        Trials, those with a rated confidence, and base questions.
    matrix : int array, shape ``(4, K)``, or None
        TA, FA, TB, FB by rating.
    low, high : float
        The observed range, which the ratings divide into equal widths.
    padded : bool
        d^ or M-ratio is made by what is added to every cell (:mod:`metacog.sdt.padding`): d^ has no interval
        then, and there is no ratio.
    """

    asked: int
    n: int
    questions: int
    values: dict[str, float] = field(default_factory=dict)
    draws: dict[str, FloatArray] = field(default_factory=dict)
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    matrix: NDArray[np.int64] | None = None
    low: float = float("nan")
    high: float = float("nan")
    padded: bool = False


def measured(trials: pd.DataFrame, resamples: Resamples) -> Measured:
    """All measures of one cell, each with resamples.

    Parameters
    ----------
    trials : DataFrame
        Of one model and way, of one set or several.
    resamples : Resamples
    """
    ok = (trials["parse_status"] == "ok").to_numpy()
    unit = units_of(trials)
    facts = len(trials), int(ok.sum()), int(np.unique(unit).size)
    reason = undefined(trials)
    if not reason and facts[2] < 2:
        reason = "one base question"
    if reason:
        return Measured(*facts, why=dict.fromkeys((*MEASURES, *ABILITY), reason))
    letters = np.where(trials["response"].to_numpy() == 1, "B", "A").astype(object)
    letters[~ok] = None
    stated = trials["confidence"].to_numpy(np.float64)
    right = trials["correct"].to_numpy(bool)
    try:
        counts = dmc_counts(letters, right, stated, n_ratings=N_RATINGS)
    except InputError as error:
        return Measured(*facts, why=dict.fromkeys((*MEASURES, *ABILITY), str(error)))
    weights = resamples.of(trials)
    per_unit = dmc_cluster_cells(letters, right, counts, unit)
    tables = np.asarray((per_unit.T @ weights.T).T).reshape(len(weights), 4, -1)
    used = stated[counts.rating > 0]
    made_of_padding = bool(padding(*tables_of_matrix(tables[:1]), pad=PAD).sensitive[0])
    ends = float(used.min()), float(used.max())
    found = Measured(*facts, matrix=counts.matrix, low=ends[0], high=ends[1], padded=made_of_padding)
    if few := too_few(right[ok], facts[2]):
        found.values["accuracy"] = float(right[ok].mean())
        found.why.update(dict.fromkeys((*MEASURES, "d_hat", "d_star"), few))
        return found
    _plain(found, right[ok], stated[ok], unit[ok], np.unique(unit), weights)
    _information(found, per_unit, weights)
    _ratios(found, tables)
    if found.padded:
        found.bounds.pop("d_hat", None)
    return found


def too_few(right: NDArray[np.bool_], questions: int) -> str:
    """Why resamples of so few trials would say little; empty if they are enough.

    The floors are those of every chapter (:mod:`metacog.measures.cell`).
    """
    if right.size < MIN_TRIALS:
        return f"only {right.size} trials: at least {MIN_TRIALS} are needed"
    if questions < MIN_UNITS:
        return f"only {questions} base questions: at least {MIN_UNITS} are needed"
    fewest = min(int(right.sum()), int((~right).sum()))
    if fewest < MIN_FOR_INTERVALS:
        side = "right" if right.mean() < 0.5 else "wrong"
        return f"only {fewest} {side} answers: at least {MIN_FOR_INTERVALS} are needed"
    return ""


def _keep(found: Measured, name: str, values: FloatArray, *, moved: bool = False) -> None:
    """Estimate first, resamples after it. Moved ones carry the bias of a plug-in value once, not twice."""
    draws = centred(values[1:], values[0]) if moved else values[1:]
    found.values[name], found.draws[name] = float(values[0]), draws
    found.bounds[name] = percentile_limits(draws)


def _plain(
    found: Measured, right: NDArray[np.bool_], p: FloatArray, unit: NDArray, ids: NDArray, weights: FloatArray
) -> None:
    row = np.searchsorted(ids, unit)

    def total(column: NDArray, value: FloatArray, width: int) -> FloatArray:
        cells = sparse.coo_array((value, (row, column)), shape=(ids.size, width))
        return np.asarray((sparse.csr_array(cells).T @ weights.T).T)

    none, ones, hit = np.zeros(row.size, dtype=np.int64), np.ones(row.size), right.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        n = total(none, ones, 1)[:, 0]
        _keep(found, "accuracy", total(none, hit, 1)[:, 0] / n)
        _keep(found, "brier", total(none, (p - hit) ** 2, 1)[:, 0] / n)
        place = np.searchsorted(calibration_edges(p, n_bins=ECE_BINS), p, side="right")
        bins = (total(place, value, ECE_BINS) for value in (ones, hit, p))
        _keep(found, "ece", debiased_ece(*bins), moved=True)
    _calibration(found, right, p, unit)
    exact = cluster_cells(right, p, unit, ids=ids)
    cells = np.asarray((exact.matrix.T @ weights.T).T)
    _keep(found, "auroc2", auroc2_from_counts(cells[:, : exact.n_ratings], cells[:, exact.n_ratings :]))


def _calibration(found: Measured, right: NDArray[np.bool_], p: FloatArray, unit: NDArray) -> None:
    """Resampled absolute gaps hardly reach 0; so the interval does where calibration is not rejected."""
    null = if_calibrated(right, p, clusters=unit, n_bins=ECE_BINS)
    low, high = found.bounds["ece"]
    own = found.values["ece"]
    low = min(0.0, own) if null.p_value >= 1 - null.level else min(max(0.0, low), own)
    found.bounds["ece"] = low, max(high, own)
    found.values["ece_calibrated"] = null.mean


def _information(found: Measured, per_unit: sparse.csr_array, weights: FloatArray) -> None:
    k = N_RATINGS
    by_row = per_unit.toarray().reshape(-1, 4, k)
    folded = np.concatenate([by_row[:, 1] + by_row[:, 3], by_row[:, 0] + by_row[:, 2]], axis=1)
    cells = weights @ folded
    plug_in = meta_i2r(cells[:, :k], cells[:, k:], correction="none")
    own = float(meta_i2r(cells[:1, :k], cells[:1, k:], correction="exact")[0])
    se = clustered_meta_i2r_se(cells, folded, weights)
    found.values["meta_i2r"], found.draws["meta_i2r"] = own, centred(plug_in[1:], own)
    found.bounds["meta_i2r"] = meta_i2r_interval(own, plug_in[1:], se=float(se[0]), draw_se=se[1:]).ends


def _ratios(found: Measured, tables: FloatArray) -> None:
    d_hat, _ = cognitive_ability(tables + PAD)
    _keep(found, "d_hat", d_hat)
    reason = no_ratio(tables[0], found.values["d_hat"], *found.bounds["d_hat"])
    if reason := reason or (PADDED if found.padded else ""):
        found.why.update(dict.fromkeys((*RATIOS, "d_star"), reason))
        return
    s1, s2 = tables_of_matrix(tables)
    dmc = fit_dmc_batch(s1, s2, pad=PAD, undefined="flag")
    likely = fit_meta_d_batch(s1 + PAD, s2 + PAD, undefined="flag")
    for name, values, good in (
        ("mc", dmc.mc, dmc.converged),
        ("d_star", dmc.d_star, dmc.converged),
        ("m_ratio", likely.m_ratio, likely.converged),
    ):
        kept = np.where(good, values, np.nan)
        lost = float(np.isnan(kept[1:]).mean())
        if np.isnan(kept[0]):
            found.why[name] = "the fit did not converge"
        elif lost > MOST_LOST:
            found.why[name] = f"{lost:.0%} of resamples have no fit"
        else:
            _keep(found, name, kept)


def no_ratio(matrix: FloatArray, d_hat: float, lower: float, upper: float) -> str:
    """Why a ratio to d^ is undefined; empty if it is not.

    Parameters
    ----------
    matrix : array, shape ``(4, K)``
        Without padding.
    d_hat, lower, upper : float
        d^ and its interval.
    """
    empty = [
        IN_WORDS[name] for name, total in zip(ROWS, np.asarray(matrix).sum(axis=1), strict=True) if not total
    ]
    if empty:
        return ", ".join(empty)
    if upper < 0:
        return f"d^ is below 0 ({d_hat:.2f}, {lower:.2f} to {upper:.2f})"
    if not lower > 0:
        return f"d^ cannot be told from 0 ({d_hat:.2f}, {lower:.2f} to {upper:.2f})"
    return ""
