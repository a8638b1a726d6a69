"""Sentences computed from tables of posteriors; nothing is said that their numbers do not say."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.posterior import ROPE, names_of
from metacog.report.verdicts import Kind, Verdict

_SIDES = {True: "less than", False: "more than"}


def posterior_sentences(table: pd.DataFrame, names: list[str], *, rope: float = ROPE) -> list[Verdict]:
    """One finding a table: where its M-ratio lies, or why it cannot be judged.

    Parameters
    ----------
    table : DataFrame
        Of :func:`metacog.measures.posterior.posterior_table`.
    names : list of str
        Columns that name a table.
    rope : float
        Half-width of the region of practical equivalence of log M-ratio.
    """
    found = []
    for row, name in zip(rows_of(table), names_of(table, names), strict=True):
        at = f"{row.m_ratio:.2f} [{row.m_ratio_lo:.2f}, {row.m_ratio_hi:.2f}]"
        if not row.judged:
            spans = (
                f"The interval of its M-ratio reaches from {row.m_ratio_lo:,.2f} to {row.m_ratio_hi:,.2f}, "
                f"that of its d' from {row.d_prime_lo:.2f} to {row.d_prime_hi:.2f}."
            )
            found.append(_finding(f"{name}: {row.why} {spans}"))
            continue
        found.append(_finding(f"{name}: M-ratio {at} by its posterior, {against_one(row, rope)}."))
    return found


def against_one(row: pd.Series, rope: float = ROPE) -> str:
    """What ``said`` of a row means: how M-ratio stands to 1."""
    edges = f"{rope:g} to either side on the logarithmic scale"
    side = _SIDES[bool(row.log_m_ratio < 0)]
    return {
        "significant": f"practically {side} 1 (outside {edges})",
        "negligible": f"{side} 1, but by too little to matter (inside {edges})",
        "inconclusive": f"{side} 1, perhaps by too little to matter (the interval overlaps {edges})",
        "not significant": "not told from 1, which its interval holds",
    }.get(row.said, f"{row.said}")


def group_sentences(table: pd.DataFrame, *, rope: float = ROPE) -> list[Verdict]:
    """One finding a condition of :func:`metacog.measures.posterior.group_table`."""
    return [
        _finding(
            f"Group, {row.condition}: M-ratio {row.m_ratio:.2f} "
            f"[{row.m_ratio_lo:.2f}, {row.m_ratio_hi:.2f}], {against_one(row, rope)}. Its members spread by "
            f"{row.sigma:.2f} [{row.sigma_lo:.2f}, {row.sigma_hi:.2f}] (standard deviation of log M-ratio)."
        )
        for row in rows_of(table)
    ]


def posterior_lines(table: pd.DataFrame, names: list[str]) -> str:
    """A line a table for the terminal: M-ratio, its interval, and how it stands to 1."""
    lines = []
    for row, name in zip(rows_of(table), names_of(table, names), strict=True):
        said = f"against 1: {row.said}" if row.judged else str(row.why)
        lines.append(
            f"{name}: M-ratio {row.m_ratio:.2f} [{row.m_ratio_lo:.2f}, {row.m_ratio_hi:.2f}]; {said}"
        )
    return "\n".join(lines)


def _finding(text: str) -> Verdict:
    return Verdict("Posterior", Kind.FINDING, "", None, text)
