"""What each signal is worth where one of two answers is chosen: rows for the page that sets tasks beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metacog.studies.contributions import SignalAreas, signal_areas_of
from metacog.studies.study import analysis
from metacog.studies.study3_dmc.asking.ways import NAMES, way_name

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: What was asked, as readers know it.
TASK = "one of two answers"
#: The plain way of asking for each kind of signal, by its name in the study's tables.
PLAIN = {
    NAMES["token_probability"]: "log-probability",
    way_name("verbal_vanilla", "written"): "stated number",
    NAMES["p_true"]: "P(True)",
    NAMES["consistency_self_random"]: "agreement",
}


@analysis(name="signal_areas", needs=("signals", "replication"), returns=SignalAreas)
def signal_areas(inputs: Inputs) -> SignalAreas:
    """How well does each signal tell right answers from wrong ones, and what does abstaining by it gain?"""
    pooled, decided = inputs.result("signals").pooled, inputs.result("replication").abstained
    plain = pooled[pooled["name"].isin(list(PLAIN))]
    areas = plain.assign(task=TASK, signal=plain["name"].map(PLAIN))
    made = decided[decided["name"].isin(list(PLAIN)) & (decided["why"] == "")]
    return signal_areas_of(areas.to_dict("records"), made.assign(task=TASK, signal=made["name"].map(PLAIN)))
