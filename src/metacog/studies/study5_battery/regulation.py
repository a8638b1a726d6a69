"""Does standing by the right answers (T1 to T5) go with asking for help (T6)?"""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.report.views import Views
from metacog.sdt.correlations import Correlation, correlation
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, path_rates
from metacog.studies.study5_battery.ledger.responses import PATHS, load
from metacog.studies.study5_battery.paper import FILES, models_of, printed_profiles
from metacog.studies.study5_battery.profiles import NAMES
from metacog.verdicts.needed import models_for_correlation
from metacog.verdicts.outcomes import outcomes
from metacog.verdicts.rules import Unit

#: Correlations within this of 0 are called nearly unrelated.
RELATED = 0.3


@analysis(files=FILES)
def regulation(inputs: Inputs) -> dict[str, Any]:
    """Does a model that judges its answers well also know when to ask for help?"""
    rows = load()
    pairs, found = dissociation(rows)
    pairs = pairs.assign(profile=pairs["model"].map(printed_profiles()).map(NAMES))
    return {
        "pairs": pairs.sort_values("direct", kind="stable").reset_index(drop=True),
        "by_tier": paths_by_tier(rows),
        "by_path": by_path(rows),
        "r": found.r,
        "lower": found.lower,
        "upper": found.upper,
        "n": found.n,
        "outcomes": unrelated(found),
    }


def dissociation(responses: pd.DataFrame) -> tuple[pd.DataFrame, Correlation]:
    """Mean withdraw delta, rates of T6's paths and share right on it; how delta goes with answering directly."""
    per_track = deltas(responses)
    right = per_track[per_track["track"] == "T6"].set_index("model")["accuracy"].rename("right_ahead")
    pairs = mean_deltas(per_track).merge(path_rates(responses), on="model").join(right, on="model")
    return pairs, correlation(pairs["delta"], pairs["direct"])


def paths_by_tier(responses: pd.DataFrame) -> pd.DataFrame:
    """Share of direct answers on each tier of T6, in %, and what else was chosen: ``model, tier, direct, told``."""
    six = responses[responses["track"] == "T6"]
    rows = []
    for model in models_of(six):
        for tier in dict.fromkeys(six["level"]):
            chosen = six[(six["model"] == model) & (six["level"] == tier)]["path"]
            direct, hint, declined = (100 * float((chosen == path).mean()) for path in PATHS.values())
            rows.append((model, tier, direct, f"hint {hint:.0f} %, declined {declined:.0f} %"))
    return pd.DataFrame(rows, columns=["model", "tier", "direct", "told"])


def by_path(responses: pd.DataFrame) -> pd.DataFrame:
    """How many answers on each path of T6 are right, of all models together; a declined item has none."""
    six = responses[(responses["track"] == "T6") & (responses["path"] != "DECLINE")]
    found = six.groupby("path", sort=False)["correct"].agg(items="size", accuracy="mean").reset_index()
    return found.sort_values("items", ascending=False, ignore_index=True)


def unrelated(one: Correlation) -> pd.DataFrame:
    """Whether an interval lies between the limits: refuted only if entirely outside, open while it straddles one."""
    inside = -RELATED <= one.lower and one.upper <= RELATED
    outside = one.lower > RELATED or one.upper < -RELATED
    holds = True if inside else False if outside else None
    return outcomes("dissociation", [Unit("the correlation", holds, "the interval is too wide")])


ANALYSES = (regulation,)
VIEWS = (Views("regulation", numbers=lambda result: {"needed": models_for_correlation()}),)
