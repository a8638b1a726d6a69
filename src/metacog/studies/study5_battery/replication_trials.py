"""Trials of this run in the form of the published responses, and what is counted of them alone."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from metacog.sdt.area_intervals import auroc2_interval_from_counts
from metacog.sdt.intervals import wilson
from metacog.sdt.type2 import table_from_trials
from metacog.studies.study5_battery.asking import wordings
from metacog.studies.study5_battery.commitment import FEWEST
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.paper import RETROSPECTIVE, models_of
from metacog.studies.study5_battery.scores import kind_in_words, scored_by_rule, track_scores

#: Signals whose order may separate right from wrong, as readers know them.
SIGNALS = {
    "p_keep": "probability of KEEP",
    "p_bet": "probability of BET",
    "p_answer": "probability of the answer",
}


#: All tiers of T6 together.
EVERY = "all items"


def responses(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials that were understood from end to end, with the columns of the published responses.

    ``judged``: whether there is an answer; a declined item has none, and counts for paths alone.
    """
    subset = trials[trials["bad_reply"] == ""]
    return subset.assign(
        item=subset["question_id"],
        judged=subset["answer"] != "",
        keep=subset["keep_withdraw"] == "KEEP",
        bet=subset["bet_nobet"] == "BET",
    ).reset_index(drop=True)


def forms_of(trials: pd.DataFrame) -> list[str]:
    """Names of the forms that there are trials of, in the order of their numbers, and then of others' items."""

    def order(name: str) -> tuple[bool, int, str]:
        number = name.removeprefix("form-")
        ours = name != number and number.isdecimal()
        return not ours, int(number) if ours else 0, name

    return sorted(trials["dataset"].unique(), key=order)


def first_form(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials of the form that was asked first, which alone has all tracks; none where there are none."""
    if trials.empty:
        return trials
    written = trials[trials["track"].isin(("T2", "T3", "T6"))]
    form = (forms_of(written) or forms_of(trials))[0]
    return trials[trials["dataset"] == form].reset_index(drop=True)


def sets(trials: pd.DataFrame) -> pd.DataFrame:
    """What each set of items gives of each model: answers judged, share right, mean delta, and points of T6's items."""
    rows = []
    for name in forms_of(trials):
        own = trials[trials["dataset"] == name]
        right = own[own["judged"]].groupby("model")["correct"].agg(n="size", accuracy="mean")
        means = mean_deltas(deltas(own)).set_index("model")[["delta", "lower", "upper"]]
        points = own[own["track"] == "T6"].groupby("model")["points"].mean().rename("all")
        rows.append(right.join([means, points]).reset_index().assign(set=name))
    columns = ["model", "set", "n", "accuracy", "delta", "lower", "upper", "all"]
    return pd.concat(rows)[columns] if rows else pd.DataFrame(columns=columns)


def asked(trials: pd.DataFrame) -> pd.DataFrame:
    """What was asked by model and track, how many conversations could be read, and the ``requests`` they took."""
    bad, answered = trials["bad_reply"], trials["answer"] != ""
    before = (trials["track"] == "T6") | (trials["item_type"] == "prospective")
    requests = before.astype(int) + 3 * answered + (bad == "answer")
    by = trials.assign(usable=bad == "", requests=requests).groupby(["model", "track"], sort=False)
    return by.agg(
        asked=("track", "size"), usable=("usable", "sum"), requests=("requests", "sum")
    ).reset_index()


def cost(trials: pd.DataFrame, facts: pd.DataFrame) -> pd.DataFrame:
    """What each form cost each model, from the facts of its runs; empty where none is recorded.

    Tokens are NaN where they were not counted.
    """
    spent = facts.groupby(["model", "dataset"], sort=False)[["minutes", "tokens_read", "tokens_written"]]
    items = trials.groupby(["model", "dataset"]).size().rename("items")
    whole = spent.sum(skipna=False).astype(float)
    return whole.join(items, how="inner").reset_index().rename(columns={"dataset": "form"})


def by_kind(subset: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of each kind of item with Wilson's interval, next to chance and beyond it."""
    by = subset[subset["judged"]].groupby(["model", "track", "item_type"], sort=False)
    kinds = by.agg(n=("correct", "size"), accuracy=("correct", "mean"), options=("n_options", "mean"))
    kinds = kinds.reset_index().astype({"accuracy": float})
    chance = 1 / kinds.pop("options")  # a kind has one number of options
    lower, upper = wilson(kinds["accuracy"], kinds["n"])
    ends: dict[str, Any] = {"": kinds["accuracy"], "_lower": lower, "_upper": upper}
    return kinds.assign(
        item_type=kinds["item_type"].map(kind_in_words),
        lower=lower,
        upper=upper,
        chance=chance,
        **{f"beyond_chance{end}": value - chance for end, value in ends.items()},
    )


def graded(subset: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of each graded signal over T1 to T5: how well its order separates right answers from wrong ones.

    NaN where a class has fewer than :data:`FEWEST` answers, and where the signal was not scored.
    """
    retro = subset[subset["judged"] & subset["track"].isin(RETROSPECTIVE)]
    rows = []
    for model, (name, label) in product(models_of(retro), SIGNALS.items()):
        part = retro[(retro["model"] == model) & retro[name].notna()]
        n, wrong = len(part), int((~part["correct"]).sum())
        row = {"model": model, "signal": label, "n": n, "n_incorrect": wrong}
        if min(wrong, n - wrong) >= FEWEST:
            misses, hits, _ = table_from_trials(part["correct"], part[name])
            area = auroc2_interval_from_counts(misses, hits)
            row |= {"auroc2": area.estimate, "lower": area.lower, "upper": area.upper}
        rows.append(row)
    return pd.DataFrame(rows, columns=["model", "signal", "n", "n_incorrect", "auroc2", "lower", "upper"])


def paths(subset: pd.DataFrame) -> pd.DataFrame:
    """How often each path of T6 was chosen, in %, on all items and on each ``tier`` of them.

    ``right``: share of right answers on a path, NaN where it has none; ``all``: points of an item on any path.
    """
    six = subset[subset["track"] == "T6"]
    rows = []
    for model, tier in product(models_of(six), (EVERY, *dict.fromkeys(six["level"]))):
        own = six[(six["model"] == model) & ((six["level"] == tier) | (tier == EVERY))]
        chosen, right = own["path"].value_counts(), own[own["judged"]].groupby("path")["correct"].mean()
        rows += [
            (
                model,
                tier,
                path,
                len(own),
                100 * chosen.get(path, 0) / max(len(own), 1),
                right.get(path, np.nan),
                float(own["points"].mean()),
            )
            for path in wordings.PATHS
        ]
    return pd.DataFrame(rows, columns=["model", "tier", "path", "items", "share", "right", "all"])


def with_published_scores(used: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Track scores of some models by rule, above the lowest, the median and the highest published one."""
    parts = [rows for rows in (used, published) if len(rows)]
    *ours, theirs = (track_scores(rows.assign(score=scored_by_rule(rows))) for rows in parts)
    columns = theirs.drop(columns="model")
    ends = {"lowest": columns.min(), "median": columns.median(), "highest": columns.max()}
    rows = [{"model": f"published, {name}", **values} for name, values in ends.items()]
    return pd.concat([*ours, pd.DataFrame(rows)], ignore_index=True)
