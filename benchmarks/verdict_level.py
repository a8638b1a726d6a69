"""How often the sound verdicts of H2, H3 and H4 pass where they should not, before and after their mending.

Run: python benchmarks/verdict_level.py            (about five minutes of one processor)
     python benchmarks/verdict_level.py --quick    (to see that it works; writes nothing)
Writes data/simulations/verdict_level.csv and .json (command, seed, versions) next to it; rows that stand
there are not made again. Each row is one rule on one design, nominal level 0.05: ``before`` is the rule as
it was, ``after`` as it is.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from zlib import crc32

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import norm

from metacog.measures.fits import Fits, fitted
from metacog.measures.pairs import together
from metacog.sdt import meta_d_observer
from metacog.sdt.decisions import bootstrap_p, equivalence_p, holm
from metacog.sdt.information import meta_i2r, plugin_meta_i2r
from metacog.sdt.intervals import centred, percentile_limits
from metacog.sdt.ranking import NORMAL, PERCENTILE, difference_interval
from metacog.sdt.resampling import resample_tables
from metacog.sdt.simulate import confidence_population
from metacog.studies.study1_qa.cells import Cells, fits, measured_together, question_cells
from metacog.studies.study1_qa.h2 import chance_of_rule, meta_i2r_at, plugin_meta_i2r_at
from metacog.studies.study1_qa.h4 import D_PRIME_BOUND, both_holm
from metacog.studies.study1_qa.temperatures import BOUND, SIDE_LEVEL

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "verdict_level.csv"
SEED = 20260411
LEVEL = 0.05
Passes = tuple[bool, bool]


def h4(n_models: int, n_trials: int, resamples: int, rng: np.random.Generator) -> Passes:
    """Half of the models lie exactly the bound higher in d' and far higher in M-ratio: no pair is both."""
    observers = [meta_d_observer(1.2, m_ratio=0.6), meta_d_observer(1.2 + D_PRIME_BOUND, m_ratio=1.4)]
    d, m = [], []
    for i in range(n_models):
        probabilities = np.concatenate(observers[i % 2].probabilities())
        table = rng.multinomial(n_trials, probabilities / probabilities.sum())
        drawn = fitted(
            *resample_tables(*np.split(table, 2), resamples, np.random.default_rng(rng.integers(2**31)))
        )
        d.append(drawn["d_prime"])
        m.append(drawn["m_ratio"])
    return _h4_rules(d, m)


def _h4_rules(d: list[np.ndarray], m: list[np.ndarray]) -> Passes:
    """Whether some pair passes: Holm on the difference alone, and on the larger of both p."""
    one, other = np.triu_indices(len(d), k=1)
    p = pd.Series([bootstrap_p(m[i] - m[j]) for i, j in zip(one, other, strict=True)])
    gaps = [d[i] - d[j] for i, j in zip(one, other, strict=True)]
    similar = np.array([max(map(abs, percentile_limits(g, level=0.90))) < D_PRIME_BOUND for g in gaps])
    larger = both_holm(
        p, pd.Series([equivalence_p(g, D_PRIME_BOUND) for g in gaps]), pd.Series([False] * len(p))
    )
    return bool(((holm(p) < LEVEL) & similar).any()), bool((larger < LEVEL).any())


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
def _edges(separation: float, accuracy: float, spread: float = 1.0) -> np.ndarray:
    """Octiles of confidence in the population."""
    grid = np.linspace(-8, 12, 20_001)
    mass = (1 - accuracy) * norm.cdf(grid) + accuracy * norm.cdf((grid - separation) / spread)
    return np.interp(np.arange(1, 8) / 8, mass, grid)


def h4_shared(
    n_models: int, n_questions: int, rho: float, resamples: int, rng: np.random.Generator
) -> Passes:
    """The same on shared questions: half of the models have an uneven spread and d' higher by the bound."""
    kinds = [(1.2, 1.0), (_separation(1.2 + D_PRIME_BOUND, 0.55), 0.55)]
    hard, sure = rng.standard_normal((2, n_questions))
    frames = []
    for i in range(n_models):
        separation, spread = kinds[i % 2]
        own = rng.standard_normal((2, n_questions))
        right = np.sqrt(rho) * hard + np.sqrt(1 - rho) * own[0] > 0.3
        noise = np.sqrt(rho) * sure + np.sqrt(1 - rho) * own[1]
        seen = separation * right + np.where(right, spread, 1.0) * noise
        rating = 1 + np.searchsorted(_edges(separation, float(ndtr(-0.3)), spread), seen, side="right")
        frames.append(
            pd.DataFrame(
                {"question_id": np.arange(n_questions), "model": i, "correct": right, "rating": rating}
            )
        )
    cells = question_cells(pd.concat(frames, ignore_index=True), "model", 8)
    draws = _drawn(cells, resamples, rng)
    return _h4_rules([one["d_prime"] for one in draws], [one["m_ratio"] for one in draws])


def _drawn(cells: dict, resamples: int, rng: np.random.Generator) -> list[dict[str, np.ndarray]]:
    """Draws of fits of each condition, questions resampled."""
    made = measured_together(cells, [Fits()], n_resamples=resamples, seed=int(rng.integers(2**31)))
    return [one.draws for one in made.values()]


def _separation(d_prime: float, spread: float) -> float:
    """Distance of right from wrong confidence that gives a d' at the median of both together."""

    def gap(separation: float) -> float:
        cut = _edges(separation, float(ndtr(-0.3)), spread)[3]
        return float((separation - cut) / spread + cut - d_prime)

    return float(brentq(gap, 0.2, 4.0))


def criterion(n_questions: int, rho: float, resamples: int, rng: np.random.Generator) -> Passes:
    """No criterion moves; either of two sides could seem to."""
    cells = question_cells(paired_trials(n_questions, (1.4, 1.4), rho, rng), "temperature", 8)
    made = measured_together(cells, [Fits()], n_resamples=resamples, seed=int(rng.integers(2**31)))
    changes = [together(*reversed(made.values()), name) for name in ("low_criterion", "high_criterion")]
    before, after = (
        any(difference_interval(c.draws, c.difference, SIDE_LEVEL, method).excludes() for c in changes)
        for method in (PERCENTILE, NORMAL)
    )
    return before, after


def tost(n_questions: int, rho: float, resamples: int, rng: np.random.Generator) -> Passes:
    """meta-d' differs by the bound itself, so equivalence must not be shown. Unchanged: one figure twice."""
    cells = question_cells(paired_trials(n_questions, (1.2, 1.2 + BOUND), rho, rng), "temperature", 8)
    draws = _drawn(cells, resamples, rng)
    gap = draws[1]["meta_d"] - draws[0]["meta_d"]
    inside = max(map(abs, percentile_limits(gap, level=0.90))) < BOUND
    return inside, inside


def domains(n_trials: int, resamples: int, rng: np.random.Generator) -> Passes:
    """Four domains alike but for accuracy: does any difference of a measure survive Holm?

    ``before`` is meta-I2r as it is, ``after`` at one accuracy.
    """
    shares = (0.15, 0.25, 0.35, 0.45)
    plain, same = [], []
    for share in shares:
        population = confidence_population(1.4, accuracy=share)
        a, b = np.split(rng.multinomial(n_trials, population.cells()), 2)
        a1, b1 = resample_tables(a, b, resamples, np.random.default_rng(rng.integers(2**31)))
        at = float(np.mean(shares))
        plain.append(centred(plugin_meta_i2r(a1, b1), float(meta_i2r(a, b))))
        same.append(centred(plugin_meta_i2r_at(a1, b1, at), float(meta_i2r_at(a, b, at))))
    one, other = np.triu_indices(len(shares), k=1)
    found = []
    for draws in (plain, same):
        p = [bootstrap_p(draws[i] - draws[j]) for i, j in zip(one, other, strict=True)]
        found.append(bool((holm(p) < LEVEL).any()))
    return found[0], found[1]


def equal_domains(n_trials: int, resamples: int, rng: np.random.Generator) -> tuple[bool, float]:
    """Three models with four equal domains each: does the registered rule pass, and what is its chance?"""
    population = confidence_population(1.4, accuracy=0.4)
    tables = rng.multinomial(n_trials, population.cells(), size=12)
    frame = pd.DataFrame(
        [{"model": m, "dataset": "bank", "domain": d, "flag": ""} for m in "abc" for d in "wxyz"]
    )
    cells = Cells(frame, tables[:, :8], tables[:, 8:], ("model", "dataset", "domain"))
    _, made = fits(cells, n_resamples=resamples, seed=int(rng.integers(2**31)))
    m = [one.draws["m_ratio"] for one in made]
    with_one = 0
    for model in range(3):
        own = range(4 * model, 4 * model + 4)
        gaps = [m[i] - m[j] for i in own for j in range(4 * model, i)]
        with_one += any(low > 0 or high < 0 for low, high in map(percentile_limits, gaps))
    return with_one >= 2, chance_of_rule(cells, made)


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
            "se": float(np.sqrt(0.05 * 0.95 / times)),
        }

    # 28 pairs of eight models: Holm needs p below 0.05/28, which 400 resamples cannot reach
    for models, drawn, times in ((4, resamples, simulations), (8, 5 * resamples, max(simulations // 2, 1))):
        for n in (300, 1304, 5000) if models == 4 else (1304, 5000):
            yield repeated(
                "H4, sound",
                n,
                False,
                lambda r, m=models, k=n, b=drawn: h4(m, k, b, r),
                f"{models} models",
                times,
            )
    for n in (100, 300, 1304, 5000):
        how = "4 models, shared questions"
        yield repeated("H4, sound", n, True, lambda r, k=n: h4_shared(4, k, 0.5, resamples, r), how)
    for n in (100, 300, 1304, 5000):
        for rho in (0.0, 0.5):
            how = f"question share {rho:g}"
            yield repeated(
                "H3, criterion", n, rho > 0, lambda r, k=n, q=rho: criterion(k, q, resamples, r), how
            )
            yield repeated("H3, TOST", n, rho > 0, lambda r, k=n, q=rho: tost(k, q, resamples, r), how)
    for n in (100, 326, 1304, 5000):
        name = "H2, meta-I2r of domains of unequal accuracy"
        yield repeated(name, n, False, lambda r, k=n: domains(k, resamples, r), "four domains")
    for n in (326, 1304):
        row = repeated(
            "H2, registered rule on equal domains",
            n,
            False,
            lambda r, k=n: equal_domains(k, resamples, r),
            "3 models x 4 domains",
        )
        yield row


def main() -> None:
    """Run every design and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=1_000)
    parser.add_argument("--resamples", type=int, default=400)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.simulations, arguments.resamples = 20, 100
    rows, started = [], time.perf_counter()
    known = pd.read_csv(arguments.out) if arguments.out.is_file() else pd.DataFrame()
    done = set(known[["rule", "design", "n"]].itertuples(index=False, name=None)) if len(known) else set()
    for row in runs(arguments.simulations, arguments.resamples, set() if arguments.quick else done):
        if row is None:
            continue
        rows.append(row)
        print(
            f"{row['rule']:<45} {row['design']:<22} n={row['n']:<5} before {row['before']:.3f} "
            f"after {row['after']:.3f}  ({time.perf_counter() - started:.0f} s)",
            flush=True,
        )
    if arguments.quick:
        return
    order = ["rule", "design", "n"]
    table = pd.concat([known, pd.DataFrame(rows)], ignore_index=True).sort_values(order, kind="stable")
    table.to_csv(arguments.out, index=False, float_format="%.4f")
    sizes = f"--simulations {arguments.simulations} --resamples {arguments.resamples}"
    facts = {
        "command": f"python benchmarks/verdict_level.py {sizes}",
        "seed": f"{SEED} and the row's name; rows of 600 (8 models: 300) simulations: children of {SEED}, "
        "one a row in order, from `--simulations 600`",
        "rows": "share of simulations in which the rule passes where it should not (nominal 0.05); for the "
        "registered rule of H2 `before` is the share in which it passes on equal domains and `after` the "
        "mean chance that the page states",
        "versions": {p: version(p) for p in ("jax", "numpy", "scipy")},
    }
    arguments.out.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
