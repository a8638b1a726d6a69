"""The chapters of the book: which pages there are, and the parameters each is run with."""

from __future__ import annotations

import ast
import copy
import functools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from metacog.collect.models import get_model
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies import get_study, studies
from metacog.studies.chapters import Chapter, declared
from metacog.studies.reference import Shown, models_shown, shown
from metacog.studies.results import runs

#: Stands for the model's label in the text of a chapter that is executed for each model.
MODEL_MARK = "@MODEL@"


@dataclass(frozen=True)
class Page:
    """One executed notebook of the book, ``_executed/NAME.ipynb``; its title is its first heading."""

    name: str
    chapter: Chapter
    parameters: dict[str, Any]
    title: str = ""


def pages(profile: Profile) -> list[Page]:
    """All executed pages of the studies that a profile runs, with the parameters each is run with."""
    run = {study.name for study in studies() if runs(profile, study)}
    found = []
    for chapter in declared():
        if not run.issuperset(study for study, _ in chapter.uses()):
            continue
        title = _title(chapter.source)
        for model, lead in models_shown(profile).items() if chapter.per_model else ():
            of_model = {**_parameters_of(chapter, Shown(lead)), "model": model, **_parameter_set(model)}
            named = title.replace(MODEL_MARK, get_model(model).label)
            found.append(Page(f"{chapter.name}-{model}", chapter, of_model, named))
        if not chapter.per_model:
            given = _parameters_of(chapter, _shown_by(chapter, profile))
            found.append(Page(chapter.name, chapter, given, title))
    return found


def unfilled(every: Iterable[Page]) -> list[str]:
    """Chapters that the contents name, whose studies are all here, and that are none of ``every``."""
    contents = project_root() / "_toc.yml"
    text = contents.read_text(encoding="utf-8") if contents.is_file() else ""
    there, made = {study.name for study in studies()}, {page.chapter.name for page in every}
    here = {chapter.name for chapter in declared() if there.issuperset(of for of, _ in chapter.uses())}
    return sorted((here & set(re.findall(r"file: _executed/([\w-]+)", text))) - made)


def _parameters_of(chapter: Chapter, both: Shown) -> dict[str, Any]:
    other = both.other.name if both.other else ""
    given = {**both.lead.analysis, "profile": both.lead.name, "other": other}
    return {key: given.get(key, value) for key, value in chapter_parameters(chapter.source).items()}


def _shown_by(chapter: Chapter, profile: Profile) -> Shown:
    """The runs that a chapter shows: those of its first study that collects."""
    studies_read = [get_study(name) for name, _ in chapter.uses()]
    collecting = next((study for study in studies_read if study.collections), None)
    return Shown(profile) if collecting is None else shown(profile, collecting)


def executed(profile: Profile, page: str) -> Path:
    return project_root() / "_executed" / profile.name / f"{page}.ipynb"


def _title(source: Path) -> str:
    """A chapter's first heading; its name if it has none."""
    heading = re.search(r"^# # (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    return heading[1].strip() if heading else source.stem


def _parameter_set(model: str) -> dict[str, Any]:
    """A model's own chapter parameters, ``config/parameters/MODEL.yaml``, if it has any."""
    path = project_root() / "config" / "parameters" / f"{model}.yaml"
    return (yaml.safe_load(path.read_text(encoding="utf-8")) or {}) if path.is_file() else {}


def chapter_parameters(source: Path) -> dict[str, Any]:
    """Names and default values of a chapter's parameters cell."""
    found = _parameters(source.read_text(encoding="utf-8"), source.suffix)
    if found is None:
        raise MetacogError(f"{source.name} has no cell tagged 'parameters'")
    return copy.deepcopy(found)


@functools.cache
def _parameters(text: str, suffix: str) -> dict[str, Any] | None:
    """Parameters of a chapter's text, kept: every plan and every page asks for those of all chapters."""
    import jupytext

    for cell in jupytext.reads(text, {"extension": suffix}).cells:
        if "parameters" in cell.metadata.get("tags", []):
            found = {}
            for statement in ast.parse(cell.source).body:
                if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                    found[statement.targets[0].id] = ast.literal_eval(statement.value)
            return found
    return None


#: How each type of parameter is called, and words for yes and no.
_CALLED = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list"}
_SWITCH = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0"), False)
_WORDS = {"true": True, "false": False, "none": None, "null": None}


def split_parameters(pairs: Iterable[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        name, equals, found[name] = pair.partition("=")
        if not equals or not name.isidentifier():
            raise MetacogError(f"parameter {pair!r} is not of the form NAME=VALUE")
    return found


def as_default(name: str, value: Any, default: Any) -> Any:
    """A parameter's value, given as a text or not, as the type of its default."""
    read = _read(value) if isinstance(value, str) else value
    if default is None:
        return read
    made: Any
    if isinstance(default, bool):
        made = _SWITCH.get(str(read).lower())
    elif isinstance(default, str):
        made = read if isinstance(read, str) else value if isinstance(value, str) else None
    elif isinstance(default, int | float):
        made = _number(read, type(default))
    else:
        pair = list | tuple
        fits = isinstance(read, pair if isinstance(default, pair) else type(default))
        made = read if fits else None
    if made is None:
        called = _CALLED.get(type(default), f"a {type(default).__name__}")
        raise MetacogError(f"parameter {name} must be {called}, such as {name}={default!r}, not {value!r}")
    return made


def _read(text: str) -> Any:
    """A Python literal, also true, false and none in small letters; the text where it is none."""
    try:
        return (
            _WORDS[text.strip().lower()] if text.strip().lower() in _WORDS else ast.literal_eval(text.strip())
        )
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _number(value: Any, kind: type) -> int | float | None:
    """A finite number of a kind; None where the value is none, ``2e1`` and ``007`` being whole ones."""
    try:
        number = int(value) if isinstance(value, str) else value
    except ValueError:
        return None
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        return None
    return kind(number) if kind is float or number == int(number) else None
