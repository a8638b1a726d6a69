"""R1-R4: other numbers of ratings, unequal variance, equal-width bins, another question set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.cell import Measured
from metacog.sdt.type1 import z_roc
from metacog.studies.study1_qa.cells import (
    REFERENCE,
    Cells,
    K,
    below_one,
    fits,
    flags_in,
    joined,
    kept_orders,
    primary,
    rate_trials,
)
from metacog.studies.study1_qa.ledger.first_paper import binned_cells, cut_near_median
from metacog.studies.study1_qa.paper import MAIN, R2_SLOPES, as_numbers
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import NOT_TESTABLE, ZERO, Unit, answer_of, at_least, every, those, unit
from metacog.verdicts.verdict import Kind

BASELINE = "K = 4, s = 1, quantiles"
#: What "the same" asks of every check.
_KEPT = "every model keeps its side of H1's rule, and every pair of models its order of M-ratio"
_TEXTS = {
    "R1": f"With 3 and 6 ratings a side, {_KEPT}.",
    "R2": "With unequal variance (s = z-ROC slope), the same.",
    "R3": "With bins of equal width, the same.",
    "R4": "On the other question sets, every pair of models keeps its order of M-ratio.",
}
#: Whose models a check is judged on.
OURS, PUBLISHED = "variants", "published"
#: Of the paper's models counts allow two of the four.
RULES = {
    f"{check} {whose}": Rule(
        _TEXTS[check],
        check,
        Kind.PREREGISTERED,
        whose,
        no_null="asks whether two analyses of the same answers agree",
    )
    for whose, checks in ((OURS, ("R1", "R2", "R3", "R4")), (PUBLISHED, ("R2", "R4")))
    for check in checks
}
#: What is changed, for readers.
CHANGED = {
    "R1": "3 or 6 ratings a side",
    "R2": "unequal spread",
    "R3": "ratings of equal width",
    "R4": "other questions",
}


def _sides(rows: pd.DataFrame) -> list[Unit]:
    base = rows[rows["variant"] == BASELINE].set_index("model")
    units = []
    for r in rows_of(rows[rows["variant"] != BASELINE]):
        if r.model in base.index:
            first = base.loc[r.model]
            known = np.isfinite([first["m_ratio_upper"], r.m_ratio_upper]).all()
            flags = joined(dict.fromkeys([*flags_in(first["flag"]), *flags_in(r.flag)]))
            units.append(unit(f"{r.model} ({r.variant})", first["below_one"] == r.below_one, known, flags))
    return units


def _unasked(rows: pd.DataFrame) -> list[Unit]:
    """Models to which no variant could be applied, such as those without a z-ROC or without a confidence."""
    reached = set(rows.loc[rows["variant"] != BASELINE, "model"])
    base = rows[rows["variant"] == BASELINE]
    return [Unit(r.model, None, r.flag or "no estimate") for r in rows_of(base) if r.model not in reached]


def _orders(orders: pd.DataFrame) -> list[Unit]:
    units = []
    for r in rows_of(orders):
        name = f"{r.model_a} with {r.model_b} ({r.variant})"
        if r.kept is None and not r.flag:
            units.append(Unit(name, None, ZERO))
        else:
            units.append(unit(name, r.kept, known=r.kept is not None, flag=r.flag))
    return units


def judge(table: pd.DataFrame, orders: pd.DataFrame, whose: str) -> pd.DataFrame:
    found = []
    for check, rows in table.groupby("check", sort=False):
        sides = [] if check == "R4" else [*_sides(rows), *_unasked(rows)]
        found.append(outcomes(f"{check} {whose}", [*sides, *_orders(orders[orders["check"] == check])]))
    return pd.concat(found, ignore_index=True)


def by_model(table: pd.DataFrame, orders: pd.DataFrame, whose: str = "") -> list[dict[str, str]]:
    """What R1 to R4 say of each model: whether it keeps its side of 1, and its order with every other model.

    ``whose`` stands behind a model's name.
    """
    rows = []
    for check, own in table.groupby("check", sort=False):
        changed = CHANGED[str(check)]
        turns = orders[orders["check"] == check]
        for model in dict.fromkeys(own["model"]):
            name, mine = f"{model}{whose}", own[own["model"] == model]
            if check != "R4":
                rows.append(
                    told(f"same answer about 1 with {changed}", name, [*_sides(mine), *_unasked(mine)])
                )
            of_pairs = _orders(turns[(turns["model_a"] == model) | (turns["model_b"] == model)])
            rows.append(told(f"same order with {changed}", name, of_pairs))
    return [row for row in rows if row]


def told(claim: str, model: str, units: Sequence[Unit], k: int | None = None) -> dict[str, str]:
    """A claim about one model, and what is in the way or stands against it; empty without units."""
    if not units:
        return {}
    holds = every(units) if k is None else at_least(units, k)
    reasons = [u.why for u in units if u.why] if holds is None else those(units, holds)
    open_ = holds is None and any(u.why == ZERO or u.holds is not None for u in units)
    answer = "undecided" if open_ else NOT_TESTABLE if holds is None else answer_of(holds)
    return {"claim": claim, "model": model, "answer": answer, "why": "; ".join(dict.fromkeys(reasons))}


#: What stands for a flag of printed estimates, which have no interval.
AS_PRINTED = "as printed"
WIDTHS = "equal width"


def from_print(**drawn: int) -> pd.DataFrame:
    """R1 of the paper's models as printed, and R3 from the first paper's bins of equal width, cut near the median."""
    r1 = as_numbers("v1_table4_r1_binning").rename(columns={"ratings_per_side": "k"})
    r1 = r1.assign(check="R1", variant="K = " + r1["k"].astype(str), dataset=MAIN, flag=AS_PRINTED)
    widths = []
    for _, rows in binned_cells(MAIN).frame.groupby("model", sort=False):
        near = cut_near_median(binned_cells(MAIN).select(binned_cells(MAIN).frame.index.isin(rows.index)))
        at_one = near.select(near.frame["temperature"] == REFERENCE)
        widths.append(_variant("R3", WIDTHS, at_one, 1.0, drawn)[0])
    return pd.concat([r1[r1["k"] != K], *widths], ignore_index=True)


MODEL_SLOPE = "s = own z-ROC slope"
AUTHOR_SLOPE = "s = the author's slope"


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


def checked(
    trials: pd.DataFrame, *, paper_names: Mapping[str, str] | None = None, **drawn: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """R1 to R4 on trials of all question sets, the first of which is the main one: :func:`_together`.

    ``paper_names`` are those of models of the paper, for the author's slopes in R2.
    """
    main = primary(trials)
    sides, width = rerated(main)
    changed = [("R1", f"K = {k}", one) for k, one in sides.items()] + [("R3", WIDTHS, width)]
    others = trials[trials["dataset"] != main["dataset"].iloc[0]]
    changed += [
        ("R4", str(name), rate_trials(own).cells()) for name, own in others.groupby("dataset", sort=False)
    ]
    return _together(rate_trials(main).cells(), changed, ("R1", "R2", "R3", "R4"), paper_names, drawn)


def robustness_from_counts(cells: Cells, **drawn: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What counts at K = 4 allow of R1-R4: baseline, both slopes of R2, and R4; R1 and R3 need trials."""
    main, *others = (
        cells.select(cells.frame["dataset"] == name) for name in dict.fromkeys(cells.frame["dataset"])
    )
    changed = [("R4", str(other.frame["dataset"].iloc[0]), other) for other in others]
    return _together(main, changed, ("R2", "R4"), None, drawn)


def _together(
    main: Cells,
    changed: Sequence[tuple[str, str, Cells]],
    checks: Sequence[str],
    paper_names: Mapping[str, str] | None,
    drawn: Mapping[str, int],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Estimates of the counts changed for a check and of R2's slopes, the baseline repeated by check; and the orders.

    These say whether each pair of models keeps its order (:func:`.cells.kept_orders`), by check and variant.
    """
    base, made_base = _variant("", BASELINE, main, 1.0, drawn)
    variants = [_variant(*one, 1.0, drawn) for one in changed]
    for name, slopes in {
        MODEL_SLOPE: z_roc_slopes(main),
        AUTHOR_SLOPE: author_slopes(main, paper_names),
    }.items():
        known = np.isfinite(slopes)
        if known.any():
            variants.append(_variant("R2", name, main.select(known), slopes[known], drawn))
    tables = [base.assign(check=check) for check in checks] + [rows for rows, _ in variants]
    table = pd.concat(tables, ignore_index=True).sort_values("check", kind="stable", ignore_index=True)
    orders = [_orders_in(base, made_base, rows, made) for rows, made in variants]
    return table, pd.concat(orders, ignore_index=True) if orders else pd.DataFrame(columns=list(ORDERS))


def _variant(
    check: str, name: str, cells: Cells, s: float | np.ndarray, drawn: Mapping[str, int]
) -> tuple[pd.DataFrame, dict[str, Measured]]:
    """Rows of one variant, and the fits behind them by model."""
    table, made = fits(cells, s=s, **drawn)
    table = table.assign(
        check=check, variant=name, k=cells.nR_S1.shape[1] // 2, s=s, below_one=below_one(table)
    )
    estimates = ["d_prime", "meta_d", "m_ratio", "m_ratio_lower", "m_ratio_upper", "below_one", "flag"]
    columns = ["check", "variant", "model", "dataset", "k", "s", *estimates]
    return table[columns], dict(zip(table["model"], made, strict=True))


#: Columns of a table of orders.
ORDERS = ("check", "variant", "model_a", "model_b", "kept", "flag")


def _orders_in(
    base: pd.DataFrame, made_base: Mapping[str, Measured], rows: pd.DataFrame, made: Mapping[str, Measured]
) -> pd.DataFrame:
    """Orders under one variant, flagged by whatever is unsound of either model in either analysis."""
    found = kept_orders(made_base, made).rename(columns={"first": "model_a", "second": "model_b"})
    flags = [one.set_index("model")["flag"] for one in (base, rows)]
    raised = [
        [flag for side in flags for model in pair for flag in flags_in(side[model])]
        for pair in zip(found["model_a"], found["model_b"], strict=True)
    ]
    about = rows[["check", "variant"]].iloc[0]
    return found.assign(flag=[joined(dict.fromkeys(each)) for each in raised], **about)[list(ORDERS)]
