"""The data below tables and figures. Oracles: the tables and figures themselves; the renderer's own file names."""

import re
from types import SimpleNamespace

import nbformat
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from metacog.book.downloads import offer_downloads
from metacog.report.drawing import Drawn
from metacog.report.show import Markup, Prose
from metacog.report.tables import table as shown_table

FRAME = pd.DataFrame({"model": ["a", "b"], "share": [1 / 3, 0.5]})


def shown(*things):
    """A cell that displays things."""
    outputs = []
    for thing in things:
        data, about = InteractiveShell().display_formatter.format(thing)
        outputs.append(new_output("display_data", data=data, metadata=about))
    return new_code_cell("show()", outputs=outputs)


@pytest.fixture
def figure():
    figure = Figure()
    figure.subplots().plot([0, 1, 2], [0, 1, 4])
    return Drawn(figure, "fig-x", "c.", "a", data=pd.DataFrame({"x": [0, 1, 2], "y": [0, 1, 4]}))


def test_tables_and_figures_get_their_files_and_links(tmp_path, figure):
    table, ledger = shown_table(FRAME, caption=""), Markup("<style></style><table></table>", "a\n1\n")
    notebook = new_notebook(
        cells=[new_markdown_cell("# T"), shown(Prose("words")), shown(table, ledger), shown(figure)]
    )
    offer_downloads(notebook, "page", tmp_path)
    nbformat.validate(notebook)
    assert {path.name for path in (tmp_path / "downloads").iterdir()} == {
        "page-table-1.csv",
        "page-table-2.csv",
        "page-figure-1.csv",
    }
    assert pd.read_csv(tmp_path / "downloads/page-table-1.csv")["share"].to_numpy() == pytest.approx(
        FRAME["share"]
    )
    assert pd.read_csv(tmp_path / "downloads/page-figure-1.csv")["y"].tolist() == [0, 1, 4]
    first, second = (output.data["text/html"] for output in notebook.cells[2].outputs)
    assert 'href="../_static/downloads/page-table-1.csv" download="page-table-1.csv"' in first
    assert "page-table-2.csv" in second
    line = notebook.cells[4].source
    assert 'href="../_static/downloads/page-figure-1.csv"' in line and 'download="page-figure-1.svg"' in line
    assert 'data-csv="' in line and "&#10;" in line and "data-csv" not in first  # a table is shown already
    assert "text/csv" not in str(notebook)  # it stands in the files, and need not be carried twice


def test_the_link_to_a_figure_is_to_the_file_that_the_renderer_writes(tmp_path, figure):
    from myst_nb.core.render import MimeData, NbElementRenderer

    written = []

    def write_file(path, *_, **__):
        written.append("/".join(path))
        return path[-1]

    stub = SimpleNamespace(
        write_file=write_file, renderer=SimpleNamespace(get_cell_level_config=lambda *_, **__: {})
    )
    notebook = new_notebook(cells=[shown(figure)])
    svg = notebook.cells[0].outputs[0].data["image/svg+xml"]
    NbElementRenderer.render_image(stub, MimeData("image/svg+xml", svg))
    offer_downloads(notebook, "page", tmp_path)
    assert re.search(r'href="\.\./_images/([^"]+\.svg)"', notebook.cells[1].source)[1] == written[0]


def test_prose_and_tables_without_data_are_left_as_they_are(tmp_path):
    plain = Markup("<table></table>")
    notebook = new_notebook(cells=[shown(Prose("words"), plain)])
    before = nbformat.writes(notebook)
    offer_downloads(notebook, "page", tmp_path)
    assert nbformat.writes(notebook) == before and not (tmp_path / "downloads").exists()
