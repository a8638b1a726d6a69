"""H1-H4. Oracles: the published tables and intervals, SciPy, and simulated observers of known kind."""

import numpy as np
import pandas as pd
import pytest
from metacog.studies.study1_qa.temperatures import h3_estimates, judge, range_and_rank
from simulated_trials import DOMAINS, simulate_trials

from metacog.sdt import InputError
from metacog.sdt.information import meta_i2r, meta_i2r_interval, meta_i2r_se, plugin_meta_i2r
from metacog.sdt.resampling import resample_tables
from metacog.sdt.type2 import auroc2_interval_from_counts
from metacog.studies.study1_qa import h2
from metacog.studies.study1_qa.cells import Flag, cells_from_counts, estimate, rate_trials
from metacog.studies.study1_qa.h1 import (
    NEW_EDGES,
    TRIALS,
    compare,
    draws_with_new_edges,
    h1_estimates,
    h1_from_cells,
    judge_intervals,
)
from metacog.studies.study1_qa.h2 import compare as h2_compare
from metacog.studies.study1_qa.h2 import domain_cells, h2_estimates
from metacog.studies.study1_qa.h4 import h4_estimates, h4_from_cells
from metacog.verdicts.rules import ZERO


@pytest.fixture(scope="module")
def triviaqa(published):
    cells = cells_from_counts(published("counts_T1"))
    return cells.select(cells.frame["dataset"] == "triviaqa")


def test_h1_reproduces_the_published_estimates_and_intervals(triviaqa, published):
    ours = h1_from_cells(triviaqa, n_resamples=10_000).table.set_index("model")
    theirs = published("v1_h1_full_precision").set_index("model")
    for column in ("d_prime", "meta_d", "m_ratio"):
        assert (ours[column] - theirs[column]).abs().max() < 2e-7
    # Monte-Carlo error of a 2.5 % quantile of 10,000 draws is about 2.7 sd/100, in both of two bootstraps
    sd = (theirs["ci_hi"] - theirs["ci_lo"]) / 3.92
    for column, printed in (("m_ratio_lower", "ci_lo"), ("m_ratio_upper", "ci_hi")):
        assert ((ours[column] - theirs[printed]).abs() < 4 * np.sqrt(2) * 0.027 * sd).all()
    assert ours["below_one"].to_dict() == {
        "llama3_instruct": False,
        "mistral_instruct": True,
        "llama3_base": False,
        "gemma2_instruct": False,
    }


def test_h1_verdict_follows_the_rule(triviaqa):
    result = h1_from_cells(triviaqa, n_resamples=500)
    (verdict,) = result.verdicts
    assert verdict.passed is False
    assert verdict.values["below"] == ["mistral_instruct"]
    only = h1_from_cells(triviaqa.select(triviaqa.frame["model"] == "mistral_instruct"), n_resamples=500)
    assert only.verdicts[0].passed is True
    assert h1_from_cells(triviaqa, n_resamples=50, verdicts=False).verdicts == ()


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
        {
            "model": m,
            "dataset": "bank",
            "scheme": s,
            "m_ratio_lower": low,
            "m_ratio_upper": high,
            "width": 0.4,
        }
        for m, (low, high) in zip("ab", ends, strict=True)
        for s in (TRIALS, NEW_EDGES)
    ]
    verdict = judge_intervals(table, pd.DataFrame(rows))
    assert (verdict.passed, verdict.values["above"], verdict.undecided) == (passed, above, undecided)
    flagged = judge_intervals(table.assign(flag="thin"), pd.DataFrame(rows))
    assert flagged.passed is None and {why for _, why in flagged.undecided} == {"thin"}


def test_h1_reproduces_the_printed_ratios(triviaqa):
    theirs = h1_from_cells(triviaqa, n_resamples=100).table
    verdict = compare(theirs, theirs)
    assert verdict.passed is None and verdict.values["agree"] == 8  # meta-d' and M-ratio of four models
    assert verdict.values["d_prime_agree"] == verdict.values["n_published"] == 4


def test_new_edges_with_fixed_weights_are_the_plain_table(trials, monkeypatch):
    """A resample that takes each question once must give back the estimate itself."""
    import metacog.sdt.resampling as module

    monkeypatch.setattr(module, "cluster_weights", lambda n, size, rng: np.ones((size, n)))
    rated = rate_trials(trials)
    one = rated.trials[(rated.trials["model"] == "alpha") & (rated.trials["temperature"] == 1.0)]
    draws = draws_with_new_edges(one, 8, n_resamples=3)
    expected = estimate(rated.cells()).set_index("model")["m_ratio"]["alpha"]
    np.testing.assert_allclose(draws, expected, rtol=1e-10)


def test_new_edges_match_a_plain_loop(trials):
    """Oracle: expand each resample, NumPy's quantiles, count, fit."""
    from metacog.sdt.binning import counts, quantile_edges, rate
    from metacog.sdt.meta_d import fit_meta_d
    from metacog.sdt.resampling import cluster_weights

    own = trials[(trials["model"] == "beta") & (trials["temperature"] == 1.0) & trials["nlp"].notna()]
    own = own.head(200)
    draws = draws_with_new_edges(own, 8, n_resamples=3, seed=7)
    used = own.sort_values("nlp", kind="stable")
    question = pd.factorize(used["question_id"])[0]
    weights = cluster_weights(len(used), 3, np.random.default_rng(np.random.SeedSequence(7)))[:, question]
    for draw, w in zip(draws, weights.astype(int), strict=True):
        x = np.repeat(used["nlp"].to_numpy(), w)
        y = np.repeat(used["correct"].to_numpy(), w)
        table = counts(y, rate(x, quantile_edges(x, 8)), 8)
        expected = fit_meta_d(table.nR_S1 + 0.5, table.nR_S2 + 0.5).m_ratio
        assert draw == pytest.approx(expected, rel=1e-9)


def test_h1_shows_every_scheme_once(trials):
    result = h1_estimates(rate_trials(trials), n_resamples=300)
    assert result.intervals.groupby("model").size().eq(4).all()
    assert result.intervals["width"].gt(0).all()
    assert [v.kind for v in result.verdicts] == ["pre-registered", "sound counterpart"]


def test_question_intervals_are_wider_when_a_question_repeats_itself():
    """Each question's trial copied to four temperatures: pooled trial-level limits are half as wide."""
    one = simulate_trials(n_questions=400, temperatures=(1.0,), empty=0.0)
    copies = pd.concat([one.assign(temperature=t) for t in (0.3, 0.5, 0.7, 1.0)], ignore_index=True)
    found = h1_estimates(rate_trials(copies), n_resamples=2000, verdicts=False).intervals
    width = found.pivot(index="model", columns="scheme", values="width")
    ratio = width["questions, all T"] / width["trials, all T"]
    assert ratio.mean() == pytest.approx(2, abs=0.25)


def test_h2_finds_a_domain_whose_confidence_is_noise():
    models = {
        name: {"ability": 0.0, "noise": 0.4, "domain_noise": {DOMAINS[0]: 8.0}} for name in ("alpha", "beta")
    }
    result = h2_estimates(rate_trials(simulate_trials(models, n_questions=1200)), n_resamples=1000)
    area = result.pairs[(result.pairs["measure"] == "auroc2")]
    odd = (area["domain_a"] == DOMAINS[0]) | (area["domain_b"] == DOMAINS[0])
    assert (area[odd]["p_holm"] < 0.05).all() and (area[~odd]["p_holm"] >= 0.05).all()
    assert result.verdicts[2].passed is True
    assert len(result.pairs[result.pairs["measure"] == "m_ratio"]) == 12


def test_h2_leaves_small_domains_out_and_needs_two_models(smoke_trials):
    result = h2_estimates(rate_trials(smoke_trials), n_resamples=60)
    assert result.pairs["flagged"].all() and result.pairs["p_holm"].isna().all()
    assert all(v.passed is None for v in result.verdicts)


def test_h2_compares_the_domains_that_are_named(smoke_trials):
    rated = rate_trials(smoke_trials)
    whole = h2_estimates(rated, n_resamples=60)
    first, second, *_ = names = sorted(whole.table["domain"].unique())
    part = h2_estimates(rated, domains=[first, second], n_resamples=60)
    assert sorted(part.table["domain"].unique()) == [first, second] and len(names) > 2
    both = part.table.merge(whole.table, on=["model", "domain"])
    assert np.allclose(both["auroc2_x"], both["auroc2_y"], equal_nan=True) and len(both) == len(part.table)
    with pytest.raises(InputError, match="no domain Cookery; the trials have"):
        h2_estimates(rated, domains=["Cookery", first])
    with pytest.raises(InputError, match="name two at least"):
        h2_estimates(rated, domains=[first])


def test_a_lowest_domain_needs_two_that_can_be_compared():
    """A flag of fits takes a domain from M-ratio alone; one domain that is left is not the lowest."""
    theirs = pd.DataFrame({"model": "p", "domain": ["x", "y"], "m_ratio": [0.8, 0.9], "meta_i2r": [0.2, 0.1]})
    ours = pd.DataFrame(
        [
            ("a", "x", 0.5, 0.3, Flag.NONE),
            ("a", "y", 0.9, 0.2, Flag.PADDED),
            ("b", "x", 0.5, 0.3, Flag.FEW_CORRECT),
            ("b", "y", 0.9, 0.2, Flag.NONE),
            ("c", "x", 0.5, np.nan, Flag.NONE),
            ("c", "y", 0.4, 0.2, Flag.NONE),
        ],
        columns=["model", "domain", "m_ratio", "meta_i2r", "flag"],
    )
    verdict = h2_compare(theirs, ours)
    printed, run = verdict.values["lowest"]
    assert (printed["m_ratio"], printed["meta_i2r"]) == ({"p": "x"}, {"p": "y"})
    assert (run["m_ratio"], run["meta_i2r"]) == ({"c": "y"}, {"a": "y"})


def test_h2_ignores_unclassified(trials):
    other = trials.assign(domain=trials["domain"].replace(DOMAINS[0], "Unclassified"))
    assert set(domain_cells(rate_trials(other)).frame["domain"]) == set(DOMAINS[1:])


def test_intervals_of_domains_are_those_of_the_book(trials):
    """The table's limits are the common function's on the same resamples; AUROC2's come from placements."""
    cells = domain_cells(rate_trials(trials))
    table = h2_estimates(rate_trials(trials), n_resamples=300, seed=1, verdicts=False).table
    child = np.random.SeedSequence(1).spawn(len(cells))
    for i in range(len(cells)):
        s1, s2 = cells.nR_S1[i], cells.nR_S2[i]
        a, b = resample_tables(s1, s2, 300, np.random.default_rng(child[i]))
        ends = meta_i2r_interval(
            float(meta_i2r(s1, s2)),
            plugin_meta_i2r(a, b),
            se=float(meta_i2r_se(s1, s2)),
            draw_se=meta_i2r_se(a, b),
        ).ends
        assert tuple(table.loc[i, ["meta_i2r_lower", "meta_i2r_upper"]]) == pytest.approx(ends, rel=1e-12)
        area = auroc2_interval_from_counts(s1, s2)
        assert tuple(table.loc[i, ["auroc2_lower", "auroc2_upper"]]) == pytest.approx(
            (area.lower, area.upper)
        )


def test_h3_statistics_reproduce_the_published_verdicts(published):
    printed = published("v1_h3_verdicts").set_index("model")
    rows = {}
    for model, own in published("v1_table7_temperature").groupby("model"):
        rows[model] = range_and_rank(own)
    found = pd.DataFrame(rows).T
    for column in ("rho_meta_d_T", "rho_d_prime_T"):
        np.testing.assert_allclose(found[column].astype(float), printed[column][found.index], atol=1e-9)
    gap = (found["meta_d_range"].astype(float) - printed["meta_d_range"][found.index]).abs()
    assert gap.max() <= 0.001  # two values printed to three digits
    for column in ("tost_pass", "relative_robust"):
        assert (found[column].astype(bool) == printed[column][found.index]).all()


def test_h3_judges_the_published_table(published):
    rows = [
        {"model": m, "dataset": "triviaqa", **range_and_rank(own)}
        for m, own in published("v1_table7_temperature").groupby("model")
    ]
    verdicts = judge(pd.DataFrame(rows))
    assert [v.passed for v in verdicts] == [False, False]
    assert "llama3_base" in verdicts[0].values["no"]


def test_h3_equivalence_needs_a_narrow_interval(trials):
    rated = rate_trials(trials)
    result = h3_estimates(rated, n_resamples=400)
    row = result.summary.iloc[0]
    limits = result.pairs[result.pairs["model"] == row["model"]][["lower", "upper"]].abs().to_numpy()
    assert row["smallest_bound"] == pytest.approx(limits.max())
    assert row["equivalent"] == (row["smallest_bound"] < 0.3)
    wide = h3_estimates(rated, n_resamples=400, bound=float(result.summary["smallest_bound"].max()) + 0.01)
    assert wide.summary["equivalent"].all() and wide.summary["tost_p"].max() < 0.06
    assert set(result.table["temperature"]) == {0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0}
    assert result.table["meta_d_lower"].lt(result.table["meta_d"]).all()


def test_h3_sees_the_criterion_follow_temperature(trials):
    """The simulated observers lose NLP as temperature rises, and the edges stay."""
    result = h3_estimates(rate_trials(trials), n_resamples=300)
    assert result.summary["high_criterion_change"].gt(0).all()
    assert result.verdicts[-1].passed is True
    falling = result.table.sort_values("temperature").groupby("model")["mean_rating"].agg(list)
    assert all(np.all(np.diff(x) < 0) for x in falling)


def test_h3_says_so_when_temperatures_are_missing(smoke_trials):
    result = h3_estimates(rate_trials(smoke_trials), n_resamples=60)
    assert [v.passed for v in result.verdicts[:3]] == [None, None, None]
    assert result.summary["n_temperatures"].tolist() == [2]


def test_h4_readings_on_the_published_counts(triviaqa):
    result = h4_from_cells(triviaqa, n_resamples=4000)
    pairs = result.pairs.set_index(["model_a", "model_b"])
    apart = pairs.index[~pairs["overlap"]]
    assert list(apart) == [("mistral_instruct", "llama3_base")]
    code, text = result.verdicts
    assert code.passed is True and text.passed is True
    assert pairs["further"].tolist() == (pairs["p_holm"] < 0.05).tolist()
    assert not pairs.loc[("mistral_instruct", "gemma2_instruct"), "further"]


def test_h4_pairs_models_over_shared_questions():
    """Twins that share every draw differ by exactly nothing, however wide their own limits."""
    one = simulate_trials({"alpha": {"ability": 0.2, "noise": 0.8}}, n_questions=300, temperatures=(1.0,))
    both = pd.concat([one, one.assign(model="twin")], ignore_index=True)
    result = h4_estimates(rate_trials(both), n_resamples=300)
    row = result.pairs.iloc[0]
    assert row["n_shared"] == one["nlp"].notna().sum()
    assert row["paired"] == 0 and row["paired_lower"] == 0 and row["paired_upper"] == 0
    assert row["lower"] < -0.1 and row["upper"] > 0.1
    assert not row["further"] and row["p_further"] == 1 and result.verdicts[2].passed is None
    assert [why for _, why in result.verdicts[2].undecided] == [ZERO]


def test_h4_with_one_model_draws_no_verdict(smoke_trials):
    result = h4_estimates(rate_trials(smoke_trials), n_resamples=60)
    assert result.pairs.empty and [v.passed for v in result.verdicts] == [None, None, None]


def test_printed_domains_differ_where_their_distance_is_large_for_its_error_and_for_the_number_of_pairs():
    columns = ["model", "auroc2", "auroc2_lower", "auroc2_upper"]
    half = 1.959964 * 0.01  # standard errors of .01, so that of a difference is .01414
    near, far = (
        0.70 + 2.2 * 0.01414,
        0.70 + 4 * 0.01414,
    )  # p = .028, .08 in the family of three pairs; p = .00006
    for high, expected in ((near, ()), (far, ("m",))):
        rows = [("m", 0.70, 0.70), ("m", high, high), ("n", 0.70, 0.70), ("n", 0.70, 0.70)]
        rows += [("n", 0.701, 0.701)]
        frame = pd.DataFrame([(m, a, b - half, b + half) for m, a, b in rows], columns=columns)
        assert h2.printed_apart(frame) == expected
