"""A figure that another page shows. Oracle: what HTML must hold."""

import base64
import re

from metacog.report.drawing import Drawn, drawing
from metacog.report.style import new_axes


@drawing(name="fig-lines", caption='One line, and a "quote" <b>.')
def line(result):
    """A line that rises from 0 to 1."""
    figure, axis = new_axes()
    axis.plot([0, 1], [0, 1])
    return figure


def test_a_figure_is_html_that_needs_no_other_file():
    text = line(None).markup()
    found = re.fullmatch(
        r'<figure><img alt="A line that rises from 0 to 1" src="data:image/svg\+xml;base64,([^"]+)"/>'
        r"<figcaption><p>One line, and a &quot;quote&quot; &lt;b&gt;\.</p></figcaption></figure>",
        text,
    )
    assert found and "<svg" in base64.b64decode(found[1]).decode()


def test_nothing_to_draw_is_nothing():
    empty = Drawn(None, "n", "c.", "a")
    assert empty.markup() == "" and empty.svg() == "" and empty._repr_mimebundle_()[0] == {"text/plain": ""}
