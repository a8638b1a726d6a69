"""How often are equal models called different? Level of the tests between models, by simulation.

Pairs: two models of the same AUROC2, on one scale or on scales that do not overlap, with equal or other
accuracy; each question asked once or three times; the same questions or others. The permutation p exchanges
scores between the models, the bootstrap p does not. Families: equal models, and a mixture, judged by
Holm-adjusted bootstrap p; the share of runs with any false difference, and with every true rank inside its
confidence set. Writes a table with one row per cell::

    python benchmarks/comparison_level.py --out data/simulations/comparison_level.csv
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from recording import parsed

from metacog.sdt.compare import compare_paired, compare_unpaired
from metacog.sdt.ranking import bootstrap_ranks
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.type2 import auroc2_from_counts

ALPHA = 0.05
LEVELS = np.arange(-5.0, 7.0)
#: Accuracies of both models and how far apart their scores lie.
SCENARIOS = {
    "one scale, equal accuracy": ((0.5, 0.5), 0.0),
    "one scale, other accuracy": ((0.2, 0.8), 0.0),
    "other scales, equal accuracy": ((0.5, 0.5), 100.0),
    "other scales, other accuracy": ((0.2, 0.8), 100.0),
}


def answers(
    rng: np.random.Generator, n: int, repeats: int, accuracy: float, shift: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Correctness and a score of twelve values; trials of one question share half of their spread."""
    own, shared = (rng.normal(size=(2, n * repeats)), np.repeat(rng.normal(size=(2, n)), repeats, axis=1))
    weight = np.sqrt(0.5) if repeats > 1 else 0.0
    evidence = np.sqrt(1 - weight**2) * own + weight * shared
    correct = (evidence[0] < _quantile(accuracy)).astype(int)
    return correct, np.clip(np.round(2 * (evidence[1] + shift * correct)), LEVELS[0], LEVELS[-1])


def _quantile(p: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(p))


def pair_cell(
    scenario: str, n: int, repeats: int, paired: bool, runs: int, draws: int, seed: int
) -> dict[str, object]:
    """Rejections at .05 of pairs of equal AUROC2."""
    (first, second), apart = SCENARIOS[scenario]
    rng = np.random.default_rng([seed, n, repeats, int(paired), len(scenario), int(100 * first)])
    question = np.repeat(np.arange(n), repeats)
    found = np.zeros((runs, 2))
    for run in range(runs):
        ca, sa = answers(rng, n, repeats, first)
        cb, sb = answers(rng, n, repeats, second)
        options = {"n_resamples": draws, "n_permutations": draws, "seed": int(rng.integers(2**31))}
        if paired:
            made = compare_paired(ca, sa, cb, sb + apart, clusters_a=question, clusters_b=question, **options)
        else:
            made = compare_unpaired(
                ca, sa, cb, sb + apart, clusters_a=question, clusters_b=question, **options
            )
        found[run] = made.p_permutation, made.p_bootstrap
    permutation, bootstrap = (found <= ALPHA).mean(axis=0)
    return {
        "kind": "pair",
        "scenario": scenario,
        "n_groups": 2,
        "n_questions": n,
        "repeats": repeats,
        "paired": paired,
        "runs": runs,
        "draws": draws,
        "permutation": permutation,
        "bootstrap": bootstrap,
        "se": float(np.sqrt(ALPHA * (1 - ALPHA) / runs)),
    }


def family_cell(
    scenario: str, shifts: np.ndarray, n: int, runs: int, draws: int, seed: int
) -> dict[str, object]:
    """Runs in which models of equal AUROC2 are distinguished, and in which the sets hold all true ranks."""
    rng = np.random.default_rng([seed, n, shifts.size, int(100 * np.ptp(shifts))])
    low = np.array([(shifts > s).sum() + 1 for s in shifts])
    high = np.array([(shifts >= s).sum() for s in shifts])
    false, held, percentiles = 0, 0, 0
    for _ in range(runs):
        boot = int(rng.integers(2**31))
        estimates, drawn = np.zeros(shifts.size), np.zeros((shifts.size, draws))
        for g, shift in enumerate(shifts):
            correct, score = answers(rng, n, 1, 0.5, float(shift))
            hot = (score[:, None] == LEVELS).astype(float)
            wrong, right = hot * (1 - correct[:, None]), hot * correct[:, None]
            estimates[g] = auroc2_from_counts(wrong.sum(axis=0)[None], right.sum(axis=0)[None])[0]
            parts = [auroc2_from_counts(w @ wrong, w @ right) for w in weight_chunks(n, draws, boot, 24 + n)]
            drawn[g] = np.concatenate(parts)
        made = bootstrap_ranks(estimates, drawn)
        # a rank set that leaves out a true rank is a false difference, or one of the wrong sign
        held += bool(((made.set_lower <= low) & (made.set_upper >= high)).all())
        false += bool(((made.set_lower > low) | (made.set_upper < high)).any())
        percentiles += bool(((made.lower <= low) & (made.upper >= high)).all())
    return {
        "kind": "family",
        "scenario": scenario,
        "n_groups": shifts.size,
        "n_questions": n,
        "repeats": 1,
        "paired": True,
        "runs": runs,
        "draws": draws,
        "bootstrap": false / runs,
        "rank_sets": held / runs,
        "rank_percentiles": percentiles / runs,
        "se": float(np.sqrt(ALPHA * (1 - ALPHA) / runs)),
    }


def main() -> None:
    """Simulate pairs and families."""
    given = parsed(__file__, runs=2000, draws=399, seed=42)  # runs of a cell of up to 1,000 questions
    cells = []
    for n, share in ((100, 1.0), (300, 1.0), (1000, 0.5), (5000, 0.1)):
        runs = max(2, int(share * given.runs))
        for scenario in SCENARIOS:
            cells.append(pair_cell(scenario, n, 1, True, runs, given.draws, given.seed))
        odd = "other scales, other accuracy"
        cells.append(pair_cell(odd, n, 1, False, runs, given.draws, given.seed))
        if n <= 1000:
            cells.append(pair_cell(odd, n, 3, True, max(2, runs // 2), given.draws, given.seed))
        given.tell(f"{n} questions")
    families = {
        "equal": np.ones(4),
        "equal, normal p": np.ones(30),
        "half equal, half spread": np.r_[np.ones(6), np.linspace(0.2, 2.0, 6)],
    }
    for name, shifts in families.items():
        for n in (100, 300, 1000):
            runs = max(2, given.runs // (5 if shifts.size < 30 else 10))
            cells.append(family_cell(name, shifts, n, runs, 2 * given.draws + 1, given.seed))
        given.tell(name)
    given.write(pd.DataFrame(cells), seed=given.seed, alpha=ALPHA)


if __name__ == "__main__":
    main()
