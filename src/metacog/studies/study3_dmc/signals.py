"""Which signal of confidence tells right answers from wrong ones, and at what cost?

A signal is a way of asking with its form. Every interval resamples base questions, which pairings and orders repeat.
A signal that is constant, or parsed in under :data:`MIN_PARSED` of its trials, is undefined: its row says why, and
it is never ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.collect.models import labelled
from metacog.measures.cell import MIN_PARSED
from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.decisions import holm
from metacog.sdt.intervals import Interval, percentile_interval
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.type2 import auroc2_p
from metacog.studies.contributions import SignalAreas, signal_areas_of
from metacog.studies.study import analysis
from metacog.studies.study3_dmc.asking.ways import ALL, NAMES, way_name
from metacog.studies.study3_dmc.measures import N_RATINGS, Draws, units_of, way_cell

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# Position bias of a binary choice: how far the place of an option decides, whatever it says.


@dataclass(frozen=True)
class PositionBias:
    """How often the first option is chosen beyond what its being right explains.

    Attributes
    ----------
    bias : float
        From -1 (always the second) to 1 (always the first); 0 without preference. NaN where the right
        option never stands first, or never last.
    lower, upper : float
        Percentile interval, clusters resampled; NaN with fewer than two clusters.
    first : float
        Share of trials in which the first option was chosen.
    n_trials, n_clusters : int
    """

    bias: float
    lower: float
    upper: float
    first: float
    n_trials: int
    n_clusters: int


def position_bias(
    stimulus: ArrayLike,
    response: ArrayLike,
    clusters: ArrayLike,
    *,
    n_resamples: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> PositionBias:
    """Position bias with an interval that resamples base questions.

    Parameters
    ----------
    stimulus, response : array of 0/1, shape ``(n,)``
        Which option is right and which was chosen, 0 for the first.
    clusters : array of labels, shape ``(n,)``
        The base question, which its pairings and orders repeat.
    n_resamples, seed, level

    Returns
    -------
    PositionBias

    Raises
    ------
    InputError
        Empty arrays, arrays of different length, or values other than 0 and 1.

    Notes
    -----
    With a = P(first chosen | first right) and b = P(first chosen | second right) the bias is a + b - 1:
    accuracy moves a up and b down alike and cancels, so orders need not be balanced.
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
    interval: Interval | None = None
    if n_clusters > 1 and np.isfinite(bias):
        chunks = weight_chunks(n_clusters, n_resamples, seed, n_clusters)
        draws = np.concatenate([_bias(weights @ cells) for weights in chunks])
        interval = percentile_interval(draws, bias, level=level)
    return PositionBias(
        bias,
        interval.lower if interval else float("nan"),
        interval.upper if interval else float("nan"),
        float(np.mean(chosen == 0)),
        int(right.size),
        n_clusters,
    )


def _bias(cells: FloatArray) -> FloatArray:
    """From counts of (right, chosen) as 00, 01, 10, 11."""
    with np.errstate(invalid="ignore", divide="ignore"):
        first_right = cells[:, 0] / (cells[:, 0] + cells[:, 1])
        second_right = cells[:, 2] / (cells[:, 2] + cells[:, 3])
    found: FloatArray = first_right + second_right - 1
    return found


#: Level of the tests of a model's signals, adjusted over them by Holm.
LEVEL = 0.05
_WITH_LIMITS = ("accuracy", "auroc2", "meta_i2r", "brier", "ece_debiased")


@dataclass(frozen=True)
class Signals:
    """Every signal of every model: ``table`` (:func:`signal_table`), ``pooled`` (its rows of all sets),
    ``ranking``, ``failures`` and ``positions``."""

    table: pd.DataFrame
    pooled: pd.DataFrame
    ranking: pd.DataFrame
    failures: pd.DataFrame
    positions: pd.DataFrame
    least_parsed: float
    ratings: int


@analysis(needs=("single", "repeated", "written", "position"), returns=Signals)
def signals(
    inputs: Inputs, *, n_resamples: int = 2_000, n_permutations: int = 2_000, seed: int = 42
) -> Signals:
    """Which signal of confidence tells right answers from wrong ones, and at what cost?"""
    trials = labelled(pd.concat(map(inputs.trials, ("single", "repeated", "written")), ignore_index=True))
    table = signal_table(trials, Draws(n_resamples, n_permutations, seed))
    return Signals(
        table=table,
        pooled=table[table["dataset"] == ALL].reset_index(drop=True),
        ranking=ranked(table),
        failures=failures(trials),
        positions=positions(labelled(inputs.trials("position")), n_resamples=n_resamples, seed=seed),
        least_parsed=MIN_PARSED,
        ratings=N_RATINGS,
    )


def signal_table(trials: pd.DataFrame, draws: Draws) -> pd.DataFrame:
    """Every signal of every model, over all sets and on each.

    Parameters
    ----------
    trials : DataFrame
        Of the study's collections ``single``, ``repeated`` and ``written``, one below the other.
    draws : Draws

    Returns
    -------
    DataFrame
        One row per model, set and signal: ``model, dataset, method, form, name``; ``asked``, ``n`` (with
        a confidence), ``parsed`` (their share), ``questions`` (base questions of those); ``accuracy``,
        ``auroc2``, ``meta_i2r``, ``brier``, ``ece_debiased`` with ``_lower`` and ``_upper``; ``calls`` per
        trial; ``p``, two-sided, of an AUROC2 of one half (NaN without an interval); ``why`` a signal is undefined,
        empty where it is not; ``remarks`` on rough numbers.
    """
    return pd.DataFrame(
        [_row(labels, part, draws) for labels, part in _cells(trials[trials["form"] != "letters"])]
    )


def _cells(trials: pd.DataFrame) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    for (model, method, form), whole in trials.groupby(["model", "method", "form"], sort=False):
        labels = {"model": str(model), "method": str(method), "form": str(form)}
        yield {**labels, "dataset": ALL}, whole
        for dataset, part in whole.groupby("dataset", sort=False):
            yield {**labels, "dataset": str(dataset)}, part


def _row(labels: dict[str, str], trials: pd.DataFrame, draws: Draws) -> dict[str, object]:
    used = trials[trials["parse_status"] == "ok"]
    cell = way_cell(trials, draws, ratios=False)
    nothing = float("nan")
    row: dict[str, object] = {
        **labels,
        "name": way_name(labels["method"], labels["form"]),
        "asked": cell.asked,
        "n": cell.n,
        "parsed": cell.n / cell.asked,
        "questions": used["base_id"].nunique(),
        "calls": float(trials["n_calls"].mean()),
        "why": cell.why,
        "remarks": "; ".join(remark.text for remark in cell.made.remarks),
    }
    for name in _WITH_LIMITS:
        lower, upper = cell.made.bounds.get(name, (nothing, nothing))
        value = cell.made.values.get(name, nothing)
        row |= {name: value, f"{name}_lower": lower, f"{name}_upper": upper}
    row["p"] = nothing
    if "auroc2" in cell.made.bounds:
        row["p"] = auroc2_p(used["correct"], used["confidence"], clusters=units_of(used))
    if cell.why and len(used):
        row["accuracy"] = float(used["correct"].mean())
    return row


def ranked(table: pd.DataFrame) -> pd.DataFrame:
    """Signals of each model over all sets, the highest AUROC2 first; undefined ones are left out.

    Returns
    -------
    DataFrame
        Rows of :func:`signal_table` with ``rank_auroc2``, ``rank_meta_i2r`` and ``rank_calls`` (1 for the
        highest, or the fewest calls) within the model; a rank is NaN where its measure is. ``p_holm`` is adjusted
        over the signals of a model, and ``beyond``: AUROC2 lies above one half at 5 % even so.
    """
    kept = table[(table["dataset"] == ALL) & (table["why"] == "") & table["auroc2"].notna()].copy()
    by_model = kept.groupby("model", sort=False)
    kept["rank_auroc2"] = by_model["auroc2"].rank(ascending=False)
    kept["rank_meta_i2r"] = by_model["meta_i2r"].rank(ascending=False)
    kept["rank_calls"] = by_model["calls"].rank()
    kept["p_holm"] = by_model["p"].transform(holm)
    kept["beyond"] = (kept["p_holm"] < LEVEL) & (kept["auroc2"] > 0.5)
    order = {model: place for place, model in enumerate(table["model"].drop_duplicates())}
    kept["place"] = kept["model"].map(order)
    return (
        kept.sort_values(["place", "rank_auroc2"], kind="stable").drop(columns="place").reset_index(drop=True)
    )


def failures(trials: pd.DataFrame) -> pd.DataFrame:
    """How many replies of each signal failed, and how: ``model, name, form, status, n, share``."""
    counts = trials.groupby(["model", "method", "form", "parse_status"], sort=False).size()
    table = counts.rename("n").reset_index().rename(columns={"parse_status": "status"})
    whole = table.groupby(["model", "method", "form"])["n"].transform("sum")
    table["share"] = table["n"] / whole
    table["name"] = [way_name(m, f) for m, f in zip(table["method"], table["form"], strict=True)]
    return table


def positions(trials: pd.DataFrame, *, n_resamples: int = 2000, seed: int = 42) -> pd.DataFrame:
    """Position bias where letters were chosen from a list: one row per model and set, and one of all sets.

    Parameters
    ----------
    trials : DataFrame
        Of the collection ``position``.
    """
    rows = []
    for labels, part in _cells(trials[trials["response"].notna()]):
        found = position_bias(
            part["stimulus"],
            part["response"].astype(int),
            units_of(part),
            n_resamples=n_resamples,
            seed=seed,
        )
        rows.append(
            {
                "model": labels["model"],
                "dataset": labels["dataset"],
                "n": found.n_trials,
                "questions": found.n_clusters,
                "first": found.first,
                "bias": found.bias,
                "lower": found.lower,
                "upper": found.upper,
                "accuracy": float(part["correct"].mean()),
            }
        )
    return pd.DataFrame(rows)


ANALYSES = (signals,)


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


@analysis(name="signal_areas", needs=("signals", "replication"), returns=SignalAreas)
def signal_areas(inputs: Inputs) -> SignalAreas:
    """How well does each signal tell right answers from wrong ones, and what does abstaining by it gain?"""
    pooled, decided = inputs.result("signals").pooled, inputs.result("replication").abstained
    plain = pooled[pooled["name"].isin(list(PLAIN))]
    areas = plain.assign(task=TASK, signal=plain["name"].map(PLAIN))
    made = decided[decided["name"].isin(list(PLAIN)) & (decided["why"] == "")]
    return signal_areas_of(areas.to_dict("records"), made.assign(task=TASK, signal=made["name"].map(PLAIN)))
