"""What chapters display: tables, verdict sentences and glued numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from IPython.display import Markdown, display
from pandas.io.formats.style import Styler

from metacog.core.paths import project_root
from metacog.core.provenance import provenance

#: Columns with a text longer than this are set in lines; shorter ones keep to one line.
LONG_TEXT = 28


def table(
    frame: pd.DataFrame,
    *,
    digits: int | Mapping[str, int] = 3,
    caption: str = "",
    labels: Mapping[str, str] | None = None,
    index: bool = False,
) -> Styler:
    """A table as the book shows it.

    Parameters
    ----------
    frame : DataFrame
    digits : int or mapping of column to int
        Decimals of floating-point columns.
    caption : str
    labels : mapping, optional
        Column titles for readers; by default the names with spaces for underscores.
    index : bool
        Show the index.
    """
    names = {column: str(column).replace("_", " ") for column in frame.columns} | dict(labels or {})
    shown = frame.rename(columns=names)
    formats: dict[str, Any] = {}
    for column in frame.columns:
        if pd.api.types.is_float_dtype(frame[column]):
            places = digits if isinstance(digits, int) else digits.get(column, 3)
            formats[names.get(column, column)] = f"{{:,.{places}f}}"
        elif pd.api.types.is_bool_dtype(frame[column]):
            formats[names.get(column, column)] = lambda v: "yes" if v else "no"
        elif pd.api.types.is_integer_dtype(frame[column]):
            formats[names.get(column, column)] = "{:,}"
    styled = shown.style.format(formats, na_rep="-", escape="html")
    if caption:
        styled = styled.set_caption(caption)
    classes = pd.DataFrame("", index=shown.index, columns=shown.columns)
    for column in frame.columns:
        if frame[column].map(lambda v: isinstance(v, str) and len(v) > LONG_TEXT).any():
            classes[names[column]] = "wrap"
    if shown.index.is_unique and shown.columns.is_unique:
        styled = styled.set_td_classes(classes)
    return styled if index else styled.hide(axis="index")


def verdict(sentence: str, *, passed: bool | None = None) -> None:
    """Show a computed verdict as an admonition: green if passed, orange if not, plain if None."""
    kind = {True: "tip", False: "warning", None: "note"}[passed]
    title = {True: "Supported", False: "Not supported", None: "Verdict"}[passed]
    display(Markdown(f":::{{admonition}} {title}\n:class: {kind}\n{sentence}\n:::"))


def glue(name: str, value: Any) -> None:
    """Store a number or sentence under a name that other pages can show."""
    from myst_nb import glue as myst_glue

    myst_glue(name, value, display=False)


def save_table(frame: pd.DataFrame, name: str, **made_by: Any) -> Path:
    """Write ``results/NAME.csv`` and, beside it, ``NAME.json`` with what made it."""
    path = project_root() / "results" / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False)
    path.with_suffix(".json").write_text(json.dumps(provenance(**made_by), indent=1), encoding="utf-8")
    return path
