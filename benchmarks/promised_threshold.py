"""How often a promise about the errors let through is broken, by three rules that choose the threshold.

Run: python benchmarks/promised_threshold.py            (six minutes of one processor)
     python benchmarks/promised_threshold.py --quick    (40 simulations a design, to see that it works; writes nothing)
An engineer wants no more than a share (``most_errors``) of the answers let through to be wrong, and has ``n`` labelled
answers to choose a threshold on. Confidence is normal with variance 1 among right and among wrong answers, their means
as far apart as the AUROC2 needs; in ``steps`` it is rounded to whole numbers, so that it ties. ``chance`` is the worst
world: confidence says nothing, and a little more than the promised share is wrong at every threshold. In ``flat`` it
says nothing either, and half of the promised share is wrong, so that a threshold could be promised.
``observed``: the lowest threshold that keeps the promise in the answers at hand. ``interval``: the lowest at which
the upper limit of Clopper and Pearson (one-sided, 95 %) keeps it. ``sequence``: the rule of
:func:`metacog.sdt.promised_threshold`, the same limit at twenty thresholds in a fixed order with new starts, each with
its part of the error. ``reached`` is how often there is a threshold, ``broken`` how often there is one and the true
error rate, which is known, lies above the promise, ``coverage`` the mean true share let through, 0 where there is no
threshold.
Writes data/simulations/promised_threshold.csv and a .json (command, seed, versions) next to it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from recording import SIMULATIONS, parsed
from scipy.special import betaincinv, ndtr, ndtri

from metacog.sdt import promised_threshold

OUT = SIMULATIONS / "promised_threshold.csv"
SEED = 20261128
PROMISES = (0.01, 0.02, 0.05, 0.1)
SIZES = (100, 250, 500, 1000, 4000)
RULES = ("observed", "interval", "sequence")
LEVEL = 0.95
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """One design; in ``chance`` and ``flat`` the accuracy is that of every threshold."""

    world: str
    accuracy: float
    auroc2: float
    most_errors: float
    n: int


def designs() -> Iterator[Design]:
    """All of them."""
    for n, promise in product(SIZES, PROMISES):
        for world, accuracy, area in product(("continuous", "steps"), (0.7, 0.9), (0.65, 0.8, 0.92)):
            yield Design(world, accuracy, area, promise, n)
        yield Design("chance", 1 - 1.02 * promise, 0.5, promise, n)
        yield Design("flat", 1 - 0.5 * promise, 0.5, promise, n)


def true_rates(design: Design, threshold: float) -> tuple[float, float]:
    """True share of wrong answers among those let through, and the share let through."""
    if np.isinf(threshold):
        return np.nan, 0.0
    cut = threshold - 0.5 if design.world == "steps" else threshold
    wrong = (1 - design.accuracy) * ndtr(-cut)
    right = design.accuracy * ndtr(np.sqrt(2) * ndtri(design.auroc2) - cut)
    return float(wrong / (wrong + right)), float(wrong + right)


def lowest(right: NDArray[np.bool_], sure: Floats, most_errors: float) -> tuple[float, float]:
    """Thresholds of the rules *observed* and *interval*."""
    levels, at = np.unique(sure, return_inverse=True)
    n = np.cumsum(np.bincount(at, minlength=levels.size)[::-1]).astype(float)
    wrong = np.cumsum(np.bincount(at, weights=~right, minlength=levels.size)[::-1])
    limit = np.where(wrong < n, betaincinv(wrong + 1, np.maximum(n - wrong, 1e-9), LEVEL), 1.0)
    found = []
    for kept in (wrong / n <= most_errors, limit <= most_errors):
        place = np.flatnonzero(kept)
        found.append(float(levels[::-1][place[-1]]) if place.size else float("inf"))
    return found[0], found[1]


def run(design: Design, simulations: int) -> list[dict[str, object]]:
    """A row for each rule."""
    rng = np.random.default_rng([SEED, zlib.crc32(repr(astuple(design)).encode())])
    apart = np.sqrt(2) * ndtri(design.auroc2)
    rates = np.empty((len(RULES), simulations, 2))
    for i in range(simulations):
        right = rng.random(design.n) < design.accuracy
        sure = rng.normal(apart * right, 1)
        sure = np.round(sure) if design.world == "steps" else sure
        found = (
            *lowest(right, sure, design.most_errors),
            promised_threshold(right, sure, design.most_errors)[0],
        )
        rates[:, i] = [true_rates(design, threshold) for threshold in found]
    return [
        {
            **vars(design),
            "rule": rule,
            "simulations": simulations,
            "reached": float(np.isfinite(one[:, 0]).mean()),
            "broken": float((one[:, 0] > design.most_errors).mean()),
            "coverage": float(one[:, 1].mean()),
        }
        for rule, one in zip(RULES, rates, strict=True)
    ]


def main() -> None:
    """Run every design and write the table."""
    given = parsed(__file__, out=OUT, simulations=1_000, quick={"simulations": 40})
    table = pd.DataFrame([row for design in designs() for row in run(design, given.simulations)])
    shown = table.groupby(["world", "rule"])[["reached", "broken", "coverage"]]
    print(shown.agg({"reached": "mean", "broken": ["mean", "max"], "coverage": "mean"}).round(3))
    given.write(table, "%.4g", seed=f"[{SEED}, CRC-32 of the design]")


if __name__ == "__main__":
    main()
