"""What a run says of the surface of its answers, by fixed rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.answer_surface import ALL, SURFACE
from metacog.report.rules import Unit, beyond, judged, those
from metacog.report.verdicts import Kind, Verdict

#: Share of the information in confidence of which it is asked whether it is left.
HALF = 0.5
#: Said where no verdict is drawn.
TOO_SMALL = "too small"
#: What each rule is about: the control, the quantity whose interval must lie above a limit, and the limit.
RULES_OF = {
    "rest": (SURFACE, "alike", 0.5),
    "most": (SURFACE, "share", HALF),
    "rest_of_all": (ALL, "alike", 0.5),
    "most_of_all": (ALL, "share", HALF),
}
_WHERE = "In every model, at the lowest temperature and at T = 1,"
RULES = {
    "rest": (
        f"{_WHERE} NLP tells right answers from wrong ones among answers that are alike in length and word rarity: the "
        "95 % interval, over questions, of its AUROC2 there lies above 0.5."
    ),
    "most": (
        f"{_WHERE} more than half of the information that NLP carries about being right is left beyond the length and "
        "the word rarity of the answer: the 95 % interval of the share, over questions, lies above one half."
    ),
    "rest_of_all": (
        f"{_WHERE} NLP tells right answers from wrong ones among answers that are alike in length, word rarity and the "
        "other models' NLP on the question: the 95 % interval, over questions, of its AUROC2 there lies above 0.5."
    ),
    "most_of_all": (
        f"{_WHERE} more than half of the information that NLP carries about being right is left beyond length, word "
        "rarity and the other models' NLP on the question: the 95 % interval of the share, over questions, lies above "
        "one half."
    ),
}


def verdicts(left: pd.DataFrame, temperatures: Sequence[float]) -> list[Verdict | None]:
    """All four verdicts; None where the run has nothing that a rule is about."""
    rows = left[left["temperature"].isin(temperatures)]
    return [on_rule(rows, name) for name in RULES_OF]


def on_rule(rows: pd.DataFrame, name: str) -> Verdict | None:
    """A verdict on one of :data:`RULES`."""
    control, quantity, limit = RULES_OF[name]
    units = [
        beyond(
            f"{row.model} at T = {row.temperature:g}",
            getattr(row, f"{quantity}_lower"),
            getattr(row, f"{quantity}_upper"),
            limit,
            row.flag or "no interval",
        )
        for row in rows_of(rows[rows["control"] == control])
    ]
    return _verdict(name, units)


def _verdict(name: str, units: list[Unit]) -> Verdict | None:
    if not units:
        return None
    topic = "all" if name.endswith("_of_all") else "surface"
    named: dict[str, Any] = {
        "name": name,
        "topic": topic,
        "shown": those(units, True),
        "refuted": those(units, False),
    }
    return judged(units, "Surface", Kind.EXPLORATORY, RULES[name], **named)


def outcome(found: Sequence[Verdict]) -> str:
    """What the verdicts say together, by the broadest control that the run has.

    ``most``: more than half is left everywhere; ``little``: less than half everywhere; ``mixed``: both occur; ``some``:
    something is left everywhere, and how much cannot be told; ``open``: none of these.
    """
    by_name = {v.name: v for v in found}
    most = by_name.get("most_of_all") or by_name.get("most")
    rest = by_name.get("rest_of_all") or by_name.get("rest")
    if most is None or rest is None:
        return "open"
    above, below = most.values["shown"], most.values["refuted"]
    if most.passed:
        return "most"
    if below:
        return "mixed" if above or most.undecided else "little"
    return "some" if rest.passed else "open"
