"""Hierarchical meta-d' over subjects (or models), also measured repeatedly over tasks, with NumPyro."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.sdt import _meta_d_batch as engine
from metacog.sdt.bayes.convergence import convergence
from metacog.sdt.bayes.record import Posterior, _summarise
from metacog.sdt.checks import FloatArray, InputError

if TYPE_CHECKING:
    import pandas as pd
from metacog.sdt.bayes.fit import check_sizes, check_tables, starts

_TABLE_DRAWS = 1000  # of each table's own values, spread over all chains


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
        Of each table, shape (S,), drawn towards the group; over fewer draws than the group's.
    conditions, subjects : tuple of str
        Names of the conditions; subject and condition of each table are `subjects` and `condition_of`.
    condition_of : tuple of str
    r_hat, ess_bulk, ess_tail : float
        Worst over the parameters that are sampled: every mu, sigma, tau.
    divergences : int
        Among the kept draws.
    importance_efficiency : array, shape (S,)
        Of each table's marginal likelihood: the least share of effective draws, at most 0.84, where that
        likelihood is not negligible. Below 0.05 (some 25 draws) do not rely on the table.
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
    importance_efficiency: FloatArray
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
    n_warmup: int = 500,
    seed: int = 42,
    level: float = 0.95,
) -> GroupFit:
    """Hierarchical meta-d': log M-ratio is normal over subjects (Fleming 2017).

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (S, 2K)
        One table per row, S >= 2.
    subject, condition : sequences of str, length S, optional
        Whose table it is, and of which task. Where a subject has several tables its log M-ratios share a
        normal effect (repeated measures): log M = mu_condition + tau b_subject + sigma e.
    n_chains, n_draws, n_warmup, seed, level
        As in `fit_bayes`.

    Returns
    -------
    GroupFit

    Raises
    ------
    InputError
        Bad counts; fewer than two tables; labels of another length; a subject twice in one condition; a
        table whose likelihood has no peak.

    Notes
    -----
    mu ~ N(0, 1), sigma and tau ~ half-N(1); type-1 parameters and criteria have the priors of
    `fit_bayes`, each table its own. M-ratio is positive here, so meta-d' has the sign of d'. Fleming's own
    group model holds d' and c at their estimates and draws criteria from a group too.

    Each table's d', c and criteria are integrated out first, on a grid of its log M-ratio (Laplace's
    approximation corrected by importance sampling), then the subjects' effects; only mu, sigma and tau are
    sampled. So neither many tables nor thousands of trials a table make the posterior hard to explore.
    Tables' own values are then drawn given those, at most about 1,000 times.

    The prior of the criteria pulls them inwards and M-ratio down with them: with 400 trials a table by 2.6 %
    of the M-ratio of the subjects drawn (`benchmarks/group_coverage.py`), less the more trials there are, and more
    with fewer: of 12 subjects with 120 trials each the group's M-ratio comes out some 13 % too low.

    Where groups are drawn from the priors, mu lies below its draws a little too often: in 500 simulated groups of eight
    tables its mean rank is .469 for .5 (p = .004 over all quantities, `data/simulations/sbc.csv`), which is a tenth of
    the posterior's standard deviation.

    Examples
    --------
    >>> from metacog.sdt import meta_d_observer
    >>> from metacog.sdt.bayes import fit_group
    >>> observer = meta_d_observer(1.5, m_ratio=0.8, n_ratings=3)
    >>> nR_S1, nR_S2 = observer.counts(400, n_tables=6, seed=1)  # six subjects
    >>> fit = fit_group(nR_S1, nR_S2, n_chains=2, n_draws=2000, n_warmup=300)
    >>> low, high = fit.m_ratio.lower[0], fit.m_ratio.upper[0]
    >>> print(f"{fit.m_ratio.estimate[0]:.1f} [{low:.1f}, {high:.1f}]")
    0.9 [0.7, 1.1]
    """
    a, b = check_tables(nR_S1, nR_S2)
    check_sizes(n_chains, n_draws, n_warmup, level)
    who, where = _labels(len(a), subject, condition)
    names, people = tuple(dict.fromkeys(where)), tuple(dict.fromkeys(who))
    index = np.array([names.index(x) for x in where]), np.array([people.index(x) for x in who])
    from metacog.sdt.bayes import _marginal, _models, _sampler

    counts = np.moveaxis(np.stack([engine._fold(a), engine._fold(b)]), -1, 0)
    with engine._float64():
        alone = _marginal.marginal(counts, _type1_starts(a, b), seed)
        t = _models.tables(alone, *index)
        start = _group_starts(t.centre[: len(a)], index[0], len(people) < len(who), n_chains, seed)
        data = t, _models.pad(np.zeros(len(people)))
        target = 0.95 if len(people) < len(who) else 0.9
        run = _sampler.sampler(_models.log_group_posterior, n_warmup, n_draws, True, target)
        one = (t._replace(**{k: v[None] for k, v in t._asdict().items()}), data[1][None])
        out = run(_sampler.keys(seed, 1, n_chains), one, {k: v[None] for k, v in start.items()})
        x = {name: np.asarray(v)[0] for name, v in out.position.items()}
        log_m, d_prime = _table_draws(x, data, alone, seed)
    sigma = np.logaddexp(0.0, x["sigma"])
    tau = np.logaddexp(0.0, x["tau"]) if x["tau"].shape[-1] else np.full_like(sigma, np.nan)
    worst = convergence(np.moveaxis(np.concatenate(list(x.values()), axis=-1), -1, 0))
    near = alone.log_l > alone.log_l.max(axis=1, keepdims=True) - 12.0  # where likelihood is not negligible

    def posterior(draws: FloatArray) -> Posterior:
        return _summarise(np.moveaxis(draws, -1, 0), level)

    return GroupFit(
        m_ratio=posterior(np.exp(x["mu"])),
        mu=posterior(x["mu"]),
        sigma=posterior(sigma),
        tau=posterior(tau),
        table_m_ratio=posterior(np.exp(log_m)),
        table_d_prime=posterior(d_prime),
        conditions=names,
        subjects=who,
        condition_of=where,
        r_hat=float(worst.r_hat.max()),
        ess_bulk=float(worst.ess_bulk.min()),
        ess_tail=float(worst.ess_tail.min()),
        divergences=int(np.asarray(out.diverging)[0].sum()),
        importance_efficiency=np.where(near, alone.efficiency, 1.0).min(axis=1),
        level=level,
        seed=seed,
        group_draws=np.concatenate([x["mu"], sigma, tau], axis=-1),
    )


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


def _type1_starts(a: FloatArray, b: FloatArray) -> FloatArray:
    """Starts of a table's own coordinates, `(S, 2 + 2(K-1))`."""
    single = starts(a, b, 1, 0)
    return np.concatenate([single["d1"], single["c1"], single["log_gaps"].reshape(len(a), -1)], axis=1)


def _group_starts(
    centre: FloatArray, condition: NDArray[np.int64], repeated: bool, n_chains: int, seed: int
) -> dict[str, FloatArray]:
    """Dispersed starts, arrays of shape (chains, ...); without repeated measures there is no tau."""
    rng = np.random.default_rng([seed, 1])
    mu = np.array([np.median(centre[condition == i]) for i in range(condition.max() + 1)])
    return {
        "mu": np.clip(mu, -1.5, 1.0) + rng.normal(0, 0.3, (n_chains, len(mu))),
        "sigma": rng.normal(-1.2, 0.4, (n_chains, 1)),
        "tau": rng.normal(-1.2, 0.4, (n_chains, int(repeated))),
    }


def _table_draws(x: dict[str, FloatArray], data: Any, alone: Any, seed: int) -> tuple[FloatArray, FloatArray]:
    """log M-ratio and d' of every table, (chains, some draws, S), given draws of the group."""
    from metacog.sdt.bayes import _models

    n_chains, n_draws = x["mu"].shape[:2]
    kept = np.arange(0, n_draws, max(1, n_chains * n_draws // _TABLE_DRAWS))
    some = {name: v[:, kept].reshape(n_chains * len(kept), -1) for name, v in x.items()}
    rng = np.random.default_rng([seed, 2])
    size = n_chains * len(kept)
    uniforms = rng.random((size, len(data[1]))), rng.random((size, len(data[0].low)))
    log_m = np.asarray(_models.draw_log_m(some, uniforms, data))[:, : len(alone.nodes)]
    # d' given log M: one of the importance draws at a neighbouring node
    nodes, n = alone.nodes, alone.nodes.shape[1]
    at = np.clip((log_m - nodes[:, 0]) / (nodes[:, 1] - nodes[:, 0]), 0, n - 1)
    node = np.minimum((at + rng.random(at.shape)).astype(int), n - 1)
    below = np.cumsum(alone.weight, axis=2)
    rows = np.arange(len(nodes))
    pick = (below[rows, node] < rng.random(at.shape)[..., None]).sum(axis=2)
    d_prime = alone.d_prime[rows, node, np.minimum(pick, below.shape[2] - 1)]
    return log_m.reshape(n_chains, -1, len(nodes)), d_prime.reshape(n_chains, -1, len(nodes))
