"""How good a set of items is, as far as it can be told without asking anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import binomtest, chisquare

from metacog.core.errors import MetacogError
from metacog.sdt.intervals import wilson
from metacog.sdt.type2 import auroc2_interval_from_counts, table_from_trials
from metacog.studies.study5_battery.asking.items.item import BatteryItem
from metacog.studies.study5_battery.measures import FEWEST, kind_in_words, scored_by_rule, track_scores
from metacog.studies.study5_battery.paper import RETROSPECTIVE, TRACKS, models_of

# Trials of this run in the form of the published responses, and what is counted of them alone.

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
        A missing column, no trials, an unknown track, a probe's reply that is none of its options, or an item
        that a model has twice in one form; says which.
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

    Returns
    -------
    DataFrame
        The trials with ``item``, ``keep`` and ``bet`` (bool), and ``judged``: whether there is an answer; a
        declined item has none, and counts for paths alone.
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
    """What was asked, and which replies were none of the options.

    Returns
    -------
    DataFrame
        One row per model and track: ``asked, usable, declined``, then how many conversations ended in a reply
        that could not be read: ``bad_before`` (path or forecast), ``bad_answer, bad_keep, bad_bet``;
        ``requests`` (turns sent to the model).
    """
    rows = []
    for (model, track), subset in checked(trials).groupby(["model", "track"], sort=False):
        bad = subset["bad_reply"]
        before = (subset["track"] == "T6") | (subset["item_type"] == "prospective")
        answered = subset["answer"] != ""
        rows.append(
            {
                "model": model,
                "track": track,
                "asked": len(subset),
                "usable": int((bad == "").sum()),
                "declined": int((subset["path"] == "DECLINE").sum()),
                "bad_before": int(bad.isin(["path", "forecast"]).sum()),
                **{f"bad_{t}": int((bad == t).sum()) for t in ("answer", "keep", "bet")},
                "requests": int(before.sum() + 2 * answered.sum() + answered.sum() + (bad == "answer").sum()),
            }
        )
    return pd.DataFrame(rows)


def cost(trials: pd.DataFrame, facts: pd.DataFrame) -> pd.DataFrame:
    """What each form cost each model.

    Parameters
    ----------
    trials : DataFrame
    facts : DataFrame
        :func:`metacog.collect.manifest.run_facts`, its models named as in ``trials``.

    Returns
    -------
    DataFrame
        ``model, form, items, requests, minutes, tokens_read, tokens_written, sessions`` (times that the run
        was begun or resumed) and, of each item, ``seconds`` and ``tokens``. Empty where no run is recorded;
        tokens are NaN where they were not counted.
    """
    sums = ("n_trials", "minutes", "tokens_read", "tokens_written", "sessions")
    spent = facts.groupby(["model", "dataset"], sort=False)[list(sums)].agg(_whole_sum)
    items = trials.groupby(["model", "dataset"]).size().rename("items")
    results = spent.join(items, how="inner").reset_index()
    return results.rename(columns={"dataset": "form", "n_trials": "requests"}).assign(
        seconds=60 * results["minutes"] / results["items"],
        tokens=(results["tokens_read"] + results["tokens_written"]) / results["items"],
    )


def _whole_sum(values: pd.Series) -> float:
    return float(values.sum(skipna=False))


def by_kind(subset: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of each kind of item next to chance.

    Returns
    -------
    DataFrame
        ``model, track, item_type, n, accuracy, lower, upper`` (Wilson), ``chance``, ``at_chance`` (whether
        chance lies in the interval), ``beyond_chance`` (accuracy less chance) with limits.
    """
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
                "at_chance": bool(low <= chance <= high),
                "beyond_chance": share - chance,
                "beyond_chance_lower": float(low) - chance,
                "beyond_chance_upper": float(high) - chance,
            }
        )
    columns = "model track item_type n accuracy lower upper chance at_chance"
    ends = ["beyond_chance", "beyond_chance_lower", "beyond_chance_upper"]
    return pd.DataFrame(rows, columns=[*columns.split(), *ends])


def positions(subset: pd.DataFrame) -> pd.DataFrame:
    """How often each model takes the first of two options, and how often that is the right one.

    ``model, n, first, lower, upper, right`` (shares; Wilson's interval of ``first``).
    """
    rows = []
    two = subset[subset["judged"] & (subset["n_options"] == 2)]
    for model in models_of(two):
        part = two[two["model"] == model]
        taken = float((part["answer"] == "A").mean())
        low, high = wilson(taken, len(part))
        rows.append(
            {
                "model": model,
                "n": len(part),
                "first": taken,
                "lower": float(low),
                "upper": float(high),
                "right": float((part["key"] == "A").mean()),
            }
        )
    return pd.DataFrame(rows, columns=["model", "n", "first", "lower", "upper", "right"])


def graded(subset: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of each graded signal over T1 to T5: how well its order separates right answers from wrong ones.

    Returns
    -------
    DataFrame
        ``model, signal, n, n_incorrect, auroc2, lower, upper``; NaN where a class has fewer than
        :data:`FEWEST` answers, and where the signal was not scored.
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
    """T6 by path: ``model, path, n, share, right, lower, upper, points``, and ``all`` (the model's mean).

    ``right`` is the share of right answers on the path with Wilson's interval; NaN where nothing is answered.
    """
    rows = []
    six = subset[subset["track"] == "T6"]
    for model in models_of(six):
        mine = six[six["model"] == model]
        for path in _ALLOWED["path"][1:]:
            part = mine[mine["path"] == path]
            answered = part[part["judged"]]
            right = float(answered["correct"].mean()) if len(answered) else np.nan
            low, high = wilson(right, len(answered)) if len(answered) else (np.nan, np.nan)
            rows.append(
                {
                    "model": model,
                    "path": path,
                    "n": len(part),
                    "share": 100 * len(part) / len(mine),
                    "right": right,
                    "lower": float(low),
                    "upper": float(high),
                    "points": float(part["points"].mean()) if len(part) else np.nan,
                    "all": float(mine["points"].mean()),
                }
            )
    return pd.DataFrame(
        rows, columns=["model", "path", "n", "share", "right", "lower", "upper", "points", "all"]
    )


def with_published_scores(used: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Track scores of some models by rule, above the lowest, the median and the highest published one."""
    parts = [rows for rows in (used, published) if len(rows)]
    *ours, theirs = (track_scores(rows.assign(score=scored_by_rule(rows))) for rows in parts)
    columns = theirs.drop(columns="model")
    ends = {"lowest": columns.min(), "median": columns.median(), "highest": columns.max()}
    rows = [{"model": f"published, {name}", **values} for name, values in ends.items()]
    return pd.concat([*ours, pd.DataFrame(rows)], ignore_index=True)


def quality(items: Sequence[BatteryItem]) -> pd.DataFrame:
    """What might give an answer away, or make items count twice, by track.

    Returns
    -------
    DataFrame
        ``track, n, kinds, options, keys`` (how often each letter is right), ``p_keys`` (chi-squared test
        that all letters are equally often right), ``longest`` (share of items whose right option is the only
        longest one), ``chance_longest`` (what that share is if length tells nothing), ``p_longest`` (exact
        binomial test), ``stems`` (items whose question another one has too), ``named`` (items that name the
        right option, and no other, in the question).
    """
    rows = []
    for track in TRACKS:
        subset = [i for i in items if i.track == track]
        if not subset:
            continue
        n_options = len(subset[0].options)
        keys = Counter(i.key for i in subset)
        counts = [keys[letter] for letter in subset[0].letters]
        single = [i for i in subset if _longest(i) is not None]
        right = sum(_longest(i) == i.key for i in single)
        stems = Counter(i.question for i in subset)
        rows.append(
            {
                "track": track,
                "n": len(subset),
                "kinds": len({i.item_type for i in subset}),
                "options": n_options,
                "keys": " ".join(f"{a} {n}" for a, n in zip(subset[0].letters, counts, strict=True)),
                "p_keys": float(chisquare(counts).pvalue),
                "longest": right / len(single) if single else np.nan,
                "chance_longest": 1 / n_options,
                "p_longest": float(binomtest(right, len(single), 1 / n_options).pvalue) if single else np.nan,
                "stems": sum(n for n in stems.values() if n > 1),
                "named": sum(_named(i) for i in subset),
            }
        )
    return pd.DataFrame(rows)


def _longest(item: BatteryItem) -> str | None:
    """Letter of the one longest option; None if two are of that length."""
    lengths = [len(o) for o in item.options]
    top = [k for k, n in enumerate(lengths) if n == max(lengths)]
    return item.letters[top[0]] if len(top) == 1 else None


def _named(item: BatteryItem) -> bool:
    results = [
        a for a, o in zip(item.letters, item.options, strict=True) if o.casefold() in item.question.casefold()
    ]
    return results == [item.key]
