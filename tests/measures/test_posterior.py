"""Tables of posteriors. Oracles: draws with known quantiles, counts the model predicts and cannot predict."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from metacog.measures import posterior
from metacog.sdt import InputError, meta_d_observer
from metacog.sdt.bayes import predict_roc
from metacog.sdt.bayes.record import Posterior, build_record
from metacog.verdicts.posterior_words import against_one, predictive_sentence, reason, sampling_sentence

Q = norm.ppf((np.arange(4000) + 0.5) / 4000)
NAMES = ["clear", "near", "apart", "unsure", "nothing", "chance"]
LABELS = pd.DataFrame({"model": NAMES, "task": "T"})


def made(d, meta_d):
    """A record of given draws `(B, 4000)` of d' and meta-d', as four chains in random order."""
    order = np.random.default_rng(0).permutation(Q.size)
    x = np.zeros((len(d), 4, Q.size // 4, 5))
    x[..., 0], x[..., 2] = (np.asarray(v)[:, order].reshape(len(d), 4, -1) for v in (d, meta_d))
    x[..., 1] = Q[order].reshape(4, -1)
    x[..., 3], x[..., 4] = x[..., 1] - 1, x[..., 1] + 1
    counts = np.ones((len(d), 2, 4))
    return build_record(x, np.zeros(x.shape[:3], dtype=bool), counts, 0.95, 1)


@pytest.fixture(scope="module")
def known():
    """log M-ratio is normal: outside the ROPE, inside, at its edge, about 0; M-ratio about 0; d' about 0."""
    two = 2 + 0.01 * np.random.default_rng(1).permutation(Q)
    logs = [np.log(0.8) + 0.02 * Q, -0.02 + 0.005 * Q, -0.06 + 0.02 * Q, 0.01 + 0.02 * Q]
    ratios = [np.exp(v) for v in logs] + [0.13 * Q]
    return made([*[two] * 5, 0.3 + 0.2 * Q], [*(two * r for r in ratios), 0.5 + 0.1 * two])


def test_means_intervals_and_decisions_follow_from_the_draws(known):
    table = posterior.posterior_table(known, LABELS)
    assert table["model"].tolist() == NAMES and len(table) == 6
    decided = ["significant", "negligible", "inconclusive", "not significant", "significant", "no decision"]
    assert table["decision"].tolist() == decided
    row = table.iloc[0]
    assert row["log_m_ratio"] == pytest.approx(np.log(0.8), abs=1e-6)
    assert row["log_m_ratio_lower"] == pytest.approx(np.log(0.8) - 1.96 * 0.02, abs=3e-4)
    assert row["m_ratio_upper"] == pytest.approx(0.8 * np.exp(1.96 * 0.02), abs=3e-4)
    assert row["d_prime"] == pytest.approx(2, abs=1e-6) and row["c_upper"] == pytest.approx(1.96, abs=0.01)
    assert row["d_prime_lower"] == pytest.approx(2 - 0.0196, abs=1e-4)


def test_where_m_ratio_cannot_be_judged_the_table_has_the_shares_that_say_why(known):
    table = posterior.posterior_table(known, LABELS).set_index("model")
    assert table["judged"].tolist() == [True] * 5 + [False]
    assert table.loc["chance", "near_zero"] == pytest.approx(norm.cdf(-1), abs=1e-3)
    assert "below 0.1" in reason(table.loc["chance"]) and reason(table.loc["clear"]) == ""
    assert table["m_ratio"].isna().tolist() == [False] * 5 + [True], "the mean of such a ratio does not exist"
    assert table["m_ratio_lower"].notna().all()


def test_confidence_that_tells_nothing_is_a_finding_where_d_prime_is_large(known):
    """World: d' is 2, M-ratio about 0; half of its draws are at or below 0, and leaving it out would hide the zero."""
    row = posterior.posterior_table(known, LABELS).set_index("model").loc["nothing"]
    assert row["not_positive"] == 0.5 and row["judged"] and row["m_ratio"] == pytest.approx(0, abs=0.01)
    assert (row["m_ratio_lower"], row["m_ratio_upper"]) == pytest.approx((-0.255, 0.255), abs=0.01)
    assert row["log_m_ratio_lower"] == -np.inf and np.isnan(row["log_m_ratio"])
    assert row["log_m_ratio_upper"] == pytest.approx(np.log(row["m_ratio_upper"]))
    assert against_one(row) == "practically less than 1, and not shown to be above 0"


def test_monte_carlo_errors_stand_beside_what_they_are_of(known):
    row = posterior.posterior_table(known, LABELS).iloc[0]
    assert row["d_prime_error"] == pytest.approx(0.01 / np.sqrt(Q.size), rel=0.3)
    assert row["d_prime_upper_error"] > row["d_prime_error"] > 0


def test_a_wider_rope_takes_more_for_no_difference(known):
    reported = posterior.posterior_table(known, LABELS, rope=0.12)["decision"].tolist()
    assert reported[:3] == ["significant", "negligible", "negligible"]


def test_labels_must_fit(known):
    with pytest.raises(InputError, match="6 tables and 2 rows"):
        posterior.posterior_table(known, LABELS.head(2))
    with pytest.raises(InputError, match="may not be called c"):
        posterior.posterior_table(known, LABELS.assign(c=1))


AGREE = "The chains agree."


def test_sampling_is_judged_by_r_hat_effective_draws_and_divergences(known):
    quality = posterior.sampling_quality(known)
    assert quality.sound and (quality.chains, quality.draws, quality.divergences) == (4, 1_000, 0)
    assert sampling_sentence(quality).startswith(AGREE)
    apart = known.posterior.copy()
    apart[0, 0, :, 0] += 0.5  # one chain of one table sits elsewhere
    diverging = np.zeros(apart.shape[:3], dtype=bool)
    diverging[1, 2, 3:5] = True
    bad = build_record(apart, diverging, known.counts, 0.95, 1)
    quality = posterior.sampling_quality(bad)
    assert not quality.sound and quality.divergences == 2
    reported = sampling_sentence(quality)
    for words in ("2 draws diverged", "R-hat is above 1.01", "effective draws", "parts of the posterior"):
        assert words in reported, reported


@pytest.mark.parametrize(
    ("r_hat", "bulk", "words"),
    [
        (1.01003, 399.7, ("at most 1.01003,", "draws 399.7 (bulk)", "R-hat is above 1.01", "fewer than 400")),
        (1.0104, 400.2, ("at most 1.0104,", "draws 400 (bulk)", "R-hat is above 1.01")),
        (1.0098, 1234.6, ("at most 1.010,", "draws 1,235 (bulk)", "no draw diverged.")),
        (float("nan"), 900.0, ("at most nan,", "R-hat is above 1.01")),
    ],
)
def test_rounding_does_not_contradict_what_a_sentence_claims(r_hat, bulk, words):
    """Oracle: the figures themselves, on their own side of 1.01 and 400."""
    fit = SimpleNamespace(
        group_draws=np.zeros((4, 10, 1)), r_hat=r_hat, ess_bulk=bulk, ess_tail=2000.0, divergences=0
    )
    quality = posterior.sampling_quality(fit)
    reported = sampling_sentence(quality)
    assert all(word in reported for word in words), reported
    assert reported.startswith(AGREE) == quality.sound


@pytest.fixture(scope="module")
def checked():
    """Draws close about one observer: counts that it makes, and counts it cannot make."""
    observer = meta_d_observer(1.5, m_ratio=1.2, c=0.0, n_ratings=3)
    own = np.rint(np.stack(observer.probabilities()) * 3000)
    odd = np.array([[900, 500, 800, 100, 10, 290], [290, 10, 100, 800, 500, 900]])
    counts = np.stack([own, odd])
    truth = [observer.d_prime, observer.c, observer.meta_d]
    truth += [*observer.t2_criteria_rS1, *observer.t2_criteria_rS2]
    x = truth + 0.01 * np.random.default_rng(3).standard_normal((2, 2, 300, 7))
    fit = build_record(x, np.zeros(x.shape[:3], dtype=bool), counts, 0.95, 1)
    return predict_roc(fit, n_replicates=400), pd.DataFrame({"model": ["model's own", "odd"]}), counts


def test_the_predictive_check_tells_ratings_that_the_model_does_not_make(checked):
    check, labels, _ = checked
    table = posterior.predictive_table(check, labels)
    assert table["model"].tolist() == ["model's own", "odd"]
    assert table["fits"].tolist() == [True, False]
    assert table["rates"].tolist() == [12, 12] and table["inside"].iloc[0] == 12 > table["inside"].iloc[1]
    assert table["p_value"].tolist() == check.p_value.tolist()
    reported = predictive_sentence(table)
    assert "1 of" in reported and f"{table['furthest'].iloc[1]:.3f}" in reported


def test_predictive_points_are_shares_of_the_counts(checked):
    check, labels, counts = checked
    points = posterior.predictive_points(check, labels)
    assert len(points) == 2 * 3 * 2
    row = points[(points["model"] == "odd") & (points["response"] == "S2") & (points["confidence_from"] == 3)]
    wrong, right = counts[1][:, 3:]
    assert row["hit"].iloc[0] == pytest.approx(right[2] / right.sum())
    assert row["false_alarm"].iloc[0] == pytest.approx(wrong[2] / wrong.sum())
    inside = points.groupby("model", sort=False)["inside"].all()
    assert inside.tolist() == [True, False]
    assert points["hit_mean"].between(points["hit_lower"], points["hit_upper"]).all()


def test_a_group_is_judged_in_each_condition():
    mu = np.stack([np.log(0.8) + 0.02 * Q, 0.01 * Q], axis=-1)
    draws = np.concatenate([mu, 0.1 + 0 * mu], axis=-1).reshape(4, -1, 4)

    def part(x):
        x = np.atleast_2d(x.T)
        ends = np.quantile(x, [0.025, 0.975], axis=1)
        return Posterior(x.mean(axis=1), *ends, np.ones(len(x)), np.full(len(x), 4000.0))

    fit = SimpleNamespace(
        m_ratio=part(np.exp(mu)),
        mu=part(mu),
        sigma=part(np.full(4000, 0.1)),
        tau=part(np.full(4000, 0.3)),
        conditions=("A", "B"),
        condition_of=("A", "A", "A", "B"),
        r_hat=1.02,
        ess_bulk=500.0,
        ess_tail=300.0,
        divergences=1,
        level=0.95,
        group_draws=draws,
    )
    table = posterior.group_table(fit)
    assert table["condition"].tolist() == ["A", "B"] and table["tables"].tolist() == [3, 1]
    assert table["decision"].tolist() == ["significant", "not significant"]
    assert table["log_m_ratio_lower"].iloc[0] == pytest.approx(np.log(0.8) - 0.0392, abs=1e-3)
    assert table["sigma"].tolist() == pytest.approx([0.1, 0.1])
    assert table["tau"].tolist() == pytest.approx([0.3, 0.3])
    quality = posterior.sampling_quality(fit)
    assert quality.divergences == 1 and not quality.sound
    assert "1 draw" in sampling_sentence(quality) and "not sound" in sampling_sentence(quality)
