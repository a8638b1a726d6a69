"""Random tables with the same margins. Oracles: the margins, and all tables of a small case."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from metacog.forensics.resamples import same_margins
from metacog.sdt import InputError


def test_margins_stay_and_the_seed_decides():
    table = np.random.default_rng(1).random((6, 20)) < 0.3
    drawn = list(same_margins(table, 5, seed=3))
    for one in drawn:
        assert (one.sum(axis=0) == table.sum(axis=0)).all() and (one.sum(axis=1) == table.sum(axis=1)).all()
    assert any((one != table).any() for one in drawn)
    assert all((a == b).all() for a, b in zip(drawn, same_margins(table, 5, seed=3), strict=True))


def test_every_table_is_as_frequent_as_any_other():
    table = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]])
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    every = [
        cells
        for cells in product((0, 1), repeat=12)
        if (np.reshape(cells, (3, 4)).sum(axis=1) == rows).all()
        and (np.reshape(cells, (3, 4)).sum(axis=0) == columns).all()
    ]
    n = 2400
    seen = Counter(tuple(one.astype(int).ravel()) for one in same_margins(table, n, seed=1))
    assert set(seen) == set(every)
    expected = n / len(every)
    chi = sum((seen[cells] - expected) ** 2 / expected for cells in every)
    assert chi < 3 * len(every)  # far below what an uneven chain gives


def test_other_tables_are_refused():
    with pytest.raises(InputError, match="0 and 1"):
        next(same_margins([[0, 2], [1, 1]], 1))
    with pytest.raises(InputError, match="two rows"):
        next(same_margins([[0, 1]], 1))
