"""What did each paper find, and what holds of it when its figures are computed again?

``data/published/findings.csv`` says in words what a paper claims, where, and which rows of the ledger those are: its
columns ``table``, ``item`` and ``quantity`` are regular expressions, empty for any. What became of the figures is the
ledger's to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import published_file
from metacog.ledger.entry import Kind, Status
from metacog.ledger.page import printed_text, reproduced_text, worded
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis

FILE = "findings.csv"
#: What became of a finding's figures.
AGAIN, SO_FAR, PARTLY, FAILS = (
    "found again",
    "found again as far as can be told",
    "in part",
    "not found again",
)
IN_PRINT, GIVEN = "agrees with other print", "no test: counts were solved from it"
OPEN, BOUNDED, UNCLEAR = "waits for data", "not ruled out", "cannot be told"
#: What becomes of one figure, where several are counted.
_WORDS = {
    **dict.fromkeys((Status.MATCH, Status.INPUT, Status.REPEAT), "agree"),
    Status.DIFFERS: "differ",
    Status.BOUNDED: "bounded",
    Status.CANNOT_TELL: "cannot tell",
    Status.NEEDS: "wait for data",
}
COLUMNS = ("study", "where", "finding", "printed", "recomputed", "outcome", "page")
#: Columns that say which rows of the ledger a finding is.
_KEYS = ("table", "item", "quantity")


@analysis(needs=("ledger",), files=(f"data/published/{FILE}",))
def findings(inputs: Inputs) -> dict[str, Any]:
    """What did each paper find, and what holds of it?"""
    lines = pd.read_csv(published_file(FILE), dtype=str, keep_default_na=False)
    return {"findings": found(lines, inputs.result("ledger").ledger)}


def found(lines: pd.DataFrame, ledger: pd.DataFrame) -> pd.DataFrame:
    """A row for each finding of a file of them, next to what the ledger has of it; of studies that it has.

    Raises
    ------
    MetacogError
        A line that means no row of the ledger.
    """
    lines = lines[lines["study"].isin(ledger["study"])]
    rows = [_finding(line, _meant(line, ledger)) for line in rows_of(lines)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _meant(line: Any, ledger: pd.DataFrame) -> pd.DataFrame:
    rows = ledger[ledger["study"] == line.study]
    for name in _KEYS:
        if pattern := getattr(line, name):
            rows = rows[rows[name].str.fullmatch(pattern)]
    if rows.empty:
        raise MetacogError(f"{FILE}: the ledger has no row for {line.finding!r}; see its {', '.join(_KEYS)}")
    return rows


def _finding(line: Any, rows: pd.DataFrame) -> dict[str, str]:
    told = {"printed": f"{len(rows)} figures", "recomputed": _counted(rows["status"])}
    if len(rows) == 1:
        row: Any = next(rows.itertuples())
        told = {"printed": printed_text(worded(rows)["published"].iloc[0]), "recomputed": _again(row)}
    return {
        "study": line.study,
        "where": line.where,
        "finding": line.finding,
        **told,
        "outcome": outcome_of(rows),
        "page": line.page,
    }


def _again(row: Any) -> str:
    if row.status == Status.BOUNDED:
        return f"{reproduced_text(row.low, row.published)} to {reproduced_text(row.high, row.published)}"
    return reproduced_text(row.reproduced, row.published)


def _counted(statuses: pd.Series) -> str:
    counts = statuses.map(_WORDS).value_counts()
    return ", ".join(f"{counts[one]} {one}" for one in dict.fromkeys(_WORDS.values()) if one in counts)


def outcome_of(rows: pd.DataFrame) -> str:
    """What became of a finding, from the status and kind of its rows in the ledger.

    A row that differs weighs against one that agrees, whatever its role. Rows from which the counts were solved agree
    by construction, and printed figures that agree with one another show no more than that.
    """
    known, kinds = set(rows["status"]), set(rows.loc[rows["status"] == Status.MATCH, "kind"])
    if Status.DIFFERS in known:
        return PARTLY if known & {Status.MATCH, Status.INPUT, Status.REPEAT} else FAILS
    if known & {Status.MATCH, Status.REPEAT}:
        if kinds == {Kind.PRINTED}:
            return IN_PRINT
        return SO_FAR if known & {Status.NEEDS, Status.BOUNDED, Status.CANNOT_TELL} else AGAIN
    alone = {Status.INPUT: GIVEN, Status.BOUNDED: BOUNDED, Status.CANNOT_TELL: UNCLEAR, Status.NEEDS: OPEN}
    return next(told for status, told in alone.items() if status in known)


#: How outcomes are counted in a sentence, in this order.
_TOLD = {
    AGAIN: "are found again",
    SO_FAR: "as far as can be told",
    PARTLY: "in part",
    FAILS: "not found again",
    IN_PRINT: "agree with other printed figures, which is all that can be checked",
}


def _counts(study: str) -> Callable[[Any], str]:
    def told(result: Any) -> str:
        outcomes = result.findings.loc[result.findings["study"] == study, "outcome"]
        parts = [f"{n} {words}" for one, words in _TOLD.items() if (n := int((outcomes == one).sum()))]
        rest = int((~outcomes.isin(_TOLD)).sum())
        parts += [f"{rest} cannot be put to a test with what was published"] if rest else []
        return "\n".join([f"Of the {len(outcomes)} findings below\n", *(f"- {part}" for part in parts)])

    return told


VIEWS = Views("findings", sentences={name: _counts(name) for name in (f"study {n}" for n in range(1, 6))})
