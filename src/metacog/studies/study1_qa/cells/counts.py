"""From trials to rated trials, to correctness-by-rating counts.

The pre-registered pipeline of Cacioli (2026): edges at the 12.5 ... 87.5 % quantiles of NLP at T = 1
within model and question set, held fixed over temperatures; incorrect trials play "S1" and correct
ones "S2". Estimates of the counts are in :mod:`metacog.studies.study1_qa.cells.estimates`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.sdt.binning import Edges, counts_by, rate_by
from metacog.studies.study1_qa.cells.flags import table_flags

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: Ratings a side; 2K = 8 ratings in all.
K = 4
#: Temperature that the edges and most analyses rest on.
REFERENCE = 1.0
#: Groups that share edges.
GROUP = ("model", "dataset")


def cell_name(model: object, dataset: object, n_datasets: int) -> str:
    """Name of a model, with its question set where there are several."""
    return f"{model}" if n_datasets == 1 else f"{model} on {dataset}"


def measurable(nR_S1: ArrayLike, nR_S2: ArrayLike) -> NDArray[np.bool_]:
    """Which tables, shape ``(..., 2K)``, hold both classes and more than one rating, as measures need."""
    wrong, right = np.asarray(nR_S1), np.asarray(nR_S2)
    used = ((wrong + right) > 0).sum(axis=-1)
    return np.asarray((wrong.sum(axis=-1) > 0) & (right.sum(axis=-1) > 0) & (used > 1))


@dataclass(frozen=True)
class Cells:
    """Correctness-by-rating counts of many groups.

    Attributes
    ----------
    frame : DataFrame
        One row per group: the grouping columns, ``n, n_correct, n_incorrect, n_dropped, accuracy``
        (dropped: no NLP, the answer was empty), and ``flag``, empty for a sound cell.
    nR_S1, nR_S2 : int arrays, shape ``(G, 2K)``
        Incorrect and correct trials, lowest rating first.
    by : tuple of str
        The grouping columns.
    """

    frame: pd.DataFrame
    nR_S1: IntArray
    nR_S2: IntArray
    by: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def measurable(self) -> NDArray[np.bool_]:
        """Groups with a correct and an incorrect trial and more than one rating, shape ``(G,)``."""
        return measurable(self.nR_S1, self.nR_S2)

    def table(self, **keys: object) -> tuple[IntArray, IntArray]:
        """Incorrect and correct trials by rating of the one group with these keys.

        Raises
        ------
        MetacogError
            If no group or several have them.
        """
        mask = np.logical_and.reduce([(self.frame[k] == v).to_numpy() for k, v in keys.items()])
        found = np.flatnonzero(mask)
        if found.size != 1:
            named = " on ".join(map(str, keys.values()))
            raise MetacogError(f"the counts hold {found.size} cells for {named}, expected 1")
        return self.nR_S1[found[0]], self.nR_S2[found[0]]

    def select(self, mask: ArrayLike) -> Cells:
        """Only the groups where ``mask`` is true."""
        keep = np.asarray(mask, dtype=bool)
        return Cells(self.frame[keep].reset_index(drop=True), self.nR_S1[keep], self.nR_S2[keep], self.by)


@dataclass(frozen=True)
class Rated:
    """Trials with ratings.

    Attributes
    ----------
    trials : DataFrame
        The trial table with a column ``rating`` (missing where there is no NLP).
    edges : mapping from (model, dataset) to Edges
    n_ratings : int
        2K.
    """

    trials: pd.DataFrame
    edges: Mapping[tuple[Hashable, ...], Edges]
    n_ratings: int

    def cells(self, by: Sequence[str] = GROUP, *, temperature: float | None = REFERENCE) -> Cells:
        """Counts of every group; of one temperature, or of all with ``temperature=None``."""
        trials = self.trials
        if temperature is not None:
            trials = trials[trials["temperature"] == temperature]
        degenerate = {key for key, edge in self.edges.items() if edge.degenerate}
        return count_cells(trials, by, self.n_ratings, degenerate)


def primary(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials of the first question set of the table: H1-H4 rest on it, the others are R4's."""
    return trials[trials["dataset"] == trials["dataset"].iloc[0]] if len(trials) else trials


def rate_trials(
    trials: pd.DataFrame,
    *,
    k: int = K,
    method: str = "quantile",
    reference: float = REFERENCE,
    own_edges: bool = False,
) -> Rated:
    """Turn NLP into ratings 1 ... 2K.

    Parameters
    ----------
    trials : DataFrame
        A trial table.
    k : int
        Ratings a side.
    method : {'quantile', 'width'}
        ``width`` cuts the range of NLP into equal widths (R3).
    reference : float
        Temperature whose trials make the edges.
    own_edges : bool
        Each temperature makes its own edges instead (the temperature table of the correction).

    Raises
    ------
    MetacogError
        If there are no trials, or none with an NLP at the reference temperature.
    """
    if trials.empty:
        raise MetacogError("there are no trials to analyse")
    if own_edges:
        ratings, edges = rate_by(trials, [*GROUP, "temperature"], 2 * k, method=method)
        return Rated(trials.assign(rating=ratings), edges, 2 * k)
    at_reference = (trials["temperature"] == reference).to_numpy()
    usable = at_reference & trials["nlp"].notna().to_numpy()
    lacking = set(map(tuple, trials[list(GROUP)].drop_duplicates().to_numpy())) - set(
        map(tuple, trials.loc[usable, list(GROUP)].drop_duplicates().to_numpy())
    )
    if lacking:
        names = ", ".join(sorted(" on ".join(map(str, key)) for key in lacking))
        raise MetacogError(
            f"no trial at T = {reference:g} has an NLP for {names}: rating edges are made there. "
            f"Collect T = {reference:g}, or name another reference temperature"
        )
    ratings, edges = rate_by(trials, list(GROUP), 2 * k, reference=at_reference, method=method)
    return Rated(trials.assign(rating=ratings), edges, 2 * k)


def count_cells(
    trials: pd.DataFrame,
    by: Sequence[str],
    n_ratings: int,
    degenerate: set[tuple[Hashable, ...]] | None = None,
) -> Cells:
    """Counts of every group of rated trials, with flags; see :class:`Cells`."""
    columns = list(by)
    counted = counts_by(trials, columns, n_ratings)
    order = _order(counted.groups, trials)
    frame = counted.groups.iloc[order].reset_index(drop=True)
    nR_S1, nR_S2 = counted.nR_S1[order], counted.nR_S2[order]
    missing = trials[trials["rating"].isna()].groupby(columns, dropna=False, observed=True).size()
    frame["n_correct"] = nR_S2.sum(axis=1)
    frame["n_incorrect"] = nR_S1.sum(axis=1)
    frame["n"] = frame["n_correct"] + frame["n_incorrect"]
    keys = list(frame[columns].itertuples(index=False, name=None))
    dropped = {k if isinstance(k, tuple) else (k,): int(v) for k, v in missing.items()}
    frame["n_dropped"] = [dropped.get(key, 0) for key in keys]
    frame["accuracy"] = frame["n_correct"] / frame["n"]
    tied = [any(set(edge).issubset(set(key)) for edge in degenerate) if degenerate else False for key in keys]
    frame["flag"] = table_flags(nR_S1, nR_S2, tied)
    return Cells(frame, nR_S1, nR_S2, tuple(columns))


def _order(groups: pd.DataFrame, trials: pd.DataFrame) -> IntArray:
    """Rows by question set and model as they first appear in the trials, then as they stand."""
    keys = [
        groups[name].map({v: i for i, v in enumerate(pd.unique(trials[name]))}).to_numpy(dtype=np.int64)
        for name in ("model", "dataset")
        if name in groups.columns
    ]
    return np.lexsort(keys).astype(np.int64) if keys else np.arange(len(groups))


def cells_from_counts(counts: pd.DataFrame, by: Sequence[str] = GROUP) -> Cells:
    """Cells from a table of counts with the columns ``rating, n_correct, n_incorrect``.

    The published counts of study 1 have this form; so has any export of :class:`Cells`.

    Raises
    ------
    MetacogError
        If a group lacks a rating that others have.
    """
    columns = list(by)
    wide = counts.pivot_table(
        index=columns, columns="rating", values=["n_incorrect", "n_correct"], aggfunc="sum", sort=False
    )
    if wide.isna().to_numpy().any():
        raise MetacogError("every group of the count table needs every rating; fill the gaps with zeros")
    s1 = wide["n_incorrect"].to_numpy(dtype=np.int64)
    s2 = wide["n_correct"].to_numpy(dtype=np.int64)
    frame = wide.index.to_frame(index=False)
    frame["n_correct"], frame["n_incorrect"] = s2.sum(axis=1), s1.sum(axis=1)
    frame["n"] = frame["n_correct"] + frame["n_incorrect"]
    frame["n_dropped"] = 0
    frame["accuracy"] = frame["n_correct"] / frame["n"]
    frame["flag"] = table_flags(s1, s2)
    return Cells(frame, s1, s2, tuple(columns))
