"""Verdicts that may not pass: missing fits, flagged cells, counterexamples, multiple tests, chance."""

import numpy as np
import pandas as pd
import pytest
from simulated_trials import simulate_trials

from metacog.studies.study1_qa import h1, h2, h3, robustness_variants
from metacog.studies.study1_qa.cells import (
    FURTHER,
    Cells,
    Flag,
    cells_from_counts,
    fits,
    flagged,
    flags_in,
    rate_trials,
)
from metacog.studies.study1_qa.h4 import adjusted, further_p
from metacog.studies.study1_qa.robustness_variants import checked
from metacog.studies.study1_qa.validation import quartile_accuracy
from metacog.verdicts.outcomes import of_rule, those, together


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


def limit(counts: Cells) -> pd.DataFrame:
    """What H1's registered rule says of counts."""
    return h1.limit(fits(counts, n_resamples=400)[0])


def test_h1_does_not_pass_with_a_model_that_could_not_be_fitted(mistral):
    with_nan = cells(mistral=mistral, silent=([100] * 8, [0] * 8))
    told = limit(with_nan)
    assert together(told, "limit") is None and those(told, "limit", None) == ["silent"]
    assert together(limit(cells(mistral=mistral)), "limit") is True


def test_h1_is_refuted_by_one_counterexample_and_by_none_that_the_registration_excludes(mistral):
    few = ([200, 180, 150, 120, 90, 60, 30, 20], [1, 2, 4, 5, 6, 8, 10, 12])  # 48 right answers
    told = limit(cells(mistral=mistral, few=few))
    why = of_rule(told, "limit").set_index("unit").loc["few", "why"]
    assert together(told, "limit") is None and Flag.FEW_CORRECT in why
    assert together(limit(cells(mistral=mistral, few=few, sound=_gaussian())), "limit") is False
    thin = cells(mistral=mistral, thin=THIN)
    table = fits(thin, n_resamples=400)[0]
    told = of_rule(h1.limit(table), "limit").set_index("unit").loc["thin"]
    assert (
        told["holds"] == (table["m_ratio_upper"][1] < 1) and told["why"] == f"{FURTHER}: {table['flag'][1]}"
    )
    intervals = table.assign(scheme=h1.NEW_EDGES)
    assert those(h1.new_edges(table, intervals), "intervals", None) == [
        "thin"
    ]  # the sounder rule leaves it open


#: Wrong and right answers by rating, of which padding makes the fit.
THIN = ([0, 0, 6, 18, 60, 130, 240, 380], [0, 0, 0, 0, 10, 40, 120, 300])


def _gaussian():
    """Expected counts of equal-variance Gaussian confidence: M-ratio 1."""
    from metacog.sdt.populations import confidence_population

    p = confidence_population(1.4, accuracy=0.5)
    return np.round(5000 * p.s1).astype(int).tolist(), np.round(5000 * p.s2).astype(int).tolist()


def test_a_cell_that_padding_makes_is_flagged_everywhere_but_for_measures_without_padding():
    table = cells(thin=THIN, sound=_gaussian()).frame
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


def test_h3_is_judged_as_registered_and_says_where_padding_makes_the_result(starved):
    rated = {h3.FIXED: rate_trials(starved), h3.SEPARATE: rate_trials(starved, own_edges=True)}
    summary = pd.concat([h3.over_temperatures(one, e, n_resamples=60)[1] for e, one in rated.items()])
    fixed, free = (summary[summary["edges"] == edges].iloc[0] for edges in rated)
    assert Flag.PADDED in fixed["flagged"] and "0.3" in fixed["flagged"]
    told = of_rule(h3.judge(summary), "range").set_index("unit").loc["alpha"]
    assert told["holds"] is None and told["why"] == fixed["flagged"]  # a fit has no estimate
    known = summary.assign(tost_pass=True)  # had they, the rule would be judged, and told what is flagged
    told = of_rule(h3.judge(known), "range").set_index("unit").loc["alpha"]
    assert told["holds"] is True and told["why"] == f"{FURTHER}: {fixed['flagged']}"
    few = known.assign(excluded=f"{Flag.FEW_CORRECT}, at T = 0.3")
    assert those(h3.judge(few), "range", None) == ["alpha"]
    assert free["flagged"] == "" and free["meta_d_range"] < fixed["meta_d_range"]


def test_h3_rules_do_not_pass_over_a_model_without_all_temperatures():
    row = {
        "dataset": "bank",
        "edges": h3.FIXED,
        "flagged": "",
        "excluded": "",
        "tost_pass": True,
        "relative_robust": True,
    }
    summary = pd.DataFrame(
        [{"model": "whole", **row}, {"model": "gap", **row, "tost_pass": None, "relative_robust": None}]
    )
    told = h3.judge(summary.assign(equivalent=None, different=False))
    for rule in ("range", "rho"):
        assert together(told, rule) is None and those(told, rule, None) == ["gap"]


def test_h3_intervals_that_straddle_the_bound_decide_nothing():
    trials = simulate_trials({"alpha": {"ability": 0.2, "noise": 1.0}}, n_questions=500, empty=0.0)
    rated = rate_trials(trials, own_edges=True)
    _, summary = h3.over_temperatures(rated, h3.SEPARATE, n_resamples=200)
    row, told = summary.iloc[0], h3.judge(summary)
    assert not row["equivalent"] and not row["different"] and row["flagged"] == ""
    assert together(told, "tost") is None and those(told, "tost", None) == ["alpha"]


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


def _ratios(**columns):
    """Three pairs of subjects of each of two models; the first pair of the first model differs."""
    low = [0.1, -0.1, -0.1, -0.2, -0.2, -0.2]
    pairs = pd.DataFrame({"model": ["a"] * 3 + ["b"] * 3, "dataset": "bank", "lower": low, "upper": 0.4})
    pairs = pairs.assign(domain_a=["Arts", "Arts", "Law"] * 2, domain_b=["Law", "War", "War"] * 2)
    return pairs.assign(**{"excluded": False, "flagged": True, "p_holm": np.nan, **columns})


def test_h2_is_judged_on_the_pairs_that_the_registration_leaves():
    told = of_rule(h2.judge(_ratios()), "difference").set_index("unit")
    assert told["holds"].to_dict() == {"a": True, "b": False} and told["why"].str.startswith(FURTHER).all()
    assert together(h2.judge(_ratios()), "difference") is False  # one model of the two that it takes
    assert those(h2.judge(_ratios()), "holm", None) == ["a", "b"]
    first = h2.judge(_ratios(excluded=[True, False, False] * 2))  # the pair that differs is too small
    assert those(first, "difference", False) == ["a", "b"]
    none = h2.judge(_ratios(excluded=[False] * 3 + [True] * 3))
    assert those(none, "difference", None) == ["b"] and together(none, "difference") is None
    counted = h2.as_registered(_ratios(excluded=[False, False, True] * 2)).set_index("model")
    assert counted[["n_pairs", "usable", "n_apart", "unflagged"]].to_numpy().tolist() == [
        [3, 2, 1, 0],
        [3, 2, 0, 0],
    ]
    assert counted["apart"].tolist() == ["Arts and Law", ""]


def test_h2_as_printed_is_not_met_by_one_model():
    printed = h2.as_printed()
    assert printed["usable"].tolist() == [6] * 4 and printed["n_apart"].sum() == 1


def test_accuracy_alone_moves_meta_i2r(trials):
    table = h2.by_accuracy(h2.domain_cells(rate_trials(trials)))
    assert table["meta_i2r"].idxmax() not in (0, len(table) - 1)


def test_an_order_of_models_that_was_never_settled_is_not_kept():
    """Two like models: their order is luck, and no check can be said to keep it."""
    models = {name: {"ability": 0.2, "noise": 0.5} for name in ("alpha", "beta")}
    trials = simulate_trials(models, n_questions=800, temperatures=(1.0,))
    table, orders = checked(trials, n_resamples=300)
    wide = orders[orders["variant"] == "K = 3"].iloc[0]
    assert wide["kept"] is None
    told = robustness_variants.judge(table, orders, robustness_variants.OURS)
    assert together(told, "R1 variants") is None
    assert any({"alpha", "beta"} <= set(name.split()) for name in those(told, "R1 variants", None))


def test_validation_is_undecided_where_a_quarter_holds_no_answer(mistral):
    table = quartile_accuracy(
        cells(mistral=mistral, gone=([0, 0, 5, 5, 5, 5, 5, 5], [0, 0, 1, 2, 3, 4, 5, 6]))
    )
    assert np.isnan(table.loc[table["model"] == "gone", "q1"]).all()
    assert table.set_index("model")["monotone"].isna().to_dict() == {"mistral": False, "gone": True}


def test_published_cells_carry_no_flag_of_padding(published):
    whole = cells_from_counts(published("counts_T1"))
    assert not any(f.of_fit for text in whole.frame["flag"] for f in flags_in(text))
    assert fits(whole, n_resamples=50)[0]["m_ratio"].notna().all()
