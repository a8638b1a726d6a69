"""Coverage of the intervals of meta-I2r, meta-I and AUROC2, level and power of the permutation p, by simulation.

Run: python benchmarks/interval_coverage.py            (about 20 minutes on one core)
     python benchmarks/interval_coverage.py --quick    (20 simulations a design, to see that it works;
                                                        writes nothing)
Confidence is N(0, 1) when wrong and N(mu, 1) when right, cut into eight ratings at edges that are held
fixed at the population's eighths; mu is set so that the population's meta-I2r is the value wanted. Designs
with questions ask each at seven temperatures: correctness and the noise of confidence are both alike
within a question, so the population table is the same one. Each simulated table with at least ten trials
of either class gets the intervals of the book and those that it had before.
Writes data/simulations/interval_coverage.csv and a .json (command, seed, versions) next to it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed
from scipy.special import ndtri

from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.sdt.area_intervals import auroc2_interval, auroc2_interval_from_counts
from metacog.sdt.information import (
    binary_entropy,
    null_meta_i2r,
    permutation_null_meta_i,
    plugin_meta_i,
    plugin_meta_i2r,
)
from metacog.sdt.information_interval import (
    clustered_meta_i2r_se,
    meta_i2r_interval,
    meta_i2r_se,
    meta_i_se,
    studentised,
)
from metacog.sdt.intervals import Interval, percentile_limits
from metacog.sdt.populations import Population, confidence_population, population_for
from metacog.sdt.resampling import cluster_weights, permutation_p, permute_clusters
from metacog.sdt.type2 import auroc2_from_counts

OUT = SIMULATIONS / "interval_coverage.csv"
SEED = 20260410
LEVELS = 8
TRIALS = (100, 300, 1304, 5000)
QUESTIONS = (100, 300, 1304)
TEMPERATURES = 7
VALUES = (0.0, 0.05, 0.12, 0.28)
ACCURACIES = (0.1, 0.2, 0.43, 0.7)
CLUSTERED_ACCURACIES = (0.1, 0.43)
#: Rare mistakes: trials, accuracy, and meta-I2r. The rarer they are, the less is known of the entropy of accuracy,
#: which meta-I2r is a share of and meta-I is not.
RARE = (
    *((1500, 0.95, v) for v in (0.05, 0.12, 0.28, 0.5)),
    *((600, 0.97, v) for v in (0.05, 0.12, 0.28, 0.45)),
)
#: Fewest right and wrong answers from which coverage is required to be sound.
ASKED_OF_A_CLASS = 30
#: Simulations of AUROC2's interval for each one of meta-I2r's.
MORE = 5
#: Latent correlation within a question: of being right, and of the noise of confidence.
RIGHT_ALIKE, NOISE_ALIKE = 0.7, 0.5


@dataclass(frozen=True)
class Design:
    """One population and one number of trials; ``questions`` is 0 where trials are independent."""

    n_trials: int
    questions: int
    accuracy: float
    value: float

    @property
    def population(self) -> Population:
        """Cell probabilities whose meta-I2r is ``value``."""
        return population_of(self.value, self.accuracy)


@cache
def population_of(value: float, accuracy: float) -> Population:
    """Gaussian confidence in eighths with this meta-I2r."""
    if value == 0:
        return confidence_population(0.0, accuracy=accuracy, n_ratings=LEVELS)
    return population_for("meta_i2r_chi_square", value, accuracy=accuracy, n_ratings=LEVELS)


def designs() -> list[Design]:
    """Independent trials, then questions asked at seven temperatures."""
    alone = [Design(n, 0, a, v) for n in TRIALS for a in ACCURACIES for v in VALUES]
    asked = [
        Design(q * TEMPERATURES, q, a, v) for q in QUESTIONS for a in CLUSTERED_ACCURACIES for v in VALUES
    ]
    return alone + asked + rare()


def rare() -> list[Design]:
    """Independent trials with rare mistakes."""
    return [Design(n, 0, a, v) for n, a, v in RARE]


def of_bits() -> list[Design]:
    """Those of meta-I."""
    usual = [Design(300, 0, 0.43, v) for v in (0.05, 0.28)]
    return [*usual, *rare(), *(Design(2100, 300, 0.95, v) for v in (0.05, 0.28))]


def found_alone(design: Design, n: int, n_draws: int, rng: np.random.Generator) -> Iterator[dict]:
    """What is found in each of ``n`` simulated tables of independent trials."""
    tables = rng.multinomial(design.n_trials, design.population.cells(), n)
    wrong, right = tables[:, :LEVELS], tables[:, LEVELS:]
    usable = np.minimum(wrong.sum(axis=1), right.sum(axis=1)) >= MIN_FOR_INTERVALS
    for table in tables[usable]:
        w, r = table[:LEVELS], table[LEVELS:]
        drawn = rng.multinomial(design.n_trials, table / table.sum(), n_draws)
        dw, dr = drawn[:, :LEVELS], drawn[:, LEVELS:]
        plain, taken = float(plugin_meta_i2r(w, r)), float(null_meta_i2r(w, r))
        null = permutation_null_meta_i(w, r, n_permutations=n_draws - 1, seed=int(rng.integers(2**31)))
        p = permutation_p(float(plugin_meta_i(w, r)), null, alternative="greater").p_value
        draws = plugin_meta_i2r(dw, dr)
        yield {
            "information": meta_i2r_interval(
                plain - taken, draws, se=float(meta_i2r_se(w, r)), draw_se=meta_i2r_se(dw, dr)
            ),
            "centred": meta_i2r_interval(plain - taken, draws),
            "old": percentile_limits(draws - taken),
            "p": p,
            "p_trials": p,
            "percentile": percentile_limits(auroc2_from_counts(dw, dr)),
        }


def found_asked(design: Design, n: int, n_draws: int, rng: np.random.Generator) -> Iterator[dict]:
    """What is found in each of ``n`` simulated sets of questions."""
    for _ in range(n):
        right, rating = simulate_questions(design, rng)
        if min(int(right.sum()), int((~right).sum())) < MIN_FOR_INTERVALS:
            continue
        question = np.repeat(np.arange(design.questions), TEMPERATURES)
        cells = np.zeros((design.questions, 2 * LEVELS))
        np.add.at(cells, (question, rating + LEVELS * right), 1.0)
        weights = cluster_weights(design.questions, n_draws, rng)
        drawn, table = weights @ cells, cells.sum(axis=0, keepdims=True)
        draws = plugin_meta_i2r(drawn[:, :LEVELS], drawn[:, LEVELS:])
        w, r = table[0, :LEVELS].astype(int), table[0, LEVELS:].astype(int)
        plain, taken = float(plugin_meta_i2r(w, r)), float(null_meta_i2r(w, r))
        seed = int(rng.integers(2**31))
        test = permute_clusters(
            right,
            rating,
            question,
            np.tile(np.arange(TEMPERATURES), design.questions),
            n_ratings=LEVELS,
            statistic=plugin_meta_i2r,
            n_permutations=n_draws - 1,
            seed=seed,
        )
        alone = permutation_null_meta_i(w, r, n_permutations=n_draws - 1, seed=seed)
        yield {
            "information": meta_i2r_interval(
                plain - test.null_mean,
                draws,
                se=float(clustered_meta_i2r_se(table, cells, np.ones((1, design.questions)))[0]),
                draw_se=clustered_meta_i2r_se(drawn, cells, weights),
            ),
            "centred": meta_i2r_interval(plain - test.null_mean, draws),
            "old": percentile_limits(draws - taken),
            "p": test.p_value,
            "p_trials": permutation_p(float(plugin_meta_i(w, r)), alone, alternative="greater").p_value,
            "percentile": percentile_limits(auroc2_from_counts(drawn[:, :LEVELS], drawn[:, LEVELS:])),
        }


def areas(design: Design, n: int, rng: np.random.Generator) -> Iterator[Interval]:
    """The interval of AUROC2 of each of ``n`` simulated data sets; it needs no resamples."""
    if not design.questions:
        for table in rng.multinomial(design.n_trials, design.population.cells(), n):
            w, r = table[:LEVELS], table[LEVELS:]
            if min(w.sum(), r.sum()) >= MIN_FOR_INTERVALS:
                yield auroc2_interval_from_counts(w, r)
        return
    question = np.repeat(np.arange(design.questions), TEMPERATURES)
    for _ in range(n):
        right, rating = simulate_questions(design, rng)
        if min(int(right.sum()), int((~right).sum())) >= MIN_FOR_INTERVALS:
            yield auroc2_interval(right, rating, clusters=question)


def simulate_questions(design: Design, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Right or not and rating of every question at every temperature, flat."""
    population = design.population
    shape = design.questions, TEMPERATURES

    def alike(share: float) -> np.ndarray:
        own = rng.normal(size=(design.questions, 1))
        return np.sqrt(share) * own + np.sqrt(1 - share) * rng.normal(size=shape)

    right = alike(RIGHT_ALIKE) < ndtri(design.accuracy)
    edges = ndtri(np.cumsum(population.s1)[:-1] / population.s1.sum())
    mu = float(edges[0] - ndtri(population.s2[0] / population.s2.sum()))
    rating = np.searchsorted(edges, alike(NOISE_ALIKE) + mu * right)
    return right.ravel(), rating.ravel()


def run(design: Design, n: int, n_draws: int, seed: int) -> list[dict]:
    """Two rows: the interval and the test of meta-I2r, and the interval of AUROC2.

    The latter costs so little that :data:`MORE` times as many simulations are made, from a stream of
    their own; the percentile intervals next to it come from the first simulations.
    """
    rng = np.random.default_rng(seed)
    population = design.population
    truth = float(plugin_meta_i2r(population.s1, population.s2))
    area = float(auroc2_from_counts(population.s1, population.s2))
    found = list((found_asked if design.questions else found_alone)(design, n, n_draws, rng))
    head = {
        "clustered": bool(design.questions),
        "n_trials": design.n_trials,
        "n_questions": design.questions,
        "accuracy": design.accuracy,
        "minority": design.n_trials * min(design.accuracy, 1 - design.accuracy),
    }
    found_areas = list(areas(design, MORE * n, np.random.default_rng([seed, 1])))
    info = covered([f["information"] for f in found], truth)
    placed = covered([(f.lower, f.upper) for f in found_areas], area)
    before = covered([f["percentile"] for f in found], area)
    old, moved = (covered([f[name] for f in found], truth) for name in ("old", "centred"))
    p, p_trials = (np.array([f[name] for f in found]) for name in ("p", "p_trials"))
    return [
        {
            "interval": "meta_i2r",
            **head,
            "n_simulations": n,
            "n_used": len(found),
            "value": truth,
            **info,
            "coverage_before": old["coverage"],
            "coverage_centred": moved["coverage"],
            "rejected": float((p <= 0.05).mean()),
            "rejected_by_trials": float((p_trials <= 0.05).mean()),
            "interval_off_null": _above([f["information"] for f in found], 0.0),
            "interval_off_null_before": _above([f["old"] for f in found], 0.0),
        },
        {
            "interval": "auroc2",
            **head,
            "n_simulations": MORE * n,
            "n_used": len(found_areas),
            "value": area,
            **placed,
            "coverage_before": before["coverage"],
            "coverage_centred": np.nan,
            "rejected": np.nan,
            "rejected_by_trials": np.nan,
            "interval_off_null": float(np.mean([f.excludes(0.5) for f in found_areas])),
            "interval_off_null_before": 1 - covered([f["percentile"] for f in found], 0.5)["coverage"],
        },
    ]


def run_bits(design: Design, n: int, n_draws: int, seed: int) -> dict:
    """One row: the interval of meta-I, and under ``coverage_before`` that of meta-I2r times the entropy found."""
    rng = np.random.default_rng(seed)
    population = design.population
    now, before = [], []
    for _ in range(n):
        if design.questions:
            right, rating = simulate_questions(design, rng)
            question = np.repeat(np.arange(design.questions), TEMPERATURES)
            cells = np.zeros((design.questions, 2 * LEVELS))
            np.add.at(cells, (question, rating + LEVELS * right), 1.0)
            table = cells.sum(axis=0)
        else:
            table = rng.multinomial(design.n_trials, population.cells())
        w, r = table[:LEVELS].astype(int), table[LEVELS:].astype(int)
        if min(w.sum(), r.sum()) < MIN_FOR_INTERVALS:
            continue
        if design.questions:
            condition = np.tile(np.arange(TEMPERATURES), design.questions)
            more = {"n_permutations": 100, "seed": int(rng.integers(2**31))}
            taken = permute_clusters(
                right, rating, question, condition, n_ratings=LEVELS, statistic=plugin_meta_i2r, **more
            ).null_mean
            weights = cluster_weights(design.questions, n_draws, rng)
            drawn, whole = weights @ cells, (table[None], cells, np.ones((1, design.questions)))
            errors = [clustered_meta_i2r_se(drawn, cells, weights, bits=b) for b in (False, True)]
            own = [float(clustered_meta_i2r_se(*whole, bits=b)[0]) for b in (False, True)]
        else:
            taken = float(null_meta_i2r(w, r))
            drawn = rng.multinomial(design.n_trials, table / table.sum(), n_draws)
            errors = [se(drawn[:, :LEVELS], drawn[:, LEVELS:]) for se in (meta_i2r_se, meta_i_se)]
            own = [float(se(w, r)) for se in (meta_i2r_se, meta_i_se)]
        dw, dr = drawn[:, :LEVELS], drawn[:, LEVELS:]
        share = float(plugin_meta_i2r(w, r)) - taken
        entropy = float(binary_entropy(r.sum() / table.sum()))
        old = percentile_limits(studentised(plugin_meta_i2r(dw, dr), errors[0], share, own[0]))
        before.append((entropy * old[0], entropy * old[1]))
        now.append(percentile_limits(studentised(plugin_meta_i(dw, dr), errors[1], entropy * share, own[1])))
    truth = float(plugin_meta_i(population.s1, population.s2))
    return {
        "interval": "meta_i",
        "clustered": bool(design.questions),
        "n_trials": design.n_trials,
        "n_questions": design.questions,
        "accuracy": design.accuracy,
        "minority": design.n_trials * min(design.accuracy, 1 - design.accuracy),
        "n_simulations": n,
        "n_used": len(now),
        "value": truth,
        **covered(now, truth),
        "coverage_before": covered(before, truth)["coverage"],
    }


def covered(limits: list[tuple[float, float]], truth: float) -> dict[str, float]:
    """How often limits hold the truth, or lie above or below it, of those that are known."""
    low, high = np.array([tuple(one) for one in limits], dtype=np.float64).T
    known = np.isfinite(low)
    low, high = low[known], high[known]
    coverage = float(((low <= truth) & (truth <= high)).mean())
    return {
        "coverage": coverage,
        "coverage_se": float(np.sqrt(coverage * (1 - coverage) / known.sum())),
        "too_high": float((low > truth).mean()),
        "too_low": float((high < truth).mean()),
        "width": float(np.median(high - low)),
        "cannot_tell": float((~known).mean()),
    }


def _above(limits: list[tuple[float, float]], value: float) -> float:
    return float(np.mean([low > value for low, _ in limits]))


def main() -> None:
    """Run every design; exit 1 if an interval misses 93-97 % by over two Monte-Carlo errors where asked."""
    given = parsed(__file__, out=OUT, simulations=1_000, draws=400, quick={"simulations": 20})
    n, rows = given.simulations, []
    for i, design in enumerate(designs()):
        rows += run(design, n, given.draws, SEED + i)
        info, area = rows[-2:]
        given.tell(
            f"{design}  meta-I2r {info['coverage']:.3f} (before {info['coverage_before']:.3f}, centred "
            f"{info['coverage_centred']:.3f}) p {info['rejected']:.3f}  AUROC2 {area['coverage']:.3f} (before "
            f"{area['coverage_before']:.3f})"
        )
    for i, design in enumerate(of_bits()):
        rows.append(run_bits(design, n, given.draws, SEED + 1_000 + i))
        info = rows[-1]
        given.tell(f"{design}  meta-I {info['coverage']:.3f} (before {info['coverage_before']:.3f})")
    table = pd.DataFrame(rows)
    asked = table[(table["n_trials"] >= 300) & (table["minority"] >= ASKED_OF_A_CLASS)]
    asked = asked[(asked["interval"] != "meta_i2r") | (asked["value"] >= 0.049)]
    slack = 2 * asked["coverage_se"]
    missed = asked[(asked["coverage"] < 0.93 - slack) | (asked["coverage"] > 0.97 + slack)]
    print(f"outside 93-97 % by more than two Monte-Carlo errors: {len(missed)} of {len(asked)}")
    facts = {
        "held fixed": "the edges of the eight ratings, at the population's eighths",
        "within a question": {
            "latent correlation of being right": RIGHT_ALIKE,
            "correlation of the noise of confidence": NOISE_ALIKE,
        },
        "left out": f"tables with fewer than {MIN_FOR_INTERVALS} trials of a class (n_used counts the rest)",
    }
    given.write(table, "%.5g", seed=f"{SEED} + number of the design", **facts)
    sys.exit(int(len(missed) > 0))


if __name__ == "__main__":
    main()
