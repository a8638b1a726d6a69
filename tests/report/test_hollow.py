"""What is not judged is drawn hollow, once, and captions tell what an axis cuts off."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from metacog.report.figure_data import figure_data
from metacog.report.measure_figures import interval_figure
from metacog.studies.study1_qa.cells.figures import forest


def fills(axis):
    """By place on the vertical axis, the colour inside of each marker."""
    lines = [line for line in axis.get_lines() if line.get_marker() not in ("None", "|", "", None)]
    return {y: to_hex(line.get_markerfacecolor()) for line in lines for y in line.get_ydata()}


def test_flagged_points_of_a_forest_are_hollow_and_drawn_once():
    frame = pd.DataFrame(
        {
            "line": ["a", "b"],
            "model": "m",
            "m_ratio": [0.5, 1.5],
            "m_ratio_lower": [0.4, 1.0],
            "m_ratio_upper": [0.6, 2.0],
            "flagged": [False, True],
        }
    )
    figure, axis = plt.subplots()
    forest(axis, frame, "line", "model", value="m_ratio", hollow="flagged")
    inside = fills(axis)
    assert inside[1.0] == "#ffffff" and inside[0.0] != "#ffffff"
    assert axis.get_legend_handles_labels()[1] == ["m"]
    assert len(figure_data(figure)) == 2
    plt.close(figure)


def test_an_estimate_without_an_interval_is_hollow():
    table = pd.DataFrame(
        {
            "model": "m",
            "domain": ["a", "b"],
            "auroc2": [0.7, 0.9],
            "auroc2_lower": [0.6, np.nan],
            "auroc2_upper": [0.8, np.nan],
        }
    )
    inside = fills(interval_figure(table, "auroc2", label="domain").axes[0])
    assert inside[1] == "#ffffff" and inside[0] != "#ffffff"


def test_an_area_that_is_only_hatched_gives_no_numbers_of_its_own():
    def drawn(hatched):
        figure, axis = plt.subplots()
        axis.fill_between([0, 1, 2], [1, 2, 1], color="C0")
        if hatched:
            axis.fill_between([0, 1, 2], [1, 2, 1], facecolor="none", edgecolor="C0", hatch="//")
        data = figure_data(figure)
        plt.close(figure)
        return data

    pd.testing.assert_frame_equal(drawn(True), drawn(False))
