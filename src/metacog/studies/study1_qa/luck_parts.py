"""Public difficulty, private knowledge and the luck of the draw, from a table of trials.

Confidence can order answers rightly because anyone sees that a question is hard, because a model knows what
it knows, or because a random draw of an answer was an unlikely one. Three ways to tell these apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import ended, with_ends
from metacog.sdt.area_crossing import crossing
from metacog.sdt.area_intervals import auroc2_interval
from metacog.sdt.checks import cluster_index
from metacog.sdt.information_parts import InformationParts, against, information_parts, nested_gains
from metacog.sdt.intervals import percentile_limits, wilson
from metacog.sdt.repeated_draws import mean_of_others, repeated_draws
from metacog.sdt.resampling import weight_chunks
from metacog.studies.study1_qa.crossing_bound import crossing_bound
from metacog.studies.study1_qa.shared_items import SharedItems, named_alike

#: Parts of the information, in their order: others' confidence, the model's own, that of the draw.
DIFFICULTY, STATE, DRAW = "difficulty", "own state", "draw"
ONE_MODEL = "there is no other model, so that nothing stands for the difficulty of the questions"
N_FOLDS = 10
#: What the draw's part is a share of: what the draw's own confidence tells alone, and what all three signals do.
ALONE, TOGETHER = "its own confidence alone", "all three signals"
AT_REFERENCE = "this is the reference"
ONE_CLASS = "the answers are all right or all wrong"
PART_COLUMNS = (
    *("model", "temperature", "part", "bits", "lower", "upper"),
    *with_ends("share"),
    *("n", "n_questions", "n_readings", "no_luck", "why"),
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
    *with_ends("within", "same_draw", "question", "luck"),
    *("n_questions", "n_mixed", "n_draws", "n_single", "why"),
)
TYPICAL_COLUMNS = ("temperature", "of", *with_ends("share"), "least", "most", "n_models", "n_readings")
ANSWER_COLUMNS = ("model", "temperature", "accuracy", *with_ends("known", "auroc2"), "n_questions", "why")
#: Tables of what confidence is made of, and their columns.
TABLES = {
    "parts": PART_COLUMNS,
    "crossings": CROSSING_COLUMNS,
    "draws": LUCK_COLUMNS,
    "answers": ANSWER_COLUMNS,
    "typical": TYPICAL_COLUMNS,
}


def self_knowledge(
    trials: pd.DataFrame,
    *,
    confidence: str = "nlp",
    draw: str | None = None,
    n_resamples: int = 2000,
    seed: int = 42,
) -> dict[str, Any]:
    """The :data:`TABLES`, the temperature at which a model's own state is read, and the number of items.

    Trials without a confidence are left out. Where a model answers an item more than once at one
    temperature, ``draw`` names the column that tells draws apart: all count for :func:`luck` and :func:`parts`, the
    lowest stands for the item everywhere else.
    """
    asked, drawn = SharedItems.of(trials, confidence, draw), {"n_resamples": n_resamples, "seed": seed}
    found = parts(asked, seed=seed)
    return {
        "parts": found,
        "crossings": crossings(asked),
        "draws": luck(named_alike(trials, confidence, draw), asked.reference, **drawn),
        "answers": reference_answers(asked),
        "typical": typical_shares(asked, found, **drawn),
        "reference": asked.reference,
        "n_items": asked.n_items,
    }


def parts(asked: SharedItems, *, seed: int = 42) -> pd.DataFrame:
    """I(right; D), I(right; S | D) and I(right; L | D, S) of each model at each temperature.

    D is the other models' confidence at the reference, a column each; S the model's own there; L that of the
    draw, which at the reference is S itself and left out there. Where a model answered items several times at a
    temperature, the draws of these items are what is right or wrong, and S has a second column, the mean confidence
    of the item's other draws (:func:`metacog.sdt.repeated_draws.mean_of_others`); intervals are over items.

    ``n_readings`` is how many answers S is read from. ``no_luck``, in rows of the draw, is the share that another draw
    of the item gets in the draw's place, S being read without it: another draw knows nothing of this one, so that this
    is what noise in S leaves.

    Others' confidence reads the difficulty with noise of its own, and S the model's state, so what they miss is left to
    S and to L: where S is read once, a draw without any luck can get more than half. Mostly what is left to L is more
    than what L says of right and wrong where the question is known exactly, which is luck. But it is no bound: noise in
    S also blurs which draws were lucky, and in some worlds that weighs more (``benchmarks/self_knowledge.py`` says how
    much either does for simulated readers). At a high temperature S also foretells whether the draw will be the usual
    answer.
    """
    rows: list[dict[str, Any]] = []
    for model, temperature in product(asked.models, asked.temperatures(asked.models)):
        rows += _parts_of(asked, model, temperature, seed)
    return pd.DataFrame(rows, columns=list(PART_COLUMNS))


def typical_shares(
    asked: SharedItems, found: pd.DataFrame, *, n_resamples: int = 2000, seed: int = 42
) -> pd.DataFrame:
    """The draw's share in the median model, of two wholes, by temperature, with a 95 % percentile interval over items.

    Of what its own confidence tells alone, I(right; L | D, S) over I(right; L), or of what all three signals do. All
    models share the resamples, so that models that err on the same items move together; ``least`` and ``most`` are of a
    single model.
    """
    rows: list[dict[str, Any]] = []
    drawn = found[(found["part"] == DRAW) & found["share"].notna()]
    for temperature in sorted(map(float, drawn["temperature"].unique())):
        told = drawn[drawn["temperature"] == temperature]
        gains = np.stack([_gains_by_item(asked, m, temperature, seed) for m in told["model"]], axis=1)
        gains = gains[gains.any(axis=(1, 2))]
        flat = gains.reshape(len(gains), -1)
        whole, *drawn_wholes = (
            (weights @ flat).reshape(-1, *gains.shape[1:])
            for weights in (
                np.ones((1, len(gains))),
                *weight_chunks(len(gains), n_resamples, seed, flat.size),
            )
        )
        resampled = np.concatenate(drawn_wholes)
        labels = {"temperature": temperature, "n_models": len(told), "n_readings": told["n_readings"].max()}
        for j, of in enumerate((ALONE, TOGETHER), start=1):
            shares = whole[0, :, 0] / whole[0, :, j]
            ends = percentile_limits(np.median(resampled[:, :, 0] / resampled[:, :, j], axis=1))
            rows.append(
                labels
                | {"of": of, "least": shares.min(), "most": shares.max()}
                | ended("share", float(np.median(shares)), *ends)
            )
    return pd.DataFrame(rows, columns=list(TYPICAL_COLUMNS))


def _gains_by_item(asked: SharedItems, model: str, temperature: float, seed: int) -> NDArray[np.float64]:
    """Bits, summed over each item's draws: of the draw beyond the rest, of its confidence alone, of all signals."""
    right, confidence, signals, place = _draws_of(asked, model, temperature)
    options: dict[str, Any] = {"clusters": cluster_index(place, place.size), "n_folds": N_FOLDS, "seed": seed}
    several = nested_gains(right, signals, **options).bits
    alone = nested_gains(right, {DRAW: confidence}, **options).bits
    each = np.column_stack([several[:, -1], alone, several.sum(axis=1)])
    return np.stack([np.bincount(place, column, asked.n_items) for column in each.T], axis=1)


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
    hits, draw = drawn["correct"].to_numpy(dtype=bool), drawn["confidence"].to_numpy(dtype=np.float64)
    if temperature == at or not place.size:
        kept = asked.shared(asked.models, temperature)
        place = np.flatnonzero(kept)
        hits, draw = asked.right(model, temperature, kept), asked.confidence(model, temperature, kept)
    others = [asked.confidence(name, at, everything)[place] for name in asked.models if name != model]
    signals = {DIFFICULTY: np.stack(others, axis=1)} if others else {}
    usual = asked.confidence(model, at, everything)[place]
    signals[STATE] = usual
    if _readings(place) > 1:
        signals[STATE] = np.column_stack([usual, mean_of_others(draw, cluster_index(place, place.size))])
    if temperature != at:
        signals[DRAW] = against(draw, usual)
    return hits, draw, signals, place


def _parts_of(asked: SharedItems, model: str, temperature: float, seed: int) -> list[dict[str, Any]]:
    hits, draw, signals, place = _draws_of(asked, model, temperature)
    unit, n_questions, n_readings = cluster_index(place, place.size), np.unique(place).size, _readings(place)
    about = {"model": model, "temperature": temperature, "n": place.size}
    about |= {"n_questions": n_questions, "n_readings": n_readings}
    if n_questions < N_FOLDS:
        return [about | {"part": part, "why": f"only {n_questions} items"} for part in signals]
    estimate = partial(information_parts, n_folds=N_FOLDS, seed=seed)
    made = estimate(hits, signals, clusters=unit)
    no_luck = _in_the_draws_place(hits, signals, draw, unit, estimate) if n_readings > 1 else np.nan
    about["why"] = "; ".join(filter(None, (made.why, "" if len(asked.models) > 1 else ONE_MODEL)))
    return [
        about
        | {"part": part, "bits": made.bits[j], "lower": made.lower[j], "upper": made.upper[j]}
        | ended("share", made.shares[j], made.share_lower[j], made.share_upper[j])
        | {"no_luck": no_luck if part == DRAW else np.nan}
        for j, part in enumerate(made.names)
    ]


def _in_the_draws_place(
    hits: NDArray[np.bool_],
    signals: dict[str, NDArray[np.float64]],
    draw: NDArray[np.float64],
    unit: NDArray[np.int64],
    estimate: Callable[..., InformationParts],
) -> float:
    """The share that each item's next draw gets in the place of a draw, the others reading the state without it."""
    order, size = np.argsort(unit, kind="stable"), np.bincount(unit)
    ends = np.cumsum(size)
    following = np.roll(order, -1)
    following[ends - 1] = order[ends - size]
    after = np.empty_like(order)
    after[order] = following
    usual, mean = signals[STATE][:, 0], mean_of_others(draw, unit, besides=after)
    known = np.isfinite(mean) if np.isfinite(mean).any() else np.ones(unit.size, dtype=bool)
    state = np.column_stack([usual, mean]) if np.isfinite(mean).any() else usual
    other = signals | {STATE: state, DRAW: against(draw[after], usual)}
    signals_there = {name: signal[known] for name, signal in other.items()}
    made = estimate(hits[known], signals_there, clusters=unit[known])
    return float(made.shares[-1])
