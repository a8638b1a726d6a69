"""What a Bayesian fit of single tables found: posteriors, convergence, whether M-ratio can be judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metacog.sdt.checks import FloatArray, InputError

if TYPE_CHECKING:
    import pandas as pd
from metacog.sdt.bayes.convergence import convergence

QUANTITIES = ("d_prime", "c", "meta_d", "m_ratio", "log_m_ratio")

NEAR_ZERO = 0.1  # d' below this leaves M-ratio without a usable denominator

LARGEST_SHARE = 0.01  # of draws that may lie there before M-ratio is not judged


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
        logarithm: its mean is NaN where more than 1 % of the draws have none, an end of its interval where M-ratio's
        is at or below 0 is minus infinity.
    share_not_positive : array, shape (B,)
        Share of draws with M-ratio at or below 0, which have no logarithm.
    share_near_zero : array, shape (B,)
        Share of draws with d' below 0.1.
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

        Not where more than 1 % of the draws have a d' below 0.1: a ratio to it means nothing then. Where d' is larger
        an M-ratio about 0 is a finding, so M-ratio itself decides nothing here.
        """
        return self.share_near_zero <= LARGEST_SHARE

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
    not_positive = np.mean(~(quantity(posterior, "m_ratio") > 0), axis=(1, 2))
    found["log_m_ratio"] = _logarithm(found["log_m_ratio"], ratio, not_positive)
    all_of_them = convergence(np.moveaxis(posterior, -1, 1))
    return BayesFit(
        **found,
        share_not_positive=not_positive,
        share_near_zero=np.mean(posterior[..., 0] < NEAR_ZERO, axis=(1, 2)),
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


def _logarithm(log: Posterior, ratio: Posterior, not_positive: FloatArray) -> Posterior:
    """The logarithm of M-ratio from the draws that have one, and from the ratio's ends where some have none."""
    with np.errstate(divide="ignore"):
        lower, upper = (
            np.where(not_positive > 0, np.log(np.maximum(of_ratio, 0.0)), end)
            for end, of_ratio in ((log.lower, ratio.lower), (log.upper, ratio.upper))
        )
    estimate = np.where(not_positive > LARGEST_SHARE, np.nan, log.estimate)
    return Posterior(estimate, lower, upper, ratio.r_hat, ratio.ess)


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
