"""What row and column say of a cell."""

from __future__ import annotations

import numpy as np
import pytest

from metacog.sdt import InputError
from metacog.sdt.two_way import additive_fit, joined, multiplicative_fit

RNG = np.random.default_rng(1)
ROW, COLUMN = RNG.uniform(0.1, 1, 5), RNG.uniform(0.1, 1, 5)
OFF = ~np.eye(5, dtype=bool)


def test_an_additive_table_is_predicted_exactly() -> None:
    table = ROW[:, None] + COLUMN[None]
    np.testing.assert_allclose(additive_fit(OFF) @ table[OFF], table, atol=1e-12)


def test_the_additive_fit_is_least_squares() -> None:
    table = RNG.normal(size=(5, 5))
    rows, columns = np.nonzero(OFF)
    design = np.zeros((rows.size, 10))
    design[np.arange(rows.size), rows] = design[np.arange(rows.size), 5 + columns] = 1
    effects = np.linalg.lstsq(design, table[OFF], rcond=None)[0]
    np.testing.assert_allclose(additive_fit(OFF) @ table[OFF], effects[:5, None] + effects[None, 5:], atol=1e-10)


def test_a_product_is_predicted_exactly_in_many_tables() -> None:
    tables = np.stack([np.outer(ROW, COLUMN), np.outer(COLUMN, 2 * ROW)])
    hidden = tables.copy()
    hidden[:, ~OFF] = 9.0
    np.testing.assert_allclose(multiplicative_fit(hidden, OFF), tables, atol=1e-6)


def test_the_multiplicative_fit_has_the_least_squares_of_nearby_products() -> None:
    table = np.outer(ROW, COLUMN) + RNG.normal(scale=0.05, size=(5, 5))
    fitted = multiplicative_fit(table, OFF, n_rounds=1000, tolerance=1e-14)
    best = np.square((fitted - table)[OFF]).sum()
    row, column = fitted[:, 0], fitted[0] / fitted[0, 0]
    for _ in range(50):
        moved = np.outer(row * RNG.uniform(0.98, 1.02, 5), column * RNG.uniform(0.98, 1.02, 5))
        assert np.square((moved - table)[OFF]).sum() >= best - 1e-12


def test_a_table_that_lacks_a_used_cell_has_no_prediction() -> None:
    tables = np.stack([np.outer(ROW, COLUMN)] * 2)
    tables[1, 0, 1] = np.nan
    made = multiplicative_fit(tables, OFF)
    assert np.isnan(made[1]).all() and np.isfinite(made[0]).all()


def test_cells_that_nothing_joins_are_missing() -> None:
    two = ~np.eye(2, dtype=bool)  # row 0 meets column 1 alone, row 1 column 0 alone
    assert not joined(two)[0, 0] and joined(two)[0, 1]
    assert np.isnan(additive_fit(two)[0, 0]).all()
    assert np.isnan(multiplicative_fit(np.ones((2, 2)), two)[1, 1])
    with pytest.raises(InputError, match="at least one used cell"):
        additive_fit(np.zeros((2, 2), dtype=bool))
