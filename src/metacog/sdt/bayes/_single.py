"""The log posterior of the single-subject model of HMeta-d (Fleming 2017), with d' estimated jointly.

Type 1: hits and false alarms are binomial with Phi(d1/2 - c1) and Phi(-d1/2 - c1). Type 2: given stimulus
and response, ratings are multinomial with the areas of N(-meta_d/2, 1) and N(meta_d/2, 1) between the
criteria; the type-1 criterion enters as it is, not scaled by meta_d/d1 as in the maximum-likelihood model.
The areas come from the same function as that model's (`_meta_d_kernel.cell_areas`).

Layout as in the kernel: arrays end in the batch axis B; before it come stimulus (S1, S2), side (respond
S2, respond S1) and cell, innermost first.
"""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array
from jax.scipy.special import erfc

from metacog.sdt._meta_d_kernel import cell_areas

FLOOR = 1e-5  # of a cell's probability, and the least distance of a criterion from the type-1 criterion

_ROOT2 = 2.0**0.5


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


def table_log_posterior(position: dict[str, Array], counts: Array) -> Array:
    """Log posterior density of one table, up to a constant: a position without the batch axis, counts `(2, 2, K)`.

    `log_gaps`, `(2 sides, K-1)`, are logarithms of the distances between neighbouring criteria.
    """
    d1, c1, meta_d, log_gaps = (position[name][..., None] for name in ("d1", "c1", "meta_d", "log_gaps"))
    prior = log_prior_type1(d1, c1) - 0.25 * (meta_d - d1) ** 2
    prior = prior + log_prior_criteria(c1, log_gaps)
    return (prior + log_likelihood(d1, c1, meta_d, distances(log_gaps), counts[..., None]))[0]
