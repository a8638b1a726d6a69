"""Worlds in which it is known what is true: trials of every collection, by study.

The trials have the form of the tests' simulated ones (``tests/studies``); what a study judges is drawn here.

* ``no knowledge``: confidence is independent of whether an answer is right, at three accuracies.
* ``equal``: all models, domains, temperatures, ways and tasks know the same; nothing differs.
* ``constant`` and ``nearly constant``: one confidence throughout, or but for one trial of a cell.
* ``one constant`` and ``one never right``: two models know, the last cannot be judged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import norm

from metacog.core.paths import project_root

for _room in ("study1_qa", "study2_two_choice", "study3_dmc", "study4_probe", "study5_battery"):
    sys.path.append(str(project_root() / "tests" / "studies" / _room))

Trials = Mapping[str, pd.DataFrame]
#: Names of the worlds, and the share of right answers in each.
ACCURACIES = {
    "no knowledge": 0.5,
    "no knowledge, accuracy 0.02": 0.02,
    "no knowledge, accuracy 0.98": 0.98,
    "equal": 0.5,
    "constant": 0.5,
    "nearly constant": 0.5,
    "one constant": 0.5,
    "one never right": 0.5,
}
NOTHING_KNOWN = tuple(name for name in ACCURACIES if name.startswith("no knowledge"))
ONE_UNJUDGED = ("one constant", "one never right")
#: Names that the registry of models knows; what they answer is drawn.
MODELS = ("smollm2-135m", "gemma3-270m", "llama3-8b-instruct")
#: How far right answers lie above wrong ones in confidence, where something is known.
KNOWN = 1.4


def latent(world: str, right: NDArray[np.bool_], last: NDArray[np.bool_], noise: NDArray) -> NDArray:
    """Confidence on no scale: noise, above it for right answers where the world knows them.

    Parameters
    ----------
    right : array, shape (n,)
    last : array, shape (n,)
        Which trials are the last model's.
    noise : array, shape (n,)
        Standard normal.
    """
    if world in NOTHING_KNOWN:
        return noise
    if world in ("constant", "nearly constant"):
        return np.zeros(right.size)
    found = KNOWN * right + noise
    return np.where(last, 0.0, found) if world == "one constant" else found


def odd_one(world: str, cell: NDArray, z: NDArray, rng: np.random.Generator) -> NDArray:
    """With ``nearly constant``, one trial of every cell drawn at random is surer than the rest."""
    if world != "nearly constant":
        return z
    z = z.copy()
    order = rng.permutation(z.size)
    _, first = np.unique(cell[order], return_index=True)
    z[order[first]] = 1.0
    return z


def rightness(
    world: str, n: int, last: NDArray[np.bool_], rng: np.random.Generator, shared: NDArray | None = None
) -> NDArray[np.bool_]:
    """Right or wrong at the world's accuracy; ``shared``, standard normal, is what an item's trials share."""
    own = rng.standard_normal(n)
    z = own if shared is None else np.sqrt(0.5) * (own + shared)
    right = z < norm.ppf(ACCURACIES[world])
    return right & ~last if world == "one never right" else right


def codes(frame: pd.DataFrame, *columns: str) -> NDArray[np.int64]:
    """A number for each combination of values."""
    return frame.groupby(list(columns), sort=False).ngroup().to_numpy()


@cache
def _open_template(n: int) -> pd.DataFrame:
    from simulated_trials import simulate_trials

    models = {name: {"ability": 0.0, "noise": 1.0} for name in MODELS}
    return simulate_trials(models, n_questions=n, temperatures=(0.3, 0.5, 0.7, 1.0), empty=0.0)


def open_answers(world: str, rng: np.random.Generator, n: int = 480) -> Trials:
    """Study 1: three models, four domains, four temperatures, and a third of the questions drawn again.

    Its forced decodings favour neither side.
    """
    rows = _open_template(n).copy()
    question, last = codes(rows, "question_id"), (rows["model"] == MODELS[-1]).to_numpy()
    shared = rng.standard_normal(question.max() + 1)[question]
    of_pair = codes(rows, "model", "question_id")
    noise = np.sqrt(0.3) * rng.standard_normal(of_pair.max() + 1)[of_pair]

    def answered(kept: NDArray[np.bool_]) -> pd.DataFrame:
        mine = rows[kept]
        right = rightness(world, len(mine), last[kept], rng, shared[kept])
        luck = np.sqrt(0.7) * rng.standard_normal(len(mine))
        z = latent(world, right, last[kept], noise[kept] + luck)
        z = odd_one(world, codes(mine, "model", "temperature", "domain"), z, rng)
        nlp = -np.log1p(np.exp(-z))
        return mine.assign(
            correct=right,
            nlp=nlp,
            confidence=np.exp(nlp),
            sum_logprob=nlp * mine["n_tokens"],
            match=np.where(right, "exact", "none"),
            similarity=np.where(right, 1.0, 0.3),
        )

    once = answered(np.ones(len(rows), dtype=bool))
    again = (rows["temperature"] == 1).to_numpy() & (question % 3 == 0)
    draws = pd.concat([answered(again).assign(draw=draw) for draw in (1, 2)], ignore_index=True)
    wrong = once[(once["temperature"] == 1) & ~once["correct"]]
    return {"open": once, "draws": draws, "forced": _forced(wrong, rng)}


def _forced(wrong: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Forced decodings in which the accepted answer is as likely as the wrong one."""
    gap = rng.standard_normal((2, len(wrong)))
    return (
        wrong[["model", "dataset", "question_id", "domain", "seed"]]
        .assign(
            wrong="w",
            nlp_recorded=wrong["nlp"],
            nlp_wrong=wrong["nlp"],
            n_tokens_wrong=3,
            key="k",
            nlp_key=wrong["nlp"] + gap[0],
            best_alias="b",
            nlp_best_alias=wrong["nlp"] + gap[1],
            n_tokens_best=3,
            n_aliases=2,
            n_known_aliases=2,
        )
        .reset_index(drop=True)
    )


def two_choice(world: str, rng: np.random.Generator, n: int = 60) -> Trials:
    """Study 2: three models on three tasks; warnings move nothing."""
    from simulated_two_choice import SHIFTS, confidence_trials, risk_trials

    ability = dict.fromkeys(MODELS, (1.0, 1.0, 1.0))
    rated = confidence_trials(ability, n=n, lost=0.0)
    warned = risk_trials(ability, n=n, lost=0.0, shifts=dict.fromkeys(SHIFTS, 0.0))
    parts = {}
    for name, rows in (("confidence", rated), ("warned", warned)):
        last = (rows["model"] == MODELS[-1]).to_numpy()
        right = rightness(world, len(rows), last, rng)
        response = np.where(right, rows["stimulus"], 1 - rows["stimulus"]).astype(float)
        z = latent(world, right, last, rng.standard_normal(len(rows)))
        z = odd_one(world, codes(rows, "model", "task"), z, rng)
        parts[name] = rows.assign(correct=right, response=response, p_decision=0.5 + 0.5 * expit(z))
        if name == "confidence":
            finer = odd_one(world, codes(rows, "model", "task"), z, rng)
            rating = 1.0 + np.searchsorted([-0.6, 0.2, 0.9, 1.6], z)
            parts[name] = parts[name].assign(
                rating=rating, confidence=(rating - 1) / 4, expected_confidence=1 + 4 * expit(finer)
            )
    return parts


#: Sets and ways of study 3 that the sweep asks: each costs a fit a resample.
SETS = ("science",)
WAYS = 3


@cache
def _confidence_template(n: int) -> pd.DataFrame:
    from simulated_confidence import simulated

    table = simulated("single", n, dict.fromkeys(MODELS[:2], (0.6, 0.6)), SETS, unparsed=0.0)
    kept = table["method"].drop_duplicates().head(WAYS)
    return table[table["method"].isin(kept)].reset_index(drop=True)


def confidence(world: str, rng: np.random.Generator, n: int = 120) -> Trials:
    """Study 3: two models asked in three ways on one set."""
    rows = _confidence_template(n).copy()
    last = (rows["model"] == MODELS[1]).to_numpy()
    item = codes(rows, "base_id")
    right = rightness(world, len(rows), last, rng, rng.standard_normal(item.max() + 1)[item])
    z = latent(world, right, last, rng.standard_normal(len(rows)))
    z = odd_one(world, codes(rows, "model", "method"), z, rng)
    response = np.where(right, rows["stimulus"], 1 - rows["stimulus"]).astype(float)
    rows = rows.assign(
        correct=right, response=response, confidence=expit(z), answer=np.where(response == 1, "B", "A")
    )
    return {"single": rows, "repeated": rows.head(0), "written": rows.head(0), "position": rows.head(0)}


@cache
def _probe_template(model: str, knows: float, seed: int) -> pd.DataFrame:
    from simulated_probe import simulated

    return simulated(model, knows=knows, seed=seed, k=3)


#: Sets of replies that a world of the probe draws from; what is stated is drawn again in every run.
POOL = 6


def probe(world: str, rng: np.random.Generator) -> Trials:
    """Study 4: three models; both tasks with a confidence know the same."""
    parts = []
    for model in MODELS:
        last = model == MODELS[-1]
        knows = 0.0 if last and world == "one never right" else ACCURACIES[world]
        rows = _probe_template(model, knows, int(rng.integers(POOL))).copy()
        n, of = len(rows), np.full(len(rows), last)
        z = latent(world, (rows["credit"] > 0.5).to_numpy(), of, rng.standard_normal(n))
        z = odd_one(world, codes(rows, "task", "sample"), z, rng)
        top = np.where(rows["task"] == "T4_CR", 100, 10)
        stated = np.maximum(1.0, np.floor(top * expit(z)))
        parts.append(rows.assign(stated=np.where(rows["stated"].isna(), np.nan, stated)))
    return {"probe": pd.concat(parts, ignore_index=True)}


@cache
def _battery_template(model: str) -> pd.DataFrame:
    from simulated_battery import trials

    return trials(model, right=1.0, paths=(1.0, 0.0, 0.0))


def battery(world: str, rng: np.random.Generator) -> Trials:
    """Study 5: three models that keep and bet, on the first form."""
    rows = pd.concat([_battery_template(m) for m in MODELS], ignore_index=True)
    last = (rows["model"] == MODELS[-1]).to_numpy()
    right = rightness(world, len(rows), last, rng)
    columns = {}
    for name, column, yes, no in (
        ("keep", "keep_withdraw", "KEEP", "WITHDRAW"),
        ("bet", "bet_nobet", "BET", "NO_BET"),
    ):
        z = latent(world, right, last, rng.standard_normal(len(rows)))
        z = odd_one(world, codes(rows, "model", "track"), z, rng)
        columns |= {column: np.where(z > 0.2, yes, no), f"p_{name}": expit(z)}
    return {"battery": rows.assign(correct=right, **columns)}


#: Trials of a world, by study that collects.
COLLECTED: Mapping[str, Callable[[str, np.random.Generator], Trials]] = {
    "study1_qa": open_answers,
    "study2_two_choice": two_choice,
    "study3_dmc": confidence,
    "study4_probe": probe,
    "study5_battery": battery,
}
