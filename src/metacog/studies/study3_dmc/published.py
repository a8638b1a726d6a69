"""What study 3 published, recomputed as far as the published figures allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.sdt.over_groups import coefficient_of_variation
from metacog.studies.study import analysis
from metacog.studies.study3_dmc.ledger.entries import judged_figures
from metacog.studies.study3_dmc.ledger.recomputed import TwoPrints, above, two_prints
from metacog.studies.study3_dmc.paper import DATASETS, METHODS, MODELS

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Published:
    """Published averages, CVs and statistics, and those of the published cells.

    ``figures`` has one row each, ``differing`` the cells that two tables give differently, which ``versions``
    hold as published. ``largest_cv`` is the largest CV that AUROCs from one half to 1 can have, and ``above``
    names the methods whose published CV of AUROC, one of ``n_auroc``, is larger.
    """

    figures: pd.DataFrame
    differing: pd.DataFrame
    versions: tuple[TwoPrints, ...]
    above: tuple[str, ...]
    largest_cv: float
    n_auroc: int
    n_figures: int
    n_off: int


@analysis(returns=Published, files=("data/published/dmc_*.csv",))
def published(inputs: Inputs) -> Published:
    """Which published figures follow from the published cells?"""
    figures = pd.DataFrame(
        {
            "place": r.place,
            "item": r.item,
            "quantity": r.quantity,
            "published": float(r.printed),
            "value": r.value,
            "off": r.off,
            "rounding": r.precision + r.reach,
            "precision": r.precision,
            "error": r.rounding,
            "sample": r.sample,
            "agrees": r.status is not None and r.status.agrees,
            "sample_agrees": r.sample_agrees,
            "agrees_at_worst": r.agrees_at_worst,
        }
        for r in judged_figures()
        if not r.repeats
    )
    versions = tuple(two_prints())
    most = largest_cv(len(DATASETS), 0.5, 1.0, ddof=1)
    return Published(
        figures=figures,
        differing=_differing(versions),
        versions=versions,
        above=tuple(above("auroc", most)),
        largest_cv=most,
        n_auroc=len(METHODS),
        n_figures=len(figures),
        n_off=int((~figures["agrees"]).sum()),
    )


def _differing(versions: tuple[TwoPrints, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "cell": f"{MODELS[t.model]}, {METHODS[t.method]}, {DATASETS[t.dataset]}",
            "table": name,
            "published": float(text),
            "average": average,
            "cv": cv,
            "published_average": float(t.average),
            "published_cv": float(t.cv),
        }
        for t in versions
        for name, text, average, cv in (
            ("table 2", t.in_table2, t.average2, t.cv2),
            ("table 3", t.in_table3, t.average3, t.cv3),
        )
    )


def largest_cv(n: int, low: float, high: float, ddof: int = 0) -> float:
    """Largest CV that n values between two limits can have.

    A deviation over a mean is quasi-convex, so the largest lies at a corner: some values at one limit, the
    rest at the other.
    """
    corners = (np.r_[np.full(k, high), np.full(n - k, low)] for k in range(n + 1))
    return max(coefficient_of_variation(x, ddof=ddof) for x in corners)


ANALYSES = (published,)
