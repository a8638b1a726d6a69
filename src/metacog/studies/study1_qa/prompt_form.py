"""What does the form of asking change? The main paper's form beside this book's, on the same questions.

What was fixed before anything was asked stands in ``benchmarks/prompt_form.py``, which made the table read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table, ended
from metacog.measures.cell import MIN_FOR_INTERVALS, Cell, Measured, question_resamples
from metacog.measures.fits import fitted_of
from metacog.measures.pairs import differences, excludes_zero
from metacog.report.views import Views
from metacog.sdt.within_strata import StratifiedAnswers
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import REFERENCE, K, rate_trials, table_flags

#: Answers without their texts: ``model, dataset, question_id, temperature, correct, nlp, n_tokens, truncated, refused,
#: mentioned, form``; how often forms that were swapped by chance differ, of the ``swaps`` with an interval: ``model,
#: measure, swaps, differ``.
FILE, SWAPS = "data/benchmarks/prompt_form.csv", "data/benchmarks/prompt_form_swaps.csv"
#: The main paper's form and this book's.
FORMS = ("zeroshot", "fewshot")
#: Measures of which it is judged whether the forms differ in them, at :data:`ALL`.
JUDGED = ("accuracy", "auroc2")
#: Means over answers, and all that is compared.
MEANS = ("accuracy", "mentioned", "truncated", "n_tokens", "refused", "empty")
COMPARED = (*MEANS, "auroc2", "m_ratio")
#: The rule is not believed where it finds more than this share of differences that are not there.
MOST_FALSE = 0.10
AT_ONE, ALL = "temperature 1", "all temperatures"


def rated_answers(answers: pd.DataFrame) -> pd.DataFrame:
    """Answers with their ``rating``, cut at octiles of NLP at T = 1 by model, set and form."""
    return pd.concat([rate_trials(own).trials for _, own in answers.groupby("form", sort=False)])


def measured(
    answers: pd.DataFrame, *, n_resamples: int, seed: int, names: Sequence[str] = COMPARED
) -> dict[str, Measured]:
    """Each form's measures, on the same resamples of the questions, of one model's answers.

    AUROC2 compares answers of one set and temperature. It has no interval, as everywhere, with fewer than
    :data:`metacog.measures.cell.MIN_FOR_INTERVALS` right answers, and M-ratio neither.
    """
    asked = list(zip(answers["dataset"], answers["question_id"], strict=True))
    questions = tuple(sorted(set(asked)))
    weights = np.vstack([np.ones((1, len(questions))), *question_resamples(questions, n_resamples, seed)])
    number = {question: place for place, question in enumerate(questions)}
    units, found = pd.Series([number[one] for one in asked], answers.index), {}
    for form in FORMS:
        own = answers[answers["form"] == form].assign(
            accuracy=lambda t: t["correct"], empty=lambda t: t["nlp"].isna()
        )
        unit, values = units[own.index].to_numpy(), {}
        n = weights @ np.bincount(unit, minlength=len(questions))
        for name in set(MEANS).intersection(names):
            sums = np.bincount(unit, own[name].to_numpy(dtype=np.float64), len(questions))
            values[name] = weights @ sums / n
        known = own[own["nlp"].notna()]
        at: NDArray[np.int64] = np.asarray(units[known.index], dtype=np.int64)
        strata = known["dataset"] + known["temperature"].astype(str)
        enough = known["correct"].sum() >= MIN_FOR_INTERVALS
        some, lacking = (weights, 0) if enough else (weights[:1], len(weights) - 1)
        if "auroc2" in names:
            sure = StratifiedAnswers.of(known["correct"], known["nlp"], strata)
            values["auroc2"] = np.pad(sure.areas(some[:, at]), (0, lacking), constant_values=np.nan)
        if "m_ratio" in names:
            ratios = fitted_of(_cell(known, at, questions), some)["m_ratio"]
            values["m_ratio"] = np.pad(ratios, (0, lacking), constant_values=np.nan)
        found[form] = Measured.drawn(**values)
    return found


def _cell(known: pd.DataFrame, unit: NDArray[np.int64], questions: tuple[tuple[str, str], ...]) -> Cell:
    right, level = known["correct"].to_numpy(dtype=bool), known["rating"].to_numpy(dtype=np.int64) - 1
    none = np.full(len(known), np.nan)
    return Cell(right, known["nlp"].to_numpy(), level, 2 * K, none, unit, questions=questions)


def flag(rated: pd.DataFrame) -> str:
    """What is unsound about the ratings of some answers, as everywhere in the study."""
    level = rated["rating"].dropna().to_numpy(dtype=np.int64) - 1
    right = rated.loc[rated["rating"].notna(), "correct"].to_numpy(dtype=bool)
    wrong, correct = (np.bincount(level[right == mark], minlength=2 * K)[None] for mark in (False, True))
    return table_flags(wrong, correct)[0]


def compared(rated: pd.DataFrame, **options: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A row for each model, part and form with its measures; and one for each measure with the forms' difference."""
    rows, gaps = [], []
    for model, own in rated.groupby("model", sort=False):
        for at, part in ((AT_ONE, own[own["temperature"] == REFERENCE]), (ALL, own)):
            made = measured(part, **options)
            for form, one in made.items():
                answers = part[part["form"] == form]
                row = {"model": model, "at": at, "form": form, "n": len(answers)}
                row["n_correct"] = int(answers["correct"].sum())
                for name in COMPARED:
                    row |= ended(name, one.values[name], *one.bounds[name])
                rows.append({**row, "flag": flag(answers)})
            for name in COMPARED:
                gap = differences(made, name, paired=True).iloc[0][["difference", "lower", "upper"]]
                gaps.append({"model": model, "at": at, "measure": name, **gap})
    return pd.DataFrame(rows), pd.DataFrame(gaps)


def differ(answers: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Whether each model's forms differ, by the rule, in :data:`JUDGED`: ``model, measure, judged, differs``.

    Not ``judged`` is what has no interval.
    """
    rows = []
    for model, own in answers.groupby("model", sort=False):
        made = measured(own, names=JUDGED, **options)
        for name in JUDGED:
            gap = differences(made, name, paired=True)
            differs = bool(excludes_zero(gap["lower"], gap["upper"]).iloc[0])
            judged = bool(gap["lower"].notna().iloc[0])
            rows.append({"model": model, "measure": name, "judged": judged, "differs": differs})
    return pd.DataFrame(rows)


@analysis(files=(FILE, SWAPS))
def prompt_form(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """What does the form of asking change?"""
    answers = committed_table(FILE)
    by_form, gaps = compared(rated_answers(answers), n_resamples=min(n_resamples, 2_000), seed=seed)
    return {
        "by_form": by_form,
        "differences": gaps,
        "swaps": committed_table(SWAPS),
        "n_questions": int(answers.groupby("dataset")["question_id"].nunique().min()),
    }


#: What is told of both forms at all temperatures, and the number by which a share is shown.
TOLD = {"accuracy": 100, "mentioned": 100, "truncated": 100, "n_tokens": 1}


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand, at all temperatures: the least and the most of a model in
    each form, in how many models the rule finds a difference, and how often it finds one where there is none.
    """
    forms = result.by_form[result.by_form["at"] == ALL]
    gaps = result.differences[result.differences["at"] == ALL].set_index("measure")
    right, told_apart = (gaps.loc[[name]] for name in JUDGED)
    swaps = result.swaps[result.swaps["swaps"] > 0]
    found = {
        f"{form}_{name}_{end}": times * float(getattr(own[name], how)())
        for form, own in forms.groupby("form")
        for name, times in TOLD.items()
        for end, how in (("least", "min"), ("most", "max"))
    }
    return found | {
        "n_asked": len(right),
        "n_worse": int((right["upper"] < 0).sum()),
        "n_compared": int(told_apart["lower"].notna().sum()),
        "n_apart": int(excludes_zero(told_apart["lower"], told_apart["upper"]).sum()),
        "false_least": 100 * float((swaps["differ"] / swaps["swaps"]).min()),
        "false_most": 100 * float((swaps["differ"] / swaps["swaps"]).max()),
        "false_allowed": 100 * MOST_FALSE,
    }


VIEWS = Views("prompt_form", numbers=figures)
