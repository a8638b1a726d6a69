"""What was asked, of whom, and what came back?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.collect.jobs import manifests
from metacog.collect.manifest import run_facts
from metacog.collect.plan import settings_of
from metacog.collect.questions import load_questions
from metacog.sdt.intervals import wilson
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import REFERENCE, open_trials

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@analysis(needs=("open",))
def collection(inputs: Inputs, *, seed: int = 42) -> dict[str, Any]:
    """What was asked, of whom, and what came back?"""
    trials = open_trials(inputs)
    settings = settings_of(inputs.study, inputs.profile)
    asked = {q.id: q.question for name in settings.datasets for q in load_questions(name)}
    return {
        "facts": run_facts(manifests(inputs.study, inputs.profile, "open")),
        "marks": marks(trials, by=("model", "temperature")),
        "examples": examples(trials, asked, seed=seed),
        "tiers": tiers(trials),
        "n_trials": len(trials),
        "n_models": int(trials["model"].nunique()),
        "n_questions": int(trials["question_id"].nunique()),
        "n_temperatures": int(trials["temperature"].nunique()),
    }


def marks(trials: pd.DataFrame, by: Sequence[str] = ("model",)) -> pd.DataFrame:
    """How answers were marked, in each group: shares of trials, mean tokens, and two counts.

    Near ones are similar, but with another number or letter, and wrong; unanswered replies ended while the model was
    still thinking. A next question was taken off replies that ``ran_on``; those ``righted`` are right without it alone.
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
    """Accuracy at T = 1 by tier of difficulty, with 95 % Wilson intervals; no row where questions have no tiers."""
    chosen = trials[(trials["temperature"] == REFERENCE) & (trials["tier"] > 0)]
    grouped = chosen.groupby(["model", "tier"], sort=False, observed=True)["correct"]
    table = grouped.agg(n="size", right="sum").reset_index().astype({"tier": "int64", "right": "int64"})
    table["accuracy"] = table["right"] / table["n"]
    table["accuracy_lower"], table["accuracy_upper"] = wilson(table["accuracy"], table["n"])
    return table


def examples(
    trials: pd.DataFrame, questions: Mapping[str, str], *, seed: int = 42, n: int = 3
) -> pd.DataFrame:
    """``n`` trials of each kind, drawn by seed; what a reply went on into stands in brackets behind its answer."""
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
