"""What is lost without log-probabilities?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.collect.jobs import Target, targets
from metacog.collect.manifest import Manifest
from metacog.collect.packs import unpack
from metacog.collect.plan import with_signal
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.core.words import listed
from metacog.measures.cell import MIN_PARSED
from metacog.measures.table import TABLE, Options, measure_table
from metacog.sdt.area_comparison import area_contrast
from metacog.studies.study import analysis
from metacog.studies.study1_qa.asking.collections import OpenAnswers
from metacog.trials import NLP, SCORE, SIGNAL, SIGNALS, scored
from metacog.verdicts.rules import Unit, beyond, judged, those
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs
    from metacog.studies.study import Study


# Whether each signal tells right from wrong less well than NLP.

RULE = (
    "On the same questions AUROC2 of NLP is higher than that of the signal (95 % interval of the difference above "
    "zero), in every model."
)


def judge(losses: pd.DataFrame) -> tuple[Verdict, ...]:
    """One verdict for each signal; its values name the signal and the models by outcome."""
    found = []
    for signal, own in losses.groupby("signal", sort=False):
        units = [
            beyond(row.model, row.lower, row.upper, 0.0, row.why or "no interval") for row in rows_of(own)
        ]
        lacking = [model for model in losses["model"].unique() if model not in set(own["model"])]
        units += [Unit(str(model), None, "no replies with this signal") for model in lacking]
        shown, refuted = those(units, True), those(units, False)
        found.append(
            judged(
                units,
                "Signals",
                Kind.EXPLORATORY,
                RULE,
                name="lost",
                topic="lost",
                signal=str(signal),
                shown=shown,
                refuted=refuted,
            )
        )
    return tuple(found)


# Committed replies to the same questions, once for each signal: their trials, and what they took.

#: The profile that was asked, once with each signal.
PROFILE = "signals"
#: Its replies.
PACK = "data/replies/study1-signals.zip"
#: The profile in which the same models answered the same questions at lower temperatures, and its replies.
COOL_PROFILE, COOL_PACK = "reference", "data/replies/study1-qa.zip"
#: All that trials are read from.
FILES = (
    PACK,
    COOL_PACK,
    *(f"config/profiles/{name}.yaml" for name in (PROFILE, COOL_PROFILE)),
    "config/signals.yaml",
)
READ = ("model", "signal", "question_id", "answer", "correct", "confidence", "score")
COOLED = ["model", "question_id", "temperature", "score"]
COSTS = ("model", "signal", "requests", "prompt_tokens", "answer_tokens")


@dataclass(frozen=True)
class Collected:
    """Answers of every model with every signal.

    Attributes
    ----------
    trials : DataFrame
        Trial tables, one below the other, with the columns ``signal`` and ``score``; :data:`READ` if there are none.
    costs : DataFrame
        One row per model and signal, each a mean over questions: ``requests``; tokens of the prompts as a server
        would be sent them (``prompt_tokens``); tokens written (``answer_tokens``).
    left_out : mapping of str to str
        Why a signal is missing, as where it is asked for in other words today than when the replies were collected.
    cool : DataFrame
        NLP of the models' answers to the same questions at the lowest temperature of the profile :data:`COOL`:
        ``model, question_id, temperature, score``.
    """

    trials: pd.DataFrame
    costs: pd.DataFrame
    left_out: Mapping[str, str]
    cool: pd.DataFrame


def collected(study: Study) -> Collected:
    """Read the committed replies of :data:`PROFILE`, whatever lies in the clone's own runs."""
    profile = load_profile(PROFILE)
    trials: list[pd.DataFrame] = []
    costs: list[tuple[object, ...]] = []
    lacking: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder:
        unpack(project_root() / PACK, Path(folder))
        for signal in SIGNALS:
            asked = with_signal(profile, [study], signal)
            for target in targets(study, asked, collections=[OpenAnswers.name], runs=Path(folder)):
                try:
                    reading, _ = target.read()
                except MetacogError:
                    lacking.setdefault(signal, []).append(target.model)
                    continue
                trials.append(scored(reading.trials))
                costs.append((target.model, signal, *_cost(target)))
    left_out = {
        signal: f"the book has no replies of {listed(models)} to it" for signal, models in lacking.items()
    }
    together = pd.concat(trials, ignore_index=True) if trials else pd.DataFrame(columns=list(READ))
    return Collected(
        together, pd.DataFrame(costs, columns=list(COSTS)), left_out, _cool(study, profile.models)
    )


def _cool(study: Study, models: Sequence[str]) -> pd.DataFrame:
    """NLP at the lowest temperature; of the models whose replies answer what is asked today."""
    found: list[pd.DataFrame] = []
    with TemporaryDirectory() as folder:
        unpack(project_root() / COOL_PACK, Path(folder))
        asked = load_profile(COOL_PROFILE)
        for target in targets(study, asked, collections=[OpenAnswers.name], runs=Path(folder)):
            if target.model in models:
                try:
                    trials = scored(target.read()[0].trials)
                except MetacogError:
                    continue
                found.append(trials[trials["temperature"] == trials["temperature"].min()])
    return pd.concat(found, ignore_index=True)[COOLED] if found else pd.DataFrame(columns=COOLED)


def _cost(target: Target) -> tuple[float, float, float]:
    manifests = [Manifest.stored(target.folder(plan)) for plan in target.plans()]
    n_items = sum(one["n_items"] for one in manifests)
    parts: list[Mapping[str, Any]] = [part for one in manifests for part in one["parts"].values()]
    # a server's count of what it read is that of the prompts as they were sent
    sent = sum(part.get("tokens_sent", part["tokens_read"]) for part in parts)
    return (
        sum(part["rows"] for part in parts) / n_items,
        sent / n_items,
        sum(part["tokens_written"] for part in parts) / n_items,
    )


# AUROC2 and meta-I of every signal on the same questions, and what each loses against NLP.

#: Measures with their intervals.
AREA = ("auroc2", "auroc2_lower", "auroc2_upper")
BITS = ("meta_i2r", "meta_i2r_lower", "meta_i2r_upper", "p_meta_i2r", "meta_i")
MEASURES = ("accuracy", *AREA, *BITS)
COLUMNS = ("model", SIGNAL, "asked", "n", "known", "n_values", *MEASURES, "flag", "coverage")
#: What is lost where NLP is read off the answer at a low temperature, which knows nothing of the luck of the draw.
COOL_COLUMNS = ("cool", "auroc2_cool", "cool_lost", "cool_lower", "cool_upper")
LOST = ("model", SIGNAL, "n", "same", "auroc2_nlp", "auroc2", "lost", "lower", "upper", "why", *COOL_COLUMNS)


def with_confidence(trials: pd.DataFrame) -> pd.DataFrame:
    """Answers that are not empty and have a confidence."""
    return trials[(trials["answer"].str.strip() != "") & trials[SCORE].notna()]


def signal_table(trials: pd.DataFrame, costs: pd.DataFrame, options: Options) -> pd.DataFrame:
    """Every signal of every model.

    Parameters
    ----------
    trials : DataFrame
        One answer a question, model and signal, with the columns ``signal`` and ``score``.
    costs : DataFrame
        By ``model`` and ``signal``.
    options : Options

    Returns
    -------
    DataFrame
        ``model, signal``; questions ``asked``; answers ``n`` that have a confidence, their share ``known`` of those
        that are not empty, and the ``n_values`` that it takes; ``accuracy``, ``auroc2``, ``meta_i2r`` and ``meta_i``
        (bits) with the bounds of the first three and the permutation p of meta-I2r; ``flag`` why there is none;
        ``coverage``; the columns of ``costs``, and ``tokens``, those of prompt and answer. Where fewer than
        :data:`metacog.measures.cell.MIN_PARSED` have a confidence there is accuracy alone: of all answers.
    """
    rows = []
    for cell, own in trials.groupby(["model", SIGNAL], sort=False):
        answered, used = own[own["answer"].str.strip() != ""], with_confidence(own)
        share = len(used) / len(answered) if len(answered) else 0.0
        row: dict[str, object] = dict.fromkeys(MEASURES, math.nan) | {"flag": "", "coverage": ""}
        if share < MIN_PARSED:
            row["flag"] = f"{len(used)} of {len(answered)} answers have a confidence that could be read"
            row["accuracy"] = float(own["correct"].mean())
        else:
            (made,) = measure_table(used, options, by=("model",))[0].to_dict("records")
            row |= {name: made[name] for name in row if name in made}
        facts = (*cell, len(own), len(used), share, used[SCORE].nunique())
        rows.append(dict(zip(COLUMNS, facts, strict=False)) | row)
    table = pd.DataFrame(rows, columns=list(COLUMNS)).merge(costs, on=["model", SIGNAL], how="left")
    return table.assign(tokens=table["prompt_tokens"] + table["answer_tokens"])


def lost_to_signals(
    trials: pd.DataFrame, table: pd.DataFrame, cool: pd.DataFrame | None = None, *, level: float = 0.95
) -> pd.DataFrame:
    """AUROC2 of NLP less that of each other signal, on the questions on which both have a confidence.

    Parameters
    ----------
    trials, table : DataFrame
        As :func:`signal_table` takes and gives them.
    cool : DataFrame, optional
        NLP of the same models' answers at a low temperature: ``model, question_id, temperature, score``.

    Returns
    -------
    DataFrame
        ``model, signal``; shared questions ``n`` and the share ``same`` of them with the same answer both times;
        both areas; ``lost`` with ``lower`` and ``upper`` (:func:`metacog.sdt.area_comparison.area_contrast`); ``why``
        there is no interval. For the same answers with NLP at the low temperature ``cool``, where it is known:
        ``auroc2_cool``, ``cool_lost, cool_lower, cool_upper``.
    """
    used = with_confidence(trials).set_index(["model", SIGNAL])
    low = None if cool is None else cool.dropna(subset=["score"])
    found = table.set_index(["model", SIGNAL])
    undefined = found["flag"].where(found["auroc2"].isna(), "").to_dict()
    rows = []
    for model, signal in found.index:
        if signal == NLP or (model, NLP) not in undefined:
            continue
        row = {"model": model, SIGNAL: signal, **dict.fromkeys(LOST[2:], math.nan)}
        if why := undefined[model, NLP] or undefined[model, signal]:
            rows.append(row | {"why": why})
            continue
        one, other = (used.loc[[(model, name)]].set_index("question_id") for name in (NLP, signal))
        both = one.index.intersection(other.index)
        one, other = one.loc[both], other.loc[both]
        gap = area_contrast(
            [one["correct"], other["correct"]], [one[SCORE], other[SCORE]], (1, -1), level=level
        )
        same = (one["answer"] == other["answer"]).mean()
        values = (len(both), same, *gap.areas, gap.value, gap.lower, gap.upper, gap.why)
        row |= dict(zip(LOST[2:], values, strict=False))
        if low is not None and len(own := low[low["model"] == model]):
            row |= _with_cool(one, other, own.set_index("question_id"), level)
        rows.append(row)
    return pd.DataFrame(rows, columns=list(LOST))


def _with_cool(one: pd.DataFrame, other: pd.DataFrame, low: pd.DataFrame, level: float) -> dict[str, object]:
    """What is lost for the same answers with NLP of the answer at the low temperature."""
    known = one.index.intersection(low.index)
    right, sure = (
        [frame.loc[known, name] for frame in frames]
        for frames, name in (((one, other), "correct"), ((low, other), SCORE))
    )
    gap = area_contrast(right, sure, (1, -1), level=level)
    return dict(
        zip(
            COOL_COLUMNS,
            (low["temperature"].iloc[0], gap.areas[0], gap.value, gap.lower, gap.upper),
            strict=True,
        )
    )


# What is lost without log-probabilities? What is computed.


@dataclass(frozen=True)
class ComparedSignals:
    """Signals of confidence on the same questions, from the committed replies.

    ``table`` and ``losses`` as in :mod:`metacog.studies.study1_qa.compared_signals`; ``left_out`` says
    why signals are missing; ``n_questions`` were asked with each.
    """

    table: pd.DataFrame
    losses: pd.DataFrame
    left_out: Mapping[str, str]
    verdicts: tuple[Verdict, ...]
    n_questions: int


@analysis(returns=ComparedSignals, files=(*FILES, TABLE))
def compared_signals(
    inputs: Inputs,
    *,
    n_resamples: int = 2_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> ComparedSignals:
    """What is lost without log-probabilities?"""
    found = collected(inputs.study)
    options = Options(n_resamples, n_permutations, seed, clustered=False)
    table = signal_table(found.trials, found.costs, options)
    losses = lost_to_signals(found.trials, table, found.cool)
    return ComparedSignals(
        table,
        losses,
        found.left_out,
        judge(losses) if verdicts else (),
        int(table["asked"].max()) if len(table) else 0,
    )
