"""Pages as notebooks to take along. Oracle: a notebook made by hand, and its run."""

from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from metacog.book.filled import fill, glued, write_filled

MIME = "application/papermill.record/"


def pasted(name, data):
    about = {"scrapbook": {"mime_prefix": MIME, "name": name}}
    return new_output("display_data", {f"{MIME}{kind}": text for kind, text in data.items()}, metadata=about)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "Of {glue:text}`a_n:,d` pairs {glue:text}`/_executed/x.ipynb::b_share:.2f`.",
            "Of 1,234 pairs 0.25.",
        ),
        ("{glue:text}`/_executed/x.ipynb::b_said:s`", "It's so."),
        ("```{glue:any} a_table\n:doc: /_executed/x.ipynb\n```", "*What < shows.*"),
        ("(a-label)=\n# Title\n\n:::{warning} Mind this\nNow.\n:::", "# Title\n\n**Mind this**\nNow.\n"),
        (":::{div} page-answer\nYes.\n:::", "\nYes.\n"),
        ("As {cite:p}`maniscalco2012` in {doc}`there <x>`.", "As (maniscalco2012) in there."),
        ("`{code}` and $x_{1}$ stay", "`{code}` and $x_{1}$ stay"),
    ],
)
def test_a_text_needs_nothing_of_the_site(text, shown):
    table = "<table><caption><p>What &lt; shows.</p></caption></table>"
    values = {"a_n": 1234, "b_share": 0.25, "b_said": "It's so.", "a_table": table}
    assert fill(text, values) == shown


def test_a_page_becomes_a_notebook_that_runs_with_its_parameters(tmp_path):
    given = [
        pasted("a_n", {"text/plain": "3"}),
        pasted("a_table", {"text/html": "<b>t</b>", "text/plain": "x"}),
    ]
    answer = {"text/markdown": ":::{div} page-answer\nSeven.\n:::\n", "text/csv": "a\n1\n"}
    said = new_output("display_data", answer)
    cells = [
        new_markdown_cell("# A page"),
        new_code_cell("print(seed)", outputs=[*given, said]),
        new_markdown_cell(":::{dropdown} How this page was run\nbox\n:::"),
        new_markdown_cell("There are {glue:text}`a_n:d`."),
    ]
    page = SimpleNamespace(parameters={"profile": "default", "seed": 7})
    stale = tmp_path / "filled" / "gone.ipynb"
    stale.parent.mkdir()
    stale.touch()
    write_filled({"one": (page, new_notebook(cells=cells))}, tmp_path)
    assert [file.name for file in stale.parent.iterdir()] == ["one.ipynb"]

    made = nbformat.read(stale.parent / "one.ipynb", as_version=4)
    nbformat.validate(made)
    assert [cell.source for cell in made.cells if cell.cell_type == "markdown"] == [
        "# A page",
        "There are 3.",
    ]
    parameters, code = (cell for cell in made.cells if cell.cell_type == "code")
    space = {}
    exec(parameters.source, space)
    assert (space["profile"], space["seed"]) == ("default", 7) and parameters.metadata["tags"] == [
        "parameters"
    ]
    assert [output.data for output in code.outputs] == [{"text/markdown": "\nSeven.\n\n"}]
    assert glued(new_notebook(cells=cells)) == {"a_n": 3, "a_table": "<b>t</b>"}
