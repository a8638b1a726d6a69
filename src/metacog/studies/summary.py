"""``results/summary.json``: the plain numbers and verdicts of every result, for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.report.verdicts import Verdict
from metacog.studies import get_study
from metacog.studies.codec import read_facts, read_record
from metacog.studies.steps import Step, steps
from metacog.studies.view import View, views_of


def summary(profile: Profile) -> dict[str, Any]:
    """What every stored result of a profile says; those that are missing are named as missing."""
    found: dict[str, Any] = {}
    for step in steps(profile):
        name = step.analysis if not step.model else f"{step.analysis}-{step.model}"
        study = get_study(step.study)
        about = found.setdefault(study.name, {"title": study.title, "results": {}, "missing": []})
        folder = (project_root() / step.target).parent
        if not read_facts(folder):
            about["missing"].append(name)
            continue
        about["results"][name] = _one(step, folder)
    return {**provenance(profile=profile.name), "studies": found}


def _one(step: Step, folder: Path) -> dict[str, Any]:
    facts = read_facts(folder)
    tops = ("metacog", get_study(step.study).analysis(step.analysis).returns.__module__.split(".")[0])
    view = View(read_record(folder, tops), views_of(get_study(step.study), step.analysis))
    verdicts = getattr(view.record, "verdicts", ())
    return {
        "key": facts["key"],
        "parameters": facts["parameters"],
        "numbers": {k: v for k, v in view.numbers().items() if not isinstance(v, str)},
        "verdicts": [_verdict(v, view.views.sentence(v)) for v in verdicts],
        "tables": sorted(f.name for f in folder.glob("*.csv")),
    }


def _verdict(verdict: Verdict, sentence: str) -> dict[str, Any]:
    return {
        "hypothesis": verdict.hypothesis,
        "kind": verdict.kind.value,
        "rule": verdict.rule,
        "passed": verdict.passed,
        "sentence": sentence,
        "topic": verdict.topic,
    }


def write_summary(profile: Profile) -> Path:
    """Write ``results/summary.json`` and ``results/PROFILE/summary.json``, checked against their schema.

    Raises
    ------
    MetacogError
        If the summary breaks ``config/schema/summary.json``.
    """
    root = project_root()
    content = json.loads(json.dumps(summary(profile), default=str))
    rules = json.loads((root / "config" / "schema" / "summary.json").read_text(encoding="utf-8"))
    broken = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(rules).iter_errors(content))
    if broken is not None:
        place = ".".join(str(step) for step in broken.absolute_path) or "the top level"
        raise MetacogError(f"results/summary.json breaks its schema at {place}: {broken.message}")
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    for path in (root / "results" / profile.name / "summary.json", root / "results" / "summary.json"):
        with replacing(path) as handle:
            handle.write(text)
    return path
