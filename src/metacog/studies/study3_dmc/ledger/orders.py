"""Claims of study 3's text on the order of its printed averages and CVs, counted in comparisons that hold."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pandas as pd

from metacog.studies.study3_dmc.ledger import published
from metacog.studies.study3_dmc.ledger.published import CV_MEASURES, METHODS, MODELS

VERBALISED = ("verb_vanilla", "verb_cot", "verb_topk")
#: The claim that rests on table 1.
VARIATION = "cv_lowest"
CONSISTENCY = ("self_random", "perturbing", "misleading")


#: Whether each comparison of a claim holds, and the averages that are compared.
Held = tuple[list[bool], str]


def _shown(averages: pd.Series, methods: tuple[str, ...]) -> str:
    return ", ".join(f"{METHODS[m]} {averages[m]:.4f}" for m in methods)


def _below(lowest: str, methods: tuple[str, ...], averages: pd.Series) -> Held:
    others = [m for m in methods if m != lowest]
    return [bool(averages[lowest] < averages[m]) for m in others], _shown(averages, methods)


def _notably(averages: pd.Series) -> Held:
    """Both above, and the second by more than the first."""
    base, one, other = (float(averages[m]) for m in VERBALISED)
    note = f"{one - base:.4f} and {other - base:.4f} above; notably is read as by more than the other"
    return [one > base, other > base, other - base > one - base], note


def _pairs(averages: pd.Series, pairs: product[tuple[str, str]]) -> Held:
    """Whether the first of each pair lies below the second."""
    listed = list(pairs)
    gaps = [float(averages[high] - averages[low]) for low, high in listed]
    return [gap > 0 for gap in gaps], f"by {min(gaps):.4f} to {max(gaps):.4f}"


def _slightly(averages: pd.Series) -> Held:
    """The order alone: no measure of "slightly" is printed, so the gap stands next to another one."""
    held, by = _pairs(averages, product(("perturbing", "misleading"), ("self_random",)))
    other = float(averages[list(CONSISTENCY)].min() - averages[list(VERBALISED)].max())
    return (
        held,
        f"{by}; only the order is judged, every consistency way is {other:.4f} or more above the others",
    )


def _models(averages: pd.Series) -> Held:
    methods = list(dict.fromkeys(averages.index.get_level_values("method")))
    steps = [(low, high, m) for m in methods for low, high in pairwise(MODELS)]
    held = [bool(averages[high, m] > averages[low, m]) for low, high, m in steps]
    cells = published.cells("table3")
    single = [cells.loc[(high, m)].to_numpy() > cells.loc[(low, m)].to_numpy() for low, high, m in steps]
    return held, f"and in {int(np.sum(single))} of {np.size(single)} comparisons of single cells"


def _spread(averages: pd.Series) -> Held:
    low, high = (averages[m].to_numpy(dtype=np.float64) for m in ("llama2_70b", "gpt_4"))
    note = f"range {np.ptp(low):.4f} and {np.ptp(high):.4f}, sd {low.std():.4f} and {high.std():.4f}"
    return [bool(np.ptp(low) < np.ptp(high)), bool(low.std() < high.std())], note


def _variation() -> Held:
    """Whether the CV of DMC lies below that of each other measure with each way of eliciting confidence."""
    printed = published.as_numbers("table1").set_index("method")[list(CV_MEASURES)]
    ratios = printed.drop(columns="dmc").div(printed["dmc"], axis=0).to_numpy(dtype=np.float64).ravel()
    note = f"the others are {ratios.min():.0f} to {ratios.max():.0f} times as large, as printed"
    return [bool(ratio > 1) for ratio in ratios], note


#: What each claim gives, by its id: from averages of table 2 by method, and of table 3 by (model, method).
ORDERS: dict[str, Callable[[pd.Series, pd.Series], Held]] = {
    "vanilla_lowest": lambda two, three: _below("verb_vanilla", VERBALISED, two),
    "topk_notably": lambda two, three: _notably(two),
    "consistency_above": lambda two, three: _pairs(two, product(VERBALISED, CONSISTENCY)),
    "models_ordered": lambda two, three: _models(three),
    "llama_differs_less": lambda two, three: _spread(three),
    VARIATION: lambda two, three: _variation(),
    "slightly_below": lambda two, three: _slightly(two),
}
