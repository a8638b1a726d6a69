"""Posteriors of meta-d' as tables: estimates with a decision on log M-ratio, sampling, predictive checks.

A table of a fit has one row for each table of counts, under the labels it is given. Where M-ratio cannot be
judged (:attr:`metacog.sdt.bayes.BayesFit.judged`) there is no decision, and a column says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.sdt import InputError
from metacog.sdt.bayes import BayesFit, GroupFit, RocCheck
from metacog.sdt.bayes.predict import RESPONSES
from metacog.sdt.decisions import UNDECIDED, finding, log_ratio_decision

#: Half-width of the region of practical equivalence (ROPE) of log M-ratio.
ROPE = 0.05
#: Sampling is sound up to this R-hat, from these effective draws on, and without a divergence
#: (Vehtari et al. 2021).
HIGHEST_R_HAT = 1.01
FEWEST_EFFECTIVE = 400
#: A posterior predictive p below this says that the model does not make ratings like those observed.
LOWEST_P = 0.05

ESTIMATES = ("d_prime", "c", "meta_d", "m_ratio", "log_m_ratio")


def posterior_table(fit: BayesFit, labels: pd.DataFrame, *, rope: float = ROPE) -> pd.DataFrame:
    """What was found for each table of a fit, and whether its M-ratio differs from 1.

    Parameters
    ----------
    fit : BayesFit
        Of B tables.
    labels : DataFrame, B rows
        Whose tables they are, in the fit's order.
    rope : float
        Half-width of the ROPE of log M-ratio (Kruschke 2018).

    Returns
    -------
    DataFrame
        The labels; ``d_prime, c, meta_d, m_ratio, log_m_ratio``, posterior means each with its interval's
        ends ``_lo`` and ``_hi``; ``r_hat, ess_bulk, ess_tail, divergences``, the worst over the table's
        parameters; ``not_positive`` and ``near_zero``, shares of draws whose M-ratio has no logarithm and
        whose d' is below 0.1 in size; ``judged``; ``said`` of log M-ratio against 0 (significant,
        negligible, inconclusive, not significant, no decision); ``why`` there is no decision, else empty.

    Raises
    ------
    InputError
        Labels of another number of tables, or with a column that the table makes itself.
    """
    ratios = fit.draws("m_ratio")
    found: dict[str, object] = {}
    for name in ESTIMATES:
        one = getattr(fit, name)
        found |= {name: one.estimate, f"{name}_lo": one.lower, f"{name}_hi": one.upper}
    found |= {
        "r_hat": fit.r_hat,
        "ess_bulk": fit.ess_bulk,
        "ess_tail": fit.ess_tail,
        "divergences": fit.divergences,
        "not_positive": fit.share_not_positive,
        "near_zero": fit.share_near_zero,
        "judged": fit.judged,
        "said": [_said(r, j, rope, fit.level) for r, j in zip(ratios, fit.judged, strict=True)],
        "why": list(fit.judgements),
    }
    return _beside(labels, pd.DataFrame(found))


def _said(draws: NDArray[np.float64], judged: bool, rope: float, level: float) -> str:
    one = log_ratio_decision(draws, rope, level=level)
    return finding(one.excludes_zero, one.decision) if judged else UNDECIDED


def monte_carlo_errors(fit: BayesFit, names: Sequence[str] = ESTIMATES) -> pd.DataFrame:
    """Standard errors of posterior means and interval ends that come of a finite number of draws.

    Returns
    -------
    DataFrame
        A row a table: ``NAME_error, NAME_lo_error, NAME_hi_error`` of each quantity (Vehtari et al. 2021);
        NaN where a draw is not a number.
    """
    from arviz import mcse

    low = 0.5 - fit.level / 2
    found: dict[str, list[float]] = {}
    for name in names:
        for end, options in (
            ("", {"method": "mean"}),
            ("_lo", {"method": "quantile", "prob": low}),
            ("_hi", {"method": "quantile", "prob": 1 - low}),
        ):
            found[f"{name}{end}_error"] = [
                float(np.squeeze(mcse(draws, **options))) for draws in fit.draws(name)
            ]
    return pd.DataFrame(found)


def group_table(fit: GroupFit, *, rope: float = ROPE) -> pd.DataFrame:
    """The group's M-ratio in each condition, with its spread and a decision.

    Returns
    -------
    DataFrame
        ``condition, tables``; ``m_ratio, log_m_ratio`` and ``sigma``, the spread of log M-ratio between
        tables, each with ``_lo`` and ``_hi``; ``said`` of the group's log M-ratio against 0.
    """
    rows = []
    for i, condition in enumerate(fit.conditions):
        one = log_ratio_decision(np.exp(fit.group_draws[..., i]), rope, level=fit.level)
        row = {"condition": condition, "tables": fit.condition_of.count(condition)}
        for name, part, j in (
            ("m_ratio", fit.m_ratio, i),
            ("log_m_ratio", fit.mu, i),
            ("sigma", fit.sigma, 0),
        ):
            row |= {name: part.estimate[j], f"{name}_lo": part.lower[j], f"{name}_hi": part.upper[j]}
        rows.append(row | {"said": finding(one.excludes_zero, one.decision)})
    return pd.DataFrame(rows)


def sampling_said(fit: BayesFit | GroupFit) -> str:
    """How well the chains sampled: R-hat, effective draws, divergences, and what is bad if it is."""
    draws = fit.posterior if isinstance(fit, BayesFit) else fit.group_draws
    chains, kept = draws.shape[-3:-1]
    r_hat, bulk, tail, divergences = _worst(fit)
    said = (
        f"{chains} chains of {kept:,} kept draws: R-hat is at most {_told(r_hat, 3, _agree)}, the least "
        f"effective number of draws {_told(bulk, 0, _enough)} (bulk) and {_told(tail, 0, _enough)} (tail), "
        f"and {_diverged(divergences)}."
    )
    bad = _bad(r_hat, min(bulk, tail), divergences)
    if bad:
        return f"{said} The sampling is not sound: {'; '.join(bad)}. Draw more before relying on it."
    return said


def sampled_well(fit: BayesFit | GroupFit) -> bool:
    """Whether R-hat, effective draws and divergences leave nothing to object to."""
    r_hat, bulk, tail, divergences = _worst(fit)
    return not _bad(r_hat, min(bulk, tail), divergences)


def _worst(fit: BayesFit | GroupFit) -> tuple[float, float, float, int]:
    return (
        float(np.max(fit.r_hat)),
        float(np.min(fit.ess_bulk)),
        float(np.min(fit.ess_tail)),
        int(np.sum(fit.divergences)),
    )


def _agree(r_hat: float) -> bool:
    return r_hat <= HIGHEST_R_HAT


def _enough(effective: float) -> bool:
    return effective >= FEWEST_EFFECTIVE


def _told(value: float, digits: int, sound: Callable[[float], bool]) -> str:
    """A number with as many more decimals as keep rounding from carrying it over what is sound."""
    while sound(value) != sound(round(value, digits)):
        digits += 1
    return f"{value:,.{digits}f}"


def _diverged(n: int) -> str:
    return {0: "no draw diverged", 1: "1 draw diverged"}.get(n, f"{n:,} draws diverged")


def _bad(r_hat: float, effective: float, divergences: int) -> list[str]:
    bad = []
    if not _agree(r_hat):
        bad.append(f"R-hat is above {HIGHEST_R_HAT}, so the chains do not agree")
    if not _enough(effective):
        bad.append(f"fewer than {FEWEST_EFFECTIVE} effective draws make the ends of intervals uncertain")
    if divergences:
        bad.append("where draws diverge, parts of the posterior are missed")
    return bad


def predictive_points(check: RocCheck, labels: pd.DataFrame) -> pd.DataFrame:
    """Points of the type-2 ROC, observed and predicted: a row a table, response and least confidence.

    Returns
    -------
    DataFrame
        The labels; ``response`` (all, S1, S2), ``confidence_from``; ``hit`` and ``false_alarm``, the
        observed share of right and of wrong answers with at least that confidence, each with the mean
        of replicated tables ``_mean`` and their interval ``_lo``, ``_hi``; ``inside``, both lie in it.
    """
    _check_labels(labels, len(check.p_value))
    frames = []
    for i, r in np.ndindex(check.hit.shape[:2]):
        own: dict[str, object] = {
            "response": RESPONSES[r],
            "confidence_from": np.arange(check.hit.shape[2]) + 2,
        }
        inside = np.ones(check.hit.shape[2], dtype=bool)
        for rate in ("hit", "false_alarm"):
            seen = getattr(check, rate)[i, r]
            mean, low, high = (getattr(check, f"{rate}_{x}")[i, r] for x in ("mean", "lower", "upper"))
            own |= {rate: seen, f"{rate}_mean": mean, f"{rate}_lo": low, f"{rate}_hi": high}
            inside &= (low <= seen) & (seen <= high)
        label = labels.iloc[np.full(len(inside), i)].reset_index(drop=True)
        frames.append(_beside(label, pd.DataFrame(own | {"inside": inside})))
    return pd.concat(frames, ignore_index=True)


def predictive_table(check: RocCheck, labels: pd.DataFrame) -> pd.DataFrame:
    """Posterior predictive check of the type-2 ROC, a row a table.

    Returns
    -------
    DataFrame
        The labels; ``rates``, the number of observed rates of right and of wrong answers over responses and
        levels of confidence; ``inside``, those within the interval of replicated tables; ``furthest``, the
        largest distance of an observed rate from the predicted one; ``p_value``, the share of replicated
        tables that deviate from the model at least as much; ``fits``, it is at least 0.05.
    """
    _check_labels(labels, len(check.p_value))
    seen, mean, low, high = (
        np.concatenate(
            [getattr(check, f"{rate}{part}").reshape(len(labels), -1) for rate in ("hit", "false_alarm")], 1
        )
        for part in ("", "_mean", "_lower", "_upper")
    )
    far = np.abs(seen - mean)
    return _beside(
        labels,
        pd.DataFrame(
            {
                "rates": np.isfinite(seen).sum(axis=1),
                "inside": ((low <= seen) & (seen <= high)).sum(axis=1),
                "furthest": np.where(np.isfinite(far), far, -np.inf).max(axis=1),
                "p_value": check.p_value,
                "fits": check.p_value >= LOWEST_P,
            }
        ),
    )


def predictive_said(table: pd.DataFrame) -> str:
    """In how many tables the model makes ratings like those observed, from :func:`predictive_table`."""
    n, fit = len(table), int(table["fits"].sum())
    said = (
        f"The model makes ratings like those observed in {fit} of {n} tables (posterior predictive p of at "
        f"least {LOWEST_P:g}); {int(table['inside'].sum())} of {int(table['rates'].sum())} observed rates "
        "lie within what it predicts."
    )
    if fit < n:
        far = float(table.loc[~table["fits"].astype(bool), "furthest"].max())
        said += (
            f" Where it does not, an observed rate lies up to {far:.3f} from the predicted one: there "
            "M-ratio summarises ratings that the model only resembles."
        )
    return said


def names_of(labels: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """One name for each row: its labels with a comma between."""
    return [", ".join(str(v) for v in row) for row in labels[list(columns)].itertuples(index=False)]


def _check_labels(labels: pd.DataFrame, n: int) -> None:
    if len(labels) != n:
        raise InputError(f"there are {n} tables and {len(labels)} rows of labels: pass one row a table")


def _beside(labels: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    _check_labels(labels, len(found))
    both = sorted(set(labels.columns) & set(found.columns))
    if both:
        raise InputError(f"labels may not be called {', '.join(both)}: rename them")
    return pd.concat([labels.reset_index(drop=True), found], axis=1)
