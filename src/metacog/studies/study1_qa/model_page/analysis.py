"""What does one model answer, and how well does it know it? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.models import get_model
from metacog.collect.plan import settings_of
from metacog.collect.questions import load_questions
from metacog.core.errors import MetacogError
from metacog.measures.table import Options
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import COVERAGE, open_trials
from metacog.studies.study1_qa.model_page.measures import ModelMeasures, about, examples, model_measures

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class ModelPage:
    """One model: what it is, examples of its answers, its measures, and whether these are judged."""

    about: pd.DataFrame
    sure_and_right: pd.DataFrame
    sure_and_wrong: pd.DataFrame
    unsure_and_right: pd.DataFrame
    measured: ModelMeasures
    label: str
    judged: bool


@analysis(needs=("open",), returns=ModelPage, per_model=True, files=("config/models.yaml", *COVERAGE))
def model_page(
    inputs: Inputs,
    *,
    model: str = "",
    temperature: float = 1.0,
    n_examples: int = 5,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> ModelPage:
    """What does one model answer, and how well does it know it?"""
    entry, settings = get_model(model), settings_of(inputs.study, inputs.profile)
    options = Options(n_resamples, n_permutations, seed)
    measured = model_measures(open_trials(inputs), model, temperature, options)
    shown = examples(measured.at, question_texts(list(settings.datasets), settings.shuffle_seed), n_examples)
    return ModelPage(
        about(entry, entry.prompt_id(settings.prompt_set)),
        shown["sure and right"],
        shown["sure and wrong"],
        shown["unsure and right"],
        measured,
        entry.label,
        verdicts,
    )


def question_texts(datasets: list[str], shuffle_seed: int) -> dict[str, str]:
    """Text of every question of the sets that are here, by id."""
    found: dict[str, str] = {}
    for name in datasets:
        try:
            found |= {q.id: q.question for q in load_questions(name, shuffle_seed=shuffle_seed)}
        except MetacogError:
            continue
    return found
