"""What is gained by abstaining below a threshold that other questions set? RQ4.

The gain is measured against the better constant strategy (:mod:`metacog.sdt.abstention`). The relation of a measure
with the shares takes one half of the questions for the measure and the other for the shares: from the same answers
both would carry the same luck, and rise together where all know equally much.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import ended, with_ends
from metacog.measures.cell import FloatArray, question_resamples
from metacog.measures.estimates import Measured
from metacog.sdt import abstain_held_out
from metacog.sdt.abstention import AbstentionDraws, HeldOut, resample_held_out
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.rank_correlations import spearman
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.cells import MEASURES, Cells, Questions, Way
from metacog.studies.study3_dmc.measures import questions_of, units_of

#: Fewer points than this have no rank correlation worth an interval.
MIN_POINTS = 5

SHARES = {"a_acc": "A-Acc", "r_acc": "R-Acc"}

#: Measures whose relation with the shares is asked for.
RELATED = ("mc", "auroc2")

#: What the interval of a gain shows.
GAINS, LOSES, NEITHER, UNDECIDED = "gains", "loses", "same", "undefined"

#: What the interval of a relation shows.
RISES, FALLS, NONE, CONSTANT, FEW = "rises", "falls", "none", "constant", "few points"


def abstained(cells: Cells) -> pd.DataFrame:
    """R-Acc and A-Acc of every model and way of asking over all sets, with intervals.

    ``constant`` is A-Acc of answering all or of abstaining from all, whichever is better on the other half; ``gain`` is
    A-Acc minus that.
    """
    return pd.DataFrame([_abstaining_row(cells, model, way) for model, way in cells.asked])


def _abstaining_row(cells: Cells, model: str, way: Way) -> dict[str, object]:
    cell, nothing = cells.cell(model, way), float("nan")
    row: dict[str, object] = {"model": model, "name": way.name, "n": cell.n, "questions": cell.questions}
    row |= dict.fromkeys(("accuracy", "coverage", "constant", *RELATED), nothing)
    row |= dict.fromkeys(with_ends(*SHARES, "gain"), nothing)
    row |= {"outcome": UNDECIDED, "why": cell.made.why.get("auroc2", "")}
    if row["why"]:
        return row
    held, again = _decided(cells, cells.of(model, way))
    for name, value in {"a_acc": held.pooled.a_acc, "r_acc": held.pooled.r_acc, "gain": held.gain}.items():
        low, high = percentile_limits(getattr(again, name))
        row |= ended(name, value, low, high)
    row["outcome"] = GAINS if low > 0 else LOSES if high < 0 else NEITHER
    row |= {"accuracy": held.pooled.accuracy, "coverage": held.pooled.coverage, "constant": held.constant}
    return row | {name: cell.made.values.get(name, nothing) for name in RELATED}


def _decided(cells: Cells, trials: pd.DataFrame) -> tuple[HeldOut, AbstentionDraws]:
    """Decisions of some trials, each half by the other's threshold, and those of resampled questions."""
    used = trials[trials["parse_status"] == "ok"]
    unit, all_units = units_of(used), np.unique(units_of(trials))
    n, seed = cells.draws.n_resamples, cells.draws.seed
    weights = np.concatenate([*question_resamples(questions_of(trials), n, seed)])
    arrays = used["correct"].to_numpy(bool), used["confidence"].to_numpy(np.float64)
    again = resample_held_out(*arrays, unit, weights[:, np.isin(all_units, unit)], seed=seed)
    return abstain_held_out(*arrays, clusters=unit, seed=seed), again


def halves(questions: Questions, seed: int) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """The questions of each set in two random halves, the same for the same questions and seed."""
    first = {}
    for dataset, ids in questions.items():
        rng = np.random.default_rng([seed, zlib.crc32(dataset.encode())])
        order = rng.permutation(sorted(ids))
        first[dataset] = frozenset(order[: len(ids) // 2].tolist())
    return first, {dataset: ids - first[dataset] for dataset, ids in questions.items()}


def relations(cells: Cells, table: pd.DataFrame) -> pd.DataFrame:
    """Whether measures go with the shares (``table`` of :func:`abstained`), over the largest group of models and ways
    with the same questions: ``n`` of them, ``of`` as many as are in the group."""
    groups: dict[frozenset[tuple[str, str]], list[tuple[str, Way]]] = {}
    for (model, way), outcome in zip(cells.asked, table["outcome"], strict=True):
        if outcome != UNDECIDED:
            asked = cells.questions(model, way)
            key = frozenset((name, one) for name, ids in asked.items() for one in ids)
            groups.setdefault(key, []).append((model, way))
    group = max(groups.values(), key=len, default=[])
    related = Cells(cells.trials, cells.draws, ratios=RELATED)
    sides = [
        [_side(related, model, way, half) for half in halves(cells.questions(model, way), cells.draws.seed)]
        for model, way in group
    ]
    rows = [
        {"measure": m, "measure_name": MEASURES[m], "share": title, **_relation(sides, m, share)}
        for m in RELATED
        for share, title in SHARES.items()
    ]
    return pd.DataFrame(rows)


#: One half of the questions: measures, and shares of decisions with their resamples.
Side = tuple[Measured, dict[str, float], dict[str, FloatArray]]


def _side(cells: Cells, model: str, way: Way, questions: Questions) -> Side:
    made = cells.cell(model, way, questions=questions).made
    if "auroc2" in made.why:
        return made, {}, {}
    held, again = _decided(cells, cells.of(model, way, ALL, questions))
    shares = {name: getattr(held.pooled, name) for name in SHARES}
    return made, shares, {name: getattr(again, name) for name in SHARES}


def _relation(points: list[list[Side]], measure: str, share: str) -> dict[str, object]:
    """Mean of the two rank correlations: either half's measure with the other half's shares."""
    used = [
        sides
        for sides in points
        if all(made.defined(measure) and np.isfinite(known.get(share, np.nan)) for made, known, _ in sides)
    ]
    row: dict[str, object] = {"n": len(used), "of": len(points)}
    row |= dict.fromkeys(("rho", "lower", "upper"), float("nan"))
    if len(used) < MIN_POINTS:
        return {**row, "outcome": FEW}
    values, draws = [], []
    for one, other in ((0, 1), (1, 0)):
        measures, shares, again = (
            [s[one][0] for s in used],
            [s[other][1] for s in used],
            [s[other][2] for s in used],
        )
        x = np.array([[made.values[measure] for made in measures]])
        values.append(spearman(x, np.array([[known[share] for known in shares]]))[0])
        x = np.stack([made.paired(measure) for made in measures], axis=1)
        draws.append(spearman(x, np.stack([drawn[share] for drawn in again], axis=1)))
    rho = float(np.mean(values))
    if not np.isfinite(rho):
        return {**row, "outcome": CONSTANT}
    low, high = percentile_limits(np.mean(draws, axis=0))
    outcome = RISES if low > 0 else FALLS if high < 0 else NONE
    return {**row, "rho": rho, "lower": low, "upper": high, "outcome": outcome}


def figures(result: Any) -> dict[str, Any]:
    """In how many ways of asking a model abstaining by confidence gains, and in how many it loses."""
    known = result.abstained.loc[result.abstained["outcome"] != UNDECIDED, "outcome"]
    return {
        "n_ways": len(known) or float("nan"),
        "n_gain": int((known == GAINS).sum()),
        "n_lose": int((known == LOSES).sum()),
    }
