"""Are two runs of the book the same? Byte for byte, but for times and commits, but for rounding, or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.book.chapters import pages
from metacog.collect import manifest
from metacog.core.code import place_of, reached
from metacog.core.config import Profile, load_profile
from metacog.core.errors import MetacogError
from metacog.core.words import plural
from metacog.studies import studies
from metacog.studies.codec import RECORD
from metacog.studies.results import code_places

#: Largest relative difference that is rounding; below ``FLOOR`` it is of that, since what should be 0 keeps a rest.
ROUNDING, FLOOR = 1e-9, 1e-3
#: What a run's manifest says of its times, and columns and fields of results that were computed of it.
CLOCKS = frozenset({"minutes", "seconds", "trials_per_second", "session", "sessions"})
#: Files that are compared as text. All others, tables and arrays apart, are the same byte for byte or not.
TEXTS = {".csv", ".html", ".ipynb", ".js", ".json", ".key", ".md", ".svg", ".txt", ".xml"}
#: How a record names the commit that made it; twelve digits behind a point are a number's.
_COMMIT = re.compile(r"(?<![\w.])(?:[0-9a-f]{12}(?:\+changes)?|[0-9a-f]{40})\b")
_NUMBER = re.compile(r"(?<![\w.])([-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?)(?!\w)")
#: How alike two files are.
SAME, TIMES, ROUNDED, OTHER = range(4)


@dataclass(frozen=True)
class Found:
    """What a comparison found: how alike, and the largest relative difference of two numbers with its place."""

    level: int
    largest: float = 0.0
    where: str = ""


@dataclass
class Part:
    """A part of the book, compared: of how many files, and what was found of those that are not the same."""

    name: str
    files: int = 0
    found: dict[str, Found] = field(default_factory=dict)

    @property
    def different(self) -> dict[str, Found]:
        """The files that are not the same."""
        return self._of(OTHER)

    def _of(self, level: int) -> dict[str, Found]:
        return {name: one for name, one in self.found.items() if one.level == level}

    def lines(self) -> Iterator[str]:
        """What is to be said of it."""
        timed, rounded, other = self._of(TIMES), self._of(ROUNDED), self.different
        yield (
            f"{self.name}: {plural(self.files, 'file')}, {self.files - len(self.found)} the same byte for byte"
            + (f", {len(timed)} but for times or commits" if timed else "")
            + (f", {len(rounded)} within {ROUNDING:g}" if rounded else "")
            + (f", {len(other)} different" if other else "")
        )
        if timed:
            yield f"      times: {', '.join(timed)}"
        if rounded:
            name, worst = max(rounded.items(), key=lambda one: one[1].largest)
            yield f"      largest relative difference {worst.largest:.2g}: {name}, {worst.where}"
        for name, one in other.items():
            yield f"DIFFERS {name}: {one.where}"


def compare(ours: Path, theirs: Path) -> list[Part]:
    """Compare the books of two project folders; the profile is that of the rendered pages of ``ours``."""
    name = _profile(ours)
    if (other := _profile(theirs)) != name:
        raise MetacogError(
            f"the book here is of the profile {name}, that of {theirs} of {other}: compare two of one"
        )
    for file in (f"config/profiles/{name}.yaml", "requirements.lock"):
        if _bytes(ours / file) != _bytes(theirs / file):
            raise MetacogError(
                f"{file} is another in {theirs}: what was made under other settings or versions is not expected to "
                "be the same"
            )
    profile = load_profile(name)
    timed = _timed(profile)
    run = [name, *([profile.reference] if profile.reference else [])]
    return [
        _part("replies", ours, theirs, ["runs"], timed),
        _part("results", ours, theirs, [f"results/{one}" for one in run], timed),
        _part("notebooks", ours, theirs, [f"_executed/{name}"], timed),
        _part("pages", ours, theirs, ["_build/html"], timed),
    ]


def _profile(project: Path) -> str:
    """Whose book was rendered in a folder."""
    if not project.is_dir():
        raise MetacogError(f"there is no folder {project}")
    try:
        return str(json.loads((project / "_build" / "book.key").read_text(encoding="utf-8"))["profile"])
    except (OSError, ValueError, KeyError):
        raise MetacogError(f"no book was made in {project}: `make book` there makes one") from None


def _bytes(file: Path) -> bytes:
    return file.read_bytes() if file.is_file() else b""


def _timed(profile: Profile) -> re.Pattern[str]:
    """Names of files that tell how long something took: manifests, results made of these, and pages that show them."""
    told = {
        (study.name, one.name)
        for study in studies()
        for one in study.analyses
        if place_of(manifest.run_facts) in reached(*code_places(one))
    }
    shown = [page.name for page in pages(profile) if told & set(page.chapter.uses())]
    names = [rf"results/[^/]+/{study}/{one}([-@][^/]*)?/.*" for study, one in sorted(told)]
    names += [rf"(.*/)?{re.escape(page)}(-(figure|table)-\d+\.\w+|\.\w+)" for page in shown]
    return re.compile(
        "|".join([r"runs/.*/manifest\.json", r"(.*/)?summary\.json", r".*/searchindex\.js", *names])
    )


def _part(name: str, ours: Path, theirs: Path, folders: list[str], timed: re.Pattern[str]) -> Part:
    one, other = (
        {str(f.relative_to(root)) for folder in folders for f in (root / folder).rglob("*") if f.is_file()}
        for root in (ours, theirs)
    )
    part = Part(name, len(one | other))
    for file in sorted(one | other):
        if file not in one or file not in other:
            part.found[file] = Found(OTHER, where=f"only {'here' if file in one else f'in {theirs}'}")
            continue
        found = compare_files(ours / file, theirs / file, timed=timed.fullmatch(file) is not None)
        if found.level != SAME:
            part.found[file] = found
    return part


def compare_files(one: Path, other: Path, *, timed: bool = False) -> Found:
    """Compare two files of one name; of one that tells times, without these."""
    if one.read_bytes() == other.read_bytes():
        return Found(SAME)
    if one.suffix == ".parquet":
        return _tables(pd.read_parquet(one), pd.read_parquet(other), timed)
    if one.suffix == ".npy":
        return _arrays(np.load(one, allow_pickle=False), np.load(other, allow_pickle=False), "the array")
    if one.suffix not in TEXTS:
        return Found(OTHER, where="other bytes")
    ours, theirs = (_COMMIT.sub("COMMIT", path.read_text(encoding="utf-8")) for path in (one, other))
    if not timed:
        return _texts(ours, theirs)
    if one.suffix == ".js":
        return Found(TIMES)  # the words of all pages, each of which is compared
    if one.suffix == ".json":
        pair = [json.dumps(_without_times(json.loads(text)), indent=1) for text in (ours, theirs)]
        return _texts(pair[0], pair[1])
    if one.suffix == ".csv" and (one.parent / RECORD).is_file():
        return _tables(pd.read_csv(one), pd.read_csv(other), timed)
    # a page: its words must be the same, not the blanks that set a column of times
    found = _texts(re.sub(" +", " ", ours), re.sub(" +", " ", theirs))
    return found if found.where.startswith("line") else Found(TIMES)


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_times(v) for k, v in value.items() if k not in CLOCKS}
    return [_without_times(one) for one in value] if isinstance(value, list) else value


def _texts(ours: str, theirs: str) -> Found:
    """Two texts of which times and commits are taken out: words must be the same, numbers may differ by rounding."""
    if ours == theirs:
        return Found(TIMES)
    one, other = _NUMBER.split(ours), _NUMBER.split(theirs)
    if one[::2] != other[::2]:
        lines = zip(ours.splitlines(), theirs.splitlines(), strict=False)
        number = next((n for n, (a, b) in enumerate(lines, start=1) if a != b), "the last")
        return Found(OTHER, where=f"line {number}")
    numbers = [np.array(list(map(float, words[1::2]))) for words in (one, other)]
    found = _arrays(numbers[0], numbers[1], "number")
    at = next(n for n, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
    line = ours[: sum(map(len, one[:at]))].count("\n") + 1
    return Found(found.level or OTHER, found.largest, f"{found.where}, first in line {line}".strip(", "))


def _tables(ours: pd.DataFrame, theirs: pd.DataFrame, timed: bool) -> Found:
    if list(ours.columns) != list(theirs.columns) or len(ours) != len(theirs):
        return Found(OTHER, where="other columns or rows")
    kept = [name for name in ours.columns if not (timed and name in CLOCKS)]
    every = [_arrays(ours[name].to_numpy(), theirs[name].to_numpy(), f"column {name}") for name in kept]
    worst = max(every, key=lambda found: (found.level, found.largest), default=Found(SAME))
    if worst.level == SAME:
        return (
            Found(TIMES) if timed else Found(OTHER, where="the same values, other types or facts beside them")
        )
    return worst


def _arrays(ours: np.ndarray, theirs: np.ndarray, name: str) -> Found:
    if ours.shape != theirs.shape:
        return Found(OTHER, where=f"{name}: other sizes")
    if not all(array.dtype.kind in "fiu" for array in (ours, theirs)):
        same = np.array([str(a) == str(b) for a, b in zip(ours.ravel(), theirs.ravel(), strict=True)])
        return Found(SAME) if same.all() else Found(OTHER, where=f"{name}, row {int(same.argmin()) + 1}")
    one, other = ours.ravel().astype(float), theirs.ravel().astype(float)
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    if same.all():
        return Found(SAME)
    with np.errstate(invalid="ignore"):
        apart = np.abs(one - other) / np.maximum(np.maximum(np.abs(one), np.abs(other)), FLOOR)
    apart = np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))
    at = int(apart.argmax())
    where = f"{name} {at + 1}: {one[at]:.17g} and {other[at]:.17g}"
    return Found(ROUNDED if apart[at] <= ROUNDING else OTHER, float(apart[at]), where)
