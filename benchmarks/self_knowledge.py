"""Do the parts of the information, the crossing and the luck of the draw turn out as they are?

Two models answer questions of one difficulty with private states, reading noise and unlucky draws of known
size (``answerers.py``). What is true is computed at 10^6 questions, what is estimated in runs of
1,304 questions, the size of the reference run; where questions are drawn five times, of 82 and 400 of them. Writes one
row for each design and quantity, and keeps the designs that the table already has::

    python benchmarks/self_knowledge.py --out data/simulations/self_knowledge.csv
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from answerers import Draw, TwoAnswerers
from scipy.special import expit

from metacog.core.provenance import provenance
from metacog.sdt.area_comparison import Crossing, crossing
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_parts import against, information_parts
from metacog.sdt.repeated_draws import RepeatedDraws, mean_of_others, repeated_draws
from metacog.sdt.type2 import auroc2

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
#: What confidence reads of the question and of whether the draw is right, in five draws a question.
DRAWS = {
    "irrelevant noise": (1.0, 0.0),
    "luck drowned in noise": (0.3, 0.6),
    "a little luck": (1.0, 0.5),
    "much luck": (1.0, 1.5),
}
#: Questions drawn five times: of the default and of the reference run.
DRAWN = (82, 400)
#: Noise of the model's own state as it is read at the reference and by each draw, where no draw has any luck.
NO_LUCK = ((0.6, 0.6), (1.2, 1.2), (1.2, 0.6), (1.5, 0.3), (1.8, 0.3))


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


def no_luck_rows(
    name: str, noise: tuple[float, float], readings: int, runs: int, n: int, seed: int
) -> Iterator[dict[str, object]]:
    """Shares where right and wrong depend on the question alone, state and draw being read with their own noise."""
    bits = no_luck_bits(noise, readings)
    rng = np.random.default_rng([seed, *(round(10 * one) for one in noise), readings])
    found = []
    for _ in range(runs):
        right, other, own, drawn = no_luck(n, noise, readings, rng)
        unit = np.repeat(np.arange(n), readings)
        state = own[unit][:, None]
        if readings > 1:
            state = np.column_stack([state, mean_of_others(drawn.ravel(), unit)])
        signals = {
            "difficulty": other[unit],
            "own state": state,
            "draw": against(drawn.ravel(), own[unit]),
        }
        found.append(information_parts(right.ravel(), signals, clusters=unit, seed=int(rng.integers(2**31))))
    for j, part in enumerate(found[0].names):
        ends = [(f.shares[j], f.share_lower[j], f.share_upper[j]) for f in found]
        yield {"design": name, "quantity": f"share, {part}", **_errors(ends, bits[j] / bits.sum())}


def no_luck(
    n: int, noise: tuple[float, float], n_draws: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Right draws, another model's confidence, one's own at the reference, and that of each draw."""
    world = TwoAnswerers(**BOTH)
    u, v, w = rng.normal(size=(3, n))
    chance = expit(world.ability[0] - world.slope[0] * u + world.state_slope[0] * v)
    right = rng.random((n, n_draws)) < chance[:, None]
    state = -u + world.reads_state[0] * v
    other = -u + world.reads_state[1] * w + world.noise[1] * rng.normal(size=n)
    own = state + noise[0] * rng.normal(size=n)
    return right, other, own, state[:, None] + noise[1] * rng.normal(size=(n, n_draws))


def no_luck_bits(noise: tuple[float, float], readings: int) -> np.ndarray:
    """The parts of :func:`no_luck`: all is Gaussian, so that each is a double integral."""
    world = TwoAnswerers(**BOTH)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    # by u, v, the other model's state and noise, and the noise of: the reference, the other draws' mean, the draw
    answer = np.array([-world.slope[0], world.state_slope[0], 0, 0, 0, 0, 0])
    own = [-1.0, world.reads_state[0], 0, 0]
    read = [[-1.0, 0, world.reads_state[1], world.noise[1], 0, 0, 0], [*own, noise[0], 0, 0]]
    if readings > 1:
        read.append([*own, 0, noise[1] / np.sqrt(readings - 1), 0])
    read.append([*own, 0, 0, noise[1]])
    left = []
    for end in (0, 1, len(read) - 1, len(read)):
        known = np.array(read[:end]).reshape(end, answer.size)
        towards = known @ answer
        told = float(towards @ np.linalg.solve(known @ known.T, towards)) if end else 0.0
        at = world.ability[0] + np.sqrt(told) * nodes
        chance = expit(at[:, None] + np.sqrt(answer @ answer - told) * nodes) @ weights
        left.append(float(binary_entropy(chance) @ weights))
    return -np.diff(left)


def draws(
    n: int, reads: tuple[float, float], rng: np.random.Generator, n_draws: int = 5
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Correctness, confidence and question of several draws a question; the question's reading and its true state."""
    state = np.repeat(rng.normal(size=n), n_draws)
    right = rng.random(state.size) < expit(-1.8 + 1.5 * state)
    sure = reads[0] * state + reads[1] * right + rng.normal(size=state.size)
    reading = state + np.repeat(0.7 * rng.normal(size=n), n_draws)
    return right, sure, np.repeat(np.arange(n), n_draws), reading, state


def draw_rows(
    name: str, reads: tuple[float, float], n: int, runs: int, seed: int
) -> Iterator[dict[str, object]]:
    """Order within questions, own confidence and readings of the question, and the luck of the draw."""
    rng = np.random.default_rng([seed, len(name), 2, n])

    def found(n: int, rng: np.random.Generator, n_resamples: int) -> tuple[RepeatedDraws, float]:
        right, sure, question, reading, state = draws(n, reads, rng)
        made = repeated_draws(
            right, sure, question, reference=reading, n_resamples=n_resamples, seed=int(rng.integers(2**31))
        )
        return made, auroc2(right, sure) - auroc2(right, state)

    whole, exact = found(100_000, np.random.default_rng(seed), 2)
    made = [found(n, rng, 500)[0] for _ in range(runs)]
    truths = {one: getattr(whole, one) for one in ("within", "same_draw", "other_draw", "question", "luck")}
    for quantity, truth in [*truths.items(), ("luck, against the question as it is", exact)]:
        of = quantity.partition(",")[0]
        ends = [(getattr(f, of), getattr(f, f"{of}_lower"), getattr(f, f"{of}_upper")) for f in made]
        yield {"design": name, "quantity": quantity, **_errors(ends, truth)}


def sections(given: argparse.Namespace) -> dict[str, Callable[[], Iterator[dict[str, object]]]]:
    """What makes the rows of each design, by its name."""
    made: dict[str, Callable[[], Iterator[dict[str, object]]]] = {}
    for name, design in DESIGNS.items():
        made[name] = partial(parts_rows, name, design, given.runs, given.questions, given.seed)
    for name, design in CROSSINGS.items():
        made[name] = partial(crossing_rows, name, design, 5 * given.runs, given.questions, given.seed)
    for name, reads in DRAWS.items():
        for n in DRAWN:
            whole = f"{name}, {n} questions"
            made[whole] = partial(draw_rows, whole, reads, n, given.runs, given.seed)
    for readings, n in ((1, given.questions), (5, DRAWN[-1])):
        for noise in NO_LUCK:
            often = "once" if readings == 1 else f"{readings} times"
            name = f"no luck, noise of state {noise[0]:g}, of draws {noise[1]:g}, state read {often}"
            made[name] = partial(no_luck_rows, name, noise, readings, given.runs, n, given.seed)
    return made


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
    given.out.parent.mkdir(parents=True, exist_ok=True)
    table = pd.read_csv(given.out) if given.out.exists() else pd.DataFrame({"design": []})
    seconds = 0.0
    for name, make in sections(given).items():
        if (table["design"] == name).any():
            continue
        started = time.process_time()
        table = pd.concat([table, pd.DataFrame(make())], ignore_index=True)
        table.to_csv(given.out, index=False, float_format="%.4f")
        seconds += time.process_time() - started
        print(f"{name}: {time.process_time() - started:.0f} s", flush=True)
    facts = {
        "command": "python benchmarks/self_knowledge.py " + " ".join(arguments or sys.argv[1:]),
        "seconds": round(seconds),
        "questions": given.questions,
        "made_by": provenance(seed=given.seed),
    }
    given.out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
