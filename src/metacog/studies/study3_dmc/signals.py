"""Which signal of confidence tells right answers from wrong ones, and at what cost?

A signal is a way of asking with its form. Every interval resamples base questions, which pairings and orders repeat.
A signal that is constant, or parsed in under :data:`MIN_PARSED` of its trials, is undefined: its row says why, and
it is never ranked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.collect.models import labelled
from metacog.core.frames import ended
from metacog.measures.cell import MIN_PARSED
from metacog.report.views import Views
from metacog.sdt.area_intervals import auroc2_p
from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.decisions import holm
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import weight_chunks
from metacog.studies.contributions import signal_areas_of
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc.asking.ways import NAMES, way_name
from metacog.studies.study3_dmc.measures import Draws, units_of, way_cell

#: Level of the tests of a model's signals, adjusted over them by Holm.
LEVEL = 0.05


@analysis(needs=("single", "repeated", "written", "position"))
def signals(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """Which signal of confidence tells right answers from wrong ones, and at what cost?"""
    trials = labelled(pd.concat(map(inputs.trials, ("single", "repeated", "written")), ignore_index=True))
    pooled = signal_table(trials, Draws(n_resamples, 2, seed))
    return {
        "pooled": pooled,
        "ranking": ranked(pooled),
        "positions": positions(labelled(inputs.trials("position")), n_resamples=n_resamples, seed=seed),
        "least_parsed": MIN_PARSED,
    }


def signal_table(trials: pd.DataFrame, draws: Draws) -> pd.DataFrame:
    """Every signal of every model over all sets: what came back, accuracy, AUROC2 and confidence less accuracy with
    limits, calls a trial.

    ``p`` is two-sided, of an AUROC2 of one half (NaN without an interval); ``why`` says why a signal is undefined.
    """
    by_signal = trials[trials["form"] != "letters"].groupby(["model", "method", "form"], sort=False)
    return pd.DataFrame([_row(labels, part, draws) for labels, part in by_signal])


def _row(labels: Iterable[object], trials: pd.DataFrame, draws: Draws) -> dict[str, object]:
    model, method, form = map(str, labels)
    used = trials[trials["parse_status"] == "ok"]
    cell = way_cell(trials, draws, ratios=())
    row: dict[str, object] = {
        "model": model,
        "method": method,
        "form": form,
        "name": way_name(method, form),
        "asked": cell.asked,
        "n": cell.n,
        "parsed": cell.n / cell.asked,
        "questions": used["base_id"].nunique(),
        "calls": float(trials["n_calls"].mean()),
        "why": cell.why,
    }
    nothing = float("nan")
    for name in ("accuracy", "auroc2", "overconfidence"):
        ends = cell.made.bounds.get(name, (nothing, nothing))
        row |= ended(name, cell.made.values.get(name, nothing), *ends)
    row["p"] = nothing
    if "auroc2" in cell.made.bounds:
        row["p"] = auroc2_p(used["correct"], used["confidence"], clusters=units_of(used))
    if cell.why and len(used):
        row["accuracy"] = float(used["correct"].mean())
    return row


def ranked(pooled: pd.DataFrame) -> pd.DataFrame:
    """Signals of each model, the highest AUROC2 first, without undefined ones.

    ``beyond``: AUROC2 lies above one half at 5 %, adjusted over the signals of the model.
    """
    kept = pooled[(pooled["why"] == "") & pooled["auroc2"].notna()].copy()
    adjusted = kept.groupby("model", sort=False)["p"].transform(holm)
    kept["beyond"] = (adjusted < LEVEL) & (kept["auroc2"] > 0.5)
    place = pd.Categorical(kept["model"], pooled["model"].unique()).codes
    return kept.iloc[np.lexsort((-kept["auroc2"], place))].reset_index(drop=True)


# Position bias of a binary choice: how far the place of an option decides, whatever it says.


def positions(trials: pd.DataFrame, *, n_resamples: int = 2000, seed: int = 42) -> pd.DataFrame:
    """Position bias of each model, over all sets, where letters were chosen from a list (``position``)."""
    chosen = trials[trials["response"].notna()]
    rows = []
    for model, part in chosen.groupby("model", sort=False):
        options = {"n_resamples": n_resamples, "seed": seed}
        found = position_bias(part["stimulus"], part["response"].astype(int), units_of(part), **options)
        right = float(part["correct"].mean())
        rows.append({"model": str(model), "n": len(part), **found, "accuracy": right})
    return pd.DataFrame(rows)


def position_bias(
    stimulus: ArrayLike, response: ArrayLike, clusters: ArrayLike, *, n_resamples: int = 2000, seed: int = 42
) -> dict[str, float]:
    """How often the first option (0) is chosen, and how much more often than its being right explains.

    With a = P(first chosen | first right) and b = P(first chosen | second right) the bias is a + b - 1: accuracy moves
    a up and b down alike and cancels, so orders need not be balanced. Its limits resample base questions, which
    pairings and orders repeat.
    """
    right, chosen, unit = np.asarray(stimulus), np.asarray(response), np.asarray(clusters)
    if right.ndim != 1 or right.size == 0 or not right.shape == chosen.shape == unit.shape:
        raise InputError("stimulus, response and clusters must hold one value for each of some trials")
    if not (np.isin(right, (0, 1)).all() and np.isin(chosen, (0, 1)).all()):
        raise InputError("stimulus and response must be 0 or 1: leave out trials without an answer")
    index = np.unique(unit, return_inverse=True)[1]
    n_clusters = int(index.max()) + 1
    cells = np.zeros((n_clusters, 4))
    np.add.at(cells, (index, 2 * right.astype(int) + chosen.astype(int)), 1)
    bias = float(_bias(cells.sum(axis=0)[None])[0])
    lower = upper = float("nan")
    if n_clusters > 1 and np.isfinite(bias):
        chunks = weight_chunks(n_clusters, n_resamples, seed, n_clusters)
        lower, upper = percentile_limits(np.concatenate([_bias(weights @ cells) for weights in chunks]))
    return {"first": float(np.mean(chosen == 0)), "bias": bias, "lower": lower, "upper": upper}


def _bias(cells: FloatArray) -> FloatArray:
    """From counts of (right, chosen) as 00, 01, 10, 11."""
    with np.errstate(invalid="ignore", divide="ignore"):
        first_right = cells[:, 0] / (cells[:, 0] + cells[:, 1])
        second_right = cells[:, 2] / (cells[:, 2] + cells[:, 3])
    found: FloatArray = first_right + second_right - 1
    return found


# What each signal is worth where one of two answers is chosen: rows for the page that sets tasks beside each other.

#: What was asked, as readers know it.
TASK = "one of two answers"
#: The plain way of asking for each kind of signal, by its name in the study's tables.
PLAIN = {
    NAMES["token_probability"]: "log-probability",
    way_name("verbal_vanilla", "written"): "stated number",
    NAMES["p_true"]: "P(True)",
    NAMES["consistency_self_random"]: "agreement",
}


@analysis(name="signal_areas", needs=("signals", "replication"))
def signal_areas(inputs: Inputs) -> dict[str, Any]:
    """How well does each signal tell right answers from wrong ones, and what does abstaining by it gain?"""
    pooled, decided = inputs.result("signals").pooled, inputs.result("replication").abstained
    plain = pooled[pooled["name"].isin(list(PLAIN))]
    areas = plain.assign(task=TASK, signal=plain["name"].map(PLAIN))
    made = decided[decided["name"].isin(list(PLAIN)) & (decided["why"] == "")]
    return signal_areas_of(areas.to_dict("records"), made.assign(task=TASK, signal=made["name"].map(PLAIN)))


def figures(result: Any) -> dict[str, Any]:
    """How many models a way of asking shows to know something (Holm), and the highest of these ways, with its model."""
    known = result.ranking[result.ranking["beyond"]].sort_values("auroc2", ascending=False, kind="stable")
    best = known.iloc[0].to_dict() if len(known) else {"name": "", "model": ""}
    return {
        "n_models": int(result.pooled["model"].nunique()),
        "n_known": int(known["model"].nunique()),
        "best_way": best["name"],
        "best_model": best["model"],
    }


VIEWS = (Views("signals", numbers=figures),)
