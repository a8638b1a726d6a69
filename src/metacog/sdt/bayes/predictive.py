"""Posterior predictive check of the type-2 ROC: does the fitted model make ratings like those observed?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import xlogy

from metacog.sdt import _meta_d_batch as engine
from metacog.sdt.checks import FloatArray, InputError

if TYPE_CHECKING:
    import pandas as pd
from metacog.sdt.bayes.record import BayesFit

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

    from metacog.sdt.bayes import _single

    k1 = (draws.shape[1] - 3) // 2
    c = draws[:, 1]
    left, right = draws[:, 3 : 3 + k1], draws[:, 3 + k1 :]
    u = np.stack([(right - c[:, None]).T, (c[:, None] - left)[:, ::-1].T])
    with engine._float64():
        p = np.asarray(_single.cell_probabilities(*(jnp.asarray(x) for x in (c, draws[:, 2], u))))
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
