"""What the estimators and the simulated observers say, in words."""

from __future__ import annotations

import numpy as np

from metacog.report.views import Views
from metacog.studies.study3_dmc.dmc import Decoupling, Estimators

#: Fewest trials from which an error is taken to fall with the root of their number.
LARGE = 400
#: The two that take ability off.
RATIOS = {"mc", "m_ratio"}


def page_answer(result: Decoupling) -> str:
    """How far ability alone moves the measures that take it off, at most, and the others, at least."""
    ratio = result.moves["measure"].isin(RATIOS)
    most, least = result.moves.loc[ratio, "moved"].max(), result.moves.loc[~ratio, "moved"].min()
    if most >= least:
        return (
            "No: in simulations ability alone moves the paper's measure or the M-ratio as far as it moves another "
            "measure."
        )
    return (
        "Nearly, in simulations: ability alone moves the paper's measure and the M-ratio by at most "
        f"{most:.0%} of their range, the others by {least:.0%} or more."
    )


def needed(result: Estimators) -> str:
    """How many independent trials would make the sampling variation of MC as small as what is published."""
    table, low, high = result.designs, result.lowest_cv, result.highest_cv
    rows = table[(table["estimator"] == "dmc") & (table["n_trials"] >= LARGE)]
    once_ = (rows["sd"] / (rows["m_ratio"] + rows["bias"])) * np.sqrt(rows["n_trials"])
    size = [float(f"{(once_.min() / cv) ** 2:.2g}") for cv in (high, low)]
    return (
        f"For chance alone to leave the published coefficients of {low:g} to {high:g}, a data set would need about "
        f"{size[0]:,.0f} to {size[1]:,.0f} independent trials; how many the paper had is not published."
    )


VIEWS = (
    Views("estimators", sentences={"needed": needed}),
    Views("decoupling", sentences={"answer": page_answer}),
)
