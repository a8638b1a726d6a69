"""The Bayesian models of `metacog.sdt.bayes` as their documentation states them, written in NumPyro's own words.

They share no line with the code under test, which writes its log densities by hand, in other coordinates and with most
parameters integrated out. Prior draws with their data come from them (`simulate`).
Everything here runs in float64, which the caller switches on (`float64`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from jax import Array
from jax.scipy.special import log_ndtr
from numpy.typing import NDArray
from numpyro.infer import Predictive

FLOOR = 1e-5  # of a cell's share, and the least distance of a criterion from the type-1 criterion
SD_SHARP, SD_WIDE = 0.5**0.5, 2.0**0.5  # of precisions 2 and 0.5

BATCH = 64  # data sets simulated at once


def float64() -> AbstractContextManager[Any]:
    """Float64 in a block."""
    return jax.enable_x64(True)


def shares(d: Array, c: Array, meta_d: Array, left: Array, right: Array) -> Array:
    """P(rating and response | stimulus), `(..., 2 stimuli, 2K)`, in the order of Maniscalco & Lau.

    `left` and `right` are the criteria `(..., K-1)` of responses S1 and S2, from left to right.
    """
    whole = jnp.stack([-0.5 * meta_d, 0.5 * meta_d], axis=-1)[..., None]
    edge = c[..., None, None]
    below = _given(whole - edge, whole - left[..., None, ::-1])[..., ::-1]
    above = _given(edge - whole, right[..., None, :] - whole)
    z = jnp.stack([c + 0.5 * d, c - 0.5 * d], axis=-1)[..., None]
    return jnp.concatenate([jnp.exp(log_ndtr(z)) * below, jnp.exp(log_ndtr(-z)) * above], axis=-1)


def _given(first: Array, further: Array) -> Array:
    """Shares of a normal tail from `first` on, cut at `further` `(..., K-1)`: floored and summing to one."""
    log_tail = log_ndtr(-further) - log_ndtr(-first)
    tail = jnp.concatenate([jnp.ones_like(first), jnp.exp(log_tail), jnp.zeros_like(first)], axis=-1)
    p = jnp.maximum(tail[..., :-1] - tail[..., 1:], FLOOR)
    return p / p.sum(axis=-1, keepdims=True)


def _criteria(c: Array, k: int) -> tuple[Array, Array]:
    shape = (*c.shape, k - 1)
    low = dist.TruncatedNormal(0.0, SD_SHARP, high=(c - FLOOR)[..., None]).expand(shape)
    high = dist.TruncatedNormal(0.0, SD_SHARP, low=(c + FLOOR)[..., None]).expand(shape)
    found = numpyro.sample("unsorted_left", low.to_event(len(shape)))
    more = numpyro.sample("unsorted_right", high.to_event(len(shape)))
    left, right = jnp.sort(found, axis=-1), jnp.sort(more, axis=-1)
    return numpyro.deterministic("left", left), numpyro.deterministic("right", right)


def _observe(trials: int | NDArray[np.int64], p: Array, counts: Array | None) -> None:
    numpyro.deterministic("shares", p)
    numpyro.sample("counts", dist.Multinomial(trials, probs=p).to_event(p.ndim - 1), obs=counts)


def single(trials: int | NDArray[np.int64], k: int, counts: Array | None = None) -> None:
    """One table: the model of `fit_bayes`. `trials` is that of each stimulus."""
    d = numpyro.sample("d_prime", dist.Normal(0.0, SD_WIDE))
    c = numpyro.sample("c", dist.Normal(0.0, SD_SHARP))
    meta_d = numpyro.sample("meta_d", dist.Normal(d, SD_WIDE))
    _observe(trials, shares(d, c, meta_d, *_criteria(c, k)), counts)


def group(
    trials: int | NDArray[np.int64],
    k: int,
    condition: NDArray[np.int64],
    subject: NDArray[np.int64] | None,
    counts: Array | None = None,
) -> None:
    """The model of `fit_group`, all parameters of all tables at once; `subject` where tables share a subject."""
    size = len(condition)
    mu = numpyro.sample("mu", dist.Normal(0.0, 1.0).expand([condition.max() + 1]).to_event(1))
    sigma = numpyro.sample("sigma", dist.HalfNormal(1.0))
    e = numpyro.sample("e", dist.Normal(0.0, 1.0).expand([size]).to_event(1))
    log_m = mu[condition] + sigma * e
    if subject is not None:
        tau = numpyro.sample("tau", dist.HalfNormal(1.0))
        b = numpyro.sample("b", dist.Normal(0.0, 1.0).expand([subject.max() + 1]).to_event(1))
        log_m = log_m + tau * b[subject]
    numpyro.deterministic("log_m", log_m)
    d = numpyro.sample("d_prime", dist.Normal(0.0, SD_WIDE).expand([size]).to_event(1))
    c = numpyro.sample("c", dist.Normal(0.0, SD_SHARP).expand([size]).to_event(1))
    _observe(trials, shares(d, c, jnp.exp(log_m) * d, *_criteria(c, k)), counts)


@lru_cache(maxsize=8)
def _simulator(model: Callable[..., None], arguments: tuple[Any, ...]) -> Callable[[Array], dict[str, Array]]:
    given = tuple(np.array(x) if isinstance(x, tuple) else x for x in arguments)

    def one(key: Array) -> dict[str, Array]:
        drawn = Predictive(model, num_samples=1)(key, *given)
        return {name: v[0] for name, v in drawn.items()}

    return jax.jit(jax.vmap(one))


def simulate(
    model: Callable[..., None], arguments: tuple[Any, ...], seed: int, numbers: list[int]
) -> dict[str, NDArray[np.float64]]:
    """Parameters from the prior, and counts given these; data set number i is the same in any company."""
    padded = np.resize(numbers, -(-len(numbers) // BATCH) * BATCH)  # so that few programs are compiled
    with float64():
        base = jax.random.PRNGKey(seed)
        keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(base, jnp.asarray(padded))
        found = _simulator(model, arguments)(keys).items()
    return {name: np.asarray(v)[: len(numbers)] for name, v in found}


def log_likelihood(counts: NDArray[np.float64], p: Array) -> NDArray[np.float64]:
    """Of counts `(..., 2, 2K)` under shares, without the constant of the counts."""
    return np.asarray((counts * np.log(np.asarray(p))).sum(axis=(-2, -1)))
