"""One chapter executed with papermill."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat

from metacog.book.chapters import (
    MODEL_MARK,
    Page,
    as_default,
    chapter_parameters,
    executed,
    pages,
    split_parameters,
)
from metacog.book.finish import finish, without_run
from metacog.book.kernels import kernel_options
from metacog.collect.keys import run_notebook
from metacog.collect.models import get_model, load_models
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import from_root, keep_compiled, project_root
from metacog.core.provenance import commit
from metacog.core.times import note_time


def execute_chapter(
    chapter: str,
    profile_name: str,
    overrides: Mapping[str, Any] | Sequence[str] = (),
    out: Path | None = None,
) -> Path:
    """Execute one chapter with papermill; the notebook, by default ``_executed/PROFILE/CHAPTER.ipynb``.

    ``chapter`` names a page: of a chapter that is run for each model with ``-MODEL`` behind it, or with the parameter
    ``model``. ``overrides`` replace the profile's parameters, as values or as texts ``NAME=VALUE``. A failed run
    leaves no notebook at ``out``; the half-run one is kept in ``results/unfinished``.
    """
    import papermill
    from nbclient.exceptions import DeadKernelError

    given = overrides if isinstance(overrides, Mapping) else split_parameters(overrides)
    page, parameters = _find(chapter, profile_name, given)
    source = page.chapter.source
    own = load_profile(profile_name)
    target = out or executed(own, page.name)
    target.parent.mkdir(parents=True, exist_ok=True)
    kept_apart = project_root() / "results" / "unfinished"  # never where the book looks for pages
    kept_apart.mkdir(parents=True, exist_ok=True)
    running, failed = kept_apart / f"{target.stem}.{os.getpid()}.ipynb", kept_apart / f"{target.stem}.ipynb"
    notebook = _notebook(source, page)
    keep_compiled()
    started = time.monotonic()
    try:
        run_notebook(notebook, running, parameters, **kernel_options())
    except papermill.PapermillExecutionError as error:
        os.replace(running, failed)
        raise MetacogError(
            f"chapter {chapter!r} stopped at {_place(source, error)}\n"
            f"  {error.ename}: {error.evalue}\n"
            f"  the half-run notebook with the traceback is {from_root(failed)}; nothing was rendered from it"
        ) from None
    except DeadKernelError:
        running.unlink(missing_ok=True)
        raise MetacogError(
            f"chapter {chapter!r}: the process that ran its cells died, most likely because memory ran out: "
            "close other programs and try again; nothing was rendered from it"
        ) from None
    made = finish(nbformat.read(running, as_version=4), source, page.name, parameters, own, given)
    made.metadata["metacog"] = {"commit": commit()}
    nbformat.write(without_run(made), running)
    note_time(project_root(), target, time.monotonic() - started)
    shutil.move(running, target)
    return target


def _find(chapter: str, profile_name: str, given: Mapping[str, Any]) -> tuple[Page, dict[str, Any]]:
    """The page of that name and its parameters, if it knows all that are given and they are of its types."""
    by_name = {page.name: page for page in pages(load_profile(profile_name))}
    of_model = f"{chapter}-{given.get('model')}"
    page = by_name.get(chapter) or by_name.get(of_model)
    if page is None:
        wanted = [m for m in load_models() if m == given.get("model") or chapter.endswith(f"-{m}")]
        hint = f"; name {wanted[0]} among the models of the profile {profile_name}" if wanted else ""
        raise MetacogError(f"there is no chapter {chapter!r}{hint}; there are: {', '.join(by_name)}")
    known = chapter_parameters(page.chapter.source)
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise MetacogError(
            f"chapter {chapter!r} has no parameter {', '.join(unknown)}; it has: {', '.join(known) or 'none'}"
        )
    # a text may be one of a model's own parameters, in whose file 2e3 is none of YAML's numbers
    typed = {name for name, value in page.parameters.items() if isinstance(value, str)} & set(known) | set(
        given
    )
    together = {**page.parameters, **given}
    return page, {n: as_default(n, v, known[n]) if n in typed else v for n, v in together.items()}


def _notebook(source: Path, page: Page) -> Any:
    """The chapter as papermill wants it, with the model's label in its text."""
    import jupytext

    notebook = jupytext.read(source)
    for cell in notebook.cells:
        cell.metadata.setdefault("tags", [])
        if "model" in page.parameters and cell.cell_type == "markdown":
            cell.source = cell.source.replace(MODEL_MARK, get_model(page.parameters["model"]).label)
    return notebook


def _place(source: Path, error: Any) -> str:
    """Where a chapter stopped: the cell, the line of the file, and what stands there."""
    import jupytext

    code = [cell.source for cell in jupytext.read(source).cells if cell.cell_type == "code"]
    if error.source not in code:  # the cell of parameters that papermill adds
        return f"cell {error.exec_count}:"
    cell = f"code cell {code.index(error.source) + 1} of {len(code)}"
    arrow = re.search(r"-+> (\d+)", re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error.traceback)))
    begin = source.read_text(encoding="utf-8").find(error.source)
    lines = error.source.splitlines()
    if arrow is None or begin < 0 or int(arrow[1]) > len(lines):
        return f"{cell}:"
    before = source.read_text(encoding="utf-8")[:begin].count("\n")
    line = before + int(arrow[1])
    return f"{cell}, {from_root(source)} line {line}:\n      {lines[int(arrow[1]) - 1].strip()}"
