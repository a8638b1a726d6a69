"""Sentences computed from tables of posteriors; they claim nothing that the numbers do not show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.posterior import (
    FEWEST_EFFECTIVE,
    HIGHEST_R_HAT,
    LOWEST_P,
    SamplingQuality,
    chains_agree,
    draws_suffice,
    names_of,
)
from metacog.sdt.bayes.record import LARGEST_SHARE, NEAR_ZERO


def reason(row: Any) -> str:
    """Why M-ratio cannot be judged, from a row of the same table; empty where it can."""
    near = row.near_zero
    return f"d' is below {NEAR_ZERO} in {near:.1%} of the draws" if near > LARGEST_SHARE else ""


#: What the ``decision`` of a row says of M-ratio against 1.
AGAINST_ONE = {
    "significant": "practically {side} 1",
    "negligible": "{side} 1, but by too little to matter",
    "inconclusive": "{side} 1, perhaps by too little to matter",
    "not significant": "not distinguished from 1",
}


def against_one(row: Any) -> str:
    """How M-ratio compares with 1, or why that cannot be judged."""
    if not row.judged:
        return f"cannot be judged: {reason(row)}"
    side = "less than" if row.m_ratio < 1 else "more than"
    said = AGAINST_ONE.get(row.decision, str(row.decision)).format(side=side)
    return said if row.m_ratio_lower > 0 else f"{said}, and not shown to be above 0"


def posterior_lines(table: pd.DataFrame, names: Sequence[str]) -> str:
    """One line per table for the terminal: M-ratio, its interval, and how it compares with 1."""
    return "\n".join(
        f"{name}: M-ratio {_m_ratio(row)}; "
        + (f"against 1: {row.decision}" if row.judged else f"M-ratio cannot be judged: {reason(row)}.")
        for row, name in zip(rows_of(table), names_of(table, names), strict=True)
    )


def sampling_sentence(quality: SamplingQuality) -> str:
    """How well the chains sampled: R-hat, effective draws, divergences, and what is wrong where it is."""
    n = quality.divergences
    diverged = {0: "no draw diverged", 1: "1 draw diverged"}.get(n, f"{n:,} draws diverged")
    numbers = (
        f"{quality.chains} chains of {quality.draws:,} kept draws: R-hat is at most "
        f"{_rounded(quality.r_hat, 3, chains_agree)}, the least effective number of draws "
        f"{_rounded(quality.ess_bulk, 0, draws_suffice)} (bulk) and "
        f"{_rounded(quality.ess_tail, 0, draws_suffice)} (tail), and {diverged}."
    )
    faults = []
    if not chains_agree(quality.r_hat):
        faults.append(f"R-hat is above {HIGHEST_R_HAT}, so the chains do not agree")
    if not draws_suffice(min(quality.ess_bulk, quality.ess_tail)):
        faults.append(f"fewer than {FEWEST_EFFECTIVE} effective draws make the ends of intervals uncertain")
    if n:
        faults.append("where draws diverge, parts of the posterior are missed")
    if not faults:
        return f"The chains agree. {numbers}"
    return f"The sampling is not sound: {'; '.join(faults)}. Draw more before relying on it. {numbers}"


def predictive_sentence(table: pd.DataFrame) -> str:
    """In how many tables (:func:`metacog.measures.posterior.predictive_table`) the model predicts the observed
    ratings.
    """
    n, fit = len(table), int(table["fits"].sum())
    sentence = (
        f"The model behind meta-d' makes ratings like those observed in {fit} of {n} tables (posterior predictive "
        f"p of at least {LOWEST_P:g}); {int(table['inside'].sum())} of {int(table['rates'].sum())} observed rates "
        "lie within what it predicts."
    )
    if fit == n:
        return sentence
    far = float(table.loc[~table["fits"].astype(bool), "furthest"].max())
    return (
        f"{sentence} Where it does not, an observed rate lies up to {far:.3f} from the predicted one: there "
        "M-ratio summarises ratings that the model only resembles."
    )


def _m_ratio(row: Any) -> str:
    return f"{row.m_ratio:.2f} [{row.m_ratio_lower:.2f}, {row.m_ratio_upper:.2f}]"


def _rounded(value: float, digits: int, sound: Callable[[float], bool]) -> str:
    """A number with as many more decimals as keep rounding from making it sound or unsound."""
    while sound(value) != sound(round(value, digits)):
        digits += 1
    return f"{value:,.{digits}f}"
