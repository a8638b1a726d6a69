"""Monte-Carlo error of study 2's printed posteriors: the sampler that the paper names, run many times.

Run: python benchmarks/servajean_chains.py                (about 10 minutes on one core)
     python benchmarks/servajean_chains.py --chains 2     (to see that it works; writes nothing)
The paper fits its nine tables with `fit_meta_d_mcmc.m` of HMeta-d (Fleming 2017), whose defaults are three
chains of 10,000 kept draws after 1,000 dropped ones, sampled by JAGS. JAGS moves one parameter at a time by
slice sampling (Neal 2003), with widths that it adapts before. Criteria that few answers separate then hold
one another in place, so that 30,000 draws are worth few independent ones. The same posterior is sampled here
in the same way. Without starting values JAGS begins each chain at one typical point of the prior; here
d' = c = meta-d' = 0 and criteria to either side. A mean or an end of three chains has the spread of single
chains over the root of three, about the mean of all, which need not be that of the posterior: chains too
short to forget where they began lie off it.
Writes data/simulations/servajean_chains.csv and a .json (command, seed, versions) next to it.
"""

from __future__ import annotations

import math

import numba
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from recording import SIMULATIONS, parsed

from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.ledger.chains import CHAINS

OUT = SIMULATIONS / "servajean_chains.csv"
SEED = 20261122
#: Of `fit_meta_d_mcmc.m`: kept draws of each chain, draws dropped before; and the adapting phase of JAGS.
DRAWS, WARM_UP, ADAPTING = 10_000, 1_000, 1_000
TOLERANCE = 1e-5
#: Farthest that a slice is stepped out, in widths.
STEPS = 10
ROOT2 = math.sqrt(2.0)


@numba.njit(cache=True)
def _phi(z: float) -> float:
    return 0.5 * math.erfc(-z / ROOT2)


@numba.njit(cache=True)
def _side(meta_d, c1, criteria, first, second):
    """Log-likelihood of the ratings of one response, criteria outwards from c1 on a mirrored axis.

    ``first`` and ``second`` are the ratings of the stimulus that lies at -meta_d/2 and at meta_d/2 there.
    """
    k = len(first)
    found = 0.0
    for stimulus in range(2):
        mean = -0.5 * meta_d if stimulus == 0 else 0.5 * meta_d
        total = _phi(mean - c1)
        if total <= 0.0:
            return -1e300
        before, mass, all_of, own = total, 0.0, 0.0, 0.0
        for j in range(k):
            after = _phi(mean - criteria[j]) if j < k - 1 else 0.0
            p = max((before - after) / total, TOLERANCE)
            n = first[j] if stimulus == 0 else second[j]
            before, mass, all_of = after, mass + p, all_of + n
            own += n * math.log(p)
        found += own - all_of * math.log(mass)
    return found


@numba.njit(cache=True)
def _type1(d1, c1, n):
    hit, false_alarm = _phi(0.5 * d1 - c1), _phi(-0.5 * d1 - c1)
    if min(hit, false_alarm) <= 0.0 or max(hit, false_alarm) >= 1.0:
        return -1e300
    return (
        n[0] * math.log(hit)
        + n[1] * math.log(1 - hit)
        + n[2] * math.log(false_alarm)
        + n[3] * math.log(1 - false_alarm)
    )


@numba.njit(cache=True)
def _density(i, x, right, left, n, work):
    """Log density of parameter i given the others, up to what does not depend on it."""
    k = right.shape[1]
    m = k - 1
    d1, c1, meta_d = x[0], x[1], x[2]
    if i == 0:
        return -0.25 * d1 * d1 - 0.25 * (meta_d - d1) ** 2 + _type1(d1, c1, n)
    found = 0.0
    for side in range(2):
        if i >= 3 and (i - 3) // m != side:
            continue
        sign = 1.0 if side == 0 else -1.0
        for j in range(m):
            work[j] = sign * x[3 + side * m + j]
            if work[j] < sign * c1 + TOLERANCE:
                return -1e300
        work.sort()
        counts = right if side == 0 else left
        found += _side(meta_d, sign * c1, work, counts[0], counts[1])
    if i >= 3:
        return found - x[i] ** 2
    if i == 2:
        return found - 0.25 * (meta_d - d1) ** 2
    cut = math.log(_phi(-(c1 + TOLERANCE) * ROOT2)) + math.log(_phi((c1 - TOLERANCE) * ROOT2))
    return found - c1 * c1 - m * cut + _type1(d1, c1, n)


@numba.njit(cache=True)
def chain(right, left, n, start, draws, warm_up, adapting, rng):
    """One chain: d' and meta-d' of the kept draws, ``(draws, 2)``."""
    x = start.copy()
    size = len(x)
    width, moved = np.ones(size), np.zeros(size)
    work = np.empty(right.shape[1] - 1)
    kept = np.empty((draws, 2))
    for t in range(adapting + warm_up + draws):
        for i in range(size):
            old = x[i]
            level = _density(i, x, right, left, n, work) + math.log(1.0 - rng.random())
            low = old - rng.random() * width[i]
            high = low + width[i]
            below = int(rng.random() * STEPS)
            above = STEPS - 1 - below
            while below > 0:
                x[i] = low
                if _density(i, x, right, left, n, work) <= level:
                    break
                low -= width[i]
                below -= 1
            while above > 0:
                x[i] = high
                if _density(i, x, right, left, n, work) <= level:
                    break
                high += width[i]
                above -= 1
            while True:
                x[i] = low + rng.random() * (high - low)
                if _density(i, x, right, left, n, work) > level:
                    break
                if x[i] < old:
                    low = x[i]
                else:
                    high = x[i]
            if t < adapting:
                # later moves weigh more, as the chain nears where it belongs
                moved[i] += t * abs(x[i] - old)
                if t > 20:
                    width[i] = max(4.0 * moved[i] / (t * (t + 1.0)), 1e-9)
        if t >= adapting + warm_up:
            kept[t - adapting - warm_up, 0] = x[0]
            kept[t - adapting - warm_up, 1] = x[2]
    return kept


def figures(draws: NDArray[np.float64]) -> dict[tuple[str, str], float]:
    """What table S1 prints, of one chain: mean and 95 % ends of d', meta-d' and M-ratio."""
    d_prime, meta_d = draws.T
    found = {}
    for name, x in (("d_prime", d_prime), ("meta_d", meta_d), ("m_ratio", meta_d / d_prime)):
        low, high = np.quantile(x, [0.025, 0.975])
        found |= {
            (name, "estimate"): float(x.mean()),
            (name, "ci_lo"): float(low),
            (name, "ci_hi"): float(high),
        }
    return found


def cell_errors(cell: paper.Ratings, chains: int, seed: int) -> pd.DataFrame:
    """Errors of one table's nine printed figures: ``task, model, measure, column, mean, spread, chains``."""
    s1, s2 = cell.nR_S1.astype(np.float64), cell.nR_S2.astype(np.float64)
    k = len(s1) // 2
    right, left = np.stack([s1[k:], s2[k:]]), np.stack([s2[:k][::-1], s1[:k][::-1]])
    n = np.array([s2[k:].sum(), s2[:k].sum(), s1[k:].sum(), s1[:k].sum()])
    outwards = np.linspace(0.3, 1.2, k - 1)
    start = np.concatenate([np.zeros(3), outwards, -outwards])
    runs = [
        figures(chain(right, left, n, start, DRAWS, WARM_UP, ADAPTING, np.random.default_rng([seed, i])))
        for i in range(chains)
    ]
    table = pd.DataFrame(runs)
    return pd.DataFrame(
        {
            "task": cell.task,
            "model": cell.model,
            "measure": measure,
            "column": column,
            "mean": table[measure, column].mean(),
            "spread": table[measure, column].std(ddof=1) / math.sqrt(CHAINS),
            "chains": chains,
        }
        for measure, column in runs[0]
    )


def main() -> None:
    """Run the chains and write the table."""
    given = parsed(__file__, out=OUT, chains=24, seed=SEED)
    found = []
    for place, cell in enumerate(paper.rating_cells()):
        found.append(cell_errors(cell, given.chains, given.seed + 1000 * place))
        given.tell(found[-1].to_string(index=False))
    if given.chains < 8:
        print("too few chains to keep: nothing written")
        return
    printed = {"chains": CHAINS, "draws": DRAWS, "warm_up": WARM_UP}
    given.write(
        pd.concat(found),
        "%.8f",
        seed=given.seed,
        chains=given.chains,
        printed=printed,
        numba=numba.__version__,
    )


if __name__ == "__main__":
    main()
