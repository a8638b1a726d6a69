"""Each page as a notebook that opens elsewhere: numbers filled in, code ready to be run, no marks of the site."""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from metacog.book.chapters import Page
from metacog.book.finish import FILLED, without_run

#: How a box begins that the site adds: how a page was run, its code.
BOX = ":::{dropdown} "
_VALUE = re.compile(r"\{glue:text\}`(?:[^`:]*::)?(\w+)(?::([^`]*))?`")
_SHOWN = re.compile(r"```\{glue:any\} (\w+)\n(?::doc: [^\n]*\n)?```")
_CITED = re.compile(r"\{cite:[pt]\}`([^`]+)`")
_ROLE = re.compile(r"\{[\w:]+\}`([^`<]+?)(?:\s*<([^>`]+)>)?`")
_RAW = re.compile(r"^```\{raw\} html\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^:::+(?:\{(\w[\w-]*)\} ?(.*))?$", re.MULTILINE)
#: What a figure or table shows, where another page's stands whole.
_CAPTION = re.compile(r"<(?:caption|figcaption)>(.*?)</(?:caption|figcaption)>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_LABEL = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)


def glued(notebook: Any) -> dict[str, Any]:
    """What an executed chapter gives to texts, by name: plain values, and HTML of figures and tables."""
    found: dict[str, Any] = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            about = output.get("metadata", {}).get("scrapbook")
            if about:
                data = {k.removeprefix(about["mime_prefix"]): v for k, v in output["data"].items()}
                found[about["name"]] = data.get("text/html") or _literal("".join(data.get("text/plain", "")))
    return found


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def fill(text: str, values: Mapping[str, Any]) -> str:
    """A text of the book as any notebook shows it: values in the place of their names, no roles and no fences."""

    def value(found: re.Match[str]) -> str:
        known = values.get(found[1], found[1])
        plain = not found[2] or (isinstance(known, str) and not found[2].endswith("s")) or found[2] == "s"
        return str(known) if plain else format(known, found[2])

    text = _RAW.sub(lambda found: found[1], _VALUE.sub(value, text))
    text = _SHOWN.sub(lambda found: _about(str(values.get(found[1], ""))), text)
    text = _CITED.sub(lambda found: f"({found[1]})", text)
    text = _ROLE.sub(lambda found: found[1], text)
    text = _LABEL.sub("", text)
    return _FENCE.sub(
        lambda found: f"**{found[2]}**" if found[2] and found[1] not in ("div", "code") else "", text
    )


def _about(markup: str) -> str:
    """Of a figure or table that another page draws: its caption."""
    found = _CAPTION.search(markup)
    return f"*{html.unescape(_TAG.sub('', found[1])).strip()}*" if found else ""


def filled(notebook: Any, page: Page, values: Mapping[str, Any]) -> Any:
    """A page's notebook with its parameters as a cell of code, ready to be run in a clone.

    What it says is in it; figures and tables, which the page itself shows, come when it is run.
    """
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and BOX not in cell.source:
            cells.append(new_markdown_cell(fill(cell.source, values)))
        elif cell.cell_type == "code":
            made = new_code_cell(cell.source, execution_count=cell.execution_count)
            made.outputs = [
                _said(one, values) for one in cell.outputs if "text/markdown" in one.get("data", {})
            ]
            cells.append(made)
    given = "\n".join(f"{name} = {value!r}" for name, value in page.parameters.items())
    parameters = new_code_cell(f"# Run in a clone of the project: `make lab` opens it.\n{given}")
    parameters.metadata["tags"] = ["parameters"]
    first = 1 if cells and cells[0].cell_type == "markdown" else 0
    cells.insert(first, parameters)
    made_of = nbformat.v4.new_notebook(cells=cells)
    made_of.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return made_of


def _said(output: Any, values: Mapping[str, Any]) -> Any:
    """What a cell says, without marks of the site."""
    text = fill("".join(output.data["text/markdown"]), values)
    return new_output("display_data", {"text/markdown": text})


def write_filled(made: Mapping[str, tuple[Page, Any]], static: Path) -> None:
    """Write every page as a notebook with its numbers in it, ``filled/NAME.ipynb`` among the static files."""
    folder = static / FILLED
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.ipynb"):
        old.unlink()
    values: dict[str, Any] = {}
    for _, notebook in made.values():
        values |= glued(notebook)
    for name, (page, notebook) in made.items():
        nbformat.write(without_run(filled(notebook, page, values)), folder / f"{name}.ipynb")
