"""Posteriors of meta-d' as tables: estimates with a decision on log M-ratio, sampling, predictive checks.

A table of a fit has one row for each table of counts, under the labels it is given. Where M-ratio cannot be
judged (:attr:`metacog.sdt.bayes.BayesFit.judged`) there is no decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import ended, typed_rows, with_ends
from metacog.sdt import InputError
from metacog.sdt.bayes import BayesFit, GroupFit, RocCheck
from metacog.sdt.bayes.predictive import RESPONSES
from metacog.sdt.decisions import UNDECIDED, finding, log_ratio_decision, quotient, rope_decision

#: Half-width of the region of practical equivalence (ROPE) of log M-ratio.
ROPE = 0.05
#: The same of a difference of d'.
ROPE_D_PRIME = 0.1
#: Sampling is sound up to this R-hat, from these effective draws on, and without a divergence
#: (Vehtari et al. 2021).
HIGHEST_R_HAT = 1.01
FEWEST_EFFECTIVE = 400
#: A posterior predictive p below this says that the model does not make ratings like those observed.
LOWEST_P = 0.05

ESTIMATES = ("d_prime", "c", "meta_d", "m_ratio", "log_m_ratio")
#: Columns of :func:`posterior_table` after the labels.
TYPES = {
    **{end + error: "float64" for name in ESTIMATES for error in ("", "_error") for end in with_ends(name)},
    **dict.fromkeys(("r_hat", "ess_bulk", "ess_tail"), "float64"),
    "divergences": "int64",
    "not_positive": "float64",
    "near_zero": "float64",
    "judged": "bool",
    "decision": "str",
}


def posterior_table(fit: BayesFit, labels: pd.DataFrame, *, rope: float = ROPE) -> pd.DataFrame:
    """Posterior of each table of a fit, and whether its M-ratio differs from 1.

    The ``labels`` say whose tables they are, in the fit's order; ``rope`` is the half-width of the ROPE of log M-ratio
    (Kruschke 2018).

    Returns
    -------
    DataFrame
        The labels; ``d_prime, c, meta_d, m_ratio, log_m_ratio``, posterior means each with its interval's
        ends ``_lower`` and ``_upper``, and the Monte Carlo error of all three (``d_prime_lower_error``; NaN
        where a draw is no number); M-ratio's mean is NaN where it is not judged, since the mean of a ratio
        whose denominator may be 0 does not exist; ``r_hat, ess_bulk, ess_tail, divergences``, the worst over
        the table's parameters; ``not_positive`` and ``near_zero``, shares of draws whose M-ratio has no logarithm and
        whose d' is below 0.1; ``judged``; ``decision`` on log M-ratio against 0
        (significant, negligible, inconclusive, not significant, no decision).

    Raises
    ------
    InputError
        Labels of another number of tables, or with a column that the table makes itself.
    """
    ratios = fit.draws("m_ratio")
    found: dict[str, object] = {}
    for name in ESTIMATES:
        one = getattr(fit, name)
        estimate = np.where(fit.judged, one.estimate, np.nan) if name == "m_ratio" else one.estimate
        found |= ended(name, estimate, one.lower, one.upper)
        errors = [_errors(name, draws, fit.level) for draws in fit.draws(name)]
        found |= {key: [one[key] for one in errors] for key in errors[0]}
    found |= {
        "r_hat": fit.r_hat,
        "ess_bulk": fit.ess_bulk,
        "ess_tail": fit.ess_tail,
        "divergences": fit.divergences,
        "not_positive": fit.share_not_positive,
        "near_zero": fit.share_near_zero,
        "judged": fit.judged,
        "decision": [_decision(r, j, rope, fit.level) for r, j in zip(ratios, fit.judged, strict=True)],
    }
    return _with_labels(labels, pd.DataFrame(found))


#: Columns of :func:`posterior_pairs`.
PAIR_TYPES = {
    **dict.fromkeys(("measure", "first", "second"), "str"),
    **dict.fromkeys(with_ends("difference"), "float64"),
    "decision": "str",
}


def posterior_pairs(fit: BayesFit, labels: pd.DataFrame) -> pd.DataFrame:
    """Log M-ratio and d' of every two tables that share a label (all, where there is one), first minus second.

    An M-ratio that cannot be judged has no decision. Tables are independent, so questions that two models share do not
    narrow an interval.

    Returns
    -------
    DataFrame
        ``measure`` (log M-ratio, d'), ``first, second, difference, difference_lower, difference_upper`` and
        ``decision``, each pair by itself: a region of practical equivalence of 0.05 and 0.1.
    """
    rows, names = [], names_of(labels, list(labels.columns))
    ratios, abilities = (fit.draws(name).reshape(len(names), -1) for name in ("m_ratio", "d_prime"))
    ratios = np.where(fit.judged[:, None], ratios, np.nan)
    for i, j in combinations(range(len(names)), 2):
        if labels.shape[1] > 1 and not (labels.iloc[i] == labels.iloc[j]).any():
            continue
        one = log_ratio_decision(quotient(ratios[i], ratios[j]), ROPE, level=fit.level)
        lower, upper, said = draws_finding(abilities[i] - abilities[j], ROPE_D_PRIME, fit.level)
        gap = float((abilities[i] - abilities[j]).mean())
        for name, values, decision in (
            ("log M-ratio", (one.mean, one.lower, one.upper), finding(one.excludes_zero, one.decision)),
            ("d'", (gap, lower, upper), said),
        ):
            row = {"measure": name, "first": names[i], "second": names[j], "decision": decision}
            rows.append(row | ended("difference", *values))
    return typed_rows(rows, PAIR_TYPES)


def draws_finding(draws: NDArray[np.float64], margin: float, level: float) -> tuple[float, float, str]:
    """Interval of draws of a difference, and what it says: whether it excludes 0, and the region around it."""
    lower, upper = (float(end) for end in np.quantile(draws, [(1 - level) / 2, (1 + level) / 2]))
    return lower, upper, finding(lower > 0 or upper < 0, rope_decision(lower, upper, -margin, margin))


def without_tables(labels: pd.DataFrame) -> pd.DataFrame:
    """:func:`posterior_table` where there is no table to fit: no row, and every column."""
    return _with_labels(labels, typed_rows([], TYPES))


def _decision(draws: NDArray[np.float64], judged: bool, rope: float, level: float) -> str:
    one = log_ratio_decision(draws, rope, level=level)
    return finding(one.excludes_zero, one.decision) if judged else UNDECIDED


def _errors(name: str, draws: NDArray[np.float64], level: float) -> dict[str, float]:
    """Monte Carlo errors of a mean and its interval's ends: ``NAME_error`` and so on (Vehtari et al. 2021)."""
    from arviz import mcse

    names = [f"{one}_error" for one in with_ends(name)]
    if not np.isfinite(draws).all():
        return dict.fromkeys(names, np.nan)
    low = 0.5 - level / 2
    found = (mcse(draws, method="mean"), *(mcse(draws, method="quantile", prob=p) for p in (low, 1 - low)))
    return {one: float(np.squeeze(error)) for one, error in zip(names, found, strict=True)}


def group_table(fit: GroupFit) -> pd.DataFrame:
    """The group's M-ratio in each condition, with its spread and a decision.

    ``condition, tables``; ``m_ratio, log_m_ratio``; ``tau``, the spread between members of what a member shares over
    conditions (NaN where none is in two), and ``sigma``, the rest of the spread of log M-ratio within a condition;
    each with ``_lower`` and ``_upper`` and Monte Carlo errors as above; ``decision`` on the group's log M-ratio
    against 0.
    """
    rows = []
    for i, condition in enumerate(fit.conditions):
        one = log_ratio_decision(np.exp(fit.group_draws[..., i]), ROPE, level=fit.level)
        row = {"condition": condition, "tables": fit.condition_of.count(condition)}
        own, sigma, tau = (fit.group_draws[..., j] for j in (i, -2, -1))
        for name, part, j, draws in (
            ("m_ratio", fit.m_ratio, i, np.exp(own)),
            ("log_m_ratio", fit.mu, i, own),
            ("tau", fit.tau, 0, tau),
            ("sigma", fit.sigma, 0, sigma),
        ):
            row |= ended(name, part.estimate[j], part.lower[j], part.upper[j])
            row |= _errors(name, draws, fit.level)
        rows.append(row | {"decision": finding(one.excludes_zero, one.decision)})
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class SamplingQuality:
    """How well chains, of so many kept draws each, sampled: the worst over all tables and parameters."""

    chains: int
    draws: int
    r_hat: float
    ess_bulk: float
    ess_tail: float
    divergences: int

    @property
    def sound(self) -> bool:
        """Whether R-hat, effective draws and divergences are all unobjectionable."""
        enough = draws_suffice(min(self.ess_bulk, self.ess_tail))
        return chains_agree(self.r_hat) and enough and not self.divergences


def chains_agree(r_hat: float) -> bool:
    """Whether R-hat says that the chains agree."""
    return r_hat <= HIGHEST_R_HAT


def draws_suffice(effective: float) -> bool:
    """Whether there are enough effective draws for the ends of intervals."""
    return effective >= FEWEST_EFFECTIVE


def sampling_quality(fit: BayesFit | GroupFit) -> SamplingQuality:
    """How well the chains of a fit sampled."""
    draws = fit.posterior if isinstance(fit, BayesFit) else fit.group_draws
    chains, kept = draws.shape[-3:-1]
    return SamplingQuality(
        chains,
        kept,
        float(np.max(fit.r_hat)),
        float(np.min(fit.ess_bulk)),
        float(np.min(fit.ess_tail)),
        int(np.sum(fit.divergences)),
    )


def predictive_points(check: RocCheck, labels: pd.DataFrame) -> pd.DataFrame:
    """Points of the type-2 ROC, observed and predicted: one row per table, response and least confidence.

    The labels; ``response`` (all, S1, S2), ``confidence_from``; ``hit`` and ``false_alarm``, the observed share of
    right and of wrong answers with at least that confidence, each with the mean of replicated tables ``_mean`` and
    their interval ``_lower``, ``_upper``; ``inside``, both lie in it.
    """
    _check_labels(labels, len(check.p_value))
    frames = []
    for i, r in np.ndindex(check.hit.shape[:2]):
        values: dict[str, object] = {
            "response": RESPONSES[r],
            "confidence_from": np.arange(check.hit.shape[2]) + 2,
        }
        inside = np.ones(check.hit.shape[2], dtype=bool)
        for rate in ("hit", "false_alarm"):
            seen = getattr(check, rate)[i, r]
            mean, low, high = (getattr(check, f"{rate}_{x}")[i, r] for x in ("mean", "lower", "upper"))
            values |= {rate: seen, f"{rate}_mean": mean, f"{rate}_lower": low, f"{rate}_upper": high}
            inside &= (low <= seen) & (seen <= high)
        label = labels.iloc[np.full(len(inside), i)].reset_index(drop=True)
        frames.append(_with_labels(label, pd.DataFrame(values | {"inside": inside})))
    return pd.concat(frames, ignore_index=True)


def predictive_table(check: RocCheck, labels: pd.DataFrame) -> pd.DataFrame:
    """Posterior predictive check of the type-2 ROC, one row per table.

    The labels; ``rates``, the number of observed rates of right and of wrong answers over responses and levels of
    confidence; ``inside``, those within the interval of replicated tables; ``furthest``, the largest distance of an
    observed rate from the predicted one; ``p_value``, the share of replicated tables that deviate from the model at
    least as much; ``fits``, it is at least 0.05.
    """
    _check_labels(labels, len(check.p_value))
    seen, mean, low, high = (
        np.concatenate(
            [getattr(check, f"{rate}{part}").reshape(len(labels), -1) for rate in ("hit", "false_alarm")], 1
        )
        for part in ("", "_mean", "_lower", "_upper")
    )
    far = np.abs(seen - mean)
    return _with_labels(
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


def names_of(labels: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """One name for each row: its labels with a comma between."""
    return [", ".join(str(v) for v in row) for row in labels[list(columns)].itertuples(index=False)]


def _check_labels(labels: pd.DataFrame, n: int) -> None:
    if len(labels) != n:
        raise InputError(f"there are {n} tables and {len(labels)} rows of labels: pass one row per table")


def _with_labels(labels: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    _check_labels(labels, len(found))
    both = sorted(set(labels.columns) & set(found.columns))
    if both:
        raise InputError(f"labels may not be called {', '.join(both)}: rename them")
    return pd.concat([labels.reset_index(drop=True), found], axis=1)
