"""R1-R4: other numbers of ratings, unequal variance, equal-width bins, another question set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.measured import Measured
from metacog.measures.pairs import differences
from metacog.report.verdicts import Verdict
from metacog.sdt.zroc import z_roc
from metacog.studies.study1_qa.cells.counts import GROUP, Cells, primary, rate_trials
from metacog.studies.study1_qa.cells.estimates import below_one, fits
from metacog.studies.study1_qa.cells.flags import flags_in, joined
from metacog.studies.study1_qa.cells.ranking import place
from metacog.studies.study1_qa.ledger.published import R2_SLOPES
from metacog.studies.study1_qa.robustness.judging import BASELINE, judge_check

MODEL_SLOPE = "s = own z-ROC slope"
AUTHOR_SLOPE = "s = the author's slope"


@dataclass(frozen=True)
class Checks:
    """R1-R4.

    Attributes
    ----------
    table : DataFrame
        One row per check, variant, model and question set: ``check, variant, model, dataset, k, s,
        d_prime, meta_d, m_ratio, m_ratio_lower, m_ratio_upper, below_one, rank, flag``; rank 1 is the
        highest M-ratio of its variant and question set. Each check repeats the baseline.
    orders : DataFrame
        One row per check, variant and pair of models: ``check, variant, model_a, model_b, base,
        base_lower, base_upper, other, other_lower, other_upper`` (difference of M-ratio under the baseline
        and under the variant with 95 % limits), ``flag``, and ``kept``: True if both intervals exclude zero
        on the same side, False if on opposite sides, None where either contains zero.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    orders: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True)
class _Variant:
    """One check's variant on one question set: its rows and the draws behind them."""

    check: str
    name: str
    rows: pd.DataFrame
    made: list[Measured]


def z_roc_slopes(cells: Cells) -> np.ndarray:
    """Slope of each group's z-ROC, without a cell correction; NaN where there is none."""
    slopes = np.full(len(cells), np.nan)
    good = np.flatnonzero(cells.measurable)
    if good.size:
        found = np.asarray(z_roc(cells.nR_S1[good], cells.nR_S2[good]).slope, dtype=np.float64)
        slopes[good] = np.where(found > 0, found, np.nan)
    return slopes


def author_slopes(cells: Cells, paper_names: Mapping[str, str] | None = None) -> np.ndarray:
    """Slopes that the author used in R2; NaN for models that are not the paper's."""
    names = cells.frame["model"].map(dict(paper_names) if paper_names else {}).fillna(cells.frame["model"])
    return names.map(R2_SLOPES).to_numpy(dtype=np.float64)


def rerated(trials: pd.DataFrame) -> tuple[dict[int, Cells], Cells]:
    """Counts at T = 1 with 3 and 6 ratings a side (R1), and with bins of equal width (R3)."""
    sides = {k: rate_trials(trials, k=k).cells() for k in (3, 6)}
    return sides, rate_trials(trials, method="width").cells()


def robustness(
    trials: pd.DataFrame,
    *,
    paper_names: Mapping[str, str] | None = None,
    n_resamples: int = 10_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Checks:
    """R1 to R4 on a trial table.

    Parameters
    ----------
    trials : DataFrame
        All question sets; the first is the main one.
    paper_names : mapping, optional
        Model name to the paper's name, for models of the paper (the author's slopes in R2).
    """
    main = primary(trials)
    cells = rate_trials(main).cells()
    options = {"n_resamples": n_resamples, "seed": seed}
    base = _variant("", BASELINE, cells, **options)
    sides, width = rerated(main)
    made = [_variant("R1", f"K = {k}", one, **options) for k, one in sides.items()]
    made += _slopes(cells, paper_names=paper_names, **options)
    made.append(_variant("R3", "equal width", width, **options))
    others = trials[trials["dataset"] != main["dataset"].iloc[0]]
    if len(others):
        made += [
            _variant("R4", str(dataset), rate_trials(group).cells(), **options)
            for dataset, group in others.groupby("dataset", sort=False)
        ]
    return _together(base, made, ("R1", "R2", "R3", "R4"), verdicts)


def robustness_from_counts(
    cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Checks:
    """What counts at K = 4 allow of R1-R4: baseline, both slopes of R2, and R4; R1 and R3 need trials."""
    first = cells.frame["dataset"].iloc[0]
    main = cells.select(cells.frame["dataset"] == first)
    options = {"n_resamples": n_resamples, "seed": seed}
    made = _slopes(main, n_resamples=n_resamples, seed=seed)
    for dataset in dict.fromkeys(cells.frame["dataset"]):
        if dataset != first:
            other = cells.select(cells.frame["dataset"] == dataset)
            made.append(_variant("R4", str(dataset), other, **options))
    return _together(_variant("", BASELINE, main, **options), made, ("R2", "R4"), verdicts)


def _together(base: _Variant, made: list[_Variant], checks: tuple[str, ...], verdicts: bool) -> Checks:
    parts = [_of_check(base.rows, check) for check in checks] + [_of_check(v.rows, v.check) for v in made]
    table = _ranked(pd.concat(parts, ignore_index=True))
    orders = pd.DataFrame([row for v in made for row in _orders(base, v)], columns=list(_ORDER_COLUMNS))
    found = tuple(judge_check(table, orders, check) for check in checks) if verdicts else ()
    return Checks(table, orders, found)


def _slopes(
    cells: Cells, *, paper_names: Mapping[str, str] | None = None, n_resamples: int = 10_000, seed: int = 42
) -> list[_Variant]:
    """R2: the slope of each model's z-ROC, and the author's slope for models of the paper."""
    made = []
    for name, slopes in (
        (MODEL_SLOPE, z_roc_slopes(cells)),
        (AUTHOR_SLOPE, author_slopes(cells, paper_names)),
    ):
        known = np.isfinite(slopes)
        if known.any():
            made.append(_variant("R2", name, cells.select(known), slopes[known], n_resamples, seed))
    return made


def _variant(
    check: str,
    name: str,
    cells: Cells,
    s: float | np.ndarray = 1.0,
    n_resamples: int = 10_000,
    seed: int = 42,
) -> _Variant:
    table, made = fits(cells, n_resamples=n_resamples, seed=seed, s=s)
    k = cells.nR_S1.shape[1] // 2
    table = table.assign(variant=name, k=k, s=s, below_one=below_one(table))
    columns = [
        *GROUP,
        "variant",
        "k",
        "s",
        "d_prime",
        "meta_d",
        "m_ratio",
        "m_ratio_lower",
        "m_ratio_upper",
        "below_one",
        "flag",
    ]
    return _Variant(check, name, table[columns], made)


_ORDER_COLUMNS = (
    "check",
    "variant",
    "model_a",
    "model_b",
    "base",
    "base_lower",
    "base_upper",
    "other",
    "other_lower",
    "other_upper",
    "flag",
    "kept",
)


def _orders(base: _Variant, other: _Variant) -> list[tuple[object, ...]]:
    """Rows of ``orders`` for one variant; models are drawn independently of one another."""
    made = [dict(zip(v.rows["model"], v.made, strict=True)) for v in (base, other)]
    shared = [m for m in made[0] if m in made[1]]
    gaps = [differences({m: one[m] for m in shared}, "m_ratio", paired=False) for one in made]
    flags = [v.rows.set_index("model")["flag"] for v in (base, other)]
    found = []
    for one, two in zip(rows_of(gaps[0]), rows_of(gaps[1]), strict=True):
        a, b = one.first, one.second
        states = [1 if gap.lower > 0 else -1 if gap.upper < 0 else 0 for gap in (one, two)]
        kept = None if 0 in states else states[0] == states[1]
        raised = [flag for side in flags for m in (a, b) for flag in flags_in(side[m])]
        limits = [x for gap in (one, two) for x in (gap.difference, gap.lower, gap.upper)]
        found.append((other.check, other.name, a, b, *limits, joined(dict.fromkeys(raised)), kept))
    return found


def _of_check(rows: pd.DataFrame, check: str) -> pd.DataFrame:
    return rows.assign(check=check)


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    table["rank"] = place(table["m_ratio"], table[["check", "variant", "dataset"]].agg(tuple, axis=1))
    first = ["check", "variant", "model", "dataset"]
    return (
        table[[*first, *(c for c in table.columns if c not in first)]]
        .sort_values("check", kind="stable")
        .reset_index(drop=True)
    )
