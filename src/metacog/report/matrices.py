"""A matrix of answers or shares: what stands in a cell is said in it, why on pointing at it or reaching it by key."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import with_columns
from metacog.core.words import listed
from metacog.report.show import Markup
from metacog.report.tables import CSV_DIGITS
from metacog.report.vocabulary import RUN, named, term, title_of

#: What a cell can say of a claim, and the class by which it is coloured where nothing says which answer is good.
ANSWERS = {"yes": "yes", "no": "no", "undecided": "open", "not testable": "none"}
#: Shades of a cell with a number, from none to full.
SHADES = 9


def matrix(
    frame: pd.DataFrame,
    *,
    rows: str,
    columns: str,
    value: str,
    caption: str,
    why: str = "",
    good: str | None = "",
    titles: Mapping[str, str] | None = None,
    limits: tuple[float, float] | None = None,
    order: Iterable[str] = (),
) -> Markup:
    """Rows against columns, an answer or a number in each cell.

    Parameters
    ----------
    frame : DataFrame
        One row a cell. Where a column ``run`` holds two runs, what the second one says stands in columns of its own,
        named after it, unless the first one says the same.
    rows, columns : str
        Columns of the frame whose values name rows and columns, in their order.
    value : str
        Answers (*yes*, *no*, *undecided*, *not testable*), other words, or numbers, which are shaded.
    caption : str
    why : str
        Column with what stands behind an answer or a number.
    good : str
        Column that says whether an answer, or another word, is good news, by which it is then coloured: *yes* to a bad
        thing is none. One for which it says nothing has no colour, and without any (None) none has.
    titles : mapping, optional
        Of columns, where they differ from the book's.
    limits : (float, float), optional
        Numbers without and with full shade; the least and the largest without a say.
    order : iterable of str
        Names of rows that come first, in this order, as in another figure of the page.

    Raises
    ------
    MetacogError
        If a column is missing or a cell is named twice.
    """
    frame = with_columns(frame, (rows, columns, value, why, good or ""))
    if missing := [name for name in (rows, columns, value, why, good) if name and name not in frame]:
        raise MetacogError(
            f"there is no column {listed(missing)}; the columns are: {', '.join(map(str, frame.columns))}"
        )
    if frame.empty:
        return Markup("")
    frame = frame.assign(**{name: named(frame, name) for name in (rows, columns)})
    frame = _apart(frame, [rows, columns, value])
    if frame.duplicated([rows, columns]).any():
        twice = frame[frame.duplicated([rows, columns])].iloc[0]
        raise MetacogError(f"{twice[rows]}, {twice[columns]} stands in two rows: a cell has one value")
    across, held = list(dict.fromkeys(frame[columns])), dict.fromkeys(frame[rows])
    down = list(dict.fromkeys([*(name for name in order if name in held), *held]))
    cells = {(row[rows], row[columns]): row for row in frame.to_dict("records")}
    numbers = pd.api.types.is_numeric_dtype(frame[value]) and not pd.api.types.is_bool_dtype(frame[value])
    ends = limits or ((frame[value].min(), frame[value].max()) if numbers else (0.0, 1.0))
    head = "".join(f'<th scope="col">{html.escape(str(name))}</th>' for name in across)
    body = "".join(
        f'<tr><th scope="row">{html.escape(str(name))}</th>'
        + "".join(_cell(cells.get((name, one)), value, why, good, ends) for one in across)
        + "</tr>"
        for name in down
    )
    corner = f'<th scope="col" class="corner">{html.escape(title_of(rows, titles))}</th>'
    kept = [name for name in (rows, columns, value, why) if name]
    return Markup(
        f'<table class="book-matrix"><caption>{html.escape(caption)}</caption>'
        f"<thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody></table>",
        frame[kept].to_csv(index=False, float_format=CSV_DIGITS),
    )


def _apart(frame: pd.DataFrame, cell: list[str]) -> pd.DataFrame:
    """Cells of a second run, told apart from those of the first by the run's name; nothing twice.

    The name stands in the row where the first run has no such row, else in the column.
    """
    rows, columns, _ = cell
    if RUN not in frame or frame[RUN].nunique() < 2:
        return frame
    frame = frame.drop_duplicates(cell)
    second = frame[RUN] != frame[RUN].iloc[0]
    alone = second & ~frame[rows].isin(frame.loc[~second, rows])
    told = {name: frame[name].astype(str) + ", " + frame[RUN] for name in (rows, columns)}
    return frame.assign(
        **{
            rows: frame[rows].where(~alone, told[rows]),
            columns: frame[columns].where(~second | alone, told[columns]),
        }
    )


def _cell(
    row: Mapping[Any, Any] | None, value: str, why: str, good: str | None, ends: tuple[float, float]
) -> str:
    if row is None:
        return "<td></td>"
    held = row[value]
    reason = row.get(why) if why else None
    reason = "" if pd.isna(reason) else str(reason)
    told = f' tabindex="0" title="{html.escape(reason)}"' if reason else ""
    if isinstance(held, str):
        look = ANSWERS.get(held, "word")
        if good != "" and look in ("yes", "no", "word"):
            look = "word" if good is None or pd.isna(row[good]) else "yes" if row[good] else "no"
        return f'<td class="{look}"{told}>{html.escape(held)}</td>'
    if held is None or not np.isfinite(held):
        return f'<td class="none"{told}>-</td>'
    low, high = ends
    share = (held - low) / (high - low) if high > low else 0.0
    shade = round(SHADES * float(np.clip(share, 0, 1)))
    return f'<td class="shade-{shade}"{told}>{held:,.{term(value).digits}f}</td>'
