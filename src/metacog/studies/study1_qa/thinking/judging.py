"""What the counts say of thinking, by fixed rules."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, beyond, judged, those
from metacog.report.verdicts import Kind, Verdict

#: What is asked of each measure, as a name for it and where its rule is shown.
ASKED = {"auroc2": "AUROC2", "meta_i2r": "meta-I2r", "m_ratio": "M-ratio", "accuracy": "accuracy"}
_RAISES = (
    "Thinking raises {measure} in every model: the 95 % interval of the difference, thinking on minus off, lies "
    "above 0."
)
RULES = {
    **{name: _RAISES.format(measure=measure) for name, measure in ASKED.items()},
    "worth": (
        "In every model more than half of the change of AUROC2 is a change in what a rating is worth: a change "
        "is shown, and the 95 % interval of twice that part minus the whole, in the whole's direction, lies "
        "above 0."
    ),
    "left_out": (
        "In every model AUROC2 changes in the same direction whatever the replies left out were: from the "
        "worst to the best case, 95 % limits included, the difference does not reach 0."
    ),
}


def on_differences(differences: pd.DataFrame, name: str) -> Verdict | None:
    """Whether thinking raises a measure."""
    rows = differences[differences["quantity"] == name]
    why = "its interval is not determined"
    units = [beyond(r.model, r.lower, r.upper, 0.0, why) for r in rows_of(rows)]
    return _verdict(name, units)


def on_parts(parts: pd.DataFrame) -> Verdict | None:
    """Whether a change of AUROC2 is mostly one of what a rating is worth."""
    rows = parts[(parts["quantity"] == "auroc2") & (parts["part"] == "worth")]
    units = []
    for r in rows_of(rows):
        if not (r.total_lower > 0 or r.total_upper < 0):
            units.append(Unit(r.model, None, "a change is not shown"))
        else:
            units.append(beyond(r.model, r.mostly_lower, r.mostly_upper, 0.0))
    return _verdict("worth", units)


def on_left_out(table: pd.DataFrame) -> Verdict | None:
    """Whether replies left out could turn the change of AUROC2."""
    units = []
    for r in rows_of(table[table["quantity"] == "auroc2"]):
        settled = r.worst_lower > 0 or r.best_upper < 0
        why = (
            "the worst and the best case lie on both sides of 0"
            if r.best_upper == r.best_upper
            else "no bounds"
        )
        units.append(Unit(r.model, True) if settled else Unit(r.model, None, why))
    return _verdict("left_out", units)


def _verdict(topic: str, units: list[Unit], **values: Any) -> Verdict | None:
    if not units:
        return None
    named: dict[str, Any] = {"shown": those(units, True), "refuted": those(units, False), "n": len(units)}
    return judged(
        units, "Thinking", Kind.EXPLORATORY, RULES[topic], name=topic, topic=topic, **named, **values
    )
