"""How often the interval of people's mean M-ratio holds it, and how far off the mean is: groups of known observers.

Run: python benchmarks/people_means.py      (some minutes of one processor)
A group is of so many people with so many trials each, K = 4, d' ~ N(d', sd), log M-ratio ~ N(log 0.8, 0.3). The mean is
that of `metacog.measures.people`: over people whose d' is above 0. Beside it stand the mean over everybody whose
M-ratio is defined, and that over people whose d' is clearly above 0. To be held is the mean of M-ratio over all such
people, 0.8 exp(0.3^2/2).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed

from metacog.measures.fits import fitted, pads
from metacog.measures.people import clearly_above, mean_interval
from metacog.sdt import meta_d_observer

OUT = SIMULATIONS / "people_means.csv"
RATINGS, GROUP_M, SD_LOG_M, REPEATS = 4, 0.8, 0.3, 200
#: People, trials of each, mean and standard deviation of d'. In the last four many people are near chance.
DESIGNS = (
    *((n, trials, 1.5, 0.3) for n in (12, 30, 100) for trials in (60, 120, 240, 400)),
    *((n, trials, 0.7, 0.4) for n in (30, 100) for trials in (120, 400)),
)
TRUTH = GROUP_M * float(np.exp(SD_LOG_M**2 / 2))


def tables(people: int, trials: int, d_prime: float, sd: float, seed: int) -> np.ndarray:
    """Counts of one group, ``(people, 2, 2K)``."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(people):
        m_ratio = float(np.exp(rng.normal(np.log(GROUP_M), SD_LOG_M)))
        one = meta_d_observer(max(rng.normal(d_prime, sd), 0.05), m_ratio=m_ratio, n_ratings=RATINGS)
        made.append(np.concatenate(one.counts(trials, seed=int(rng.integers(2**31)))))
    return np.array(made)


def of_design(people: int, trials: int, d_prime: float, sd: float) -> dict[str, float]:
    """Coverage and error of both means over the repeats of a design."""
    counts = np.concatenate([tables(people, trials, d_prime, sd, seed) for seed in range(REPEATS)])
    a, b = counts[:, 0], counts[:, 1]
    fits = fitted(a, b, pad=pads(a, b))
    ratios, d_primes = (fits[name].reshape(REPEATS, people) for name in ("m_ratio", "d_prime"))
    known, clear = np.isfinite(ratios), clearly_above(a, b).reshape(REPEATS, people)
    row: dict[str, float] = {
        "people": people,
        "trials": trials,
        "d_prime": d_prime,
        "sd": sd,
        "repeats": REPEATS,
    }
    for name, kept in (("above", known & (d_primes > 0)), ("everybody", known), ("clear", known & clear)):
        made = np.array([mean_interval(x[use]) for x, use in zip(ratios, kept, strict=True)])
        row |= {
            f"{name}_held": float(((made[:, 1] <= TRUTH) & (TRUTH <= made[:, 2])).mean()),
            f"{name}_off": float(made[:, 0].mean() / TRUTH - 1),
            f"{name}_spread": float(made[:, 0].std(ddof=1)),
            f"{name}_used": float(kept.mean()),
        }
    return row


def main() -> None:
    """Run all designs and write the table and its sidecar."""
    given = parsed(__file__, out=OUT)
    rows = []
    for design in DESIGNS:
        rows.append(of_design(*design))
        given.tell(rows[-1])
    facts = {"log_m_ratio": f"N(log {GROUP_M}, {SD_LOG_M})", "ratings": RATINGS, "truth": TRUTH}
    given.write(pd.DataFrame(rows), "%.4g", seed=f"0 ... {REPEATS - 1} in every design", **facts)


if __name__ == "__main__":
    main()
