"""What to report. Oracles: powers of a known law, and advice that turns where the numbers do."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, ttest_ind

from metacog.core.frames import committed_table
from metacog.measures.measure_properties import COMPARED
from metacog.studies.study8_people import what_to_report as report
from metacog.studies.study8_people.which_measure import SIMULATED

#: Standard errors of AUROC2 at a thousand open answers.
OPEN = pd.Series([0.01, 0.02, 0.03])


def test_trials_are_those_of_a_power_that_grows_with_their_root():
    sizes = np.array([200, 1_000, 3_000, 6_000])
    power = pd.Series(norm.cdf(np.sqrt(sizes / 500) - 1.96), index=sizes)
    assert report.trials_for(power) == pytest.approx(500 * (1.96 + norm.ppf(0.8)) ** 2)
    assert np.isnan(report.trials_for(power[power < 0.8]))


def test_so_many_people_tell_two_groups_apart():
    rng, sd = np.random.default_rng(1), 0.6
    n = int(np.ceil(report.PEOPLE * sd**2 / report.STEP**2))
    groups = (rng.normal(m, sd, (2_000, n)) for m in (0.6, 0.6 + report.STEP))
    assert (ttest_ind(*groups, axis=1).pvalue < 0.05).mean() == pytest.approx(0.8, abs=0.03)


def test_a_measure_that_ease_misleads_is_not_the_advice():
    power = report.power_of(committed_table(SIMULATED)).set_index("measure")
    assert power.loc["auroc2", "misled_same"] > 0.4 > 0.05 > power.loc["m_ratio", "misled_same"]
    assert set(power.index) == set(COMPARED) and power["same"].between(2_000, 6_000).all()
    advice = report._two(power.reset_index(), OPEN)[0]
    assert not advice[1].startswith("AUROC2,")
    power["misled_same"] = 0.02
    power.loc["auroc2", "same"] = 900.0
    assert report._two(power.reset_index(), OPEN)[0][1].startswith("AUROC2,")
    power["misled_same"] = 0.5
    assert report._two(power.reset_index(), OPEN)[0][1] == "None is exact enough"


def test_the_logarithm_gains_only_where_those_alike_lie_high():
    power = report.power_of(committed_table(SIMULATED)).set_index("measure")
    ratio, logarithm = power.loc["m_ratio"], power.loc["log_m_ratio"]
    assert logarithm["same_high"] < ratio["same_high"] and logarithm["same_low"] > ratio["same_low"]


def test_advice_on_groups_turns_where_m_ratio_moves():
    wide = pd.DataFrame({"measure": ["auroc2", "m_ratio"]}).assign(
        easier_true=[0.5, 0.1],
        easier_true_lower=[0.3, -0.2],
        easier_true_upper=[0.7, 0.4],
        held_400=[0.8, 0.6],
        variance_100=0.25,
        variance_400=0.09,
    )
    other, same = report._groups(wide)
    assert other[1:4] == (
        "M-ratio, the mean over people with equally many trials",
        "100",
        "99 people a group see 0.2 between their means",
    )
    assert "36 people" in other[4] and same[1].startswith("AUROC2.")
    wide.loc[1, ["easier_true_lower", "held_400"]] = 0.05, 0.9
    other, same = report._groups(wide)
    assert other[1] == "AUROC2 and M-ratio, both" and same[1].startswith("M-ratio.")


def test_open_answers_take_the_trials_of_their_middle_table():
    models = pd.DataFrame(
        {"measure": "m_ratio", "trials": [1_000], "spread": 0.1, "spread_least": 0.1, "spread_most": 0.2}
    )
    _, one = report._model(models, OPEN)
    assert (
        one[2] == report.hundreds(1_000 * (1.96 * 0.02 / report.CLOSE) ** 2)
        and "the others take 500 to 3,900" in one[4]
    )
    power = report.power_of(committed_table(SIMULATED))
    two = report._two(power, OPEN)[1]
    assert two[2] == report.hundreds(1_000 * 2 * (1.96 + norm.ppf(0.8)) ** 2 * (0.02 / report.SEEN) ** 2)


def test_what_is_changed_alone_fools_a_score_where_it_moves_it_much():
    found = report.fooled_by(committed_table(SIMULATED)).set_index(["measure", "what"])
    assert (
        not found.loc[("auroc2", "An abler observer"), "good"]
        and found.loc[("m_ratio", "An abler observer"), "good"]
    )
    assert len(found) == 3 * len(report.THREATS)
