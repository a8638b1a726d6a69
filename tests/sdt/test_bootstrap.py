"""Bootstrap of meta-d'. Oracles: published intervals, resampling of single trials, scipy's BCa."""

import numpy as np
import pytest
from scipy import stats
from sdt_published import cacioli_cells, published

from metacog.sdt import InputError, bootstrap_meta_d, bootstrap_meta_d_many, fit_meta_d, fit_meta_d_batch
from metacog.sdt.resampling import resample_tables

A = np.array([36, 24, 17, 20, 10, 12, 9, 2])
B = np.array([1, 4, 10, 11, 19, 18, 28, 39])


@pytest.mark.parametrize("row", published("cacioli_v1_h1_full_precision.csv"), ids=lambda r: r["model"])
def test_published_intervals(row):
    """10,000 resamples, seed 42; the printed ends carry Monte-Carlo error of their own."""
    a, b = cacioli_cells()[row["model"], "triviaqa"]
    r = bootstrap_meta_d(a, b)
    assert r.ci_m_ratio[0] == pytest.approx(float(row["ci_lo"]), abs=0.006)
    assert r.ci_m_ratio[1] == pytest.approx(float(row["ci_hi"]), abs=0.006)
    assert r.n_valid >= 9_998 and r.n_valid + sum(r.dropped.values()) == 10_000
    assert r.estimate.m_ratio == fit_meta_d(a + 0.5, b + 0.5).m_ratio


def test_record_is_what_its_draws_say():
    r = bootstrap_meta_d(A, B, n_resamples=2_000, seed=7, pad=0.5)
    a, b = resample_tables(A, B, 2_000, np.random.default_rng(7))
    again = fit_meta_d_batch(a + 0.5, b + 0.5)
    np.testing.assert_allclose(r.m_ratio, again.m_ratio, atol=1e-10)
    np.testing.assert_allclose(r.d_prime, again.d_prime, atol=1e-13)
    assert r.ci_meta_d == pytest.approx(np.percentile(again.meta_d, [2.5, 97.5]), abs=1e-10)
    assert r.ci_d_prime == pytest.approx(np.percentile(again.d_prime, [2.5, 97.5]), abs=1e-12)
    wide = bootstrap_meta_d(A, B, n_resamples=2_000, seed=7, level=0.99)
    assert wide.ci_m_ratio[0] < r.ci_m_ratio[0] < r.ci_m_ratio[1] < wide.ci_m_ratio[1]


def test_seeds_and_many_tables():
    tables = np.stack([A, A + 3, A[::-1]]), np.stack([B, B, B[::-1]])
    many = bootstrap_meta_d_many(*tables, n_resamples=300, seed=5, s=[1.0, 0.8, 1.0])
    children = np.random.SeedSequence(5).spawn(3)
    for i, s in enumerate((1.0, 0.8, 1.0)):
        one = bootstrap_meta_d(tables[0][i], tables[1][i], n_resamples=300, seed=children[i], s=s)
        np.testing.assert_allclose(many[i].m_ratio, one.m_ratio, atol=1e-10)
        assert many[i].ci_m_ratio == pytest.approx(one.ci_m_ratio, abs=1e-10)
    one, again, other = (bootstrap_meta_d(A, B, n_resamples=50, seed=seed).ci_d_prime for seed in (1, 1, 2))
    assert one == again != other


def test_dropped_resamples_are_counted_by_reason_and_enter_nothing():
    """A tiny table without padding: some resamples have rates of 0 or 1, some maxima at infinity."""
    a, b = np.array([5, 3, 1, 1]), np.array([1, 2, 2, 5])
    r = bootstrap_meta_d(a, b, n_resamples=3_000, seed=3, pad=0.0)
    assert r.dropped["undefined"] > 0 and r.dropped["not converged"] > 0 and r.dropped["extreme"] > 0
    assert r.n_valid == 3_000 - sum(r.dropped.values()) == np.isfinite(r.m_ratio).sum()
    assert np.nanmax(np.abs(r.m_ratio)) < 10
    x, y = resample_tables(a, b, 3_000, np.random.default_rng(3))
    fits = fit_meta_d_batch(x, y, undefined="flag")
    assert r.dropped["undefined"] == (fits.boundary == "undefined").sum()
    assert r.dropped["not converged"] == (~fits.converged & (fits.boundary != "undefined")).sum()
    assert np.isnan(r.m_ratio[~fits.converged]).all()
    kept = r.m_ratio[np.isfinite(r.m_ratio)]
    assert r.ci_m_ratio == pytest.approx(np.percentile(kept, [2.5, 97.5]), abs=1e-12)
    tight = bootstrap_meta_d(a, b, n_resamples=3_000, seed=3, pad=0.0, m_ratio_limit=2.0)
    assert tight.dropped["extreme"] > r.dropped["extreme"] and np.nanmax(np.abs(tight.m_ratio)) < 2


def test_bca_of_d_prime_agrees_with_scipy():
    """scipy resamples the trials and takes its own jackknife; ends agree within Monte-Carlo error."""
    a, b = np.array([30, 8, 3, 1]), np.array([1, 1, 4, 30])
    cell = np.repeat(np.arange(8), np.concatenate([a, b]))

    def d_prime(x, axis=-1):
        n = [np.sum(x == i, axis=axis) + 0.5 for i in range(8)]
        hit = (n[6] + n[7]) / (n[4] + n[5] + n[6] + n[7])
        false_alarm = (n[2] + n[3]) / (n[0] + n[1] + n[2] + n[3])
        return stats.norm.ppf(hit) - stats.norm.ppf(false_alarm)

    n = 20_000
    theirs = stats.bootstrap(
        (cell,),
        d_prime,
        n_resamples=n,
        method="BCa",
        vectorized=True,
        rng=np.random.default_rng(1),
        batch=2_000,
    )
    bca = bootstrap_meta_d(a, b, n_resamples=n, seed=2, interval="bca")
    plain = bootstrap_meta_d(a, b, n_resamples=n, seed=2)
    spread = theirs.bootstrap_distribution.std()
    error = 4 * np.sqrt(2) * np.sqrt(0.025 * 0.975 / n) / stats.norm.pdf(1.96) * spread
    for ours, their, percentile in zip(
        bca.ci_d_prime, theirs.confidence_interval, plain.ci_d_prime, strict=True
    ):
        assert abs(ours - their) < error
        assert abs(percentile - their) > error  # so the percentile interval would not pass


def test_bca_moves_every_interval_and_allows_strata():
    plain = bootstrap_meta_d(A, B, n_resamples=2_000, seed=1)
    bca = bootstrap_meta_d(A, B, n_resamples=2_000, seed=1, interval="bca")
    strata = bootstrap_meta_d(A, B, n_resamples=2_000, seed=1, interval="bca", scheme="stratified")
    for name in ("ci_d_prime", "ci_meta_d", "ci_m_ratio"):
        assert getattr(plain, name) != getattr(bca, name)
        assert np.isfinite(getattr(strata, name)).all()
    np.testing.assert_array_equal(plain.m_ratio, bca.m_ratio)


def test_bca_of_a_lower_level_holds_less():
    wide, half = (
        bootstrap_meta_d(A, B, n_resamples=600, seed=1, interval="bca", level=level) for level in (0.95, 0.5)
    )
    assert wide.ci_m_ratio[0] < half.ci_m_ratio[0] < half.ci_m_ratio[1] < wide.ci_m_ratio[1]
    held = (half.ci_m_ratio[0] <= half.m_ratio) & (half.m_ratio <= half.ci_m_ratio[1])
    assert held.mean() == pytest.approx(0.5, abs=0.02)


def test_bca_of_one_draw_is_unknown():
    one = bootstrap_meta_d(A, B, n_resamples=1, seed=1, interval="bca")  # on one side of the estimate
    for ends in (one.ci_d_prime, one.ci_meta_d, one.ci_m_ratio):
        assert np.isnan(ends).all() and len(ends) == 2


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        (A + 0.5, B, {}, "whole numbers"),
        (A, B, {"n_resamples": 0}, "at least 1"),
        (A, B, {"scheme": "cells"}, "Unknown scheme"),
        (A, B, {"interval": "wald"}, "Unknown interval"),
        (A, B, {"level": 1.5}, "between 0 and 1"),
        (A, B, {"pad": -1.0}, "at least 0"),
        (-A, B, {}, "negative"),
        ([9, 3, 0, 0], [1, 2, 3, 4], {"pad": 0.0}, "rate is 0 or 1"),
    ],
)
def test_bad_input(a, b, options, message):
    with pytest.raises(InputError, match=message):
        bootstrap_meta_d(a, b, **{"n_resamples": 10, **options})
    if "n_resamples" not in options:
        with pytest.raises(InputError, match=message):
            bootstrap_meta_d_many([a], [b], **{"n_resamples": 10, **options})
