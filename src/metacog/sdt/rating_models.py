"""Models of a whole table of choices and ratings: is evidence lost, or would other curves or wrong keys explain it?

Evidence is N(-d'/2, 1) where S1 was shown and N(d'/2, spread^2) where S2 was. The choice is by its side of c,
confidence by its distance from c, cut at free criteria on each side. With spread 1 and nothing else, confidence loses
nothing (equal-variance signal detection: Green & Swets 1966). Four parts can be freed, alone or together:

- ``spread``: unequal variances (Dorfman & Alf 1969, eq. 1).
- ``keys``: a share of the questions of each class has the wrong label, so each class is a mixture of both.
- ``noise``: all criteria of a trial are multiplied by exp(noise N(0, 1)) (meta-noise: Shekhar & Rahnev 2021).
- ``m_ratio``: ratings, given class and choice, are those of somebody whose d' and c are m_ratio times as large
  (meta-d': Maniscalco & Lau 2012, eqs. 1-6). Other than in :func:`~.meta_d.fit_meta_d`, d' and c are fitted to the
  ratings as well, and 1 means that nothing is lost whatever the spread.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, ndtr, ndtri, xlogy

from metacog.sdt.checks import FloatArray, InputError, check_batch
from metacog.sdt.meta_noise import DROP

#: Parameters before the gaps between criteria, from the third on as logarithms, and their bounds.
NAMES = ("d_prime", "c", "spread", "wrong_S1", "wrong_S2", "noise", "m_ratio")
_LEAST = np.array([-12, -12, *np.log([0.1, 1e-7, 1e-7, 0.01, 0.02])])
_MOST = np.array([12, 12, *np.log([10, 0.5, 0.5, 3, 10])])
#: What can be free: where its parameters stand among them, and where a search starts.
PARTS = {"spread": {2: 1.1}, "keys": {3: 0.02, 4: 0.02}, "noise": {5: 0.3}, "m_ratio": {6: 0.9}}
#: Places of the noise (in its standard deviations) over which the probability of a rating is summed.
_NODES = np.linspace(-5.0, 5.0, 41)
_WEIGHTS = np.exp(-(_NODES**2) / 2) / np.exp(-(_NODES**2) / 2).sum()
#: Steps of a fit, and of the search for an end of an interval.
_STEPS, _SEARCH = 150, 24


@dataclass(frozen=True, eq=False)
class RatingFit:
    """One model fitted to B tables.

    Attributes
    ----------
    counts, predicted : array, shape ``(B, 2, 2K)``
        Trials of each rating by class, and the probability of each, given the class.
    theta : array, shape ``(B, 5 + 2K)``
        d', c, spread, the shares of wrong keys of S1 and S2, noise and M-ratio, then gaps between criteria outwards
        from c on the S1 and the S2 side, all gaps as logarithms.
    parts : frozenset of str
    heavy_tails : bool
    """

    counts: FloatArray
    predicted: FloatArray
    theta: FloatArray
    parts: frozenset[str]
    heavy_tails: bool

    @property
    def parameters(self) -> dict[str, FloatArray]:
        """By name; what is not free has the value that changes nothing."""
        named = dict(zip(NAMES, self.theta.T, strict=False))
        return {name: value if name in NAMES[:2] else np.exp(value) for name, value in named.items()}

    @property
    def log_likelihood(self) -> FloatArray:
        """Sum over cells of count times log P(rating | class)."""
        return np.asarray(xlogy(self.counts, self.predicted).sum(axis=(1, 2)))

    @property
    def freedom(self) -> FloatArray:
        """Degrees of freedom left; a rating that no trial used has none, and needs no criterion."""
        return (self.counts.sum(axis=1) > 0).sum(axis=1) - 2.0 - sum(len(PARTS[part]) for part in self.parts)

    @property
    def misplaced(self) -> FloatArray:
        """The share of trials to which another rating would have to be given for the fit to be perfect."""
        expected = self.counts.sum(axis=2, keepdims=True) * self.predicted
        return np.abs(self.counts - expected).sum(axis=(1, 2)) / 2 / self.counts.sum(axis=(1, 2))

    @property
    def excess(self) -> FloatArray:
        """Deviance per degree of freedom, how much larger than chance the misfit is (McCullagh & Nelder 1989, section
        4.5): at least 1, and 1 where no freedom is left."""
        seen = self.counts / self.counts.sum(axis=2, keepdims=True)
        deviance = 2 * (xlogy(self.counts, seen).sum(axis=(1, 2)) - self.log_likelihood)
        return np.where(self.freedom > 0, np.maximum(deviance / np.maximum(self.freedom, 1), 1.0), 1.0)

    def m_ratio_limits(self, widened: ArrayLike = 1.0) -> tuple[FloatArray, FloatArray]:
        """Ends of the 95 % profile interval of a free ``m_ratio``: 0 and infinity where the likelihood never falls by
        half of 3.84 times ``widened``."""
        ends = []
        for limit, beyond in ((_LEAST[6], 0.0), (_MOST[6], np.inf)):
            theta, inside, outside = self.theta, self.theta[:, 6], np.full(len(self.theta), np.nan)
            for step in range(_SEARCH):
                farther = np.clip(inside + np.sign(limit) * 0.05 * 2.0**step, _LEAST[6], _MOST[6])
                tried = np.where(np.isnan(outside), farther, (inside + outside) / 2)
                start = np.column_stack([theta[:, :6], tried, theta[:, 7:]])
                made, top = _climb(self.counts, start, self.parts - {"m_ratio"}, self.heavy_tails)
                near = self.log_likelihood - top < DROP * np.asarray(widened)
                theta = np.where(near[:, None], made, theta)
                inside, outside = np.where(near, tried, inside), np.where(near, outside, tried)
            ends.append(np.where(np.isclose(inside, limit), beyond, np.exp(inside)))
        return ends[0], ends[1]


def fit_rating_model(
    nR_S1: ArrayLike, nR_S2: ArrayLike, parts: Collection[str], *, heavy_tails: bool = False
) -> RatingFit:
    """Fit one model of choices and ratings to many tables, by maximum likelihood.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape ``(B, 2K)``
        In the order of Maniscalco & Lau (2012); empty cells are fitted as they are.
    parts : collection of {"spread", "keys", "noise", "m_ratio"}
        What is free besides d', c and the criteria; see the module, which names the papers.
    heavy_tails : bool
        Logistic curves in place of normal ones.

    Returns
    -------
    RatingFit

    Raises
    ------
    InputError
        Bad counts, an empty class, or a part that does not exist.

    Examples
    --------
    >>> from metacog.sdt import fit_rating_model
    >>> nR_S1, nR_S2 = [[36, 24, 17, 20, 10, 12, 9, 2]], [[1, 4, 10, 11, 19, 18, 28, 39]]
    >>> equal, unequal = (fit_rating_model(nR_S1, nR_S2, parts) for parts in ([], ["spread"]))
    >>> gain = 2 * (unequal.log_likelihood - equal.log_likelihood)
    >>> print(f"spread {unequal.parameters['spread'][0]:.2f}, chi-square {gain[0]:.1f}")
    spread 0.92, chi-square 0.4
    """
    n, free = np.stack(check_batch(nR_S1, nR_S2, min_ratings=2), axis=1), frozenset(parts)
    if unknown := free - set(PARTS):
        raise InputError(f"there is no part {', '.join(sorted(unknown))}; there are: {', '.join(PARTS)}")
    if not n.sum(axis=2).all():
        raise InputError("each class needs trials: leave out tables that lack one")
    theta = _best(n, free, heavy_tails, {})
    return RatingFit(n, _cells(theta, heavy_tails), theta, free, heavy_tails)


def _best(
    n: FloatArray, parts: frozenset[str], heavy: bool, known: dict[frozenset[str], FloatArray]
) -> FloatArray:
    """Most likely parameters, from the fits of all models with one part less, where they stand and from a start."""
    if not parts:
        return _climb(n, _start(n), parts, heavy)[0]
    if parts not in known:
        climbs = []
        for part in sorted(parts):
            start = _best(n, parts - {part}, heavy, known).copy()
            climbs.append(_climb(n, start, parts, heavy))
            start[:, list(PARTS[part])] = np.log(list(PARTS[part].values()))
            climbs.append(_climb(n, start, parts, heavy))
        best = np.argmax([top for _, top in climbs], axis=0)
        known[parts] = np.stack([theta for theta, _ in climbs])[best, np.arange(len(n))]
    return known[parts]


def _start(n: FloatArray) -> FloatArray:
    """d' and c of the choices, and criteria where curves as far apart would be cut as often."""
    k = n.shape[2] // 2
    alarm, hit = ndtri((n[:, :, k:].sum(axis=2) + 0.5) / (n.sum(axis=2) + 1)).T
    used = np.cumsum(n.sum(axis=1) + 0.5, axis=1)
    cuts = ndtri(used[:, :-1] / used[:, -1:]) * np.hypot(1, (hit - alarm) / 2)[:, None]
    gaps = np.log(np.maximum(np.diff(cuts, axis=1), 1e-3))
    fixed = np.tile([0, -np.inf, -np.inf, -np.inf, 0], (len(n), 1))
    return np.column_stack([hit - alarm, -(hit + alarm) / 2, fixed, gaps[:, k - 2 :: -1], gaps[:, k - 1 :]])


def _climb(
    n: FloatArray, theta: FloatArray, parts: frozenset[str], heavy: bool
) -> tuple[FloatArray, FloatArray]:
    """Fisher scoring with damping from a start ``(B, P)``; derivatives by differences. Parameters and maximum."""
    size = theta.shape[1]
    free = np.array([0, 1, *(at for part in sorted(parts) for at in PARTS[part]), *range(len(NAMES), size)])
    low, high = (np.append(ends, np.full(size, gap))[free] for ends, gap in ((_LEAST, -14.0), (_MOST, 4.0)))
    theta, shift = theta.copy(), 1e-5 * np.eye(size)[free]
    top, damp, left = (
        (n * np.log(_cells(theta, heavy))).sum(axis=(1, 2)),
        np.full(len(n), 1e-3),
        np.arange(len(n)),
    )
    for _ in range(_STEPS):
        here, counts = theta[left], n[left]
        p = _cells(here, heavy)
        slope = (_cells(here[:, None] + shift, heavy) - _cells(here[:, None] - shift, heavy)) / 2e-5
        gradient = np.einsum("bsr,bfsr->bf", counts / p, slope)
        known = np.einsum("bfsr,bgsr,bsr->bfg", slope, slope, counts.sum(axis=2, keepdims=True) / p)
        ridge = np.einsum("bff->bf", known) * damp[left, None] + 1e-6
        move = np.linalg.solve(known + ridge[:, :, None] * np.eye(len(free)), gradient[..., None])[..., 0]
        new = here.copy()
        new[:, free] = np.clip(here[:, free] + np.clip(move, -1.5, 1.5), low, high)
        gain = (counts * np.log(_cells(new, heavy))).sum(axis=(1, 2)) - top[left]
        better = gain > 0
        theta[left], top[left] = np.where(better[:, None], new, here), top[left] + np.where(better, gain, 0)
        damp[left] = np.clip(damp[left] * np.where(better, 0.2, 6), 1e-9, None)
        left = left[~(better & (gain < 1e-5) & (damp[left] < 1)) & (damp[left] < 1e7)]
        if not left.size:
            break
    return theta, top


def _cells(theta: FloatArray, heavy: bool) -> FloatArray:
    """P(rating | class), shape ``(..., 2, 2K)``."""
    d, c = theta[..., 0], theta[..., 1]
    spread, *wrong, noise, ratio = (np.exp(theta[..., at]) for at in range(2, len(NAMES)))
    cuts = np.cumsum(np.exp(theta[..., len(NAMES) :]).reshape(*d.shape, 1, 2, -1), axis=-1)
    width = np.stack([np.ones_like(spread), spread], axis=-1)[..., None]
    mean = np.stack([-d / 2 - c, d / 2 - c], axis=-1)
    out = np.stack([-mean, mean], axis=-1) / width  # by class and side: how far outwards from c
    needed, seen = cuts / width[..., None], (ratio[..., None, None] * out)[..., None]
    if noise.any():
        needed = needed[..., None] * np.exp(noise[..., None, None, None, None] * _NODES)
        farther = _curve(seen[..., None] - needed, heavy) @ _WEIGHTS
    else:
        farther = _curve(seen - needed, heavy)
    whole = _curve(out, heavy)[..., None]
    tail = np.concatenate([whole, farther * whole / _curve(seen, heavy), 0 * whole], axis=-1)
    sides = np.maximum(-np.diff(tail, axis=-1), 1e-13)
    made, share = (
        np.append(sides[..., 0, ::-1], sides[..., 1, :], axis=-1),
        np.stack(wrong, axis=-1)[..., None],
    )
    return np.asarray((1 - share) * made + share * made[..., ::-1, :])


def _curve(z: FloatArray, heavy: bool) -> FloatArray:
    """The normal distribution, or the logistic one that lies closest to it."""
    return np.asarray(expit(1.702 * z) if heavy else ndtr(z))
