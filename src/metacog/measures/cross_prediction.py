"""Confidence of each model against the correctness of each: does a model foretell itself best?

What a model's confidence says of any model's answers (its row), and what any model's confidence says of this
one's answers (its column), need no access to oneself. What the diagonal has beyond both does: Binder et al.
(2024, arXiv:2410.13787) call it privileged access and compare one model with one other; here every model is
compared with all, on counts that the items share.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import CONSTANT, FEW, MIN_OF_CLASS, FloatArray, ModelItems, difficulty
from metacog.measures.remainder import LARGE
from metacog.sdt import InputError, permutation_p
from metacog.sdt.area_comparison import CrossAreas, shuffled_areas
from metacog.sdt.area_contrasts import areas_and_moves
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.over_groups import additive_fit, multiplicative_fit
from metacog.sdt.resampling import cluster_weights

#: What is asked of each model: the diagonal less what row and column say.
QUANTITIES = ("advantage", "beyond_other_families", "of_family", "beyond_family", "additive")
COLUMNS = (
    *("model", "family", "n", "n_wrong", "own"),
    *with_ends(*QUANTITIES),
    *("p_value", "null_mean", "flag"),
)
NOT_JOINED = "too few cells to say what row and column say"
#: Resamples taken at a time, and of many items.
_CHUNK, _MANY = 128, 1000


@dataclass(frozen=True)
class CrossPrediction:
    """Areas of all pairs of models, and what the diagonal has beyond row and column.

    Attributes
    ----------
    areas : array, shape ``(M, M)``
        AUROC2 of the confidence of the row's model for the answers of the column's, on the items that both
        answered; NaN with fewer than ten right or wrong answers or one confidence throughout.
    advantage : DataFrame
        One row per model, :data:`COLUMNS`: ``advantage`` (own less what row and column say, fitted to all cells off
        the diagonal), ``beyond_other_families`` (less the fit to cells between families alone),
        ``of_family`` (mean of what the cells with its own family have beyond that same fit),
        ``beyond_family`` (the difference of the two), ``additive`` (own less the additive fit, which is
        wrong where areas differ widely: see the notes of :func:`cross_prediction`); then ``p_value`` of
        ``advantage``, ``null_mean`` (its mean over permutations) and ``flag``. What concerns families is NaN
        without them.
    means : DataFrame
        The means of these five over models: ``quantity, mean, lower, upper, n_models``.
    mean_advantage, lower, upper, p_value : float
        Mean of ``advantage``, its interval by items and its permutation p.
    """

    models: tuple[str, ...]
    areas: FloatArray = field(repr=False)
    advantage: pd.DataFrame = field(repr=False)
    means: pd.DataFrame = field(repr=False)
    mean_advantage: float
    lower: float
    upper: float
    p_value: float


def cross_prediction(
    items: ModelItems, *, n_resamples: int = 10_000, n_permutations: int = 2000, seed: int = 42
) -> CrossPrediction:
    """The matrix of areas and each model's advantage on the diagonal.

    Parameters
    ----------
    items : ModelItems
        At least three models.
    n_resamples, n_permutations, seed : int
        Of the items, for the intervals, and of each model's confidence among items of one difficulty.

    Raises
    ------
    InputError
        Fewer than three models, or no pair of models with enough answers in common.

    Notes
    -----
    Areas less 1/2 are fitted as row times column (:func:`metacog.sdt.over_groups.multiplicative_fit`). A reader
    of difficulty alone has an area that is higher the better it reads and the more the answers depend on
    difficulty, and no reader gets more than 1/2 from answers that depend on nothing, so that the two
    multiply. The additive fit (``additive``) predicts areas below 1/2 for a model that reads badly and whose
    answers are hard to foretell, and takes the rest for self-knowledge.

    Intervals of single models are value +- t se, se from resampled items and t with (answers of the smaller class - 1)
    degrees of freedom; intervals of means are percentiles. They are about these models: items are drawn again, models
    are not.

    The permutations shuffle a model's confidence among the items that equally many models of other families answered
    rightly (of all others, where all are of one family): it keeps what its confidence says of that number and loses
    the rest. The rest is not all self-knowledge, since confidence may read difficulty finer than that number does, and
    then the shuffled advantage is below 0 on average (``null_mean``; -.05 to -.06 for simulated readers of difficulty
    alone, whose advantage is 0). So only the spread of the null is used: p is the share of permutations whose distance
    above their mean is at least the advantage, one-sided. It was below .05 for 3 and 4 % of such readers, and the
    interval above 0 for 2 and 3 % (120 runs of twelve models, ``data/simulations/cross_prediction.csv``). What a
    family shares beyond difficulty counts as advantage; ``beyond_family`` has it taken off.
    """
    if len(items.models) < 3:
        raise InputError("at least three models are wanted: with two, row and column cannot be told apart")
    asked = CrossAreas.of(items.right, items.confidence)
    enough = np.minimum(asked.n_right, asked.n_wrong) >= MIN_OF_CLASS
    enough[[name in items.constant for name in items.models]] = False
    areas = np.where(enough, asked.areas(), np.nan)
    fits = _Fits.of(enough, items.families)
    point = fits.values(areas[None])[0]
    rng = np.random.default_rng([seed, 2])
    most = _MANY if len(items.items) > LARGE else _CHUNK
    sizes = [min(most, n_resamples - start) for start in range(0, n_resamples, most)]
    drawn = (cluster_weights(len(items.items), size, rng) for size in sizes)
    draws = np.concatenate(
        [
            fits.values(_to_first_order(items, weights) if most == _MANY else asked.areas(weights))
            for weights in drawn
        ]
    )  # (B, quantities, M)
    table = _table(items, asked, areas, point, draws)
    means = _means(point, draws)
    null_rows = _shuffled_rows(items, asked, np.isfinite(point[0]), n_permutations, seed)
    table[["p_value", "null_mean"]], p_value = _tests(areas, fits, point[0], null_rows)
    first = means.iloc[0]
    return CrossPrediction(
        items.models,
        areas,
        table,
        means,
        float(first["mean"]),
        float(first["lower"]),
        float(first["upper"]),
        p_value,
    )


def _to_first_order(items: ModelItems, weights: FloatArray) -> FloatArray:
    """All areas of resamples of many items, ``(B, M, M)``, by their first derivatives."""
    moved = (weights - 1).astype(np.float32)
    made = np.empty((len(weights), len(items.models), len(items.models)))
    for i, sure in enumerate(items.confidence):
        areas, moves = areas_and_moves(items.right, sure)
        made[:, i] = areas + moved @ moves.T.astype(np.float32)
    return made


@dataclass(frozen=True)
class _Fits:
    """Fits to cells off the diagonal: all of them, and those ``between`` families; for each model its cells with its
    ``family``.
    """

    off: NDArray[np.bool_]
    between: NDArray[np.bool_]
    family: FloatArray

    @classmethod
    def of(cls, enough: NDArray[np.bool_], families: tuple[str, ...]) -> _Fits:
        n = len(families)
        one = np.array(families)
        same = one[:, None] == one[None, :]
        off = enough & ~np.eye(n, dtype=bool)
        if not off.any():
            raise InputError("no two models have enough answers to items in common")
        kin = np.zeros((n, n, n))
        for i in range(n):
            kin[i, i], kin[i, :, i] = (off & same)[i], (off & same)[:, i]
        return cls(off, off & ~same, kin)

    def advantage(self, areas: FloatArray) -> FloatArray:
        """Diagonal less row times column, from tables ``(B, M, M)`` to ``(B, M)``."""
        return _diagonal(areas) - 0.5 - _diagonal(multiplicative_fit(areas - 0.5, self.off))

    def values(self, areas: FloatArray) -> FloatArray:
        """All quantities, ``(B, quantities, M)``."""
        own = _diagonal(areas)
        made = [self.advantage(areas)]
        if self.between.any():
            left = areas - 0.5 - multiplicative_fit(areas - 0.5, self.between)
            kin = np.einsum("imk,bmk->bi", self.family, np.nan_to_num(left), optimize=True)
            with np.errstate(invalid="ignore", divide="ignore"):
                of_family = kin / self.family.sum(axis=(1, 2))
            made += [_diagonal(left), of_family, _diagonal(left) - of_family]
        else:
            made += [np.full(own.shape, np.nan)] * 3
        return np.stack([*made, own - _diagonal(additive_fit(areas, self.off))], axis=1)


def _diagonal(tables: FloatArray) -> FloatArray:
    """Of tables ``(..., M, M)``."""
    return np.asarray(np.diagonal(tables, axis1=-2, axis2=-1))


def _shuffled_rows(
    items: ModelItems, asked: CrossAreas, wanted: NDArray[np.bool_], n_permutations: int, seed: int
) -> dict[int, FloatArray]:
    """Rows of areas ``(P, M)`` of the wanted models, confidence shuffled within difficulty."""
    several = len(set(items.families)) > 1
    found = {}
    for i in np.flatnonzero(wanted):
        model = items.models[i]
        strata = difficulty(items, model, other_families=several)
        rng = np.random.default_rng([seed, 3, zlib.crc32(model.encode())])
        found[int(i)] = shuffled_areas(items.right, asked, int(i), strata, n_permutations, rng)
    return found


def _tests(
    areas: FloatArray, fits: _Fits, advantage: FloatArray, null_rows: dict[int, FloatArray]
) -> tuple[FloatArray, float]:
    """p and mean of the null for each model, ``(M, 2)``, and p of the mean with all models shuffled."""
    own = np.full((len(areas), 2), np.nan)
    if not null_rows:
        return own, float("nan")
    n_permutations = len(next(iter(null_rows.values())))
    joint = np.repeat(areas[None], n_permutations, axis=0)
    for i, row in null_rows.items():
        one = np.repeat(areas[None], n_permutations, axis=0)
        one[:, i] = joint[:, i] = np.where(np.isfinite(areas[i]), row, np.nan)
        null = fits.advantage(one)[:, i]
        own[i] = _about_zero(float(advantage[i]), null), np.nanmean(null)
    known = np.isfinite(advantage)
    null = fits.advantage(joint)[:, known].mean(axis=1)
    return own, _about_zero(float(advantage[known].mean()), null)


def _about_zero(value: float, null: FloatArray) -> float:
    return permutation_p(value, null - np.nanmean(null), alternative="greater").p_value


def _table(
    items: ModelItems, asked: CrossAreas, areas: FloatArray, point: FloatArray, draws: FloatArray
) -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for i, model in enumerate(items.models):
        n_wrong, n_right = int(asked.n_wrong[i, i]), int(asked.n_right[i, i])
        row: dict[str, Any] = {
            "model": model,
            "family": items.families[i],
            "n": n_wrong + n_right,
            "n_wrong": n_wrong,
            "own": areas[i, i],
            "flag": _why_not(model in items.constant, min(n_wrong, n_right), point[0, i]),
        }
        t = stdtrit(max(min(n_wrong, n_right) - 1, 1), 0.975)
        for k, name in enumerate(QUANTITIES):
            known = draws[np.isfinite(draws[:, k, i]), k, i]
            half = t * known.std(ddof=1) if known.size > 1 and np.isfinite(point[k, i]) else np.nan
            row |= ended(name, point[k, i], point[k, i] - half, point[k, i] + half)
        rows.append(row)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _means(point: FloatArray, draws: FloatArray) -> pd.DataFrame:
    rows = []
    for k, name in enumerate(QUANTITIES):
        known = np.isfinite(point[k])
        if not known.any():
            rows.append({"quantity": name, "mean": np.nan, "lower": np.nan, "upper": np.nan, "n_models": 0})
            continue
        lower, upper = percentile_limits(draws[:, k, known].mean(axis=1))
        mean = float(point[k, known].mean())
        rows.append(
            {"quantity": name, "mean": mean, "lower": lower, "upper": upper, "n_models": int(known.sum())}
        )
    return pd.DataFrame(rows)


def _why_not(constant: bool, fewest: int, advantage: float) -> str:
    if constant:
        return CONSTANT
    if fewest < MIN_OF_CLASS:
        return FEW
    return "" if np.isfinite(advantage) else NOT_JOINED
