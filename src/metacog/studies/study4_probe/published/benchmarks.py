"""The ranking of the eight models on each external benchmark, solved from five printed correlations.

The scores on the benchmarks are not printed. Table 7 prints how each task's scores correlate with them by
ranks, to three decimals, and table 1 prints the tasks' scores. All 545,835 orders of eight models, ties
included, are tried against the five correlations of a benchmark.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from metacog.forensics.correlations import solve_ranking, spearman_rows, weak_orders
from metacog.sdt.correlation import fisher_interval
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import TASKS

#: Composites of table 1 that could be what was compared with a benchmark.
COMPOSITES = {
    "mean_T1_T2_T4_T5": "mean of four tasks",
    "mean_T1_T5": "mean of five tasks",
    "composite_15_slot": "15-slot composite",
}


@dataclass(frozen=True)
class Solved:
    """Rankings that give a benchmark's five printed correlations.

    Attributes
    ----------
    benchmark : str
    ranks : array, shape (m, 8)
        Mean ranks, the best model 8; m = 1 where the ranking is found.
    """

    benchmark: str
    ranks: np.ndarray

    @property
    def found(self) -> bool:
        """Whether there is exactly one."""
        return len(self.ranks) == 1

    def with_scores(self, scores: pd.Series) -> float:
        """Spearman's rho of the ranking found with some scores; NaN without one."""
        if not self.found:
            return float("nan")
        return float(spearman_rows(self.ranks, rankdata(scores))[0])


@cache
def solved() -> tuple[Solved, ...]:
    """Every benchmark of table 7."""
    table = published.as_text("table7_external_by_task").set_index("task").loc[list(TASKS)]
    known = [published.scores()[task] for task in TASKS]
    found = []
    for benchmark in table.columns:
        printed = table[benchmark]
        half = published.precision("table7_external_by_task", str(benchmark))
        found.append(Solved(str(benchmark), solve_ranking(known, printed.astype(float).tolist(), half)))
    return tuple(found)


def orders_tried() -> int:
    """How many orders of the models there are, ties included."""
    return len(weak_orders(len(published.scores())))


def recomputed() -> pd.DataFrame:
    """One row per benchmark: rankings found, and rho with each composite next to the printed one.

    ``lower, upper`` is Fisher's interval of the printed rho over eight models; ``sum_d2`` the sum of squared rank
    differences from the 15-slot composite.
    """
    printed: Any = published.as_text("external_validity").set_index("benchmark")
    rows = []
    for one in solved():
        text = printed.loc[one.benchmark]
        rho = float(text["rho"])
        low, high = fisher_interval(rho, int(text["n"]))
        slots = rankdata(published.composite("composite_15_slot"))
        rows.append(
            {
                "benchmark": one.benchmark,
                "status": text["status"],
                "rankings": len(one.ranks),
                "printed": rho,
                "lower": low,
                "upper": high,
                "lower_printed": float(text["lower"]),
                "upper_printed": float(text["upper"]),
                **{name: one.with_scores(published.composite(name)) for name in COMPOSITES},
                "sum_d2": float(((one.ranks[0] - slots) ** 2).sum()) if one.found else float("nan"),
            }
        )
    return pd.DataFrame(rows)


def ranking_table() -> pd.DataFrame:
    """Places of the models (1 is best), one column per benchmark; those that were found."""
    names = published.scores().index
    places = {one.benchmark: len(names) + 1 - one.ranks[0] for one in solved() if one.found}
    return pd.DataFrame(places, index=names).rename_axis("model").reset_index()
