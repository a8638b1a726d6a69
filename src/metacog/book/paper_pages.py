"""Pages of one study's run once it is collected, each a file that opens anywhere, and cards of its models."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import nbformat

from metacog.book.addresses import addresses
from metacog.book.cards import write_card
from metacog.book.chapters import pages
from metacog.book.execution import execute_chapter
from metacog.book.filled import BOX, fill, glued
from metacog.collect.plan import models_of
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.core.paths import from_root, project_root
from metacog.imports.page import notebook_html
from metacog.report.drawing import MARK
from metacog.studies import get_study
from metacog.studies.packed import collections_read
from metacog.studies.shared.model_card import card_of

_LINK = re.compile(r"\[([^\]]*)\]\((?:[\w./-]*/)?([\w-]+)\.(?:ipynb|md|html)(?:#[\w-]*)?\)")

#: A letter or two in the marks of a formula, which a page without the site's scripts does not draw.
_SIGN = re.compile(r"\$([^$\\\n ]{1,8})\$")


def write_pages(profile: Profile, study: str, echo: Callable[[str], object] = print) -> None:
    """Execute the chapters of a study that show trials, and write them and the cards to ``results/PROFILE/pages``.

    Raises
    ------
    MetacogError
        Once all others are made, if a page or a card cannot be; it names them with the reason.
    """
    folder = project_root() / "results" / profile.name / "pages"
    notebooks: dict[str, Any] = {}
    failed: list[str] = []
    for page in pages(profile):
        uses = page.chapter.uses()
        own = any(of == study for of, _ in uses) and collections_read(uses, [profile])
        try:
            if own:
                made = execute_chapter(page.name, profile.name)
                notebooks[page.name] = nbformat.read(made, as_version=4)
        except MetacogError as error:
            failed.append(f"{page.name}: {error}")
    values = {name: value for one in notebooks.values() for name, value in glued(one).items()}
    for name, notebook in notebooks.items():
        with replacing(folder / f"{name}.html") as handle:
            handle.write(notebook_html(_alone(notebook, values, set(notebooks))))
        echo(f"wrote {from_root(folder / name)}.html")
    for model in models_of(get_study(study), profile):
        try:
            echo(f"wrote {from_root(write_card(card_of(model, profile), folder, addresses().book)[1])}")
        except MetacogError as error:
            failed.append(f"card of {model}: {error}")
    if failed:
        raise MetacogError("not made:\n  " + "\n  ".join(failed))


def _alone(notebook: Any, values: dict[str, Any], here: set[str]) -> Any:
    """A page without marks of the site, boxes, and links to pages that are not ``here``, in place."""

    def link(found: re.Match[str]) -> str:
        return f"[{found[1]}]({found[2]}.html)" if found[2] in here else found[1]

    def plain(text: str) -> str:
        return _SIGN.sub(r"*\1*", _LINK.sub(link, fill(text.partition(BOX)[0], values)))

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain(cell.source)
        about = cell.metadata.get("mystnb", {})
        figure = {"caption": plain(about.get("figure", {}).get("caption", "")), **about.get("image", {})}
        for output in cell.get("outputs", []):
            if "text/markdown" in output.get("data", {}):
                output.data["text/markdown"] = plain("".join(output.data["text/markdown"]))
            elif about:
                output.metadata[MARK] = figure
    return notebook
