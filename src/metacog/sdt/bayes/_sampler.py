"""NumPyro's no-U-turn sampler over many posteriors at once: one program for all tables and chains."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

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
