"""Deliberately wrong twins: each changes one thing of what a fit believes, and is fitted to data of the right model."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import Array
from jax.nn import log_sigmoid

from metacog.sdt.bayes import _models, _single

_table, _group = _single.table_log_posterior, _models.log_group_posterior


def narrow_meta_d(x: dict[str, Array], counts: Array) -> Array:
    """A prior: meta-d' ~ N(d', 0.5), where its variance is 2.

    One about 0 with that variance is not told from the model by 512 fits (p .18): the data hardly let it count.
    """
    return _table(x, counts) - 0.75 * (x["meta_d"] - x["d1"]) ** 2


def logistic_ratings(x: dict[str, Array], counts: Array) -> Array:
    """A link: evidence behind ratings is logistic, where it is normal."""
    u = _single.distances(x["log_gaps"][..., None])[..., 0]  # (side, K-1)
    n = counts.sum(axis=2)
    d, c = x["d1"], x["c1"]
    total = _single.log_prior_type1(d, c) - 0.25 * (x["meta_d"] - d) ** 2
    total += _single.log_prior_criteria(c[None], x["log_gaps"][..., None])[0]
    for i, sign in enumerate((-1.0, 1.0)):
        z = 0.5 * sign * d - c
        total += n[i, 0] * _single._log_phi(z) + n[i, 1] * _single._log_phi(-z)
        for side, outward in enumerate((1.0, -1.0)):
            z0 = outward * (c - 0.5 * sign * x["meta_d"])
            tail = jnp.exp(log_sigmoid(-z0 - u[side]) - log_sigmoid(-z0))
            tail = jnp.concatenate([jnp.ones(1), tail, jnp.zeros(1)])
            p = jnp.maximum(tail[:-1] - tail[1:], _single.FLOOR)
            total += (counts[i, side] * jnp.log(p / p.sum())).sum()
    return total


def gaps_without_jacobian(x: dict[str, Array], counts: Array) -> Array:
    """A dropped term: the Jacobian of the logarithms of the distances between criteria."""
    return _table(x, counts) - x["log_gaps"].sum()


def narrow_mu(x: dict[str, Array], data: Any) -> Array:
    """A prior: mu ~ N(0, 0.5 squared), where its sd is 1."""
    return _group(x, data) - 1.5 * (x["mu"] ** 2).sum()


def mean_of_m(x: dict[str, Array], data: Any) -> Array:
    """A link: mu is the logarithm of the mean M-ratio, where it is the mean of the logarithm."""
    mu = x["mu"] - 0.5 * _models.spread(x["sigma"]) ** 2
    return _group({**x, "mu": mu}, data) + 0.5 * ((mu**2).sum() - (x["mu"] ** 2).sum())
