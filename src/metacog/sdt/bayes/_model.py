"""The log posterior of the single-subject model of HMeta-d (Fleming 2017), with d' estimated jointly.

Type 1: hits and false alarms are binomial with Phi(d1/2 - c1) and Phi(-d1/2 - c1). Type 2: given stimulus
and response, ratings are multinomial with the areas of N(-meta_d/2, 1) and N(meta_d/2, 1) between the
criteria; the type-1 criterion enters as it is, not scaled by meta_d/d1 as in the maximum-likelihood model.
The areas come from the same function as that model's (`_meta_d_kernel.cell_areas`).

Layout as in the kernel: arrays end in the batch axis B; before it come stimulus (S1, S2), side (respond
S2, respond S1) and cell, innermost first.

NumPyro's no-U-turn sampler over many posteriors at once: one program for all tables and chains.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.special import erfc

from metacog.sdt._meta_d_kernel import cell_areas

Dense = (
    bool | tuple[tuple[str, ...], ...]
)  # a full mass matrix, or one for each of these blocks of parameters
LogDensity = Callable[[Any, Any], Array]  # (unconstrained position, data) -> log density, a scalar


class Chains(NamedTuple):
    """Draws of all problems; leading axes are problem, chain, draw."""

    position: Any
    diverging: Array
    steps: Array  # gradient evaluations of each draw


@lru_cache(maxsize=32)
def sampler(
    log_density: LogDensity, n_warmup: int, n_draws: int, dense: Dense, target: float
) -> Callable[[Array, Any, Any], Chains]:
    """One compiled function of keys (B, chains), data (B, ...) and starts (B, chains, ...).

    It is kept: problems of one shape are compiled once. Chains are independent of one another and each
    adapts its own step size and mass matrix.
    """
    from numpyro.infer import NUTS

    blocks = dense if isinstance(dense, bool) else list(dense)

    def one_chain(key: Array, data: Any, start: Any) -> Chains:
        kernel = NUTS(
            potential_fn=lambda x: -log_density(x, data), dense_mass=blocks, target_accept_prob=target
        )
        state = kernel.init(key, n_warmup, start, (), {})

        def step(state: Any, _: None) -> tuple[Any, Chains]:
            state = kernel.sample(state, (), {})  # adapts during its first n_warmup calls
            return state, Chains(state.z, state.diverging, state.num_steps)

        out = jax.lax.scan(step, state, None, length=n_warmup + n_draws)[1]
        return jax.tree.map(lambda x: x[n_warmup:], out)

    def all_chains(key: Array, data: Any, start: Any) -> Chains:
        # one flat axis: each further one would make JAX trace the sampler's nested loops several times over
        size, n_chains = key.shape[:2]
        data = jax.tree.map(lambda x: jnp.repeat(jnp.asarray(x), n_chains, axis=0), data)
        flat = jax.tree.map(lambda x: x.reshape(size * n_chains, *x.shape[2:]), (key, start))
        out = jax.vmap(one_chain)(flat[0], data, flat[1])
        return jax.tree.map(lambda x: x.reshape(size, n_chains, *x.shape[1:]), out)

    return jax.jit(all_chains)


def keys(seed: int, n_problems: int, n_chains: int) -> Array:
    """One random key for each problem and chain; a problem's keys do not depend on how many there are."""
    base = jax.random.PRNGKey(seed)
    fold = jax.vmap(jax.random.fold_in, in_axes=(None, 0))
    return jax.vmap(lambda key: fold(key, jnp.arange(n_chains)))(fold(base, jnp.arange(n_problems)))


FLOOR = 1e-5  # of a cell's probability, and the least distance of a criterion from the type-1 criterion
_ROOT2 = 2.0**0.5


class Parameters(NamedTuple):
    """Unconstrained coordinates of B tables."""

    d1: Array  # (B,)
    c1: Array  # (B,)
    meta_d: Array  # (B,)
    log_gaps: Array  # (2 sides, K-1, B) logarithms of the distances between neighbouring criteria


def _log_phi(z: Array) -> Array:
    """Logarithm of the normal distribution function; exact above z = -37, where its area ends in float64."""
    return jnp.log(jnp.maximum(0.5 * erfc(-z / _ROOT2), 1e-300))


def distances(log_gaps: Array) -> Array:
    """Criteria as distances from the type-1 criterion outwards, `(2, K-1, B)`."""
    return FLOOR + jnp.cumsum(jnp.exp(log_gaps), axis=1)


def cell_probabilities(c1: Array, meta_d: Array, u: Array) -> Array:
    """P(rating | stimulus, response), `(2, 2, K, B)`, floored at 1e-5 and scaled to sum to one."""
    mean = jnp.stack([-0.5 * meta_d - c1, 0.5 * meta_d - c1])
    r = cell_areas(mean, jnp.ones_like(mean), u, jnp.ones(u.shape, dtype=bool))
    p = jnp.maximum(r.p / r.total[:, :, None], FLOOR)
    return p / p.sum(axis=2, keepdims=True)


def log_likelihood(d1: Array, c1: Array, meta_d: Array, u: Array, counts: Array) -> Array:
    """Type-1 and type-2 log-likelihood of each table, `(B,)`, without the constant of the counts."""
    n = counts.sum(axis=2)  # (stimulus, side, B)
    hits = n[1, 0] * _log_phi(0.5 * d1 - c1) + n[1, 1] * _log_phi(c1 - 0.5 * d1)
    false_alarms = n[0, 0] * _log_phi(-0.5 * d1 - c1) + n[0, 1] * _log_phi(0.5 * d1 + c1)
    ratings = (counts * jnp.log(cell_probabilities(c1, meta_d, u))).sum(axis=(0, 1, 2))
    return hits + false_alarms + ratings


def log_prior_type1(d1: Array, c1: Array) -> Array:
    """d1 ~ N(0, precision 0.5), c1 ~ N(0, precision 2)."""
    return -0.25 * d1**2 - c1**2


def log_prior_criteria(c1: Array, log_gaps: Array) -> Array:
    """Ordered criteria, each N(0, precision 2) truncated at c1 -/+ 1e-5; with the Jacobian of `log_gaps`."""
    u = distances(log_gaps)
    spread = ((c1 + u[0]) ** 2 + (c1 - u[1]) ** 2).sum(axis=0)
    mass = _log_phi(-_ROOT2 * (c1 + FLOOR)) + _log_phi(_ROOT2 * (c1 - FLOOR))
    return -spread - u.shape[1] * mass + log_gaps.sum(axis=(0, 1))


def log_posterior(x: Parameters, counts: Array) -> Array:
    """Log posterior density of each table in the coordinates of `Parameters`, up to a constant, `(B,)`."""
    prior = log_prior_type1(x.d1, x.c1) - 0.25 * (x.meta_d - x.d1) ** 2
    prior = prior + log_prior_criteria(x.c1, x.log_gaps)
    return prior + log_likelihood(x.d1, x.c1, x.meta_d, distances(x.log_gaps), counts)


def table_log_posterior(position: dict[str, Array], counts: Array) -> Array:
    """`log_posterior` of one table: a position without the batch axis and counts `(2, 2, K)`."""
    x = Parameters(*(position[name][..., None] for name in Parameters._fields))
    return log_posterior(x, counts[..., None])[0]
