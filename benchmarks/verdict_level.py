"""How often the sound verdicts of H3 and H4 pass where they should not, before and after their mending.

Run: python benchmarks/verdict_level.py            (about five minutes of one processor)
     python benchmarks/verdict_level.py --quick    (to see that it works; writes nothing)
Writes data/simulations/verdict_level.csv and .json (command, seed, versions) next to it; rows that stand
there are not made again. Each row is one rule on one design, nominal level 0.05: ``before`` is the rule as
it was, ``after`` as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from zlib import crc32

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed
from scipy.special import ndtr
from scipy.stats import norm

from metacog.measures.fits import Fits, fitted
from metacog.sdt import meta_d_observer
from metacog.sdt.decisions import bootstrap_p, holm
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import resample_tables
from metacog.studies.study1_qa.cells import measured_together, question_cells
from metacog.studies.study1_qa.h3 import BOUND
from metacog.studies.study1_qa.h4 import further_p

OUT = SIMULATIONS / "verdict_level.csv"
SEED = 20260411
LEVEL = 0.05
Passes = tuple[bool, bool]


#: d' and M-ratio of two kinds of model that are no further apart in M-ratio than in d': the M-ratio falls as d' rises,
#: with one meta-d'; or it rises as fast as d'.
NO_FURTHER = {"one meta-d'": ((1.2, 0.9), (1.8, 0.6)), "M-ratio rises with d'": ((1.2, 0.6), (1.8, 0.9))}


def h4(how: str, n_models: int, n_trials: int, resamples: int, rng: np.random.Generator) -> Passes:
    """Half of the models are of one kind and half of the other: no pair is further apart in M-ratio than in d'.

    ``before`` asks that some pair differ in M-ratio, by Holm.
    """
    observers = [meta_d_observer(d, m_ratio=m) for d, m in NO_FURTHER[how]]
    made = []
    for i in range(n_models):
        probabilities = np.concatenate(observers[i % 2].probabilities())
        table = rng.multinomial(n_trials, probabilities / probabilities.sum())
        seed = np.random.default_rng(rng.integers(2**31))
        made.append(fitted(*resample_tables(*np.split(table, 2), resamples, seed)))
    pairs = list(combinations(made, 2))
    differ = holm([bootstrap_p(a["m_ratio"] - b["m_ratio"]) for a, b in pairs])
    further = holm([further_p(a, b) for a, b in pairs])
    return bool((differ < LEVEL).any()), bool((further < LEVEL).any())


def paired_trials(
    n_questions: int, separations: tuple[float, float], rho: float, rng: np.random.Generator
) -> pd.DataFrame:
    """Two conditions of the same questions; ``rho`` is what a question's answers share, in both senses."""
    hard, sure = rng.standard_normal((2, n_questions))
    frames = []
    for condition, separation in enumerate(separations):
        own = rng.standard_normal((2, n_questions))
        right = np.sqrt(rho) * hard + np.sqrt(1 - rho) * own[0] > 0.3
        seen = separation * right + np.sqrt(rho) * sure + np.sqrt(1 - rho) * own[1]
        edges = _edges(separation, float(ndtr(-0.3)))
        frames.append(
            pd.DataFrame(
                {
                    "question_id": np.arange(n_questions),
                    "temperature": float(condition),
                    "correct": right,
                    "rating": 1 + np.searchsorted(edges, seen, side="right"),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


@cache
def _edges(separation: float, accuracy: float) -> np.ndarray:
    """Octiles of confidence in the population."""
    grid = np.linspace(-8, 12, 20_001)
    mass = (1 - accuracy) * norm.cdf(grid) + accuracy * norm.cdf(grid - separation)
    return np.interp(np.arange(1, 8) / 8, mass, grid)


def _drawn(cells: dict, resamples: int, rng: np.random.Generator) -> list[dict[str, np.ndarray]]:
    """Draws of fits of each condition, questions resampled."""
    made = measured_together(cells, [Fits()], n_resamples=resamples, seed=int(rng.integers(2**31)))
    return [one.draws for one in made.values()]


def tost(n_questions: int, rho: float, resamples: int, rng: np.random.Generator) -> Passes:
    """meta-d' differs by the bound itself, so equivalence must not be shown. Unchanged: one figure twice."""
    cells = question_cells(paired_trials(n_questions, (1.2, 1.2 + BOUND), rho, rng), "temperature", 8)
    draws = _drawn(cells, resamples, rng)
    gap = draws[1]["meta_d"] - draws[0]["meta_d"]
    inside = max(map(abs, percentile_limits(gap, level=0.90))) < BOUND
    return inside, inside


def runs(simulations: int, resamples: int, done: set[tuple]) -> Iterator[dict | None]:
    """Every design that is not done."""

    def repeated(
        rule: str, n: int, clustered: bool, one, design: str = "", times: int = simulations
    ) -> dict | None:
        if (rule, design, n) in done:
            return None
        rng = np.random.default_rng(np.random.SeedSequence([SEED, crc32(f"{rule} {design} {n}".encode())]))
        found = np.array([one(rng) for _ in range(times)], dtype=np.float64).mean(axis=0)
        return {
            "rule": rule,
            "design": design,
            "n": n,
            "clustered": clustered,
            "n_simulations": times,
            "before": found[0],
            "after": found[1],
            "judged": 1.0,
            "se": float(np.sqrt(0.05 * 0.95 / times)),
        }

    for how in NO_FURTHER:
        for n in (300, 1304):
            design, times = f"4 models, {how}", max(simulations // 5, 1)
            yield repeated(
                "H4, sound", n, False, lambda r, h=how, k=n: h4(h, 4, k, resamples, r), design, times
            )
    for n in (100, 300, 1304, 5000):
        for rho in (0.0, 0.5):
            how = f"question share {rho:g}"
            yield repeated("H3, TOST", n, rho > 0, lambda r, k=n, q=rho: tost(k, q, resamples, r), how)


def main() -> None:
    """Run every design and write the table."""
    given = parsed(
        __file__, out=OUT, simulations=1_000, resamples=400, quick={"simulations": 20, "resamples": 100}
    )
    rows, order = [], ["rule", "design", "n"]
    known = pd.read_csv(given.out) if given.out.is_file() else pd.DataFrame()
    done = set(known[order].itertuples(index=False, name=None)) if len(known) else set()
    for row in runs(given.simulations, given.resamples, set() if given.quick else done):
        if row is not None:
            rows.append(row)
            given.tell(row)
    table = pd.concat([known, pd.DataFrame(rows)], ignore_index=True).sort_values(order, kind="stable")
    seed = f"{SEED} and the row's name; rows of 600 (8 models: 300) simulations: children of {SEED}, "
    told = "share of simulations in which the rule passes where it should not (nominal 0.05), and under `judged` in "
    told += "which it had something to judge"
    given.write(table, seed=f"{seed}one a row in order, from `--simulations 600`", rows=told)


if __name__ == "__main__":
    main()
