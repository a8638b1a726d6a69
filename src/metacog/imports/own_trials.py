"""Tables and texts of the report on somebody's own trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.verdicts.measures import ALPHA, ranked_parts

NAMES = {
    "accuracy": "Accuracy",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "d_a": "dₐ",
    "overconfidence": "Confidence minus accuracy",
    "ece": "ECE",
    "brier": "Brier",
    "d_prime": "d'",
    "criterion": "criterion c",
    "meta_d": "meta-d'",
    "m_ratio": "M-ratio",
}


#: Most pairs that are shown one by one.
MOST_PAIRS = 45
QUANTITIES = {"accuracy": "accuracy", "auroc2": "AUROC2", "meta_i2r": "meta-I2r"}


def in_short(rows: pd.DataFrame) -> str:
    """How well confidence ranks answers, over the models of a table of measures: the answer of their page."""
    known = rows[rows["auroc2_lower"].notna()] if len(rows) else rows
    if known.empty:
        return (
            "Whether confidence tells right answers from wrong ones cannot be told here: it takes some dozens of right "
            "and of wrong answers of one model."
        )
    above = int((known["auroc2_lower"] > 0.5).sum())
    best = known.iloc[int(known["auroc2"].argmax())]
    if len(rows) == 1:
        verdict = "better than chance" if above else "not shown to beat chance"
        return (
            f"{best['model']} is right on {100 * best['accuracy']:.0f} % of answers; right ones get more "
            f"confidence than wrong ones in {100 * best['auroc2']:.0f} % of pairs, {verdict}."
        )
    low, high = 100 * known["auroc2"].min(), 100 * known["auroc2"].max()
    beats = "every model beats chance" if above == len(rows) else "some models beat chance"
    return (
        f"Right answers get more confidence than wrong ones in {low:.0f} to {high:.0f} % of pairs (ties half), best in "
        f"{best['model']}; {beats if above else 'not shown to beat chance'}."
    )


def interval(values: Mapping[Any, Any] | pd.Series, name: str) -> str:
    """``0.712 [0.690, 0.734]``, or the estimate alone where there is no interval."""
    lower, upper = values.get(f"{name}_lower", np.nan), values.get(f"{name}_upper", np.nan)
    return f"{values[name]:.3f}" + (f" [{lower:.3f}, {upper:.3f}]" if np.isfinite(lower) else "")


#: Why a model is not judged that no flag names.
TOO_FEW = "there are too few units to resample"


def why(row: pd.Series, name: str) -> str:
    """The numbers that what is said of a model by one measure rests on."""
    if name == "overconfidence":
        return f"confidence less accuracy {interval(row, 'overconfidence')}; ECE {row['ece']:.3f}"
    if name == "meta_i2r":
        p = row.get("p_meta_i2r", np.nan)
        shown = "none" if pd.isna(p) else "below 0.001" if p < ALPHA / 50 else f"{p:.3f}"
        return f"meta-I2r {interval(row, 'meta_i2r')}; permutation p: {shown}"
    return f"AUROC2 {interval(row, 'auroc2')}"


def orders_text(orders: pd.DataFrame, by: str) -> str:
    """Which places each model's lowest and highest domain, or temperature, may have among them."""
    return "\n".join(order_text(model, by, order) for model, order in ranked_parts(orders, by))


def order_text(model: str, by: str, order: pd.DataFrame) -> str:
    n = len(order)
    if (order["set_lower"] == 1).all() and (order["set_upper"] == n).all():
        return f"- {model}: no two {by}s differ detectably."
    places = (
        f"{'' if by == 'domain' else 'T = '}{row['part']} place "
        f"{_span(float(row['set_lower']), float(row['set_upper']))}"
        for row in (order.iloc[0], order.iloc[-1])
    )
    return f"- {model}: {'; '.join(places)} of {n}."


def _span(low: float, high: float) -> str:
    return f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"


#: What a figure of pairs leaves out, and how its pairs were compared.
PAIRS_NOTED = {
    "many": "There are {n:,} pairs: figure and table show those that differ, `pairs.csv` holds them all.",
    "normal": "There are too few resamples to read intervals for all pairs together off their percentiles, so p and "
    "intervals rest on the resamples' standard error and the normal distribution.",
    "unpaired": "{n:,} pairs that share questions were compared unpaired, which is wider: too few shared questions, no "
    "question column, or more sets of shared questions than are resampled.",
}


def pairs_text(pairs: pd.DataFrame) -> str:
    """How many pairs of models differ, by quantity, and what is to be known of the comparison; empty without pairs."""
    if pairs.empty:
        return ""
    found = pairs.groupby("quantity", sort=False).agg(n=("p_holm", "count"), differ=("differs", "sum"))
    told = listed(
        f"{row.differ:,} of {row.n:,} in {QUANTITIES[str(row.Index)]}" for row in found.itertuples()
    )
    counts = {
        "many": n if (n := _n_pairs(pairs)) > MOST_PAIRS else 0,
        "normal": int((pairs["method"] == "normal").any()),
        "unpaired": _n_pairs(pairs[~pairs["paired"] & (pairs["n_shared"] > 0)]),
    }
    notes = [PAIRS_NOTED[name].format(n=n) for name, n in counts.items() if n]
    return " ".join([f"Pairs of models that differ detectably: {told}.", *notes])


def apart_line(pairs: pd.DataFrame) -> str:
    """How many pairs differ, as the terminal prints it."""
    parts = [
        f"{int(part['differs'].sum())} of {int(part['p_holm'].notna().sum())} in {QUANTITIES[str(name)]}"
        for name, part in pairs.groupby("quantity", sort=False)
    ]
    return f"pairs of models that differ (bootstrap p, Holm): {', '.join(parts)}"


def _n_pairs(pairs: pd.DataFrame) -> int:
    return len(pairs[["first", "second"]].drop_duplicates())


def level_text(simulated: pd.DataFrame) -> str:
    """How often equal models are called different, as ``benchmarks/comparison_level.py`` simulated it."""
    pairs, families = (simulated[simulated["kind"] == kind] for kind in ("pair", "family"))
    pooled = np.average(pairs["bootstrap"], weights=pairs["runs"])
    low, high = 100 * families["rank_sets"].min(), 100 * families["rank_sets"].max()
    return (
        f"How far to trust this, by simulation: of models of equal AUROC2 the p called {100 * pooled:.1f} % of pairs "
        f"different at .05, and all true places lay within those given in {low:.1f} to {high:.1f} % of runs."
    )


def terminal_table(measures: pd.DataFrame, ranks: pd.DataFrame, *, two_choice: bool = False) -> str:
    """One line per model, the highest AUROC2 first: what the terminal prints."""
    rows = measures.sort_values("auroc2", ascending=False, kind="stable")
    models = [str(name) for name in rows["model"]]
    shown = {"model": [name if len(name) <= 28 else f"{name[:27]}…" for name in models]}
    shown["trials"] = [f"{n:,}" for n in rows["n_trials"]]
    for name in ("accuracy", "auroc2", "meta_i2r", "m_ratio"):
        if name in rows and rows[name].notna().any():
            valid = name != "m_ratio" or two_choice
            shown[NAMES[name] + ("" if valid else " (not valid)")] = [
                "-" if pd.isna(r[name]) else interval(r, name) for _, r in rows.iterrows()
            ]
    places = {str(row["model"]): row for _, row in ranks[ranks["quantity"] == "auroc2"].iterrows()}
    if len(places) > 1:
        known = [places.get(name) for name in models]
        shown["place by AUROC2"] = [
            "-" if one is None else _span(float(one["set_lower"]), float(one["set_upper"])) for one in known
        ]
        shown["not distinguishable"] = ["-" if one is None else str(one["group"]) for one in known]
    if (rows["flag"] != "").any():
        shown["flag"] = rows["flag"].tolist()
    return "\n".join(aligned([list(shown), *zip(*shown.values(), strict=True)]))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, columns below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def flags_line(measures: pd.DataFrame) -> str:
    """How many domains and temperatures are flagged and why, in one line; empty where none is."""
    parts = measures[measures["by"] != "model"]
    flagged = parts[parts["flags"] != ""]
    if flagged.empty:
        return ""
    counts = flagged["flags"].str.split("; ").explode().value_counts()
    reasons = ", ".join(f"{n:,} {reason}" for reason, n in counts.items())
    return f"flagged: {len(flagged):,} of {len(parts):,} domains and temperatures ({reasons})"


def computed_lines(computed: dict[str, Any]) -> list[str]:
    """What was not in the file and how it was computed (:func:`metacog.imports.answers.complete`), a sentence each."""
    c, lines = computed, []
    if c["key"]:
        marks = ", ".join(f"{n:,} {name}" for name, n in c["marks"].items())
        lines.append(
            f"correctness was not in the file: answers were marked against the column {c['key']!r} ({marks})"
        )
    if c["signal"]:
        others = f"{c['fewest']}" if c["fewest"] == c["most"] else f"{c['fewest']} to {c['most']}"
        lines.append(
            "confidence was not in the file: it is the share of the model's other answers to the same question that "
            f"say the same by the marking rule ({others} other answers each)"
        )
    return lines


def validation_text(facts: dict[str, Any]) -> str:
    """What was read, kept and dropped, as Markdown; names from the file are shown as code."""
    v, options = facts["validation"], facts["options"]
    lines = [
        f"`{_code(facts['name'])}` ({v['kind']}): {v['n_read']:,} rows read, {v['n_used']:,} trials used, "
        f"{max(v['n_read'] - v['n_used'], 0):,} left out."
    ]
    if v["mapping"]:
        roles = (f"{role.replace('_', ' ')} from `{_code(name)}`" for role, name in v["mapping"].items())
        lines.append("Columns: " + ", ".join(roles) + ".")
    if facts.get("resampled", True):
        unit = "questions" if options["clustered"] else "trials"
        lines.append(f"Intervals resample {unit}, {options['n_resamples']:,} times, seed {options['seed']}.")
    else:
        lines.append(
            "There are many people, so nobody's trials are resampled: intervals of single people are of accuracy and "
            "AUROC2 alone (`measures_of` of the library makes the others)."
        )
    computed = v.get("computed")  # imports of before have none
    bullets = [f"{n:,} dropped: {reason}" for reason, n in v["dropped"].items()] + v["notes"]
    lines += [f"- {text}" for text in bullets + (computed_lines(computed) if computed else [])]
    return "\n\n".join(lines)


def _code(text: object) -> str:
    return str(text).replace("`", "'")
