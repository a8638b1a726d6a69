"""The study's experiment with confidence on trials collected here: tables, measures and what they say.

Cells are small, so 1/(2K) is added to every count (the log-linear rule of Hautus 1995 for hits and false
alarms): a rate of 0 or 1 then leaves d' finite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.sdt import auroc2_interval, fittable, type1
from metacog.sdt.bootstrap import MetaDBootstrap, bootstrap_meta_d_many
from metacog.sdt.intervals import wilson
from metacog.sdt.padding import ENDS, padding
from metacog.sdt.simulate import counts_from_trials
from metacog.sdt.type1 import Type1
from metacog.sdt.type2 import delong_paired
from metacog.studies.study2_two_choice.published import CONFIDENCE, Ratings
from metacog.studies.study2_two_choice.settings import TASKS
from metacog.studies.study2_two_choice.usable import usable

#: Ratings a side.
K = len(CONFIDENCE)
#: Added to every count.
PAD = 1 / (2 * K)
#: Signals of confidence that a trial may carry, and their names for readers.
SIGNALS = {
    "rating": "the digit given",
    "expected_confidence": "the mean over the digits",
    "p_decision": "the probability of the decision",
}


def groups(trials: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Usable trials of each task and model, tasks in order, models as met."""
    kept = usable(trials)
    for task in TASKS:
        for model, part in kept[kept["task"] == task].groupby("model", sort=False):
            yield task, str(model), part


def rating_cells(trials: pd.DataFrame) -> tuple[Ratings, ...]:
    """Tables of the cells that have usable trials of both stimuli and more than one rating.

    Raises
    ------
    MetacogError
        If no cell has.
    """
    found = []
    for task, model, part in groups(trials):
        rating, side = part["rating"].to_numpy(), part["response"].to_numpy()
        placed = np.where(side == 1, K + rating, K + 1 - rating)  # surest S1 ... surest S2
        s1, s2 = counts_from_trials(part["stimulus"], placed, K)
        if s1.any() and s2.any() and ((s1 + s2) > 0).sum() > 1:
            found.append(Ratings(task, model, s1, s2))
    if not found:
        raise MetacogError(
            "study2_two_choice: no cell has usable trials of both stimuli with more than one rating; "
            "look at the replies (`parse_status`, `text`) or ask closed choices (`how: choose`)"
        )
    return tuple(found)


def unfitted_said(trials: pd.DataFrame, cells: pd.DataFrame) -> str:
    """Which cells were asked and could not be fitted."""
    have = {(r.task, r.model) for r in rows_of(cells)}
    asked = trials[["task", "model", "name"]].drop_duplicates()
    lost = [place(r) for r in rows_of(asked) if (r.task, r.model) not in have]
    if not lost:
        return f"All {plural(len(have), 'cell')} could be fitted."
    return (
        f"{plural(len(lost), 'cell')} could not be fitted, for want of usable trials of both stimuli with "
        f"more than one rating: {listed(lost)}."
    )


def fitted(cells: Sequence[Ratings], n_resamples: int, seed: int) -> pd.DataFrame:
    """Measures of each cell.

    Returns
    -------
    DataFrame
        ``task, model, n``; ``accuracy`` (Wilson), ``d_prime`` and ``c`` (delta method), ``meta_d`` and
        ``m_ratio`` (maximum likelihood, stratified bootstrap), ``auroc2``, each with ``_lo`` and ``_hi``;
        ``d_prime_se, c_se``; ``levels``: different ratings given (with one, or where d' is 0 to the last
        trial, meta-d' and M-ratio are NaN);
        ``dropped``: share of resamples without an M-ratio; ``near_chance``: the
        interval of d' reaches 0; ``padded``: what is added to every count makes d' or M-ratio
        (:mod:`metacog.sdt.padding`), so that d', c, meta-d' and M-ratio have no interval.
    """
    s1, s2 = np.stack([c.nR_S1 for c in cells]), np.stack([c.nR_S2 for c in cells])
    known = np.flatnonzero(fittable(s1, s2, pad=PAD))
    boots: dict[int, MetaDBootstrap] = {}
    if known.size:
        many = bootstrap_meta_d_many(
            s1[known], s2[known], n_resamples=n_resamples, seed=seed, pad=PAD, scheme="stratified"
        )
        boots = dict(zip(known.tolist(), many, strict=True))
    return pd.DataFrame([_row(cell, boots.get(i)) for i, cell in enumerate(cells)])


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
        "accuracy_lo": float(low),
        "accuracy_hi": float(high),
    }
    for name in ("d_prime", "c"):
        value, half = getattr(one, name), one.half_width(name)
        found |= {name: value, f"{name}_lo": value - half, f"{name}_hi": value + half}
        found[f"{name}_se"] = one.half_width(name, z=1.0)
    by_level = cell.nR_S1 + cell.nR_S2
    found["levels"] = int(((by_level[:K][::-1] + by_level[K:]) > 0).sum())
    for name in ("meta_d", "m_ratio"):
        values = (float("nan"),) * 3
        if boot and found["levels"] > 1:  # with one digit, what was added to the counts would be fitted
            values = (getattr(boot.estimate, name), *getattr(boot, f"ci_{name}"))
        found |= dict(zip((name, f"{name}_lo", f"{name}_hi"), values, strict=True))
    found |= {
        "dropped": 1 - boot.n_valid / boot.n_resamples if boot else 1.0,
        "near_chance": bool(found["d_prime_lo"] <= 0),
        "padded": _made(cell, found["levels"]),
    }
    if found["padded"]:
        ends = (f"{name}_{end}" for name in ("d_prime", "c", "meta_d", "m_ratio") for end in ("lo", "hi"))
        found |= dict.fromkeys(ends, float("nan"))
    return found


def _made(cell: Ratings, levels: int) -> bool:
    """Whether padding makes d', or M-ratio where there is one."""
    one = padding(cell.nR_S1[None], cell.nR_S2[None], pad=PAD)
    return bool(one.sensitive[0] if levels > 1 else one.d_prime_move[0] > one.d_prime_se[0])


def signals(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of every signal of confidence, and its difference from that of the digit given.

    Returns
    -------
    DataFrame
        One row a task, model and signal: ``n, right, levels`` (different values), ``auroc2`` with limits,
        ``gain, gain_lo, gain_hi, p`` (DeLong et al. 1988, the same answers); NaN where it cannot be told.
    """
    rows = []
    for task, model, part in groups(trials):
        for name, words in SIGNALS.items():
            score = part[name]
            base: dict[str, Any] = {
                "task": task,
                "model": model,
                "signal": name,
                "words": words,
                "n": int(score.notna().sum()),
                "right": int(part["correct"].sum()),
                "levels": int(score.nunique()),
            }
            rows.append(base | _areas(part["correct"], score, part["rating"], itself=name == "rating"))
    return pd.DataFrame(rows)


def _areas(correct: pd.Series, score: pd.Series, rating: pd.Series, *, itself: bool) -> dict[str, float]:
    names = ("auroc2", "auroc2_lo", "auroc2_hi", "gain", "gain_lo", "gain_hi", "p")
    found = dict.fromkeys(names, float("nan"))
    if score.isna().any() or correct.nunique() < 2:
        return found
    area = auroc2_interval(correct, score)
    found |= {"auroc2": area.estimate, "auroc2_lo": area.lower, "auroc2_hi": area.upper}
    if not itself:
        pair = delong_paired(correct, score, rating)
        found |= {"gain": pair.difference, "gain_lo": pair.lower, "gain_hi": pair.upper, "p": pair.p_value}
    return found


def place(row: Any) -> str:
    """``SmolLM2 on task A``."""
    return f"{row.name} on task {row.task}"


def near_said(cells: pd.DataFrame) -> str:
    """Whose d' cannot be told from 0, so that the M-ratio cannot be judged."""
    near = cells[cells["near_chance"]]
    if near.empty:
        return f"In all {len(cells)} cells the 95 % interval of d' lies above 0."
    names = [f"{place(r)} ({r.d_prime:.2f}, {_interval(r)})" for r in rows_of(near)]
    return (
        f"In {len(near)} of {len(cells)} cells the 95 % interval of d' reaches 0: {listed(names)}. There the "
        "M-ratio divides by what may be nothing, and it cannot be judged, whatever the number."
    )


def _interval(row: Any) -> str:
    return "made of its padding" if row.padded else f"{row.d_prime_lo:.2f} to {row.d_prime_hi:.2f}"


def padded_said(cells: pd.DataFrame, what: str = "d' or M-ratio") -> str:
    """Which cells are made of their padding.

    Parameters
    ----------
    cells : DataFrame
        With ``name, task, padded``, and ``risk`` where cells differ in it.
    what : str
        What moves by more than its standard error there.
    """
    made = cells[cells["padded"]]
    if made.empty:
        return f"In none of {plural(len(cells), 'cell')} is {what} made by what is added to every count."
    risk = {"": "", "None": ", no warning", "S1": ", warned of S1", "S2": ", warned of S2"}
    names = [f"{place(r)}{risk[getattr(r, 'risk', '')]}" for r in rows_of(made)]
    return (
        f"In {len(made)} of {plural(len(cells), 'cell')} {what} moves by more than its own standard error as "
        f"what is added to every count goes from {ENDS[0]:g} to {ENDS[1]:g}: {listed(names)}. Such a cell is "
        "made of its padding, and its numbers stand without an interval."
    )


def constant_said(cells: pd.DataFrame) -> str:
    """Where one rating was given throughout, so that there is no meta-d'."""
    flat = cells[cells["levels"] < 2]
    if flat.empty:
        return f"In all {plural(len(cells), 'cell')} more than one rating was given."
    return (
        f"In {len(flat)} of {plural(len(cells), 'cell')} one and the same rating was given throughout "
        f"({listed(place(r) for r in rows_of(flat))}): there is no meta-d' then."
    )


def judged_said(cells: pd.DataFrame) -> str:
    """In how many cells the posterior of M-ratio can be judged, and why not in the others.

    Parameters
    ----------
    cells : DataFrame
        As :func:`metacog.measures.posterior.posterior_table` gives it, with ``name`` and ``task``.
    """
    kept, rest = cells[cells["judged"]], cells[~cells["judged"]]
    said = f"M-ratio can be judged in {len(kept)} of {plural(len(cells), 'cell')}"
    if len(kept):
        said += f": {listed(f'{place(r)} ({r.said})' for r in rows_of(kept))}"
    if rest.empty:
        return f"{said}."
    reasons = (r.why.removeprefix("M-ratio cannot be judged: ").removesuffix(".") for r in rows_of(rest))
    why = "; ".join(f"{place(r)}: {reason}" for r, reason in zip(rows_of(rest), reasons, strict=True))
    width = (rest["m_ratio_hi"] - rest["m_ratio_lo"]).min()
    return f"{said}. Where it cannot, its 95 % interval is at least {width:.1f} wide. {why}."


def known_said(table: pd.DataFrame) -> str:
    """In how many cells each signal tells right answers from wrong ones, by its interval of AUROC2."""
    parts = []
    for name, words in SIGNALS.items():
        own = table[(table["signal"] == name) & table["auroc2"].notna()]
        clear = own[own["auroc2_lo"] > 0.5]
        if len(own):
            parts.append(f"{words} in {len(clear)} of {len(own)} cells")
    if not parts:
        return "No cell has right and wrong answers to tell apart."
    return f"Right answers carry more confidence than wrong ones (AUROC2 above 0.5, 95 %) by {listed(parts)}."


def finer_said(table: pd.DataFrame) -> str:
    """What reading confidence from probabilities gains over the digit, cell by cell."""
    said = []
    for name, words in list(SIGNALS.items())[1:]:
        own = table[(table["signal"] == name) & table["gain"].notna()]
        if own.empty:
            said.append(f"{words.capitalize()} is not known: the engine gave no probabilities.")
            continue
        better, worse = own[own["gain_lo"] > 0], own[own["gain_hi"] < 0]
        most = own.iloc[int(np.argmax(own["gain"]))]
        said.append(
            f"{words.capitalize()} orders the same answers better than the digit does in {len(better)} of "
            f"{len(own)} cells and worse in {len(worse)} (95 % intervals of the difference); the largest "
            f"gain is {most['gain']:+.2f} ({most['name']} on task {most['task']})."
        )
    return " ".join(said)
