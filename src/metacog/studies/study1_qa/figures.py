"""Figures of study 1's hypothesis chapters: every one takes a table and gives back a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from metacog.core.frames import rows_of
from metacog.report.style import GREY, WIDTH, legend_above, looks, new_axes
from metacog.studies.study1_qa.robustness import compact


def forest(
    axis: Axes,
    frame: pd.DataFrame,
    row: str,
    group: str,
    *,
    value: str,
    low: str = "ci_lo",
    high: str = "ci_hi",
    style: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Points with intervals, one line of the plot a value of ``row``, one look a value of ``group``."""
    rows = list(dict.fromkeys(frame[row]))
    groups = list(dict.fromkeys(frame[group]))
    style = style or looks(groups)
    shifts = np.linspace(-0.22, 0.22, len(groups)) if len(groups) > 1 else np.zeros(len(groups))
    for name, shift in zip(groups, shifts, strict=True):
        own = frame[(frame[group] == name) & frame[value].notna()]
        y = np.array([rows.index(r) for r in own[row]], dtype=np.float64) + shift
        x = own[value].to_numpy(dtype=np.float64)
        reach = np.stack([x - own[low].to_numpy(dtype=np.float64), own[high].to_numpy(dtype=np.float64) - x])
        reach = np.where(np.isfinite(reach), np.maximum(reach, 0), 0)
        axis.errorbar(x, y, xerr=reach, ls="none", lw=1.8, ms=7, capsize=3, label=name, **style[name])
    axis.set_yticks(range(len(rows)), rows)
    axis.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)


def _temperature_axis(axis: Axes, temperatures: Iterable[float]) -> None:
    axis.set_xscale("log")
    axis.xaxis.set_major_locator(FixedLocator(sorted(set(temperatures))))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda t, _: f"{t:g}"))
    axis.xaxis.set_minor_locator(NullLocator())


def quartile_lines(quartiles: pd.DataFrame) -> Figure:
    """Accuracy against quartile of NLP, a line a model (and question set)."""
    several = quartiles["dataset"].nunique() > 1
    names = [f"{r.model}, {r.dataset}" if several else r.model for r in rows_of(quartiles)]
    style = looks(names)
    figure, axis = new_axes(height=3.6)
    for name, (_, row) in zip(names, quartiles.iterrows(), strict=True):
        values = row[["q1", "q2", "q3", "q4"]].to_numpy(dtype=np.float64)
        axis.plot(range(1, 5), values, label=name, lw=1.8, ms=7, **style[name])
    axis.set_xticks(range(1, 5), ["lowest", "2nd", "3rd", "highest"])
    axis.set_xlabel("quartile of NLP")
    axis.set_ylabel("accuracy at T = 1")
    axis.set_ylim(0, 1)
    axis.legend(loc="upper left")
    return figure


def answers_by_temperature(answers: pd.DataFrame) -> Figure:
    """Accuracy, and shares of truncated and empty answers, against temperature."""
    style = looks(answers["model"])
    figure, axes = new_axes(2, 1, height=2.6, sharex=True)
    for model, own in answers.groupby("model", sort=False):
        own = own.groupby("temperature")[["accuracy", "truncated", "empty"]].mean()
        look = style[str(model)]
        axes[0].plot(own.index, own["accuracy"], label=model, lw=1.8, ms=7, **look)
        axes[1].plot(own.index, own["truncated"], label=f"{model}, cut off", lw=1.8, ms=7, **look)
        axes[1].plot(
            own.index, own["empty"], label=f"{model}, empty", lw=1.8, ms=7, ls=":", mfc="none", **look
        )
    _temperature_axis(axes[1], answers["temperature"])
    axes[0].set_ylabel("accuracy")
    axes[1].set_ylabel("share of answers")
    axes[1].set_xlabel("sampling temperature T")
    for axis in axes:
        axis.set_ylim(bottom=0)
        axis.legend()
    return figure


def interval_schemes(intervals: pd.DataFrame) -> Figure:
    """M-ratio of each model with its interval, one look a way of resampling."""
    figure, axis = new_axes(height=1.6 + 0.8 * intervals["model"].nunique())
    forest(axis, intervals, "model", "scheme", value="m_ratio")
    axis.axvline(1, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("M-ratio (95 % interval); dashed: 1")
    legend_above(figure, axis)
    return figure


def domain_measures(table: pd.DataFrame) -> Figure:
    """M-ratio, AUROC2 and meta-I2r by domain, a panel each, a look a model."""
    usable = table[table["m_ratio"].notna()]
    shown = usable if len(usable) else table
    style = looks(table["model"])
    rows = table["domain"].nunique()
    figure, axes = new_axes(3, 1, height=1.0 + 0.42 * rows)
    panels = (
        ("m_ratio", "ci_lo", "ci_hi", "M-ratio (version 1)"),
        ("auroc2", "auroc2_lo", "auroc2_hi", "AUROC2"),
        ("meta_i2r", "meta_i2r_lo", "meta_i2r_hi", "meta-I2r (version 2)"),
    )
    for axis, (value, low, high, title) in zip(axes, panels, strict=True):
        forest(axis, shown, "domain", "model", value=value, low=low, high=high, style=style)
        axis.set_xlabel(title)
    axes[0].axvline(1, color=GREY, lw=1.2, ls="--")
    axes[1].axvline(0.5, color=GREY, lw=1.2, ls="--")
    axes[2].axvline(0, color=GREY, lw=1.2, ls="--")
    legend_above(figure, axes[0])
    return figure


def temperature_lines(table: pd.DataFrame) -> Figure:
    """d', meta-d' and the type-2 criteria against temperature, with question-level 95 % intervals."""
    style = looks(table["model"])
    figure, axes = new_axes(3, 1, height=2.5, sharex=True)
    panels = (
        ("d_prime", "d'", "-"),
        ("meta_d", "meta-d'", "-"),
        ("high_criterion", "mean type-2\ncriterion", "-"),
    )
    for axis, (name, title, line) in zip(axes, panels, strict=True):
        for model, own in table.groupby("model", sort=False):
            own = own.sort_values("temperature")
            x, y = own["temperature"].to_numpy(), own[name].to_numpy(dtype=np.float64)
            low, high = (own[f"{name}_{end}"].to_numpy(dtype=np.float64) for end in ("lo", "hi"))
            reach = np.nan_to_num(np.stack([np.maximum(y - low, 0), np.maximum(high - y, 0)]))
            axis.errorbar(
                x, y, yerr=reach, label=model, ls=line, lw=1.8, ms=7, capsize=3, **style[str(model)]
            )
        axis.set_ylabel(title)
    _temperature_axis(axes[2], table["temperature"])
    axes[2].set_xlabel("sampling temperature T")
    legend_above(figure, axes[0])
    return figure


def equivalence(pairs: pd.DataFrame, bound: float) -> Figure:
    """Paired differences of meta-d' between temperatures with 90 % limits; one panel a kind of edges."""
    frame = pairs.assign(pair="T " + pairs["T_a"] + " - " + pairs["T_b"])
    kinds = list(dict.fromkeys(frame["edges"]))
    height = 1.0 + 0.4 * max(frame["pair"].nunique(), 1)
    figure, axes = new_axes(max(len(kinds), 1), 1, height=height, squeeze=False, sharex=True)
    for axis, kind in zip(axes[:, 0], kinds, strict=True):
        rows = frame[frame["edges"] == kind]
        forest(axis, rows, "pair", "model", value="difference", low="lo", high="hi")
        axis.axvspan(-bound, bound, color=GREY, alpha=0.15, lw=0)
        axis.axvline(0, color=GREY, lw=1.2, ls="--")
        axis.set_title(f"rating edges: {kind}", loc="right", fontsize=11)
    axes[-1, 0].set_xlabel(f"difference of meta-d' (90 % interval); band: ±{bound:g}")
    legend_above(figure, axes[0, 0])
    return figure


def model_pairs(pairs: pd.DataFrame) -> Figure:
    """Differences of M-ratio between models: drawn alone and over shared questions."""
    label = pairs["model_a"] + "\n- " + pairs["model_b"]
    alone = pd.DataFrame(
        {
            "pair": label,
            "how": "models drawn alone",
            "x": pairs["difference"],
            "lo": pairs["lo"],
            "hi": pairs["hi"],
        }
    )
    parts = [alone]
    if "paired" in pairs and pairs["paired"].notna().any():
        parts.append(
            pd.DataFrame(
                {
                    "pair": label,
                    "how": "shared questions",
                    "x": pairs["paired"],
                    "lo": pairs["paired_lo"],
                    "hi": pairs["paired_hi"],
                }
            )
        )
    frame = pd.concat(parts, ignore_index=True)
    figure, axis = new_axes(height=1.6 + 0.65 * max(len(pairs), 1))
    forest(axis, frame, "pair", "how", value="x", low="lo", high="hi")
    axis.axvline(0, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("difference of M-ratio (95 % interval)")
    legend_above(figure, axis)
    return figure


def sensitivity_and_ratio(table: pd.DataFrame) -> Figure:
    """M-ratio against d', both with intervals: similar across, different up."""
    style = looks(table["model"])
    figure, axis = new_axes(height=3.8)
    for row in rows_of(table[table["m_ratio"].notna()]):
        axis.errorbar(
            row.d_prime,
            row.m_ratio,
            xerr=[[max(row.d_prime - row.d_prime_lo, 0)], [max(row.d_prime_hi - row.d_prime, 0)]],
            yerr=[[max(row.m_ratio - row.ci_lo, 0)], [max(row.ci_hi - row.m_ratio, 0)]],
            ls="none",
            lw=1.8,
            ms=8,
            capsize=3,
            label=row.model,
            **style[row.model],
        )
    axis.axhline(1, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("d'")
    axis.set_ylabel("M-ratio")
    axis.legend()
    return figure


def robustness_dots(table: pd.DataFrame) -> Figure:
    """M-ratio under every variant, a line of the plot a variant, a look a model."""
    frame = compact(table)
    frame["line"] = (frame["check"] + ": " + frame["variant"]).str.removeprefix("-: ")
    figure, axis = new_axes(height=1.4 + 0.45 * frame["line"].nunique())
    forest(axis, frame, "line", "model", value="m_ratio")
    axis.axvline(1, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("M-ratio (95 % interval)")
    legend_above(figure, axis)
    return figure


def forced_gaps(frame: pd.DataFrame) -> Figure:
    """How much likelier the best accepted answer is than the wrong one, a panel a model."""
    groups = list(frame.groupby(["model", "dataset"], sort=False))
    figure, axes = new_axes(max(len(groups), 1), 1, height=2.4, sharex=True, squeeze=False)
    gaps = (frame["nlp_best_alias"] - frame["nlp_wrong"]).to_numpy(dtype=np.float64)
    edges = np.linspace(gaps.min(), gaps.max(), 31) if len(gaps) else np.linspace(-1, 1, 31)
    for axis, ((model, dataset), own) in zip(axes[:, 0], groups, strict=False):
        gap = own["nlp_best_alias"] - own["nlp_wrong"]
        axis.hist(gap[gap <= 0], bins=edges, color="#999999", label="wrong answer likelier")
        axis.hist(gap[gap > 0], bins=edges, color="#0173b2", hatch="//", label="right answer likelier")
        axis.axvline(0, color="black", lw=1.2, ls="--")
        axis.set_title(f"{model}, {dataset}", loc="left")
        axis.set_ylabel("questions")
    axes[-1, 0].set_xlabel("NLP of best accepted answer less NLP of wrong answer")
    if groups:
        legend_above(figure, axes[0, 0])
    else:
        axes[0, 0].text(0, 0.5, "no forced decodings in this run", ha="center")
    return figure


def rank_scatter(panels: Mapping[str, pd.DataFrame]) -> Figure:
    """M-ratio and meta-I2r against AUROC2; published and own models in separate rows."""
    figure = Figure(figsize=(WIDTH, 3.9 * len(panels)), layout="constrained")
    parts = figure.subfigures(len(panels), 1, squeeze=False)[:, 0]
    for part, (title, frame) in zip(parts, panels.items(), strict=True):
        style = looks(frame["model"])
        line = part.subplots(1, 2)
        for axis, measure in zip(line, ("m_ratio", "meta_i2r"), strict=True):
            for row in rows_of(frame):
                axis.plot(
                    row.auroc2, getattr(row, measure), ls="none", ms=9, label=row.model, **style[row.model]
                )
            axis.set_xlabel("AUROC2")
            axis.set_ylabel("M-ratio" if measure == "m_ratio" else "meta-I2r")
            axis.margins(0.2)
        handles, labels = line[0].get_legend_handles_labels()
        part.legend(handles, labels, loc="outside upper left", ncols=2, title=title, alignment="left")
    return figure


def risk_coverage_lines(curves: Mapping[tuple[str, str], Any]) -> Figure:
    """Accuracy against coverage; thin lines are accuracy without abstaining."""
    several = len({d for _, d in curves}) > 1
    names = {key: f"{key[0]}, {key[1]}" if several else key[0] for key in curves}
    style = looks(names.values())
    figure, axis = new_axes(height=3.8)
    for key, curve in curves.items():
        look = style[names[key]]
        keep = curve.coverage >= min(20 / len(curve.coverage), 1.0)
        axis.plot(
            curve.coverage[keep],
            1 - curve.risk[keep],
            label=names[key],
            lw=2,
            color=look["color"],
            marker=look["marker"],
            markevery=max(int(keep.sum()) // 8, 1),
            ms=7,
        )
        axis.axhline(1 - curve.full_risk, color=look["color"], lw=0.9, ls=":")
    axis.set_xlabel("coverage: share of questions answered")
    axis.set_ylabel("accuracy on those")
    axis.set_ylim(0, 1.02)
    axis.set_xlim(0, 1.02)
    axis.legend()
    return figure


def pair_differences(tables: Sequence[tuple[str, pd.DataFrame]]) -> Figure:
    """Instruct less base on every measure, a look a pair."""
    frame = pd.concat([table.assign(pair=name) for name, table in tables], ignore_index=True)
    figure, axis = new_axes(height=1.4 + 0.45 * frame["measure"].nunique())
    forest(axis, frame, "measure", "pair", value="difference", low="lo", high="hi")
    axis.axvline(0, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("instruct less base (95 % interval)")
    legend_above(figure, axis, 1)
    return figure
