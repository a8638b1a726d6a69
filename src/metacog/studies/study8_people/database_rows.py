"""From the Confidence Database's trials to counts by person, which alone are committed; its rows stay outside.

``python -m metacog.studies.study8_people.database_rows`` writes :data:`COUNTS` and :data:`SETS` anew from the files
(``metacog data fetch confidence_database``), as :data:`SETTINGS` says: a row for each set, or each task of a set.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.collect.downloads import check_sha256
from metacog.collect.file_sets import FileSet
from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.core.paths import data_home, project_root
from metacog.core.words import plural
from metacog.measures.given import Given, ratings
from metacog.measures.tables_of_people import choice_tables, marked_tables

#: What ``metacog data fetch`` calls the database, and its folder below ``METACOG_DATA_HOME``.
NAME = "confidence_database"
#: The copy whose files were read: a mirror of https://osf.io/s46pr at one commit, known by its first seven digits.
URL = "https://github.com/nmningmei/decoding_confidence_dataset/raw/ab330d4/data/"
#: All files in one archive, which may stand in the folder in their place, and its SHA-256.
ARCHIVE, ARCHIVE_SHA256 = (
    "data.tar.xz",
    "c7236e258e879032deee23aedb1cd277e7811a7098d3388758dc9ce95a099b38",
)
#: Settings by set, written by hand from the readmes; the files with size, checksum and rows; and what is made of them.
SETTINGS, LISTED, COUNTS, SETS = (
    f"data/{NAME}/{name}" for name in ("settings.csv", "files.csv", "counts.parquet", "sets.csv")
)
#: More levels than these on a scale are cut at each person's own quartiles.
MOST_LEVELS = 6
#: More values than these in a column of conditions are no conditions.
MOST_CONDITIONS = 12
#: A person of whose answers the file itself marks more than this share otherwise than stimulus and response do is left
#: out; a set with more than this share of such people, too.
MOST_DISAGREE, MOST_ODD_PEOPLE = 0.01, 0.2
#: What a table of counts is of: odd and even trials, which add up to the person, a condition or a session.
HALF, CONDITION, SESSION = "half", "condition", "session"
MARKED = "marked"
#: In the place of a column of responses: the response is what correctness says that it was.
BY_CORRECTNESS = "-"
_SEVERAL = re.compile(r"\s*;\s*")


@dataclass(frozen=True)
class Setting:
    """How one set, or one task of it, is read: a row of :data:`SETTINGS`.

    Attributes
    ----------
    set, part : str
        The set, and its task where it has several.
    domain : str
        perception, memory, cognition, or mixed where a task is of several.
    form : str
        ``two sides`` (which of two), ``yes or no`` (old or new, there or not), ``unlike variances`` (one category
        varies more than the other), or ``marked`` (more than two answers: right or wrong alone).
    rated : str
        What the rating is of: confidence, wager, visibility ...
    sample : str
        ``patients`` where people are.
    person, stimulus, response, correct, confidence : str
        Columns; a person's may be ``A+B`` or ``A~PATTERN``.
    recode : str
        ``COLUMN: old=new old=new; ...``; other values of these columns are missing.
    only, without : str
        ``COLUMN=VALUE``, ``COLUMN~PATTERN`` or ``COLUMN>NUMBER``: rows that are the task's; and ``REASON: ... or ...;``
        of those that are left out.
    missing : str
        ``COLUMN=VALUE; ...``: what stands for no answer.
    condition, session : str
        Columns of at most :data:`MOST_CONDITIONS` conditions and of sessions; ``rows 96`` begins a session after that
        many rows.
    apart : str
        What lies between sessions.
    leave_out, note, citation : str
        Why the whole set is left out, what a reader should know, and whose data they are.
    """

    set: str
    part: str = ""
    domain: str = "perception"
    form: str = "two sides"
    rated: str = "confidence"
    sample: str = ""
    person: str = ""
    stimulus: str = ""
    response: str = ""
    correct: str = ""
    confidence: str = ""
    recode: str = ""
    only: str = ""
    without: str = ""
    missing: str = ""
    condition: str = ""
    session: str = ""
    apart: str = ""
    leave_out: str = ""
    note: str = ""
    citation: str = ""

    @property
    def name(self) -> str:
        return f"{self.set}, {self.part}" if self.part else self.set

    @property
    def given(self) -> Given:
        """How its cells are read."""
        return Given(missing=tuple(_SEVERAL.split(self.missing)) if self.missing else ())


def settings() -> list[Setting]:
    """The rows of :data:`SETTINGS`."""
    table = committed_table(SETTINGS, dtype=str, keep_default_na=False)
    return [Setting(*row) for row in table[[one.name for one in fields(Setting)]].itertuples(index=False)]


@dataclass
class Counted:
    """Counts by person of one set or task, and what became of its rows.

    ``rows`` are as in :data:`COUNTS`; ``told`` are columns of :data:`SETS`.
    """

    rows: pd.DataFrame
    told: dict[str, Any]
    left_out: dict[str, int] = field(default_factory=dict)


def _chosen(table: pd.DataFrame, condition: str) -> NDArray[np.bool_]:
    """Rows that meet one of several conditions."""
    found = np.zeros(len(table), dtype=bool)
    for one in condition.split(" or "):
        parts = re.fullmatch(r"\s*([^=~>]+)([=~>])(.*)", one)
        if parts is None:
            raise MetacogError(
                f"{condition!r} is no condition: write COLUMN=VALUE, COLUMN~PATTERN or COLUMN>NUMBER"
            )
        column, sign, value = parts[1].strip(), parts[2], parts[3].strip()
        if sign == ">":
            found |= pd.to_numeric(table[column], errors="coerce").to_numpy() > float(value)
            continue
        text = Given().text(table[column])
        said = text.str.contains(value, regex=True, na=False) if sign == "~" else text == value
        found |= said.to_numpy(dtype=bool)
    return found


def _persons(table: pd.DataFrame, column: str) -> pd.Series:
    """Whose each row is."""
    name, _, pattern = column.partition("~")
    if pattern:
        groups = Given().text(table[name]).str.extract(pattern)
        return groups.bfill(axis=1).iloc[:, 0].rename("person")
    texts = [Given().text(table[one]) for one in name.split("+")]
    joined = texts[0]
    for more in texts[1:]:
        joined = joined + " " + more
    return joined.rename("person")


def _recoded(table: pd.DataFrame, recode: str) -> pd.DataFrame:
    """A table some of whose columns have other codes; what has none is missing."""
    made = {}
    for one in _SEVERAL.split(recode) if recode else ():
        column, _, pairs = one.partition(":")
        codes = dict(pair.split("=") for pair in pairs.split())
        made[column] = Given(missing=()).text(table[column]).map(codes)
    return table.assign(**made)


def _sessions(table: pd.DataFrame, person: pd.Series, session: str) -> NDArray[np.int64]:
    """The number of each row's session, from 1 in the order of their names; 0 where it is unknown or there is one."""
    if not session:
        return np.zeros(len(table), dtype=np.int64)
    if session.startswith("rows "):
        ends = [int(end) for end in session.split()[1:]]
        at = person.groupby(person, sort=False).cumcount().to_numpy()
        return np.searchsorted(ends, at, side="right").astype(np.int64) + 1
    text = Given().text(table[session])
    number = pd.to_numeric(text, errors="coerce")
    order = number if number.notna().sum() == text.notna().sum() else text
    rank = order.groupby(person, sort=False).rank(method="dense")
    return rank.fillna(0).to_numpy(dtype=np.int64)


def read_part(table: pd.DataFrame, setting: Setting, people: dict[str, int]) -> Counted:
    """Counts by person of a set's table, read by its setting.

    Parameters
    ----------
    table : DataFrame
        The file's columns.
    setting : Setting
    people : dict
        Numbers of the set's people, which take the place of their names; new ones are added.

    Raises
    ------
    MetacogError
        Cells that cannot be read (:class:`metacog.measures.given.CellError`), or answers of too many people are right
        by stimulus and response and wrong by the file's own column, or the other way round.
    """
    given, left_out = setting.given, {}
    if setting.only:
        table = table[_chosen(table, setting.only)].reset_index(drop=True)
    person = _persons(table, setting.person or "Subj_idx")
    who = person.map(lambda name: people.setdefault(name, len(people) + 1), na_action="ignore")
    session = _sessions(_recoded(table, setting.recode), person, setting.session)
    keep = person.notna().to_numpy(dtype=bool).copy()
    for one in _SEVERAL.split(setting.without) if setting.without else ():
        reason, _, condition = one.partition(": ")
        rows = keep & _chosen(table, condition)
        left_out[reason] = int(rows.sum())
        keep &= ~rows
    table, who, session = _recoded(table[keep], setting.recode), who[keep], session[keep]
    right = given.correctness(table[setting.correct]) if setting.correct else None
    if setting.form == MARKED:
        if right is None:
            said, key = (given.text(table[name]) for name in (setting.response, setting.stimulus))
            right = (said == key).where(said.notna() & key.notna()).astype("boolean")
        shown = answered = right.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
        disagree = np.zeros(len(table), dtype=bool)
    else:
        by_correctness = setting.response == BY_CORRECTNESS
        response = None if by_correctness else table[setting.response or "Response"]
        two = given.choices(table[setting.stimulus or "Stimulus"], response, correct=right, who=who)
        shown, answered = two.stimulus, two.response
        usable = ~np.isnan(shown) & ~np.isnan(answered)
        known = usable & (right.notna().to_numpy() if right is not None else False)
        mark = right.fillna(False).to_numpy(dtype=bool) if right is not None else usable
        disagree = known & (mark != (shown == answered))
    odd = _odd_people(who, disagree, ~np.isnan(shown) & ~np.isnan(answered))
    sure = given.confidence(table[setting.confidence or "Confidence"])
    no_answer = np.isnan(shown) | np.isnan(answered)
    no_rating = ~no_answer & np.isnan(sure.score)
    of_odd = who.isin(odd).to_numpy()
    of_whom = f"of {plural(len(odd), 'person', 'people')} whose answers the file marks otherwise"
    wrong_mark = ~no_answer & ~no_rating & disagree & ~of_odd
    for reason, rows in (
        ("no stimulus or answer", no_answer),
        ("no rating", no_rating),
        (of_whom, of_odd & ~no_answer & ~no_rating),
        ("marked otherwise in the file", wrong_mark),
    ):
        left_out[reason] = int(rows.sum())
    used = ~(no_answer | no_rating | wrong_mark | of_odd)
    if not used.any():
        raise MetacogError("no trial has a stimulus, an answer and a rating")
    numbers = who[used].to_numpy(dtype=np.int64)
    rating, k, cut = ratings(sure.score[used], numbers, most=MOST_LEVELS)
    if k < 2:
        raise MetacogError("all ratings are the same")
    trials = pd.DataFrame(
        {
            "person": numbers,
            "S": shown[used].astype(np.int64),
            "R": answered[used].astype(np.int64),
            "rating": rating,
        }
    )
    trials[HALF] = np.where(trials.groupby("person", sort=False).cumcount() % 2 == 0, "odd", "even")
    if setting.condition:
        trials[CONDITION] = Given().text(table[setting.condition])[used].to_numpy()
        if (several := trials[CONDITION].nunique()) > MOST_CONDITIONS:
            raise MetacogError(f"{setting.condition!r} has {several} values: they are no conditions")
    if setting.session:
        trials[SESSION] = pd.Series(session[used], dtype=str).where(session[used] > 0)
    kinds = [name for name in (HALF, CONDITION, SESSION) if name in trials]
    told = {
        "levels": int(np.unique(sure.score[used]).size),
        "quartiles": bool(cut),
        "k": int(k),
        "people_read": int(person.nunique()),
        "people": int(np.unique(numbers).size),
        "trials_read": int(person.size),
        "trials": int(used.sum()),
        "conditions": int(trials[CONDITION].nunique()) if CONDITION in trials else 0,
        "sessions": int(trials[SESSION].nunique()) if SESSION in trials else 0,
        "reason": "",
    }
    parts = [_counts(trials, kind, k, setting.form == MARKED) for kind in kinds]
    return Counted(pd.concat(parts, ignore_index=True), told, {why: n for why, n in left_out.items() if n})


def _odd_people(who: pd.Series, disagree: NDArray[np.bool_], answered: NDArray[np.bool_]) -> list[int]:
    """People of whose answers the file marks too many otherwise than stimulus and response do."""
    share = pd.Series(disagree[answered]).groupby(who[answered].to_numpy()).mean()
    odd = [int(one) for one in share.index[share > MOST_DISAGREE]]
    if len(odd) > MOST_ODD_PEOPLE * max(1, len(share)):
        raise MetacogError(
            f"the file marks answers of {len(odd)} of {len(share)} people otherwise than stimulus and response do"
        )
    return odd


def _counts(trials: pd.DataFrame, kind: str, k: int, marked: bool) -> pd.DataFrame:
    """Tables of counts by person and half, condition or session."""
    trials = trials[trials[kind].notna()]
    groups = trials.groupby(["person", kind], sort=True)
    at, names = groups.ngroup().to_numpy(), groups.size().reset_index()[["person", kind]]
    rating, size = trials["rating"], {"k": k, "n_who": len(names)}
    s1, s2 = (
        marked_tables(at, trials["S"], rating, **size)
        if marked
        else choice_tables(at, trials["S"], trials["R"], rating, **size)
    )
    named = names.rename(columns={kind: "value"}).assign(by=kind, nR_S1=list(s1), nR_S2=list(s2))
    return named.astype({"value": str})[["person", "by", "value", "nR_S1", "nR_S2"]]


# The files.


def listed() -> pd.DataFrame:
    """``file, bytes, sha256, rows`` of every file that was read."""
    return committed_table(LISTED)


FILES = FileSet(NAME, NAME, URL, lambda: dict(listed()[["file", "sha256"]].itertuples(index=False)))


def archive() -> Path | None:
    """The archive below ``METACOG_DATA_HOME``, where it lies there."""
    home = data_home()
    found = home / NAME / ARCHIVE if home is not None else None
    return found if found is not None and found.is_file() else None


def files() -> Iterator[tuple[str, bytes]]:
    """Names and contents of the database's files, from the archive or the folder."""
    found = archive()
    if found is None:
        folder = FILES.find()
        if folder is None:
            raise MetacogError(f"the database is not here: metacog data fetch {NAME}")
        yield from ((name, (folder / name).read_bytes()) for name in listed()["file"])
        return
    check_sha256(found, ARCHIVE_SHA256, NAME)
    with tarfile.open(found) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                yield Path(member.name).name, content.read()


def fetch_and_check() -> str:
    """Get the files, held to the checksums of those that were read; reports how many there are, and where."""
    found = archive()
    if found is not None:
        check_sha256(found, ARCHIVE_SHA256, NAME)
        return f"{len(listed())} files ready in {found}, as read"
    return f"{len(listed())} files ready at {FILES.fetch()}, as read"


def read_set(raw: bytes) -> pd.DataFrame:
    """The trials of a set's file."""
    table = pd.read_csv(io.BytesIO(raw), low_memory=False, encoding="utf-8-sig", encoding_errors="replace")
    return table.rename(columns=lambda name: str(name).strip())


#: Columns of :data:`SETS` that are the setting's.
OF_SETTING = ("set", "part", "domain", "form", "rated", "sample", "apart", "note", "citation")
OF_READING = (
    *("levels", "quartiles", "k", "people_read", "people", "trials_read", "trials", "conditions", "sessions"),
)


def read_all(wanted: list[Setting] | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All sets of the database, or some: the tables that are committed as :data:`COUNTS` and :data:`SETS`."""
    by_set: dict[str, list[Setting]] = {}
    for one in settings() if wanted is None else wanted:
        by_set.setdefault(one.set, []).append(one)
    read: dict[str, list[Counted]] = {}
    for name, raw in files():
        kind, _, rest = Path(name).stem.partition("_")
        if kind == "data" and rest in by_set:
            table, people = read_set(raw), dict[str, int]()
            read[rest] = [_counted(table, one, people) for one in by_set[rest]]
    counts, told = [], []
    for name, several in by_set.items():
        for i, one in enumerate(several):
            found = (
                read[name][i] if name in read else _none(one.leave_out or "its table of trials is not here")
            )
            counts.append(found.rows.assign(set=one.set, part=one.part))
            why = "; ".join(f"{n:,} {reason}" for reason, n in found.left_out.items())
            about = {column: getattr(one, column) for column in OF_SETTING}
            told.append(about | found.told | {"left_out": why})
    table = pd.concat(counts, ignore_index=True)[["set", "part", "person", "by", "value", "nR_S1", "nR_S2"]]
    columns = [*OF_SETTING[:-1], *OF_READING, "left_out", "reason", OF_SETTING[-1]]
    return table, pd.DataFrame(told).reindex(columns=columns)


def _none(reason: str, **read: int) -> Counted:
    """A set or task that is left out."""
    return Counted(
        pd.DataFrame(), dict.fromkeys(OF_READING, 0) | {"quartiles": False, "reason": reason} | read
    )


def _counted(table: pd.DataFrame, setting: Setting, people: dict[str, int]) -> Counted:
    """A set or task, or why it is left out, with how many people and rows it has."""
    size = {"trials_read": len(table), "people_read": int(table["Subj_idx"].nunique())}
    if setting.leave_out:
        return _none(setting.leave_out, **size)
    try:
        return read_part(table, setting, people)
    except MetacogError as error:
        return _none(str(error), **size)


def write() -> None:
    """Write what is committed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    counts, sets = read_all()
    small = pa.list_(pa.uint16())
    schema = pa.schema(
        [(name, pa.dictionary(pa.int16(), pa.string())) for name in ("set", "part")]
        + [("person", pa.uint16())]
        + [(name, pa.dictionary(pa.int16(), pa.string())) for name in ("by", "value")]
        + [("nR_S1", small), ("nR_S2", small)]
    )
    made = pa.Table.from_pandas(counts, preserve_index=False).cast(schema)
    pq.write_table(made, project_root() / COUNTS, compression="zstd", compression_level=19)
    sets.to_csv(project_root() / SETS, index=False)


if __name__ == "__main__":
    write()
