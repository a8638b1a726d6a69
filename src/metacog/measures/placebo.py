"""A placebo for what remains within difficulty: another family's confidence in the place of a model's own.

What remains among equally hard items need not be about oneself: a difficulty that some models share and the count of
others does not show remains as well, and whoever reads it keeps it. Such a reader may be any model. So the confidence
of a model of another family is put in the place of the judged model's, with that whole family out of the count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from metacog.sdt.tables import FloatArray
from metacog.sdt.within_strata import EaseAlone, StratifiedAnswers

ONE_FAMILY = "fewer than two other families, so that no other family's confidence can stand in its place"


@dataclass(frozen=True)
class Placebos:
    """Remainders with a model's own and with others' confidence, on the same items and in the same strata.

    Attributes
    ----------
    names : tuple of str
        Models that stand as placebos, K of them.
    own, other : arrays, shape ``(K,)``
        AUROC2 within strata less what reading difficulty alone would give, with the model's own confidence and with
        the placebo's. Strata leave out the placebo's family, so that ``own`` differs between families.
    own_influence, other_influence : arrays, shape ``(K, n)``
        How each moves with the weight of an item.
    """

    names: tuple[str, ...]
    own: FloatArray
    other: FloatArray
    own_influence: FloatArray = field(repr=False)
    other_influence: FloatArray = field(repr=False)

    def summary(self, weights: FloatArray, df: int, level: float) -> dict[str, object]:
        """Median and best placebo, and the model's own less these, with intervals over items.

        Parameters
        ----------
        weights : array, shape ``(B, n)``
            How often each resample draws each item: the same for own and placebos.
        df : int
            Degrees of freedom of t.
        level : float

        Returns
        -------
        dict
            ``placebo`` the median of the remainders with others' confidence and ``placebo_best`` their largest;
            ``own_less_placebo`` the median over placebos of the paired differences and ``own_less_best`` the least of
            them. The best is chosen on the items on which it is measured, so that ``own_less_best`` is rather too
            small. Intervals from the standard deviation over resamples of the median, or least, of the differences,
            each difference moved by its first derivative in the weights.
        """
        gap = self.own - self.other
        gaps = gap + weights @ (self.own_influence - self.other_influence).T
        others = self.other + weights @ self.other_influence.T
        t = float(stdtrit(max(df, 1), (1 + level) / 2))
        made: dict[str, object] = {"placebo_best": float(self.other.max())}
        for name, value, draws in (
            ("placebo", np.median(self.other), np.median(others, axis=1)),
            ("own_less_placebo", np.median(gap), np.median(gaps, axis=1)),
            ("own_less_best", gap.min(), gaps.min(axis=1)),
        ):
            half = t * float(draws.std(ddof=1))
            made |= {name: float(value), f"{name}_lower": value - half, f"{name}_upper": value + half}
        return made


def placebos(
    hits: NDArray[np.bool_],
    sure: FloatArray,
    others: Sequence[tuple[str, str, FloatArray]],
    strata_without: Callable[[str], tuple[NDArray[np.int64], FloatArray] | None],
) -> Placebos:
    """What remains of a model's own confidence, and of others' in its place.

    Parameters
    ----------
    hits : bool array, shape ``(n,)``
        Whether the judged model's answers are right.
    sure : array, shape ``(n,)``
        Its confidence.
    others : sequence of (name, family, confidence)
        Models of other families and their confidence in the same items. One confidence throughout is no placebo.
    strata_without : callable
        For a family: the strata of the items by the number of others that are right, and how probable each ease is
        for each item, ``(n,)`` and ``(n, K)``, by models of neither the judged model's family nor this; None where
        nobody is left.

    Returns
    -------
    Placebos
        None among them where no family can be left out of the count.
    """
    found: list[tuple[str, float, float, FloatArray, FloatArray]] = []
    for family in dict.fromkeys(family for _, family, _ in others):
        kin = [(name, row) for name, of, row in others if of == family and np.ptp(row) > 0]
        counted = strata_without(family) if kin else None
        if counted is None:
            continue
        mine, alone = (
            StratifiedAnswers.of(hits, sure, counted[0]),
            EaseAlone(counted[1], hits, sure, counted[0]),
        )
        if not mine.n_pairs:
            continue
        own, own_moves = mine.area() - alone.area(), mine.influence() - alone.influence()
        for name, row in kin:
            theirs, read = StratifiedAnswers.of(hits, row, counted[0]), alone.with_confidence(row)
            moves = theirs.influence() - read.influence()
            found.append((name, own, theirs.area() - read.area(), own_moves, moves))
    n = hits.size
    return Placebos(
        tuple(one[0] for one in found),
        np.array([one[1] for one in found]),
        np.array([one[2] for one in found]),
        np.array([one[3] for one in found]).reshape(-1, n),
        np.array([one[4] for one in found]).reshape(-1, n),
    )
