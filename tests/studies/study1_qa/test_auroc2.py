"""Ranks of models, and version 2's measures of groups. Oracles: published tables, SciPy, sdt."""

import math

import numpy as np
import pandas as pd
import pytest

from metacog.measures import table as table_page
from metacog.sdt import auroc2
from metacog.sdt.type2 import auroc2_interval_from_counts
from metacog.studies.study1_qa.auroc2 import compare, domain_measures, domain_ranks, ranks, ranks_from_cells
from metacog.studies.study1_qa.auroc2 import judge as judge_ranks
from metacog.studies.study1_qa.cells import place, rate_trials
from metacog.studies.study1_qa.correction import measure_cells
from metacog.studies.study1_qa.version2 import measure_table, temperature_measures

#: Names of limits in the published tables, and ours.
ENDS = (("mi", "meta_i2r"), ("a", "auroc2"))


def test_ranks_on_the_published_counts(cells, published):
    result = ranks_from_cells(cells)
    table = result.table[result.table["dataset"] == "triviaqa"].set_index("model")
    theirs = published("v2_aggregate")
    theirs = theirs[theirs["dataset"] == "triviaqa"].set_index("model")
    assert (table["auroc2"] - theirs["auroc2"]).abs().max() < 1e-12
    # exact instead of permutation mean: Monte-Carlo error of 2,000 permutations is about 1e-5
    assert (table["meta_i2r"] - theirs["meta_i2r"]).abs().max() < 6e-5
    assert (
        table["meta_i2r"].idxmax() == "mistral_instruct" and table["m_ratio"].idxmin() == "mistral_instruct"
    )
    assert len(result.verdicts) == 2 and result.verdicts[0].passed is None  # exact p .33


def test_like_orders_of_few_models_are_no_verdict():
    """By chance three models stand in one order in 1 of 6 cases, four in 1 of 24."""

    def judged(rho, n, of=None):
        row = {"dataset": "bank", "pair": "AUROC2 and M-ratio", "rho": rho, "n_models": n, "of": of or n}
        p = 2 / math.factorial(n)
        return judge_ranks(pd.DataFrame([{**row, "p_exact": p, "smallest_p": p}]))

    assert judged(1.0, 3).passed is None and judged(1.0, 4).passed is True
    assert judged(1.0, 4, of=5).passed is None
    assert judged(-1.0, 4).passed is None and judged(-1.0, 5).passed is False


def test_ranks_use_raw_nlp(trials, smoke_trials):
    result = ranks(rate_trials(trials))
    one = trials[(trials["temperature"] == 1.0) & (trials["model"] == "beta") & trials["nlp"].notna()]
    found = result.table.set_index("model").loc["beta", "auroc2"]
    assert found == pytest.approx(auroc2(one["correct"], one["nlp"]), abs=1e-12)
    assert ranks(rate_trials(smoke_trials)).verdicts[0].passed is None


def test_measure_table_has_v2s_estimates_and_the_books_intervals(cells, published):
    ours = measure_table(cells, n_permutations=2000, n_resamples=2000).set_index(["model", "dataset"])
    theirs = published("v2_aggregate").set_index(["model", "dataset"]).loc[ours.index]
    assert (ours["auroc2"] - theirs["auroc2"]).abs().max() < 1e-12
    assert (ours["p_value"] - theirs["p_perm"]).abs().max() < 1e-12
    # both null means carry the error of 2,000 permutations: sd about 0.7 x mean / sqrt(2000)
    assert (
        (ours["null_mean"] - theirs["null_mean"]).abs() < 5 * 0.75 * theirs["null_mean"] / np.sqrt(1000)
    ).all()
    for i, row in enumerate(ours.itertuples()):
        area = auroc2_interval_from_counts(cells.nR_S1[i], cells.nR_S2[i])
        assert (row.auroc2_lower, row.auroc2_upper) == (area.lower, area.upper)
    # version 2's intervals sit too high: without resampling's share of the bias the middle of ours lies
    # lower in every row, and by less than twice the mean of the null
    down = (theirs["mi_lo"] + theirs["mi_hi"]) / 2 - (ours["meta_i2r_lower"] + ours["meta_i2r_upper"]) / 2
    assert (down > 0).all() and (down < 2 * theirs["null_mean"]).all()


def test_the_intervals_of_meta_i2r_are_one_and_the_same(cells):
    """Correction, domains and temperatures, and measures of any trials ask one function."""
    options = {"n_permutations": 200, "n_resamples": 400, "seed": 3}
    on_page = measure_table(cells, **options)
    corrected = measure_cells(cells, **options).table
    moved = on_page["meta_i2r_permutation"] - corrected["meta_i2r"]  # drawn null mean against the exact one
    for end in ("meta_i2r_lower", "meta_i2r_upper"):
        np.testing.assert_allclose(on_page[end] - moved, corrected[end], rtol=1e-9)
    np.testing.assert_allclose(on_page["auroc2_upper"], corrected["auroc2_upper"], rtol=1e-12)


def test_tables_say_how_often_such_intervals_hold_the_truth(cells, monkeypatch):
    rows = [("auroc2", 0.7, 0.91), ("meta_i2r", 0.1, 0.95)]
    known = pd.DataFrame(rows, columns=["interval", "value", "coverage"])
    known = known.assign(clustered=False, n_trials=5000, minority=2000, coverage_se=0.01)
    monkeypatch.setattr(table_page, "simulations", lambda: known)
    options = {"n_permutations": 20, "n_resamples": 20}
    for table in (measure_table(cells, **options), measure_cells(cells, **options).table):
        assert table["coverage"].str.contains("91").all()


def test_domain_and_temperature_measures_have_the_published_columns(trials, smoke_trials, published):
    rated = rate_trials(trials)
    by_domain = domain_measures(rated, n_permutations=100, n_resamples=100)
    ours = {"acc": "accuracy", "meta_i2r": "meta_i2r_permutation", "p_perm": "p_value"}
    ours |= {f"{a}_{end[:2]}": f"{b}_{end[3:]}" for a, b in ENDS for end in ("lo lower", "hi upper")}
    assert set(published("v2_domain").rename(columns=ours).columns) <= set(by_domain.columns)
    by_temperature = temperature_measures(trials, n_permutations=100, n_resamples=100)
    assert len(by_temperature) == 14 and by_temperature["meta_i2r_permutation"].notna().all()
    best = by_domain[by_domain["model"] == "alpha"].set_index("domain")["meta_i2r_permutation"].idxmax()
    first = domain_ranks(rated, n_resamples=300)[0]
    assert (first["model"], first["highest"], first["domains"]) == ("alpha", best, 4)
    small = domain_measures(rate_trials(smoke_trials), n_permutations=20, n_resamples=20)
    assert small["meta_i2r_permutation"].isna().any() and small["flag"].ne("").all()
    assert domain_ranks(rate_trials(smoke_trials), n_resamples=50) == []


def test_equal_values_share_the_better_place_as_the_paper_prints_it(published):
    printed = published("v1_table3_auroc2")
    assert place(printed["m_ratio"]).tolist() == printed["m_ratio_rank"].tolist()


def test_the_comparison_ranks_the_printed_models(trials, published):
    table = ranks(rate_trials(trials)).table
    rho = compare(published("v1_table3_auroc2"), table, table).values
    assert rho["printed"] == pytest.approx(-0.8) and rho["recomputed"] == rho["run"]
