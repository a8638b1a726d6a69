"""How much of confidence is difficulty, the model's own state, luck, and the surface? What the page says of it."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.measures.answer_surface import SURFACE
from metacog.measures.self_knowledge import DIFFICULTY, DRAW, STATE
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.counts import REFERENCE
from metacog.studies.study1_qa.cells.flags import NOTHING_READ, Flag
from metacog.studies.study1_qa.surface.judging import TOO_SMALL

#: Beginnings of the answer, by what the verdicts say together (:func:`.judging.outcome`).
BEGINNINGS = {
    "most": "Confidence is mostly more than surface",
    "little": "Confidence is mostly surface",
    "mixed": "Some models' confidence is mostly surface",
    "some": "Confidence is more than surface",
    "open": "Whether confidence is more than surface cannot be told",
    TOO_SMALL: "Too few answers to tell whether confidence is surface",
}


def answer(result: Any) -> str:
    """What confidence is made of, in the first model of which it can be told."""
    known = _at_one(result.parts)
    known = known[known["share"].notna()]
    if known.empty:
        return f"What confidence is made of cannot be told from this run. {_silent(result.draws)}".strip()
    own = known[known["model"] == known["model"].iloc[0]].set_index("part")
    draw, state = own.loc[DRAW], _percent(own.loc[STATE, "share"])
    if not draw["share_lower"] > draw["no_luck"]:
        return (
            f"Confidence is not shown to hold luck: the draw has {_percent(draw['share'])} of what it says, and could "
            f"have {_percent(draw['no_luck'])} without any luck."
        )
    luck = (
        f"Of what confidence says of a sampled answer, at most {_percent(draw['share'])} is luck of the draw"
    )
    if DIFFICULTY in own.index:
        return f"{luck}, {state} the model's own state; difficulty is the rest."
    return f"{luck}; the rest is about the question."


def tells(result: Any) -> str:
    """Whether confidence tells right from wrong at all, at the lowest temperature, where luck plays no part."""
    rows = result.answers[
        (result.answers["temperature"] == result.lowest) & result.answers["auroc2_lower"].notna()
    ]
    if rows.empty:
        return (
            f"Whether confidence tells right from wrong cannot be told here. {_silent(result.draws)}".strip()
        )
    low, high = (_percent(end) for end in (rows["auroc2"].min(), rows["auroc2"].max()))
    often = low if low == high else f"{low[:-2]} to {high}"
    better = rows["auroc2_lower"].gt(0.5)
    begun = "Yes" if better.all() else "In some models" if better.any() else "Not shown"
    return f"{begun}: at the lowest temperature confidence puts a right answer above a wrong one {often} of the time."


def bound(result: Any) -> str:
    """Of which model the answer is, and by how much a draw's own confidence beats the model's other answers."""
    rows = result.draws[result.draws["luck_lower"].notna()]
    if rows.empty:
        return (
            "It takes questions that were answered several times, enough of them both right and wrong, as the profile "
            "`default` asks."
        )
    first, clear = rows.iloc[0], int((rows["luck_lower"] > 0).sum())
    return (
        f"In {first['model']}, sampled at temperature {REFERENCE:g}. There an answer's own confidence tells right from "
        f"wrong {_percent(first['same_draw'])} of the time, the model's other answers to the question "
        f"{_percent(first['question'])}; own confidence is shown to do better in {clear} of "
        f"{plural(len(rows), 'model')}."
    )


def asked(result: Any) -> str:
    """The question of the example, with its key and who was asked."""
    if result.example.empty:
        return "No question of this run was answered several times, both right and wrong."
    first = result.example.iloc[0]
    return (
        f"“{first['question']}” {first['model']} was asked {len(result.example)} times, sampled at temperature "
        f"{first['temperature']:g}. The key is {first['key']}."
    )


def pairs(result: Any) -> str:
    """In how many pairs of answers to the example's question the right one is the more confident one."""
    if result.example.empty:
        return asked(result)
    marked = result.example["right"]
    right, wrong = (result.example.loc[mark, "confidence"] for mark in (marked, ~marked))
    ahead = sum(bool(one > other) for one in right for other in wrong)
    return (
        f"{len(right)} right and {len(wrong)} wrong answers make {plural(len(right) * len(wrong), 'pair')}; in {ahead} "
        "the right answer carries more confidence."
    )


def rise(result: Any) -> str:
    """Whether confidence tells more at a high temperature, and how much of that goes with the draw."""
    rows = _at_one(result.rises)
    rows = rows[rows["why"] == ""]
    if rows.empty:
        why = _silent(result.rises) or "It takes answers to the same questions at two temperatures."
        return f"Whether a higher temperature brings more insight cannot be told from this run. {why}"
    rising = int((rows["with_draw_lower"] > 0).sum())
    mostly = int(((rows["with_draw_lower"] > 0) & (rows["mostly_draw_lower"] > 0)).sum())
    if not rising:
        return "No model's confidence is shown to tell right from wrong better at a higher temperature."
    of = plural(len(rows), "model")
    if mostly:
        return (
            f"Confidence tells more at a higher temperature, but in {mostly} of {of} most of the rise can be luck of "
            "the draw, not insight."
        )
    return f"Confidence tells more at a higher temperature in {rising} of {of}; luck is not shown to be most of it."


def _at_one(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["temperature"] == REFERENCE]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _silent(table: pd.DataFrame) -> str:
    """That no confidence could be read, where this is the reason for every row; empty otherwise."""
    if table.empty or (table["why"] != Flag.SILENT).any():
        return ""
    return NOTHING_READ.format(models=listed(dict.fromkeys(row.model for row in rows_of(table))))


def beyond_surface(result: Any) -> str:
    """Whether confidence is only the surface of an answer, with the numbers of the first model that can be judged."""
    rows = result.left[(result.left["temperature"] == result.highest) & (result.left["control"] == SURFACE)]
    rows = rows[rows["alike"].notna()]
    begun = BEGINNINGS[result.outcome]
    if rows.empty or result.outcome in ("open", TOO_SMALL):
        return f"{begun}."
    alone, alike = (f"{100 * rows.iloc[0][name]:.0f} %" for name in ("alone", "alike"))
    return (
        f"{begun}: length and rare words tell right from wrong {alone} of the time, confidence {alike} among answers "
        "alike in both."
    )


VIEWS = (
    Views(
        "luck",
        sentences={
            "answer": answer,
            "tells": tells,
            "bound": bound,
            "asked": asked,
            "pairs": pairs,
            "rise": rise,
        },
        claims={
            "draw": "own confidence says more than the model's other answers",
            "share": "more than half of what it says is about the draw",
        },
    ),
    Views("surface", sentences={"answer": beyond_surface}),
)
