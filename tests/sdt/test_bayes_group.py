"""The hierarchical model: recovery of a known group, shrinkage, repeated measures."""

import numpy as np
import pytest

from metacog.sdt import InputError, meta_d_observer
from metacog.sdt.bayes import fit_group
from metacog.studies.codec import read_record, write_record


def tables(m_ratios, n_trials, seed):
    rng = np.random.default_rng(seed)
    drawn = [
        meta_d_observer(rng.normal(1.5, 0.3), m, n_ratings=2).counts(n_trials, seed=int(rng.integers(2**31)))
        for m in m_ratios
    ]
    return np.concatenate([d[0] for d in drawn]), np.concatenate([d[1] for d in drawn])


@pytest.fixture(scope="module")
def repeated():
    """Eight subjects in two tasks: log M = mu_task + 0.4 b + 0.1 e, mu = log 0.9 and log 0.45."""
    rng = np.random.default_rng(3)
    b = rng.normal(0, 0.4, 8)
    logs = [np.log(mu) + b + rng.normal(0, 0.1, 8) for mu in (0.9, 0.45)]
    s1, s2 = tables(np.exp(np.concatenate(logs)), 600, 3)
    subject, condition = [f"s{i}" for i in range(8)] * 2, ["easy"] * 8 + ["hard"] * 8
    sizes = {"n_chains": 2, "n_draws": 400, "n_warmup": 300}
    return np.exp(logs), fit_group(s1, s2, subject=subject, condition=condition, **sizes)


def test_a_known_group_comes_back(repeated):
    true, fit = repeated
    assert fit.conditions == ("easy", "hard")
    for i, logs in enumerate(np.log(true)):
        assert fit.mu.lower[i] < logs.mean() < fit.mu.upper[i]
    assert fit.divergences <= 0.01 * fit.group_draws[..., 0].size, fit.divergences
    assert fit.r_hat < 1.05, fit.r_hat
    z = (fit.table_m_ratio.estimate - true.ravel()) / (fit.table_m_ratio.upper - fit.table_m_ratio.lower)
    assert np.abs(z).max() < 1 and np.abs(z).mean() < 0.35
    assert fit.sigma.estimate[0] < fit.tau.estimate[0]  # subjects differ more than they vary


def test_tasks_are_compared_within_subjects(repeated):
    _, fit = repeated
    apart = fit.difference("easy", "hard")
    assert apart.lower[0] < np.log(0.9 / 0.45) < apart.upper[0] and apart.lower[0] > 0
    # subjects' common effect cancels: far narrower than if the two groups were independent
    independent = np.hypot(*(fit.mu.upper - fit.mu.lower))
    assert apart.upper[0] - apart.lower[0] < 0.8 * independent
    with pytest.raises(InputError, match="no condition named 'none'"):
        fit.difference("easy", "none")


def test_the_record_is_stored_and_read(repeated, tmp_path):
    _, fit = repeated
    write_record(fit, tmp_path, {})
    again = read_record(tmp_path)
    assert again.subjects == fit.subjects
    np.testing.assert_array_equal(again.group_draws, fit.group_draws)
    assert len(fit.summary()) == 2 + 2 + 1 + 1


def test_a_group_needs_tables_and_labels_that_fit():
    s1, s2 = tables([0.8, 0.8], 200, 1)
    with pytest.raises(InputError, match="at least two tables"):
        fit_group(s1[:1], s2[:1])
    with pytest.raises(InputError, match="one label for each of the 2"):
        fit_group(s1, s2, condition=["a"])
    with pytest.raises(InputError, match="two tables in one condition"):
        fit_group(s1, s2, subject=["a", "a"])
