"""Does standing by the right answers (T1 to T5) go with asking for help (T6)?"""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.report.views import Views
from metacog.sdt.correlations import Correlation, correlation
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, path_rates
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, printed_profiles
from metacog.studies.study5_battery.profiles import NAMES
from metacog.verdicts.needed import R, models_for_correlation
from metacog.verdicts.outcomes import outcomes
from metacog.verdicts.rules import Unit

#: Correlations within this of 0 are called nearly unrelated.
RELATED = 0.3


@analysis(files=FILES)
def regulation(inputs: Inputs) -> dict[str, Any]:
    """Does a model that judges its answers well also know when to ask for help?"""
    pairs, found = dissociation(load())
    pairs = pairs.assign(profile=pairs["model"].map(printed_profiles()).map(NAMES))
    return {
        "pairs": pairs.sort_values("direct", kind="stable").reset_index(drop=True),
        "r": found.r,
        "lower": found.lower,
        "upper": found.upper,
        "n": found.n,
        "outcomes": unrelated(found),
    }


def dissociation(responses: pd.DataFrame) -> tuple[pd.DataFrame, Correlation]:
    """Mean withdraw delta and the rates of T6's paths of each model, and how it goes with answering directly."""
    pairs = mean_deltas(deltas(responses)).merge(path_rates(responses), on="model")
    return pairs, correlation(pairs["delta"], pairs["direct"])


def unrelated(one: Correlation) -> pd.DataFrame:
    """Whether an interval lies between the limits: refuted only if entirely outside, open while it straddles one."""
    inside = -RELATED <= one.lower and one.upper <= RELATED
    outside = one.lower > RELATED or one.upper < -RELATED
    holds = True if inside else False if outside else None
    return outcomes("dissociation", [Unit("the correlation", holds, "the interval is too wide")])


def page_answer(result: Any) -> str:
    """Whether withdrawing what is wrong goes with answering directly.

    How often a model asks for help is a habit, not how well it chooses when.
    """
    if result.lower > 0 or result.upper < 0:
        more = "more" if result.r > 0 else "less"
        return f"Models that withdraw wrong answers rather than right ones also answer directly {more} often."
    return (
        "Whether models that withdraw wrong answers also choose otherwise beforehand cannot be told: "
        f"{result.n} models are too few."
    )


def needed(result: Any) -> str:
    return (
        f"Withdraw delta and answering directly correlate at {result.r:.2f} ({result.lower:.2f} to "
        f"{result.upper:.2f}); to tell a correlation of {R:g} from none takes {models_for_correlation()} models."
    )


ANALYSES = (regulation,)
VIEWS = (
    Views(
        "regulation", sentences={"answer": page_answer, "needed": needed}, verdicts={"dissociation": needed}
    ),
)
