"""H3: does temperature move the criterion, and leave metacognitive sensitivity alone?

Pre-registered, over T in {0.3, 0.5, 0.7, 1.0}: the range of meta-d' is below 0.3 (called "TOST"
there), and |Spearman rho(meta-d', T)| < |rho(d', T)|. A range of point estimates is no equivalence
test, and a rank correlation over four points can only take a few values; so beside them stands a
true TOST: for every pair of temperatures the 90 % interval of the paired difference of meta-d'
(questions resampled, so that both temperatures answer the same ones) must lie within ±0.3.

With edges held at those of T = 1, a small model's confidence can leave the lower ratings nearly empty
at low temperatures; d' is then made of what is added to every cell, the cell is flagged and the model
undecided. So all of it is done twice: with the edges of T = 1, as registered, and with each
temperature's own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from metacog.report.rules import Unit, every, those, undecided, unit
from metacog.sdt.decisions import tost_draws
from metacog.studies.study1_qa.cells import GROUP, FloatArray, Rated, estimate, flags_in, joined
from metacog.studies.study1_qa.contrasts import (
    differences,
    excludes_zero,
    interval,
    paired_draws,
    question_cells,
    spread,
)
from metacog.studies.study1_qa.verdicts import PREREGISTERED, SOUND, Kind, Verdict, listed, where

#: Whose trials made the rating edges: the column ``edges``.
FIXED, OWN = "those of T = 1", "each temperature's own"
#: Level of each of the two sides of the criterion, so that both together have 95 %.
SIDE_LEVEL = 0.975
_MEASURES = ("d_prime", "meta_d", "m_ratio", "low_criterion", "high_criterion")

#: Temperatures the hypothesis is about.
TEMPERATURES = (0.3, 0.5, 0.7, 1.0)
#: Largest range, and equivalence bound, in units of d'.
BOUND = 0.3
RULE_RANGE = f"Over T = 0.3, 0.5, 0.7 and 1.0 the range of meta-d' stays below {BOUND} in every model."
RULE_RHO = "In every model |rho(meta-d', T)| is smaller than |rho(d', T)| (Spearman)."
RULE_TOST = (
    f"For every pair of those temperatures the 90 % interval of the paired difference of meta-d' lies "
    f"within ±{BOUND} (two one-sided tests at 5 %), in every model; an interval wholly outside refutes it."
)
RULE_CRITERION = (
    "In every model the mean type-2 criterion of the low or of the high side differs between the lowest and "
    "the highest temperature (97.5 % interval for each of the two sides)."
)


@dataclass(frozen=True)
class H3:
    """Result of H3.

    Attributes
    ----------
    table : DataFrame
        One row a model, question set and temperature (all of the run's), with the edges of T = 1:
        estimates with 95 % question-level limits (``*_lo, *_hi``), mean rating, criteria, counts and flag.
    own : DataFrame
        The same with each temperature's own edges; empty where they were not asked for.
    summary : DataFrame
        One row a model, question set and ``edges`` over the hypothesis's temperatures: ``meta_d_range``,
        ``rho_meta_d_T``, ``rho_d_prime_T``, ``tost_pass`` (range rule), ``relative_robust``,
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
        other, *more = _over_temperatures(own, OWN, n_resamples, seed, bound)
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
        table[f"{name}_lo"], table[f"{name}_hi"] = np.nan, np.nan
    summaries, pair_frames = [], []
    for (model, dataset), own in rated.trials.groupby(list(GROUP), sort=False):
        cells = question_cells(own, "temperature", rated.n_ratings)
        if cells.matrix.shape[0] < 2:
            continue
        point, draws = paired_draws(cells, n_resamples=n_resamples, seed=seed)
        temperatures = np.array(cells.conditions, dtype=np.float64)
        mine = (table["model"] == model) & (table["dataset"] == dataset)
        for index, temperature in enumerate(temperatures):
            row = mine & (table["temperature"] == temperature)
            for name in _MEASURES:
                table.loc[row, [f"{name}_lo", f"{name}_hi"]] = interval(draws[name][index])
        pairs = temperature_pairs(temperatures, point["meta_d"], draws["meta_d"], bound)
        names = {"model": str(model), "dataset": str(dataset), "edges": edges}
        pair_frames.append(pairs.assign(**names)[[*names, *pairs.columns]])
        change = _criterion_change(temperatures, point, draws) if edges == FIXED else {}
        summaries.append(
            {
                **names, **range_and_rank(table[mine]), **equivalence(pairs, bound), **change,
                "flagged": flagged_at(table[mine]),
            }
        )  # fmt: skip
    pairs = pd.concat(pair_frames, ignore_index=True) if pair_frames else pd.DataFrame()
    return table, pd.DataFrame(summaries), pairs


def flagged_at(table: pd.DataFrame) -> str:
    """What is unsound at the hypothesis's temperatures; empty if nothing is."""
    rows = table[table["temperature"].isin(TEMPERATURES) & (table["flag"] != "")]
    if rows.empty:
        return ""
    flags = dict.fromkeys(flag for text in rows["flag"] for flag in flags_in(text))
    at = listed(f"{t:g}" for t in sorted(rows["temperature"]))
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


def temperature_pairs(
    temperatures: FloatArray, values: FloatArray, draws: FloatArray, bound: float = BOUND
) -> pd.DataFrame:
    """Differences of meta-d' between the hypothesis's temperatures, with 90 % limits and TOST's p."""
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


def equivalence(pairs: pd.DataFrame, bound: float = BOUND) -> dict[str, object]:
    """What the paired differences of one model say: see ``summary`` of :class:`H3`."""
    complete = len(pairs) == len(TEMPERATURES) * (len(TEMPERATURES) - 1) // 2 and bool(
        pairs["lo"].notna().all()
    )
    limits = pairs[["lo", "hi"]].abs().to_numpy(dtype=np.float64)
    smallest = float(limits.max()) if limits.size else float("nan")
    return {
        "smallest_bound": smallest,
        "tost_p": float(pairs["p_tost"].max()) if len(pairs) else float("nan"),
        "equivalent": bool(smallest < bound) if complete else None,
        "different": bool(((pairs["lo"] >= bound) | (pairs["hi"] <= -bound)).any()),
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
            low, high = interval(draws[name][last] - draws[name][first], SIDE_LEVEL)
        found |= {f"{name}_change": change, f"{name}_change_lo": low, f"{name}_change_hi": high}
    return found


def judge(summary: pd.DataFrame, bound: float = BOUND) -> tuple[Verdict, ...]:
    """Verdicts from a summary as in :class:`H3`; the two pre-registered ones need only its first columns."""
    edges = summary["edges"] if "edges" in summary else pd.Series(FIXED, index=summary.index)
    fixed = summary[edges == FIXED]
    found = [
        _all_models(
            fixed, "tost_pass", PREREGISTERED, RULE_RANGE, f"The range of meta-d' is below {BOUND} in"
        ),
        _all_models(
            fixed, "relative_robust", PREREGISTERED, RULE_RHO, "meta-d' follows temperature less than d' in"
        ),
    ]
    if "equivalent" in summary:
        found += [_judge_tost(summary[edges == kind], bound, kind) for kind in dict.fromkeys(edges)]
        found.append(_judge_criterion(fixed))
    return tuple(found)


def _name(row: pd.Series, n_sets: int) -> str:
    return where(row["model"], row["dataset"], n_sets)


def _units(summary: pd.DataFrame, column: str) -> list[Unit]:
    n_sets = summary["dataset"].nunique()
    return [
        unit(_name(row, n_sets), row[column], known=row[column] is not None, flag=row.get("flagged", ""))
        for _, row in summary.astype({column: object}).iterrows()
    ]


def _all_models(summary: pd.DataFrame, column: str, kind: Kind, rule: str, start: str) -> Verdict:
    if summary[column].isna().all():
        sentence = f"This run lacks some of T = {listed(f'{t:g}' for t in TEMPERATURES)}: no verdict."
        return Verdict("H3", kind, rule, None, sentence)
    units = _units(summary, column)
    return Verdict("H3", kind, rule, every(units), _said(units, start))


def _said(units: list[Unit], start: str) -> str:
    yes, no = those(units, True), those(units, False)
    sentence = f"{start} {listed(yes)}" if yes else f"{start} no model that can be judged"
    return sentence + (f", not in {listed(no)}." if no else ".") + undecided(units)


def tost_units(summary: pd.DataFrame) -> list[Unit]:
    """One unit a model: equivalent, different, or undecided where intervals straddle the bound or cells are
    flagged. Needs the columns ``model, dataset, equivalent, different, flagged``.
    """
    n_sets = summary["dataset"].nunique()
    units: list[Unit] = []
    for _, row in summary.astype({"equivalent": object}).iterrows():
        name, flag = _name(row, n_sets), row.get("flagged", "")
        if row["equivalent"] is not None and not flag and not row["equivalent"] and not row["different"]:
            units.append(Unit(name, None, "some interval straddles the bound"))
        else:
            units.append(unit(name, row["equivalent"], known=row["equivalent"] is not None, flag=flag))
    return units


def _judge_tost(summary: pd.DataFrame, bound: float, edges: str) -> Verdict:
    rule = f"{RULE_TOST.replace(str(BOUND), f'{bound:g}')} Rating edges: {edges}."
    if summary["equivalent"].isna().all():
        sentence = f"This run lacks some of T = {listed(f'{t:g}' for t in TEMPERATURES)}: no verdict."
        return Verdict("H3", SOUND, rule, None, sentence)
    units = tost_units(summary)
    start = f"With rating edges {edges}, meta-d' is shown to be equivalent over the temperatures in"
    bounds = listed(f"{b:.2f}" for b in summary["smallest_bound"].dropna())
    sentence = f"{_said(units, start)} The smallest bounds that would pass are {bounds}."
    return Verdict("H3", SOUND, rule, every(units), sentence)


def _judge_criterion(summary: pd.DataFrame) -> Verdict:
    moved, units = [], []
    n_sets = summary["dataset"].nunique()
    moves = criterion_moves(summary)
    for (_, row), moves_here in zip(summary.iterrows(), moves, strict=True):
        name = _name(row, n_sets)
        known = np.isfinite([row["low_criterion_change_lo"], row["high_criterion_change_lo"]]).any()
        units.append(unit(name, moves_here, known=known, flag=row.get("flagged", "")))
        parts = [
            f"{side}-side {row[f'{side}_criterion_change']:+.2f}"
            for side in ("low", "high")
            if row[f"{side}_criterion_change_lo"] > 0 or row[f"{side}_criterion_change_hi"] < 0
        ]
        if units[-1].holds:
            moved.append(f"{name} ({', '.join(parts)})")
    sentence = (
        "From the lowest to the highest of these temperatures the mean type-2 criteria move in "
        f"{listed(moved) if moved else 'no model that can be judged'}."
    )
    return Verdict("H3", SOUND, RULE_CRITERION, every(units), sentence + undecided(units))


def criterion_moves(summary: pd.DataFrame) -> pd.Series:
    """Whether a model's low- or high-side type-2 criterion moved (an interval without zero)."""
    low = excludes_zero(summary["low_criterion_change_lo"], summary["low_criterion_change_hi"])
    return low | excludes_zero(summary["high_criterion_change_lo"], summary["high_criterion_change_hi"])
