"""Parameter recovery of meta-d': the result table, figures and computed sentences of its chapter."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.core.words import listed, plural
from metacog.report.style import GREY, looks, new_axes
from metacog.report.verdicts import Kind, Verdict

#: Targets of the core designs.
MAX_BIAS = 0.02
COVERAGE = (0.93, 0.97)

FACTORS = {
    "n_trials": "trials",
    "n_ratings": "ratings per side, K",
    "d_prime": "d'",
    "base_rate": "share of S2",
}
_LOG = ("n_trials",)
_NAMES = {"meta_d": "meta-d'", "m_ratio": "M-ratio"}
_LOOKS = looks(_NAMES)


def load_recovery() -> tuple[pd.DataFrame, dict[str, Any]]:
    """``data/simulations/recovery.csv`` and the facts of its making.

    Raises
    ------
    MetacogError
        If the table is not there; says how it is made.
    """
    path = project_root() / "data" / "simulations" / "recovery.csv"
    if not path.is_file():
        raise MetacogError(f"{path} is missing: make it with `python benchmarks/recovery.py`")
    facts = path.with_suffix(".json")
    made_by = json.loads(facts.read_text(encoding="utf-8")) if facts.is_file() else {}
    return pd.read_csv(path), made_by


def core(table: pd.DataFrame) -> pd.DataFrame:
    """The designs with a target, with what is shown of them."""
    rows = table[table["sweep"] == "core"]
    kept = [
        "d_prime",
        "m_ratio",
        "n_trials",
        "n_simulations",
        "bias_meta_d",
        "sd_meta_d",
        "bias_m_ratio",
        "sd_m_ratio",
        "coverage_meta_d",
        "coverage_m_ratio",
        "coverage_se",
    ]
    return rows[kept].reset_index(drop=True)


def _design(row: Mapping[Any, Any]) -> str:
    return f"d' {row['d_prime']:g} with M-ratio {row['m_ratio']:g}"


def core_verdicts(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """Bias and coverage of the core designs against their targets."""
    rows = core(table)
    n = len(rows)
    worst = rows["bias_meta_d"].abs().max()
    biased = [_design(r) for r in rows[rows["bias_meta_d"].abs() >= MAX_BIAS].to_dict("records")]
    bias = Verdict(
        "recovery",
        Kind.EXPLORATORY,
        f"bias of meta-d' under {MAX_BIAS} at {int(rows['n_trials'].max()):,} trials",
        not biased,
        f"Bias of meta-d': at most {worst:.4f} in absolute value over {plural(n, 'design')}, target under "
        f"{MAX_BIAS}." + (f" Above it: {listed(biased)}." if biased else ""),
    )
    return bias, _coverage_verdict(rows, "meta_d"), _coverage_verdict(rows, "m_ratio")


def _coverage_verdict(rows: pd.DataFrame, quantity: str) -> Verdict:
    column = f"coverage_{quantity}"
    outside = rows[~rows[column].between(*COVERAGE)].to_dict("records")
    low, high = rows[column].min(), rows[column].max()
    text = (
        f"95 % intervals of {_NAMES[quantity]} contain the truth in {low:.1%} to {high:.1%} of simulations; "
        f"target {COVERAGE[0]:.0%} to {COVERAGE[1]:.0%}."
    )
    if outside:
        text += " Outside: " + listed(
            f"{_design(r)} ({r[column]:.1%}, Monte-Carlo error {_share_error(r, column):.1%})"
            for r in outside
        )
        near = all(min(abs(r[column] - c) for c in COVERAGE) <= 2 * _share_error(r, column) for r in outside)
        text += ", within two Monte-Carlo errors of the target." if near else "."
    rule = f"coverage of every core design between {COVERAGE[0]} and {COVERAGE[1]}"
    return Verdict("recovery", Kind.EXPLORATORY, rule, not outside, text)


def _share_error(row: Mapping[Any, Any], column: str) -> float:
    """Standard error of a share of a design's simulations."""
    share = row[column]
    return float(np.sqrt(share * (1 - share) / row["n_simulations"]))


def sweep_sentences(table: pd.DataFrame) -> list[str]:
    """What each factor does, from its lowest to its highest value."""
    found = []
    for factor, name in FACTORS.items():
        rows = _sweep(table, factor)
        listed_rows = rows.to_dict("records")
        first, last = listed_rows[0], listed_rows[-1]
        worst = max(listed_rows, key=lambda r: abs(r["bias_meta_d"]))
        lowest = min(listed_rows, key=lambda r: r["coverage_meta_d"])
        found.append(
            f"**{name}** from {first[factor]:g} to {last[factor]:g}: the interval of the M-ratio goes from "
            f"{first['width_m_ratio']:.2f} to {last['width_m_ratio']:.2f} wide; the largest bias of meta-d' "
            f"is {worst['bias_meta_d']:+.3f} (at {worst[factor]:g}), its lowest coverage "
            f"{lowest['coverage_meta_d']:.1%} (at {lowest[factor]:g})."
        )
    return found


def trials_for_width(table: pd.DataFrame, width: float = 0.25) -> int | None:
    """Fewest simulated trials at which the M-ratio's interval is at most this wide on average."""
    rows = _sweep(table, "n_trials")
    enough = rows[rows["width_m_ratio"] <= width]
    return int(enough["n_trials"].iloc[0]) if len(enough) else None


def width_sentences(table: pd.DataFrame, widths: tuple[float, ...] = (0.6, 0.4, 0.25)) -> list[str]:
    """How many trials an M-ratio's interval of each width takes, as a list in Markdown."""
    enough = {width: trials_for_width(table, width) for width in widths}
    return [
        f"- An M-ratio interval of width {width:g} takes about {n:,} trials at the centre."
        if n
        else f"- No simulated number of trials brings the M-ratio's interval to width {width:g}."
        for width, n in enough.items()
    ]


def _sweep(table: pd.DataFrame, factor: str) -> pd.DataFrame:
    rows = table[table["sweep"] == factor]
    if rows.empty:
        raise MetacogError(f"recovery.csv has no rows that vary {factor}: make it again")
    return rows.sort_values(factor).reset_index(drop=True)


def _over_factors(
    table: pd.DataFrame, draw: Callable[[Any, str, pd.DataFrame], None], label: str, legend: str = "best"
) -> Figure:
    """A panel a factor, in which ``draw`` puts what it makes of the rows that vary it."""
    figure, axes = new_axes(2, 2, height=3.0, sharey="row")
    for axis, factor in zip(axes.flat, FACTORS, strict=True):
        rows = _sweep(table, factor)
        draw(axis, factor, rows)
        if factor in _LOG:
            axis.set_xscale("log")
        elif len(rows) <= 5:
            axis.set_xticks(list(rows[factor]))
        axis.set_xlabel(FACTORS[factor])
    for axis in axes[:, 0]:
        axis.set_ylabel(label)
    axes[0, 0].legend(loc=legend)
    return figure


def bias_figure(table: pd.DataFrame) -> Figure:
    """Bias of meta-d' and M-ratio against each factor, with two Monte-Carlo standard errors."""

    def draw(axis: Any, factor: str, rows: pd.DataFrame) -> None:
        axis.axhline(0, color=GREY, lw=1)
        for quantity, name in _NAMES.items():
            error = 2 * rows[f"sd_{quantity}"] / np.sqrt(rows["n_used"])
            axis.errorbar(
                rows[factor],
                rows[f"bias_{quantity}"],
                yerr=error,
                label=name,
                lw=1.6,
                ms=6,
                capsize=3,
                **_LOOKS[quantity],
            )

    return _over_factors(table, draw, "estimate minus truth")


def spread_figure(table: pd.DataFrame) -> Figure:
    """Standard deviation of meta-d' and M-ratio over simulations against each factor."""

    def draw(axis: Any, factor: str, rows: pd.DataFrame) -> None:
        for quantity, name in _NAMES.items():
            axis.plot(rows[factor], rows[f"sd_{quantity}"], label=name, lw=1.6, ms=6, **_LOOKS[quantity])
        axis.set_ylim(bottom=0)

    return _over_factors(table, draw, "standard deviation")


def coverage_figure(table: pd.DataFrame) -> Figure:
    """Share of 95 % intervals that hold the truth, with two Monte-Carlo standard errors."""

    def draw(axis: Any, factor: str, rows: pd.DataFrame) -> None:
        axis.axhspan(*COVERAGE, color="#e5e7eb", zorder=0)
        axis.axhline(0.95, color=GREY, ls="--", lw=1.2)
        for quantity, name in _NAMES.items():
            share = rows[f"coverage_{quantity}"]
            error = 2 * np.sqrt(share * (1 - share) / rows["n_simulations"])
            axis.errorbar(
                rows[factor], share, yerr=error, label=name, lw=1.6, ms=6, capsize=3, **_LOOKS[quantity]
            )

    return _over_factors(table, draw, "coverage", legend="lower right")
