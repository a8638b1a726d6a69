"""Domain labels for question sets that have none: by a file of rules, or by a model.

A scheme (:class:`Scheme`) names the classes and the domain that each counts as; a study brings its own.
Labels are kept as ``data/labels/SET.csv`` with the columns id and domain, where the set finds them.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from metacog.collect.known_sets import known_sets
from metacog.collect.models import get_model, replace_all
from metacog.collect.questions import DOMAINS, UNCLASSIFIED, Question, load_questions
from metacog.core.config import SafeLoader, digest
from metacog.core.errors import MetacogError
from metacog.core.files import reading, replacing
from metacog.core.paths import cache_dir, project_root
from metacog.core.provenance import provenance
from metacog.engines.engine import Engine

#: Questions between two writes of the cache.
BATCH = 50

#: Columns of labels that a model made.
COLUMNS = ("id", "domain", "class", "probability", "made_by")


def read_rules(path: Path, classes: Mapping[str, str]) -> tuple[list[tuple[str, re.Pattern[str]]], str]:
    """Read a rule file; also the domain of questions that no rule fits.

    The file is YAML: ``rules``, a list of entries with ``domain`` and ``words`` (whole words or phrases, any of
    which) or ``regex``; and ``default``. Case does not matter; the first rule that fits wins. A domain may be named
    by one of ``classes``, which map to domains.
    """
    try:
        with reading(path, "rule file"):
            content = yaml.load(path.read_text(encoding="utf-8"), Loader=SafeLoader)
    except yaml.YAMLError as error:
        raise MetacogError(f"{path} is not valid YAML ({getattr(error, 'problem', error)})") from None
    listed = content.get("rules") if isinstance(content, dict) else None
    if not isinstance(listed, list) or not listed:
        raise MetacogError(f"{path} needs a list `rules` of entries with domain and words, or regex")
    default = str(content.get("default", UNCLASSIFIED))
    allowed = (*DOMAINS, UNCLASSIFIED)
    rules = []
    for number, entry in enumerate(listed, start=1):
        where = f"{path}, rule {number}"
        if not isinstance(entry, dict) or not isinstance(entry.get("domain"), str):
            raise MetacogError(f"{where}: needs a domain")
        domain = classes.get(entry["domain"], entry["domain"])
        words, regex = entry.get("words"), entry.get("regex")
        if (words is None) == (regex is None):
            raise MetacogError(f"{where}: needs either words or regex")
        if words is not None:
            if not isinstance(words, list) or not words or not all(isinstance(w, str) and w for w in words):
                raise MetacogError(f"{where}: words must be a list of texts")
            regex = r"\b(?:" + "|".join(re.escape(w) for w in words) + r")\b"
        try:
            rules.append((domain, re.compile(str(regex), re.IGNORECASE)))
        except re.error as error:
            raise MetacogError(f"{where}: {regex!r} is no regular expression ({error})") from None
    if odd := sorted({default, *(domain for domain, _ in rules)} - set(allowed)):
        raise MetacogError(
            f"{path}: unknown domain {', '.join(odd)}; the domains are {', '.join(allowed)} "
            f"(or the classes {', '.join(classes)})"
        )
    return rules, default


def label_by_rules(questions: Sequence[Question], path: Path, classes: Mapping[str, str]) -> pd.DataFrame:
    """Domains by rule file: columns id, domain and rule (0 where none fits)."""
    rules, default = read_rules(path, classes)
    rows = []
    for question in questions:
        fits = ((name, n) for n, (name, pattern) in enumerate(rules, 1) if pattern.search(question.question))
        rows.append((question.id, *next(fits, (default, 0))))
    return pd.DataFrame(rows, columns=["id", "domain", "rule"])


@dataclass(frozen=True)
class Scheme:
    """Classes (each with its domain) that a model sorts questions into, and how it is asked."""

    classes: Mapping[str, str]
    prefix: str
    template: str
    temperature: float

    @property
    def hash(self) -> str:
        return digest([self.prefix, self.template, dict(self.classes), self.temperature])

    def prompt(self, question: str) -> str:
        return self.prefix + self.template.replace("{question}", " ".join(question.split()))


def label_by_model(
    questions: Sequence[Question],
    engine: Engine,
    cache: Path,
    scheme: Scheme,
    *,
    batch: int = BATCH,
    echo: Callable[[str], object] = lambda text: None,
) -> pd.DataFrame:
    """Domains by a model that chooses one of the scheme's classes, seeded with the question's index.

    ``cache`` is a CSV that grows while labels are made; rows of this very model and scheme are kept. Gives columns
    id, domain, class, probability (of the class chosen) and made_by.
    """
    info = engine.info
    made_by = digest([info.model, info.model_sha256, scheme.hash])
    done = _read_cache(cache, made_by)
    todo = [q for q in questions if q.id not in done]
    if done and todo:
        echo(f"{len(questions) - len(todo)} of {len(questions)} labels are there already")
    options = [f" {name}" for name in scheme.classes]
    for start in range(0, len(todo), batch):
        part = todo[start : start + batch]
        items = [(scheme.prompt(q.question), options) for q in part]
        choices = engine.choose_many(
            items, temperature=scheme.temperature, seeds=[max(q.index, 0) for q in part]
        )
        for question, choice in zip(part, choices, strict=True):
            name, probability = choice.chosen[1:], float(choice.probability(choice.chosen))
            done[question.id] = (question.id, scheme.classes[name], name, f"{probability:.6f}", made_by)
        _write_cache(cache, list(done.values()))
        echo(f"{min(start + batch, len(todo))} of {len(todo)} questions labelled")
    rows = [done[q.id] for q in questions]
    _write_cache(cache, rows)
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.assign(probability=table["probability"].astype(float))


def _read_cache(path: Path, made_by: str) -> dict[str, tuple[str, ...]]:
    if not path.is_file():
        return {}
    with open(path, encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    return {r["id"]: tuple(r[c] for c in COLUMNS) for r in rows if r.get("made_by") == made_by}


def _write_cache(path: Path, rows: Sequence[tuple[str, ...]]) -> None:
    with replacing(path, newline="") as handle:
        csv.writer(handle).writerows([COLUMNS, *rows])


@dataclass(frozen=True)
class Labelled:
    path: Path
    table: pd.DataFrame
    #: Share of questions whose label is the domain that the set itself gives, over questions that have one; NaN if
    #: none has.
    agreement: float
    n_known: int


def label_set(
    name: str,
    scheme: Scheme,
    *,
    rules: Path | None = None,
    model: str | None = None,
    limit: int | None = None,
    check: bool = False,
    echo: Callable[[str], object] = lambda text: None,
) -> Labelled:
    """Label a question set by a rule file or a model of the registry.

    ``check`` only says how well the labels agree with the set's own domains, and writes nothing.
    """
    if (rules is None) == (model is None):
        raise MetacogError("say how to label: --rules FILE or --model NAME")
    if name not in (known := known_sets()):
        raise MetacogError(f"there is no question set {name!r}; there are: {', '.join(known)}")
    questions = load_questions(name, limit=limit)
    target = project_root() / "data" / "labels" / f"{name}.csv"
    has_domain = [q.domain != UNCLASSIFIED for q in questions]
    if any(has_domain) and not check and not target.is_file():
        raise MetacogError(
            f"{name!r} has domains already ({sum(has_domain)} of {len(has_domain)} questions); "
            "--check says how well new labels would agree with them"
        )
    if rules is not None:
        table = label_by_rules(questions, rules, scheme.classes)
        facts = {"rules": rules.name, "rules_hash": digest(rules.read_text(encoding="utf-8"))}
    else:
        assert model is not None
        table, facts = _with_model(questions, model, scheme, target, check, echo)
    agreement, n_known = float("nan"), 0
    if check and any(has_domain):
        own = {q.id: q.domain for q in questions if q.domain != UNCLASSIFIED}
        both = table[table["id"].isin(list(own))]
        n_known = len(both)
        agreement = float((both["domain"] == both["id"].map(own)).mean())
    if not check:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_all(
            {
                target: table.to_csv(index=False, lineterminator="\n"),
                target.with_suffix(".json"): json.dumps(provenance(**facts, n=len(table)), indent=1) + "\n",
            }
        )
    return Labelled(target, table, agreement, n_known)


def _with_model(
    questions: Sequence[Question],
    model: str,
    scheme: Scheme,
    target: Path,
    check: bool,
    echo: Callable[[str], object],
) -> tuple[pd.DataFrame, dict[str, Any]]:
    from metacog.collect.plan import open_engine

    engine = open_engine(get_model(model))
    try:
        info = engine.info
        cache = cache_dir() / "labels" / f"{target.stem}-{scheme.hash}-{model}.csv"
        table = label_by_model(questions, engine, cache, scheme, echo=echo)
    finally:
        engine.close()
    return table, {"model": model, "model_sha256": info.model_sha256, "scheme": scheme.hash, "check": check}
