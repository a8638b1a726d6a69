"""What H3's rules say of a summary over temperatures."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.words import listed, where
from metacog.report.rules import Unit, every, those, undecided, unit
from metacog.studies.study1_qa.contrasts import excludes_zero
from metacog.studies.study1_qa.verdicts import PREREGISTERED, SOUND, Kind, Verdict

#: Whose trials made the rating edges: the column ``edges``.
FIXED = "those of T = 1"
OWN = "each temperature's own"
#: Temperatures the hypothesis is about.
TEMPERATURES = (0.3, 0.5, 0.7, 1.0)
#: Largest range, and equivalence bound, in units of d'.
BOUND = 0.3
RULE_RANGE = f"Over T = 0.3, 0.5, 0.7 and 1.0 the range of meta-d' stays below {BOUND} in every model."
RULE_RHO = "In every model |rho(meta-d', T)| is smaller than |rho(d', T)| (Spearman)."
RULE_TOST = (
    f"For every pair of those temperatures the 90 % interval of the paired difference of meta-d' lies "
    f"within ±{BOUND} (two one-sided tests at 5 %), in every model; an interval wholly outside refutes it."
)
RULE_CRITERION = (
    "In every model the mean type-2 criterion of the low or of the high side differs between the lowest and "
    "the highest temperature (97.5 % interval for each of the two sides)."
)


def judge(summary: pd.DataFrame, bound: float = BOUND) -> tuple[Verdict, ...]:
    """Verdicts from a summary as in :class:`H3`; the two pre-registered ones need only its first columns."""
    edges = summary["edges"] if "edges" in summary else pd.Series(FIXED, index=summary.index)
    fixed = summary[edges == FIXED]
    found = [
        _all_models(
            fixed, "tost_pass", PREREGISTERED, RULE_RANGE, f"The range of meta-d' is below {BOUND} in"
        ),
        _all_models(
            fixed, "relative_robust", PREREGISTERED, RULE_RHO, "meta-d' follows temperature less than d' in"
        ),
    ]
    if "equivalent" in summary:
        found += [_judge_tost(summary[edges == kind], bound, kind) for kind in dict.fromkeys(edges)]
        found.append(_judge_criterion(fixed))
    return tuple(found)


def _name(row: pd.Series, n_sets: int) -> str:
    return where(row["model"], row["dataset"], n_sets)


def _units(summary: pd.DataFrame, column: str) -> list[Unit]:
    n_sets = summary["dataset"].nunique()
    return [
        unit(_name(row, n_sets), row[column], known=row[column] is not None, flag=row.get("flagged", ""))
        for _, row in summary.astype({column: object}).iterrows()
    ]


def _all_models(summary: pd.DataFrame, column: str, kind: Kind, rule: str, start: str) -> Verdict:
    if summary[column].isna().all():
        sentence = f"This run lacks some of T = {listed(f'{t:g}' for t in TEMPERATURES)}: no verdict."
        return Verdict("H3", kind, rule, None, sentence)
    units = _units(summary, column)
    return Verdict("H3", kind, rule, every(units), _said(units, start))


def _said(units: list[Unit], start: str) -> str:
    yes, no = those(units, True), those(units, False)
    sentence = f"{start} {listed(yes)}" if yes else f"{start} no model that can be judged"
    return sentence + (f", not in {listed(no)}." if no else ".") + undecided(units)


def tost_units(summary: pd.DataFrame) -> list[Unit]:
    """One unit a model: equivalent, different, or undecided where intervals straddle the bound or cells are
    flagged. Needs the columns ``model, dataset, equivalent, different, flagged``.
    """
    n_sets = summary["dataset"].nunique()
    units: list[Unit] = []
    for _, row in summary.astype({"equivalent": object}).iterrows():
        name, flag = _name(row, n_sets), row.get("flagged", "")
        if row["equivalent"] is not None and not flag and not row["equivalent"] and not row["different"]:
            units.append(Unit(name, None, "some interval straddles the bound"))
        else:
            units.append(unit(name, row["equivalent"], known=row["equivalent"] is not None, flag=flag))
    return units


def _judge_tost(summary: pd.DataFrame, bound: float, edges: str) -> Verdict:
    rule = f"{RULE_TOST.replace(str(BOUND), f'{bound:g}')} Rating edges: {edges}."
    if summary["equivalent"].isna().all():
        sentence = f"This run lacks some of T = {listed(f'{t:g}' for t in TEMPERATURES)}: no verdict."
        return Verdict("H3", SOUND, rule, None, sentence)
    units = tost_units(summary)
    start = f"With rating edges {edges}, meta-d' is shown to be equivalent over the temperatures in"
    bounds = listed(f"{b:.2f}" for b in summary["smallest_bound"].dropna())
    sentence = f"{_said(units, start)} The smallest bounds that would pass are {bounds}."
    return Verdict("H3", SOUND, rule, every(units), sentence)


def _judge_criterion(summary: pd.DataFrame) -> Verdict:
    moved, units = [], []
    n_sets = summary["dataset"].nunique()
    moves = criterion_moves(summary)
    for (_, row), moves_here in zip(summary.iterrows(), moves, strict=True):
        name = _name(row, n_sets)
        known = np.isfinite([row["low_criterion_change_lo"], row["high_criterion_change_lo"]]).any()
        units.append(unit(name, moves_here, known=known, flag=row.get("flagged", "")))
        parts = [
            f"{side}-side {row[f'{side}_criterion_change']:+.2f}"
            for side in ("low", "high")
            if row[f"{side}_criterion_change_lo"] > 0 or row[f"{side}_criterion_change_hi"] < 0
        ]
        if units[-1].holds:
            moved.append(f"{name} ({', '.join(parts)})")
    sentence = (
        "From the lowest to the highest of these temperatures the mean type-2 criteria move in "
        f"{listed(moved) if moved else 'no model that can be judged'}."
    )
    return Verdict("H3", SOUND, RULE_CRITERION, every(units), sentence + undecided(units))


def criterion_moves(summary: pd.DataFrame) -> pd.Series:
    """Whether a model's low- or high-side type-2 criterion moved (an interval without zero)."""
    low = excludes_zero(summary["low_criterion_change_lo"], summary["low_criterion_change_hi"])
    return low | excludes_zero(summary["high_criterion_change_lo"], summary["high_criterion_change_hi"])
