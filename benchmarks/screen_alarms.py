"""How often the validity screen calls sound observers invalid, and how often it catches random confidence.

Run: python benchmarks/screen_alarms.py            (two minutes of one processor)
     python benchmarks/screen_alarms.py --quick    (100 simulations a design, to see that it works; writes nothing)
Each design is an observer, an accuracy, a number of answers and what high confidence is. ``sound`` observers of an
accuracy of one half or more decide between two equally likely normal distributions of variance 1, and their
confidence is their distance from the criterion: meta-d' is d', M-ratio is 1. At one half they know nothing. Below
one half, which two choices do not allow, evidence is normal with variance 1 for right and for wrong answers, with an
AUROC2 of 0.7. ``random`` observers state the same confidences without regard to being right.
``split`` is ``share``: a criterion beyond which confidence is high in the given share of answers; ``median``: high is
what lies at or above the median of the answers given, with confidence that hardly ever ties; ``median of steps``: the
same, with confidence stated as the probability of being right, in steps of 5 %, so that it ties.
Writes data/simulations/screen_alarms.csv and a .json (command, seed, versions) next to it.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri

from metacog.sdt.alarms import below_half, sound_cells
from metacog.sdt.screen import Screen, screen_counts

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "screen_alarms.csv"
SEED = 20260420
OBSERVERS = ("sound", "random")
ACCURACIES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
SIZES = (48, 100, 524, 1500)
SHARES = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
SPLITS = ("median", "median of steps")
STEP = 0.05
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """One design; ``share`` is NaN where the answers' median splits them."""

    observer: str
    accuracy: float
    n: int
    split: str
    share: float = float("nan")


def designs() -> Iterator[Design]:
    """All of them."""
    for observer, accuracy, n in product(OBSERVERS, ACCURACIES, SIZES):
        for share in SHARES:
            yield Design(observer, accuracy, n, "share", share)
        for split in SPLITS:
            yield Design(observer, accuracy, n, split)


def d_prime(accuracy: float) -> float:
    """Of an unbiased observer of two choices."""
    return float(2 * ndtri(accuracy))


def cells(design: Design) -> Floats:
    """Probabilities of right and high, wrong and high, right and low, wrong and low; ``share`` is given."""
    a, share = design.accuracy, design.share
    if design.observer == "random":
        return np.array([a * share, (1 - a) * share, a * (1 - share), (1 - a) * (1 - share)])
    return sound_cells(a, share)


def answers(design: Design, simulations: int, rng: np.random.Generator) -> tuple[NDArray[np.bool_], Floats]:
    """Whether answers are right, and the evidence that confidence rests on; shape ``(simulations, n)``."""
    shape = simulations, design.n
    if design.accuracy < 0.5:
        right = rng.random(shape) < design.accuracy
        return right, rng.normal(size=shape) + below_half() * right
    x = rng.normal(d_prime(design.accuracy) / 2, 1, shape)
    return x > 0, np.abs(x)


def stated(design: Design, evidence: Floats) -> Floats:
    """The probability of being right given the evidence, in steps."""
    a, apart = design.accuracy, below_half()
    odds = logit(a) + apart * evidence - apart**2 / 2 if a < 0.5 else d_prime(a) * evidence
    return np.round(expit(odds) / STEP)


def tables(design: Design, simulations: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Simulated counts, shape ``(simulations, 4)``."""
    if design.split == "share":
        return rng.multinomial(design.n, cells(design), simulations)
    right, confidence = answers(design, simulations, rng)
    if design.split == "median of steps":
        confidence = stated(design, confidence)
    if design.observer == "random":
        right = rng.permuted(right, axis=1)
    high = confidence >= np.median(confidence, axis=1, keepdims=True)
    pairs = (right & high, ~right & high, right & ~high, ~right & ~high)
    return np.stack([p.sum(axis=1) for p in pairs], axis=1)


def run(design: Design, simulations: int) -> dict[str, object]:
    """One design; its seed follows from its name."""
    rng = np.random.default_rng([SEED, zlib.crc32(repr(design).encode())])
    counts = tables(design, simulations, rng)
    return {**design.__dict__, "n_simulations": simulations, **rates(screen_counts(*counts.T))}


def rates(made: Screen) -> dict[str, float]:
    """Shares of tables that break each rule, and what the published protocol calls them."""
    of_tier = {name: float((made.tier == name).mean()) for name in ("invalid", "indeterminate")}
    high = made.counts[:, :2].sum(axis=1) / made.counts.sum(axis=1)
    return {
        **{name: float(held.mean()) for name, held in made.broken.items()},
        "invalid": float(made.invalid.mean()),
        "undefined": float(made.undefined.mean()),
        "warning": float(made.warning.mean()),
        "tier_invalid": of_tier["invalid"],
        "tier_indeterminate": of_tier["indeterminate"],
        "tier_insufficient": float((made.tier == "insufficient data").mean()),
        "high": float(high.mean()),
        "TRIN": float(made.TRIN.mean()),
        "TRIN_upper": float(np.quantile(made.TRIN, 0.975)),
    }


def main() -> int:
    """Run every design and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=4_000)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    n = 100 if arguments.quick else arguments.simulations
    table = pd.DataFrame([run(design, n) for design in designs()])
    print(
        table.groupby(["observer", "split", "n"])[["L", "Fp", "RBS", "invalid", "tier_invalid"]]
        .mean()
        .round(3)
    )
    if arguments.quick:
        return 0
    table.to_csv(arguments.out, index=False, float_format="%.4g")
    facts = {
        "command": f"python benchmarks/screen_alarms.py --simulations {n}",
        "seed": f"[{SEED}, CRC-32 of the design's name]",
        "versions": {p: version(p) for p in ("numpy", "scipy")},
    }
    arguments.out.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
