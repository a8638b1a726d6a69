"""Do the parts of the information, the crossing and the luck of the draw turn out as they are?

Two models answer questions of one difficulty with private states, reading noise and unlucky draws of known
size (``metacog.sdt.two_answerers``). What is true is computed at 10^6 questions, what is estimated in runs of
1,304 questions, the size of the default run. Writes one row for each design and quantity::

    python benchmarks/self_knowledge.py --out data/simulations/self_knowledge.csv
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit

from metacog.core.provenance import provenance
from metacog.sdt.crossing import Crossing, crossing
from metacog.sdt.information_parts import information_parts
from metacog.sdt.repeated_draws import repeated_draws
from metacog.sdt.two_answerers import Draw, TwoAnswerers

N_QUESTIONS = 1304
BOTH = {
    "slope": (1.3, 1.3),
    "state_slope": (1.1, 1.0),
    "reads_state": (0.7, 0.7),
    "noise": (0.6, 0.7),
}
#: What the parts are asked of: accuracies of .03 to .42 and .1 to .3 bits in all, as in the default run.
DESIGNS = {
    "reference": TwoAnswerers(**BOTH),
    "middle temperature": TwoAnswerers(ability=(-0.3, -0.3), draw=Draw(0.3, 1.0, 2.5, 0.05), **BOTH),
    "high temperature": TwoAnswerers(ability=(-0.2, -0.2), draw=Draw(-2.0, 1.8, 2.5, 0.03), **BOTH),
    "high temperature, sharp": TwoAnswerers(ability=(-0.2, -0.2), draw=Draw(-2.0, 1.8, 4.0, 0.03), **BOTH),
    "hardly ever right": TwoAnswerers(ability=(-0.2, -0.2), draw=Draw(-4.4, 1.5, 2.5, 0.005), **BOTH),
    "no luck": TwoAnswerers(draw=Draw(20.0), **BOTH),
    "all luck": TwoAnswerers(
        ability=(-0.3, -0.3),
        slope=(0.0, 0.0),
        reads_state=(0.9, 0.7),
        noise=(0.7, 0.9),
        draw=Draw(-0.6, 0.0, 2.5, 0.05),
    ),
    "no self-knowledge, other reads exactly": TwoAnswerers(slope=(1.5, 1.5), noise=(0.7, 0.0)),
    "no self-knowledge, other's noise 0.5": TwoAnswerers(slope=(1.5, 1.5), noise=(0.7, 0.5)),
    "no self-knowledge, other's noise 1.2": TwoAnswerers(slope=(1.5, 1.5), noise=(0.7, 1.2)),
}
#: What the crossing is asked of.
CROSSINGS = {
    "self-knowledge": TwoAnswerers(**BOTH),
    "difficulty alone": TwoAnswerers(slope=(1.5, 1.5), noise=(0.4, 1.2)),
    "difficulty alone, other accuracy": TwoAnswerers(ability=(-1.5, 0.5), slope=(1.5, 1.5), noise=(0.4, 1.2)),
    "difficulty alone, better reader's slope 1.33 times": TwoAnswerers(slope=(1.6, 1.2), noise=(0.4, 1.2)),
    "difficulty alone, better reader's slope twice": TwoAnswerers(slope=(2.0, 1.0), noise=(0.4, 1.2)),
    "difficulty alone, better reader's slope half": TwoAnswerers(slope=(1.0, 2.0), noise=(0.4, 1.2)),
}
#: What confidence reads of the question and of the draw, in five draws of 400 questions.
DRAWS = {"confidence reads the question": (1.0, 0.0), "confidence reads the draw too": (1.0, 1.5)}


def parts_rows(name: str, design: TwoAnswerers, runs: int, n: int, seed: int) -> Iterator[dict[str, object]]:
    """Bits and shares of each part, estimated over and over, against what they are."""
    bits, _ = design.known_parts()
    least = design.least_share_sd(n)
    rng = np.random.default_rng([seed, len(name)])
    found = []
    for _ in range(runs):
        made = design.answers(n, rng)
        found.append(information_parts(made.correct[0], made.signals(), seed=int(rng.integers(2**31))))
    for j, part in enumerate(found[0].names):
        ends = [(f.bits[j], f.lower[j], f.upper[j]) for f in found]
        yield {"design": name, "quantity": f"bits, {part}", **_errors(ends, bits[j])}
        ends = [(f.shares[j], f.share_lower[j], f.share_upper[j]) for f in found]
        share = bits[j] / bits.sum()
        yield {"design": name, "quantity": f"share, {part}", **_errors(ends, share), "least_sd": least[j]}
    ends = [(f.total, f.total_lower, f.total_upper) for f in found]
    yield {"design": name, "quantity": "bits, total", **_errors(ends, float(bits.sum()))}


def crossing_rows(
    name: str, design: TwoAnswerers, runs: int, n: int, seed: int
) -> Iterator[dict[str, object]]:
    """The crossing, and one model's difference alone."""

    def cross(size: int, rng: np.random.Generator) -> Crossing:
        made = design.answers(size, rng)
        return crossing(made.correct[0], made.sure[0], made.correct[1], made.sure[1])

    rng = np.random.default_rng([seed, len(name), 1])
    whole = cross(1_000_000, np.random.default_rng(seed))
    found = [cross(n, rng) for _ in range(runs)]
    ends = [(f.value, f.lower, f.upper) for f in found]
    yield {"design": name, "quantity": "crossing", **_errors(ends, whole.value)}
    nothing = (np.nan, np.nan)
    for label, one, two in (("first", "a_by_a", "a_by_b"), ("second", "b_by_b", "b_by_a")):
        gaps = [(getattr(f, one) - getattr(f, two), *nothing) for f in found]
        truth = getattr(whole, one) - getattr(whole, two)
        yield {"design": name, "quantity": f"difference of the {label} model alone", **_errors(gaps, truth)}


def draws(
    n: int, reads: tuple[float, float], rng: np.random.Generator, n_draws: int = 5
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Correctness, confidence and question of several draws a question."""
    state = np.repeat(rng.normal(size=n), n_draws)
    right = rng.random(state.size) < expit(-1.8 + 1.5 * state)
    sure = reads[0] * state + reads[1] * right + rng.normal(size=state.size)
    return right, sure, np.repeat(np.arange(n), n_draws)


def draw_rows(name: str, reads: tuple[float, float], runs: int, seed: int) -> Iterator[dict[str, object]]:
    """Order within questions, and own against another draw's confidence."""
    rng = np.random.default_rng([seed, len(name), 2])
    whole = repeated_draws(*draws(200_000, reads, np.random.default_rng(seed)), n_resamples=2)
    found = [
        repeated_draws(*draws(400, reads, rng), n_resamples=500, seed=int(rng.integers(2**31)))
        for _ in range(runs)
    ]
    for quantity in ("within", "same_draw", "other_draw", "luck"):
        ends = [
            (getattr(f, quantity), getattr(f, f"{quantity}_lower"), getattr(f, f"{quantity}_upper"))
            for f in found
        ]
        yield {"design": name, "quantity": quantity, **_errors(ends, getattr(whole, quantity))}


def _errors(ends: list[tuple[float, float, float]], truth: float) -> dict[str, float]:
    estimate, lower, upper = np.array(ends, dtype=np.float64).T
    known, bounded = np.isfinite(estimate), np.isfinite(lower) & np.isfinite(upper)
    gap, low, high = estimate[known] - truth, lower[bounded], upper[bounded]
    none = not bounded.any()
    return {
        "truth": truth,
        "n_used": int(known.sum()),
        "bias": float(gap.mean()),
        "mean_absolute_error": float(np.abs(gap).mean()),
        "sd": float(gap.std(ddof=1)),
        "coverage": float("nan") if none else float(((low <= truth) & (truth <= high)).mean()),
        "above_zero": float("nan") if none else float((low > 0).mean()),
        "below_zero": float("nan") if none else float((high < 0).mean()),
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--questions", type=int, default=N_QUESTIONS)
    parser.add_argument("--seed", type=int, default=42)
    given = parser.parse_args(arguments)
    started = time.perf_counter()
    rows: list[dict[str, object]] = []
    for name, design in DESIGNS.items():
        rows += parts_rows(name, design, given.runs, given.questions, given.seed)
        print(f"{name}: {time.perf_counter() - started:.0f} s", flush=True)
    for name, design in CROSSINGS.items():
        rows += crossing_rows(name, design, 5 * given.runs, given.questions, given.seed)
    for name, reads in DRAWS.items():
        rows += draw_rows(name, reads, given.runs, given.seed)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(given.out, index=False, float_format="%.4f")
    facts = {
        "command": "python benchmarks/self_knowledge.py " + " ".join(arguments or sys.argv[1:]),
        "seconds": round(time.perf_counter() - started),
        "questions": given.questions,
        "made_by": provenance(seed=given.seed),
    }
    given.out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
