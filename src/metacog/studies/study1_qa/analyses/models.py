"""The run itself, its models one by one, and the study on one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.facts import run_facts
from metacog.collect.jobs import manifests
from metacog.collect.models import get_model
from metacog.collect.plan import settings_of
from metacog.collect.questions import load_questions
from metacog.core.errors import MetacogError
from metacog.measures.table import Options
from metacog.report import model_page as page
from metacog.report.own_trials import READING, cells_shown
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import COVERAGE, open_trials
from metacog.studies.study1_qa.collection import description as trials_of
from metacog.studies.study1_qa.summary import outcomes as short

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Collected:
    """What was asked, of whom, and what came back.

    ``facts`` has a row a run, ``outcomes`` how answers were marked, ``cells`` right answers by domain and
    tier, ``answers`` the length and outcome of every answer.
    """

    facts: pd.DataFrame
    outcomes: pd.DataFrame
    examples: pd.DataFrame
    cells: pd.DataFrame
    answers: pd.DataFrame
    enough: str
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
    cells = trials_of.right_by_tier(trials)
    return Collected(
        facts,
        trials_of.outcomes(trials, by=("model", "temperature")),
        trials_of.examples(trials, asked, seed=seed),
        cells,
        trials[["model", "temperature", "n_tokens", "tier", "correct"]],
        trials_of.cell_sentence(cells),
        len(trials),
        int(trials["model"].nunique()),
        int(trials["question_id"].nunique()),
        int(trials["temperature"].nunique()),
        float(facts["minutes"].sum()) if len(facts) else 0.0,
    )


@dataclass(frozen=True)
class ModelPage:
    """One model: what it is, what it says, and how well it knows what it knows.

    ``overall``, ``domains`` and ``temperatures`` are measures with their intervals, as texts.
    """

    about: pd.DataFrame
    sure_and_right: pd.DataFrame
    sure_and_wrong: pd.DataFrame
    unsure_and_right: pd.DataFrame
    overall: pd.DataFrame
    domains: pd.DataFrame
    temperatures: pd.DataFrame
    measured: page.ModelMeasures
    verdicts: tuple[Verdict, ...]
    label: str
    opening: str
    reading: str


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
    measured = page.model_measures(open_trials(inputs), model, temperature, options)
    texts = question_texts(list(settings.datasets), settings.shuffle_seed)
    examples = page.examples(measured.at, texts, n_examples)
    return ModelPage(
        page.about(entry, entry.prompt_id(settings.prompt_set)),
        examples["sure and right"],
        examples["sure and wrong"],
        examples["unsure and right"],
        cells_shown(measured.overall, "model"),
        cells_shown(measured.domains, "domain"),
        cells_shown(measured.temperatures, "temperature"),
        measured,
        page.sentences(measured) if verdicts else (),
        entry.label,
        page.opening(entry.label, measured),
        READING,
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


@dataclass(frozen=True)
class Summary:
    """The study on one page: all verdicts of the hypotheses, and the measures that stand."""

    outcomes: pd.DataFrame
    measures: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    headline: str


@analysis(needs=("open", "h1", "h2", "h3", "h4", "luck", "correction_own"), returns=Summary)
def summary(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Summary:
    """What does the run say, in short?"""
    first = open_trials(inputs)["dataset"].iloc[0]
    own = inputs.result("correction_own").measures
    said = short.hypotheses(inputs.result(name).verdicts for name in ("h1", "h2", "h3", "h4"))
    measures = own[own["dataset"] == first].reset_index(drop=True)
    return Summary(short.outcomes(said), measures, said, inputs.result("luck").headline)
