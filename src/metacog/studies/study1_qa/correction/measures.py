"""The correction of study 1: what version 2 measures, next to version 1, on any table of counts.

Open answers have no two-choice decision. With "incorrect" and "correct" in the places of S1 and S2,
d' and meta-d' both come from one correctness-by-rating table, so their ratio compares that table
with itself: it is 1 when the two confidence distributions are Gaussian with equal variance, however
much or little confidence knows, and departs from 1 with their *shape*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.measures.fits import Fits
from metacog.measures.resamples import Seed
from metacog.sdt import fit_meta_d_batch, z_roc
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.simulate import confidence_population
from metacog.sdt.zroc import z_roc_mle
from metacog.studies.study1_qa.cells.counts import Cells, rate_trials
from metacog.studies.study1_qa.cells.ranking import exact_spearman, place
from metacog.studies.study1_qa.cells.version2 import version2
from metacog.studies.study1_qa.ledger.published import published_cells

FloatArray = NDArray[np.float64]

#: Measures with an interval in the table.
MEASURES = ("m_ratio", "meta_i2r", "auroc2", "z_slope")
_MANY = 1e7


@dataclass(frozen=True)
class Corrected:
    """Measures of several correctness-by-rating tables.

    Attributes
    ----------
    table : DataFrame
        One row per cell: its keys, ``n, accuracy, coverage, flag`` (``coverage``: intervals of meta-I2r and
        AUROC2 whose simulated coverage is not 93-97 %), each of :data:`MEASURES` with ``_lower``
        and ``_upper``, ``d_prime, meta_d, null_mean, p_value, d_a, r2``, and what the z-ROC alone predicts:
        ``line_slope`` (maximum likelihood), ``predicted_m_ratio``, ``straight_p`` (chance of a
        z-ROC this far from a straight line if it were one).
    n_resamples, n_permutations, seed : int
    """

    table: pd.DataFrame
    n_resamples: int
    n_permutations: int
    seed: int


def measure_cells(
    cells: Cells, *, n_resamples: int = 10_000, n_permutations: int = 2000, seed: int = 42
) -> Corrected:
    """Version 1's and version 2's measures of every cell, side by side.

    Cells that lack a class get NaN and keep their flag. meta-I2r is the plug-in value less the exact
    mean of its permutation null; ``p_value`` comes from ``n_permutations`` draws of that null. Its
    interval and AUROC2's are those of the whole book (:class:`.version2.Version2`), not version 2's.
    """
    drawn = {"n_permutations": n_permutations, "n_resamples": n_resamples, "seed": seed}
    rows = [
        _measure(cells.nR_S1[i], cells.nR_S2[i], one, bool(cells.coarse[i]), **drawn)
        if cells.measurable[i]
        else {}
        for i, one in enumerate(spawn_seeds(seed, len(cells)))
    ]
    columns = [
        *(f"{m}{end}" for m in MEASURES for end in ("", "_lower", "_upper")),
        "d_prime",
        "meta_d",
        "null_mean",
        "p_value",
        "d_a",
        "r2",
        "line_slope",
        "predicted_m_ratio",
        "straight_p",
    ]
    numbers = [{name: value for name, value in row.items() if name != "coverage"} for row in rows]
    found = pd.DataFrame(numbers, columns=columns, dtype=np.float64)
    kept = [*cells.by, "n", "accuracy", "flag"]
    notes = [str(row.get("coverage", "")) for row in rows]
    table = pd.concat([cells.frame[kept].reset_index(drop=True), found], axis=1).assign(coverage=notes)
    return Corrected(table, n_resamples, n_permutations, seed)


def _measure(s1: ArrayLike, s2: ArrayLike, resample_seed: Seed, coarse: bool, **drawn: int) -> dict:
    wrong, right = np.asarray(s1), np.asarray(s2)
    two = version2(wrong, right, resample_seed=resample_seed, estimators=[Fits()], coarse=coarse, **drawn)
    line = z_roc(wrong, right)
    found: dict[str, float | str] = {
        "coverage": two.coverage(two.made.values["meta_i2r"]),
        "d_prime": two.made.values["d_prime"],
        "meta_d": two.made.values["meta_d"],
        "null_mean": two.exact_null,
        "p_value": two.p_value,
        "d_a": float(line.d_a),
        "r2": float(line.r2),
    }
    for name in MEASURES:
        found[name] = two.made.values[name]
        found[f"{name}_lower"], found[f"{name}_upper"] = two.made.bounds[name]
    if coarse or (wrong + right > 0).sum() < 3:  # two ratings lie on any line
        return found
    fit = z_roc_mle(wrong, right)
    if fit.converged:
        found["line_slope"], found["straight_p"] = fit.slope, fit.p_fit
        found["predicted_m_ratio"] = m_ratio_of_line(fit.d_a, fit.slope, float(right.sum() / wrong.sum()))
    return found


def m_ratio_of_line(d_a: float, slope: float, odds: float = 1.0) -> float:
    """M-ratio of a population whose z-ROC is a straight line.

    Parameters
    ----------
    d_a, slope : float
    odds : float
        Right answers for each wrong one.

    Notes
    -----
    Confidence is Gaussian for wrong and for right answers, cut into eight equally frequent ratings;
    the fit is that of version 1 on the expected counts. At slope 1 the result is 1 whatever d_a.
    """
    population = confidence_population(d_a, accuracy=odds / (1 + odds), n_ratings=8, slope=slope)
    fit = fit_meta_d_batch(population.s1[None] * _MANY, population.s2[None] * _MANY, undefined="flag")
    return float(fit.m_ratio[0])


def m_ratio_curve(accuracy: float, slopes: ArrayLike, d_a: float = 1.4) -> FloatArray:
    """M-ratio against z-ROC slope at one accuracy, for straight z-ROCs."""
    odds = accuracy / (1 - accuracy)
    return np.array([m_ratio_of_line(d_a, float(s), odds) for s in np.asarray(slopes, dtype=np.float64)])


def straight_lines() -> pd.DataFrame:
    """M-ratio of straight z-ROCs: one row per accuracy (.15, .43 and .6) and slope (18 from .6 to 1.45)."""
    slopes = np.linspace(0.6, 1.45, 18)
    curves = [
        pd.DataFrame({"accuracy": accuracy, "z_slope": slopes, "m_ratio": m_ratio_curve(accuracy, slopes)})
        for accuracy in (0.15, 0.43, 0.6)
    ]
    return pd.concat(curves, ignore_index=True)


def d_prime_at_cuts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """d' at each of the L - 1 places where the ratings can be cut in two, lowest first."""
    line = z_roc(nR_S1, nR_S2)
    return np.asarray(line.z_hr - line.z_far)[..., ::-1]


def cuts(cells: Cells) -> pd.DataFrame:
    """d' of measurable cells by where their ratings are cut, padded by 0.5: ``model, dataset, cut_after, d_prime``."""
    rows = [
        (cells.frame["model"].iloc[i], cells.frame["dataset"].iloc[i], place, float(value))
        for i in np.flatnonzero(cells.measurable)
        for place, value in enumerate(d_prime_at_cuts(cells.nR_S1[i] + 0.5, cells.nR_S2[i] + 0.5), 1)
    ]
    return pd.DataFrame(rows, columns=["model", "dataset", "cut_after", "d_prime"])


def published_measures(**options: int) -> Corrected:
    """Both versions' measures of the eight published cells."""
    return measure_cells(published_cells(), **options)


def run_measures(trials: pd.DataFrame, **options: int) -> Corrected:
    """Both versions' measures of a run's models at T = 1.

    Raises
    ------
    MetacogError
        If there are no trials at T = 1.
    """
    if not (trials["temperature"] == 1.0).any():
        raise MetacogError("the correction looks at T = 1, and the run has no trials there")
    return measure_cells(rate_trials(trials).cells(), **options)


def ranks(table: pd.DataFrame, measures: tuple[str, ...] = ("m_ratio", "auroc2", "meta_i2r")) -> pd.DataFrame:
    """Ranks within each question set, the highest being 1: one row per cell, one column per measure."""
    ranked = table[["model", "dataset"]].copy()
    for measure in measures:
        ranked[measure] = place(table[measure], table["dataset"])
    return ranked


def carried_over(table: pd.DataFrame, measure: str) -> tuple[float, float]:
    """Spearman's rho of the published models' orders on TriviaQA and on Natural Questions, and its exact p."""
    wide = table.pivot(index="model", columns="dataset", values=measure)
    return exact_spearman(wide["triviaqa"].tolist(), wide["nq"].tolist())
