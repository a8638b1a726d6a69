"""The experiment with confidence on the models of the run: tables, measures and signals of confidence.

Cells are small, so 1/(2K) is added to every count (the log-linear rule of Hautus 1995 for hits and false
alarms): a rate of 0 or 1 then leaves d' finite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.models import labels_of
from metacog.core.frames import typed_rows
from metacog.engines.base import Message
from metacog.engines.requests import user
from metacog.sdt import auroc2, auroc2_interval
from metacog.sdt.bootstrap import MetaDBootstrap, bootstrap_meta_d_many, padding
from metacog.sdt.intervals import wilson
from metacog.sdt.meta_d import fittable
from metacog.sdt.simulate import counts_from_trials
from metacog.sdt.type1 import Type1, type1
from metacog.sdt.type2 import delong_paired
from metacog.studies.study2_two_choice.asking.sentences import sentences
from metacog.studies.study2_two_choice.asking.wordings import load_wordings
from metacog.studies.study2_two_choice.paper import CONFIDENCE, Ratings
from metacog.studies.study2_two_choice.paper import TASKS as NAMES
from metacog.studies.study2_two_choice.settings import TASKS, Settings

# What is put to the models of the run: the first request about one sentence of each task.


def requests(settings: Settings, collections: Sequence[Any]) -> pd.DataFrame:
    """The first request about one sentence of each task, and what is asked next: one row per turn.

    Returns
    -------
    DataFrame
        ``task``, its ``name``, ``role``, ``content``, and ``example``: the number of the answered example
        that the turn belongs to, 0 outside of examples. The model's decision has no ``content``.
    """
    (confidence,) = (c for c in collections if c.name == "confidence")
    rows = []
    for one in settings.sets().values():
        turns = list(confidence.first(sentences(one)[0], one).turns)
        n_examples = 0
        if one.how == "choose":
            n_examples = one.examples
            turns += [Message(role="assistant", content=""), user(load_wordings().choose["confidence"])]
        name = load_wordings().tasks[one.task].name
        for place, turn in enumerate(turns):
            example = (place + 1) // 2 if 1 <= place <= 2 * n_examples else 0
            rows.append((one.task, name, turn["role"], turn["content"], example))
    return pd.DataFrame(rows, columns=["task", "name", "role", "content", "example"])


# What was asked of each cell and what of it can be used: every reply is counted.

#: A cell of the design.
CELL = ("model", "dataset", "task", "risk")
#: How readers know the collections.
EXPERIMENTS = {"confidence": "with confidence", "warned": "under risk"}


def usable(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials whose reply was understood, ``response`` (and ``rating``, if there is one) as whole numbers."""
    kept = trials[trials["parse_status"] == "ok"]
    whole = {name: "int64" for name in ("response", "rating") if name in kept}
    return kept.astype(whole).reset_index(drop=True)


def asked_by_cell(trials: pd.DataFrame) -> pd.DataFrame:
    """How many trials each cell has, and how many of them can be used.

    Parameters
    ----------
    trials : DataFrame
        Of one of the study's collections.

    Returns
    -------
    DataFrame
        One row per cell in the order met: :data:`CELL`, ``asked``, ``usable``, ``unparsed`` (their sum is
        ``asked``), ``repaired`` (usable after being asked once more), ``refused`` and ``truncated`` (of the
        unparsed), ``correct`` (share of the usable; NaN if there is none).
    """
    ok = trials["parse_status"] == "ok"
    flags = trials[list(CELL)].assign(
        usable=ok,
        unparsed=~ok,
        repaired=ok & (trials["repairs"] > 0),
        refused=~ok & trials["refusal"],
        truncated=~ok & trials["truncated"],
        right=ok & trials["correct"],
    )
    by_cell = flags.groupby(list(CELL), sort=False)
    cells = by_cell.sum().astype("int64")
    cells.insert(0, "asked", by_cell.size())
    cells["correct"] = cells.pop("right") / cells["usable"].where(cells["usable"] > 0)
    return cells.reset_index()


def of_both(trials: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """:func:`asked_by_cell` of both collections, with ``experiment``; one row per cell."""
    parts = [
        asked_by_cell(rows).assign(experiment=EXPERIMENTS[name]) for name, rows in trials.items() if len(rows)
    ]
    return pd.concat(parts, ignore_index=True).sort_values(
        ["model", "task"], kind="stable", ignore_index=True
    )


def groups(trials: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Usable trials of each task and model, tasks in order, models as met."""
    kept = usable(trials)
    for task in TASKS:
        for model, part in kept[kept["task"] == task].groupby("model", sort=False):
            yield task, str(model), part


def with_labels(frame: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``name``, the label of the row's model, and ``task_name`` where they have a task."""
    found = frame.assign(name=frame["model"].map(labels_of(frame["model"])).astype("str"))
    return found.assign(task_name=found["task"].map(NAMES).astype("str")) if "task" in found else found


#: Ratings per side.
K = len(CONFIDENCE)
#: Added to every count.
PAD = 1 / (2 * K)
#: Signals of confidence that a trial may carry. The last is about the option that the model prefers, which need not be
#: the one that was drawn.
SIGNALS = ("rating", "expected_confidence", "p_decision", "p_preferred")
#: What readers call them.
SIGNAL_NAMES = {
    "rating": "the digit given",
    "expected_confidence": "the mean over the digits",
    "p_decision": "the probability of the decision",
    "p_preferred": "the probability of the preferred option",
}
_CELL = {"task": "str", "model": "str"}
#: Columns of :func:`fitted`.
FITTED = {
    **_CELL,
    "n": "int64",
    **{
        f"{name}{end}": "float64" for name in ("accuracy", "d_prime", "c") for end in ("", "_lower", "_upper")
    },
    **{f"{name}_se": "float64" for name in ("d_prime", "c")},
    "levels": "int64",
    **{f"{name}{end}": "float64" for name in ("meta_d", "m_ratio") for end in ("", "_lower", "_upper")},
    "dropped": "float64",
    "near_chance": "bool",
    "padded": "bool",
}
#: Columns of :func:`unfitted`.
UNFITTED = {
    **_CELL,
    "asked": "int64",
    "decided": "int64",
    "usable": "int64",
    "levels": "int64",
    "why": "str",
}
#: Columns of :func:`signals`.
COMPARED = {
    **_CELL,
    "signal": "str",
    "n": "int64",
    "right": "int64",
    "levels": "int64",
    **dict.fromkeys(
        ("auroc2", "auroc2_lower", "auroc2_upper", "gain", "gain_lower", "gain_upper", "p"), "float64"
    ),
}

#: Columns of :func:`draws`.
DRAWS = {
    **_CELL,
    **dict.fromkeys(("n", "wrong", "against", "wrong_against"), "int64"),
    **dict.fromkeys(("decision", "taken", "preferred"), "float64"),
}


def rating_cells(trials: pd.DataFrame) -> tuple[Ratings, ...]:
    """Tables of the cells that have usable trials of both stimuli, and not all of one decision and rating.

    There may be none; :func:`unfitted` says why of each cell.
    """
    found = []
    for task, model, part in groups(trials):
        rating, side = part["rating"].to_numpy(), part["response"].to_numpy()
        placed = np.where(side == 1, K + rating, K + 1 - rating)  # surest S1 ... surest S2
        s1, s2 = counts_from_trials(part["stimulus"], placed, K)
        if s1.any() and s2.any() and ((s1 + s2) > 0).sum() > 1:
            found.append(Ratings(task, model, s1, s2))
    return tuple(found)


def unfitted(trials: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """The cells that were asked and are not among the fitted ``cells``, with what they lack.

    Returns
    -------
    DataFrame
        One row per cell in the order met: ``task, model``, ``asked`` trials, how many of them are ``decided`` and how
        many ``usable`` (with a decision and a rating), ``levels`` (different ratings of those), and ``why`` there is
        no table of ratings.
    """
    have = set(zip(cells["task"], cells["model"], strict=True))
    rows = [
        {"task": task, "model": model, **_lacking(part)}
        for (task, model), part in trials.groupby(["task", "model"], sort=False)
        if (task, model) not in have
    ]
    return typed_rows(rows, UNFITTED)


def _lacking(trials: pd.DataFrame) -> dict[str, Any]:
    kept = usable(trials)
    if not len(kept):
        why = "no reply has both a decision and a rating"
    elif kept["stimulus"].nunique() < 2:
        why = "only replies to one of the two kinds of sentence can be used"
    else:
        why = "the same decision and the same rating were given throughout"
    return {
        "asked": len(trials),
        "decided": int(trials["response"].notna().sum()),
        "usable": len(kept),
        "levels": kept["rating"].nunique(),
        "why": why,
    }


def fitted(cells: Sequence[Ratings], n_resamples: int, seed: int) -> pd.DataFrame:
    """Measures of each cell, no row where there is none; without resamples those that need none.

    Returns
    -------
    DataFrame
        ``task, model, n``; ``accuracy`` (Wilson), ``d_prime`` and ``c`` (delta method), ``meta_d`` and
        ``m_ratio`` (maximum likelihood, stratified bootstrap), each with ``_lower`` and ``_upper``;
        ``d_prime_se, c_se``; ``levels``: different ratings given (with one, or where d' is 0 to the last
        trial, meta-d' and M-ratio are NaN); ``dropped``: share of resamples without an M-ratio;
        ``near_chance``: the interval of d' reaches 0; ``padded``: what is added to every count determines d'
        or M-ratio (:mod:`metacog.sdt.bootstrap`), so that d', c, meta-d' and M-ratio have no interval.
    """
    if not cells:
        return typed_rows([], FITTED)
    s1, s2 = np.stack([c.nR_S1 for c in cells]), np.stack([c.nR_S2 for c in cells])
    known = np.flatnonzero(fittable(s1, s2, pad=PAD))
    boots: dict[int, MetaDBootstrap] = {}
    if known.size and n_resamples:
        many = bootstrap_meta_d_many(
            s1[known], s2[known], n_resamples=n_resamples, seed=seed, pad=PAD, scheme="stratified"
        )
        boots = dict(zip(known.tolist(), many, strict=True))
    return typed_rows([_row(cell, boots.get(i)) for i, cell in enumerate(cells)], FITTED)


def unjudged(cells: pd.DataFrame) -> pd.Series:
    """Why the M-ratio of each cell of :func:`fitted` cannot be judged; empty where it can."""
    reasons = {
        "the same rating throughout": cells["levels"] < 2,
        "determined by what is added to every count": cells["padded"].astype(bool),
        "d' may be 0": cells["near_chance"].astype(bool),
    }
    return pd.Series(np.select(list(reasons.values()), list(reasons), default=""), index=cells.index)


def _decisions(cell: Ratings) -> Type1:
    return type1(cell.nR_S1, cell.nR_S2, correction="loglinear")


def _row(cell: Ratings, boot: MetaDBootstrap | None) -> dict[str, Any]:
    one = _decisions(cell)
    n = int(cell.nR_S1.sum() + cell.nR_S2.sum())
    right = int(cell.nR_S1[:K].sum() + cell.nR_S2[K:].sum())
    low, high = wilson(right / n, n)
    found: dict[str, Any] = {
        "task": cell.task,
        "model": cell.model,
        "n": n,
        "accuracy": right / n,
        "accuracy_lower": float(low),
        "accuracy_upper": float(high),
    }
    for name in ("d_prime", "c"):
        value, half = getattr(one, name), one.half_width(name)
        found |= {name: value, f"{name}_lower": value - half, f"{name}_upper": value + half}
        found[f"{name}_se"] = one.half_width(name, z=1.0)
    by_level = cell.nR_S1 + cell.nR_S2
    found["levels"] = int(((by_level[:K][::-1] + by_level[K:]) > 0).sum())
    for name in ("meta_d", "m_ratio"):
        values = (float("nan"),) * 3
        if boot and found["levels"] > 1:  # with one digit, what was added to the counts would be fitted
            values = (getattr(boot.estimate, name), *getattr(boot, f"ci_{name}"))
        found |= dict(zip((name, f"{name}_lower", f"{name}_upper"), values, strict=True))
    found |= {
        "dropped": 1 - boot.n_valid / boot.n_resamples if boot else 1.0,
        "near_chance": bool(found["d_prime_lower"] <= 0),
        "padded": _made(cell, found["levels"]),
    }
    if found["padded"]:
        ends = (
            f"{name}_{end}" for name in ("d_prime", "c", "meta_d", "m_ratio") for end in ("lower", "upper")
        )
        found |= dict.fromkeys(ends, float("nan"))
    return found


def _made(cell: Ratings, levels: int) -> bool:
    """Whether padding makes d', or M-ratio where there is one."""
    one = padding(cell.nR_S1[None], cell.nR_S2[None], pad=PAD)
    return bool(one.sensitive[0] if levels > 1 else one.d_prime_move[0] > one.d_prime_se[0])


def signals(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of every signal of confidence, and its difference from that of the digit given.

    The preferred option is judged by whether it is right itself: what the model would say without a draw.

    Returns
    -------
    DataFrame
        One row per task, model and signal: ``n, right, levels`` (different values), ``auroc2`` with limits,
        ``gain, gain_lower, gain_upper, p`` (DeLong et al. 1988, the same answers); NaN where
        it cannot be determined.
    """
    rows = []
    for task, model, part in groups(trials):
        preferred, probability = preferences(part)
        for name in SIGNALS:
            own = name == "p_preferred"
            score, correct = (probability, preferred) if own else (part[name], part["correct"])
            base: dict[str, Any] = {
                "task": task,
                "model": model,
                "signal": name,
                "n": int(score.notna().sum()),
                "right": int(correct.sum()),
                "levels": int(score.nunique()),
            }
            rows.append(base | _areas(correct, score, None if name == "rating" or own else part["rating"]))
    return typed_rows(rows, COMPARED)


def with_names(table: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``read_from``: what readers call the signal."""
    return table.assign(read_from=table["signal"].map(SIGNAL_NAMES).astype("str"))


def preferences(trials: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Whether the option that the model prefers is right, and its probability; of trials whose decisions have one."""
    p = trials["p_decision"]
    return trials["correct"].astype(bool) ^ (p < 0.5), p.where(p >= 0.5, 1 - p)


def draws(trials: pd.DataFrame) -> pd.DataFrame:
    """How much of what the probability of a decision tells is the luck of its draw.

    Returns
    -------
    DataFrame
        One row per task and model with probabilities: ``n`` decisions, how many are ``wrong``, ``against`` the model's
        own preference (their probability is below one half) and both (``wrong_against``); AUROC2 of the probability
        of the ``decision``, of that of the preferred option for the decisions ``taken``, and for the option that is
        ``preferred`` itself; NaN where all are right or all wrong.
    """
    rows = []
    for task, model, part in groups(trials):
        if part["p_decision"].isna().any():
            continue
        wrong, against = ~part["correct"].astype(bool), part["p_decision"] < 0.5
        preferred, probability = preferences(part)
        areas = {
            "decision": (~wrong, part["p_decision"]),
            "taken": (~wrong, probability),
            "preferred": (preferred, probability),
        }
        rows.append(
            {
                "task": task,
                "model": model,
                "n": len(part),
                "wrong": int(wrong.sum()),
                "against": int(against.sum()),
                "wrong_against": int((wrong & against).sum()),
                **{k: auroc2(hit, p) if hit.nunique() > 1 else float("nan") for k, (hit, p) in areas.items()},
            }
        )
    return typed_rows(rows, DRAWS)


def _areas(correct: pd.Series, score: pd.Series, rating: pd.Series | None) -> dict[str, float]:
    names = ("auroc2", "auroc2_lower", "auroc2_upper", "gain", "gain_lower", "gain_upper", "p")
    found = dict.fromkeys(names, float("nan"))
    if score.isna().any() or correct.nunique() < 2:
        return found
    area = auroc2_interval(correct, score)
    found |= {"auroc2": area.estimate, "auroc2_lower": area.lower, "auroc2_upper": area.upper}
    if rating is not None:
        pair = delong_paired(correct, score, rating)
        found |= {
            "gain": pair.difference,
            "gain_lower": pair.lower,
            "gain_upper": pair.upper,
            "p": pair.p_value,
        }
    return found
