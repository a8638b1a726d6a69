"""Recalibration. Oracles: scikit-learn's sigmoid and isotonic regression, and the order of answers."""

import numpy as np
import pytest
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

from metacog.sdt import InputError, auroc2, ece, recalibrated
from metacog.sdt.abstention import cluster_halves
from metacog.sdt.recalibration import fit_map


def too_sure(n=1200, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0.3, 0.9, n)
    return rng.random(n) < truth, np.round(np.sqrt(truth), 2)


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_both_maps_are_scikit_learns(scale):
    correct, stated = too_sure()
    stated = stated * scale
    at = np.linspace(-0.2, 1.2, 57) * scale
    ours, theirs = fit_map(correct, stated), _SigmoidCalibration().fit(stated, correct)
    assert (ours.intercept, ours.slope) == pytest.approx((-theirs.b_, -theirs.a_), rel=1e-4)
    assert ours(at) == pytest.approx(theirs.predict(at), abs=1e-5)
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(stated, correct)
    assert fit_map(correct, stated, "isotonic")(at) == pytest.approx(isotonic.predict(at), abs=1e-9)


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_numbers_come_true_on_the_half_that_set_no_map(method):
    correct, stated = too_sure()
    asked = np.repeat(np.arange(400), 3)
    made = recalibrated(correct, stated, method=method, clusters=asked, seed=5)
    unit, first = cluster_halves(asked, correct.size, seed=5)
    half = first[unit]
    for here in (half, ~half):
        assert made[here] == pytest.approx(fit_map(correct[~here], stated[~here], method)(stated[here]))
    assert ece(correct, stated, debiased=True) > 0.1 > 0.05 > ece(correct, made, debiased=True)


def test_platts_map_keeps_every_order_and_isotonic_regression_only_ties():
    correct, stated = too_sure()
    unit, first = cluster_halves(None, correct.size)
    half = first[unit]
    platt, isotonic = (recalibrated(correct, stated, method=method) for method in ("platt", "isotonic"))
    for here in (half, ~half):
        assert auroc2(correct[here], platt[here]) == pytest.approx(auroc2(correct[here], stated[here]))
        order = np.argsort(stated[here], kind="stable")
        assert (np.diff(isotonic[here][order]) >= -1e-12).all()


def test_confidence_that_separates_wholly_has_a_finite_map():
    correct = np.repeat([0, 1], 30)
    made = fit_map(correct, correct + np.linspace(0, 0.1, 60))
    assert np.isfinite([made.intercept, made.slope]).all() and made.slope > 0


def test_too_few_of_a_class_one_class_and_unknown_maps_are_refused():
    correct, stated = too_sure(60)
    few = np.arange(60) < 57
    with pytest.raises(InputError, match="fewer than 10"):
        recalibrated(few, stated)
    with pytest.raises(InputError, match="right and wrong"):
        fit_map(np.ones(60), stated)
    with pytest.raises(InputError, match="no map 'beta'"):
        fit_map(correct, stated, "beta")
