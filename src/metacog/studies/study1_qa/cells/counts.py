"""From trials to rated trials, to correctness-by-rating counts.

The pre-registered pipeline of Cacioli (2026): edges at the 12.5 ... 87.5 % quantiles of NLP at T = 1
within model and question set, held fixed over temperatures; incorrect trials play "S1" and correct
ones "S2". Where confidence is taken from another signal, that takes the place of NLP; a signal too coarse for
such edges has one rating a value, and no M-ratio. Estimates of the counts are in
:mod:`metacog.studies.study1_qa.cells.estimates`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.sdt.binning import Edges, counts_by, is_coarse, rate_by
from metacog.studies.study1_qa.cells.flags import Flag, flags_in, table_flags
from metacog.trials.signals import NLP, SCORE, SIGNAL, scored

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
        (dropped: no confidence, as of an empty answer), and ``flag``, empty for a sound cell.
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

    @property
    def coarse(self) -> NDArray[np.bool_]:
        """Groups with one rating a value, to which nothing is fitted, shape ``(G,)``."""
        found = [Flag.COARSE in flags_in(text) for text in self.frame["flag"]]
        return np.array(found, dtype=np.bool_)

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
        The trial table with the columns ``score``, ``rating`` (missing where there is no score) and ``coarse``
        (each rating is one value of the score).
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


def silent_models(trials: pd.DataFrame, temperatures: Sequence[float] = (REFERENCE,)) -> list[str]:
    """Models that lack any confidence at one of some temperatures: ``Flag.SILENT``.

    Parameters
    ----------
    trials : DataFrame
        Trials of one question set.

    Returns
    -------
    list of str
        In the order in which they come; models that were not asked at such a temperature are none of them.
    """
    trials = scored(trials)
    at = trials[trials["temperature"].isin(temperatures)]
    known = at[SCORE].notna().groupby([at["model"], at["temperature"]], sort=False).any()
    return [
        str(model) for model, every in known.groupby(level="model", sort=False).all().items() if not every
    ]


def silent_in(table: pd.DataFrame) -> list[str]:
    """Models none of whose cells in a table with the columns ``model`` and ``flag`` has a confidence."""
    silent = (table["flag"] == Flag.SILENT).groupby(table["model"], sort=False).all()
    return [str(model) for model in silent.index[silent]]


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
    """Turn NLP, or the signal in its place, into ratings 1 ... 2K.

    Parameters
    ----------
    trials : DataFrame
        A trial table.
    k : int
        Ratings a side.
    method : {'quantile', 'width'}
        ``width`` cuts the range into equal widths (R3). A signal other than NLP that is too coarse for
        either (:func:`metacog.sdt.binning.is_coarse`) has one rating a value.
    reference : float
        Temperature whose trials make the edges.
    own_edges : bool
        Each temperature makes its own edges instead (the temperature table of the correction).

    Raises
    ------
    MetacogError
        If there are no trials, or none at the reference temperature of a model and question set.

    Notes
    -----
    A model and question set without any confidence at the reference temperature, as of a model that never
    writes a percentage, has no edges, and none of its trials a rating.
    """
    if trials.empty:
        raise MetacogError("there are no trials to analyse")
    trials = scored(trials)
    if own_edges:
        return _rated(trials, [*GROUP, "temperature"], 2 * k, method, np.ones(len(trials), dtype=bool))
    at_reference = (trials["temperature"] == reference).to_numpy()
    asked = set(trials.loc[at_reference, list(GROUP)].itertuples(index=False, name=None))
    lacking = set(trials[list(GROUP)].itertuples(index=False, name=None)) - asked
    if lacking:
        names = ", ".join(sorted(" on ".join(map(str, key)) for key in lacking))
        raise MetacogError(
            f"there is no trial at T = {reference:g} of {names}: rating edges are made there. "
            f"Collect T = {reference:g}, or name another reference temperature"
        )
    return _rated(trials, list(GROUP), 2 * k, method, at_reference)


def _rated(
    trials: pd.DataFrame, by: list[str], n_ratings: int, method: str, reference: NDArray[np.bool_]
) -> Rated:
    """Trials rated with each group's edges, made of its trials in the reference; without any, not rated."""
    known = trials[SCORE].notna() & reference
    with_edges = trials.assign(known=known).groupby(by, observed=True)["known"].transform("any").to_numpy()
    coarse = _coarse(trials, by, n_ratings, reference)
    ratings = np.zeros(len(trials), dtype=np.int64)
    edges: dict[tuple[Hashable, ...], Edges] = {}
    for each, made in ((with_edges & ~coarse, method), (with_edges & coarse, "value")):
        if each.any():
            given, of_part = rate_by(
                trials[each], by, n_ratings, confidence=SCORE, reference=reference[each], method=made
            )
            ratings[each] = given.to_numpy(dtype=np.int64, na_value=0)
            edges |= of_part
    series = pd.Series(ratings, index=trials.index, dtype="Int64", name="rating")
    return Rated(trials.assign(rating=series.mask(ratings == 0), coarse=coarse), edges, n_ratings)


def _coarse(
    trials: pd.DataFrame, by: list[str], n_ratings: int, reference: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which trials belong to a group whose signal, not NLP, is too coarse for ratings of equal frequency."""
    found = np.zeros(len(trials), dtype=bool)
    if SIGNAL not in trials:
        return found
    usable = reference & trials[SCORE].notna().to_numpy()
    for rows in trials.groupby(by, observed=True).indices.values():
        base = trials.iloc[rows[usable[rows]]]
        if len(base) and base[SIGNAL].iloc[0] != NLP:
            found[rows] = is_coarse(base[SCORE].to_numpy(dtype=np.float64), n_ratings)
    return found


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
    coarse: set[tuple[Hashable, ...]] = set()
    if "coarse" in trials:
        few = trials.loc[trials["coarse"], columns].drop_duplicates()
        coarse = set(few.itertuples(index=False, name=None))
    tied = [any(set(edge).issubset(set(key)) for edge in degenerate) if degenerate else False for key in keys]
    frame["flag"] = table_flags(nR_S1, nR_S2, tied, [key in coarse for key in keys])
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
