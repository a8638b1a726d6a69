"""The correction. Oracles: closed forms, other quadratures, simulation, and published tables."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from metacog.core.errors import MetacogError
from metacog.sdt.information import binary_entropy
from metacog.sdt.populations import confidence_population
from metacog.studies.study1_qa import correction, latent, published
from metacog.studies.study1_qa import correction_verdicts as say
from metacog.studies.study1_qa.cells import cells_from_counts
from metacog.studies.study1_qa.latent import Observer, at_efficiency, design, recover, same_table


@pytest.fixture(scope="module")
def measured() -> pd.DataFrame:
    return correction.published_measures(n_resamples=2000).table


@pytest.fixture(scope="module")
def noisy() -> latent.Recovery:
    return recover(design("noise"), n_trials=3000, n_repetitions=60, seed=1)


# ---------------------------------------------------------------- observers


@pytest.mark.parametrize(("accuracy", "signal", "noise", "slope"), [(0.5, 1.6, 0, 1), (0.3, 1.1, 0.7, 0.8)])
def test_gaussian_information_agrees_with_another_quadrature(accuracy, signal, noise, slope):
    observer = Observer("", accuracy, signal, noise, slope)
    wrong, right = norm(0, np.hypot(slope, noise)), norm(signal, np.hypot(1, noise))

    def remaining(y):
        a, b = (1 - accuracy) * wrong.pdf(y), accuracy * right.pdf(y)
        return (a + b) * float(binary_entropy(b / (a + b)))

    expected = float(binary_entropy(accuracy)) - quad(remaining, -12, 12, epsabs=1e-11, limit=200)[0]
    assert observer.information() == pytest.approx(expected, abs=1e-8)


def test_threshold_information_is_the_entropy_without_noise_and_matches_simulation_with_it():
    assert Observer("", 0.43, threshold=True).available == pytest.approx(
        float(binary_entropy(0.43)), abs=1e-12
    )
    observer = Observer("", 0.43, noise=0.8, threshold=True)
    right, y = observer.sample((1, 400_000), np.random.default_rng(0))
    assert right.mean() == pytest.approx(0.43, abs=0.004)
    bins = np.searchsorted(np.quantile(y, np.arange(1, 400) / 400), y[0])
    share = np.bincount(bins, right[0], 400) / np.bincount(bins, minlength=400)
    estimate = float(binary_entropy(right.mean())) - float(binary_entropy(share).mean())
    # 400 bins lose next to nothing and add (400 - 1)/(2 n ln 2) bits of bias
    assert observer.information() == pytest.approx(estimate - 399 / (2 * 400_000 * np.log(2)), abs=0.004)


@pytest.mark.parametrize("base", [Observer("", 0.43, 1.6), Observer("", 0.5, threshold=True)])
def test_noise_is_found_for_an_efficiency(base):
    for wanted in (0.8, 0.5, 0.25):
        found = at_efficiency(base, wanted)
        assert found.efficiency == pytest.approx(wanted, abs=1e-8)
        assert found.available == pytest.approx(base.available, abs=1e-12)
    with pytest.raises(MetacogError, match="efficiency"):
        at_efficiency(base, 1.2)


def test_same_table_keeps_the_table_and_lowers_the_efficiency():
    base = Observer("", 0.43, 1.0)
    other = same_table(base, 0.4)
    assert other.efficiency == pytest.approx(0.4, abs=1e-6)
    assert other.signal / np.hypot(1, other.noise) == pytest.approx(base.signal, rel=1e-9)
    assert other.information() == pytest.approx(base.information(), abs=1e-9)


def test_simulated_tables_have_equal_ratings():
    s1, s2 = latent.simulate_tables(Observer("", 0.43), 4000, 5, np.random.default_rng(0))
    assert s1.shape == s2.shape == (5, 8)
    assert (s1 + s2 == 500).all()
    assert (np.diff(s2.mean(axis=0)) > 0).all()


# ---------------------------------------------------------------- what measures recover


def test_m_ratio_does_not_see_efficiency_and_information_does(noisy):
    passed = [v.passed for v in say.recovery_verdicts(noisy)]
    assert passed == [False, True, True]
    ratio = noisy.of("m_ratio")
    assert ((ratio["lower"] < 1) & (ratio["upper"] > 1)).all()
    info = noisy.of("meta_i2r")
    # eight ratings lose 2 to 3 % of the information of continuous confidence
    assert np.allclose(info["ratio"], info["efficiency"], atol=0.03)
    rank = noisy.rank_correlation.set_index("measure")["mean"]
    assert abs(rank["m_ratio"]) < 0.35 and rank["meta_i2r"] > 0.99 and rank["auroc2"] > 0.99


def test_shape_moves_m_ratio_at_full_efficiency():
    recovery = recover(design("shape"), n_trials=5000, n_repetitions=40, seed=2)
    verdict = say.shape_verdict(recovery)
    assert verdict.passed and "M-ratio from" in verdict.sentence.split("Does not")[0]
    assert recovery.of("auroc2")["mean"].max() - recovery.of("auroc2")["mean"].min() < 0.01


def test_nothing_sees_through_an_unchanged_table():
    recovery = recover(design("same table"), n_trials=3000, n_repetitions=60, seed=3)
    verdict = say.same_table_verdict(recovery)
    assert verdict.passed and "none" in verdict.sentence
    assert [v.passed for v in say.recovery_verdicts(recovery)] == [False] * 3


def test_sentences_follow_the_numbers(noisy):
    swapped = {"m_ratio": "meta_i2r", "meta_i2r": "m_ratio", "auroc2": "auroc2", "z_slope": "z_slope"}
    table, rank = noisy.table, noisy.rank_correlation
    turned = replace(
        noisy,
        table=table.assign(measure=table["measure"].map(swapped)),
        rank_correlation=rank.assign(measure=rank["measure"].map(swapped)),
    )
    assert [v.passed for v in say.recovery_verdicts(turned)] == [True, False, True]


@pytest.mark.parametrize("accuracy", [0.2, 0.43, 0.6])
@pytest.mark.parametrize("d_a", [0.6, 1.4, 2.2])
def test_m_ratio_is_one_at_slope_one_by_construction(accuracy, d_a):
    assert correction.m_ratio_of_line(d_a, 1.0, accuracy / (1 - accuracy)) == pytest.approx(1, abs=2e-4)


def test_m_ratio_moves_with_slope_the_way_the_middle_cut_lies():
    low = correction.m_ratio_curve(0.15, [0.7, 1.0, 1.3])
    high = correction.m_ratio_curve(0.6, [0.7, 1.0, 1.3])
    assert (np.diff(low) < 0).all() and (np.diff(high) > 0).all()


# ---------------------------------------------------------------- published tables


def test_published_cells_give_both_versions(measured):
    printed = published.as_numbers("v1_h1_full_precision").set_index("model")
    trivia = measured[measured["dataset"] == "triviaqa"].set_index("model")
    for model in published.MODELS:
        assert trivia.loc[model, "m_ratio"] == pytest.approx(printed.loc[model, "m_ratio"], abs=1e-6)
    v2 = published.as_numbers("v2_aggregate").set_index(["model", "dataset"])
    for row in measured.to_dict("records"):
        out = v2.loc[(row["model"], row["dataset"])]
        assert row["auroc2"] == pytest.approx(out["auroc2"], abs=1e-9)
        # both subtract a null mean, ours the exact one and theirs that of 2,000 permutations
        assert row["meta_i2r"] + row["null_mean"] == pytest.approx(
            out["meta_i2r"] + out["null_mean"], abs=1e-9
        )
    structure = published.as_numbers("v2_sdt_structure").set_index(["model", "dataset"])
    for row in measured.to_dict("records"):
        assert row["z_slope"] == pytest.approx(
            structure.loc[(row["model"], row["dataset"]), "zroc_slope"], abs=1e-9
        )


def test_version_1_ranks_mistral_last_and_version_2_first(measured):
    placed = correction.ranks(measured).set_index(["dataset", "model"])
    assert placed.loc[("triviaqa", "mistral_instruct"), "m_ratio"] == 4
    assert placed.loc[("triviaqa", "mistral_instruct"), "meta_i2r"] == 1
    assert say.ranking_verdict(measured).passed
    assert "rank 4 of 4" in say.ranking_verdict(measured).sentence


def test_orders_on_the_two_question_sets_are_reported_as_they_are(measured):
    sentence = say.datasets_verdict(measured).sentence
    assert "-0.80 for M-ratio" in sentence and "+0.80 for meta-I2r" in sentence
    assert "No measure orders the models identically" in sentence


def test_line_verdict_names_the_cells_it_does_not_explain(measured):
    verdict = say.line_verdict(measured)
    assert verdict.passed is False and "Mistral-7B-Instruct on TriviaQA" in verdict.sentence
    explained = measured.assign(predicted_m_ratio=measured["m_ratio"])
    assert say.line_verdict(explained).passed is True


def test_middle_cut_is_d_prime_and_a_gaussian_is_flat():
    cell = published.counts()["gemma2_instruct", "triviaqa"]
    cuts = correction.d_prime_at_cuts(cell.nR_S1 + 0.5, cell.nR_S2 + 0.5)
    printed = published.as_numbers("v1_h1_full_precision").set_index("model")
    assert cuts[3] == pytest.approx(printed.loc["gemma2_instruct", "d_prime"], abs=1e-9)
    flat = confidence_population(1.3, 0.4, 8, 1.0)
    assert correction.d_prime_at_cuts(flat.s1 * 1e7, flat.s2 * 1e7) == pytest.approx(
        np.full(7, 1.3), abs=1e-4
    )


# ---------------------------------------------------------------- a run's own models


def counts_frame(rows) -> pd.DataFrame:
    frames = [
        pd.DataFrame({"model": m, "dataset": "bank", "rating": range(1, 9), "n_incorrect": a, "n_correct": b})
        for m, a, b in rows
    ]
    return pd.concat(frames)


def test_cells_that_cannot_be_measured_are_flagged_not_dropped():
    cells = cells_from_counts(
        counts_frame([("fine", [60] * 4 + [20] * 4, [20] * 4 + [60] * 4), ("never wrong", [0] * 8, [10] * 8)])
    )
    found = correction.measure_cells(cells, n_resamples=200, n_permutations=200).table.set_index("model")
    assert np.isnan(found.loc["never wrong", "meta_i2r"]) and found.loc["never wrong", "flag"]
    assert found.loc["fine", "meta_i2r"] > 0 and found.loc["fine", "p_value"] < 0.01
    verdicts = say.own_verdicts(found.reset_index())
    assert [v.passed for v in verdicts] == [True, None]
    assert "cannot be measured" in verdicts[1].sentence
    assert all(v.passed is None for v in say.own_verdicts(found.reset_index(), verdicts=False))


def test_a_run_without_the_reference_temperature_is_refused():
    trials = pd.DataFrame({"temperature": [0.7, 0.7]})
    with pytest.raises(MetacogError, match="no trials there"):
        correction.run_measures(trials)
