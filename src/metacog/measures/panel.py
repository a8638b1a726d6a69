"""Models that stand as the others, and how hard an item was for them."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from metacog.measures.model_items import ModelItems
from metacog.sdt import InputError

#: Fewer right or wrong answers than this carry no estimate.
MIN_OF_CLASS = 10
FEW = f"fewer than {MIN_OF_CLASS} right or wrong answers"
CONSTANT = "one confidence throughout"
SILENT = "no confidence could be read"


def panel(
    items: ModelItems, *, other_families: bool = True, n_others: int | None = None
) -> tuple[NDArray[np.int64], int]:
    """Models that stand as the others of every model, and how many others each can have.

    Parameters
    ----------
    items : ModelItems
    other_families : bool
        A model's others are of other families alone.
    n_others : int, optional
        How many others every model needs; at least one without it.

    Returns
    -------
    members : int array
        Positions of models, in their order.
    n_others : int
        The wanted number, or without one the largest that all models can have.

    Raises
    ------
    InputError
        No set of models gives every model that many others, or such a set shares no item.

    Notes
    -----
    Means over others need one set of others on every item. Models are taken in the order of how much they
    answered, leaving out those of one confidence throughout, as far as (models) times (items that all of them
    answered) is largest: a model with a short run is judged, and does not stand as one of the others.
    """
    families = np.array(items.families)
    able = np.array([name not in items.constant for name in items.models])
    order = np.argsort(-items.answered.sum(axis=1), kind="stable")
    order = order[able[order]]
    wanted = 1 if n_others is None else int(n_others)
    if wanted < 1:
        raise InputError(f"n_others must be at least 1, got {n_others}")
    best, size, most = 0, 0, 0
    for k in range(1, order.size + 1):
        fewest = min(_n_others(i, order[:k], families, other_families) for i in range(families.size))
        most = max(most, fewest)
        shared = k * int(items.answered[order[:k]].all(axis=0).sum())
        if fewest >= wanted and shared > best:
            best, size = shared, k
    if most < wanted:
        kind = "others of other families" if other_families else "others"
        raise InputError(
            f"not every model has {wanted} {kind} whose confidence varies, at most {most}"
            + ("; other_families=False takes all models" if other_families else "")
        )
    if not size:
        raise InputError("the models that could stand as the others share no item")
    members = np.sort(order[:size])
    fewest = min(_n_others(i, members, families, other_families) for i in range(families.size))
    return members, fewest if n_others is None else wanted


def others_of(
    items: ModelItems, model: str, members: NDArray[np.int64], n: int, *, other_families: bool, seed: int
) -> NDArray[np.int64]:
    """``n`` of a model's others among the members of the panel, drawn by seed and by the model's name."""
    mine = np.intersect1d(items.others(model, other_families=other_families), members)
    rng = np.random.default_rng([seed, zlib.crc32(model.encode())])
    return np.sort(rng.choice(mine, size=n, replace=False)) if n < mine.size else mine


def difficulty(items: ModelItems, model: str, *, other_families: bool = True) -> NDArray[np.int64]:
    """How many of the other models were right on each item, shape ``(N,)``; -1 where none answered.

    Others with a short run leave gaps: an item's share of right answers among those who answered is then
    taken times the number of others and rounded, so that one scale serves all items.
    """
    right = items.right[items.others(model, other_families=other_families)]
    asked = np.isfinite(right).sum(axis=0)
    share = np.nansum(right, axis=0) / np.maximum(asked, 1)
    return np.where(asked > 0, np.rint(share * right.shape[0]), -1).astype(np.int64)


def _n_others(i: int, members: NDArray[np.int64], families: NDArray[np.str_], other_families: bool) -> int:
    if other_families:
        return int((families[members] != families[i]).sum())
    return int((members != i).sum())
