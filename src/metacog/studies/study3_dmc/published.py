"""What study 3 published, recomputed as far as the published figures allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.report.views import Views
from metacog.sdt.over_groups import coefficient_of_variation
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc import ledger, paper
from metacog.studies.study3_dmc.paper import CV_MEASURES, DATASETS, METHODS, MODELS, TABLE2_MODEL

#: The paper's ways of asking as this book's pages call them.
NAME = {method: name[:1].upper() + name[1:] for method, name in METHODS.items()}


@analysis(files=("data/published/dmc_*.csv",))
def published(inputs: Inputs) -> dict[str, Any]:
    """Which published figures follow from the published cells?"""
    rows = ledger.figures()
    rows = rows[rows["rounding"].notna() & rows["role"].isna()]
    rows = pd.concat([rows[rows["table"] == one] for one in (ledger.T2, ledger.T3, ledger.T1, ledger.TEXT)])
    judged = ledger.judged()
    of_one = rows["table"].isin((ledger.T1, ledger.T2))  # of one model, which their rows do not name
    figures = rows.assign(
        item=rows["item"].where(~of_one, f"{MODELS[TABLE2_MODEL]}, " + rows["item"]),
        published=rows["published"].astype(float),
        rounding=rows["precision"] + rows["reach"],
        agrees=judged[pd.MultiIndex.from_frame(rows[["table", "item", "quantity"]])].to_numpy(),
    )[["item", "quantity", "published", "value", "rounding", "agrees"]]
    most = largest_cv(len(DATASETS), 0.5, 1.0, ddof=1)
    half, cvs = paper.precision("table1"), paper.as_text("table1").set_index("method")["auroc"]
    return {
        "figures": figures.reset_index(drop=True),
        "above": [
            METHODS[str(method)] for method, text in cvs.items() if not ledger.possible(text, most, half)
        ],
        "largest_cv": most,
        "ways": printed_ways(),
        "variations": printed_variations(),
    }


def printed_ways() -> pd.DataFrame:
    """MC as printed, by model and way of asking: the average over the sets, between the lowest and the highest."""
    cells = pd.concat([paper.cells("table2"), paper.cells("table3")])
    cells = cells[~cells.index.duplicated()]
    means = pd.concat([paper.averages("table2"), paper.averages("table3")])
    found = pd.DataFrame(
        {"mc": means[~means.index.duplicated()], "mc_lower": cells.min(axis=1), "mc_upper": cells.max(axis=1)}
    ).reset_index()
    found = found.assign(name=found["method"].map(NAME), model=found["model"].map(MODELS))
    order = [list(METHODS).index(one) for one in found["method"]]
    return found.iloc[np.argsort(order, kind="stable")].drop(columns="method").reset_index(drop=True)


def printed_variations() -> pd.DataFrame:
    """Coefficients of variation over sets as printed (table 1): ``name, measure_name, cv``."""
    table = (
        paper.as_numbers("table1")
        .rename(columns=CV_MEASURES)
        .assign(name=lambda rows: rows["method"].map(NAME))
    )
    return table.melt("name", list(CV_MEASURES.values()), "measure_name", "cv")


def largest_cv(n: int, low: float, high: float, ddof: int = 0) -> float:
    """Largest CV that n values between two limits can have.

    A deviation over a mean is quasi-convex, so the largest lies at a corner: some values at one limit, the
    rest at the other.
    """
    corners = (np.r_[np.full(k, high), np.full(n - k, low)] for k in range(n + 1))
    return max(coefficient_of_variation(x, ddof=ddof) for x in corners)


def figures(result: Any) -> dict[str, Any]:
    """How many printed figures follow from the printed cells, and what the coefficients of AUROC imply."""
    of = result.figures["agrees"].astype(bool)
    flat = of[result.figures["quantity"] == ledger.CV]
    return {
        "n_follow": int(of.sum()),
        "n_printed": len(of),
        "flat_follow": int(flat.sum()),
        "n_flat": len(flat),
        "n_above": len(result.above),
        "n_ways": len(METHODS),
    }


ANALYSES = (published,)
VIEWS = (Views("published", numbers=figures),)
