"""How far two models cross that do not know themselves, and whose answers depend on difficulty unequally."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table

#: Made by ``benchmarks/crossing_bound.py``; analyses that judge a crossing name this file.
TABLE = "data/simulations/crossing_bound.csv"
#: Answers of one model may depend so many times as steeply on the difficulty as those of the other.
SLOPE_RATIO = 3.0
#: Sections of the table: where the bound comes from; what a rule with it says in other simulated runs.
BOUND, RULE = "bound", "rule"
#: What simulated models' confidence is about, as the table calls it.
DIFFICULTY, OWN_STATE = "difficulty alone", "own state too"


@cache
def simulations() -> pd.DataFrame:
    return committed_table(TABLE)


def rule_rows(n_questions: int) -> pd.DataFrame:
    """What the bound did in other simulated runs, of the number of questions that is nearest in its logarithm.

    ``above_0`` and ``called`` are shares of runs whose interval lies above 0, and above the bound.
    """
    rows = simulations().query("section == @RULE")
    sizes = rows["n_questions"].unique()
    nearest = sizes[np.abs(np.log(sizes) - np.log(max(n_questions, 1))).argmin()]
    columns = ["reads", "n_questions", "slope_ratio", "runs", "crossing", "bound", "above_0", "called"]
    return rows.loc[rows["n_questions"] == nearest, columns].reset_index(drop=True)


def crossing_bound(n_questions: int, lead: float) -> float:
    """The crossing that the lower end of an interval has to exceed to speak for self-knowledge; NaN without a lead.

    ``lead`` is :attr:`metacog.sdt.area_crossing.Crossing.lead`: how much better one model's confidence orders the
    answers of both. Two models that read one difficulty with unequal noise cross at 0 if the answers of both depend on
    it alike. If those of the better reader depend on it r times as steeply, its lead on its own answers is larger than
    on the other's, at most r times as large where slopes are small, and the crossing is half the difference: at most
    (r - 1)/(r + 1) of the mean lead, one half of it for r = 3. The share that is taken is simulated, by number of
    questions: the largest, over slopes, noises and accuracies, of the share in truth and of the share that the lower
    end of the 95 % interval exceeds in 5 % of runs. Between simulated sizes it is interpolated over the logarithm of
    their number; fewer or more questions take the nearest.
    """
    by_size = shares()
    sizes = np.log(by_size.index.to_numpy(dtype=np.float64))
    return float(np.interp(np.log(max(n_questions, 1)), sizes, by_size.to_numpy())) * abs(lead)


def shares() -> pd.Series:
    """Share of the lead that the bound is, by number of questions."""
    table = simulations()
    rows = table[(table["section"] == BOUND) & (table["slope_ratio"] == SLOPE_RATIO)]
    return rows.groupby("n_questions")[["share", "share_95"]].max().max(axis=1)
