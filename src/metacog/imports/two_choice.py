"""Two-choice data as trials: stimulus, response and rating, or tables of counts; here meta-d' is valid.

Trials carry ``stimulus`` and ``response`` (0 is S1, 1 is S2), ``rating`` 1 ... K (K is the surest) and ``k``;
counts are in the order of Maniscalco & Lau (2012): surest S1 ... surest S2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import from_json, reading
from metacog.core.words import listed
from metacog.imports.clean import Validation, clean, text_of
from metacog.imports.mapping import Columns
from metacog.imports.tables import read_matlab, read_table
from metacog.measures.fits import pads
from metacog.measures.given import BINNED, Given, ratings
from metacog.measures.people import names_people
from metacog.measures.tables_of_people import choice_tables

#: Most trials that a table of counts may stand for.
MOST_TRIALS = 5_000_000


def clean_two_choice(
    table: pd.DataFrame,
    columns: Columns,
    report: Validation,
    *,
    dataset: str = "import",
    scale: str = "auto",
    given: Given | None = None,
    counted: bool = False,
) -> pd.DataFrame:
    """Trials of a two-choice task in the house's schema, with the two-choice columns.

    Where ``response`` has no column, ``correct`` says what it was. ``score`` is the rating as it came, of which the
    order counts and AUROC2 is taken; ``rating`` the level, of many values cut at each model's (or person's) own
    quantiles, or as it stands where the trials were ``counted`` in tables.
    """
    assert columns.stimulus and columns.rating
    given = replace(given or Given(), scale=scale)
    report.n_read = report.n_read or len(table)
    report.mapping = columns.named()
    who = None if columns.model is None else table[columns.model].astype(str)
    right = None if columns.correct is None else given.correctness(table[columns.correct])
    response = None if columns.response is None else table[columns.response]
    if response is None:
        report.notes.append(f"the response is what {columns.correct!r} says that it was")
    two = given.choices(table[columns.stimulus], response, correct=right, who=who)
    said = pd.Series(two.stimulus == two.response, index=table.index)
    bad = np.isnan(two.stimulus) | np.isnan(two.response)
    if response is not None and right is not None and (n := int((said != right)[right.notna() & ~bad].sum())):
        report.notes.append(
            f"in {n:,} rows {columns.correct!r} says otherwise than stimulus and response, which are taken"
        )
    report.notes.append(f"S1 is {two.sides[0]!r}, S2 is {two.sides[1]!r}")
    odd = np.zeros(len(table), dtype=bool)
    if two.unanswered:
        assert response is not None
        odd = given.text(response).isin(list(two.unanswered)).to_numpy() & ~np.isnan(two.stimulus)
        names = listed([repr(name) for name in two.unanswered])
        report.drop(f"the response is {names}, which is no stimulus, so it counts as none", int(odd.sum()))
    sure = given.confidence(table[columns.rating])
    report.notes += [note for note in sure.notes if "only its order" not in note]
    lost = ~bad & np.isnan(sure.score)
    report.drop("no stimulus or response", int((bad & ~odd).sum()))
    everywhere = any("=" not in one for one in given.missing)
    of_all = "; --missing VALUE holds for all columns, --missing COLUMN=VALUE for one" if everywhere else ""
    report.drop(f"no rating{of_all}", int(lost.sum()))
    keep = ~bad & ~lost
    if not keep.any():
        raise MetacogError("no row has a stimulus, a response and a numeric rating")
    if np.ptp(sure.score[keep]) == 0:
        raise MetacogError(
            f"the rating is {sure.score[keep][0]:g} in all trials: meta-d' needs at least two ratings a response"
        )
    kept = table.loc[keep].assign(
        _correct=said[keep].astype(int),
        _score=sure.score[keep],
        _stimulus=two.stimulus[keep].astype(np.int64),
        _response=two.response[keep].astype(np.int64),
    )
    roles = replace(
        columns, correct="_correct", confidence="_score", stimulus=None, response=None, rating=None
    )
    trials = clean(kept, roles, report, scale="score", dataset=dataset, carry=("_stimulus", "_response"))
    trials = trials.rename(columns={"_stimulus": "stimulus", "_response": "response"})
    score = trials["score"].to_numpy()
    if counted:
        trials["rating"], trials["k"], cut = score.astype(np.int64), int(score.max()), False
    else:
        trials["rating"], trials["k"], cut = ratings(score, trials["model"])
    if cut:
        whose = " of each" if trials["model"].nunique() > 1 else ""
        report.notes.append(
            f"{np.unique(score).size} distinct ratings were cut into {BINNED} levels at their quantiles{whose} for "
            "meta-d'; AUROC2 is taken from the ratings as they are"
        )
    _tell_padding(trials, report)
    return trials


def _tell_padding(trials: pd.DataFrame, report: Validation) -> None:
    """A note on the tables with an empty cell, to which a fit adds."""
    who, names = pd.factorize(trials["model"])
    sides = (trials[name] for name in ("stimulus", "response", "rating"))
    tables = choice_tables(who, *sides, k=int(trials["k"].max()), n_who=len(names))
    added = names[np.asarray(pads(*tables).any(axis=1), dtype=bool)]
    if len(added):
        of = "the table" if len(names) == 1 else f"{len(added)} of {len(names)} tables"
        few = f" ({listed(added)})" if 1 < len(names) and len(added) <= 4 else ""
        report.notes.append(
            f"0.5 is added to every cell of {of}{few} for d', meta-d' and M-ratio, since a cell is empty"
        )


#: Columns of a table of counts that number its cells, and part nothing.
_NUMBERS_CELLS = re.compile(
    r"(rating|conf|level|cell|resp|choice|answer|stim|index|row|order|unnamed|n$).*", re.I
)
BOTH = ("nR_S1", "nR_S2")
#: What names a table next to its counts in JSON.
_NAMES_OF = {"person": ("person", "subject", "participant", "subj", "id"), "model": ("model",)}


@dataclass(frozen=True)
class Counts:
    """A table of counts and whose it is."""

    s1: Any
    s2: Any
    person: str = ""
    model: str = ""

    @property
    def name(self) -> str:
        return " / ".join(x for x in (self.person, self.model) if x)


def read_counts(paths: Path | Sequence[Path], columns: Columns | None = None) -> tuple[pd.DataFrame, Columns]:
    """Read tables of counts as trials with the columns stimulus, response and rating, and whose they are.

    ``paths``, each a person where there are several:

    - JSON or MATLAB's ``.mat`` with ``nR_S1`` and ``nR_S2``: lists, lists of lists (one a person), or such by name; or
      a list of objects.
    - A table with the columns ``nR_S1`` and ``nR_S2``: one row per cell in order, tables below each other where a
      further column parts them, or lists in the cells.
    - One row per table with ``nR_S1_1 ... nR_S1_2K`` and ``nR_S2_1 ... nR_S2_2K``.

    ``columns`` names with ``model`` and ``person`` whose a table is. A MetacogError if no such tables are found, they
    have an odd number of cells, or counts are not whole.
    """
    columns = columns or Columns()
    files = [paths] if isinstance(paths, Path) else list(paths)
    tables: list[Counts] = []
    for path in files:
        found = _tables_of(path, columns)
        if not found:
            raise MetacogError(f"{path} holds no tables of counts")
        if len(files) > 1:
            plain = len(found) == 1 and not found[0].person
            found = [
                replace(t, person=path.stem if plain else f"{path.stem} {t.person}".strip()) for t in found
            ]
        tables += found
    names = [table.name for table in tables]
    if twice := [name for i, name in enumerate(names) if name in names[:i]]:
        raise MetacogError(
            f"{twice[0]} has several tables of counts: name the column that tells them apart with --model, or sum them"
        )
    if not any(names):
        tables = [
            replace(t, model="table" if len(tables) == 1 else f"table {i}") for i, t in enumerate(tables, 1)
        ]
    whose = [role for role in ("person", "model") if any(getattr(t, role) for t in tables)]
    trials = [_trials_of(t).assign(**{role: getattr(t, role) for role in whose}) for t in tables]
    roles = {role: role for role in (*whose, "stimulus", "response", "rating")}
    return pd.concat(trials, ignore_index=True), Columns(**roles)


def _trials_of(table: Counts) -> pd.DataFrame:
    """One row for each trial that a table counts."""
    name, counts = table.name or "the table", []
    for label, values in zip(BOTH, (table.s1, table.s2), strict=True):
        numbers = pd.to_numeric(pd.Series(list(values), dtype=object), errors="coerce").to_numpy(dtype=float)
        if not np.isfinite(numbers).all() or (numbers < 0).any() or (numbers != np.floor(numbers)).any():
            raise MetacogError(
                f"{label} of {name} must hold whole counts of at least 0: give the raw table, "
                "before anything is added to its cells"
            )
        counts.append(np.minimum(numbers, 2.0 * MOST_TRIALS).astype("int64"))
    if counts[0].size != counts[1].size or counts[0].size % 2 or counts[0].size < 4:
        raise MetacogError(
            f"{name}: nR_S1 has {counts[0].size} cells and nR_S2 {counts[1].size}; both need the same "
            "even number, at least 4 (surest S1 ... surest S2)"
        )
    times = np.concatenate(counts)
    if times.sum() > MOST_TRIALS:
        raise MetacogError(f"{name}: more than {MOST_TRIALS:,} trials; is this a table of counts?")
    k = counts[0].size // 2
    side, cell = np.repeat([0, 1], 2 * k), np.tile(np.arange(2 * k), 2)
    cells = pd.DataFrame(
        {
            "stimulus": side,
            "response": (cell >= k).astype(int),
            "rating": np.where(cell < k, k - cell, cell - k + 1),
        }
    )
    return cells.loc[np.repeat(cells.index, times)].reset_index(drop=True)


def _tables_of(path: Path, columns: Columns) -> list[Counts]:
    suffix = path.suffix.lower()
    if suffix not in (".json", ".mat"):
        return _frame_tables(read_table(path, unique=True), columns)
    with reading(path, "table of counts"):
        if suffix == ".json":
            return _tables_in(from_json(path.read_text(encoding="utf-8")), path)
        held = {name: _listed(value) for name, value in read_matlab(path).items()}
        # a struct that holds the counts stands for the file
        return _tables_in(held if _has_counts(held) else next(filter(_has_counts, held.values()), held), path)


def _has_counts(value: Any) -> bool:
    one = value[0] if isinstance(value, list) and value else value
    return isinstance(one, dict) and all(name in one for name in BOTH)


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _listed(one) for name, one in value.items()}
    if isinstance(value, np.ndarray | list):
        rows = [_listed(one) for one in value]
        odd = bool(rows) and isinstance(rows[0], list) and len(rows[0]) % 2
        return [list(row) for row in zip(*rows, strict=False)] if odd and len(rows) % 2 == 0 else rows
    return value.item() if isinstance(value, np.generic) else value


def _tables_in(content: Any, path: Path) -> list[Counts]:
    """Tables of JSON, whichever way they are nested."""
    expected = MetacogError(
        f"{path}: expected nR_S1 and nR_S2, lists of counts, or objects with these two lists"
    )
    if not isinstance(content, dict) or not _has_counts(content):
        inner = list(content.values()) if isinstance(content, dict) else content
        known = isinstance(inner, list) and all(map(_has_counts, inner))
        if not known or not (
            content if isinstance(content, dict) else all(isinstance(one, dict) for one in inner)
        ):
            raise expected
        names = content if isinstance(content, dict) else [""] * len(inner)
        return [
            replace(t, person=t.person or str(name))
            for name, one in zip(names, inner, strict=True)
            for t in _tables_in(one, path)
        ]
    s1, s2 = (content[name] for name in BOTH)
    whose = {role: next((content[n] for n in names if n in content), "") for role, names in _NAMES_OF.items()}
    if isinstance(s1, Mapping) and isinstance(s2, Mapping):
        if list(s1) != list(s2):
            raise MetacogError(f"{path}: nR_S1 and nR_S2 name different tables")
        return [Counts(s1[name], s2[name], str(name)) for name in s1]
    if not isinstance(s1, list) or not isinstance(s2, list) or len(s1) == 0:
        raise expected
    if not isinstance(s1[0], list):
        return [Counts(s1, s2, *map(str, whose.values()))]
    if len(s1) != len(s2):
        raise MetacogError(f"{path}: nR_S1 holds {len(s1)} tables and nR_S2 {len(s2)}")
    given = [names if isinstance(names, list) and len(names) == len(s1) else None for names in whose.values()]
    if not any(given):
        given[0] = [str(i) for i in range(1, len(s1) + 1)]
    people, models = (names or [""] * len(s1) for names in given)
    return [Counts(a, b, str(p), str(m)) for a, b, p, m in zip(s1, s2, people, models, strict=True)]


def _frame_tables(table: pd.DataFrame, columns: Columns) -> list[Counts]:
    for option, name in (("model", columns.model), ("person", columns.person)):
        if name is not None and name not in table:
            raise MetacogError(
                f"there is no column {name!r} for --{option}; the file has: {', '.join(table.columns)}"
            )
    person, model = columns.person, columns.model
    if person is None and model is not None and names_people(model):
        person, model = model, None
    sides = [[c for c in table.columns if c == side or c.startswith(f"{side}_")] for side in BOTH]
    others = [c for c in table.columns if c not in (*sides[0], *sides[1], person, model)]
    if person is None and model is None:
        called = (c for c in others if names_people(c) or c.strip().lower() == "id")
        person = next(called, None)
    if set(BOTH) <= set(table.columns):
        if (lists := _cells(table)) is not None:
            if person is None and model is None and len(table) > 1:
                model = next((c for c in others if table[c].is_unique), None)
            whose = _whose(table, person, model)
            return [Counts(a, b, *of) for a, b, of in zip(*lists, whose, strict=True)]
        if model is None:
            rest = [c for c in others if c != person and not _NUMBERS_CELLS.fullmatch(c.strip())]
            model = next((c for c in rest if _parts(table, [*([person] if person else []), c])), None)
        by = [np.array(names, dtype=object) for names in zip(*_whose(table, person, model), strict=True)]
        stacked = table[list(BOTH)].groupby(by, sort=False)
        return [Counts(part["nR_S1"].tolist(), part["nR_S2"].tolist(), *map(str, of)) for of, part in stacked]
    wide = [[c for c in names if c != side] for names, side in zip(sides, BOTH, strict=True)]
    if not all(wide):
        raise MetacogError(
            "--nr-table needs the columns nR_S1 and nR_S2 (one row per cell), or nR_S1_1, nR_S1_2 ... and "
            f"nR_S2_1 ... (one row per table); the file has: {', '.join(table.columns[:20])}"
        )
    try:
        first, second = (sorted(names, key=lambda c: int(c.rsplit("_", 1)[1])) for names in wide)
    except ValueError:
        raise MetacogError("columns of --nr-table must end in a number: nR_S1_1, nR_S1_2 ...") from None
    rows = (table[names].to_numpy(dtype=object).tolist() for names in (first, second))
    return [Counts(a, b, *of) for a, b, of in zip(*rows, _whose(table, person, model), strict=True)]


def _whose(table: pd.DataFrame, person: str | None, model: str | None) -> list[tuple[str, str]]:
    texts = [text_of(table[c]).fillna("") if c else [""] * len(table) for c in (person, model)]
    return list(zip(*texts, strict=True))


def _cells(table: pd.DataFrame) -> list[list[list]] | None:
    """Lists that stand in the cells of nR_S1 and nR_S2; None where numbers do."""
    found = []
    for side in BOTH:
        cells = table[side].tolist()
        if not all(
            isinstance(cell, list | np.ndarray) or str(cell).strip()[:1] in ("[", "(") for cell in cells
        ):
            return None
        texts = (cell if isinstance(cell, str) else " ".join(map(str, cell)) for cell in cells)
        found.append([re.findall(r"[-+.\w]+", text) for text in texts])
    return found


def _parts(table: pd.DataFrame, columns: list[str]) -> bool:
    """Whether columns part the rows into tables: several, each in one block of an even number of cells."""
    whose = table[columns].astype(str).agg(" / ".join, axis=1)
    sizes = whose.value_counts()
    blocks = int((whose != whose.shift()).sum())
    return len(sizes) > 1 and blocks == len(sizes) and bool(((sizes >= 4) & (sizes % 2 == 0)).all())
