"""Worlds in which it is known what is true: trials of every collection, by study.

The trials have the form of the tests' simulated ones (``tests/studies``); what a study judges is drawn here.

* ``no knowledge``: confidence is independent of whether an answer is right, at three accuracies.
* ``equal``: all models, domains, temperatures, ways and tasks know the same; nothing differs.
* ``constant`` and ``nearly constant``: one confidence throughout, or but for one trial of a cell.
* ``one constant`` and ``one never right``: two models know, the last cannot be judged.

Rules over several models or pairs are put to the edge too, where all but one unit is clearly effective, or one alone:

* ``one knows nothing``: two models know, the last answers as often right and knows nothing.
* ``one unlike``: two models are alike. In the last one thing differs clearly from the rest: a domain, a task, a way of
  being asked, the criterion under a warning. In study 1 the criterion of the two moves with temperature and the
  last's does not; in study 4 the two know of one task only, the last of both alike.
* ``one M-ratio of 1``: the last model's is 1, the others' are near 0, and their d' is a little lower.
* ``one higher d'``: the last model's d' is higher, and its meta-d' is that of the others, so that its M-ratio is lower.
* ``effects``: the others' M-ratio is near 0 but for one domain, the last's in between; all have the same d',
  and everybody's criterion moves with temperature.
* ``difficulty alone`` and ``too few know themselves``: confidence reads how hard a question is for everybody; that of
  one model less than half of them reads the model's own state instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
import pandas as pd
from answerers import level_of, simulated_answers
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import norm

from metacog.core.paths import project_root
from metacog.studies.study3_dmc.asking import ways

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
#: Questions that study 1's models are asked.
OPEN_QUESTIONS = 480
#: Names that the registry of models knows; what they answer is drawn.
MODELS = ("smollm2-135m", "gemma3-270m", "llama3-8b-instruct")
UNKNOWING, UNLIKE, RATIO_OF_ONE = "one knows nothing", "one unlike", "one M-ratio of 1"
HIGHER_D = "one higher d'"
EFFECTS, DIFFICULTY, TOO_FEW = "effects", "difficulty alone", "too few know themselves"
#: Share of right answers at the edges; in choices of two half of them are right by chance.
AT_EDGE, AT_EDGE_OF_TWO = 0.5, 0.75
#: How far right answers lie above wrong ones in confidence, where something is known, and where much is.
KNOWN, MUCH = 1.4, 2.6
#: How much higher the last model's d' is, with an M-ratio of 1; and the share of its answers whose distance from the
#: middle says nothing where it knows much, so that its meta-d' is that of the others.
A_LITTLE, BLURRED = 0.3, 0.43
#: How far confidence moves from T = 0 to T = 1 in models whose criterion moves.
MOVE = 0.9


def latent(world: str, right: NDArray[np.bool_], last: NDArray[np.bool_], noise: NDArray) -> NDArray:
    """Confidence on no scale: noise, above it for right answers where the world knows them."""
    if world in NOTHING_KNOWN:
        return noise
    if world in ("constant", "nearly constant"):
        return np.zeros(right.size)
    found = KNOWN * right + noise
    if world == UNKNOWING:
        return np.where(last, noise, found)
    return np.where(last, 0.0, found) if world == "one constant" else found


def scrambled(z: NDArray, noise: NDArray) -> NDArray:
    """The same side of the middle, at a distance that says nothing: the same d', and a low M-ratio."""
    return KNOWN / 2 + np.sign(z - KNOWN / 2) * np.abs(noise)


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
    world: str,
    n: int,
    last: NDArray[np.bool_],
    rng: np.random.Generator,
    shared: NDArray | None = None,
    at_edge: float = AT_EDGE,
) -> NDArray[np.bool_]:
    """Right or wrong at the world's accuracy; ``shared``, standard normal, is what an item's trials share."""
    own = rng.standard_normal(n)
    z = own if shared is None else np.sqrt(0.5) * (own + shared)
    right = z < norm.ppf(ACCURACIES.get(world, at_edge))
    return right & ~last if world == "one never right" else right


def codes(frame: pd.DataFrame, *columns: str) -> NDArray[np.int64]:
    """A number for each combination of values."""
    return frame.groupby(list(columns), sort=False).ngroup().to_numpy()


@cache
def _open_template(n: int) -> pd.DataFrame:
    from simulated_trials import simulate_trials

    models = {name: {"ability": 0.0, "noise": 1.0} for name in MODELS}
    return simulate_trials(models, n_questions=n, temperatures=(0.3, 0.5, 0.7, 1.0), empty=0.0)


def open_answers(world: str, rng: np.random.Generator, n: int = OPEN_QUESTIONS) -> Trials:
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
        z = _at_edge(world, mine, right, last[kept], z, rng)
        z = odd_one(world, codes(mine, "model", "temperature", "domain"), z, rng)
        nlp = -np.log1p(np.exp(-z))
        return mine.assign(
            correct=right,
            right_whole=right,
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


def _at_edge(
    world: str,
    rows: pd.DataFrame,
    right: NDArray[np.bool_],
    last: NDArray[np.bool_],
    z: NDArray,
    rng: np.random.Generator,
) -> NDArray:
    """Where a domain of the last model, or its M-ratio, differs from the rest, or more than one thing does."""
    if world == EFFECTS:
        first = (rows["domain"] == rows["domain"].iloc[0]).to_numpy()
        kept = np.where(last, rng.random(z.size) < 0.5, first)
        told = np.where(kept, z, scrambled(z, rng.standard_normal(z.size)))
        return told + MOVE * (rows["temperature"].to_numpy() - 1)
    if world == RATIO_OF_ONE:
        return np.where(last, z + A_LITTLE * (right - 0.5), scrambled(z, rng.standard_normal(z.size)))
    if world == HIGHER_D:
        much = z + (MUCH - KNOWN) * (right - 0.5)
        blurred = np.where(rng.random(z.size) < BLURRED, scrambled(much, rng.standard_normal(z.size)), much)
        return np.where(last, blurred, z)
    if world == UNLIKE:
        odd = last & (rows["domain"] == rows["domain"].iloc[0]).to_numpy()
        moved = z + MOVE * (rows["temperature"].to_numpy() - 1)
        known = np.where(last, z + (MUCH - KNOWN) * (right - 0.5), moved)
        return np.where(odd, scrambled(z, rng.standard_normal(z.size)), known)
    return z


def n_self_knowing(n_models: int) -> int:
    """One model less than half of them."""
    return -(-n_models // 2) - 1


def one_difficulty(world: str, rng: np.random.Generator, n_models: int, n_items: int) -> pd.DataFrame:
    """Answers of models of middling accuracy to the same items: ``model`` (its number), ``item, correct, confidence``.

    The confidence of all, or with ``too few know themselves`` of all but one less than half, reads difficulty alone.
    """
    seed = int(rng.integers(2**31))
    kinds = [simulated_answers(kind, n_items=n_items, seed=seed) for kind in ("difficulty", "own state")]
    levels = np.array([m.level for m in kinds[0].models])
    by_middling = np.argsort(np.abs(levels - level_of(0.7)), kind="stable")
    chosen = rng.permutation(by_middling[:n_models])
    own = n_self_knowing(n_models) if world == TOO_FEW else 0
    sure = np.stack([kinds[int(i < own)].confidence[j] for i, j in enumerate(chosen)])
    return pd.DataFrame(
        {
            "model": np.repeat(np.arange(n_models), n_items),
            "item": np.tile(np.arange(n_items), n_models),
            "correct": kinds[0].right[chosen].ravel(),
            "confidence": sure.ravel() / 100,
        }
    )


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
        right = rightness(world, len(rows), last, rng, at_edge=AT_EDGE_OF_TWO)
        response = np.where(right, rows["stimulus"], 1 - rows["stimulus"]).astype(float)
        z = latent(world, right, last, rng.standard_normal(len(rows)))
        if world == UNLIKE:
            odd = last & (rows["task"] == rows["task"].iloc[-1]).to_numpy()
            z = np.where(odd, z - KNOWN * right, np.where(last, z + (MUCH - KNOWN) * right, z))
            warned_of = rows["risk"].map({"S1": 0.0, "S2": 1.0}).to_numpy()
            yields = last & np.isfinite(warned_of) & (rng.random(len(rows)) < 0.5)
            response = np.where(yields, warned_of, response)
            right = response == rows["stimulus"].to_numpy()
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


def odd_way() -> tuple[str, str]:
    """The way of asking in which the last model is unlike, and its name for readers."""
    way = str(_confidence_template(120)["method"].iloc[-1])
    return way, ways.NAMES[way]


def confidence(world: str, rng: np.random.Generator, n: int = 120) -> Trials:
    """Study 3: two models asked in three ways on one set."""
    rows = _confidence_template(n).copy()
    last = (rows["model"] == MODELS[1]).to_numpy()
    item = codes(rows, "base_id")
    shared = rng.standard_normal(item.max() + 1)[item]
    right = rightness(world, len(rows), last, rng, shared, at_edge=AT_EDGE_OF_TWO)
    z = latent(world, right, last, rng.standard_normal(len(rows)))
    if world == UNLIKE:
        z += (MUCH - KNOWN) * (right & last & (rows["method"] == odd_way()[0]).to_numpy())
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
        knows = 0.0 if last and world == "one never right" else ACCURACIES.get(world, AT_EDGE)
        rows = _probe_template(model, knows, int(rng.integers(POOL))).copy()
        n, of = len(rows), np.full(len(rows), last)
        right = (rows["credit"] > 0.5).to_numpy()
        z = latent(world, right, of, rng.standard_normal(n))
        if world in (UNKNOWING, UNLIKE) and not last:
            knows_of = right & ((rows["task"] != "T4_CR").to_numpy() | (world == UNKNOWING))
            z += (2 * MUCH - KNOWN) * knows_of - KNOWN * (right & ~knows_of)
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
