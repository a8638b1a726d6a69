"""How well do the models of this run know what they know? The probe asked of them.

The scores of T1-CC and T4-CR cannot be held against each other: that of T1-CC is a correlation whose 50 stands for
none, that of T4-CR a Brier score less penalties, in which 50 says nothing. AUROC2, the chance that a right answer
carries more confidence than a wrong one, is 0.5 without self-knowledge on both, and asks nothing of the scale on
which confidence was stated. Items without a stated confidence are left out.

A unit speaks against a rule only where the numbers do: an interval, or a relation with a small p, that lies wholly
on the other side. Where they lie on neither side the unit is undecided, and its numbers say why.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.collect.models import labelled
from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.sdt.area_comparison import compare_areas
from metacog.studies.study import analysis
from metacog.studies.study4_probe import measures, replication_measures
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS
from metacog.studies.study4_probe.measures import (
    CONSTANT,
    FEWEST_MODELS,
    FEWEST_OF_EACH,
    UNSTATED,
    FloatArray,
    scored,
)
from metacog.studies.study4_probe.paper import TASKS, plain, short
from metacog.studies.study4_probe.replication_measures import gate_curves, gate_table, thresholds_of
from metacog.verdicts.rules import Unit, answer_of, judged, those
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Differences of AUROC2 within this say that the tasks are alike.
ALIKE = 0.1


def by_one_measure(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of both tasks, and T1-CC less T4-CR.

    Returns
    -------
    DataFrame
        ``model``; ``right_t1, wrong_t1, area_t1, lower_t1, upper_t1`` and the same of ``t4``; ``difference, lower,
        upper`` (95 %, items independent); ``left_out`` (items of both tasks without a stated confidence) and
        ``why`` there is no interval: fewer than three right or wrong answers, or one confidence throughout.
    """
    found = []
    for model, rows in scored(trials).groupby("model", sort=False):
        own = [rows[rows["task"] == task] for task in TASKS_WITH_ANSWERS]
        if any(part.empty for part in own):
            continue
        stated = [part.dropna(subset=["stated"]) for part in own]
        why = " and ".join(filter(None, map(_lacking, stated, TASKS_WITH_ANSWERS)))
        row: dict[str, object] = {"model": model}
        for part, name in zip(stated, ("t1", "t4"), strict=True):
            right = int((part["credit"] == 1).sum())
            row |= {f"right_{name}": right, f"wrong_{name}": len(part) - right}
            row |= dict.fromkeys((f"area_{name}", f"lower_{name}", f"upper_{name}"), math.nan)
        row |= dict.fromkeys(("difference", "lower", "upper"), math.nan)
        if not why:
            got = compare_areas(*_columns(stated[0]), *_columns(stated[1]))
            for area, name in ((got.a, "t1"), (got.b, "t4")):
                row |= {
                    f"area_{name}": area.estimate,
                    f"lower_{name}": area.lower,
                    f"upper_{name}": area.upper,
                }
            row |= {"difference": got.difference, "lower": got.lower, "upper": got.upper}
        row |= {
            "left_out": sum(map(len, own)) - sum(map(len, stated)),
            "why": why,
        }
        found.append(row)
    return pd.DataFrame(found)


def _columns(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    right, sure = (rows["credit"] == 1).to_numpy(), rows["stated"].to_numpy()
    return right.astype(np.float64), sure.astype(np.float64)


def _lacking(rows: pd.DataFrame, task: str) -> str:
    """What keeps a task from having an AUROC2 with an interval; empty where nothing does."""
    if rows.empty:
        return f"{UNSTATED} on {short(task)}"
    if rows["stated"].nunique() == 1:
        return f"{CONSTANT} on {short(task)}"
    right = int((rows["credit"] == 1).sum())
    if right < FEWEST_OF_EACH:
        return f"only {right} right on {short(task)}"
    wrong = len(rows) - right
    return f"only {wrong} wrong on {short(task)}" if wrong < FEWEST_OF_EACH else ""


#: Largest permutation p that decides.
LEVEL = 0.05
#: Reasons that are numbers: they lie on neither side.
NUMBERS = re.compile(r"p = |-?[\d.]+ to -?[\d.]+")
#: What each rule judges of one model.
CLAIMS = {
    "calibration": "Right answers have more confidence (out of 10)",
    "dissociation": "One scale shows more than the other",
    "steadiness": "Steadier answers have more confidence",
    "entropy": "Scattered answers have less confidence",
}

RULES = {
    "calibration": (
        "Confidence follows correctness on T1-CC in every model: the 95 % interval of the score, over items, "
        f"lies above 50, and the permutation p of stated confidence with correctness is at most {LEVEL}. An "
        "interval below 50 with such a p refutes it."
    ),
    "dissociation": (
        "Confidence tells right from wrong better on one of T1-CC and T4-CR than on the other, in every "
        "model: the 95 % interval of the difference of their AUROC2 excludes 0. An interval within "
        f"-{ALIKE} and {ALIKE} refutes it."
    ),
    "steadiness": (
        "Stated confidence follows the agreement of resampled answers in every model and task: Spearman's "
        f"rho over items is above 0, with a permutation p of at most {LEVEL}. A rho below 0 with such a p "
        "refutes it."
    ),
    "entropy": (
        "Stated confidence falls as the decoding entropy of the answer rises in every model and task: "
        f"Spearman's rho over items is below 0, with a permutation p of at most {LEVEL}. A rho above 0 with "
        "such a p refutes it."
    ),
}


def verdicts_of(
    profile: pd.DataFrame, tasks_compared: pd.DataFrame, steady: pd.DataFrame, models: Iterable[str] = ()
) -> tuple[Verdict, ...]:
    """One verdict per rule; none where the run asked nothing that it is about.

    Parameters
    ----------
    profile : DataFrame
        As :func:`.scores.profile` gives it.
    tasks_compared : DataFrame
        As :func:`.two_tasks.by_one_measure` gives it.
    steady : DataFrame
        As :func:`.steadiness.correlations` gives it.
    models : iterable of str
        Everybody that "every model" means, in addition to the models of the profile: one without a row is undecided.
    """
    everybody = list(dict.fromkeys([*profile["model"], *models]))
    t1 = profile[profile["task"] == "T1-CC"]
    calibration = [
        _unit(
            r.model,
            r.lower > 50 and r.p <= LEVEL,
            r.upper < 50 and r.p <= LEVEL,
            r.note,
            f"{r.lower:.0f} to {r.upper:.0f}, p = {r.p:.2f}",
        )
        for r in rows_of(t1)
    ]
    apart = [
        _unit(
            r.model,
            r.lower > 0 or r.upper < 0,
            -ALIKE < r.lower and r.upper < ALIKE,
            r.why,
            f"{r.lower:.2f} to {r.upper:.2f}",
        )
        for r in rows_of(tasks_compared)
    ]
    return tuple(
        _verdict(topic, what, units)
        for topic, what, units in (
            (
                "calibration",
                "Confidence that follows correctness",
                _whole(calibration, everybody, "T1-CC was not asked"),
            ),
            (
                "dissociation",
                "A difference between the two scales of confidence",
                _whole(apart, everybody, "not asked both"),
            ),
            ("steadiness", "Confidence that follows agreement", _related(steady, 1, everybody)),
        )
        if units
    )


def entropy_verdict(table: pd.DataFrame, models: Iterable[str] = ()) -> tuple[Verdict, ...]:
    """The verdict on decoding entropy; none where no answer was drawn.

    Parameters
    ----------
    table : DataFrame
        One row per model and task: ``rho, p, items, why``.
    models : iterable of str
        As in :func:`verdicts_of`.
    """
    units = _related(table, -1, list(models))
    if not units:
        return ()
    return (_verdict("entropy", "Confidence that falls with decoding entropy", units),)


def claims_of(verdicts: Iterable[Verdict]) -> pd.DataFrame:
    """What verdicts say of each model: ``claim, model, answer, why``.

    A model whose numbers lie on neither side is undecided; one that has none is not testable.
    """
    rows = []
    for verdict in verdicts:
        reasons = dict(verdict.undecided)
        for name, holds in verdict.units:
            model, _, task = name.partition(" on ")
            why = reasons.get(name, "")
            rows.append(
                {
                    "claim": CLAIMS[verdict.topic]
                    + (f" ({plain(task).removeprefix('confidence ')})" if task else ""),
                    "model": model,
                    "answer": "undecided" if holds is None and NUMBERS.match(why) else answer_of(holds),
                    "why": _in_words(why),
                }
            )
    return pd.DataFrame(rows, columns=["claim", "model", "answer", "why"])


def _in_words(why: str) -> str:
    """A reason with the names of tasks that readers know."""
    for task in map(short, TASKS):
        why = why.replace(task, plain(task))
    return why


def _related(table: pd.DataFrame, sign: int, models: Sequence[str]) -> list[Unit]:
    """One unit per model and task: whether rho has the sign that a rule asks for, by its p."""
    units = [
        _unit(
            f"{r.model} on {r.task}",
            sign * r.rho > 0 and r.p <= LEVEL,
            sign * r.rho < 0 and r.p <= LEVEL,
            "" if r.p == r.p else r.why,
            f"p = {r.p:.2f}",
        )
        for r in rows_of(table)
    ]
    tasks = dict.fromkeys(r.task for r in rows_of(table))
    return _whole(units, [f"{model} on {task}" for model in models for task in tasks], "not asked again")


def _whole(units: list[Unit], names: Sequence[str], why: str) -> list[Unit]:
    """With an undecided unit for every name without one; none where there are no units at all."""
    there = {u.name for u in units}
    return units + [Unit(name, None, why) for name in names if name not in there] if units else []


def _unit(name: str, yes: object, no: object, flag: str, numbers: str) -> Unit:
    """A unit that holds, is refuted, or cannot be told."""
    if flag or not (yes or no):
        return Unit(name, None, flag or numbers)
    return Unit(name, bool(yes))


def _verdict(topic: str, what: str, units: list[Unit]) -> Verdict:
    return judged(
        units,
        topic.capitalize(),
        Kind.EXPLORATORY,
        RULES[topic],
        name="in_every_model",
        topic=topic,
        what=what,
        found=those(units, True),
        against=those(units, False),
    )


# Decoding entropy of answers (:mod:`metacog.studies.study4_probe.asking.collection`) and stated confidence.

#: Items with an entropy that a correlation takes.
FEWEST = 3
#: What is lacking where nothing was asked, no draw held an answer, and no draw could be used.
LACKING = (
    "not asked for: the setting draws is 0",
    "no draw held an answer",
    "the engine gives no log-probabilities",
)
TOO_FEW = "only {} items with enough usable draws"


def by_item(trials: pd.DataFrame) -> pd.DataFrame:
    """``model, task, question_id, stated, correct, entropy`` of the items whose answers were drawn again."""
    first = scored(trials)
    rows = first[first["task"].isin(TASKS_WITH_ANSWERS) & (first["entropy_asked"] > 0)]
    names = ["model", "task", "question_id", "stated", "correct", "entropy"]
    return rows[names].reset_index(drop=True)


def reasons(trials: pd.DataFrame) -> pd.DataFrame:
    """``model, task, used, why``: share of draws that could be used, and why there is no entropy.

    ``why`` is empty where at least three items have one.
    """
    first = scored(trials)
    rows = first[first["task"].isin(TASKS_WITH_ANSWERS)]
    found = []
    for (model, task), own in rows.groupby(["model", "task"], sort=False):
        asked, read, used = (int(own[f"entropy_{c}"].sum()) for c in ("asked", "read", "used"))
        found.append(
            {
                "model": model,
                "task": task,
                "used": used / asked if asked else np.nan,
                "why": _why(asked, read, used, int(own["entropy"].notna().sum())),
            }
        )
    return pd.DataFrame(found, columns=["model", "task", "used", "why"])


def _why(asked: int, read: int, used: int, items: int) -> str:
    if items >= FEWEST:
        return ""
    lacking = next((why for n, why in zip((asked, read, used), LACKING, strict=True) if not n), TOO_FEW)
    return lacking.format(items)


def correlations(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """One row per model and task: rho of stated confidence with decoding entropy, its p and its interval.

    Returns
    -------
    DataFrame
        As :func:`.steadiness.correlations` gives it, with ``used`` (share of draws that could be used);
        ``why`` says what the engine or the replies lack where there is no entropy to correlate. No row where
        nothing was drawn.
    """
    items = by_item(trials)
    if items.empty:
        return pd.DataFrame(
            columns=["model", "task", "rho", "lower", "upper", "p", "items", "left_out", "entropy"]
        )
    found = replication_measures.correlations(items, n_resamples=n_resamples, seed=seed, of="entropy")
    lacking = reasons(trials).rename(columns={"why": "lacking"})
    both = found.merge(lacking.assign(task=lacking["task"].map(short)), how="left")
    whys = both["lacking"].where(both["lacking"].fillna("") != "", both["why"])
    return both.assign(why=whys).drop(columns="lacking")


@dataclass(frozen=True)
class ReplicationItems:
    """Tables by topic.

    ``strategies`` has one row per model and task with a confidence; ``murphy`` the terms of T4-CR's Brier score;
    ``drawn`` the items with a decoding entropy and ``entropy`` its correlation with stated confidence;
    ``tasks`` how many items of each task separate the models, ``separating`` those items; ``claims``
    what all verdicts on the replies say of each model.
    """

    strategies: pd.DataFrame
    murphy: pd.DataFrame
    drawn: pd.DataFrame
    entropy: pd.DataFrame
    tasks: pd.DataFrame
    separating: pd.DataFrame
    models: tuple[str, ...]
    lineages: pd.DataFrame
    lineages_refused: str
    draws: int
    resamples: int
    verdicts: tuple[Verdict, ...]
    claims: pd.DataFrame


@analysis(needs=("probe", "replication"), returns=ReplicationItems, files=("data/questions/probe-v1*",))
def replication_items(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> ReplicationItems:
    """What do single items and ways of stating confidence say of this run's models?"""
    trials = labelled(inputs.trials("probe"))
    classes, terms = measures.table(trials), measures.of_run(trials)
    torn = correlations(trials, n_resamples=n_resamples, seed=seed)
    tasks = replication_measures.by_task(trials, n_resamples=n_resamples, seed=seed)
    left_out, refused = _lineages(_scores(trials))
    torn_judged = entropy_verdict(torn, trials["model"].unique()) if verdicts else ()
    return ReplicationItems(
        strategies=classes,
        murphy=terms,
        drawn=by_item(trials),
        entropy=torn,
        tasks=tasks,
        separating=replication_measures.items(trials, n_resamples=n_resamples, seed=seed),
        models=tuple(trials["model"].unique()),
        lineages=left_out,
        lineages_refused=refused,
        draws=int(trials["entropy_asked"].max()),
        resamples=n_resamples,
        verdicts=torn_judged,
        claims=claims_of((*inputs.result("replication").verdicts, *torn_judged)),
    )


def _scores(trials: pd.DataFrame) -> pd.DataFrame:
    """The five scores, models x tasks under the names of table 1; models that lack a task are left out."""
    profile = measures.profile(trials, thresholds_of(trials), n_resamples=2, seed=1)
    wide = profile.pivot(index="model", columns="task", values="score")
    return wide.rename(columns={short(t): t for t in TASKS}).reindex(columns=list(TASKS)).dropna()


def _lineages(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The panel's figures without each lineage, or why there are none."""
    if len(table) < FEWEST_MODELS:
        there = "there is 1" if len(table) == 1 else f"there are {len(table)}"
        return pd.DataFrame(), f"statistics of a panel need at least {FEWEST_MODELS} models; {there}"
    try:
        return measures.leave_out(table), ""
    except MetacogError as refused:
        return pd.DataFrame(), str(refused)


@dataclass(frozen=True)
class Replication:
    """The five scores of this run's models and what they rest on.

    ``profile`` has one row per model and task, ``composites`` their means, ``boundary`` T3-KB by both rules,
    ``penalties`` T4-CR taken apart, ``sweep`` it at nine pairs of thresholds, ``differences`` the scores
    T1-CC minus T4-CR, ``tasks_compared`` both tasks by one measure, ``audit`` the single replies behind that,
    ``examples`` one request and reply of each task, ``items`` the agreement of resamples by item and ``steady``
    its correlation with stated confidence,
    ``curves`` and ``gates`` what a confidence gate would do on T1-CC and T4-CR together. ``panel`` holds
    the figures that need a panel of models.
    """

    profile: pd.DataFrame
    composites: pd.DataFrame
    boundary: pd.DataFrame
    penalties: pd.DataFrame
    sweep: pd.DataFrame
    differences: pd.DataFrame
    tasks_compared: pd.DataFrame
    audit: pd.DataFrame
    examples: pd.DataFrame
    items: pd.DataFrame
    steady: pd.DataFrame
    curves: pd.DataFrame
    gates: pd.DataFrame
    panel: replication_measures.Panel
    sigma_t: float
    range_t: float
    n_items: int
    resamples: int
    verdicts: tuple[Verdict, ...]


@analysis(needs=("probe",), returns=Replication, files=("data/questions/probe-v1*",))
def replication(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Replication:
    """How well do this run's models know what they know?"""
    trials = labelled(inputs.trials("probe"))
    at = replication_measures.thresholds_of(trials)
    profile = measures.profile(trials, at, n_resamples=n_resamples, seed=seed)
    taken_apart, swept = replication_measures.penalties(trials, at), replication_measures.sweep(trials)
    differences = replication_measures.dissociation(trials, at, n_resamples=n_resamples, seed=seed)
    compared = by_one_measure(trials)
    items = replication_measures.agreement(trials)
    steady = replication_measures.correlations(items, n_resamples=n_resamples, seed=seed)
    again = replication_measures.retest(trials)
    steady = steady.merge(again.assign(task=again["task"].map(short)), how="left") if len(steady) else steady
    first = measures.scored(trials)
    answers = first[first["task"].isin(replication_measures.TASKS_WITH_ANSWERS)]
    return Replication(
        profile=profile,
        composites=measures.composites(profile),
        boundary=measures.second_rule(trials),
        penalties=taken_apart,
        sweep=swept,
        differences=differences,
        tasks_compared=compared,
        audit=replication_measures.audit(trials),
        examples=replication_measures.examples(trials),
        items=items,
        steady=steady,
        curves=gate_curves(answers),
        gates=gate_table(answers),
        panel=replication_measures.panel_of(profile),
        sigma_t=at.sigma_t,
        range_t=at.range_t,
        n_items=int(trials["question_id"].nunique()),
        resamples=int(trials["sample"].max()),
        verdicts=verdicts_of(profile, compared, steady, trials["model"].unique()) if verdicts else (),
    )
