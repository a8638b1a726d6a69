"""The signals of confidence side by side: how often each comes out, what it tells, and what it costs.

A signal is a way of asking with its form. Every interval resamples base questions, which pairings and orders
repeat. A signal that is constant, or parsed in under :data:`MIN_PARSED` of its trials, is undefined: its
row says why, and it is never ranked.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from metacog.measures.cell import Cell
from metacog.measures.estimates import measure
from metacog.sdt.binning import equal_width_edges, rate
from metacog.studies.study3_dmc.position import position_bias

#: Share of trials that must have given a confidence.
MIN_PARSED = 0.8
#: Ratings: equal widths over the range that this signal shows in this cell, closed on the right.
N_RATINGS = 4
#: Row of all sets together.
ALL = "all sets"
#: Signals as readers know them, by method; a form other than these methods' own is added to the name.
NAMES = {
    "verbal_vanilla": "Verbalised, vanilla",
    "verbal_cot": "Verbalised, CoT",
    "verbal_topk": "Verbalised, top-k",
    "consistency_self_random": "Consistency, self-random",
    "consistency_perturbing": "Consistency, perturbing",
    "consistency_misleading": "Consistency, misleading",
    "token_probability": "Token probability",
    "p_true": "P(True)",
    "decoding_entropy": "Decoding entropy",
}
_SHOWN = ("accuracy", "auroc2", "meta_i2r", "brier")


def signal_name(method: str, form: str) -> str:
    """Name of a signal for readers."""
    return f"{NAMES[method]} ({form})" if form in ("written", "parsed") else NAMES[method]


def signal_table(
    trials: pd.DataFrame, *, n_resamples: int = 1000, n_permutations: int = 500, seed: int = 42
) -> pd.DataFrame:
    """Every signal of every model, over all sets and on each.

    Parameters
    ----------
    trials : DataFrame
        Of the study's collections ``single``, ``repeated`` and ``written``, one below the other.
    n_resamples, n_permutations, seed : int

    Returns
    -------
    DataFrame
        One row a model, set and signal: ``model, dataset, method, form, name``; ``asked``, ``n`` (with
        a confidence), ``parsed`` (their share), ``questions`` (base questions of those); ``accuracy``,
        ``auroc2``, ``meta_i2r``, ``brier`` with ``_lower`` and ``_upper``; ``ece``; ``calls`` a trial;
        ``why`` a signal is undefined, empty where it is not; ``remarks`` on rough numbers.
    """
    rows = [
        _row(labels, own, n_resamples, n_permutations, seed)
        for labels, own in _cells(trials[trials["form"] != "letters"])
    ]
    return pd.DataFrame(rows)


def _cells(trials: pd.DataFrame) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    for (model, method, form), whole in trials.groupby(["model", "method", "form"], sort=False):
        labels = {"model": str(model), "method": str(method), "form": str(form)}
        yield {**labels, "dataset": ALL}, whole
        for dataset, own in whole.groupby("dataset", sort=False):
            yield {**labels, "dataset": str(dataset)}, own


def _row(
    labels: dict[str, str], trials: pd.DataFrame, n_resamples: int, n_permutations: int, seed: int
) -> dict[str, object]:
    used = trials[trials["parse_status"] == "ok"]
    row: dict[str, object] = {
        **labels,
        "name": signal_name(labels["method"], labels["form"]),
        "asked": len(trials),
        "n": len(used),
        "parsed": len(used) / len(trials),
        "questions": used["base_id"].nunique(),
        "accuracy": float(used["correct"].mean()) if len(used) else float("nan"),
        "calls": float(trials["n_calls"].mean()),
        "why": undefined(trials),
        "remarks": "",
    }
    for name in (*_SHOWN, "ece"):
        row.setdefault(name, float("nan"))
        if name != "ece":
            row |= {f"{name}_lower": float("nan"), f"{name}_upper": float("nan")}
    if row["why"]:
        return row
    found = measure(cell_of(used), n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
    row |= {name: found.values.get(name, float("nan")) for name in (*_SHOWN, "ece")}
    for name in _SHOWN:
        if name in found.bounds:
            row[f"{name}_lower"], row[f"{name}_upper"] = found.bounds[name]
    row["remarks"] = "; ".join(remark.text for remark in found.remarks)
    return row


def undefined(trials: pd.DataFrame) -> str:
    """Why a signal cannot be judged on these trials; empty if it can."""
    used = trials[trials["parse_status"] == "ok"]
    if len(used) < MIN_PARSED * len(trials):
        return f"{len(used)} of {len(trials)} replies could be parsed"
    if used["confidence"].nunique() < 2:
        return "confidence is constant"
    if used["correct"].nunique() < 2:
        return f"all answers are {'right' if used['correct'].all() else 'wrong'}"
    return ""


def cell_of(trials: pd.DataFrame) -> Cell:
    """Trials of one signal as :func:`metacog.measures.estimates.measure` takes them.

    The unit is the base question within its set. Pairings and orders are aligned when questions
    change places under the null.
    """
    confidence = trials["confidence"].to_numpy(dtype=np.float64)
    edges = equal_width_edges(confidence, N_RATINGS, closed="right")
    unit = np.unique((trials["dataset"] + "/" + trials["base_id"]).to_numpy(str), return_inverse=True)[1]
    pairing = trials["pairing"].astype(str) + trials["option_order"]
    return Cell(
        trials["correct"].to_numpy(dtype=bool),
        confidence,
        rate(confidence, edges, closed="right") - 1,
        N_RATINGS,
        confidence,
        unit.astype(np.int64),
        condition=pairing.to_numpy(str) if unit.max() + 1 < len(trials) else None,
    )


def ranked(table: pd.DataFrame) -> pd.DataFrame:
    """Signals of each model over all sets, the highest AUROC2 first; undefined ones are left out.

    Returns
    -------
    DataFrame
        Rows of :func:`signal_table` with ``rank_auroc2``, ``rank_meta_i2r`` and ``rank_calls`` (1 for the
        highest, or the fewest calls) within the model; a rank is NaN where its measure is.
    """
    kept = table[(table["dataset"] == ALL) & (table["why"] == "") & table["auroc2"].notna()].copy()
    by_model = kept.groupby("model", sort=False)
    kept["rank_auroc2"] = by_model["auroc2"].rank(ascending=False)
    kept["rank_meta_i2r"] = by_model["meta_i2r"].rank(ascending=False)
    kept["rank_calls"] = by_model["calls"].rank()
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
    table["name"] = [signal_name(m, f) for m, f in zip(table["method"], table["form"], strict=True)]
    return table


def positions(trials: pd.DataFrame, *, n_resamples: int = 1000, seed: int = 42) -> pd.DataFrame:
    """Position bias where letters were chosen from a list: a row a model and set, and one of all sets.

    Parameters
    ----------
    trials : DataFrame
        Of the collection ``position``.
    """
    rows = []
    for labels, own in _cells(trials[trials["response"].notna()]):
        unit = (own["dataset"] + "/" + own["base_id"]).to_numpy(str)
        found = position_bias(
            own["stimulus"], own["response"].astype(int), unit, n_resamples=n_resamples, seed=seed
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
                "accuracy": float(own["correct"].mean()),
            }
        )
    return pd.DataFrame(rows)


def ranking_said(ranks: pd.DataFrame, table: pd.DataFrame) -> str:
    """Sentences: the best signal of each model, and which signals are left out."""
    said = []
    for model in table["model"].drop_duplicates():
        own = ranks[ranks["model"] == model]
        out = table[(table["model"] == model) & (table["dataset"] == ALL) & ~table["name"].isin(own["name"])]
        if len(own):
            best = own.iloc[0]
            above = int((own["auroc2_lower"] > 0.5).sum())
            said.append(
                f"{model}: {best['name']} has the highest AUROC2, {best['auroc2']:.2f}; the interval of "
                f"{above} of {len(own)} signals lies above one half."
            )
        else:
            said.append(f"{model}: no signal can be ranked.")
        if len(out):
            said.append(f"Not ranked: {', '.join(out['name'])}.")
    return " ".join(said)
