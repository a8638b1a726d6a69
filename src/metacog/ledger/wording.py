"""The ledger's quantities and texts as readers see them; its data keep the names of the published files."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

#: Quantities that a published file names by a column.
TITLES = {
    "acc": "accuracy",
    "d_prime": "d'",
    "meta_d": "meta-d'",
    "meta_d_prime": "meta-d'",
    "m_ratio": "M-ratio",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "ece": "ECE",
    "da": "d\N{LATIN SUBSCRIPT SMALL LETTER A}",
    "r2": "R²",
    "zroc_slope": "slope of the z-ROC",
    "ci_lo": "lower end",
    "ci_hi": "upper end",
    "ci_lower": "lower end",
    "ci_upper": "upper end",
    "mi_lo": "meta-I2r, lower end",
    "mi_hi": "meta-I2r, upper end",
    "a_lo": "AUROC2, lower end",
    "a_hi": "AUROC2, upper end",
    "p_perm": "p by permutation",
    "null_mean": "mean of the null",
    "n": "number",
    "n_correct": "right answers",
    "n_incorrect": "wrong answers",
    "n_total": "answers",
    "n_malformed": "malformed answers",
    "n_by_containment": "right by containment",
    "n_valid_bootstrap": "valid resamples",
    "converged": "the fit converged",
    "auroc2_rank": "rank by AUROC2",
    "m_ratio_rank": "rank by M-ratio",
    "accuracy_at_50pct_coverage": "accuracy at 50 % coverage",
    "accuracy_strict": "accuracy without containment",
    "auroc2_strict": "AUROC2 without containment",
    "q1": "accuracy, first quarter",
    "q2": "accuracy, second quarter",
    "q3": "accuracy, third quarter",
    "q4": "accuracy, fourth quarter",
    "rho_meta_d_T": "rho of meta-d' with T",
    "rho_d_prime_T": "rho of d' with T",
    "meta_d_range": "range of meta-d'",
    "tost_pass": "TOST passed",
    "relative_robust": "rule of rho met",
    "delta_auroc2": "difference of AUROC2",
    "abridged_auroc2": "AUROC2, abridged",
    "abridged_n": "answers, abridged",
    "trace_tokens_mean": "tokens of thoughts, mean",
    "answer_tokens_non_thinking": "tokens of the answer, thinking off",
    "answer_tokens_thinking": "tokens of the answer, thinking on",
    "mean conf correct": "mean confidence of right answers",
    "mean conf wrong": "mean confidence of wrong answers",
    "sd conf correct": "standard deviation of confidence, right answers",
    "sd conf all": "standard deviation of confidence",
    "range conf": "range of confidence",
    "t4cr score": "T4-CR",
    "raw brier score no penalty": "Brier score without penalties",
    "within model gap": "gap within the model",
    "sd": "standard deviation",
    "se": "standard error",
    "sum_d2": "sum",
    "r(T1_CC,T2_EV) humans": "r of T1-CC and T2-EV, people",
    "tau_b(education, score)": "tau-b of education and score, people",
}
#: The last part of a quantity that has several figures.
_PARTS = {
    ", value": "",
    ", lo": ", lower end",
    ", hi": ", upper end",
    ", ci_lo": ", lower end",
    ", ci_hi": ", upper end",
}
_SIGNS = (
    (re.compile(r"R\^2\b"), "R²"),
    (re.compile(r">= ?"), "≥ "),
    (re.compile(r"<= ?"), "≤ "),
)
#: Columns of a ledger, or of one of its tables, that are texts for readers.
_TEXTS = ("item", "published", "note", "which")


def title(quantity: str) -> str:
    """A quantity as readers know it; one that has no other name keeps its own, in words."""
    for end, words in _PARTS.items():
        if quantity.endswith(end):
            return title(quantity.removesuffix(end)) + words
    return TITLES.get(quantity) or str(_signs(quantity)).replace("_", " ")


def _signs(text: Any) -> Any:
    if not isinstance(text, str):  # nothing where a text is missing
        return text
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    return text


def worded(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of a ledger, or of one of its tables, as readers see them."""
    texts = {name: rows[name].map(_signs) for name in _TEXTS if name in rows}
    names = {"quantity": rows["quantity"].map(title)} if "quantity" in rows else {}
    return rows.assign(**texts, **names)
