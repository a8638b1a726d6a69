"""How much of confidence is difficulty, the model's own state, luck, and the surface? What the page says of it."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.study1_qa.answer_surface import SURFACE
from metacog.studies.study1_qa.cells import NOTHING_READ, REFERENCE, Flag
from metacog.studies.study1_qa.luck_parts import DRAW
from metacog.studies.study1_qa.surface import TOO_SMALL

#: Beginnings of the answer, by what the verdicts say together (:func:`.judging.outcome`).
BEGINNINGS = {
    "most": "Confidence is mostly more than surface",
    "little": "Confidence is mostly surface",
    "mixed": "Some models' confidence is mostly surface",
    "some": "Confidence is more than surface",
    "open": "Whether confidence is more than surface cannot be told",
    TOO_SMALL: "Too few answers to tell whether confidence is surface",
}


#: The answer on luck where a draw without any luck could not say as much; what belongs to a draw may also be knowledge.
LUCK = (
    "At most {most} of what confidence tells of a sampled answer belongs to that one draw: its luck, or knowledge of "
    "that very answer."
)
#: And where such a draw could say as much, in some models or in all.
LUCK_OF_SOME = {
    "some": "Luck of the draw is shown in the confidence of {shown} of {models}; in others a draw without luck could "
    "say as much.",
    "none": "Confidence is not shown to hold luck of the draw: a draw without any luck could say as much.",
}
#: Whether confidence tells right from wrong, by in how many models it is shown to.
TELLS = {
    "all": "At the lowest temperature a right answer has more confidence than a wrong one {often} of the time, for "
    "whatever reason.",
    "some": "At the lowest temperature a right answer has more confidence than a wrong one {often} of the time: not "
    "shown in every model.",
    "none": "Confidence is not shown to tell right from wrong: a right answer has more of it {often} of the time.",
}


def answer(result: Any) -> str:
    """How much of confidence is luck at most: the highest end of the intervals of those models that can be judged."""
    rows = _told(result)
    if rows.empty:
        return f"What confidence is made of cannot be told from this run. {_silent(result.draws)}".strip()
    shown = int((rows["share_lower"] > rows["no_luck"]).sum())
    if shown < len(rows):
        return LUCK_OF_SOME["some" if shown else "none"].format(
            shown=shown, models=plural(len(rows), "model")
        )
    return LUCK.format(most=_range(rows["share_upper"].nlargest(1)))


def tells(result: Any) -> str:
    """Whether confidence tells right from wrong at all, at the lowest temperature, where luck plays no part."""
    rows = result.answers[
        (result.answers["temperature"] == result.lowest) & result.answers["auroc2_lower"].notna()
    ]
    if rows.empty:
        return (
            f"Whether confidence tells right from wrong cannot be told here. {_silent(result.draws)}".strip()
        )
    better = rows["auroc2_lower"].gt(0.5)
    outcome = "all" if better.all() else "some" if better.any() else "none"
    return TELLS[outcome].format(often=_range(rows["auroc2"]))


def bound(result: Any) -> str:
    """How many models the answer is of, its estimates, and in how many a draw's own confidence beats the other answers.

    Nothing of models of which the answer cannot be told.
    """
    told = _told(result)
    rows = result.draws[result.draws["model"].isin(told["model"]) & result.draws["luck_lower"].notna()]
    if rows.empty:
        return (
            "It takes questions that were answered several times, enough of them both right and wrong, as the profile "
            "`default` asks."
        )
    of = plural(len(rows), "model")
    return (
        f"In {of}, at temperature {REFERENCE:g}. Estimates are {_range(told['share'])}, in bits, of what the "
        "confidence of the other models, of the model and of the draw tell together. They bound luck from above: "
        "what a few other answers miss of a question counts as the draw's. An answer's own confidence is shown to tell "
        f"right from wrong better than the model's other answers in {int((rows['luck_lower'] > 0).sum())} of {of}."
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


def _told(result: Any) -> pd.DataFrame:
    """What belongs to the draw in the confidence of each model of which it can be told."""
    rows = _at_one(result.parts)
    return rows[(rows["part"] == DRAW) & rows["share"].notna()]


def _at_one(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["temperature"] == REFERENCE]


def _range(shares: pd.Series) -> str:
    """The lowest and the highest share in percent; one number where they are alike."""
    low, high = (f"{100 * end:.0f}" for end in (shares.min(), shares.max()))
    return f"{low} %" if low == high else f"{low} to {high} %"


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
            "share": "the draw's part, an upper bound, is more than half of what it says",
        },
    ),
    Views("surface", sentences={"answer": beyond_surface}),
)
