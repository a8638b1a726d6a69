"""H4: do models of similar d' differ in M-ratio?

Three readings are judged. The author's code asks for one pair of models whose 95 % intervals of M-ratio do not
overlap; the text asks for one pairwise difference whose interval excludes zero; neither asks that d' be similar.
An M-ratio is meta-d'/d', so two models whose meta-d' is the same differ in it as soon as d' does.
The sound counterpart resamples the questions both models share and asks of a pair that it be further apart in M-ratio
than in d': that the factor between the M-ratios exceed the one between the d'. With M = meta-d'/d' that is so where
meta-d' and M-ratio over d' differ in the same direction. A pair must pass both tests, so its p is the larger of the two
(Berger 1982, intersection-union), and it is that p which Holm's method adjusts for the number of pairs. No bound is
needed, and few questions can show it; that d' lies within a bound of our choice took more than any run had.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.cell import Measured
from metacog.measures.fits import Fits
from metacog.measures.pairs import differences, excludes_zero
from metacog.report.views import Views
from metacog.sdt.checks import FloatArray
from metacog.sdt.decisions import bootstrap_p, holm
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import cells, paper
from metacog.studies.study1_qa.cells import RECOMPUTED, Cells, Rated, registered, registered_unit
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import Unit, shown
from metacog.verdicts.verdict import Kind

_COUNTS = "as pre-registered: it counts intervals, and is not corrected for their number"
RULES = {
    "code": Rule(
        "At least one pair of models has 95 % intervals of M-ratio that do not overlap (the author's code).",
        "H4",
        Kind.PREREGISTERED,
        no_null=_COUNTS,
    ),
    "text": Rule(
        "At least one pairwise difference of M-ratio has a 95 % interval without zero (the text).",
        "H4",
        Kind.PREREGISTERED,
        no_null=_COUNTS,
    ),
    "further": Rule(
        "At least one pair of models is further apart in M-ratio than in d', as factors: over shared questions (paired "
        "bootstrap) meta-d' and the M-ratio over d' both differ in one direction, by the larger of both p, "
        "Holm-adjusted over the pairs; a pair of which that is not shown stays open.",
        "H4",
        Kind.SOUND,
        null=("equal",),
        worst="one higher d'",
    ),
}
FEW = cells.Flag.FEW_OF_A_CLASS.value
_NUMBERS = ["difference", "lower", "upper", "d_difference", "p_further"]
COMPARED = ["model_a", "model_b", "overlap", "difference", "lower", "upper", "d_difference", "further"]


@analysis(needs=("open",), files=cells.PUBLISHED_FILES)
def h4(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> dict[str, Any]:
    """Do models of similar d' differ in M-ratio?"""
    drawn = {"n_resamples": n_resamples, "seed": seed}
    pairs = on_shared_questions(cells.rated_primary(inputs), **drawn)
    sources = {RECOMPUTED: published_pairs(**drawn)[COMPARED], cells.RUN: pairs[COMPARED]}
    return {"comparison": cells.stacked(**sources), "outcomes": judge(pairs) if verdicts else None}


def published_pairs(*, n_resamples: int, seed: int) -> pd.DataFrame:
    """Pairs of the paper's models, whose counts do not say which questions they share."""
    return pairs_of(paper.published_cells(paper.MAIN), n_resamples=n_resamples, seed=seed)


def pairs_of(counts: Cells, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """Every pair of models of a question set, drawn independently: see :func:`compared` and :func:`adjusted`.

    With ``overlap`` of the intervals of M-ratio (None without them) and ``flagged``.
    """
    table, made = cells.fits(counts, n_resamples=n_resamples, seed=seed)
    nothing = compared({}, paired=False).astype(dict.fromkeys(_NUMBERS, np.float64))
    parts = [nothing.assign(dataset="", overlap=False, flagged=False, excluded=False)]
    for dataset, rows in table.groupby("dataset", sort=False):
        part = compared({table["model"][i]: made[i] for i in rows.index}, paired=False)
        sides = list(combinations(rows_of(rows), 2))
        overlap = [
            a.m_ratio_lower <= b.m_ratio_upper and b.m_ratio_lower <= a.m_ratio_upper for a, b in sides
        ]
        part["dataset"] = dataset
        part["overlap"] = _known(pd.Series(overlap, dtype=bool), part["lower"])
        part["flagged"] = [bool(a.flag or b.flag) for a, b in sides]
        part["excluded"] = [bool(registered(a.flag) or registered(b.flag)) for a, b in sides]
        parts.append(part)
    return adjusted(pd.concat([one for one in parts if len(one)] or parts[:1], ignore_index=True))


def compared(made: Mapping[str, Measured], *, paired: bool) -> pd.DataFrame:
    """Every pair ``model_a, model_b``: ``difference`` of M-ratio with ``lower, upper, p``, ``d_difference``, and
    ``p_further``: that the pair is no further apart in M-ratio than in d'.
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
    """With ``p_holm`` of the unflagged pairs, and ``further``: whether it is shown; None where it cannot be judged."""
    p = holm(pairs["p_further"].where(~pairs["flagged"].astype(bool)))
    shown_so = pd.Series(p < 0.05, index=pairs.index)
    return pairs.assign(p_holm=p, further=_known(shown_so, pd.Series(p, index=pairs.index)))


def _known(holds: pd.Series, limit: pd.Series) -> pd.Series:
    there = limit.notna()
    return holds if there.all() else holds.astype(object).where(there, None)


def on_shared_questions(rated: Rated, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """:func:`pairs_of` the run's counts, with ``paired_p`` and ``p_further`` over the questions a pair shares."""
    pairs = pairs_of(rated.cells(), n_resamples=n_resamples, seed=seed)
    pairs = pairs.assign(paired_p=np.nan, p_further=np.nan)
    at_one = rated.trials[rated.trials["temperature"] == cells.REFERENCE]
    for index, row in pairs.iterrows():
        models = [row["model_a"], row["model_b"]]
        both = at_one[(at_one["dataset"] == row["dataset"]) & at_one["model"].isin(models)]
        asked = cells.question_cells(both, "model", rated.n_ratings)
        if len(asked) == len(models):
            made = cells.measured_together(asked, [Fits()], n_resamples=n_resamples, seed=seed)
            one = compared({name: made[name] for name in models}, paired=True).iloc[0]
            pairs.loc[index, ["paired_p", "p_further"]] = [one["p"], one["p_further"]]
    return adjusted(pairs)


def judge(pairs: pd.DataFrame) -> pd.DataFrame:
    drawn = pairs["lower"].notna()
    differ = excludes_zero(pairs["lower"], pairs["upper"])
    further = _units(pairs, pairs["p_holm"] < 0.05, pairs["paired_p"].notna())
    units = {
        "code": _units(pairs, ~pairs["overlap"].astype(bool), drawn, as_registered=True),
        "text": _units(pairs, differ, drawn, as_registered=True),
        "further": further,
    }
    return pd.concat([outcomes(rule, own, 1) for rule, own in units.items()])


def _units(
    pairs: pd.DataFrame, holds: pd.Series, known: pd.Series, *, as_registered: bool = False
) -> list[Unit]:
    names = pairs["model_a"] + " with " + pairs["model_b"]
    names = names + " on " + pairs["dataset"] if pairs["dataset"].nunique() > 1 else names
    flag = pairs["flagged"].map({True: "a flagged cell", False: ""})
    excluded = pairs["excluded"].map({True: FEW, False: ""})
    if as_registered:
        return list(map(registered_unit, names, holds, known, excluded, flag))
    return list(map(shown, names, holds, known, flag))


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: pairs of published models that differ in M-ratio, and by
    more than in d'; the same of this run's.
    """
    found: dict[str, Any] = {}
    for whose, source in (("their", RECOMPUTED), ("our", cells.RUN)):
        rows = result.comparison[result.comparison["source"] == source]
        apart = excludes_zero(rows["lower"], rows["upper"])
        found |= {
            f"{whose}_pairs": len(rows),
            f"{whose}_apart": int(apart.sum()),
            f"{whose}_further": int(rows["further"].eq(True).sum()),
        }
        both = [
            set(pair) for pair in zip(rows.loc[apart, "model_a"], rows.loc[apart, "model_b"], strict=True)
        ]
        common = sorted(set.intersection(*both)) if both else []
        found[f"{whose}_common"] = common[0] if common else np.nan
    return found


VIEWS = Views("h4", names=paper.NAMES, numbers=figures)
