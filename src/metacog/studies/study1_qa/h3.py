"""H3: does temperature move the criterion, and leave metacognitive sensitivity alone?

Pre-registered, over T in {0.3, 0.5, 0.7, 1.0}: the range of meta-d' is below 0.3 (called "TOST"
there), and |Spearman rho(meta-d', T)| < |rho(d', T)|. A range of point estimates is no equivalence
test, and a rank correlation over four points can only take a few values; so beside them stands a
true TOST: for every pair of temperatures the 90 % interval of the paired difference of meta-d'
(questions resampled, so that both temperatures answer the same ones) must lie within ±0.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from metacog.sdt.decisions import tost_draws
from metacog.studies.study1_qa.cells import GROUP, FloatArray, Rated, estimate
from metacog.studies.study1_qa.contrasts import (
    differences,
    excludes_zero,
    interval,
    paired_draws,
    question_cells,
    spread,
)
from metacog.studies.study1_qa.verdicts import PREREGISTERED, SOUND, Kind, Verdict, listed, rows_of, where

#: Temperatures the hypothesis is about.
TEMPERATURES = (0.3, 0.5, 0.7, 1.0)
#: Largest range, and equivalence bound, in units of d'.
BOUND = 0.3
RULE_RANGE = f"Over T = 0.3, 0.5, 0.7 and 1.0 the range of meta-d' stays below {BOUND} in every model."
RULE_RHO = "In every model |rho(meta-d', T)| is smaller than |rho(d', T)| (Spearman)."
RULE_TOST = (
    f"For every pair of those temperatures the 90 % interval of the paired difference of meta-d' lies "
    f"within ±{BOUND} (two one-sided tests at 5 %), in every model."
)
RULE_CRITERION = (
    "The mean type-2 criterion differs between the lowest and highest temperature (95 % interval)."
)


@dataclass(frozen=True)
class H3:
    """Result of H3.

    Attributes
    ----------
    table : DataFrame
        One row a model, question set and temperature (all of the run's): estimates with 95 %
        question-level limits (``*_lo, *_hi``), mean rating, criteria, counts and flag.
    summary : DataFrame
        One row a model and question set over the hypothesis's temperatures: ``meta_d_range``,
        ``rho_meta_d_T``, ``rho_d_prime_T``, ``tost_pass`` (range rule), ``relative_robust``,
        ``smallest_bound`` (that a true TOST would pass), ``tost_p``, ``equivalent``, and the change of
        the type-2 criteria with limits.
    pairs : DataFrame
        Paired differences of meta-d' between temperatures with 90 % limits.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    summary: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def h3(
    rated: Rated, *, n_resamples: int = 10_000, seed: int = 42, bound: float = BOUND, verdicts: bool = True
) -> H3:
    """H3 as pre-registered and as equivalence tests.

    Parameters
    ----------
    rated : Rated
        Trials rated with the edges of T = 1.
    bound : float
        Equivalence bound of the true TOST, in units of d'.
    """
    table = by_temperature(rated)
    table["mean_rating"] = _mean_rating(rated, table)
    for name in ("d_prime", "meta_d", "m_ratio", "low_criterion", "high_criterion"):
        table[f"{name}_lo"], table[f"{name}_hi"] = np.nan, np.nan
    summaries, pair_frames = [], []
    for (model, dataset), own in rated.trials.groupby(list(GROUP), sort=False):
        cells = question_cells(own, "temperature", rated.n_ratings)
        if cells.matrix.shape[0] < 2:
            continue
        point, draws = paired_draws(cells, n_resamples=n_resamples, seed=seed)
        temperatures = np.array(cells.conditions, dtype=np.float64)
        for index, temperature in enumerate(temperatures):
            row = (
                (table["model"] == model)
                & (table["dataset"] == dataset)
                & (table["temperature"] == temperature)
            )
            for name in ("d_prime", "meta_d", "m_ratio", "low_criterion", "high_criterion"):
                table.loc[row, [f"{name}_lo", f"{name}_hi"]] = interval(draws[name][index])
        pairs = _pairs(temperatures, point["meta_d"], draws["meta_d"], bound)
        pairs.insert(0, "dataset", str(dataset))
        pairs.insert(0, "model", str(model))
        pair_frames.append(pairs)
        mine = table[(table["model"] == model) & (table["dataset"] == dataset)]
        summaries.append(
            {
                "model": model, "dataset": dataset, **range_and_rank(mine),
                **_equivalence(pairs, bound), **_criterion_change(temperatures, point, draws),
            }
        )  # fmt: skip
    summary = pd.DataFrame(summaries)
    pairs = pd.concat(pair_frames, ignore_index=True) if pair_frames else pd.DataFrame()
    found = judge(summary, bound) if verdicts and len(summary) else ()
    return H3(table, summary, pairs, found)


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
    span = spread(rows["meta_d"].to_numpy(dtype=np.float64))
    complete = len(rows) == len(TEMPERATURES)
    return {
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


def _pairs(temperatures: FloatArray, values: FloatArray, draws: FloatArray, bound: float) -> pd.DataFrame:
    keep = np.isin(temperatures, TEMPERATURES)
    labels = [f"{t:g}" for t in temperatures[keep]]
    pairs = differences(labels, values[keep], draws[keep], levels=(0.90,))
    p = []
    for i, j in zip(pairs["a"], pairs["b"], strict=True):
        gap = draws[keep][labels.index(i)] - draws[keep][labels.index(j)]
        gap = gap[np.isfinite(gap)]
        p.append(tost_draws(gap, np.nan, -bound, bound).p_value if gap.size > 1 else np.nan)
    pairs["p_tost"] = np.array(p, dtype=np.float64)
    return pairs.rename(columns={"a": "T_a", "b": "T_b"}).drop(columns="p")


def _equivalence(pairs: pd.DataFrame, bound: float) -> dict[str, object]:
    complete = len(pairs) == len(TEMPERATURES) * (len(TEMPERATURES) - 1) // 2 and bool(
        pairs["lo"].notna().all()
    )
    limits = pairs[["lo", "hi"]].abs().to_numpy(dtype=np.float64)
    smallest = float(limits.max()) if limits.size else float("nan")
    return {
        "smallest_bound": smallest,
        "tost_p": float(pairs["p_tost"].max()) if len(pairs) else float("nan"),
        "equivalent": bool(smallest < bound) if complete else None,
    }


def _criterion_change(
    temperatures: FloatArray, point: dict[str, FloatArray], draws: dict[str, FloatArray]
) -> dict[str, object]:
    inside = np.flatnonzero(np.isin(temperatures, TEMPERATURES))
    found: dict[str, object] = {}
    for name in ("low_criterion", "high_criterion"):
        change, low, high = (float("nan"),) * 3
        if inside.size > 1:
            first, last = inside[0], inside[-1]
            change = float(point[name][last] - point[name][first])
            low, high = interval(draws[name][last] - draws[name][first])
        found |= {f"{name}_change": change, f"{name}_change_lo": low, f"{name}_change_hi": high}
    return found


def judge(summary: pd.DataFrame, bound: float = BOUND) -> tuple[Verdict, ...]:
    """Verdicts from a summary as in :class:`H3`; the two pre-registered ones need only its first columns."""
    found = [
        _all_models(
            summary, "tost_pass", PREREGISTERED, RULE_RANGE, f"The range of meta-d' is below {BOUND} in"
        ),
        _all_models(
            summary, "relative_robust", PREREGISTERED, RULE_RHO, "meta-d' follows temperature less than d' in"
        ),
    ]
    if "equivalent" in summary:
        tost = _all_models(
            summary, "equivalent", SOUND, RULE_TOST.replace(str(BOUND), f"{bound:g}"),
            "meta-d' is shown to be equivalent over the temperatures in",
        )  # fmt: skip
        bounds = listed(f"{b:.2f}" for b in summary["smallest_bound"].dropna())
        tost = Verdict(
            tost.hypothesis, tost.kind, tost.rule, tost.passed,
            f"{tost.sentence} The smallest bounds that would pass are {bounds}.",
        )  # fmt: skip
        found += [tost, _judge_criterion(summary)]
    return tuple(found)


def _all_models(summary: pd.DataFrame, column: str, kind: Kind, rule: str, start: str) -> Verdict:
    n_sets = summary["dataset"].nunique()
    known = summary[summary[column].notna()]
    if known.empty:
        sentence = f"This run lacks some of T = {listed(f'{t:g}' for t in TEMPERATURES)}: no verdict."
        return Verdict("H3", kind, rule, None, sentence)
    yes = known[known[column].astype(bool)]
    no = known[~known[column].astype(bool)]
    names = [listed(where(r.model, r.dataset, n_sets) for r in rows_of(rows)) for rows in (yes, no)]
    if yes.empty:
        sentence = f"{start} no model ({names[1]})."
    else:
        sentence = f"{start} {names[0]}" + (f", not in {names[1]}." if len(no) else ".")
    return Verdict("H3", kind, rule, no.empty, sentence)


def _judge_criterion(summary: pd.DataFrame) -> Verdict:
    moved = []
    n_sets = summary["dataset"].nunique()
    for row in rows_of(summary):
        parts = []
        for side in ("low", "high"):
            low = getattr(row, f"{side}_criterion_change_lo")
            high = getattr(row, f"{side}_criterion_change_hi")
            if low > 0 or high < 0:
                parts.append(f"{side}-side {getattr(row, f'{side}_criterion_change'):+.2f}")
        if parts:
            moved.append(f"{where(row.model, row.dataset, n_sets)} ({', '.join(parts)})")
    known = summary["low_criterion_change_lo"].notna() | summary["high_criterion_change_lo"].notna()
    if not known.any():
        return Verdict("H3", SOUND, RULE_CRITERION, None, "The criteria could not be compared.")
    sentence = (
        "From the lowest to the highest of these temperatures the mean type-2 criteria move in "
        f"{listed(moved) if moved else 'no model'}."
    )
    return Verdict("H3", SOUND, RULE_CRITERION, len(moved) == int(known.sum()), sentence)


def criterion_moves(summary: pd.DataFrame) -> pd.Series:
    """Whether a model's low- or high-side type-2 criterion moved (95 % interval without zero)."""
    low = excludes_zero(summary["low_criterion_change_lo"], summary["low_criterion_change_hi"])
    return low | excludes_zero(summary["high_criterion_change_lo"], summary["high_criterion_change_hi"])
