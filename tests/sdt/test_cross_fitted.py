"""Cross-fitted scores against known log-odds, and against signals that say nothing."""

import numpy as np
import pytest
from scipy.special import expit

from metacog.sdt import InputError, auroc2, cross_fitted


def test_known_log_odds_are_found() -> None:
    rng = np.random.default_rng(1)
    signal = rng.normal(size=4000)
    made = cross_fitted(rng.random(4000) < expit(0.4 + 1.2 * signal), {"signal": signal})
    assert np.abs(made.score - 1.2 * signal).mean() < 0.15
    assert np.corrcoef(made.score, signal)[0, 1] > 0.99


def test_what_signals_do_not_predict_has_nothing_to_do_with_them() -> None:
    rng = np.random.default_rng(4)
    signal, own = rng.normal(size=(2, 3000))
    made = cross_fitted(rng.random(3000) < 0.5, {"signal": signal})
    left = made.unpredicted(np.exp(0.6 * signal + 0.8 * own))  # of the order alone
    assert abs(np.corrcoef(left, signal)[0, 1]) < 0.02 and np.corrcoef(left, own)[0, 1] > 0.99
    with pytest.raises(InputError, match="all values are the same"):
        made.unpredicted(np.ones(3000))


@pytest.mark.parametrize("n_right", [13, 40])
def test_signals_that_say_nothing_tell_nothing(n_right: int) -> None:
    """Folds of unlike accuracy would put right answers below wrong ones, most of all where one kind is rare."""
    areas = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        right, noise = rng.permutation(100) < n_right, rng.normal(size=(100, 3))
        made = cross_fitted(right, {"noise": noise}, seed=seed)
        areas.append(auroc2(right, made.score))
    assert np.mean(areas) == pytest.approx(0.5, abs=3 * np.std(areas) / np.sqrt(60))


def test_an_answer_has_no_part_in_its_own_probability() -> None:
    rng = np.random.default_rng(2)
    signal, right = rng.normal(size=(40, 1)), rng.random(40) < 0.5
    clusters = np.repeat(np.arange(20), 2)
    right[:2] = True, False
    made = cross_fitted(right, {"signal": signal}, clusters=clusters, n_folds=20)
    other = right.copy()
    other[:2] = False, True  # as many of each class, so that the folds are the same
    again = cross_fitted(other, {"signal": signal}, clusters=clusters, n_folds=20)
    np.testing.assert_allclose(again.score[:2], made.score[:2])
    assert not np.allclose(again.score[2:], made.score[2:])


def test_bad_input_is_refused() -> None:
    with pytest.raises(InputError, match="n_folds"):
        cross_fitted([0, 1, 1], {"signal": [1.0, 2.0, 3.0]})
    with pytest.raises(InputError, match="at least one signal"):
        cross_fitted([0, 1, 1], {}, n_folds=2)
