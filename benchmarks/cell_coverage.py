"""How often the interval of AUROC2 holds the truth where errors are few, and where confidence ties.

Run: python benchmarks/cell_coverage.py            (half a minute of one processor)
     python benchmarks/cell_coverage.py --quick    (50 cells a design, to see that it works; writes nothing)
A cell has a given number of answers, a given number of them wrong. ``continuous`` confidence is N(0, 1) when wrong and
N(mu, 1) when right, with mu from the area. ``tied`` cells are those of the atlas, of a model and a domain or all items,
in size and number of wrong answers; confidence is drawn from what the model has for its wrong and for its right answers
to all items, so that cells tie as the atlas's do, and the truth is the model's AUROC2. Cells with fewer than ten right
or wrong answers have no interval in the book and none here.
Writes data/simulations/cell_coverage.csv and a .json (command, seed, versions) next to it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
from interval_coverage import covered
from numpy.typing import ArrayLike, NDArray
from recording import SIMULATIONS, parsed
from scipy.special import expit, logit, ndtri

from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.sdt.area_intervals import _quantile, area_variances
from metacog.sdt.checks import FloatArray, as_tables
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study6_frontier.ledger.rows import load

OUT = SIMULATIONS / "cell_coverage.csv"
SEED = 20261123
#: Parts of the items, with their answers and wrong ones where confidence is continuous.
DOMAIN, ALL = "domain", "all items"
SIZES = {DOMAIN: [(250, k) for k in (10, 12, 15, 20, 75, 150)], ALL: [(1500, k) for k in (75, 170, 620)]}
AREAS = (0.5, 0.6, 0.7, 0.8, 0.9)
CONTINUOUS, TIED = "continuous", "tied"


@dataclass(frozen=True)
class Design:
    """One cell; ``population`` is the true area or the model whose confidences are drawn from, ``name`` the domain."""

    confidence: str
    population: str
    part: str
    name: str
    n: int
    n_wrong: int


def designs() -> Iterator[Design]:
    """All of them."""
    for area, (part, sizes) in product(AREAS, SIZES.items()):
        for n, n_wrong in sizes:
            yield Design(CONTINUOUS, f"{area:g}", part, "", n, n_wrong)
    trials = load().stated
    for part, keys in ((DOMAIN, ["model", "domain"]), (ALL, ["model"])):
        for names, own in trials.groupby(keys):
            n, n_wrong = len(own), int((~own["correct"]).sum())
            if min(n_wrong, n - n_wrong) >= MIN_FOR_INTERVALS:
                yield Design(TIED, names[0], part, "".join(names[1:]), n, n_wrong)


@cache
def stated() -> dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """By model of the atlas, how often it has each confidence for wrong and for right answers, lowest first."""
    made = {}
    for model, own in load().stated.groupby("model"):
        counts = own.groupby(["score", "correct"]).size().unstack(fill_value=0).sort_index()
        made[str(model)] = (counts[False].to_numpy(), counts[True].to_numpy())
    return made


def truth(design: Design) -> float:
    """The true area."""
    if design.confidence == CONTINUOUS:
        return float(design.population)
    return float(auroc2_from_counts(*stated()[design.population]))


def tables(
    design: Design, simulations: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Wrong and right answers by confidence of each simulated cell, shape ``(simulations, levels)``."""
    n, wrong = design.n, design.n_wrong
    if design.confidence == CONTINUOUS:
        hits = np.arange(n) >= wrong
        apart = np.sqrt(2) * ndtri(float(design.population))
        order = np.argsort(rng.normal(size=(simulations, n)) + apart * hits, axis=1)
        right = hits[order].astype(np.int64)
        return 1 - right, right
    of_wrong, of_right = (found / found.sum() for found in stated()[design.population])
    return rng.multinomial(wrong, of_wrong, simulations), rng.multinomial(n - wrong, of_right, simulations)


def auroc2_intervals_from_counts(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, level: float = 0.95
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """:func:`metacog.sdt.area_intervals.auroc2_interval_from_counts` of many tables at once."""
    wrong, right = as_tables(nR_S1, nR_S2)
    area, of_right, of_wrong = area_variances(wrong, right)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = of_right + of_wrong
        spread = of_right**2 / (right.sum(axis=-1) - 1) + of_wrong**2 / (wrong.sum(axis=-1) - 1)
        half = _quantile(level, variance**2 / spread) * np.sqrt(variance) / (area * (1 - area))
        told = (area > 0) & (area < 1) & (np.sqrt(variance) > 1e-12)
        lower, upper = (np.where(told, expit(logit(area) + sign * half), np.nan) for sign in (-1, 1))
    return area, lower, upper


def run(design: Design, simulations: int) -> dict[str, object]:
    """One design; its seed follows from its name."""
    rng = np.random.default_rng([SEED, zlib.crc32(repr(design).encode())])
    area = truth(design)
    _, low, high = auroc2_intervals_from_counts(*tables(design, simulations, rng))
    found = covered(list(zip(low, high, strict=True)), area)
    return {**design.__dict__, "area": area, "n_simulations": simulations, **found}


def main() -> None:
    """Run every design and write the table."""
    given = parsed(__file__, out=OUT, simulations=4_000, quick={"simulations": 50})
    table = pd.DataFrame([run(design, given.simulations) for design in designs()])
    print(table.groupby(["confidence", "part"])["coverage"].describe().round(3).to_string())
    given.write(table, "%.4g", seed=f"[{SEED}, CRC-32 of the design's name]")


if __name__ == "__main__":
    main()
