"""Ranks and profiles of the published models. Oracles: printed figures, SciPy, the rule by hand."""

import pytest
from scipy import stats

from metacog.studies.study5_battery import monitoring, profiles
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import MODELS, UNCLASSIFIED
from metacog.verdicts.outcomes import of_rule, those, together

ROWS = load()
PER_TRACK = deltas(ROWS)
MEANS = mean_deltas(PER_TRACK)


def test_twelve_means_lie_above_zero_when_judged_together():
    """Thirteen by themselves."""
    board = monitoring.leaderboard(MEANS)
    whole = board[board["complete"]]
    above = ((whole["delta"] > 0) & (whole["holm"] < monitoring.ALPHA)).sum()
    assert (above, (whole["p"] < 0.05).sum(), (whole["lower"] > 0).sum()) == (12, 13, 13)
    holm = (whole["p"].rank(ascending=False) * whole["p"]).to_numpy()
    assert (whole["holm"].to_numpy() >= holm - 1e-12).all() and board["holm"].isna().sum() == 3


def test_few_pairs_survive_when_all_are_judged_together():
    pairs = monitoring.differences(PER_TRACK, MEANS)
    told = monitoring.survival("ranks", pairs)
    assert len(pairs) == len(of_rule(told, "ranks")) == 136 and together(told, "ranks") is False
    assert 0 < pairs["together"].sum() == len(those(told, "ranks", True)) < 68
    board = monitoring.with_rank_sets(monitoring.leaderboard(MEANS), pairs)
    assert (board["rank_from"].dropna() <= board["rank"].dropna()).all()
    one = pairs.iloc[0]
    by = {m: PER_TRACK[(PER_TRACK["model"] == m) & (PER_TRACK["track"] != "T6")] for m in MODELS.values()}
    again = mean_difference(by[one["first"]], by[one["second"]])
    assert one["difference"] == pytest.approx(again.estimate)


def test_inversion_is_scipys_spearman():
    every, whole = monitoring.inversion(MEANS)
    assert every.r == pytest.approx(stats.spearmanr(MEANS["accuracy"], MEANS["delta"]).statistic)
    assert (every.n, whole.n) == (20, 17)


def test_the_rule_and_the_print_part_on_three_models():
    table = profiles.with_printed(MEANS)
    off = table[table["rule"] != table["printed"]].set_index("model")
    assert set(off.index) == {"GLM-5", "Gemma 3 27B", "Claude Opus 4.6"}
    assert set(off["rule"]) == {"A"} and set(off["printed"]) == {UNCLASSIFIED}


def test_the_grid_is_the_rule_at_other_thresholds():
    cells = profiles.grid(MEANS)
    assert len(cells) == 125 and cells.loc[cells["moved"] == 0, "changed"].tolist() == [0]
    row = cells.iloc[25 + 10 + 2]  # second shift of the highest threshold, none of the others
    by_hand, usual = profiles.Thresholds(90, 10, 15).profiles(MEANS), profiles.PRINTED.profiles(MEANS)
    assert row["changed"] == sum(by_hand[m] != usual[m] for m in usual)
