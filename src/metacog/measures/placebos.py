"""A placebo for what remains within difficulty: another family's confidence in the place of a model's own.

What remains among equally hard items need not be about oneself: a difficulty that some models share and the count of
others does not show remains as well, and whoever reads it keeps it. Such a reader may be any model. So the confidence
of a model of another family is put in the place of the judged model's, with that whole family out of the count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from metacog.core.frames import ended
from metacog.sdt.checks import FloatArray
from metacog.sdt.ease_alone import EaseAlone
from metacog.sdt.within_strata import StratifiedAnswers

#: Strata of items, how probable each ease is, and the row of the latter for each item, where items share one.
Strata = tuple[NDArray[np.int64], FloatArray, NDArray[np.int64] | None]


@dataclass(frozen=True)
class Placebos:
    """Remainders with a model's own and with K others' confidence, on the same n items and in the same strata.

    ``own`` and ``other``, ``(K,)``, are AUROC2 within strata less what reading difficulty alone would give, with the
    model's own confidence and with the placebo's. Strata leave out the placebo's family, so that ``own`` differs
    between families. ``own_influence`` and ``other_influence``, ``(K, n)``: how each moves with the weight of an item.
    """

    names: tuple[str, ...]
    own: FloatArray
    other: FloatArray
    own_influence: FloatArray = field(repr=False)
    other_influence: FloatArray = field(repr=False)

    def gaps(self, weights: NDArray[np.floating]) -> tuple[FloatArray, FloatArray]:
        """Own less each placebo, ``(K,)``, and the same of resamples, ``(B, K)``; see :meth:`summary`."""
        gap = self.own - self.other
        moves = (self.own_influence - self.other_influence).astype(weights.dtype)
        return gap, gap + weights @ moves.T

    def summary(self, weights: FloatArray, df: int) -> dict[str, object]:
        """Median and best placebo, and the model's own less these, with intervals over items.

        ``placebo`` is the median of the remainders with others' confidence and ``placebo_best`` their largest;
        ``own_less_placebo`` the median over placebos of the paired differences and ``own_less_best`` the least of
        them. The best is chosen on the items on which it is measured, so that ``own_less_best`` is rather too
        small. Intervals from the standard deviation over resamples (``weights``, ``(B, n)``) of the median, or least,
        of the differences, each moved by its first derivative in the weights; by t of ``df`` degrees of freedom.
        """
        gap, gaps = self.gaps(weights)
        others = self.other + weights @ self.other_influence.T.astype(weights.dtype)
        t = float(stdtrit(max(df, 1), 0.975))
        made: dict[str, object] = {"placebo_best": float(self.other.max())}
        for name, value, draws in (
            ("placebo", np.median(self.other), np.median(others, axis=1)),
            ("own_less_placebo", np.median(gap), np.median(gaps, axis=1)),
            ("own_less_best", gap.min(), gaps.min(axis=1)),
        ):
            half = t * float(draws.std(ddof=1))
            made |= ended(name, float(value), value - half, value + half)
        return made


def placebos(
    hits: NDArray[np.bool_],
    sure: FloatArray,
    others: Sequence[tuple[str, str, FloatArray]],
    strata_without: Callable[[str], Strata | None],
) -> Placebos:
    """What remains of a model's own confidence, and of others' (name, family, confidence) in its place.

    For a family, ``strata_without`` gives the strata by models of neither the judged model's family nor this; None
    where nobody is left. One confidence throughout is no placebo.
    """
    found: list[tuple[str, float, float, FloatArray, FloatArray]] = []
    for family in dict.fromkeys(family for _, family, _ in others):
        kin = [(name, row) for name, of, row in others if of == family and np.ptp(row) > 0]
        counted = strata_without(family) if kin else None
        if counted is None:
            continue
        stratum, posterior, cell = counted
        mine = StratifiedAnswers.of(hits, sure, stratum)
        if not mine.n_pairs:
            continue
        alone = EaseAlone(posterior, hits, sure, stratum, cell, [row for _, row in kin])
        own, own_moves = _beyond_ease(mine, alone)
        for (name, row), read in zip(kin, alone.others, strict=True):
            other, moves = _beyond_ease(replace(mine, confidence=row), read)
            found.append((name, own, other, own_moves, moves))
    return Placebos(
        tuple(one[0] for one in found),
        np.array([one[1] for one in found]),
        np.array([one[2] for one in found]),
        np.array([one[3] for one in found]).reshape(-1, hits.size),
        np.array([one[4] for one in found]).reshape(-1, hits.size),
    )


def _beyond_ease(answers: StratifiedAnswers, alone: EaseAlone) -> tuple[float, FloatArray]:
    """AUROC2 within strata less what reading ease alone would give, and how it moves with each item."""
    (area, moves), (read, read_moves) = answers.area_and_influence(), alone.area_and_influence()
    return area - read, moves - read_moves
