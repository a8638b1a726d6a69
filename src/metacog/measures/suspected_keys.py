"""Items on which nearly all other models give the same answer, which is not the key.

The key may be wrong there, or the crowd shares a misconception: answers alone do not tell, so such a key is
called suspected and nothing more. Leaving items out by what models answered favours those that go with the
crowd; the judged model therefore never takes part in the choice, nor does its family unless asked for.
``benchmarks/key_simulation.py`` shows what the rule does where the truth is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import CONSTANT, FEW, MIN_OF_CLASS, FloatArray, ModelItems
from metacog.sdt import InputError, auroc2_interval

#: Shares of the others that give the same wrong answer.
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
#: Fewer others than this on an item suspect nothing.
MIN_OTHERS = 3
COLUMNS = (
    *("model", "family", "threshold", "n_others", "n_items", "n_errors", "n_suspected"),
    *("n_suspected_right", "n_of_errors", "n_with_crowd", "share_of_errors", "accuracy"),
    "accuracy_without",
    *with_ends("auroc2", "auroc2_without"),
    "flag",
)


def suspected_keys(
    items: ModelItems, *, thresholds: Sequence[float] = THRESHOLDS, other_families: bool = True
) -> pd.DataFrame:
    """How many keys are suspected for each model, and what it is without them: :data:`COLUMNS`, by model and
    threshold.

    ``n_items`` are the items that the model answered, ``n_suspected`` those of them whose key is suspected; there it
    gave the key's answer (``n_suspected_right``) or erred (``n_of_errors``, which are ``share_of_errors`` of its
    ``n_errors``), giving the others' answer in ``n_with_crowd`` of them. ``accuracy`` and ``auroc2`` are of all its
    items, ``_without`` of those whose key is not suspected; NaN with fewer than ten right or wrong answers, and
    ``flag`` says so. Thresholds are shares of the others, who are of other families alone unless told otherwise.

    Raises
    ------
    InputError
        No answers or no key; a threshold out of range; no model of another family.
    """
    limits = _thresholds(thresholds)
    rows: list[dict[str, Any]] = []
    for i, model in enumerate(items.models):
        share, favourite, n_others = _crowd(items, model, other_families)
        mine = items.answered[i]
        hits, sure = items.right[i, mine], items.confidence[i, mine]
        constant = model in items.constant
        whole, why = _area("auroc2", hits, sure, constant)
        assert items.answer is not None  # _crowd has refused items without
        given = items.answer[i, mine]
        for limit in limits:
            doubted = _reaches(share[mine], limit)
            wrong = doubted & (hits == 0)
            without, why_without = _area("auroc2_without", hits[~doubted], sure[~doubted], constant)
            n_errors = int((hits == 0).sum())
            rows.append(
                {
                    "model": model,
                    "family": items.families[i],
                    "threshold": limit,
                    "n_others": n_others,
                    "n_items": hits.size,
                    "n_errors": n_errors,
                    "n_suspected": int(doubted.sum()),
                    "n_suspected_right": int((doubted & (hits == 1)).sum()),
                    "n_of_errors": int(wrong.sum()),
                    "n_with_crowd": int((given[wrong] == favourite[mine][wrong]).sum()),
                    "share_of_errors": wrong.sum() / n_errors if n_errors else np.nan,
                    "accuracy": hits.mean(),
                    "accuracy_without": hits[~doubted].mean() if (~doubted).any() else np.nan,
                    **whole,
                    **without,
                    "flag": why or why_without,
                }
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def suspected_items(
    items: ModelItems, model: str, threshold: float = 0.9, *, other_families: bool = True
) -> NDArray[np.bool_]:
    """Items whose key the other models put in doubt, shape ``(N,)``; the judged model takes no part.

    At least the share ``threshold`` of the others that answered gives the same answer other than the key. Items that
    fewer than three others answered are not suspected; one that the model did not answer may be.
    """
    items.named([model])
    (limit,) = _thresholds([threshold])
    return _reaches(_crowd(items, model, other_families)[0], limit)


def without_suspected(items: ModelItems, threshold: float = 0.9) -> ModelItems:
    """Each model without the items whose key its own others put in doubt: those answers are missing.

    Two models may lack different items. What needs items that several models answered lacks those that any of them
    lacks, and in this small measure a model's answers count in the choice of its own items after all.
    """
    gone = np.stack([suspected_items(items, model, threshold) for model in items.models])
    return replace(
        items,
        right=np.where(gone, np.nan, items.right),
        confidence=np.where(gone, np.nan, items.confidence),
        answer=None if items.answer is None else np.where(gone, -1, items.answer),
    )


def _crowd(items: ModelItems, model: str, other_families: bool) -> tuple[FloatArray, NDArray[np.int64], int]:
    """Share of the others with the commonest answer that is not the key, that answer, and their number."""
    if items.answer is None or items.key is None:
        raise InputError("suspected keys need answers and a key: name both columns (answer=, key=)")
    others = items.others(model, other_families=other_families)
    if not others.size:
        raise InputError(
            f"{model} has no other model"
            + (" of another family: use other_families=False" if other_families else "")
        )
    given = items.answer[others]
    votes = np.stack([(given == option).sum(axis=0) for option in range(len(items.answers))])
    n_answers = votes.sum(axis=0)
    votes[items.key, np.arange(len(items.items))] = -1
    enough = n_answers >= MIN_OTHERS
    share = np.where(enough, votes.max(axis=0) / np.maximum(n_answers, 1), 0.0)
    return share, votes.argmax(axis=0).astype(np.int64), int(others.size)


def _reaches(share: FloatArray, threshold: float) -> NDArray[np.bool_]:
    """Whether a share of whole numbers reaches a threshold that may be rounded."""
    return np.asarray(share >= threshold - 1e-9)


def _thresholds(values: Sequence[float]) -> list[float]:
    found = [float(v) for v in values]
    if not found or not all(0 < v <= 1 for v in found):
        raise InputError(f"thresholds are shares of the others, above 0 and up to 1, not {list(values)}")
    return found


def _area(name: str, hits: FloatArray, sure: FloatArray, constant: bool) -> tuple[dict[str, float], str]:
    if constant:
        return {}, CONSTANT
    if min(hits.sum(), hits.size - hits.sum()) < MIN_OF_CLASS:
        return {}, FEW
    found = auroc2_interval(hits, sure)
    return ended(name, found.estimate, *found.ends), ""
