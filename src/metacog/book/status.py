"""What closes the page on speed: when each chapter was executed, how long it took, and from which commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd

from metacog.book.chapters import Page, executed
from metacog.core.config import Profile
from metacog.core.paths import from_root, project_root
from metacog.core.provenance import provenance
from metacog.core.times import times
from metacog.report.tables import table
from metacog.studies.steps import Step, steps

#: The page that it closes; key of a chapter's metadata under which what made it is kept.
PAGE, MARK = "speed", "metacog"
COLUMNS = ("chapter", "executed", "seconds", "results_seconds", "commit")
CAPTION = (
    "When each chapter was executed last, how long that took, and from which commit. A chapter shows stored results; "
    "their seconds are those of the last time they were computed, and results that several chapters show count "
    "in each."
)
TITLES = {"commit": "Commit", "executed": "Executed (UTC)", "results_seconds": "Seconds of its results"}


def chapters(profile: Profile, pages: Iterable[Page]) -> pd.DataFrame:
    """When (UTC) and from what each page was executed, and seconds; what was not recorded is missing."""
    noted = times(project_root())
    known = _seconds(steps(profile), noted)
    rows = []
    for page in pages:
        file, model = executed(profile, page.name), page.parameters.get("model", "")
        about = nbformat.read(file, as_version=4).metadata
        run = noted.get(from_root(file, project_root()))
        uses = [(study, analysis, one) for study, analysis in page.chapter.uses() for one in {"", model}]
        computed = [known[use] for use in uses if use in known]
        rows.append(
            {
                "chapter": page.title or page.name,
                "executed": datetime.fromisoformat(run["made"]).strftime("%Y-%m-%d %H:%M") if run else None,
                "seconds": run["seconds"] if run else float("nan"),
                "results_seconds": float(sum(computed)) if computed else float("nan"),
                "commit": about.get(MARK, {}).get("commit"),
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def status_cells(profile: Profile, pages: Iterable[Page], files: Mapping[str, str]) -> list[Any]:
    """What made this book, as executed cells of a notebook.

    ``files`` are those that programs can read, by their address from a page, with what they are.
    """
    made, rows = provenance(), chapters(profile, pages)
    versions = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    words = (
        f"## What made this book\n\nThis rendering is of the profile {profile.name}, from "
        f"commit `{made['commit']}`, with {versions}."
    )
    shown = table(
        rows,
        *COLUMNS,
        caption=CAPTION,
        titles=TITLES,
        digits={"results_seconds": 1},
        empty="No chapter has been executed.",
    )
    output = nbformat.v4.new_output(
        "display_data", {"text/html": shown._repr_html_(), **shown._repr_mimebundle_()}
    )
    code = nbformat.v4.new_code_cell("", outputs=[output], metadata={"tags": ["remove-input"]})
    listed = "\n".join(f'<li><a href="{address}">{what}</a></li>' for address, what in files.items())
    offered = nbformat.v4.new_markdown_cell(f"## For programs\n\n<ul>\n{listed}\n</ul>")
    return [nbformat.v4.new_markdown_cell(words), code, *([offered] if files else [])]


def _seconds(
    made: Iterable[Step], noted: Mapping[str, Mapping[str, Any]]
) -> dict[tuple[str, str, str], float]:
    """Seconds that each stored result took, by study, analysis and model; both runs' together."""
    found: dict[tuple[str, str, str], float] = {}
    for step in made:
        run = noted.get(str(Path(step.target).parent))
        if run is not None:
            key = step.study, step.analysis, step.model
            found[key] = found.get(key, 0.0) + run["seconds"]
    return found
