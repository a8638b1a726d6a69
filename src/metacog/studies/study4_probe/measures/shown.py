"""Sentences that pages, or a page and the ledger, share."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.studies.study4_probe.ledger.solved import printed_correlations
from metacog.studies.study4_probe.measures.murphy import BINNINGS
from metacog.studies.study4_probe.measures.panel import DROPPED


def murphy_loss(frame: pd.DataFrame) -> str:
    """What each model's loss consists of, and what saying the same throughout would lose."""
    rows = rows_of(frame[frame["binning"] == BINNINGS["unique"]]) if len(frame) else []
    return " ".join(map(_loss, rows)) or "Confidence out of 100 was not asked for."


def _loss(row: Any) -> str:
    if row.uncertainty == 0:
        return f"{row.model} loses {row.loss:.1f} points; its answers are all right or all wrong: nothing to resolve."
    return (
        f"{row.model} loses {row.loss:.1f} points: {row.uncertainty:.1f} of uncertainty, {row.reliability:.1f} of "
        f"miscalibration, minus {row.resolution:.1f} of resolution. Stating {row.right:.0f} throughout would lose "
        f"{row.uncertainty:.1f}."
    )


def printed_correlation(near: pd.DataFrame) -> str:
    """Is the printed correlation of T1-CC with T2-EV that of a panel without some lineage?

    If so, the printed correlation without one more model is tried as well.

    Parameters
    ----------
    near : DataFrame
        Of :func:`.solved.without_dropped`.
    """
    text, other = printed_correlations()
    if near.empty:
        return f"The printed correlation, {text}, is not reproduced whichever lineage is left out."
    words = (
        f"The printed correlation, {text}, would be that of the panel without {listed(near['left_out'])}. "
    )
    for row in rows_of(near):
        words += (
            f"The one printed for that panel without {DROPPED} as well, {other}, "
            f"{'does' if row.fits else 'does not'} follow from it ({row.r:.2f} is recomputed)"
        )
        words += "." if row.fits else ", and one of many parts of a panel will give any figure by chance."
    return words
