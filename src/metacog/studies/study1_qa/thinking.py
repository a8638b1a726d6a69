"""Does thinking help a model to know itself?

A reply without a letter counts as malformed with the author, so an answer that is a number is left out, right or
wrong. Had they been kept, each would have been right or wrong and have had some confidence, and neither is
published. AUROC2 of the printed, raw
confidence is most where those that are right lie above all other replies and those that are wrong below them; least
the other way round; and what number of them is right is chosen for the worst.

Four ratings do not give intervals of raw confidence; Hanley & McNeil's (1982) standard error needs an area and the
numbers of right and wrong answers alone. Modes are independent samples here; the author's own intervals pair the
questions that both modes answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import ended, rows_of, with_ends
from metacog.measures.cell import MIN_FOR_INTERVALS, Cell, Flag
from metacog.measures.estimates import FITTED, Measured, measure
from metacog.measures.pairs import family_table
from metacog.measures.two_conditions import CHANGES, in_hundred
from metacog.report.views import Views
from metacog.sdt.checks import FloatArray
from metacog.sdt.compare import Together
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.intervals import Z95, centred, percentile_limits
from metacog.sdt.standardised import Statistic, parts_of_change
from metacog.sdt.type2 import auroc2_from_counts, hanley_mcneil_se
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import PUBLISHED_FILES
from metacog.studies.study1_qa.ledger.thinking import Mode, counts
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import Unit, beyond

# All measures of counts with thinking on and off, their differences, and what these are made of.

ON, OFF = "thinking", "non_thinking"
ENDS = ("lower", "upper")
#: What is measured, in the order of the columns.
MEASURES = ("accuracy", "auroc2", "meta_i2r", "d_prime", "criterion", "meta_d", "m_ratio")
#: Measures whose change is taken apart; meta-I2r as the plug-in value.
PARTED: dict[str, Statistic] = {"auroc2": auroc2_from_counts, "meta_i2r": plugin_meta_i2r}
Pair = tuple[Mode, Mode]


def pairs(tables: Mapping[tuple[str, str], Mode]) -> dict[str, Pair]:
    models = dict.fromkeys(model for model, _ in tables)
    return {
        paper.THINKING_MODELS.get(model, model): (tables[model, OFF], tables[model, ON]) for model in models
    }


def cell_of(mode: Mode) -> Cell:
    """The trials of one table of counts, each by itself; right and wrong stand for S2 and S1 in meta-d'."""
    n = mode.wrong.size
    table = np.concatenate([mode.wrong, mode.right])
    correct = np.repeat(np.arange(2 * n) >= n, table)
    level = np.repeat(np.tile(np.arange(n), 2), table)
    return Cell(
        correct,
        level.astype(np.float64),
        level,
        n,
        np.full(mode.n, np.nan),
        np.arange(mode.n),
        choice=level + 2 * (n // 2) * correct,
        k=n // 2,
        padded=True,
    )


def compared(found: Mapping[str, Pair], *, n_resamples: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Measures of both modes of every model, and their differences; replies are resampled apart, as counts do not pair.

    Limits of differences are those of a 95 % interval of each alone; p is adjusted over the models.
    """
    rows, sides = [], {}
    drawn: dict[str, Any] = {"n_resamples": n_resamples, "n_permutations": n_resamples}
    for number, (model, pair) in enumerate(found.items()):
        both = [measure(cell_of(mode), **drawn, seed=seed + 2 * number + i) for i, mode in enumerate(pair)]
        for mode, one in zip(pair, both, strict=True):
            row = one.row()
            limits = [f"{name}_{end}" for name in MEASURES for end in ENDS]
            kept = {name: row.get(name, np.nan) for name in (*MEASURES, *limits, "flag")}
            rows.append({"model": model, "mode": mode.mode, "n": mode.n, **kept})
        sides[model] = (both[0], both[1])
    return pd.DataFrame(rows), differences(sides)


def differences(sides: Mapping[str, tuple[Measured, Measured]]) -> pd.DataFrame:
    frames = []
    for quantity in MEASURES:
        both = [_together(quantity, off, on) for off, on in sides.values()]
        judged = family_table(quantity, [(model, model) for model in sides], both)
        rows = [
            (model, quantity, one.value_b, one.value_a, one.difference, *_limits(one))
            for model, one in zip(sides, both, strict=True)
        ]
        table = pd.DataFrame(rows, columns=["model", "quantity", "off", "on", "difference", "lower", "upper"])
        frames.append(table.assign(p=judged["p"], p_holm=judged["p_holm"]))
    return pd.concat(frames, ignore_index=True)


def _together(quantity: str, off: Measured, on: Measured) -> Together:
    values = on.values.get(quantity, np.nan), off.values.get(quantity, np.nan)
    decided = quantity in FITTED and any(Flag.PADDED in side.flags for side in (off, on))
    if quantity not in on.draws or quantity not in off.draws or decided:
        return Together(*values, np.full(2, np.nan))
    return Together(*values, on.paired(quantity) - off.paired(quantity))


def _limits(one: Together) -> tuple[float, float]:
    known = np.isfinite(one.draws)
    if known.sum() < max(2, 0.5 * known.size):
        return np.nan, np.nan
    return percentile_limits(one.draws[known])


def _tables(mode: Mode, n_resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """The table itself and resamples of it, shape ``(1 + n_resamples, L)`` each."""
    table = np.concatenate([mode.wrong, mode.right])
    drawn = np.random.default_rng(seed).multinomial(mode.n, table / mode.n, size=n_resamples)
    every = np.concatenate([table[None], drawn]).astype(np.float64)
    return every[:, : mode.wrong.size], every[:, mode.wrong.size :]


def parts_by_model(found: Mapping[str, Pair], *, n_resamples: int, seed: int) -> pd.DataFrame:
    """How far accuracy, the use of ratings and their worth account for each change, which they add up to.

    ``mostly`` has the limits of twice the part minus the whole, in the direction of the whole: above 0 where the part
    is more than half of it.
    """
    rows = []
    for number, (model, pair) in enumerate(found.items()):
        off, on = (_tables(mode, n_resamples, seed + 2 * number + i) for i, mode in enumerate(pair))
        for quantity, statistic in PARTED.items():
            changes = parts_of_change(off, on, statistic)
            whole = np.sum(list(changes.values()), axis=0)
            for part, values in changes.items():
                lower, upper = _ends("", values).values()
                row = {"model": model, "quantity": quantity, "part": part, "change": values[0]}
                row |= {"lower": lower, "upper": upper, "total": whole[0], **_ends("total", whole)}
                rows.append(row | _ends("mostly", np.sign(whole[0]) * (2 * values - whole)))
    return pd.DataFrame(rows)


def _ends(name: str, values: FloatArray) -> dict[str, float]:
    """95 % limits of draws that follow their estimate, moved so that they carry its bias once."""
    low, high = percentile_limits(centred(values[1:], float(values[0])))
    return {f"{name}_lower": low, f"{name}_upper": high}


# What the counts say of thinking, by fixed rules.

#: What is asked of each measure, as a name for it.
ASKED = {"auroc2": "AUROC2", "meta_i2r": "meta-I2r", "m_ratio": "M-ratio", "accuracy": "accuracy"}
#: The text of each rule, and what it claims.
_TEXTS = {
    **{
        name: (
            f"Thinking raises {measure} in every model: the 95 % interval of the difference, thinking on minus off, "
            "lies above 0.",
            f"thinking raises {measure}",
        )
        for name, measure in ASKED.items()
    },
    "worth": (
        "In every model more than half of the change of AUROC2 is a change in what a rating is worth: a change "
        "is shown, and the 95 % interval of twice that part minus the whole, in the whole's direction, lies "
        "above 0.",
        "most of the change is in what a rating is worth",
    ),
    "left_out": (
        "In every model AUROC2 changes in the same direction whatever the replies left out were: from the "
        "worst to the best case, 95 % limits included, the difference does not reach 0.",
        "no replies left out could turn the change",
    ),
}
_NO_NULL = "the published counts; modes without a difference in test_study1_thinking.py"
RULES = {
    name: Rule(text, "Thinking", topic=name, claim=claim, no_null=_NO_NULL)
    for name, (text, claim) in _TEXTS.items()
}


def judge(differences: pd.DataFrame, parts: pd.DataFrame, replies: pd.DataFrame) -> pd.DataFrame:
    units = {}
    for name in ASKED:
        rows = rows_of(differences[differences["quantity"] == name])
        units[name] = [beyond(r.model, r.lower, r.upper, 0.0, "its interval is not determined") for r in rows]
    worth = parts[(parts["quantity"] == "auroc2") & (parts["part"] == "worth")]
    units["worth"] = [
        beyond(r.model, r.mostly_lower, r.mostly_upper, 0.0)
        if r.total_lower > 0 or r.total_upper < 0
        else Unit(r.model, None, "a change is not shown")
        for r in rows_of(worth)
    ]
    units["left_out"] = turned_by_none(replies)
    return pd.concat([outcomes(name, own) for name, own in units.items()], ignore_index=True)


def turned_by_none(replies: pd.DataFrame) -> list[Unit]:
    units = []
    for r in rows_of(replies):
        known = np.isfinite(r.best_upper)
        why = "the worst and the best case lie on both sides of 0" if known else "no bounds"
        settled = r.worst_lower > 0 or r.best_upper < 0
        units.append(Unit(r.model, True) if settled else Unit(r.model, None, why))
    return units


def area_ends(area: float, wrong: int, right: int, left_out: int) -> tuple[float, float]:
    """Ends of AUROC2 of some replies if so many more had any confidence and any correctness.

    With r of m replies right, the m - r wrong ones below everything and the r right ones above everything win
    r W + (m - r) R + r (m - r) pairs; the other way round they win none. Both ends are taken over r.
    """
    more_right = np.arange(left_out + 1)
    more_wrong = left_out - more_right
    pairs = (right + more_right) * (wrong + more_wrong)
    won = area * right * wrong
    gained = more_right * wrong + more_wrong * right + more_right * more_wrong
    return float((won / pairs).min()), float(((won + gained) / pairs).max())


def left_out(found: Mapping[str, Pair]) -> pd.DataFrame:
    """Ends of AUROC2's difference, on minus off, whatever the replies left out were, and their outer 95 % limits."""
    printed = paper.as_numbers("thinking_aggregate").set_index(["model", "mode"])
    rows = []
    for model, pair in found.items():
        ends, errors = [], []
        for mode in pair:
            missing = int(printed["n_malformed"].get((mode.model, mode.mode), 0))
            size = int(mode.wrong.sum()), int(mode.right.sum())
            own = float(auroc2_from_counts(mode.wrong, mode.right))
            area = float(printed["auroc2"].get((mode.model, mode.mode), own))
            ends.append(area_ends(area, *size, missing))
            errors.append([float(hanley_mcneil_se(end, *size)) for end in ends[-1]])
        off, on = ends
        worst, best = on[0] - off[1], on[1] - off[0]
        around = [Z95 * float(np.hypot(errors[1][end], errors[0][1 - end])) for end in (0, 1)]
        rows.append((model, worst, best, worst - around[0], best + around[1]))
    return pd.DataFrame(rows, columns=["model", "worst", "best", "worst_lower", "best_upper"])


def corrected(found: Mapping[str, Pair]) -> pd.DataFrame:
    """By how much AUROC2 would change if thinking only made some wrong answers right, whatever their confidence was.

    Then a share of the right answers has the confidence of wrong ones, which wins half of the pairs. ``by`` is that
    change and ``seen`` the one of the ratings.
    """
    rows = []
    for model, (off, on) in found.items():
        before, after = (float(auroc2_from_counts(mode.wrong, mode.right)) for mode in (off, on))
        made_right = max(0.0, 1 - off.accuracy / on.accuracy)
        rows.append((model, made_right * (0.5 - before), after - before))
    return pd.DataFrame(rows, columns=["model", "by", "seen"])


KEYS = ["model", "mode"]


def _error(area: pd.Series, accuracy: pd.Series, n: pd.Series) -> pd.Series:
    """Standard errors of areas; missing where there are too few right or wrong answers for an interval."""
    right = (accuracy * n).round()
    made = pd.Series(hanley_mcneil_se(area, n - right, right), area.index)
    return made.where(np.minimum(right, n - right) >= MIN_FOR_INTERVALS)


def _modes(table: pd.DataFrame) -> pd.DataFrame:
    wide = table.pivot(index="model", columns="mode")
    columns: Any = wide.columns
    named = [f"{column}_{'on' if mode == ON else 'off'}" for column, mode in columns]
    return wide.set_axis(named, axis=1).reset_index()


def _with_difference(wide: pd.DataFrame) -> pd.DataFrame:
    gap = wide["auroc2_on"] - wide["auroc2_off"]
    half = Z95 * np.hypot(wide["error_on"], wide["error_off"])
    return wide.assign(difference=gap, lower=gap - half, upper=gap + half)


def _named(table: pd.DataFrame) -> pd.DataFrame:
    order = list(paper.THINKING_MODELS)
    table = table.sort_values("model", key=lambda c: c.map(order.index), kind="stable", ignore_index=True)
    return table.assign(model=table["model"].map(paper.THINKING_MODELS))


def raw() -> pd.DataFrame:
    """AUROC2 of raw confidence as printed, with and without the trace (``no_trace``).

    Intervals are from n and accuracy, those of the difference as printed beside it.
    """
    table = paper.as_numbers("thinking_aggregate")
    n = table["n_total"] - table["n_malformed"]
    error = _error(table["auroc2"], table["accuracy"], n)
    table = table.assign(
        error=error, lower=table["auroc2"] - Z95 * error, upper=table["auroc2"] + Z95 * error
    )
    wide = _modes(table[[*KEYS, "auroc2", "accuracy", "error", "lower", "upper"]])
    ends = {f"{end}_{mode}": f"auroc2_{mode}_{end}" for end in ENDS for mode in ("off", "on")}
    printed = {"ci_lower": "printed_lower", "ci_upper": "printed_upper", "abridged_auroc2": "no_trace"}
    deltas = paper.as_numbers("thinking_deltas").rename(columns=printed)
    wide = _with_difference(wide.rename(columns=ends)).merge(deltas, on="model")
    half = Z95 * _error(wide["no_trace"], wide["accuracy_on"], wide["abridged_n"])
    wide = wide.assign(no_trace_lower=wide["no_trace"] - half, no_trace_upper=wide["no_trace"] + half)
    areas = ["auroc2_off", "auroc2_on", *(f"auroc2_{mode}_{end}" for mode in ("off", "on") for end in ENDS)]
    gap = ["difference", "lower", "upper", "delta_auroc2", "printed_lower", "printed_upper"]
    return _named(wide)[["model", *areas, *gap, *with_ends("no_trace")]]


def marking() -> pd.DataFrame:
    """Both modes without replies that only contain an accepted answer, as the author printed it.

    The ``difference`` of AUROC2 has no limits where a mode has fewer than :data:`MIN_FOR_INTERVALS` replies of a class;
    ``usual`` is the difference as marked otherwise.
    """
    table = paper.as_numbers("thinking_marking").merge(paper.as_numbers("thinking_aggregate"), on=KEYS)
    n = table["n_total"] - table["n_malformed"]
    right = (table["accuracy_strict"] * n).round().astype(int)
    strict = table[KEYS].assign(
        auroc2=table["auroc2_strict"],
        usual=table["auroc2"],
        right=right,
        wrong=n - right,
        error=_error(table["auroc2_strict"], table["accuracy_strict"], n),
    )
    wide = _with_difference(_modes(strict))
    return _named(wide.assign(usual=wide["usual_on"] - wide["usual_off"]))


def think(
    tables: Mapping[tuple[str, str], Mode], *, n_resamples: int, seed: int, verdicts: bool = True
) -> dict[str, Any]:
    found, drawn = pairs(tables), {"n_resamples": n_resamples, "seed": seed}
    cells, differences = compared(found, **drawn)
    parts = parts_by_model(found, **drawn)
    return {
        "corrected": corrected(found),
        "cells": cells,
        "differences": differences,
        "parts": parts,
        "raw": raw(),
        "marking": marking(),
        "outcomes": judge(differences, parts, left_out(found)) if verdicts else None,
    }


@analysis(files=PUBLISHED_FILES)
def thinking(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> dict[str, Any]:
    """Does thinking help a model to know itself?"""
    return think(counts(), n_resamples=n_resamples, seed=seed, verdicts=verdicts)


@analysis(needs=("thinking",))
def thinking_effects(inputs: Inputs) -> dict[str, Any]:
    """What does the probability of an answer's words lose by thinking?"""
    changes = inputs.result("thinking").differences
    wide = changes[changes["quantity"].isin(CHANGES)].pivot(
        index="model", columns="quantity", values=["difference", *ENDS]
    )
    wide = wide.reindex(list(dict.fromkeys(changes["model"])))
    named = {"difference": "", "lower": "_lower", "upper": "_upper"}
    columns: Any = wide.columns
    flat = wide.set_axis([f"{quantity}{named[end]}" for end, quantity in columns], axis=1)
    made = in_hundred(flat, list(wide.index), of="TriviaQA", signal="probability of the answer's words")
    value, half = (
        made["pairs"].mean(),
        float(np.sqrt((((made["pairs_upper"] - made["pairs_lower"]) / 2) ** 2).sum()) / len(made)),
    )
    mean = {
        "signal": made["signal"].iloc[0],
        "n": len(made),
        **ended("pairs", value, value - half, value + half),
    }
    return {"effects": made, "means": pd.DataFrame([mean])}


def numbers(result: Any) -> dict[str, Any]:
    """What the page's sentences are made of: areas with thinking off, on and without the trace, by model."""
    found: dict[str, Any] = {}
    kept = "auroc2_off", "auroc2_on", "auroc2_on_upper", "no_trace", "no_trace_lower", "no_trace_upper"
    for i, row in enumerate(result.raw.to_dict("records"), 1):
        found |= {f"{name}_{i}": row[name] for name in kept}
    for i, row in enumerate(result.marking.to_dict("records"), 1):
        found |= {f"strict_{i}": 100 * row["difference"], f"usual_{i}": 100 * row["usual"]}
        found |= {f"strict_lower_{i}": 100 * row["lower"], f"strict_upper_{i}": 100 * row["upper"]}
        found[f"fewest_{i}"] = min(
            row[f"{kind}_{mode}"] for kind in ("right", "wrong") for mode in ("off", "on")
        )
    worth = result.parts[(result.parts["quantity"] == "auroc2") & (result.parts["part"] == "worth")]
    share = 100 * worth["change"] / worth["total"]
    most = result.corrected.nsmallest(1, "by").iloc[0]
    found |= {"corrected_model": most["model"], "corrected": -100 * most["by"], "seen": -100 * most["seen"]}
    return found | {"worth_least": float(share.min()), "worth_most": float(share.max())}


VIEWS = Views("thinking", numbers=numbers)
