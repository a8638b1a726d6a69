"""The paper's four questions by model: how many of the comparisons that can be made show what is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from metacog.core.frames import typed_rows
from metacog.core.words import expected, listed, plural
from metacog.report.rules import NOT_TESTABLE
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.measures.dmc import D_HAT, PADDED
from metacog.studies.study3_dmc.replication import abstaining, comparisons, variations

#: What is asked of a model, in the paper's order, and first whether its measure can be computed at all.
CLAIMS = {
    "defined": "The paper's measure can be computed",
    "flat": "Another measure varies more over question sets",
    "ways": "Two ways of asking differ (AUROC2)",
    "models": "It differs from another model (AUROC2)",
    "abstaining": "Abstaining by confidence gains something",
}
CELLS = "{cells} of a way of asking and a set"
#: Why the paper's measure is undefined in some of them.
UNDEFINED = (
    "the way of asking failed or trials are too few",
    f"{D_HAT} is not above 0 beyond doubt",
    "an answer was never right or never wrong",
    PADDED,
    "too few resamples could be fitted",
)
_TYPES = dict.fromkeys(("claim", "model", "answer", "why"), "str")


@dataclass(frozen=True)
class Tables:
    """The tables of the four questions; see :class:`.analysis.Replication`."""

    cells: pd.DataFrame
    variations: pd.DataFrame
    ways: pd.DataFrame
    models: pd.DataFrame
    abstained: pd.DataFrame


def questions(tables: Tables) -> pd.DataFrame:
    """One row per question and model: ``claim, model, answer`` (such as "3 of 28") and ``why``."""
    rows = [row for model in tables.cells["model"].drop_duplicates() for row in _of_model(tables, str(model))]
    order = {claim: place for place, claim in enumerate(CLAIMS.values())}
    made = typed_rows(rows, _TYPES)
    return made.sort_values("claim", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def _of_model(tables: Tables, model: str) -> Iterator[dict[str, str]]:
    def own(frame: pd.DataFrame) -> pd.DataFrame:
        return frame[frame["model"] == model]

    cells = own(tables.cells)
    cells = cells[cells["dataset"] != ALL]
    yield _row("defined", model, int(cells["mc"].notna().sum()), len(cells), _undefined(cells))
    varying = own(tables.variations)
    known = varying[varying["gap"].notna()]
    more, less = (int((known["outcome"] == one).sum()) for one in (variations.MORE, variations.LESS))
    why = (
        f"{less} vary less, the rest cannot be told apart"
        if len(known)
        else "fewer than two sets have both measures"
    )
    yield _row("flat", model, more, len(known), why)
    yield _apart("ways", model, own(tables.ways), "no two ways are defined")
    pairs = tables.models[(tables.models["first"] == model) | (tables.models["second"] == model)]
    yield _apart(
        "models", model, pairs, "the run has one model" if pairs.empty else "no pair of models is defined"
    )
    decided = own(tables.abstained)
    decided = decided[decided["outcome"] != abstaining.UNDEFINED]
    gains, loses = (int((decided["outcome"] == one).sum()) for one in (abstaining.GAINS, abstaining.LOSES))
    why = f"it loses something in {loses}; the rest cannot be told apart from a strategy without confidence"
    yield _row(
        "abstaining", model, gains, len(decided), why if len(decided) else "every way of asking is undefined"
    )


def _apart(name: str, model: str, rows: pd.DataFrame, nothing: str) -> dict[str, str]:
    rows = rows[(rows["measure"] == "auroc2") & (rows["outcome"] != comparisons.UNDEFINED)]
    chance = f"{expected(comparisons.CHANCE * len(rows))} would by chance"
    return _row(name, model, len(comparisons.apart(rows)), len(rows), chance if len(rows) else nothing)


def _row(name: str, model: str, n: int, of: int, why: str) -> dict[str, str]:
    answer = f"{n} of {of}" if of else NOT_TESTABLE
    return {"claim": CLAIMS[name], "model": model, "answer": answer, "why": why}


def _undefined(cells: pd.DataFrame) -> str:
    """Why the measure is undefined, with the number of cells of a way of asking and a set."""
    good, failed = int(cells["mc"].notna().sum()), int((cells["why"] != "").sum())
    empty, near = (int(cells["why_ratio"].str.startswith(x).sum()) for x in ("no answer", D_HAT))
    padded = int((cells["why_ratio"] == PADDED).sum())
    rest = len(cells) - good - failed - near - empty - padded
    counts = zip(UNDEFINED, (failed, near, empty, padded, rest), strict=True)
    told = listed(f"in {n} {reason}" for reason, n in counts if n)
    return CELLS.format(cells=plural(len(cells), "cell")) + (f"; {told}" if good < len(cells) else "")
