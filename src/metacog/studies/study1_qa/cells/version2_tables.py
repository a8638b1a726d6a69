"""Version 2's measures of many groups, in the form of its published tables."""

from __future__ import annotations

import pandas as pd

from metacog.sdt.intervals import spawn_seeds
from metacog.studies.study1_qa.cells.counts import GROUP, Cells, rate_trials
from metacog.studies.study1_qa.cells.version2 import version2

_LIMITS = ("meta_i2r_lower", "meta_i2r_upper", "auroc2_lower", "auroc2_upper")
_MEASURES = ("meta_i2r_permutation", *_LIMITS[:2], "p_value", "auroc2", *_LIMITS[2:], "null_mean")


def measure_table(
    cells: Cells, *, n_permutations: int = 1000, n_resamples: int = 1000, seed: int = 42
) -> pd.DataFrame:
    """The corrected measures of every group, as the published tables of version 2 have them.

    Returns
    -------
    DataFrame
        Grouping columns, ``accuracy, n, meta_i2r_permutation, meta_i2r_lower, meta_i2r_upper, p_value, auroc2,
        auroc2_lower, auroc2_upper, null_mean, coverage, flag``; NaN for groups that lack a class. Intervals
        are the book's, not version 2's: that of meta-I2r is centred on the estimate and studentised, that of
        AUROC2 made from placement values; ``coverage`` names those whose simulated coverage is not 93-97 %.
        A trial is its own unit here, as a question has one at each temperature.
    """
    rows = []
    for i, own in enumerate(spawn_seeds(seed, len(cells))):
        row = {name: cells.frame.loc[i, name] for name in (*cells.by, "accuracy", "n", "flag")}
        row["coverage"] = ""
        if cells.measurable[i]:
            two = version2(
                cells.nR_S1[i],
                cells.nR_S2[i],
                n_permutations=n_permutations,
                n_resamples=n_resamples,
                seed=seed,
                resample_seed=own,
            )
            information = two.plugin - two.null_mean
            limits = (*two.information_limits(information), *two.made.bounds["auroc2"])
            row |= dict(zip(_LIMITS, limits, strict=True)) | {
                "meta_i2r_permutation": information,
                "p_value": two.p_value,
                "auroc2": two.auroc2,
                "null_mean": two.null_mean,
                "coverage": two.coverage(information),
            }
        rows.append(row)
    table = pd.DataFrame(rows, columns=[*cells.by, "accuracy", "n", *_MEASURES, "coverage", "flag"])
    return table.astype({"n": "int64", **dict.fromkeys(_MEASURES, "float64")})


def temperature_measures(
    trials: pd.DataFrame, *, n_permutations: int, n_resamples: int, seed: int = 42
) -> pd.DataFrame:
    """The corrected measures by temperature, each temperature with its own edges."""
    cells = temperature_cells(trials)
    return measure_table(cells, n_permutations=n_permutations, n_resamples=n_resamples, seed=seed)


def temperature_cells(trials: pd.DataFrame) -> Cells:
    """Counts by temperature, each temperature with its own edges, as version 2 rates them."""
    rated = rate_trials(trials, own_edges=True)
    return rated.cells((*GROUP, "temperature"), temperature=None)
