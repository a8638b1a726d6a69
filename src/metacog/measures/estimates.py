"""All measures of one set of trials, with bootstrap intervals over trials or whole questions.

One design matrix holds what every trial adds to the sums behind the measures; a resample is a vector of weights over
units (trials, or questions with all their trials), so thousands of resamples are a few matrix products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import ndtri

from metacog.measures.cell import (
    INTERVALS,
    Cell,
    Estimator,
    Flag,
    FloatArray,
    Measured,
    Remark,
    fitted_tables,
    information_draws,
    made_by,
    measurable,
    remarks_on,
    resamples,
    tables_of,
    whole_and_resamples,
)
from metacog.measures.fits import PAD, fitted, pads
from metacog.sdt.area_intervals import auroc2_interval
from metacog.sdt.calibrated_by_chance import if_calibrated
from metacog.sdt.calibration import brier_score, calibration_edges, debiased_ece, ece
from metacog.sdt.checks import InputError
from metacog.sdt.information import binary_entropy, meta_i2r_p, null_meta_i2r, plugin_meta_i, plugin_meta_i2r
from metacog.sdt.information_interval import clustered_meta_i2r_se, meta_i2r_se, meta_i_se, studentised
from metacog.sdt.intervals import centred, percentile_interval, percentile_limits, wilson
from metacog.sdt.resampling import permute_clusters
from metacog.sdt.selective import accuracy_coverage_from_counts, risk_coverage
from metacog.sdt.sensitivity import padding
from metacog.sdt.type1 import z_roc
from metacog.sdt.type2 import auroc2_from_counts

#: Share of questions that may stay in a permutation before the row says so.
FIXED_SHARE = 0.05


@dataclass(frozen=True)
class Null:
    """What meta-I2r comes to when ratings know nothing.

    The mean plug-in value, p (NaN if nothing moved), and the questions that stayed as they were.
    """

    mean: float
    p_value: float
    n_fixed: int = 0


def null_of(cell: Cell, n_permutations: int = 2000, seed: int = 42) -> Null:
    """The permutation null of a cell's meta-I2r: of trials, or of whole questions where they repeat.

    If no question can change places the mean is that over single trials, which is too small.
    """
    wrong, right = tables_of(cell)
    if not cell.clustered:
        p = (
            meta_i2r_p(wrong, right, n_permutations=n_permutations, seed=seed)
            if n_permutations
            else float("nan")
        )
        return Null(float(null_meta_i2r(wrong, right)), p)
    condition = cell.condition if cell.condition is not None else np.zeros(cell.correct.size)
    test = permute_clusters(
        cell.correct,
        cell.level,
        cell.unit,
        condition,
        n_ratings=cell.n_levels,
        statistic=plugin_meta_i2r,
        n_permutations=n_permutations,
        seed=seed,
    )
    if not test.n_moved:
        return Null(float(null_meta_i2r(wrong, right)), float("nan"), test.n_fixed)
    return Null(test.null_mean, test.p_value, test.n_fixed)


def null_mean(cell: Cell) -> float:
    """Mean of the plug-in meta-I2r under its null (:func:`null_of`)."""
    return null_of(cell, 500).mean if cell.clustered else float(null_meta_i2r(*tables_of(cell)))


def on_null(null: Null, cell: Cell) -> tuple[Remark, ...]:
    """Says so if many questions stayed."""
    if null.n_fixed <= FIXED_SHARE * cell.n_units:
        return ()
    text = (
        f"{null.n_fixed} of {cell.n_units} questions share their conditions with no other and stayed in the "
        "permutations"
    )
    return (Remark(Flag.FIXED_QUESTIONS, text),)


#: Bins of expected calibration error, equal width.
ECE_BINS = 10
#: Those that are fitted to counts by rating.
FITTED = ("d_prime", "criterion", "meta_d", "m_ratio")
#: What is said of those that padding makes, and of those to which it adds.
PADDED_TEXT = "d' and M-ratio are made by the 0.5 added to every cell: no intervals of theirs"
ADDED_TEXT = "0.5 is added to every cell, since a cell is empty"


def measure(
    cell: Cell,
    *,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int = 42,
    level: float = 0.95,
    open_m_ratio: bool = False,
    bits: bool = False,
    estimators: Sequence[Estimator] = (),
) -> Measured:
    """All measures of one cell.

    Parameters
    ----------
    cell : Cell
    n_resamples, n_permutations : int
        Of the bootstrap, and of the permutation test of meta-I2r.
    seed : int
    level : float
    open_m_ratio : bool
        Compute M-ratio for open answers too (right for S2, wrong for S1), although it is not valid there.
    bits : bool
        Give meta-I an interval.
    estimators : sequence of Estimator
        Further ones of a study, on the same resamples; used where the cell has at least
        :data:`MIN_FOR_INTERVALS` right and wrong trials.

    Raises
    ------
    InputError
        A cell of a table of counts.

    Notes
    -----
    meta-I2r is the plug-in value minus the mean of its null (:func:`null_of`): all re-pairings of trials,
    or of whole questions where they repeat, since the mean over single trials is too small there. Its
    interval is :func:`metacog.sdt.information_interval.meta_i2r_interval` with standard errors, and says how
    large; ``p_meta_i2r`` says whether it is more than nothing. That of meta-I is made in the same way of meta-I
    itself, for the entropy of accuracy is estimated too. AUROC2 uses raw confidence with midranks,
    its interval clustered placement values (:func:`metacog.sdt.area_intervals.auroc2_interval`); its draws serve
    differences alone. d_a and the z-ROC slope use the rating table without a correction; meta-d' and d' of two-choice
    trials get :func:`metacog.measures.fits.pads`, each resample its own. Accuracy has
    Wilson's interval where trials are independent. With fewer than :data:`MIN_FOR_INTERVALS` right or
    wrong trials no other measure has an interval.
    """
    if cell.times is not None:
        raise InputError("a table of counts is measured by estimators alone: pass it to made_by")
    remarks = remarks_on(cell)
    possible = measurable(cell)
    n = cell.correct.size
    values: dict[str, float] = {name: float("nan") for name in _names(cell, open_m_ratio)}
    values |= {"n_trials": n, "n_units": cell.n_units, "n_correct": int(cell.correct.sum())}
    values["accuracy"] = float(cell.correct.mean())
    values["n_levels"] = int(np.unique(cell.level).size)
    names = ["accuracy"]
    if possible:
        names = list(values)
    weighted: dict[str, list[FloatArray]] = {}
    if n_resamples and cell.n_units > 1 and n >= 2:
        for weights in resamples(cell, n_resamples, seed):
            drawn = (
                statistics(cell, weights, open_m_ratio=open_m_ratio, bits=bits)
                if possible
                else _accuracy(cell, weights)
            )
            for name, value in drawn.items():
                weighted.setdefault(name, []).append(value)
    draws = {name: np.concatenate(parts) for name, parts in weighted.items()}
    if possible:
        point = statistics(cell, cell.whole, open_m_ratio=open_m_ratio, bits=bits)
        values |= {name: float(value[0]) for name, value in point.items()}
        standard_error, of_bits = values.pop("meta_i2r_se"), values.pop("meta_i_se", np.nan)
        null = null_of(cell, n_permutations, seed)
        values["meta_i2r"] -= null.mean
        values |= {"p_meta_i2r": null.p_value, "n_fixed": null.n_fixed}
        values["meta_i"] = values["meta_i2r"] * float(binary_entropy(values["accuracy"]))
        values |= _once(cell)
        if "meta_i2r" in draws:
            errors = draws.pop("meta_i2r_se")
            draws |= information_draws(draws["meta_i2r"], errors, values["meta_i2r"], standard_error)
        if "meta_i" in draws:
            draws["meta_i"] = studentised(draws["meta_i"], draws.pop("meta_i_se"), values["meta_i"], of_bits)
        remarks += on_null(null, cell)
        remarks += on_padding(cell, open_m_ratio)
    bounds: dict[str, tuple[float, float]] = {}
    same: list[str] = []
    few = any(remark.flag is Flag.FEW_OF_A_CLASS for remark in remarks)
    if few or not possible:
        names = ["accuracy"]
        values |= {name: float("nan") for name in ("d_a", "z_slope") if name in values}
    padded = FITTED if any(remark.flag is Flag.PADDED for remark in remarks) else ()
    for name in (n for n in (*INTERVALS, "meta_i") if n != "auroc2" and n not in padded):
        if name in draws and name in names and np.isfinite(draws[name]).sum() >= max(2, 0.5 * n_resamples):
            found = percentile_interval(draws[name], values[name], level=level)
            if found.lower < found.upper:
                bounds[name] = (found.lower, found.upper)
            elif name != "accuracy":  # no spread is not no doubt
                same.append(name)
    if not cell.clustered or values["accuracy"] in (0.0, 1.0):
        lower, upper = wilson(values["accuracy"], cell.n_answered, z=float(-ndtri((1 - level) / 2)))
        bounds["accuracy"] = float(lower), float(upper)
    if "auroc2" in names:
        area = auroc2_interval(
            cell.correct, cell.score, clusters=cell.unit if cell.clustered else None, level=level
        )
        if area.reason:
            remarks = (*remarks, Remark(Flag.NO_SPREAD, f"{area.reason}: no interval of AUROC2"))
        else:
            bounds["auroc2"] = area.lower, area.upper
    if same:
        text = f"all resamples agree on {', '.join(same)}: no interval"
        remarks = (*remarks, Remark(Flag.NO_SPREAD, text))
    made = Measured(values, bounds, remarks, draws)
    if estimators and possible and not few:
        return made.plus(made_by(estimators, cell, whole_and_resamples(cell, n_resamples, seed)))
    return made


def adds(cell: Cell, open_m_ratio: bool = False) -> bool:
    """Whether 0.5 is added to the cells of the table that is fitted."""
    tables = fitted_tables(cell, open_m_ratio)
    return tables is not None and (cell.padded or bool(pads(*tables).any()))


def on_padding(cell: Cell, open_m_ratio: bool) -> tuple[Remark, ...]:
    """A remark where what is added to every cell makes d' or M-ratio (:mod:`metacog.sdt.sensitivity`)."""
    tables = fitted_tables(cell, open_m_ratio)
    if (
        tables is None
        or not adds(cell, open_m_ratio)
        or not padding(tables[0][None], tables[1][None]).sensitive[0]
    ):
        return ()
    return (Remark(Flag.PADDED, PADDED_TEXT),)


def _names(cell: Cell, open_m_ratio: bool) -> list[str]:
    plain = ["n_trials", "n_units", "n_correct", "accuracy", "auroc2", "meta_i2r", "meta_i", "p_meta_i2r"]
    plain += ["n_fixed", "n_levels", "d_a", "z_slope", "overconfidence", "ece", "ece_debiased", "brier"]
    plain += ["accuracy_at_half", "aurc", "e_aurc"]
    if cell.choice is not None:
        plain += ["d_prime", "criterion"]
    return plain + (["meta_d", "m_ratio"] if cell.choice is not None or open_m_ratio else [])


def _accuracy(cell: Cell, weights: FloatArray) -> dict[str, FloatArray]:
    right = np.bincount(cell.unit, weights=cell.correct.astype(float), minlength=cell.n_units)
    return {"accuracy": (weights @ right) / (weights @ np.bincount(cell.unit, minlength=cell.n_units))}


def statistics(
    cell: Cell, weights: FloatArray, *, open_m_ratio: bool = False, bits: bool = False
) -> dict[str, FloatArray]:
    """Every measure that has an interval, for B weightings ``(B, n_units)`` of the units at once: arrays ``(B,)``.

    meta_i2r is the plug-in value here, and meta_i2r_se its standard error; with ``bits`` meta_i, too.
    """
    n, width = cell.correct.size, 2 * cell.n_levels
    right = cell.correct.astype(np.float64)
    design = [
        sparse.coo_array(
            (np.ones(n), (cell.unit, cell.level + cell.n_levels * cell.correct)), shape=(cell.n_units, width)
        )
    ]
    known = bool(np.isfinite(cell.probability).all())
    if known:
        gaps = np.stack([cell.probability - right, (cell.probability - right) ** 2])
        per_unit = np.stack([np.bincount(cell.unit, weights=g, minlength=cell.n_units) for g in gaps], axis=1)
        design.append(sparse.coo_array(per_unit))
    if cell.choice is not None:
        shape = (cell.n_units, 4 * cell.k)
        design.append(sparse.coo_array((np.ones(n), (cell.unit, cell.choice)), shape=shape))
    matrix = sparse.csr_array(sparse.hstack(design))
    sums = np.asarray((matrix.T @ weights.T).T, dtype=np.float64)
    wrong_table, right_table = sums[:, : cell.n_levels], sums[:, cell.n_levels : width]
    total = sums[:, :width].sum(axis=1)
    found = {
        "accuracy": right_table.sum(axis=1) / total,
        "meta_i2r": plugin_meta_i2r(wrong_table, right_table),
    }
    if cell.n_levels >= 3:
        line = z_roc(wrong_table, right_table)
        found |= {"d_a": np.asarray(line.d_a), "z_slope": np.asarray(line.slope)}
    tables = sums[:, :width]
    found["meta_i2r_se"] = (
        clustered_meta_i2r_se(tables, matrix[:, :width], weights)
        if cell.clustered
        else meta_i2r_se(wrong_table, right_table)
    )
    if bits:
        found["meta_i"] = plugin_meta_i(wrong_table, right_table)
        found["meta_i_se"] = (
            clustered_meta_i2r_se(tables, matrix[:, :width], weights, bits=True)
            if cell.clustered
            else meta_i_se(wrong_table, right_table)
        )
    found |= _by_score(cell, weights, wrong_table, right_table)
    if known:
        found |= {"overconfidence": sums[:, width] / total, "brier": sums[:, width + 1] / total}
    if cell.choice is not None:
        choices = sums[:, -4 * cell.k :]
        found |= _fits(cell, choices[:, : 2 * cell.k], choices[:, 2 * cell.k :], FITTED)
    elif open_m_ratio and cell.n_levels % 2 == 0 and cell.n_levels >= 4:
        found |= _fits(cell, wrong_table, right_table, ("meta_d", "m_ratio"))
    return found


def _by_score(cell: Cell, weights: FloatArray, wrong: FloatArray, right: FloatArray) -> dict[str, FloatArray]:
    """AUROC2 and accuracy at half coverage on raw confidence, by the tables of ratings where these are it."""
    order = np.argsort(cell.score, kind="stable")
    steps, levels = np.diff(cell.score[order]) > 0, np.diff(cell.level[order])
    if ((levels > 0) != steps).any() or (levels < 0).any():
        place = np.empty(order.size, dtype=np.int64)
        place[order] = np.concatenate([[0], np.cumsum(steps)])
        n = int(place.max()) + 1
        shape = (cell.n_units, 2 * n)
        each = sparse.coo_array((np.ones(order.size), (cell.unit, place + n * cell.correct)), shape=shape)
        sums = np.asarray((sparse.csr_array(each).T @ weights.T).T, dtype=np.float64)
        wrong, right = sums[:, :n], sums[:, n:]
    return {
        "auroc2": auroc2_from_counts(wrong, right),
        "accuracy_at_half": np.asarray(accuracy_coverage_from_counts(wrong, right, 0.5)),
    }


def _fits(cell: Cell, nR_S1: FloatArray, nR_S2: FloatArray, names: Sequence[str]) -> dict[str, FloatArray]:
    made = fitted(nR_S1, nR_S2, pad=PAD if cell.padded else pads(nR_S1, nR_S2))
    return {name: made[name] for name in names}


def _once(cell: Cell) -> dict[str, float]:
    """Measures without an interval."""
    found: dict[str, float] = {}
    if np.isfinite(cell.probability).all():
        found["ece"] = ece(cell.correct, cell.probability, n_bins=ECE_BINS)
        found["ece_debiased"] = ece(cell.correct, cell.probability, n_bins=ECE_BINS, debiased=True)
        found["brier"] = brier_score(cell.correct, cell.probability)
    curve = risk_coverage(cell.correct, cell.score)
    return found | {"aurc": curve.aurc, "e_aurc": curve.e_aurc}


# Expected calibration error with an interval that agrees with a test of calibration.


def calibration_error(cell: Cell, weights: FloatArray) -> Measured:
    """Debiased ECE of a cell (an :data:`metacog.measures.cell.Estimator`), and its mean were every answer right as
    often as stated, ``ece_calibrated``.

    Resampled absolute gaps hardly reach 0, so the interval contains 0 exactly where calibration is not rejected
    (:func:`metacog.sdt.calibrated_by_chance.if_calibrated`), and always contains the estimate.
    """
    p, hit = cell.probability, cell.correct.astype(np.float64)
    place = np.searchsorted(calibration_edges(p, n_bins=ECE_BINS), p, side="right")
    bins = []
    for value in (np.ones(p.size), hit, p):
        cells = sparse.coo_array((value, (cell.unit, place)), shape=(cell.n_units, ECE_BINS))
        bins.append(np.asarray((sparse.csr_array(cells).T @ weights.T).T))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = debiased_ece(*bins)
    estimate, draws = float(values[0]), centred(values[1:], float(values[0]))
    low, high = percentile_limits(draws)
    null = if_calibrated(cell.correct, p, clusters=cell.unit, n_bins=ECE_BINS)
    if null.p_value >= 1 - null.level:
        low = min(0.0, estimate)
    else:
        low = min(max(0.0, low), estimate)
    return Measured(
        {"ece_debiased": estimate, "ece_calibrated": null.mean},
        {"ece_debiased": (low, max(high, estimate))},
        (),
        {"ece_debiased": draws},
    )
