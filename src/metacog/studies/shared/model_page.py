"""What does one model answer, and how well does it know it?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.collect.jobs import manifests
from metacog.collect.manifest import COLUMNS, run_facts
from metacog.collect.models import ModelEntry, get_model
from metacog.collect.plan import collection_of, models_of, settings_of
from metacog.collect.prompts import Prompt, form_in_words, load_prompt
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.measures.screen import screen
from metacog.measures.table import TABLE, Options, measure_table, order_table
from metacog.sdt.calibration import reliability_diagram
from metacog.studies.registry import studies
from metacog.studies.shared.model_headlines import why_absent
from metacog.studies.study import Study, analysis
from metacog.trials import NLP, SCORE, scored, signals_of, validate

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# What a model is, its measures, and examples of its answers.

#: Columns of :func:`reliability`.
RELIABILITY = ("sampling", "stated", "n", "right", "right_lower", "right_upper")


@dataclass(frozen=True)
class ModelMeasures:
    """Measures of one model.

    Attributes
    ----------
    temperature : float
        Temperature of ``at`` and of the rows by model and domain.
    at : DataFrame
        Trials at that temperature that have a confidence, with the column ``score``.
    overall, domains, temperatures : DataFrame
        Rows of :func:`metacog.measures.table.measure_table`.
    n_empty : int
        Trials at that temperature without a confidence (most of them empty answers), left out.
    n_unanswered : int
        Those of them in which the model was still thinking when its tokens were used up.
    orders : DataFrame or None
        Ranks of domains and temperatures, of :func:`metacog.measures.table.order_table`.
    screen : DataFrame
        The validity screen of ``at``, split at the median, of :func:`metacog.measures.screen.screen`.
    reliability : DataFrame
        :func:`reliability` of all trials.
    """

    temperature: float
    at: pd.DataFrame
    overall: pd.DataFrame
    domains: pd.DataFrame
    temperatures: pd.DataFrame
    n_empty: int
    orders: pd.DataFrame | None = None
    screen: pd.DataFrame = field(default_factory=pd.DataFrame)
    n_unanswered: int = 0
    reliability: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(RELIABILITY)))


@dataclass(frozen=True)
class Answers:
    """A model's answers at one temperature, before anything is measured of them.

    Attributes
    ----------
    temperature : float
    n, right, empty : int
        Answers, those that are right, and those without a word.
    read, levels : int
        Answers with a confidence, and how many different ones these have.
    alike : int
        How often the commonest answer was given.
    commonest : str
    """

    temperature: float
    n: int
    right: int
    empty: int
    read: int
    levels: int
    alike: int
    commonest: str


def about(entry: ModelEntry, prompts: Iterable[Prompt]) -> pd.DataFrame:
    """What a model is and how it is asked, as a table of two columns; the prompts are those of its run."""
    kind = {"base": "base model", "instruct": "tuned to follow instructions"}[entry.kind]
    origin = next(iter(entry.source))
    places = {
        "package": f"in the Python package {entry.source.get('package', '')}",
        "package_parts": "in Python packages, in pieces that are joined and checked",
        "wheels": "in files of Python packages, in pieces that are joined and checked",
        "path": "a file on the machine that made this book",
        "hub": f"{(entry.source.get('hub') or {}).get('repo', '')} on the model hub",
        "endpoint": f"served as {(entry.source.get('endpoint') or {}).get('model', '')}",
    }
    rows = {
        "Model": entry.label,
        "On the command line": f"--model {entry.name}",
        "Kind": kind,
        "Family": entry.family or "-",
        "Licence": entry.licence or "not stated",
        "Where it comes from": places.get(origin, origin),
        "SHA-256": f"{entry.sha256[:16]}..." if entry.sha256 else "not known before the first use",
        "Asked": "; ".join(f"{one.id}: {form_in_words(one, entry)}" for one in prompts) or "-",
        **({"Thinking": thinking} if (thinking := thinking_of(entry.settings or {})) else {}),
    }
    return pd.DataFrame({"": list(rows), " ": list(rows.values())})


def thinking_of(settings: Mapping[str, Any]) -> str:
    """What a model's settings say of thoughts before its answers, in words; empty if nothing."""
    words = []
    if settings.get("thinking", "refuse") != "refuse":
        room = settings.get("thought_tokens", 0)
        more = f", with room for {room:,} tokens" if room else ""
        words.append(f"taken off its answers by the rule {settings['thinking']}{more}")
    switches = settings.get("chat_template_kwargs") or {}
    if switches:
        words.append("its template is told " + ", ".join(f"{k}: {v}".lower() for k, v in switches.items()))
    if effort := settings.get("reasoning_effort"):
        words.append(f"reasoning effort {effort}")
    return "; ".join(words)


def answers_of(trials: pd.DataFrame, model: str, temperature: float) -> Answers:
    """A model's answers at the temperature closest to one.

    Raises
    ------
    MetacogError
        If the table holds no trials of the model.
    """
    mine = scored(_own(trials, model))
    nearest = _nearest(mine, temperature)
    here = mine[mine["temperature"] == nearest]
    texts = here["text"].str.strip()
    said = texts[texts != ""].value_counts()
    return Answers(
        nearest,
        len(here),
        int(here["correct"].sum()),
        int((texts == "").sum()),
        int(here[SCORE].notna().sum()),
        int(here[SCORE].nunique()),
        int(said.max()) if len(said) else 0,
        _short(said.index[0]) if len(said) else "",
    )


def _own(trials: pd.DataFrame, model: str) -> pd.DataFrame:
    """The model's trials; an error if there are none."""
    mine = trials[trials["model"] == model]
    if mine.empty:
        raise MetacogError(f"there are no trials of {model!r}: run `metacog collect --model {model}` first")
    return mine


def _nearest(trials: pd.DataFrame, temperature: float) -> float:
    """The temperature of some trials that is closest to one."""
    values = np.array(sorted(trials["temperature"].unique()), dtype=float)
    return float(values[np.abs(values - temperature).argmin()])


def model_measures(trials: pd.DataFrame, model: str, temperature: float, options: Options) -> ModelMeasures:
    """All measures of one model: at one temperature, by domain, and over temperatures.

    Parameters
    ----------
    trials : DataFrame
        A trial table; other models' trials are passed over.
    model : str
    temperature : float
        The one closest to it among the run's is taken.
    options : Options
        ``score`` and ``clustered`` are set here: NLP orders trials, or the signal in its place, and at one
        temperature a question has one trial.

    Raises
    ------
    MetacogError
        If the table holds no trials of the model, or none with a confidence there.
    """
    mine = scored(_own(trials, model))
    has = mine[SCORE].notna()
    nearest = _nearest(mine, temperature)
    here = mine["temperature"] == nearest
    at = mine[here & has].reset_index(drop=True)
    if at.empty:
        raise MetacogError(
            f"no trial of {model!r} at T = {nearest:g} has a confidence: all answers are empty, or none of its "
            "stated ones could be read"
        )
    repeated = bool(at["question_id"].duplicated().any())
    settings = Options(
        options.n_resamples, options.n_permutations, options.seed, options.level, clustered=repeated
    )
    table, _ = measure_table(at, settings, ("model", "domain"))
    every = mine[has].reset_index(drop=True)
    swept, _ = measure_table(every, settings, ("temperature",))
    orders = [order_table(at, settings, "domain"), order_table(every, settings, "temperature")]
    return ModelMeasures(
        nearest,
        at,
        table[table["by"] == "model"].reset_index(drop=True),
        table[table["by"] == "domain"].reset_index(drop=True),
        swept,
        int((here & ~has).sum()),
        pd.concat([o for o in orders if len(o)] or orders[:1], ignore_index=True),
        screen(at, cluster="question_id" if repeated else None),
        int((here & ~has & (mine["match"] == "unanswered")).sum()),
        reliability(every, nearest),
    )


def reliability(trials: pd.DataFrame, temperature: float) -> pd.DataFrame:
    """How often answers are right, in ten bins of confidence, at the lowest temperature and at another.

    Returns
    -------
    DataFrame
        :data:`RELIABILITY`: ``sampling`` the temperature in words, ``stated`` the mean confidence of ``n`` answers.
    """
    rows = []
    for one in dict.fromkeys((float(trials["temperature"].min()), temperature)):
        own = trials[(trials["temperature"] == one) & trials["confidence"].notna()]
        if own.empty:
            continue
        found = reliability_diagram(own["correct"].to_numpy(), own["confidence"].to_numpy(), n_bins=10)
        bins = zip(
            found.confidence,
            found.count,
            found.accuracy,
            found.accuracy_lower,
            found.accuracy_upper,
            strict=True,
        )
        rows += [(f"temperature {one:g}", *map(float, values)) for values in bins]
    return pd.DataFrame(rows, columns=list(RELIABILITY))


def examples(trials: pd.DataFrame, questions: Mapping[str, str], n: int = 5) -> dict[str, pd.DataFrame]:
    """Answers worth reading: the surest right ones, the surest wrong ones and the least sure right ones.

    Parameters
    ----------
    trials : DataFrame
        Trials of one model at one temperature, with the column ``score``.
    questions : mapping
        Text of each question by id; the id itself is shown where it is not known.
    n : int
        Answers of each sort.

    Returns
    -------
    dict
        ``sure and right``, ``sure and wrong``, ``unsure and right``; tables with the columns Question,
        Answer, Confidence.
    """
    right = trials[trials["correct"]].sort_values(["score", "question_id"], ascending=[False, True])
    wrong = trials[~trials["correct"]].sort_values(["score", "question_id"], ascending=[False, True])
    sorts = {
        "sure and right": right.head(n),
        "sure and wrong": wrong.head(n),
        "unsure and right": right.iloc[n:].tail(n),
    }
    return {
        name: pd.DataFrame(
            {
                "Question": [questions.get(q, q) for q in part["question_id"]],
                "Answer": [_short(text) for text in part["text"]],
                "Confidence": part["confidence"].to_numpy(),
            }
        )
        for name, part in sorts.items()
    }


def _short(text: str, most: int = 60) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= most else line[: most - 3] + "..."


# What does one model answer, and how well does it know it? What is computed.

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
        Columns ``study``, ``collection`` and those of :func:`metacog.collect.manifest.run_facts`.
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
