"""Which column is which: finding the columns that are wanted in a table of any origin."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, fields

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import cut
from metacog.imports.records import fields_inside, nested
from metacog.imports.tables import refuse_twice

#: Names under which a role often goes; a column that contains one of them is offered as a guess.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "correct": ("correct", "is_correct", "right", "hit", "acc", "accuracy", "exact_match", "score", "label"),
    "confidence": ("confidence", "conf", "certainty", "probability", "prob", "logprob", "nlp", "likelihood"),
    "model": ("model", "model_name", "model_id", "engine", "llm", "checkpoint"),
    "person": ("subj_idx", "subject", "participant", "subj", "sub", "vp", "person", "observer", "sid", "id"),
    "refusal": ("refusal", "refused", "declined", "abstained"),
    "domain": ("domain", "category", "subject", "topic", "task"),
    "temperature": ("temperature", "temp"),
    "question_id": ("question_id", "qid", "item_id", "item", "doc_id", "question", "prompt_id", "id"),
    "stimulus": ("stimulus", "stim", "target", "truth", "signal", "gold"),
    "response": ("response", "resp", "choice", "answer", "decision"),
    "rating": ("rating", "confidence", "conf", "level"),
    "sample": ("sample", "sample_id", "epoch", "repeat", "replicate", "draw", "seed"),
    "answer": ("answer", "response", "output", "completion", "generation", "prediction", "reply", "text"),
    "key": ("key", "gold", "target", "reference", "expected", "solution", "truth", "answers"),
    "rater": ("rater", "rater_id", "judge", "annotator", "coder", "participant", "person", "observer"),
    "item": ("item", "item_id", "question_id", "question", "unit", "id"),
    "judgement": ("judgement", "judgment", "label", "code", "verdict", "rating", "score", "correct"),
    "by": ("task", "domain", "group", "part"),
}


@dataclass(frozen=True)
class Columns:
    """Names of a table's columns by role; None where the table has none."""

    correct: str | None = None
    confidence: str | None = None
    model: str | None = None
    domain: str | None = None
    temperature: str | None = None
    question_id: str | None = None
    stimulus: str | None = None
    response: str | None = None
    rating: str | None = None
    sample: str | None = None
    answer: str | None = None
    key: str | None = None
    person: str | None = None
    refusal: str | None = None

    def named(self) -> dict[str, str]:
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}


def guesses(role: str, columns: list[str], asked: str | None = None) -> list[str]:
    """Columns that could be meant, best first, three at most."""
    columns = [c for c in columns if len(c) < 100][:1000]
    lower = {c.lower(): c for c in columns}
    found: list[str] = []
    if asked is not None:
        found += [lower[m] for m in difflib.get_close_matches(asked.lower(), list(lower), n=3, cutoff=0.6)]
    known = SYNONYMS[role]
    found += [lower[name] for name in known if name in lower]
    found += [
        c for c in columns if any(name in c.lower().replace(" ", "_") for name in known if len(name) > 3)
    ]
    return list(dict.fromkeys(found))[:3]


def find_column(table: pd.DataFrame, role: str, asked: str | None, *, option: str | None = None) -> str:
    """The column asked for, if the table has it; otherwise an error that offers guesses and lists what there is."""
    columns = [str(c) for c in table.columns]
    if asked is not None and asked in columns:
        refuse_twice(table, [asked])
        return asked
    if asked is not None and (found := nested(table, asked)) is not None:
        table[asked] = found
        return asked
    option = option or "--" + role.replace("_", "-")
    columns += fields_inside(table)
    offered = [f"{option} '{c}'" if " " in c else f"{option} {c}" for c in guesses(role, columns, asked)]
    hint = f" Did you mean {' or '.join(offered)}?" if offered else ""
    shown = ", ".join(cut(c, 80) for c in columns[:20]) + (", ..." if len(columns) > 20 else "")
    wanted = (
        f"{option} is needed: which column is it?"
        if asked is None
        else f"there is no column {asked!r} for {option}."
    )
    raise MetacogError(f"{wanted}{hint} The file has: {shown}")


def resolve(table: pd.DataFrame, asked: Columns, needed: tuple[str, ...]) -> Columns:
    """The columns that are named, which must be there as must those needed; no column has two roles."""
    roles = [f.name for f in fields(Columns) if f.name in needed or getattr(asked, f.name) is not None]
    found = {role: find_column(table, role, getattr(asked, role)) for role in roles}
    first: dict[str, str] = {}
    for role, column in found.items():
        if (other := first.setdefault(column, role)) != role:
            raise MetacogError(
                f"column {column!r} is given twice, as --{other.replace('_', '-')} "
                f"and as --{role.replace('_', '-')}: name another for one of them"
            )
    return Columns(**found)


def unmapped_models(table: pd.DataFrame, columns: Columns) -> tuple[str, int] | None:
    """A column that looks like a model's name, holds several, and was not given as ``--model``."""
    taken = columns.named().values()
    for column in table.columns if columns.model is None else ():
        if column.lower() in SYNONYMS["model"] and column not in taken:
            if (distinct := table[column].astype(str).nunique()) > 1:
                return column, distinct
    return None
