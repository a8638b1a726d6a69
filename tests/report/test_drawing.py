"""A figure that another page shows. Oracle: what HTML must hold."""

import base64
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from metacog.report.drawing import Drawn
from metacog.report.style import PALETTE


def line():
    figure = Figure()
    figure.subplots().plot([0, 1], [0, 1])
    data = pd.DataFrame({"x": [0, 1], "y": [0, 1]})
    return Drawn(
        figure, "fig-lines", 'One line, and a "quote" <b>.', "A line that rises from 0 to 1", data=data
    )


def test_a_figure_is_html_that_needs_no_other_file():
    text = line().markup()
    found = re.fullmatch(
        r'<figure><img alt="A line that rises from 0 to 1" src="(data:image/svg\+xml;base64,[^"]+)"/>'
        r"<figcaption><p>One line, and a &quot;quote&quot; &lt;b&gt;\.</p></figcaption></figure>"
        r'<p class="take-along" data-csv="x,y&#10;0,0&#10;1,1">'
        r'<a href="\1" download="fig-lines.svg" aria-label="SVG of this figure">SVG</a> '
        r'<a href="data:text/csv;base64,([^"]+)" download="fig-lines.csv" aria-label="CSV of this figure">CSV'
        r"</a></p>",
        text,
    )
    assert found and "<svg" in base64.b64decode(found[1].split(",")[1]).decode()
    assert base64.b64decode(found[2]).decode().splitlines() == ["x,y", "0,0", "1,1"]


@pytest.mark.parametrize("colour", PALETTE)
def test_every_colour_can_be_seen_on_white(colour):
    """Oracle: the contrast ratio of the Web Content Accessibility Guidelines."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    assert 1.05 / (np.dot([0.2126, 0.7152, 0.0722], linear) + 0.05) > 2.5
    assert PALETTE.count(colour) == 1


def test_nothing_to_draw_is_nothing():
    empty = Drawn(None, "n", "c.", "a")
    assert empty.markup() == "" and empty.svg() == "" and empty._repr_mimebundle_()[0] == {"text/plain": ""}
