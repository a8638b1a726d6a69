"""How intervals of meta-I2r and AUROC2, and the permutation test, did in simulations."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.measures.coverage import NAMES, SOUND
from metacog.report.verdicts import Kind, Verdict

#: Fewest trials, and smallest true meta-I2r, from which coverage is required to be sound.
ASKED_TRIALS, ASKED_VALUE = 300, 0.05
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
    asked = asked[_has_value(asked)]
    outside = asked[~asked["coverage"].between(*SOUND)]
    error = 2 * outside["coverage_se"]
    beyond = outside[~outside["coverage"].between(SOUND[0] - error, SOUND[1] + error)]
    rule = (
        f"coverage between {SOUND[0]} and {SOUND[1]}, give or take two Monte-Carlo errors, from "
        f"{ASKED_TRIALS} trials"
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
