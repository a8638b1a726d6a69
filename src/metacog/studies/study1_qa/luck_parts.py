"""Public difficulty, private knowledge, the usual answer and the single draw, from a table of trials.

Confidence can order answers rightly because anyone sees that a question is hard, because a model knows what
it knows, or because an unusual answer is mostly a wrong one (Koriat 2012, Psychological Review 119, 80-113).
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import ended, with_ends
from metacog.sdt.area_crossing import crossing
from metacog.sdt.area_intervals import auroc2_interval
from metacog.sdt.checks import cluster_index
from metacog.sdt.information_parts import against, information_parts
from metacog.sdt.intervals import wilson
from metacog.sdt.repeated_draws import mean_of_others, repeated_draws
from metacog.studies.study1_qa.crossing_bound import crossing_bound
from metacog.studies.study1_qa.shared_items import SharedItems, named_alike

#: Parts of the information, in their order: others' confidence, the model's own, how many of its answers are the same
#: as this one, and the confidence of the draw.
DIFFICULTY, STATE, USUAL, DRAW = "difficulty", "own state", "usual answer", "draw"
ONE_MODEL = "there is no other model, so that nothing stands for the difficulty of the questions"
N_FOLDS = 10
AT_REFERENCE = "this is the reference"
ONE_CLASS = "the answers are all right or all wrong"
PART_COLUMNS = (
    *("model", "temperature", "part", "bits", "lower", "upper"),
    *with_ends("share"),
    *("n", "n_questions", "n_readings", "why"),
)
CROSSING_COLUMNS = (
    "first",
    "second",
    "temperature",
    "value",
    "lower",
    "upper",
    "bound",
    "n_questions",
    "why",
)
LUCK_COLUMNS = (
    *("model", "temperature"),
    *with_ends("within", "usual", "alike", "gap", "same_draw", "question", "luck", "counted", "beyond"),
    *("n_questions", "n_mixed", "n_draws", "n_single", "why"),
)
ANSWER_COLUMNS = ("model", "temperature", "accuracy", *with_ends("known", "auroc2"), "n_questions", "why")
#: Tables of what confidence is made of, and their columns.
TABLES = {
    "parts": PART_COLUMNS,
    "crossings": CROSSING_COLUMNS,
    "draws": LUCK_COLUMNS,
    "answers": ANSWER_COLUMNS,
}


def self_knowledge(
    trials: pd.DataFrame,
    *,
    confidence: str = "nlp",
    draw: str | None = None,
    same: str | None = None,
    n_resamples: int = 2000,
    seed: int = 42,
) -> dict[str, Any]:
    """The :data:`TABLES`, the temperature at which a model's own state is read, and the number of items.

    Trials without a confidence are left out. Where a model answers an item more than once at one
    temperature, ``draw`` names the column that tells draws apart: all count for :func:`luck` and :func:`parts`, the
    lowest stands for the item everywhere else. ``same`` names the share of the model's other answers to the item that
    are the same answer.
    """
    asked, drawn = SharedItems.of(trials, confidence, draw, same), {"n_resamples": n_resamples, "seed": seed}
    return {
        "parts": parts(asked, seed=seed),
        "crossings": crossings(asked),
        "draws": luck(named_alike(trials, confidence, draw, same), asked.reference, **drawn),
        "answers": reference_answers(asked),
        "reference": asked.reference,
        "n_items": asked.n_items,
    }


def parts(asked: SharedItems, *, seed: int = 42) -> pd.DataFrame:
    """I(right; D), I(right; S | D), I(right; U | D, S) and I(right; L | D, S, U) of each model at each temperature.

    D is the other models' confidence at the reference, a column each; S the model's own there; U the share of the
    model's other answers to the item that are the same answer, where the trials say that; L the draw's own confidence.
    At the reference, where L is S itself, there are D and S alone. Where a model answered items several times at a
    temperature, the draws of these items are what is right or wrong, and S has a second column, the mean confidence
    of the item's other draws (:func:`metacog.sdt.repeated_draws.mean_of_others`); intervals are over items.

    ``n_readings`` is how many answers S is read from. What others' confidence misses of the difficulty is left to S,
    what S misses of the model's state to U and L, and what a handful of answers misses of how usual one is to L: no
    part is a bound.
    """
    rows: list[dict[str, Any]] = []
    for model, temperature in product(asked.models, asked.temperatures(asked.models)):
        rows += _parts_of(asked, model, temperature, seed)
    return pd.DataFrame(rows, columns=list(PART_COLUMNS))


def crossings(asked: SharedItems) -> pd.DataFrame:
    """Crossing of every pair of models at each temperature, with confidence at the reference.

    Intervals are of one pair each, not of all pairs together. ``bound`` is what two models of such a lead may reach
    without self-knowledge.
    """
    rows = []
    for one, two in combinations(asked.models, 2):
        for temperature in asked.temperatures((one, two)):
            kept, at = asked.shared((one, two), temperature), asked.reference
            row = {"first": one, "second": two, "temperature": temperature, "n_questions": int(kept.sum())}
            if not kept.any():
                rows.append(row | {"why": "no item was answered by both"})
                continue
            found = crossing(
                asked.right(one, temperature, kept),
                asked.confidence(one, at, kept),
                asked.right(two, temperature, kept),
                asked.confidence(two, at, kept),
            )
            row |= {name: getattr(found, name) for name in ("value", "lower", "upper", "why")}
            rows.append(row | {"bound": crossing_bound(found.n, found.lead)})
    return pd.DataFrame(rows, columns=list(CROSSING_COLUMNS))


def luck(rows: pd.DataFrame, reference: float, *, n_resamples: int = 2000, seed: int = 42) -> pd.DataFrame:
    """A draw's own confidence against what is known of its item, by model and temperature with an item drawn twice.

    All items that a model answered twice or more count, whoever else answered them. Beside the other draws its own
    confidence at ``reference`` reads the item, but not for draws at that temperature.
    """
    made = []
    usable = rows.dropna(subset=["confidence"])
    for (model, temperature), mine in usable.groupby(["model", "temperature"], sort=False):
        if not mine.duplicated("item").any():
            continue
        at_reference = usable[(usable["model"] == model) & (usable["temperature"] == reference)]
        read = at_reference.drop_duplicates("item").set_index("item")["confidence"]
        found = repeated_draws(
            mine["correct"],
            mine["confidence"],
            mine["item"],
            reference=None if temperature == reference else mine["item"].map(read),
            agreement=mine["same"] if mine["same"].notna().all() else None,
            n_resamples=n_resamples,
            seed=seed,
        )
        made.append({"model": model, "temperature": temperature, **asdict(found)})
    table = pd.DataFrame(made, columns=list(LUCK_COLUMNS))
    order = {name: i for i, name in enumerate(dict.fromkeys(rows["model"]))}
    return table.sort_values(
        ["model", "temperature"], key=lambda c: c.map(order) if c.name == "model" else c, ignore_index=True
    )


def reference_answers(asked: SharedItems) -> pd.DataFrame:
    """Of a model's wrong answers at each temperature the share that it gets right at the reference (``known``), and how
    well confidence tells right from wrong.
    """
    temperatures = asked.temperatures(asked.models)
    rows = []
    for model, temperature in product(asked.models, temperatures if len(temperatures) > 1 else []):
        kept = asked.shared(asked.models, temperature)
        row = _reference_row(asked, model, temperature, kept) if kept.any() else {}
        about = {"model": model, "temperature": temperature, "n_questions": int(kept.sum())}
        rows.append({"why": "", **row, **about})
    return pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))


def _reference_row(
    asked: SharedItems, model: str, temperature: float, kept: NDArray[np.bool_]
) -> dict[str, Any]:
    hits = asked.right(model, temperature, kept)
    sure = asked.confidence(model, temperature, kept)
    row: dict[str, Any] = {"accuracy": float(hits.mean())}
    if not hits.all() and hits.any():
        area = auroc2_interval(hits, sure)
        row |= ended("auroc2", area.estimate, *area.ends)
    if temperature == asked.reference:
        return row | {"why": AT_REFERENCE}
    if not hits.all():
        known = asked.right(model, asked.reference, kept)[~hits]
        row |= ended("known", float(known.mean()), *map(float, wilson(known.mean(), known.size)))
    return row | {"why": ONE_CLASS if hits.all() or not hits.any() else ""}


#: Answers of one model at a temperature: right or wrong, their confidence, the signals, and the place of its item.
Draws = tuple[NDArray[np.bool_], NDArray[np.float64], dict[str, NDArray[np.float64]], NDArray[np.int64]]


def _readings(place: NDArray[np.int64]) -> int:
    n = np.unique(place).size
    return round(place.size / n) if place.size > n else 1


def _draws_of(asked: SharedItems, model: str, temperature: float) -> Draws:
    at, everything = asked.reference, np.ones(asked.n_items, dtype=bool)
    place, drawn = asked.draws(model, temperature)
    hits, draw, same = (drawn[name].to_numpy(dtype=np.float64) for name in ("correct", "confidence", "same"))
    if temperature == at or not place.size:
        kept = asked.shared(asked.models, temperature)
        place = np.flatnonzero(kept)
        hits, draw = asked.right(model, temperature, kept), asked.confidence(model, temperature, kept)
        same = asked.same[(model, temperature)].to_numpy(dtype=np.float64)[kept]
    others = [asked.confidence(name, at, everything)[place] for name in asked.models if name != model]
    signals = {DIFFICULTY: np.stack(others, axis=1)} if others else {}
    usual = asked.confidence(model, at, everything)[place]
    signals[STATE] = usual
    if _readings(place) > 1:
        signals[STATE] = np.column_stack([usual, mean_of_others(draw, cluster_index(place, place.size))])
    if temperature != at:
        signals |= {USUAL: same} if same.size and np.isfinite(same).all() else {}
        signals[DRAW] = against(draw, usual)
    return hits.astype(bool), draw, signals, place


def _parts_of(asked: SharedItems, model: str, temperature: float, seed: int) -> list[dict[str, Any]]:
    hits, _, signals, place = _draws_of(asked, model, temperature)
    unit, n_questions = cluster_index(place, place.size), np.unique(place).size
    about = {"model": model, "temperature": temperature, "n": place.size}
    about |= {"n_questions": n_questions, "n_readings": _readings(place)}
    if n_questions < N_FOLDS:
        return [about | {"part": part, "why": f"only {n_questions} items"} for part in signals]
    made = information_parts(hits, signals, clusters=unit, n_folds=N_FOLDS, seed=seed)
    about["why"] = "; ".join(filter(None, (made.why, "" if len(asked.models) > 1 else ONE_MODEL)))
    return [
        about
        | {"part": part, "bits": made.bits[j], "lower": made.lower[j], "upper": made.upper[j]}
        | ended("share", made.shares[j], made.share_lower[j], made.share_upper[j])
        for j, part in enumerate(made.names)
    ]
