"""What a Bayesian fit of single tables found: posteriors, convergence, whether M-ratio can be judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..checks import FloatArray, InputError
from .diagnostics import convergence

if TYPE_CHECKING:
    import pandas as pd

QUANTITIES = ("d_prime", "c", "meta_d", "m_ratio", "log_m_ratio")
NEAR_ZERO = 0.1  # |d'| below this leaves M-ratio without a usable denominator
LARGEST_SHARE = 0.01  # of draws that may lie there, or have no logarithm, before M-ratio is not judged


@dataclass(frozen=True, eq=False)
class Posterior:
    """Marginal posterior of one quantity for B tables, arrays of shape (B,)."""

    estimate: FloatArray  # mean over draws
    lower: FloatArray  # equal-tailed interval
    upper: FloatArray
    r_hat: FloatArray
    ess: FloatArray  # bulk


@dataclass(frozen=True, eq=False)
class BayesFit:
    """Posteriors of B tables under the single-subject model of HMeta-d (Fleming 2017).

    Attributes
    ----------
    d_prime, c, meta_d, m_ratio, log_m_ratio : Posterior
        Of type-1 sensitivity, type-1 criterion, type-2 sensitivity, meta_d/d_prime draw by draw, and its
        logarithm over the draws that have one.
    share_not_positive : array, shape (B,)
        Share of draws with M-ratio at or below 0, which have no logarithm.
    share_near_zero : array, shape (B,)
        Share of draws with |d'| below 0.1.
    r_hat : array, shape (B,)
        Largest rank-normalised R-hat over all parameters, criteria included.
    ess_bulk, ess_tail : array, shape (B,)
        Smallest effective sample size over all parameters.
    divergences : array, shape (B,)
        Number of divergent transitions among the kept draws.
    level : float
        Of the intervals.
    n_ratings, seed : int
        Ratings a side, K; the random seed.
    counts : array, shape (B, 2, 2K)
        The tables: nR_S1 and nR_S2 of each.
    posterior : array, shape (B, chains, draws, 3 + 2(K-1))
        All draws: d', c, meta-d', criteria of respond S1 and of respond S2, both from left to right.
    diverging : array, shape (B, chains, draws)
    """

    d_prime: Posterior
    c: Posterior
    meta_d: Posterior
    m_ratio: Posterior
    log_m_ratio: Posterior
    share_not_positive: FloatArray
    share_near_zero: FloatArray
    r_hat: FloatArray
    ess_bulk: FloatArray
    ess_tail: FloatArray
    divergences: NDArray[np.int64]
    level: float
    n_ratings: int
    seed: int
    counts: FloatArray = field(repr=False)
    posterior: FloatArray = field(repr=False)
    diverging: NDArray[np.bool_] = field(repr=False)

    def __len__(self) -> int:
        return len(self.counts)

    def draws(self, name: str) -> FloatArray:
        """Draws of a quantity, `(B, chains, draws)`; of the criteria `(B, chains, draws, K-1)`.

        Parameters
        ----------
        name : str
            ``d_prime``, ``c``, ``meta_d``, ``m_ratio``, ``log_m_ratio`` (NaN where M-ratio is not positive),
            ``t2_criteria_rS1`` or ``t2_criteria_rS2``.

        Raises
        ------
        InputError
            No quantity of that name.
        """
        return quantity(self.posterior, name)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Whether M-ratio can be judged, `(B,)`.

        Not where more than 1 % of the draws have |d'| < 0.1, or more than 1 % have M-ratio at or below 0.
        """
        return (self.share_near_zero <= LARGEST_SHARE) & (self.share_not_positive <= LARGEST_SHARE)

    def summary(self) -> pd.DataFrame:
        """One row per table and quantity: table, quantity, estimate, lower, upper, r_hat, ess."""
        import pandas as pd

        rows = []
        for i in range(len(self)):
            for name in QUANTITIES:
                p: Posterior = getattr(self, name)
                rows.append((i, name, p.estimate[i], p.lower[i], p.upper[i], p.r_hat[i], p.ess[i]))
        return pd.DataFrame(rows, columns=["table", "quantity", "estimate", "lower", "upper", "r_hat", "ess"])

    def to_arviz(self) -> Any:
        """Draws as ArviZ's `InferenceData` (dimension ``table``), with divergences in ``sample_stats``."""
        import arviz

        names = (*QUANTITIES, "t2_criteria_rS1", "t2_criteria_rS2")
        draws = {name: np.moveaxis(self.draws(name), 0, 2) for name in names}
        return arviz.from_dict(
            posterior=draws,
            sample_stats={"diverging": np.moveaxis(self.diverging, 0, 2)},
            dims={**{n: ["table"] for n in QUANTITIES}, **{n: ["table", "criterion"] for n in names[-2:]}},
        )


def quantity(posterior: FloatArray, name: str) -> FloatArray:
    """A named quantity of draws laid out as `BayesFit.posterior`."""
    k1 = (posterior.shape[-1] - 3) // 2
    plain = {"d_prime": 0, "c": 1, "meta_d": 2}
    if name in plain:
        return posterior[..., plain[name]]
    if name == "t2_criteria_rS1":
        return posterior[..., 3 : 3 + k1]
    if name == "t2_criteria_rS2":
        return posterior[..., 3 + k1 :]
    if name not in QUANTITIES:
        known = ", ".join((*QUANTITIES, "t2_criteria_rS1", "t2_criteria_rS2"))
        raise InputError(f"no quantity named {name!r}; there are {known}")
    ratio = posterior[..., 2] / posterior[..., 0]
    if name == "m_ratio":
        return ratio
    return np.log(ratio, out=np.full(ratio.shape, np.nan), where=ratio > 0)


def build_record(
    posterior: FloatArray, diverging: NDArray[np.bool_], counts: FloatArray, level: float, seed: int
) -> BayesFit:
    """Summarise draws laid out as `BayesFit.posterior`."""
    found = {name: _summarise(quantity(posterior, name), level) for name in QUANTITIES}
    ratio = found["m_ratio"]  # its logarithm has its ranks, and so its convergence
    log = found["log_m_ratio"]
    found["log_m_ratio"] = Posterior(log.estimate, log.lower, log.upper, ratio.r_hat, ratio.ess)
    all_of_them = convergence(np.moveaxis(posterior, -1, 1))
    return BayesFit(
        **found,
        share_not_positive=np.mean(~(quantity(posterior, "m_ratio") > 0), axis=(1, 2)),
        share_near_zero=np.mean(np.abs(posterior[..., 0]) < NEAR_ZERO, axis=(1, 2)),
        r_hat=all_of_them.r_hat.max(axis=1),
        ess_bulk=all_of_them.ess_bulk.min(axis=1),
        ess_tail=all_of_them.ess_tail.min(axis=1),
        divergences=diverging.sum(axis=(1, 2)),
        level=level,
        n_ratings=counts.shape[-1] // 2,
        seed=seed,
        counts=counts,
        posterior=posterior,
        diverging=diverging,
    )


def _summarise(draws: FloatArray, level: float) -> Posterior:
    """Mean and equal-tailed interval over the draws that are numbers; NaN where none is."""
    c = convergence(draws)
    out = np.full((3, len(draws)), np.nan)
    for i, x in enumerate(draws):
        kept = x[~np.isnan(x)]
        if kept.size:
            out[:, i] = kept.mean(), *np.quantile(kept, [0.5 - level / 2, 0.5 + level / 2])
    estimate, lower, upper = out
    return Posterior(estimate, lower, upper, c.r_hat, c.ess_bulk)
