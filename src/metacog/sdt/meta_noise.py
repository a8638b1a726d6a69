"""Lognormal noise in confidence (meta-noise, meta-uncertainty): batched fits with profile intervals, in JAX.

Evidence is N(-d'/2, 1) or N(d'/2, 1) and the choice is by its side of c. Confidence is the distance of the evidence
from c; in each trial all thresholds of confidence are multiplied by one lognormal number exp(sigma N(0, 1))
(meta-noise: Shekhar & Rahnev 2021, Psychological Review 128, 45-70). To divide the distance by a lognormal number with
mean 1 and standard deviation sigma_m (meta-uncertainty: Boundy-Singer, Ziemba & Goris 2023, Nature Human Behaviour 7,
142-154) is the same model of one table: sigma_m^2 = exp(sigma^2) - 1, and thresholds are free. The two differ once
thresholds are shared by conditions of different difficulty.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from metacog.sdt._meta_d_batch import _float64
from metacog.sdt.checks import FloatArray, check_batch

#: Noise is looked for between these; beyond the last a table tells no more of it.
LEAST, MOST = 0.02, 4.0
#: Half of the 95 % point of chi-square with one degree of freedom.
DROP = 1.9207
#: Places of the noise (in its standard deviations) over which the probability of a rating is summed.
_NODES = np.linspace(-6.0, 6.0, 81)
#: Steps of a fit, of one with a given noise, and of the search for the end of an interval.
_STEPS, _PROFILE, _HALVINGS = 40, 12, 10


@dataclass(frozen=True, eq=False)
class MetaNoise:
    """Of B tables: the noise and the ends of its 95 % profile interval.

    Attributes
    ----------
    noise : array, shape (B,)
        Standard deviation of the logarithm of the noise.
    lower, upper : array, shape (B,)
        0 where no noise is not excluded, and infinity where any amount of it is not.
    """

    noise: FloatArray
    lower: FloatArray
    upper: FloatArray

    @property
    def meta_uncertainty(self) -> FloatArray:
        """The standard deviation of a lognormal number with mean 1, by which confidence is divided."""
        return np.sqrt(np.expm1(self.noise**2))


def fit_meta_noise(nR_S1: ArrayLike, nR_S2: ArrayLike, *, interval: bool = True) -> MetaNoise:
    """Most likely noise in confidence of many tables of counts, with profile intervals.

    d' and c are those of the choices; the noise and the thresholds of each side are the most likely ones given these.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape ``(B, 2K)``
        In the order of Maniscalco & Lau (2012), no cell empty (:func:`metacog.sdt.padding`).
    interval : bool
        Without them the ends are NaN, which takes a tenth of the time.

    Returns
    -------
    MetaNoise

    Raises
    ------
    InputError
        Bad counts, or fewer than two ratings.

    Examples
    --------
    >>> from metacog.sdt import NoisyConfidenceObserver, fit_meta_noise
    >>> p1, p2 = NoisyConfidenceObserver(1.5, noise=0.6, lognormal=True).probabilities()
    >>> fit = fit_meta_noise([5000 * p1], [5000 * p2])
    >>> print(f"{fit.noise[0]:.2f}, {fit.lower[0]:.1f} to {fit.upper[0]:.1f}")
    0.60, 0.5 to 0.7
    """
    a, b = check_batch(nR_S1, nR_S2, min_ratings=2)
    k = a.shape[1] // 2
    hit, alarm = (ndtri(x[:, k:].sum(axis=1) / x.sum(axis=1)) for x in (b, a))
    d, c = hit - alarm, -(hit + alarm) / 2
    mean = np.stack(
        [np.stack([-d / 2 - c, d / 2 - c], axis=1), np.stack([d / 2 + c, -d / 2 + c], axis=1)], axis=2
    )
    n = np.stack(
        [np.stack([x[:, k:], x[:, k - 1 :: -1]], axis=1) for x in (a, b)], axis=1
    )  # stimulus, side, rating
    used = n.sum(axis=1)
    share = np.cumsum(used[:, :, ::-1], axis=2)[:, :, -2::-1] / used.sum(axis=2, keepdims=True)
    start = -ndtri(share * 0.49)  # thresholds of an observer who sees next to nothing
    gaps = np.log(np.maximum(np.diff(start, axis=2, prepend=0.0), 1e-3)).reshape(len(a), -1)
    with _float64():
        import jax.numpy as jnp

        data = tuple(jnp.asarray(x) for x in (n, mean))

        def best(noise: FloatArray, theta: Any) -> tuple[FloatArray, Any]:
            made, top = _fit(True, _PROFILE)(
                jnp.concatenate([jnp.log(jnp.asarray(noise))[:, None], theta[:, 1:]], 1), *data
            )
            return np.asarray(top), made

        theta = jnp.asarray(np.column_stack([np.log(np.full(len(a), 0.5)), gaps]))
        theta, _ = _fit(True, _PROFILE)(theta, *data)
        theta, top = (x for x in _fit(False, _STEPS)(theta, *data))
        noise, top = np.exp(np.asarray(theta[:, 0])).clip(LEAST, MOST), np.asarray(top)
        if not interval:
            return MetaNoise(noise, np.full(len(a), np.nan), np.full(len(a), np.nan))
        ends = []
        for limit in (LEAST, MOST):
            inside, outside = np.log(noise), np.full(len(a), np.log(limit))
            open_ended = top - best(np.exp(outside), theta)[0] < DROP
            for _ in range(_HALVINGS):
                middle = (inside + outside) / 2
                near = top - best(np.exp(middle), theta)[0] < DROP
                inside, outside = np.where(near, middle, inside), np.where(near, outside, middle)
            ends.append(
                np.where(open_ended, 0.0 if limit == LEAST else np.inf, np.exp((inside + outside) / 2))
            )
    return MetaNoise(noise, *ends)


@cache
def _fit(fixed: bool, steps: int) -> Any:
    """Fisher scoring with damping, compiled: parameters (B, 1 + 2(K-1)), counts and means to parameters and maximum."""
    import jax
    import jax.numpy as jnp
    from jax.scipy.special import ndtr

    weight = jnp.asarray(np.exp(-(_NODES**2) / 2) / np.exp(-(_NODES**2) / 2).sum())

    def cells(theta: Any, mean: Any) -> Any:
        """P(rating | stimulus, response), shape (2 stimuli, 2 sides, K)."""
        cuts = jnp.cumsum(jnp.exp(theta[1:]).reshape(2, -1), axis=1)
        needed = cuts[:, :, None] * jnp.exp(jnp.exp(theta[0]) * jnp.asarray(_NODES))
        beyond = ndtr(mean[:, :, None, None] - needed[None]) @ weight / ndtr(mean)[:, :, None]
        edge = jnp.ones((2, 2, 1))
        return jnp.maximum(-jnp.diff(jnp.concatenate([edge, beyond, 0 * edge], axis=2), axis=2), 1e-12)

    def one(theta: Any, n: Any, mean: Any) -> Any:
        total = n.sum(axis=2, keepdims=True)
        free = jnp.ones_like(theta).at[0].set(0.0 if fixed else 1.0)

        def value(x: Any) -> Any:
            return (n * jnp.log(cells(x, mean))).sum()

        def step(_: int, state: Any) -> Any:
            x, top, damp = state
            p, slope = cells(x, mean), jax.jacfwd(cells)(x, mean) * free
            gradient = jnp.einsum("srk,srkp->p", n / p, slope)
            known = jnp.einsum("srkp,srkq,srk->pq", slope, slope, total / p)
            size = jnp.diag(known) * damp + 1e-9 + (1 - free)
            move = jnp.clip(jnp.linalg.solve(known + jnp.diag(size), gradient) * free, -1.0, 1.0)
            new = (
                jnp.clip(x + move, -12.0, 6.0)
                .at[0]
                .set(jnp.clip(x[0] + move[0], np.log(LEAST), np.log(MOST)))
            )
            reached = value(new)
            better = reached > top
            return (
                jnp.where(better, new, x),
                jnp.where(better, reached, top),
                jnp.where(better, damp / 4, damp * 6),
            )

        return jax.lax.fori_loop(0, steps, step, (theta, value(theta), 1e-3))[:2]

    return jax.jit(jax.vmap(one))
