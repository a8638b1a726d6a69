"""Differences of every pair of models, and the ranks that follow from them.

A model's measures on a set of questions are resampled once, whatever the number of models it is compared
with on that set: resamples of the same questions are the same for every model, so the differences of two
models' draws are paired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.measures.cell import MIN_TRIALS, Cell, FloatArray
from metacog.measures.estimates import Measured, measurable, null_mean, statistics
from metacog.sdt.compare import Together
from metacog.sdt.decisions import bootstrap_p, equivalence_p
from metacog.sdt.families import family
from metacog.sdt.intervals import centred, percentile_limits
from metacog.sdt.ranking import bootstrap_ranks, not_apart, rank_sets
from metacog.sdt.resampling import weight_chunks

Label = TypeVar("Label")

#: Quantities in which models are compared.
COMPARED = ("accuracy", "auroc2", "meta_i2r")
#: Most times that a model's trials are resampled for its pairs. Models that answered the same questions
#: need one each, however many they are; models that share other questions with every other need one a pair.
MOST_RESAMPLED = 240

DIFFERENCE_COLUMNS = ("first", "second", "difference", "lower", "upper", "p", "p_equivalent")
PAIR_COLUMNS = (
    *("first", "second", "quantity", "difference", "lower", "upper", "n_shared", "paired", "level"),
    *("p", "p_holm", "method", "differs"),
)
RANK_COLUMNS = (
    *("quantity", "model", "estimate", "lower", "upper", "rank", "set_lower", "set_upper", "group"),
    *("rank_lower", "rank_upper", "p_highest"),
)


def together(a: Measured, b: Measured, name: str, *, paired: bool = True) -> Together:
    """A measure of two cells and draws of its difference; no draws where it is undefined on a side.

    ``paired`` cells were asked the same questions. If not, their draws are independent, and each cell's are those that
    its own interval is made of.
    """
    values = a.values.get(name, np.nan), b.values.get(name, np.nan)
    if not all(made.defined(name) and name in made.draws for made in (a, b)):
        return Together(*values, np.full(0, np.nan))
    first, second = (made.paired(name) if paired else made.draws[name] for made in (a, b))
    return Together(*values, first - second)


def differences(
    cells: Mapping[Label, Measured], name: str, *, paired: bool, level: float = 0.95, bound: float = np.nan
) -> pd.DataFrame:
    """Differences of a measure of every pair of cells, first minus second, each alone: :data:`DIFFERENCE_COLUMNS`.

    Percentile limits, the bootstrap p, and p of two one-sided tests against ``bound``. NaN where the measure is
    undefined on a side.
    """
    rows = []
    for (first, a), (second, b) in combinations(cells.items(), 2):
        both = together(a, b, name, paired=paired)
        limits = percentile_limits(both.draws, level=level)
        p = bootstrap_p(both.draws), equivalence_p(both.draws, bound) if bound > 0 else np.nan
        rows.append((first, second, both.difference, *limits, *p))
    return pd.DataFrame(rows, columns=list(DIFFERENCE_COLUMNS))


def excludes_zero(lower: pd.Series, upper: pd.Series) -> pd.Series:
    """Whether each interval lies on one side of zero; False where it is missing."""
    return (lower > 0) | (upper < 0)


@dataclass(frozen=True)
class Side:
    """One model's trials, as they are compared: its cell, cut at its own quantiles, and question of each trial.

    ``made`` are the model's own measures, with draws.
    """

    name: str
    cell: Cell
    questions: NDArray[np.object_]
    made: Measured


@dataclass
class _Sets:
    """Measures of models on sets of questions, resampled once a model and set."""

    sides: Mapping[str, Side]
    codes: Mapping[str, NDArray[np.int64]]
    n_resamples: int
    seed: int

    def __post_init__(self) -> None:
        self._made: dict[tuple[str, bytes], dict[str, tuple[float, FloatArray]] | None] = {}

    def on(
        self, names: Sequence[str], shared: NDArray[np.int64]
    ) -> list[dict[str, tuple[float, FloatArray]]] | None:
        """Values and draws of models on shared questions; None if one cannot be judged, or at the limit."""
        keys = [(name, shared.tobytes()) for name in names]
        if len(self._made) + sum(key not in self._made for key in keys) > MOST_RESAMPLED:
            return None
        for key in keys:
            if key not in self._made:
                self._made[key] = self._measured(key[0], shared)
        found = [made for key in keys if (made := self._made[key]) is not None]
        return found if len(found) == len(names) else None

    def _measured(self, name: str, shared: NDArray[np.int64]) -> dict[str, tuple[float, FloatArray]] | None:
        whole, codes = self.sides[name].cell, self.codes[name]
        keep = np.isin(codes, shared)
        unit = np.searchsorted(shared, codes[keep])
        nothing = np.full(int(keep.sum()), np.nan)
        condition = None if whole.condition is None else whole.condition[keep]
        cell = Cell(
            whole.correct[keep],
            whole.score[keep],
            whole.level[keep],
            whole.n_levels,
            nothing,
            unit,
            condition=condition,
        )
        if not measurable(cell):
            return None
        width = shared.size + cell.correct.size
        parts = [statistics(cell, w) for w in weight_chunks(shared.size, self.n_resamples, self.seed, width)]
        point = statistics(cell, np.ones((1, shared.size)))
        values = {quantity: float(point[quantity][0]) for quantity in COMPARED}
        draws = {quantity: np.concatenate([part[quantity] for part in parts]) for quantity in COMPARED}
        values["meta_i2r"] -= null_mean(cell)
        draws["meta_i2r"] = centred(draws["meta_i2r"], values["meta_i2r"])
        return {quantity: (values[quantity], draws[quantity]) for quantity in COMPARED}


def pair_table(
    sides: Sequence[Side], *, clustered: bool, n_resamples: int, seed: int, level: float = 0.95
) -> pd.DataFrame:
    """Differences of every pair of models, first minus second, judged as one family a quantity.

    Columns :data:`PAIR_COLUMNS`. ``p`` is that of a pair alone, ``p_holm`` adjusted by Holm over all pairs,
    ``differs`` whether that is below 1 - level. ``lower`` and ``upper`` hold for all pairs together (Bonferroni, at
    ``level``); ``method`` says how p and limits were made (:mod:`metacog.sdt.families`).

    Two models that share at least 30 questions (if these are known: ``clustered``) are compared on those alone,
    paired, as long as not more than :data:`MOST_RESAMPLED` resamplings are needed; other pairs by the draws of each
    model alone, which is wider.
    """
    known = np.unique(np.concatenate([s.questions for s in sides])) if sides else np.empty(0)
    codes = {s.name: np.searchsorted(known, s.questions) for s in sides}
    distinct = {name: np.unique(code) for name, code in codes.items()}
    sets = _Sets({s.name: s for s in sides}, codes, n_resamples, seed)
    pairs = list(combinations(sides, 2))
    n_shared, found, n_units = [], [], []
    for one, two in pairs:
        shared = np.intersect1d(distinct[one.name], distinct[two.name], assume_unique=True)
        both = sets.on([one.name, two.name], shared) if clustered and shared.size >= MIN_TRIALS else None
        n_shared.append(int(shared.size))
        n_units.append(min(distinct[s.name].size for s in (one, two)) if both is None else shared.size)
        found.append((both is not None, {q: _together(one, two, both, q) for q in COMPARED}))
    names = [(a.name, b.name) for a, b in pairs]
    frames = [
        family_table(quantity, names, [f[1][quantity] for f in found], level, n_units=n_units)
        for quantity in COMPARED
    ]
    if not pairs:
        return pd.DataFrame(columns=list(PAIR_COLUMNS))
    for frame in frames:
        frame["n_shared"], frame["paired"] = n_shared, [paired for paired, _ in found]
    return pd.concat(frames, ignore_index=True)[list(PAIR_COLUMNS)]


def _together(
    one: Side, two: Side, both: list[dict[str, tuple[float, FloatArray]]] | None, quantity: str
) -> Together:
    if both is not None:
        a, b = both[0][quantity], both[1][quantity]
        return Together(a[0], b[0], a[1] - b[1])
    return together(one.made, two.made, quantity, paired=False)


def family_table(
    quantity: str,
    names: Sequence[tuple[str, str]],
    sides: Sequence[Together],
    level: float = 0.95,
    *,
    n_units: float | Sequence[int] = np.inf,
) -> pd.DataFrame:
    """Rows of :func:`pair_table` of one quantity, judged as one family (:func:`metacog.sdt.families.family`).

    A pair that is undefined is no part of the family; its limits and p are NaN.
    """
    rows = pd.DataFrame(names, columns=["first", "second"]).assign(quantity=quantity, method="")
    rows["difference"] = [side.difference for side in sides]
    for column in ("lower", "upper", "level", "p", "p_holm"):
        rows[column] = np.nan
    good = [i for i, s in enumerate(sides) if np.isfinite(s.difference) and np.isfinite(s.draws).sum() >= 2]
    if good:
        resampled = np.broadcast_to(n_units, len(sides))[good]
        made = family([names[i] for i in good], [sides[i] for i in good], level=level, n_units=resampled)
        rows.loc[good, "lower"] = [interval.lower for interval in made.bonferroni_intervals]
        rows.loc[good, "upper"] = [interval.upper for interval in made.bonferroni_intervals]
        rows.loc[good, "p"], rows.loc[good, "p_holm"] = made.p_value, made.p_holm
        rows.loc[good, "level"], rows.loc[good, "method"] = made.level_bonferroni, made.method
    rows["differs"] = rows["p_holm"] < 1 - level
    return rows


def rank_table(models: Mapping[str, Measured], pairs: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Models by each quantity, the highest first, with what is not known of their order: :data:`RANK_COLUMNS`.

    The model's own estimate and interval, its ``rank``, the confidence set of all ranks together (``set_lower``,
    ``set_upper``, from the pairs that differ), ``group`` (models that share a letter cannot be told apart), and, less
    to be trusted, percentiles of the bootstrap rank and the share of draws in which the model comes first. See
    :func:`metacog.sdt.ranking.bootstrap_ranks`. Models that are in no pair are left out.
    """
    rows = []
    for quantity, part in pairs.groupby("quantity", sort=False):
        inside = set(part["first"]) | set(part["second"])
        names = [n for n in models if n in inside and np.isfinite(models[n].values[str(quantity)])]
        rows += _ranked(str(quantity), names, models, part, level)
    return pd.DataFrame(rows, columns=list(RANK_COLUMNS))


def _ranked(
    quantity: str, names: Sequence[str], models: Mapping[str, Measured], part: pd.DataFrame, level: float
) -> list[tuple[object, ...]]:
    order = sorted(names, key=lambda name: -models[name].values[quantity])
    if len(order) < 2:
        return []
    place = {name: i for i, name in enumerate(order)}
    higher = np.zeros((len(order), len(order)), dtype=bool)
    differing = part[part["differs"]]
    for first, second, gap in zip(
        differing["first"], differing["second"], differing["difference"], strict=True
    ):
        if first in place and second in place:
            above, below = (first, second) if gap > 0 else (second, first)
            higher[place[above], place[below]] = True
    low, high = rank_sets(higher)
    groups = not_apart(higher)
    made = bootstrap_ranks(
        [models[name].values[quantity] for name in order],
        np.stack([models[name].draws[quantity] for name in order]),
        level=level,
    )
    return [
        (
            quantity,
            name,
            models[name].values[quantity],
            *models[name].bounds.get(quantity, (np.nan, np.nan)),
            made.rank[i],
            low[i],
            high[i],
            " ".join(letters(k) for k, group in enumerate(groups) if i in group),
            made.lower[i],
            made.upper[i],
            made.p_highest[i],
        )
        for i, name in enumerate(order)
    ]


def letters(number: int) -> str:
    """``a`` ... ``z``, ``aa`` ... for 0, 1, 2, ..."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = ascii_lowercase[rest] + text
    return text
