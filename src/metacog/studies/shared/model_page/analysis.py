"""What does one model answer, and how well does it know it? What is computed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.collect.facts import COLUMNS, run_facts
from metacog.collect.jobs import manifests
from metacog.collect.models import ModelEntry, get_model
from metacog.collect.plan import collection_of, models_of, settings_of
from metacog.collect.prompts import Prompt, load_prompt
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.measures.coverage import TABLE
from metacog.measures.table import Options
from metacog.studies.registry import studies
from metacog.studies.shared.model_page.headlines import why_absent
from metacog.studies.shared.model_page.measures import (
    RELIABILITY,
    Answers,
    ModelMeasures,
    about,
    answers_of,
    examples,
    model_measures,
)
from metacog.studies.study import Study, analysis
from metacog.trials import validate
from metacog.trials.signals import NLP, signals_of

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: The collection whose answers the page shows: open answers, one or more at each temperature.
ANSWERS = "open"
#: Columns of the examples, and those that are drawn of domains and temperatures.
EXAMPLES = ("kind", "Question", "Answer", "Confidence")
PARTS = ("domain", "temperature", "auroc2", "accuracy", "accuracy_at_half")


@dataclass(frozen=True)
class ModelPage:
    """One model: what it is, examples of its answers, its measures, and whether these are judged.

    Without open answers, ``answers`` is None and ``unasked`` says why; ``measured`` is None and there are no examples
    then, and where no confidence could be read in any answer.
    ``served`` has one row per run of a model behind an endpoint (:func:`served_runs`).
    ``signal`` is what confidence in them was taken from, ``cannot`` what the model's engine cannot do, each
    with the reason, and ``effects`` what follows for each study (columns ``study, effect``).
    ``examples`` are all examples by their ``kind``; ``reliability``, ``domains`` and ``temperatures`` are those of
    ``measured``, and empty without it.
    """

    about: pd.DataFrame
    sure_and_right: pd.DataFrame
    sure_and_wrong: pd.DataFrame
    unsure_and_right: pd.DataFrame
    measured: ModelMeasures | None
    label: str
    judged: bool
    served: pd.DataFrame = field(default_factory=pd.DataFrame)
    signal: str = NLP
    cannot: Mapping[str, str] = field(default_factory=dict)
    effects: pd.DataFrame = field(default_factory=pd.DataFrame)
    answers: Answers | None = None
    unasked: str = ""
    examples: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(EXAMPLES)))
    reliability: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(RELIABILITY)))
    domains: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(PARTS)))
    temperatures: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(PARTS)))


@analysis(needs=(ANSWERS,), returns=ModelPage, per_model=True, files=(TABLE,))
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
    entry, asking = get_model(model), inputs.owner(ANSWERS)
    served, told = served_runs(entry, inputs.profile), about(entry, prompts_of(entry, inputs.profile))
    if asking is None or model not in models_of(asking, inputs.profile):
        nothing, why = pd.DataFrame(), why_absent(asking, inputs.profile, model)
        return ModelPage(told, nothing, nothing, nothing, None, entry.label, verdicts, served, unasked=why)
    trials = validate(inputs.trials(ANSWERS))
    cannot = inputs.cannot(ANSWERS)
    answers = answers_of(trials, model, temperature)
    measured, shown = (
        None,
        dict.fromkeys(("sure and right", "sure and wrong", "unsure and right"), pd.DataFrame()),
    )
    if answers.read:
        measured = model_measures(trials, model, temperature, Options(n_resamples, n_permutations, seed))
        shown = examples(measured.at, question_texts(asking, inputs.profile), n_examples)
    return ModelPage(
        told,
        shown["sure and right"],
        shown["sure and wrong"],
        shown["unsure and right"],
        measured,
        entry.label,
        verdicts,
        served,
        signals_of(trials)[model],
        cannot,
        effects_of(cannot, (one for one in studies() if one.name in inputs.profile.studies)),
        answers,
        examples=_by_kind(shown),
        **_parts(measured),
    )


def _by_kind(shown: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Examples of every kind in one table."""
    rows = [part.assign(kind=kind) for kind, part in shown.items() if len(part)]
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=list(EXAMPLES))


def _parts(measured: ModelMeasures | None) -> dict[str, Any]:
    """Measures of one model as a page draws them; one row of a kind is nothing to compare."""
    if measured is None:
        return {}
    temperatures = measured.temperatures.assign(
        temperature=measured.temperatures["temperature"].astype(float)
    )
    return {"reliability": measured.reliability, "domains": measured.domains, "temperatures": temperatures}


def prompts_of(entry: ModelEntry, profile: Profile) -> list[Prompt]:
    """Prompts by which a profile's studies ask a model; trials of another would be another run's."""
    asked = (settings_of(one, profile) for one in studies() if one.name in profile.studies)
    sets = dict.fromkeys(getattr(one, "prompt_set", "") for one in asked)
    return [load_prompt(entry.prompts[name]) for name in sets if name in entry.prompts]


def effects_of(cannot: Collection[str], asked: Iterable[Study]) -> pd.DataFrame:
    """What follows for some studies from what an engine cannot do: ``study`` and ``effect``, in words."""
    rows = []
    for study in asked:
        for one in study.collections:
            if set(one.requires) & set(cannot):
                rows.append((study.title, f"{one.name} is left out"))
            rows += [(study.title, words) for name, words in one.without.items() if name in cannot]
    return pd.DataFrame(rows, columns=["study", "effect"]).drop_duplicates(ignore_index=True)


def served_runs(entry: ModelEntry, profile: Profile) -> pd.DataFrame:
    """Facts of a profile's runs of a model behind an endpoint, with their ``study``; none of a local model.

    Returns
    -------
    DataFrame
        Columns ``study``, ``collection`` and those of :func:`metacog.collect.facts.run_facts`.
    """
    found = [pd.DataFrame(columns=["study", "collection", *COLUMNS])]
    for study in studies() if entry.is_endpoint else ():
        for asked in study.collections if study.name in profile.studies else ():
            with suppress(MetacogError):  # it goes on from replies that are not there
                facts = run_facts(manifests(study, profile, asked.name, models=[entry.name]))
                found.append(facts.assign(study=study.title, collection=asked.name))
    rows = [one for one in found[1:] if len(one)]
    return pd.concat(rows, ignore_index=True) if rows else found[0]


def question_texts(study: Study, profile: Profile) -> dict[str, str]:
    """Text of every question that a study asks, by id, of the sets that are here."""
    found: dict[str, str] = {}
    asked = collection_of(study, ANSWERS)
    for settings in asked.sets(settings_of(study, profile)).values():
        try:
            found |= {item.id: item.question for item in asked.items(settings, {})}
        except MetacogError:
            continue
    return found
