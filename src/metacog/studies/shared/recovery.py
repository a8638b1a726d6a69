"""Does the estimator find what was put in? Simulated deciders whose values are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.measures.table import NAMES, SOUND, TABLE, simulations
from metacog.studies.study import analysis
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# How intervals of meta-I2r and AUROC2, and the permutation test, did in simulations.

#: Fewest trials, fewest right and wrong ones, and smallest true meta-I2r, from which coverage is required to be sound.
ASKED_TRIALS, ASKED_CLASS, ASKED_VALUE = 300, 30, 0.05
#: Nominal level of the permutation test.
LEVEL = 0.05


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Lowest and highest coverage over designs, now and before, by measure, trials and whether clustered."""
    rows = []
    some = table[(table["interval"] == "auroc2") | _has_value(table)]
    for (interval, clustered, n), part in some.groupby(["interval", "clustered", "n_trials"], sort=False):
        rows.append(
            {
                "measure": NAMES[str(interval)],
                "unit": "questions" if clustered else "trials",
                "n_trials": int(n),  # type: ignore[call-overload]
                "lowest": part["coverage"].min(),
                "highest": part["coverage"].max(),
                "lowest_before": part["coverage_before"].min(),
                "highest_before": part["coverage_before"].max(),
                "designs": len(part),
            }
        )
    return pd.DataFrame(rows)


def verdicts(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """Coverage of both intervals, level of the tests, and what an interval of meta-I2r would do as one."""
    nothing = table[(table["interval"] == "meta_i2r") & (table["value"] < 1e-6)]
    levels = [
        _level(nothing[nothing["clustered"] == c], c) for c in (False, True) if c in set(nothing["clustered"])
    ]
    return (*(_coverage(table, name) for name in NAMES), *levels, _as_test(table, nothing), _chance(table))


def _has_value(table: pd.DataFrame) -> pd.Series:
    return table["value"] >= ASKED_VALUE - 1e-6


def _coverage(table: pd.DataFrame, interval: str) -> Verdict:
    asked = table[(table["interval"] == interval) & (table["n_trials"] >= ASKED_TRIALS)]
    asked = asked[_has_value(asked) & (asked["minority"] >= ASKED_CLASS)]
    outside = asked[~asked["coverage"].between(*SOUND)]
    error = 2 * outside["coverage_se"]
    beyond = outside[~outside["coverage"].between(SOUND[0] - error, SOUND[1] + error)]
    rule = (
        f"coverage between {SOUND[0]} and {SOUND[1]}, give or take two Monte-Carlo errors, from "
        f"{ASKED_TRIALS} trials, {ASKED_CLASS} right and {ASKED_CLASS} wrong ones"
        + (f" and a true {NAMES[interval]} of {ASKED_VALUE}" if interval == "meta_i2r" else "")
    )
    return _verdict(
        rule,
        beyond.empty,
        "coverage_of_intervals",
        measure=NAMES[interval],
        now=span(asked["coverage"]),
        before=span(asked["coverage_before"]),
        designs=len(asked),
        outside=outside.to_dict("records"),
    )


def span(values: pd.Series) -> tuple[float, float]:
    """Lowest and highest value."""
    return float(values.min()), float(values.max())


def _verdict(rule: str, passed: bool | None, name: str, **values: object) -> Verdict:
    return Verdict("coverage", Kind.FINDING, rule, passed, name=name, values=values)


def _pooled(rows: pd.DataFrame, column: str) -> tuple[float, float]:
    """A share over all simulations, and its Monte-Carlo error where it is :data:`LEVEL`."""
    used = rows["n_used"]
    return float((rows[column] * used).sum() / used.sum()), float(np.sqrt(LEVEL * (1 - LEVEL) / used.sum()))


def _level(rows: pd.DataFrame, clustered: bool) -> Verdict:
    """The permutation test where ratings know nothing: of trials, or of questions where they repeat."""
    pooled, error = _pooled(rows, "rejected")
    return _verdict(
        f"the pooled level lies within two Monte-Carlo errors of {LEVEL}",
        bool(abs(pooled - LEVEL) <= 2 * error),
        "level",
        unit="questions" if clustered else "trials",
        pooled=pooled,
        error=error,
        rejected=span(rows["rejected"]),
        designs=len(rows),
        by_trials=span(rows["rejected_by_trials"]) if clustered else None,
    )


def _as_test(table: pd.DataFrame, nothing: pd.DataFrame) -> Verdict:
    """Why "more than nothing" is not asked of an interval."""
    small = table[(table["interval"] == "meta_i2r") & np.isclose(table["value"], ASKED_VALUE)]
    small = small[small["rejected"] < 0.99]
    better = bool((small["rejected"] >= small["interval_off_null"]).all()) if len(small) else None
    return _verdict(
        "the permutation test detects a small meta-I2r at least as often as the interval",
        better,
        "interval_as_test",
        nothing=span(nothing["interval_off_null"]),
        nothing_before=span(nothing["interval_off_null_before"]),
        small_interval=span(small["interval_off_null"]) if len(small) else None,
        small_test=span(small["rejected"]) if len(small) else None,
    )


def _chance(table: pd.DataFrame) -> Verdict:
    """AUROC2's interval as the test of chance that sentences make of it."""
    rows = table[(table["interval"] == "auroc2") & np.isclose(table["value"], 0.5)]
    pooled, error = _pooled(rows, "interval_off_null")
    return _verdict(
        f"the pooled level is at most two Monte-Carlo errors above {LEVEL}",
        pooled <= LEVEL + 2 * error,
        "chance",
        pooled=pooled,
        error=error,
        off=span(rows["interval_off_null"]),
        designs=len(rows),
    )


# What the estimator makes of simulated deciders whose values are known, and what its intervals cover.

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
CORE = (
    "d_prime",
    "m_ratio",
    "n_trials",
    "n_simulations",
    *(f"{figure}_{quantity}" for quantity in ESTIMATES for figure in ("bias", "sd")),
    *(f"coverage_{quantity}" for quantity in ESTIMATES),
    "coverage_se",
)


@dataclass(frozen=True)
class Recovered:
    """What the estimator makes of simulated deciders whose values are known.

    ``core`` holds the designs with a target, ``intervals`` the coverage of the intervals
    of meta-I2r and AUROC2 (verdicts under ``intervals``), ``floor`` the fewest trials of a class from which
    they are made. ``sweeps`` has one row a design and quantity, as pages show them: ``factor`` that is varied (empty in
    core designs), the value it is ``at``, ``design``, ``quantity``, ``bias`` and ``coverage`` with two Monte-Carlo
    errors to either side, ``sd``. ``widths`` has the fewest simulated trials that bring the interval of the M-ratio
    to a ``width`` (NaN if none does).
    """

    core: pd.DataFrame
    intervals: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    simulations: int
    fewest_simulations: int
    resamples: int
    floor: int
    sweeps: pd.DataFrame
    widths: pd.DataFrame


@analysis(returns=Recovered, files=("data/simulations/recovery.csv", TABLE))
def recovery(inputs: Inputs) -> Recovered:
    """Does the estimator find what was put in?"""
    results = load_recovery()
    covered = simulations()
    if covered.empty:
        raise MetacogError(f"{TABLE} is missing: make it with `python benchmarks/interval_coverage.py`")
    return Recovered(
        core(results),
        summary(covered),
        (
            *(v.under("core") for v in core_verdicts(results)),
            *(v.under("intervals") for v in verdicts(covered)),
        ),
        int(results["n_simulations"].max()),
        int(results["n_simulations"].min()),
        int(results["n_resamples"].max()),
        MIN_FOR_INTERVALS,
        sweeps_table(results),
        widths_table(results),
    )


def load_recovery() -> pd.DataFrame:
    """The simulations of ``data/simulations/recovery.csv``.

    Raises
    ------
    MetacogError
        If the table is not there; says how it is made.
    """
    return committed_table("data/simulations/recovery.csv")


def core(table: pd.DataFrame) -> pd.DataFrame:
    """The designs with a target, with what is shown of them."""
    return table.loc[table["sweep"] == "core", list(CORE)].reset_index(drop=True)


def sweeps_table(table: pd.DataFrame) -> pd.DataFrame:
    """One row a design and quantity; see :class:`Recovered`."""
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
                        "at": rows[sweep].astype(float) if sweep in FACTORS else np.nan,
                        "design": [_design(sweep, row) for row in rows.to_dict("records")],
                        "quantity": name,
                        "bias": bias,
                        "bias_lower": bias - bias_error,
                        "bias_upper": bias + bias_error,
                        "coverage": share,
                        "coverage_lower": share - share_error,
                        "coverage_upper": share + share_error,
                        "sd": sd,
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
    """The designs that vary one factor, in its order.

    Raises
    ------
    MetacogError
        If there are none.
    """
    rows = table[table["sweep"] == factor]
    if rows.empty:
        raise MetacogError(f"recovery.csv has no rows that vary {factor}: make it again")
    return rows.sort_values(
        factor if factor in FACTORS else ["d_prime", "m_ratio"], kind="stable"
    ).reset_index(drop=True)


def widths_table(table: pd.DataFrame) -> pd.DataFrame:
    """Fewest simulated trials at which the M-ratio's interval is at most so wide on average."""
    rows = sweep_of(table, "n_trials")
    fewest = [rows.loc[rows["width_m_ratio"] <= width, "n_trials"].min() for width in WIDTHS]
    return pd.DataFrame({"width": WIDTHS, "n_trials": np.array(fewest, dtype=float)})


def core_verdicts(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """Bias and coverage of the core designs compared with their targets."""
    rows = core(table)
    bias = rows["bias_meta_d"].abs()
    biased = Verdict(
        "recovery",
        Kind.FINDING,
        f"bias of meta-d' under {MAX_BIAS} at {int(rows['n_trials'].max()):,} trials",
        bool((bias < MAX_BIAS).all()),
        name="bias",
        values={"worst": bias.max(), "designs": len(rows), "above": _designs(rows[bias >= MAX_BIAS])},
    )
    return biased, *(_coverage_verdict(rows, quantity) for quantity in ESTIMATES)


def _coverage_verdict(rows: pd.DataFrame, quantity: str) -> Verdict:
    share = rows[f"coverage_{quantity}"]
    errors = np.sqrt(share * (1 - share) / rows["n_simulations"])
    off = ~share.between(*COVERAGE)
    distance = np.minimum(abs(share - COVERAGE[0]), abs(share - COVERAGE[1]))
    outside = [
        {**design, "coverage": value, "error": error}
        for design, value, error in zip(_designs(rows[off]), share[off], errors[off], strict=True)
    ]
    return Verdict(
        "recovery",
        Kind.FINDING,
        f"coverage of every core design between {COVERAGE[0]} and {COVERAGE[1]}",
        not outside,
        name="coverage",
        values={
            "quantity": quantity,
            "lowest": share.min(),
            "highest": share.max(),
            "outside": outside,
            "within_two_errors": bool((distance[off] <= 2 * errors[off]).all()),
        },
    )


def _designs(rows: pd.DataFrame) -> Sequence[Mapping[Any, Any]]:
    return rows[["d_prime", "m_ratio"]].to_dict("records")
