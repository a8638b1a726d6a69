"""The data of figures, read back from what was drawn. Oracle: what each figure was drawn from."""

import io

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from metacog.report.drawing import Drawn
from metacog.report.figure_data import figure_data
from metacog.report.style import new_axes, panel_axes


def test_a_forest_gives_names_estimates_and_intervals():
    figure, axis = new_axes()
    for y, (low, at, high) in enumerate([(0.1, 0.2, 0.4), (0.3, 0.5, 0.6)]):
        axis.plot([low, high], [y, y], color="C0")
        axis.plot(at, y, "o", color="C0", label="ours" if y == 0 else None)
    axis.set_yticks([0, 1], ["alpha", "beta"])
    axis.axvline(0.5, ls="--", color="0.5")
    axis.set_xlabel("AUROC2")
    data = figure_data(figure)
    points, spans = (data[data["mark"] == mark] for mark in ("point", "interval"))
    assert points["y_name"].tolist() == ["alpha", "beta"] and points["x"].tolist() == [0.2, 0.5]
    assert spans[["x_low", "x_high"]].to_numpy().tolist() == [[0.1, 0.4], [0.3, 0.6]]
    assert set(points["series"]) | set(spans["series"]) == {"ours"}  # by its colour, where it has no name
    assert data.loc[data["mark"] == "reference", "x"].tolist() == [0.5]
    assert set(data["x_axis"]) == {"AUROC2"} and "value" not in data and "panel" not in data


@pytest.mark.parametrize("way", ["x", "y"])
def test_error_bars_are_points_with_ends(way):
    figure, axis = new_axes()
    axis.errorbar([1, 2], [3, 4], **{f"{way}err": [[0.5, 0.1], [0.25, 0.2]]}, fmt="o", capsize=3, label="a")
    data = figure_data(figure)
    assert data["mark"].tolist() == ["point"] * 2 and data["series"].tolist() == ["a"] * 2
    centre = np.array([[1, 2], [3, 4]])["xy".index(way)]
    assert data[f"{way}_low"].to_numpy() == pytest.approx(centre - np.array([0.5, 0.1]))
    assert data[f"{way}_high"].to_numpy() == pytest.approx(centre + np.array([0.25, 0.2]))


def test_bars_bands_cells_and_areas():
    figure, ((bars, lines), (cells, picture)) = new_axes(2, 2)
    bars.bar(["a", "b"], [3, 4], label="n")
    lines.fill_between([0, 1], [1, 2], [3, 5], alpha=0.2)
    lines.axvspan(0.2, 0.4, color="0.9")
    lines.add_patch(Rectangle((0, 0), 1, 1, fill=False))  # a frame shows no number
    lines.hist([0.5], bins=[0, 1], histtype="step")
    drawn = cells.pcolormesh(np.ma.masked_invalid([[1.0, np.nan]]))
    figure.colorbar(drawn, ax=cells)
    picture.imshow([[1.0, 2.0], [3.0, 4.0]])
    picture.set_xticks([0, 1], ["left", "right"])
    for number, axis in enumerate((bars, lines, cells, picture)):
        axis.set_title(f"panel {number}")
    data = figure_data(figure)
    assert set(data["panel"]) == {f"panel {n}" for n in range(4)}  # the bar of colours is none
    by_mark = dict(list(data.groupby("mark")))
    assert by_mark["bar"]["y"].tolist() == [3, 4] and by_mark["bar"]["x_name"].tolist() == ["a", "b"]
    assert by_mark["band"][["x", "y_low", "y_high"]].to_numpy().tolist() == [[0, 1, 3], [1, 2, 5]]
    assert by_mark["area"][["x_low", "x_high"]].to_numpy().tolist() == [[0.2, 0.4]]
    assert by_mark["outline"]["y"].max() == 1
    image = by_mark["cell"][by_mark["cell"]["panel"] == "panel 3"]
    assert image["value"].tolist() == [1, 2, 3, 4] and image["x_name"].tolist() == ["left", "right"] * 2
    mesh = by_mark["cell"][by_mark["cell"]["panel"] == "panel 2"]
    assert mesh["x"].tolist() == [0.5, 1.5] and mesh["value"].isna().tolist() == [False, True]


def test_words_on_an_axis_are_places_with_names():
    figure, axis = new_axes()
    axis.plot(["wrong", "right"], [0.2, 0.7], "o-")
    axis.errorbar(["wrong", "right"], [0.2, 0.7], yerr=0.1)
    data = figure_data(figure)
    assert data["x"].tolist() == [0, 1] * 2 and data["x_name"].tolist() == ["wrong", "right"] * 2
    assert data["y_low"].tolist()[:2] == pytest.approx([0.1, 0.6])


def test_panels_on_a_common_scale_share_its_title():
    figure, panels = panel_axes(2, "coverage", "risk")
    for axis in panels:
        axis.plot([0, 1, 2], [1, 2, 3])
    data = figure_data(figure)
    assert set(data["x_axis"]) == {"coverage"} and set(data["y_axis"]) == {"risk"}
    assert data["panel"].tolist() == [1] * 3 + [2] * 3


def test_a_figure_hands_over_its_data():
    figure, axis = new_axes()
    axis.scatter([1, 2], [3, np.nan])
    data, _ = Drawn(figure, "fig-x", "c.", "a")._repr_mimebundle_()
    read = pd.read_csv(io.StringIO(data["text/csv"]))
    assert read["x"].tolist() == [1, 2] and read["y"].isna().tolist() == [False, True]
    assert "text/csv" not in Drawn(Figure(), "fig-x", "c.", "a")._repr_mimebundle_()[0]
