"""Does the estimator find what was put in? Simulated deciders whose values are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.measures.table import NAMES, SOUND, TABLE, simulations
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.verdicts.outcomes import ALL, Rule, outcomes
from metacog.verdicts.rules import Unit, unit
from metacog.verdicts.verdict import Kind

# How intervals of meta-I2r and AUROC2, and the permutation test, did in simulations.

#: Fewest trials, fewest right and wrong ones, and smallest true meta-I2r, from which coverage is required to be sound.
ASKED_TRIALS, ASKED_CLASS, ASKED_VALUE = 300, 30, 0.05
#: Nominal level of the permutation test.
LEVEL = 0.05


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Lowest and highest coverage over designs, by measure, trials and whether clustered."""
    some = table[(table["interval"] == "auroc2") | _has_value(table)]
    unit = some["clustered"].map({True: "questions", False: "trials"})
    some = some.assign(measure=some["interval"].map(NAMES), unit=unit)
    grouped = some.groupby(["measure", "unit", "n_trials"], sort=False, as_index=False)
    return grouped.agg(lowest=("coverage", "min"), highest=("coverage", "max"), designs=("coverage", "size"))


def judge_intervals(table: pd.DataFrame, levels: pd.DataFrame) -> pd.DataFrame:
    """Coverage of both intervals, level of the tests, and what an interval of meta-I2r would do as one."""
    small = table[(table["interval"] == "meta_i2r") & np.isclose(table["value"], ASKED_VALUE)]
    small = small[small["rejected"] < 0.99]
    better = bool((small["rejected"] >= small["interval_off_null"]).all()) if len(small) else None
    chance = table[(table["interval"] == "auroc2") & np.isclose(table["value"], 0.5)]
    pooled, error = _pooled(chance, "interval_off_null")
    near = (levels["pooled"] - LEVEL).abs() <= 2 * levels["error"]
    return pd.concat(
        [
            *(outcomes(f"covers_{name}", [Unit(NAMES[name], _covers(table, name))]) for name in NAMES),
            outcomes("level", list(map(unit, levels["unit"], near))),
            outcomes(
                "as_test", [Unit(NAMES["meta_i2r"], better, "" if better is not None else "no small value")]
            ),
            outcomes("chance", [Unit(NAMES["auroc2"], pooled <= LEVEL + 2 * error)]),
        ],
        ignore_index=True,
    )


def _has_value(table: pd.DataFrame) -> pd.Series:
    return table["value"] >= ASKED_VALUE - 1e-6


def _covers(table: pd.DataFrame, interval: str) -> bool:
    asked = table[(table["interval"] == interval) & (table["n_trials"] >= ASKED_TRIALS)]
    asked = asked[_has_value(asked) & (asked["minority"] >= ASKED_CLASS)]
    error = 2 * asked["coverage_se"]
    return bool(asked["coverage"].between(SOUND[0] - error, SOUND[1] + error).all())


def _pooled(rows: pd.DataFrame, column: str) -> tuple[float, float]:
    """A share over all simulations, and its Monte-Carlo error where it is :data:`LEVEL`."""
    used = rows["n_used"]
    return float((rows[column] * used).sum() / used.sum()), float(np.sqrt(LEVEL * (1 - LEVEL) / used.sum()))


def levels_of(table: pd.DataFrame) -> pd.DataFrame:
    """How often the permutation test rejects where ratings know nothing, of trials and of repeated questions."""
    nothing = table[(table["interval"] == "meta_i2r") & (table["value"] < 1e-6)]
    rows = [
        ("questions" if clustered else "trials", *_pooled(part, "rejected"))
        for clustered, part in nothing.groupby("clustered", sort=True)
    ]
    return pd.DataFrame(rows, columns=["unit", "pooled", "error"])


# What the estimator makes of simulated deciders whose values are known, and what its intervals cover.

#: The simulations that the page reads.
FILE = "data/simulations/recovery.csv"
#: Targets of the core designs.
MAX_BIAS = 0.02
COVERAGE = (0.93, 0.97)
#: What readers call the quantities.
ESTIMATES = {"meta_d": "meta-d'", "m_ratio": "M-ratio"}
#: What readers call the factors that are varied one at a time.
FACTORS = {
    "n_trials": "trials",
    "n_ratings": "ratings per side",
    "d_prime": "d'",
    "base_rate": "share of one stimulus",
}
#: Widths of the M-ratio's interval that the page asks for.
WIDTHS = (0.6, 0.4, 0.25)
CORE = ("d_prime", "m_ratio", "n_trials", "bias_meta_d", "coverage_meta_d", "coverage_m_ratio")

_SIZE = f"from {ASKED_TRIALS} trials, {ASKED_CLASS} right and {ASKED_CLASS} wrong ones"
_BETWEEN = f"coverage between {SOUND[0]} and {SOUND[1]}, give or take two Monte-Carlo errors, {_SIZE}"
RULES = {
    "bias": Rule(f"bias of meta-d' under {MAX_BIAS} in every core design", "recovery", Kind.FINDING, "core"),
    "coverage": Rule(
        f"coverage of every core design between {COVERAGE[0]} and {COVERAGE[1]}",
        "recovery",
        Kind.FINDING,
        "core",
    ),
    "covers_auroc2": Rule(_BETWEEN, "coverage", Kind.FINDING, "intervals"),
    "covers_meta_i2r": Rule(
        f"{_BETWEEN} and a true {NAMES['meta_i2r']} of {ASKED_VALUE}", "coverage", Kind.FINDING, "intervals"
    ),
    "level": Rule(
        f"the pooled level lies within two Monte-Carlo errors of {LEVEL}",
        "coverage",
        Kind.FINDING,
        "intervals",
    ),
    "as_test": Rule(
        "the permutation test detects a small meta-I2r at least as often as the interval",
        "coverage",
        Kind.FINDING,
        "intervals",
    ),
    "chance": Rule(
        f"the pooled level is at most two Monte-Carlo errors above {LEVEL}",
        "coverage",
        Kind.FINDING,
        "intervals",
    ),
}


@analysis(files=(FILE, TABLE))
def recovery(inputs: Inputs) -> dict[str, Any]:
    """Does the estimator find what was put in?"""
    results, covered = committed_table(FILE), simulations()
    if covered.empty:
        raise MetacogError(f"{TABLE} is missing: make it with `python benchmarks/interval_coverage.py`")
    tests = levels_of(covered)
    return {
        "core": core(results),
        "intervals": summary(covered),
        "tests": tests,
        "outcomes": pd.concat(
            [judge_core(core(results)), judge_intervals(covered, tests)], ignore_index=True
        ),
        "simulations": int(results["n_simulations"].max()),
        "fewest_simulations": int(results["n_simulations"].min()),
        "resamples": int(results["n_resamples"].max()),
        "floor": MIN_FOR_INTERVALS,
        "sweeps": sweeps_table(results),
        "widths": widths_table(results),
    }


def core(table: pd.DataFrame) -> pd.DataFrame:
    """The designs with a target, with what is shown of them."""
    return table.loc[table["sweep"] == "core", list(CORE)].reset_index(drop=True)


def sweeps_table(table: pd.DataFrame) -> pd.DataFrame:
    """One row a design and quantity, with the ``factor`` that is varied (empty in core designs).

    Bias and coverage have two Monte-Carlo errors to either side.
    """
    parts = []
    for sweep in ("core", *FACTORS):
        rows = sweep_of(table, sweep)
        for quantity, name in ESTIMATES.items():
            bias, share, sd = (rows[f"{what}_{quantity}"] for what in ("bias", "coverage", "sd"))
            bias_error = 2 * sd / np.sqrt(rows["n_used"])
            share_error = 2 * np.sqrt(share * (1 - share) / rows["n_simulations"])
            parts.append(
                pd.DataFrame(
                    {
                        "factor": FACTORS.get(sweep, ""),
                        "design": [_design(sweep, row) for row in rows.to_dict("records")],
                        "quantity": name,
                        "bias": bias,
                        "bias_lower": bias - bias_error,
                        "bias_upper": bias + bias_error,
                        "coverage": share,
                        "coverage_lower": share - share_error,
                        "coverage_upper": share + share_error,
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def _design(sweep: str, row: Mapping[Any, Any]) -> str:
    if sweep in FACTORS:
        return (
            f"{row[sweep]:,g} {FACTORS[sweep]}"
            if sweep.startswith("n_")
            else f"{FACTORS[sweep]} {row[sweep]:g}"
        )
    return f"d' {row['d_prime']:g}, M-ratio {row['m_ratio']:g}"


def sweep_of(table: pd.DataFrame, factor: str) -> pd.DataFrame:
    """The designs that vary one factor, in its order; an error if there are none."""
    rows = table[table["sweep"] == factor]
    if rows.empty:
        raise MetacogError(f"recovery.csv has no rows that vary {factor}: make it again")
    order = factor if factor in FACTORS else ["d_prime", "m_ratio"]
    return rows.sort_values(order, kind="stable", ignore_index=True)


def widths_table(table: pd.DataFrame) -> pd.DataFrame:
    """Fewest simulated trials at which the M-ratio's interval is at most so wide on average."""
    rows = sweep_of(table, "n_trials")
    fewest = [rows.loc[rows["width_m_ratio"] <= width, "n_trials"].min() for width in WIDTHS]
    return pd.DataFrame({"width": WIDTHS, "n_trials": np.array(fewest, dtype=float)})


def judge_core(rows: pd.DataFrame) -> pd.DataFrame:
    """Bias and coverage of the core designs compared with their targets."""
    covered = [
        Unit(name, bool(rows[f"coverage_{quantity}"].between(*COVERAGE).all()))
        for quantity, name in ESTIMATES.items()
    ]
    unbiased = Unit(ESTIMATES["meta_d"], bool((rows["bias_meta_d"].abs() < MAX_BIAS).all()))
    return pd.concat([outcomes("bias", [unbiased]), outcomes("coverage", covered)], ignore_index=True)


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the page's sentences: targets met, coverage of meta-d' and levels, in per cent."""
    core, targets = result.core, result.outcomes[result.outcomes["unit"] != ALL]
    return {
        "n_met": int(targets["holds"].eq(True).sum()),
        "n_targets": len(targets),
        "covered_least": 100 * core["coverage_meta_d"].min(),
        "covered_most": 100 * core["coverage_meta_d"].max(),
        "false_least": 100 * result.tests["pooled"].min(),
        "false_most": 100 * result.tests["pooled"].max(),
        "level": 100 * LEVEL,
    }


VIEWS = Views("recovery", numbers=figures)
