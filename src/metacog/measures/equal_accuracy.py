"""Two conditions of one model on the same items: does its confidence tell more, at equal accuracy?

Thinking on and off, base and instruct, full and reduced precision: what changes confidence changes which answers are
right as well, and AUROC2 moves with both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.sparse import csr_array
from scipy.special import logit, stdtrit

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import CONSTANT, FEW, MIN_OF_CLASS, FloatArray, ModelItems
from metacog.sdt import InputError, tost

IntArray = NDArray[np.int64]
#: How missing answers are read: left out, or wrong, with the lowest, median or highest confidence of the condition.
LEFT_OUT, LOWEST, MEDIAN, HIGHEST = MISSING = ("left_out", "lowest", "median", "highest")
#: Families of others from which a spread between them is estimated, at least.
FEWEST_FAMILIES = 3
#: Groups of items that are left out in turn.
N_GROUPS = 100
_MOST_TILT = 50.0
#: Changes from the first condition to the second, each with an interval.
CHANGES = (
    *("accuracy", "auroc2", "equal_accuracy", "excess", "matched", "same_outcome", "by_answers"),
    "by_confidence",
)
COLUMNS = (
    *("first", "second", "missing", "n", "n_missing_first", "n_missing_second", "n_both_right"),
    *("n_only_first", "n_only_second", "n_both_wrong", "accuracy_first", "accuracy_second"),
    *("auroc2_first", "auroc2_second"),
    *with_ends(*CHANGES, "beyond"),
    *("unchanged", "as_much", "n_unchanged", "bound", "equivalent", "equivalence_p"),
    *("equivalent_auroc2", "equivalence_p_auroc2", "flag"),
)


def equal_accuracy(
    items: ModelItems,
    pairs: Sequence[tuple[str, str]],
    *,
    missing: str = LEFT_OUT,
    unchanged: Sequence[str] | None = None,
    bound: float = 0.02,
    seed: int = 42,
) -> pd.DataFrame:
    """How accuracy and AUROC2 change from a first condition to a second, and AUROC2 at equal accuracy.

    Parameters
    ----------
    items : ModelItems
        The two conditions are two of its models; models of other families show how hard an item is.
    pairs : sequence of (str, str)
        First and second condition of each comparison.
    missing : str
        ``left_out``: items that both conditions answered, with a confidence. Otherwise all items of the table; a
        missing answer is wrong, and a missing confidence is below all others (``lowest``), or the condition's median
        or highest.
    unchanged : sequence of str, optional
        Models whose confidence is put in the place of both conditions'; those of other families, all without it.
    bound : float
        Of a change in AUROC2 that does not matter, fixed before looking.
    seed : int
        Of the groups of items.

    Returns
    -------
    DataFrame
        Columns ``COLUMNS``, a row for each pair.

        Changes are the second condition less the first, with 95 % intervals over items: ``accuracy``; ``auroc2``; its
        change at ``equal_accuracy``; the ``excess`` of that over confidence that does not change; two others that hold
        something else equal, ``matched`` and ``same_outcome``; the parts of ``auroc2`` that go back to which answers
        are right (``by_answers``) and to confidence (``by_confidence``), which add up to it. ``beyond`` is ``excess``
        with an interval over items and over whose unchanged confidence it is held against. ``unchanged`` is the mean
        change with the confidence of ``n_unchanged`` others, and ``as_much`` the share of them that have as much
        excess; their families weigh equally. ``equivalent``: the 90 % interval of ``equal_accuracy`` lies within
        +-``bound`` (two one-sided tests, the larger p in ``equivalence_p``); ``equivalent_auroc2`` the same of
        ``auroc2``. ``flag`` says why values are missing.

    Raises
    ------
    InputError
        An unknown model, a model paired with itself, no pair, an unknown reading of missing answers, a bound that is
        not above 0.

    Notes
    -----
    ``equal_accuracy`` compares the better condition on harder items with the other one on easier items: both have the
    mean of the two accuracies. Items are weighted by exp(tilt ease), where ease is the log-odds with which models of
    other families are right; of a normal ease the tilt moves the mean and leaves the spread. It conditions on nothing
    that the two conditions did. Its price: the items differ, as they must where accuracies differ, and what ease does
    not show of difficulty stays: with six others, between accuracies of .50 and .87, it is .007 too small. Without a
    model of another family it is missing.

    ``excess``: where the answers of the second condition follow difficulty more, a confidence that only reads
    difficulty tells more of them though nothing has changed about it. So a model of another family lends both
    conditions its confidence, and tells more of the second by some factor. ``excess`` is the change that is left where
    that factor, of the means of all such models, is taken out: half of it from the second condition's area above one
    half, half put to the first's. A difference in place of a factor would leave something to whoever reads difficulty
    better than others do. Their confidences do not all gain alike. To be told from one of them that has not changed
    either, the judged model's must have more excess than they differ by: the interval of ``beyond`` is that of the
    next one, by their variance and the items', with t of one degree of freedom less than there are families. Where
    answers come to hang more, or less, on what the model alone knows, excess rises or falls without a change in how
    confidence reads it.

    ``matched`` keeps all items and gives those on which only the better condition is right less weight, until both are
    right equally often. That keeps those of its right answers which the other shares: easy ones. Where the answers of
    one condition go with difficulty more than those of the other, it takes that for a change of the items.

    ``same_outcome`` keeps the items on which both are right or both wrong. The answers then are the same, and nothing
    but confidence differs. It conditions on both outcomes, so that luck which one condition alone had is left out, and
    with it what confidence knew of it.

    ``by_confidence`` is the mean, over the two conditions' answers, of the change when the confidence of the second
    replaces that of the first, and ``by_answers`` the mean over the two confidences of the change in answers (Shapley
    values of two factors). Confidence about a condition's own luck says little of the other's answers, so that part of
    what is gained by it counts for the answers.

    In simulated pairs whose answers and confidence are known, with 1,500 items and twenty others
    (``data/simulations/whom_to_ask.csv``), ``equal_accuracy`` is within .01 of the truth and its interval holds it in
    92 to 98 of 100 runs; ``auroc2`` is off by up to .05, ``matched`` by up to .09, ``same_outcome`` and the two parts
    by up to .13. Where only the answers are better, from .74 right to .88, the interval of ``auroc2`` lies above 0 in a
    quarter to half of the runs, that of ``equal_accuracy`` in 4 or 5 of 100. Where a confidence that does not change
    reads difficulty alone, and luck in answers gets less, that of ``equal_accuracy`` does in 92 to 100 of 100; that of
    ``excess`` in up to 5, but in up to 42 where it reads another kind of difficulty than most; that of ``beyond`` in up
    to 2. Better confidence is found by ``beyond`` in 63 to 92.

    A missing answer that counts as wrong and has the lowest confidence makes AUROC2 as large as missing answers can
    make it, with the highest as small; left out, they count for nothing. What holds in all readings does not hang on
    them.

    Intervals: items are parted by chance into 100 groups, each left out in turn (Busing, Meijer & van der Leeden 1999),
    with t of one degree of freedom less than there are groups; all weights are found anew each time.

    References
    ----------
    Busing, Meijer & van der Leeden 1999, Statistics and Computing 9, 3-8. Schuirmann 1987 for the equivalence tests.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.measures.equal_accuracy import equal_accuracy
    >>> from metacog.measures.model_items import ModelItems
    >>> rng = np.random.default_rng(1)
    >>> shift = np.array([0.0, 1.2, -0.5, 0.0, 0.5])[:, None]
    >>> state = rng.normal(size=4000) + rng.normal(size=(5, 4000)) + shift
    >>> sure = np.round(state + rng.normal(size=state.shape), 1)
    >>> names = ["off", "on", "x", "y", "z"]
    >>> items = ModelItems(
    ...     tuple(names), tuple(map(str, range(4000))), (state > 0).astype(float),
    ...     sure, ("own", "own", "x", "y", "z"), ("",) * 4000,
    ... )
    >>> (found,) = equal_accuracy(items, [("off", "on")]).itertuples()
    >>> print(f"AUROC2 {found.auroc2:+.3f} [{found.auroc2_lower:+.3f}, {found.auroc2_upper:+.3f}]")
    AUROC2 +0.021 [+0.007, +0.034]
    >>> print(f"at equal accuracy {found.equal_accuracy:+.3f}, equivalent: {found.equivalent}")
    at equal accuracy -0.001, equivalent: True
    """
    names = [name for pair in pairs for name in pair]
    if not names:
        raise InputError("no pair of conditions was named")
    items.named(names)
    if same := [a for a, b in pairs if a == b]:
        raise InputError(f"{same[0]} is paired with itself")
    if missing not in MISSING:
        raise InputError(f"missing answers are {' or '.join(MISSING)}, not {missing!r}")
    if not bound > 0:
        raise InputError(f"the bound must be above 0, got {bound}")
    lent = items.named(unchanged)
    rows = [_row(items, pair, missing, lent, bound, seed) for pair in pairs]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    table["flag"] = table["flag"].fillna("")
    return table


def _row(
    items: ModelItems, pair: tuple[str, str], missing: str, lent: Sequence[str], bound: float, seed: int
) -> dict[str, Any]:
    first, second = pair
    at = [items.models.index(first), items.models.index(second)]
    marks, sure = items.right[at], items.confidence[at]
    there = np.isfinite(marks) & np.isfinite(sure)
    kept = there.all(axis=0) if missing == LEFT_OUT else np.ones(len(items.items), dtype=bool)
    hits = np.nan_to_num(marks[:, kept]) > 0
    levels = _levels(sure[:, kept], missing)
    row_: dict[str, Any] = {
        "first": first,
        "second": second,
        "missing": missing,
        "n": int(kept.sum()),
        "n_missing_first": int((~there[0]).sum()),
        "n_missing_second": int((~there[1]).sum()),
        "bound": bound,
    }
    cells = [hits[0] & hits[1], hits[0] & ~hits[1], ~hits[0] & hits[1], ~hits[0] & ~hits[1]]
    row_ |= dict(zip(COLUMNS[6:10], (int(c.sum()) for c in cells), strict=True))
    if min(int(side.sum()) for one in hits for side in (one, ~one)) < MIN_OF_CLASS:
        return row_ | {"flag": FEW}
    if min(int(cells[0].sum()), int(cells[3].sum())) < MIN_OF_CLASS:
        return row_ | {"flag": f"both are right, or both wrong, on fewer than {MIN_OF_CLASS} items"}
    if (np.ptp(levels, axis=1) == 0).any():
        return row_ | {"flag": CONSTANT}
    others = np.intersect1d(items.others(first), items.others(second))
    ease, placed = None, np.zeros((0, hits.shape[1]), dtype=np.int64)
    if others.size:
        right = items.right[np.ix_(others, kept)]
        asked = np.isfinite(right).sum(axis=0)
        ease = logit((np.nansum(right, axis=0) + 0.5) / (asked + 1))
        placed = _levels(items.confidence[np.ix_(others, kept)], LOWEST)
    used = np.array([items.models[i] in lent for i in others], dtype=bool) & (np.ptp(placed, axis=1) > 0)
    families = np.array(items.families)[others[used]]
    kinds, family, of_kind = np.unique(families, return_inverse=True, return_counts=True)
    found = _Paired(hits, levels, ease, placed[used], 1 / (kinds.size * of_kind[family]))
    whole = found.values(np.ones(hits.shape[1]))
    n_groups = min(N_GROUPS, hits.shape[1])
    group = np.random.default_rng(seed).permutation(hits.shape[1]) % n_groups
    without = [found.values((group != g).astype(np.float64)) for g in range(n_groups)]
    t = float(stdtrit(n_groups - 1, 0.975))
    ses = {}
    for name in CHANGES:
        value, left = whole[name], np.array([one[name] for one in without])
        size = np.bincount(group) / hits.shape[1]
        # pseudo-values of groups of unequal size, Busing et al. 1999, eq. 8
        pseudo = value / size - (1 / size - 1) * left
        ses[name] = float(np.sqrt(((pseudo - pseudo.mean()) ** 2 / (1 / size - 1)).mean()))
        row_ |= ended(name, value, value - t * ses[name], value + t * ses[name])
    row_ |= found.held_against(whole, ses["excess"], kinds.size)
    for i, name in enumerate(("first", "second")):
        row_ |= {f"accuracy_{name}": hits[i].mean(), f"auroc2_{name}": whole[f"auroc2_{name}"]}
    for name, end in (("equal_accuracy", ""), ("auroc2", "_auroc2")):
        if ses[name] > 0:
            test = tost(whole[name], ses[name], -bound, bound)
            row_ |= {f"equivalent{end}": test.equivalent, f"equivalence_p{end}": test.p_value}
    return row_


def _levels(sure: FloatArray, missing: str) -> IntArray:
    """Ranks of confidences of equal values by row, a missing one as it is read."""
    levels = np.zeros(sure.shape, dtype=np.int64)
    for row, values in zip(levels, sure, strict=True):
        known = np.isfinite(values)
        at = {MEDIAN: 0.5, HIGHEST: 1.0}.get(missing)
        read = -np.inf if at is None or not known.any() else float(np.quantile(values[known], at))
        filled = np.where(known, values, read)
        row[:] = np.unique(filled, return_inverse=True)[1]
    return levels


@dataclass(frozen=True)
class _Paired:
    """Two conditions' answers and confidences as levels ``(2, n)``, items' ease ``(n,)``, others' ``(K, n)``, and
    their share.
    """

    hits: NDArray[np.bool_] = field(repr=False)
    levels: IntArray = field(repr=False)
    ease: FloatArray | None = field(repr=False)
    placed: IntArray = field(repr=False)
    share: FloatArray = field(repr=False)

    @cached_property
    def counters(self) -> tuple[_Areas, _Areas, _Areas]:
        """Of both conditions' confidences, and of all others'."""
        return _Areas(self.levels[:1]), _Areas(self.levels[1:]), _Areas(self.placed)

    @cached_property
    def places(self) -> tuple[FloatArray, IntArray]:
        """The values of ease, about their mean, and that of each item."""
        assert self.ease is not None
        place, at = np.unique(self.ease, return_inverse=True)
        return place - self.ease.mean(), at

    def lent(self, tilts: Sequence[FloatArray]) -> FloatArray:
        """Others' areas above one half for both conditions' answers, ``(2, K)``."""
        return self.counters[2].of(self.hits, tilts) - 0.5

    def tilts(self, weights: FloatArray) -> list[FloatArray]:
        """Weights with which both are right equally often; empty where ease is unknown or the same of all."""
        if self.ease is None or not np.ptp(self.ease) > 0:
            return []
        middle = float(np.mean([weights[one].sum() for one in self.hits]) / weights.sum())
        return [_tilted(*self.places, one, weights, middle) for one in self.hits]

    def values(self, weights: FloatArray) -> dict[str, float]:
        """All changes with items so weighted."""
        a, b = self.hits
        accuracy = [float(weights[one].sum() / weights.sum()) for one in self.hits]
        same = weights * (a == b)
        only = [float(weights[one].sum()) for one in (a & ~b, ~a & b)]
        fewer = min(only)
        share = [fewer / one if one else 1.0 for one in only]
        level = weights * np.where(a & ~b, share[0], np.where(~a & b, share[1], 1.0))
        tilts = self.tilts(weights)
        each = [weights, weights, same, level]
        first, second = (
            self.counters[i].of(np.stack([a, b, *[self.hits[i]] * (2 + len(own))]), [*each, *own])[:, 0]
            for i, own in enumerate((tilts[:1], tilts[1:]))
        )
        made = {
            "accuracy": accuracy[1] - accuracy[0],
            "auroc2_first": first[0],
            "auroc2_second": second[1],
            "auroc2": second[1] - first[0],
            "by_answers": (first[1] - first[0] + second[1] - second[0]) / 2,
            "by_confidence": (second[0] - first[0] + second[1] - first[1]) / 2,
            "same_outcome": second[2] - first[2],
            "matched": second[3] - first[3],
            "equal_accuracy": np.nan,
            "excess": np.nan,
        }
        if tilts:
            own = np.array([first[4], second[4]])
            made["equal_accuracy"] = own[1] - own[0]
            made["excess"] = float(_excess(own - 0.5, self.lent(tilts) @ self.share))
        return made

    def held_against(self, whole: dict[str, float], se: float, n_families: int) -> dict[str, Any]:
        """The excess with an interval over others too, their mean change, and how many have as much."""
        if not np.isfinite(whole["excess"]):
            return {}
        each = self.lent(self.tilts(np.ones(self.hits.shape[1])))
        of_each = _excess(each, each @ self.share)
        half = np.nan
        if n_families >= FEWEST_FAMILIES:
            spread = self.share @ of_each**2 * (n_families + 1) / (n_families - 1)
            half = float(stdtrit(n_families - 1, 0.975) * np.sqrt(spread + se**2))
        return ended("beyond", whole["excess"], whole["excess"] - half, whole["excess"] + half) | {
            "unchanged": float((each[1] - each[0]) @ self.share),
            "as_much": float((of_each >= whole["excess"]) @ self.share),
            "n_unchanged": len(self.placed),
        }


def _excess(area: FloatArray, others: FloatArray) -> FloatArray:
    """How far the second area lies above the first, ``(2, ...)``, beyond the factor of two others; NaN without one."""
    if others.size != 2 or not (others > 0).all():
        return np.full(area.shape[1:], np.nan)
    root = np.sqrt(others[1] / others[0])
    return np.asarray(area[1] / root - area[0] * root)


class _Areas:
    """Weighted AUROC2 of some confidences, as levels ``(K, n)``."""

    def __init__(self, levels: IntArray) -> None:
        k, n = levels.shape
        self.shape = k, int(levels.max(initial=0)) + 1
        at = (levels + self.shape[1] * np.arange(k)[:, None]).ravel()
        self.counts = csr_array(
            (np.ones(at.size), (at, np.tile(np.arange(n), k))), shape=(k * self.shape[1], n)
        )

    def of(self, hits: NDArray[np.bool_], weights: Sequence[FloatArray]) -> FloatArray:
        """For some answers ``(m, n)``, each with weights of its own, ``(m, K)``."""
        columns = np.stack([hits * weights, weights]).reshape(-1, hits.shape[1])
        right, every = (self.counts @ columns.T).T.reshape(2, len(hits), *self.shape)
        wrong = every - right
        below = np.cumsum(wrong, axis=-1) - 0.5 * wrong
        return np.asarray((right * below).sum(axis=-1) / (right.sum(axis=-1) * wrong.sum(axis=-1)))


def _tilted(
    centre: FloatArray, at: IntArray, hits: NDArray[np.bool_], weights: FloatArray, accuracy: float
) -> FloatArray:
    """Weights times exp(tilt ease), with which the answers have this accuracy."""
    n = np.bincount(at, weights=weights)
    right = np.bincount(at, weights=weights * hits)

    def beyond(tilt: float) -> float:
        factor = np.exp(tilt * centre - max(tilt * centre[0], tilt * centre[-1]))
        return float(factor @ right / (factor @ n)) - accuracy

    if beyond(-_MOST_TILT) * beyond(_MOST_TILT) > 0:
        return weights * np.nan
    factor = np.exp(float(brentq(beyond, -_MOST_TILT, _MOST_TILT)) * centre)
    return np.asarray(weights * factor[at])
