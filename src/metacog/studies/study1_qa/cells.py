"""Counts of right and wrong answers by rating, and their estimates, which the questions of study 1 share.

The pre-registered pipeline of Cacioli (2026): edges at the 12.5 ... 87.5 % quantiles of NLP at T = 1 within model
and question set, held fixed over temperatures and resamples; incorrect trials play "S1" and correct ones "S2".
Where confidence is taken from another signal, that takes the place of NLP; a signal too coarse for such edges has
one rating a value, and no M-ratio. Where questions are resampled, every model and every temperature has the same
ones, so differences keep what they share.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from metacog.core.errors import MetacogError
from metacog.measures.cell import Cell, Estimator, Measured, made_by, whole_and_resamples
from metacog.measures.fits import PAD, Fits, values_of
from metacog.measures.model_items import SILENT
from metacog.sdt.binning import Edges, counts_by, is_coarse, rate_by
from metacog.sdt.bootstrap import padding
from metacog.sdt.correlations import correlation_test, spearman
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.trials import NLP, SCORE, SIGNAL, scored, validate

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# What is unsound about a cell: no confidence, too few of a class, ties, empty ratings, padding that decides.

#: Fewest correct and incorrect trials the pre-registration asks of a cell. (Where the measures of any
#: trials stop giving intervals is another matter: :data:`metacog.measures.estimates.MIN_FOR_INTERVALS`.)
MIN_CLASS = 50
#: Fewest right and wrong answers on either side of the middle cut, on which d' rests.
MIN_SIDE = 5


class Flag(StrEnum):
    """What is unsound about a cell; the column ``flag`` joins them, and is ``Flag.NONE`` for a sound cell.

    The last four concern what is fitted to padded counts (d', meta-d', M-ratio, criteria): a rating
    without a trial, under :data:`MIN_SIDE` right or wrong answers on one side of the middle cut, and d'
    or M-ratio moving by more than its own standard error as the constant in every cell goes from 0.1 to
    1 (:mod:`metacog.sdt.bootstrap`); and confidence with fewer than eight values, or too many trials at one, to
    which nothing is fitted. AUROC2 and meta-I2r take no padding. A cell none of whose answers has a confidence,
    as of a model that never writes a percentage, has one flag alone, ``SILENT``: nothing can be measured in it.
    """

    NONE = ""
    SILENT = SILENT
    FEW_CORRECT = f"under {MIN_CLASS} correct"
    FEW_INCORRECT = f"under {MIN_CLASS} incorrect"
    FEW_OF_A_CLASS = f"under {MIN_CLASS} of a class"
    TIED = "ties merge ratings"
    EMPTY = "empty ratings"
    STARVED = "starved middle cut"
    PADDED = "padding decides"
    COARSE = "coarse signal"

    @property
    def of_fit(self) -> bool:
        """Whether it concerns fits of padded counts alone."""
        return self in (Flag.EMPTY, Flag.STARVED, Flag.PADDED, Flag.COARSE)


#: That nothing can be said of models because no confidence could be read.
NOTHING_READ = "No confidence could be read in the answers of {models}."
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


def table_flags(
    nR_S1: NDArray[np.int64],
    nR_S2: NDArray[np.int64],
    tied: Sequence[bool] = (),
    coarse: Sequence[bool] = (),
) -> list[str]:
    """What is unsound about each table, as the column ``flag`` holds it.

    Parameters
    ----------
    nR_S1, nR_S2 : int arrays, shape ``(G, 2K)``
    tied, coarse : sequence of bool
        Where ties merge ratings, and where each rating is one value of a coarse signal.
    """
    wrong, right = nR_S1.sum(axis=1), nR_S2.sum(axis=1)
    found: list[list[Flag]] = [[] for _ in wrong]
    for i, flags in enumerate(found):
        if not wrong[i] + right[i]:
            flags.append(Flag.SILENT)
            continue
        if min(wrong[i], right[i]) < MIN_CLASS:
            flags.append(Flag.FEW_CORRECT if right[i] < wrong[i] else Flag.FEW_INCORRECT)
        if i < len(tied) and tied[i]:
            flags.append(Flag.TIED)
    if len(found):
        made = padding(nR_S1, nR_S2, pad=PAD)
        for i, (flags, empty, thinnest, sensitive) in enumerate(
            zip(found, made.empty, made.thinnest, made.sensitive, strict=True)
        ):
            if Flag.SILENT in flags:
                continue
            if i < len(coarse) and coarse[i]:
                flags.append(Flag.COARSE)
                continue
            flags += [Flag.EMPTY] * bool(empty)
            flags += [Flag.STARVED] * bool(thinnest < MIN_SIDE)
            flags += [Flag.PADDED] * bool(sensitive)
    return [joined(flags) for flags in found]


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


def cell_names(table: pd.DataFrame) -> list[str]:
    """Names of the rows of a table with ``model`` and ``dataset``."""
    n_sets = table["dataset"].nunique()
    names = zip(table["model"], table["dataset"], strict=True)
    return [cell_name(model, dataset, n_sets) for model, dataset in names]


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


# What a question's comparison of the published numbers with a run's is made of.

RECOMPUTED = "published, from reconstructed counts"
PUBLISHED = "published, as printed"
RUN = "this run"


def stacked(**parts: pd.DataFrame) -> pd.DataFrame:
    """Tables one below the other, with a first column ``source``."""
    table = pd.concat([frame.assign(source=source) for source, frame in parts.items()], ignore_index=True)
    return table[["source", *(c for c in table.columns if c != "source")]]


def estimate(cells: Cells, *, s: ArrayLike = 1.0) -> pd.DataFrame:
    """Point estimates of every group.

    Parameters
    ----------
    cells : Cells
    s : float or array, shape ``(G,)``
        sd(S1)/sd(S2), the slope of the z-ROC.

    Returns
    -------
    DataFrame
        ``cells.frame`` with ``d_prime, c, meta_d, m_ratio, low_criterion, high_criterion`` (means of
        the type-2 criteria on either side) and ``converged``; NaN for groups that lack a class or have a
        coarse signal.
    """
    if not len(cells):
        names = ("d_prime", "c", "meta_d", "m_ratio", "low_criterion", "high_criterion")
        return cells.frame.assign(**dict.fromkeys(names, np.nan))
    fit = fit_meta_d_batch(cells.nR_S1 + PAD, cells.nR_S2 + PAD, s=s, undefined="flag")
    good = cells.measurable & ~cells.coarse
    known = {name: np.where(good, values, np.nan) for name, values in values_of(fit).items()}
    return cells.frame.assign(**known, converged=fit.converged & good).rename(columns={"criterion": "c"})


def below_one(table: pd.DataFrame) -> pd.Series:
    """Whether each row's upper limit ``m_ratio_upper`` of M-ratio is below 1; None where there is no interval."""
    known = table["m_ratio_upper"].notna()
    below = table["m_ratio_upper"] < 1
    return below if known.all() else below.astype(object).where(known, None)


def measured(
    cells: Cells, estimators: Sequence[Sequence[Estimator]], *, n_resamples: int, seed: int
) -> list[Measured]:
    """Every group's measures with trial-level resamples of its table, independent of other groups'.

    Parameters
    ----------
    estimators : sequence, length G
        Those of each group. A group that lacks a class has no measures.
    """
    found = []
    for s1, s2, own, asked, good, coarse in zip(
        cells.nR_S1,
        cells.nR_S2,
        spawn_seeds(seed, len(cells)),
        estimators,
        cells.measurable,
        cells.coarse,
        strict=True,
    ):
        cell = Cell.of_table(s1, s2, coarse=bool(coarse))
        weights = whole_and_resamples(cell, n_resamples, own) if good else cell.whole
        found.append(made_by(asked if good else (), cell, weights))
    return found


def with_limits(table: pd.DataFrame, made: Sequence[Measured], names: Sequence[str]) -> pd.DataFrame:
    """A table with the 95 % limits ``NAME_lower, NAME_upper`` of the measured cells in its rows."""
    ends = np.array([[one.bounds.get(name, (np.nan, np.nan)) for name in names] for one in made])
    flat = ends.reshape(len(made), 2 * len(names))
    columns = [f"{name}_{end}" for name in names for end in ("lower", "upper")]
    return table.assign(**dict(zip(columns, flat.T, strict=True)))


def fits(
    cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, s: ArrayLike = 1.0
) -> tuple[pd.DataFrame, list[Measured]]:
    """Fits of every group as :func:`measured`, and their table: see :func:`fits_table`."""
    slopes = np.broadcast_to(np.asarray(s, dtype=np.float64), (len(cells),))
    made = measured(cells, [[Fits(float(one))] for one in slopes], n_resamples=n_resamples, seed=seed)
    return fits_table(cells, made, s=s), made


def fits_table(cells: Cells, made: Sequence[Measured], *, s: ArrayLike = 1.0) -> pd.DataFrame:
    """:func:`estimate` with limits of M-ratio, meta-d' and d', ``n_valid`` and ``n_draws_dropped``."""
    table = with_limits(estimate(cells, s=s), made, ("m_ratio", "meta_d", "d_prime"))
    draws = [one.draws.get("m_ratio", np.empty(0)) for one in made]
    valid = np.array([np.isfinite(x).sum() for x in draws], dtype=np.int64)
    return table.assign(n_valid=valid, n_draws_dropped=[x.size for x in draws] - valid)


def question_cells(trials: pd.DataFrame, condition: str, n_ratings: int) -> dict[Any, Cell]:
    """Rated trials of each condition (model, temperature), on the questions that all conditions share.

    Parameters
    ----------
    trials : DataFrame
        Rated trials of one question set; trials without a rating are left out.
    condition : str
        Column that tells conditions apart.
    n_ratings : int

    Returns
    -------
    dict of condition to Cell
        Units are the questions, the same for all; empty with fewer than two.
    """
    rated = trials[trials["rating"].notna()]
    seen = rated.groupby("question_id", observed=True)[condition].nunique()
    shared = np.sort(seen.index[seen == rated[condition].nunique()].to_numpy())
    if len(shared) < 2:
        return {}
    return {
        name: Cell(
            own["correct"].to_numpy(dtype=bool),
            own["rating"].to_numpy(dtype=np.float64),
            own["rating"].to_numpy(dtype=np.int64) - 1,
            n_ratings,
            np.full(len(own), np.nan),
            np.searchsorted(shared, own["question_id"]).astype(np.int64),
            coarse=bool(own["coarse"].any()) if "coarse" in own else False,
        )
        for name, own in rated[rated["question_id"].isin(shared)].groupby(condition)
    }


def measured_together(
    cells: Mapping[Any, Cell], estimators: Sequence[Estimator], *, n_resamples: int = 10_000, seed: int = 42
) -> dict[Any, Measured]:
    """Cells of :func:`question_cells` on the same resamples of their questions."""
    if not cells:
        return {}
    weights = whole_and_resamples(next(iter(cells.values())), n_resamples, seed)
    return {name: made_by(estimators, cell, weights) for name, cell in cells.items()}


# What several analyses of study 1 begin with.

#: The paper's printed tables and recovered counts.
PUBLISHED_FILES = ("data/published/cacioli_*.csv",)


def open_trials(inputs: Inputs) -> pd.DataFrame:
    """The open answers of the run, checked, with the column ``score`` that orders them by confidence."""
    return scored(validate(inputs.trials("open")))


def rated_primary(inputs: Inputs) -> Rated:
    """The open answers of the first question set, on which H1 to H4 rest, with ratings."""
    return rate_trials(primary(open_trials(inputs)))


# Places of models, rank correlations with exact chances, and ranges.


def place(values: pd.Series, within: pd.Series | None = None) -> pd.Series:
    """Places as the paper prints them: the highest is 1, equal values share the better place (1, 1, 3)."""
    grouped = values if within is None else values.groupby(within, sort=False)
    return grouped.rank(ascending=False, method="min")


def exact_spearman(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Spearman's rho of the pairs without a missing value and its two-sided p, exact to n = 8; NaN if undefined."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    good = np.isfinite(a) & np.isfinite(b)
    if not good.any():
        return float("nan"), float("nan")
    first, second = rankdata(a[good]), rankdata(b[good])
    return float(spearman(first, second)), correlation_test(first, second, most=factorial(8))[0]


def spread(values: ArrayLike) -> float:
    """Largest less smallest finite value; NaN for fewer than two."""
    x = np.asarray(values, dtype=np.float64)
    x = x[np.isfinite(x)]
    return float(np.ptp(x)) if x.size > 1 else float("nan")
