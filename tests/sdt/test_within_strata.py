"""AUROC2 within strata against a count of pairs, its resamples against repeated answers, and shuffles."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit, softmax

from metacog.sdt import InputError, auroc2
from metacog.sdt.item_ease import _softmax
from metacog.sdt.within_strata import StratifiedAnswers


def answers(n: int = 60, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.random(n) < 0.7, rng.integers(0, 5, n).astype(float), rng.integers(0, 6, n)


def by_pairs(hits: np.ndarray, sure: np.ndarray, stratum: np.ndarray) -> float:
    won = [
        (sure[i] > sure[j]) + 0.5 * (sure[i] == sure[j])
        for i in np.flatnonzero(hits)
        for j in np.flatnonzero(~hits)
        if stratum[i] == stratum[j]
    ]
    return float(np.mean(won))


def test_it_counts_pairs_of_one_stratum() -> None:
    hits, sure, stratum = answers()
    made = StratifiedAnswers.of(hits, sure, stratum)
    assert made.area() == pytest.approx(by_pairs(hits, sure, stratum))
    one = StratifiedAnswers.of(hits, sure, np.zeros(len(hits)))
    assert one.area() == pytest.approx(auroc2(hits, sure)) and one.n_pairs == hits.sum() * (~hits).sum()


def test_a_resample_is_answers_repeated() -> None:
    hits, sure, stratum = answers()
    rng = np.random.default_rng(2)
    weights = rng.multinomial(60, np.full(60, 1 / 60), 3).astype(float)
    again = [np.repeat(np.arange(60), w.astype(int)) for w in weights]
    np.testing.assert_allclose(
        StratifiedAnswers.of(hits, sure, stratum).areas(weights),
        [by_pairs(hits[i], sure[i], stratum[i]) for i in again],
    )


def test_the_influence_of_an_answer_is_how_the_area_moves_with_its_weight() -> None:
    made = StratifiedAnswers.of(*answers())
    one = 1 + 1e-5 * np.eye(60)
    moved = (made.areas(one) - made.area()) / 1e-5
    np.testing.assert_allclose(made.area_and_influence()[1], moved, atol=1e-5)
    assert made.area_and_influence()[1].std() > 1e-3


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_interval_is_one_of_t_on_the_scale_of_log_odds(level: float) -> None:
    """Oracle: the delta method by hand, d logit(a) = da / (a (1 - a)); t of scipy.stats."""
    hits, sure, stratum = answers()
    made = StratifiedAnswers.of(hits, sure, stratum)
    draws = np.random.default_rng(4).normal(made.area(), 0.05, 200)
    found = made.interval(draws, level=level)
    mixed = [s for s in range(6) if 0 < hits[stratum == s].mean() < 1]
    few = min((hits & np.isin(stratum, mixed)).sum(), (~hits & np.isin(stratum, mixed)).sum())
    area = by_pairs(hits, sure, stratum)
    assert abs(area - 0.5) > 0.02  # so that the two sides of the log-odds are told apart
    room = stats.t.ppf((1 + level) / 2, few - 1) * draws.std(ddof=1) / (area * (1 - area))
    ends = expit(logit(area) - room), expit(logit(area) + room)
    assert (found.estimate, *found.ends) == pytest.approx((area, *ends))
    apart = StratifiedAnswers.of([1, 0, 1, 0], [2, 1, 4, 3], list("aabb"))
    assert apart.area() == 1 and np.isnan(apart.interval(draws).ends).all()


def test_shuffles_keep_the_strata_and_have_mean_one_half() -> None:
    hits, sure, stratum = answers(300)
    made = StratifiedAnswers.of(hits, sure, stratum)
    dealt = made.shuffled(400, np.random.default_rng(3))
    for s in range(6):
        assert (dealt[:, stratum == s].sum(axis=1) == hits[stratum == s].sum()).all()
    null = made.areas_of(dealt)
    assert null.mean() == pytest.approx(0.5, abs=4 * null.std() / 20)
    np.testing.assert_allclose(made.areas_of(hits[None]), made.area())
    np.testing.assert_allclose(null[:3], [by_pairs(h, sure, stratum) for h in dealt[:3]])


def test_strata_without_pairs_are_counted() -> None:
    made = StratifiedAnswers.of([1, 0, 1, 1, 0], [3, 2, 1, 1, 1], ["a", "a", "b", "b", "c"])
    assert (made.n_strata, made.n_empty, made.n_pairs, made.area()) == (3, 2, 1, 1.0)
    assert np.isnan(StratifiedAnswers.of([1, 0], [1, 2], ["a", "b"]).area())
    with pytest.raises(InputError, match="one label for each of the 2"):
        StratifiedAnswers.of([1, 0], [1, 2], ["a"])


def test_shares_from_log_odds_are_scipys_to_the_last_bit():
    rng = np.random.default_rng(0)
    for scale in (0.1, 1, 10, 100, 1000):
        for shape in ((1, 1), (41, 12), (60, 2)):
            a = rng.normal(0, scale, shape)
            for same in (a, np.round(a), np.zeros(shape)):
                np.testing.assert_array_equal(_softmax(same), softmax(same, axis=1))
