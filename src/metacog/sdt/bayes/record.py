"""What a Bayesian fit of single tables found: posteriors, convergence, whether M-ratio can be judged.

Convergence of chains: rank-normalised R-hat and effective sample sizes (Vehtari et al. 2021).

Posterior predictive check of the type-2 ROC: does the fitted model make ratings like those observed?
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from metacog.sdt import _meta_d_batch as engine
from metacog.sdt.checks import FloatArray, InputError

if TYPE_CHECKING:
    import pandas as pd


class Convergence(NamedTuple):
    """Of B quantities; NaN where a quantity does not vary or is not finite."""

    r_hat: FloatArray  # rank-normalised, the larger of bulk and folded
    ess_bulk: FloatArray
    ess_tail: FloatArray  # the smaller of the 5 % and the 95 % quantile's


def convergence(draws: FloatArray) -> Convergence:
    """Diagnostics of draws `(..., chains, draws)`, by ArviZ.

    R-hat of a single chain compares its halves.
    """
    from arviz import ess, rhat

    flat = draws.reshape(-1, *draws.shape[-2:])
    out = np.full((3, len(flat)), np.nan)
    for i, x in enumerate(flat):
        if np.isfinite(x).all() and np.ptp(x) > 0 and x.shape[1] >= 4:
            out[:, i] = rhat(_halves(x), method="rank"), ess(x, method="bulk"), ess(x, method="tail")
    return Convergence(*(v.reshape(draws.shape[:-2]) for v in out))


def _halves(x: FloatArray) -> FloatArray:
    """One chain as two; several as they are (ArviZ splits each)."""
    if len(x) > 1:
        return x
    half = x.shape[1] // 2
    return np.stack([x[0, :half], x[0, half : 2 * half]])


RESPONSES = ("all", "S1", "S2")


@dataclass(frozen=True, eq=False)
class RocCheck:
    """Observed and predicted type-2 rates of B tables.

    Rates have shape (B, 3, K-1): both responses together, respond S1, respond S2; then confidence at
    least 2 ... K. They are NaN where there is no such trial.

    Attributes
    ----------
    hit, false_alarm : array
        Observed P(confidence >= k | correct) and P(confidence >= k | incorrect).
    hit_mean, hit_lower, hit_upper, false_alarm_mean, false_alarm_lower, false_alarm_upper : array
        Mean and equal-tailed interval of the rates in replicated tables.
    p_value : array, shape (B,)
        Posterior predictive p: share of replicated tables that deviate from their own draw's prediction
        at least as much as the observed table does (likelihood-ratio statistic over all ratings).
    level : float
    n_replicates : int
    """

    hit: FloatArray
    false_alarm: FloatArray
    hit_mean: FloatArray
    hit_lower: FloatArray
    hit_upper: FloatArray
    false_alarm_mean: FloatArray
    false_alarm_lower: FloatArray
    false_alarm_upper: FloatArray
    p_value: FloatArray
    level: float
    n_replicates: int

    def table(self) -> pd.DataFrame:
        """One row per table, response and rate: observed, predicted, its interval, and whether it holds."""
        import pandas as pd

        rows = []
        for (i, r, k), observed in np.ndenumerate(self.hit):
            for rate in ("hit", "false_alarm"):
                observed = getattr(self, rate)[i, r, k]
                parts = [getattr(self, f"{rate}_{x}")[i, r, k] for x in ("mean", "lower", "upper")]
                inside = bool(parts[1] <= observed <= parts[2])
                rows.append((i, RESPONSES[r], k + 2, rate, observed, *parts, inside))
        names = ["table", "response", "confidence_from", "rate", "observed", "predicted", "lower", "upper"]
        return pd.DataFrame(rows, columns=[*names, "inside"])


def predict_roc(
    fit: BayesFit, *, n_replicates: int = 1000, seed: int = 42, level: float | None = None
) -> RocCheck:
    """Posterior predictive check of the type-2 ROC (Gelman, Meng & Stern 1996).

    Ratings are drawn again for the observed numbers of trials of each stimulus and response, once for each
    of `n_replicates` draws spread over all chains.

    Parameters
    ----------
    fit : BayesFit
    n_replicates : int
        At most as many as there are draws.
    seed : int
    level : float, optional
        Of the intervals; the fit's where not given.

    Returns
    -------
    RocCheck

    Raises
    ------
    InputError
        More replicates than draws, or fewer than one.

    Examples
    --------
    >>> from metacog.sdt.bayes import fit_bayes, predict_roc
    >>> nR_S1 = [[40, 35, 30, 20, 10, 5], [38, 30, 32, 22, 12, 6], [20, 15, 15, 15, 15, 20]]
    >>> nR_S2 = [[6, 10, 26, 34, 36, 28], [2, 5, 23, 33, 37, 40], [15, 20, 15, 15, 20, 15]]
    >>> fit = fit_bayes(nR_S1, nR_S2, n_chains=2, n_draws=1000, n_warmup=500)
    >>> check = predict_roc(fit, n_replicates=200)
    >>> print((check.p_value > 0.05).all())  # as the model would draw
    True
    """
    flat = fit.posterior.reshape(len(fit), -1, fit.posterior.shape[-1])
    if not 1 <= n_replicates <= flat.shape[1]:
        raise InputError(f"n_replicates must lie between 1 and the {flat.shape[1]} draws; got {n_replicates}")
    level = fit.level if level is None else level
    pick = np.linspace(0, flat.shape[1] - 1, n_replicates).round().astype(int)
    rng = np.random.default_rng(seed)
    observed, predicted, p = [], [], []
    for table, draws in zip(fit.counts, flat[:, pick], strict=True):
        counts = np.stack([engine._fold(row[None])[..., 0] for row in table])  # (stimulus, side, K)
        model = _probabilities(draws)  # (replicate, stimulus, side, K)
        trials = counts.sum(axis=-1)
        replicated = rng.multinomial(trials.astype(int), model).astype(np.float64)
        expected = trials[..., None] * model
        p.append(np.mean(_deviance(replicated, expected) >= _deviance(counts, expected)))
        observed.append(_rates(counts))
        predicted.append(_rates(replicated))
    seen, made = np.stack(observed), np.stack(predicted)  # (B, 2 rates, ...), (B, replicate, 2 rates, ...)
    low, high = np.quantile(made, [0.5 - level / 2, 0.5 + level / 2], axis=1)
    mean = made.mean(axis=1)
    return RocCheck(
        seen[:, 0],
        seen[:, 1],
        mean[:, 0],
        low[:, 0],
        high[:, 0],
        mean[:, 1],
        low[:, 1],
        high[:, 1],
        np.array(p),
        level,
        n_replicates,
    )


def _probabilities(draws: FloatArray) -> FloatArray:
    """P(rating | stimulus, response) of each draw, `(draws, 2 stimuli, 2 sides, K)`."""
    import jax.numpy as jnp

    from metacog.sdt.bayes import _models

    k1 = (draws.shape[1] - 3) // 2
    c = draws[:, 1]
    left, right = draws[:, 3 : 3 + k1], draws[:, 3 + k1 :]
    u = np.stack([(right - c[:, None]).T, (c[:, None] - left)[:, ::-1].T])
    with engine._float64():
        p = np.asarray(_models.cell_probabilities(*(jnp.asarray(x) for x in (c, draws[:, 2], u))))
    p = np.moveaxis(p, -1, 0)
    return p / p.sum(axis=-1, keepdims=True)


def _deviance(counts: FloatArray, expected: FloatArray) -> FloatArray:
    """Likelihood-ratio statistic over all stimuli, responses and ratings."""
    return 2.0 * (xlogy(counts, counts) - xlogy(counts, expected)).sum(axis=(-3, -2, -1))


def _rates(counts: FloatArray) -> FloatArray:
    """Cumulative type-2 hit and false-alarm rates `(..., 2, 3, K-1)` of counts `(..., stimulus, side, K)`."""
    from_k = np.cumsum(counts[..., ::-1], axis=-1)[..., ::-1]
    s1, s2 = 1, 0  # sides
    right = np.stack([from_k[..., 0, s1, :], from_k[..., 1, s2, :]], axis=-2)
    wrong = np.stack([from_k[..., 1, s1, :], from_k[..., 0, s2, :]], axis=-2)
    out = []
    for side in (right, wrong):
        three = np.concatenate([side.sum(axis=-2, keepdims=True), side], axis=-2)
        with np.errstate(invalid="ignore", divide="ignore"):
            out.append(three[..., 1:] / three[..., :1])
    return np.stack(out, axis=-3)


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
