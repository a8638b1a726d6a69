"""Edits of the configuration's YAML that keep its comments and layout, all files or none.

A file is edited as text and read again: the edit stands only if the parsed result is what was asked
for and nothing else has changed. Several files are then replaced together; if one cannot be, those
already replaced are put back.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from metacog.core.errors import MetacogError

#: Names of models: no dots, because trial files are called MODEL.DATASET.parquet.
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")


def check_name(name: str, known: Mapping[str, Any]) -> None:
    """Refuse a name that the registry has or that cannot be part of a file's name.

    Raises
    ------
    MetacogError
    """
    if not NAME.fullmatch(name):
        raise MetacogError(
            f"{name!r} cannot name a model: use letters, digits, - and _ (64 at most, no dots or spaces), "
            "beginning with a letter or digit"
        )
    taken = next((other for other in known if other.lower() == name.lower()), None)
    if taken is not None:
        raise MetacogError(
            f"config/models.yaml has a model {taken!r} already: choose another name, or take that entry out"
        )


def with_model(text: str, name: str, entry: Mapping[str, Any]) -> str:
    """The registry's text with one more model at its end.

    Parameters
    ----------
    text : str
        Contents of ``config/models.yaml``.
    name : str
    entry : mapping
        What stands below the name.

    Raises
    ------
    MetacogError
        If the file is laid out in a way that this cannot extend.
    """
    before = yaml.safe_load(text)
    lines = [f"  {name}:"]
    for key, value in entry.items():
        dumped = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
        lines.append(f"    {key}: {dumped.removesuffix('...' + chr(10)).strip()}")
    after = text.rstrip("\n") + "\n" + "\n".join(lines) + "\n"
    wanted = {**before, "models": {**before["models"], name: dict(entry)}}
    return _checked(after, wanted, "config/models.yaml", f"the entry\n{chr(10).join(lines)}")


def with_profile_model(text: str, name: str, file: str) -> str:
    """A profile's text with one more model in its list ``models``.

    Knows lists in brackets on one line, and lists with one ``- name`` a line.
    """
    before = yaml.safe_load(text)
    if name in before["models"]:
        return text
    bracketed = re.search(r"^models:[ \t]*\[(?P<inner>[^\]\n#]*)\]", text, re.M)
    block = re.search(r"^models:[ \t]*(?:#[^\n]*)?\n(?P<items>(?:[ \t]*(?:-[^\n]*|#[^\n]*)?\n)+)", text, re.M)
    if bracketed:
        inner = bracketed["inner"].rstrip().rstrip(",")
        after = text[: bracketed.start("inner")] + f"{inner}, {name}" + text[bracketed.end("inner") :]
    elif block:
        items = list(re.finditer(r"^(?P<indent>[ \t]*)-[^\n]*\n", block["items"], re.M))
        place = block.start("items") + items[-1].end()
        after = text[:place] + f"{items[-1]['indent']}- {name}\n" + text[place:]
    else:
        after = text
    wanted = {**before, "models": [*before["models"], name]}
    return _checked(after, wanted, file, f"{name} to its list of models")


def with_labels(text: str, dataset: str, labels: str) -> str:
    """The question sets' text with ``labels: PATH`` in one entry (added or replaced)."""
    before = yaml.safe_load(text)
    if dataset not in before["datasets"]:
        known = ", ".join(before["datasets"])
        raise MetacogError(f"there is no question set {dataset!r}; there are: {known}")
    entry = re.search(rf"^  {re.escape(dataset)}:[^\n]*\n(?P<body>(?:    [^\n]*\n|[ \t]*\n)*)", text, re.M)
    after = text
    if entry:
        body = re.sub(r"^    labels:[^\n]*\n", "", entry["body"], flags=re.M)
        end = len(body.rstrip("\n ")) + 1 if body.strip() else 0
        body = body[:end] + f"    labels: {labels}\n" + body[end:]
        after = text[: entry.start("body")] + body + text[entry.end("body") :]
    wanted = {
        **before,
        "datasets": {**before["datasets"], dataset: {**before["datasets"][dataset], "labels": labels}},
    }
    return _checked(after, wanted, "config/datasets.yaml", f"labels: {labels} to {dataset}")


def _checked(after: str, wanted: Any, file: str, what: str) -> str:
    """The edited text, if it reads as it should; else a request to edit by hand."""
    try:
        good = yaml.safe_load(after) == wanted
    except yaml.YAMLError:
        good = False
    if not good:
        raise MetacogError(f"{file} is laid out in a way that cannot be edited here: add {what} by hand")
    return after


def replace_all(texts: Mapping[Path, str]) -> None:
    """Write several files, all or none.

    New contents are first written next to each file and flushed; then the files are replaced one by
    one. If that fails half-way, the old contents are put back.

    Raises
    ------
    MetacogError
        If a folder cannot be written; every file is as it was.
    """
    tail = f".tmp{os.getpid()}"
    before = {path: path.read_bytes() if path.is_file() else None for path in texts}
    staged: dict[Path, Path] = {}
    done: list[Path] = []
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            staged[path] = path.with_name(path.name + tail)
            with open(staged[path], "w", encoding="utf-8") as handle:
                handle.write(text)
                handle.flush()
                os.fsync(handle.fileno())
        for path, new in staged.items():
            os.replace(new, path)
            done.append(path)
    except OSError as error:
        for path in done:
            old = before[path]
            with contextlib.suppress(OSError):
                if old is None:
                    path.unlink()
                else:
                    path.write_bytes(old)
        raise MetacogError(
            f"could not write the configuration ({error.filename or ''}: {error.strerror or error}); "
            "nothing was changed"
        ) from error
    finally:
        for new in staged.values():
            with contextlib.suppress(OSError):
                new.unlink()
