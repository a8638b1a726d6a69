"""A small run of every registered study: trials of simulated answerers instead of collected ones."""

import dataclasses
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metacog.core.config import load_profile

sys.path.insert(0, str(Path(__file__).parent / "study1_qa"))


def open_answers() -> pd.DataFrame:
    """Open answers of the two models of the default profile, with tiers."""
    from simulated_trials import simulate_trials

    models = {"smollm2-135m": {"ability": 0.3, "noise": 0.5}, "gemma3-270m": {"ability": 0.0, "noise": 1.5}}
    trials = simulate_trials(models, n_questions=200)
    return trials.assign(tier=(trials["question_index"] % 5 + 1).astype("int64"))


def forced(trials: pd.DataFrame) -> pd.DataFrame:
    """Forced decodings of the questions answered wrongly."""
    wrong = trials[(trials["temperature"] == 1) & ~trials["correct"] & trials["nlp"].notna()]
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "model": wrong["model"], "dataset": wrong["dataset"], "question_id": wrong["question_id"],
            "domain": wrong["domain"], "wrong": wrong["answer"], "nlp_recorded": wrong["nlp"],
            "nlp_wrong": wrong["nlp"] + rng.normal(0, 0.01, len(wrong)), "n_tokens_wrong": wrong["n_tokens"],
            "key": "k", "nlp_key": wrong["nlp"] - 1, "best_alias": "b",
            "nlp_best_alias": wrong["nlp"] + rng.normal(-0.5, 1, len(wrong)), "n_tokens_best": 3,
            "n_aliases": 2,
            "n_known_aliases": 2, "seed": 42,
        }
    ).reset_index(drop=True)  # fmt: skip


@pytest.fixture
def run_of(tmp_path, monkeypatch):
    """``run_of(study)``: a profile, and the trials that the study's inputs then give, by collection."""
    from metacog.studies import results

    answers = open_answers()
    trials = {"open": answers, "forced": forced(answers)}

    def read(study, profile, collection, model=""):
        rows = trials[collection]
        return rows[rows["model"] == model].reset_index(drop=True) if model else rows

    def run(study):
        profile = dataclasses.replace(load_profile("default"), name=f"contract-{tmp_path.name}")
        monkeypatch.setattr(results, "read_collected", read)
        monkeypatch.setattr(
            results, "folder_of",
            lambda study, profile, analysis, parameters: tmp_path / study.name / analysis.name,
        )  # fmt: skip
        return profile, trials

    return run
