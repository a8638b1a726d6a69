"""How a printed figure of study 1 becomes a row of the ledger, whoever recomputed it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pandas as pd

from metacog.ledger.entry import Entry, Value
from metacog.ledger.judging import agreement
from metacog.ledger.published import Figure, end_name
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.ledger import author_trials
from metacog.studies.study1_qa.ledger.roles import role_of
from metacog.studies.study1_qa.paper import FROM_COUNTS

STUDY = "study 1"
#: Accuracy of the more confident half, as the printed file calls it.
HALF = "accuracy_at_50pct_coverage"
NEEDS_TRIALS = f"the author's trials (metacog data fetch {author_trials.NAME})"
NEEDS_THINKING = (
    "the author's trials with thinking on and off (results/raw of the repository reasoning-metacog), which this "
    "book does not hold"
)
NEEDS_FIT = "a printed figure: the author's fit gave none"


#: Precision of full-precision result files, as far as the estimators agree: 1e-12 for d', which has
#: a closed form, 1e-6 for fits, 1e-9 for sums of logarithms.
_V1_FILE = {"d_prime": 1e-12, "meta_d": 1e-6, "m_ratio": 1e-6, "ci_lo": 1e-6, "ci_hi": 1e-6}
_H3_FILE = {"meta_d_range": 1e-6}
_V2_FILE = 1e-9

#: Figures that rest on random draws.
RESAMPLED = frozenset(
    {"ci_lo", "ci_hi", "n_valid_bootstrap", "mi_lo", "mi_hi", "a_lo", "a_hi", "null_mean", "p_perm"}
    | {"ci_lower", "ci_upper"}
)


@cache
def precision(table: str, quantity: str, keys: tuple[str, ...] = ()) -> float | None:
    """Precision of a figure: that stated for a full-precision file, else half the last printed digit.

    None: the entry's own text decides (whole numbers, verdicts). ``keys`` matter where the precision of a ratio
    is that of its numerator over what it is divided by.
    """
    if not any("." in f.text for f in paper.figures(table) if f.quantity == quantity):
        return None
    if table.startswith("thinking_"):
        return _of_thinking(quantity, keys)
    if table == "v1_h1_full_precision":
        return _V1_FILE[quantity]
    if table == "v1_h3_verdicts" and quantity in _H3_FILE:
        return _H3_FILE[quantity]
    return _V2_FILE if table.startswith("v2_") else paper.precision(table, end_name(quantity))


def _of_thinking(quantity: str, keys: tuple[str, ...]) -> float:
    if quantity == "meta_d_prime":
        return _V1_FILE["meta_d"]
    if quantity == "m_ratio":
        rows = paper.as_text("thinking_aggregate").set_index(["model", "mode"])["d_prime"]
        d_prime = rows.get(keys, "")
        return _V1_FILE["meta_d"] / min(1.0, abs(float(d_prime))) if d_prime else _V1_FILE["m_ratio"]
    return paper.THINKING_PRECISION


Values = dict[tuple[str, tuple[str, ...], str], Value]
"""Recomputed figures by (table, keys, quantity), as in :class:`.published.Figure`."""


def values_of(
    table: str, frame: pd.DataFrame, quantities: Sequence[str] = (), *, value: Callable[..., Value] = Value
) -> Values:
    """Figures of a printed table, recomputed from the reconstructed counts.

    Parameters
    ----------
    table : str
        A name of :data:`.published.TABLES`.
    frame : DataFrame
        With the columns that identify a row of the table, and one per quantity.
    quantities : sequence of str, optional
        Every one of the table without.
    value : callable
        Makes a value of a number and its source.
    """
    columns = paper.TABLES[table]
    return {
        (table, tuple(row[key] for key in columns.keys), quantity): value(float(row[quantity]), FROM_COUNTS)
        for row in frame.to_dict("records")
        for quantity in quantities or columns.values
    }


def entry_of(figure: Figure, value: Value | None) -> Entry:
    """The row of a printed figure."""
    table, quantity = figure.table, figure.quantity
    how = paper.TABLES[table].reconstructed
    needs = NEEDS_TRIALS + (how and f"; {how}")
    if table.startswith("thinking_"):
        needs = NEEDS_THINKING if figure.text else NEEDS_FIT
    return Entry(
        study=STUDY,
        table=paper.TABLES[table].title,
        item=item_name(table, figure.keys),
        quantity=quantity,
        published=figure.text,
        value=value,
        precision=precision(table, quantity, figure.keys),
        resampled=quantity in RESAMPLED,
        needs=needs,
        role=role_of(table, figure.keys, quantity, value),
    )


def item_name(table: str, keys: tuple[str, ...]) -> str:
    """Readable name of a row: the model, and what else tells it apart."""
    named: list[str] = []
    for column, text in zip(paper.TABLES[table].keys, keys, strict=True):
        if column == "model":
            named.insert(0, (paper.MODELS | paper.THINKING_MODELS)[text])
        elif column == "mode":
            named.append(paper.MODES[text])
        elif column == "dataset":
            named.append(paper.DATASETS[text])
        elif column in ("T", "temperature"):
            named.append(f"T = {text}")
        else:
            named.append({"ratings_per_side": f"K = {text}", "rating": f"rating {text}"}.get(column, text))
    return ", ".join(named)


def reproduced(table: str, frame: pd.DataFrame, quantities: Sequence[str] = ()) -> pd.Series:
    """Whether the ledger calls figures of a printed table reproduced, by ``item`` and ``quantity``.

    The frame is one of :func:`values_of`; a figure that is not printed is left out.
    """
    values = values_of(table, frame, quantities)
    printed = [(f, values.get((f.table, f.keys, f.quantity))) for f in paper.figures(table)]
    return agreement(entry_of(f, value) for f, value in printed if value is not None).droplevel("table")
