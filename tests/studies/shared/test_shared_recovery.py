"""Recovery of known values. Oracle: tables with known properties."""

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.report.figure_data import figure_data
from metacog.studies.shared.recovery import analysis, shown


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


def result_of(table: pd.DataFrame) -> analysis.Recovered:
    return analysis.Recovered(table, analysis.core(table), table, (), 1000, 1000, 1000, 10)


def test_core_verdicts_pass_on_target_and_name_what_misses():
    assert [v.passed for v in analysis.core_verdicts(rows())] == [True, True, True]
    biased = analysis.core_verdicts(rows(bias_meta_d=-0.03))
    assert biased[0].passed is False and biased[0].values["above"] == [{"d_prime": 1.0, "m_ratio": 0.8}]
    assert "d' 1 with M-ratio 0.8" in shown.bias_sentence(biased[0])
    near = analysis.core_verdicts(rows(coverage_meta_d=0.928))[1]
    assert near.passed is False and near.values["within_two_errors"]
    far = analysis.core_verdicts(rows(coverage_m_ratio=0.85))[2]
    assert far.passed is False and not far.values["within_two_errors"]


def test_monte_carlo_errors_are_those_of_the_designs_own_simulations():
    """Oracle: sqrt(p(1 - p)/n) by hand: .92 of 1,000 lies within two errors of .93, of 5,000 it does not."""
    few, many = (
        analysis.core_verdicts(rows(coverage_meta_d=0.92, n_simulations=n))[1].values for n in (1_000, 5_000)
    )
    assert few["outside"][0]["error"] == pytest.approx(0.00858, abs=1e-5) and few["within_two_errors"]
    assert many["outside"][0]["error"] == pytest.approx(0.00384, abs=1e-5) and not many["within_two_errors"]


def test_trials_for_a_width():
    table = pd.concat(
        [
            rows(sweep="n_trials", n_trials=n, width_m_ratio=w)
            for n, w in ((500, 0.8), (2000, 0.4), (8000, 0.2))
        ]
    )
    assert shown.trials_for_width(table, 0.4) == 2000
    assert shown.trials_for_width(table, 0.1) is None
    with pytest.raises(MetacogError, match="n_ratings"):
        shown.factors(result_of(table))


def test_committed_table_fills_every_figure():
    result = result_of(analysis.load_recovery())
    assert len(shown.factors(result).splitlines()) == 4
    for make in (shown.bias_figure, shown.spread_figure, shown.coverage_figure):
        figure = make(result)
        assert len(figure.axes) == 4 and all(axis.lines for axis in figure.axes)


def test_series_that_stand_beside_each_other_keep_their_numbers():
    """Oracle: the table; the data of the figure name the trials simulated, though the marks stand aside of them."""
    result = result_of(analysis.load_recovery())
    data = figure_data(shown.coverage_figure(result))
    sweep = result.designs[result.designs["sweep"] == "n_trials"]
    for name in shown.NAMES.values():
        drawn = data[(data["panel"] == 1) & (data["series"] == name) & (data["mark"] == "point")]
        assert sorted(drawn["x"]) == sorted(sweep["n_trials"])
