"""The recovery chapter's sentences and figures. Oracle: tables with known properties."""

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.report import recovery_page


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


def test_core_verdicts_pass_on_target_and_name_what_misses():
    assert [v.passed for v in recovery_page.core_verdicts(rows())] == [True, True, True]
    biased = recovery_page.core_verdicts(rows(bias_meta_d=-0.03))
    assert biased[0].passed is False and "d' 1 with M-ratio 0.8" in biased[0].sentence
    near = recovery_page.core_verdicts(rows(coverage_meta_d=0.928))[1]
    assert near.passed is False and "within two Monte-Carlo errors" in near.sentence
    far = recovery_page.core_verdicts(rows(coverage_m_ratio=0.85))[2]
    assert far.passed is False and "within two" not in far.sentence


def test_monte_carlo_errors_are_those_of_the_designs_own_simulations():
    """Oracle: sqrt(p(1 - p)/n) by hand: .92 of 1,000 lies within two errors of .93, of 5,000 it does not."""
    few, many = (
        recovery_page.core_verdicts(rows(coverage_meta_d=0.92, n_simulations=n))[1].sentence
        for n in (1_000, 5_000)
    )
    assert "Monte-Carlo error 0.9%" in few and "within two Monte-Carlo errors" in few
    assert "Monte-Carlo error 0.4%" in many and "within two" not in many


def test_trials_for_a_width():
    table = pd.concat(
        [
            rows(sweep="n_trials", n_trials=n, width_m_ratio=w)
            for n, w in ((500, 0.8), (2000, 0.4), (8000, 0.2))
        ]
    )
    assert recovery_page.trials_for_width(table, 0.4) == 2000
    assert recovery_page.trials_for_width(table, 0.1) is None
    with pytest.raises(MetacogError, match="n_ratings"):
        recovery_page.sweep_sentences(table)


def test_committed_table_fills_every_figure():
    table, facts = recovery_page.load_recovery()
    assert facts["command"].startswith("python benchmarks/recovery.py")
    assert len(recovery_page.sweep_sentences(table)) == 4
    for make in (recovery_page.bias_figure, recovery_page.spread_figure, recovery_page.coverage_figure):
        figure = make(table)
        assert len(figure.axes) == 4 and all(axis.lines for axis in figure.axes)
