"""How the recovery of known values is shown: tables, figures, sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from metacog.core.errors import MetacogError
from metacog.core.words import listed, plural
from metacog.measures.coverage import SOUND
from metacog.report.drawing import Drawing
from metacog.report.style import GREY, legend_above, looks, new_axes
from metacog.report.tables import Schema, columns_of, count, number, text
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.shared.recovery.analysis import COVERAGE, MAX_BIAS, NAMES, Recovered
from metacog.studies.shared.recovery.coverage import ASKED_TRIALS, ASKED_VALUE, LEVEL

FACTORS = {
    "n_trials": "trials",
    "n_ratings": "ratings per side, K",
    "d_prime": "d'",
    "base_rate": "share of S2",
}


_LOG = ("n_trials",)
#: Widths of the M-ratio's interval that the page asks for.
WIDTHS = (0.6, 0.4, 0.25)


_LOOKS = looks(NAMES)
#: How far a series lies to the side of its places, in points.
_BESIDE = 2.5


def answer(result: Recovered) -> str:
    """Whether known truths are recovered at the study's size, by how often intervals contain them."""
    core, met = result.core, sum(v.passed is True for v in result.verdicts)
    if met < len(result.verdicts):
        return f"Not throughout: at the size of the study {met} of {plural(len(result.verdicts), 'target')} are met."
    low, high = (f"{end:.1%}" for end in (core["coverage_meta_d"].min(), core["coverage_meta_d"].max()))
    return (
        "Yes: with as many trials as the study has, the intervals of meta-d' contain the known truth in "
        f"{low} to {high} of simulations."
    )


def factors(result: Recovered) -> str:
    """What each factor does, from its lowest to its highest value, as a list in Markdown."""
    found = []
    for factor, name in FACTORS.items():
        rows = _sweep(result.designs, factor)
        listed_rows = rows.to_dict("records")
        first, last = listed_rows[0], listed_rows[-1]
        worst = max(listed_rows, key=lambda r: abs(r["bias_meta_d"]))
        lowest = min(listed_rows, key=lambda r: r["coverage_meta_d"])
        found.append(
            f"- **{name}** from {first[factor]:,g} to {last[factor]:,g}: the interval of the M-ratio goes from "
            f"{first['width_m_ratio']:.2f} to {last['width_m_ratio']:.2f} wide; the largest bias of meta-d' "
            f"is {worst['bias_meta_d']:+.3f} (at {worst[factor]:,g}), its lowest coverage "
            f"{lowest['coverage_meta_d']:.1%} (at {lowest[factor]:,g})."
        )
    return "\n".join(found)


def trials_for_width(table: pd.DataFrame, width: float = 0.25) -> int | None:
    """Fewest simulated trials at which the M-ratio's interval is at most this wide on average."""
    rows = _sweep(table, "n_trials")
    enough = rows[rows["width_m_ratio"] <= width]
    return int(enough["n_trials"].iloc[0]) if len(enough) else None


def widths(result: Recovered) -> str:
    """How many trials an M-ratio's interval of each width takes, as a list in Markdown."""
    enough = {width: trials_for_width(result.designs, width) for width in WIDTHS}
    lines = [
        f"- An M-ratio interval of width {width:g} takes about {n:,} trials at the centre."
        if n
        else f"- No simulated number of trials brings the M-ratio's interval to width {width:g}."
        for width, n in enough.items()
    ]
    return "\n".join(lines)


def _sweep(table: pd.DataFrame, factor: str) -> pd.DataFrame:
    rows = table[table["sweep"] == factor]
    if rows.empty:
        raise MetacogError(f"recovery.csv has no rows that vary {factor}: make it again")
    return rows.sort_values(factor).reset_index(drop=True)


def _over_factors(table: pd.DataFrame, draw: Callable[[Any, str, pd.DataFrame], None], label: str) -> Figure:
    """One panel per factor, in which ``draw`` puts what it makes of the rows that vary it."""
    figure, axes = new_axes(2, 2, height=3.0, sharey="row")
    for axis, factor in zip(axes.flat, FACTORS, strict=True):
        rows = _sweep(table, factor)
        draw(axis, factor, rows)
        if factor in _LOG:
            axis.set_xscale("log")
            axis.xaxis.set_major_formatter("{x:,.0f}")
        elif len(rows) <= 5:
            axis.set_xticks(list(rows[factor]))
        axis.set_xlabel(FACTORS[factor])
    for axis in axes[:, 0]:
        axis.set_ylabel(label)
    legend_above(figure, axes[0, 0])
    return figure


def _with_errors(axis: Any, factor: pd.Series, quantity: str, values: pd.Series, errors: Any) -> None:
    """One series, a little to the side of the other, which has the same places; its numbers stay."""
    drawn = axis.errorbar(
        factor, values, yerr=errors, label=NAMES[quantity], lw=1.6, ms=5, capsize=3, **_LOOKS[quantity]
    )
    points = _BESIDE * (2 * list(NAMES).index(quantity) - len(NAMES) + 1)
    aside = ScaledTranslation(points / 72, 0, axis.figure.dpi_scale_trans)
    for artist in drawn.get_children():
        artist.set_transform(artist.get_transform() + aside)


def bias_figure(result: Recovered) -> Figure:
    """Bias of meta-d' and M-ratio against each factor, with two Monte-Carlo standard errors."""

    def draw(axis: Any, factor: str, rows: pd.DataFrame) -> None:
        axis.axhline(0, color=GREY, lw=1)
        for quantity in NAMES:
            error = 2 * rows[f"sd_{quantity}"] / np.sqrt(rows["n_used"])
            _with_errors(axis, rows[factor], quantity, rows[f"bias_{quantity}"], error)

    return _over_factors(result.designs, draw, "estimate minus truth")


def spread_figure(result: Recovered) -> Figure:
    """Standard deviation of meta-d' and M-ratio over simulations against each factor."""

    def draw(axis: Any, factor: str, rows: pd.DataFrame) -> None:
        for quantity, name in NAMES.items():
            axis.plot(rows[factor], rows[f"sd_{quantity}"], label=name, lw=1.6, ms=6, **_LOOKS[quantity])

    figure = _over_factors(result.designs, draw, "standard deviation")
    for axis in figure.axes:  # once all is drawn: panels of a row have one scale, which this fixes
        axis.set_ylim(bottom=0)
    return figure


def coverage_figure(result: Recovered) -> Figure:
    """Share of 95 % intervals that contain the truth, with two Monte-Carlo standard errors."""

    def draw(axis: Any, factor: str, rows: pd.DataFrame) -> None:
        axis.axhspan(*COVERAGE, color="#e5e7eb", zorder=0)
        axis.axhline(0.95, color=GREY, ls="--", lw=1.2)
        for quantity in NAMES:
            share = rows[f"coverage_{quantity}"]
            error = 2 * np.sqrt(share * (1 - share) / rows["n_simulations"])
            _with_errors(axis, rows[factor], quantity, share, error)

    return _over_factors(result.designs, draw, "coverage")


def bias_sentence(verdict: Verdict) -> str:
    """The largest bias of meta-d', and where it exceeds its target."""
    v = verdict.values
    above = listed(_design(one) for one in v["above"])
    return (
        f"Bias of meta-d': at most {v['worst']:.4f} in absolute value over {plural(v['designs'], 'design')}, "
        f"target under {MAX_BIAS}." + (f" Above it: {above}." if v["above"] else "")
    )


def _design(row: Mapping[Any, Any]) -> str:
    return f"d' {row['d_prime']:g} with M-ratio {row['m_ratio']:g}"


def coverage_sentence(verdict: Verdict) -> str:
    """How often the intervals of the core designs contain the truth."""
    v = verdict.values
    share = _span((v["lowest"], v["highest"]))
    text = (
        f"95 % intervals of {NAMES[v['quantity']]} contain the truth in {share} of simulations; target "
        f"{COVERAGE[0]:.0%} to {COVERAGE[1]:.0%}."
    )
    if not v["outside"]:
        return text
    outside = listed(
        f"{_design(one)} ({one['coverage']:.1%}, Monte-Carlo error {one['error']:.1%})"
        for one in v["outside"]
    )
    near = ", within two Monte-Carlo errors of the target." if v["within_two_errors"] else "."
    return f"{text} Outside: {outside}{near}"


def interval_sentence(verdict: Verdict) -> str:
    """Coverage of the interval of one measure over designs."""
    v = verdict.values
    text = (
        f"95 % intervals of {v['measure']} contain the truth in {_span(v['now'])} of simulations "
        f"({plural(v['designs'], 'design')} with {ASKED_TRIALS} trials or more); the earlier ones, in "
        f"{_span(v['before'])}."
    )
    if v["outside"]:
        shown = [f"{_simulated(r)} ({r['coverage']:.1%})" for r in v["outside"]]
        within = "within two Monte-Carlo errors" if len(shown) == 1 else "all within two Monte-Carlo errors"
        near = f", {within}." if verdict.passed else "."
        text += f" Outside {SOUND[0]:.0%} to {SOUND[1]:.0%}: {listed(shown)}{near}"
    return text


def _simulated(row: Mapping[Any, Any]) -> str:
    asked = f"{row['n_questions']:,} questions, " if row["clustered"] else ""
    return f"{asked}{row['n_trials']:,} trials, accuracy {row['accuracy']:g}, true value {row['value']:.2f}"


def level_sentence(verdict: Verdict) -> str:
    """Level of the permutation test where ratings know nothing."""
    v = verdict.values
    text = (
        f"Where ratings know nothing the permutation test of {v['unit']} rejects in {v['pooled']:.1%} of "
        f"simulations (nominal {LEVEL:.0%}, Monte-Carlo error {v['error']:.1%}; {_span(v['rejected'])} over "
        f"{plural(v['designs'], 'design')})."
    )
    if v["by_trials"]:
        text += (
            " A permutation of single trials, as if questions did not repeat, would reject in "
            f"{_span(v['by_trials'])}."
        )
    return text


def as_test_sentence(verdict: Verdict) -> str:
    """What an interval of meta-I2r would do as a test."""
    v = verdict.values
    text = (
        "Used as a test of whether 0 lies below it, an interval would find an effect where there is none "
        f"in {_span(v['nothing'])} of simulations (the earlier one: {_span(v['nothing_before'])})."
    )
    if v["small_test"]:
        text += (
            f" Where meta-I2r is {ASKED_VALUE:g} it would detect it in {_span(v['small_interval'])}, the "
            f"permutation test in {_span(v['small_test'])} (designs in which the test may miss it)."
        )
    return text


def chance_sentence(verdict: Verdict) -> str:
    """How often the interval of AUROC2 excludes chance where there is nothing."""
    v = verdict.values
    return (
        f"Where confidence is at chance the interval of AUROC2 excludes 0.5 in {v['pooled']:.1%} of "
        f"simulations (nominal {LEVEL:.0%}, Monte-Carlo error {v['error']:.1%}; {_span(v['off'])} over "
        f"{plural(v['designs'], 'design')})."
    )


def _span(shares: tuple[float, float]) -> str:
    return f"{shares[0]:.1%} to {shares[1]:.1%}"


VIEWS = Views(
    "recovery",
    tables={
        "core": Schema(
            "core",
            columns_of(
                number("d_prime", "d'", 1),
                number("m_ratio", "M-ratio", 1),
                count("n_trials", "Trials"),
                number("bias_meta_d", "bias", 4, "meta-d'"),
                number("sd_meta_d", "sd", 3, "meta-d'"),
                number("bias_m_ratio", "bias", 4, "M-ratio"),
                number("sd_m_ratio", "sd", 3, "M-ratio"),
                number("coverage_meta_d", "of meta-d'", 3, "Coverage"),
                number("coverage_m_ratio", "of M-ratio", 3, "Coverage"),
                number("coverage_se", "Monte-Carlo error", 3, "Coverage"),
            ),
            "Core designs. The last column is the error of the coverage itself, from a finite number of "
            "simulations.",
        ),
        "intervals": Schema(
            "intervals",
            columns_of(
                text("measure", "Measure"),
                text("unit", "Unit"),
                count("n_trials", "Trials"),
                number("lowest", "lowest", 3, "Coverage"),
                number("highest", "highest", 3, "Coverage"),
                number("lowest_before", "lowest", 3, "Before"),
                number("highest_before", "highest", 3, "Before"),
                count("designs", "Designs"),
            ),
            "Share of 95 % intervals that contain the truth, over designs that differ in accuracy and true "
            "value; meta-I2r from a true value of 0.05. Before: the null's mean subtracted from percentile "
            "draws, and percentiles of AUROC2.",
        ),
    },
    figures={
        "bias": Drawing(
            bias_figure,
            name="fig-recovery-bias",
            caption=(
                "Bias against four factors, with two Monte-Carlo standard errors. On the grey line the "
                "estimator is right on average. Adding 0.5 to every cell, as the study does, pulls d' and"
                " meta-d' towards 0 where cells are sparse or nearly empty: at few trials and at large d'."
            ),
            alt="Bias of meta-d prime and M-ratio against trials, ratings, d prime and base rate",
        ),
        "spread": Drawing(
            spread_figure,
            name="fig-recovery-spread",
            caption=(
                "Spread of the estimates against the same factors. The M-ratio divides by d', so it is "
                "wild where d' is small: no number of ratings cures that."
            ),
            alt="Spread of meta-d prime and M-ratio against trials, ratings, d prime and base rate",
        ),
        "coverage": Drawing(
            coverage_figure,
            name="fig-recovery-coverage",
            caption=(
                "Share of 95 % intervals that contain the truth; grey band: the target. A point below the "
                "band is an interval that claims more than it knows."
            ),
            alt="Coverage of 95 percent intervals against trials, ratings, d prime and base rate",
        ),
    },
    sentences={"answer": answer, "factors": factors, "widths": widths},
    claims=dict.fromkeys(
        ("bias", "coverage", "coverage_of_intervals", "level", "interval_as_test", "chance"), ""
    ),
    verdicts={
        "bias": bias_sentence,
        "coverage": coverage_sentence,
        "coverage_of_intervals": interval_sentence,
        "level": level_sentence,
        "interval_as_test": as_test_sentence,
        "chance": chance_sentence,
    },
)
