"""R1-R4: other numbers of ratings, unequal variance, equal-width bins, another question set.

R5 is in :mod:`.forced`, R6 in :mod:`.matched`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.sdt.zroc import z_roc
from metacog.studies.study1_qa.cells import GROUP, Cells, bootstrap_cells, primary, rate_trials
from metacog.studies.study1_qa.exploratory import place
from metacog.studies.study1_qa.published import R2_SLOPES
from metacog.studies.study1_qa.verdicts import PREREGISTERED, Verdict, listed

BASELINE = "K = 4, s = 1, quantiles"
OWN_SLOPE = "s = own z-ROC slope"
PRINTED_SLOPE = "s = the author's slope"
RULES = {
    "R1": "With 3 and 6 ratings a side, every model keeps its side of H1's rule and its place in the order.",
    "R2": "With unequal variance (s = z-ROC slope), the same.",
    "R3": "With bins of equal width, the same.",
    "R4": "On the other question sets, the models keep their order of M-ratio.",
}


@dataclass(frozen=True)
class Robustness:
    """R1-R4.

    Attributes
    ----------
    table : DataFrame
        One row a check, variant, model and question set: ``check, variant, model, dataset, k, s,
        d_prime, meta_d, m_ratio, ci_lo, ci_hi, below_one, rank, flag``; rank 1 is the highest M-ratio
        of its variant and question set. Each check repeats the baseline.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def paper_names(models: Iterable[str]) -> dict[str, str]:
    """The paper's names of those models that are the paper's, from ``config/models.yaml``."""
    from metacog.collect.models import load_models

    known = load_models()
    return {m: known[m].paper_name for m in models if m in known and known[m].paper_name}


def own_slopes(cells: Cells) -> np.ndarray:
    """Slope of each group's z-ROC, without a cell correction; NaN where there is none."""
    slopes = np.full(len(cells), np.nan)
    good = np.flatnonzero(cells.both_classes)
    if good.size:
        found = np.asarray(z_roc(cells.nR_S1[good], cells.nR_S2[good]).slope, dtype=np.float64)
        slopes[good] = np.where(found > 0, found, np.nan)
    return slopes


def printed_slopes(cells: Cells, paper_names: Mapping[str, str] | None = None) -> np.ndarray:
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
) -> Robustness:
    """R1 to R4 on a trial table.

    Parameters
    ----------
    trials : DataFrame
        All question sets; the first is the main one.
    paper_names : mapping, optional
        Model name to the paper's name, for models of the paper (R2's printed slopes).
    """
    main = primary(trials)
    cells = rate_trials(main).cells()
    options = {"n_resamples": n_resamples, "seed": seed}
    baseline = _rows(cells, BASELINE, **options)
    parts = [_named(baseline, check) for check in ("R1", "R2", "R3", "R4")]
    sides, width = rerated(main)
    parts += [_named(_rows(one, f"K = {k}", **options), "R1") for k, one in sides.items()]
    parts.append(slopes_table(cells, paper_names=paper_names, **options))
    parts.append(_named(_rows(width, "equal width", **options), "R3"))
    others = trials[trials["dataset"] != main["dataset"].iloc[0]]
    if len(others):
        for dataset, own in others.groupby("dataset", sort=False):
            parts.append(_named(_rows(rate_trials(own).cells(), str(dataset), **options), "R4"))
    table = _ranked(pd.concat(parts, ignore_index=True))
    return Robustness(table, judge(table) if verdicts else ())


def slopes_table(
    cells: Cells,
    *,
    paper_names: Mapping[str, str] | None = None,
    n_resamples: int = 10_000,
    seed: int = 42,
) -> pd.DataFrame:
    """R2: the model's own z-ROC slope, and the author's printed one for models of the paper."""
    own = own_slopes(cells)
    printed = printed_slopes(cells, paper_names)
    parts = []
    for variant, slopes in ((OWN_SLOPE, own), (PRINTED_SLOPE, printed)):
        known = np.isfinite(slopes)
        if known.any():
            parts.append(_rows(cells.select(known), variant, slopes[known], n_resamples, seed))
    return _named(pd.concat(parts, ignore_index=True), "R2") if parts else pd.DataFrame()


def robustness_from_counts(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """What counts at K = 4 allow of R1-R4: baseline, both slopes of R2, and R4; R1 and R3 need trials."""
    first = cells.frame["dataset"].iloc[0]
    main = cells.select(cells.frame["dataset"] == first)
    baseline = _rows(main, BASELINE, n_resamples=n_resamples, seed=seed)
    parts = [
        _named(baseline, "R2"),
        slopes_table(main, n_resamples=n_resamples, seed=seed),
        _named(baseline, "R4"),
    ]
    for dataset in dict.fromkeys(cells.frame["dataset"]):
        if dataset != first:
            other = cells.select(cells.frame["dataset"] == dataset)
            parts.append(_named(_rows(other, str(dataset), n_resamples=n_resamples, seed=seed), "R4"))
    return _ranked(pd.concat(parts, ignore_index=True))


def _rows(
    cells: Cells, variant: str, s: float | np.ndarray = 1.0, n_resamples: int = 10_000, seed: int = 42
) -> pd.DataFrame:
    table = bootstrap_cells(cells, n_resamples=n_resamples, seed=seed, s=s).table
    k = cells.nR_S1.shape[1] // 2
    table = table.assign(variant=variant, k=k, s=s, below_one=table["ci_hi"] < 1)
    return table[
        [*GROUP, "variant", "k", "s", "d_prime", "meta_d", "m_ratio", "ci_lo", "ci_hi", "below_one", "flag"]
    ]


def _named(rows: pd.DataFrame, check: str) -> pd.DataFrame:
    return rows.assign(check=check)


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    table["rank"] = place(table["m_ratio"], table[["check", "variant", "dataset"]].agg(tuple, axis=1))
    first = ["check", "variant", "model", "dataset"]
    return (
        table[[*first, *(c for c in table.columns if c not in first)]]
        .sort_values("check", kind="stable")
        .reset_index(drop=True)
    )


def judge(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """One verdict a check: are H1's answers and the order of the models what they were?"""
    return tuple(_judge_check(table[table["check"] == check], check) for check in ("R1", "R2", "R3", "R4"))


def _judge_check(rows: pd.DataFrame, check: str) -> Verdict:
    base = rows[rows["variant"] == BASELINE].set_index("model")
    variants = [v for v in dict.fromkeys(rows["variant"]) if v != BASELINE]
    if not variants:
        missing = "This run has one question set only." if check == "R4" else "Nothing to compare."
        return Verdict(check, PREREGISTERED, RULES[check], None, missing)
    flips, turns, moves = [], [], []
    for variant in variants:
        other = rows[rows["variant"] == variant].set_index("model")
        shared = [m for m in base.index if m in other.index]
        a, b = base.loc[shared], other.loc[shared]
        judged = a["ci_hi"].notna() & b["ci_hi"].notna()
        changed = a.index[judged & (a["below_one"].astype(bool) != b["below_one"].astype(bool))]
        flips += [f"{m} ({variant})" for m in changed]
        if a["m_ratio"].rank().tolist() != b["m_ratio"].rank().tolist():
            turns.append(variant)
        moves += (b["m_ratio"] - a["m_ratio"]).abs().dropna().tolist()
    largest = f"M-ratio moves by at most {max(moves):.2f}" if moves else "No M-ratio could be compared"
    order = f"the order of models changes with {listed(turns)}" if turns else "the order of models stays"
    if check == "R4":
        passed: bool | None = not turns
        sentence = f"{largest}, and {order}."
    else:
        answers = f"H1's answer changes for {listed(flips)}" if flips else "H1's answer changes for no model"
        passed = not turns and not flips
        sentence = f"{largest}; {answers}; {order}."
    if len(base) < 2:
        sentence += " With one model there is no order to keep."
        passed = None if check == "R4" else not flips
    return Verdict(check, PREREGISTERED, RULES[check], passed if moves else None, sentence)


def compact(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the pre-registered setting once, named so, instead of once a check."""
    base = table["variant"] == BASELINE
    first = base & (table["check"] == table.loc[base, "check"].iloc[0])
    kept = table[first | ~base].copy()
    kept.loc[kept["variant"] == BASELINE, ["check", "variant"]] = ["-", "as pre-registered"]
    return kept.sort_values("check", kind="stable").reset_index(drop=True)
