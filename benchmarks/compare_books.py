"""Do two books say the same? Every stored result, every table and figure's data, and the text of every page.

Run: python benchmarks/compare_books.py BEFORE AFTER
     python benchmarks/compare_books.py BEFORE AFTER --only results/smoke/study3   (these addresses alone)
BEFORE and AFTER are project folders in which a book was made (``results/`` and ``_build/html/``). What differs is
printed, a line each, and the exit status is 1. Parts of stored results that are no longer there are listed apart, as
no longer stored: pages that read one of them would differ. What two runs of one commit cannot have in common is masked:
``MASKS`` names it with the reason, and nothing else is left out.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from bs4 import BeautifulSoup


class Mask(NamedTuple):
    """What is left out of a comparison: in facts whose address matches, what matches ``text``."""

    address: str
    text: str
    reason: str


MASKS = (
    Mask(r"summary\.json#.*#key$", r'"[0-9a-f]{16}"', "keys of results"),
    Mask(r"summary\.json#", r'"[a-z_]+\.csv",?\n?', "tables, which are compared themselves"),
    Mask(r"result\.json#", r'"class": "[^"]*"', "the module that a class lies in"),
    Mask(r"", r"\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?(\+00:00)?", "days and times"),
    Mask(r"", r"\b[0-9a-f]{12}(\+changes)?\b|\b[0-9a-f]{40}\b", "commits"),
)
#: Stored tables and pages of which a book's own clock is the content, or what was fetched when.
CLOCKS = (
    r"results/logs/",
    r"results/unfinished/",
    r"/replies/",
    r"/speed/",
    r"html/.*speed",
)


def _texts_of(value: Any) -> str:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)


def _bare(value: Any) -> Any:
    """A stored record without the way it was stored: what a class held, and what a mapping holds, by name."""
    if isinstance(value, list):
        return [_bare(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "fields" in value or "result" in value:
        value = value.get("fields", value.get("result"))
    elif "pairs" in value and all(isinstance(name, str) for name, _ in value["pairs"]):
        value = dict(value["pairs"])
    return {name: _bare(one) for name, one in value.items()}


def _parts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Parts of a stored record or of a summary, each with its address."""
    about = ("hypothesis", "kind", "topic", "rule")
    if (
        isinstance(value, list)
        and value
        and all(isinstance(one, dict) and {*about} <= {*one} for one in value)
    ):
        value = {" ".join(str(one[part]) for part in about): one for one in value}
    if isinstance(value, dict) and value and not {"table", "array", "float", "enum"} & value.keys():
        for key, one in value.items():
            yield from _parts(one, f"{name}#{key}")
    else:
        yield name, _texts_of(value)


def _columns(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """Columns of a parquet file in exact text, each with its address: its type and every value with all its digits."""
    frame = pd.read_parquet(path)
    for column in frame:
        yield f"{name}#{column}", f"{frame[column].dtype}\n{frame[[column]].to_csv(index=False)}"


def _page(path: Path) -> str:
    """What a page says, without navigation and code."""
    body = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select_one("article")
    if body is None:
        return ""
    for other in body.select("script, style, .cell_input, .highlight-python, .made-with, .headerlink"):
        other.decompose()
    return "\n".join(line.strip() for line in body.get_text("\n").splitlines() if line.strip())


def _cited(html: Path) -> Iterator[Path]:
    """The data files that pages offer; others lie there from earlier builds."""
    for page in sorted(html.rglob("*.html")):
        for name in re.findall(r'(?:href|data-csv)="([^"#?]+\.csv)"', page.read_text(encoding="utf-8")):
            if (found := (page.parent / name).resolve()).is_file():
                yield found


def facts(project: Path) -> dict[str, str]:
    """Address and content of everything that a book stores and shows, masked."""
    found: dict[str, str] = {}
    results, html = project / "results", project / "_build" / "html"
    for path in sorted(results.rglob("*")):
        name = str(path.relative_to(project))
        if path.suffix == ".parquet":
            found |= dict(_columns(path, name))
        elif path.suffix == ".json":
            content = json.loads(path.read_text(encoding="utf-8"))
            if path.name == "result.json":
                found |= dict(_parts(_bare(content["record"]), name))
            elif path.name == "summary.json":
                found |= dict(_parts(content, name))
            else:
                found[name] = _texts_of(content)
        elif path.suffix == ".csv" and not path.with_suffix(".parquet").is_file():  # else it says the same
            found[name] = path.read_text(encoding="utf-8")
    for path in sorted(html.rglob("*.html")):
        if text := _page(path):
            found[str(path.relative_to(project))] = text
    for path in sorted(set(_cited(html))):
        found[str(path.relative_to(project.resolve()))] = path.read_text(encoding="utf-8")
    kept = {name: text for name, text in found.items() if not any(re.search(p, name) for p in CLOCKS)}
    return {name: masked(name, text) for name, text in kept.items()}


def masked(name: str, text: str) -> str:
    """A fact without what two runs of one commit cannot have in common."""
    for mask in MASKS:
        if re.search(mask.address, name):
            text = re.sub(mask.text, "·", text, flags=re.S)
    return text


def is_stored(name: str) -> bool:
    """Whether a fact is a part of a stored result, or of its line in a summary, and no page."""
    return name.startswith("results/") and not name.endswith("ledger.csv") and "#front_page" not in name


def differences(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """A line for everything that is gone, new or different."""
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"{'no longer stored' if is_stored(name) else 'gone'}: {name}"
        elif name not in before:
            yield f"new: {name}"
        elif before[name] != after[name]:
            old, new = before[name].splitlines(), after[name].splitlines()
            lines = [
                x for x in difflib.unified_diff(old, new, lineterm="", n=0) if x[:2] not in ("--", "++", "@@")
            ]
            yield f"differs: {name}, {len(lines)} lines\n" + "\n".join(f"    {x[:200]}" for x in lines[:6])


def main() -> int:
    """Compare, print, and say by the exit status whether anything differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--only", default="", metavar="PATTERN", help="of what has an address that matches")
    given = parser.parse_args()
    before, after = (
        {name: text for name, text in facts(one).items() if re.search(given.only, name)}
        for one in (given.before, given.after)
    )
    if not before:
        parser.error(f"{given.before} holds no book: make one there first (`make book`)")
    every = list(differences(before, after))
    unread, found = ([one for one in every if one.startswith("no longer") is so] for so in (True, False))
    print("\n".join(unread + found) or "nothing differs")
    numbers = sum(len(re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", text)) for text in before.values())
    print(
        f"{len(before)} files before, {len(after)} after, {numbers:,} numbers compared, {len(unread)} parts "
        f"of results are no longer stored, {len(found)} differ"
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
