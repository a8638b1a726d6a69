"""Tables of judgements: raters who put the same items into categories."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.checks import InputError


@dataclass(frozen=True)
class Judgements:
    """A checked table of judgements.

    Attributes
    ----------
    codes : array of int, shape ``(n_items, n_raters)``
        Place in ``categories``; -1 is missing. Only items with two judgements or more, and only raters who
        judged one of them.
    categories : tuple
        The labels, sorted.
    n_unpaired : int
        Items left out, since fewer than two raters judged them.
    raters : array of int
        Columns of the given table that are left.
    """

    codes: NDArray[np.int64]
    categories: tuple[Any, ...]
    n_unpaired: int
    raters: NDArray[np.int64]


def judgements(ratings: ArrayLike) -> Judgements:
    """Check a table of judgements.

    Parameters
    ----------
    ratings : array_like or DataFrame, shape ``(n_items, n_raters)``
        Labels: all numbers (or booleans) or all text. None and NaN are missing.

    Raises
    ------
    InputError
        A table that is not of two dimensions, holds no judgement, labels of mixed type or an infinite number;
        one rater only; no item with two judgements.
    """
    try:
        table = np.asarray(ratings, dtype=object)
    except ValueError:
        table = np.empty(0)
    if table.ndim != 2:
        raise InputError("judgements are a table with items as rows and raters as columns")
    given = ~np.asarray(pd.isna(table), dtype=bool)
    if not given.any():
        raise InputError("the table holds no judgement: all cells are missing")
    if given.any(axis=0).sum() < 2:
        raise InputError("one rater only: agreement takes two who judge the same items")
    paired = given.sum(axis=1) >= 2
    if not paired.any():
        raise InputError("no item was judged by two raters: let raters share some items")
    _check_labels(table[given])
    table, given = table[paired], given[paired]
    categories = tuple(sorted(set(table[given])))
    place = {label: code for code, label in enumerate(categories)}
    codes = np.full(table.shape, -1, dtype=np.int64)
    codes[given] = [place[label] for label in table[given]]
    raters = np.flatnonzero(given.any(axis=0))
    return Judgements(codes[:, raters], categories, int((~paired).sum()), raters)


def _check_labels(labels: NDArray[Any]) -> None:
    kinds = {"number" if isinstance(x, numbers.Real | np.bool_) else type(x).__name__ for x in labels}
    if len(kinds) > 1:
        raise InputError(f"judgements mix {' and '.join(sorted(kinds))}: use one set of labels")
    if kinds == {"number"} and not np.isfinite(labels.astype(float)).all():
        raise InputError("a judgement is infinite: leave the cell empty where there is none")
    if not kinds <= {"number", "str"}:
        raise InputError(f"judgements must be numbers or text, not {kinds.pop()}")
