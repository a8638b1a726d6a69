"""DMC's MC and the maximum-likelihood M-ratio on the same simulated counts: bias, spread, padding.

Around one centre a factor at a time is varied: trials, ability, efficiency, bias to one answer, padding (in
few trials and in many), and which ratings are used. Observers follow the model of meta-d' (the criterion
moves with meta-d'), and where the criterion is varied also DMC's own (it stays); without bias the two are
one. Every table goes to each estimator alike. Writes a table with a row for each design and estimator::

    python benchmarks/dmc_estimators.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd
from answerers import DMCObserver
from recording import SIMULATIONS, parsed

from metacog.sdt.dmc import fit_dmc_batch
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.sdt.simulate import MetaDObserver, meta_d_observer

#: Shares of the four ratings, lowest first, in percent.
USAGE = {
    "even": (25, 25, 25, 25),
    "mostly the surest": (4, 6, 10, 80),
    "middle hardly used": (48, 1, 1, 50),
    "surest alone but for a few": (1, 1, 1, 97),
}
LIMIT = 10.0  # estimates at or beyond are left out of means and counted
ESTIMATORS = ("dmc", "dmc_released", "ml")


@dataclass(frozen=True)
class Design:
    """One population and how it is sampled."""

    factor: str = "centre"
    d_prime: float = 1.5
    m_ratio: float = 0.7
    n_trials: int = 400
    c: float = 0.0
    holds: str = "c/d'"  # what of the criterion the population's ratings hold: c/d' or c0
    pad: float = 0.125
    usage: str = "even"


def designs() -> Iterator[Design]:
    """The centre and what departs from it in one factor."""
    centre = Design()
    for n in (50, 100, 200, 400, 1000, 5000):
        yield replace(centre, factor="n_trials", n_trials=n)
    for d in (0.5, 1.0, 1.5, 2.0, 2.5):
        yield replace(centre, factor="d_prime", d_prime=d)
    for m in (0.3, 0.5, 0.7, 1.0, 1.2):
        yield replace(centre, factor="m_ratio", m_ratio=m)
    for c in (0.0, 0.5, 1.0):
        for holds in ("c/d'", "c0"):
            yield replace(centre, factor="c", c=c, holds=holds)
    for n in (100, 400, 5000):
        for pad in (0.01, 0.125, 0.5, 1.0):
            yield replace(centre, factor="pad", pad=pad, n_trials=n)
    for n in (100, 400, 5000):
        for usage in USAGE:
            yield replace(centre, factor="usage", usage=usage, n_trials=n)


def observer(design: Design) -> MetaDObserver | DMCObserver:
    """The population: criteria at the places that give the wanted shares of ratings."""
    fine = meta_d_observer(design.d_prime, m_ratio=design.m_ratio, c=design.c, n_ratings=100)
    up = np.cumsum(USAGE[design.usage])[:-1] - 1
    above = tuple(fine.t2_criteria_rS2[i] for i in up)
    below = tuple(fine.t2_criteria_rS1[98 - i] for i in up)[::-1]
    if design.holds == "c/d'":
        return MetaDObserver(design.d_prime, fine.meta_d, design.c, below, above)
    shift = design.c - fine.meta_c
    return DMCObserver(
        design.d_prime,
        fine.meta_d,
        design.c,
        tuple(x + shift for x in below),
        tuple(x + shift for x in above),
    )


def estimates(name: str, s1: np.ndarray, s2: np.ndarray, pad: float) -> tuple[np.ndarray, np.ndarray]:
    """Estimated efficiencies of tables, NaN where there is none, and whether each ended at a bound."""
    if name == "ml":
        fits = fit_meta_d_batch(s1 + pad, s2 + pad, undefined="flag")
        return np.where(fits.converged, fits.m_ratio, np.nan), fits.boundary == "meta-d' limit"
    variant = "released" if name == "dmc_released" else "paper"
    found = fit_dmc_batch(s1, s2, pad=pad, variant=variant)
    return np.where(found.converged, found.mc, np.nan), ~np.isin(found.boundary, ("", "undefined"))


def rows(design: Design, runs: int, seed: int) -> Iterator[dict[str, object]]:
    """One row an estimator."""
    population = observer(design)
    key = [seed, *(int(1000 * x) for x in (design.d_prime, design.m_ratio, design.c, design.n_trials))]
    s1, s2 = population.counts(design.n_trials, runs, seed=np.random.SeedSequence(key))
    usable = (s1.sum(axis=1) > 0) & (s2.sum(axis=1) > 0)
    s1, s2 = s1[usable], s2[usable]
    k = s1.shape[1] // 2
    total = s1 + s2
    empty = ((total[:, :k][:, ::-1] + total[:, k:]) == 0).sum(axis=1)
    p1, p2 = population.probabilities()
    for name in ESTIMATORS:
        value, at_bound = estimates(name, s1, s2, design.pad)
        limit, _ = estimates(name, p1[None] * 1e6, p2[None] * 1e6, 0.0)
        used = value[np.abs(value) < LIMIT]
        yield {
            **asdict(design),
            "estimator": name,
            "runs": runs,
            "used": used.size,
            "limit": float(limit[0]),
            "bias": used.mean() - design.m_ratio,
            "bias_se": used.std(ddof=1) / np.sqrt(used.size),
            "median_bias": np.median(used) - design.m_ratio,
            "sd": used.std(ddof=1),
            "rmse": float(np.sqrt(np.mean((used - design.m_ratio) ** 2))),
            "iqr": float(np.subtract(*np.quantile(used, [0.75, 0.25]))),
            "at_bound": float(at_bound.mean()),
            "lost": 1 - used.size / runs,
            "empty_ratings": float(empty.mean()),
            "wrong": float((s1[:, k:].sum(1) + s2[:, :k].sum(1)).mean()),
        }


def main() -> None:
    """Simulate every design."""
    given = parsed(__file__, out=SIMULATIONS / "dmc_estimators.csv", runs=2000, seed=42)
    found: list[dict[str, object]] = []
    for design in designs():
        found += rows(design, given.runs, given.seed)
        given.tell(f"{len(found)} rows")
    given.write(pd.DataFrame(found), "%.5g", seed=given.seed, limit=LIMIT, usage_percent=USAGE)


if __name__ == "__main__":
    main()
