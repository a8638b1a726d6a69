"""Ratios of sums over records that share members, as comparisons of answers share people and items.

An interval that lets items alone vary is about these people, one that lets people alone vary about these items. Here
two records may go together whenever they share a member of any kind: the variance of a sum is the sum over all such
pairs of records (clustering in several ways; Cameron, Gelbach & Miller 2011, and Aronow, Samii & Assenova 2015 where a
record has two members of one kind). A bootstrap of both kinds at once counts what is left of each record three times
(Owen 2007). ``benchmarks/people_and_models.py`` shows how often such intervals hold the truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.stats import t

from metacog.sdt import InputError, Interval

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Ratios:
    """Several ratios of the same records, how they vary together, and how many records each counts.

    ``df``, of their intervals: the number of the rarest kind's members, less one.
    """

    values: Mapping[str, float]
    covariance: FloatArray
    counts: Mapping[str, int]
    df: int

    def difference(self, weights: Mapping[str, float]) -> tuple[Interval, float]:
        """A weighted sum of the ratios with its interval, and p of its being 0 (t, two-sided)."""
        return self.around(sum(weight * self.values[name] for name, weight in weights.items()), weights)

    def around(self, value: float, slopes: Mapping[str, float]) -> tuple[Interval, float]:
        """Any function of the ratios by its value and slopes (delta method), and p of its being 0.

        Both are NaN where a ratio is, or where too little is shared for a variance above 0.
        """
        along = np.array([slopes.get(name, 0.0) for name in self.values])
        used = along != 0
        variance = float(along[used] @ self.covariance[np.ix_(used, used)] @ along[used])
        error = variance**0.5 if np.isfinite(value) and variance > 0 else np.nan
        half = float(t.ppf(0.975, self.df)) * error
        p = float(2 * t.sf(abs(value) / error, self.df))
        return Interval(value, value - half, value + half, 0.95, error), p


def ratios(sums: Mapping[str, tuple[ArrayLike, ArrayLike]], members: Sequence[ArrayLike]) -> Ratios:
    """Ratios of two sums over N records each: what is summed above and below, by name.

    A record that a ratio does not count is 0 in both. ``members`` are by kind (people, items), ``(N,)`` or ``(N, m)``:
    those of each record by number from 0; -1 for none.

    Raises
    ------
    InputError
        No record, arrays of different length, missing values, or a kind with fewer than two members.
    """
    pairs = {name: [np.asarray(part, dtype=np.float64) for part in both] for name, both in sums.items()}
    kinds = [array if array.ndim == 2 else array[:, None] for array in map(np.asarray, members)]
    lengths = {len(part) for both in pairs.values() for part in both} | {len(one) for one in kinds}
    if len(lengths) != 1 or lengths == {0}:
        raise InputError("sums and members must be of the same records, of one at least")
    if not all(np.isfinite(part).all() for both in pairs.values() for part in both):
        raise InputError("a record is missing: leave it out, or let it count 0 in both sums")
    sizes = [np.unique(one[one >= 0]).size for one in kinds]
    if min(sizes) < 2:
        raise InputError("every kind needs two members at least")
    (n,) = lengths
    at, who, start = [], [], 0
    for one in kinds:
        record, _ = np.nonzero(one >= 0)
        at.append(record)
        who.append(start + one[one >= 0])
        start += int(one.max()) + 1
    rows, columns = np.concatenate(at), np.concatenate(who)
    touched = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, start))
    together = (touched @ touched.T).sign()
    values = {
        name: float(above.sum() / below.sum()) if below.sum() else np.nan
        for name, (above, below) in pairs.items()
    }
    moves = np.stack(
        [(above - values[name] * below) / (below.sum() or np.nan) for name, (above, below) in pairs.items()],
        axis=1,
    )
    counts = {name: int((below != 0).sum()) for name, (_, below) in pairs.items()}
    return Ratios(values, np.asarray(moves.T @ (together @ moves)), counts, min(sizes) - 1)
