"""What was asked, of whom, and what came back? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.facts import run_facts
from metacog.collect.jobs import manifests
from metacog.collect.plan import settings_of
from metacog.collect.questions import load_questions
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import open_trials
from metacog.studies.study1_qa.collection import description

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Collected:
    """What was asked, of whom, and what came back.

    ``facts`` has one row per run, ``outcomes`` how answers were marked, ``cells`` right answers by domain and
    tier, ``tiers`` accuracy by tier, ``answers`` the length and outcome of every answer.
    """

    facts: pd.DataFrame
    outcomes: pd.DataFrame
    examples: pd.DataFrame
    cells: pd.DataFrame
    answers: pd.DataFrame
    tiers: pd.DataFrame
    n_trials: int
    n_models: int
    n_questions: int
    n_temperatures: int
    minutes: float


@analysis(needs=("open",), returns=Collected)
def collection(inputs: Inputs, *, seed: int = 42) -> Collected:
    """What was asked, of whom, and what came back?"""
    trials = open_trials(inputs)
    settings = settings_of(inputs.study, inputs.profile)
    asked = {q.id: q.question for name in settings.datasets for q in load_questions(name)}
    facts = run_facts(manifests(inputs.study, inputs.profile, "open"))
    return Collected(
        facts,
        description.outcomes(trials, by=("model", "temperature")),
        description.examples(trials, asked, seed=seed),
        description.right_by_tier(trials),
        trials[["model", "temperature", "n_tokens", "tier", "correct"]],
        description.tiers(trials),
        len(trials),
        int(trials["model"].nunique()),
        int(trials["question_id"].nunique()),
        int(trials["temperature"].nunique()),
        float(facts["minutes"].sum()) if len(facts) else 0.0,
    )
