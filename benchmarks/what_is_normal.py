"""Do the summaries of people on the page "What is normal?" find people's M-ratios where these are known?

The people of the committed counts with their sets, numbers of trials of each stimulus, scales, d', criteria and shares
of each rating, and M-ratios of a known world; counts are drawn of the model of meta-d', and everything is done to them
that the page does, its rules of who counts included:

* *like people*: M-ratios are normal about their set's mean (sd .25), and these about .87 (sd .15);
* *skewed*: the same of the logarithms of M-ratios (sd .3 and .15);
* *all alike*: everybody has an M-ratio of .85;
* *unequal variance*: as *like people*, but evidence of the second kind of item spreads 1.25 times as widely, which
  nothing on the page takes into account.

``python benchmarks/what_is_normal.py --out data/simulations/what_is_normal.csv`` (some fifteen minutes) and
``python benchmarks/what_is_normal.py --percentiles``, which makes data/confidence_database/percentiles.csv.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed
from scipy.special import ndtr

from metacog.core.paths import project_root
from metacog.measures.among_people import PERCENTILES
from metacog.measures.fits import fitted
from metacog.measures.tables_of_people import by_width
from metacog.sdt.checks import FloatArray, type2_table
from metacog.sdt.meta_d_errors import cell_probabilities
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study8_people.database import MARKED, tables
from metacog.studies.study8_people.normal import (
    ALIKE,
    FAR,
    HALF,
    NOISE,
    QUARTILES,
    SHARES,
    SPREAD,
    UNEQUAL,
    people_of,
    percentiles,
    summaries,
)

LIKE, SKEWED = "like people", "skewed"
MEAN, OF_SETS, OF_PEOPLE, SAME = 0.87, 0.15, 0.25, 0.85
#: d' nearer to 0 than this makes no observer.
LEAST = 0.05
RESAMPLES = 200


@dataclass
class Observers:
    """People of one width of tables: where they stand among all, and what they are but for their M-ratio."""

    at: np.ndarray
    n: np.ndarray
    d_prime: FloatArray
    c: FloatArray
    shares: FloatArray

    def probabilities(self, m_ratio: FloatArray, spread: float = 1.0) -> FloatArray:
        """P(rating | stimulus), shape ``(people, 2, 2K)``, with ratings as frequent as theirs where the spread is 1."""
        meta = m_ratio[self.at] * self.d_prime
        cuts = criteria_of(self.d_prime, self.c, meta, self.shares, self.n)
        places = self.d_prime, self.c, meta, cuts
        wide = cell_probabilities(*(place / spread for place in places))  # N(m, s) < x where N(m/s, 1) < x/s
        cells = np.stack([cell_probabilities(*places)[:, 0], wide[:, 1]], axis=1)
        return (cells := np.maximum(cells, 0.0)) / cells.sum(axis=-1, keepdims=True)


def observers(found: pd.DataFrame) -> list[Observers]:
    """What people are, from their counts."""
    made = []
    for at, a, b in by_width(found["nR_S1"].tolist(), found["nR_S2"].tolist()):
        k = a.shape[1] // 2
        fits = fitted(a, b, pad=1 / (2 * k))
        shares = a + b + 1 / k
        for side in (slice(None, k), slice(k, None)):
            shares[:, side] /= shares[:, side].sum(axis=1, keepdims=True)
        n = np.column_stack([a.sum(axis=1), b.sum(axis=1)]).astype(np.int64)
        known = np.isfinite(fits["d_prime"]) & (np.abs(fits["d_prime"]) > LEAST)
        made.append(
            Observers(at[known], n[known], fits["d_prime"][known], fits["criterion"][known], shares[known])
        )
    return made


def criteria_of(
    d_prime: FloatArray, c: FloatArray, meta_d: FloatArray, shares: FloatArray, n: np.ndarray
) -> FloatArray:
    """Criteria of confidence with which each rating has its share of a response's trials, by bisection, (B, 2K-2)."""
    k, middle = shares.shape[1] // 2, meta_d * c / d_prime
    found = np.empty((len(d_prime), 2 * k - 2))
    for side, sign in ((0, 1.0), (1, -1.0)):  # below the middle, and above it
        said = [count * ndtr(sign * (c - s * d_prime / 2)) for s, count in zip((-1, 1), n.T, strict=True)]
        weight = said / np.sum(said, axis=0)
        inner = [ndtr(sign * (middle - s * meta_d / 2)) for s in (-1, 1)]

        def beyond(x: FloatArray, sign: float = sign, weight=weight, inner=inner) -> FloatArray:  # type: ignore[no-untyped-def]
            parts = (
                w * ndtr(sign * (x - s * meta_d / 2)) / i
                for w, s, i in zip(weight, (-1, 1), inner, strict=True)
            )
            return np.asarray(sum(parts))

        for j in range(k - 1):
            share = shares[:, : j + 1].sum(axis=1) if side == 0 else shares[:, k + j + 1 :].sum(axis=1)
            near, far = middle.copy(), middle - sign * 12.0
            for _ in range(50):
                half = (near + far) / 2
                more = beyond(half) > share
                near, far = np.where(more, half, near), np.where(more, far, half)
            found[:, j if side == 0 else k - 1 + j] = (near + far) / 2
    return found


def m_ratios(found: pd.DataFrame, world: str, rng: np.random.Generator) -> FloatArray:
    """Everybody's M-ratio in a world."""
    _, of = np.unique(found["set"] + found["part"], return_inverse=True)
    means, own = rng.normal(0, 1, of.max() + 1)[of], rng.normal(0, 1, len(found))
    if world in (LIKE, UNEQUAL):
        return MEAN + OF_SETS * means + OF_PEOPLE * own
    if world == SKEWED:
        return np.exp(np.log(SAME) + 0.15 * means + 0.3 * own)
    return np.full(len(found), SAME)


def drawn(found: pd.DataFrame, people: list[Observers], world: str, seed: int) -> pd.DataFrame:
    """People's tables in a world, with what is true of them: ``true_m_ratio`` and ``true_auroc2``."""
    rng = np.random.default_rng(seed)
    true, parts = m_ratios(found, world, rng), []
    for one in people:
        cells = one.probabilities(true, SPREAD if world == UNEQUAL else 1.0)
        part = found.iloc[one.at].assign(true_m_ratio=true[one.at])
        part["nR_S1"], part["nR_S2"] = (list(rng.multinomial(one.n[:, i], cells[:, i])) for i in (0, 1))
        part["true_auroc2"] = auroc2_from_counts(*type2_table(*(one.n[:, [i]] * cells[:, i] for i in (0, 1))))
        parts.append(part)
    return pd.concat(parts).sort_index()


def truths(people: pd.DataFrame) -> dict[tuple[str, str], float]:
    """By measure and summary, what is true of the people who count."""
    made: dict[tuple[str, str], float] = {}
    for measure in ("m_ratio", "auroc2"):
        true = people[f"true_{measure}"]
        values = {name: float(true.quantile(share)) for name, share in QUARTILES.items()}
        values[HALF] = values["upper_quarter"] - values["lower_quarter"]
        values |= {name: float((true < value).mean()) for name, value in SHARES.items()}
        made |= {(measure, name): value for name, value in values.items()}
    made["m_ratio", NOISE] = 1 - float(people["true_m_ratio"].var() / people["m_ratio"].var())
    return made


def run(found: pd.DataFrame, people: list[Observers], world: str, seed: int) -> pd.DataFrame:
    """The page's summaries of one simulated database, with the truth of those who count."""
    kept = people_of(drawn(found, people, world, seed))
    rows = []
    for domain, made in summaries(kept, RESAMPLES, seed).groupby("domain", sort=False):
        true = truths(kept if domain == "all" else kept[kept["domain"] == domain])
        of = made["measure"].replace("m_ratio_without_chance", "m_ratio")
        rows.append(made.assign(truth=[true[key] for key in zip(of, made["summary"], strict=True)]))
    return pd.concat(rows).assign(world=world)


def told(draws: pd.DataFrame) -> pd.DataFrame:
    """A row for each world, domain, measure and summary.

    ``bias`` is the mean distance from what is true of the people drawn, ``covers`` counts runs whose interval holds
    ``truth``, its mean over runs, ``far`` those that are off by more than ``FAR``.
    """
    rows = []
    for key, part in draws.groupby(["world", "domain", "measure", "summary"], sort=False):
        truth = part["truth"].mean()
        holds = (part["value_lower"] <= truth + 1e-9) & (part["value_upper"] >= truth - 1e-9)
        about = dict(zip(("world", "domain", "measure", "summary"), key, strict=True))
        about |= {"runs": len(part), "truth": truth, "mean": part["value"].mean()}
        about |= {"bias": (part["value"] - part["truth"]).mean(), "sd": (part["value"] - part["truth"]).std()}
        far = (part["value"] - part["truth"]).abs() > FAR
        rows.append(about | {"covers": int(holds.sum()), "far": int(far.sum())})
    return pd.DataFrame(rows)


def main() -> None:
    """Simulate every world, or write people's percentiles."""
    given = parsed(__file__, out=SIMULATIONS / "what_is_normal.csv", percentiles=False, runs=50, seed=42)
    found = tables()
    found = found[found["form"] != MARKED].reset_index(drop=True)
    if given.percentiles:
        percentiles(people_of(found)).round(4).to_csv(project_root() / PERCENTILES, index=False)
        return
    people, draws = observers(found), []
    for world in (LIKE, SKEWED, ALIKE, UNEQUAL):
        for seed in range(given.seed, given.seed + given.runs):
            draws.append(run(found, people, world, seed))
        given.tell(world)
    given.write(told(pd.concat(draws)), seed=given.seed)


if __name__ == "__main__":
    main()
