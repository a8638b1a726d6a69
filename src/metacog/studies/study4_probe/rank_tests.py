"""Table 4: Spearman's rho of confidence with correctness, its p and its interval, held against 24 items."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.forensics.resamples import p_range, sizes_of_interval, sizes_of_p
from metacog.sdt.correlations import correlation_p, fisher_interval
from metacog.studies.study4_probe import paper
from metacog.studies.study4_probe.paper import ITEMS

#: Numbers of items that are tried.
SIZES = range(6, 41)
#: Level of a family of tests.
ALPHA = 0.05
N = ITEMS["T1_CC"]


def recomputed_tests() -> pd.DataFrame:
    """One row per model: printed ``rho, p, lower, upper``, what 24 items give, and the numbers of items that do.

    ``p_24, p_off`` are at the printed rho, and how far rounding of rho lets it differ; ``sizes_ci, sizes_p`` the
    numbers of items that give the printed ends and the printed p.
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
                "survives_24": own < ALPHA / len(frame),
            }
        )
    return pd.DataFrame(rows)


def _sizes(found: list[int]) -> str:
    """``20``, ``20 to 22``, or that there is none."""
    if not found:
        return "none"
    return str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"
