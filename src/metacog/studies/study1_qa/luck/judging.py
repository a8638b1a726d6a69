"""What a run says of public difficulty, private knowledge and the luck of the draw, by fixed rules."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.crossing_bound import SLOPE_RATIO
from metacog.measures.self_knowledge import DRAW
from metacog.report.rules import Unit, judged, those, unit
from metacog.report.verdicts import Kind, Verdict

RULES = {
    "draw": (
        "In every model a draw's own confidence tells right from wrong better than what the model's other answers to"
        " the question say together (its confidence at the lowest temperature and the mean of the other draws', "
        "combined by a model fitted to other questions): the 95 % interval of the difference of the two AUROC2, over"
        " questions, lies above 0."
    ),
    "share": (
        "In every model more than half of what confidence says of correctness at T = 1 is about the draw: "
        "the 95 % interval of the draw's share, over questions, lies above one half, and above the most that a draw "
        "without any luck gets."
    ),
    "private": (
        "The confidence of every two models crosses at the lowest temperature by more than unequal readers of one "
        "difficulty do: the 95 % interval of their crossing, over questions, lies above what simulated models without "
        f"self-knowledge reach if the answers of one depend on difficulty {SLOPE_RATIO:g} times as steeply."
    ),
    "rise": (
        "In every model more than half of the rise of AUROC2 from the lowest temperature to T = 1 is the "
        "draw's: the rise is shown, and the 95 % interval, over questions, of half of it less what is left "
        "of it with the question's confidence lies above 0."
    ),
}


def on_draws(draws: pd.DataFrame) -> Verdict | None:
    """Whether the draw's own confidence beats what is known of its question."""
    units = [_above(r.model, r.luck_lower, r.luck_upper, 0.0, r.why) for r in rows_of(draws)]
    return _verdict("draw", units)


def on_shares(parts: pd.DataFrame, temperature: float) -> Verdict | None:
    """Whether most of the information at a temperature is the draw's."""
    rows = parts[(parts["part"] == DRAW) & (parts["temperature"] == temperature)]
    units = []
    for r in rows_of(rows):
        if not r.why and r.no_luck >= r.share_lower > 0.5:
            why = f"the interval contains {r.no_luck:.2f}, what a draw has without luck"
            if r.share_upper < r.no_luck:
                why = f"a draw without luck has {r.no_luck:.2f}, more than this one"
            units.append(Unit(r.model, None, why))
        else:
            units.append(_above(r.model, r.share_lower, r.share_upper, 0.5, r.why))
    return _verdict("share", units, temperature=temperature)


def on_crossings(crossings: pd.DataFrame, temperature: float) -> Verdict | None:
    """Whether every two models' confidence fits their own answers better than unequal readers' of one difficulty."""
    rows = crossings[crossings["temperature"] == temperature] if len(crossings) else crossings
    units = [_above(f"{r.first} with {r.second}", r.lower, r.upper, r.bound, r.why) for r in rows_of(rows)]
    return _verdict("private", units)


def on_rises(rises: pd.DataFrame, temperature: float) -> Verdict | None:
    """Whether most of the rise of AUROC2 with temperature is the draw's."""
    rows = rises[rises["temperature"] == temperature] if len(rises) else rises
    units = []
    for r in rows_of(rows):
        if r.why or r.with_draw_lower <= 0:
            level = "the interval contains 0: a rise is not shown"
            units.append(Unit(r.model, None, r.why or (level if r.with_draw_upper >= 0 else "it falls")))
        else:
            units.append(_above(r.model, r.mostly_draw_lower, r.mostly_draw_upper, 0.0, ""))
    return _verdict("rise", units)


def _above(name: str, lower: float, upper: float, level: float, why: str) -> Unit:
    """Above a level, below it, or undecided where the interval holds it."""
    if why:
        return Unit(name, None, why)
    if lower <= level <= upper:
        return Unit(name, None, f"the interval contains {level:.2g}")
    return unit(name, lower > level, known=lower == lower)


def _verdict(topic: str, units: list[Unit], **values: Any) -> Verdict | None:
    if not units:
        return None
    shown, refuted = those(units, True), those(units, False)
    named: dict[str, Any] = {"name": topic, "topic": topic, "shown": shown, "refuted": refuted}
    return judged(units, "Luck", Kind.EXPLORATORY, RULES[topic], **named, **values)
