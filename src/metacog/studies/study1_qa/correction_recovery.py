"""What measures make of simulated answerers of known efficiency, drawn many times over."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from metacog.core.errors import MetacogError
from metacog.measures.fits import PAD, fitted
from metacog.sdt import auroc2_from_counts
from metacog.sdt.information import meta_i2r
from metacog.studies.study1_qa.observers import Answerer, FloatArray, same_table

#: Measures that are judged.
ASKED = ("m_ratio", "meta_i2r", "auroc2")
#: True efficiencies of the simulated answerers: four-fold from first to last.
EFFICIENCIES = (1.0, 0.75, 0.5, 0.35, 0.25)
#: Mean rank correlation with true efficiency from which an order counts as recovered.
ORDER = 0.95


def measures_of(s1: FloatArray, s2: FloatArray) -> dict[str, FloatArray]:
    """Measures of tables of shape ``(B, 8)``; NaN where ties leave nothing to compare.

    An M-ratio needs answers on both sides of the middle cut, and two ratings in use on one of them:
    without that only the cell correction would be fitted.
    """
    used = s1 + s2 > 0
    half = used.shape[1] // 2
    below, above = used[:, :half].sum(axis=1), used[:, half:].sum(axis=1)
    good = (np.minimum(below, above) > 0) & (np.maximum(below, above) > 1)
    return {
        "m_ratio": np.where(good, fitted(s1, s2, pad=PAD)["m_ratio"], np.nan),
        "meta_i2r": meta_i2r(s1, s2, correction="chi-square"),
        "auroc2": auroc2_from_counts(s1, s2),
    }


def recover(
    answerers: Mapping[str, Answerer], *, n_trials: int = 5000, n_repetitions: int = 100, seed: int = 42
) -> tuple[pd.DataFrame, dict[str, float]]:
    """Measure simulated answerers many times over; the first one is the yardstick of the ratios.

    Returns one row an answerer and measure, with means and 95 % ranges over the repetitions of the value and of its
    ratio over the first answerer's (AUROC2 as its distance from 1/2); and by measure the mean of Spearman's rho with
    true efficiency, NaN where the measure has mostly no value. 5,000 trials are one model on TriviaQA in study 1.
    """
    if n_repetitions < 20 or n_trials < 100:
        raise MetacogError("a recovery needs at least 20 repetitions of at least 100 trials")
    made = list(answerers.values())
    seeds = np.random.SeedSequence(seed).spawn(len(made))
    drawn = [
        measures_of(*a.tables(n_trials, n_repetitions, np.random.default_rng(s)))
        for a, s in zip(made, seeds, strict=True)
    ]
    rows, rho = [], {}
    efficiency = np.array([a.efficiency for a in made])
    for measure in ASKED:
        values = np.stack([d[measure] for d in drawn])  # (answerers, repetitions)
        zero = 0.5 if measure == "auroc2" else 0.0
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = (values - zero) / (values[0] - zero)
        for i, name in enumerate(answerers):
            rows.append((name, efficiency[i], measure, *_range(values[i]), *_range(ratio[i])))
        rho[measure] = _range(_spearman(efficiency, values))[0]
    ends = [f"{lead}{end}" for lead in ("", "ratio_") for end in ("lower", "upper")]
    columns = ["observer", "efficiency", "measure", "mean", *ends[:2], "ratio", *ends[2:]]
    return pd.DataFrame(rows, columns=columns), rho


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


def recovered(table: pd.DataFrame, rho: Mapping[str, float], measure: str) -> tuple[bool, bool]:
    """Whether a measure recovers the order (mean rank correlation of at least :data:`ORDER`), and the amount: with it
    the true ratios lie in the 95 % ranges.
    """
    if not rho[measure] >= ORDER:
        return False, False
    rows = table[table["measure"] == measure]
    true = rows["efficiency"] / rows["efficiency"].iloc[0]
    covered = (rows["ratio_lower"] <= true + 1e-9) & (true - 1e-9 <= rows["ratio_upper"])
    return True, bool(covered.iloc[1:].all())


def of_same_table() -> dict[str, Answerer]:
    """Five answerers whose efficiency falls, and whose strength rises so that the expected table stays the same."""
    plain = Answerer(signal=1.0)  # its accuracy is that of two of the study's four models
    return {f"efficiency {e:.2f}": same_table(plain, e) for e in EFFICIENCIES}
