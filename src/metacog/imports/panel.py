"""Sheets for people: a study's items to answer, and models' replies to judge, with what they were marked as.

A sheet is a CSV. What people are asked is what a model is asked, taken from the study's own requests, so it
holds no key; who judges sees rubric and key, but not whose reply it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.collection import Collection
from metacog.collect.plan import collection_of, settings_of
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.core.words import listed
from metacog.engines.base import Generation
from metacog.engines.requests import Choose, Chosen, Generate, Generated, Reply, Score
from metacog.imports.mapping import find_column
from metacog.imports.tables import read_table
from metacog.studies.study import Study
from metacog.studies.trials import read_collected

#: A byte-order mark, without which spreadsheets take UTF-8 for something else.
ENCODING = "utf-8-sig"


@dataclass(frozen=True)
class Bank:
    """The items of one set of a collection by id, in order, as a profile puts them to a model."""

    collection: Collection
    settings: Any
    items: dict[str, Any]


def open_bank(study: Study, profile: Profile, collection: str = "", dataset: str = "") -> Bank:
    """Items of a study's collection; the names may be left out where there is one.

    A person cannot be asked where later turns depend on earlier replies, or the items on a model's trials.
    """
    fit = [one.name for one in study.collections if one.one_turn and not one.needs]
    one = collection_of(
        study, collection or _only([c.name for c in study.collections], "--collection", study.name)
    )
    if one.name not in fit:
        raise MetacogError(
            f"{study.name}, {one.name}: what is asked depends on earlier replies, so it does not fit on a "
            f"sheet; collections of one turn: {listed(fit)}"
        )
    sets = one.sets(settings_of(study, profile))
    name = dataset or _only(list(sets), "--dataset", one.name)
    if name not in sets:
        raise MetacogError(f"{one.name} has no set {name!r}; it has: {', '.join(sets)}")
    return Bank(one, sets[name], {str(item.id): item for item in one.items(sets[name], {})})


def _only(names: Sequence[str], option: str, of: str) -> str:
    if len(names) == 1:
        return names[0]
    raise MetacogError(f"{option} is needed: {of} has {', '.join(names) or 'none'}")


def part_of(item: Any) -> str:
    """The domain of an item; empty if it has none."""
    return str(getattr(item, "domain", ""))


def _put(bank: Bank, item: Any) -> Generate | Choose | Score:
    """What is put to a model; the first request where more are drawn on the same prompt."""
    turn = next(bank.collection.ask(item, bank.settings))
    return turn if isinstance(turn, Generate | Choose | Score) else turn[0]


def asked(bank: Bank, item: Any) -> dict[str, str]:
    """What a model is asked: ``instruction`` (with worked examples), ``prompt`` and ``options``."""
    request = _put(bank, item)
    if not isinstance(request, Generate | Choose):
        raise MetacogError(
            f"{bank.collection.name} asks for probabilities of texts, which people cannot give"
        )
    *before, last = request.turns
    return {
        "instruction": "\n\n".join(turn["content"] for turn in before),
        "prompt": last["content"],
        "options": " | ".join(request.options) if isinstance(request, Choose) else "",
    }


def answer_sheets(bank: Bank, people: int, seed: int = 42) -> dict[str, pd.DataFrame]:
    """One sheet per person, by name of the person.

    Columns are ``person, place, item, part, instruction, prompt, options, reply, remarks``. Parts come in an
    order drawn for each person, and so do the items within a part; items of a part stay together, since they
    share an instruction. ``options`` is left out where answers are free.
    """
    rows = [{"item": name, "part": part_of(item), **asked(bank, item)} for name, item in bank.items.items()]
    table = pd.DataFrame(rows)
    if not table["options"].any():
        table = table.drop(columns="options")
    return _shuffled(table, "person", people, seed, "reply")


def judge_sheets(
    bank: Bank, trials: pd.DataFrame, raters: int, seed: int = 42
) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """Sheets for those who judge replies, and the list of who wrote which, which is not for them before they are done.

    The first reply of each model to each item is judged, under a code that tells nothing; every rater sees all of them
    in an order of their own. A sheet has ``rater, place, item, part, prompt, rubric, key, reply, judgement, remarks``
    (``item`` is the code), the list ``item, model, dataset, question_id, correct``.
    """
    first = trials[trials["question_id"].astype(str).isin(bank.items)]
    first = first.drop_duplicates(["model", "dataset", "question_id"])
    if first.empty:
        raise MetacogError("no trial is of an item of this set: name the profile that collected them")
    first = first.sample(frac=1, random_state=np.random.default_rng([seed, 0]))
    width = len(str(len(first)))
    first = first.assign(item=[f"reply-{n:0{width}d}" for n in range(1, len(first) + 1)])
    rows = []
    for code, name, text in zip(first["item"], first["question_id"].astype(str), first["text"], strict=True):
        item = bank.items[name]
        rule = {what: str(getattr(item, what, "")) for what in ("rubric", "key")}
        shown = {"item": code, "part": part_of(item), "prompt": asked(bank, item)["prompt"]}
        rows.append({**shown, **rule, "reply": text})
    table = pd.DataFrame(rows)
    if not table[["rubric", "key"]].any(axis=None):
        raise MetacogError("these items hold neither rubric nor key: raters would have no rule to judge by")
    sheets = _shuffled(table, "rater", raters, seed, "judgement")
    return sheets, first[["item", "model", "dataset", "question_id", "correct"]].reset_index(drop=True)


def _shuffled(table: pd.DataFrame, role: str, n: int, seed: int, blank: str) -> dict[str, pd.DataFrame]:
    """The table for each of n people, parts and rows in an order of their own, with columns to fill in."""
    sheets, width = {}, max(2, len(str(n)))
    for i in range(1, n + 1):
        who, rng = f"{role}-{i:0{width}d}", np.random.default_rng([seed, i])
        parts = [table[table["part"] == part] for part in rng.permutation(table["part"].unique())]
        rows = pd.concat([part.iloc[rng.permutation(len(part))] for part in parts], ignore_index=True)
        rows.insert(0, "place", range(1, len(rows) + 1))
        rows.insert(0, role, who)
        sheets[who] = rows.assign(**{blank: "", "remarks": ""})
    return sheets


def write_sheets(sheets: Mapping[str, pd.DataFrame], folder: Path, codes: pd.DataFrame | None = None) -> None:
    """One CSV per person, and ``codes.csv`` if there are codes; none that is there is written over."""
    files = {f"{name}.csv": sheet for name, sheet in sheets.items()}
    if codes is not None:
        files["codes.csv"] = codes
    if there := sorted(name for name in files if (folder / name).exists()):
        raise MetacogError(f"{folder} holds {there[0]} already, perhaps filled in: name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, sheet in files.items():
            sheet.to_csv(folder / name, index=False, encoding=ENCODING)
    except OSError as error:
        raise MetacogError(f"could not write to {folder}: {error.strerror or error}") from error


def replies_of(bank: Bank, study: Study, profile: Profile, models: Sequence[str]) -> pd.DataFrame:
    """Collected trials of the bank's collection, of all models or of those named."""
    found = [read_collected(study, profile, bank.collection.name, model) for model in models or ("",)]
    return pd.concat(found, ignore_index=True)


def mark_sheets(bank: Bank, files: Sequence[Path]) -> tuple[pd.DataFrame, int]:
    """Mark what people answered by the rules that models are marked by; and how many rows have no reply.

    A row an answer: ``person, item, part, reply, correct, confidence`` and what else the study reads of a reply.
    """
    table = pd.concat([read_table(path, as_text=True, unique=True) for path in files], ignore_index=True)
    for role in ("person", "item", "reply"):
        if role not in table:
            find_column(table, "rater" if role == "person" else role, role, option=f"the column {role!r}")
    table = table.assign(**{name: table[name].str.strip() for name in ("person", "item", "reply")})
    if table[["person", "item"]].isna().any(axis=None):
        raise MetacogError("a row names no person or no item: fill it in or delete the row")
    if unknown := sorted(set(table["item"]) - set(bank.items)):
        raise MetacogError(f"there is no item {unknown[0]!r} in this set ({len(unknown)} such items)")
    twice = table[table.duplicated(["person", "item"])]
    if len(twice):
        who, item = twice[["person", "item"]].iloc[0]
        raise MetacogError(f"{who!r} answered item {item!r} more than once: keep one row")
    given = table[table["reply"].fillna("") != ""]
    if given.empty:
        raise MetacogError("nobody answered anything: the column 'reply' is empty")
    rows = [_marked(bank, row) for row in given[["person", "item", "reply"]].to_dict("records")]
    return pd.DataFrame(rows), len(table) - len(given)


def _marked(bank: Bank, row: Mapping[Any, str]) -> dict[str, Any]:
    item = bank.items[row["item"]]
    trials = list(bank.collection.read(item, [_reply(_put(bank, item), row["reply"])], bank.settings))
    if len(trials) != 1:
        raise MetacogError(f"{bank.collection.name} makes {len(trials)} trials of a reply; a sheet takes one")
    read = {name: value for name, value in trials[0].items() if name != "text"}
    marks = {"correct": int(read.pop("correct")), "confidence": read.pop("confidence", math.nan)}
    who = {"person": row["person"], "item": row["item"], "part": part_of(item), "reply": row["reply"]}
    return {**who, **marks, **read}


def _reply(request: Any, text: str) -> Reply:
    """What a person wrote, in the place of a model's reply."""
    if isinstance(request, Choose):
        nothing = (math.nan,) * len(request.options)
        chosen = next((o for o in request.options if o.strip().lower() == text.lower()), "")
        return Chosen(request.options, nothing, nothing, chosen, "parsed", text)
    return Generated((Generation(text, (), (), 0, 0.0, None, False),))
