"""Trials of this run in the form of the published responses, and what is counted of them alone."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.sdt.intervals import wilson
from metacog.sdt.type2 import auroc2_interval_from_counts, table_from_trials
from metacog.studies.study5_battery.commitment import FEWEST
from metacog.studies.study5_battery.paper import RETROSPECTIVE, TRACKS, models_of
from metacog.studies.study5_battery.scores import kind_in_words, scored_by_rule, track_scores

#: Columns that trials of the battery must have to be analysed.
NEEDED = (
    "model",
    "dataset",
    "track",
    "question_id",
    "item_type",
    "correct",
    "answer",
    "key",
    "n_options",
    "keep_withdraw",
    "bet_nobet",
    "path",
    "points",
    "p_answer",
    "p_keep",
    "p_bet",
    "bad_reply",
)
_ALLOWED = {
    "keep_withdraw": ("", "KEEP", "WITHDRAW"),
    "bet_nobet": ("", "BET", "NO_BET"),
    "path": ("", "ANSWER_DIRECTLY", "REQUEST_HINT", "DECLINE"),
}
_AGAIN = "correct them, or read the replies again (`metacog read`)"
#: Signals whose order may separate right from wrong, as readers know them.
SIGNALS = {
    "p_keep": "probability of KEEP",
    "p_bet": "probability of BET",
    "p_answer": "probability of the answer",
}


def checked(trials: pd.DataFrame) -> pd.DataFrame:
    """The trials, seen to be what the analyses take.

    Raises
    ------
    MetacogError
        If they are not; says how.
    """
    if missing := [c for c in NEEDED if c not in trials.columns]:
        raise MetacogError(f"trials of the battery are missing the column {', '.join(missing)}: {_AGAIN}")
    if trials.empty:
        raise MetacogError("there are no trials of the battery: collect them first")
    if unknown := sorted(set(trials["track"]) - set(TRACKS)):
        raise MetacogError(
            f"trials of the battery name the unknown track {', '.join(unknown)}; there are: "
            f"{', '.join(TRACKS)}; {_AGAIN}"
        )
    for name, allowed in _ALLOWED.items():
        if odd := sorted(set(trials[name]) - set(allowed)):
            raise MetacogError(
                f"{name} must be {' or '.join(allowed[1:])}, or empty, found {odd[0]!r}; {_AGAIN}"
            )
    twice = trials.duplicated(["model", "dataset", "question_id"])
    if twice.any():
        first = trials[twice].iloc[0]
        raise MetacogError(
            f"{int(twice.sum())} trials repeat a model's item, the first is {first['model']}, "
            f"{first['question_id']}; {_AGAIN}"
        )
    return trials


def responses(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials that were understood from end to end, with the columns of the published responses.

    ``judged``: whether there is an answer; a declined item has none, and counts for paths alone.
    """
    subset = checked(trials)
    subset = subset[subset["bad_reply"] == ""]
    return subset.assign(
        item=subset["question_id"],
        judged=subset["answer"] != "",
        keep=subset["keep_withdraw"] == "KEEP",
        bet=subset["bet_nobet"] == "BET",
    ).reset_index(drop=True)


def first_form(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials of the form that was asked first, which alone has all tracks; none where there are none."""
    if trials.empty:
        return trials
    forms = sorted(trials["dataset"].unique(), key=lambda name: int(name.rpartition("-")[2]))
    whole = [f for f in forms if {"T2", "T3", "T6"} & set(trials.loc[trials["dataset"] == f, "track"])]
    return trials[trials["dataset"] == (whole or forms)[0]].reset_index(drop=True)


def asked(trials: pd.DataFrame) -> pd.DataFrame:
    """What was asked by model and track, how many conversations could be read, and the ``requests`` they took."""
    rows = []
    for (model, track), subset in checked(trials).groupby(["model", "track"], sort=False):
        bad = subset["bad_reply"]
        before = (subset["track"] == "T6") | (subset["item_type"] == "prospective")
        answered = subset["answer"] != ""
        requests = int(before.sum() + 3 * answered.sum() + (bad == "answer").sum())
        usable = int((bad == "").sum())
        rows.append(
            {"model": model, "track": track, "asked": len(subset), "usable": usable, "requests": requests}
        )
    return pd.DataFrame(rows)


def cost(trials: pd.DataFrame, facts: pd.DataFrame) -> pd.DataFrame:
    """What each form cost each model, from the facts of its runs; empty where none is recorded.

    Tokens are NaN where they were not counted.
    """
    spent = facts.groupby(["model", "dataset"], sort=False)[["minutes", "tokens_read", "tokens_written"]]
    items = trials.groupby(["model", "dataset"]).size().rename("items")
    whole = spent.sum(skipna=False).astype(float)
    return whole.join(items, how="inner").reset_index().rename(columns={"dataset": "form"})


def by_kind(subset: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of each kind of item with Wilson's interval, next to chance."""
    rows = []
    judged = subset[subset["judged"]]
    for (model, track, kind), part in judged.groupby(["model", "track", "item_type"], sort=False):
        share, chance = float(part["correct"].mean()), float((1 / part["n_options"]).mean())
        low, high = wilson(share, len(part))
        rows.append(
            {
                "model": model,
                "track": track,
                "item_type": kind_in_words(str(kind)),
                "n": len(part),
                "accuracy": share,
                "lower": float(low),
                "upper": float(high),
                "chance": chance,
                "beyond_chance": share - chance,
                "beyond_chance_lower": float(low) - chance,
                "beyond_chance_upper": float(high) - chance,
            }
        )
    columns = "model track item_type n accuracy lower upper chance"
    ends = ["beyond_chance", "beyond_chance_lower", "beyond_chance_upper"]
    return pd.DataFrame(rows, columns=[*columns.split(), *ends])


def graded(subset: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of each graded signal over T1 to T5: how well its order separates right answers from wrong ones.

    NaN where a class has fewer than :data:`FEWEST` answers, and where the signal was not scored.
    """
    retro = subset[subset["judged"] & subset["track"].isin(RETROSPECTIVE)]
    rows = []
    for model in models_of(retro):
        for name, label in SIGNALS.items():
            part = retro[(retro["model"] == model) & retro[name].notna()]
            wrong = int((~part["correct"]).sum())
            row = {
                "model": model,
                "signal": label,
                "n": len(part),
                "n_incorrect": wrong,
                "auroc2": np.nan,
                "lower": np.nan,
                "upper": np.nan,
            }
            if min(wrong, len(part) - wrong) >= FEWEST:
                misses, hits, _ = table_from_trials(part["correct"], part[name])
                area = auroc2_interval_from_counts(misses, hits)
                row |= {"auroc2": area.estimate, "lower": area.lower, "upper": area.upper}
            rows.append(row)
    return pd.DataFrame(rows, columns=["model", "signal", "n", "n_incorrect", "auroc2", "lower", "upper"])


def paths(subset: pd.DataFrame) -> pd.DataFrame:
    """How often each path of T6 was chosen, in %, and the points of an item on any of them (``all``)."""
    rows = []
    six = subset[subset["track"] == "T6"]
    for model in models_of(six):
        mine = six[six["model"] == model]
        for path in _ALLOWED["path"][1:]:
            share = 100 * (mine["path"] == path).sum() / len(mine)
            rows.append((model, path, share, float(mine["points"].mean())))
    return pd.DataFrame(rows, columns=["model", "path", "share", "all"])


def with_published_scores(used: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Track scores of some models by rule, above the lowest, the median and the highest published one."""
    parts = [rows for rows in (used, published) if len(rows)]
    *ours, theirs = (track_scores(rows.assign(score=scored_by_rule(rows))) for rows in parts)
    columns = theirs.drop(columns="model")
    ends = {"lowest": columns.min(), "median": columns.median(), "highest": columns.max()}
    rows = [{"model": f"published, {name}", **values} for name, values in ends.items()]
    return pd.concat([*ours, pd.DataFrame(rows)], ignore_index=True)
