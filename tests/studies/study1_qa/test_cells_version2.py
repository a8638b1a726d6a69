"""Version 2's measures of one table. Oracle: the printed row of the same table."""

import numpy as np
import pytest

from metacog.studies.study1_qa.paper import MAIN, as_numbers, published_cells
from metacog.studies.study1_qa.version2 import version2


def test_one_table_gives_its_printed_row():
    table = published_cells(MAIN).table(model="gemma2_instruct")
    printed = as_numbers("v2_aggregate").set_index(["model", "dataset"]).loc[("gemma2_instruct", MAIN)]
    two = version2(*table, n_permutations=2000, n_resamples=4000)
    assert (two.n, two.accuracy) == (printed["n"], pytest.approx(printed["acc"], abs=1e-12))
    assert two.plugin - printed["null_mean"] == pytest.approx(printed["meta_i2r"], abs=1e-9)
    assert two.auroc2 == pytest.approx(printed["auroc2"], abs=1e-9)
    error = two.null.std() / np.sqrt(two.null.size)
    assert abs(two.null.mean() - two.exact_null) < 4 * error
    assert abs(two.exact_null - printed["null_mean"]) < 4 * error
    assert two.information.shape == two.made.draws["auroc2"].shape == (4000,)
    low, high = np.quantile(two.information - printed["null_mean"], [0.025, 0.975])
    assert low == pytest.approx(printed["mi_lower"], abs=0.004)
    assert high == pytest.approx(printed["mi_upper"], abs=0.004)
