"""The chapters that studies declare: where each lies, and which results it reads."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from metacog.core.code import code_digest, module_file
from metacog.core.config import digest, load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import committed, project_root
from metacog.core.provenance import file_digest
from metacog.report.vocabulary import FILE as VOCABULARY
from metacog.studies.registry import STUDIES
from metacog.verdicts.levels import OPENINGS

#: File of a study's room that lists its chapters.
LISTING = "chapters.yaml"


@dataclass(frozen=True)
class Chapter:
    """One chapter, named as its file and its page; ``per_model``: executed once for each model of a profile.

    ``files``: committed tables that it reads beside results, from the project's root.
    """

    name: str
    source: Path
    per_model: bool = False
    files: tuple[str, ...] = ()

    def uses(self) -> list[tuple[str, str]]:
        """Studies and analyses whose results it reads, in the order of its cells."""
        return results_read(self.source)

    def code(self, also: Iterable[tuple[str, str]] = ()) -> str:
        """Digest of the text and the code that show it: its own file's, and of the views of what it reads.

        ``also`` names further analyses, by study, that are shown on it.
        """
        from metacog.studies import get_study
        from metacog.studies.view import view_places

        read = dict.fromkeys([*self.uses(), *also])
        views = dict.fromkeys(f for study, name in read for f in view_places(get_study(study), name))
        tops = tuple({package.split(".")[0] for package in STUDIES})
        return digest(
            [
                file_digest(self.source),
                file_digest(VOCABULARY),
                *(file_digest(table) for table in map(committed, [OPENINGS, *self.files]) if table.is_file()),
                code_digest(self.source, *views, tops=tops, shown=True),
            ]
        )


def listings() -> list[Path]:
    """Where chapters are declared: ``config/chapters.yaml`` for those of no one study, and every room."""
    rooms = filter(None, map(module_file, STUDIES))
    places = [project_root() / "config" / LISTING, *(room.parent / LISTING for room in rooms)]
    return [place for place in places if place.is_file()]


def declared() -> list[Chapter]:
    """Every chapter that is declared; a study whose folder of chapters a clone lacks is passed over."""
    found: dict[str, Chapter] = {}
    for place in listings():
        listing = load_yaml(place, "chapters")
        folder = project_root() / listing["folder"]
        for name, about in listing["chapters"].items() if folder.is_dir() else ():
            source = folder / f"{name}.py"
            if not source.is_file():
                where = "/".join(place.parts[-2:])  # below the root, or below the rooms of the studies
                raise MetacogError(f"{where} names {name}, but there is no {source}")
            if name in found:
                raise MetacogError(f"two chapters are named {name!r}: pages need names of their own")
            more = about or {}
            found[name] = Chapter(name, source, bool(more.get("per_model")), tuple(more.get("files", ())))
    return list(found.values())


def results_read(source: Path) -> list[tuple[str, str]]:
    """``run = open_run(STUDY, ...)`` and ``run.result(ANALYSIS, ...)`` of a chapter.

    Given back as (study, analysis).
    """
    return list(_results_read(source.read_text(encoding="utf-8")))


@functools.cache
def _results_read(text: str) -> dict[tuple[str, str], None]:
    """What a chapter's text reads, kept: every plan asks for it of all chapters several times."""
    nodes = list(ast.walk(ast.parse(text)))
    opened: dict[str, str] = {}
    found: list[tuple[str, str]] = []
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            study = _first_text(node.value, "open_run")
            if study and isinstance(node.targets[0], ast.Name):
                opened[node.targets[0].id] = study
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            run, how = node.func.value, node.func.attr
            if isinstance(run, ast.Name) and run.id in opened and how == "result":
                found.append((opened[run.id], str(ast.literal_eval(node.args[0]))))
    return dict.fromkeys(found)


def _first_text(call: ast.Call, function: str) -> str:
    named = isinstance(call.func, ast.Name) and call.func.id == function
    first = call.args[0] if named and call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
