"""R1-R4: other numbers of ratings, unequal variance, equal-width bins, another question set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.cell import Measured
from metacog.measures.pairs import differences
from metacog.sdt.decisions import bootstrap_p, holm
from metacog.sdt.type1 import z_roc
from metacog.studies.study1_qa.cells import (
    GROUP,
    Cells,
    Flag,
    below_one,
    fits,
    flags_in,
    joined,
    place,
    primary,
    rate_trials,
    spread,
)
from metacog.studies.study1_qa.paper import R2_SLOPES
from metacog.verdicts.rules import (
    NOT_TESTABLE,
    ZERO,
    Unit,
    answer_of,
    at_least,
    every,
    judged,
    open_units,
    shown,
    those,
    unit,
)
from metacog.verdicts.verdict import Kind, Verdict

# What the rules of R1 to R6 make of their tables.

BASELINE = "K = 4, s = 1, quantiles"
# R6 is named in the paper and not defined there: its rules are this book's, and so are not "pre-registered".
#: What "the same" asks of every check.
_KEPT = "every model keeps its side of H1's rule, and every pair of models its order of M-ratio"
RULES = {
    "R1": f"With 3 and 6 ratings a side, {_KEPT}.",
    "R2": "With unequal variance (s = z-ROC slope), the same.",
    "R3": "With bins of equal width, the same.",
    "R4": "On the other question sets, every pair of models keeps its order of M-ratio.",
}
#: What is changed, for readers.
CHANGED = {
    "R1": "3 or 6 ratings a side",
    "R2": "unequal spread",
    "R3": "ratings of equal width",
    "R4": "other questions",
}
RULE_FORCED = (
    "For questions answered wrongly at T = 1, NLP of the best accepted answer against NLP of the wrong "
    "answer: the share of questions where the right answer was the likelier one."
)
RULE_DOMAINS = (
    "In at least one model a domain difference of M-ratio remains (Holm) when every domain has the same "
    "spread of difficulty; a model without one stays open."
)
RULE_MODELS = (
    "At least one difference of M-ratio between models remains (Holm) when both are right equally often at "
    "each difficulty; a pair that is not shown to differ stays open."
)


def _sides(rows: pd.DataFrame) -> list[Unit]:
    """Does every model keep its side of H1's rule under every variant?"""
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
    """Does every pair of models keep its order under every variant?"""
    units = []
    for r in rows_of(orders):
        name = f"{r.model_a} with {r.model_b} ({r.variant})"
        if r.kept is None and not r.flag:
            units.append(Unit(name, None, ZERO))
        else:
            units.append(unit(name, r.kept, known=r.kept is not None, flag=r.flag))
    return units


def judge_check(table: pd.DataFrame, orders: pd.DataFrame, check: str) -> Verdict:
    """Are H1's answers and the order of the models what they were?

    Its values: whether there was a variant to compare with (``compared``), the largest move of M-ratio
    (``largest``; None without any), of how many models H1's answer was asked (``sides``) and of which it
    changed, and how many of the orders of two models were kept, and which turned.
    """
    rows = table[table["check"] == check]
    base = rows[rows["variant"] == BASELINE].set_index("model")["m_ratio"]
    changed = rows[rows["variant"] != BASELINE]
    moves = (changed["m_ratio"] - changed["model"].map(base).astype(float)).abs().dropna()
    sides = [] if check == "R4" else [*_sides(rows), *_unasked(rows)]
    orders_kept = _orders(orders[orders["check"] == check])
    return Verdict(
        check,
        Kind.PREREGISTERED,
        RULES[check],
        every([*sides, *orders_kept]),
        topic="variants",
        name="check",
        values={
            "compared": len(changed) > 0,
            "largest": float(moves.max()) if len(moves) else None,
            "sides": len(sides),
            "changed": those(sides, False),
            "orders": len(orders_kept),
            "kept": len(those(orders_kept, True)),
            "turned": those(orders_kept, False),
        },
        undecided=open_units([*sides, *orders_kept]),
    )


def by_model(table: pd.DataFrame, orders: pd.DataFrame, whose: str = "") -> list[dict[str, str]]:
    """What R1 to R4 say of each model.

    Parameters
    ----------
    table, orders : DataFrame
        As in :class:`metacog.studies.study1_qa.robustness_variants.Checks`.
    whose : str
        What stands behind a model's name.

    Returns
    -------
    list of dict
        ``claim, model, answer, why``: whether a model keeps its side of 1, and its order with every other model.
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


def of_matched(domains: Verdict, models: pd.DataFrame) -> list[dict[str, str]]:
    """What R6 says of each model: its domains, by their verdict, and its differences from other models."""
    why = dict(domains.undecided)
    rows = [
        told("subjects of equal difficulty differ", name, [Unit(name, holds, why.get(name, ""))])
        for name, holds in domains.units
    ]
    for model in dict.fromkeys([*models["model_a"], *models["model_b"]]):
        pairs = models[(models["model_a"] == model) | (models["model_b"] == model)]
        rows.append(told("differs from models right equally often", model, _differ(pairs), k=1))
    return rows


def told(claim: str, model: str, units: Sequence[Unit], k: int | None = None) -> dict[str, str]:
    """A claim about one model, and what is in the way or stands against it; empty without units."""
    if not units:
        return {}
    holds = every(units) if k is None else at_least(units, k)
    reasons = [u.why for u in units if u.why] if holds is None else those(units, holds)
    open_ = holds is None and any(u.why == ZERO or u.holds is not None for u in units)
    answer = "undecided" if open_ else NOT_TESTABLE if holds is None else answer_of(holds)
    return {"claim": claim, "model": model, "answer": answer, "why": "; ".join(dict.fromkeys(reasons))}


def judge_forced(row: Mapping[Any, Any]) -> Verdict:
    """R5 of one model and question set, a row of the table of forced decoding."""
    names = ("model", "dataset", "n", "share_best", "share_best_lower", "share_best_upper")
    values = {name: row[name] for name in (*names, "share_key", "share_sum")}
    return Verdict("R5", Kind.PREREGISTERED, RULE_FORCED, None, topic="forced", name="forced", values=values)


def judge_domains(
    domains: pd.DataFrame, names: Sequence[str], left_out: Mapping[str, str] | None = None
) -> Verdict:
    """R6 between domains.

    Parameters
    ----------
    domains : DataFrame
        With a column ``draws`` of the matched M-ratio.
    names : sequence of str
        Domains of the run.
    left_out : mapping of str to str, optional
        Models that could not be matched, and why.
    """
    p, of_model, left = [], [], {}
    for model, rows in domains.groupby("model", sort=False):
        pairs = list(combinations(rows.to_dict("records"), 2))
        tested = [
            bootstrap_p(np.asarray(a["draws"]) - np.asarray(b["draws"]))
            for a, b in pairs
            if a["flag"] == b["flag"] == Flag.NONE
        ]
        known = [one for one in tested if np.isfinite(one)]
        p += known
        of_model += [str(model)] * len(known)
        left[str(model)] = len(pairs) - len(known)
    adjusted = holm(p) < 0.05
    remain = {m for m, one in zip(of_model, adjusted, strict=True) if one}
    units = [
        Unit(m, True)
        if m in remain
        else Unit(m, None, f"{n} {'pair' if n == 1 else 'pairs'} cannot be used" if n else ZERO)
        for m, n in left.items()
    ]
    units += [Unit(model, None, why) for model, why in (left_out or {}).items()]
    return judged(
        units,
        "R6",
        Kind.SOUND,
        RULE_DOMAINS,
        name="domains",
        k=1,
        topic="matched",
        domains=len(names),
        differences=len(p),
        below=int((np.array(p) < 0.05).sum()),
        below_holm=int(adjusted.sum()),
    )


def judge_models(models: pd.DataFrame, left_out: Mapping[tuple[str, str], str] | None = None) -> Verdict:
    """R6 between models; ``left_out``: pairs that could not be matched, and why."""
    units = _differ(models)
    units += [Unit(" and ".join(pair), None, why) for pair, why in (left_out or {}).items()]
    return judged(
        units,
        "R6",
        Kind.SOUND,
        RULE_MODELS,
        name="models",
        k=1,
        topic="matched",
        pairs=len(units),
        differ=len(those(units, True)),
    )


def _differ(models: pd.DataFrame) -> list[Unit]:
    """Does a difference between two matched models remain?"""
    return [
        shown(
            f"{r.model_a} and {r.model_b}",
            r.p_holm < 0.05,
            known=np.isfinite(r.p),
            flag="a flagged cell" if r.flagged else "",
        )
        for r in rows_of(models)
    ]


def compare(published: pd.DataFrame, run: pd.DataFrame) -> Verdict:
    """Range of M-ratio over 3, 4 and 6 ratings a side in one model: the widest published, and the run's."""
    spans = [float(frame.groupby("model")["m_ratio"].agg(spread).max()) for frame in (published, run)]
    values = {"published": spans[0], "run": spans[1]}
    return Verdict("R1", Kind.PUBLISHED, "Range over bins.", None, "binning", name="binning", values=values)


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


def checked(
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
    orders = pd.DataFrame(
        [row for v in made for row in _variants_orders(base, v)], columns=list(_ORDER_COLUMNS)
    )
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


def _variants_orders(base: _Variant, other: _Variant) -> list[tuple[object, ...]]:
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
