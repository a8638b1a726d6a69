"""Medians and quartiles over people of every measure on the pages, a second time with numpy and scipy alone.

Run: python benchmarks/people_by_scipy.py    (three minutes of one core)
From the committed counts of twelve sets: trials are written out one by one, pairs counted by scipy, meta-d' found by
L-BFGS-B from three starts, and an ideal observer's information by adaptive quadrature. Nothing of ``metacog.sdt`` or
``metacog.measures`` takes part. Who counts is decided anew, too. Writes data/simulations/people_by_scipy.csv.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from recording import ROOT
from scipy.integrate import quad
from scipy.optimize import brentq, minimize
from scipy.stats import entropy, mannwhitneyu, norm, pearsonr

OUT = ROOT / "data" / "simulations" / "people_by_scipy.csv"
COUNTS = ROOT / "data" / "confidence_database" / "counts.parquet"
#: Sets and tasks: scales of two to six levels and sliders, people and trials few and many.
TWELVE = (
    ("Adler_2018_Expt1", "A"),
    ("AguilarLleyda_2018", "letter"),
    ("Arbuzova_unpub_2", ""),
    ("Gallagher_2019_Exp1", ""),
    ("Jachs_2015_Exp1", ""),
    ("Lo_unpub", ""),
    ("Martin_unpub", ""),
    ("OHora_unpub_1", ""),
    ("Rausch_2016", ""),
    ("Reyes_2015", ""),
    ("Kvam_2016", ""),
    ("Sadeghi_2017_memory", "controls"),
)


def auroc2_of(right: np.ndarray, confidence: np.ndarray) -> float:
    """The share of pairs of a right and a wrong answer in which the right one is surer, ties half."""
    a, b = confidence[right], confidence[~right]
    told = a.size and b.size and np.ptp(confidence) > 0
    return float(mannwhitneyu(a, b).statistic / (a.size * b.size)) if told else float("nan")


def meta_d_of(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """d' and meta-d' of counts by rating, surest S1 to surest S2 (Maniscalco & Lau 2012, by L-BFGS-B).

    The type-1 criterion keeps its place relative to meta-d'; the type-2 criteria stand at growing distances from it.
    """
    k, used = first.size // 2, first + second > 0
    left, right = int(used[:k].sum()), int(used[k:].sum())
    hits, alarms = second[k:].sum() / second.sum(), first[k:].sum() / first.sum()
    d, c = norm.ppf(hits) - norm.ppf(alarms), -0.5 * (norm.ppf(hits) + norm.ppf(alarms))
    tables = [(n[used][:left], n[used][left:]) for n in (first, second)]

    def loss(p: np.ndarray) -> float:
        meta, steps = p[0], np.exp(np.minimum(p[1:], 50))
        middle = c / d * meta
        below = middle - np.cumsum(steps[: left - 1])[::-1]
        above = middle + np.cumsum(steps[left - 1 :])
        total = 0.0
        for (low_n, high_n), mean in zip(tables, (-meta / 2, meta / 2), strict=True):
            low = np.diff(norm.cdf(np.concatenate([[-np.inf], below, [middle]]), mean))
            high = np.diff(norm.cdf(np.concatenate([[middle], above, [np.inf]]), mean))
            for n, cells in ((low_n, low), (high_n, high)):  # given the response
                total -= n @ np.log(np.maximum(cells, 1e-300) / max(cells.sum(), 1e-300))
        return total

    widths = np.full(left + right - 2, np.log(1.0 / k))
    starts = [np.concatenate([[m], widths]) for m in (d, 0.5 * d, 1.5 * d)]
    best = min((minimize(loss, x, method="L-BFGS-B") for x in starts), key=lambda r: r.fun)
    return float(d), float(best.x[0])


def trials_of(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whether each trial was answered rightly, and its rating, of counts from surest S1 to surest S2."""
    k = first.size // 2
    rating = np.concatenate([np.arange(k, 0, -1), np.arange(1, k + 1)])
    said = np.repeat([0, 1], k)
    right = [np.repeat(said == shown, n) for shown, n in enumerate((first, second))]
    return np.concatenate(right), np.concatenate([np.repeat(rating, n) for n in (first, second)])


@cache
def ideal_bits(d: float) -> float:
    """What an ideal observer's evidence tells of its being right, in bits."""

    def unsure(x: float) -> float:
        one, other = norm.pdf(x - d / 2), norm.pdf(x + d / 2)
        return float((one + other) * entropy([one / (one + other), other / (one + other)], base=2))

    p = norm.cdf(d / 2)
    return float(entropy([p, 1 - p], base=2) - quad(unsure, 0, d / 2 + 9, epsabs=1e-10, limit=200)[0])


def ideal_area(first: np.ndarray, second: np.ndarray) -> float:
    """AUROC2 of somebody with that d' and criterion who uses all evidence, and gives each rating as often."""
    k = first.size // 2
    low, high = (norm.ppf((x[k:] + 1 / (2 * k)).sum() / (x + 1 / (2 * k)).sum()) for x in (first, second))
    shown, mean = np.array([first.sum(), second.sum()]), np.array([low, high])  # beyond 0 the answer is S2
    wrong, right = np.zeros(k), np.zeros(k)
    for said, used in enumerate(((first + second)[:k][::-1], (first + second)[k:])):
        side = 2 * said - 1
        start = norm.cdf(-side * mean)

        def within(cut: float, side: int = side, start: np.ndarray = start) -> np.ndarray:
            return shown * (norm.cdf(cut - side * mean) - start)

        given = np.cumsum(used)[:-1] / used.sum() * within(20.0).sum()
        cuts = [brentq(lambda x, n=n, f=within: f(x).sum() - n, 0, 20, xtol=1e-12) for n in given]
        cells = np.diff([np.zeros(2), *map(within, cuts), within(20.0)], axis=0)
        right, wrong = right + cells[:, said], wrong + cells[:, 1 - said]
    below = np.cumsum(wrong) - wrong / 2
    return float(right @ below / (right.sum() * wrong.sum()))


def person(first: np.ndarray, second: np.ndarray) -> dict[str, float]:
    """Every measure of one person."""
    right, rating = trials_of(first, second)
    a, b = rating[right], rating[~right]
    gap = np.sign(a[:, None] - b[None, :])
    joint = np.array([[np.sum(side == level) for level in np.unique(rating)] for side in (a, b)])
    n, p = rating.size, right.mean()
    about, use = entropy([p, 1 - p], base=2), joint.sum(axis=0) / n
    bits = about + entropy(use, base=2) - entropy(joint.ravel() / n, base=2)
    bits -= (use.size - 1) / (2 * n * np.log(2))
    d, meta = meta_d_of(*(x + 1 / first.size for x in (first, second)))
    ratio = meta / d if abs(meta / d) < 10 else np.nan
    area = auroc2_of(right, rating.astype(float))
    return {
        "trials": n,
        "accuracy": p,
        "d_prime": d,
        "auroc2": area,
        "auroc2_over_ideal": (area - 0.5) / (ideal_area(first, second) - 0.5),
        "gamma": gap.sum() / np.abs(gap).sum() if gap.any() else np.nan,
        "phi": pearsonr(right.astype(float), rating).statistic if np.ptp(rating) else np.nan,
        "meta_i2r": bits / about,
        "meta_i1r": bits / ideal_bits(round(abs(d), 6)),
        "meta_d": meta,
        "m_diff": meta - d,
        "m_ratio": ratio,
        "log_m_ratio": np.log(ratio) if ratio > 0 else np.nan,
    }


def people_of(name: str, part: str) -> pd.DataFrame:
    """Measures of the people of a set who count, a row each: odd and even trials are put together."""
    table = pd.read_parquet(COUNTS)
    table = table[table["set"].eq(name) & table["part"].eq(part) & table["by"].eq("half")]
    rows = []
    for who, own in table.groupby("person"):
        first, second = (np.sum(own[side].tolist(), axis=0).astype(np.int64) for side in ("nR_S1", "nR_S2"))
        k = first.size // 2
        hits, alarms = ((x[k:].sum() + 0.5) / (x.sum() + 1) for x in (second, first))
        n, right = first.sum() + second.sum(), first[:k].sum() + second[k:].sum()
        if n >= 100 and right < 0.95 * n and norm.ppf(hits) - norm.ppf(alarms) > 0.5:
            rows.append({"person": who} | person(first, second))
    return pd.DataFrame(rows)


def rows_of(name: str, part: str) -> Iterator[dict[str, Any]]:
    """Quartiles over the people of a set, a row a measure."""
    found = people_of(name, part)
    for measure in [one for one in found if one not in ("person", "trials")]:
        low, middle, high = found[measure].quantile([0.25, 0.5, 0.75])
        about = {"set": name, "part": part, "measure": measure, "people": len(found)}
        yield about | {"lower_quarter": low, "median": middle, "upper_quarter": high}


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    rows = [row for one in TWELVE for row in rows_of(*one)]
    pd.DataFrame(rows).to_csv(given.out, index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
