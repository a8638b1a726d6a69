"""What meta-d' and the criterion do over temperatures, and what the rules of H3 say to it.

Pre-registered, over T in {0.3, 0.5, 0.7, 1.0}: the range of meta-d' is below 0.3 (called "TOST" there), and
|Spearman rho(meta-d', T)| < |rho(d', T)|. A range of point estimates is no equivalence test, and a rank correlation
over four points can only take a few values; so next to them stands a true TOST: for every pair of temperatures the
90 % interval of the paired difference of meta-d' (questions resampled, so that both temperatures answer the same
ones) must lie within ±0.3.

With edges held at those of T = 1, a small model's confidence can leave the lower ratings nearly empty at low
temperatures; d' is then made of what is added to every cell, the cell is flagged and the model undecided. So all of
it is done twice: with the edges of T = 1, as registered, and with each temperature's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from metacog.measures.cell import Measured
from metacog.measures.fits import Fits
from metacog.measures.pairs import differences, excludes_zero, together
from metacog.sdt.checks import FloatArray
from metacog.sdt.ranking import NORMAL, difference_interval
from metacog.studies.study1_qa.cells import (
    GROUP,
    Rated,
    cell_name,
    estimate,
    flags_in,
    joined,
    measured_together,
    question_cells,
    spread,
)
from metacog.studies.study1_qa.ledger.rows import reproduced
from metacog.verdicts.rules import Unit, judged, shown, those, unit
from metacog.verdicts.verdict import Kind, Verdict

# What H3's rules say of a summary over temperatures.

#: Whose trials made the rating edges: the column ``edges``.
FIXED = "those of T = 1"
SEPARATE = "each temperature's own"
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
    "the highest temperature (97.5 % interval for each of the two sides); a model of which that is not shown stays "
    "open."
)
RULE_PUBLISHED = "Range and rank rules."


def judge(summary: pd.DataFrame, bound: float = BOUND) -> tuple[Verdict, ...]:
    """Verdicts from a summary as in :class:`H3`; the two pre-registered ones need only its first columns."""
    edges = summary["edges"] if "edges" in summary else pd.Series(FIXED, index=summary.index)
    fixed = summary[edges == FIXED]
    found = [
        _over_models(fixed, "tost_pass", "range", RULE_RANGE),
        _over_models(fixed, "relative_robust", "rho", RULE_RHO),
    ]
    if "equivalent" in summary:
        found += [judge_tost(summary[edges == kind], bound, kind) for kind in dict.fromkeys(edges)]
        found.append(judge_criterion(fixed))
    return tuple(found)


def _name(row: pd.Series, n_sets: int) -> str:
    return cell_name(row["model"], row["dataset"], n_sets)


def _units(summary: pd.DataFrame, column: str) -> list[Unit]:
    n_sets = summary["dataset"].nunique()
    return [
        unit(_name(row, n_sets), row[column], known=row[column] is not None, flag=row.get("flagged", ""))
        for _, row in summary.astype({column: object}).iterrows()
    ]


def _complete(summary: pd.DataFrame, column: str) -> bool:
    """Whether a rule can be asked of a run: some model is judged by it, or was asked at all its temperatures."""
    asked = summary["n_asked"].eq(len(TEMPERATURES)).any() if "n_asked" in summary else False
    return bool(asked or summary[column].notna().any())


def _over_models(summary: pd.DataFrame, column: str, name: str, rule: str) -> Verdict:
    """A pre-registered rule over all models; undecided where the run lacks temperatures (``complete``)."""
    units = _units(summary, column)
    complete = _complete(summary, column)
    values: dict[str, Any] = {"complete": complete, "yes": those(units, True), "no": those(units, False)}
    return judged(units, "H3", Kind.PREREGISTERED, rule, name=name, **values)


def tost_units(summary: pd.DataFrame) -> list[Unit]:
    """One unit per model: equivalent, different, or undecided where intervals straddle the bound or cells are
    flagged. Needs the columns ``model, dataset, equivalent, different, flagged``.
    """
    n_sets = summary["dataset"].nunique()
    units: list[Unit] = []
    for _, row in summary.astype({"equivalent": object}).iterrows():
        name, flag = _name(row, n_sets), row.get("flagged", "")
        if row["equivalent"] is not None and not flag and not row["equivalent"] and not row["different"]:
            units.append(Unit(name, None, "the interval contains the bound for some temperatures"))
        else:
            units.append(unit(name, row["equivalent"], known=row["equivalent"] is not None, flag=flag))
    return units


def judge_tost(summary: pd.DataFrame, bound: float, edges: str) -> Verdict:
    """Two one-sided tests in every model, with one kind of rating edges."""
    rule = f"{RULE_TOST.replace(str(BOUND), f'{bound:g}')} Rating edges: {edges}."
    units = tost_units(summary)
    values: dict[str, Any] = {
        "edges": edges,
        "complete": _complete(summary, "equivalent"),
        "yes": those(units, True),
        "no": those(units, False),
        "smallest_bounds": summary["smallest_bound"].dropna().tolist(),
    }
    return judged(units, "H3", Kind.SOUND, rule, name="tost", **values)


def judge_criterion(summary: pd.DataFrame) -> Verdict:
    """Whether the type-2 criteria moved; ``moved`` holds the changes of each model's sides that did."""
    moved, units = [], []
    n_sets = summary["dataset"].nunique()
    moves = criterion_moves(summary)
    for (_, row), moves_here in zip(summary.iterrows(), moves, strict=True):
        name = _name(row, n_sets)
        known = np.isfinite([row["low_criterion_change_lower"], row["high_criterion_change_lower"]]).any()
        units.append(shown(name, moves_here, known=known, flag=row.get("flagged", "")))
        changes = {
            side: float(row[f"{side}_criterion_change"])
            for side in ("low", "high")
            if row[f"{side}_criterion_change_lower"] > 0 or row[f"{side}_criterion_change_upper"] < 0
        }
        if units[-1].holds:
            moved.append({"model": name, "changes": changes})
    return judged(units, "H3", Kind.SOUND, RULE_CRITERION, name="criterion", moved=moved)


def criterion_moves(summary: pd.DataFrame) -> pd.Series:
    """Whether a model's low- or high-side type-2 criterion moved (an interval without zero)."""
    low = excludes_zero(summary["low_criterion_change_lower"], summary["low_criterion_change_upper"])
    return low | excludes_zero(summary["high_criterion_change_lower"], summary["high_criterion_change_upper"])


def compare(printed: pd.DataFrame, recomputed: pd.DataFrame, ours: pd.DataFrame) -> Verdict:
    """How many models pass both pre-registered rules: as printed, from the printed table, and in the run.

    Parameters
    ----------
    printed, recomputed, ours : DataFrame
        ``model, tost_pass, relative_robust``; the run's rules are None where it lacks temperatures.
    """
    rules = ("tost_pass", "relative_robust")
    both = reproduced("v1_h3_verdicts", recomputed, rules).groupby(level="item").all()
    known = ours[ours["tost_pass"].notna()]
    values = {
        "agree": int(both.sum()),
        "n_published": len(printed),
        "n_run": len(known),
        "complete": _complete(ours, "tost_pass"),
        **{f"published_{rule}": int(printed[rule].sum()) for rule in rules},
        **{f"run_{rule}": int(known[rule].astype(bool).sum()) for rule in rules},
    }
    return Verdict("H3", Kind.PUBLISHED, RULE_PUBLISHED, None, name="published", values=values)


#: Level of each of the two sides of the criterion, so that both together have 95 %.
SIDE_LEVEL = 0.975
_MEASURES = ("d_prime", "meta_d", "m_ratio", "low_criterion", "high_criterion")


@dataclass(frozen=True)
class H3Estimates:
    """Result of H3.

    Attributes
    ----------
    table : DataFrame
        One row per model, question set and temperature (all of the run's), with the edges of T = 1:
        estimates with 95 % question-level limits (``*_lower, *_upper``), mean rating, criteria, counts and flag.
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
    summary: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def h3_estimates(
    rated: Rated,
    own: Rated | None = None,
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
    bound: float = BOUND,
    verdicts: bool = True,
) -> H3Estimates:
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
    if own is not None:
        _, *more = _over_temperatures(own, SEPARATE, n_resamples, seed, bound)
        summary = pd.concat([summary, more[0]], ignore_index=True)
        pairs = pd.concat([pairs, more[1]], ignore_index=True)
    found = judge(summary, bound) if verdicts and len(summary) else ()
    return H3Estimates(table, summary, pairs, found)


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
    """By the draws' standard error: their percentiles find too often that a criterion moves (``verdict_level.csv``)."""
    inside = [one for t, one in made.items() if t in TEMPERATURES] or [Measured.drawn()]
    found: dict[str, object] = {}
    for name in ("low_criterion", "high_criterion"):
        change = together(inside[-1], inside[0], name)
        low, high = np.nan, np.nan
        if np.isfinite(change.draws).sum() >= 2:
            low, high = difference_interval(change.draws, change.difference, SIDE_LEVEL, NORMAL)
        found |= {
            f"{name}_change": change.difference,
            f"{name}_change_lower": low,
            f"{name}_change_upper": high,
        }
    return found
