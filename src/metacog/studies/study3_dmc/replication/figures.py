"""Figures of the four questions: forests of the cells that are defined, CVs, and what abstaining gains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.report.drawing import drawing
from metacog.report.style import GREY, ROW, looks, name_rows, new_axes
from metacog.studies.study3_dmc.replication.cells import COMPARED, MEASURES
from metacog.studies.study3_dmc.replication.sentences import single_sets

#: Values beyond this are drawn at the edge: MC and M-ratio of a small d^ know no limit.
WIDEST = 3.0
#: CVs likewise.
WIDEST_CV = 1.5
#: Behind words that stand on a line.
PLAIN = {"fc": "white", "ec": "none", "pad": 1}


def _forest(result: Any, measures: Sequence[str], nothing: float, ends: tuple[float, float]) -> Figure | None:
    """One panel per way of asking, with a row for each model and set in which a measure is defined.

    Of a run of one set all ways are shown, in one panel.
    """
    sets = single_sets(result.cells)
    one_set = sets["dataset"].nunique() == 1
    cells, panel, rows = (sets, "dataset", "name") if one_set else (result.grid, "name", "dataset")
    known = cells[cells[list(measures)].notna().any(axis=1)]
    if not len(known):
        return None
    parts = [part for _, part in known.groupby(panel, sort=False)]
    style = looks(MEASURES[name] for name in measures)
    heights = [len(part) + 1.5 for part in parts]
    figure, axes = new_axes(
        len(parts),
        1,
        height=0.5 + ROW * sum(heights) / len(parts),
        sharex=True,
        squeeze=False,
        height_ratios=heights,
    )
    several = cells["model"].nunique() > 1
    for axis, part in zip(axes[:, 0], parts, strict=True):
        title = part[panel].iloc[0]
        _rows(axis, part, measures, style, ends)
        axis.axvline(nothing, color=GREY, lw=1)
        name_rows(axis, [f"{r['model']}, {r[rows]}" if several else r[rows] for r in part.to_dict("records")])
        axis.set_title(
            f"{title}: {len(part)} of {int((cells[panel] == title).sum())} defined", loc="left", fontsize=10
        )
    axes[-1, 0].set_xlim(*ends)
    axes[-1, 0].set_xlabel(MEASURES[measures[0]] if len(measures) == 1 else "ratio")
    if len(measures) > 1:
        handles = [axes[0, 0].plot([], [], ls="", label=k, **look)[0] for k, look in style.items()]
        figure.legend(handles=handles, loc="outside upper left", ncols=len(measures))
    return figure


def _rows(
    axis: Any, part: pd.DataFrame, measures: Sequence[str], style: Any, ends: tuple[float, float]
) -> None:
    shifts = np.linspace(-0.17, 0.17, len(measures)) if len(measures) > 1 else [0.0]
    for y, row in enumerate(part.to_dict("records")):
        for shift, m in zip(shifts, measures, strict=True):
            look = style[MEASURES[m]]
            low, value, high = (float(np.clip(row[k], *ends)) for k in (f"{m}_lower", m, f"{m}_upper"))
            axis.plot([low, high], [y + shift] * 2, color=look["color"], lw=1.6, solid_capstyle="butt")
            axis.plot(value, y + shift, ls="", ms=6, clip_on=False, **look)


@drawing(
    name="fig-study3-ratios",
    caption=(
        "MC and M-ratio on the same counts, by way of asking, model and set, with 95 % intervals over base "
        f"questions. Intervals are cut at {-WIDEST:g} and {WIDEST:g}; the line at 1 is metacognition as good "
        "as the decision. Cells that are undefined are counted in the title: ability may be 0 there, trials are too "
        "few, or the way of asking failed; the table gives the reason."
    ),
    alt="MC and M-ratio with intervals of each model and set in which they are defined, by way of asking",
)
def ratios(result: Any) -> Figure | None:
    """MC and M-ratio."""
    return _forest(result, ("mc", "m_ratio"), 1.0, (-WIDEST, WIDEST))


@drawing(
    name="fig-study3-auroc2",
    caption=(
        "AUROC2 with 95 % intervals, by way of asking, model and set: it does not divide by ability. The line at one "
        "half is chance. Cells that are undefined are counted in the title: confidence is constant there, could not "
        "be read, or trials are too few."
    ),
    alt="AUROC2 with intervals of each model and set in which it is defined, by way of asking",
)
def auroc2(result: Any) -> Figure | None:
    """AUROC2 likewise."""
    return _forest(result, ("auroc2",), 0.5, (0.0, 1.0))


@drawing(
    name="fig-study3-set-cv",
    caption=(
        "Coefficients of variation over sets with 95 % intervals, sampling variance subtracted: one point "
        f"per way of asking that has one, cut at {WIDEST_CV:g}. Small crosses: the unadjusted CV."
    ),
    alt="Coefficients of variation over sets by measure and model, one point per way of asking",
)
def variations(result: Any) -> Figure | None:
    """CVs by measure, one panel per model."""
    rows = result.variations[result.variations["cv"].notna()]
    if not len(rows):
        return None
    models, names = list(rows["model"].drop_duplicates()), list(result.variations["name"].drop_duplicates())
    style = looks(names)
    figure, axes = new_axes(len(models), 1, height=2.4, sharex=True, squeeze=False)
    titles = list(COMPARED.values())
    shifts = np.linspace(-0.36, 0.36, len(names)) if len(names) > 1 else [0.0]
    for axis, model in zip(axes[:, 0], models, strict=True):
        part = rows[rows["model"] == model]
        for shift, name in zip(shifts, names, strict=True):
            one = part[part["name"] == name]
            y = [titles.index(m) + shift for m in one["measure_name"]]
            low, high = one["corrected"] - one["corrected_lower"], one["corrected_upper"] - one["corrected"]
            ends = [low.clip(lower=0), high.clip(lower=0)]
            axis.errorbar(one["corrected"], y, xerr=ends, ls="", ms=4.5, elinewidth=0.9, **style[name])
            axis.plot(one["cv"], y, ls="", marker="x", ms=4, color=style[name]["color"])
        for place in sorted(set(range(len(titles))) - {titles.index(m) for m in part["measure_name"]}):
            axis.text(
                0.02, place, "undefined for every way", color=GREY, va="center", fontsize=10, bbox=PLAIN
            )
        axis.set_yticks(range(len(titles)), titles)
        axis.set_ylim(len(titles) - 0.5, -0.5)
        axis.set_title(model, loc="left")
    axes[-1, 0].set_xlabel("coefficient of variation over sets")
    axes[-1, 0].set_xlim(-0.02, min(WIDEST_CV, 1.05 * rows[["cv", "corrected_upper"]].max().max()))
    shown = [name for name in names if name in set(rows["name"])]
    handles = [axes[0, 0].plot([], [], ls="", label=name, **style[name])[0] for name in shown]
    figure.legend(handles=handles, loc="outside lower left", ncols=2, fontsize=10)
    return figure


@drawing(
    name="fig-study3-abstain",
    caption=(
        "What abstaining gains or loses compared with the better constant strategy, answering all or "
        "abstaining from all: A-Acc minus that strategy's, with 95 % intervals. The threshold and the "
        "constant strategy both come from the other half of the questions."
    ),
    alt="A-Acc minus that of the better constant strategy by way of asking for each model, with intervals",
)
def abstained(result: Any) -> Figure | None:
    """Gain of abstaining by way."""
    rows = result.abstained[result.abstained["gain"].notna()]
    if not len(rows):
        return None
    names, models = list(rows["name"].drop_duplicates()), list(rows["model"].drop_duplicates())
    style = looks(models)
    figure, axis = new_axes(height=0.32 * len(names) + 1.3)
    shifts = np.linspace(-0.15, 0.15, len(models)) if len(models) > 1 else [0.0]
    for shift, model in zip(shifts, models, strict=True):
        part = rows[rows["model"] == model]
        y = [names.index(name) + shift for name in part["name"]]
        low, high = part["gain"] - part["gain_lower"], part["gain_upper"] - part["gain"]
        ends = [low.clip(lower=0), high.clip(lower=0)]
        axis.errorbar(part["gain"], y, xerr=ends, ls="", ms=6, capsize=2, label=model, **style[model])
    axis.axvline(0, color=GREY, lw=1)
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.set_xlabel("gain over the better constant strategy")
    figure.legend(loc="outside upper left", ncols=2)
    return figure
