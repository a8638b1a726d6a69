"""Table 4: Spearman's rho of confidence with correctness, its p and its interval, held against 24 items."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.forensics.correlations import p_range, sizes_of_interval, sizes_of_p
from metacog.sdt.correlation import correlation_p, fisher_interval
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import ITEMS

#: Numbers of items that are tried.
SIZES = range(6, 41)
#: Level of a family of tests.
ALPHA = 0.05
N = ITEMS["T1_CC"]


def recomputed() -> pd.DataFrame:
    """One row per model: printed figures, what 24 items give, and the numbers of items that give each.

    Columns ``model, rho, p, lower, upper`` as printed; ``p_24, p_off`` (at the printed rho, and how far rounding of
    rho lets it differ), ``lower_24, upper_24``; ``sizes_ci, sizes_p`` the numbers of items that give the printed
    ends and the printed p; ``survives`` as printed and ``survives_24``; ``pearson`` the Pearson correlation
    that the printed T1-CC score stands for.
    """
    frame = published.as_text("table4_spearman")
    half = {c: published.precision("table4_spearman", c) for c in ("rho", "p", "lower")}
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
                "pearson": 2 * published.scores().loc[row.model, "T1_CC"] / 100 - 1,
            }
        )
    return pd.DataFrame(rows)


def _sizes(found: list[int]) -> str:
    """``20``, ``20 to 22``, or that there is none."""
    if not found:
        return "none"
    return str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"
