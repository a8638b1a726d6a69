"""What H3's rules say of a summary over temperatures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.measures.pairs import excludes_zero
from metacog.report.rules import Unit, judged, those, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.counts import cell_name
from metacog.studies.study1_qa.ledger.rows import reproduced

#: Whose trials made the rating edges: the column ``edges``.
FIXED = "those of T = 1"
SEPARATE = "each temperature's own"
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
RULE_PUBLISHED = "Range and rank rules."


def judge(summary: pd.DataFrame, bound: float = BOUND) -> tuple[Verdict, ...]:
    """Verdicts from a summary as in :class:`H3`; the two pre-registered ones need only its first columns."""
    edges = summary["edges"] if "edges" in summary else pd.Series(FIXED, index=summary.index)
    fixed = summary[edges == FIXED]
    found = [
        _over_models(fixed, "tost_pass", "range", RULE_RANGE),
        _over_models(fixed, "relative_robust", "rho", RULE_RHO),
    ]
    if "equivalent" in summary:
        found += [judge_tost(summary[edges == kind], bound, kind) for kind in dict.fromkeys(edges)]
        found.append(judge_criterion(fixed))
    return tuple(found)


def _name(row: pd.Series, n_sets: int) -> str:
    return cell_name(row["model"], row["dataset"], n_sets)


def _units(summary: pd.DataFrame, column: str) -> list[Unit]:
    n_sets = summary["dataset"].nunique()
    return [
        unit(_name(row, n_sets), row[column], known=row[column] is not None, flag=row.get("flagged", ""))
        for _, row in summary.astype({column: object}).iterrows()
    ]


def _complete(summary: pd.DataFrame, column: str) -> bool:
    """Whether a rule can be asked of a run: some model is judged by it, or was asked at all its temperatures."""
    asked = summary["n_asked"].eq(len(TEMPERATURES)).any() if "n_asked" in summary else False
    return bool(asked or summary[column].notna().any())


def _over_models(summary: pd.DataFrame, column: str, name: str, rule: str) -> Verdict:
    """A pre-registered rule over all models; undecided where the run lacks temperatures (``complete``)."""
    units = _units(summary, column)
    complete = _complete(summary, column)
    values: dict[str, Any] = {"complete": complete, "yes": those(units, True), "no": those(units, False)}
    return judged(units, "H3", Kind.PREREGISTERED, rule, name=name, **values)


def tost_units(summary: pd.DataFrame) -> list[Unit]:
    """One unit per model: equivalent, different, or undecided where intervals straddle the bound or cells are
    flagged. Needs the columns ``model, dataset, equivalent, different, flagged``.
    """
    n_sets = summary["dataset"].nunique()
    units: list[Unit] = []
    for _, row in summary.astype({"equivalent": object}).iterrows():
        name, flag = _name(row, n_sets), row.get("flagged", "")
        if row["equivalent"] is not None and not flag and not row["equivalent"] and not row["different"]:
            units.append(Unit(name, None, "the interval contains the bound for some temperatures"))
        else:
            units.append(unit(name, row["equivalent"], known=row["equivalent"] is not None, flag=flag))
    return units


def judge_tost(summary: pd.DataFrame, bound: float, edges: str) -> Verdict:
    """Two one-sided tests in every model, with one kind of rating edges."""
    rule = f"{RULE_TOST.replace(str(BOUND), f'{bound:g}')} Rating edges: {edges}."
    units = tost_units(summary)
    values: dict[str, Any] = {
        "edges": edges,
        "complete": _complete(summary, "equivalent"),
        "yes": those(units, True),
        "no": those(units, False),
        "smallest_bounds": summary["smallest_bound"].dropna().tolist(),
    }
    return judged(units, "H3", Kind.SOUND, rule, name="tost", **values)


def judge_criterion(summary: pd.DataFrame) -> Verdict:
    """Whether the type-2 criteria moved; ``moved`` holds the changes of each model's sides that did."""
    moved, units = [], []
    n_sets = summary["dataset"].nunique()
    moves = criterion_moves(summary)
    for (_, row), moves_here in zip(summary.iterrows(), moves, strict=True):
        name = _name(row, n_sets)
        known = np.isfinite([row["low_criterion_change_lower"], row["high_criterion_change_lower"]]).any()
        units.append(unit(name, moves_here, known=known, flag=row.get("flagged", "")))
        changes = {
            side: float(row[f"{side}_criterion_change"])
            for side in ("low", "high")
            if row[f"{side}_criterion_change_lower"] > 0 or row[f"{side}_criterion_change_upper"] < 0
        }
        if units[-1].holds:
            moved.append({"model": name, "changes": changes})
    return judged(units, "H3", Kind.SOUND, RULE_CRITERION, name="criterion", moved=moved)


def criterion_moves(summary: pd.DataFrame) -> pd.Series:
    """Whether a model's low- or high-side type-2 criterion moved (an interval without zero)."""
    low = excludes_zero(summary["low_criterion_change_lower"], summary["low_criterion_change_upper"])
    return low | excludes_zero(summary["high_criterion_change_lower"], summary["high_criterion_change_upper"])


def compare(printed: pd.DataFrame, recomputed: pd.DataFrame, ours: pd.DataFrame) -> Verdict:
    """How many models pass both pre-registered rules: as printed, from the printed table, and in the run.

    Parameters
    ----------
    printed, recomputed, ours : DataFrame
        ``model, tost_pass, relative_robust``; the run's rules are None where it lacks temperatures.
    """
    rules = ("tost_pass", "relative_robust")
    both = reproduced("v1_h3_verdicts", recomputed, rules).groupby(level="item").all()
    known = ours[ours["tost_pass"].notna()]
    values = {
        "agree": int(both.sum()),
        "n_published": len(printed),
        "n_run": len(known),
        "complete": _complete(ours, "tost_pass"),
        **{f"published_{rule}": int(printed[rule].sum()) for rule in rules},
        **{f"run_{rule}": int(known[rule].astype(bool).sum()) for rule in rules},
    }
    return Verdict("H3", Kind.PUBLISHED, RULE_PUBLISHED, None, name="published", values=values)
