"""What was asked, of whom, and what came back?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from metacog.collect.jobs import manifests
from metacog.collect.manifest import run_facts
from metacog.collect.plan import settings_of
from metacog.collect.questions import load_questions
from metacog.sdt.intervals import wilson
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import REFERENCE, open_trials

#: How answers are marked, by what a page calls it; near ones are similar, but with another number or letter, and wrong;
#: unanswered replies ended while the model was still thinking.
_NAMES = ("exact", "similar", "near", "wrong", "refused", "empty", "unanswered")
MATCHES = {name: name for name in _NAMES} | {"wrong": "none", "refused": "refusal"}


@analysis(needs=("open",))
def collection(inputs: Inputs, *, seed: int = 42) -> dict[str, Any]:
    """What was asked, of whom, and what came back?"""
    trials = open_trials(inputs)
    settings = settings_of(inputs.study, inputs.profile)
    asked = {q.id: q.question for name in settings.datasets for q in load_questions(name)}
    return {
        "facts": run_facts(manifests(inputs.study, inputs.profile, "open")),
        "marks": marks(trials),
        "examples": examples(trials, asked, seed=seed),
        "tiers": tiers(trials),
        "n_trials": len(trials),
        "n_models": int(trials["model"].nunique()),
        "n_questions": int(trials["question_id"].nunique()),
        "n_temperatures": int(trials["temperature"].nunique()),
    }


def marks(trials: pd.DataFrame) -> pd.DataFrame:
    """How answers of each model were marked at each temperature, as shares of them (:data:`MATCHES`)."""
    rows = [
        {"model": model, "temperature": temperature}
        | {name: (group["match"] == match).mean() for name, match in MATCHES.items()}
        for (model, temperature), group in trials.groupby(["model", "temperature"], sort=False, observed=True)
    ]
    return pd.DataFrame(rows)


def tiers(trials: pd.DataFrame) -> pd.DataFrame:
    """Accuracy at T = 1 by tier of difficulty, with 95 % Wilson intervals; no row where questions have no tiers."""
    chosen = trials[(trials["temperature"] == REFERENCE) & (trials["tier"] > 0)]
    grouped = chosen.groupby(["model", "tier"], sort=False, observed=True)["correct"]
    table = grouped.agg(n="size", right="sum").reset_index().astype({"tier": "int64", "right": "int64"})
    table["accuracy"] = table["right"] / table["n"]
    table["accuracy_lower"], table["accuracy_upper"] = wilson(table["accuracy"], table["n"])
    return table


def examples(trials: pd.DataFrame, questions: Mapping[str, str], *, seed: int) -> pd.DataFrame:
    """Three trials of each kind, drawn by seed; what a reply went on into stands in brackets behind its answer."""
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
    drawn = []
    for kind, chosen in kinds.items():
        pool = trials[chosen]
        drawn.append(pool.sample(min(3, len(pool)), random_state=seed).assign(kind=kind))
    rows = pd.concat(drawn, ignore_index=True)
    further = " [" + rows["ran_on"] + "]"
    return pd.DataFrame(
        {
            "kind": rows["kind"],
            "model": rows["model"],
            "T": rows["temperature"],
            "question": rows["question_id"].map(questions).fillna(rows["question_id"]),
            "answer": rows["text"].str.strip() + further.where(rows["ran_on"] != "", ""),
            "nearest key": rows["matched_alias"],
            "NLP": rows["nlp"],
        }
    )
