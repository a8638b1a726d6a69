"""Do the parts of the information, the crossing and the luck of the draw turn out as they are?

Two models answer questions of one difficulty with private states, reading noise and unlucky draws of known
size (``answerers.py``). What is true is computed at 10^6 questions, what is estimated in runs of
1,304 questions, the size of the reference run; where questions are drawn five times, of 82 and 400 of them. Where
all is Gaussian (draws without luck, draws whose luck is known), what is true is an integral: :class:`Drawn`. Writes
one row for each design and quantity, and keeps the designs that the table already has::

    python benchmarks/self_knowledge.py --out data/simulations/self_knowledge.csv
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from answerers import Draw, TwoAnswerers
from scipy.special import expit

from metacog.core.provenance import provenance
from metacog.sdt.area_crossing import Crossing, crossing
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_parts import against, information_parts
from metacog.sdt.repeated_draws import RepeatedDraws, mean_of_others, repeated_draws
from metacog.sdt.type2 import auroc2
from metacog.studies.study1_qa.luck_parts import ALONE, DRAW, typical_shares
from metacog.studies.study1_qa.shared_items import SharedItems

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
#: Draws with luck: what :class:`Drawn` is asked of, 648 worlds.
LUCKY = {
    "ability": (-1.5, 0.3),
    "slope": (0.5, 1.3, 2.5),
    "state_slope": (0.5, 1.1),
    "luck_slope": (0.5, 1.5, 3.0),
    "reads_luck": (0.3, 1.0, 2.0),
    "noise": (0.3, 1.0),
    "draw_noise": (0.3, 0.7, 1.5),
}
#: Draws of a question, and models that answer it.
READINGS, MODELS = 5, 4
#: What own confidence tells of all that is told, at least, and the draw's share of it, from and to. In the four models
#: of the reference run at T = 1 these are .95 to 1.00, and .26 to .58; this is wider by .05.
LIKE_THE_RUN = (0.9, 0.21, 0.63)
#: The figure falls short of luck where it lies below it by more.
SHORT = 0.03
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True)
class Drawn:
    """A model's draws: log-odds of a right one, and what confidence reads, each a sum of independent normal parts.

    A draw is right with log-odds ``ability - slope u + state_slope v + luck_slope l``: u is the difficulty that all
    models meet, v the model's state for the question, l the draw's luck. Confidence at the reference reads
    ``-u + .7 v`` with ``noise``, that of a draw the same with ``draw_noise`` and ``reads_luck l``.
    """

    ability: float
    slope: float
    state_slope: float
    noise: float
    draw_noise: float
    luck_slope: float = 0.0
    reads_luck: float = 0.0

    def bits(self, readings: int, *, others: int = 1, noise_of_others: float | None = None) -> Known:
        """What each signal tells, where all of it is known: double integrals."""
        state, other = BOTH["reads_state"]
        n = (
            6 + 2 * others
        )  # by u, v, luck, and the noises of: the reference, the other draws' mean, the draw; others
        unit = np.eye(n)
        answer = -self.slope * unit[0] + self.state_slope * unit[1] + self.luck_slope * unit[2]
        own = -unit[0] + state * unit[1]
        theirs = self.noise if noise_of_others is None else noise_of_others
        difficulty = [-unit[0] + other * unit[6 + 2 * j] + theirs * unit[7 + 2 * j] for j in range(others)]
        read = [own + self.noise * unit[3]]
        if readings > 1:
            each = np.hypot(self.reads_luck, self.draw_noise)
            read.append(own + each / np.sqrt(readings - 1) * unit[4])
        draw = own + self.reads_luck * unit[2] + self.draw_noise * unit[5]

        def left(*known: np.ndarray) -> float:
            return _entropy_left(self.ability, answer, np.array(known).reshape(-1, n))

        steps = [left(), left(*difficulty), left(*difficulty, *read), left(*difficulty, *read, draw)]
        question = unit[0], unit[1]
        return Known(-np.diff(steps), left() - left(draw), left(*question) - left(*question, draw))

    def answers(
        self, difficulty: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Right draws, confidence at the reference, and that of each draw, to questions of known difficulty."""
        n = difficulty.size
        v, e = rng.normal(size=(2, n))
        luck, blur = rng.normal(size=(2, n, READINGS))
        index = self.ability - self.slope * difficulty + self.state_slope * v
        own = -difficulty + BOTH["reads_state"][0] * v
        right = rng.random((n, READINGS)) < expit(index[:, None] + self.luck_slope * luck)
        sure = own[:, None] + self.reads_luck * luck + self.draw_noise * blur
        return right, own + self.noise * e, sure


@dataclass(frozen=True)
class Known:
    """``parts`` in bits: difficulty, own state, draw; what the draw's confidence tells ``alone``; and its ``luck``.

    Luck is what the draw's confidence tells of right and wrong where the question is known exactly.
    """

    parts: np.ndarray
    alone: float
    luck: float

    @property
    def figure(self) -> float:
        """The draw's share of what its own confidence tells."""
        return float(self.parts[-1]) / self.alone

    @property
    def lucky(self) -> float:
        """Luck as a share of the same."""
        return self.luck / self.alone


def _entropy_left(ability: float, answer: np.ndarray, known: np.ndarray) -> float:
    """Mean entropy of a right answer, in bits, given signals that are sums of the same normal parts."""
    towards = known @ answer
    told = float(towards @ np.linalg.solve(known @ known.T, towards)) if len(known) else 0.0
    at = ability + np.sqrt(told) * _NODES
    chance = expit(at[:, None] + np.sqrt(max(answer @ answer - told, 0.0)) * _NODES) @ _WEIGHTS
    return float(binary_entropy(chance) @ _WEIGHTS)


@cache
def lucky_worlds() -> pd.DataFrame:
    """The 648 worlds: what they are, the draw's share of what its confidence tells, its luck, and if like the run."""
    rows = []
    for values in product(*LUCKY.values()):
        one = dict(zip(LUCKY, values, strict=True))
        known = Drawn(**one).bits(READINGS, others=MODELS - 1)
        own = known.alone / known.parts.sum()
        alike = own >= LIKE_THE_RUN[0] and LIKE_THE_RUN[1] <= known.figure <= LIKE_THE_RUN[2]
        rows.append(one | {"figure": known.figure, "luck": known.lucky, "own": own, "alike": alike})
    return pd.DataFrame(rows)


def lucky_rows(name: str, alike: bool) -> Iterator[dict[str, object]]:
    """How far the draw's share lies from its luck over all worlds, or those like the run, with unlimited questions."""
    worlds = lucky_worlds()
    worlds = worlds[worlds["alike"] | (not alike)]
    off = worlds["figure"] - worlds["luck"]
    yield {
        "design": name,
        "quantity": "draw's share of own confidence",
        "truth": worlds["luck"].mean(),
        "n_used": len(worlds),
        "bias": off.mean(),
        "mean_absolute_error": off.abs().mean(),
        "sd": off.std(ddof=1),
        "below_truth": (off < 0).mean(),
        "short": (off < -SHORT).mean(),
        "lowest": off.min(),
        "highest": off.max(),
    }


def most_short(like_the_run: bool) -> Drawn:
    """The world in which the draw's share falls short of luck by most, of those where own confidence tells most.

    Of those like the run; or of all in which it tells as much of what all signals tell, whatever the draw's share.
    """
    worlds = lucky_worlds()
    worlds = worlds[worlds["alike"] if like_the_run else worlds["own"] >= LIKE_THE_RUN[0]]
    place = (worlds["figure"] - worlds["luck"]).idxmin()
    return Drawn(**{name: float(worlds.loc[place, name]) for name in LUCKY})


def four_models_rows(name: str, alike: bool, runs: int, n: int, seed: int) -> Iterator[dict[str, object]]:
    """The median of four models of one world, as the chapter estimates it, against luck and against what it is of."""
    world = most_short(alike)
    known = world.bits(READINGS, others=MODELS - 1)
    rng = np.random.default_rng([seed, len(name), 3])
    ends = []
    for _ in range(runs):
        asked = SharedItems.of(four_models(world, n, rng), "confidence", "draw")
        told = {"temperature": 1.0, "part": DRAW, "share": 0.5, "n_readings": READINGS}
        found = typical_shares(
            asked,
            pd.DataFrame({"model": asked.models, **told}),
            n_resamples=500,
            seed=int(rng.integers(2**31)),
        )
        row = found[found["of"] == ALONE].iloc[0]
        ends.append((row["share"], row["share_lower"], row["share_upper"]))
    for of, truth in (("luck", known.lucky), ("what many questions give", known.figure)):
        below = float((np.array(ends)[:, 2] < truth).mean())
        yield {
            "design": name,
            "quantity": f"draw's share of own confidence, against {of}",
            **_errors(ends, truth),
            "below_truth": below,
        }


def four_models(world: Drawn, n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Trials of four models of one world on the same questions: one at the reference, several at T = 1."""
    difficulty = rng.normal(size=n)
    frames = []
    for model in range(MODELS):
        right, own, sure = world.answers(difficulty, rng)
        for temperature, draws, confidence in (
            (0.1, right[:, :1], own[:, None]),
            (1.0, right, sure),
        ):
            frames.append(
                pd.DataFrame(
                    {
                        "model": f"m{model}",
                        "question_id": np.repeat(np.arange(n), draws.shape[1]),
                        "temperature": temperature,
                        "draw": np.tile(np.arange(draws.shape[1]), n),
                        "correct": draws.ravel(),
                        "confidence": confidence.ravel(),
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


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
    """The parts of :func:`no_luck`."""
    one = TwoAnswerers(**BOTH)
    world = Drawn(one.ability[0], one.slope[0], one.state_slope[0], *noise)
    return world.bits(readings, noise_of_others=one.noise[1]).parts


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
    for name, alike in (("luck known, all worlds", False), ("luck known, worlds like the run", True)):
        made[name] = partial(lucky_rows, name, alike)
    for name, alike in (("most short like the run", True), ("most short", False)):
        whole = f"luck known, four models of the world that is {name}"
        made[whole] = partial(four_models_rows, whole, alike, given.runs, DRAWN[-1], given.seed)
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
