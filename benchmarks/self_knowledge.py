"""Do the parts of the information, the crossing and the luck of the draw turn out as they are?

Two models answer questions of one difficulty with private states, reading noise and unlucky draws of known
size (``answerers.py``). What is true is computed at 10^6 questions, what is estimated in runs of
1,304 questions, the size of the reference run; where questions are drawn five times, of 82 and 400 of them. Models
that give one of forty answers (:data:`READERS`) show what pairs of answers look like if confidence reads how usual an
answer is, whether it is right, or the question alone. Writes one row for each design and quantity, and keeps the
designs that the table already has::

    python benchmarks/self_knowledge.py --out data/simulations/self_knowledge.csv
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from answerers import Draw, TwoAnswerers
from recording import Given, parsed
from scipy.special import expit, softmax

from metacog.sdt.area_crossing import Crossing, crossing
from metacog.sdt.information_parts import information_parts
from metacog.sdt.repeated_draws import RepeatedDraws, repeated_draws
from metacog.sdt.type2 import auroc2
from metacog.studies.study1_qa.luck import IN_PAIRS

N_QUESTIONS = 1304
BOTH = {"slope": (1.3, 1.3), "state_slope": (1.1, 1.0), "reads_state": (0.7, 0.7), "noise": (0.6, 0.7)}
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
#: Models whose confidence reads one thing, with which noise, and the share of questions one of whose wrong answers is
#: another right one that the key lacks (of answers marked wrong and read by eye, 6 of 240 were right).
READERS = {
    "reads how usual the answer is": ("usual", 0.0, 0.0),
    "reads how usual the answer is, with noise": ("usual", 0.7, 0.0),
    "reads whether the answer is right": ("right", 2.0, 0.0),
    "reads whether the answer is right, one key of 20 incomplete": ("right", 2.0, 0.05),
    "reads the question": ("question", 1.0, 0.0),
    "reads how strong a well-founded belief is": ("belief", 0.0, 0.0),
}
#: Answers that such a model may give, draws of a question, and the spread of log-odds of its right and wrong answers:
#: as accurate, and its answers as often alike, as the smaller models of the reference run.
N_ANSWERS, N_DRAWS, RIGHT_SD, WRONG_SD = 40, 5, 4.0, 1.3
#: Models of a run, as many as the reference run has.
MODELS = 4


def answered(
    n: int, reads: str, noise: float, incomplete: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Right marks, confidence, and the share of the other answers that are the same, ``(n, N_DRAWS)`` each.

    Others are the other draws and an answer at a tenth of the temperature.
    """
    log_odds = WRONG_SD * rng.normal(size=(n, N_ANSWERS))
    log_odds[:, 0] = RIGHT_SD * rng.normal(size=n)
    twin = rng.random(n) < incomplete
    log_odds[twin, 1] = log_odds[twin, 0] + rng.normal(size=twin.sum())
    chances = softmax(log_odds, axis=1)

    def drawn(of: np.ndarray, several: int) -> np.ndarray:
        return (of.cumsum(axis=1)[:, None] < rng.random((n, several, 1))).sum(axis=2).clip(max=N_ANSWERS - 1)

    if reads == "belief":  # an ideal observer: what it believes to the share p is so in the share p
        rows, true = np.arange(n), drawn(chances, 1)[:, 0]
        for of in (log_odds, chances):
            of[rows, 0], of[rows, true] = of[rows, true], of[rows, 0].copy()
    given, usual = drawn(chances, N_DRAWS), drawn(softmax(10 * log_odds, axis=1), 1)
    same = ((given[:, :, None] == given[:, None]).sum(axis=2) - 1 + (given == usual)) / N_DRAWS
    true = (given == 0) | ((given == 1) & twin[:, None])
    right = chances[:, :1] + np.where(twin, chances[:, 1], 0.0)[:, None]
    question = np.log(right + 1e-3) - np.log(1 - right + 1e-3)
    believed = np.log(np.take_along_axis(chances, given, axis=1))
    told = {
        "usual": believed,
        "belief": believed,
        "right": question / 2 + 4 * true,
        "question": question,
    }
    return given == 0, told[reads] + noise * rng.normal(size=given.shape), same


def reader_rows(
    name: str, made: tuple[str, float, float], runs: int, n: int, seed: int
) -> Iterator[dict[str, object]]:
    """Pairs of answers and areas of such a model; how often each of a run's models is called a reader of usualness."""
    rng = np.random.default_rng([seed, len(name), 4])

    def found(n: int, rng: np.random.Generator, n_resamples: int) -> RepeatedDraws:
        right, sure, same = (each.ravel() for each in answered(n, *made, rng))
        unit = np.repeat(np.arange(n), N_DRAWS)
        options = {"agreement": same, "n_resamples": n_resamples, "seed": int(rng.integers(2**31))}
        return repeated_draws(right, sure, unit, **options)

    whole = found(40_000, np.random.default_rng(seed), 2)
    models = [found(n, rng, 200) for _ in range(runs * MODELS)]
    for of in (*IN_PAIRS, "beyond"):
        ends = [(getattr(f, of), getattr(f, f"{of}_lower"), getattr(f, f"{of}_upper")) for f in models]
        yield {"design": name, "quantity": of, **_errors(ends, getattr(whole, of))}
    called = np.reshape([f.usual_lower > 0.5 for f in models], (runs, MODELS)).all(axis=1)
    yield {"design": name, "quantity": "usual, in every model", "n_used": runs, "called": called.mean()}


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


def sections(given: Given) -> dict[str, Callable[[], Iterator[dict[str, object]]]]:
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
    for name, reads in READERS.items():
        made[name] = partial(reader_rows, name, reads, given.runs, DRAWN[-1], given.seed)
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


def main() -> None:
    """Run every design that the table lacks."""
    given = parsed(__file__, runs=200, questions=N_QUESTIONS, seed=42)
    table = given.completed({(name,): make for name, make in sections(given).items()}, ["design"])
    given.write(table, seed=given.seed, questions=given.questions)


if __name__ == "__main__":
    main()
