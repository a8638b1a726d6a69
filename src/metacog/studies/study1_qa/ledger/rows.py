"""The printed tables of study 1 and their recomputation, which are joined here, whoever recomputed them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

from metacog.ledger.entry import Kind, entries_of
from metacog.ledger.published import end_name
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.ledger import author_trials
from metacog.studies.study1_qa.ledger.roles import role_of

STUDY = "study 1"
#: What identifies a printed figure and its recomputation.
FIGURE = ["table", "keys", "quantity"]
#: Accuracy of the more confident half, as the printed file calls it.
HALF = "accuracy_at_50pct_coverage"
NEEDS_TRIALS = f"the author's trials (metacog data fetch {author_trials.NAME})"
NEEDS_THINKING = (
    "the author's trials with thinking on and off (results/raw of the repository reasoning-metacog), which this "
    "book does not hold"
)
NEEDS_FIT = "a printed figure: the author's fit gave none"
#: What the table that nobody printed waits for as well.
SOLVED = "; these counts were solved from printed figures, and other rows are computed from them"

#: Precision of full-precision result files, as far as the estimators agree: 1e-12 for d', which has
#: a closed form, 1e-6 for fits, 1e-9 for sums of logarithms.
_V1_FILE = {"d_prime": 1e-12, "meta_d": 1e-6, "m_ratio": 1e-6, "ci_lo": 1e-6, "ci_hi": 1e-6}
_V2_FILE = 1e-9
#: Figures that rest on random draws.
RESAMPLED = (
    *("ci_lo", "ci_hi", "n_valid_bootstrap", "mi_lo", "mi_hi", "a_lo", "a_hi", "null_mean", "p_perm"),
    *("ci_lower", "ci_upper"),
)


def figures_of(
    table: str, frame: pd.DataFrame, quantities: Sequence[str] = (), **attributes: Any
) -> pd.DataFrame:
    """Recomputed figures of a printed table, one a row: :data:`FIGURE`, ``value``, and attributes of a value.

    The frame has the columns that identify a row of the table and one a quantity, by default every one of the table;
    an attribute is one for all, or a list with one for each row of the frame.
    """
    printed = paper.figures(table)
    names = list(quantities) or list(dict.fromkeys(printed["quantity"]))
    keys = list(frame[list(paper.identifying(table))].astype(str).itertuples(index=False, name=None))
    values = frame[names].to_numpy(dtype=np.float64).ravel()
    long = pd.DataFrame({"table": table, "keys": pd.Series(_each(keys, names), dtype=object)})
    given = {name: _each(one, names) if isinstance(one, list) else one for name, one in attributes.items()}
    return long.assign(quantity=names * len(frame), value=values, **given)


def _each(rows: list[Any], names: list[str]) -> list[Any]:
    return [row for row in rows for _ in names]


#: Figures by what was done to have them.
estimated, recounted, from_print = (
    partial(figures_of, kind=kind) for kind in (Kind.ESTIMATED, Kind.RECOUNTED, Kind.PRINTED)
)


def first_known(*parts: pd.DataFrame) -> pd.DataFrame:
    """Figures that several sources give, each from the first that does."""
    found = pd.concat([part.dropna(axis=1, how="all") for part in parts if len(part)], ignore_index=True)
    known = found["value"].notna() | (found["bounds"].notna() if "bounds" in found else False)
    return found[known].drop_duplicates(FIGURE)


def joined(found: pd.DataFrame, printed: pd.DataFrame | None = None) -> pd.DataFrame:
    """The printed figures of all tables, or of some, next to what was found for them."""
    rows = pd.concat(map(paper.figures, paper.TITLES)) if printed is None else printed
    rows = rows.merge(found, how="left", on=FIGURE, validate="1:1")
    sources = rows["source"].where(rows["source"].notna(), None)
    about: Any = list(rows[[*FIGURE, "published"]].itertuples(index=False, name=None))
    roles: Any = [
        role_of(*one) for one in zip(rows["table"], rows["keys"], rows["quantity"], sources, strict=True)
    ]
    rows = rows.assign(
        table=rows["table"].map(paper.TITLES),
        item=[item_name(table, keys) for table, keys, *_ in about],
        precision=pd.Series(
            [precision(table, quantity, keys) for table, keys, quantity, _ in about], dtype=object
        ),
        resampled=rows["quantity"].isin(RESAMPLED),
        needs=[_needs(table, text) for table, *_, text in about],
        role=pd.Series(roles, dtype=object),
    )
    return entries_of(rows.drop(columns="keys"), STUDY)


def _needs(table: str, text: str) -> str:
    if table.startswith("thinking_"):
        return NEEDS_THINKING if text else NEEDS_FIT
    return NEEDS_TRIALS + (SOLVED if table == "counts_T1" else "")


@cache
def precision(table: str, quantity: str, keys: tuple[str, ...] = ()) -> float | None:
    """Precision of a figure: that stated for a full-precision file, else half the last printed digit.

    None: the entry's own text decides (whole numbers, verdicts). ``keys`` matter where the precision of a ratio
    is that of its numerator over what it is divided by.
    """
    printed = paper.figures(table)
    if not printed.loc[printed["quantity"] == quantity, "published"].str.contains(".", regex=False).any():
        return None
    if table == "v1_h1_full_precision":
        return _V1_FILE[quantity]
    if (table, quantity) == ("v1_h3_verdicts", "meta_d_range") or quantity == "meta_d_prime":
        return _V1_FILE["meta_d"]
    if table == "thinking_aggregate" and quantity == "m_ratio":
        d_prime = paper.printed(table)[keys, "d_prime"] if keys else np.nan
        return float(_V1_FILE["meta_d"] / np.nanmin([1.0, abs(d_prime)]))
    if table.startswith("thinking_"):
        return paper.THINKING_PRECISION
    return _V2_FILE if table.startswith("v2_") else paper.precision(table, end_name(quantity))


def item_name(table: str, keys: Iterable[str]) -> str:
    """Readable name of a row: the model, and what else tells it apart."""
    named: list[str] = []
    for column, text in zip(paper.identifying(table), keys, strict=True):
        if column == "model":
            named.insert(0, (paper.MODELS | paper.THINKING_MODELS)[text])
        elif column in ("T", "temperature"):
            named.append(f"T = {text}")
        else:
            words = {"ratings_per_side": f"K = {text}", "rating": f"rating {text}"}
            named.append(words.get(column, (paper.MODES | paper.DATASETS).get(text, text)))
    return ", ".join(named)
