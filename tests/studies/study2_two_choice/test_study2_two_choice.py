"""The nine cells with confidence. Oracles: the raw file, metadpy's fit, printed table S1, simulated draws."""

import numpy as np
import pandas as pd
import pytest
from metadpy.mle import metad
from scipy.stats import norm

from metacog.core.paths import published_file
from metacog.sdt import fit_meta_d, meta_d_observer, type2_table
from metacog.sdt.information_bits import plugin_meta_i
from metacog.studies.study2_two_choice import cells, paper, two_choice
from metacog.studies.study2_two_choice.cells import by_confidence
from metacog.studies.study2_two_choice.ledger import claims

FITTED, _ = two_choice.fitted_ratings(300, 1)
PUBLISHED = two_choice.with_published(FITTED)


def test_tables_are_read_in_the_order_of_the_ratings():
    """Oracle: cells looked up in the file by eye."""
    cell = next(c for c in paper.rating_cells() if c.task == "A" and c.model.startswith("GPT"))
    assert cell.nR_S1.tolist() == [4796, 2124, 542, 1017, 285, 33, 123, 65, 36, 6]
    assert cell.nR_S2.tolist() == [12, 120, 107, 301, 469, 434, 1304, 967, 3085, 4174]
    raw = pd.read_csv(published_file("servajean_meta_d_counts.csv"))
    assert sum(c.nR_S1.sum() + c.nR_S2.sum() for c in paper.rating_cells()) == raw["n"].sum() == 120_000


def test_maximum_likelihood_agrees_with_metadpy():
    cell = paper.rating_cells()[0]
    theirs = metad(nR_S1=cell.nR_S1, nR_S2=cell.nR_S2, nRatings=5, padding=False, verbose=0)
    row = FITTED.iloc[0]
    assert row["meta_d"] == pytest.approx(float(theirs["meta_d"].iloc[0]), abs=1e-3)
    assert row["d_prime"] == pytest.approx(float(theirs["dprime"].iloc[0]), abs=1e-9)


def test_one_printed_d_prime_does_not_follow_from_the_counts():
    off = (PUBLISHED["d_prime_published"] - PUBLISHED["d_prime"]) / PUBLISHED["d_prime_se"]
    odd = PUBLISHED[off.abs() > 1.1]
    assert odd[["task", "model"]].to_numpy().tolist() == [["C", "DeepSeek-V3.2-Exp"]]
    assert odd["d_prime"].iloc[0] == pytest.approx(1.377, abs=5e-4)
    assert off[odd.index[0]] == pytest.approx(-4.15, abs=0.01)


def test_bootstrap_interval_of_d_prime_is_the_delta_interval():
    """Oracle: two roads to one interval, within Monte-Carlo error of 300 resamples."""
    width = (FITTED["d_prime_upper"] - FITTED["d_prime_lower"]) / (2 * 1.96)
    assert (width / FITTED["d_prime_se"]).to_numpy() == pytest.approx(np.ones(9), abs=0.15)


def test_verdicts_between_models():
    pairs = claims.with_claims(cells.model_contrasts(FITTED))
    assert (len(pairs), int(pairs["agrees"].sum()), int(pairs["agrees_wide"].sum())) == (9, 8, 6)
    odd = pairs[~pairs["agrees"]].iloc[0]
    assert (odd["task"], odd["printed"], odd["decision"]) == ("C", "not significant", "inconclusive")
    sizes = pairs[pairs["value"] != ""]
    assert [round(x) for x in sizes["relative"]] == [106, 130]


def test_d_prime_verdicts_from_known_draws():
    """Oracle: normal draws whose decision can be worked out, and the interval of their log ratio."""
    q = norm.ppf((np.arange(4000) + 0.5) / 4000)
    draws = {
        ("A", "one"): 2 + 0.02 * q,
        ("A", "other"): 1.5 + 0.0 * q,
        ("A", "near"): 2.05 + 0.0 * q,
        ("B", "one"): 2.0 + 0.0 * q,
    }
    table = cells.d_prime_contrasts(draws).set_index(["kind", "first", "second"])
    assert table.loc[("models", "one", "other"), "decision"] == "significant"
    assert table.loc[("models", "one", "near"), "decision"] == "negligible"
    assert table.loc[("tasks", "A", "B"), "decision"] == "not significant"
    assert ("tasks", "A", "B") in table.index and len(table) == 4
    one = table.loc[("models", "one", "near")]
    logs = np.quantile(np.log(draws["A", "one"] / draws["A", "near"]), [0.025, 0.975])
    assert (one["upper"] < 0) == (logs[1] < 0) and one["relative"] == pytest.approx(-100 * 0.05 / 2.05)


def test_m_ratio_verdicts_from_known_draws():
    """Oracle: log-normal draws whose decision can be worked out."""
    q = norm.ppf((np.arange(4000) + 0.5) / 4000)
    draws = {
        ("A", "GPT-5-2025-08-07"): np.exp(np.log(0.8) + 0.02 * q),
        ("A", "DeepSeek-V3.2-Exp"): np.exp(np.log(0.97) + 0.001 * q),
        ("B", "GPT-5-2025-08-07"): 0.13 * np.roll(q, 7),  # confidence tells nothing
        ("C", "GPT-5-2025-08-07"): np.where(np.arange(4000) < 100, np.nan, 0.8),
    }
    estimates = dict.fromkeys(draws, 0.8)
    table = cells.m_ratio_contrasts(draws, estimates)
    decision = {(r.kind, r.task, r.model): r.decision for r in table.itertuples()}
    assert decision["optimality", "A", "GPT-5-2025-08-07"] == "significant"
    assert decision["optimality", "A", "DeepSeek-V3.2-Exp"] == "negligible"
    # no cell is dropped for an M-ratio of 0
    assert decision["optimality", "B", "GPT-5-2025-08-07"] == "significant"
    assert decision["optimality", "C", "GPT-5-2025-08-07"] == "no decision"
    tasks = table[table["kind"] == "tasks"].set_index(["first", "second"])["decision"]
    none = "no decision"
    assert tasks.to_dict() == {("A", "B"): "significant", ("A", "C"): none, ("B", "C"): none}
    models = table[table["kind"] == "models"].iloc[0]
    assert models["decision"] == "significant"
    assert models["difference"] == pytest.approx(np.log(0.8 / 0.97), abs=0.005)


def test_ratings_that_a_fitted_model_makes_keep_as_many_bits_as_the_model_says():
    """Oracle: the bits of a large table drawn from a model of known meta-d'; those of the published ratings."""
    observer = meta_d_observer(2.5, m_ratio=0.6, n_ratings=5)
    a, b = observer.counts(2_000_000, 1, 3)
    found = two_choice._bits_of_fit(fit_meta_d(a[0], b[0]), 0.5)
    assert found == pytest.approx(float(plugin_meta_i(*type2_table(a[0], b[0]))), abs=0.001)
    assert ((FITTED["i1r_fitted"] - FITTED["meta_i1r"]).abs() < 0.05).all()
    assert (FITTED["i1r_levels"] < 1).all() and (FITTED["i1r_levels"] > FITTED["meta_i1r"]).all()


def test_accuracy_by_confidence_adds_up_and_leaves_sparse_levels_out():
    table = by_confidence(paper.rating_cells(), 20)
    assert len(table) == 45 and table["n"].sum() == 120_000
    assert not table[table["n"] < 20]["shown"].any() and table[table["n"] >= 20]["shown"].all()
    assert int((~table["shown"]).sum()) == 10 and int((table["n"] == 0).sum()) == 7
    both = table.assign(right_n=(table["right"] * table["n"]).fillna(0)).groupby(["task", "model"])
    accuracy = (both["right_n"].sum() / both["n"].sum()).to_numpy()
    assert sorted(accuracy) == pytest.approx(sorted(FITTED["accuracy"]))
    given = two_choice.confidence_given().groupby(["task", "model", "correct"])["share"].sum()
    assert given.to_numpy() == pytest.approx(np.ones(18))
