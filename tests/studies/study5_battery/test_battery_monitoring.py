"""Ranks and profiles of the published models. Oracles: printed figures, SciPy, the rule by hand."""

import pytest
from scipy import stats

from metacog.studies.study5_battery import measures, monitoring_ranks
from metacog.studies.study5_battery.ledger.entries import judged_profiles
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.paper import MODELS, UNCLASSIFIED

ROWS = load()
PER_TRACK = deltas(ROWS)
MEANS = mean_deltas(PER_TRACK)


def test_twelve_means_lie_above_zero_when_judged_together():
    """Thirteen by themselves."""
    board = monitoring_ranks.leaderboard(MEANS)
    counted = monitoring_ranks.surviving(board, monitoring_ranks.differences(ROWS, MEANS))
    whole = board[board["complete"]]
    assert (counted["above"], (whole["p"] < 0.05).sum(), (whole["lower"] > 0).sum()) == (12, 13, 13)
    holm = (whole["p"].rank(ascending=False) * whole["p"]).to_numpy()
    assert (whole["holm"].to_numpy() >= holm - 1e-12).all() and board["holm"].isna().sum() == 3


def test_pairs_survive_less_often_together_than_alone():
    pairs = monitoring_ranks.differences(ROWS, MEANS)
    assert len(pairs) == 136 and (pairs["alone"] | ~pairs["together"]).all()
    counted = monitoring_ranks.surviving(
        monitoring_ranks.with_rank_sets(monitoring_ranks.leaderboard(MEANS), pairs), pairs
    )
    assert 0 < counted["pairs_together"] < counted["pairs_alone"] < 136 and counted["neighbours"] == 16
    one = pairs.iloc[0]
    by = {m: PER_TRACK[(PER_TRACK["model"] == m) & (PER_TRACK["track"] != "T6")] for m in MODELS.values()}
    again = mean_difference(by[one["first"]], by[one["second"]])
    assert (one["difference"], one["lower"]) == pytest.approx((again.estimate, again.lower))


def test_inversion_is_scipys_spearman():
    every, whole = monitoring_ranks.inversion(MEANS)
    assert every.r == pytest.approx(stats.spearmanr(MEANS["accuracy"], MEANS["delta"]).statistic)
    assert (every.n, whole.n) == (20, 17)


def test_the_rule_and_the_print_part_on_three_models():
    compared = judged_profiles(MEANS)
    off = compared[~compared["same"]].set_index("model")
    names = {"GLM-5", "Gemma 3 27B", "Claude Opus 4.6"}
    assert set(off.index) == names
    assert set(off["rule"]) == {"A"} and set(off["printed"]) == {UNCLASSIFIED}


def test_the_grid_is_the_rule_at_other_thresholds():
    cells = monitoring_ranks.grid(MEANS)
    assert len(cells) == 125 and cells.loc[cells["moved"] == 0, "changed"].tolist() == [0]
    row = cells[(cells["high"] == 90) & (cells["low"] == 10) & (cells["delta"] == 15)].iloc[0]
    by_hand = measures.by_rule(MEANS, measures.Rule(90, 10, 15))
    usual = measures.by_rule(MEANS)
    assert row["changed"] == sum(by_hand[m] != usual[m] for m in usual)
    alone = monitoring_ranks.one_at_a_time(cells)
    assert alone.loc[alone["threshold"] == "high", "value"].tolist() == [85, 90, 100]


def test_profiles_far_from_a_border_are_stable():
    found = monitoring_ranks.stability(ROWS, 200, 1)
    far, near = "Claude Haiku 4.5", "GLM-5"
    assert found[far] > 0.95 and found[near] < 0.8  # a delta of 14.6 at a border of 15
