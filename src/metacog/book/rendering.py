"""The rendered book: jupyter-book on the executed chapters."""

from __future__ import annotations

import copy
import fnmatch
import html
import importlib.metadata
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
import yaml

from metacog.book.addresses import Addresses, addresses
from metacog.book.cards import link_cards, write_cards
from metacog.book.chapters import Page, executed, pages
from metacog.book.downloads import FOLDER, offer_downloads
from metacog.book.explorer import write_explorer_data
from metacog.book.filled import write_filled
from metacog.book.finish import without_run
from metacog.book.heads import described
from metacog.book.launch import link_launch
from metacog.book.moved import write_moved
from metacog.book.offers import closing_cell
from metacog.book.sitemap import write_sitemap
from metacog.book.trials_data import write_trials_data
from metacog.core.config import Profile, load_profile
from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.core.paths import project_root

#: Contents of the book that is rendered, below the project's root.
CONTENTS = Path("_executed") / "_toc.yml"
#: The page that ends with what made the book.
CLOSING = "coverage"


def write_contents(root: Path, every: Iterable[Page]) -> None:
    """Write the contents with pages of models in the order of the book: the renderer would sort them by name."""
    names = [f"_executed/{page.name}" for page in every]
    contents = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    for part in contents.get("parts", [contents]):
        listed = ((one, fnmatch.filter(names, one.get("glob", ""))) for one in part["chapters"])
        part["chapters"] = [
            place for one, found in listed for place in ([{"file": name} for name in found] or [one])
        ]
    with replacing(root / CONTENTS) as handle:
        handle.write(yaml.safe_dump(contents, sort_keys=False))


#: Static files that are made for each build, beside those of ``book/_static``.
STATIC = "_static_generated"

#: First page of the book's folder: leads to the first page of the book, with a title and a picture in the tab.
_ENTRANCE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
{described}
<link rel="icon" href="_static/favicon.svg" type="image/svg+xml">
<meta http-equiv="refresh" content="0; url={page}"></head>
<body><main><h1><a href="{page}">{title}</a></h1></main></body></html>
"""


def prepare_static(static: Path) -> None:
    """Lay MathJax and its fonts out for the build, from the package that carries them."""
    target = static / "mathjax"
    distribution = importlib.metadata.distribution("sphinx-mathjax-offline")
    mark = "static/mathjax/"
    wanted = [f for f in distribution.files or [] if mark in str(f)]
    for file in wanted:
        relative = str(file).split(mark, 1)[1]
        if relative == "tex-mml-chtml.js" or relative.startswith("output/chtml/fonts/"):
            place = target / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(distribution.locate_file(file)), place)  # also over half of it
    if not (target / "tex-mml-chtml.js").is_file():
        raise MetacogError("the package sphinx-mathjax-offline holds no MathJax: reinstall it (`make setup`)")


def lay_out(profile: Profile, static: Path, known: Addresses) -> None:
    """Put a profile's executed pages where the table of contents looks for them, with links to their data.

    Every profile's pages are kept in ``_executed/PROFILE/``, so that one profile's book does not cost
    another's; ``_executed/NAME.ipynb`` are those of the book that is rendered. Their data go to ``static``, with
    the cards of models and what programs can read. That on coverage ends with these and what made the book.
    """
    folder = project_root() / "_executed"
    shutil.rmtree(static / FOLDER, ignore_errors=True)
    for stale in folder.glob("*.ipynb"):
        stale.unlink()
    cards = write_cards(profile, static, known.book)
    every = pages(profile)
    offered: dict[str, tuple[Page, Any]] = {}
    for page in every:
        source = executed(profile, page.name)
        if not source.is_file():
            raise MetacogError(
                f"page {page.name} has not been executed under the profile {profile.name}: "
                f"`metacog book --profile {profile.name}` does it"
            )
        notebook = nbformat.read(source, as_version=4)
        offered[page.name] = page, copy.deepcopy(notebook)
        if page.name == CLOSING:
            notebook.cells.append(closing_cell(profile, static, known.book))
        link_cards(notebook, page, cards, every)
        link_launch(notebook, page.chapter.source, known)
        offer_downloads(notebook, page.name, static)
        nbformat.write(without_run(notebook), folder / source.name)
    write_contents(project_root(), every)
    write_filled(offered, static)


def render(profile_name: str) -> Path:
    """Render the book from its executed chapters, from an empty ``_build``, warnings as errors."""
    root = project_root()
    profile, static, known = load_profile(profile_name), root / STATIC, addresses()
    lay_out(profile, static, known)
    prepare_static(static)
    write_explorer_data(profile, static)
    write_trials_data(profile, static)
    shutil.rmtree(root / "_build", ignore_errors=True)
    log = root / "results" / "logs" / "render.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print("rendering the book: usually under a minute", flush=True)
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", "."]
    command += ["--toc", str(root / CONTENTS), "-W", "-n", "--keep-going"]
    outcome = subprocess.run(command, cwd=root, capture_output=True, text=True)
    text = outcome.stdout + outcome.stderr
    log.write_text(text, encoding="utf-8")
    page = root / "_build" / "html" / "index.html"
    if outcome.returncode or not page.is_file():
        complaints = [line for line in text.splitlines() if "WARNING" in line or "ERROR" in line]
        raise MetacogError(
            "the book did not render cleanly:\n  "
            + "\n  ".join(complaints[:20] or text.splitlines()[-15:])
            + f"\nthe whole log is {log}"
        )
    for source_map in (page.parent / "_static").rglob("*.map"):  # for those who debug the theme, 3 MB
        source_map.unlink()
    page.write_text(_entrance(root), encoding="utf-8")
    write_sitemap(page.parent, known.book)
    write_moved(root, page.parent)
    return page


def _entrance(root: Path) -> str:
    """``index.html``; the one that jupyter-book writes has neither a language nor a title."""
    title = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["title"]
    first = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))["root"]
    page = root / "_build" / "html" / f"{first}.html"
    tags = described(page.read_text(encoding="utf-8")) if page.is_file() else ""
    return _ENTRANCE.format(title=html.escape(title), page=html.escape(f"{first}.html"), described=tags)
