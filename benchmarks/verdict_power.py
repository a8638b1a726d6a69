"""How often the sounder rules of study 1's hypotheses find an effect of a stated size, in runs of two sizes.

Run: python benchmarks/verdict_power.py            (about a quarter of an hour of two cores)
     python benchmarks/verdict_power.py --quick    (to see that it works; writes nothing)
Writes data/simulations/verdict_power.csv and .json (command, seed, versions) next to it; rows that stand there are not
made again. The models of a run answer as often right and have the d' of those whose run it is; what M-ratio each has,
by subject and temperature, is set. So a row says what a run of that size would find, flags included.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from multiprocessing import get_context
from zlib import crc32

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from recording import SIMULATIONS, parsed
from scipy.optimize import brentq
from scipy.stats import norm

from metacog.measures.fits import fitted
from metacog.sdt.decisions import holm
from metacog.sdt.resampling import resample_tables
from metacog.studies.study1_qa import cells, h1, h2, h3, h4, paper, robustness
from metacog.verdicts.outcomes import together

OUT = SIMULATIONS / "verdict_power.csv"
SEED = 20261129
#: Runs of what takes longest.
FEWER = {"r6": 20}
#: What answers of one model to one question at two temperatures share, in both senses: as in verdict_level.py.
SHARED = 0.5


@dataclass(frozen=True)
class Model:
    """A model of a run: its d', and by subject how many questions it is asked and what share it gets right."""

    name: str
    d_prime: float
    subjects: Mapping[str, tuple[int, float]]


@cache
def paper_models() -> tuple[Model, ...]:
    """The paper's: d' from reconstructed counts, subjects from the first paper's file."""
    table = paper.as_numbers(paper.FIRST_PAPER["domains"])
    d_prime = cells.estimate(paper.published_cells(paper.MAIN)).set_index("model")["d_prime"]
    found = []
    for name, rows in table[table["domain"] != "Total"].groupby("model", sort=False):
        n = rows["n_correct"] + rows["n_incorrect"]
        shares = zip(n.astype(int), rows["n_correct"] / n, strict=True)
        found.append(Model(str(name), float(d_prime[name]), dict(zip(rows["domain"], shares, strict=True))))
    return tuple(found)


@cache
def book_models() -> tuple[Model, ...]:
    """The book's: 1,304 questions in four subjects; accuracy and d' of the reference run's four models at T = 1."""
    names = ("Arts & Literature", "Geography", "History & Politics", "Science & Technology")
    told = {"a": (0.57, 2.6), "b": (0.17, 2.1), "c": (0.18, 1.9), "d": (0.18, 1.8)}
    return tuple(Model(k, d, dict.fromkeys(names, (326, right))) for k, (right, d) in told.items())


#: Whose run it is: as the pages' numbers are named.
RUNS: Mapping[str, Callable[[], tuple[Model, ...]]] = {"theirs": paper_models, "ours": book_models}


@cache
def middle(d_prime: float, right: float) -> float:
    """The criterion above which half of all answers lie."""
    return float(
        brentq(
            lambda c: right * norm.sf(c - d_prime / 2) + (1 - right) * norm.sf(c + d_prime / 2) - 0.5, -9, 9
        )
    )


def confidence(u: NDArray, right: NDArray[np.bool_], d_prime: float, m_ratio: float, c: float) -> NDArray:
    """Confidence at the quantiles ``u`` of an observer with that M-ratio, above 0 on the upper side of ``c``.

    The side is that of d'; how far from the middle it lies, that of meta-d' with the same relative criterion.
    """
    sign = np.where(right, 1.0, -1.0)
    below, meta_c, mean = norm.cdf(c - sign * d_prime / 2), c * m_ratio, sign * d_prime * m_ratio / 2
    meta_below = norm.cdf(meta_c - mean)
    upper = u >= below
    inside = np.where(upper, (u - below) / (1 - below), u / below)
    at = np.where(upper, meta_below + inside * (1 - meta_below), inside * meta_below)
    return norm.ppf(np.clip(at, 1e-12, 1 - 1e-12)) + mean - meta_c


@dataclass(frozen=True)
class Effect:
    """What is so in a run: M-ratio by model (its place), subject (its place) and temperature; ``alike``: of one d'."""

    hypothesis: str
    name: str
    size: float
    m_ratio: Callable[[int, int, float, float], float]
    alike: bool = False


def trials(of: tuple[Model, ...], effect: Effect, rng: np.random.Generator) -> pd.DataFrame:
    """Answers of every model to the same questions, at the temperatures of H3 if it is asked, else at T = 1."""
    temperatures = h3.TEMPERATURES if effect.hypothesis == "h3" else (cells.REFERENCE,)
    d_alike, parts = float(np.mean([model.d_prime for model in of])), []
    for i, model in enumerate(of):
        d_prime, first = d_alike if effect.alike else model.d_prime, 0
        sizes, shares = np.array(list(model.subjects.values())).T
        c = middle(d_prime, float(np.average(shares, weights=sizes)))
        for j, (subject, (n, share)) in enumerate(model.subjects.items()):
            common = rng.standard_normal((2, n))
            for t in temperatures:
                hard, sure = np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * rng.standard_normal((2, n))
                right = hard < norm.ppf(share)
                ratio = effect.m_ratio(i, j, t, d_prime)
                z = confidence(norm.cdf(sure), right, d_prime, ratio, c)
                about = {
                    "model": model.name,
                    "domain": subject,
                    "temperature": t,
                    "question_id": first + np.arange(n),
                }
                parts.append(pd.DataFrame({**about, "correct": right, "nlp": z - 20}))
            first += n
    return pd.concat(parts, ignore_index=True).assign(dataset="simulated")


def outcome(effect: Effect, run: pd.DataFrame, seed: int) -> bool | None:
    """What the sounder rule says of a run."""
    if effect.hypothesis == "h3":
        drawn = {"n_resamples": 400, "seed": seed}
        _, own = h3.over_temperatures(cells.rate_trials(run, own_edges=True), h3.SEPARATE, **drawn)
        return together(h3.judge(pd.concat([own.assign(edges=h3.FIXED), own])), "tost")
    if effect.hypothesis == "h4":
        return further(run, seed)
    rated = cells.rate_trials(run)
    if effect.hypothesis == "h1":
        table, _ = cells.fits(rated.cells(), n_resamples=400, seed=seed)
        return together(
            h1.new_edges(table, h1.by_scheme(rated, table, n_resamples=400, seed=seed)), "intervals"
        )
    if effect.hypothesis == "h2":  # p of so many pairs stay below .05 by Holm with 2,000 resamples
        _, pairs = h2.by_domain(rated, n_resamples=2_000, seed=seed)
        return together(h2.judge(pairs[pairs["measure"] == "m_ratio"]), "holm")
    *_, told = robustness.matched(rated, n_seeds=20, n_resamples=400, seed=seed)
    return together(told, "models")


def further(run: pd.DataFrame, seed: int) -> bool | None:
    """H4's rule on models that answer independently, so that there is nothing to pair, without the rest of H4."""
    rng, made = np.random.default_rng(seed), []
    for _, own in run.groupby("model", sort=False):
        score, right = own["nlp"].to_numpy(), own["correct"].to_numpy(dtype=bool)
        rating = np.searchsorted(np.quantile(score, np.arange(1, 8) / 8), score)
        s1, s2 = (np.bincount(rating[right == one], minlength=8) for one in (False, True))
        flag = cells.table_flags(s1[None], s2[None])[0]
        made.append(None if flag else fitted(*resample_tables(s1, s2, 400, rng)))
    pairs = combinations(made, 2)
    p = holm([np.nan if a is None or b is None else h4.further_p(a, b) for a, b in pairs])
    return True if (p < 0.05).any() else None


def below(size: float) -> Callable[[int, int, float, float], float]:
    """The same M-ratio everywhere."""
    return lambda i, j, t, d: size


def one_lower(size: float) -> Callable[[int, int, float, float], float]:
    """The last model's M-ratio is lower than the others' 1."""
    return lambda i, j, t, d: 1 - size * (i == 3)


#: Effects of each hypothesis, and one in which its claim is wrong where chance could pass it.
EFFECTS = (
    Effect("h1", "every M-ratio", 0.8, below(0.8)),
    Effect("h1", "one M-ratio of 1, the others", 0.8, lambda i, j, t, d: 1 if i == 3 else 0.8),
    *(
        Effect(
            "h2",
            "the first subject's M-ratio lower in every model",
            size,
            lambda i, j, t, d, s=size: 1 - s * (j == 0),
        )
        for size in (0.2, 0.5)
    ),
    Effect("h3", "meta-d' higher at T = 1", 0.0, below(1)),
    Effect("h3", "meta-d' higher at T = 1", 0.6, lambda i, j, t, d: 1 + 0.6 / d * (t == 1)),
    *(
        Effect("h4", "the last model's M-ratio lower, one d'", size, one_lower(size), True)
        for size in (0.2, 0.4)
    ),
    Effect("r6", "the last model's M-ratio lower, one d'", 0.4, one_lower(0.4), True),
)


def counted(whose: str, place: int, seeds: list[int]) -> Counter:
    """Outcomes of some runs."""
    effect = EFFECTS[place]
    return Counter(
        outcome(effect, trials(RUNS[whose](), effect, np.random.default_rng(seed)), seed) for seed in seeds
    )


def rows(n_runs: int, jobs: int, done: set[tuple]) -> Iterator[dict]:
    """Every effect at every size that is not done."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for place, effect in enumerate(EFFECTS):
            for whose in RUNS:
                key = (effect.hypothesis, whose, effect.name, effect.size)
                if key in done or (
                    effect.hypothesis == "r6" and whose == "theirs"
                ):  # needs the paper's trials
                    continue
                root = np.random.SeedSequence([SEED, crc32(" ".join(map(str, key)).encode())])
                times = min(n_runs, FEWER.get(effect.hypothesis, n_runs))
                seeds = [int(s) for s in root.generate_state(times)]
                parts = [pool.submit(counted, whose, place, seeds[k::jobs]) for k in range(jobs)]
                total = sum((part.result() for part in parts), Counter())
                names = ("hypothesis", "whose", "effect", "size")
                of = RUNS[whose]()
                n = sum(asked for asked, _ in of[0].subjects.values())
                about = {**dict(zip(names, key, strict=True)), "n_models": len(of), "n_questions": n}
                yield {**about, "runs": times, "found": total[True], "refuted": total[False]}


def main() -> None:
    """Run every effect and write the table."""
    given = parsed(__file__, out=OUT, runs=100, jobs=os.cpu_count() or 1, quick={"runs": 4})
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    table = pd.read_csv(given.out) if given.out.is_file() and not given.quick else pd.DataFrame()
    done = set(table.iloc[:, :4].itertuples(index=False, name=None))
    for row in rows(given.runs, given.jobs, done):
        print(row, flush=True)
        table = pd.concat([table, pd.DataFrame([row])], ignore_index=True)
        if not given.quick:
            table.to_csv(given.out, index=False)
    told = "simulated runs in which the sounder rule says yes (found) and no (refuted); whose: models and questions as "
    told += "the paper's, or as this book's reference run's"
    given.write(table, None, seed=f"{SEED} and the row's name", rows=told)


if __name__ == "__main__":
    main()
