"""H4: do models of similar d' differ in M-ratio?

Three readings are shown. The author's code asks for one pair of models whose 95 % intervals of M-ratio do not
overlap; the text asks for one pairwise difference whose interval excludes zero; neither asks that d' be similar.
An M-ratio is meta-d'/d', so two models whose meta-d' is the same differ in it as soon as d' does.
The sound counterpart resamples the questions both models share and asks of a pair that it be further apart in M-ratio
than in d': that the factor between the M-ratios exceed the one between the d'. With M = meta-d'/d' that is so where
meta-d' and M-ratio over d' differ in the same direction. A pair must pass both tests, so its p is the larger of the two
(Berger 1982, intersection-union), and it is that p which Holm's method adjusts for the number of pairs. No bound is
needed, and few questions can show it; that d' lies within a bound of our choice took more than any run had.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.cell import Measured
from metacog.measures.fits import Fits
from metacog.measures.pairs import differences, excludes_zero
from metacog.sdt.checks import FloatArray
from metacog.sdt.decisions import bootstrap_p, holm
from metacog.studies.study import analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import (
    PUBLISHED_FILES,
    RECOMPUTED,
    REFERENCE,
    RUN,
    Cells,
    Rated,
    fits,
    measured_together,
    question_cells,
    rated_primary,
    stacked,
)
from metacog.verdicts.rules import Unit, judged, shown, those, unit
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# What H4's three readings say of pairs of models.

RULE_CODE = (
    "At least one pair of models has 95 % intervals of M-ratio that do not overlap (the author's code)."
)
RULE_TEXT = "At least one pairwise difference of M-ratio has a 95 % interval without zero (the text)."
RULE_SOUND = (
    "At least one pair of models is further apart in M-ratio than in d', as factors: over shared questions (paired "
    "bootstrap) meta-d' and the M-ratio over d' both differ in one direction, by the larger of both p, Holm-adjusted "
    "over the pairs; a pair of which that is not shown stays open."
)
RULE_PUBLISHED = "Pairs that differ."


def judge(pairs: pd.DataFrame) -> tuple[Verdict, ...]:
    """Verdicts of the two pre-registered readings; ``pairs`` as in H4."""
    return judge_code(pairs), judge_text(pairs)


def judge_code(pairs: pd.DataFrame) -> Verdict:
    """Intervals that do not overlap, as the author's code asks."""
    units = _units(pairs, ~pairs["overlap"].astype(bool), pairs["lower"].notna())
    apart = those(units, True)
    return judged(
        units, "H4", Kind.PREREGISTERED, RULE_CODE, name="code", k=1, n_pairs=len(pairs), apart=apart
    )


def judge_text(pairs: pd.DataFrame) -> Verdict:
    """A difference whose interval excludes zero, as the text asks."""
    units = _units(pairs, excludes_zero(pairs["lower"], pairs["upper"]), pairs["lower"].notna())
    values: dict[str, Any] = {
        "n_pairs": len(pairs),
        "n_judged": sum(u.holds is not None for u in units),
        "differ": those(units, True),
    }
    return judged(units, "H4", Kind.PREREGISTERED, RULE_TEXT, name="text", k=1, **values)


def judge_further(pairs: pd.DataFrame) -> Verdict:
    """Pairs that are further apart in M-ratio than in d', over shared questions."""
    units = _units(pairs, pairs["p_holm"] < 0.05, pairs["paired_p"].notna(), shown)
    known = pairs[pairs["p_holm"].notna()]
    values: dict[str, Any] = {
        "n_pairs": len(pairs),
        "n_judged": len(known),
        "differ": int((holm(known["paired_p"]) < 0.05).sum()),
        "further": those(units, True),
    }
    return judged(units, "H4", Kind.SOUND, RULE_SOUND, name="further", k=1, **values)


def compare(theirs: pd.DataFrame, ours: pd.DataFrame) -> Verdict:
    """How many published pairs and pairs of the run differ, in three ways."""
    counts = {name: _differing(pairs) for name, pairs in (("published", theirs), ("run", ours))}
    return Verdict("H4", Kind.PUBLISHED, RULE_PUBLISHED, None, name="published", values=counts)


def _differing(pairs: pd.DataFrame) -> dict[str, int]:
    differs = excludes_zero(pairs["lower"], pairs["upper"])
    return {
        "n_pairs": len(pairs),
        "apart": int(pairs["overlap"].eq(False).sum()),
        "differ": int(differs.sum()),
        "further": int(pairs["further"].eq(True).sum()),
    }


def _pair(row: Any, several: bool) -> str:
    return f"{row.model_a} with {row.model_b}" + (f" on {row.dataset}" if several else "")


def _units(
    pairs: pd.DataFrame, holds: pd.Series, known: pd.Series, of: Callable[..., Unit] = unit
) -> list[Unit]:
    several = pairs["dataset"].nunique() > 1
    return [
        of(_pair(row, several), yes, known=there, flag="a flagged cell" if row.flagged else "")
        for row, yes, there in zip(rows_of(pairs), holds, known, strict=True)
    ]


_COLUMNS = (
    "dataset",
    "model_a",
    "model_b",
    "overlap",
    "difference",
    "lower",
    "upper",
    "p",
    "d_difference",
    "p_further",
    "p_holm",
    "further",
    "flagged",
)

_NUMBERS = ("difference", "lower", "upper", "p", "d_difference", "p_further", "p_holm")


@dataclass(frozen=True)
class H4Estimates:
    """Result of H4.

    Attributes
    ----------
    table : DataFrame
        One row per model: d', meta-d' and M-ratio with 95 % limits.
    pairs : DataFrame
        One row per pair within a question set: ``overlap`` (of the intervals; None without them), the independent
        difference with limits ``lower, upper``, the paired one ``paired, paired_lower, paired_upper, paired_p``,
        ``d_difference``, ``p_further`` (that the pair is further apart in M-ratio than in d'), ``p_holm`` (the
        same, adjusted over unflagged pairs), ``further`` (whether that is shown; None where it cannot be judged),
        ``n_shared`` questions and ``flagged``. The last are paired ones where models share questions.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def h4_from_cells(
    cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> H4Estimates:
    """H4's two pre-registered readings from counts at T = 1, models drawn independently."""
    table, made = fits(cells, n_resamples=n_resamples, seed=seed)
    nothing = pd.DataFrame(columns=list(_COLUMNS))
    parts = [nothing.astype(dict.fromkeys(_NUMBERS, np.float64))]
    for dataset, rows in table.groupby("dataset", sort=False):
        part = compared({table["model"][i]: made[i] for i in rows.index}, paired=False)
        sides = [(table.loc[i], table.loc[j]) for i, j in combinations(rows.index, 2)]
        part["dataset"] = dataset
        part["overlap"] = [
            bool(a["m_ratio_lower"] <= b["m_ratio_upper"] and b["m_ratio_lower"] <= a["m_ratio_upper"])
            for a, b in sides
        ]
        part["overlap"] = _known(part["overlap"], part["lower"])
        part["flagged"] = [bool(a["flag"] or b["flag"]) for a, b in sides]
        parts.append(part)
    pairs = pd.concat([one for one in parts if len(one)] or parts[:1], ignore_index=True)
    pairs = adjusted(pairs)[list(_COLUMNS)]
    return H4Estimates(table, pairs, judge(pairs) if verdicts else ())


def compared(made: Mapping[str, Measured], *, paired: bool) -> pd.DataFrame:
    """Differences of M-ratio of every pair of models, and whether they are further apart in it than in d'.

    Returns
    -------
    DataFrame
        ``model_a, model_b``; of M-ratio ``difference, lower, upper, p``; of d' ``d_difference``; ``p_further``.
    """
    ratio = differences(made, "m_ratio", paired=paired).drop(columns="p_equivalent")
    return ratio.rename(columns={"first": "model_a", "second": "model_b"}).assign(
        d_difference=differences(made, "d_prime", paired=paired)["difference"],
        p_further=[
            further_p(a.draws, b.draws) if a.defined("m_ratio") and b.defined("m_ratio") else np.nan
            for a, b in combinations(made.values(), 2)
        ],
    )


def further_p(a: Mapping[str, FloatArray], b: Mapping[str, FloatArray]) -> float:
    """P of "no further apart in M-ratio than in d'", from draws of ``d_prime, meta_d, m_ratio`` of two models.

    The larger M-ratio, m, is the other one's times more than the larger d' is the smaller, if m d' and m/d' are both
    larger: their differences must lie on one side of 0. In draws with a d' that is not positive there is no such
    factor, and they count against it.
    """
    known = (a["d_prime"] > 0) & (b["d_prime"] > 0)
    by_d = a["m_ratio"] * b["d_prime"] - b["m_ratio"] * a["d_prime"]
    both = [np.where(known, x, 0 * by_d) for x in (a["meta_d"] - b["meta_d"], by_d)]
    if not np.isfinite(both).any():
        return float("nan")
    alike = np.sign(np.nanmedian(both[0])) == np.sign(np.nanmedian(both[1]))
    return max(map(bootstrap_p, both)) if alike else 1.0


def adjusted(pairs: pd.DataFrame) -> pd.DataFrame:
    """With ``p_holm`` of the unflagged pairs, and ``further``: whether it is shown."""
    p = holm(pairs["p_further"].where(~pairs["flagged"].astype(bool)))
    shown_so = pd.Series(p < 0.05, index=pairs.index)
    return pairs.assign(p_holm=p, further=_known(shown_so, pd.Series(p, index=pairs.index)))


def _known(holds: pd.Series, limit: pd.Series) -> pd.Series:
    """Whether something holds of intervals; None where there is none."""
    there = limit.notna()
    return holds if there.all() else holds.astype(object).where(there, None)


def h4_estimates(
    rated: Rated, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> H4Estimates:
    """H4 in its three readings; see the module's docstring."""
    first = h4_from_cells(rated.cells(), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    pairs = first.pairs.assign(
        paired=np.nan, paired_lower=np.nan, paired_upper=np.nan, paired_p=np.nan, p_further=np.nan, n_shared=0
    )
    at_one = rated.trials[rated.trials["temperature"] == REFERENCE]
    names = {"difference": "paired", "lower": "paired_lower", "upper": "paired_upper", "p": "paired_p"}
    for index, row in pairs.iterrows():
        models = [row["model_a"], row["model_b"]]
        both = at_one[(at_one["dataset"] == row["dataset"]) & at_one["model"].isin(models)]
        cells = question_cells(both, "model", rated.n_ratings)
        if len(cells) < 2:
            continue
        made = measured_together(cells, [Fits()], n_resamples=n_resamples, seed=seed)
        one = compared({name: made[name] for name in models}, paired=True).iloc[0].rename(names)
        kept = [*names.values(), "p_further"]
        pairs.loc[index, kept] = one[kept]
        pairs.loc[index, "n_shared"] = next(iter(cells.values())).n_units
    pairs = adjusted(pairs)
    found = first.verdicts
    if verdicts:
        found = (*found, judge_further(pairs))
    return H4Estimates(first.table, pairs, found)


# H4: do models of similar d' differ in M-ratio? What is computed.

#: Columns of the comparison with the published models, whose pairs share no drawn questions.
COMPARED = ["model_a", "model_b", "overlap", "difference", "lower", "upper", "d_difference", "further"]


@dataclass(frozen=True)
class H4:
    """H4: ``measures`` and ``pairs`` as in :class:`metacog.studies.study1_qa.h4.H4Estimates`."""

    measures: pd.DataFrame
    pairs: pd.DataFrame
    comparison: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    n_pairs: int


@analysis(needs=("open",), returns=H4, files=PUBLISHED_FILES)
def h4(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H4:
    """Do models of similar d' differ in M-ratio?"""
    drawn = {"n_resamples": n_resamples, "seed": seed}
    run = h4_estimates(rated_primary(inputs), **drawn, verdicts=verdicts)
    theirs = published_pairs(**drawn)
    return H4(
        run.table,
        run.pairs,
        stacked(**{RECOMPUTED: theirs[COMPARED], RUN: run.pairs[COMPARED]}),
        (*run.verdicts, compare(theirs, run.pairs)) if verdicts else (),
        len(run.pairs),
    )


def published_pairs(*, n_resamples: int, seed: int) -> pd.DataFrame:
    """``pairs`` of the paper's models, whose counts do not say which questions they share."""
    cells = paper.published_cells(paper.MAIN)
    return h4_from_cells(cells, n_resamples=n_resamples, seed=seed, verdicts=False).pairs
