"""Oracles: average over random tie orders, published selective accuracy, the oracle's closed form."""

import numpy as np
import pytest
from sdt_published import cacioli_cells, published

from metacog.sdt import InputError
from metacog.sdt.selective import (
    accuracy_coverage,
    accuracy_coverage_from_counts,
    aurc_from_counts,
    risk_coverage,
    risk_coverage_from_counts,
)


def test_accuracy_at_half_coverage_is_the_published_one():
    rows = published("cacioli_v1_selective_prediction.csv")
    for row in rows:
        table = cacioli_cells()[row["model"], "triviaqa"]
        got = float(accuracy_coverage_from_counts(*table, 0.5))
        assert abs(got - float(row["accuracy_at_50pct_coverage"])) <= 0.0005
        assert got == pytest.approx(table[1][4:].sum() / 2500, abs=1e-15)
    assert len(rows) == 2


def test_ties_are_the_mean_over_random_orders():
    rng = np.random.default_rng(0)
    confidence = rng.integers(0, 4, 60)
    correct = (rng.random(60) < 0.3 + 0.15 * confidence).astype(int)
    curves = []
    for _ in range(6000):
        order = np.lexsort((rng.random(60), -confidence))
        curves.append(1 - np.cumsum(correct[order]) / np.arange(1, 61))
    curves = np.array(curves)
    curve = risk_coverage(correct, confidence)
    error = curves.std(axis=0) / np.sqrt(6000)
    assert (np.abs(curve.risk - curves.mean(axis=0)) <= 4.5 * error + 1e-12).all()
    areas = curves.mean(axis=1)
    assert abs(curve.aurc - areas.mean()) < 4 * areas.std() / np.sqrt(6000)
    at = accuracy_coverage(correct, confidence, [0.1, 0.5, 1.0])
    np.testing.assert_allclose(at, 1 - curve.risk[[5, 29, 59]], atol=1e-14)


def test_harmonic_area_equals_the_curve():
    for table in cacioli_cells().values():
        curve = risk_coverage_from_counts(*table)
        assert float(aurc_from_counts(*table)) == pytest.approx(curve.aurc, abs=1e-12)
    batch = np.array(list(cacioli_cells().values()))
    single = [float(aurc_from_counts(*t)) for t in batch]
    np.testing.assert_allclose(aurc_from_counts(batch[:, 0], batch[:, 1]), single, atol=1e-15)


def test_perfect_ranking_has_no_excess_and_constant_confidence_is_random():
    correct = np.r_[np.zeros(40), np.ones(60)]
    perfect = risk_coverage(correct, np.arange(100))
    assert perfect.e_aurc == pytest.approx(0, abs=1e-15)
    # r + (1 - r) ln(1 - r) is the limit for many trials
    assert perfect.oracle_aurc == pytest.approx(0.4 + 0.6 * np.log(0.6), abs=0.01)
    constant = risk_coverage(correct, np.ones(100))
    np.testing.assert_allclose(constant.risk, 0.4, atol=1e-15)
    assert constant.n_ties == 100


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="coverage"):
        accuracy_coverage([1, 0], [1, 2], 0.0)
    with pytest.raises(InputError, match="coverage"):
        accuracy_coverage([1, 0], [1, 2], 1.2)
    with pytest.raises(InputError, match="whole counts"):
        risk_coverage_from_counts([0.5, 1], [1, 1])
