"""H4: do models of similar type-1 sensitivity differ in M-ratio?

Three readings are shown. The author's code asks for one pair of models whose 95 % intervals of
M-ratio do not overlap; the text asks for one pairwise difference whose interval excludes zero;
neither tests that d' is similar. The sound counterpart resamples the questions both models share and
asks of a pair that M-ratio differ *and* that d' be shown similar by a TOST with a bound of our own
choice (0.3, the bound of H3). A pair must pass both tests, so its p is the larger of the two (Berger
1982, intersection-union), and it is that p which Holm's method adjusts for the number of pairs:
adjusting the difference alone leaves every pair a free chance at similarity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.rules import Unit, at_least, those, undecided, unit
from metacog.sdt.decisions import bootstrap_p, tost_draws
from metacog.studies.study1_qa.cell_estimates import CellDraws, bootstrap_cells
from metacog.studies.study1_qa.cells import REFERENCE, Cells, FloatArray, Rated
from metacog.studies.study1_qa.contrasts import (
    excludes_zero,
    holm,
    interval,
    paired_draws,
    question_cells,
)
from metacog.studies.study1_qa.verdicts import PREREGISTERED, SOUND, Kind, Verdict

#: |d' difference| below which two models count as similar (TOST bound, ours).
D_PRIME_BOUND = 0.3
RULE_CODE = (
    "At least one pair of models has 95 % intervals of M-ratio that do not overlap (the author's code)."
)
RULE_TEXT = "At least one pairwise difference of M-ratio has a 95 % interval without zero (the text)."
RULE_SOUND = (
    "At least one pair differs in M-ratio over shared questions (paired bootstrap) and is shown to be "
    f"similar in d' (TOST within ±{D_PRIME_BOUND}), by the larger of both p, Holm-adjusted over the pairs."
)


@dataclass(frozen=True)
class H4:
    """Result of H4.

    Attributes
    ----------
    table : DataFrame
        One row a model: d', meta-d' and M-ratio with 95 % limits.
    pairs : DataFrame
        One row a pair within a question set: ``overlap`` (of the intervals), the independent
        difference with limits ``lo, hi``, the paired one ``paired, paired_lo, paired_hi, paired_p``,
        the d' difference with 90 % limits and TOST's ``d_p``, ``d_similar``, ``p_holm`` (the larger of
        ``paired_p`` and ``d_p``, adjusted over unflagged pairs), ``n_shared`` questions and ``flagged``.
    verdicts : tuple of Verdict
    draws : CellDraws
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    draws: CellDraws


def h4_from_cells(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H4:
    """H4's two pre-registered readings from counts at T = 1, models drawn independently."""
    draws = bootstrap_cells(cells, n_resamples=n_resamples, seed=seed)
    table = draws.table
    rows = []
    for dataset, index in table.groupby("dataset", sort=False).indices.items():
        for i, j in combinations(index, 2):
            gap = draws.m_ratio[i] - draws.m_ratio[j]
            low, high = interval(gap)
            d_gap = draws.d_prime[i] - draws.d_prime[j]
            d_low, d_high = interval(d_gap, level=0.90)
            a, b = table.iloc[i], table.iloc[j]
            rows.append(
                {
                    "dataset": dataset,
                    "model_a": a["model"],
                    "model_b": b["model"],
                    "overlap": bool(a["ci_lo"] <= b["ci_hi"] and b["ci_lo"] <= a["ci_hi"]),
                    "difference": a["m_ratio"] - b["m_ratio"],
                    "lo": low,
                    "hi": high,
                    "p": bootstrap_p(gap),
                    "d_difference": a["d_prime"] - b["d_prime"],
                    "d_lo": d_low,
                    "d_hi": d_high,
                    "d_similar": bool(max(abs(d_low), abs(d_high)) < D_PRIME_BOUND),
                    "flagged": bool(a["flag"] or b["flag"]),
                }
            )
    columns = [
        "dataset",
        "model_a",
        "model_b",
        "overlap",
        "difference",
        "lo",
        "hi",
        "p",
        "d_difference",
        "d_lo",
        "d_hi",
        "d_similar",
        "flagged",
    ]
    pairs = pd.DataFrame(rows, columns=columns)
    found = (_judge_code(pairs), _judge_text(pairs)) if verdicts else ()
    return H4(table, pairs, found, draws)


def h4(rated: Rated, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H4:
    """H4 in its three readings; see the module's docstring.

    The d' limits of ``pairs`` are the paired ones where models share questions.
    """
    first = h4_from_cells(rated.cells(), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    pairs = first.pairs.assign(
        paired=np.nan, paired_lo=np.nan, paired_hi=np.nan, paired_p=np.nan, d_p=np.nan, n_shared=0
    )
    at_one = rated.trials[rated.trials["temperature"] == REFERENCE]
    for dataset, own in at_one.groupby("dataset", sort=False):
        if own["model"].nunique() < 2:
            continue
        for index, row in pairs[pairs["dataset"] == dataset].iterrows():
            both = own[own["model"].isin([row["model_a"], row["model_b"]])]
            cells = question_cells(both, "model", rated.n_ratings)
            if cells.matrix.shape[0] < 2:
                continue
            point, draws = paired_draws(cells, n_resamples=n_resamples, seed=seed)
            i, j = cells.conditions.index(row["model_a"]), cells.conditions.index(row["model_b"])
            gap = draws["m_ratio"][i] - draws["m_ratio"][j]
            d_gap = draws["d_prime"][i] - draws["d_prime"][j]
            d_low, d_high = interval(d_gap, level=0.90)
            low, high = interval(gap)
            pairs.loc[index, ["paired", "paired_lo", "paired_hi", "paired_p", "d_lo", "d_hi", "d_p"]] = [
                point["m_ratio"][i] - point["m_ratio"][j],
                low,
                high,
                bootstrap_p(gap),
                d_low,
                d_high,
                similarity_p(d_gap),
            ]
            pairs.loc[index, "n_shared"] = cells.matrix.shape[0]
            pairs.loc[index, "d_similar"] = bool(max(abs(d_low), abs(d_high)) < D_PRIME_BOUND)
    pairs["p_holm"] = both_holm(pairs["paired_p"], pairs["d_p"], pairs["flagged"])
    found = first.verdicts
    if verdicts:
        found = (*found, _judge_sound(pairs))
    return H4(first.table, pairs, found, first.draws)


def similarity_p(gap: FloatArray) -> float:
    """TOST's p of draws of a d' difference against ±:data:`D_PRIME_BOUND`; NaN with fewer than two."""
    usable = gap[np.isfinite(gap)]
    if usable.size < 2:
        return float("nan")
    return tost_draws(usable, np.nan, -D_PRIME_BOUND, D_PRIME_BOUND).p_value


def both_holm(p_different: pd.Series, p_similar: pd.Series, flags: pd.Series) -> FloatArray:
    """Holm-adjusted p of "different and similar" over the unflagged pairs: the larger p of each pair."""
    larger = p_different.where(p_different >= p_similar, p_similar)
    both = p_different.notna() & p_similar.notna() & ~flags.astype(bool)
    return holm(larger.where(both))


def _pair(row: Any, several: bool) -> str:
    return f"{row.model_a} and {row.model_b}" + (f" on {row.dataset}" if several else "")


def _units(pairs: pd.DataFrame, holds: pd.Series, known: pd.Series) -> list[Unit]:
    several = pairs["dataset"].nunique() > 1
    return [
        unit(_pair(row, several), yes, known=there, flag="a flagged cell" if row.flagged else "")
        for row, yes, there in zip(rows_of(pairs), holds, known, strict=True)
    ]


def _shown(names: Sequence[str]) -> str:
    return listed(names) if len(names) < 4 else plural(len(names), "pair")


def _too_few(kind: Kind, rule: str) -> Verdict:
    return Verdict("H4", kind, rule, None, "H4 compares models, and this run has fewer than two to compare.")


def _judge_code(pairs: pd.DataFrame) -> Verdict:
    if pairs.empty:
        return _too_few(PREREGISTERED, RULE_CODE)
    units = _units(pairs, ~pairs["overlap"].astype(bool), pairs["lo"].notna())
    apart = those(units, True)
    sentence = (
        f"The intervals of {_shown(apart)} do not overlap."
        if apart
        else "No two intervals that can be judged are apart."
    )
    return Verdict("H4", PREREGISTERED, RULE_CODE, at_least(units, 1), sentence + undecided(units))


def _judge_text(pairs: pd.DataFrame) -> Verdict:
    if pairs.empty:
        return _too_few(PREREGISTERED, RULE_TEXT)
    clear = excludes_zero(pairs["lo"], pairs["hi"])
    units = _units(pairs, clear, pairs["lo"].notna())
    hit = those(units, True)
    judged = sum(u.holds is not None for u in units)
    sentence = (
        f"The difference of M-ratio excludes zero for {_shown(hit)}, of {plural(judged, 'pair')}."
        if hit
        else f"No difference of {plural(judged, 'pair')} excludes zero."
        if judged
        else "No pair can be judged."
    )
    if hit:
        similar = those(_units(pairs, clear & pairs["d_similar"].astype(bool), pairs["lo"].notna()), True)
        sentence += f" Of these, d' is shown to be similar for {_shown(similar) if similar else 'none'}."
    return Verdict("H4", PREREGISTERED, RULE_TEXT, at_least(units, 1), sentence + undecided(units))


def _judge_sound(pairs: pd.DataFrame) -> Verdict:
    if pairs.empty:
        return _too_few(SOUND, RULE_SOUND)
    units = _units(pairs, pairs["p_holm"] < 0.05, pairs["paired_p"].notna())
    judged = pairs[pairs["p_holm"].notna()]
    apart = int((holm(judged["paired_p"]) < 0.05).sum())
    similar = int(judged["d_similar"].astype(bool).sum())
    both = those(units, True)
    if judged.empty:
        return Verdict("H4", SOUND, RULE_SOUND, None, f"No pair can be judged.{undecided(units)}")
    sentence = (
        f"Of {plural(len(judged), 'pair')}, {apart} differ in M-ratio over shared questions after Holm, "
        f"{similar} are shown to be similar in d', and {len(both)} are both after Holm over both tests"
        + (f" ({_shown(both)})." if both else ".")
    )
    return Verdict("H4", SOUND, RULE_SOUND, at_least(units, 1), sentence + undecided(units))
