"""H3: is meta-d' stable across temperatures?

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
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.measures.cell import Measured
from metacog.measures.fits import Fits
from metacog.measures.pairs import differences
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import cells, paper
from metacog.studies.study1_qa.cells import GROUP, Rated, flags_in, joined, rate_trials, registered
from metacog.verdicts.outcomes import Rule, outcomes, tally, those
from metacog.verdicts.rules import Unit, unit
from metacog.verdicts.verdict import Kind

#: Whose trials made the rating edges: the column ``edges``.
FIXED, SEPARATE = "those of T = 1", "each temperature's own"
#: Temperatures the hypothesis is about.
TEMPERATURES = (0.3, 0.5, 0.7, 1.0)
#: Largest range, and equivalence bound, in units of d'.
BOUND = 0.3
_SAME = "equality is what the rule asks for, and holds in these worlds"
RULES = {
    "range": Rule(
        f"Over T = 0.3, 0.5, 0.7 and 1.0 the range of meta-d' stays below {BOUND} in every model.",
        "H3",
        Kind.PREREGISTERED,
        no_null=_SAME,
    ),
    "rho": Rule(
        "In every model |rho(meta-d', T)| is smaller than |rho(d', T)| (Spearman).",
        "H3",
        Kind.PREREGISTERED,
        no_null=_SAME,
    ),
    "tost": Rule(
        "For every pair of those temperatures the 90 % interval of the paired difference of meta-d' lies within "
        f"±{BOUND} (two one-sided tests at 5 %), in every model; an interval wholly outside refutes it. Rating edges: "
        f"{SEPARATE}.",
        "H3",
        Kind.SOUND,
        no_null="its null is in data/simulations/verdict_level.csv",
    ),
}
COMPARED = ["model", "rho_meta_d_T", "rho_d_prime_T", "meta_d_range", "tost_pass", "relative_robust"]
PRINTED_TABLE = "published, recomputed from printed table 7"


@analysis(needs=("open",), files=cells.PUBLISHED_FILES)
def h3(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> dict[str, Any]:
    """Is meta-d' the same at every temperature?"""
    trials = cells.primary(cells.open_trials(inputs))
    drawn = {"n_resamples": n_resamples, "seed": seed}
    temperatures, fixed = over_temperatures(rate_trials(trials), FIXED, **drawn)
    _, separate = over_temperatures(rate_trials(trials, own_edges=True), SEPARATE, **drawn)
    summary = pd.concat([fixed, separate], ignore_index=True)
    by_model = paper.as_numbers("v1_table7_temperature").groupby("model", sort=False)
    sources = {
        cells.PUBLISHED: paper.as_numbers("v1_h3_verdicts"),
        PRINTED_TABLE: pd.DataFrame([{"model": model, **range_and_rank(rows)} for model, rows in by_model]),
    }
    own = fixed[[*COMPARED, "flagged", "excluded"]]
    return {
        "temperatures": temperatures,
        "summary": summary,
        "comparison": cells.stacked(
            **{source: rows[COMPARED] for source, rows in sources.items()}, **{cells.RUN: own}
        ),
        "outcomes": judge(summary) if verdicts else None,
        "bound": BOUND,
    }


def over_temperatures(
    rated: Rated, edges: str, *, n_resamples: int = 10_000, seed: int = 42
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Estimates by temperature with 95 % question-level limits; and H3's statistics of each model, by ``edges``."""
    table, rows = cells.estimate(rated.cells((*GROUP, "temperature"), temperature=None)), []
    fits: dict[Any, Measured] = {}
    for key, own in rated.trials.groupby(list(GROUP), sort=False):
        asked = cells.question_cells(own, "temperature", rated.n_ratings)
        made = cells.measured_together(asked, [Fits()], n_resamples=n_resamples, seed=seed)
        fits |= {(*key, temperature): one for temperature, one in made.items()}
        mine = table[(table[list(GROUP)] == list(key)).all(axis=1)]
        about = {**dict(zip(GROUP, key, strict=True)), "edges": edges, **range_and_rank(mine)}
        rows.append({**about, **equivalence(temperature_pairs(made)), **flagged_at(mine)})
    keys = table[[*GROUP, "temperature"]].itertuples(index=False, name=None)
    of_rows = [fits.get(key, Measured.drawn()) for key in keys]
    return cells.with_limits(table, of_rows, cells.LIMITED), pd.DataFrame(rows)


def judge(summary: pd.DataFrame) -> pd.DataFrame:
    """What the registered rules say with the edges of T = 1, and the TOST with each temperature's own.

    A TOST is open where intervals straddle the bound or cells are flagged.
    """
    fixed, separate = (summary[summary["edges"] == edges] for edges in (FIXED, SEPARATE))
    units = {}
    for rule, name in (("range", "tost_pass"), ("rho", "relative_robust")):
        told = (fixed[name], fixed[name].notna(), fixed["excluded"], fixed["flagged"])
        units[rule] = list(map(cells.registered_unit, cells.cell_names(fixed), *told))
    units["tost"] = []
    for name, row in zip(cells.cell_names(separate), rows_of(separate), strict=True):
        known = row.equivalent is not None
        if known and not (row.flagged or row.equivalent or row.different):
            why = "the interval contains the bound for some temperatures"
            units["tost"].append(Unit(name, None, why))
        else:
            units["tost"].append(unit(name, row.equivalent, known, row.flagged))
    return pd.concat([outcomes(rule, own) for rule, own in units.items()])


def flagged_at(table: pd.DataFrame) -> dict[str, str]:
    """What is unsound at the hypothesis's temperatures, and what of it the registration excludes; empty if nothing."""
    asked = table[table["temperature"].isin(TEMPERATURES)]
    return {
        "flagged": _flagged(asked),
        "excluded": _flagged(asked.assign(flag=asked["flag"].map(registered))),
    }


def _flagged(asked: pd.DataFrame) -> str:
    rows = asked[asked["flag"] != ""]
    if rows.empty:
        return ""
    flags = dict.fromkeys(flag for text in rows["flag"] for flag in flags_in(text))
    return f"{joined(flags)}, at T = {', '.join(f'{t:g}' for t in sorted(rows['temperature']))}"


def range_and_rank(table: pd.DataFrame) -> dict[str, object]:
    """The pre-registered statistics of one model from a table with ``temperature, d_prime, meta_d``.

    Only the hypothesis's temperatures are used; with fewer than three, the correlations are NaN.
    """
    rows = table[table["temperature"].isin(TEMPERATURES)].dropna(subset=["meta_d", "d_prime"])
    rho_meta, rho_d = (_rho(rows[name], rows["temperature"]) for name in ("meta_d", "d_prime"))
    span, complete = cells.spread(rows["meta_d"]), len(rows) == len(TEMPERATURES)
    return {
        "n_asked": int(table["temperature"].isin(TEMPERATURES).sum()),
        "rho_meta_d_T": rho_meta,
        "rho_d_prime_T": rho_d,
        "meta_d_range": span,
        "tost_pass": bool(span < BOUND) if complete else None,
        "relative_robust": bool(abs(rho_meta) < abs(rho_d)) if complete else None,
    }


def _rho(x: pd.Series, y: pd.Series) -> float:
    if len(x) < 3 or x.nunique() < 2 or y.nunique() < 2:
        return float("nan")
    return float(np.round(spearmanr(x, y).statistic, 12))


def temperature_pairs(made: Mapping[float, Measured], *, paired: bool = True) -> pd.DataFrame:
    asked = {f"{t:g}": one for t, one in made.items() if t in TEMPERATURES}
    return differences(asked, "meta_d", paired=paired, level=0.90, bound=BOUND)


def equivalence(pairs: pd.DataFrame) -> dict[str, object]:
    """What the differences of one model say: the smallest bound that a TOST would show, and what it says at ours."""
    n = len(TEMPERATURES)
    complete = len(pairs) == n * (n - 1) // 2 and bool(pairs["lower"].notna().all())
    limits = pairs[["lower", "upper"]].abs().to_numpy(dtype=np.float64)
    smallest = float(limits.max()) if limits.size else float("nan")
    return {
        "smallest_bound": smallest,
        "equivalent": bool(smallest < BOUND) if complete else None,
        "different": bool(((pairs["lower"] >= BOUND) | (pairs["upper"] <= -BOUND)).any()),
    }


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: models that pass both parts of the registered rule, how far
    the base model's meta-d' moves as printed, and what became of the two one-sided tests.
    """
    printed = result.comparison[result.comparison["source"] == cells.PUBLISHED]
    both = printed["tost_pass"].astype(bool) & printed["relative_robust"].astype(bool)
    moves = printed.loc[printed["meta_d_range"].idxmax()]
    told, own = result.outcomes, result.summary[result.summary["edges"] == SEPARATE]
    changed = own[own["model"].isin([] if told is None else those(told, "tost", False))]
    return {
        "n_printed": len(printed),
        "n_both": int(both.sum()),
        "both_names": listed(printed.loc[both, "model"]),
        "moves_model": moves["model"],
        "moves": moves["meta_d_range"],
        "moved_names": listed(changed["model"]),
        "moved_least": changed["meta_d_range"].min(),
        "moved_most": changed["meta_d_range"].max(),
        "n_complete": int(own["n_asked"].eq(len(TEMPERATURES)).sum()),
        **tally(told, "tost"),
    }


VIEWS = Views("h3", names=paper.NAMES, numbers=figures)
