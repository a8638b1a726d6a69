"""What a run says of public difficulty, private knowledge and the luck of the draw, by fixed rules."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.measures.self_knowledge import DIFFICULTY, DRAW, OWN
from metacog.report.rules import Unit, every, those, undecided, unit
from metacog.report.verdicts import IN_WORDS, Kind, Verdict

RULES = {
    "draw": (
        "In every model a draw's own confidence tells right from wrong better than the confidence of another "
        "draw of the same question: the 95 % interval of the difference of the two AUROC2, over questions, "
        "lies above 0."
    ),
    "share": (
        "In every model more than half of what confidence says of correctness at T = 1 is about the draw: "
        "the 95 % interval of the draw's share, over questions, lies above one half."
    ),
    "private": (
        "The confidence of every two models crosses at the lowest temperature: the 95 % interval of their "
        "crossing, over questions, lies above 0."
    ),
    "rise": (
        "In every model more than half of the rise of AUROC2 from the lowest temperature to T = 1 is the "
        "draw's: the rise is shown, and the 95 % interval, over questions, of half of it less what is left "
        "of it with the question's confidence lies above 0."
    ),
}
#: What each part of the information is about.
ABOUT = {
    DIFFICULTY: "is about difficulty that the other models see too",
    OWN: "is about the model's own state (an upper bound of what is private)",
    DRAW: "is about the draw",
}


def on_draws(draws: pd.DataFrame) -> Verdict | None:
    """Whether the draw's own confidence beats that of another draw of its question."""
    units = [_above(r.model, r.luck_lower, r.luck_upper, 0.0, r.why) for r in rows_of(draws)]
    return _verdict("draw", "The luck of the draw", units)


def on_shares(parts: pd.DataFrame, temperature: float) -> Verdict | None:
    """Whether most of the information at a temperature is the draw's."""
    rows = parts[(parts["part"] == DRAW) & (parts["temperature"] == temperature)]
    units = [_above(r.model, r.share_lower, r.share_upper, 0.5, r.why) for r in rows_of(rows)]
    return _verdict("share", f"More than half for the draw at T = {temperature:g}", units)


def on_crossings(crossings: pd.DataFrame, temperature: float) -> Verdict | None:
    """Whether every two models know more of their own answers than of each other's."""
    rows = crossings[crossings["temperature"] == temperature] if len(crossings) else crossings
    units = [_above(f"{r.first} and {r.second}", r.lower, r.upper, 0.0, r.why) for r in rows_of(rows)]
    return _verdict("private", "A crossing above 0", units)


def on_rises(rises: pd.DataFrame, temperature: float) -> Verdict | None:
    """Whether most of the rise of AUROC2 with temperature is the draw's."""
    rows = rises[rises["temperature"] == temperature] if len(rises) else rises
    units = []
    for r in rows_of(rows):
        if r.why or r.with_draw_lower <= 0:
            units.append(Unit(r.model, None, r.why or "a rise is not shown"))
        else:
            units.append(_above(r.model, r.mostly_draw_lower, r.mostly_draw_upper, 0.0, ""))
    return _verdict("rise", "More than half of the rise for the draw", units)


def _above(name: str, lower: float, upper: float, level: float, why: str) -> Unit:
    """Above a level, below it, or undecided where the interval holds it."""
    if why:
        return Unit(name, None, why)
    if lower <= level <= upper:
        return Unit(name, None, f"the interval, {lower:.2f} to {upper:.2f}, holds {level:g}")
    return unit(name, lower > level, known=lower == lower)


def _verdict(topic: str, what: str, units: list[Unit]) -> Verdict | None:
    if not units:
        return None
    passed = every(units)
    found, missing = those(units, True), those(units, False)
    parts = [f"shown in {listed(found)}"] if found else []
    parts += [f"refuted in {listed(missing)}"] if missing else []
    where = f": {' and '.join(parts)}" if parts else ""
    sentence = f"{what} is {IN_WORDS[passed]}{where}.{undecided(units)}"
    return Verdict("Luck", Kind.EXPLORATORY, RULES[topic], passed, sentence, topic)


def headline(draws: pd.DataFrame, answers: pd.DataFrame) -> str:
    """How often confidence puts a right answer above a wrong one, and how much of that is luck, in short.

    Parameters
    ----------
    draws, answers : DataFrame
        As in :class:`metacog.studies.study1_qa.analyses.luck.Luck`.
    """
    sentences = []
    for model, own in answers.groupby("model", sort=False):
        known = own[own["auroc2"].notna()].sort_values("temperature")
        rows = known[known["temperature"].isin([own["temperature"].min(), 1.0])]
        if rows.empty:
            sentences.append(f"{model}: it cannot be told.")
            continue
        often = listed(f"{100 * r.auroc2:.0f} % at T = {r.temperature:g}" for r in rows_of(rows))
        luck = [r for r in rows_of(draws[draws["model"] == model]) if r.luck_lower == r.luck_lower]
        tail = (
            f", but {100 * luck[0].other_draw:.0f} % there with the confidence of another draw of the same "
            f"question: {100 * luck[0].luck:.0f} points ({100 * luck[0].luck_lower:.0f} to "
            f"{100 * luck[0].luck_upper:.0f}) are the luck of the draw"
            if luck
            else ""
        )
        sentences.append(f"{model}: {often}{tail}.")
    return " ".join(["How often confidence puts a right answer above a wrong one.", *sentences])


def in_full(draws: pd.DataFrame, parts: pd.DataFrame, answers: pd.DataFrame) -> str:
    """What a run says of each model: at the lowest temperature, at T = 1, and what of that is luck.

    Parameters
    ----------
    draws, parts, answers : DataFrame
        As in :class:`metacog.studies.study1_qa.analyses.luck.Luck`.
    """
    sentences = []
    for model, own in answers.groupby("model", sort=False):
        own = own.sort_values("temperature")
        lowest, at_one = own.iloc[0], own[own["temperature"] == 1.0]
        sentences.append(_answered(str(model), lowest))
        if len(at_one) and lowest["temperature"] != 1.0:
            sentences.append(_answered("it", at_one.iloc[0]))
        sentences += _luck_of(draws[draws["model"] == model])
        sentences += _parts_of(parts[(parts["model"] == model) & (parts["temperature"] == 1.0)])
    return " ".join(sentences)


def _answered(who: str, row: pd.Series) -> str:
    text = f"At T = {row['temperature']:g} {who} gets {100 * row['accuracy']:.0f} % of its answers right"
    if pd.isna(row["auroc2"]):
        return f"{text}, and its confidence cannot be judged ({row['why'] or 'one class only'})."
    share = f"{100 * row['auroc2']:.0f} %"
    return f"{text}, and its confidence puts a right answer above a wrong one {share} of the time."


def _luck_of(rows: pd.DataFrame) -> list[str]:
    return [
        f"With the confidence of another draw of the same question it is {100 * r.other_draw:.0f} %; the "
        f"difference, {100 * r.luck:.0f} points ({100 * r.luck_lower:.0f} to {100 * r.luck_upper:.0f}), is "
        f"the luck of the draw."
        for r in rows_of(rows)
        if r.luck_lower == r.luck_lower
    ]


def _parts_of(rows: pd.DataFrame) -> list[str]:
    known = rows_of(rows[rows["share"].notna()])
    shares = [
        f"{100 * r.share:.0f} % ({100 * r.share_lower:.0f} to {100 * r.share_upper:.0f}) {ABOUT[r.part]}"
        for r in known
    ]
    return [f"Of what confidence says there about being right, {listed(shares)}."] if shares else []
