"""What the rules of R1 to R6 make of their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import (
    NOT_TESTABLE,
    Unit,
    answer_of,
    at_least,
    every,
    judged,
    open_units,
    those,
    unit,
)
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.decisions import bootstrap_p, holm
from metacog.studies.study1_qa.cells.flags import Flag, flags_in, joined
from metacog.studies.study1_qa.cells.ranking import spread

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
#: Why an order of two models is not settled, although it was judged.
ZERO = "an interval of the difference holds zero"
RULE_FORCED = (
    "For questions answered wrongly at T = 1, NLP of the best accepted answer against NLP of the wrong "
    "answer: the share of questions where the right answer was the likelier one."
)
RULE_DOMAINS = (
    "In at least one model a domain difference of M-ratio remains (Holm) when every domain has the same "
    "spread of difficulty."
)
RULE_MODELS = (
    "At least one difference of M-ratio between models remains (Holm) when both are right equally often at "
    "each difficulty."
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
        As in :class:`metacog.studies.study1_qa.robustness.variants.Checks`.
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
                rows.append(told(f"same side of 1 with {changed}", name, [*_sides(mine), *_unasked(mine)]))
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
        else Unit(m, None if n else False, f"{n} {'pair' if n == 1 else 'pairs'} cannot be used")
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
        unit(
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
