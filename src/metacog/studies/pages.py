"""Names of pages as links that tables show: chapters by their titles, prose pages by theirs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.chapters import declared

#: The title of a chapter, and of a prose page.
_TITLE, _PROSE_TITLE = (re.compile(rf"^{mark}# (.+)$", re.MULTILINE) for mark in ("# ", ""))


def linked(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """A table whose column of pages is one of links."""
    return frame.assign(**{column: frame[column].map(links_to)})


def links_to(names: str) -> str:
    """Pages, by names apart by semicolons, as links from a chapter; what is no page stays as it is.

    A chapter is named as its file, a prose page as ``book/NAME``.
    """
    return "; ".join(_link(name.strip()) for name in names.split(";") if name.strip())


@cache
def _link(name: str) -> str:
    chapters = {chapter.name: chapter for chapter in declared()}
    prose = project_root() / f"{name}.md"
    if name in chapters and chapters[name].per_model:
        return "each model's page"
    if name in chapters:
        return f"[{_title(_TITLE, chapters[name].source)}]({name}.html)"
    if name.startswith("book/") and prose.is_file():
        return f"[{_title(_PROSE_TITLE, prose)}](../{name}.html)"
    if not (project_root() / name).exists() and not name.startswith("metacog "):
        raise MetacogError(f"{name!r} is no chapter, page, command or file of the project")
    return name


def _title(pattern: re.Pattern[str], page: Path) -> str:
    found = pattern.search(page.read_text(encoding="utf-8"))
    return found[1].strip() if found else page.stem
