"""Do the models of this run keep what is right and withdraw what is wrong? The answer that heads their page."""

from __future__ import annotations

from typing import Any

import numpy as np

from metacog.core.frames import rows_of
from metacog.report.needed import area_cost
from metacog.studies.study5_battery.replication.analysis import Monitoring
from metacog.studies.study5_battery.replication.trials import SIGNALS

#: In place of sentences about models.
NOTHING = "no conversation with an answer was understood from end to end."
#: By which side of chance the probability of KEEP lies on.
_SIDES = {1: "higher for right answers", -1: "lower for right answers"}


def page_answer(result: Monitoring) -> str:
    """Whether wrong answers are withdrawn; where the choice does not show it, whether its probability does."""
    rows = [row for row in rows_of(result.means) if np.isfinite(row.stood)]
    if not rows:
        return f"No model of this run can be judged: {NOTHING}"
    more, less = (sum(ends) for ends in zip(*((r.lower > 0, r.upper < 0) for r in rows), strict=True))
    if more or less:
        return _told(rows, more, less)
    one, sides = len(rows) == 1, _sides(result)
    side = next((s for s in _SIDES if s in sides), 0)
    where = "" if one else f"in {sides.count(side)} of {len(rows)} models "
    behind = (
        f"{where}the probability behind {'its' if one else 'the'} choice is {_SIDES[side]}" if side else ""
    )
    if all(row.stood in (0, 100) for row in rows):
        verb = "keeps" if rows[0].stood else "withdraws"
        same = f"{rows[0].model} {verb} every answer, right or wrong"
        same = same if one else "All answers are kept, or all withdrawn"
        return f"{same}{f'; yet {behind}' if side else ', so that its choice tells nothing'}."
    whose = f"{rows[0].model} withdraws its" if one else "models here withdraw their"
    told = f"Whether {whose} wrong answers more often than right ones cannot be told."
    rather = f"{whose} wrong answers" if one else "wrong answers are withdrawn"
    return f"Whether {rather} more often cannot be told; {behind}." if side else told


def _told(rows: list[Any], more: int, less: int) -> str:
    """How many models withdraw rather what is wrong, or what is right."""
    kinds = ("wrong", "right") if more else ("right", "wrong")
    if len(rows) == 1:
        return f"{rows[0].model} withdraws its {kinds[0]} answers more often than its {kinds[1]} ones."
    n = more or less
    verb = "withdraws" if n == 1 else "withdraw"
    but = "; some do the reverse" if more and less else ""
    return f"{n} of {len(rows)} models here {verb} {kinds[0]} answers more often than {kinds[1]} ones{but}."


def _sides(result: Monitoring) -> list[int]:
    """On which side of chance the probability of KEEP lies, by model: 1, -1, or 0 where that cannot be told."""
    graded = result.graded[result.graded["signal"] == SIGNALS["p_keep"]]
    return [int(row.lower > 0.5) - int(row.upper < 0.5) for row in rows_of(graded)]


def needed(result: Monitoring) -> str:
    """How many answers would settle whether the probability of KEEP tells right from wrong, where none does."""
    graded = result.graded[(result.graded["signal"] == SIGNALS["p_keep"]) & result.graded["lower"].notna()]
    if graded.empty or any(_sides(result)):
        return ""
    most = int(graded["n"].max())
    cost = area_cost(float((1 - graded["n_incorrect"] / graded["n"]).median()), most)
    return f"Whether the probability behind the choice tells right from wrong is open, too: {cost}."
