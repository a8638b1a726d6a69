"""How far what a measure tells of people goes with their d', and what comes back of it with d' held fixed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.checks import FloatArray


@dataclass(frozen=True)
class WithSkill:
    """Of one measure; arrays are the value, then one of every resample of sets.

    ``skill`` is the correlation of the true measure with true d' over people of a set, ``held`` how much of the
    measure comes back in the other half among people of the same true d', ``variance`` that of one half between people
    of a set; ``people`` are those whose values are all known.
    """

    skill: FloatArray
    held: FloatArray
    variance: FloatArray
    people: int


def with_skill(
    first: pd.DataFrame, second: pd.DataFrame, measure: str, groups: ArrayLike, times: ArrayLike
) -> WithSkill:
    """Two halves of each person's trials (columns ``measure`` and ``d_prime``), put together over sets.

    Parameters
    ----------
    first, second : DataFrame, n rows
    measure : str
    groups : array_like, shape ``(n,)``
        Each one's set, from 0.
    times : array_like, shape ``(B, sets)``
        How often each set counts: ones first, then resamples.

    Notes
    -----
    Halves share no trial, so what covaries between one and the other is true (Spearman 1904). Values are in units of
    the spread within their set. With d' held fixed, what d' explains leaves the true variance and the whole one alike.
    """
    again = np.asarray(times, dtype=np.float64)
    both = np.column_stack([x[name] for name in (measure, "d_prime") for x in (first, second)])
    known, sets = np.isfinite(both).all(axis=1), again.shape[1]
    of, x = np.asarray(groups)[known], both[known]
    n = np.bincount(of, minlength=sets)

    def per_set(values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(of, values, sets), dtype=np.float64)

    x -= (np.stack([per_set(column) for column in x.T], axis=1) / np.maximum(n, 1)[:, None])[of]
    squares = np.stack([per_set((side**2).mean(axis=1)) for side in (x[:, :2], x[:, 2:])], axis=1)
    sd = np.sqrt(np.maximum(squares / np.maximum(n, 1)[:, None], 1e-12))[of]
    one, other, skill, later = (x / np.repeat(sd, 2, axis=1)).T
    true, ability = again @ per_set(one * other), again @ per_set(skill * later)
    shared = again @ (per_set(one * later) + per_set(other * skill)) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        explained = shared**2 / ability
        return WithSkill(
            skill=shared / np.sqrt(np.maximum(true * ability, 0.0)),
            held=(true - explained) / (again @ n - explained),
            variance=again @ squares[:, 0] / (again @ np.maximum(n - 1, 0)),
            people=int(known.sum()),
        )


def dealt_anew(groups: ArrayLike, rng: np.random.Generator) -> NDArray[np.intp]:
    """For each person another of the same set, drawn without replacement."""
    of = np.asarray(groups)
    drawn, made = np.lexsort([rng.random(of.size), of]), np.empty(of.size, dtype=np.intp)
    made[np.argsort(of, kind="stable")] = drawn
    return made
