"""The ranking of the eight models on each external benchmark, solved from five printed correlations.

The scores on the benchmarks are not printed. Table 7 prints how each task's scores correlate with them by
ranks, to three decimals, and table 1 prints the tasks' scores. All 545,835 orders of eight models, ties
included, are tried against the five correlations of a benchmark.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from metacog.forensics.resamples import solve_ranking, spearman_rows
from metacog.sdt.correlations import fisher_interval
from metacog.studies.study4_probe import paper
from metacog.studies.study4_probe.paper import TASKS

#: Composites of table 1 that could be what was compared with a benchmark.
COMPOSITES = {
    "mean_T1_T2_T4_T5": "mean of four tasks",
    "mean_T1_T5": "mean of five tasks",
    "composite_15_slot": "15-slot composite",
}


#: What the paper says of the models' scores on a benchmark.
SCORES = {"VER": "scores of all models published", "EST": "some scores filled in"}


@cache
def solved() -> dict[str, np.ndarray]:
    """Rankings that give each benchmark's five printed correlations: mean ranks, shape (m, 8), the best model 8."""
    table = paper.as_text("table7_external_by_task").set_index("task").loc[list(TASKS)]
    known = [paper.scores()[task] for task in TASKS]
    half = {str(one): paper.precision("table7_external_by_task", str(one)) for one in table.columns}
    return {one: solve_ranking(known, table[one].astype(float).tolist(), half[one]) for one in half}


def recomputed_benchmarks() -> pd.DataFrame:
    """One row per benchmark: rankings found, and rho with each composite next to the printed one.

    ``lower, upper`` is Fisher's interval of the printed rho over eight models; ``sum_d2`` the sum of squared rank
    differences from the 15-slot composite.
    """
    printed: Any = paper.as_text("external_validity").set_index("benchmark")
    composites = {name: rankdata(paper.composite(name)) for name in COMPOSITES}
    rows = []
    for benchmark, ranks in solved().items():
        rho, found = float(printed.loc[benchmark, "rho"]), len(ranks) == 1
        low, high = fisher_interval(rho, int(printed.loc[benchmark, "n"]))
        gap = ranks[0] - composites["composite_15_slot"] if found else np.nan
        rows.append(
            {
                "benchmark": benchmark,
                "scores": SCORES[str(printed.loc[benchmark, "status"])],
                "rankings": len(ranks),
                "printed": rho,
                "lower": low,
                "upper": high,
                **{
                    name: spearman_rows(ranks, own)[0] if found else np.nan
                    for name, own in composites.items()
                },
                "sum_d2": float(np.sum(gap**2)),
            }
        )
    return pd.DataFrame(rows)


def ranking_table() -> pd.DataFrame:
    """Places of the models (1 is best), one column per benchmark; those that were found."""
    names = paper.scores().index
    places = {name: len(names) + 1 - ranks[0] for name, ranks in solved().items() if len(ranks) == 1}
    return pd.DataFrame(places, index=names).rename_axis("model").reset_index()
