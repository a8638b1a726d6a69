"""What a model is, its measures, and examples of its answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.collect.prompts import Prompt, form_in_words
from metacog.core.errors import MetacogError
from metacog.measures.parts import order_table
from metacog.measures.screen import screen
from metacog.measures.table import Options, measure_table
from metacog.sdt.calibration import reliability_diagram
from metacog.trials.signals import SCORE, scored

if TYPE_CHECKING:
    from metacog.collect.models import ModelEntry

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
        Ranks of domains and temperatures, of :func:`metacog.measures.parts.order_table`.
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
