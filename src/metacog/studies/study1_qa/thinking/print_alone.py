"""What the author printed of raw confidence, which four ratings do not give: with intervals from n and accuracy.

Hanley & McNeil's (1982) standard error needs an area and the numbers of right and wrong answers alone. Modes
are independent samples here; the author's own intervals pair the questions that both modes answered.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.sdt.type2 import hanley_mcneil_se
from metacog.studies.study1_qa.ledger import published
from metacog.studies.study1_qa.ledger.thinking import Z
from metacog.studies.study1_qa.thinking.estimates import ON

KEYS = ["model", "mode"]


def _error(area: pd.Series, accuracy: pd.Series, n: pd.Series) -> pd.Series:
    """Standard errors of areas; missing where there are too few right or wrong answers for an interval."""
    right = (accuracy * n).round()
    made = pd.Series(hanley_mcneil_se(area, n - right, right), area.index)
    return made.where(np.minimum(right, n - right) >= MIN_FOR_INTERVALS)


def _modes(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One row per model, with the columns of both modes as ``NAME_off`` and ``NAME_on``."""
    wide = table.pivot(index=keys, columns="mode")
    named = [f"{column[0]}_{'on' if column[1] == ON else 'off'}" for column in wide.columns.to_list()]
    return wide.set_axis(named, axis=1).reset_index()


def _with_difference(wide: pd.DataFrame, error_off: pd.Series, error_on: pd.Series) -> pd.DataFrame:
    gap = wide["auroc2_on"] - wide["auroc2_off"]
    half = Z * np.hypot(error_on, error_off)
    return wide.assign(difference=gap, lower=gap - half, upper=gap + half)


def _named(table: pd.DataFrame) -> pd.DataFrame:
    order = list(published.THINKING_MODELS)
    table = table.sort_values("model", key=lambda c: c.map(order.index), kind="stable", ignore_index=True)
    return table.assign(model=table["model"].map(published.THINKING_MODELS))


def raw() -> pd.DataFrame:
    """AUROC2 of raw confidence as printed, with and without the trace, and how long replies are.

    Returns
    -------
    DataFrame
        ``model``; ``auroc2_off, auroc2_on`` and ``no_trace`` (the replies of thinking on, their probabilities
        read again without the trace before them), each with ``_lower, _upper``; ``difference`` with ``lower,
        upper`` from n and accuracy and ``printed_lower, printed_upper``; ``trace, answer_off, answer_on`` in
        tokens.
    """
    table = published.as_numbers("thinking_aggregate")
    table["n"] = table["n_total"] - table["n_malformed"]
    table["error"] = _error(table["auroc2"], table["accuracy"], table["n"])
    wide = _modes(table[[*KEYS, "auroc2", "accuracy", "n", "error"]], ["model"])
    for mode in ("off", "on"):
        half = Z * wide[f"error_{mode}"]
        wide[f"auroc2_{mode}_lower"] = wide[f"auroc2_{mode}"] - half
        wide[f"auroc2_{mode}_upper"] = wide[f"auroc2_{mode}"] + half
    wide = _with_difference(wide, wide["error_off"], wide["error_on"])
    deltas = published.as_numbers("thinking_deltas").rename(
        columns={
            "ci_lower": "printed_lower",
            "ci_upper": "printed_upper",
            "abridged_auroc2": "no_trace",
            "trace_tokens_mean": "trace",
            "answer_tokens_non_thinking": "answer_off",
            "answer_tokens_thinking": "answer_on",
        }
    )
    wide = wide.merge(deltas, on="model")
    half = Z * _error(wide["no_trace"], wide["accuracy_on"], wide["abridged_n"])
    return _named(wide.assign(no_trace_lower=wide["no_trace"] - half, no_trace_upper=wide["no_trace"] + half))


def domains() -> pd.DataFrame:
    """Printed accuracy and AUROC2 by domain in both modes, and the difference of AUROC2.

    Returns
    -------
    DataFrame
        ``model, domain, n_off, n_on, accuracy_off, accuracy_on, auroc2_off, auroc2_on, difference, lower, upper``.
    """
    table = published.as_numbers("thinking_domains")
    table["error"] = _error(table["auroc2"], table["accuracy"], table["n"])
    wide = _modes(table, ["model", "domain"])
    return _named(_with_difference(wide, wide["error_off"], wide["error_on"]))


def marking() -> pd.DataFrame:
    """Both modes without replies that only contain an accepted answer, as the author printed it.

    Returns
    -------
    DataFrame
        ``model``; ``right_off, wrong_off, right_on, wrong_on`` replies and ``accuracy_off, accuracy_on, auroc2_off,
        auroc2_on`` marked so; ``difference`` of AUROC2 with ``lower, upper``, missing where a mode has fewer than
        :data:`MIN_FOR_INTERVALS` replies of a class; ``usual``, the difference as marked otherwise.
    """
    table = published.as_numbers("thinking_marking").merge(
        published.as_numbers("thinking_aggregate"), on=KEYS
    )
    strict = pd.DataFrame(
        {
            **{key: table[key] for key in KEYS},
            "accuracy": table["accuracy_strict"],
            "auroc2": table["auroc2_strict"],
            "usual": table["auroc2"],
        }
    )
    n = table["n_total"] - table["n_malformed"]
    strict["right"] = (strict["accuracy"] * n).round().astype(int)
    strict["wrong"] = n - strict["right"]
    strict["error"] = _error(strict["auroc2"], strict["accuracy"], n)
    wide = _modes(strict, ["model"])
    wide = _with_difference(wide, wide["error_off"], wide["error_on"])
    return _named(wide.assign(usual=wide["usual_on"] - wide["usual_off"]))
