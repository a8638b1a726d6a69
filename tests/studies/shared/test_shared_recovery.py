"""Recovery of known values. Oracle: tables with known properties."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.core.errors import MetacogError
from metacog.studies.shared import recovery, recovery_shown


def rows(**changes) -> pd.DataFrame:
    base = {
        "d_prime": 1.0,
        "m_ratio": 0.8,
        "n_ratings": 4,
        "base_rate": 0.5,
        "n_trials": 5000,
        "sweep": "core",
        "n_simulations": 1000,
        "n_used": 1000,
        "n_resamples": 1000,
        "bias_meta_d": 0.001,
        "bias_m_ratio": 0.001,
        "sd_meta_d": 0.05,
        "sd_m_ratio": 0.06,
        "coverage_meta_d": 0.95,
        "coverage_m_ratio": 0.95,
        "coverage_se": 0.007,
        "width_m_ratio": 0.24,
    }
    return pd.DataFrame([base | changes])


def result_of(table: pd.DataFrame) -> recovery.Recovered:
    widths = pd.DataFrame({"width": [0.6, 0.25], "n_trials": [500.0, np.nan]})
    return recovery.Recovered(recovery.core(table), table, (), 1000, 1000, 1000, 10, table, widths)


def test_core_verdicts_pass_on_target_and_name_what_misses():
    assert [v.passed for v in recovery.core_verdicts(rows())] == [True, True, True]
    biased = recovery.core_verdicts(rows(bias_meta_d=-0.03))
    assert biased[0].passed is False and biased[0].values["above"] == [{"d_prime": 1.0, "m_ratio": 0.8}]
    near = recovery.core_verdicts(rows(coverage_meta_d=0.928))[1]
    assert near.passed is False and near.values["within_two_errors"]
    far = recovery.core_verdicts(rows(coverage_m_ratio=0.85))[2]
    assert far.passed is False and not far.values["within_two_errors"]


def test_monte_carlo_errors_are_those_of_the_designs_own_simulations():
    """Oracle: sqrt(p(1 - p)/n) by hand: .92 of 1,000 lies within two errors of .93, of 5,000 it does not."""
    few, many = (
        recovery.core_verdicts(rows(coverage_meta_d=0.92, n_simulations=n))[1].values for n in (1_000, 5_000)
    )
    assert few["outside"][0]["error"] == pytest.approx(0.00858, abs=1e-5) and few["within_two_errors"]
    assert many["outside"][0]["error"] == pytest.approx(0.00384, abs=1e-5) and not many["within_two_errors"]


def test_trials_for_a_width():
    table = pd.concat(
        [
            rows(sweep="n_trials", n_trials=n, width_m_ratio=w)
            for n, w in ((500, 0.5), (2000, 0.4), (8000, 0.3))
        ]
    )
    found = recovery.widths_table(table)["n_trials"]
    assert found.tolist()[:2] == [500, 2000] and np.isnan(found[2])
    with pytest.raises(MetacogError, match="n_ratings"):
        recovery.sweep_of(table, "n_ratings")


def test_sweeps_hold_the_numbers_of_the_committed_table():
    table = recovery.load_recovery()
    sweeps = recovery.sweeps_table(table)
    assert len(sweeps) == 2 * len(table) and set(sweeps["factor"]) == {"", *recovery.FACTORS.values()}
    own = sweeps[(sweeps["factor"] == "trials") & (sweeps["quantity"] == "M-ratio")]
    theirs = table[table["sweep"] == "n_trials"].sort_values("n_trials")
    assert own["coverage"].tolist() == theirs["coverage_m_ratio"].tolist()
    assert own["at"].tolist() == theirs["n_trials"].tolist() and (own["bias_lower"] < own["bias_upper"]).all()


def test_the_head_follows_the_targets():
    met, missed = recovery.core_verdicts(rows()), recovery.core_verdicts(rows(coverage_meta_d=0.85))
    yes, no = (
        recovery_shown.answer(dataclasses.replace(result_of(rows()), verdicts=verdicts))
        for verdicts in (met, missed)
    )
    assert yes.startswith("Yes") and no.startswith("Not throughout") and faults(yes) + faults(no) == []
