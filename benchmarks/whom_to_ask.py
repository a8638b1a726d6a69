"""What ``whom_to_ask``, ``equal_accuracy``, ``reputation`` and ``wrong_alike`` say of simulated models that are known.

    python benchmarks/whom_to_ask.py --out data/simulations/whom_to_ask.csv

Worlds differ in what confidence reads: the model's own state, the difficulty of the item, or nothing; wrong answers
scatter, or all fall for one. Truths are those of one very large table of the same world and models. A few minutes of
one core; worlds that the table has are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from recording import parsed
from scipy.optimize import brentq
from scipy.special import ndtri

from metacog.core.frames import with_ends
from metacog.measures.equal_accuracy import CHANGES, equal_accuracy
from metacog.measures.model_items import FloatArray, ModelItems
from metacog.measures.reputation import _correlated, judge_follows, reputation, wrong_alike
from metacog.measures.whom_to_ask import whom_to_ask
from metacog.sdt import auroc2
from metacog.studies.study7_mmlu_pro.second_opinions import POOLS, one_of

#: Questions of a run and of the table that shows the truth, and runs.
N, N_TRUTH, N_RUNS = 1500, 60_000, 100
OPTIONS = 10
Found = dict[str, tuple[float, float, float]]


def leaderboard(world: str, n: int, seed: int) -> ModelItems:
    """24 models of eight families, of accuracies from .3 to .9; the first of each family is the judged one."""
    rng = np.random.default_rng(seed)
    ability = np.tile(np.linspace(-0.8, 1.6, 8), 3)
    luck, ease = rng.normal(size=(24, n)), rng.normal(size=n)
    noise = rng.normal(size=(24, n))
    lured = rng.random(n) < (0.3 if world == "shared misconceptions" else 0.0)
    state = ease + luck + ability[:, None] - 2 * lured
    right = state > 0
    if world == "nothing to be told":
        right = rng.random((24, n)) < 0.6
    draws_in = np.where(lured, 0.9, 0.5)  # how often a wrong answer is the one that attracts most
    wrong = np.where(rng.random((24, n)) < draws_in, 1, rng.integers(1, OPTIONS, size=(24, n)))
    answer = np.where(right, 0, wrong)
    if world == "nothing to be told":
        answer = rng.integers(0, OPTIONS, size=(24, n))
    reads = {
        "own state": state,
        "shared misconceptions": state,
        "difficulty alone": np.broadcast_to(ease, state.shape),
    }
    sure = reads.get(world, np.zeros_like(state)) + (0.7 if world in reads else 1.0) * noise
    names = tuple(f"family {i % 8 + 1}/model {i + 1}" for i in range(24))
    families = tuple(name.partition("/")[0] for name in names)
    options = tuple(map(str, range(OPTIONS)))
    return ModelItems(
        names,
        tuple(map(str, range(n))),
        right.astype(float),
        np.round(4 * sure),
        families,
        ("",) * n,
        answer,
        options,
    )


#: Ways whose areas are kept, with the number of models asked.
SHOWN = {
    ("own", 0), ("agreement", 1), ("agreement", 4), ("agreement", 16), ("best", 4), ("own_and_agreement", 4),
    ("all", 21), ("together", 21),
}  # fmt: skip


def asked(world: str, n: int, seed: int) -> Found:
    """Areas of some ways for a weak and a strong model, own less agreement, and the worth of its own word."""
    items = leaderboard(world, n, seed)
    made: Found = {}
    for name, model in (("weak", items.models[1]), ("strong", items.models[6])):
        found = whom_to_ask(items, models=[model])
        for row in found.table.to_dict("records"):
            if (row["way"], row["k"]) in SHOWN:
                made[f"{name}: {row['way']} {row['k']}"] = (
                    row["auroc2"],
                    row["auroc2_lower"],
                    row["auroc2_upper"],
                )
            if (row["way"], row["k"]) == ("agreement", 4):
                made[f"{name}: own less agreement 4"] = (
                    row["own_less"],
                    row["own_less_lower"],
                    row["own_less_upper"],
                )
        worth = found.worth.iloc[0]
        made[f"{name}: worth"] = (worth["worth"], worth["worth_lower"], worth["worth_upper"])
    return made


#: Judged models of :func:`pooled`, of 40, by their place in accuracy.
JUDGED = {"weak": 7, "middle": 20, "strong": 33}
N_TUNED = 200_000


def ladder(n: int, seed: int, noise: Mapping[int, float]) -> ModelItems:
    """40 models of eight families, each a little more accurate than the one before; confidence reads the own state."""
    rng = np.random.default_rng(seed)
    luck, ease = rng.normal(size=(40, n)), rng.normal(size=n)
    state = ease + luck + np.linspace(-0.8, 1.6, 40)[:, None]
    lured = rng.random((40, n)) < 0.5
    answer = np.where(state > 0, 0, np.where(lured, 1, rng.integers(1, OPTIONS, size=(40, n))))
    sure = state + np.array([noise.get(i, 1.0) for i in range(40)])[:, None] * rng.normal(size=(40, n))
    names = tuple(f"family {i % 8 + 1}/model {i + 1}" for i in range(40))
    families = tuple(name.partition("/")[0] for name in names)
    items, options = tuple(map(str, range(n))), tuple(map(str, range(OPTIONS)))
    return ModelItems(names, items, (state > 0).astype(float), sure, families, ("",) * n, answer, options)


def _short_of(
    sd: float, right: NDArray[np.bool_], sure: FloatArray, more: FloatArray, wanted: float
) -> float:
    return auroc2(right, sure + sd * more) - wanted


@cache
def tuned() -> dict[int, float]:
    """Noise of the judged models' confidence at which it tells as much as the answer of one about as accurate."""
    made, found = ladder(N_TUNED, 20_000, {}), {}
    rng = np.random.default_rng(20_001)
    for i in JUDGED.values():
        right, sure = made.right[i] > 0, made.confidence[i]
        gap = float(one_of(made, "equal", [made.models[i]])["one_less_own"].iloc[0])
        wanted, more = auroc2(right, sure) + gap, rng.normal(size=N_TUNED)
        extra = brentq(_short_of, 0, 20, args=(right, sure, more, wanted), xtol=1e-3)
        found[i] = float(np.hypot(1, extra))
    return found


def pooled(world: str, n: int, seed: int) -> Found:
    """One other's answer less own confidence, by who is asked, of models whose own word is as good as an equal's."""
    items = ladder(n, seed, tuned())
    made: Found = {}
    for name, i in JUDGED.items():
        for pool in POOLS:
            (gap,) = one_of(items, pool, [items.models[i]]).to_numpy().tolist()
            made[f"{name}: {pool}"] = tuple(gap)
    return made


#: Tables as people have them: questions, and models of as many families.
SIZES = {f"{n:,} questions, {k} models": (n, k) for n, k in product((100, 300, 1000), (3, 8))}


def at_size(world: str, n: int, seed: int) -> Found:
    """Own confidence less agreement of a strong model that reads its own state, in a table of so many models."""
    n_questions, n_models = SIZES[world]
    items = leaderboard("own state", n_questions if n == N else n, seed)
    strong = items.models[6]
    rest = [model for model in items.models[:8] if model != strong]
    part = items.kept(models=[strong, *rest[1 - n_models :]])
    found = whom_to_ask(part, models=[strong], ks=(1, 2, 4))
    made: Found = {}
    for row in found.table[found.table["way"] == "agreement"].dropna(subset="own_less").to_dict("records"):
        made[f"own less agreement {row['k']}"] = (
            row["own_less"],
            row["own_less_lower"],
            row["own_less_upper"],
        )
    return made


#: Kinds of difficulty that weigh unlike: on the answers of both conditions, by angle, and how models differ by family
#: and within one in what they weigh.
ANGLES, ANGLE_SD = (-0.4, 0.4), (0.3, 0.2)
#: Pairs of conditions: what confidence reads, spread of luck and noise of confidence in both, ability and its gain.
PAIRS = {
    f"{kind}, {what}, from {start}": (kind, luck, noise, ability, gain)
    for (kind, (what, luck, noise), (start, ability, gain)) in product(
        ("own state", "difficulty"),
        (
            ("better answers alone", (1.0, 1.0), (1.0, 1.0)),
            ("better confidence too", (1.0, 1.0), (1.2, 0.6)),
            ("less luck in answers", (1.5, 0.7), (1.0, 1.0)),
        ),
        ((".3", -0.7, 1.2), (".7", 0.9, 0.8)),
    )
} | {
    f"{kind}, less luck in answers, from {start}": (kind, luck, (noise, noise), ability, gain)
    for kind, luck, noise in (
        ("difficulty, read better than by others", (1.5, 0.7), 0.3),
        ("two difficulties", (1.2, 1.0), 0.3),
    )
    for start, ability, gain in ((".3", -0.7, 1.2), (".7", 0.9, 0.8))
}  # fmt: skip


def conditions(world: str, n: int, seed: int) -> ModelItems:
    kind, luck, noise, ability, gain = PAIRS[world]
    rng = np.random.default_rng(seed)
    ease, shared = rng.normal(size=n), rng.normal(size=n)
    own = np.sqrt(0.5) * shared + np.sqrt(0.5) * rng.normal(size=(2, n))
    names = ("first", "second", *(f"other {i + 1}" for i in range(20)))
    families = ("one", "one", *names[2:])
    answers_read = reads = others_read = ease
    if kind == "two difficulties":
        other = rng.normal(size=n)
        families = ("one", "one", *(f"family {i % 8 + 1}" for i in range(20)))
        at = np.unique(families, return_inverse=True)[1]
        angle = rng.normal(0, ANGLE_SD[0], 9)[at] + rng.normal(0, ANGLE_SD[1], at.size)
        at_angles = [
            np.cos(a)[:, None] * ease + np.sin(a)[:, None] * other for a in (np.array(ANGLES), angle)
        ]
        answers_read, reads, others_read = at_angles[0], at_angles[1][0], at_angles[1][2:]
    state = answers_read + np.array(luck)[:, None] * own + ability + np.array([[0.0], [gain]])
    others = others_read + rng.normal(size=(20, n)) + np.linspace(-1, 1.5, 20)[:, None]
    sure = (state if kind == "own state" else reads) + np.array(noise)[:, None] * rng.normal(size=(2, n))
    return ModelItems(
        names,
        tuple(map(str, range(n))),
        (np.vstack([state, others]) > 0).astype(float),
        np.round(10 * np.vstack([sure, others])),
        families,
        ("",) * n,
    )


def at_equal_accuracy(world: str, accuracy: float, n: int = 400_000) -> dict[str, float]:
    """The change of AUROC2 where all items are harder, or easier, until both conditions have this accuracy.

    And its excess over that of others' confidence, which reads ease alone. In two difficulties a confidence that has
    not changed, like others', has none on average, and other changes have no one truth.
    """
    kind, luck, noise, *_ = PAIRS[world]
    if kind == "two difficulties":
        return dict.fromkeys(("excess", "beyond"), 0.0)
    rng = np.random.default_rng(7)
    ease, own, error, of_other = rng.normal(size=(4, n))
    areas = []
    for spread, sd in zip(luck, noise, strict=True):
        state = ease + spread * own + np.sqrt(1 + spread**2) * ndtri(accuracy)
        sure = (state if kind == "own state" else ease) + sd * error
        areas.append([auroc2(state > 0, one) - 0.5 for one in (sure, ease + of_other)])
    (first, lent_first), (second, lent_second) = areas
    root = np.sqrt(lent_second / lent_first)
    excess = float(second / root - first * root)
    return dict.fromkeys(CHANGES, second - first) | {"excess": excess, "beyond": excess}


def compared(world: str, n: int, seed: int) -> Found:
    (row,) = equal_accuracy(conditions(world, n, seed), [("first", "second")]).to_dict("records")
    return {name: (row[name], row[f"{name}_lower"], row[f"{name}_upper"]) for name in (*CHANGES, "beyond")}


#: What a score reads: how plausible an answer is, the model's own state, whether a judge gave the answer.
SCORES = {
    "plausible answer": (1.0, 0.0, 0.0),
    "own state": (0.0, 2.0, 0.0),
    "judge's own answer": (1.0, 0.0, 0.7),
}


def heard(world: str, n: int, seed: int) -> Found:
    plausible, own, judge = SCORES[world]
    rng = np.random.default_rng(seed)
    ease, luck = rng.normal(size=n), rng.normal(size=(9, n))
    right = ease + luck > 0
    lure = rng.integers(1, 4, size=n)
    answer = np.where(rng.random((9, n)) < 0.6, lure, rng.integers(1, 4, size=(9, n)))
    answer = np.where(right, 0, answer)
    seen = np.where(right, 1.0, np.where(answer == lure, 0.7, 0.0))
    score = plausible * seen + own * luck + judge * (answer == answer[-1]) + rng.normal(size=(9, n))
    names = tuple("abcdefghi")
    items = ModelItems(
        names, tuple(map(str, range(n))), right.astype(float), score, names, ("",) * n, answer, tuple("ABCD")
    )
    (row,) = reputation(items, models=["a"]).to_dict("records")
    wanted = ("own_less_others", "own_less_one", "own_less_share")
    made = {name: (row[name], row[f"{name}_lower"], row[f"{name}_upper"]) for name in wanted}
    found = judge_follows(items, "i")
    return made | {"judge less equals": (found.difference, found.lower, found.upper)}


#: What tone and stated number read of wrong replies: kind of world, noise of either, and the look of answers in tone.
ALIKE = {
    "own state, unlike models": ("state", 0.5, 1.5, 0.0),
    "difficulty, unlike models": ("difficulty", 0.5, 1.5, 0.0),
    "doubt of the answer, alike in both": ("doubt", 0.5, 0.5, 0.0),
    "doubt of the answer, faint in the number": ("doubt", 0.5, 1.5, 0.0),
    "doubt of the answer, faint in tone": ("doubt", 1.5, 0.5, 0.0),
    "doubt of the answer, few numbers": ("steps", 0.5, 1.5, 0.0),
    "doubt of the answer, the number of the question": ("question", 0.5, 0.5, 0.0),
    "look of the answer": ("doubt", 0.8, 0.8, 0.7),
    "look of the answer, faint": ("doubt", 0.8, 0.8, 0.3),
}
#: Questions of a set, as many as MMLU-Pro has, and sets.
N_ALIKE, N_SETS = 12_000, 20


def unlike_models(world: str, n: int, seed: int) -> tuple[ModelItems, FloatArray, FloatArray]:
    """Twelve models of as many families, with tone and stated number: four scatter and are read badly, eight are lured.

    Of a *state* that is the same whichever wrong answer is given, or of *difficulty*, where harder questions scatter
    answers; or options attract, unequally by question, and *doubt* is how little the answer stood out.
    """
    kind, noise, noise_of_number, look = ALIKE[world]
    rng = np.random.default_rng(seed)
    skill = np.append(np.zeros(4), np.linspace(0.6, 1, 8))[:, None]
    ease, shape = rng.normal(size=n), (12, n)
    if kind in ("state", "difficulty"):
        state = ease + 0.7 * rng.normal(size=shape) - 0.1 + 0.5 * skill
        lured = 0.05 + 0.9 * skill + (0.25 * ease if kind == "difficulty" else 0.0)
        lure = np.where(rng.random(shape) < lured, rng.integers(1, OPTIONS, size=n), 0)
        answer = np.where(state > 0, 0, np.where(lure > 0, lure, rng.integers(1, OPTIONS, size=shape)))
        sure = state if kind == "state" else np.broadcast_to(ease, shape)
    else:
        pull = rng.normal(size=(OPTIONS, n)) * rng.gamma(2, 0.5, size=n)
        pull[0] += 1.3 + 0.5 * ease
        felt = pull + (1.4 - skill)[:, :, None] * rng.normal(size=(12, OPTIONS, n))
        answer = felt.argmax(axis=1)
        best = np.sort(felt, axis=1)
        sure = _standard(best[:, -1] - best[:, -2]) + 0.5 * ease
    sure, clear = _standard(sure), 0.2 + 2.3 * skill
    looks = np.take_along_axis(rng.normal(size=(OPTIONS, n)), answer, axis=0)
    tone = clear * sure + look * looks + noise * rng.normal(size=shape)
    told = 0.7 * (sure + ease) if kind == "question" else sure
    stated = clear * told + noise_of_number * rng.normal(size=shape)
    if kind == "steps":
        stated = np.clip(np.round(1.5 * stated), -4, 0)
    names = tuple(f"model {i + 1}" for i in range(12))
    options = tuple(map(str, range(OPTIONS)))
    numbers = tuple(map(str, range(n)))
    right = (answer == 0).astype(float)
    return ModelItems(names, numbers, right, tone, names, ("",) * n, answer, options), tone, stated


def _standard(x: FloatArray) -> FloatArray:
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)


def one_drawn(items: ModelItems, rng: np.random.Generator) -> FloatArray:
    """The rule before: one other for each item among those of either kind, whoever it is; ends by model ``(M, 2)``."""
    assert items.answer is not None
    ranks, ends = items.rank_shares(), []
    for own in range(len(items.models)):
        others = np.delete(np.arange(len(items.models)), own)
        same = items.answer[others] == items.answer[own]
        away = (items.right[others] == 0) & ~same
        kept = (items.right[own] == 0) & same.any(axis=0) & away.any(axis=0)
        mine, pair = np.tile(ranks[own, kept], (8, 1)), []
        for pool in (same[:, kept], away[:, kept]):
            at = np.floor(rng.random(mine.shape) * pool.sum(axis=0))
            drawn = (pool.cumsum(axis=0) > at[:, None]).argmax(axis=1)
            theirs = ranks[others[drawn], np.flatnonzero(kept)]
            pair.append(_correlated(mine, theirs, np.ones_like(mine)))
        found = (pair[0] - pair[1]).ended("gap")
        ends.append((found["gap_lower"], found["gap_upper"]))
    return np.array(ends)


def alike(world: str, n: int, seed: int) -> Found:
    """Values of the eighth model, and of each rule the share of models of which it is shown.

    The latter less one half, and one half less the share of models of which the contrary is shown.
    """
    items, tone, stated = unlike_models(world, N_ALIKE if n == N else n, seed)
    table = wrong_alike(items, {"tone": tone, "stated": stated})
    ends = {"one drawn": one_drawn(items, np.random.default_rng(seed))}
    made: Found = {}
    for score, column in (
        ("tone", "same_less_other"), ("stated", "same_less_other"), ("stated", "falls_more"),
        ("stated", "in_proportion"), ("stated", "beyond_less"),
    ):  # fmt: skip
        found = table.loc[table["score"] == score, list(with_ends(column))].to_numpy()
        name = f"{score}: {column}" if column == "same_less_other" else column
        made[name] = tuple(found[7])
        ends[name] = found[:, 1:]
    ends["falls_more and in_proportion"] = np.minimum(ends["falls_more"], ends["in_proportion"])
    for name, (lower, upper) in ((name, np.transpose(both)) for name, both in ends.items()):
        shown, against = (lower > 0).mean(), (upper < 0).mean()
        made[f"rule: {name}"] = (shown, shown - 0.5, 0.5 - against)
    return made


MEASURES: dict[str, tuple[tuple[str, ...], Callable[[str, int, int], Found]]] = {
    "whom_to_ask": (
        ("own state", "difficulty alone", "crowd wiser", "shared misconceptions", "nothing to be told"), asked
    ),
    "sizes": (tuple(SIZES), at_size),
    "pools": (("own word as good as an equal's answer",), pooled),
    "equal_accuracy": (tuple(PAIRS), compared),
    "reputation": (tuple(SCORES), heard),
    "wrong_alike": (tuple(ALIKE), alike),
}  # fmt: skip


def summary(measure: str, world: str, runs: int) -> pd.DataFrame:
    """Truth, what is found on average, and how often the interval holds the truth, by quantity."""
    make = MEASURES[measure][1]
    n_truth = N_TRUTH * (4 if measure == "reputation" else 1)  # nine models alone
    if measure == "equal_accuracy":
        made = conditions(world, N_TRUTH, 10_000)
        truth = at_equal_accuracy(world, float(made.right[:2].mean()))
        if "accuracy" in truth:
            truth["accuracy"] = float(made.right[1].mean() - made.right[0].mean())
    else:
        truth = {name: value for name, (value, *_) in make(world, n_truth, 10_000).items()}
    found = [make(world, N, seed) for seed in range(min(runs, N_SETS) if measure == "wrong_alike" else runs)]
    rows = []
    for name, true in truth.items():
        value, lower, upper = np.array([one[name] for one in found]).T
        known = np.isfinite(lower) | np.isfinite(upper) | (name.endswith("worth"))
        inside = (lower <= true) & (true <= upper)
        finite = value[np.isfinite(value)]
        rows.append(
            {
                "measure": measure,
                "world": world,
                "quantity": name,
                "truth": true,
                "mean": finite.mean() if finite.size else np.nan,
                "sd": finite.std(ddof=1) if finite.size > 1 else np.nan,
                "n_runs": int(known.sum()),
                "covers": int(inside[known].sum()),
                "above_truth": int((lower > true)[known].sum()),
                "below_truth": int((upper < true)[known].sum()),
                "above_0": int((lower > 0)[known].sum()),
                "below_0": int((upper < 0)[known].sum()),
            }
        )
    return pd.DataFrame(rows)


def main() -> None:
    """Simulate what the table lacks."""
    given = parsed(__file__, runs=N_RUNS)
    worlds = [(measure, world) for measure, (of, _) in MEASURES.items() for world in of]
    parts = {each: partial(summary, *each, given.runs) for each in worlds}
    given.write(given.completed(parts, ["measure", "world"]), seed=0, n=N, n_truth=N_TRUTH)


if __name__ == "__main__":
    main()
