"""Does measured confidence tell luck from knowledge?

At a low temperature a model gives much the same answer whenever it is asked; at T = 1 a wrong answer is often an
unlucky draw of a model that would mostly answer rightly. Confidence taken from the draw's own words then says how
unlikely the draw was. Held against the confidence of the same question's answer at the lowest temperature, which
knows nothing of the draw, a rise of AUROC2 parts into what is the question's and what is the draw's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.questions import load_questions
from metacog.core.frames import committed_table, rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import (
    PUBLISHED_FILES,
    REFERENCE,
    Flag,
    open_trials,
    primary,
    silent_models,
)
from metacog.studies.study1_qa.crossing_bound import SLOPE_RATIO, TABLE, rule_rows
from metacog.studies.study1_qa.luck_example import example
from metacog.studies.study1_qa.luck_parts import ALONE, DRAW, self_knowledge
from metacog.studies.study1_qa.luck_rises import published_rises, rises_with_temperature
from metacog.studies.study1_qa.luck_silent import APART, apart, nothing_known, silent_rises, with_silent
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
NOTHING_KNOWN = ("no knowledge", "no knowledge, accuracy 0.02", "no knowledge, accuracy 0.98")
_CLAIMS = {
    "draw": "own confidence says more than the model's other answers",
    "share": "the draw's part is more than half of what the three signals say",
}
RULES = {
    name: Rule(
        text,
        "Luck",
        topic=name,
        claim=_CLAIMS.get(name, ""),
        null=NOTHING_KNOWN,
        worst="" if name == "private" else "one knows nothing",
    )
    for name, text in _TEXTS.items()
}
#: Simulated runs of this size whose parts are known (``benchmarks/self_knowledge.py``).
SIMULATED = "data/simulations/self_knowledge.csv"


@analysis(needs=("open", "draws"), files=(*PUBLISHED_FILES, SIMULATED, TABLE))
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
    trials = pd.concat([once.assign(draw=0), scored(more)], ignore_index=True)
    asked = {q.id: q for q in load_questions(str(once["dataset"].iloc[0]))}
    lowest = float(once["temperature"].min())
    silent = silent_models(once, (lowest, REFERENCE))
    readable = once[~once["model"].isin(silent)]
    why = dict.fromkeys(silent, Flag.SILENT.value) | dict.fromkeys(apart(readable, lowest), APART)
    heard = trials[~trials["model"].isin(list(why))]
    found = nothing_known(lowest, int(once["question_id"].nunique()))
    if len(heard):
        found = self_knowledge(heard, confidence=SCORE, draw="draw", n_resamples=n_resamples, seed=seed)
    found = with_silent(found, once, why)
    recovery = recovered()
    parts = without_luck(found["parts"], recovery)
    draws = found["draws"][found["draws"]["temperature"] == REFERENCE].reset_index(drop=True)
    rises = silent_rises(rises_with_temperature(readable), once, silent)
    return {
        "draws": draws,
        "parts": parts,
        "typical": found["typical"],
        "crossings": found["crossings"],
        "answers": found["answers"],
        "rises": rises,
        "published": published_rises(),
        "recovery": recovery,
        "unequal": rule_rows(found["n_items"]),
        "example": example(trials[trials["temperature"] == REFERENCE], asked),
        "outcomes": judge(draws, parts, found["crossings"], rises, found["reference"]) if verdicts else None,
        "lowest": found["reference"],
        "n_draw_questions": int(more["question_id"].nunique()),
        "n_more": int(more["draw"].max()),
    }


def judge(
    draws: pd.DataFrame, parts: pd.DataFrame, crossings: pd.DataFrame, rises: pd.DataFrame, lowest: float
) -> pd.DataFrame | None:
    units = {
        "draw": on_draws(draws),
        "share": on_shares(parts),
        "private": on_crossings(crossings, lowest),
        "rise": on_rises(rises),
    }
    found = [outcomes(rule, of_models) for rule, of_models in units.items() if of_models]
    return pd.concat(found, ignore_index=True) if found else None


def on_draws(draws: pd.DataFrame) -> list[Unit]:
    return [_above(r.model, r.luck_lower, r.luck_upper, 0.0, r.why) for r in rows_of(draws)]


def on_shares(parts: pd.DataFrame) -> list[Unit]:
    units = []
    for r in rows_of(parts[(parts["part"] == DRAW) & (parts["temperature"] == REFERENCE)]):
        if not r.why and r.no_luck >= r.share_lower > 0.5:
            why = f"the interval contains {r.no_luck:.2f}, what a draw has without luck"
            if r.share_upper < r.no_luck:
                why = f"a draw without luck has {r.no_luck:.2f}, more than this one"
            units.append(Unit(r.model, None, why))
        else:
            units.append(_above(r.model, r.share_lower, r.share_upper, 0.5, r.why))
    return units


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


def without_luck(parts: pd.DataFrame, recovery: pd.DataFrame) -> pd.DataFrame:
    """Parts whose ``no_luck`` is the most that a draw without luck gets: in the run's own data, or simulated.

    Simulated models without luck read their own state once, or from five answers.
    """
    drawn = recovery[recovery["design"].str.startswith("no luck,") & (recovery["quantity"] == "share, draw")]
    once = drawn["design"].str.endswith("once")
    several = parts["n_readings"] > 1
    most = several.map({True: drawn["truth"][~once].max(), False: drawn["truth"][once].max()})
    judged = (parts["part"] == DRAW) & parts["share"].notna()
    return parts.assign(no_luck=parts["no_luck"].fillna(0).clip(lower=most).where(judged))


def recovered() -> pd.DataFrame:
    """What simulated runs of this size with known shares and luck came out as; of the parts in bits the shares."""
    table = committed_table(SIMULATED)
    return table[~table["quantity"].str.startswith("bits")].reset_index(drop=True)


#: Rows of the simulations (``benchmarks/self_knowledge.py``) that say how far such a figure lies from luck: over all
#: worlds, in those like the reference run, and in runs of four models of the least favourable world: of those like the
#: reference run, and whatever the draw's share.
ALL_WORLDS, LIKE_THE_RUN = "luck known, all worlds", "luck known, worlds like the run"
WORST = "luck known, four models of the world that is most short like the run"
WORST_OF_ALL = "luck known, four models of the world that is most short"


def _told(result: Any) -> pd.DataFrame:
    rows = _at_one(result.parts)
    return rows[(rows["part"] == DRAW) & rows["share"].notna()]


def _typical(result: Any, of: str, temperature: float) -> Any:
    rows = result.typical[(result.typical["of"] == of) & (result.typical["temperature"] == temperature)]
    return next(iter(rows_of(rows)))


def _at_one(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["temperature"] == REFERENCE]


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand; NaN for what this run does not tell."""
    told, coolest = _told(result), result.answers[result.answers["temperature"] == result.lowest]
    ranks = coolest[coolest["auroc2_lower"].notna()]
    beyond = result.draws[result.draws["luck_lower"].notna()]["luck_lower"] > 0
    rising = _at_one(result.rises)
    rising = rising[rising["why"] == ""]
    up = rising["with_draw_lower"] > 0
    found = {
        "n_told": len(told),
        "n_beyond": int((told["share_lower"] > told["no_luck"]).sum()),
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
    }
    names = ("share", "share_lower", "share_upper", "least", "most")
    typical = _typical(result, ALONE, REFERENCE) if len(told) else None
    found |= {f"typical_{name}": 100 * getattr(typical, name, np.nan) for name in names}
    return found | _simulated(result.recovery) | _asked(result.example)


def _simulated(recovery: pd.DataFrame) -> dict[str, float]:
    """How far luck lies from such a figure in simulated worlds, and how often it is more than the interval says."""
    by_design, of_luck = recovery.set_index("design"), recovery["quantity"].str.endswith("against luck")
    alike, every = by_design.loc[LIKE_THE_RUN].to_dict(), by_design.loc[ALL_WORLDS].to_dict()
    worst, worst_of_all = (
        next(iter(rows_of(recovery[(recovery["design"] == name) & of_luck])))
        for name in (WORST, WORST_OF_ALL)
    )
    return {
        "luck_less": 100 * float(alike["highest"]),
        "luck_more": -100 * float(alike["lowest"]),
        "worlds_short": 100 * float(every["short"]),
        "runs_short": round(worst.below_truth * worst.n_used),
        "runs_short_of_all": round(worst_of_all.below_truth * worst_of_all.n_used),
        "n_runs": int(worst.n_used),
        "worst_luck": 100 * float(worst_of_all.truth),
    }


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
    }


VIEWS = Views("luck", numbers=figures)
