"""What does one model answer, and how well does it know it?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.jobs import manifests
from metacog.collect.manifest import COLUMNS, run_facts
from metacog.collect.models import ModelEntry, get_model
from metacog.collect.plan import collection_of, models_of, settings_of
from metacog.collect.prompts import Prompt, form_in_words, load_prompt
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.engines.capabilities import WORDS as CAPABILITIES
from metacog.measures.table import TABLE, Options, measure_table
from metacog.report.views import Views
from metacog.sdt.calibration import reliability_diagram
from metacog.studies.registry import studies
from metacog.studies.shared.model_headlines import why_absent
from metacog.studies.study import Inputs, Study, analysis
from metacog.trials import NLP, SCORE, WORDS, scored, signals_of, validate

# What a model is, its measures, and examples of its answers.

#: Columns of :func:`reliability`.
RELIABILITY = ("sampling", "stated", "n", "right", "right_lower", "right_upper")


@dataclass(frozen=True)
class Answers:
    """A model's answers at one temperature, before anything is measured of them.

    ``empty`` are without a word; ``read`` have a confidence, of which there are so many ``levels``; the ``commonest``
    was given ``alike`` times.
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
        "wheels": "in files of Python packages, which are fetched and checked, not installed",
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
    """A model's answers at the temperature closest to one."""
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


def at_temperature(
    trials: pd.DataFrame, model: str, temperature: float
) -> tuple[float, pd.DataFrame, int, int]:
    """The temperature closest to one, its trials with a confidence, how many have none, and in how many of these the
    model was still thinking when its tokens were used up.
    """
    mine = scored(_own(trials, model))
    nearest = _nearest(mine, temperature)
    here = mine[mine["temperature"] == nearest]
    silent = here[here[SCORE].isna()]
    if len(silent) == len(here):
        raise MetacogError(
            f"no trial of {model!r} at T = {nearest:g} has a confidence: all answers are empty, or none of its "
            "stated ones could be read"
        )
    heard = here[here[SCORE].notna()].reset_index(drop=True)
    return nearest, heard, len(silent), int((silent["match"] == "unanswered").sum())


def measured(trials: pd.DataFrame, model: str, temperature: float, options: Options) -> dict[str, Any]:
    """A model's measures at one temperature and by it, from rows of :func:`metacog.measures.table.measure_table`.

    At one temperature a question has one trial, so that questions are resampled only where they repeat.
    """
    nearest, at, n_empty, n_unanswered = at_temperature(trials, model, temperature)
    every = scored(_own(trials, model)).dropna(subset=[SCORE]).reset_index(drop=True)
    settings = replace(options, clustered=bool(at["question_id"].duplicated().any()))
    table, _ = measure_table(at, settings, ("model", "domain"))
    swept, _ = measure_table(every, settings, ("temperature",))
    return {
        "n_empty": n_empty,
        "n_unanswered": n_unanswered,
        "overall": table[table["by"] == "model"].reset_index(drop=True),
        "domains": table[table["by"] == "domain"].reset_index(drop=True),
        # along an axis, temperatures are numbers
        "temperatures": swept.assign(temperature=swept["temperature"].astype(float)),
        "reliability": reliability(every, nearest),
    }


def unmeasured() -> dict[str, Any]:
    """The same of a model without a confidence."""
    return {
        "n_empty": 0,
        "n_unanswered": 0,
        "overall": pd.DataFrame(),
        "domains": pd.DataFrame(columns=list(PARTS)),
        "temperatures": pd.DataFrame(columns=list(PARTS)),
        "reliability": pd.DataFrame(columns=list(RELIABILITY)),
    }


def reliability(trials: pd.DataFrame, temperature: float) -> pd.DataFrame:
    """How often answers are right, in ten bins of confidence, at the lowest temperature and at another:
    :data:`RELIABILITY`.

    ``sampling`` is the temperature in words, ``stated`` the mean confidence of ``n`` answers.
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


def examples(trials: pd.DataFrame, questions: Mapping[str, str], n: int = 5) -> pd.DataFrame:
    """Answers worth reading, ``n`` of each kind: the surest right and wrong ones, and the least sure right ones.

    Of trials of one model at one temperature, with the column ``score``; a question without a text goes by its id.
    """
    right = trials[trials["correct"]].sort_values(["score", "question_id"], ascending=[False, True])
    wrong = trials[~trials["correct"]].sort_values(["score", "question_id"], ascending=[False, True])
    kinds = {
        "sure and right": right.head(n),
        "sure and wrong": wrong.head(n),
        "unsure and right": right.iloc[n:].tail(n),
    }
    rows = [
        pd.DataFrame(
            {
                "Question": [questions.get(q, q) for q in part["question_id"]],
                "Answer": [_short(text) for text in part["text"]],
                "Confidence": part["confidence"].to_numpy(),
                "kind": kind,
            }
        )
        for kind, part in kinds.items()
        if len(part)
    ]
    return pd.concat(rows, ignore_index=True) if rows else NO_EXAMPLES


def _short(text: str) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= 60 else line[:57] + "..."


# What does one model answer, and how well does it know it? What is computed.

#: The collection whose answers the page shows: open answers, one or more at each temperature.
ANSWERS = "open"
#: Columns of the examples, and those that are drawn of domains and temperatures.
EXAMPLES = ("kind", "Question", "Answer", "Confidence")
NO_EXAMPLES = pd.DataFrame(columns=list(EXAMPLES))
PARTS = ("domain", "temperature", "auroc2", "accuracy", "accuracy_at_half")


@analysis(needs=(ANSWERS,), per_model=True, files=(TABLE,))
def model_page(
    inputs: Inputs,
    *,
    model: str = "",
    temperature: float = 1.0,
    n_examples: int = 5,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
) -> dict[str, Any]:
    """What does one model answer, and how well does it know it?"""
    entry, asking = get_model(model), inputs.owner(ANSWERS)
    trials, cannot, answers, signal, shown = pd.DataFrame(), {}, None, NLP, NO_EXAMPLES
    asked = asking is not None and model in models_of(asking, inputs.profile)
    if asking is not None and asked:
        trials, cannot = validate(inputs.trials(ANSWERS)), inputs.cannot(ANSWERS)
        answers, signal = answers_of(trials, model, temperature), signals_of(trials)[model]
        if answers.read:
            at = at_temperature(trials, model, temperature)[1]
            shown = examples(at, question_texts(asking, inputs.profile), n_examples)
    read, options = answers is not None and answers.read, Options(n_resamples, n_permutations, seed)
    running = (one for one in studies() if one.name in inputs.profile.studies)
    return {
        "about": about(entry, prompts_of(entry, inputs.profile)),
        "label": entry.label,
        "served": served_runs(entry, inputs.profile),
        "signal": signal,
        "cannot": cannot,
        "effects": effects_of(cannot, running),
        "answers": answers,
        "unasked": "" if asked else why_absent(asking, inputs.profile, model),
        "examples": shown,
        **(measured(trials, model, temperature, options) if read else unmeasured()),
    }


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
    """Facts of a profile's runs of a model behind an endpoint, with their ``study`` and ``collection``; none of a
    local model.
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


# What is said of it.


#: What leaves the rest of the page without a meaning, the gravest first.
OBSTACLES = {
    "unasked": "Open answers, on which this page rests, were {unasked}.",
    "empty": "All {n:,} answers of {label} are empty, so nothing on this page tells anything of it.",
    "all right": "All {n:,} answers of {label} were right: whether it knows which are cannot be asked.",
    "none right": "None of the {n:,} answers of {label} was right: whether it knows which are cannot be asked.",
    "unread": "No confidence could be read in the {n:,} answers of {label}: how well it knows them cannot be judged.",
    "level": "{label} is equally sure of all {read:,} answers: its confidence tells none apart.",
}
#: How often the right one of two answers has more confidence.
TOLD = {
    True: "In {share} of 100 pairs of a right and a wrong answer, {label} is surer of the right one.",
    False: "{label} is surer of its wrong answers: of 100 pairs with a right one, only {share} are otherwise.",
    None: "Whether {label} is surer of its right answers than of its wrong ones cannot be told from {n:,} answers.",
}


def answer(result: Any) -> str:
    """What leaves the page without a meaning; else how often the right one of two answers has more confidence."""
    answers, label = result.answers, result.label
    if answers is None:
        return OBSTACLES["unasked"].format(unasked=result.unasked)
    found = {
        "empty": answers.empty == answers.n,
        "all right": answers.right == answers.n,
        "none right": answers.right == 0,
        "unread": not answers.read,
        "level": answers.levels == 1 and answers.read > 1,
    }
    if gravest := next((name for name, holds in found.items() if holds), ""):
        return OBSTACLES[gravest].format(n=answers.n, label=label, read=answers.read)
    row = result.overall.iloc[0]
    above, below = row["auroc2_lower"] > 0.5, row["auroc2_upper"] < 0.5
    told = TOLD[True if above else False if below else None]
    return told.format(share=f"{100 * row['auroc2']:.0f}", label=label, n=answers.read)


def opening(result: Any) -> str:
    """How many of how many answers are right, and what is to be known of them."""
    answers = result.answers
    if answers is None:
        return ""
    texts = [
        f"{100 * answers.right / answers.n:.0f} % of its {answers.n:,} answers at temperature "
        f"{answers.temperature:g} are right."
    ]
    if 1 < answers.n < 2 * answers.alike:
        texts.append(
            f"{answers.alike:,} of them are one and the same, whatever was asked: “{answers.commonest}”. Before this "
            "is taken for what it knows, see how it was asked and how it is served."
        )
    if result.n_empty:
        texts.append(f"{result.n_empty} without a confidence are left out.")
    if result.n_unanswered:
        texts.append(f"In {result.n_unanswered} of these it was still thinking when its tokens were used up.")
    return " ".join(texts)


def confidence_is(result: Any) -> str:
    """What confidence in the model's answers is."""
    return f"**Confidence** here is {WORDS[result.signal]}."


def abilities(result: Any) -> str:
    """What the model's engine cannot do, and why, in Markdown; empty if nothing."""
    return "\n".join(f"- It cannot {CAPABILITIES[name]}: {why}." for name, why in result.cannot.items())


VIEWS = Views(
    "model_page",
    sentences={"answer": answer, "opening": opening, "confidence_is": confidence_is, "abilities": abilities},
)
