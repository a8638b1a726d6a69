"""Which measures stay where they are when an observer's self-knowledge does, and which see that it changes?

Run: python benchmarks/which_measure.py            (three minutes of a core)
     python benchmarks/which_measure.py --quick    (few tables, to see that it works; writes nothing)
Two kinds of observer stay the same: one of constant M-ratio, and one of constant noise, lognormal, by which all its
thresholds of confidence are multiplied. Noise is such that M-ratio is 0.8, or 0.6, where d' is 1.5, without bias, with
four ratings that are used equally often.

Rows with ``varied`` say where each measure of the first lies without any sampling error when one thing is changed:
`moves` is by how much, as a share of its distance between the two observers. Rows with ``n_trials`` give the power to
tell the two apart: the share of simulated pairs that differ by more than 95 % of pairs of two observers that are alike,
both of the M-ratio ``null``. `misled` is the share in which the first, where its questions are easier (d' 2), seems
better than itself by more than 95 % of those of 0.8 differ.
In rows on the same questions both observers see the same stimuli, and what they see of them correlates .5.
Writes data/simulations/which_measure.csv and .json (command, seed, versions) next to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed
from scipy.optimize import brentq

from metacog.measures.measure_properties import COMPARED, FloatArray, measures_of, stacked
from metacog.sdt import NoisyConfidenceObserver, meta_d_observer

OUT = SIMULATIONS / "which_measure.csv"
SEED = 20261129
D_PRIME, BETTER, WORSE = 1.5, 0.8, 0.6
KINDS = ("constant M-ratio", "constant noise")
#: Tables whose trials are drawn together.
PART = 100
#: The second kind, two of them on the same questions; how far their evidence of a question correlates.
SAME, SHARED = "constant noise, same questions", 0.5
#: Ratings that are used equally often, of which those of every design are made by merging.
FINE = 8
EVENLY = (2, 2, 2, 2)
#: What is changed, to what: d', criterion, share of S2, and how many of the fine ratings each rating takes; of the
#: second kind also d' of easy and hard questions that are mixed, and how widely S2 spreads, where S1 does by 1.
DESIGNS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "d' 1": {"d_prime": 1.0},
    "d' 2": {"d_prime": 2.0},
    "criterion 0.5": {"c": 0.5},
    "70 % of one stimulus": {"base_rate": 0.7},
    "2 ratings": {"shares": (4, 4)},
    "8 ratings": {"shares": (1,) * FINE},
    "high ratings seldom": {"shares": (4, 2, 1, 1)},
    "high ratings often": {"shares": (1, 1, 2, 4)},
    "easy and hard questions": {"mixed": (0.75, 2.25)},
    "one kind spreads 1.25 times as widely": {"spread": 1.25},
}
SIZES, TABLES = (200, 1_000, 3_000, 6_000), 2_000
#: Trials at which a measure of expected counts is without sampling error.
MANY = 1e9


def probabilities(kind: str, known: float, d_prime: float, c: float, base_rate: float) -> FloatArray:
    """Share of each cell ``(2, 2, FINE)``; ``known`` is the M-ratio, or the noise."""
    if kind == KINDS[0]:
        observer: Any = meta_d_observer(d_prime, m_ratio=known, c=c, n_ratings=FINE, base_rate=base_rate)
    else:
        observer = noisy(known, d_prime, c, base_rate)
    p1, p2 = observer.probabilities()
    return stacked([(1 - base_rate) * p1], [base_rate * p2])[0][0]


def noisy(noise: float, d_prime: float, c: float = 0.0, base_rate: float = 0.5) -> NoisyConfidenceObserver:
    """An observer of the second kind that uses its ratings equally often."""
    observer = NoisyConfidenceObserver(d_prime, c, noise, (1.0,), base_rate=base_rate, lognormal=True)
    shares = np.arange(FINE - 1, 0, -1) / FINE
    cuts = [brentq(lambda x, q=q: above(observer, x) - q, 1e-9, 1e6, xtol=1e-12) for q in shares]
    return replace(observer, thresholds=tuple(cuts))


def above(observer: NoisyConfidenceObserver, cut: float) -> float:
    """How often confidence is above a cut."""
    p1, p2 = replace(observer, thresholds=(cut,)).probabilities()
    return float((1 - observer.base_rate) * (p1[0] + p1[3]) + observer.base_rate * (p2[0] + p2[3]))


def merged(cells: FloatArray, shares: tuple[int, ...]) -> FloatArray:
    """Cells of fewer ratings, each of so many of the fine ones, lowest first."""
    return np.add.reduceat(cells, np.cumsum((0, *shares[:-1])), axis=-1)


@cache
def known_of(kind: str, m_ratio: float) -> float:
    """The M-ratio, or the noise of which it comes."""
    if kind == KINDS[0]:
        return m_ratio

    def off(noise: float) -> float:
        cells = merged(probabilities(kind, noise, D_PRIME, 0.0, 0.5), EVENLY)
        return float(measures_of(cells[None] * MANY, [len(EVENLY)])["m_ratio"].iloc[0]) - m_ratio

    return float(brentq(off, 0.05, 2.0, xtol=1e-6))


def table(kind: str, m_ratio: float, design: str) -> FloatArray:
    """The cells of an observer in a design."""
    given = {"d_prime": D_PRIME, "c": 0.0, "base_rate": 0.5, "shares": EVENLY} | DESIGNS[design]
    shares, known = given.pop("shares"), known_of(kind, m_ratio)
    if "mixed" in given or "spread" in given:
        return merged(same_cuts(known, **DESIGNS[design]), shares)
    return merged(probabilities(kind, known, **given), shares)


def same_cuts(noise: float, mixed: tuple[float, ...] = (D_PRIME,), spread: float = 1.0) -> FloatArray:
    """Share of each cell of an observer of the second kind whose cuts stay those of one d' and of equal spread.

    Evidence that spreads so many times as widely is that of a d' and of cuts that are so many times smaller.
    """
    one = noisy(noise, D_PRIME)
    wide = replace(one, thresholds=tuple(np.array(one.thresholds) / spread))
    p1, p2 = (
        np.mean([replace(observer, d_prime=d).probabilities()[side] for d in ds], axis=0)
        for side, observer, ds in ((0, one, mixed), (1, wide, [d / spread for d in mixed]))
    )
    return stacked([p1 / 2], [p2 / 2])[0][0]


def values_of(kind: str, m_ratio: float, design: str) -> pd.Series:
    """Every measure without sampling error."""
    cells = table(kind, m_ratio, design)
    return measures_of(cells[None] * MANY, [cells.shape[-1]]).iloc[0]


def moves(kind: str) -> Iterator[dict[str, Any]]:
    """How far each change moves each measure of an observer that stays the same."""
    start = values_of(kind, BETTER, "as it is")
    step = start - values_of(kind, WORSE, "as it is")
    for design, changes in list(DESIGNS.items())[1:]:
        if kind == KINDS[0] and changes.keys() & {"mixed", "spread"}:
            continue
        found = values_of(kind, BETTER, design)
        for measure in COMPARED:
            by = (found[measure] - start[measure]) / step[measure]
            yield {
                "observer": kind,
                "measure": measure,
                "varied": design,
                "value": found[measure],
                "moves": by,
            }


#: M-ratios that two observers who are alike may share.
NULLS = (WORSE, 0.7, BETTER)
#: Pairs of observers, by M-ratio and design: alike, or the second is worse, or has harder questions.
PAIRS = {null: ((null, "as it is"), (null, "as it is")) for null in NULLS} | {
    "power": ((BETTER, "as it is"), (WORSE, "as it is")),
    "misled": ((BETTER, "as it is"), (BETTER, "d' 2")),
}


def power(kind: str, n_trials: int, n_tables: int) -> Iterator[dict[str, Any]]:
    """How often each measure tells the two observers apart, and takes easier questions for a better one."""
    rng = np.random.default_rng([SEED, KINDS.index(kind), n_trials])

    def drawn(known: float, design: str) -> pd.DataFrame:
        cells = table(kind, known, design)
        counts = rng.multinomial(n_trials, cells.ravel(), size=n_tables).reshape(-1, *cells.shape)
        return measures_of(counts, np.full(n_tables, cells.shape[-1]))

    yield from told(kind, n_trials, {name: (drawn(*x), drawn(*y)) for name, (x, y) in PAIRS.items()})


def power_on_same(n_trials: int, n_tables: int) -> Iterator[dict[str, Any]]:
    """The same of two observers who answer the same questions."""
    rng, pairs = np.random.default_rng([SEED, 2, n_trials]), {}
    for name, both in PAIRS.items():
        observers = [(known, DESIGNS[design].get("d_prime", D_PRIME)) for known, design in both]
        parts = [on_same(observers, n_trials, PART, rng) for _ in range(n_tables // PART)]
        drawn = (np.concatenate(x) for x in zip(*parts, strict=True))
        pairs[name] = tuple(measures_of(x, np.full(n_tables, len(EVENLY))) for x in drawn)
    yield from told(SAME, n_trials, pairs)


def on_same(
    both: list[tuple[float, float]], n_trials: int, n_tables: int, rng: np.random.Generator
) -> list[FloatArray]:
    """Counts ``(n_tables, 2, 2, K)`` of two observers, by M-ratio at d' 1.5 and d', on the same questions."""
    shown = rng.integers(0, 2, (n_tables, n_trials))
    shared = np.sqrt(SHARED) * rng.standard_normal(shown.shape)
    made, k = [], len(EVENLY)
    for m_ratio, d_prime in both:
        noise = known_of(KINDS[1], m_ratio)
        cuts = np.array(noisy(noise, d_prime).thresholds)[np.cumsum(EVENLY)[:-1] - 1]
        seen = (shown - 0.5) * d_prime + shared + np.sqrt(1 - SHARED) * rng.standard_normal(shown.shape)
        rating = np.searchsorted(cuts, np.abs(seen) * np.exp(noise * rng.standard_normal(shown.shape)))
        place = (2 * shown + (seen > 0)) * k + rating + 4 * k * np.arange(n_tables)[:, None]
        made.append(np.bincount(place.ravel(), minlength=4 * k * n_tables).reshape(n_tables, 2, 2, k))
    return made


def told(kind: str, n_trials: int, pairs: dict[Any, Any]) -> Iterator[dict[str, Any]]:
    """A row a measure and null: how often pairs differ by more than 95 % of those that are alike."""
    for measure in COMPARED:
        gaps = {name: (one[measure] - other[measure]).to_numpy() for name, (one, other) in pairs.items()}
        for null in NULLS:
            line = np.nanquantile(np.abs(gaps[null]), 0.95)
            row = {"observer": kind, "measure": measure, "n_trials": n_trials, "null": null}
            with np.errstate(invalid="ignore"):
                row["power"] = float(np.mean(gaps["power"] > line))
                row["misled"] = float(np.mean(-gaps["misled"] > line)) if null == BETTER else np.nan
            yield row


def rows(n_tables: int) -> pd.DataFrame:
    """The table."""
    made = [row for kind in KINDS for row in moves(kind)]
    made += [row for kind in KINDS for n in SIZES for row in power(kind, n, n_tables)]
    made += [row for n in SIZES for row in power_on_same(n, n_tables // 2)]
    return pd.DataFrame(made).astype({"n_trials": "Int64"})


def main() -> None:
    """Write the table."""
    given = parsed(__file__, out=OUT, quick={"tables": 200}, tables=TABLES)
    n = given.tables
    found = rows(n)
    given.write(found, "%.6g", seed=SEED, tables=n, tables_on_the_same_questions=n // 2)
    for shown, columns, values in (
        (found[found["varied"].notna()], ["observer", "varied"], "moves"),
        (found[found["power"].notna()], ["observer", "n_trials", "null"], ["power", "misled"]),
    ):
        wide = shown.pivot_table(index="measure", columns=columns, values=values, sort=False)
        print(wide.round(2).T.to_string())


if __name__ == "__main__":
    main()
