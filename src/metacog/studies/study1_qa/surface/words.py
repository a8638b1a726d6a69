"""Is it only the surface? What the result says, in sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.measures.answer_surface import ALL, COMMONER, SHORTER, SURFACE
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.studies.study1_qa.surface.judging import TOO_SMALL

#: Answers to the question of the chapter, as :func:`.judging.answer` names them.
ANSWERS = {
    "most": "No: most of what confidence says about being right is left beyond them.",
    "little": "Mostly, yes: less than half of what confidence says about being right is left beyond them.",
    "mixed": "It differs: in some cases less than half of what confidence says about being right is left beyond them.",
    "some": "Not only: something is left beyond them in every case, though not in every case is it shown to be more "
    "than half.",
    "open": "It cannot be told from these answers.",
    TOO_SMALL: "This run is too small to tell.",
}
NEITHER = "Neither length nor word rarity is shown to go with being right."
NO_OTHERS = "The run has no other model, so nothing stands for what other models see in the same questions."
NO_OTHERS_READ = (
    "No other model of the run has a confidence that could stand for what others see in the same questions."
)


def headline(result: Any) -> str:
    """The answer, and the numbers that carry it, over the models."""
    others = ["the other models' NLP on the same questions"] if result.n_others else []
    question = f"Is it only {listed(['length', 'word rarity', *others])}? {ANSWERS[result.answer]}"
    rows = result.left[(result.left["temperature"] == result.highest) & result.left["alike"].notna()]
    surface, everything = (rows[rows["control"] == name] for name in (SURFACE, ALL))
    if surface.empty:
        return " ".join([question, *_models_at(result, result.highest)])
    over = _of(len(surface), result.left["model"].nunique())
    text = (
        f"At T = {result.highest:g}{over} length and word rarity alone put a right answer above a wrong one "
        f"{_span(surface['alone'])} of the time, NLP {_span(surface['auroc2'])}, and NLP among answers alike in both "
        f"{_span(surface['alike'])}{_share_left(surface)}"
    )
    if len(everything):
        text += (
            f"; among answers alike in the other models' NLP as well it does so {_span(everything['alike'])} of the "
            f"time{_share_left(everything)}"
        )
    alone = NO_OTHERS if result.left["model"].nunique() == 1 else NO_OTHERS_READ
    return " ".join([question, f"{text}.", *([] if result.n_others else [alone])])


def _of(n: int, n_models: int) -> str:
    """Over how many models a range is."""
    return (
        "" if n_models == 1 else f" ({n_models} models)" if n == n_models else f" ({n} of {n_models} models)"
    )


def _share_left(rows: Any) -> str:
    shares = rows["share"].dropna()
    return f", with {_span(shares)} of its information" if len(shares) else ""


def _span(values: Any) -> str:
    """The least and the greatest of several shares, in percent."""
    low, high = (f"{100 * share:.0f}" for share in (values.min(), values.max()))
    return f"{low} %" if low == high else f"{low} to {high} %"


def at_highest(result: Any) -> str:
    """The same numbers of each model, with intervals."""
    return " ".join(_models_at(result, result.highest))


def at_lowest(result: Any) -> str:
    """The same numbers at the lowest temperature."""
    if result.lowest == result.highest:
        return "The run has no temperature below this one."
    return " ".join(_models_at(result, result.lowest))


def words(result: Any) -> str:
    """How many answers the table of words covers."""
    parts = []
    for temperature in dict.fromkeys((result.lowest, result.highest)):
        own = rows_of(result.known[result.known["temperature"] == temperature])
        shares = listed(f"{_percent(row.share)} ({row.model})" for row in own)
        parts += [f"of {shares} of the answers at T = {temperature:g}"] * bool(own)
    knows = f" It knows every word {listed(parts)}." if parts else ""
    return (
        f"The table holds {result.n_words:,} words.{knows} The other words count as rare as its rarest, with a Zipf "
        f"frequency of {result.floor:g}."
    )


def _models_at(result: Any, temperature: float) -> list[str]:
    rows = result.left[result.left["temperature"] == temperature]
    return [_of_model(str(model), temperature, own) for model, own in rows.groupby("model", sort=False)]


def _of_model(model: str, temperature: float, own: Any) -> str:
    by_control = {row.control: row for row in rows_of(own)}
    surface, everything = by_control[SURFACE], by_control.get(ALL)
    where = f"{model} at T = {temperature:g}"
    if surface.alike != surface.alike:
        return f"{where}: it cannot be told ({surface.flag})."
    text = (
        f"{where}: NLP puts a right answer above a wrong one {_percent(surface.auroc2)} of the time, length and word "
        f"rarity alone {_percent(surface.alone)}. Among answers alike in both NLP does so {_left(surface)}"
    )
    if everything is not None and everything.alike == everything.alike:
        text += (
            f"; among answers alike in the NLP of {plural(int(everything.n_others), 'other model')} as well, "
            f"{_left(everything)}"
        )
    return f"{text}."


def _left(row: Any) -> str:
    text = f"{_percent(row.alike)} ({_ends(row, 'alike')})"
    if row.share == row.share:
        text += (
            f", with {_percent(row.share)} ({_ends(row, 'share')}) of the information that it has by itself"
        )
    return text


def _ends(row: Any, name: str) -> str:
    low, high = (100 * getattr(row, f"{name}_{end}") for end in ("lower", "upper"))
    return f"{low:.0f} to {high:.0f}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


#: Features of which it is said how they go with being right and with NLP, and what either end is called.
ENDS = {
    SHORTER: ("shorter answers", "longer answers"),
    COMMONER: ("answers of commoner words", "answers of rarer words"),
}
#: What a feature does to NLP, by whether the answers that are right more often have the higher NLP.
DOES = {
    True: "higher NLP, which lends NLP some of what it says",
    False: "lower NLP, which hides some of what NLP says",
}


def directions(result: Any) -> str:
    """Whether length and rarity lend NLP something, or hide some of what it says."""
    known = result.features[result.features["feature"].isin(list(ENDS))]
    found: dict[tuple[float, str, bool], list[str]] = {}
    for temperature in dict.fromkeys((result.lowest, result.highest)):
        for row in rows_of(known[known["temperature"] == temperature]):
            if row.auroc2_lower > 0.5 or row.auroc2_upper < 0.5:
                other_end = row.auroc2 < 0.5
                rho = -row.rho if other_end else row.rho
                kind = (temperature, ENDS[row.feature][other_end], rho > 0)
                found.setdefault(kind, []).append(f"{row.model} ({rho:+.2f})")
    sentences = [
        f"At T = {temperature:g} {which} are right more often and have the {DOES[higher]}: {listed(models)}."
        for (temperature, which, higher), models in found.items()
    ]
    return " ".join(["In brackets, rank correlations with NLP.", *sentences] if sentences else [NEITHER])


def judgement(what: str) -> Callable[[Verdict], str]:
    """The sentence of a verdict over models and temperatures."""

    def sentence(verdict: Verdict) -> str:
        v = verdict.values
        parts = [f"{how} for {listed(v[how])}" for how in ("shown", "refuted") if v[how]]
        where = f": {' and '.join(parts)}" if parts else ""
        return f"{what} is {OUTCOME[verdict.passed]}{where}.{undecided_clause(verdict.undecided)}"

    return sentence
