"""H3: does temperature move the criterion, and leave metacognitive sensitivity alone?

Pre-registered, over T in {0.3, 0.5, 0.7, 1.0}: the range of meta-d' is below 0.3 (called "TOST"
there), and |Spearman rho(meta-d', T)| < |rho(d', T)|. A range of point estimates is no equivalence
test, and a rank correlation over four points can only take a few values; so next to them stands a
true TOST: for every pair of temperatures the 90 % interval of the paired difference of meta-d'
(questions resampled, so that both temperatures answer the same ones) must lie within ±0.3.

With edges held at those of T = 1, a small model's confidence can leave the lower ratings nearly empty
at low temperatures; d' is then made of what is added to every cell, the cell is flagged and the model
undecided. So all of it is done twice: with the edges of T = 1, as registered, and with each
temperature's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from metacog.measures.fits import Fits
from metacog.measures.measured import Measured
from metacog.measures.pairs import differences, together
from metacog.report.verdicts import Verdict
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study1_qa.cells.counts import GROUP, FloatArray, Rated
from metacog.studies.study1_qa.cells.estimates import estimate, measured_together, question_cells
from metacog.studies.study1_qa.cells.flags import flags_in, joined
from metacog.studies.study1_qa.cells.ranking import spread
from metacog.studies.study1_qa.h3.judging import BOUND, FIXED, SEPARATE, TEMPERATURES, judge

#: Level of each of the two sides of the criterion, so that both together have 95 %.
SIDE_LEVEL = 0.975
_MEASURES = ("d_prime", "meta_d", "m_ratio", "low_criterion", "high_criterion")


@dataclass(frozen=True)
class H3:
    """Result of H3.

    Attributes
    ----------
    table : DataFrame
        One row per model, question set and temperature (all of the run's), with the edges of T = 1:
        estimates with 95 % question-level limits (``*_lower, *_upper``), mean rating, criteria, counts and flag.
    own : DataFrame
        The same with each temperature's own edges; empty where they were not asked for.
    summary : DataFrame
        One row per model, question set and ``edges`` over the hypothesis's temperatures: ``meta_d_range``,
        ``rho_meta_d_T``, ``rho_d_prime_T``, ``tost_pass`` (range rule), ``relative_robust``,
        ``n_asked`` (how many of them the run has), ``n_temperatures`` (with estimates),
        ``smallest_bound`` (that a true TOST would pass), ``tost_p``, ``equivalent``, ``different`` (some
        interval lies wholly outside), ``flagged`` (what is unsound, and at which temperatures), and with
        fixed edges the change of the type-2 criteria with limits of level :data:`SIDE_LEVEL`.
    pairs : DataFrame
        Paired differences of meta-d' between temperatures with 90 % limits, by ``edges``.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    own: pd.DataFrame
    summary: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def h3(
    rated: Rated,
    own: Rated | None = None,
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
    bound: float = BOUND,
    verdicts: bool = True,
) -> H3:
    """H3 as pre-registered and as equivalence tests.

    Parameters
    ----------
    rated : Rated
        Trials rated with the edges of T = 1.
    own : Rated, optional
        The same trials rated with each temperature's own edges.
    bound : float
        Equivalence bound of the true TOST, in units of d'.
    """
    table, summary, pairs = _over_temperatures(rated, FIXED, n_resamples, seed, bound)
    table["mean_rating"] = _mean_rating(rated, table)
    other = pd.DataFrame()
    if own is not None:
        other, *more = _over_temperatures(own, SEPARATE, n_resamples, seed, bound)
        summary = pd.concat([summary, more[0]], ignore_index=True)
        pairs = pd.concat([pairs, more[1]], ignore_index=True)
    found = judge(summary, bound) if verdicts and len(summary) else ()
    return H3(table, other, summary, pairs, found)


def _over_temperatures(
    rated: Rated, edges: str, n_resamples: int, seed: int, bound: float
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Table, summary and pairs of :class:`H3` for one kind of edges."""
    table = by_temperature(rated)
    for name in _MEASURES:
        table[f"{name}_lower"], table[f"{name}_upper"] = np.nan, np.nan
    summaries, pair_frames = [], []
    for (model, dataset), own in rated.trials.groupby(list(GROUP), sort=False):
        cells = question_cells(own, "temperature", rated.n_ratings)
        made = measured_together(cells, [Fits()], n_resamples=n_resamples, seed=seed)
        mine = (table["model"] == model) & (table["dataset"] == dataset)
        for temperature, one in made.items():
            row = mine & (table["temperature"] == temperature)
            for name in _MEASURES:
                table.loc[row, [f"{name}_lower", f"{name}_upper"]] = one.bounds[name]
        pairs = temperature_pairs(made, bound)
        names = {"model": str(model), "dataset": str(dataset), "edges": edges}
        pair_frames.append(pairs.assign(**names)[[*names, *pairs.columns]])
        change = _criterion_change(made) if edges == FIXED else {}
        summaries.append(
            {
                **names,
                **range_and_rank(table[mine]),
                **equivalence(pairs, bound),
                **change,
                "flagged": flagged_at(table[mine]),
            }
        )
    pairs = pd.concat([one for one in pair_frames if len(one)] or pair_frames[:1], ignore_index=True)
    return table, pd.DataFrame(summaries), pairs


def flagged_at(table: pd.DataFrame) -> str:
    """What is unsound at the hypothesis's temperatures; empty if nothing is."""
    rows = table[table["temperature"].isin(TEMPERATURES) & (table["flag"] != "")]
    if rows.empty:
        return ""
    flags = dict.fromkeys(flag for text in rows["flag"] for flag in flags_in(text))
    at = ", ".join(f"{t:g}" for t in sorted(rows["temperature"]))
    return f"{joined(flags)}, at T = {at}"


def by_temperature(rated: Rated) -> pd.DataFrame:
    """Point estimates of every model at every temperature, with the edges of T = 1."""
    return estimate(rated.cells((*GROUP, "temperature"), temperature=None))


def _mean_rating(rated: Rated, table: pd.DataFrame) -> FloatArray:
    keys = [*GROUP, "temperature"]
    means = rated.trials.groupby(keys)["rating"].mean().rename("mean_rating").reset_index()
    return table[keys].merge(means, on=keys, how="left")["mean_rating"].to_numpy(dtype=np.float64)


def range_and_rank(table: pd.DataFrame) -> dict[str, object]:
    """The pre-registered statistics of one model from a table with ``temperature, d_prime, meta_d``.

    Only the hypothesis's temperatures are used; with fewer than three, the correlations are NaN.
    """
    rows = table[table["temperature"].isin(TEMPERATURES)].dropna(subset=["meta_d", "d_prime"])
    rho_meta = rho_d = float("nan")
    if len(rows) >= 3:
        rho_meta = _rho(rows["meta_d"], rows["temperature"])
        rho_d = _rho(rows["d_prime"], rows["temperature"])
    span = spread(rows["meta_d"])
    complete = len(rows) == len(TEMPERATURES)
    return {
        "n_asked": int(table["temperature"].isin(TEMPERATURES).sum()),
        "n_temperatures": len(rows),
        "rho_meta_d_T": rho_meta,
        "rho_d_prime_T": rho_d,
        "meta_d_range": span,
        "tost_pass": bool(span < BOUND) if complete else None,
        "relative_robust": bool(abs(rho_meta) < abs(rho_d)) if complete else None,
    }


def _rho(x: pd.Series, y: pd.Series) -> float:
    if x.nunique() < 2 or y.nunique() < 2:
        return float("nan")
    return float(np.round(spearmanr(x, y).statistic, 12))


def temperature_pairs(
    made: Mapping[float, Measured], bound: float = BOUND, *, paired: bool = True
) -> pd.DataFrame:
    """Differences of meta-d' between the hypothesis's temperatures, with 90 % limits and TOST's p."""
    asked = {f"{t:g}": one for t, one in made.items() if t in TEMPERATURES}
    pairs = differences(asked, "meta_d", paired=paired, level=0.90, bound=bound)
    names = {"first": "T_a", "second": "T_b", "p_equivalent": "p_tost"}
    return pairs.rename(columns=names).drop(columns="p")


def equivalence(pairs: pd.DataFrame, bound: float = BOUND) -> dict[str, object]:
    """What the paired differences of one model say: see ``summary`` of :class:`H3`."""
    complete = len(pairs) == len(TEMPERATURES) * (len(TEMPERATURES) - 1) // 2 and bool(
        pairs["lower"].notna().all()
    )
    limits = pairs[["lower", "upper"]].abs().to_numpy(dtype=np.float64)
    smallest = float(limits.max()) if limits.size else float("nan")
    return {
        "smallest_bound": smallest,
        "tost_p": float(pairs["p_tost"].max()) if len(pairs) else float("nan"),
        "equivalent": bool(smallest < bound) if complete else None,
        "different": bool(((pairs["lower"] >= bound) | (pairs["upper"] <= -bound)).any()),
    }


def _criterion_change(made: Mapping[float, Measured]) -> dict[str, object]:
    inside = [one for t, one in made.items() if t in TEMPERATURES] or [Measured.drawn()]
    found: dict[str, object] = {}
    for name in ("low_criterion", "high_criterion"):
        change = together(inside[-1], inside[0], name)
        low, high = percentile_limits(change.draws, level=SIDE_LEVEL)
        found |= {
            f"{name}_change": change.difference,
            f"{name}_change_lower": low,
            f"{name}_change_upper": high,
        }
    return found
