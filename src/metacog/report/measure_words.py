"""Sentences of the verdicts on tables of measures (:mod:`metacog.report.measure_verdicts`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.report.measure_verdicts import ALPHA
from metacog.report.own_trials import calibration_sentence
from metacog.report.verdicts import Verdict
from metacog.report.views import Finding


def findings(verdicts: Iterable[Verdict]) -> list[Finding]:
    """Each verdict with its sentence."""
    return [Finding(WORDS[v.name](v), v.passed, v.rule) for v in verdicts]


def in_short(rows: pd.DataFrame) -> str:
    """How well confidence ranks answers, over the models of a table of measures: the answer of their page.

    Parameters
    ----------
    rows : DataFrame
        One row for each model, of :func:`metacog.measures.table.measure_table`.
    """
    known = rows[rows["auroc2_lower"].notna()] if len(rows) else rows
    if known.empty:
        return (
            "Whether confidence tells right answers from wrong ones cannot be told here: it takes some dozens of right "
            "and of wrong answers of one model."
        )
    above = int((known["auroc2_lower"] > 0.5).sum())
    best = known.iloc[int(known["auroc2"].argmax())]
    if len(rows) == 1:
        verdict = "better than chance" if above else "not clearly better than chance"
        return (
            f"{best['model']} is right on {100 * best['accuracy']:.0f} % of answers; its confidence tells them from "
            f"wrong ones {100 * best['auroc2']:.0f} % of the time, {verdict}."
        )
    low, high = 100 * known["auroc2"].min(), 100 * known["auroc2"].max()
    beats = "beats chance in every model" if above == len(rows) else "beats chance in some models"
    return (
        f"Confidence tells right answers from wrong ones {low:.0f} to {high:.0f} % of the time, best in "
        f"{best['model']}; it {beats if above else 'is not shown to beat chance'}."
    )


def interval(values: Mapping[Any, Any] | pd.Series, name: str, digits: int = 3) -> str:
    """``0.712 [0.690, 0.734]``, or the estimate alone where there is no interval."""
    lower, upper = values.get(f"{name}_lower", np.nan), values.get(f"{name}_upper", np.nan)
    text = f"{values[name]:.{digits}f}"
    return f"{text} [{lower:.{digits}f}, {upper:.{digits}f}]" if np.isfinite(lower) else text


def _answered(verdict: Verdict) -> str:
    v = verdict.values
    accuracy = interval(v, "accuracy") if pd.notna(v["accuracy"]) else "-"
    return f"**{v['model']}** answered {int(v['n_trials']):,} trials, {accuracy} of them right."


def _not_judged(verdict: Verdict) -> str:
    v = verdict.values
    why = v["flag"] or "there are too few units to resample"
    return f"No verdict on {v['model']}'s metacognition: {why}."


def _flagged(verdict: Verdict) -> str:
    v = verdict.values
    return f"Read {v['model']}'s intervals with care: {v['flag']}."


def _auroc2(verdict: Verdict) -> str:
    v = verdict.values
    outcome = {
        True: "better than chance (AUROC2 above 0.5)",
        False: "worse than chance, so it is more confident when it is wrong",
        None: "not distinguishable from chance (the interval contains 0.5)",
    }[verdict.passed]
    return (
        f"{v['model']}'s confidence ranks a right answer above a wrong one with probability "
        f"{interval(v, 'auroc2')}: {outcome}."
    )


def _meta_i2r(verdict: Verdict) -> str:
    """How large meta-I2r is, from its interval; whether it is more than nothing, from its permutation p."""
    v = verdict.values
    share, p = max(0.0, 100 * v["meta_i2r"]), v.get("p_meta_i2r", np.nan)
    text = (
        f"{v['model']}'s ratings take away {share:.1f} % of the uncertainty about whether an answer is right "
        f"(meta-I2r {interval(v, 'meta_i2r')}"
    )
    if pd.isna(p):
        return f"{text}); no permutation could be made, so whether that is more than nothing is open."
    shown = "below 0.001" if p < ALPHA / 50 else f"{p:.3f}"
    outcome = "more than nothing" if verdict.passed else "not distinguishable from nothing"
    return f"{text}, permutation p {shown}): {outcome}."


def _overconfidence(verdict: Verdict) -> str:
    v = verdict.values
    return f"{v['model']}: {calibration_sentence(v)} Brier score {v['brier']:.3f}."


def _accuracy_at_half(verdict: Verdict) -> str:
    v = verdict.values
    gain = 100 * (v["accuracy_at_half"] - v["accuracy"])
    return (
        f"Answering only the half of which {v['model']} is surest changes accuracy by {gain:+.1f} points, "
        f"to {interval(v, 'accuracy_at_half')}."
    )


def _m_ratio(verdict: Verdict) -> str:
    v = verdict.values
    text = f"{v['model']}'s M-ratio is {interval(v, 'm_ratio')}"
    if not bool(v.get("m_ratio_valid", False)):
        shape = {
            "": "contains 1, as for bell curves of equal spread, however far apart they lie",
            "below": "lies below 1, where uneven spread alone can bring it with nothing lost",
            "above": "lies above 1, where uneven spread alone can bring it with nothing lost",
        }[v["side"]]
        return (
            f"{text}. **Not valid here**: open answers have no two-choice decision, so d' and meta-d' come from "
            "one table of right and wrong by rating, and their ratio is a statistic of its shape: its interval "
            f"{shape}. It cannot be read as efficiency nor ascribed to one cause (chapter on the correction). "
            "Read meta-I2r and AUROC2 instead."
        )
    outcome = {
        "": "not distinguishable from ideal (the interval contains 1)",
        "below": "confidence uses less than the decision had",
        "above": "confidence knows more than the decision used",
    }[v["side"]]
    return f"{text} (meta-d' {interval(v, 'meta_d', 2)}, d' {interval(v, 'd_prime', 2)}): {outcome}."


def _places(row: pd.Series, n: int) -> str:
    low, high = int(row["set_lower"]), int(row["set_upper"])
    return f"place {low} of {n}" if low == high else f"place {low} to {high} of {n}"


def _few_parts(verdict: Verdict) -> str:
    v = verdict.values
    return f"{v['model']}: fewer than two {v['by']}s can be judged{_open(v)}."


def _parts(verdict: Verdict) -> str:
    v = verdict.values
    by, lowest, highest = v["by"], v["lowest"], v["highest"]
    return (
        f"{v['model']}: AUROC2 is lowest at {_label(by, lowest[by])} ({interval(lowest, 'auroc2')}) and highest "
        f"at {_label(by, highest[by])} ({interval(highest, 'auroc2')}){_open(v)}.{_order(v['order'], by)}"
    )


def _open(v: Mapping[str, Any]) -> str:
    return f" ({v['n_open']} of {v['n']} could not be judged)" if v["n_open"] else ""


def _order(order: pd.DataFrame, by: str) -> str:
    """What is known of the order of a model's parts."""
    if order.empty:
        return ""
    n, first, last = len(order), order.iloc[0], order.iloc[-1]
    all_ = "both" if n == 2 else f"all {n}"
    share = f"The order of {all_} is the same in {100 * first['order_probability']:.0f} % of resamples"
    if (order["set_lower"] == 1).all() and (order["set_upper"] == n).all():
        return f" No two {by}s differ detectably, so each may have any place. {share}."
    places = "; ".join(f"{_label(by, row['part'])} {_places(row, n)}" for row in (first, last))
    return f" With 95 % confidence for all {by}s together: {places}. {share}."


def _label(by: str, part: Any) -> str:
    return str(part) if by == "domain" else f"T = {float(part):g}"


#: Sentence of each verdict by its name.
WORDS: Mapping[str, Callable[[Verdict], str]] = {
    "answered": _answered,
    "not_judged": _not_judged,
    "flagged": _flagged,
    "auroc2": _auroc2,
    "meta_i2r": _meta_i2r,
    "overconfidence": _overconfidence,
    "accuracy_at_half": _accuracy_at_half,
    "m_ratio": _m_ratio,
    "few_parts": _few_parts,
    "parts": _parts,
}
