"""How intervals of meta-I2r and AUROC2, and the permutation test, did in simulations: table and sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.words import listed, plural
from metacog.measures.coverage import NAMES, SOUND
from metacog.report.verdicts import Kind, Verdict

#: Fewest trials, and smallest true meta-I2r, from which coverage is asked to be sound.
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
                "low": part["coverage"].min(),
                "high": part["coverage"].max(),
                "low_before": part["coverage_before"].min(),
                "high_before": part["coverage_before"].max(),
                "designs": len(part),
            }
        )
    return pd.DataFrame(rows)


def verdicts(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """Coverage of both intervals, level of the tests, and what an interval of meta-I2r would do as one."""
    return (*(_coverage(table, name) for name in NAMES), *_level(table), _as_test(table), _chance(table))


def _has_value(table: pd.DataFrame) -> pd.Series:
    return table["value"] >= ASKED_VALUE - 1e-6


def _coverage(table: pd.DataFrame, interval: str) -> Verdict:
    asked = table[(table["interval"] == interval) & (table["n_trials"] >= ASKED_TRIALS)]
    asked = asked[_has_value(asked)]
    outside = asked[~asked["coverage"].between(*SOUND)]
    beyond = outside[
        ~outside["coverage"].between(
            SOUND[0] - 2 * outside["coverage_se"], SOUND[1] + 2 * outside["coverage_se"]
        )
    ]
    name = NAMES[interval]
    text = (
        f"95 % intervals of {name} contain the truth in {asked['coverage'].min():.1%} to "
        f"{asked['coverage'].max():.1%} of simulations ({plural(len(asked), 'design')} with {ASKED_TRIALS} "
        f"or more trials); those used earlier, in {asked['coverage_before'].min():.1%} to "
        f"{asked['coverage_before'].max():.1%}."
    )
    if len(outside):
        shown = [f"{_design(r)} ({r['coverage']:.1%})" for r in outside.to_dict("records")]
        text += f" Outside {SOUND[0]:.0%} to {SOUND[1]:.0%}: {listed(shown)}" + (
            ", all within two Monte-Carlo errors." if beyond.empty else "."
        )
    rule = (
        f"coverage between {SOUND[0]} and {SOUND[1]}, give or take two Monte-Carlo errors, from "
        f"{ASKED_TRIALS} trials" + (f" and a true {name} of {ASKED_VALUE}" if interval == "meta_i2r" else "")
    )
    return Verdict("coverage", Kind.EXPLORATORY, rule, beyond.empty, text)


def _design(row: dict) -> str:
    asked = f"{row['n_questions']:,} questions, " if row["clustered"] else ""
    return f"{asked}{row['n_trials']:,} trials, accuracy {row['accuracy']:g}, true value {row['value']:.2f}"


def _nothing(table: pd.DataFrame) -> pd.DataFrame:
    return table[(table["interval"] == "meta_i2r") & (table["value"] < 1e-6)]


def _level(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """The permutation test where ratings know nothing: of trials, and of questions where they repeat."""
    found = []
    for clustered in (False, True):
        rows = _nothing(table)
        rows = rows[rows["clustered"] == clustered]
        if rows.empty:
            continue
        used = rows["n_used"]
        pooled = float((rows["rejected"] * used).sum() / used.sum())
        error = float(np.sqrt(LEVEL * (1 - LEVEL) / used.sum()))
        text = (
            f"Where ratings know nothing the permutation test of "
            f"{'questions' if clustered else 'trials'} rejects in {pooled:.1%} of simulations (nominal "
            f"{LEVEL:.0%}, Monte-Carlo error {error:.1%}; {rows['rejected'].min():.1%} to "
            f"{rows['rejected'].max():.1%} over {plural(len(rows), 'design')})."
        )
        if clustered:
            text += (
                " A permutation of single trials, as if questions did not repeat, would reject in "
                f"{rows['rejected_by_trials'].min():.1%} to {rows['rejected_by_trials'].max():.1%}."
            )
        rule = f"the pooled level lies within two Monte-Carlo errors of {LEVEL}"
        found.append(
            Verdict("coverage", Kind.EXPLORATORY, rule, bool(abs(pooled - LEVEL) <= 2 * error), text)
        )
    return tuple(found)


def _as_test(table: pd.DataFrame) -> Verdict:
    """Why "more than nothing" is not asked of an interval."""
    nothing = _nothing(table)
    small = table[(table["interval"] == "meta_i2r") & np.isclose(table["value"], ASKED_VALUE)]
    small = small[small["rejected"] < 0.99]
    text = (
        "Used as a test of whether 0 lies below it, an interval would find an effect where there is none in "
        f"{_span(nothing['interval_off_null'])} of simulations (the interval used earlier: "
        f"{_span(nothing['interval_off_null_before'])})."
    )
    if len(small):
        text += (
            f" Where meta-I2r is {ASKED_VALUE:g} it would detect it in {_span(small['interval_off_null'])}, "
            f"the permutation test in {_span(small['rejected'])} (designs in which the test may miss it)."
        )
    better = bool((small["rejected"] >= small["interval_off_null"]).all()) if len(small) else None
    rule = "the permutation test detects a small meta-I2r at least as often as the interval"
    return Verdict("coverage", Kind.EXPLORATORY, rule, better, text)


def _chance(table: pd.DataFrame) -> Verdict:
    """AUROC2's interval as the test of chance that sentences make of it."""
    rows = table[(table["interval"] == "auroc2") & np.isclose(table["value"], 0.5)]
    used = rows["n_used"]
    pooled = float((rows["interval_off_null"] * used).sum() / used.sum())
    error = float(np.sqrt(LEVEL * (1 - LEVEL) / used.sum()))
    text = (
        f"Where confidence is at chance the interval of AUROC2 excludes 0.5 in {pooled:.1%} of simulations "
        f"(nominal {LEVEL:.0%}, Monte-Carlo error {error:.1%}; {_span(rows['interval_off_null'])} over "
        f"{plural(len(rows), 'design')})."
    )
    rule = f"the pooled level is at most two Monte-Carlo errors above {LEVEL}"
    return Verdict("coverage", Kind.EXPLORATORY, rule, pooled <= LEVEL + 2 * error, text)


def _span(shares: pd.Series) -> str:
    return f"{shares.min():.1%} to {shares.max():.1%}"
