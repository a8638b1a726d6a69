"""The hierarchical model: fine sums, a joint sampler, recovery of known groups, precise and odd tables."""

import numpy as np
import pytest
from reference_pages import example_fails
from reference_posteriors import FOLDER, apart, reference
from scipy.special import logsumexp

from metacog.sdt import InputError, meta_d_observer
from metacog.sdt import _meta_d_batch as engine
from metacog.sdt.bayes import fit_group
from metacog.studies.codec import read_record, write_record

SIZES = {"n_chains": 2, "n_draws": 500, "n_warmup": 300}
SUBJECT, CONDITION = [f"s{i}" for i in range(8)] * 2, ["easy"] * 8 + ["hard"] * 8


def tables(m_ratios, n_trials, seed, n_ratings=3):
    rng = np.random.default_rng(seed)
    drawn = [
        meta_d_observer(rng.normal(1.5, 0.3), m_ratio=m, n_ratings=n_ratings).counts(
            n, seed=int(rng.integers(2**31))
        )
        for m, n in zip(m_ratios, np.broadcast_to(n_trials, len(m_ratios)), strict=True)
    ]
    return np.concatenate([d[0] for d in drawn]), np.concatenate([d[1] for d in drawn])


@pytest.fixture(scope="module")
def repeated():
    """Tables of eight subjects in two tasks: log M = mu_task + 0.4 b + 0.1 e, mu = log 0.9 and log 0.45.

    Every other subject gave 600 trials a task, the rest 20,000.
    """
    rng = np.random.default_rng(3)
    b = rng.normal(0, 0.4, 8)
    logs = [np.log(mu) + b + rng.normal(0, 0.1, 8) for mu in (0.9, 0.45)]
    trials = np.where(np.arange(16) % 2 == 0, 20_000, 600)
    return np.exp(logs), tables(np.exp(np.concatenate(logs)), trials, 3)


@pytest.fixture(scope="module")
def fit(repeated):
    return fit_group(*repeated[1], subject=SUBJECT, condition=CONDITION, **SIZES)


@pytest.fixture(scope="module")
def small():
    """Six subjects of 200 trials, M-ratio 0.8 and sd of log M 0.3."""
    counts = tables(np.exp(np.random.default_rng(8).normal(np.log(0.8), 0.3, 6)), 200, 8)
    return counts, fit_group(*counts, **SIZES)


@pytest.mark.real
def test_a_known_group_comes_back(repeated, fit):
    """The truth that the tables were drawn from; subjects of few and of many trials together."""
    true, _ = repeated
    assert fit.conditions == ("easy", "hard")
    for i, logs in enumerate(np.log(true)):
        assert fit.mu.lower[i] < logs.mean() < fit.mu.upper[i]
    assert fit.divergences == 0
    assert fit.r_hat < 1.03, fit.r_hat
    assert fit.importance_efficiency.min() > 0.3
    z = (fit.table_m_ratio.estimate - true.ravel()) / (fit.table_m_ratio.upper - fit.table_m_ratio.lower)
    assert np.abs(z).max() < 1 and np.abs(z).mean() < 0.35
    width = (fit.table_m_ratio.upper - fit.table_m_ratio.lower) / fit.table_m_ratio.estimate
    assert np.median(width[::2]) < 0.2 < np.median(width[1::2])  # 20,000 and 600 trials
    assert fit.sigma.estimate[0] < fit.tau.estimate[0]  # subjects differ more than they vary
    assert len(fit.summary()) == 2 + 2 + 1 + 1


def test_the_reference_posterior_agrees(small):
    """Oracle: the model in NumPyro's words, all parameters sampled at length."""
    counts, fit = small
    np.testing.assert_array_equal(reference("six_subjects")[0], np.stack(counts, axis=1))
    draws = {"mu": fit.group_draws[..., 0], "sigma": fit.group_draws[..., 1]}
    far = apart("six_subjects", draws)
    assert max(far.values()) < 4, max(far, key=far.get)
    assert apart("six_subjects", {**draws, "sigma": 1.5 * draws["sigma"]})["sigma", "mean"] > 4
    assert sum(f.stat().st_size for f in FOLDER.glob("*.json")) < 200_000


def test_sums_over_the_effects_agree_with_fine_ones(repeated):
    """Oracle: the same integrals by 4,001 points each, for precise tables, vague ones and none but chance."""
    import jax
    import jax.numpy as jnp

    from metacog.sdt.bayes import _marginal, _models
    from metacog.sdt.bayes.group import _type1_starts

    _, (a, b) = repeated
    more = [meta_d_observer(d, m_ratio=m, n_ratings=3).counts(100, seed=4) for d, m in ((0.1, 1), (1.2, 0.1))]
    a, b = (np.concatenate([x[:2], *(t[i] for t in more)]).astype(float) for i, x in enumerate((a, b)))
    counts = np.moveaxis(np.stack([engine._fold(a), engine._fold(b)]), -1, 0)
    with engine._float64():
        alone = _marginal.marginal(counts, _type1_starts(a, b), 1)
        t = _models.tables(alone, np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1]))
        log_evidence, log_marginal = jax.jit(_models.log_evidence), jax.jit(_models.log_marginal)
        log_posterior = jax.jit(_models.log_group_posterior)
        for sigma in (0.03, 0.2, 0.6, 1.5):
            for mean in (-0.8, -0.2, 0.3):
                found = np.asarray(log_evidence(t, jnp.full((8, 1), mean), sigma))[:4, 0]
                l = mean + sigma * np.linspace(-9, 9, 4001)
                log_l = np.asarray(log_marginal(t, jnp.tile(l, (8, 1))))[:4]
                step = (l[1] - l[0]) / (sigma * np.sqrt(2 * np.pi))
                fine = logsumexp(log_l - 0.5 * ((l - mean) / sigma) ** 2, axis=1) + np.log(step)
                seen = fine > alone.log_l.max(axis=1) - 15  # else no draw comes here
                assert seen.any() and np.abs(found - fine)[seen].max() < 2e-3, (sigma, mean, found - fine)
        # the integral over b, with mu = -0.2, sigma = 0.2 and tau = 0.5
        x = {"mu": jnp.array([-0.2]), "sigma": jnp.log(jnp.expm1(jnp.array([0.2])))}
        base = float(log_posterior({**x, "tau": jnp.zeros(0)}, (t, np.zeros(8))))
        evidence = np.asarray(log_evidence(t, jnp.full((8, 1), -0.2), jnp.array(0.2))).sum()
        both = {**x, "tau": jnp.log(jnp.expm1(jnp.array([0.5])))}
        found = float(log_posterior(both, (t, np.zeros(8)))) - (base - evidence)
        b = np.linspace(-8, 8, 4001)
        each = np.asarray(log_evidence(t, jnp.tile(-0.2 + 0.5 * b, (8, 1)), jnp.array(0.2)))
        inside = np.stack([each[:2].sum(axis=0), each[2:4].sum(axis=0)]) - 0.5 * b**2
        fine = (logsumexp(inside, axis=1) + np.log((b[1] - b[0]) / np.sqrt(2 * np.pi))).sum()
        prior_of_tau = -0.5 * 0.5**2 + np.log(-np.expm1(-0.5))
        assert found == pytest.approx(fine + prior_of_tau, abs=2e-3)


@pytest.mark.real
def test_tasks_are_compared_within_subjects(repeated, fit):
    true, _ = repeated
    apart = fit.difference("easy", "hard")
    of_these = np.log(true[0] / true[1]).mean()  # log 2 but for the noise of the subjects drawn
    assert apart.lower[0] < of_these < apart.upper[0] and apart.lower[0] > 0
    # subjects' common effect cancels: far narrower than if the two groups were independent
    independent = np.hypot(*(fit.mu.upper - fit.mu.lower))
    assert apart.upper[0] - apart.lower[0] < 0.8 * independent
    with pytest.raises(InputError, match="no condition named 'none'"):
        fit.difference("easy", "none")


def test_odd_tables_are_fitted(small):
    """No errors, one response, one confidence, few trials, below chance, ratings worse than none."""
    odd = np.array(
        [
            [[50, 30, 10, 0, 0, 0], [0, 0, 0, 10, 20, 60]],
            [[0, 0, 0, 30, 40, 30], [0, 0, 0, 20, 30, 50]],
            [[80, 0, 0, 0, 0, 20], [15, 0, 0, 0, 0, 85]],
            [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 1]],
            [[5, 5, 10, 40, 15, 15], [30, 20, 15, 15, 5, 5]],
            [[10, 20, 40, 2, 3, 10], [10, 3, 2, 40, 20, 10]],
        ]
    )
    fit = fit_group(odd[:, 0], odd[:, 1], **SIZES)
    assert np.isfinite(fit.table_m_ratio.estimate).all() and np.isfinite(fit.table_d_prime.estimate).all()
    assert fit.table_d_prime.upper[4] < 0 < fit.table_d_prime.lower[0]
    assert fit.table_m_ratio.estimate[5] == fit.table_m_ratio.estimate.min()
    # a table of four trials says next to nothing, so it is drawn to the group
    width = fit.table_m_ratio.upper - fit.table_m_ratio.lower
    assert width[3] > np.median(width)
    assert fit.divergences == 0 and fit.r_hat < 1.03


def test_a_group_whose_confidence_never_errs_is_held_by_the_prior():
    """Simulated with mu = 3.2. Oracle: all parameters sampled at once (`benchmarks/calibrating/stated.py`)."""
    s1 = [(0, 0, 70, 0, 0, 30), (57, 0, 0, 43, 0, 0), (0, 0, 0, 0, 0, 100), (56, 0, 0, 44, 0, 0)]
    s1 += [(0, 0, 9, 0, 0, 91), (0, 0, 40, 0, 0, 60), (0, 0, 50, 0, 0, 50), (87, 0, 0, 11, 2, 0)]
    s2 = [(84, 0, 0, 16, 0, 0), (0, 0, 13, 0, 0, 87), (85, 0, 0, 15, 0, 0), (12, 30, 1, 0, 0, 57)]
    s2 += [(49, 0, 0, 51, 0, 0), (83, 0, 0, 17, 0, 0), (91, 0, 0, 8, 1, 0), (0, 18, 52, 0, 0, 30)]
    found = fit_group(s1, s2, seed=19, n_draws=500, n_warmup=400)
    mean, sd = 3.546, 0.528
    assert found.r_hat < 1.05
    assert abs(found.mu.estimate[0] - mean) < sd


def test_the_record_is_stored_and_read(small, tmp_path):
    _, fit = small
    write_record(fit, tmp_path, {})
    again = read_record(tmp_path)
    assert again.subjects == fit.subjects
    np.testing.assert_array_equal(again.group_draws, fit.group_draws)
    assert fit.summary()["quantity"].tolist() == ["m_ratio", "mu", "sigma", "tau"]


def test_a_group_needs_tables_and_labels_that_fit():
    s1, s2 = tables([0.8, 0.8], 200, 1)
    with pytest.raises(InputError, match="at least two tables"):
        fit_group(s1[:1], s2[:1])
    with pytest.raises(InputError, match="one label for each of the 2"):
        fit_group(s1, s2, condition=["a"])
    with pytest.raises(InputError, match="two tables in one condition"):
        fit_group(s1, s2, subject=["a", "a"])


def test_the_example_of_the_reference_prints_what_it_says():
    assert example_fails("metacog.sdt.bayes.fit_group") == ""
