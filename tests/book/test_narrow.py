"""Figures for phones. Oracle: the HTML that the renderer writes."""

import nbformat

from metacog.book.downloads import FOLDER, NARROW_FOLDER, offer_downloads
from metacog.book.narrow import with_narrow
from metacog.report.drawing import NARROW

PAGE = '<p><img alt="A line" src="../_images/abc.svg" /> and <img src="../_images/def.svg"/></p>'


def test_a_figure_with_a_variant_offers_it_and_no_other_does():
    body = with_narrow(PAGE, {"abc.svg"})
    assert body.count("<picture>") == 1 and body.endswith('and <img src="../_images/def.svg"/></p>')
    assert (
        f'(max-width: 600px)" srcset="../_static/{FOLDER}/{NARROW_FOLDER}/abc.svg"><img alt="A line"' in body
    )


def test_the_variant_lies_under_the_name_of_the_figures_own_picture(tmp_path):
    data = {"image/svg+xml": "<svg>wide</svg>", NARROW: "<svg>small</svg>"}
    cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", data)])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    offer_downloads(notebook, "page", tmp_path)
    (small,) = (tmp_path / FOLDER / NARROW_FOLDER).iterdir()
    assert small.read_text() == "<svg>small</svg>" and f"_images/{small.name}" in notebook.cells[1].source
    assert NARROW not in notebook.cells[0].outputs[0]["data"]
