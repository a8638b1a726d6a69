"""Domain labels for questions by a file of rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import yaml

from metacog.collect.questions import DOMAINS, UNCLASSIFIED, Question
from metacog.core.config import SafeLoader
from metacog.core.errors import MetacogError
from metacog.core.files import reading


@dataclass(frozen=True)
class Rule:
    """One rule: a domain and the pattern that a question must hold."""

    domain: str
    pattern: re.Pattern[str]


def read_rules(path: Path, classes: Mapping[str, str]) -> tuple[list[Rule], str]:
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
            rules.append(Rule(domain, re.compile(str(regex), re.IGNORECASE)))
        except re.error as error:
            raise MetacogError(f"{where}: {regex!r} is no regular expression ({error})") from None
    odd = sorted({r.domain for r in rules if r.domain not in allowed} | ({default} - set(allowed)))
    if odd:
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
        hit = next((i for i, rule in enumerate(rules) if rule.pattern.search(question.question)), -1)
        rows.append((question.id, default if hit < 0 else rules[hit].domain, hit + 1))
    return pd.DataFrame(rows, columns=["id", "domain", "rule"])
