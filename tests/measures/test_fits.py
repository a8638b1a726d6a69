"""Fits as an estimator, and cells of which only counts are known. Oracles: single fits, the same trials one by one."""

import numpy as np
import pytest

from metacog.measures.cell import Cell, made_by, resamples, tables_of, whole_and_resamples
from metacog.measures.estimates import measure
from metacog.measures.fits import Fits, fitted, of_ratings, rating_tables
from metacog.sdt.checks import InputError
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.information_interval import meta_i2r_interval, meta_i2r_se, studentised
from metacog.sdt.meta_d import fit_meta_d

WRONG, RIGHT = np.array([60, 50, 40, 20, 15, 10, 5, 2]), np.array([10, 15, 20, 30, 40, 50, 60, 70])


def trials() -> Cell:
    """The same table trial by trial."""
    level = np.repeat(np.tile(np.arange(8), 2), np.r_[WRONG, RIGHT])
    correct = np.arange(level.size) >= WRONG.sum()
    return Cell(correct, level.astype(float), level, 8, np.full(level.size, np.nan), np.arange(level.size))


def test_a_table_is_resampled_as_its_trials_are():
    cell = Cell.of_table(WRONG, RIGHT)
    assert [x.tolist() for x in tables_of(cell)] == [WRONG.tolist(), RIGHT.tolist()]
    weights = whole_and_resamples(cell, 4000, 1)
    assert (weights[0] == np.r_[WRONG, RIGHT]).all() and (
        weights.sum(axis=1) == WRONG.sum() + RIGHT.sum()
    ).all()
    assert (weights[1:] == np.concatenate([*resamples(cell, 4000, 1)])).all()
    one_by_one = np.hstack(rating_tables(trials(), whole_and_resamples(trials(), 4000, 2)))
    assert (one_by_one[0] == weights[0]).all()
    p = weights[0] / weights[0].sum()
    sd = np.sqrt(weights[0] * (1 - p))
    for drawn in (weights[1:], one_by_one[1:]):  # multinomial mean and spread, five Monte-Carlo errors
        assert (np.abs(drawn.mean(axis=0) - weights[0]) < 5 * sd / np.sqrt(4000)).all()
        assert np.allclose(drawn.std(axis=0) / sd, 1, atol=5 / np.sqrt(2 * 4000))


def test_a_table_is_for_estimators_alone():
    with pytest.raises(InputError, match="made_by"):
        measure(Cell.of_table(WRONG, RIGHT))


def test_fits_are_single_fits_and_their_draws():
    cell = Cell.of_table(WRONG, RIGHT)
    weights = whole_and_resamples(cell, 20, 1)
    made = Fits()(cell, weights)
    one = fit_meta_d(WRONG + 0.5, RIGHT + 0.5)
    assert made.values["m_ratio"] == pytest.approx(one.m_ratio, abs=1e-12)
    assert made.values["low_criterion"] == pytest.approx(one.t2_criteria_rS1.mean(), abs=1e-12)
    wrong, right = rating_tables(cell, weights)
    last = fit_meta_d(wrong[-1] + 0.5, right[-1] + 0.5)
    assert made.draws["meta_d"][-1] == pytest.approx(last.meta_d, abs=1e-12)


def test_what_padding_would_invent_is_not_fitted():
    found = fitted([WRONG, WRONG * 0], [RIGHT, RIGHT])
    assert (
        np.isfinite([x[0] for x in found.values()]).all() and np.isnan([x[1] for x in found.values()]).all()
    )
    assert fitted(np.stack([[WRONG] * 3] * 2), np.stack([[RIGHT] * 3] * 2))["meta_d"].shape == (2, 3)


def test_a_dropped_ratio_leaves_d_prime():
    confused = (
        [[40, 8, 2, 1, 30, 15, 5, 1]],
        [[1, 5, 15, 30, 1, 5, 13, 33]],
    )  # d' next to 0, sure ratings that know
    found = fitted(*confused)
    assert np.isnan(found["m_ratio"][0]) and np.isfinite(found["d_prime"][0])


def test_ratings_give_what_a_measured_cell_gives():
    """Of one table with the same resamples: values and intervals of both ways are the same."""
    cell, weights = trials(), whole_and_resamples(trials(), 300, 5)
    by_ratings = made_by([of_ratings], cell, weights)
    whole = measure(cell, n_resamples=300, n_permutations=1, seed=5)
    for name in ("auroc2", "meta_i2r", "z_slope"):
        assert by_ratings.values[name] == pytest.approx(whole.values[name], abs=1e-12)
        assert by_ratings.bounds[name] == pytest.approx(whole.bounds[name], abs=1e-12)
    wrong, right = rating_tables(cell, weights)
    plugin, se = plugin_meta_i2r(wrong, right), meta_i2r_se(wrong, right)
    ends = meta_i2r_interval(by_ratings.values["meta_i2r"], plugin[1:], se=float(se[0]), draw_se=se[1:]).ends
    assert by_ratings.bounds["meta_i2r"] == pytest.approx(ends, abs=1e-12)


def test_a_standard_error_that_is_rounding_counts_as_none():
    plugin, errors = np.array([0.1, 0.2, 0.15, 0.1]), np.array([0.02, 0.02, 0.02, 3e-17])
    found = studentised(plugin, errors, 0.1, 0.02)
    assert np.isnan(found[3]) and np.abs(found[:3]).max() < 0.3
