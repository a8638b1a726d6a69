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

from metacog.core.frames import rows_of
from metacog.forensics.resamples import (
    p_range,
    sizes_of_interval,
    sizes_of_p,
    solve_ranking,
    spearman_rows,
    weak_orders,
)
from metacog.sdt.correlations import correlation_p, fisher_interval
from metacog.studies.study4_probe import paper
from metacog.studies.study4_probe.paper import ITEMS, TASKS, short

# Table 2: agreement and Krippendorff's alpha of the human raters, against the bars of the paper.

#: Bars of hypothesis H3.
AGREEMENT, LEAST_ALPHA = 0.90, 0.25


def reliability_table() -> pd.DataFrame:
    """One row per task: ``task, agreement, alpha``, their distance from the bars, and which bar is met."""
    frame = paper.as_text("table2_reliability")
    found = pd.DataFrame(
        {
            "task": frame["task"].map(short),
            "agreement": frame["pct_agree"].astype(float),
            "alpha": frame["alpha"].astype(float),
        }
    )
    found["gap_agreement"] = found["agreement"] - AGREEMENT
    found["gap_alpha"] = found["alpha"] - LEAST_ALPHA
    return found.assign(agrees=found["agreement"] >= AGREEMENT, reliable=found["alpha"] >= LEAST_ALPHA)


def partial(frame: pd.DataFrame) -> bool:
    """Whether some bar is met for some task and not both for all: what the paper calls a partial fail."""
    met = frame[["agrees", "reliable"]].to_numpy()
    return bool(met.any() and not met.all())


# Table 4: Spearman's rho of confidence with correctness, its p and its interval, held against 24 items.

#: Numbers of items that are tried.
SIZES = range(6, 41)
#: Level of a family of tests.
ALPHA = 0.05
N = ITEMS["T1_CC"]


def recomputed_tests() -> pd.DataFrame:
    """One row per model: printed figures, what 24 items give, and the numbers of items that give each.

    Columns ``model, rho, p, lower, upper`` as printed; ``p_24, p_off`` (at the printed rho, and how far rounding of
    rho lets it differ), ``lower_24, upper_24``; ``sizes_ci, sizes_p`` the numbers of items that give the printed
    ends and the printed p; ``survives`` as printed and ``survives_24``; ``pearson`` the Pearson correlation
    that the printed T1-CC score stands for.
    """
    frame = paper.as_text("table4_spearman")
    half = {c: paper.precision("table4_spearman", c) for c in ("rho", "p", "lower")}
    rows = []
    for row in rows_of(frame):
        rho, p = float(row.rho), float(row.p)
        low, high = fisher_interval(rho, N)
        smallest, largest = p_range(rho, N, half["rho"])
        own = correlation_p(rho, N)
        ends = sizes_of_interval(
            rho, float(row.lower), float(row.upper), SIZES, half_r=half["rho"], half_end=half["lower"]
        )
        rows.append(
            {
                "model": row.model,
                "rho": rho,
                "p": p,
                "lower": float(row.lower),
                "upper": float(row.upper),
                "p_24": own,
                "p_off": max(own - smallest, largest - own),
                "lower_24": low,
                "upper_24": high,
                "sizes_ci": _sizes(ends),
                "sizes_p": _sizes(sizes_of_p(rho, p, SIZES, half_r=half["rho"], half_p=half["p"])),
                "survives": row.bonferroni_survives == "True",
                "survives_24": own < ALPHA / len(frame),
                "pearson": 2 * paper.scores().loc[row.model, "T1_CC"] / 100 - 1,
            }
        )
    return pd.DataFrame(rows)


def _sizes(found: list[int]) -> str:
    """``20``, ``20 to 22``, or that there is none."""
    if not found:
        return "none"
    return str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


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
    table = paper.as_text("table7_external_by_task").set_index("task").loc[list(TASKS)]
    known = [paper.scores()[task] for task in TASKS]
    found = []
    for benchmark in table.columns:
        printed = table[benchmark]
        half = paper.precision("table7_external_by_task", str(benchmark))
        found.append(Solved(str(benchmark), solve_ranking(known, printed.astype(float).tolist(), half)))
    return tuple(found)


def orders_tried() -> int:
    """How many orders of the models there are, ties included."""
    return len(weak_orders(len(paper.scores())))


def recomputed_benchmarks() -> pd.DataFrame:
    """One row per benchmark: rankings found, and rho with each composite next to the printed one.

    ``lower, upper`` is Fisher's interval of the printed rho over eight models; ``sum_d2`` the sum of squared rank
    differences from the 15-slot composite.
    """
    printed: Any = paper.as_text("external_validity").set_index("benchmark")
    rows = []
    for one in solved():
        text = printed.loc[one.benchmark]
        rho = float(text["rho"])
        low, high = fisher_interval(rho, int(text["n"]))
        slots = rankdata(paper.composite("composite_15_slot"))
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
                **{name: one.with_scores(paper.composite(name)) for name in COMPOSITES},
                "sum_d2": float(((one.ranks[0] - slots) ** 2).sum()) if one.found else float("nan"),
            }
        )
    return pd.DataFrame(rows)


def ranking_table() -> pd.DataFrame:
    """Places of the models (1 is best), one column per benchmark; those that were found."""
    names = paper.scores().index
    places = {one.benchmark: len(names) + 1 - one.ranks[0] for one in solved() if one.found}
    return pd.DataFrame(places, index=names).rename_axis("model").reset_index()
