"""What measures make of simulated answerers of known efficiency, drawn many times over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from metacog.core.errors import MetacogError
from metacog.measures.fits import PAD, fitted
from metacog.sdt import auroc2_from_counts, z_roc
from metacog.sdt.information import meta_i2r
from metacog.studies.study1_qa.observers.answerers import (
    Answerer,
    FloatArray,
    at_efficiency,
    same_table,
)
from metacog.studies.study1_qa.observers.families import (
    Unequal,
)

#: Measures that are judged, by name.
ASKED = {
    "m_ratio": "M-ratio",
    "meta_i2r": "meta-I2r",
    "auroc2": "AUROC2",
    "meta_d": "meta-d'",
    "d_a": "dₐ",
}
#: True efficiencies of the simulated answerers: four-fold from first to last.
EFFICIENCIES = (1.0, 0.75, 0.5, 0.35, 0.25)
ACCURACIES = (0.1, 0.2, 0.43, 0.6, 0.8)
SLOPES = (0.65, 0.8, 1.0, 1.2, 1.4)
#: Mean rank correlation with true efficiency from which an order counts as recovered.
ORDER = 0.95


class Outcome(NamedTuple):
    """What one measure makes of a row of answerers."""

    order: bool
    amount: bool
    word: str


#: How an outcome reads, best first.
BOTH, ORDER_ONLY, NEITHER, TURNED, NO_VALUE = (
    "order and amount",
    "order",
    "neither",
    "order reversed",
    "no value",
)


@dataclass(frozen=True)
class Recovery:
    """What measures make of answerers of known efficiency.

    Attributes
    ----------
    table : DataFrame
        One row an answerer and measure: ``observer, efficiency, measure, mean, lower, upper`` (95 %
        of the repetitions), ``ratio, ratio_lower, ratio_upper`` (over the first answerer's; AUROC2
        as its distance from 1/2).
    rank_correlation : DataFrame
        One row a measure: ``measure, mean, lower, upper`` of Spearman's rho with true efficiency over
        repetitions (NaN where all efficiencies are equal, or the measure has mostly no value).
    names : tuple of str
    n_trials, n_repetitions, seed : int
    n_dropped : int
        Tables whose M-ratio could not be had.
    """

    table: pd.DataFrame
    rank_correlation: pd.DataFrame
    names: tuple[str, ...]
    n_trials: int
    n_repetitions: int
    seed: int
    n_dropped: int

    def of(self, measure: str) -> pd.DataFrame:
        """Rows of one measure, in the order of the answerers."""
        return self.table[self.table["measure"] == measure].reset_index(drop=True)

    def outcome(self, measure: str) -> Outcome:
        """Order: mean rank correlation of at least :data:`ORDER`. Amount: true ratios in the 95 % ranges."""
        rows = self.of(measure)
        rho = float(self.rank_correlation.set_index("measure")["mean"].to_dict()[measure])
        if not np.isfinite(rho):
            return Outcome(False, False, NO_VALUE)
        true = rows["efficiency"] / rows["efficiency"].iloc[0]
        covered = (rows["ratio_lower"] <= true + 1e-9) & (true - 1e-9 <= rows["ratio_upper"])
        order = rho >= ORDER
        amount = bool(order and covered.iloc[1:].all())
        word = BOTH if amount else ORDER_ONLY if order else TURNED if rho <= -ORDER else NEITHER
        return Outcome(order, amount, word)


def measures_of(s1: FloatArray, s2: FloatArray, *, pad: float = PAD) -> dict[str, FloatArray]:
    """Measures of tables of shape ``(B, 8)``; NaN where ties leave nothing to compare.

    An M-ratio needs answers on both sides of the middle cut, and two ratings in use on one of them:
    without that only the cell correction would be fitted.
    """
    used = s1 + s2 > 0
    half = used.shape[1] // 2
    below, above = used[:, :half].sum(axis=1), used[:, half:].sum(axis=1)
    fits = fitted(s1, s2, pad=pad)
    good = (np.minimum(below, above) > 0) & (np.maximum(below, above) > 1)
    slope, d_a = _lines(s1, s2, used)
    return {
        "m_ratio": np.where(good, fits["m_ratio"], np.nan),
        "meta_d": np.where(good, fits["meta_d"], np.nan),
        "meta_i2r": meta_i2r(s1, s2, correction="chi-square"),
        "auroc2": auroc2_from_counts(s1, s2),
        "z_slope": slope,
        "d_a": d_a,
    }


def _lines(s1: FloatArray, s2: FloatArray, used: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Slope and d_a of the z-ROC through the ratings in use; NaN with fewer than three."""
    slope, d_a = np.full(len(s1), np.nan), np.full(len(s1), np.nan)
    for pattern in np.unique(used, axis=0):
        rows = (used == pattern).all(axis=1)
        if pattern.sum() >= 3:
            line = z_roc(s1[rows][:, pattern], s2[rows][:, pattern])
            slope[rows], d_a[rows] = line.slope, line.d_a
    return slope, d_a


def recover(
    answerers: Mapping[str, Answerer], *, n_trials: int = 5000, n_repetitions: int = 100, seed: int = 42
) -> Recovery:
    """Measure simulated answerers many times over.

    Parameters
    ----------
    answerers : mapping of name to Answerer
        The first one is the yardstick of the ratios.
    n_trials : int
        Trials a repetition (5,000: one model on TriviaQA in study 1).
    n_repetitions : int
    seed : int
    """
    if n_repetitions < 20 or n_trials < 100:
        raise MetacogError("a recovery needs at least 20 repetitions of at least 100 trials")
    names, made = list(answerers), list(answerers.values())
    seeds = np.random.SeedSequence(seed).spawn(len(made))
    drawn = [
        measures_of(*a.tables(n_trials, n_repetitions, np.random.default_rng(s)))
        for a, s in zip(made, seeds, strict=True)
    ]
    rows, ranks = [], []
    efficiency = np.array([a.efficiency for a in made])
    for measure in (*ASKED, "z_slope"):
        values = np.stack([d[measure] for d in drawn])  # (answerers, repetitions)
        zero = 0.5 if measure == "auroc2" else 0.0
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = (values - zero) / (values[0] - zero)
        for i, name in enumerate(names):
            rows.append((name, efficiency[i], measure, *_range(values[i]), *_range(ratio[i])))
        ranks.append((measure, *_range(_spearman(efficiency, values))))
    columns = [
        "observer",
        "efficiency",
        "measure",
        "mean",
        "lower",
        "upper",
        "ratio",
        "ratio_lower",
        "ratio_upper",
    ]
    return Recovery(
        pd.DataFrame(rows, columns=columns),
        pd.DataFrame(ranks, columns=["measure", "mean", "lower", "upper"]),
        tuple(names),
        n_trials,
        n_repetitions,
        seed,
        int(sum(np.isnan(d["m_ratio"]).sum() for d in drawn)),
    )


def _range(values: FloatArray) -> tuple[float, float, float]:
    """Mean and 95 % range; NaN where half of the repetitions or more have no value."""
    known = values[np.isfinite(values)]
    if 2 * known.size <= values.size:
        return np.nan, np.nan, np.nan
    low, high = np.quantile(known, [0.025, 0.975])
    return float(known.mean()), float(low), float(high)


def _spearman(efficiency: FloatArray, values: FloatArray) -> FloatArray:
    """Rank correlation of each repetition; NaN without differences to rank or with a value missing."""
    a = rankdata(np.round(efficiency, 9))
    a = a - a.mean()
    b = rankdata(values, axis=0)
    b = b - b.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (a @ b) / np.sqrt((a @ a) * (b * b).sum(axis=0))


def _d_a(d_a: float, slope: float) -> float:
    """Signal, in sd of right answers, that gives d_a at this slope."""
    return d_a * float(np.sqrt((1 + slope**2) / 2))


#: Designs that the chapter shows one by one.
DESIGNS = ("noise", "shape", "same table")


def design(name: str, accuracy: float = 0.43) -> dict[str, Answerer]:
    """Five answerers of the same accuracy.

    Parameters
    ----------
    name : {'noise', 'shape', 'same table'}
        ``noise``: the same strength, ever more additive noise, efficiency falls four-fold. ``shape``:
        efficiency 1 throughout, the z-ROC slope differs and d_a does not. ``same table``: efficiency
        falls, but strength rises so that the expected table stays the same.
    accuracy : float
        0.43 is that of two of the study's four models.
    """
    plain = Answerer(accuracy=accuracy)
    if name == "noise":
        return {f"efficiency {e:.2f}": at_efficiency(plain, e) for e in EFFICIENCIES}
    if name == "shape":
        return {f"slope {s:g}": Unequal(accuracy=accuracy, signal=_d_a(1.6, s), spread=s) for s in SLOPES}
    if name == "same table":
        return {f"efficiency {e:.2f}": same_table(replace(plain, signal=1.0), e) for e in EFFICIENCIES}
    raise MetacogError(f"there is no design {name!r}")
