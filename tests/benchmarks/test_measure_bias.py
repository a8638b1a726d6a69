"""The committed table of the bias of measures. Oracles: a part of it made again, and closed forms."""

from __future__ import annotations

import measure_bias
import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from metacog.sdt.compare import MEASURES

TABLE = pd.read_csv(measure_bias.OUT)
DESIGN = ["measure", "accuracy", "n_ratings", "n_trials"]


@pytest.mark.parametrize("measure", MEASURES)
def test_a_row_made_again_is_the_same(measure):
    mine = TABLE[TABLE["measure"] == measure].iloc[-3]
    observer = measure_bias.population(measure, mine["accuracy"], int(mine["n_ratings"]))
    made = measure_bias.row(*mine[DESIGN], observer, measure_bias.SIMULATIONS)
    for name, value in made.items():
        assert value == (mine[name] if name == "measure" else pytest.approx(mine[name], rel=1e-4, abs=1e-7))


def test_every_measure_stands_there_in_every_design_that_it_is_defined_for():
    assert set(TABLE["measure"]) == set(MEASURES) and not TABLE.duplicated(DESIGN).any()
    cuts = TABLE.groupby("measure")["n_ratings"].nunique()
    assert set(cuts[cuts < len(measure_bias.RATINGS)].index) == {
        "d_prime",
        "meta_d",
        "m_ratio",
        "d_a",
        "z_slope",
    }
    assert (TABLE.groupby(["measure", "n_ratings"]).size() == 16).all()


def test_shares_have_no_bias_and_the_area_is_the_bell_curves():
    """A share of right answers is unbiased; with many ratings AUROC2 is that of two normals one apart."""
    share = TABLE[TABLE["measure"] == "accuracy"]
    assert (share["bias"].abs() < 4 * share["bias_se"]).all()
    fine = TABLE[(TABLE["measure"] == "auroc2") & (TABLE["n_ratings"] == 20)]
    assert fine["value"].to_numpy() == pytest.approx(np.full(16, ndtr(1 / np.sqrt(2))), abs=0.004)


def test_bias_goes_with_more_trials():
    """All estimators here are consistent: at 5,000 trials bias is below that at 50, or within its error."""
    of = TABLE.set_index(DESIGN)
    few, many = of.xs(50, level="n_trials").dropna(), of.xs(5_000, level="n_trials")
    many = many.loc[few.index]
    assert (many["bias"].abs() < np.maximum(few["bias"].abs(), 4 * many["bias_se"])).all()
