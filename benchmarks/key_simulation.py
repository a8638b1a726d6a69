"""What the rule for suspected keys does where it is known which keys are wrong.

Simulated models answer items of known truth. On some items the key is wrong; on others it is right and most
models share a misconception; or every key is right, and wrong options attract unequally. All look alike from answers
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit

from metacog.measures.model_items import FloatArray, ModelItems
from metacog.measures.suspected_keys import THRESHOLDS, suspected_items, suspected_keys
from metacog.sdt import InputError, auroc2

_OPTIONS = ("A", "B", "C", "D")


@dataclass(frozen=True)
class KeyedAnswers:
    """Simulated answers as marked by the key, and what is true."""

    items: ModelItems
    truly_right: FloatArray
    wrong_key: NDArray[np.bool_]
    misconception: NDArray[np.bool_]


def keyed_answers(
    *,
    n_models: int = 33,
    n_families: int = 7,
    n_items: int = 1500,
    wrong_keys: float = 0.01,
    misconceptions: float = 0.0,
    sharing: float = 0.95,
    ability: tuple[float, float] = (0.5, 4.0),
    seed: int = 42,
) -> KeyedAnswers:
    """Simulate answers to four-option items; families take turns, so that each holds models of all abilities.

    ``wrong_keys`` and ``misconceptions`` are shares of the items whose key names a wrong option, and on which a wrong
    option attracts, which a model gives with the chance ``sharing``; no item is both. ``ability`` holds the lowest and
    highest log-odds of knowing an item of mean difficulty; a model that does not know takes one of the four options.

    Difficulty u is normal; a model knows an item with log-odds a - 1.3 u + 0.8 v, v its private state. Its confidence
    reads -u + v + noise in steps, on a misconception as on any other item: who shares one does not notice.
    """
    if not (
        0 <= wrong_keys and 0 <= misconceptions and wrong_keys + misconceptions < 1 and 0 <= sharing <= 1
    ):
        raise InputError("wrong_keys, misconceptions (less than 1 together) and sharing are shares")
    rng = np.random.default_rng(seed)
    shape = (n_models, n_items)
    kind = rng.permutation(n_items)
    n_wrong, n_shared = round(wrong_keys * n_items), round(misconceptions * n_items)
    wrong_key, misconception = kind < n_wrong, (kind >= n_wrong) & (kind < n_wrong + n_shared)
    difficulty, state = rng.normal(size=n_items), rng.normal(size=shape)
    log_odds = np.linspace(*ability, n_models)[:, None] - 1.3 * difficulty + 0.8 * state
    true = rng.integers(0, 4, n_items)
    given = np.where(rng.random(shape) < expit(log_odds), true, rng.integers(0, 4, shape))
    attracting = (true + rng.integers(1, 4, n_items)) % 4
    given = np.where(misconception & (rng.random(shape) < sharing), attracting, given)
    key = np.where(wrong_key, (true + rng.integers(1, 4, n_items)) % 4, true)
    confidence = np.round(2 * (state - difficulty + rng.normal(size=shape)))
    made = _arranged(given, key, confidence, n_families)
    return KeyedAnswers(made, (given == true).astype(np.float64), wrong_key, misconception)


def _arranged(
    given: NDArray[np.int64], key: NDArray[np.int64], confidence: FloatArray, n_families: int
) -> ModelItems:
    """Answers as the measures take them."""
    n_models, n_items = given.shape
    return ModelItems(
        tuple(f"model {i}" for i in range(n_models)),
        tuple(f"item {j}" for j in range(n_items)),
        (given == key).astype(np.float64),
        confidence,
        tuple(f"family {i % n_families}" for i in range(n_models)),
        ("",) * n_items,
        given.astype(np.int64),
        _OPTIONS,
        key.astype(np.int64),
    )


def attracted_answers(
    *,
    n_models: int = 33,
    n_families: int = 7,
    n_items: int = 1500,
    attraction: float = 1.0,
    ability: tuple[float, float] = (2.5, 5.0),
    own: float = 0.8,
    noise: float = 0.5,
    seed: int = 42,
) -> KeyedAnswers:
    """Simulate answers to four-option items whose keys are all right, and whose wrong options attract unequally.

    ``attraction`` is the mean attraction of a wrong option, which is drawn from an exponential distribution and is the
    same for all models; ``ability`` the strength of the right option for the worst and for the best model; ``own`` and
    ``noise`` are standard deviations of what a model adds to the strength of each option by itself, and to its
    confidence.

    A model takes the strongest option; its confidence is how far that one is ahead of the next, and noise, in steps.
    The defaults give accuracies, shares of errors on suspected items and AUROC2 like those of a leaderboard of large
    models. Good models err mostly where one wrong option attracts strongly: together, and with confidence.
    """
    rng = np.random.default_rng(seed)
    key, every = rng.integers(0, 4, n_items), np.arange(n_items)
    shared = attraction * rng.exponential(size=(n_items, 4))
    shared[every, key] = 0
    strength = shared + own * rng.normal(size=(n_models, n_items, 4))
    strength[:, every, key] += np.linspace(*ability, n_models)[:, None]
    given = strength.argmax(axis=-1)
    second, first = np.moveaxis(np.sort(strength, axis=-1)[..., -2:], -1, 0)
    confidence = np.round(2 * (first - second + noise * rng.normal(size=first.shape)))
    nowhere = np.zeros(n_items, dtype=np.bool_)
    right = (given == key).astype(np.float64)
    return KeyedAnswers(_arranged(given, key, confidence, n_families), right, nowhere, nowhere)


def suspected_keys_under(
    made: KeyedAnswers,
    *,
    thresholds: Sequence[float] = THRESHOLDS,
    other_families: bool = True,
    best: int | None = None,
) -> pd.DataFrame:
    """What leaving out suspected keys does to accuracy and AUROC2 whose truth is known, one row a threshold.

    Means are over models, or over the ``best`` so many by the key. ``found`` is the share of all wrong keys that are
    suspected; ``_true`` is by the truth on all items, ``_by_key`` by the key, ``_without`` by the key on items not
    suspected. Where keys are wrong, ``_without`` comes near ``_true``. Where a misconception is shared, or wrong
    options attract unequally, the key was right and ``_without`` is too high: the rule took out errors that the model
    made in good company.
    """
    items = made.items
    table = suspected_keys(items, thresholds=thresholds, other_families=other_families)
    order = np.argsort(-np.nanmean(items.right, axis=1), kind="stable")[:best]
    names = [items.models[i] for i in order]
    table = table[table["model"].isin(names)]
    areas = [auroc2(made.truly_right[i], items.confidence[i]) for i in order]
    rows = []
    for limit, part in table.groupby("threshold", sort=False):
        doubted = np.stack(
            [suspected_items(items, m, float(limit), other_families=other_families) for m in names]  # type: ignore[arg-type]
        )
        n_wrong = int(made.wrong_key.sum())
        rows.append(
            {
                "threshold": limit,
                "n_suspected": doubted.sum(axis=1).mean(),
                "n_wrong_keys": (doubted & made.wrong_key).sum(axis=1).mean(),
                "n_misconceptions": (doubted & made.misconception).sum(axis=1).mean(),
                "found": (doubted & made.wrong_key).sum(axis=1).mean() / n_wrong if n_wrong else np.nan,
                "share_of_errors": part["share_of_errors"].mean(),
                "accuracy_true": made.truly_right[order].mean(),
                "accuracy_by_key": part["accuracy"].mean(),
                "accuracy_without": part["accuracy_without"].mean(),
                "auroc2_true": float(np.mean(areas)),
                "auroc2_by_key": part["auroc2"].mean(),
                "auroc2_without": part["auroc2_without"].mean(),
            }
        )
    return pd.DataFrame(rows)
