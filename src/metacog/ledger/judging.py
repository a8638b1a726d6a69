"""How entries of the ledger are judged, each by itself and all of a study together."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.ledger.entry import JUDGED, NOT_MET, Role, Settings, Status, StudyLedger, entries_of
from metacog.ledger.published import number
from metacog.ledger.tolerances import half_last_digit, z_bound

#: Room that a claim in words leaves for rounding in binary arithmetic.
IN_WORDS = 1e-9

#: A decimal half is not a binary one: 1e-9 of it is rounding of a comparison, not of the figure.
ROUNDING = 1 + 1e-9

COLUMNS = (
    "study",
    "table",
    "item",
    "quantity",
    "published",
    "reproduced",
    "low",
    "high",
    "difference",
    "tolerance",
    "status",
    "kind",
    "source",
    "needs",
    "rule",
    "role",
    "note",
    "resampled",
    "family",
)


def judge(entries: pd.DataFrame, z: float | pd.Series) -> pd.DataFrame:
    """Rows of the ledger but for their ``family``, at a bound ``z`` for all entries or one for each."""
    printed = entries["published"] != ""
    waits = ~(printed & entries["recomputed"])
    if (silent := waits & (entries["needs"] == "")).any():
        raise MetacogError(f"ledger: {_named(entries[silent])} has no status")
    bounded = ~waits & entries["low"].notna()
    figure = ~waits & ~bounded
    precision, chance = _precision(entries), z * entries["error"]
    theirs = pd.Series([number(text) if text else np.nan for text in entries["published"]], entries.index)
    agrees, rivalled = (
        _agree(entries["relation"], entries[name] - theirs, precision + chance) for name in ("value", "rival")
    )
    outside = np.maximum(entries["low"] - theirs, theirs - entries["high"])
    said = [
        (one.status, one.rows, one.reason) if isinstance(one, Role) else ("", "", "")
        for one in entries["role"]
    ]
    roles = pd.DataFrame(said, entries.index, ["status", "rows", "reason"])
    status = np.select(
        [
            waits,
            bounded & (outside <= _with_slack(precision)),
            bounded | ~agrees,
            roles["status"] != "",
            rivalled,
        ],
        [Status.NEEDS, Status.BOUNDED, Status.DIFFERS, roles["status"], Status.CANNOT_TELL],
        Status.MATCH,
    )
    exact = entries["relation"] == "="
    tolerance = precision + chance.where(figure, 0.0)
    unknown = waits & (entries["resampled"] | ~printed)
    return entries.assign(
        published=entries["published"].where(exact, entries["relation"] + " " + entries["published"]),
        reproduced=entries["value"],
        difference=(entries["value"] - theirs).where(figure),
        tolerance=tolerance.mask(unknown),
        status=status,
        needs=entries["needs"].where(waits, ""),
        rule=_rules(entries),
        role=roles["rows"].where(figure, ""),
        note=[
            "; ".join(part for part in parts if part)
            for parts in zip(
                entries["note"], roles["reason"].where(figure, ""), _rivals(entries), strict=True
            )
        ],
    )


def _named(entries: pd.DataFrame) -> str:
    return ", ".join(entries[["table", "item", "quantity"]].iloc[0])


def _rivals(entries: pd.DataFrame) -> list[str]:
    """What the figures would be without the steps that their rows are about."""
    told = zip(entries["without"], entries["rival"], strict=True)
    return [f"{without} the figure would be {rival:.6g}" if rival == rival else "" for without, rival in told]


def _agree(relation: pd.Series, off: pd.Series, room: pd.Series) -> np.ndarray:
    """Whether figures that lie ``off`` the printed ones are to them what they must be, within a room."""
    room_for_bounds = room * ROUNDING
    return np.select(
        [relation == "=", relation == ">=", relation == "<=", relation == ">"],
        [
            off.abs() <= _with_slack(room),
            off >= -room_for_bounds,
            off <= room_for_bounds,
            off > -room_for_bounds,
        ],
        off < room_for_bounds,
    )


def agrees(published: str, values: ArrayLike, precision: float | None = None) -> NDArray[np.bool_]:
    """Which values are the published one, as far as its precision tells: the rule by which rows agree.

    ``precision`` is how far off a value may be; half the last printed digit without.
    """
    half = half_last_digit(published) if precision is None else precision
    off = np.abs(np.asarray(values, dtype=np.float64) - number(published))
    return np.asarray(off <= _with_slack(half))


def inside(published: str, low: float, high: float, precision: float | None = None) -> bool:
    """Whether a figure as printed can be one between two ends; see :func:`agrees`."""
    half = half_last_digit(published) if precision is None else precision
    return max(low - number(published), number(published) - high) <= _with_slack(half)


def _with_slack(precision: Any) -> Any:
    return precision * ROUNDING + 1e-15


def _precision(entries: pd.DataFrame) -> pd.Series:
    """How far rounding of the print, and what the source may lack, let a figure differ."""
    halves = pd.Series(
        [half_last_digit(text) if text else 0.0 for text in entries["published"]], entries.index
    )
    exact = entries["precision"].fillna(halves) + entries["reach"]
    found = exact.where(entries["relation"] == "=", entries["precision"].fillna(0.0))
    return found.where(entries["published"] != "", 0.0).mask(entries["in_words"], IN_WORDS)


def _rules(entries: pd.DataFrame) -> np.ndarray:
    """By which rule each figure is judged, in words."""
    rows = zip(entries["precision"], entries["reach"], strict=True)
    base = pd.Series(
        [
            (f"{precision:g}, stated for the file" if precision < 1e-5 else "half the last printed digit")
            + (f" + {reach:.2g}, what the source may lack" if reach else "")
            for precision, reach in rows
        ],
        entries.index,
        dtype=str,
    )
    base = base.mask(entries["in_words"], "exactly, as claimed in words")
    base = base.mask(entries["published"].isin(["True", "False"]), "the same verdict")
    drawn = base.mask(entries["resampled"], "z x Monte-Carlo error + " + base)
    return np.select(
        [entries["published"] == "", entries["relation"] == "=", entries["precision"] > 0],
        ["", drawn, "the bound as printed, rounded: half its last digit"],
        "the bound as claimed",
    )


def tabulate(entries: pd.DataFrame) -> pd.DataFrame:
    """Judge entries into a table of :data:`COLUMNS`; z is set by how many of each study's entries chance tests.

    The column ``family`` holds that number for the rows that are of it, and 0 for all others.
    """
    families = {study: family(own) for study, own in entries.groupby("study", sort=False)}
    bounds = {study: z_bound(m) for study, m in families.items()}
    rows = judge(entries, entries["study"].map(bounds).astype(float))
    tested = rows["resampled"] & rows["status"].isin(JUDGED)
    rows["family"] = rows["study"].map(families).where(tested, 0).astype(int)
    if (repeated := rows.duplicated(["study", "table", "item", "quantity"])).any():
        raise MetacogError(f"ledger: {_named(rows[repeated])} stands twice")
    return rows[list(COLUMNS)]


def judged_rows(entries: pd.DataFrame) -> pd.DataFrame:
    """Rows of some entries by ``table, item, quantity``, for a chapter that shows what the ledger says."""
    return tabulate(entries).set_index(["table", "item", "quantity"])


def agreement(entries: pd.DataFrame) -> pd.Series:
    """Whether each of some figures agrees, by ``table, item, quantity``: what a chapter counts."""
    return ~judged_rows(entries)["status"].isin(NOT_MET)


def family(entries: pd.DataFrame) -> int:
    """How many entries of a study rest on chance and are tested: the m that shares the level.

    Which rows can tell their method from its absence depends on z, and z on their number. The smallest
    m is taken at which no more than m rows are judged, so the level of the family is kept.
    """
    testable = (entries["published"] != "") & entries["recomputed"] & entries["role"].isna()
    drawn = entries[entries["resampled"] & testable]
    m = len(drawn)
    while m and judge(drawn, z_bound(m - 1))["status"].isin(JUDGED).sum() < m:
        m -= 1
    return m


def make_ledger(settings: Settings, studies: Iterable[StudyLedger]) -> pd.DataFrame:
    """The ledger of some studies, one row a published figure: see :func:`tabulate`."""
    return tabulate(
        pd.concat(
            [entries_of(pd.DataFrame(), ""), *(study.entries(settings) for study in studies)],
            ignore_index=True,
        )
    )


def available_files(studies: Iterable[StudyLedger]) -> dict[str, Path]:
    """Files with other people's data that are here, by the name they are fetched under."""
    return {name: path for study in studies for name, path in study.files().items()}


def files_given(given: Iterable[str], studies: Iterable[StudyLedger]) -> dict[str, Path]:
    """Files named on the command line as ``NAME=PATH``."""
    known = sorted({name for study in studies for name in study.uses})
    found = {}
    for text in given:
        name, _, path = text.partition("=")
        if name not in known or not path:
            names = " or ".join(known) or "unknown to these ledgers"
            raise MetacogError(f"--file {text}: write NAME=PATH, where NAME is {names}")
        if not Path(path).is_file():
            raise MetacogError(f"--file {text}: there is no file {path}")
        found[name] = Path(path)
    return found
