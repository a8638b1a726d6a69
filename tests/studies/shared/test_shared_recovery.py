"""Recovery of known values. Oracle: tables with known properties."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.studies.shared import recovery
from metacog.studies.study import Result
from metacog.verdicts.outcomes import those, together


def rows(**changes) -> pd.DataFrame:
    base = {
        **{
            "d_prime": 1.0,
            "m_ratio": 0.8,
            "n_ratings": 4,
            "base_rate": 0.5,
            "n_trials": 5000,
            "sweep": "core",
        },
        **{"n_simulations": 1000, "n_used": 1000, "n_resamples": 1000, "width_m_ratio": 0.24},
        **{"bias_meta_d": 0.001, "bias_m_ratio": 0.001, "sd_meta_d": 0.05, "sd_m_ratio": 0.06},
        **{"coverage_meta_d": 0.95, "coverage_m_ratio": 0.95, "coverage_se": 0.007},
    }
    return pd.DataFrame([base | changes])


def test_targets_are_met_on_target_and_each_that_is_missed_is_named():
    """Oracle: tables on either side of the limits."""
    met = recovery.judge_core(rows())
    assert together(met, "bias") is True and together(met, "coverage") is True
    assert together(recovery.judge_core(rows(bias_meta_d=-0.03)), "bias") is False
    missed = recovery.judge_core(rows(coverage_m_ratio=0.85))
    assert those(missed, "coverage", False) == ["M-ratio"] and those(missed, "coverage", True) == ["meta-d'"]
    assert those(recovery.judge_core(rows(coverage_meta_d=0.928)), "coverage", False) == ["meta-d'"]


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
    table = committed_table(recovery.FILE)
    sweeps = recovery.sweeps_table(table)
    assert len(sweeps) == 2 * len(table) and set(sweeps["factor"]) == {"", *recovery.FACTORS.values()}
    own = sweeps[(sweeps["factor"] == "trials") & (sweeps["quantity"] == "M-ratio")]
    theirs = table[table["sweep"] == "n_trials"].sort_values("n_trials")
    assert own["coverage"].tolist() == theirs["coverage_m_ratio"].tolist()
    assert (own["bias_lower"] < own["bias_upper"]).all()


def test_the_head_follows_the_targets():
    met, missed = recovery.judge_core(rows()), recovery.judge_core(rows(coverage_meta_d=0.85))
    yes, no = (
        recovery.figures(
            Result(
                core=recovery.core(rows()), outcomes=outcomes, tests=pd.DataFrame({"pooled": [0.04, 0.06]})
            )
        )
        for outcomes in (met, missed)
    )
    assert yes["n_met"] == yes["n_targets"] == 3 and no["n_met"] == 2
    assert (yes["false_least"], yes["false_most"], yes["level"]) == (4, 6, 5)
