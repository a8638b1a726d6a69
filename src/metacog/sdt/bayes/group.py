"""Hierarchical meta-d' over subjects (or models), also measured repeatedly over tasks, with NumPyro."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _meta_d_batch as engine
from .._checks import FloatArray, InputError
from .diagnostics import convergence
from .fit import check_sizes, check_tables, starts
from .record import Posterior, _summarise

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class GroupFit:
    """Posterior of a group of S tables in C conditions.

    Attributes
    ----------
    m_ratio, mu : Posterior
        Of each condition's group, arrays of shape (C,): exp(mu), and mu, the mean of log M-ratio.
    sigma : Posterior
        Standard deviation of log M-ratio about its condition's mean, within subjects where these are
        measured in several conditions; shape (1,).
    tau : Posterior
        Standard deviation between subjects of what they share over conditions; shape (1,), NaN where no
        subject is measured twice.
    table_m_ratio, table_d_prime : Posterior
        Of each table, shape (S,), drawn towards the group.
    conditions, subjects : tuple of str
        Names of the conditions; subject and condition of each table are `subjects` and `condition_of`.
    condition_of : tuple of str
    r_hat, ess_bulk, ess_tail : float
        Worst over all parameters.
    divergences : int
    level : float
    seed : int
    group_draws : array, shape (chains, draws, C + 2)
        mu of each condition, sigma, tau.
    """

    m_ratio: Posterior
    mu: Posterior
    sigma: Posterior
    tau: Posterior
    table_m_ratio: Posterior
    table_d_prime: Posterior
    conditions: tuple[str, ...]
    subjects: tuple[str, ...]
    condition_of: tuple[str, ...]
    r_hat: float
    ess_bulk: float
    ess_tail: float
    divergences: int
    level: float
    seed: int
    group_draws: FloatArray = field(repr=False)

    def difference(self, first: str, second: str) -> Posterior:
        """Posterior of mu of one condition minus mu of another: the log ratio of their M-ratios."""
        for name in (first, second):
            if name not in self.conditions:
                raise InputError(f"no condition named {name!r}; there are {', '.join(self.conditions)}")
        i, j = self.conditions.index(first), self.conditions.index(second)
        return _summarise((self.group_draws[..., i] - self.group_draws[..., j])[None], self.level)

    def summary(self) -> pd.DataFrame:
        """Group rows: quantity, condition, estimate, lower, upper, r_hat, ess."""
        import pandas as pd

        rows = []
        for name in ("m_ratio", "mu", "sigma", "tau"):
            p: Posterior = getattr(self, name)
            for i in range(len(p.estimate)):
                where = self.conditions[i] if name in ("m_ratio", "mu") else ""
                rows.append((name, where, p.estimate[i], p.lower[i], p.upper[i], p.r_hat[i], p.ess[i]))
        return pd.DataFrame(
            rows, columns=["quantity", "condition", "estimate", "lower", "upper", "r_hat", "ess"]
        )


def fit_group(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    subject: Sequence[str] | None = None,
    condition: Sequence[str] | None = None,
    n_chains: int = 4,
    n_draws: int = 1000,
    n_warmup: int = 1000,
    seed: int = 42,
    level: float = 0.95,
) -> GroupFit:
    """Hierarchical meta-d': log M-ratio is normal over subjects (Fleming 2017), sampled non-centred.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (S, 2K)
        One table a row, S >= 2.
    subject, condition : sequences of str, length S, optional
        Whose table it is, and of which task. Where a subject has several tables its log M-ratios share a
        normal effect (repeated measures): log M = mu_condition + tau b_subject + sigma e.
    n_chains, n_draws, n_warmup, seed, level
        As in `fit_bayes`.

    Raises
    ------
    InputError
        Bad counts; fewer than two tables; labels of another length; a subject twice in one condition.

    Notes
    -----
    mu ~ N(0, 1), sigma and tau ~ half-N(1); type-1 parameters and criteria have the priors of
    `fit_bayes`, each table its own. M-ratio is positive here, so meta-d' has the sign of d'. The non-centred
    form suits tables of some hundred trials; with thousands a table and repeated measures a few draws can
    diverge, which the record counts: then draw more.
    """
    a, b = check_tables(nR_S1, nR_S2)
    check_sizes(n_chains, n_draws, n_warmup, level)
    who, where = _labels(len(a), subject, condition)
    names, people = tuple(dict.fromkeys(where)), tuple(dict.fromkeys(who))
    repeated = len(people) < len(who)
    from . import _sampling

    data = {
        "counts": np.stack([engine._fold(a), engine._fold(b)]),
        "condition": np.array([names.index(x) for x in where]),
        "subject": np.array([people.index(x) for x in who]),
    }
    start = _group_starts(a, b, len(names), len(people), repeated, n_chains, seed)
    # with repeated measures a subject's and a table's own effects move against each other: a dense block
    block = ("b", "e", "log_sigma", "log_tau", "mu")
    dense, target = ((block,), 0.95) if repeated else (False, 0.9)
    with engine._float64():
        run = _sampling.sampler(_log_posterior(), n_warmup, n_draws, dense, target)
        out = run(
            _sampling.keys(seed, 1, n_chains),
            {k: v[None] for k, v in data.items()},
            {k: v[None] for k, v in start.items()},
        )
        x = {name: np.asarray(v)[0] for name, v in out.position.items()}
        diverging = np.asarray(out.diverging)[0]
    return _build(x, diverging, data, names, who, where, level, seed)


def _labels(
    size: int, subject: Sequence[str] | None, condition: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if size < 2:
        raise InputError("A group needs at least two tables; use `fit_bayes` for one.")
    who = tuple(str(x) for x in subject) if subject is not None else tuple(str(i) for i in range(size))
    where = tuple(str(x) for x in condition) if condition is not None else ("all",) * size
    if len(who) != size or len(where) != size:
        raise InputError(f"subject and condition must have one label for each of the {size} tables.")
    if len(set(zip(who, where, strict=True))) < size:
        raise InputError("A subject has two tables in one condition: add them up, or name their conditions.")
    return who, where


@lru_cache(maxsize=1)
def _log_posterior() -> Any:
    """The group's log posterior density, a function of position and data."""
    import jax.numpy as jnp
    from jax import Array

    from . import _model

    def log_posterior(x: dict[str, Array], data: dict[str, Array]) -> Array:
        sigma, tau = jnp.exp(x["log_sigma"]), jnp.exp(x["log_tau"])
        log_m = x["mu"][data["condition"]] + sigma * x["e"]
        if x["b"].size:  # repeated measures
            log_m += (tau * x["b"])[data["subject"]]
        u = _model.distances(x["log_gaps"])
        prior = -0.5 * ((x["mu"] ** 2).sum() + (x["e"] ** 2).sum() + (x["b"] ** 2).sum())
        prior += (-0.5 * sigma**2 + x["log_sigma"]).sum() + (-0.5 * tau**2 + x["log_tau"]).sum()
        each = _model.log_prior_type1(x["d1"], x["c1"]) + _model.log_prior_criteria(x["c1"], x["log_gaps"])
        each += _model.log_likelihood(x["d1"], x["c1"], jnp.exp(log_m) * x["d1"], u, data["counts"])
        return prior + each.sum()

    return log_posterior


def _group_starts(
    a: FloatArray, b: FloatArray, n_conditions: int, n_subjects: int, repeated: bool, n_chains: int, seed: int
) -> dict[str, FloatArray]:
    """Dispersed starts, arrays of shape (chains, ...); without repeated measures there is no tau and no b."""
    single = starts(a, b, n_chains, seed)
    rng = np.random.default_rng([seed, 1])
    n_tau = 1 if repeated else 0
    return {
        "d1": single["d1"].T,
        "c1": single["c1"].T,
        "log_gaps": np.moveaxis(single["log_gaps"], 0, -1),
        "mu": rng.normal(-0.2, 0.2, (n_chains, n_conditions)),
        "log_sigma": rng.normal(-1.2, 0.3, (n_chains, 1)),
        "log_tau": rng.normal(-1.2, 0.3, (n_chains, n_tau)),
        "e": rng.normal(0, 0.3, (n_chains, len(a))),
        "b": rng.normal(0, 0.3, (n_chains, n_subjects * n_tau)),
    }


def _build(
    x: dict[str, FloatArray],
    diverging: NDArray[np.bool_],
    data: dict[str, Any],
    names: tuple[str, ...],
    who: tuple[str, ...],
    where: tuple[str, ...],
    level: float,
    seed: int,
) -> GroupFit:
    sigma = np.exp(x["log_sigma"])
    tau = np.exp(x["log_tau"]) if x["log_tau"].shape[-1] else np.full_like(sigma, np.nan)
    log_m = x["mu"][..., data["condition"]] + sigma * x["e"]
    if x["b"].shape[-1]:
        log_m = log_m + tau * x["b"][..., data["subject"]]
    every = np.concatenate([v.reshape(*v.shape[:2], -1) for v in x.values()], axis=-1)
    worst = convergence(np.moveaxis(every, -1, 0))

    def posterior(draws: FloatArray) -> Posterior:
        return _summarise(np.moveaxis(draws, -1, 0), level)

    return GroupFit(
        m_ratio=posterior(np.exp(x["mu"])),
        mu=posterior(x["mu"]),
        sigma=posterior(sigma),
        tau=posterior(tau),
        table_m_ratio=posterior(np.exp(log_m)),
        table_d_prime=posterior(x["d1"]),
        conditions=names,
        subjects=who,
        condition_of=where,
        r_hat=float(worst.r_hat.max()),
        ess_bulk=float(worst.ess_bulk.min()),
        ess_tail=float(worst.ess_tail.min()),
        divergences=int(diverging.sum()),
        level=level,
        seed=seed,
        group_draws=np.concatenate([x["mu"], sigma, tau], axis=-1),
    )
