"""From trials to rated trials, to correctness-by-rating counts, to estimates with intervals.

The pre-registered pipeline of Cacioli (2026): edges at the 12.5 ... 87.5 % quantiles of NLP at T = 1
within model and question set, held fixed over temperatures; incorrect trials play "S1" and correct
ones "S2"; 0.5 is added to every cell; meta-d' by maximum likelihood with s = 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.sdt.binning import Edges, counts_by, rate_by
from metacog.sdt.bootstrap import bootstrap_meta_d_many
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.sdt.padding import padding

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: Ratings a side; 2K = 8 ratings in all.
K = 4
#: Added to every cell before a fit.
PAD = 0.5
#: Fewest correct and incorrect trials the pre-registration asks of a cell. (Where the measures of any
#: trials stop giving intervals is another matter: :data:`metacog.measures.estimates.MIN_FOR_INTERVALS`.)
MIN_CLASS = 50
#: Resamples with |M-ratio| at or above this are dropped and counted.
M_RATIO_LIMIT = 10.0
#: Temperature that the edges and most analyses rest on.
REFERENCE = 1.0
#: Groups that share edges.
GROUP = ("model", "dataset")


#: Fewest right and wrong answers on either side of the middle cut, on which d' rests.
MIN_SIDE = 5


class Flag(StrEnum):
    """What is unsound about a cell; the column ``flag`` joins them, and is ``Flag.NONE`` for a sound cell.

    The last three concern what is fitted to padded counts (d', meta-d', M-ratio, criteria): a rating
    without a trial, under :data:`MIN_SIDE` right or wrong answers on one side of the middle cut, and d'
    or M-ratio moving by more than its own standard error as the constant in every cell goes from 0.1 to
    1 (:mod:`metacog.sdt.padding`). AUROC2 and meta-I2r take no padding.
    """

    NONE = ""
    FEW_CORRECT = f"under {MIN_CLASS} correct"
    FEW_INCORRECT = f"under {MIN_CLASS} incorrect"
    FEW_OF_A_CLASS = f"under {MIN_CLASS} of a class"
    TIED = "ties merge ratings"
    EMPTY = "empty ratings"
    STARVED = "starved middle cut"
    PADDED = "padding decides"

    @property
    def of_fit(self) -> bool:
        """Whether it concerns fits of padded counts alone."""
        return self in (Flag.EMPTY, Flag.STARVED, Flag.PADDED)


_JOIN = "; "


def joined(flags: Iterable[Flag]) -> str:
    """Flags as the column ``flag`` holds them."""
    return _JOIN.join(flag.value for flag in flags)


def flags_in(text: str) -> tuple[Flag, ...]:
    """The flags that a cell of the column ``flag`` holds."""
    return tuple(Flag(part) for part in text.split(_JOIN) if part)


def flagged(frame: pd.DataFrame, *, padded: bool = True) -> pd.Series:
    """Which rows of a table carry a flag.

    Parameters
    ----------
    padded : bool
        Whether the measure in question is fitted to padded counts; if not, flags of fits are no matter.
    """
    if padded:
        return frame["flag"] != Flag.NONE
    return frame["flag"].map(lambda text: any(not flag.of_fit for flag in flags_in(text))).astype(bool)


@dataclass(frozen=True)
class Cells:
    """Correctness-by-rating counts of many groups.

    Attributes
    ----------
    frame : DataFrame
        One row a group: the grouping columns, ``n, n_correct, n_incorrect, n_dropped, accuracy``
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
    def both_classes(self) -> NDArray[np.bool_]:
        """Groups with at least one correct and one incorrect trial, shape ``(G,)``."""
        return (self.nR_S1.sum(axis=1) > 0) & (self.nR_S2.sum(axis=1) > 0)

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


def table_flags(nR_S1: IntArray, nR_S2: IntArray, tied: Sequence[bool] = ()) -> list[str]:
    """What is unsound about each table, as the column ``flag`` holds it; ``tied``: ties merge ratings."""
    wrong, right = nR_S1.sum(axis=1), nR_S2.sum(axis=1)
    found: list[list[Flag]] = [[] for _ in wrong]
    for i, flags in enumerate(found):
        if min(wrong[i], right[i]) < MIN_CLASS:
            flags.append(Flag.FEW_CORRECT if right[i] < wrong[i] else Flag.FEW_INCORRECT)
        if i < len(tied) and tied[i]:
            flags.append(Flag.TIED)
    if len(found):
        made = padding(nR_S1, nR_S2, pad=PAD)
        for flags, empty, thinnest, sensitive in zip(
            found, made.empty, made.thinnest, made.sensitive, strict=True
        ):
            flags += [Flag.EMPTY] * bool(empty)
            flags += [Flag.STARVED] * bool(thinnest < MIN_SIDE)
            flags += [Flag.PADDED] * bool(sensitive)
    return [joined(flags) for flags in found]


def estimate(cells: Cells, *, s: ArrayLike = 1.0, pad: float = PAD) -> pd.DataFrame:
    """Point estimates of every group.

    Parameters
    ----------
    cells : Cells
    s : float or array, shape ``(G,)``
        sd(S1)/sd(S2), the slope of the z-ROC.
    pad : float
        Added to every cell.

    Returns
    -------
    DataFrame
        ``cells.frame`` with ``d_prime, c, meta_d, m_ratio, low_criterion, high_criterion`` (means of
        the type-2 criteria on either side), ``converged`` and ``boundary``; NaN for groups that lack
        a class.
    """
    frame = cells.frame.copy()
    names = ("d_prime", "c", "meta_d", "m_ratio")
    if not len(cells):
        return frame.assign(**{name: np.nan for name in (*names, "low_criterion", "high_criterion")})
    fit = fit_meta_d_batch(cells.nR_S1 + pad, cells.nR_S2 + pad, s=s, undefined="flag")
    good = cells.both_classes
    for name in names:
        frame[name] = np.where(good, getattr(fit, name), np.nan)
    frame["low_criterion"] = np.where(good, fit.t2_criteria_rS1.mean(axis=1), np.nan)
    frame["high_criterion"] = np.where(good, fit.t2_criteria_rS2.mean(axis=1), np.nan)
    frame["converged"] = fit.converged & good
    frame["boundary"] = fit.boundary
    return frame


def below_one(table: pd.DataFrame) -> pd.Series:
    """Whether each row's upper limit ``ci_hi`` of M-ratio is below 1; None where there is no interval."""
    known = table["ci_hi"].notna()
    below = table["ci_hi"] < 1
    return below if known.all() else below.astype(object).where(known, None)


@dataclass(frozen=True)
class CellDraws:
    """Estimates and bootstrap draws of every group.

    Attributes
    ----------
    table : DataFrame
        As :func:`estimate`, with ``ci_lo, ci_hi`` (M-ratio), ``meta_d_lo, meta_d_hi``,
        ``d_prime_lo, d_prime_hi``, ``n_valid`` and ``n_draws_dropped``.
    d_prime, meta_d, m_ratio : arrays, shape ``(G, B)``
        NaN for dropped draws and for groups that cannot be fitted.
    """

    table: pd.DataFrame
    d_prime: FloatArray
    meta_d: FloatArray
    m_ratio: FloatArray


def bootstrap_cells(
    cells: Cells,
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
    s: ArrayLike = 1.0,
    pad: float = PAD,
    level: float = 0.95,
) -> CellDraws:
    """Trial-level percentile bootstrap of every group, edges fixed.

    Groups are drawn independently of one another; groups that lack a class get NaN.
    """
    table = estimate(cells, s=s, pad=pad)
    size = len(cells)
    slopes = np.broadcast_to(np.asarray(s, dtype=np.float64), (size,))
    draws = {name: np.full((size, n_resamples), np.nan) for name in ("d_prime", "meta_d", "m_ratio")}
    good = np.flatnonzero(np.isfinite(table["m_ratio"].to_numpy(dtype=np.float64)) & cells.both_classes)
    limits = np.full((size, 6), np.nan)
    valid = np.zeros(size, dtype=np.int64)
    if good.size:
        done = bootstrap_meta_d_many(
            cells.nR_S1[good], cells.nR_S2[good], n_resamples, seed, pad,
            s=slopes[good], level=level, m_ratio_limit=M_RATIO_LIMIT,
        )  # fmt: skip
        for row, one in zip(good, done, strict=True):
            for name, values in draws.items():
                values[row] = getattr(one, name)
            limits[row] = [*one.ci_m_ratio, *one.ci_meta_d, *one.ci_d_prime]
            valid[row] = one.n_valid
    for j, name in enumerate(("ci_lo", "ci_hi", "meta_d_lo", "meta_d_hi", "d_prime_lo", "d_prime_hi")):
        table[name] = limits[:, j]
    table["n_valid"] = valid
    table["n_draws_dropped"] = np.where(valid > 0, n_resamples - valid, 0)
    return CellDraws(table, draws["d_prime"], draws["meta_d"], draws["m_ratio"])
