"""What readers take along: the data of every table and figure, and the figures themselves, as files."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from metacog.report.drawing import NARROW
from metacog.report.show import take_along

#: Mime type under which a display hands over its data.
CSV = "text/csv"
#: Folder of the files among the static ones.
FOLDER = "downloads"
#: Folder in it of figures' variants for phones, each under the name of the figure's own picture.
NARROW_FOLDER = "narrow"
#: The way from any page to what all of them share; pages lie one folder deep.
_UP = ".."


def offer_downloads(notebook: Any, page: str, static: Path) -> None:
    """Write the data of a page's tables and figures as CSV, and put links to them below each, in place.

    Displays that hand over their data as ``text/csv`` lose that part. Files are ``PAGE-table-1.csv``,
    ``PAGE-figure-1.csv`` and so on, in the order of the page; the content of ``static`` lies in ``_static`` of the
    rendered book.
    """
    counted = {"table": 0, "figure": 0}
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        for output in cell.get("outputs", []) if cell.cell_type == "code" else ():
            data = output.get("data", {})
            picture = _joined(data.get("image/svg+xml"))
            what = "figure" if picture else "table" if "<table" in _joined(data.get("text/html")) else ""
            if not what or (CSV not in data and not picture):
                continue
            counted[what] += 1
            name = f"{page}-{what}-{counted[what]}"
            links = {"svg": _picture(picture)} if picture else {}
            if small := _joined(data.pop(NARROW, "")):
                _write(static / FOLDER / NARROW_FOLDER / Path(links["svg"]).name, small)
            csv = _joined(data.pop(CSV, ""))
            if csv:
                _write(static / FOLDER / f"{name}.csv", csv)
                links["csv"] = f"{_UP}/_static/{FOLDER}/{name}.csv"
            line = take_along(links, name, what, csv if what == "figure" else "")
            if what == "table":
                data["text/html"] = f"{_joined(data['text/html'])}\n{line}"
            else:  # below the caption, which the renderer puts at the end of the cell
                cells.append(raw(line))
    notebook.cells = cells


def insert_after_opening(notebook: Any, line: str) -> None:
    """Put a line of HTML behind a page's title, its answer and its figure, in place: before the text that follows."""
    texts = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "markdown"]
    notebook.cells.insert(texts[1] if len(texts) > 1 else len(notebook.cells), raw(line))


def _picture(svg: str) -> str:
    """Where the renderer (myst-nb) puts a figure: it names pictures by the digest of their lines."""
    content = os.linesep.join(svg.splitlines()).encode()
    return f"{_UP}/_images/{hashlib.sha256(content).hexdigest()}.svg"


def _joined(text: Any) -> str:
    """A notebook's text, which may be a list of lines."""
    return text if isinstance(text, str) else "".join(text or ())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def raw(text: str) -> Any:
    import nbformat

    return nbformat.v4.new_markdown_cell(text)
