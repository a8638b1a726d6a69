"""Cells and draws. Oracles: NumPy quantiles, hand counts, published tables, closed forms."""

import numpy as np
import pandas as pd
import pytest
from simulated_trials import simulate_trials

from metacog.core.errors import MetacogError
from metacog.measures.cell import tables_of
from metacog.measures.fits import Fits
from metacog.sdt.bootstrap import bootstrap_meta_d
from metacog.sdt.meta_d import fit_meta_d
from metacog.studies.study1_qa import h1, h2
from metacog.studies.study1_qa.cells import (
    Rated,
    cells_from_counts,
    estimate,
    fits,
    measured_together,
    place,
    primary,
    question_cells,
    rate_trials,
)
from metacog.studies.study1_qa.correction import run_measures
from metacog.verdicts.outcomes import together


def test_edges_are_the_eighths_of_nlp_at_one_and_stay_fixed(trials):
    rated = rate_trials(trials)
    own = trials[(trials["model"] == "alpha") & (trials["temperature"] == 1.0)]["nlp"].dropna()
    expected = np.quantile(own, np.arange(1, 8) / 8)
    np.testing.assert_allclose(rated.edges["alpha", "bank"].values, expected)
    cold = rated.trials[(rated.trials["model"] == "alpha") & (rated.trials["temperature"] == 0.1)]
    by_hand = 1 + (cold["nlp"].to_numpy()[:, None] >= expected).sum(axis=1)
    good = cold["nlp"].notna().to_numpy()
    assert (cold["rating"][good].to_numpy(dtype=int) == by_hand[good]).all()


def test_answers_without_a_confidence_are_left_out(trials):
    cells = rate_trials(trials).cells()
    rated = trials[(trials["temperature"] == 1.0) & trials["nlp"].notna()].groupby("model").size()
    assert cells.frame.set_index("model")["n"].to_dict() == rated.to_dict()
    assert (cells.nR_S1.sum(axis=1) + cells.nR_S2.sum(axis=1) == cells.frame["n"]).all()


def test_counts_are_those_of_a_crosstab(trials):
    rated = rate_trials(trials)
    cells = rated.cells(("model", "dataset", "domain"))
    own = rated.trials[(rated.trials["temperature"] == 1.0) & rated.trials["rating"].notna()]
    for i, row in cells.frame.iterrows():
        here = own[(own["model"] == row["model"]) & (own["domain"] == row["domain"])]
        table = pd.crosstab(here["correct"], here["rating"]).reindex(columns=range(1, 9), fill_value=0)
        assert (table.loc[False].to_numpy() == cells.nR_S1[i]).all()
        assert (table.loc[True].to_numpy() == cells.nR_S2[i]).all()


def test_small_cells_are_flagged_and_one_class_gives_nan_not_an_error(smoke_trials):
    rated = rate_trials(smoke_trials)
    cells = rated.cells(("model", "dataset", "domain"))
    assert cells.frame["flag"].str.startswith("under 50").all()
    assert not cells.measurable.all()  # the simulated model has a domain without a right answer
    table, _ = fits(cells, n_resamples=50)
    alone = table[~cells.measurable]
    assert alone[["d_prime", "meta_d", "m_ratio", "m_ratio_lower"]].isna().all(axis=None)
    assert table[cells.measurable]["m_ratio"].notna().all()


def test_missing_reference_temperature_is_a_named_error(trials):
    with pytest.raises(MetacogError, match="no trial at T = 1 .*alpha on bank"):
        rate_trials(trials[trials["temperature"] != 1.0])
    with pytest.raises(MetacogError, match="no trials"):
        rate_trials(trials.iloc[:0])


def test_own_edges_fill_every_bin_alike_at_every_temperature(trials):
    rated = rate_trials(trials, own_edges=True)
    cells = rated.cells(("model", "dataset", "temperature"), temperature=None)
    totals = cells.nR_S1 + cells.nR_S2
    assert (np.ptp(totals, axis=1) <= 1).all()


def test_counts_round_trip_and_estimates_are_the_estimators(published):
    counts = published("counts_T1")
    cells = cells_from_counts(counts)
    assert len(cells) == 8
    table = estimate(cells)
    fit = fit_meta_d(cells.nR_S1[0] + 0.5, cells.nR_S2[0] + 0.5)
    assert table["meta_d"][0] == pytest.approx(fit.meta_d, abs=1e-12)
    with pytest.raises(MetacogError, match="every rating"):
        cells_from_counts(counts.iloc[:-1])


def test_equal_values_share_the_better_place_as_the_paper_prints_it(published):
    printed = published("v1_table3_auroc2")
    assert place(printed["m_ratio"]).tolist() == printed["m_ratio_rank"].tolist()


def test_primary_is_the_first_question_set(trials):
    other = trials.assign(dataset="other")
    assert set(primary(pd.concat([trials, other]))["dataset"]) == {"bank"}


def test_tied_edges_are_flagged(trials):
    own = trials[(trials["model"] == "alpha") & (trials["temperature"] == 1.0)].copy()
    own["nlp"] = own["nlp"].mask(own["nlp"].notna(), np.where(own["correct"], -0.1, -1.0))
    rated = rate_trials(own)
    assert "ties" in rated.cells().frame["flag"][0]
    assert np.isfinite(estimate(rated.cells())["d_prime"][0])


def test_groups_are_kept_apart(trials):
    rated = rate_trials(trials)
    whole, parts = (rated.cells(by, temperature=None) for by in (("model",), ("model", "temperature")))
    for model, own in parts.frame.groupby("model").indices.items():
        i = whole.frame.index[whole.frame["model"] == model][0]
        assert (parts.nR_S2[own].sum(axis=0) == whole.nR_S2[i]).all()


def test_question_cells_are_those_of_the_shared_questions(trials):
    rated = rate_trials(trials)
    one = rated.trials[rated.trials["temperature"] == 1.0]
    cells = question_cells(one, "model", 8)
    ids = [set(own["question_id"]) for _, own in one[one["rating"].notna()].groupby("model")]
    shared = ids[0] & ids[1]
    whole = Rated(one[one["question_id"].isin(shared)], {}, 8).cells(("model",))
    for i, model in enumerate(whole.frame["model"]):
        assert cells[model].n_units == len(shared)
        for found, counted in zip(tables_of(cells[model]), (whole.nR_S1[i], whole.nR_S2[i]), strict=True):
            assert (found == counted).all()
    assert question_cells(one[one["question_id"].isin(sorted(shared)[:1])], "model", 8) == {}


def test_resampled_questions_of_one_trial_each_spread_like_resampled_trials(trials):
    rated = rate_trials(trials)
    one = rated.trials[(rated.trials["temperature"] == 1.0) & (rated.trials["model"] == "alpha")]
    cells = question_cells(one, "model", 8)
    by_question = measured_together(cells, [Fits()], n_resamples=4000, seed=1)["alpha"].draws
    by_trial = fits(rated.cells(), n_resamples=4000, seed=2)[1][0].draws
    ratio = np.nanstd(by_question["m_ratio"]) / np.nanstd(by_trial["m_ratio"])
    assert ratio == pytest.approx(1, abs=5 / np.sqrt(2 * 4000) * np.sqrt(2))
    assert np.nanmean(by_question["d_prime"]) == pytest.approx(np.nanmean(by_trial["d_prime"]), abs=0.02)


def test_fits_are_the_bootstrap_of_each_table(cells):
    """The same resamples as the general bootstrap of one table, from the seed of its place."""
    table, made = fits(cells, n_resamples=200, seed=3)
    for i, seed in enumerate(np.random.SeedSequence(3).spawn(len(cells))):
        by_hand = bootstrap_meta_d(cells.nR_S1[i], cells.nR_S2[i], n_resamples=200, seed=seed)
        np.testing.assert_allclose(made[i].draws["m_ratio"], by_hand.m_ratio, atol=1e-9)
        limits = tuple(table.loc[i, ["m_ratio_lower", "m_ratio_upper"]])
        assert limits == pytest.approx(by_hand.ci_m_ratio, abs=1e-9)
        assert table["n_valid"][i] == by_hand.n_valid


def holding(rated):
    """Rules of the first two hypotheses that hold."""
    table, _ = fits(rated.cells(), n_resamples=50)
    _, pairs = h2.by_domain(rated, n_resamples=50)
    intervals = h1.by_scheme(rated, table, n_resamples=50, seed=42)
    told = [h1.limit(table), h1.new_edges(table, intervals), h2.judge(pairs[pairs["measure"] == "m_ratio"])]
    made = pd.concat(told)
    assert set(made["rule"]) == {*h1.RULES, *h2.RULES}
    return [rule for rule in made["rule"].unique() if together(made, rule)]


def test_confidence_that_never_varies_stops_no_hypothesis():
    trials = simulate_trials({name: {"ability": 0.0, "noise": 1.0} for name in "ab"}, n_questions=200)
    rated = rate_trials(trials.assign(nlp=trials["nlp"].where(trials["nlp"].isna(), -0.5)))
    assert holding(rated) == []


@pytest.mark.parametrize("world", ["one constant", "one never right"])
def test_a_model_that_cannot_be_measured_stops_no_hypothesis(world):
    """One confidence throughout, or no right answer: the others are judged, and nothing passes for all."""
    trials = simulate_trials({name: {"ability": 0.0, "noise": 1.0} for name in "ab"}, n_questions=200)
    last = trials["model"] == "b"
    trials["nlp"] = trials["nlp"].where(~last, -0.5 if world == "one constant" else trials["nlp"])
    trials["correct"] &= ~last if world == "one never right" else True
    rated = rate_trials(trials)
    assert holding(rated) == []
    table = run_measures(trials, n_resamples=50).set_index("model")
    assert np.isnan(table.loc["b", "meta_i2r"]) and table.loc["b", "flag"]
    assert table.loc["a", "meta_i2r"] > 0
