"""A small run of every registered study: trials of simulated answerers instead of collected ones."""

import dataclasses
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metacog.core.config import load_profile
from metacog.core.frames import committed_table
from metacog.core.paths import project_root

sys.path[:0] = [str(room) for room in Path(__file__).parent.glob("study*_*")]

#: Models of the committed atlas that are few enough to be quick, with a partial run and one put in by a parser.
ATLAS_MODELS = (
    "Opus 4.6",
    "Sonnet 4",
    "DeepSeek V3.2",
    "DeepSeek-R1",
    "GPT-5.4",
    "GPT-oss-120B",
    "Gemma 3 27B",
    "Gemini 3 Flash",
    "Qwen Think",
)


def open_answers() -> pd.DataFrame:
    """Open answers of the two models of the default profile, with tiers."""
    from simulated_trials import simulate_trials

    models = {"smollm2-135m": {"ability": 0.3, "noise": 0.5}, "gemma3-270m": {"ability": 0.0, "noise": 1.5}}
    trials = simulate_trials(models, n_questions=200)
    return trials.assign(tier=(trials["question_index"] % 5 + 1).astype("int64"))


def draws(trials: pd.DataFrame) -> pd.DataFrame:
    """The answers at T = 1 drawn twice more, with luck of their own."""
    at_one = trials[trials["temperature"] == 1]
    rng = np.random.default_rng(2)
    again = []
    for draw in (1, 2):
        luck = rng.normal(0, 1, len(at_one))
        nlp = at_one["nlp"] - np.exp(-luck)
        correct = at_one["correct"] & (luck > -1) & nlp.notna()
        again.append(at_one.assign(draw=draw, nlp=nlp, confidence=np.exp(nlp), correct=correct))
    return pd.concat(again, ignore_index=True)


def forced(trials: pd.DataFrame) -> pd.DataFrame:
    """Forced decodings of the questions answered wrongly."""
    wrong = trials[(trials["temperature"] == 1) & ~trials["correct"] & trials["nlp"].notna()]
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "model": wrong["model"],
            "dataset": wrong["dataset"],
            "question_id": wrong["question_id"],
            "domain": wrong["domain"],
            "wrong": wrong["answer"],
            "nlp_recorded": wrong["nlp"],
            "nlp_wrong": wrong["nlp"] + rng.normal(0, 0.01, len(wrong)),
            "n_tokens_wrong": wrong["n_tokens"],
            "key": "k",
            "nlp_key": wrong["nlp"] - 1,
            "best_alias": "b",
            "nlp_best_alias": wrong["nlp"] + rng.normal(-0.5, 1, len(wrong)),
            "n_tokens_best": 3,
            "n_aliases": 2,
            "n_known_aliases": 2,
            "seed": 42,
        }
    ).reset_index(drop=True)


def probe_replies() -> pd.DataFrame:
    """Replies to the probe of a model with insight, and of one without that often fails the form."""
    from simulated_probe import simulated

    return pd.concat(
        [simulated("smollm2-135m", seed=1), simulated("gemma3-270m", insight=0.0, broken=0.3, seed=2)],
        ignore_index=True,
    )


#: Sizes at which every analysis is quick.
SMALL = {
    "n_resamples": 60,
    "n_permutations": 40,
    "n_matched_resamples": 60,
    "n_repetitions": 20,
    "ledger_resamples": 60,
    "verdicts": True,
    "n_draws": 50,
    "n_warmup": 50,
    "n_panels": 20,
    "n_cuts": 1,
    "n_splits": 50,
    "n_categories": 3,
}


@pytest.fixture(scope="module")
def kept_results(tmp_path_factory):
    """Where results are kept: a test that needs one finds what an earlier test made."""
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="module")
def simulated_collections():
    """Trials by collection; tests get copies."""
    from simulated_battery import battery_trials
    from simulated_confidence import every_collection
    from simulated_two_choice import confidence_trials, risk_trials

    answers = open_answers()
    return {
        "open": answers,
        "draws": draws(answers),
        "forced": forced(answers),
        "confidence": confidence_trials(),
        "warned": risk_trials(),
        "battery": battery_trials(),
        "probe": probe_replies(),
        **every_collection(),
    }


@pytest.fixture(scope="module")
def few_mmlu_pro():
    """Study 7's rows are those of a few models on a tenth of the items, while the tests of a file run."""
    from few_models import FEW, few

    from metacog.studies.study7_mmlu_pro import rows, tone

    found = few((*FEW, tone.JUDGE), items=slice(None, None, 10))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "read", lambda *_: found)
        rows.load.cache_clear()
        yield
    rows.load.cache_clear()


@pytest.fixture
def run_of(kept_results, simulated_collections, few_mmlu_pro, monkeypatch):
    """``run_of(study)``: a profile, and the trials that the study's inputs then give, by collection."""
    from metacog.studies import results
    from metacog.studies.study6_frontier.ledger import reproduction, rows
    from metacog.studies.study6_frontier.marks import MARKS

    marked = committed_table(MARKS)["item_id"].map("{:04d}".format)
    reproduction.summary()  # the ledger is about all models: kept before some are left out
    reproduction.cells()
    atlas = rows.load()
    asked = atlas.trials["question_id"]
    asked = asked.isin({*asked.unique()[::9], *marked})  # those that people marked, and some of the others
    some = dataclasses.replace(atlas, trials=atlas.trials[atlas.trials["model"].isin(ATLAS_MODELS) & asked])
    monkeypatch.setattr(rows, "_load", lambda: some)
    trials = {name: table.copy() for name, table in simulated_collections.items()}

    def read(study, profile, collection, model=""):
        rows = trials[collection]
        return rows[rows["model"] == model].reset_index(drop=True) if model else rows

    of_reference, of_project = results.reference_results, results.folder_of

    def folder_of(study, profile, analysis, parameters):
        usual = of_project(study, profile, analysis, parameters)
        return kept_results / usual.relative_to(project_root() / "results")

    def run(study):
        profile = load_profile("default")
        general = {name: value for name, value in profile.analysis.items() if "." not in name}
        few = {**general, **SMALL}
        profile = own = dataclasses.replace(profile, name="contract", analysis=few)
        monkeypatch.setattr(results, "read_collected", read)
        monkeypatch.setattr(results, "folder_of", folder_of)
        # the reference run's results are this run's: its trials are too
        monkeypatch.setattr(
            results,
            "reference_results",
            lambda profile, analysis: {
                name: (owner, own, other)
                for name, (owner, _, other) in of_reference(profile, analysis).items()
            },
        )
        return profile, trials

    return run
