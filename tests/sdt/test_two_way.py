"""What row and column say of a cell."""

import warnings

import numpy as np
import pytest
from scipy.optimize import least_squares

from metacog.sdt import InputError
from metacog.sdt.over_groups import additive_fit, joined, multiplicative_fit

RNG = np.random.default_rng(1)
ROW, COLUMN = RNG.uniform(0.1, 1, 5), RNG.uniform(0.1, 1, 5)
OFF = ~np.eye(5, dtype=bool)


def test_an_additive_table_is_predicted_exactly() -> None:
    table = ROW[:, None] + COLUMN[None]
    hidden = np.where(OFF, table, 9.0)
    np.testing.assert_allclose(
        additive_fit(np.stack([hidden, 2 * hidden]), OFF), np.stack([table, 2 * table])
    )


def test_the_additive_fit_is_least_squares() -> None:
    table = RNG.normal(size=(5, 5))
    rows, columns = np.nonzero(OFF)
    design = np.zeros((rows.size, 10))
    design[np.arange(rows.size), rows] = design[np.arange(rows.size), 5 + columns] = 1
    effects = np.linalg.lstsq(design, table[OFF], rcond=None)[0]
    np.testing.assert_allclose(additive_fit(table, OFF), effects[:5, None] + effects[None, 5:], atol=1e-10)


def test_a_product_is_predicted_in_many_tables() -> None:
    tables = np.stack([np.outer(ROW, COLUMN), np.outer(COLUMN, 2 * ROW)])
    made = multiplicative_fit(np.where(OFF, tables, 9.0), OFF)
    apart = np.abs(additive_fit(tables, OFF) - tables).max(axis=(1, 2))
    assert (np.abs(made - tables).max(axis=(1, 2)) < 0.2 * apart).all()  # the held cells draw it a little
    everywhere = np.ones((5, 5), dtype=bool)
    np.testing.assert_allclose(multiplicative_fit(tables, everywhere), tables, atol=1e-8)


def test_the_multiplicative_fit_is_weighted_least_squares() -> None:
    table = np.outer(ROW, COLUMN) + RNG.normal(scale=0.05, size=(5, 5))
    aim = np.where(OFF, table, np.maximum(additive_fit(table, OFF), 0))
    weight = np.where(OFF, 1.0, 0.1)

    def left(effects: np.ndarray) -> np.ndarray:
        return (np.sqrt(weight) * (aim - np.outer(effects[:5], effects[5:]))).ravel()

    best = least_squares(left, np.concatenate([ROW, COLUMN]), xtol=1e-14, ftol=1e-14).x
    np.testing.assert_allclose(multiplicative_fit(table, OFF), np.outer(best[:5], best[5:]), atol=1e-6)


def test_noise_around_nothing_predicts_nothing() -> None:
    tables = np.random.default_rng(7).normal(scale=0.03, size=(400, 6, 6))
    made = multiplicative_fit(tables, ~np.eye(6, dtype=bool))
    predicted = np.diagonal(made, axis1=1, axis2=2)
    assert np.sqrt(np.square(predicted).mean()) < 0.03  # no wider than the noise; without held cells above 1


def test_a_table_that_lacks_a_used_cell_has_no_prediction() -> None:
    tables = np.stack([np.outer(ROW, COLUMN)] * 2)
    tables[1, 0, 1] = np.nan
    for fit in (additive_fit, multiplicative_fit):
        made = fit(tables, OFF)
        assert np.isnan(made[1]).all() and np.isfinite(made[0]).all()


def test_cells_that_nothing_joins_are_missing() -> None:
    two = ~np.eye(2, dtype=bool)  # row 0 meets column 1 alone, row 1 column 0 alone
    assert not joined(two)[0, 0] and joined(two)[0, 1]
    assert np.isnan(additive_fit(np.ones((2, 2)), two)[0, 0])
    assert np.isnan(multiplicative_fit(np.ones((2, 2)), two)[1, 1])
    below = np.array([[False, False], [True, True]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = multiplicative_fit(np.full((2, 2), 3.0), below)
    np.testing.assert_allclose(made, [[np.nan, np.nan], [3.0, 3.0]])
    with pytest.raises(InputError, match="at least one used cell"):
        additive_fit(np.zeros((2, 2)), np.zeros((2, 2), dtype=bool))
    with pytest.raises(InputError, match="tables of shape"):
        additive_fit(np.zeros((3, 2)), two)


def test_the_additive_fit_of_a_large_table_is_exact() -> None:
    # The level can be moved from rows to columns: a solution that keeps this direction loses all its digits.
    rng = np.random.default_rng(11)
    used = ~np.eye(33, dtype=bool)
    for _ in range(5):
        table = rng.normal(size=33)[:, None] + rng.normal(size=33)[None]
        used = used & (rng.random((33, 33)) > 0.01)
        np.testing.assert_allclose(additive_fit(table, used), table, atol=1e-9)
