"""Coverage of the interval of a mean withdraw delta at the battery's own sizes, before and after its mending.

Run: python benchmarks/delta_coverage.py            (about ten minutes of one processor)
     python benchmarks/delta_coverage.py --quick    (200 simulations a design, to see that it works; writes
                                                     nothing)
Each of the published models with a delta on T1 to T5 gives a design for each of four truths: as many right
and wrong answers of each track as it had, kept at known rates. ``null``: right and wrong alike, at the
track's rate. ``shrunk``: at the rates observed, (x + 1/2)/(n + 1). ``even``: wrong answers of every track
kept less often by the model's mean difference of those. ``drawn``: rates drawn again for each simulation from
Beta(x + 1/2, n - x + 1/2). Rows of kind ``family`` ask of whole leaderboards, with every model under the
null, how often any of the pairs differs when all are judged together.
Writes data/simulations/delta_coverage.csv and a .json (command, seed, versions) next to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from recording import SIMULATIONS, parsed
from scipy.special import ndtr

from metacog.sdt.decisions import bonferroni_z
from metacog.sdt.intervals import wilson
from metacog.sdt.weighted import stratified_permutation, weighted_share_limits
from metacog.studies.study5_battery.deltas import counts
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import RETROSPECTIVE

OUT = SIMULATIONS / "delta_coverage.csv"
SEED = 20260415
TRUTHS = ("null", "shrunk", "even", "drawn")
TRACKS = len(RETROSPECTIVE)
MEAN = np.repeat([1 / TRACKS, -1 / TRACKS], TRACKS)
#: Simulations of the exact test, and of whole leaderboards, for each hundred of the interval.
FEWER = 0.1
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sizes:
    """Answers of a model by track, right ones first, and how many of them were kept."""

    model: str
    n: Floats
    kept: Floats


def sizes() -> list[Sizes]:
    """The published models with a delta on every track."""
    table = counts(load())
    found = []
    for model, own in table[table["track"].isin(RETROSPECTIVE)].groupby("model"):
        rows = own.set_index("track").loc[list(RETROSPECTIVE)]
        n, kept = (np.concatenate([rows[f"{x}_correct"], rows[f"{x}_incorrect"]]) for x in ("n", "stood"))
        if n.min() > 0:
            found.append(Sizes(str(model), n.astype(float), kept.astype(float)))
    return found


def rates(one: Sizes, truth: str, simulations: int, rng: np.random.Generator) -> Floats:
    """Rates of keeping, shape ``(simulations, 10)``."""
    if truth == "drawn":
        return rng.beta(one.kept + 0.5, one.n - one.kept + 0.5, (simulations, one.n.size))
    shrunk = (one.kept + 0.5) / (one.n + 1)
    if truth == "null":
        whole = one.kept[:TRACKS] + one.kept[TRACKS:], one.n[:TRACKS] + one.n[TRACKS:]
        p = np.tile(whole[0] / whole[1], 2)
    elif truth == "even":
        right = shrunk[:TRACKS]
        p = np.concatenate([right, np.clip(right - max(MEAN @ shrunk, 0.0), 0.02, 0.98)])
    else:
        p = shrunk
    return np.tile(p, (simulations, 1))


def mover(kept: Floats, n: Floats) -> tuple[Floats, Floats]:
    """The interval as it was: Newcombe's of each track, put together by MOVER."""
    p = kept / n
    low, high = wilson(p, n)
    right, wrong = slice(None, TRACKS), slice(TRACKS, None)
    below = (p - low)[:, right] ** 2 + (high - p)[:, wrong] ** 2
    above = (high - p)[:, right] ** 2 + (p - low)[:, wrong] ** 2
    mean = p @ MEAN
    return mean - np.sqrt(below.sum(axis=1)) / TRACKS, mean + np.sqrt(above.sum(axis=1)) / TRACKS


def run(one: Sizes, truth: str, simulations: int, seed: int) -> dict[str, object]:
    """One design."""
    rng = np.random.default_rng(seed)
    p = rates(one, truth, simulations, rng)
    value = p @ MEAN
    kept = rng.binomial(one.n.astype(int), p).astype(float)
    _, lower, upper = weighted_share_limits(kept, one.n, MEAN)
    old_lower, old_upper = mover(kept, one.n)
    tested = [
        stratified_permutation(k[:TRACKS], one.n[:TRACKS], k[TRACKS:], one.n[TRACKS:]).two_sided <= 0.05
        for k in kept[: int(FEWER * simulations)]
    ]
    return {
        "kind": "mean",
        "model": one.model,
        "truth": truth,
        "n_simulations": simulations,
        "fewest_wrong": int(one.n[TRACKS:].min()),
        "wrong": int(one.n[TRACKS:].sum()),
        "value": 100 * float(value.mean()),
        **covered(lower, upper, value),
        **{f"{k}_before": v for k, v in covered(old_lower, old_upper, value).items()},
        "rejected": float(np.mean(tested)),
    }


def covered(lower: Floats, upper: Floats, truth: Floats) -> dict[str, float]:
    """Coverage and misses on either side, and the median width in points."""
    high, low = lower > truth + 1e-12, upper < truth - 1e-12
    return {
        "coverage": float((~high & ~low).mean()),
        "too_high": float(high.mean()),
        "too_low": float(low.mean()),
        "width": 100 * float(np.median(upper - lower)),
    }


def families(models: list[Sizes], simulations: int, seed: int) -> Iterator[dict[str, object]]:
    """Leaderboards whose models all have a mean delta of 0: pairs that differ, alone and together."""
    rng = np.random.default_rng(seed)
    kept = [rng.binomial(m.n.astype(int), rates(m, "null", simulations, rng)) for m in models]
    pairs = list(combinations(range(len(models)), 2))
    weights = np.concatenate([MEAN, -MEAN])
    level = float(2 * ndtr(bonferroni_z(m=len(pairs))) - 1)
    apart = {name: np.zeros((simulations, len(pairs)), dtype=bool) for name in ("alone", "together")}
    for k, (i, j) in enumerate(pairs):
        hits = np.concatenate([kept[i], kept[j]], axis=1)
        n = np.concatenate([models[i].n, models[j].n])
        for name, wanted in (("alone", 0.95), ("together", level)):
            _, lower, upper = weighted_share_limits(hits, n, weights, level=wanted)
            apart[name][:, k] = (lower > 0) | (upper < 0)
    for name, found in apart.items():
        yield {
            "kind": "family",
            "model": f"{len(models)} models, {len(pairs)} pairs",
            "truth": f"null, {name}",
            "n_simulations": simulations,
            "rejected": float(found.mean()),
            "any_rejected": float(found.any(axis=1).mean()),
        }


def main() -> None:
    """Run every design and write the table."""
    given = parsed(__file__, out=OUT, simulations=4_000, quick={"simulations": 200})
    n = given.simulations
    models, rows = sizes(), []
    for i, one in enumerate(models):
        for j, truth in enumerate(TRUTHS):
            rows.append(run(one, truth, n, SEED + len(TRUTHS) * i + j))
    rows += families(models, max(int(FEWER * n), 20), SEED)
    table = pd.DataFrame(rows)
    shown = ["coverage", "too_high", "too_low", "coverage_before", "too_high_before", "rejected"]
    print(table[table["kind"] == "mean"].groupby("truth")[shown].agg(["mean", "min", "max"]).round(3).T)
    print(table[table["kind"] == "family"][["truth", "rejected", "any_rejected"]])
    facts = {
        "held fixed": "the right and wrong answers of each model and track, as published",
        "truths": list(TRUTHS),
        "simulations of the exact test and of leaderboards": f"{FEWER:.0%} of the others",
    }
    seed = f"{SEED} + {len(TRUTHS)} * number of the model + number of the truth"
    given.write(table, "%.5g", seed=seed, **facts)


if __name__ == "__main__":
    main()
