"""How much of confidence is difficulty that others see, the model's own state, and the luck of a draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.measures.self_knowledge import self_knowledge
from metacog.report.verdicts import Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.counts import REFERENCE, primary
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.luck import estimates as rising
from metacog.studies.study1_qa.luck import judging as judged

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Luck:
    """What confidence is made of.

    ``draws, parts, crossings, answers`` as in :class:`metacog.measures.self_knowledge.SelfKnowledge` (its
    ``luck``, ``parts``, ``crossings`` and ``reference_answers``); ``rises``, ``published`` and ``recovery``
    as in :mod:`metacog.studies.study1_qa.luck.estimates`. ``lowest`` is the
    temperature at which own and others'
    confidence is read.
    """

    draws: pd.DataFrame
    parts: pd.DataFrame
    crossings: pd.DataFrame
    answers: pd.DataFrame
    rises: pd.DataFrame
    published: pd.DataFrame
    recovery: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    headline: str
    in_full: str
    lowest: float
    n_draw_questions: int
    n_more: int
    n_left_out: int


@analysis(needs=("open", "draws"), returns=Luck, files=(*PUBLISHED, rising.SIMULATED))
def luck(inputs: Inputs, *, n_permutations: int = 2_000, seed: int = 42, verdicts: bool = True) -> Luck:
    """How much of confidence is difficulty, own state, and the luck of the draw?"""
    once = primary(open_trials(inputs))
    more = inputs.trials("draws")
    more = more[more["dataset"] == once["dataset"].iloc[0]]
    trials = pd.concat([once.assign(draw=0), more], ignore_index=True)
    found = self_knowledge(trials, draw="draw", answer="answer", n_resamples=n_permutations, seed=seed)
    draws = found.luck[found.luck["temperature"] == REFERENCE].reset_index(drop=True)
    rises = rising.rises(once)
    said = drawn(
        judged.on_draws(draws),
        judged.on_shares(found.parts, REFERENCE),
        judged.on_crossings(found.crossings, found.reference),
        judged.on_rises(rises, REFERENCE),
    )
    return Luck(
        draws,
        found.parts,
        found.crossings,
        found.reference_answers,
        rises,
        rising.published_rises(),
        rising.recovered(),
        said if verdicts else (),
        judged.RULES,
        judged.headline(draws, found.reference_answers),
        judged.in_full(draws, found.parts, found.reference_answers),
        found.reference,
        int(more["question_id"].nunique()),
        int(more["draw"].max()),
        found.n_left_out,
    )
