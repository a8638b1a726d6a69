"""Does measured confidence tell luck from knowledge?

At a low temperature a model gives much the same answer whenever it is asked; at T = 1 a wrong answer is often an
unlucky draw of a model that would mostly answer rightly. Confidence taken from the draw's own words then says how
unlikely the draw was. Held against the confidence of the same question's answer at the lowest temperature, which
knows nothing of the draw, a rise of AUROC2 parts into what is the question's and what is the draw's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.collect.questions import load_questions
from metacog.core.frames import committed_table, rows_of
from metacog.sdt.area_comparison import AreaContrast, area_contrast
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import analysis
from metacog.studies.study1_qa import paper, shared_items
from metacog.studies.study1_qa.cells import (
    PUBLISHED_FILES,
    REFERENCE,
    Flag,
    open_trials,
    primary,
    silent_models,
)
from metacog.studies.study1_qa.ledger.first_paper import binned_cells
from metacog.studies.study1_qa.luck_parts import (
    CROSSING_COLUMNS,
    DRAW,
    LUCK_COLUMNS,
    PART_COLUMNS,
    STATE,
    TYPICAL_COLUMNS,
    SelfKnowledge,
    self_knowledge,
)
from metacog.studies.study1_qa.shared_items import REFERENCE_COLUMNS, SLOPE_RATIO
from metacog.trials import SCORE, scored
from metacog.verdicts.rules import Unit, judged, those, unit
from metacog.verdicts.verdict import Kind, Verdict, drawn

if TYPE_CHECKING:
    from metacog.collect.questions import Question
    from metacog.studies.results import Inputs


# What a run says of public difficulty, private knowledge and the luck of the draw, by fixed rules.

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


#: What is done with answers of one model at a temperature T and at the reference temperature r: weights of
#: AUROC2 at T with the draw's confidence, at T with that of the question's answer at r, and at r.
RISES = {
    "with_draw": (1.0, 0.0, -1.0),  # the rise as it is measured
    "with_question": (0.0, 1.0, -1.0),  # the rise that is left with confidence that knows no draw
    "of_draw": (1.0, -1.0, 0.0),  # the difference of both
    "mostly_draw": (0.5, -1.0, 0.5),  # above 0 where less than half of the rise is left
}
RISE_COLUMNS = (
    *("model", "reference", "temperature", "n"),
    *("auroc2_draw", "auroc2_question", "auroc2_reference"),
    *(f"{name}{end}" for name in RISES for end in ("", "_lower", "_upper")),
    "why",
)

#: Columns of version 2's table by temperature, and what they are called next to the counts.
PRINTED = {"T": "temperature", "auroc2": "printed", "a_lower": "printed_lower", "a_upper": "printed_upper"}

#: Simulated runs of this size whose parts are known (``benchmarks/self_knowledge.py``).
SIMULATED = "data/simulations/self_knowledge.csv"


def rises_with_temperature(trials: pd.DataFrame) -> pd.DataFrame:
    """Rise of AUROC2 from the lowest temperature to each other, with two kinds of confidence.

    Parameters
    ----------
    trials : DataFrame
        Open answers of one question set, one a model, question and temperature.

    Returns
    -------
    DataFrame
        ``model, reference, temperature, n`` (questions with confidence at both), ``auroc2_reference``,
        ``auroc2_draw`` and ``auroc2_question`` (at T, with the draw's confidence and with that of the answer
        at the reference), each of :data:`RISES` with ``_lower`` and ``_upper`` (95 %, over questions), and
        ``why`` there is no interval.
    """
    rows = []
    for model, own in scored(trials).groupby("model", sort=False):
        wide = {
            name: own.pivot(index="question_id", columns="temperature", values=name)
            for name in ("correct", SCORE)
        }
        reference, *others = sorted(float(t) for t in own["temperature"].unique())
        for temperature in others:
            known = wide[SCORE][[reference, temperature]].notna().all(axis=1)
            right, score = (wide[name].loc[known] for name in ("correct", SCORE))
            row = {"model": str(model), "reference": reference, "temperature": temperature}
            rows.append({**row, **_rise(right, score, reference, temperature)})
    return pd.DataFrame(rows, columns=list(RISE_COLUMNS))


def _rise(
    right: pd.DataFrame, score: pd.DataFrame, reference: float, temperature: float
) -> dict[str, object]:
    at, before = (right[t].to_numpy(bool) for t in (temperature, reference))
    scores = [score[t].to_numpy(np.float64) for t in (temperature, reference, reference)]
    found = {name: area_contrast([at, at, before], scores, weights) for name, weights in RISES.items()}
    areas = next(iter(found.values())).areas
    names = ("auroc2_draw", "auroc2_question", "auroc2_reference")
    row: dict[str, object] = {"n": len(right), **dict(zip(names, areas, strict=True))}
    for name, one in found.items():
        row |= {name: one.value, f"{name}_lower": one.lower, f"{name}_upper": one.upper}
    return {**row, "why": _why(found)}


def _why(found: dict[str, AreaContrast]) -> str:
    return next((one.why for one in found.values() if one.why), "")


def published_rises() -> pd.DataFrame:
    """The same rise in the first paper's counts and in version 2's print, and how much unlucky draws can be of it.

    The counts are in 20 bins of equal width: at a low temperature most answers fall into the highest few, and their
    ties hold AUROC2 down, so that a rise of it is partly one of ties that dissolve. Version 2 printed AUROC2 of eight
    ratings with edges of each temperature's own, which a mere shift of confidence leaves alone.

    Neither says which questions were answered rightly at both temperatures, so no confidence of the
    question can be held against the draw's. Accuracy at two temperatures still bounds (Fréchet 1935) how
    many of the wrong answers at T belong to questions answered rightly at the lowest temperature r: at
    least (a_r - a_T)/(1 - a_T), at most a_r/(1 - a_T).

    Returns
    -------
    DataFrame
        ``model, temperature, n, accuracy, auroc2, rise`` (of AUROC2, from the lowest temperature),
        ``unlucky_at_least, unlucky_at_most`` (shares of the wrong answers); of version 2, missing where it
        printed none, ``printed, printed_lower, printed_upper`` (AUROC2) and ``printed_rise``, from its own lowest
        temperature.
    """
    cells = binned_cells(paper.MAIN)
    table = cells.frame[["model", "temperature", "n", "accuracy"]].copy()
    table["auroc2"] = auroc2_from_counts(cells.nR_S1, cells.nR_S2)
    version_2 = paper.as_numbers("v2_temperature").rename(columns=PRINTED)[["model", *PRINTED.values()]]
    table = table.merge(version_2, on=["model", "temperature"], how="left", validate="one_to_one")
    parts = []
    for model, own in table.groupby("model", sort=False):
        rows = own.sort_values("temperature", kind="stable").assign(model=paper.MODELS[str(model)])
        at_reference = rows.iloc[0]
        wrong = 1 - rows["accuracy"]
        rows["rise"] = rows["auroc2"] - at_reference["auroc2"]
        rows["printed_rise"] = rows["printed"] - rows["printed"].dropna().iloc[0]
        rows["unlucky_at_least"] = ((at_reference["accuracy"] - rows["accuracy"]) / wrong).clip(lower=0)
        rows["unlucky_at_most"] = (at_reference["accuracy"] / wrong).clip(upper=1)
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)


def without_luck(parts: pd.DataFrame, recovery: pd.DataFrame) -> pd.DataFrame:
    """Parts whose ``no_luck`` is the most that a draw without luck gets: in the run's own data, or simulated.

    Parameters
    ----------
    parts : DataFrame
        See :func:`metacog.studies.study1_qa.luck_parts.parts`.
    recovery : DataFrame
        Of :func:`recovered`. Its models without luck read their own state once, or from five answers.
    """
    drawn = recovery[recovery["design"].str.startswith("no luck,") & (recovery["quantity"] == "share, draw")]
    once = drawn["design"].str.endswith("once")
    several = parts["n_readings"] > 1
    most = several.map({True: drawn["truth"][~once].max(), False: drawn["truth"][once].max()})
    judged = (parts["part"] == DRAW) & parts["share"].notna()
    return parts.assign(no_luck=parts["no_luck"].fillna(0).clip(lower=most).where(judged))


def recovered() -> pd.DataFrame:
    """What simulated runs of this size with known shares and known luck came out as.

    Returns
    -------
    DataFrame
        ``design, quantity, truth, n_used, bias, mean_absolute_error, sd, coverage, above_zero`` (share of
        runs whose interval lies there) of shares, crossings and repeated draws; of the parts in bits the shares alone
        are kept.
    """
    table = committed_table(SIMULATED)
    return table[~table["quantity"].str.startswith("bits")].reset_index(drop=True)


# One question as a reader sees it: several answers at one temperature, right and wrong, with their confidences.

EXAMPLE_COLUMNS = ("model", "question", "key", "answer", "confidence", "right", "temperature")
#: Answers that a question must have.
LEAST = 3


def example(trials: pd.DataFrame, asked: Mapping[str, Question]) -> pd.DataFrame:
    """Answers to the question that shows best how confidence can go with being right.

    Of the first model that has one: of the questions with a right and a wrong answer among at least :data:`LEAST`, the
    one whose least confident right answer lies farthest above its most confident wrong one; of several, the first by
    its name. First come questions that are read at a glance: every answer is one word, the right one came more than
    once, and wrong ones were not all the same. A question is passed over if the key is part of an answer marked wrong,
    which a reader might call right.

    Parameters
    ----------
    trials : DataFrame
        Answers at one temperature, several to a question.
    asked : mapping of str to Question
        Questions by their names.

    Returns
    -------
    DataFrame
        ``model, question, key, answer, confidence, right, temperature``, most confident answer first; without rows
        where no question can be shown.
    """
    told = trials["answer"].str.strip() != ""
    known = scored(trials)[told & trials["question_id"].isin(list(asked))]
    known = known[known["score"].notna()]
    for _, own in known.groupby("model", sort=False):
        gaps = {
            str(name): _gap(rows, asked[str(name)].accepted[0]) for name, rows in own.groupby("question_id")
        }
        plain = {str(name): at_a_glance(rows) for name, rows in own.groupby("question_id")}
        if best := [name for name, gap in gaps.items() if not np.isnan(gap)]:
            first = max(best, key=lambda name: (plain[name] and gaps[name] > 0, gaps[name]))
            return _shown(own[own["question_id"] == first], asked)
    return _shown(known.iloc[:0], asked)


def at_a_glance(answers: pd.DataFrame) -> bool:
    """Whether every answer is one word, the right one came more than once, and wrong ones are not all the same."""
    right, words = answers["correct"].astype(bool), answers["answer"].str.strip()
    return bool(words.str.fullmatch(r"[A-Za-z]+").all() and right.sum() > 1 and words[~right].nunique() > 1)


def _gap(answers: pd.DataFrame, key: str) -> float:
    """How far the least confident right answer lies above the most confident wrong one; NaN if it is no example."""
    right = answers["correct"].astype(bool)
    if len(answers) < LEAST or right.all() or not right.any():
        return np.nan
    if answers.loc[~right, "answer"].str.contains(key, case=False, regex=False).any():
        return np.nan
    return float(answers.loc[right, "confidence"].min() - answers.loc[~right, "confidence"].max())


def _shown(answers: pd.DataFrame, asked: Mapping[str, Question]) -> pd.DataFrame:
    rows = answers.sort_values("confidence", ascending=False, kind="stable")
    questions = [asked[name] for name in rows["question_id"]]
    columns = {
        "model": rows["model"].astype(object).to_numpy(),
        "question": np.array([q.question for q in questions], dtype=object),
        "key": np.array([q.accepted[0] for q in questions], dtype=object),
        "answer": rows["answer"].str.strip().to_numpy(dtype=object),
        "confidence": rows["confidence"].to_numpy(dtype=np.float64),
        "right": rows["correct"].to_numpy(dtype=bool),
        "temperature": rows["temperature"].to_numpy(dtype=np.float64),
    }
    return pd.DataFrame(columns, columns=list(EXAMPLE_COLUMNS))


# Models whose confidence cannot be compared, in the tables of what confidence is made of: named, with a reason.

#: Why a model is left out that has a confidence for none of the questions for which the others have one.
APART = "no question for which the other models have a confidence too"
#: Columns that hold words.
_WORDS = ("model", "part", "first", "second", "of", "why")


def nothing_known(lowest: float, n_items: int) -> SelfKnowledge:
    """The result for a run in which no model has a confidence: tables without rows."""
    return SelfKnowledge(
        _table([], PART_COLUMNS),
        _table([], CROSSING_COLUMNS),
        _table([], LUCK_COLUMNS),
        _table([], REFERENCE_COLUMNS),
        _table([], TYPICAL_COLUMNS),
        lowest,
        0,
        n_items,
    )


def apart(trials: pd.DataFrame, temperature: float) -> list[str]:
    """Models to leave out so that the others have a confidence for at least one same question.

    Those with the fewest confidences come first; one model always stays.

    Parameters
    ----------
    trials : DataFrame
        Open answers with the column ``score``, one a model, question and temperature.
    temperature : float
        Where confidence is compared.
    """
    sure = trials[(trials["temperature"] == temperature) & trials[SCORE].notna()]
    asked = {str(model): set(own) for model, own in sure.groupby("model", sort=False)["question_id"]}
    staying = sorted(asked, key=lambda model: len(asked[model]))
    out = []
    while len(staying) > 1 and not set.intersection(*(asked[model] for model in staying)):
        out.append(staying.pop(0))
    return out


def with_silent(found: SelfKnowledge, trials: pd.DataFrame, silent: Mapping[str, str]) -> SelfKnowledge:
    """A result with rows for models that it leaves out because their confidence cannot be read or compared.

    Parameters
    ----------
    found : SelfKnowledge
        Of the other models.
    trials : DataFrame
        Open answers of all models, one a model, question and temperature.
    silent : mapping of str to str
        Why, by model.

    Returns
    -------
    SelfKnowledge
        Accuracy alone has values in their rows; ``why`` says why nothing else has.
    """
    if not silent:
        return found
    models = list(dict.fromkeys(trials["model"]))
    mine = trials[trials["model"].isin(silent)]
    right = mine.groupby(["model", "temperature"], sort=False)["correct"].agg(["mean", "size", "sum"])
    at = [{"model": str(m), "temperature": float(t), "why": silent[str(m)]} for m, t in right.index]
    pairs = [pair for pair in combinations(models, 2) if set(pair) & set(silent)]
    temperatures = sorted(float(t) for t in mine["temperature"].unique())
    return replace(
        found,
        parts=_with(
            found.parts,
            [
                row | {"part": part}
                for row in at
                for part in (STATE, *([DRAW] if row["temperature"] != found.reference else []))
            ],
            models,
        ),
        crossings=_with(
            found.crossings,
            [
                {
                    "first": one,
                    "second": two,
                    "temperature": t,
                    "n_questions": 0,
                    "why": silent.get(one) or silent[two],
                }
                for one, two in pairs
                for t in temperatures
            ],
        ),
        luck=_with(
            found.luck,
            [row | dict.fromkeys(("n_questions", "n_mixed", "n_draws", "n_single"), 0) for row in at],
            models,
        ),
        reference_answers=_with(
            found.reference_answers,
            [
                row | {"accuracy": one["mean"], "n_wrong": one["size"] - one["sum"], "n_questions": 0}
                for row, (_, one) in zip(at, right.iterrows(), strict=True)
            ]
            if len(temperatures) > 1
            else [],
            models,
        ),
    )


def silent_rises(rises: pd.DataFrame, trials: pd.DataFrame, silent: Sequence[str]) -> pd.DataFrame:
    """The table of rises with rows for models without a readable confidence."""
    rows = []
    for model in silent:
        lowest, *others = sorted(
            float(t) for t in trials.loc[trials["model"] == model, "temperature"].unique()
        )
        about = {"model": model, "reference": lowest, "n": 0, "why": Flag.SILENT.value}
        rows += [about | {"temperature": t} for t in others]
    return _with(rises, rows, list(dict.fromkeys(trials["model"])))


def _with(table: pd.DataFrame, rows: Sequence[Mapping[str, Any]], models: Sequence[str] = ()) -> pd.DataFrame:
    """A table with further rows, by model in the order of the trials where there is one."""
    if not rows:
        return table
    more = _table(rows, list(table.columns))
    whole = pd.concat([table, more], ignore_index=True) if len(table) else more
    if not models:
        return whole
    return whole.sort_values(
        "model", key=lambda names: names.map(list(models).index), kind="stable", ignore_index=True
    )


def _table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table in which every column but those of words is one of numbers."""
    table = pd.DataFrame(list(rows), columns=list(columns))
    return table.astype({name: np.float64 for name in columns if name not in _WORDS})


# How much of confidence is difficulty, the model's own state, and luck? What is computed.


@dataclass(frozen=True)
class Luck:
    """What confidence is made of.

    ``draws, parts, typical, crossings, answers`` as in
    :class:`metacog.studies.study1_qa.luck_parts.SelfKnowledge` (its ``luck``, ``parts`` with
    :func:`~metacog.studies.study1_qa.luck.without_luck`, ``typical``, ``crossings`` and ``reference_answers``);
    ``rises``, ``published`` and ``recovery`` as in :mod:`metacog.studies.study1_qa.luck`; ``unequal`` is
    :func:`.shared_items.rule_rows` at the size of the run. ``lowest`` is the temperature at which a
    model's confidence and that of other models is read. A model none of whose confidence could be read, there or at
    T = 1, is in every table with the reason, and no other model's difficulty or crossing rests on it; nor does it on
    one whose questions with a confidence are none of the others'. ``example`` is one question with all its answers at
    T = 1 (:func:`metacog.studies.study1_qa.luck.example`).
    """

    draws: pd.DataFrame
    parts: pd.DataFrame
    typical: pd.DataFrame
    crossings: pd.DataFrame
    answers: pd.DataFrame
    rises: pd.DataFrame
    published: pd.DataFrame
    recovery: pd.DataFrame
    unequal: pd.DataFrame
    example: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    lowest: float
    n_draw_questions: int
    n_more: int
    n_left_out: int


@analysis(needs=("open", "draws"), returns=Luck, files=(*PUBLISHED_FILES, SIMULATED, shared_items.TABLE))
def luck(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True) -> Luck:
    """How much of confidence is difficulty, own state, and the luck of the draw?"""
    once = primary(open_trials(inputs))
    more = inputs.trials("draws")
    more = more[more["dataset"] == once["dataset"].iloc[0]]
    trials = pd.concat([once.assign(draw=0), scored(more)], ignore_index=True)
    asked = {q.id: q for q in load_questions(str(once["dataset"].iloc[0]))}
    lowest = float(once["temperature"].min())
    silent = silent_models(once, (lowest, REFERENCE))
    readable = once[~once["model"].isin(silent)]
    why = dict.fromkeys(silent, Flag.SILENT.value) | dict.fromkeys(apart(readable, lowest), APART)
    heard = trials[~trials["model"].isin(list(why))]
    found = nothing_known(lowest, int(once["question_id"].nunique()))
    if len(heard):
        found = self_knowledge(
            heard, confidence=SCORE, draw="draw", answer="answer", n_resamples=n_resamples, seed=seed
        )
    found = with_silent(found, once, why)
    recovery = recovered()
    parts = without_luck(found.parts, recovery)
    draws = found.luck[found.luck["temperature"] == REFERENCE].reset_index(drop=True)
    rises = silent_rises(rises_with_temperature(readable), once, silent)
    judgements = drawn(
        on_draws(draws),
        on_shares(parts, REFERENCE),
        on_crossings(found.crossings, found.reference),
        on_rises(rises, REFERENCE),
    )
    return Luck(
        draws,
        parts,
        found.typical,
        found.crossings,
        found.reference_answers,
        rises,
        published_rises(),
        recovery,
        shared_items.rule_rows(found.n_items),
        example(trials[trials["temperature"] == REFERENCE], asked),
        judgements if verdicts else (),
        found.reference,
        int(more["question_id"].nunique()),
        int(more["draw"].max()),
        found.n_left_out,
    )
