"""Marginal likelihood of log M-ratio of single tables, by importance sampling about the conditional mode.

Given its log M-ratio l, a table's other coordinates x = (d1, c1, log gaps) are independent of the group and
their density is single-peaked and near normal. So L(l), the integral of prior and likelihood over x, is
computed once for each table on a grid of l: the mode and curvature by damped Newton steps (Laplace), then
the ratio to that normal is averaged over draws from a multivariate t about it, the same draws at every l,
so that L is smooth. What is left of the group is a model of one number per table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from scipy.special import gammaln, ndtri
from scipy.stats import chi2, qmc

from metacog.sdt.bayes._single import distances, log_likelihood, log_prior_criteria, log_prior_type1
from metacog.sdt.checks import FloatArray, InputError

NODES = 33  # of the grid of l

WIDEST = (-5.0, 3.0)  # log M-ratio: from 0.007 to 20

DEPTH = 30.0  # the grid ends where log L has fallen by this

DRAWS = 512  # of the importance sample at each node

DEGREES = 8.0  # of freedom of the t distribution

_CHUNK = 8  # tables handled at once, so that groups of any size share one compiled program

_PASSES = 4

_STEPS = 60  # of Newton's method, at most

_GAIN = 1e-9  # of log density that a step must still promise


class Marginal(NamedTuple):
    """Of S tables at G nodes with N importance draws each."""

    nodes: FloatArray  # (S, G) log M-ratio, evenly spaced for each table
    log_l: FloatArray  # (S, G) log marginal likelihood
    efficiency: FloatArray  # (S, G) effective importance draws over N
    d_prime: FloatArray  # (S, G, N) draws of d1
    weight: FloatArray  # (S, G, N) their weights, which sum to one


def log_joint(x: Array, log_m: Array, counts: Array) -> Array:
    """Log density of one table's coordinates x, `(2 + 2(K-1),)`, and its counts, given log M-ratio."""
    d1, c1, gaps = x[0], x[1], x[2:].reshape(2, -1)
    one = lambda v: v[..., None]  # noqa: E731  (the model's batch axis)
    u = distances(one(gaps))
    prior = log_prior_type1(one(d1), one(c1)) + log_prior_criteria(one(c1), one(gaps))
    meta_d = one(jnp.exp(log_m) * d1)
    return (prior + log_likelihood(one(d1), one(c1), meta_d, u, one(counts)))[0]


def _derivatives(x: Array, log_m: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Value, gradient and minus the Hessian of `log_joint`, in one sweep: the program stays small."""

    def pushed(v: Array) -> Any:
        both = jax.value_and_grad(log_joint)
        return jax.jvp(lambda y: both(y, log_m, counts), (x,), (v,))

    (f, g), (_, h) = jax.vmap(pushed, out_axes=((None, None), (0, 0)))(jnp.eye(len(x)))
    return f, g, -0.5 * (h + h.T)


def _climb(x: Array, log_m: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Mode of `log_joint` over x, the log density and minus the Hessian there, by damped Newton steps.

    Each pass evaluates a trial point: it becomes the base of a new step if the density did not fall, else
    the step is cut and the Hessian damped (Levenberg).
    """

    def unfinished(state: Any) -> Array:
        return (state[0] < _STEPS) & ~state[-1]

    def one_pass(state: Any) -> Any:
        i, x, move, f, g, h, damping, definite, _ = state
        trial = _derivatives(x + move, log_m, counts)
        better = (trial[0] >= f) & definite
        x = jnp.where(better, x + move, x)
        f, g, h = (jnp.where(better, new, old) for new, old in zip(trial, (f, g, h), strict=True))
        damping = jnp.where(better, jnp.where(damping > 1e-4, 0.03 * damping, 0.0), 8.0 * damping + 1e-3)
        root = jnp.linalg.cholesky(h + damping * jnp.diag(1.0 + jnp.abs(jnp.diag(h))))
        definite = jnp.isfinite(root[-1, -1])
        move = jnp.where(definite, jax.scipy.linalg.cho_solve((root, True), g), 0.0)
        done = (definite & (g @ move < _GAIN) & (damping < 1e-2)) | (damping > 1e6)
        return i + 1, x, move, f, g, h, damping, definite, done

    # `- inf`: the start is the first trial
    yes, no, zero = jnp.array(True), jnp.array(False), 0.0 * x
    start = (0, x, zero, jnp.array(-jnp.inf), zero, jnp.eye(len(x)), jnp.array(0.0), yes, no)
    _, x, _, f, _, h, _, _, _ = jax.lax.while_loop(unfinished, one_pass, start)
    return x, f, h


@jax.jit
def _modes(x: Array, log_m: Array, counts: Array) -> tuple[Array, ...]:
    """Modes `(T, G, D)`, inverse roots of the curvature there and Laplace's log L of T tables.

    From a start x `(T, D)` for the middle node outwards: each node starts from its neighbour's mode.
    """

    def step(x: Array, log_m: Array, counts: Array) -> tuple[Array, tuple[Array, Array, Array]]:
        x, f, h = _climb(x, log_m, counts)
        root = jnp.linalg.cholesky(h)
        unit = jax.scipy.linalg.solve_triangular(root, jnp.eye(len(x)), lower=True).T
        laplace = f + 0.5 * len(x) * jnp.log(2 * jnp.pi) - jnp.log(jnp.diag(root)).sum()
        return x, (x, unit, laplace)

    def table(x: Array, log_m: Array, counts: Array) -> tuple[Array, ...]:
        half = NODES // 2
        ways = jnp.stack([log_m[half::-1], log_m[half:]])
        both = jax.vmap(lambda way: jax.lax.scan(lambda x, at: step(x, at, counts), x, way)[1])(ways)
        return tuple(jnp.concatenate([v[0, :0:-1], v[1]]) for v in both)

    return jax.vmap(table)(x, log_m, counts)


@jax.jit
def _average(x: Array, unit: Array, log_m: Array, counts: Array, z: Array, log_q: Array) -> Any:
    """log L, efficiency, draws of d1 and their weights from standard draws z `(N, D)` of density log_q."""

    def one(x: Array, unit: Array, log_m: Array, counts: Array) -> Any:
        at = x + z @ unit.T
        log_w = jax.vmap(log_joint, (0, None, None))(at, log_m, counts) - log_q
        top = log_w.max()
        w = jnp.exp(log_w - top)
        log_l = top + jnp.log(w.mean()) + jnp.log(jnp.diag(unit)).sum()
        return log_l, w.sum() ** 2 / (w**2).sum() / len(w), at[:, 0], w / w.sum()

    return jax.vmap(jax.vmap(one, (0, 0, 0, None)))(x, unit, log_m, counts)


@lru_cache(maxsize=8)
def _standard_draws(dimension: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Quasi-random draws of the t distribution `(DRAWS, dimension)` and their log densities."""
    p = qmc.Sobol(dimension + 1, rng=np.random.default_rng(seed)).random(DRAWS)
    p = np.clip(p, 1e-12, 1 - 1e-12)
    z = ndtri(p[:, 1:]) * np.sqrt(DEGREES / chi2.ppf(p[:, :1], DEGREES))
    half = 0.5 * (DEGREES + dimension)
    log_q = gammaln(half) - gammaln(0.5 * DEGREES) - 0.5 * dimension * np.log(np.pi * DEGREES)
    return z, log_q - half * np.log1p((z**2).sum(axis=1) / DEGREES)


def marginal(counts: FloatArray, start: FloatArray, seed: int) -> Marginal:
    """L(l) of tables `(S, 2, 2, K)` from starts of x `(S, D)`; float64 is switched on by the caller."""
    parts = []
    for first in range(0, len(counts), _CHUNK):
        rows = np.minimum(np.arange(first, first + _CHUNK), len(counts) - 1)  # the last table fills up
        part = _chunk(counts[rows], start[rows], seed)
        parts.append([v[: len(counts) - first] for v in part])
    out = Marginal(*(np.concatenate(v) for v in zip(*parts, strict=True)))
    bad = np.flatnonzero(~np.isfinite(out.log_l).all(axis=1))
    if bad.size:
        raise InputError(f"Table {bad[0]}: its likelihood has no peak; leave the table out, or fit it alone.")
    return out


def _chunk(counts: FloatArray, x: FloatArray, seed: int) -> Marginal:
    low, high = (np.full(len(counts), end) for end in WIDEST)
    rows = np.arange(len(counts))
    for _ in range(_PASSES):
        nodes = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, NODES)
        modes, unit, laplace = _modes(x, nodes, counts)
        laplace = np.asarray(laplace)
        inside = laplace > np.nanmax(laplace, axis=1, keepdims=True) - DEPTH
        first = np.maximum(inside.argmax(axis=1) - 1, 0)
        last = np.minimum(NODES - inside[:, ::-1].argmax(axis=1), NODES - 1)
        if (last - first >= NODES // 2).all():
            break
        narrow = last - first < NODES // 2
        low, high = np.where(narrow, nodes[rows, first], low), np.where(narrow, nodes[rows, last], high)
        middle = np.where(narrow, (first + last) // 2, NODES // 2)
        x = np.asarray(modes)[rows, middle]  # near the next middle's mode
    z, log_q = _standard_draws(x.shape[-1], seed)
    rest = _average(modes, unit, nodes, counts, z, log_q)
    log_l, efficiency, d_prime, weight = (np.asarray(v) for v in rest)
    return Marginal(nodes, log_l, efficiency, d_prime, weight)
