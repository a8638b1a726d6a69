"""Tables from printed summaries. Oracles: all tables of a small design, and figures of a known table."""

from itertools import product

import numpy as np
import pytest
from solved_tables import Summaries, correct_by_rating, quarter_sums

from metacog.sdt.checks import InputError
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.type2 import auroc2_from_counts


def summarised(correct, m: int, digits: int = 3) -> Summaries:
    right = np.asarray(correct)
    quarters = np.round(right.reshape(4, 2).sum(axis=1) / (2 * m), digits)
    return Summaries(
        n=8 * m,
        accuracy=right.sum() / (8 * m),
        auroc2=float(auroc2_from_counts(m - right, right)),
        plugin_meta_i2r=float(plugin_meta_i2r(m - right, right)),
        quarters=tuple(quarters),
        half_digit=0.5 * 10.0**-digits,
    )


def test_it_finds_all_tables_that_a_search_of_every_table_finds():
    m, rng = 3, np.random.default_rng(5)
    every = np.array(list(product(range(m + 1), repeat=8)))
    every = every[(every.sum(axis=1) > 0) & (every.sum(axis=1) < 8 * m)]
    area, info = auroc2_from_counts(m - every, every), plugin_meta_i2r(m - every, every)
    quarters = every.reshape(-1, 4, 2).sum(axis=2) / (2 * m)
    several = 0
    for row in rng.choice(len(every), 40, replace=False):
        printed = summarised(every[row], m, digits=0)  # so coarse that sums of quarters differ too
        agrees = (
            (every.sum(axis=1) == every[row].sum())
            & (np.abs(area - area[row]) < 1e-12)
            & (np.abs(info - info[row]) < 1e-12)
            & (np.abs(quarters - printed.quarters) <= 0.5 + 1e-9).all(axis=1)
        )
        found = correct_by_rating(printed)
        assert sorted(map(tuple, found)) == sorted(map(tuple, every[agrees]))
        several += len(found) > 1
    assert several > 0  # the summaries of small tables do not always settle them, and it says so


def test_a_figure_that_no_table_has_leaves_none():
    correct = [2, 5, 9, 14, 20, 25, 31, 37]
    printed = summarised(correct, 40)
    assert correct_by_rating(printed).tolist() == [correct]
    for changed in ({"auroc2": printed.auroc2 + 1e-6}, {"plugin_meta_i2r": printed.plugin_meta_i2r + 1e-9}):
        assert len(correct_by_rating(Summaries(**{**printed.__dict__, **changed}))) == 0


def test_what_cannot_be_solved_is_refused():
    with pytest.raises(InputError, match="equally filled"):
        quarter_sums(Summaries(10, 0.5, 0.5, 0.1, (0.5,) * 4, 0.1))
    with pytest.raises(InputError, match="whole number"):
        quarter_sums(Summaries(16, 0.51, 0.5, 0.1, (0.5,) * 4, 0.1))
    with pytest.raises(InputError, match="one class"):
        correct_by_rating(Summaries(16, 1.0, 0.5, 0.1, (1.0,) * 4, 0.1))
