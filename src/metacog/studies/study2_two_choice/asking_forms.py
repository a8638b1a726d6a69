"""What does the form of asking change? The variations that the paper proposes, beside the usual form.

What was fixed before anything was asked stands in ``benchmarks/two_choice_forms.py``, which made the tables read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.models import labels_of
from metacog.core.frames import committed_table, ended, typed_rows, with_ends
from metacog.measures.cell import MIN_FOR_INTERVALS, Measured, question_resamples
from metacog.measures.pairs import differences, excludes_zero
from metacog.report.views import Views
from metacog.sdt.within_strata import StratifiedAnswers
from metacog.studies.study import Inputs, analysis

#: Answers without texts: ``model, task, question_id, correct, confidence, parse_status, form``; how often forms that
#: were swapped by chance differ, of the ``swaps`` with an interval: ``model, measure, swaps, differ, form``.
FILE, SWAPS = "data/benchmarks/two_choice_forms.csv", "data/benchmarks/two_choice_forms_swaps.csv"


@dataclass(frozen=True)
class AskingForm:
    """A form of asking: how readers know it, what it is held against (nothing: it is the usual), and its settings."""

    name: str
    base: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


FORMS = {
    "usual": AskingForm("two prompts, digits 1 to 5"),
    "scale3": AskingForm("digits 1 to 3", "usual", {"scale": 3}),
    "scale9": AskingForm("digits 1 to 9", "usual", {"scale": 9}),
    "warm": AskingForm("temperature 1 instead of 0.5", "usual", {"temperature": 1.0}),
}
#: What is compared, as readers know it.
MEASURES = {"accuracy": "share right", "auroc2": "AUROC2", "bias": "bias of confidence"}
_NAMED = dict.fromkeys(("model", "form"), "str")
_CELLS = {**_NAMED, "n": "int64", "unread": "int64", **dict.fromkeys(with_ends(*MEASURES), "float64")}
_GAPS = {**_NAMED, "measure": "str", **dict.fromkeys(with_ends("difference"), "float64")}


def probability(confidence: pd.Series) -> pd.Series:
    """Confidence, from 0 at the lowest digit to 1 at the highest, as a probability: the lowest digit is a guess."""
    return 0.5 + 0.5 * confidence


def measured(
    answers: pd.DataFrame, forms: tuple[str, ...], *, n_resamples: int, seed: int
) -> dict[str, Measured]:
    """Each form's measures of one model, on the same resamples of the sentences.

    AUROC2 compares answers of one task; it has no interval with fewer than
    :data:`metacog.measures.cell.MIN_FOR_INTERVALS` right or wrong answers.
    """
    asked = list(zip(answers["task"], answers["question_id"], strict=True))
    sentences = tuple(sorted(set(asked)))
    number = {sentence: place for place, sentence in enumerate(sentences)}
    weights = np.vstack([np.ones((1, len(sentences))), *question_resamples(sentences, n_resamples, seed)])
    units, found = pd.Series([number[one] for one in asked], answers.index), {}
    for form in forms:
        own = answers[(answers["form"] == form) & (answers["parse_status"] == "ok")]
        right = own["correct"].to_numpy(dtype=np.float64)
        sure = probability(own["confidence"])
        drawn = weights[:, units[own.index].to_numpy()]
        n = drawn.sum(axis=1)
        accuracy = drawn @ right / n
        enough = min(right.sum(), len(right) - right.sum()) >= MIN_FOR_INTERVALS
        areas = StratifiedAnswers.of(right, sure, own["task"]).areas(drawn)
        found[form] = Measured.drawn(
            accuracy=accuracy,
            auroc2=np.where((np.arange(len(areas)) == 0) | enough, areas, np.nan),
            bias=drawn @ sure.to_numpy() / n - accuracy,
        )
    return found


def gaps(answers: pd.DataFrame, form: str, base: str, **options: Any) -> pd.DataFrame:
    """A form's measures less its base's, by model, with limits."""
    rows = []
    for model, own in answers.groupby("model", sort=False):
        made = measured(own, (form, base), **options)
        for name in MEASURES:
            gap = differences(made, name, paired=True).iloc[0]
            ends = ended("difference", gap["difference"], gap["lower"], gap["upper"])
            rows.append({"model": model, "form": form, "measure": name, **ends})
    return typed_rows(rows, _GAPS)


def differ(answers: pd.DataFrame, form: str, base: str, **options: Any) -> pd.DataFrame:
    """Whether a form changes a measure, by the rule: ``model, measure, judged, differs``.

    Not ``judged`` is what has no interval.
    """
    found = gaps(answers, form, base, **options)
    lower, upper = found["difference_lower"], found["difference_upper"]
    return found[["model", "measure"]].assign(judged=lower.notna(), differs=excludes_zero(lower, upper))


@analysis(files=(FILE, SWAPS))
def asking_forms(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """What does the form of asking change?"""
    answers, rows = committed_table(FILE), []
    options = {"n_resamples": min(n_resamples, 2_000), "seed": seed}
    for model, own in answers.groupby("model", sort=False):
        for form, one in measured(own, tuple(FORMS), **options).items():
            part = own[own["form"] == form]
            row = {"model": model, "form": form, "n": len(part)}
            row["unread"] = int((part["parse_status"] != "ok").sum())
            for name in MEASURES:
                row |= ended(name, one.values[name], *one.bounds[name])
            rows.append(row)
    changes = [gaps(answers, form, one.base, **options) for form, one in FORMS.items() if one.base]
    return {
        "cells": named(typed_rows(rows, _CELLS)),
        "changes": named(pd.concat(changes, ignore_index=True)),
        "swaps": committed_table(SWAPS),
        "n_sentences": int(answers.groupby("task")["question_id"].nunique().min()),
    }


def named(rows: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``name``, the model's label, and ``form`` as readers know it."""
    shown = rows.assign(
        name=rows["model"].map(labels_of(rows["model"])).astype("str"),
        form=rows["form"].map({form: one.name for form, one in FORMS.items()}),
    )
    return shown.replace({"measure": MEASURES}) if "measure" in rows else shown


def figures(result: Any) -> dict[str, Any]:
    """How many comparisons differ, by measure; and how often forms that were swapped by chance do, in percent."""
    known = result.changes[result.changes["difference_lower"].notna()]
    clear = excludes_zero(known["difference_lower"], known["difference_upper"])
    swaps = result.swaps[result.swaps["swaps"] > 0]
    return {
        **{
            f"{short}_changed": int(clear[known["measure"] == name].sum()) for short, name in MEASURES.items()
        },
        **{f"{short}_of": int((known["measure"] == name).sum()) for short, name in MEASURES.items()},
        "by_chance": 100 * swaps["differ"].sum() / swaps["swaps"].sum(),
        "by_chance_most": 100 * (swaps["differ"] / swaps["swaps"]).max(),
    }


VIEWS = (Views("asking_forms", numbers=figures),)
