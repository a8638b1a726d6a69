"""What the book found, for programs: headline values, verdicts, numbers, what made them; and the ledger's rows."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd

from metacog.core.config import Profile, load_profile
from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.core.paths import for_programs, project_root
from metacog.core.provenance import provenance
from metacog.ledger.summary import write_ledger
from metacog.report.guarded import glued_texts
from metacog.studies import get_study, studies
from metacog.studies.codec import read_facts
from metacog.studies.contributions import Headline
from metacog.studies.ledgers import settings_of
from metacog.studies.named import with_labels
from metacog.studies.results import parameters_of, result
from metacog.studies.steps import Step, steps
from metacog.studies.view import View, views_of
from metacog.verdicts.outcomes import judged_by, of_rule, together
from metacog.verdicts.words import OUTCOME

#: Page of the book whose pasted numbers and sentences the summary holds.
FRONT_PAGE = Path("book") / "intro.md"

#: What is said of a rule of which there is nothing to say: it is left out.
UNTOLD = f"{OUTCOME[None].capitalize()}."


def summary(profile: Profile) -> dict[str, Any]:
    """What every stored result of a profile says; those that are missing are named as missing.

    Where the pages show another profile's run too, its results stand in ``runs`` of their study as well.
    """
    found: dict[str, Any] = {}
    pasted = pasted_names(project_root() / FRONT_PAGE)
    front: dict[str, Any] = {}
    for step in steps(profile):
        name = step.analysis if not step.model else f"{step.analysis}-{step.model}"
        study = get_study(step.study)
        about = found.setdefault(study.name, {"title": study.title, "headlines": [], "runs": {}})
        run = about["runs"].setdefault(step.profile, {"results": {}, "missing": []})
        folder = (project_root() / step.target).parent
        if not read_facts(folder):
            run["missing"].append(name)
            continue
        view = _view(step, profile)
        run["results"][name] = _result(view, read_facts(folder), folder)
        if isinstance(view.record, Headline):
            about["headlines"] += _headlines(view.record, step.profile, published=not about["headlines"])
        for key, value in _pasted(view, pasted).items():
            front.setdefault(key, value)  # the run that leads comes first
    for key, value in _said(profile, pasted).items():
        front.setdefault(key, value)
    made = provenance(profile=profile.name)
    return {**made, "front_page": front, "studies": found}


def pasted_names(page: Path) -> list[str]:
    """Names under which a page pastes numbers and sentences of results, sorted."""
    return (
        sorted(set(re.findall(r"\.ipynb::(\w+)", page.read_text(encoding="utf-8")))) if page.is_file() else []
    )


def pages_pasted(page: Path) -> list[str]:
    """Executed chapters from which a page pastes, sorted."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return sorted(set(re.findall(r"_executed/([\w-]+)\.ipynb(?:::|$)", text, re.MULTILINE)))


def _said(profile: Profile, pasted: list[str]) -> dict[str, str]:
    """What executed chapters say by hand of all that the front page pastes."""
    found: dict[str, str] = {}
    for name in pages_pasted(project_root() / FRONT_PAGE):
        chapter = project_root() / "_executed" / profile.name / f"{name}.ipynb"
        if chapter.is_file():
            found |= glued_texts(json.loads(chapter.read_text(encoding="utf-8")))
    return {name: text for name, text in found.items() if name in pasted}


def _view(step: Step, profile: Profile) -> View:
    """What is stored; what was stored before its code or its inputs changed is computed anew."""
    study = get_study(step.study)
    run = profile if step.profile == profile.name else load_profile(step.profile)
    given = {"model": step.model} if step.model else {}
    record = result(study, run, study.analysis(step.analysis), given)
    return View(record, views_of(study, step.analysis), study=study.name, judged_by=study.rules)


def _result(view: View, facts: dict[str, Any], folder: Path) -> dict[str, Any]:
    return {
        "key": facts["key"],
        "commit": facts.get("commit"),
        "parameters": facts["parameters"],
        "numbers": {k: v for k, v in view.numbers().items() if not isinstance(v, str)},
        "verdicts": [one for one in _judged(view) if one["sentence"] != UNTOLD],
        "tables": sorted(f.name for f in folder.glob("*.csv")),
    }


def _judged(view: View) -> list[dict[str, Any]]:
    """What became of each rule that was put to anything."""
    table: Any = getattr(view.record, "outcomes", None)
    return [
        {
            "hypothesis": rule.hypothesis,
            "kind": rule.kind.value,
            "rule": rule.text,
            "passed": together(table, name),
            "state": OUTCOME[together(table, name)],
            "sentence": view.views.outcome(name, view.record),
            "topic": rule.topic,
        }
        for name, rule in judged_by(table, view.judged_by)
        if len(of_rule(table, name))
    ]


def _headlines(record: Headline, profile: str, *, published: bool) -> list[dict[str, Any]]:
    """Rows of a headline with the profile whose run they are of; those of published models only if asked for."""
    values = with_labels(record).values
    values = values if published else values[~values["published"]]
    about = {"profile": profile, "quantity": record.quantity, "knows_nothing": record.nothing}
    rows: list[dict[str, Any]] = values.to_dict("records")
    return [{**about, **row} for row in rows]


def _pasted(view: View, names: list[str]) -> dict[str, Any]:
    lead = f"{view.views.analysis}_"
    wanted = {name.removeprefix(lead): name for name in names if name.startswith(lead)}
    if not wanted:
        return {}
    shown = View(with_labels(view.record, view.views.names), view.views)
    known = shown.numbers()
    found = {full: known[name] for name, full in wanted.items() if name in known}
    for name, full in wanted.items():
        if name in shown.views.sentences and isinstance(said := shown.sentence(name), str):
            found[full] = said
    return found


def plain(value: Any) -> Any:
    """What JSON can hold: what is missing or not finite is null."""
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or value is pd.NA or isinstance(value, bool | int | str):
        return None if value is pd.NA else value
    return plain(value.item()) if hasattr(value, "item") else str(value)


def write_summary(profile: Profile) -> Path:
    """Write a profile's ``summary.json``, checked against its schema; the last file that has it."""
    root = project_root()
    content = plain(summary(profile))
    rules = json.loads((root / "config" / "schema" / "summary.json").read_text(encoding="utf-8"))
    broken = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(rules).iter_errors(content))
    if broken is not None:
        place = ".".join(str(step) for step in broken.absolute_path) or "the top level"
        raise MetacogError(f"summary.json breaks its schema at {place}: {broken.message}")
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    for path in for_programs(root, profile.name, "summary.json"):
        with replacing(path) as handle:
            handle.write(text)
    return path


def write_ledger_rows(profile: Profile) -> None:
    """Write the ledger's rows as a profile's book shows them: the table ``ledger`` of what runs the ledgers.

    The file beside it names that result's own resamples and seed.
    """
    for study in studies():
        for one in study.analyses:
            if one.ledgers:
                settings = settings_of(parameters_of(study, one, profile, {}))
                rows = result(study, profile, one, {}).ledger
                write_ledger(rows, settings, for_programs(project_root(), profile.name, "ledger.csv"))
