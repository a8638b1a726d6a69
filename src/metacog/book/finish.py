"""From a notebook that was run to a page: answer first, parameters in a box, code at the foot, captions in place."""

from __future__ import annotations

import ast
import json
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nbformat.v4 import new_markdown_cell

from metacog.collect.models import labels_of
from metacog.core.config import Profile, load_profile
from metacog.core.paths import project_root
from metacog.core.words import listed
from metacog.report.drawing import MARK
from metacog.report.guarded import written_for_other_data
from metacog.studies.chapters import results_read
from metacog.studies.packed import answered, collections_read, sentence
from metacog.studies.run import run_words
from metacog.studies.trials import uncollected

#: Whose run a page of one model shows, by whether it is the reference run.
WHOSE = {
    True: "This page shows the reference run, whose replies come with the book.",
    False: "This model was asked on this machine.",
}
#: Folder of notebooks with their numbers filled in, among the static files (:mod:`metacog.book.filled`).
FILLED = "filled"  # not a name that _config.yml excludes
#: What a chapter draws with (:mod:`metacog.report`).
PRIMITIVES = ("forest", "lines", "dots", "bars", "matrix", "slider", "table")
_PARAMETERS = ("parameters", "injected-parameters")


def finish(
    notebook: Any,
    source: Path,
    page: str,
    parameters: Mapping[str, Any],
    own: Profile | None = None,
    changed: Iterable[str] = (),
) -> Any:
    """Make a notebook that papermill ran into a page of the book, in place.

    ``own`` is the profile whose book it is (by default that of the parameters): what a page shows of another
    profile's run comes from packs, and the page says how much of it these still answer. ``changed`` names parameters
    that are not that book's.

    The cells of parameters give way to one box at the foot, with their values and the command that makes the page
    again; which models were not collected stands below the page's answer and its figure. Code that draws is folded
    above what it draws, other code is taken out; all of it stands at the foot, with the file to download.
    Each figure's name, caption and alternative text go from the figure to where the renderer looks for them. Displays
    of nothing, such as a table that a run has no rows for, are taken out.
    """
    cells: list[Any] = []
    absent, feet = "", [code_box(source, page)]
    for cell in notebook.cells:
        if set(cell.metadata.get("tags", [])) & set(_PARAMETERS):
            given = load_profile(parameters.get("profile", "default"))
            box = parameters_box(source, page, parameters, own or given, changed)
            absent = missing(source, parameters)
            feet = [box, feet[-1]]
            continue
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.get("outputs", []) if _says_something(output)]
            shown = cell.outputs and _draws(cell.source)
            cell.metadata["tags"] = ["hide-input" if shown else "remove-input"]
            _hoist(cell)
        elif absent:
            cells.append(new_markdown_cell(absent))
            absent = ""
        cells.append(cell)
    notebook.cells = cells + [new_markdown_cell(text) for text in (absent, *feet) if text]
    return notebook


def said_otherwise(profile: str) -> dict[str, list[str]]:
    """Executed pages of a profile whose sentences were written for other data, with the names of these."""
    found = {}
    for chapter in sorted((project_root() / "_executed" / profile).glob("*.ipynb")):
        if names := written_for_other_data(json.loads(chapter.read_text(encoding="utf-8"))):
            found[chapter.stem] = names
    return found


def without_run(notebook: Any) -> Any:
    """Take out of a notebook what no two runs of it share, in place: times, places, random names of cells."""
    notebook.metadata.pop("papermill", None)
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
        for name in ("papermill", "execution"):
            cell.metadata.pop(name, None)
    return notebook


def parameters_box(
    source: Path, page: str, parameters: Mapping[str, Any], own: Profile, changed: Iterable[str] = ()
) -> str:
    """How a page was run, folded away: its parameters, the command that makes it again, and what packs still answer."""
    rows = "\n".join(f"| `{name}` | `{json.dumps(value)}` |" for name, value in parameters.items())
    free = {name: value for name, value in parameters.items() if name not in ("profile", "other", "model")}
    change = next((name for name, value in free.items() if _other(value) != value), None)
    example = f"; `{_given(change, _other(free[change]))}` behind it sets another value" if change else ""
    command = " ".join(
        [f"metacog run-chapter {page} --profile {own.name}", *(_given(n, parameters[n]) for n in changed)]
    )
    lead, other = _runs(parameters)
    read = collections_read(results_read(source), [lead, other] if other else [lead])
    packs = sentence(answered(read, own, parameters.get("model", "") if lead != own else ""))
    return (
        f":::{{dropdown}} How this page was run\n\n{runs_shown(source, parameters, own)}"
        f"| Parameter | Value |\n| --- | --- |\n{rows}\n\n"
        f"This makes the page again{example}:\n\n```bash\n{command}\n```\n\n{packs}\n:::\n"
    )


def _given(name: str, value: Any) -> str:
    return "-p " + shlex.quote(f"{name}={value!r}")


def _runs(parameters: Mapping[str, Any]) -> tuple[Profile, Profile | None]:
    """The run that leads a page, and the other one that it shows."""
    other = parameters.get("other", "")
    return load_profile(parameters.get("profile", "default")), load_profile(other) if other else None


def runs_shown(source: Path, parameters: Mapping[str, Any], own: Profile) -> str:
    """Which runs a page shows, where the book has two."""
    lead, other = _runs(parameters)
    if other:
        asked = [study for study, _, _ in collections_read(results_read(source), [lead, other])]
        first, last = run_words(lead, other, asked), run_words(other, lead, asked)
        return f"This page shows {first}, and of {last} the models that were not asked there.\n\n"
    return f"{WHOSE[lead.name == own.reference]}\n\n" if "model" in parameters and own.reference else ""


def missing(source: Path, parameters: Mapping[str, Any]) -> str:
    """Which models of the runs that a page shows were not collected; empty where none is missing."""
    absent: dict[str, list[str]] = {}
    for study, profile, collection in collections_read(results_read(source), filter(None, _runs(parameters))):
        models = absent.setdefault(profile.name, [])
        models += [one for one in uncollected(study, profile, collection) if one not in models]
    told = [
        f"Not collected of the profile {profile}: {listed(labels_of(models).values())} (`metacog collect --profile "
        f"{profile} --model {models[0]}`)."
        for profile, models in absent.items()
        if models
    ]
    return f"{' '.join(told)}\n\n" if told else ""


def code_box(source: Path, page: str = "") -> str:
    """The code of a page, folded away, with the file and, of a page, the notebook to take along."""
    import jupytext

    code = [cell.source for cell in jupytext.read(source).cells if cell.cell_type == "code"]
    place = source.relative_to(project_root()).as_posix()
    # as HTML: the file is made for the rendered book, where the renderer cannot look for it
    address = f"../_static/{FILLED}/{page}.ipynb"
    notebook = (
        f', and <a href="{address}" download>a notebook with all numbers</a> for JupyterLab' if page else ""
    )
    return (
        f":::{{dropdown}} The code of this page\n\n"
        f"The whole chapter is {{download}}`{source.name} <../{place}>`, "
        f"`{place}` in the repository{notebook}. Parameters have their defaults here; the box above shows what the "
        "page was run with.\n\n```python\n" + "\n\n".join(code) + "\n```\n:::\n"
    )


def _draws(code: str) -> bool:
    """Whether a cell shows a figure or a table of its own making: its code stays with it, folded."""
    called = (node.func for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call))
    return any(isinstance(one, ast.Name) and one.id in PRIMITIVES for one in called)


def _other(value: Any) -> Any:
    """Another value of the same sort, for an example."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value * 2 if value > 1 else value + 1
    return value


def _says_something(output: Any) -> bool:
    """Whether there is anything to show: the plain text of an object counts only where there is no other form."""
    data = output.get("data")
    if data is None:
        return True
    shown = [value for mime, value in data.items() if mime != "text/plain"] or [data.get("text/plain")]
    return any(shown)


def _hoist(cell: Any) -> None:
    """Put what a figure says about itself where the renderer looks for it: in the cell."""
    for output in cell.get("outputs", []):
        about = output.get("metadata", {}).pop(MARK, None)
        if about:
            figure = {k: about[k] for k in ("name", "caption") if about[k]}
            cell.metadata["mystnb"] = {"figure": figure, "image": {"alt": about["alt"]}}
