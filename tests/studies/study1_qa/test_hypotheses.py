"""H1-H4. Oracles: the published tables and intervals, SciPy, and simulated observers of known kind."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from simulated_trials import DOMAINS, simulate_trials

from metacog.sdt import InputError
from metacog.studies.study1_qa import h1, h2, h3, h4
from metacog.studies.study1_qa.cells import (
    PUBLISHED,
    below_one,
    cells_from_counts,
    fits,
    rate_trials,
    stacked,
)
from metacog.verdicts.outcomes import of_rule, those, together
from metacog.verdicts.rules import ZERO


@pytest.fixture(scope="module")
def triviaqa(published):
    cells = cells_from_counts(published("counts_T1"))
    return cells.select(cells.frame["dataset"] == "triviaqa")


def test_h1_reproduces_the_published_estimates_and_intervals(triviaqa, published):
    ours = fits(triviaqa, n_resamples=10_000)[0].set_index("model")
    theirs = published("v1_h1_full_precision").set_index("model")
    for column in ("d_prime", "meta_d", "m_ratio"):
        assert (ours[column] - theirs[column]).abs().max() < 2e-7
    # Monte-Carlo error of a 2.5 % quantile of 10,000 draws is about 2.7 sd/100, in both of two bootstraps
    sd = (theirs["ci_hi"] - theirs["ci_lo"]) / 3.92
    for column, printed in (("m_ratio_lower", "ci_lo"), ("m_ratio_upper", "ci_hi")):
        assert ((ours[column] - theirs[printed]).abs() < 4 * np.sqrt(2) * 0.027 * sd).all()
    assert below_one(ours)[lambda below: below].index.tolist() == ["mistral_instruct"]


def test_h1_verdict_follows_the_rule(triviaqa):
    table, _ = fits(triviaqa, n_resamples=500)
    told = h1.limit(table)
    assert together(told, "limit") is False and those(told, "limit", True) == ["mistral_instruct"]
    assert together(h1.limit(table[table["model"] == "mistral_instruct"]), "limit") is True


@pytest.mark.parametrize(
    ("ends", "passed", "above", "undecided"),
    [
        ([(0.5, 0.9), (0.4, 0.99)], True, [], ()),
        ([(0.5, 0.9), (0.8, 1.2)], None, [], (("b", "the interval contains 1"),)),
        ([(0.5, 0.9), (0.8, 1.0)], None, [], (("b", "the interval contains 1"),)),
        ([(0.5, 0.9), (1.0, 1.4)], False, ["b"], ()),
        ([(0.8, 1.2), (1.1, 1.4)], False, ["b"], (("a", "the interval contains 1"),)),
        ([(0.5, 0.9), (np.nan, np.nan)], None, [], (("b", "no estimate"),)),
    ],
)
def test_the_sound_h1_is_refuted_by_an_interval_above_one_alone(ends, passed, above, undecided):
    table = pd.DataFrame({"model": ["a", "b"], "dataset": "bank", "flag": ""})
    rows = [
        (m, "bank", s, low, high)
        for m, (low, high) in zip("ab", ends, strict=True)
        for s in (h1.TRIALS, h1.NEW_EDGES)
    ]
    limits = pd.DataFrame(rows, columns=["model", "dataset", "scheme", "m_ratio_lower", "m_ratio_upper"])
    told = h1.new_edges(table, limits)
    open_ = of_rule(told, "intervals")[lambda units: units["holds"].isna()]
    assert together(told, "intervals") is passed and those(told, "intervals", False) == above
    assert dict(zip(open_["unit"], open_["why"], strict=True)) == dict(undecided)
    flagged = h1.new_edges(table.assign(flag="thin"), limits)
    assert together(flagged, "intervals") is None and set(of_rule(flagged, "intervals")["why"]) == {"thin"}


def test_new_edges_match_a_plain_loop(trials):
    """Oracle: expand each resample, NumPy's quantiles, count, fit."""
    from metacog.sdt.binning import counts, quantile_edges, rate
    from metacog.sdt.meta_d import fit_meta_d
    from metacog.sdt.resampling import cluster_weights

    own = trials[(trials["model"] == "beta") & (trials["temperature"] == 1.0) & trials["nlp"].notna()]
    own = own.head(200)
    draws = h1.draws_with_new_edges(own, 8, n_resamples=3, seed=7)
    used = own.sort_values("nlp", kind="stable")
    question = pd.factorize(used["question_id"])[0]
    weights = cluster_weights(len(used), 3, np.random.default_rng(np.random.SeedSequence(7)))[:, question]
    for draw, w in zip(draws, weights.astype(int), strict=True):
        x = np.repeat(used["nlp"].to_numpy(), w)
        y = np.repeat(used["correct"].to_numpy(), w)
        table = counts(y, rate(x, quantile_edges(x, 8)), 8)
        expected = fit_meta_d(table.nR_S1 + 0.5, table.nR_S2 + 0.5).m_ratio
        assert draw == pytest.approx(expected, rel=1e-9)


def test_question_intervals_are_wider_when_a_question_repeats_itself():
    """Each question's trial copied to four temperatures: pooled trial-level limits are half as wide."""
    one = simulate_trials(n_questions=400, temperatures=(1.0,), empty=0.0)
    copies = pd.concat([one.assign(temperature=t) for t in (0.3, 0.5, 0.7, 1.0)], ignore_index=True)
    rated = rate_trials(copies)
    table, _ = fits(rated.cells(), n_resamples=2000)
    found = h1.by_scheme(rated, table, n_resamples=2000, seed=42)
    assert found.groupby("model").size().eq(4).all()
    ends = found["m_ratio_upper"] - found["m_ratio_lower"]
    width = found.assign(width=ends).pivot(index="model", columns="scheme", values="width")
    ratio = width["questions, all T"] / width["trials, all T"]
    assert ratio.mean() == pytest.approx(2, abs=0.25)


def test_h2_finds_a_domain_whose_confidence_is_noise():
    models = {
        name: {"ability": 0.0, "noise": 0.4, "domain_noise": {DOMAINS[0]: 8.0}} for name in ("alpha", "beta")
    }
    _, pairs = h2.by_domain(rate_trials(simulate_trials(models, n_questions=1200)), n_resamples=1000)
    area = pairs[pairs["measure"] == "auroc2"]
    odd = (area["domain_a"] == DOMAINS[0]) | (area["domain_b"] == DOMAINS[0])
    assert (area[odd]["p_holm"] < 0.05).all() and (area[~odd]["p_holm"] >= 0.05).all()
    assert len(pairs[pairs["measure"] == "m_ratio"]) == 12


def test_h2_leaves_small_domains_out_and_needs_two_models(smoke_trials):
    _, pairs = h2.by_domain(rate_trials(smoke_trials), n_resamples=60)
    assert pairs["flagged"].all() and pairs["excluded"].all() and pairs["p_holm"].isna().all()
    told = h2.judge(pairs[pairs["measure"] == "m_ratio"])
    assert [together(told, rule) for rule in h2.RULES] == [None, None]


def test_h2_compares_the_domains_that_are_named(smoke_trials):
    rated = rate_trials(smoke_trials)
    whole, _ = h2.by_domain(rated, n_resamples=60)
    first, second, *_ = names = sorted(whole["domain"].unique())
    part, _ = h2.by_domain(rated, [first, second], n_resamples=60)
    assert sorted(part["domain"].unique()) == [first, second] and len(names) > 2
    both = part.merge(whole, on=["model", "domain"])
    assert np.allclose(both["auroc2_x"], both["auroc2_y"], equal_nan=True) and len(both) == len(part)
    with pytest.raises(InputError, match="no domain Cookery; the trials have"):
        h2.by_domain(rated, ["Cookery", first])
    with pytest.raises(InputError, match="name two at least"):
        h2.by_domain(rated, [first])


def test_h2_ignores_unclassified(trials):
    other = trials.assign(domain=trials["domain"].replace(DOMAINS[0], "Unclassified"))
    assert set(h2.domain_cells(rate_trials(other)).frame["domain"]) == set(DOMAINS[1:])


def test_h3_statistics_reproduce_the_published_verdicts(published):
    printed = published("v1_h3_verdicts").set_index("model")
    rows = {}
    for model, own in published("v1_table7_temperature").groupby("model"):
        rows[model] = h3.range_and_rank(own)
    found = pd.DataFrame(rows).T
    for column in ("rho_meta_d_T", "rho_d_prime_T"):
        np.testing.assert_allclose(found[column].astype(float), printed[column][found.index], atol=1e-9)
    gap = (found["meta_d_range"].astype(float) - printed["meta_d_range"][found.index]).abs()
    assert gap.max() <= 0.001  # two values printed to three digits
    for column in ("tost_pass", "relative_robust"):
        assert (found[column].astype(bool) == printed[column][found.index]).all()


def test_h3_judges_the_published_table(published):
    rows = [
        {
            "model": m,
            "dataset": "triviaqa",
            "edges": h3.FIXED,
            "flagged": "",
            "excluded": "",
            **h3.range_and_rank(own),
        }
        for m, own in published("v1_table7_temperature").groupby("model")
    ]
    told = h3.judge(pd.DataFrame(rows))
    assert [together(told, rule) for rule in ("range", "rho")] == [False, False]
    assert "llama3_base" in those(told, "range", False)
    compared = stacked(**{PUBLISHED: published("v1_h3_verdicts").assign(excluded="")})
    numbers = h3.figures(
        SimpleNamespace(
            comparison=compared,
            outcomes=None,
            summary=pd.DataFrame(columns=["edges", "model", "meta_d_range", "n_asked"]),
        )
    )
    assert (numbers["n_both"], numbers["both_names"]) == (2, "mistral_instruct and gemma2_instruct")
    assert numbers["moves_model"] == "llama3_base" and numbers["n_yes"] == numbers["n_no"] == 0


def test_h3_equivalence_needs_a_narrow_interval(trials):
    rated = rate_trials(trials)
    table, summary = h3.over_temperatures(rated, h3.FIXED, n_resamples=400)
    assert (summary["equivalent"] == (summary["smallest_bound"] < 0.3)).all()
    assert set(table["temperature"]) == {0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0}
    assert table["meta_d_lower"].lt(table["meta_d"]).all()


def test_the_smallest_bound_is_the_end_that_lies_farthest_from_zero():
    ends = [(-0.1, 0.2), (-0.25, 0.1), (0.0, 0.1), (-0.1, 0.0), (0.0, 0.2), (-0.2, 0.2)]
    pairs = pd.DataFrame(ends, columns=["lower", "upper"])
    said = h3.equivalence(pairs)
    assert (said["smallest_bound"], said["equivalent"], said["different"]) == (0.25, True, False)
    assert h3.equivalence(pairs.assign(upper=[0.2, 0.1, 0.3, 0.0, 0.2, 0.2]))["equivalent"] is False
    assert h3.equivalence(pairs.iloc[:5])["equivalent"] is None
    far = pairs.assign(lower=pairs["lower"] + 0.5, upper=pairs["upper"] + 0.5)
    assert h3.equivalence(far)["different"]


def test_h3_says_so_when_temperatures_are_missing(smoke_trials):
    edges = {h3.FIXED: rate_trials(smoke_trials), h3.SEPARATE: rate_trials(smoke_trials, own_edges=True)}
    summary = pd.concat([h3.over_temperatures(one, e, n_resamples=60)[1] for e, one in edges.items()])
    told = h3.judge(summary)
    assert [together(told, rule) for rule in h3.RULES] == [None, None, None]


def test_h4_readings_on_the_published_counts(triviaqa):
    found = h4.pairs_of(triviaqa, n_resamples=4000)
    told = h4.judge(found.assign(paired_p=np.nan))
    assert those(told, "code", True) == ["mistral_instruct with llama3_base"]
    assert together(told, "code") is True and together(told, "text") is True
    pairs = found.set_index(["model_a", "model_b"])
    assert pairs["further"].tolist() == (pairs["p_holm"] < 0.05).tolist()
    assert not pairs.loc[("mistral_instruct", "gemma2_instruct"), "further"]


def test_h4_pairs_models_over_shared_questions():
    """Twins that share every draw differ by exactly nothing, however wide their own limits."""
    one = simulate_trials({"alpha": {"ability": 0.2, "noise": 0.8}}, n_questions=300, temperatures=(1.0,))
    both = pd.concat([one, one.assign(model="twin")], ignore_index=True)
    pairs = h4.on_shared_questions(rate_trials(both), n_resamples=300)
    row, told = pairs.iloc[0], h4.judge(pairs)
    assert row["paired_p"] == 1 and row["lower"] < -0.1 and row["upper"] > 0.1
    assert not row["further"] and row["p_further"] == 1 and together(told, "further") is None
    assert list(of_rule(told, "further")["why"]) == [ZERO]


def test_h4_with_one_model_draws_no_verdict(smoke_trials):
    pairs = h4.on_shared_questions(rate_trials(smoke_trials), n_resamples=60)
    told = h4.judge(pairs)
    assert pairs.empty and [together(told, rule) for rule in h4.RULES] == [None, None, None]


def test_printed_domains_differ_where_their_distance_is_large_for_its_error_and_for_the_number_of_pairs():
    columns = ["model", "auroc2", "auroc2_lower", "auroc2_upper"]
    half = 1.959964 * 0.01  # standard errors of .01, so that of a difference is .01414
    near, far = 0.70 + 2.2 * 0.01414, 0.70 + 4 * 0.01414  # p = .028, .08 of three pairs; p = .00006
    for high, expected in ((near, ()), (far, ("m",))):
        areas = [("m", 0.70), ("m", high), ("n", 0.70), ("n", 0.70), ("n", 0.701)]
        frame = pd.DataFrame([(m, a, a - half, a + half) for m, a in areas], columns=columns)
        assert h2.printed_apart(frame) == expected
