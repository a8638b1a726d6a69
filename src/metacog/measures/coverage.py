"""How often intervals hold the truth, from simulations: shown with an interval on a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.core.paths import committed

#: The simulations, made by ``benchmarks/interval_coverage.py``; analyses that print notes name this file.
TABLE = "data/simulations/interval_coverage.csv"
#: Coverage of a 95 % interval that needs no remark.
SOUND = (0.93, 0.97)
#: Measures whose intervals were simulated, and what readers call them.
NAMES = {"auroc2": "AUROC2", "meta_i2r": "meta-I2r"}
#: A step of one in the distance between designs: a doubling of trials, or this much of the measure.
_STEP = {"auroc2": 0.08, "meta_i2r": 0.05}


@dataclass(frozen=True)
class SimulatedCoverage:
    """The simulated design nearest to an interval, and the share of its 95 % intervals that hold the truth.

    Attributes
    ----------
    coverage, coverage_se : float
        With its Monte-Carlo standard error.
    n_trials, minority, value, clustered
        The design: trials, expected trials of the smaller class, true value, whether questions repeat.
    """

    coverage: float
    coverage_se: float
    n_trials: int
    minority: float
    value: float
    clustered: bool

    @property
    def sound(self) -> bool:
        """Whether the coverage needs no remark."""
        return SOUND[0] <= self.coverage <= SOUND[1]


def simulated_coverage(
    interval: str, n_trials: int, minority: int, value: float, clustered: bool = False
) -> SimulatedCoverage | None:
    """Simulated coverage of the nearest design; None where nothing was simulated.

    Parameters
    ----------
    interval : {'auroc2', 'meta_i2r'}
    n_trials : int
    minority : int
        Trials of the smaller class.
    value : float
        The estimate; what lies beyond the simulated values takes the nearest one.
    clustered : bool
        Whether questions repeat.

    Notes
    -----
    Nearest in doublings of trials, doublings of the smaller class and steps of the value; AUROC2 below
    0.5 is mirrored.
    """
    if interval not in NAMES or not np.isfinite(value) or n_trials < 1 or minority < 1:
        return None
    table = simulations()
    rows = table[(table["interval"] == interval) & (table["clustered"] == clustered)]
    if rows.empty:
        return None
    at = max(value, 1 - value) if interval == "auroc2" else value
    apart = (
        np.log2(rows["n_trials"] / n_trials) ** 2
        + np.log2(rows["minority"] / minority) ** 2
        + ((rows["value"] - at) / _STEP[interval]) ** 2
    )
    near = rows.loc[apart.idxmin()]
    return SimulatedCoverage(
        float(near["coverage"]),
        float(near["coverage_se"]),
        int(near["n_trials"]),
        float(near["minority"]),
        float(near["value"]),
        bool(near["clustered"]),
    )


def coverage_notes(
    values: Mapping[str, float], n_trials: int, n_correct: int, clustered: bool = False
) -> str:
    """For a row of a table: ``AUROC2 91 %; meta-I2r 98 %``, the intervals not within 93-97 % alone."""
    minority = min(n_correct, n_trials - n_correct)
    parts = []
    for name, value in values.items():
        found = simulated_coverage(name, n_trials, minority, value, clustered)
        if found is not None and not found.sound:
            parts.append(f"{NAMES[name]} {100 * found.coverage:.0f} %")
    return "; ".join(parts)


def simulations() -> pd.DataFrame:
    """The committed table of designs; empty where it is not there."""
    return _read(committed(TABLE))


@cache
def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path) if path.is_file() else _nothing()


def _nothing() -> pd.DataFrame:
    columns = ["interval", "clustered", "n_trials", "minority", "value", "coverage", "coverage_se"]
    return pd.DataFrame(columns=columns)
