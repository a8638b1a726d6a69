"""Which of 33 models know best what they know, ranked as far as they can be?"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table, with_ends
from metacog.core.words import listed
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.measures.estimates import Measured, measure
from metacog.measures.table import SOUND, Options, make_cell
from metacog.report.views import Views
from metacog.sdt import auroc2
from metacog.sdt.area_intervals import auroc2_interval
from metacog.sdt.ranking import rank_sets, significantly_higher
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study6_frontier.ledger.rows import load, partly_stated, stated
from metacog.studies.study6_frontier.paper import DOMAINS, FILES, as_numbers
from metacog.verdicts.outcomes import Rule, counted, outcomes
from metacog.verdicts.rules import Unit

if TYPE_CHECKING:
    from collections.abc import Mapping


#: How often intervals of AUROC2 hold the truth at the atlas's sizes, made by ``benchmarks/cell_coverage.py``; and what
#: it calls cells with the atlas's own ties.
SIMULATED = "data/simulations/cell_coverage.csv"
TIED = "tied"
#: Measures that models are ranked by, as readers know them; more is better in each.
MEASURES = {"auroc2": "AUROC2", "meta_i2r": "meta-I2r", "accuracy": "accuracy"}
#: Ways of taking the rows of a model whose confidences were put in by the parser of replies.
STATED, PUT_IN = "stated confidences", "with those put in"

RULES = {
    "order": Rule(
        "A count: of the pairs of models ranked by AUROC2, more than half differ significantly when all pairs are "
        "judged together.",
        "order",
        worst="one unlike",
    )
}


@analysis(files=(*FILES, SIMULATED))
def ranking(
    inputs: Inputs,
    trials: pd.DataFrame | None = None,
    *,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int = 42,
    verdicts: bool = True,
) -> dict[str, Any]:
    """Which of 33 large models know best what they know, and how sure is their order?"""
    every = load().trials if trials is None else trials
    own = stated(every)
    made = measured(own, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
    uncounted = partly_stated(every)
    ranked = {q: order({m: one for m, one in made.items() if m not in uncounted}, q) for q in MEASURES}
    printed = as_numbers("summary").sort_values("aggregate", ascending=False, kind="stable")["model"]
    apart = neighbours_apart(ranked["auroc2"][1], list(printed))
    cells = domain_cells(own)
    put_in = every[every["model"].isin(uncounted)].groupby("model")
    values = {
        STATED: {model: made[model].values["auroc2"] for model in uncounted},
        PUT_IN: {str(model): auroc2(rows["correct"], rows["score"]) for model, rows in put_in},
    }
    unlike = [(model, way, value) for way, areas in values.items() for model, value in areas.items()]
    return {
        "board": board(own, made, ranked["auroc2"][0], list(printed), uncounted),
        "board_counted": pd.DataFrame([{**count(*ranked[q]), "measure": MEASURES[q]} for q in MEASURES]),
        "cells": cells,
        "coverage": simulated_cells(),
        "unlike": pd.DataFrame(unlike, columns=["model", "rows", "auroc2"]),
        "outcomes": settled(made) if verdicts else None,
        "n_ranked_neighbours": len(apart),
        "n_ranked_neighbours_apart": sum(apart),
        "n_cells": len(cells),
        "n_few": int(cells["why"].str.endswith("wrong answers").sum()),
    }


def simulated_cells() -> pd.DataFrame:
    """Every simulated cell, and whether its intervals are ``sound``."""
    table = committed_table(SIMULATED, keep_default_na=False)
    return table.assign(sound=table["coverage"].between(*SOUND))


def measured(
    trials: pd.DataFrame, *, n_resamples: int, n_permutations: int, seed: int
) -> dict[str, Measured]:
    """All measures of each model; resamples draw from all items, the same for every model."""
    items = np.unique(trials["question_id"])
    questions = tuple(("atlas", str(item)) for item in items)
    found = {}
    for model, own in trials.groupby("model", sort=False):
        cell = make_cell(own, own, Options())
        unit = np.searchsorted(items, own["question_id"].to_numpy()).astype(np.int64)
        found[str(model)] = measure(
            replace(cell, unit=unit, questions=questions),
            n_resamples=n_resamples,
            n_permutations=n_permutations,
            seed=seed,
        )
    return found


def order(models: Mapping[str, Measured], quantity: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ranks of models by a measure, all pairs judged together; models without draws are left out.

    Returns
    -------
    table : DataFrame
        ``model, rank, rank_lower, rank_upper``, best first: a model's rank lies between these ends, for all models at
        once with 95 % confidence.
    higher : DataFrame
        Whether the model of a row is significantly higher than that of a column.
    """
    names = sorted(models, key=lambda m: -models[m].values.get(quantity, np.nan))
    kept = [m for m in names if models[m].defined(quantity) and quantity in models[m].bounds]
    values = np.array([models[m].values[quantity] for m in kept])
    draws = np.array([models[m].paired(quantity) for m in kept])
    higher = significantly_higher(values, draws[:, np.isfinite(draws).all(axis=0)])
    low, high = rank_sets(higher)
    table = {"model": kept, "rank": pd.Series(-values).rank(), "rank_lower": low, "rank_upper": high}
    return pd.DataFrame(table), pd.DataFrame(higher, index=kept, columns=kept)


def count(table: pd.DataFrame, higher: pd.DataFrame) -> dict[str, object]:
    """How far an order goes: pairs that are apart, models that may be first, and the median width of ranks."""
    n = len(table)
    return {
        "models": n,
        "pairs": n * (n - 1) // 2,
        "apart": int(higher.to_numpy().sum()),
        "may_lead": int((table["rank_lower"] == 1).sum()),
        "leader": str(table["model"].iloc[0]),
        "median_width": float((table["rank_upper"] - table["rank_lower"] + 1).median()),
    }


def neighbours_apart(higher: pd.DataFrame, printed: list[str]) -> list[bool]:
    """Whether neighbours in the printed order differ."""
    return [bool(higher.loc[a, b]) for a, b in pairwise(m for m in printed if m in higher.index)]


def settled(models: Mapping[str, Measured]) -> pd.DataFrame:
    """Whether the order by AUROC2 is settled for most pairs of models."""
    table, higher = order(models, "auroc2")
    either = higher.to_numpy() | higher.to_numpy().T
    names = table["model"]
    pairs = combinations(range(len(names)), 2)
    units = [Unit(f"{names[i]} and {names[j]}", bool(either[i, j])) for i, j in pairs]
    units += [Unit(m, None, "no interval of its AUROC2") for m in sorted(set(models) - set(names))]
    return outcomes("order", units, len(units) // 2 + 1)


def board(
    trials: pd.DataFrame,
    models: Mapping[str, Measured],
    ranks: pd.DataFrame,
    printed: list[str],
    uncounted: tuple[str, ...],
) -> pd.DataFrame:
    """Models by AUROC2 with their ranks; those that do not state all confidences stand last, without one."""
    family = trials.drop_duplicates("model").set_index("model")["family"]
    rows = []
    for model, made in models.items():
        row, n = made.row(), int(made.values["n_trials"])
        about = {
            "model": model,
            "family": family[model],
            "n": n,
            "n_wrong": n - int(made.values["n_correct"]),
        }
        areas = {name: row.get(name, np.nan) for name in with_ends("auroc2")}
        place = printed.index(model) + 1 if model in printed else None
        rows.append(
            {**about, **areas, "printed_rank": place, "flag": row["flag"], "uncounted": model in uncounted}
        )
    made_board = pd.DataFrame(rows).merge(ranks, on="model", how="left")
    return made_board.sort_values(
        ["uncounted", "auroc2"], ascending=[True, False], kind="stable", ignore_index=True
    )


def domain_cells(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of each model in each domain (``area``), and ``why`` there is no interval.

    That is below :data:`metacog.measures.cell.MIN_FOR_INTERVALS` right or wrong answers.
    """
    rows = []
    for (model, domain), own in trials.groupby(["model", "domain"], sort=False):
        wrong = int((~own["correct"]).sum())
        both = 0 < wrong < len(own)
        found = auroc2_interval(own["correct"], own["score"]) if both else None
        few = found is None or min(wrong, len(own) - wrong) < MIN_FOR_INTERVALS
        rows.append(
            {
                "model": model,
                "area": DOMAINS.get(str(domain), ("", str(domain)))[1],
                "auroc2": np.nan if found is None else found.estimate,
                "why": f"{wrong} wrong answers" if few or found is None else found.reason,
            }
        )
    return pd.DataFrame(rows)


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: how far the order goes, a model with confidences put in, and simulated cells."""
    first = result.board_counted.iloc[0]
    ranked = result.board[~result.board["uncounted"]]
    rows = result.unlike.set_index(["model", "rows"])["auroc2"].unstack()
    cells = result.coverage[result.coverage["confidence"] == TIED]
    return {
        **{name: int(first[name]) for name in ("models", "may_lead", "pairs", "apart")},
        "leader": str(first["leader"]),
        "at_chance": listed(ranked.loc[ranked["auroc2_lower"] <= 0.5, "model"]),
        "put_in_model": listed(rows.index),
        "with_pairs": 100 * float(rows[PUT_IN].mean()) if len(rows) else np.nan,
        "without_pairs": 100 * float(rows[STATED].mean()) if len(rows) else np.nan,
        "cells": len(cells),
        "sound": int(cells["sound"].sum()),
        "least_covered": float(cells["coverage"].min()),
        "most_covered": float(cells["coverage"].max()),
    }


VIEWS = Views(
    "ranking",
    numbers=numbers,
    verdicts={"order": lambda result: counted(result.outcomes, "order")},
)
