"""How well do the models of this run know what they know? The probe asked of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.models import labelled
from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.area_differences import compare_areas
from metacog.sdt.checks import FloatArray
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study4_probe import paper, relations, scores
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS, load_items
from metacog.studies.study4_probe.asking.marking import SCALES
from metacog.studies.study4_probe.asking.wordings import WITHOUT_EXAMPLES, load_wordings
from metacog.studies.study4_probe.judging import LEVEL, judge
from metacog.studies.study4_probe.paper import TASKS, plain, short
from metacog.studies.study4_probe.scores import CONSTANT, FEWEST_OF_EACH, UNREAD, UNSTATED, scored
from metacog.verdicts.needed import about, answers_for_area
from metacog.verdicts.outcomes import COLUMNS

#: Share of the scale's top below which the paper's gate hands an answer on.
GATE = 0.8


@analysis(needs=("probe",), files=("data/questions/probe-v1*", "data/published/probe_table4*.csv"))
def replication(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> dict[str, Any]:
    """How well do this run's models know what they know?"""
    trials = labelled(inputs.trials("probe"))
    at = scores.thresholds_of(trials)
    profile = scores.profile(trials, at, n_resamples=n_resamples, seed=seed)
    items = relations.agreement(trials)
    told = pd.DataFrame(columns=list(COLUMNS))
    if verdicts:
        steady = relations.correlations(items, seed=seed)
        told = judge(profile, by_one_measure(trials), steady, trials["model"].unique())
    return {
        "profile": profile,
        "composites": scores.composites(trials, profile, at),
        "ranks": beside_printed(relations.with_correctness(trials, seed=seed)),
        "sweep": scores.sweep(trials),
        "audit": audit(trials),
        "examples": examples(trials),
        "agreement": items,
        "gate": gate(trials),
        "examples_shown": not trials["wording"].str.endswith(WITHOUT_EXAMPLES).any(),
        "sigma_t": at.sigma_t,
        "range_t": at.range_t,
        "n_items": int(trials["question_id"].nunique()),
        "resamples": int(trials["sample"].max()),
        "outcomes": told,
    }


def beside_printed(ranks: pd.DataFrame) -> pd.DataFrame:
    """Rank correlations of this run's models, and those that the paper prints of its own; ``whose`` tells which."""
    printed = (
        paper.as_text("table4_spearman").drop(columns="bonferroni_survives").set_index("model").astype(float)
    )
    return pd.concat(
        [
            ranks.assign(whose="this book's models"),
            printed.reset_index().assign(
                n=paper.ITEMS["T1_CC"], whose="the paper's models, as printed", why=""
            ),
        ],
        ignore_index=True,
    )


def by_one_measure(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 on T1-CC less that on T4-CR: ``model, difference, lower, upper`` (95 %, items independent), ``why``.

    The scores cannot be held against each other: that of T1-CC is a correlation whose 50 stands for none, that of
    T4-CR a Brier score less penalties, in which 50 says nothing. AUROC2 is 0.5 without self-knowledge on both, and asks
    nothing of the scale. Items without a stated confidence are left out; there is no interval with fewer than three
    right or wrong answers, or one confidence throughout.
    """
    found = []
    for model, rows in scored(trials).groupby("model", sort=False):
        own = [rows[rows["task"] == task] for task in TASKS_WITH_ANSWERS]
        if any(part.empty for part in own):
            continue
        stated = [part.dropna(subset=["stated"]) for part in own]
        why = " and ".join(filter(None, map(_lacking, stated, TASKS_WITH_ANSWERS)))
        ends = (math.nan,) * 3
        if not why:
            got = compare_areas(*_columns(stated[0]), *_columns(stated[1]))
            ends = got.difference, got.lower, got.upper
        found.append((model, *ends, why))
    return pd.DataFrame(found, columns=["model", "difference", "lower", "upper", "why"])


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


def audit(trials: pd.DataFrame) -> pd.DataFrame:
    """Every scored reply of T1-CC and T4-CR: ``model, task, question, answer, right, stated``."""
    known = {item.id: item for item in load_items()}
    own = scored(trials)
    own = own[own["task"].isin(TASKS_WITH_ANSWERS) & own["question_id"].isin(list(known))]
    return pd.DataFrame(
        {
            "model": own["model"],
            "task": own["task"].map(short),
            "question": own["question_id"].map(lambda i: known[i].prompt),
            "answer": own["answer"].str.slice(0, 60),
            "right": own["credit"] == 1,
            "stated": own["stated"],
        }
    ).reset_index(drop=True)


def gate(trials: pd.DataFrame) -> pd.DataFrame:
    """What the paper's gate does with the answers of each model: ``model, task, wrong, caught, right, held``.

    It hands on an answer whose confidence is below :data:`GATE` of the scale, or was not stated: ``caught`` of the
    ``wrong`` ones, and ``held`` of the ``right`` ones.
    """
    own = scored(trials)
    found = []
    for (model, task), rows in own[own["task"].isin(TASKS_WITH_ANSWERS)].groupby(
        ["model", "task"], sort=False
    ):
        right, on = rows["credit"] == 1, ~(rows["stated"] >= GATE * SCALES[str(task)][1])
        counts = (int(one.sum()) for one in (~right, on & ~right, right, on & right))
        found.append((model, short(str(task)), *counts))
    return pd.DataFrame(found, columns=["model", "task", "wrong", "caught", "right", "held"])


def examples(trials: pd.DataFrame) -> pd.DataFrame:
    """Of each task the first item that the first model got wrong, or the first where it got none wrong."""
    known, wordings = {item.id: item for item in load_items()}, load_wordings()
    own = scored(trials)
    own = own[own["question_id"].isin(list(known)) & (own["model"] == own["model"].iloc[0])]
    found = []
    for task in TASKS:
        rows = own[own["task"] == task].sort_values("question_index", kind="stable")
        if rows.empty:
            continue
        wrong = rows[rows["credit"] < 1]
        row = (wrong if len(wrong) else rows).iloc[0]
        item = known[row["question_id"]]
        found.append(
            {
                "task": task,
                "instruction": wordings.tasks[task]["instruction"],
                "item": f"{wordings.marker} {item.prompt}",
                "reply": str(row["text"]).strip(),
                "rubric": item.rubric,
                "right": bool(row["credit"] == 1),
            }
        )
    return pd.DataFrame(found)


# What is said of it.


def requests(result: Result) -> str:
    """One request of each task with a confidence, and what was replied, as Markdown."""
    return _requests(result.examples[result.examples["task"].isin(TASKS_WITH_ANSWERS)])


def other_requests(result: Result) -> str:
    """The same of the other tasks."""
    return _requests(result.examples[~result.examples["task"].isin(TASKS_WITH_ANSWERS)])


def _requests(examples: pd.DataFrame) -> str:
    return "\n\n".join(
        f"**{plain(row.task).capitalize()}.** *Point for: {row.rubric.rstrip('.')}. This reply "
        f"{'earned' if row.right else 'did not earn'} it.*\n\n"
        f"```text\n{row.instruction}\n\n{row.item}\n\n> {_quoted(row.reply)}\n```"
        for row in rows_of(examples)
    )


def _quoted(reply: str) -> str:
    return reply.replace("```", "'''").replace("\n", "\n> ") or "(nothing)"


def figures(result: Result) -> dict[str, Any]:
    """How many models' confidence follows correctness; sure and wrong answers; replies that could not be read.

    ``needed`` are the answers that would tell; ``stuck`` the models of which no number would.
    """
    t1, t4 = (
        frame[frame["task"] == task] for frame, task in ((result.profile, "T1-CC"), (result.gate, "T4-CR"))
    )
    stuck = t1["note"].isin([CONSTANT, UNSTATED]) | t1["note"].str.endswith(UNREAD)
    known, right = t1["p"].le(LEVEL), float((t1["right"] / t1["items"])[~stuck].median())
    unread = result.profile.groupby("model", sort=False)["unread"].sum()
    return {
        "n_judged": int((~stuck).sum()) or float("nan"),
        "follows": int((known & t1["lower"].gt(50)).sum()),
        "against": int((known & t1["upper"].lt(50)).sum()),
        "items": int(t1["items"].max()),
        "needed": about(answers_for_area(right)) if 0 < right < 1 else float("nan"),
        "stuck": listed(t1.loc[stuck, "model"]),
        "wrong": int(t4["wrong"].sum()),
        "sure": int((t4["wrong"] - t4["caught"]).sum()),
        "unread": int(unread.sum()),
        "replies": int(result.profile["items"].sum()),
        "least_read": str(unread.idxmax()),
    }


VIEWS = Views(
    "replication", sentences={"requests": requests, "other_requests": other_requests}, numbers=figures
)
