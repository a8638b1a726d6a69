"""What study 3's printed figures come to, in a table and in sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.words import plural
from metacog.ledger.entry import Status
from metacog.sdt.variation import coefficient_of_variation
from metacog.studies.study3_dmc import published
from metacog.studies.study3_dmc.printed import Recomputed
from metacog.studies.study3_dmc.published import DATASETS, METHODS


def as_frame(rows: list[Recomputed]) -> pd.DataFrame:
    """Rows of :func:`recomputed` for a table."""
    return pd.DataFrame(
        {
            "place": r.place,
            "item": r.item,
            "quantity": r.quantity,
            "printed": float(r.printed),
            "value": r.value,
            "off": r.off,
            "rounding": r.precision + r.reach,
            "sample": r.sample,
            "status": r.status,
            "repeats": r.repeats,
            "note": r.note,
        }
        for r in rows
    )


def agreement_said(rows: list[Recomputed]) -> str:
    """How many figures follow from the printed cells, and which do not."""
    own = [r for r in rows if not r.repeats]
    off = [r for r in own if r.status == Status.DIFFERS]
    said = (
        f"Of {plural(len(own), 'average, CV and statistic', 'averages, CVs and statistics')} that printed "
        f"cells give, "
        f"{len(own) - len(off)} follow within rounding"
    )
    if off:
        said += f" and {len(off)} do not: " + "; ".join(f"{r.place}, {r.item} ({r.quantity})" for r in off)
    return said + "."


def worst_said(rows: list[Recomputed]) -> str:
    """Which of those that do not come out would, were nearly every cell rounded the same way."""
    off = [r for r in rows if not r.repeats and r.status == Status.DIFFERS]
    near = [r for r in off if abs(r.off) < r.precision + r.worst]
    if not near:
        return "None of these would come out even if every cell had been rounded the way that suits it best."
    named = "; ".join(
        f"{r.place}, {r.item} ({r.quantity}), {(abs(r.off) - r.precision) / r.rounding:.1f} standard errors "
        "of chance rounding away"
        for r in near
    )
    return (
        "Rounding at its very worst, every cell by its whole half digit and the way that suits, would "
        f"give: {named}."
    )


def deviations_said(rows: list[Recomputed]) -> str:
    """Which deviation, the population's or the sample's, the print follows."""
    both = [r for r in rows if np.isfinite(r.sample)]
    room = [(r, r.precision + r.reach) for r in both]
    population = sum(abs(r.value - float(r.printed)) <= w for r, w in room)
    sample = sum(abs(r.sample - float(r.printed)) <= w for r, w in room)
    return (
        f"Of {len(both)} printed deviations and CVs, {population} come out as population ones (over n) and "
        f"{sample} "
        "as sample ones (over n - 1)."
    )


def largest_cv(n: int, low: float, high: float, ddof: int = 0) -> float:
    """Largest CV that n values between two limits can have.

    A deviation over a mean is quasi-convex, so the largest lies at a corner: some values at one limit, the
    rest at the other.
    """
    corners = (np.r_[np.full(k, high), np.full(n - k, low)] for k in range(n + 1))
    return max(coefficient_of_variation(x, ddof=ddof) for x in corners)


def auroc_said() -> str:
    """What the printed CVs of AUROC say of the AUROCs behind them."""
    table = published.as_numbers("table1")
    most = largest_cv(len(DATASETS), 0.5, 1.0, ddof=1)
    above = table[table["auroc"] - published.precision("table1") > most]
    return (
        f"Eight AUROCs between 0.5 and 1 can have a CV of at most {most:.3f} (sample deviation; "
        f"{len(DATASETS)} data "
        f"sets). {plural(len(above), 'printed CV')} of AUROC out of {len(table)} "
        f"{'lies' if len(above) == 1 else 'lie'} above that "
        f"({'; '.join(METHODS[m] for m in above['method'])}), so some "
        "AUROC behind them must lie below one half, or they are CVs of something else; the AUROCs are not "
        "printed."
    )
