"""Fits of simulated data sets by the package's own functions, and where the truth ranks among their draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from calibrating import stated, twins
from calibrating.uniformity import DRAWS, rank
from metacog.sdt import InputError
from metacog.sdt.bayes import _models, _single, fit, fit_bayes, fit_group, group

RIGHT = "as it is"
#: Effective draws of every parameter that 99 thinned ones want; a fit with fewer is made again, four times as long.
ENOUGH = 200
K, TRIALS = 3, 100  # ratings a side; trials of each stimulus
SUBJECTS = 8
WHO, WHERE = tuple(range(4)) * 2, (0,) * 4 + (1,) * 4


@dataclass(frozen=True)
class Ranked:
    """One data set: ranks of its quantities, and how its chains did; no ranks where the fit refuses the data."""

    number: int
    ranks: tuple[int, ...]
    ess: float
    r_hat: float
    divergences: int


Made = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Model:
    """A model with its simulator, its quantities, and its twins by what is wrong in them."""

    name: str
    states: Callable[..., None]
    arguments: tuple[Any, ...]
    quantities: tuple[str, ...]
    ranked: Callable[[Made, list[int], str, int], Iterator[Ranked]]
    fits: int  # wanted of the model as it is
    twin_fits: int  # and of each twin
    batch: int  # data sets fitted in one call
    twins: tuple[str, ...] = field(default=())

    def wanted(self, version: str) -> int:
        """Fits that a version wants."""
        return self.fits if version == RIGHT else self.twin_fits

    def run(self, numbers: list[int], version: str, seed: int) -> list[Ranked]:
        """Simulate these data sets, fit them, rank the truth."""
        made = stated.simulate(self.states, self.arguments, seed, numbers)
        return list(self.ranked(made, numbers, version, seed))


def _thinned(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """`DRAWS` of draws `(chains, draws, ...)`, evenly spaced over all chains."""
    flat = x.reshape(-1, *x.shape[2:])
    return flat[np.linspace(0, len(flat) - 1, DRAWS).round().astype(int)]


def _sizes(longer: int) -> dict[str, int]:
    return {"n_chains": 1, "n_draws": 500 * longer, "n_warmup": 400 * longer}


TABLE_TWINS = {
    "prior: meta-d' half as wide": twins.narrow_meta_d,
    "link: logistic ratings": twins.logistic_ratings,
    "dropped: Jacobian of the criteria": twins.gaps_without_jacobian,
}
GROUP_TWINS = {"prior: mu half as wide": twins.narrow_mu, "link: mu the log of the mean": twins.mean_of_m}
NO_SUBJECTS = "dropped: the subjects' effect"


def _tables(made: Made, numbers: list[int], version: str, seed: int) -> Iterator[Ranked]:
    """`fit_bayes` of a batch; those with too few effective draws again."""
    counts = made["counts"]
    usable = np.array([np.count_nonzero(c.sum(axis=0)) > 1 for c in counts])
    for i in np.flatnonzero(~usable):
        yield Ranked(numbers[i], (), np.nan, np.nan, 0)
    left = np.flatnonzero(usable)
    for longer in (1, 4):
        if not left.size:
            return
        # a batch of one size is one compiled program
        rows = np.resize(left, len(counts) if longer == 1 else -(-len(left) // 8) * 8)
        changed = TABLE_TWINS.get(version, _single.table_log_posterior)
        with patch.object(_single, "table_log_posterior", changed):
            found = fit_bayes(*counts[rows].transpose(1, 0, 2), seed=seed + numbers[0], **_sizes(longer))
        short = found.ess_bulk[: left.size] < ENOUGH
        for j in range(left.size):
            if longer > 1 or not short[j]:
                yield _table_ranks(found, j, made, int(left[j]), numbers)
        left = left[short]


def _table_ranks(found: Any, j: int, made: Made, i: int, numbers: list[int]) -> Ranked:
    draws = _thinned(found.posterior[j])
    truth = np.concatenate(
        [[made[n][i] for n in ("d_prime", "c", "meta_d")], made["left"][i], made["right"][i]]
    )
    both = np.concatenate([draws, truth[None]])
    with stated.float64():
        p = stated.shares(*(jnp.asarray(x) for x in (*both[:, :3].T, both[:, 3 : 2 + K], both[:, 2 + K :])))
    more = [both[:, 2] / both[:, 0], stated.log_likelihood(made["counts"][i], p)]
    every = np.column_stack([both, *more])
    ranks = rank(every[-1], every[:-1])
    how = found.ess_bulk[j], found.r_hat[j], int(found.divergences[j])
    return Ranked(numbers[i], tuple(int(r) for r in ranks), *how)


def _groups(made: Made, numbers: list[int], version: str, seed: int) -> Iterator[Ranked]:
    """`fit_group` of each data set; the tables' own draws are taken where it makes them."""
    repeated = "tau" in made
    labels = {"condition": [f"{i}" for i in WHERE]} if repeated else {}
    if repeated and version != NO_SUBJECTS:
        labels["subject"] = [f"{i}" for i in WHO]
    changed = GROUP_TWINS.get(version, _models.log_group_posterior)
    for i, number in enumerate(numbers):
        for longer in (1, 4):
            kept: dict[str, Any] = {}

            def spy(x: Any, data: Any, alone: Any, seed: int, into: dict[str, Any] = kept) -> Any:
                into["tables"], into["data"] = _TABLE_DRAWS(x, data, alone, seed), data
                return into["tables"]

            try:
                with ExitStack() as stack:
                    stack.enter_context(patch.object(_models, "log_group_posterior", changed))
                    stack.enter_context(patch.object(fit, "_table_draws", spy))
                    found = fit_group(
                        *made["counts"][i].transpose(1, 0, 2), seed=seed + number, **labels, **_sizes(longer)
                    )
            except InputError:
                yield Ranked(number, (), np.nan, np.nan, 0)
                break
            if found.ess_bulk >= ENOUGH or longer > 1:
                yield _group_ranks(found, kept, made, i, number, repeated)
                break


_TABLE_DRAWS = group._table_draws


def _group_ranks(found: Any, kept: dict[str, Any], made: Made, i: int, number: int, repeated: bool) -> Ranked:
    draws = found.group_draws  # (chains, draws, mu of each condition, sigma, tau)
    log_m, d_prime = kept["tables"]
    same = draws[:, :: draws.shape[1] // log_m.shape[1]][:, : log_m.shape[1]]
    spread = [made["sigma"][i], made["tau"][i] if repeated else np.nan]
    group = np.vstack([_thinned(same), [*made["mu"][i], *spread]])
    logs = np.vstack([_thinned(log_m), made["log_m"][i]])
    d = np.append(_thinned(d_prime)[:, 0], made["d_prime"][i, 0])
    tables = kept["data"][0]
    with stated.float64():
        each = np.asarray(_models.log_marginal(tables, jnp.asarray(_models.pad(logs.T))))[: logs.shape[1]]
    every = [*group[:, :-1].T, logs[:, 0], d, each.sum(axis=0)]
    if repeated:
        every += [group[:, -1], group[:, 0] - group[:, 1]]
    x = np.stack(every)
    ranks = np.where(np.isnan(x[:, 0]), -1, rank(x[:, -1], x[:, :-1].T))  # a twin may lack a parameter
    return Ranked(number, tuple(int(r) for r in ranks), found.ess_bulk, found.r_hat, found.divergences)


OF_A_GROUP = ("sigma", "log M of a table", "d_prime of a table", "log likelihood of all log M")
MODELS = (
    Model(
        "single table",
        stated.single,
        (TRIALS, K),
        (
            "d_prime",
            "c",
            "meta_d",
            *(f"criterion {i}" for i in range(1, 2 * K - 1)),
            "m_ratio",
            "log likelihood",
        ),
        _tables,
        500,
        500,
        64,
        tuple(TABLE_TWINS),
    ),
    Model(
        "group",
        stated.group,
        (TRIALS, K, (0,) * SUBJECTS, None),
        ("mu", *OF_A_GROUP),
        _groups,
        500,
        200,
        10,
        tuple(GROUP_TWINS),
    ),
    Model(
        "group with repeated measures",
        stated.group,
        (TRIALS, K, WHERE, WHO),
        ("mu 1", "mu 2", *OF_A_GROUP, "tau", "mu 1 - mu 2"),
        _groups,
        200,
        200,
        10,
        (NO_SUBJECTS,),
    ),
)
