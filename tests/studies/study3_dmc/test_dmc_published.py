"""What the print of study 3 allows. Oracles: arithmetic by hand, figures rounded in a simulation."""

import numpy as np
import pytest
from heads_checked import numbers_of

from metacog.core.errors import MetacogError
from metacog.ledger.tolerances import rounding
from metacog.sdt.over_groups import coefficient_of_variation
from metacog.studies.study3_dmc import paper
from metacog.studies.study3_dmc.asking.ways import NAMES
from metacog.studies.study3_dmc.ledger import printed_twice
from metacog.studies.study3_dmc.published import largest_cv
from metacog.studies.study3_dmc.published import published as analysis


def test_tables_hold_what_was_printed():
    assert paper.cells("table2").shape == (6, 8) and paper.cells("table3").shape == (9, 8)
    assert paper.precision("table3") == 0.00005
    with pytest.raises(MetacogError, match="dmc_table4"):
        paper.as_text("table4")


@pytest.mark.parametrize("statistic", [np.mean, coefficient_of_variation])
def test_the_error_of_rounding_is_that_of_rounded_figures(statistic):
    rng = np.random.default_rng(0)
    exact = 0.5 + 0.01 * rng.random((4000, 8))
    rounded = np.round(exact, 4)
    off = np.array([statistic(a) - statistic(b) for a, b in zip(exact, rounded, strict=True)])
    errors, limits = np.transpose([rounding(statistic, r, 0.00005) for r in rounded[:200]])
    assert off.std() == pytest.approx(errors.mean(), rel=0.06)
    assert np.abs(off).max() < 1.05 * max(limits.min(), limits[0])
    assert rounding(np.mean, rounded[0], 0.00005)[1] == pytest.approx(0.00005)


def test_one_cell_is_printed_in_two_ways():
    ((method, (dataset, told)),) = printed_twice().items()
    numbers = [float(n) for n in numbers_of(told)]
    assert (method, dataset) == ("self_random", "Date") and {0.5944, 0.5994} <= set(numbers)
    averages = [n for n in numbers if 0.597 < n < 0.599]
    assert averages[1] - averages[0] == pytest.approx(0.005 / 8, abs=1e-5)
    assert told.endswith("follow from table 3's value")


def test_figures_off_by_a_unit_agree_at_worst():
    result = analysis(None)
    off = result.figures[~result.figures["agrees"]]
    assert (len(result.figures), len(off)) == (24, 7)
    # the average of eight cells is off by just a unit: half by its own rounding, half by that of every cell
    averages = off[off["quantity"] == "average"]
    apart = (averages["value"] - averages["published"]).abs()
    assert averages["item"].str.split(", ").str[-1][apart < 0.0001 + 1e-9].tolist() == ["vanilla"]


def test_what_is_printed_by_way_and_model_is_what_the_tables_print():
    """Oracle: the averages and coefficients as read off the paper."""
    result = analysis(None)
    ways = result.ways.set_index(["model", "name"])
    assert len(ways) == 12 and (ways["mc_lower"] < ways["mc"]).all() and (ways["mc"] < ways["mc_upper"]).all()
    assert ways.loc[("GPT-4", "Consistency, self-random"), "mc"] == 0.7226
    assert ways.loc[("GPT-3.5", "Verbalised, CoT"), "mc_upper"] == 0.3820
    cv = result.variations.set_index(["name", "measure_name"])["cv"]
    assert len(cv) == 24 and cv["Verbalised, top-k", "ECE"] == 0.6999
    assert set(result.ways["name"]) <= set(NAMES.values())  # as the run's own ways are called


def test_the_largest_cv_is_found_at_a_corner():
    rng = np.random.default_rng(1)
    most = largest_cv(8, 0.5, 1.0)
    assert most == pytest.approx(0.5 * np.sqrt(15 / 64) / 0.6875, abs=1e-9)  # 3 of 8 at 1
    tried = [coefficient_of_variation(x) for x in 0.5 + 0.5 * rng.beta(0.2, 0.3, (3000, 8))]
    assert max(tried) <= most
    assert len(analysis(None).above) == 4
