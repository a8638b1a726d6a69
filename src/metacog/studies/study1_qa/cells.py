"""Counts of right and wrong answers by rating, and their estimates, which the questions of study 1 share.

The pre-registered pipeline of Cacioli (2026): edges at the 12.5 ... 87.5 % quantiles of NLP at T = 1 within model
and question set, held fixed over temperatures and resamples; incorrect trials play "S1" and correct ones "S2".
Where confidence is taken from another signal, that takes the place of NLP; a signal too coarse for such edges has
one rating a value, and no M-ratio. Where questions are resampled, every model and every temperature has the same
ones, so differences keep what they share.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import factorial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from metacog.core.errors import MetacogError
from metacog.measures.cell import Cell, Estimator, Measured, made_by, whole_and_resamples
from metacog.measures.fits import FITTED, PAD, Fits, values_of
from metacog.measures.model_items import SILENT
from metacog.measures.pairs import differences
from metacog.sdt.binning import Edges, counts_by, is_coarse, rate_by
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.sdt.rank_correlations import correlation_test, spearman
from metacog.sdt.sensitivity import Padding, padding
from metacog.studies.study import Inputs
from metacog.trials import NLP, SCORE, SIGNAL, scored, validate
from metacog.verdicts.rules import Unit, unit

# What is unsound about a cell: no confidence, too few of a class, ties, empty ratings, padding that decides.

#: Fewest correct and incorrect trials the pre-registration asks of a cell. (Where the measures of any
#: trials stop giving intervals is another matter: :data:`metacog.measures.cell.MIN_FOR_INTERVALS`.)
MIN_CLASS = 50
#: Fewest right and wrong answers on either side of the middle cut, on which d' rests.
MIN_SIDE = 5


class Flag(StrEnum):
    """What is unsound about a cell; the column ``flag`` joins them, and is ``Flag.NONE`` for a sound cell.

    The last four concern what is fitted to padded counts (d', meta-d', M-ratio, criteria): a rating
    without a trial, under :data:`MIN_SIDE` right or wrong answers on one side of the middle cut, and d'
    or M-ratio moving by more than its own standard error as the constant in every cell goes from 0.1 to
    1 (:mod:`metacog.sdt.sensitivity`); and confidence with fewer than eight values, or too many trials at one, to
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
        return self in (Flag.EMPTY, Flag.STARVED, Flag.PADDED, Flag.COARSE)


#: That nothing can be said of models because no confidence could be read.
NOTHING_READ = "No confidence could be read in the answers of {models}."
_JOIN = "; "
_REGISTERED = (Flag.SILENT, Flag.FEW_CORRECT, Flag.FEW_INCORRECT, Flag.FEW_OF_A_CLASS)
#: How what this book finds unsound, and the registration does not exclude, is told of a unit that is judged.
FURTHER = "judged as registered; flagged here"


def joined(flags: Iterable[Flag]) -> str:
    return _JOIN.join(flag.value for flag in flags)


def flags_in(text: str) -> tuple[Flag, ...]:
    """The flags that a cell of the column ``flag`` holds."""
    return tuple(Flag(part) for part in text.split(_JOIN) if part)


def flagged(frame: pd.DataFrame, *, padded: bool = True) -> pd.Series:
    """Which rows of a table carry a flag; flags of fits are no matter for a measure that takes no padding."""
    if padded:
        return frame["flag"] != Flag.NONE
    return frame["flag"].map(lambda text: any(not flag.of_fit for flag in flags_in(text))).astype(bool)


def registered(text: str) -> str:
    """Of a cell's flags those that the registration excludes it for: under :data:`MIN_CLASS` of a class, or silent."""
    return joined(flag for flag in flags_in(text) if flag in _REGISTERED)


def registered_unit(name: str, holds: object, known: object, excluded: str, flag: str) -> Unit:
    """A unit of a registered rule: what the registration excludes is open, what only we flag is judged and told."""
    one = unit(name, holds, known, excluded)
    if excluded or not flag:
        return one
    return Unit(name, one.holds, flag if one.holds is None else f"{FURTHER}: {flag}")


def table_flags(
    nR_S1: NDArray[np.int64], nR_S2: NDArray[np.int64], tied: ArrayLike = False, coarse: ArrayLike = False
) -> list[str]:
    """What is unsound about each table ``(G, 2K)``, as the column ``flag`` holds it.

    ``tied`` and ``coarse`` say where ties merge ratings, and where each rating is one value of a coarse signal.
    """
    if not len(nR_S1):
        return []
    wrong, right = nR_S1.sum(axis=1), nR_S2.sum(axis=1)
    made = _padding(nR_S1.astype(float).tobytes(), nR_S2.astype(float).tobytes(), nR_S1.shape[1])
    fitted = ~np.asarray(coarse)
    few = np.minimum(wrong, right) < MIN_CLASS
    raised: dict[Flag, ArrayLike] = {
        Flag.FEW_CORRECT: few & (right < wrong),
        Flag.FEW_INCORRECT: few & (right >= wrong),
        Flag.TIED: tied,
        Flag.COARSE: coarse,
        Flag.EMPTY: fitted & (made.empty > 0),
        Flag.STARVED: fitted & (made.thinnest < MIN_SIDE),
        Flag.PADDED: fitted & made.sensitive,
    }
    table = np.column_stack([np.broadcast_to(where, wrong.shape) for where in raised.values()])
    found = [joined(flag for flag, one in zip(raised, row, strict=True) if one) for row in table]
    return [text if n else Flag.SILENT.value for text, n in zip(found, wrong + right, strict=True)]


@lru_cache(maxsize=256)
def _padding(nR_S1: bytes, nR_S2: bytes, n_ratings: int) -> Padding:
    """What padding does to tables; kept, since the analyses of a run flag the same ones and this takes their fits."""
    a, b = (np.frombuffer(x).reshape(-1, n_ratings) for x in (nR_S1, nR_S2))
    return padding(a, b, pad=PAD)


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
    """Correctness-by-rating counts of many groups: incorrect and correct trials, lowest rating first, ``(G, 2K)`` each.

    A row of ``frame`` is a group: the columns ``by``, ``n_correct, n_incorrect, n, accuracy``, and ``flag``.
    """

    frame: pd.DataFrame
    nR_S1: IntArray
    nR_S2: IntArray
    by: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def measurable(self) -> NDArray[np.bool_]:
        return measurable(self.nR_S1, self.nR_S2)

    @property
    def coarse(self) -> NDArray[np.bool_]:
        """Groups with one rating a value, to which nothing is fitted, shape ``(G,)``."""
        found = [Flag.COARSE in flags_in(text) for text in self.frame["flag"]]
        return np.array(found, dtype=np.bool_)

    def table(self, **keys: object) -> tuple[IntArray, IntArray]:
        """Incorrect and correct trials by rating of the one group with these keys."""
        mask = np.logical_and.reduce([(self.frame[k] == v).to_numpy() for k, v in keys.items()])
        found = np.flatnonzero(mask)
        if found.size != 1:
            named = " on ".join(map(str, keys.values()))
            raise MetacogError(f"the counts hold {found.size} cells for {named}, expected 1")
        return self.nR_S1[found[0]], self.nR_S2[found[0]]

    def select(self, mask: ArrayLike) -> Cells:
        keep = np.asarray(mask, dtype=bool)
        return Cells(self.frame[keep].reset_index(drop=True), self.nR_S1[keep], self.nR_S2[keep], self.by)


def cells_of(
    groups: pd.DataFrame, nR_S1: IntArray, nR_S2: IntArray, tied: ArrayLike = False, coarse: ArrayLike = False
) -> Cells:
    """Tables with what is counted of them and their flags; ``groups`` holds the keys of each."""
    cells = counted(groups, nR_S1, nR_S2)
    return replace(cells, frame=cells.frame.assign(flag=table_flags(nR_S1, nR_S2, tied, coarse)))


def counted(groups: pd.DataFrame, nR_S1: IntArray, nR_S2: IntArray) -> Cells:
    """The same without flags, which take fits: of tables that are only counted."""
    n_correct, n_incorrect = nR_S2.sum(axis=1), nR_S1.sum(axis=1)
    frame = groups.reset_index(drop=True).assign(
        n_correct=n_correct, n_incorrect=n_incorrect, n=n_correct + n_incorrect
    )
    frame["accuracy"] = frame["n_correct"] / frame["n"]
    return Cells(frame, nR_S1, nR_S2, tuple(groups.columns))


@dataclass(frozen=True)
class Rated:
    """Trials with ratings, and the edges of each model and question set.

    Added to the trials are ``score``, ``rating`` (missing where there is no score) and ``coarse`` (each rating is one
    value of the score); there are ``n_ratings``, 2K.
    """

    trials: pd.DataFrame
    edges: Mapping[tuple[Hashable, ...], Edges]
    n_ratings: int

    def cells(self, by: Sequence[str] = GROUP, *, temperature: float | None = REFERENCE) -> Cells:
        """Counts of every group; of one temperature, or of all with ``temperature=None``."""
        trials, columns = self.trials, list(by)
        if temperature is not None:
            trials = trials[trials["temperature"] == temperature]
        counted = counts_by(trials, columns, self.n_ratings)
        # by question set and model as they first appear in the trials
        seen = [
            pd.Index(trials[name].unique()).get_indexer(counted.groups[name])
            for name in GROUP
            if name in columns
        ]
        order = np.lexsort(seen) if seen else np.arange(len(counted.groups))
        groups = counted.groups.iloc[order]
        keys = list(groups.itertuples(index=False, name=None))
        coarse = set(trials.loc[trials["coarse"], columns].itertuples(index=False, name=None))
        merged = [set(key) for key, edges in self.edges.items() if edges.degenerate]
        return cells_of(
            groups,
            counted.nR_S1[order],
            counted.nR_S2[order],
            tied=[any(one <= set(key) for one in merged) for key in keys],
            coarse=[key in coarse for key in keys],
        )


def silent_models(trials: pd.DataFrame, temperatures: Sequence[float] = (REFERENCE,)) -> list[str]:
    """Models that lack any confidence at one of some temperatures, of those that were asked there: ``Flag.SILENT``."""
    trials = scored(trials)
    at = trials[trials["temperature"].isin(temperatures)]
    known = at[SCORE].notna().groupby([at["model"], at["temperature"]], sort=False).any()
    every = known.groupby(level="model", sort=False).all()
    return [str(model) for model in every.index[~every]]


def primary(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials of the first question set of the table: H1-H4 rest on it, the others are R4's."""
    return trials[trials["dataset"] == trials["dataset"].iloc[0]] if len(trials) else trials


def rate_trials(
    trials: pd.DataFrame, *, k: int = K, method: str = "quantile", own_edges: bool = False
) -> Rated:
    """Turn NLP, or the signal in its place, into ratings 1 ... 2K with the edges of T = 1, or each temperature's own.

    The method ``width`` cuts the range into equal widths (R3). A signal other than NLP that is too coarse for either
    (:func:`metacog.sdt.binning.is_coarse`) has one rating a value. A model and question set without any confidence at
    T = 1, as of a model that never writes a percentage, has no edges, and none of its trials a rating.
    """
    if trials.empty:
        raise MetacogError("there are no trials to analyse")
    trials = scored(trials)
    if own_edges:
        return _rated(trials, [*GROUP, "temperature"], 2 * k, method, np.ones(len(trials), dtype=bool))
    at_reference = (trials["temperature"] == REFERENCE).to_numpy()
    asked = set(trials.loc[at_reference, list(GROUP)].itertuples(index=False, name=None))
    if lacking := set(trials[list(GROUP)].itertuples(index=False, name=None)) - asked:
        names = ", ".join(sorted(" on ".join(map(str, key)) for key in lacking))
        raise MetacogError(
            f"there is no trial at T = {REFERENCE:g} of {names}: rating edges are made there. Collect "
            f"T = {REFERENCE:g}"
        )
    return _rated(trials, list(GROUP), 2 * k, method, at_reference)


def _rated(
    trials: pd.DataFrame, by: list[str], n_ratings: int, method: str, reference: NDArray[np.bool_]
) -> Rated:
    """Trials rated with each group's edges, made of its trials in the reference; without any, not rated."""
    groups = trials[SCORE].where(reference).groupby([trials[name] for name in by], observed=True)
    with_edges = (groups.transform("count") > 0).to_numpy()
    coarse = np.zeros(len(trials), dtype=bool)
    if SIGNAL in trials:
        few = groups.transform(
            lambda score: float(score.notna().any() and is_coarse(score.dropna().to_numpy(), n_ratings))
        )
        coarse = with_edges & (few == 1).to_numpy() & (trials[SIGNAL] != NLP).to_numpy()
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


def cells_from_counts(
    counts: pd.DataFrame, by: Sequence[str] = GROUP, made: Callable[..., Cells] = cells_of
) -> Cells:
    """Cells from a table of counts with the columns ``rating, n_correct, n_incorrect``, such as the published ones."""
    wide = counts.pivot_table(
        index=list(by), columns="rating", values=["n_incorrect", "n_correct"], aggfunc="sum", sort=False
    )
    if wide.isna().to_numpy().any():
        raise MetacogError("every group of the count table needs every rating; fill the gaps with zeros")
    s1, s2 = (wide[name].to_numpy(dtype=np.int64) for name in ("n_incorrect", "n_correct"))
    return made(wide.index.to_frame(index=False), s1, s2)


# What a question's comparison of the published numbers with a run's is made of.

RECOMPUTED = "published, from reconstructed counts"
PUBLISHED = "published, as printed"
RUN = "this run"


def stacked(**parts: pd.DataFrame) -> pd.DataFrame:
    """Tables one below the other, with a first column ``source``."""
    table = pd.concat([frame.assign(source=source) for source, frame in parts.items()], ignore_index=True)
    return table[["source", *(c for c in table.columns if c != "source")]]


def estimate(cells: Cells, *, s: ArrayLike = 1.0) -> pd.DataFrame:
    """``cells.frame`` with what :func:`metacog.measures.fits.fitted` gives, and ``converged``.

    The last two criteria are means of the type-2 criteria on either side; ``s`` is sd(S1)/sd(S2), the slope of the
    z-ROC, of all groups or of each. NaN for groups that lack a class or have a coarse signal.
    """
    if not len(cells):
        return cells.frame.assign(**dict.fromkeys(FITTED, np.nan))
    fit = fit_meta_d_batch(cells.nR_S1 + PAD, cells.nR_S2 + PAD, s=s, undefined="flag")
    good = cells.measurable & ~cells.coarse
    known = {name: np.where(good, values, np.nan) for name, values in values_of(fit).items()}
    return cells.frame.assign(**known, converged=fit.converged & good)


def below_one(table: pd.DataFrame) -> pd.Series:
    """Whether each row's upper limit ``m_ratio_upper`` of M-ratio is below 1; None where there is no interval."""
    known = table["m_ratio_upper"].notna()
    below = table["m_ratio_upper"] < 1
    return below if known.all() else below.astype(object).where(known, None)


def measured(
    cells: Cells, estimators: Sequence[Sequence[Estimator]], *, n_resamples: int, seed: int
) -> list[Measured]:
    """Every group's measures by its own estimators, with resamples of its table, independent of other groups'.

    A group that lacks a class has no measures.
    """
    found = []
    for i, own in enumerate(spawn_seeds(seed, len(cells))):
        cell = Cell.of_table(cells.nR_S1[i], cells.nR_S2[i], coarse=bool(cells.coarse[i]))
        good = cells.measurable[i]
        weights = whole_and_resamples(cell, n_resamples, own) if good else cell.whole
        found.append(made_by(estimators[i] if good else (), cell, weights))
    return found


#: What of a fit has limits.
LIMITED = ("m_ratio", "meta_d", "d_prime", "criterion")


def with_limits(table: pd.DataFrame, made: Sequence[Measured], names: Sequence[str]) -> pd.DataFrame:
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
    """:func:`estimate` with limits of :data:`LIMITED`, ``n_valid`` and ``n_draws_dropped``."""
    table = with_limits(estimate(cells, s=s), made, LIMITED)
    draws = [one.draws.get("m_ratio", np.empty(0)) for one in made]
    valid = np.array([np.isfinite(x).sum() for x in draws], dtype=np.int64)
    return table.assign(n_valid=valid, n_draws_dropped=[x.size for x in draws] - valid)


def question_cells(trials: pd.DataFrame, condition: str, n_ratings: int) -> dict[Any, Cell]:
    """Rated trials of each condition (model, temperature), on the questions that all conditions share.

    Units are the questions, the same for all conditions; without two of them there are no cells. Trials of one
    question set without a rating are left out.
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


def place(values: pd.Series) -> pd.Series:
    """Places as the paper prints them: the highest is 1, equal values share the better place (1, 1, 3)."""
    return values.rank(ascending=False, method="min")


def exact_spearman(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Spearman's rho of the pairs without a missing value and its two-sided p, exact to n = 8; NaN if undefined."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    good = np.isfinite(a) & np.isfinite(b)
    if not good.any():
        return float("nan"), float("nan")
    first, second = rankdata(a[good]), rankdata(b[good])
    return float(spearman(first, second)), correlation_test(first, second, most=factorial(8))[0]


def kept_orders(one: Mapping[Any, Measured], two: Mapping[Any, Measured]) -> pd.DataFrame:
    """Whether every pair of models keeps its order by M-ratio: ``first, second, kept``.

    True if both 95 % intervals of its difference exclude zero on the same side, False if on opposite ones, None where
    either contains zero or is missing. Models are drawn independently of one another.
    """
    shared = [model for model in one if model in two]
    gaps = [differences({m: made[m] for m in shared}, "m_ratio", paired=False) for made in (one, two)]
    side, other = ((gap["lower"] > 0).astype(int) - (gap["upper"] < 0) for gap in gaps)
    kept = (side == other).astype(object).where((side != 0) & (other != 0), None)
    return gaps[0][["first", "second"]].assign(kept=kept)


def spread(values: ArrayLike) -> float:
    """Largest less smallest finite value; NaN for fewer than two."""
    x = np.asarray(values, dtype=np.float64)
    x = x[np.isfinite(x)]
    return float(np.ptp(x)) if x.size > 1 else float("nan")
