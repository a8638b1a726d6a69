"""What was asked, of whom, and what came back?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.collect.jobs import manifests
from metacog.collect.manifest import run_facts
from metacog.collect.plan import settings_of
from metacog.collect.questions import load_questions
from metacog.sdt.intervals import wilson
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import MIN_CLASS, REFERENCE, open_trials

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# How answers were marked, how many were right by domain and tier, and examples of them.


def outcomes(trials: pd.DataFrame, by: Sequence[str] = ("model",)) -> pd.DataFrame:
    """How answers were marked, in each group.

    Returns
    -------
    DataFrame
        Columns of ``by`` and ``n_trials, accuracy, exact, similar, near, wrong, refused, empty,
        unanswered, truncated`` (shares of trials; near ones are similar, but with another number or letter, and
        wrong; unanswered replies ended while the model was still thinking), ``mean_tokens``, and two counts:
        ``ran_on``, replies from which a next question was taken off, and ``righted``, those of them that are right
        without it and wrong with it.
    """

    rows = []
    for key, group in trials.groupby(list(by), sort=False, observed=True):
        share = group["match"].value_counts(normalize=True).to_dict()
        rows.append(
            dict(zip(by, key, strict=True))
            | {
                "n_trials": len(group),
                "accuracy": group["correct"].mean(),
                "exact": share.get("exact", 0.0),
                "similar": share.get("similar", 0.0),
                "near": share.get("near", 0.0),
                "wrong": share.get("none", 0.0),
                "refused": share.get("refusal", 0.0),
                "empty": share.get("empty", 0.0),
                "unanswered": share.get("unanswered", 0.0),
                "truncated": group["truncated"].mean(),
                "mean_tokens": group["n_tokens"].mean(),
                "ran_on": int((group["ran_on"] != "").sum()),
                "righted": int((group["correct"] & ~group["right_whole"]).sum()),
            }
        )
    return pd.DataFrame(rows)


def tiers(trials: pd.DataFrame) -> pd.DataFrame:
    """Accuracy at T = 1 by tier of difficulty.

    Returns
    -------
    DataFrame
        ``model, tier, n, right, accuracy, accuracy_lower, accuracy_upper``, with 95 % Wilson intervals
        (:func:`metacog.sdt.intervals.wilson`); no row where questions have no tiers.
    """
    chosen = trials[(trials["temperature"] == REFERENCE) & (trials["tier"] > 0)]
    grouped = chosen.groupby(["model", "tier"], sort=False, observed=True)["correct"]
    table = grouped.agg(n="size", right="sum").reset_index().astype({"tier": "int64", "right": "int64"})
    table["accuracy"] = table["right"] / table["n"]
    table["accuracy_lower"], table["accuracy_upper"] = wilson(table["accuracy"], table["n"])
    return table


def right_by_tier(trials: pd.DataFrame, temperature: float = 1.0) -> pd.DataFrame:
    """Right answers by domain and tier at one temperature, as ``right/asked``.

    Returns
    -------
    DataFrame
        One row per model and domain; columns ``tier 1`` ... ``tier 5``, ``right``, ``wrong`` and
        ``enough``: whether both reach :data:`MIN_CLASS`.
    """
    chosen = trials[trials["temperature"] == temperature]
    rows = []
    for (model, domain), group in chosen.groupby(["model", "domain"], sort=False, observed=True):
        row: dict[str, Any] = {"model": model, "domain": domain}
        for tier, part in group.groupby("tier"):
            row[f"tier {tier!s}" if tier else "no tier"] = f"{int(part['correct'].sum())}/{len(part)}"
        right = int(group["correct"].sum())
        row |= {"right": right, "wrong": len(group) - right}
        row["enough"] = min(row["right"], row["wrong"]) >= MIN_CLASS
        rows.append(row)
    return pd.DataFrame(rows)


def examples(
    trials: pd.DataFrame, questions: Mapping[str, str], *, seed: int = 42, n: int = 3
) -> pd.DataFrame:
    """A few trials of each kind, drawn by seed: right, right by similarity, nearly so, wrong, refused, empty, cut.

    What a reply went on into stands in brackets behind its answer.

    Parameters
    ----------
    trials : DataFrame
    questions : mapping of question id to its text
    seed, n : int
        Draw ``n`` trials of each kind.
    """
    kinds = {
        "right (exact)": trials["match"] == "exact",
        "right (similar)": trials["match"] == "similar",
        "wrong (another number or letter)": trials["match"] == "near",
        "wrong": (trials["match"] == "none") & ~trials["truncated"],
        "refused": trials["match"] == "refusal",
        "empty": trials["match"] == "empty",
        "still thinking": trials["match"] == "unanswered",
        "cut off": trials["truncated"],
        "went on": trials["ran_on"] != "",
    }
    rows = []
    for kind, chosen in kinds.items():
        pool = trials[chosen]
        for row in pool.sample(min(n, len(pool)), random_state=seed).to_dict("records"):
            rows.append(
                {
                    "kind": kind,
                    "model": row["model"],
                    "T": row["temperature"],
                    "question": questions.get(row["question_id"], row["question_id"]),
                    "answer": f"{row['text'].strip()} [{row['ran_on']}]"
                    if row["ran_on"]
                    else row["text"].strip(),
                    "nearest key": row["matched_alias"],
                    "NLP": row["nlp"],
                }
            )
    return pd.DataFrame(rows)


# What was asked, of whom, and what came back? What is computed.


@dataclass(frozen=True)
class Collected:
    """What was asked, of whom, and what came back.

    ``facts`` has one row per run, ``outcomes`` how answers were marked, ``cells`` right answers by domain and
    tier, ``tiers`` accuracy by tier, ``answers`` the length and outcome of every answer.
    """

    facts: pd.DataFrame
    outcomes: pd.DataFrame
    examples: pd.DataFrame
    cells: pd.DataFrame
    answers: pd.DataFrame
    tiers: pd.DataFrame
    n_trials: int
    n_models: int
    n_questions: int
    n_temperatures: int
    minutes: float


@analysis(needs=("open",), returns=Collected)
def collection(inputs: Inputs, *, seed: int = 42) -> Collected:
    """What was asked, of whom, and what came back?"""
    trials = open_trials(inputs)
    settings = settings_of(inputs.study, inputs.profile)
    asked = {q.id: q.question for name in settings.datasets for q in load_questions(name)}
    facts = run_facts(manifests(inputs.study, inputs.profile, "open"))
    return Collected(
        facts,
        outcomes(trials, by=("model", "temperature")),
        examples(trials, asked, seed=seed),
        right_by_tier(trials),
        trials[["model", "temperature", "n_tokens", "tier", "correct"]],
        tiers(trials),
        len(trials),
        int(trials["model"].nunique()),
        int(trials["question_id"].nunique()),
        int(trials["temperature"].nunique()),
        float(facts["minutes"].sum()) if len(facts) else 0.0,
    )
