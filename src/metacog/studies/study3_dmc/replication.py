"""What do the study's four questions get for answers from the models of this run?

How many of the comparisons that can be made show what is asked, for each question and model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from metacog.core.frames import typed_rows, with_ends
from metacog.core.words import listed, plural
from metacog.measures.cell import MIN_FOR_INTERVALS, MIN_TRIALS
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc.abstaining import (
    GAINS,
    LOSES,
    SHARES,
    UNDECIDED,
    abstained,
    figures,
    relations,
)
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.cells import Cells, all_trials, cell_table
from metacog.studies.study3_dmc.contrasts import UNDEFINED, apart, contrasts
from metacog.studies.study3_dmc.measures import D_HAT, N_RATINGS, PADDED, Draws
from metacog.studies.study3_dmc.variations import LESS, MORE, variation_table
from metacog.verdicts.rules import NOT_TESTABLE

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
WHY_UNDEFINED = (
    "the way of asking failed or trials are too few",
    f"{D_HAT} is not above 0 beyond doubt",
    "an answer was never right or never wrong",
    PADDED,
    "too few resamples could be fitted",
)

_TYPES = dict.fromkeys(("claim", "model", "answer", "why"), "str")


def questions(
    cells: pd.DataFrame,
    variations: pd.DataFrame,
    ways: pd.DataFrame,
    models: pd.DataFrame,
    abstained: pd.DataFrame,
) -> pd.DataFrame:
    """One row per question and model: ``claim, model, answer`` (such as "3 of 28") and ``why``."""
    rows: list[dict[str, str]] = []
    for model in cells["model"].drop_duplicates().astype(str):
        own = [table[table["model"] == model] for table in (cells, variations, ways, abstained)]
        pairs = models[(models["first"] == model) | (models["second"] == model)]
        rows += _of_model(model, own[0][own[0]["dataset"] != ALL], own[1], own[2], pairs, own[3])
    order = {claim: place for place, claim in enumerate(CLAIMS.values())}
    made = typed_rows(rows, _TYPES)
    return made.sort_values("claim", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def _of_model(
    model: str,
    cells: pd.DataFrame,
    varying: pd.DataFrame,
    ways: pd.DataFrame,
    pairs: pd.DataFrame,
    decided: pd.DataFrame,
) -> Iterator[dict[str, str]]:
    yield _questions_row("defined", model, int(cells["mc"].notna().sum()), len(cells), _undefined(cells))
    known = varying[varying["gap"].notna()]
    more, less = (int((known["outcome"] == one).sum()) for one in (MORE, LESS))
    told = f"{less} vary less, the rest cannot be told apart"
    why = told if len(known) else "fewer than two sets have both measures"
    yield _questions_row("flat", model, more, len(known), why)
    yield _apart("ways", model, ways, "no two ways are defined")
    nothing = "the run has one model" if pairs.empty else "no pair of models is defined"
    yield _apart("models", model, pairs, nothing)
    decided = decided[decided["outcome"] != UNDECIDED]
    gains, loses = (int((decided["outcome"] == one).sum()) for one in (GAINS, LOSES))
    told = f"it loses something in {loses}; the rest cannot be told apart from a strategy without confidence"
    why = told if len(decided) else "every way of asking is undefined"
    yield _questions_row("abstaining", model, gains, len(decided), why)


def _apart(name: str, model: str, rows: pd.DataFrame, nothing: str) -> dict[str, str]:
    rows = rows[rows["outcome"] != UNDEFINED]
    how = "adjusted for all pairs of the run" if len(rows) else nothing
    return _questions_row(name, model, len(apart(rows)), len(rows), how)


def _questions_row(name: str, model: str, n: int, of: int, why: str) -> dict[str, str]:
    answer = f"{n} of {of}" if of else NOT_TESTABLE
    return {"claim": CLAIMS[name], "model": model, "answer": answer, "why": why}


def _undefined(cells: pd.DataFrame) -> str:
    """Why the measure is undefined, with the number of cells of a way of asking and a set."""
    good, failed = int(cells["mc"].notna().sum()), int((cells["why"] != "").sum())
    empty, near = (int(cells["why_ratio"].str.startswith(x).sum()) for x in ("no answer", D_HAT))
    padded = int((cells["why_ratio"] == PADDED).sum())
    rest = len(cells) - good - failed - near - empty - padded
    counts = zip(WHY_UNDEFINED, (failed, near, empty, padded, rest), strict=True)
    told = listed(f"in {n} {reason}" for reason, n in counts if n)
    return CELLS.format(cells=plural(len(cells), "cell")) + (f"; {told}" if good < len(cells) else "")


#: The three ways of which the paper shows all models: its table 3 and its figure's grid. Here they are scored or
#: sampled, or parsed where an engine cannot score.
GRID = ("verbal_vanilla", "verbal_topk", "consistency_self_random")


def in_grid(cells: pd.DataFrame, decided: pd.DataFrame) -> pd.DataFrame:
    """Cells of the paper's three ways, sets one by one and all together, these with the shares of its figure."""
    own = cells[cells["method"].isin(GRID) & (cells["form"] != "written")]
    shares = decided[["model", "name", *with_ends(*SHARES)]].assign(dataset=ALL)
    return own.merge(shares, how="left", on=["model", "name", "dataset"], validate="1:1")


@analysis(needs=("single", "repeated", "written", "contrasts"))
def replication(
    inputs: Inputs, *, n_resamples: int = 2_000, n_permutations: int = 2_000, seed: int = 42
) -> dict[str, Any]:
    """What do the study's four questions get for answers from the models here?"""
    measured = Cells(all_trials(inputs), Draws(n_resamples, n_permutations, seed))
    pairs = inputs.result("contrasts")
    cells = cell_table(measured)
    decided, varying = abstained(measured), variation_table(measured)
    return {
        "cells": cells,
        "grid": in_grid(cells, decided),
        "variations": varying,
        "abstained": decided,
        "relations": relations(measured, decided),
        "questions": questions(cells, varying, pairs.ways, pairs.models, decided),
        "ratings": N_RATINGS,
        "resamples": n_resamples,
        "least_trials": MIN_TRIALS,
        "least_of_a_kind": MIN_FOR_INTERVALS,
    }


ANALYSES = (contrasts, replication)

VIEWS = (Views("replication", numbers=figures),)
