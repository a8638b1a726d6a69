"""What the estimators and the simulated observers say, in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study3_dmc.dmc.analysis import Decoupling, Estimators
from metacog.studies.study3_dmc.dmc.estimators import of_factor
from metacog.studies.study3_dmc.observers.fixed_efficiency import MEASURES

#: Fewest trials from which an error is taken to fall with the root of their number.
LARGE = 400
#: The two that take ability off.
RATIOS = {"mc", "m_ratio"}


def page_answer(result: Decoupling) -> str:
    """Which measures stay flat for every kind of observer whose ability alone changes."""
    rows = once(result.variations)
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


def zero(result: Decoupling) -> str:
    """What the place of zero does to a coefficient of variation: AUROC2 counted from 0 and from one half."""
    by = once(result.variations).pivot(index="kind", columns="measure", values="exact")
    low, high = by["auroc2"].agg(["min", "max"])
    low_above, high_above = by["auroc2_above"].agg(["min", "max"])
    return (
        f"Counted from 0, AUROC2 has a coefficient of {low:.2f} to {high:.2f}; counted from one half, which orders "
        f"observers in the same way, of {low_above:.2f} to {high_above:.2f}: coefficients of different measures are "
        "not on one scale."
    )


def sampled(result: Decoupling) -> str:
    """How much variation sampling adds to the paper's measure where there is next to none."""
    rows = result.variations[result.variations["measure"] == "mc"]
    few = rows[rows["n_trials"] == rows["n_trials"].min()]
    return (
        f"With {few['n_trials'].iloc[0]:,} trials an observer, sampling alone makes the coefficient of the paper's "
        f"measure {few['cv'].min():.2f} to {few['cv'].max():.2f}; in truth it is at most {few['exact'].max():.3f}."
    )


def once(variations: pd.DataFrame) -> pd.DataFrame:
    """One row per kind and measure: what is exact does not depend on the number of trials."""
    return variations[variations["n_trials"] == variations["n_trials"].min()]


def few_and_many(result: Estimators) -> str:
    """How far DMC and maximum likelihood are off on average from the fewest trials and from the most."""
    rows = of_factor(result.designs, "n_trials")
    n_few, n_many = int(rows["n_trials"].min()), int(rows["n_trials"].max())
    few, many = (rows[rows["n_trials"] == n].set_index("estimator")["bias"] for n in (n_few, n_many))
    furthest = max(abs(many[name]) for name in ("dmc", "ml"))
    return (
        f"With {n_few:,} trials DMC is off by {few['dmc']:+.2f} on average and maximum likelihood by {few['ml']:+.2f}; "
        f"with {n_many:,} neither is off by more than {furthest:.3f}."
    )


def usage(result: Estimators) -> str:
    """The use of ratings that DMC copes with worst, with the bias of each estimator there."""
    rows = of_factor(result.designs, "usage")
    few = rows[rows["n_trials"] == rows["n_trials"].min()]
    worst = few[few["estimator"] == "dmc"].set_index("usage")["bias"].abs().idxmax()
    each = listed(f"{r.bias:+.2f} ({r.name})" for r in rows_of(few[few["usage"] == worst]))
    n = few["n_trials"].iloc[0]
    return f"DMC copes worst with ratings used *{worst}*: with {n:,} trials the bias there is {each}."


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
    Views("estimators", sentences={"few_and_many": few_and_many, "usage": usage, "needed": needed}),
    Views("decoupling", sentences={"answer": page_answer, "zero": zero, "sampled": sampled}),
)
