"""What the estimators and the simulated observers say, in words."""

from __future__ import annotations

import numpy as np

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study3_dmc.dmc import Decoupling, Estimators
from metacog.studies.study3_dmc.observers import MEASURES

#: Fewest trials from which an error is taken to fall with the root of their number.
LARGE = 400
#: The two that take ability off.
RATIOS = {"mc", "m_ratio"}


def page_answer(result: Decoupling) -> str:
    """Which measures stay flat for every kind of observer whose ability alone changes."""
    rows = result.variations.drop_duplicates(
        ["kind", "measure"]
    )  # what is exact hangs on no number of trials
    flat = rows["exact"].lt(result.flat_below).groupby(rows["measure"], sort=False).all()
    whole, rest = set(flat[flat].index), int((~flat).sum())
    if not whole:
        return "No: every measure tried here moves when simulated observers change in ability alone."
    if not rest:
        return "Every measure tried here stays the same when simulated observers change in ability alone."
    if whole == RATIOS:
        return (
            "Yes, for simulated observers: the paper's measure and the older M-ratio stay the same when ability alone "
            f"changes; the other {rest} move."
        )
    names = listed(MEASURES[m] for m in flat[flat].index)
    stay = "stays" if len(whole) == 1 else "stay"
    return f"Of the measures tried, only {names} {stay} the same when ability alone changes."


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
