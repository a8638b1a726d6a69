"""Sentences with one of two labels: the project's own sets, and others in their publishers' form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.collect.questions import check_ids, files_of, from_json_lines, known_sets, read_parquet
from metacog.core.errors import MetacogError


@dataclass(frozen=True)
class Labelled:
    """One sentence and its class.

    Attributes
    ----------
    id : str
        Stable name of the sentence within its set.
    text : str
    label : int
        0 or 1; what they mean stands in the set's ``classes``.
    topic : str
        What it is about, or the kind of text, where the set says so.
    """

    id: str
    text: str
    label: int
    topic: str = ""


def read_jsonl(path: Path) -> list[Labelled]:
    """The project's own form: JSON lines with ``id``, ``text``, ``label`` and, if there is one, ``topic``.

    Raises
    ------
    MetacogError
        Naming the file and the line that is not well formed.
    """

    def one(record: dict[str, Any], number: int) -> Labelled:
        made = Labelled(record["id"], record["text"], record["label"], record.get("topic", ""))
        return _checked(made, f"{path}, line {number}")

    return from_json_lines(path, one, "id, text and label")


def read_tsv(path: Path) -> list[Labelled]:
    """Label, tab, sentence; a line each, numbered from 1 in their ids.

    Raises
    ------
    MetacogError
        Naming the file and the line that is not well formed.
    """
    found = []
    for number, line in enumerate(_lines(path), start=1):
        label, tab, text = line.partition("\t")
        if not tab or label.strip() not in ("0", "1"):
            raise MetacogError(f"{path}, line {number}: expected the label 0 or 1, a tab and a sentence")
        one = Labelled(f"{path.stem}-{number:05d}", text.strip(), int(label))
        found.append(_checked(one, f"{path}, line {number}"))
    return found


def read_sst2(path: Path) -> list[Labelled]:
    """SST-2 as the hub serves it: parquet with ``idx``, ``sentence`` and ``label``.

    Raises
    ------
    MetacogError
        If the file is damaged, lacks a column, or holds a label other than 0 and 1 (its test split does).
    """
    table = read_parquet(path, ("idx", "sentence", "label"))
    labels: list[Any] = table["label"].tolist()
    return [
        _checked(Labelled(f"sst2-{idx}", str(text).strip(), label), f"{path}, idx {idx}")
        for idx, text, label in zip(table["idx"], table["sentence"], labels, strict=True)
    ]


READERS: dict[str, Callable[[Path], list[Labelled]]] = {
    "labelled-jsonl": read_jsonl,
    "labelled-tsv": read_tsv,
    "sst2-parquet": read_sst2,
}


def is_labelled(name: str) -> bool:
    """Whether ``config/datasets.yaml`` has a set of labelled sentences of that name."""
    return known_sets().get(name, {}).get("form") in READERS


def classes_of(name: str) -> tuple[str, ...]:
    """What label 0 and label 1 of a set mean."""
    return tuple(_entry(name).get("classes", ()))


def pilot_of(name: str) -> str:
    """The set whose difficulty this one, or one that it joins, chose; empty for a set that may be analysed.

    A set and its pilot share no sentence.
    """
    entry = known_sets().get(name, {})
    found = [str(entry.get("pilot_of", "")), *map(pilot_of, entry.get("joins", ()))]
    return next((one for one in found if one), "")


def has_pilot(name: str) -> bool:
    """Whether another set chose how hard this one, or one that it joins, is."""
    piloted = {entry.get("pilot_of") for entry in known_sets().values()}
    return name in piloted or any(map(has_pilot, known_sets().get(name, {}).get("joins", ())))


def label_of(name: str) -> str:
    """What a set is called for readers."""
    return str(_entry(name)["label"])


def load_labelled(name: str) -> list[Labelled]:
    """Sentences of a set of ``config/datasets.yaml``, in its own order.

    Raises
    ------
    MetacogError
        If the set is unknown, holds no labelled sentences, cannot be found, is malformed, or repeats an id.
    """
    entry = _entry(name)
    if joined := entry.get("joins"):
        found = [one for part in joined for one in load_labelled(part)]
    else:
        found = [one for file in files_of(name, entry) for one in READERS[entry["form"]](file)]
    if not found:
        raise MetacogError(f"set {name!r} holds no sentences")
    check_ids([one.id for one in found], name)
    return found


def _entry(name: str) -> dict[str, Any]:
    known = {key: entry for key, entry in known_sets().items() if entry["form"] in READERS}
    if name not in known:
        raise MetacogError(f"there is no set of labelled sentences {name!r}; there are: {', '.join(known)}")
    entry: dict[str, Any] = known[name]
    return entry


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").rstrip("\n").split("\n")
    except FileNotFoundError:
        raise MetacogError(f"there is no set of sentences at {path}") from None
    except UnicodeDecodeError:
        raise MetacogError(f"{path} is not UTF-8 text: delete it and fetch it again") from None


def _checked(one: Labelled, where: str) -> Labelled:
    if isinstance(one.label, bool) or one.label not in (0, 1):
        raise MetacogError(f"{where}: the label is {one.label!r}, not 0 or 1")
    if not isinstance(one.text, str) or not one.text.strip() or not isinstance(one.id, str):
        raise MetacogError(f"{where}: id and text must be texts and not empty")
    return one
