"""The rendered book: jupyter-book on the executed chapters."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

from metacog.book.chapters import executed, pages
from metacog.book.explorer import write_explorer_data
from metacog.core.config import Profile, load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root


def prepare_static(root: Path) -> None:
    """Lay MathJax and its fonts out for the build, from the package that carries them."""
    target = root / "_static_generated" / "mathjax"
    distribution = importlib.metadata.distribution("sphinx-mathjax-offline")
    mark = "static/mathjax/"
    wanted = [f for f in distribution.files or [] if mark in str(f)]
    for file in wanted:
        relative = str(file).split(mark, 1)[1]
        if relative == "tex-mml-chtml.js" or relative.startswith("output/chtml/fonts/"):
            place = target / relative
            if not place.is_file():
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(distribution.locate_file(file)), place)
    if not (target / "tex-mml-chtml.js").is_file():
        raise MetacogError("the package sphinx-mathjax-offline holds no MathJax: reinstall it (`make setup`)")


def lay_out(profile: Profile) -> None:
    """Copy a profile's executed pages to where the table of contents looks for them.

    Every profile's pages are kept in ``_executed/PROFILE/``, so that one profile's book does not cost
    another's; ``_executed/NAME.ipynb`` are those of the book that is rendered.

    Raises
    ------
    MetacogError
        If a page has not been executed.
    """
    folder = project_root() / "_executed"
    for stale in folder.glob("*.ipynb"):
        stale.unlink()
    for page in pages(profile):
        source = executed(profile, page.name)
        if not source.is_file():
            raise MetacogError(
                f"page {page.name} has not been executed under the profile {profile.name}: "
                f"`metacog book --profile {profile.name}` does it"
            )
        shutil.copyfile(source, folder / source.name)


def render(profile_name: str) -> Path:
    """Render the book from its executed chapters, from an empty ``_build``, warnings as errors.

    Raises
    ------
    MetacogError
        If jupyter-book warns or fails; the log is kept in ``results/logs/render.log``.
    """
    root = project_root()
    profile = load_profile(profile_name)
    lay_out(profile)
    prepare_static(root)
    write_explorer_data(profile, root / "_static_generated")
    shutil.rmtree(root / "_build", ignore_errors=True)
    log = root / "results" / "logs" / "render.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print("rendering the book: usually under a minute", flush=True)
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", ".", "-W", "-n", "--keep-going"]
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
    return page
