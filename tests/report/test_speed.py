"""The chapter on speed reads committed results; its ratios are those of the numbers beside them."""

import pytest

from metacog.core.errors import MetacogError
from metacog.report import speed


def test_ratios_follow_from_the_rates():
    fits = speed.fits_table(speed.result("meta_d"))
    peer = fits["fits_per_second"].iloc[0]
    assert fits["ratio"].to_numpy() == pytest.approx((fits["fits_per_second"] / peer).to_numpy(), rel=0.01)
    collected = speed.collection_table(speed.result("collect"))
    assert (collected["batched_engine"] / collected["paper_loop"]).to_numpy() == pytest.approx(
        collected["times_paper_loop"].to_numpy(), rel=0.01
    )


def test_shares_of_time_sum_to_one():
    table = speed.time_table(speed.result("collect"))
    assert table.drop(columns="model").sum(axis=1).to_numpy() == pytest.approx(1.0, abs=0.01)


def test_comparisons_are_named():
    assert speed.server_table(speed.result("endpoint"))["comparison"].str.contains("server").any()
    assert len(speed.growth_table(speed.result("meta_d"))) > 3


def test_the_bias_is_judged_by_the_bound_and_not_by_hand():
    table = speed.forced_table(speed.result("nlp_check"))
    sentence = speed.bias_sentence(table)
    recorded = table[table["difference"].str.startswith("recorded")]
    assert sentence.count("under 0.005") == int((recorded["bias"].abs() < 0.005).sum())
    assert sentence.count("over 0.005") == int((recorded["bias"].abs() >= 0.005).sum())
    assert "over" not in speed.bias_sentence(table, bound=9.0)


def test_a_missing_result_names_its_script(tmp_path):
    with pytest.raises(MetacogError, match="run benchmarks/collect.py"):
        speed.result("collect", tmp_path)
