"""How much of confidence is difficulty, the model's own state, and luck? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.questions import load_questions
from metacog.measures import crossing_bound
from metacog.measures.self_knowledge import self_knowledge
from metacog.report.verdicts import Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.counts import REFERENCE, primary, silent_models
from metacog.studies.study1_qa.cells.flags import Flag
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.luck import estimates, judging
from metacog.studies.study1_qa.luck.example import example
from metacog.studies.study1_qa.luck.silent import APART, apart, nothing_known, silent_rises, with_silent
from metacog.trials.signals import SCORE, scored

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Luck:
    """What confidence is made of.

    ``draws, parts, crossings, answers`` as in :class:`metacog.measures.self_knowledge.SelfKnowledge` (its
    ``luck``, ``parts`` with :func:`~metacog.studies.study1_qa.luck.estimates.without_luck`, ``crossings`` and
    ``reference_answers``); ``rises``, ``published`` and ``recovery``
    as in :mod:`metacog.studies.study1_qa.luck.estimates`; ``unequal`` is
    :func:`metacog.measures.crossing_bound.rule_rows` at the size of the run. ``lowest`` is the temperature at which a
    model's confidence and that of other models is read. A model none of whose confidence could be read, there or at
    T = 1, is in every table with the reason, and no other model's difficulty or crossing rests on it; nor does it on
    one whose questions with a confidence are none of the others'. ``example`` is one question with all its answers at
    T = 1 (:func:`metacog.studies.study1_qa.luck.example.example`).
    """

    draws: pd.DataFrame
    parts: pd.DataFrame
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


@analysis(
    needs=("open", "draws"), returns=Luck, files=(*PUBLISHED, estimates.SIMULATED, crossing_bound.TABLE)
)
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
    recovery = estimates.recovered()
    parts = estimates.without_luck(found.parts, recovery)
    draws = found.luck[found.luck["temperature"] == REFERENCE].reset_index(drop=True)
    rises = silent_rises(estimates.rises(readable), once, silent)
    judgements = drawn(
        judging.on_draws(draws),
        judging.on_shares(parts, REFERENCE),
        judging.on_crossings(found.crossings, found.reference),
        judging.on_rises(rises, REFERENCE),
    )
    return Luck(
        draws,
        parts,
        found.crossings,
        found.reference_answers,
        rises,
        estimates.published_rises(),
        recovery,
        crossing_bound.rule_rows(found.n_items),
        example(trials[trials["temperature"] == REFERENCE], asked),
        judgements if verdicts else (),
        found.reference,
        int(more["question_id"].nunique()),
        int(more["draw"].max()),
        found.n_left_out,
    )
