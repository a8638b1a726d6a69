"""Simulated answerers. Oracles: closed forms, other quadratures, simulation, an independent check."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from scipy.stats import t as student

from metacog.core.errors import MetacogError
from metacog.sdt.binning import counts, quantile_edges, rate
from metacog.sdt.information import binary_entropy
from metacog.studies.study1_qa import correction_grid, correction_recovery
from metacog.studies.study1_qa.observers import (
    Answerer,
    Graded,
    HeavyTails,
    Lapses,
    Levels,
    Mixture,
    OneSided,
    Unequal,
    Unreachable,
    at_efficiency,
    same_table,
)

#: One of each family, and both signs, with a middling loss.
ONE_OF_EACH = {
    "additive": Answerer(accuracy=0.3, noise=0.7),
    "lapses": Lapses(noise=0.3),
    "graded": Graded(noise=1.0),
    "tails": HeavyTails(noise=0.6),
    "mixture": Mixture(noise=0.5),
    "down": OneSided(accuracy=0.2, noise=1.5),
    "up": OneSided(accuracy=0.2, noise=1.5, down=False),
    "unequal": Unequal(spread=0.65, noise=0.4),
    "levels": Levels(accuracy=0.3, levels=5, noise=0.4),
}


def m_ratio(answerer: Answerer) -> float:
    wrong, right = correction_grid.expected(answerer)
    return float(correction_recovery.measures_of(wrong[None], right[None])["m_ratio"][0])


# ---------------------------------------------------------------- information


@pytest.mark.parametrize(
    ("answerer", "wrong", "right"),
    [
        (Answerer(accuracy=0.5), norm(0, 1), norm(1.6, 1)),
        (
            Unequal(accuracy=0.3, signal=1.1, noise=0.7, spread=0.8),
            norm(0, np.hypot(0.8, 0.7)),
            norm(1.1, np.hypot(1, 0.7)),
        ),
    ],
)
def test_gaussian_information_agrees_with_another_quadrature(answerer, wrong, right):
    def remaining(y):
        a, b = (1 - answerer.accuracy) * wrong.pdf(y), answerer.accuracy * right.pdf(y)
        return (a + b) * float(binary_entropy(b / (a + b)))

    rest = quad(remaining, -12, 12, epsabs=1e-11, limit=200)[0]
    assert answerer.information() == pytest.approx(float(binary_entropy(answerer.accuracy)) - rest, abs=1e-8)


@pytest.mark.parametrize("noise", [0.27, 1.25])
def test_heavy_tails_are_the_convolution_with_t(noise):
    wrong, _ = HeavyTails(noise=noise).confidence()
    y = np.linspace(-6, 6, 7)
    by_quad = [
        quad(lambda x, v=v: norm.pdf(x) * student.pdf((v - x) / noise, 1.5) / noise, -9, 9, points=[v])[0]
        for v in y
    ]
    assert wrong.pdf(y) == pytest.approx(by_quad, abs=1e-8)


@pytest.mark.parametrize("name", [n for n in ONE_OF_EACH if n != "levels"])
def test_confidence_is_a_distribution(name):
    answerer = ONE_OF_EACH[name]
    y, weight = answerer.grid()
    for law in answerer.confidence():
        assert weight @ law.pdf(y) == pytest.approx(1, abs=1e-8)
        step = 1e-5
        inner = y[np.abs(law.cdf(y) - 0.5) < 0.45][::40] + 0.01
        slope = (law.cdf(inner + step) - law.cdf(inner - step)) / (2 * step)
        assert slope == pytest.approx(law.pdf(inner), rel=1e-3)


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_drawn_tables_agree_with_expected_ones(name):
    answerer = ONE_OF_EACH[name]
    n, times = 4000, 60
    s1, s2 = answerer.tables(n, times, np.random.default_rng(3))
    for drawn, share in zip((s1, s2), answerer.table(), strict=True):
        error = np.sqrt(share * (1 - share) / (n * times))
        assert np.abs(drawn.mean(axis=0) / n - share).max() < 5 * error.max() + 1 / n


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_information_agrees_with_drawn_trials(name):
    answerer = ONE_OF_EACH[name]
    n, bins = 400_000, 400
    right, y = answerer.sample((1, n), np.random.default_rng(0))
    if isinstance(answerer, Levels):
        y = np.searchsorted(answerer.borders(), y).astype(float)
        level, used = y[0].astype(int), answerer.levels
    else:
        level, used = np.searchsorted(np.quantile(y, np.arange(1, bins) / bins), y[0]), bins
    n_of = np.bincount(level, minlength=used)
    share = np.bincount(level, right[0], used) / n_of
    rest = float(binary_entropy(share) @ n_of / n)
    estimate = float(binary_entropy(right.mean())) - rest - (used - 1) / (2 * n * np.log(2))
    assert answerer.information() == pytest.approx(estimate, abs=0.004)
    assert right.mean() == pytest.approx(answerer.accuracy, abs=0.004)


# ---------------------------------------------------------------- efficiency


@pytest.mark.parametrize("like", [Answerer(), Lapses(), HeavyTails(), Mixture(), OneSided(), Unequal()])
def test_noise_is_found_for_an_efficiency(like):
    for wanted in (0.75, 0.25):
        found = at_efficiency(like, wanted)
        assert found.efficiency == pytest.approx(wanted, abs=1e-7)
        assert type(found) is type(like)


def test_a_family_says_what_it_cannot_reach():
    with pytest.raises(Unreachable, match="still leaves") as short:
        at_efficiency(Graded(), 0.5)
    side = Graded(noise=8.0)
    assert short.value.left == pytest.approx(side.efficiency, abs=1e-9)
    # whatever the noise, the side of the median is known
    m = side.middle
    wrong, right = (1 - 0.43) * norm.cdf(m), 0.43 * norm.cdf(m - 1.6)
    low = wrong + right
    known = binary_entropy(0.43) - low * binary_entropy(right / low)
    known -= (1 - low) * binary_entropy((0.43 - right) / (1 - low))
    assert side.information() > float(known)
    assert side.information() == pytest.approx(float(known), rel=0.02)
    with pytest.raises(MetacogError, match="two kinds"):
        Mixture(accuracy=0.1, guess_right=0.25)


def test_same_table_keeps_the_table_and_lowers_the_efficiency():
    base = Answerer(signal=1.0)
    other = same_table(base, 0.4)
    assert other.efficiency == pytest.approx(0.4, abs=1e-6)
    assert other.signal / np.hypot(1, other.noise) == pytest.approx(base.signal, rel=1e-9)
    assert np.allclose(other.table(), base.table(), atol=1e-9)


# ---------------------------------------------------------------- an independent check's figures


@pytest.mark.parametrize(
    ("answerer", "efficiency", "ratio"),
    [
        *(
            (Lapses(noise=n), e, m)
            for n, e, m in zip(
                (0, 0.1, 0.2, 0.35, 0.5),
                (1, 0.77, 0.59, 0.38, 0.22),
                (1, 0.91, 0.85, 0.79, 0.75),
                strict=True,
            )
        ),
        (Graded(noise=0.5), 0.92, 0.84),
        (Graded(noise=1.0), 0.84, 0.63),
        (Graded(noise=2.0), 0.77, 0.39),
        (at_efficiency(HeavyTails(), 0.26), 0.26, 0.48),
        (Mixture(guess_right=0.25), 1.0, 1.20),
    ],
)
def test_figures_of_the_independent_check(answerer, efficiency, ratio):
    assert answerer.efficiency == pytest.approx(efficiency, abs=0.006)
    assert m_ratio(answerer) == pytest.approx(ratio, abs=0.01)


@pytest.mark.parametrize("accuracy", [0.1, 0.9])
def test_lapses_raise_the_ratio_where_few_or_most_are_right(accuracy):
    found = [m_ratio(Lapses(accuracy=accuracy, signal=2.4, noise=n)) for n in (0.1, 0.5)]
    assert found == pytest.approx([1.30, 1.71], abs=0.005)


# ---------------------------------------------------------------- tables and measures


def test_equal_values_of_confidence_keep_one_rating():
    answerer = Levels(accuracy=0.3, levels=3, noise=0.5)
    s1, s2 = answerer.tables(1000, 4, np.random.default_rng(0))
    assert (((s1 + s2) > 0).sum(axis=1) <= 3).all() and (s1 + s2).sum(axis=1).tolist() == [1000] * 4
    wrong, right = answerer.table()
    assert ((wrong + right) > 0).sum() <= 3 and wrong.sum() + right.sum() == pytest.approx(1)


@pytest.mark.parametrize("levels", [2, 3, 5, 11])
def test_levels_are_rated_by_the_rule_of_the_study(levels):
    answerer = Levels(accuracy=0.3, levels=levels, noise=0.5)
    s1, s2 = answerer.tables(1003, 1, np.random.default_rng(4))
    right, y = answerer.sample((1, 1003), np.random.default_rng(4))
    value = np.searchsorted(answerer.borders(), y[0], side="right").astype(float)
    edges = quantile_edges(value, 8)
    found = counts(right[0], rate(value, edges), 8)
    assert s1[0].tolist() == found.nR_S1.tolist() and s2[0].tolist() == found.nR_S2.tolist()


def test_two_levels_have_no_m_ratio():
    wrong, right = correction_grid.expected(Levels(levels=2))
    found = correction_recovery.measures_of(wrong[None], right[None])
    assert np.isnan(found["m_ratio"]).all()
    assert found["meta_i2r"][0] > 0.1


def test_levels_lose_information_by_being_cut():
    lost = [Levels(levels=n).efficiency for n in (2, 3, 5, 11)]
    assert (np.diff(lost) > 0).all() and 0.5 < lost[0] < 0.8 and 0.95 < lost[-1] < 1
    assert replace(Levels(levels=5), noise=1.0).efficiency < Answerer(noise=1.0).efficiency
