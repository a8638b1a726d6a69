"""The page that says when chapters were executed. Oracle: notebooks whose times are written here."""

from __future__ import annotations

import json
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest

from metacog.book import status
from metacog.book.downloads import offer_downloads
from metacog.core.config import load_profile
from metacog.core.times import TIMES

PROFILE = load_profile("smoke")


def page(name: str, title: str = "", uses: tuple = (), model: str = "") -> SimpleNamespace:
    chapter = SimpleNamespace(uses=lambda: list(uses))
    return SimpleNamespace(name=name, title=title, chapter=chapter, parameters={"model": model})


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Three executed notebooks, the last one without a record, and two results that were timed."""
    noted = {
        "one.ipynb": ("2026-01-02T03:04:05+00:00", 30.5),
        "two.ipynb": ("2026-01-03T00:00:00+00:00", 29.5),
        "0": ("2026-01-01T00:00:00+00:00", 2.5),
        "1": ("2026-01-01T00:00:00+00:00", 4.0),
    }
    lines = [json.dumps({"what": k, "made": made, "seconds": s}) for k, (made, s) in noted.items()]
    (tmp_path / TIMES).parent.mkdir()
    (tmp_path / TIMES).write_text("\n".join(lines))
    about = {"one": {status.MARK: {"commit": "abc"}}, "two": {status.MARK: {"commit": "d"}}, "old": {}}
    for name, metadata in about.items():
        nbformat.write(nbformat.v4.new_notebook(metadata=metadata), tmp_path / f"{name}.ipynb")
    made = [
        SimpleNamespace(study="s", analysis=analysis, model=model, target=f"{place}/result.json")
        for place, (analysis, model) in enumerate((("a", ""), ("b", "m"), ("c", "")))
    ]
    monkeypatch.setattr(status, "project_root", lambda: tmp_path)
    monkeypatch.setattr(status, "steps", lambda profile: made)
    monkeypatch.setattr(status, "executed", lambda profile, name: tmp_path / f"{name}.ipynb")
    return [
        page("one", "The first", (("s", "a"), ("s", "c"))),
        page("two", "Of a model", (("s", "a"), ("s", "b")), "m"),
        page("old"),
    ]


def test_each_chapter_has_its_time_date_and_commit(house):
    rows = status.chapters(PROFILE, house)
    assert rows["chapter"].tolist() == ["The first", "Of a model", "old"]
    assert rows["executed"].tolist()[:2] == ["2026-01-02 03:04", "2026-01-03 00:00"]
    assert rows["seconds"].tolist()[:2] == [30.5, 29.5] and rows["commit"].tolist()[:2] == ["abc", "d"]
    assert rows["results_seconds"].tolist()[:2] == [2.5, 6.5]
    assert rows.iloc[2, 1:].isna().all() and np.isnan(rows["results_seconds"].iloc[2])


def test_its_cells_have_a_table_that_can_be_taken_along(house, tmp_path):
    cells = status.status_cells(PROFILE, house, {"../_static/summary.json": "The results"})
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbformat.validate(notebook)
    offer_downloads(notebook, status.PAGE, tmp_path)
    text = "\n".join(cell.source for cell in notebook.cells)
    assert text.startswith("## ") and '<a href="../_static/summary.json">The results</a>' in text
    shown = notebook.cells[1].outputs[0].data["text/html"]
    assert "2026-01-02 03:04" in shown and "speed-table-1.csv" in shown
    assert (tmp_path / "downloads" / "speed-table-1.csv").read_text().count("\n") == 4
    assert len(status.status_cells(PROFILE, [], {})) == 2
