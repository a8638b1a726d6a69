"""What is lost without log-probabilities?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
from metacog.core.frames import rows_of, with_ends
from metacog.core.paths import project_root
from metacog.measures.cell import MIN_PARSED
from metacog.measures.table import TABLE, Options, measure_table
from metacog.sdt.area_contrasts import AreaContrast, area_contrast
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.asking.collections import OpenAnswers
from metacog.trials import NLP, SCORE, SIGNAL, SIGNALS, scored
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import Unit, beyond

if TYPE_CHECKING:
    from metacog.studies.study import Study


#: One rule for each other signal.
RULES = {
    f"lost {signal}": Rule(
        "On the same questions AUROC2 of NLP is higher than that of the signal (95 % interval of the difference above "
        "zero), in every model.",
        "Signals",
        topic="lost",
        no_null="committed replies; signals that are equally good in test_compared_signals.py",
    )
    for signal in SIGNALS
    if signal != NLP
}


def judge(losses: pd.DataFrame) -> pd.DataFrame | None:
    found = []
    for signal, own in losses.groupby("signal", sort=False):
        units = [
            beyond(row.model, row.lower, row.upper, 0.0, row.why or "no interval") for row in rows_of(own)
        ]
        lacking = [model for model in losses["model"].unique() if model not in set(own["model"])]
        units += [Unit(str(model), None, "no replies with this signal") for model in lacking]
        found.append(outcomes(f"lost {signal}", units))
    return pd.concat(found, ignore_index=True) if found else None


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


def collected(study: Study) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Trials of every model and signal of the committed replies, and what a question took, each a mean.

    Read from :data:`PACK`, whatever lies in the clone's own runs. A signal that is asked for in other words today than
    when the replies were collected is missing.
    """
    trials: list[pd.DataFrame] = []
    costs: list[tuple[object, ...]] = []
    with TemporaryDirectory() as folder:
        unpack(project_root() / PACK, Path(folder))
        for signal in SIGNALS:
            asked = with_signal(load_profile(PROFILE), [study], signal)
            for target in targets(study, asked, collections=[OpenAnswers.name], runs=Path(folder)):
                try:
                    reading, _ = target.read()
                except MetacogError:
                    continue
                trials.append(scored(reading.trials))
                costs.append((target.model, signal, *_cost(target)))
    together = pd.concat(trials, ignore_index=True) if trials else pd.DataFrame(columns=list(READ))
    return together, pd.DataFrame(costs, columns=list(COSTS))


def cooled(study: Study, models: Sequence[str]) -> pd.DataFrame:
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

AREA = with_ends("auroc2")
COLUMNS = ("model", SIGNAL, "asked", "n", "known", *AREA, "flag")
#: What is lost, and what is lost where NLP is read off the answer at a low temperature, which knows nothing of the
#: luck of the draw (``cool_lost``).
LOST = ("model", SIGNAL, "lost", "lower", "upper", "why", "cool_lost", "cool_lower", "cool_upper")


def with_confidence(trials: pd.DataFrame) -> pd.DataFrame:
    return trials[(trials["answer"].str.strip() != "") & trials[SCORE].notna()]


def signal_table(trials: pd.DataFrame, costs: pd.DataFrame, options: Options) -> pd.DataFrame:
    """Every signal of every model: questions ``asked``, answers with a confidence, measures of these, and tokens.

    Where fewer than :data:`metacog.measures.cell.MIN_PARSED` of the answers have a confidence nothing is measured.
    """
    rows = []
    for cell, own in trials.groupby(["model", SIGNAL], sort=False):
        answered, used = own[own["answer"].str.strip() != ""], with_confidence(own)
        share = len(used) / len(answered) if len(answered) else 0.0
        made: dict[Any, Any] = {
            "flag": f"{len(used)} of {len(answered)} answers have a confidence that could be read"
        }
        if share >= MIN_PARSED:
            (made,) = measure_table(used, options, by=("model",))[0].to_dict("records")
        facts = dict(zip(COLUMNS, (*cell, len(own), len(used), share), strict=False))
        rows.append(facts | {name: made.get(name, math.nan) for name in AREA} | {"flag": made["flag"]})
    table = pd.DataFrame(rows, columns=list(COLUMNS)).merge(costs, on=["model", SIGNAL], how="left")
    return table.assign(tokens=table["prompt_tokens"] + table["answer_tokens"])


def lost_to_signals(
    trials: pd.DataFrame, table: pd.DataFrame, cool: pd.DataFrame | None = None
) -> pd.DataFrame:
    """AUROC2 of NLP less that of each other signal, on the questions on which both have a confidence.

    ``lost`` has an interval or ``why`` there is none. ``cool_lost`` is for the same answers against NLP at a low
    temperature, where ``cool`` knows it.
    """
    used = with_confidence(trials).set_index(["model", SIGNAL])
    found = table.set_index(["model", SIGNAL])
    undefined = found["flag"].where(found["auroc2"].isna(), "").to_dict()
    rows = []
    for model, signal in found.index:
        if signal == NLP or (model, NLP) not in undefined:
            continue
        row: dict[str, Any] = {
            "model": model,
            SIGNAL: signal,
            "why": undefined[model, NLP] or undefined[model, signal],
        }
        if not row["why"]:
            one, other = (used.loc[[(model, name)]].set_index("question_id") for name in (NLP, signal))
            gap = _lost(one, one, other)
            row |= {"lost": gap.value, "lower": gap.lower, "upper": gap.upper, "why": gap.why}
            low = None if cool is None else cool[(cool["model"] == model) & cool[SCORE].notna()]
            if low is not None and len(low):
                gap = _lost(one, low.set_index("question_id"), other)
                row |= {"cool_lost": gap.value, "cool_lower": gap.lower, "cool_upper": gap.upper}
        rows.append(row)
    return pd.DataFrame(rows, columns=list(LOST))


def _lost(one: pd.DataFrame, read: pd.DataFrame, other: pd.DataFrame) -> AreaContrast:
    """AUROC2 of one signal's answers, by confidence that is read elsewhere, less that of another's."""
    known = one.index.intersection(other.index).intersection(read.index)
    right, sure = [one, other], [read, other]
    return area_contrast(
        [frame.loc[known, "correct"] for frame in right], [frame.loc[known, SCORE] for frame in sure], (1, -1)
    )


@analysis(files=(*FILES, TABLE))
def compared_signals(
    inputs: Inputs,
    *,
    n_resamples: int = 2_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> dict[str, Any]:
    """What is lost without log-probabilities?"""
    trials, costs = collected(inputs.study)
    table = signal_table(trials, costs, Options(n_resamples, n_permutations, seed, clustered=False))
    losses = lost_to_signals(trials, table, cooled(inputs.study, load_profile(PROFILE).models))
    return {
        "table": table,
        "losses": losses,
        "outcomes": judge(losses) if verdicts else None,
        "n_questions": int(table["asked"].max()) if len(table) else 0,
    }
