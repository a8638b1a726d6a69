"""Verdicts that may not pass: missing fits, flagged cells, counterexamples, multiple tests, chance."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import studentized_range
from simulated_trials import simulate_trials

from metacog.measures.cell import Measured
from metacog.studies.study1_qa import robustness_variants
from metacog.studies.study1_qa.cells import (
    Cells,
    Flag,
    cells_from_counts,
    fits,
    flagged,
    flags_in,
    rate_trials,
)
from metacog.studies.study1_qa.h1 import h1_from_cells
from metacog.studies.study1_qa.h2 import chance_of_rule, h2_estimates
from metacog.studies.study1_qa.h4 import adjusted, further_p
from metacog.studies.study1_qa.robustness_variants import checked
from metacog.studies.study1_qa.temperatures import FIXED, SEPARATE, h3_estimates, judge
from metacog.studies.study1_qa.validation import quartile_accuracy, validate_study
from metacog.verdicts.outcomes import those, together


def cells(**tables) -> Cells:
    rows = [
        {"model": name, "dataset": "bank", "rating": r + 1, "n_incorrect": s1[r], "n_correct": s2[r]}
        for name, (s1, s2) in tables.items()
        for r in range(len(s1))
    ]
    return cells_from_counts(pd.DataFrame(rows))


@pytest.fixture(scope="module")
def mistral(published):
    counts = published("counts_T1")
    own = counts[(counts["model"] == "mistral_instruct") & (counts["dataset"] == "triviaqa")]
    return own["n_incorrect"].tolist(), own["n_correct"].tolist()


def test_h1_does_not_pass_with_a_model_that_could_not_be_fitted(mistral):
    with_nan = cells(mistral=mistral, silent=([100] * 8, [0] * 8))
    (verdict,) = h1_from_cells(with_nan, n_resamples=400).verdicts
    assert verdict.passed is None and [name for name, _ in verdict.undecided] == ["silent"]
    (alone,) = h1_from_cells(cells(mistral=mistral), n_resamples=400).verdicts
    assert alone.passed is True


def test_h1_is_refuted_by_one_sound_counterexample_and_by_no_flagged_one(mistral):
    few = ([200, 180, 150, 120, 90, 60, 30, 20], [1, 2, 4, 5, 6, 8, 10, 12])  # 48 right answers
    (verdict,) = h1_from_cells(cells(mistral=mistral, few=few), n_resamples=400).verdicts
    assert verdict.passed is None and Flag.FEW_CORRECT in dict(verdict.undecided)["few"]
    (refuted,) = h1_from_cells(cells(mistral=mistral, few=few, sound=_gaussian()), n_resamples=400).verdicts
    assert refuted.passed is False


def _gaussian():
    """Expected counts of equal-variance Gaussian confidence: M-ratio 1."""
    from metacog.sdt.simulate import confidence_population

    p = confidence_population(1.4, accuracy=0.5)
    return np.round(5000 * p.s1).astype(int).tolist(), np.round(5000 * p.s2).astype(int).tolist()


def test_a_cell_that_padding_makes_is_flagged_everywhere_but_for_measures_without_padding():
    thin = ([0, 0, 6, 18, 60, 130, 240, 380], [0, 0, 0, 0, 10, 40, 120, 300])
    table = cells(thin=thin, sound=_gaussian()).frame
    assert set(flags_in(table["flag"][0])) == {Flag.EMPTY, Flag.STARVED, Flag.PADDED}
    assert table["flag"][1] == ""
    assert flagged(table).tolist() == [True, False]
    assert flagged(table, padded=False).tolist() == [False, False]


@pytest.fixture(scope="module")
def starved():
    """Confidence that rises as T falls, far beyond the edges of T = 1."""
    trials = simulate_trials({"alpha": {"ability": 0.0, "noise": 0.5}}, n_questions=1200, empty=0.0)
    trials["nlp"] = -np.exp(-(np.log(-1 / trials["nlp"]) - 4.5 * (trials["temperature"] - 1)))
    return trials


def test_h3_says_nothing_where_padding_makes_the_result_and_shows_each_temperatures_own_edges(starved):
    rated, own = rate_trials(starved), rate_trials(starved, own_edges=True)
    result = h3_estimates(rated, own, n_resamples=300)
    fixed = result.summary[result.summary["edges"] == FIXED].iloc[0]
    assert Flag.PADDED in fixed["flagged"] and "0.3" in fixed["flagged"]
    criterion = result.verdicts[-1]
    low, high = fixed["high_criterion_change_lower"], fixed["high_criterion_change_upper"]
    assert (low > 0 or high < 0) and criterion.passed is None and "alpha" in dict(criterion.undecided)
    free = result.summary[result.summary["edges"] == SEPARATE].iloc[0]
    assert free["flagged"] == "" and free["meta_d_range"] < fixed["meta_d_range"]
    assert set(result.pairs["edges"]) == {FIXED, SEPARATE}


def test_h3_rules_do_not_pass_over_a_model_without_all_temperatures():
    row = {"dataset": "bank", "n_temperatures": 4, "tost_pass": True, "relative_robust": True}
    summary = pd.DataFrame(
        [{"model": "whole", **row}, {"model": "gap", **row, "tost_pass": None, "relative_robust": None}]
    )
    for verdict in judge(summary):
        assert verdict.passed is None and "gap" in dict(verdict.undecided)


def test_h3_intervals_that_straddle_the_bound_decide_nothing():
    trials = simulate_trials({"alpha": {"ability": 0.2, "noise": 1.0}}, n_questions=500, empty=0.0)
    rated = rate_trials(trials, own_edges=True)
    result = h3_estimates(rated, n_resamples=200)
    row = result.summary.iloc[0]
    assert not row["equivalent"] and not row["different"] and row["flagged"] == ""
    (tost,) = [v for v in result.verdicts if "one-sided" in v.rule]
    assert tost.passed is None and "alpha" in dict(tost.undecided)


def _drawn(d_prime, meta_d, rng):
    d, m = (rng.normal(value, 0.05, 999) for value in (d_prime, meta_d))
    return {"d_prime": d, "meta_d": m, "m_ratio": m / d}


def test_a_pair_is_further_apart_in_m_ratio_than_in_d_prime_only_if_its_factor_is_larger():
    """Oracle: the factors. M-ratios of 1 and .5 differ by 2; what d' differs by is less, as much, or more."""
    rng = np.random.default_rng(0)
    one = _drawn(1.2, 1.2, rng)
    assert further_p(one, _drawn(1.2, 0.6, rng)) < 0.01 and further_p(_drawn(1.5, 0.75, rng), one) < 0.01
    assert further_p(one, _drawn(2.4, 1.2, rng)) > 0.05  # one meta-d': the M-ratio falls as d' rises
    assert further_p(one, _drawn(0.6, 0.3, rng)) > 0.05  # it rises as fast as d'
    assert further_p(one, one) == 1.0 and further_p(one, _drawn(4.8, 2.4, rng)) == 1.0
    near_zero = _drawn(0.05, 0.9, rng)  # a sixth of its draws have no factor
    assert further_p(one, near_zero) > 0.05


def test_h4_adjusts_over_the_pairs_that_can_be_judged():
    pairs = pd.DataFrame({"p_further": [0.01, 0.02, 0.5, np.nan], "flagged": [False, False, False, False]})
    found = adjusted(pairs)
    np.testing.assert_allclose(found["p_holm"], [0.03, 0.04, 0.5, np.nan])
    assert found["further"].tolist() == [True, True, False, None]
    only = adjusted(pairs.assign(flagged=[False, True, True, True]))
    assert only["p_holm"].iloc[0] == 0.01 and only["further"].tolist() == [True, None, None, None]


def test_the_chance_that_h2_passes_on_equal_domains_is_that_of_its_own_rule():
    """Normal domains: the largest of six differences is a studentized range; then two of three models."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [{"model": m, "dataset": "bank", "domain": d, "flag": ""} for m in "abc" for d in "wxyz"]
    )
    made = [Measured.drawn(m_ratio=one) for one in rng.normal(0, 0.1, (12, 40_001))]
    counts = np.full((12, 8), 100)
    found = chance_of_rule(Cells(frame, counts, counts, ("model", "dataset", "domain")), made)
    one = studentized_range.sf(1.959964 * np.sqrt(2), 4, np.inf)
    assert found == pytest.approx(3 * one**2 * (1 - one) + one**3, abs=0.01)
    # the sentence before asked for one difference anywhere among 18
    assert found < 0.5 < 1 - 0.95**18


def test_h2_is_undecided_where_flagged_pairs_could_still_differ(trials):
    small = trials[trials["question_index"] < 160]
    result = h2_estimates(rate_trials(small), n_resamples=200)
    assert result.pairs["flagged"].any() and result.verdicts[0].passed is None
    assert set(dict(result.verdicts[0].undecided)) == {"alpha", "beta"}


def test_h2_shows_meta_i2r_at_one_accuracy(trials):
    result = h2_estimates(rate_trials(trials), n_resamples=200)
    assert {"meta_i2r", "meta_i2r_standardised", "auroc2", "m_ratio"} == set(result.pairs["measure"])
    assert result.table["meta_i2r_standardised"].notna().all()
    assert result.by_accuracy["meta_i2r"].idxmax() not in (0, len(result.by_accuracy) - 1)


def test_an_order_of_models_that_was_never_settled_is_not_kept():
    """Two like models: their order is luck, and no check can be said to keep it."""
    models = {name: {"ability": 0.2, "noise": 0.5} for name in ("alpha", "beta")}
    trials = simulate_trials(models, n_questions=800, temperatures=(1.0,))
    table, orders = checked(trials, n_resamples=300)
    wide = orders[orders["variant"] == "K = 3"].iloc[0]
    assert wide["base_lower"] < 0 < wide["base_upper"] and wide["kept"] is None
    told = robustness_variants.judge(table, orders, robustness_variants.OURS)
    assert together(told, "R1 variants") is None
    assert any({"alpha", "beta"} <= set(name.split()) for name in those(told, "R1 variants", None))


def test_validation_is_undecided_where_a_quarter_holds_no_answer(mistral):
    table = quartile_accuracy(
        cells(mistral=mistral, gone=([0, 0, 5, 5, 5, 5, 5, 5], [0, 0, 1, 2, 3, 4, 5, 6]))
    )
    assert np.isnan(table.loc[table["model"] == "gone", "q1"]).all()
    assert (table["n_smallest"] == 0).sum() == 1
    trials = simulate_trials(n_questions=200, temperatures=(1.0,))
    assert validate_study(rate_trials(trials)).verdicts[0].passed is not None


def test_published_cells_carry_no_flag_of_padding(published):
    whole = cells_from_counts(published("counts_T1"))
    assert not any(f.of_fit for text in whole.frame["flag"] for f in flags_in(text))
    assert fits(whole, n_resamples=50)[0]["m_ratio"].notna().all()
