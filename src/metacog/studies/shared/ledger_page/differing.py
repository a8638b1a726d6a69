"""What differs, in words and as a picture."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.ledger.entry import Status
from metacog.ledger.wording import worded
from metacog.report.drawing import drawing
from metacog.report.style import PALETTE, new_axes

#: Letters of a row's item that a list shows, and rows of a study that are told one by one.
LONGEST = 160


def claims(result: Any) -> str:
    """Claims of the papers' texts that their own figures or data contradict, by study, as a list in Markdown."""
    rows = worded(result.ledger[result.ledger["status"] == Status.DIFFERS])
    told = rows[rows["table"].str.contains(r"\btext\b")]
    if told.empty:
        return "No claim of a text differs from what was recomputed."
    lines = []
    for study, own in told.groupby("study", sort=False):
        lines.append(f"- **{str(study).capitalize()}**")
        lines += [f"  - {_claim(row)}" for row in rows_of(own)]
    others = len(rows) - len(told)
    lines.append(
        f"\nThe other {plural(others, 'figure')} that differ stand in printed tables; the picture shows which."
    )
    return "\n".join(lines)


def _claim(row: Any) -> str:
    item = row.item if len(row.item) <= LONGEST else row.item[: LONGEST - 1].rsplit(" ", 1)[0] + " …"
    if row.published == "True":
        return f"{item} ({row.quantity}): it does not hold{_note(row.note)}."
    return (
        f"{item} ({row.quantity}): printed {row.published}, recomputed {row.reproduced:.4g}{_note(row.note)}."
    )


def _note(note: Any) -> str:
    return f"; {note.rstrip('.')}" if isinstance(note, str) and note else ""


@drawing(
    caption=(
        "Share of the rows that differ, of those that could have failed, for each published table in which one does; "
        "with their numbers. The last line adds up the tables in which every row matches."
    ),
    alt="Bars of the share of differing rows, for each published table",
)
def by_table(result: Any) -> Figure | None:
    """Bars of the share of rows that differ, one for each table in which one does."""
    judged = result.ledger[result.ledger["status"].isin([Status.MATCH, Status.DIFFERS])]
    if judged.empty:
        return None
    differs = (
        judged["status"].eq(Status.DIFFERS).groupby(judged["table"], sort=False).agg(["sum", "count", "mean"])
    )
    rows = differs[differs["sum"] > 0].sort_values("mean", ascending=False, kind="stable")
    whole = differs[differs["sum"] == 0]
    if len(whole):
        rows.loc[plural(len(whole), "other table")] = [0, whole["count"].sum(), 0.0]
    figure, axis = new_axes(height=0.9 + 0.27 * len(rows))
    axis.barh(range(len(rows)), 100 * rows["mean"], color=PALETTE[3])
    for place, (n, of, share) in enumerate(rows.itertuples(index=False)):
        axis.text(100 * share, place, f" {n:.0f} of {of:.0f}", va="center", fontsize=9)
    axis.set_xlim(0, 115)
    axis.set_yticks(range(len(rows)), [_short(str(name)) for name in rows.index])
    axis.tick_params(axis="y", labelsize=9.5, length=0)
    axis.invert_yaxis()
    axis.set_xlabel("Rows that differ, %")
    return figure


def _short(name: str, most: int = 38) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
