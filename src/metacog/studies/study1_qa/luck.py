"""What does measured confidence read: the question, how usual an answer is for the model, or whether it is right?

At a low temperature a model gives much the same answer whenever it is asked; at T = 1 a wrong answer is often an
unusual draw of a model that would mostly answer rightly. Confidence taken from the draw's own words then says how
usual the draw was, which the model's other answers to the question show too (Koriat 2012, Psychological Review 119,
80-113). Held against the confidence of the same question's answer at the lowest temperature, which knows nothing of the
draw, a rise of AUROC2 parts into what is the question's and what is the draw's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.confidence_signals import agreement
from metacog.collect.questions import load_questions
from metacog.core.frames import committed_table, rows_of, with_ends
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.asking.marking import marking_of
from metacog.studies.study1_qa.cells import (
    PUBLISHED_FILES,
    REFERENCE,
    Flag,
    open_trials,
    primary,
    silent_models,
)
from metacog.studies.study1_qa.crossing_bound import SLOPE_RATIO, TABLE, rule_rows
from metacog.studies.study1_qa.luck_example import example, repeated_mistake
from metacog.studies.study1_qa.luck_parts import DRAW, USUAL, self_knowledge
from metacog.studies.study1_qa.luck_rises import published_rises, rises_with_temperature
from metacog.studies.study1_qa.luck_silent import APART, apart, nothing_known, silent_rises, with_silent
from metacog.studies.study1_qa.luck_usual import usual_in_surface
from metacog.studies.study1_qa.word_rarity import TABLE as WORDS
from metacog.trials import SCORE, scored
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import Unit, unit

_TEXTS = {
    "draw": (
        "In every model a draw's own confidence tells right from wrong better than what the model's other answers to"
        " the question say together (its confidence at the lowest temperature and the mean of the other draws', "
        "combined by a model fitted to other questions): the 95 % interval of the difference of the two AUROC2, over"
        " questions, lies above 0."
    ),
    "usual": (
        "In every model the more usual of two wrong answers to a question is the surer one: the 95 % interval, over "
        "questions, of the share of such pairs lies above one half."
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
NOTHING_KNOWN = ("no knowledge", "no knowledge, accuracy 0.02", "no knowledge, accuracy 0.98")
_CLAIMS = {
    "draw": "own confidence says more than the model's other answers",
    "usual": "of two wrong answers the more usual one is the surer",
}
RULES = {
    name: Rule(
        text,
        "Luck",
        topic=name,
        claim=_CLAIMS.get(name, ""),
        null=() if name == "usual" else NOTHING_KNOWN,
        worst="" if name in ("private", "usual") else "one knows nothing",
        no_null="models that read one thing alone; data/simulations/self_knowledge.csv"
        if name == "usual"
        else "",
    )
    for name, text in _TEXTS.items()
}
#: Simulated runs of this size whose parts are known, and simulated models of which it is known what their confidence
#: reads (``benchmarks/self_knowledge.py``).
SIMULATED = "data/simulations/self_knowledge.csv"


@analysis(needs=("open", "draws"), files=(*PUBLISHED_FILES, SIMULATED, TABLE, WORDS))
def luck(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> dict[str, Any]:
    """How much of confidence is difficulty, own state, and the luck of the draw?

    A model none of whose confidence could be read, at the lowest temperature or at T = 1, is in every table with the
    reason, and no other model's difficulty or crossing rests on it; nor does it on one whose questions with a
    confidence are none of the others'.
    """
    once = primary(open_trials(inputs))
    more = inputs.trials("draws")
    more = more[more["dataset"] == once["dataset"].iloc[0]]
    trials = with_same(pd.concat([once.assign(draw=0), scored(more)], ignore_index=True))
    asked = {q.id: q for q in load_questions(str(once["dataset"].iloc[0]))}
    lowest = float(once["temperature"].min())
    silent = silent_models(once, (lowest, REFERENCE))
    readable = once[~once["model"].isin(silent)]
    why = dict.fromkeys(silent, Flag.SILENT.value) | dict.fromkeys(apart(readable, lowest), APART)
    heard = trials[~trials["model"].isin(list(why))]
    found = nothing_known(lowest, int(once["question_id"].nunique()))
    if len(heard):
        found = self_knowledge(
            heard, confidence=SCORE, draw="draw", same="same", n_resamples=n_resamples, seed=seed
        )
    found = with_silent(found, once, why)
    recovery = recovered()
    draws = found["draws"][found["draws"]["temperature"] == REFERENCE].reset_index(drop=True)
    rises = silent_rises(rises_with_temperature(readable), once, silent)
    at_one = trials[trials["temperature"] == REFERENCE]
    shown = example(at_one, asked)
    return {
        "draws": draws,
        "parts": found["parts"],
        "pairs": (pairs := beside_readers(draws, recovery)),
        "kinds": kinds_of(draws, pairs),
        "crossings": found["crossings"],
        "answers": found["answers"],
        "rises": rises,
        "published": published_rises(),
        "recovery": recovery,
        "unequal": rule_rows(found["n_items"]),
        "surface": usual_in_surface(at_one, n_resamples=n_resamples, seed=seed),
        "example": shown,
        "mistake": repeated_mistake(at_one, asked, shown["model"].iloc[0] if len(shown) else ""),
        "outcomes": judge(draws, found["crossings"], rises, found["reference"]) if verdicts else None,
        "lowest": found["reference"],
        "n_draw_questions": int(more["question_id"].nunique()),
        "n_more": int(more["draw"].max()),
    }


def kinds_of(draws: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Of 100 pairs of answers to one question, in how many the one that is named in ``what`` has more confidence."""
    told = draws[draws["usual_lower"].notna()]
    simulated = pairs.set_index("model")["usual"]
    rows = [
        ("the right one, of a right and a wrong one", told["within"].median()),
        ("the usual one, of two wrong ones", told["usual"].median()),
        ("the usual one, of two wrong ones of an honest guesser", simulated[SIMULATED_MODEL + IDEAL]),
        ("the usual one, of two wrong ones of a reader of truth", simulated[SIMULATED_MODEL + INSIGHT]),
    ]
    return pd.DataFrame([(what, 100 * share) for what, share in rows], columns=["what", "pairs"])


def with_same(trials: pd.DataFrame) -> pd.DataFrame:
    """With ``same``: the share of the model's other answers to the question that are the same answer.

    Others are its draws at this temperature and its answer at the lowest; an empty answer is like no other.
    """
    lowest = trials["temperature"].min()
    same = pd.Series(np.nan, index=trials.index)
    for (_, dataset, _), mine in trials.groupby(["model", "dataset", "question_id"], sort=False):
        alike = marking_of(str(dataset)).same
        usual = mine.loc[mine["temperature"] == lowest, "answer"].iloc[:1].tolist()
        for temperature, answers in mine.groupby("temperature", sort=False)["answer"]:
            told, at = answers.tolist(), [] if temperature == lowest else usual
            shares = [agreement(one, told[:i] + told[i + 1 :] + at, alike) for i, one in enumerate(told)]
            same[answers.index] = np.nan_to_num(np.array(shares), nan=0.0 if at else np.nan)
    return trials.assign(same=same)


def judge(
    draws: pd.DataFrame, crossings: pd.DataFrame, rises: pd.DataFrame, lowest: float
) -> pd.DataFrame | None:
    units = {
        "draw": on_draws(draws),
        "usual": on_usual(draws),
        "private": on_crossings(crossings, lowest),
        "rise": on_rises(rises),
    }
    found = [outcomes(rule, of_models) for rule, of_models in units.items() if of_models]
    return pd.concat(found, ignore_index=True) if found else None


def on_draws(draws: pd.DataFrame) -> list[Unit]:
    return [_above(r.model, r.luck_lower, r.luck_upper, 0.0, r.why) for r in rows_of(draws)]


def on_usual(draws: pd.DataFrame) -> list[Unit]:
    return [_above(r.model, r.usual_lower, r.usual_upper, 0.5, r.why) for r in rows_of(draws)]


def on_crossings(crossings: pd.DataFrame, temperature: float) -> list[Unit]:
    rows = crossings[crossings["temperature"] == temperature] if len(crossings) else crossings
    return [_above(f"{r.first} with {r.second}", r.lower, r.upper, r.bound, r.why) for r in rows_of(rows)]


def on_rises(rises: pd.DataFrame) -> list[Unit]:
    units = []
    for r in rows_of(rises[rises["temperature"] == REFERENCE] if len(rises) else rises):
        if r.why or r.with_draw_lower <= 0:
            level = "the interval contains 0: a rise is not shown"
            units.append(Unit(r.model, None, r.why or (level if r.with_draw_upper >= 0 else "it falls")))
        else:
            units.append(_above(r.model, r.mostly_draw_lower, r.mostly_draw_upper, 0.0, ""))
    return units


def _above(name: str, lower: float, upper: float, level: float, why: str) -> Unit:
    """Above a level, below it, or undecided where the interval holds it."""
    if why:
        return Unit(name, None, why)
    if lower <= level <= upper:
        return Unit(name, None, f"the interval contains {level:.2g}")
    return unit(name, lower > level, known=lower == lower)


def recovered() -> pd.DataFrame:
    """What simulated runs of this size with known shares and luck came out as; of the parts in bits the shares."""
    table = committed_table(SIMULATED)
    return table[~table["quantity"].str.startswith("bits")].reset_index(drop=True)


#: Simulated models (``benchmarks/self_knowledge.py``): their designs begin like this.
READS, SIMULATED_MODEL = "reads ", "simulated: "
HABIT, INSIGHT = f"{READS}how usual the answer is", f"{READS}whether the answer is right"
IDEAL = f"{READS}how strong a well-founded belief is"
#: What of pairs of answers, and of all of them, stands beside such models.
IN_PAIRS = ("within", "usual", "alike", "same_draw", "question", "counted")


def beside_readers(draws: pd.DataFrame, recovery: pd.DataFrame) -> pd.DataFrame:
    """The draws of this run's models, and what endlessly many of simulated models give, by what these read."""
    reads = recovery[recovery["design"].str.startswith(READS) & recovery["quantity"].isin(IN_PAIRS)]
    known = reads.pivot(index="design", columns="quantity", values="truth").rename_axis(columns=None)
    known.index = [f"{SIMULATED_MODEL}{design}" for design in known.index]
    rows = [draws, known.rename_axis("model").reset_index()]
    columns = ["model", *with_ends(*IN_PAIRS)]
    return pd.concat([one.reindex(columns=columns) for one in rows], ignore_index=True)


def _at_one(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["temperature"] == REFERENCE]


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand; NaN for what this run does not tell."""
    coolest = result.answers[result.answers["temperature"] == result.lowest]
    ranks = coolest[coolest["auroc2_lower"].notna()]
    told = result.draws[result.draws["usual_lower"].notna()]
    beyond = result.draws[result.draws["luck_lower"].notna()]["luck_lower"] > 0
    rising = _at_one(result.rises)
    rising = rising[rising["why"] == ""]
    up = rising["with_draw_lower"] > 0
    parts = _at_one(result.parts)
    shares = parts[parts["share"].notna()].groupby("part", sort=False)["share"].median()
    found = {
        "n_asked": result.n_more + 2,  # once at temperature 1, and once at the lowest
        "n_told": len(told),
        "n_usual": int((told["usual_lower"] > 0.5).sum()),
        "n_surer": int((told["beyond_lower"] > 0).sum()),
        "n_gaps": int((told["gap_lower"] > 0).sum()),
        "models": listed(told["model"]),
        "n_ranked": len(ranks),
        "n_ranking": int((ranks["auroc2_lower"] > 0.5).sum()),
        "least_pairs": 100 * float(ranks["auroc2"].min()),
        "most_pairs": 100 * float(ranks["auroc2"].max()),
        "n_draws": len(beyond),
        "n_draws_beyond": int(beyond.sum()),
        "n_rises": len(rising),
        "n_rising": int(up.sum()),
        "n_lucky_rises": int((up & (rising["mostly_draw_lower"] > 0)).sum()),
        "share_usual": 100 * float(shares.get(USUAL, np.nan)),
        "share_draw": 100 * float(shares.get(DRAW, np.nan)),
    }
    for name in ("within", "usual", "alike", "same_draw", "question", "counted"):
        spread = {"": told[name].median(), "least_": told[name].min(), "most_": told[name].max()}
        found |= {f"{which}{name}": 100 * float(value) for which, value in spread.items()}
        for read, design in (("habit", HABIT), ("insight", INSIGHT), ("ideal", IDEAL)):
            truth = result.pairs.loc[result.pairs["model"] == SIMULATED_MODEL + design, name]
            found[f"{read}_{name}"] = 100 * float(truth.iloc[0])
    alike = result.surface[result.surface["surface_lower"].notna()]
    found |= {"n_alike": len(alike), "n_surface": int((alike["surface_lower"] > 0.5).sum())}
    found |= {f"{end}_surface": 100 * float(getattr(alike["surface"], end)()) for end in ("min", "max")}
    found["usual_lower"] = 100 * float(told["usual_lower"].min())
    return found | _asked(result.example) | _mistaken(result.mistake)


def _asked(shown: pd.DataFrame) -> dict[str, Any]:
    """The question that was asked again and again, and how its right and wrong answers compare."""
    names = ("question", "key", "model")
    first = shown.iloc[0] if len(shown) else dict.fromkeys(names, np.nan)
    right, wrong = (shown.loc[mark, "confidence"] for mark in (shown["right"], ~shown["right"].astype(bool)))
    return {f"example_{name}": first[name] for name in names} | {
        "n_example": len(shown),
        "n_right": len(right),
        "n_wrong": len(wrong),
        "n_pairs": len(right) * len(wrong),
        "n_ahead": sum(bool(one > other) for one in right for other in wrong),
        "right_confidence": right.mean(),
    }


def _mistaken(shown: pd.DataFrame) -> dict[str, Any]:
    """The question that was answered wrongly in the same way again and again."""
    usual = shown["answer"] == (shown["answer"].mode().iloc[0] if len(shown) else "")
    first = shown[usual].iloc[0] if len(shown) else dict.fromkeys(("question", "key", "answer"), np.nan)
    return {f"mistake_{name}": first[name] for name in ("question", "key", "answer")} | {
        "n_mistake": len(shown),
        "n_repeated": int(usual.sum()),
        "mistake_confidence": shown.loc[usual, "confidence"].mean(),
    }


VIEWS = Views("luck", numbers=figures)
