"""Deltas, means, ranks and profiles. Oracles: SciPy, closed forms, hand-made responses."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from metacog.sdt.type2 import auroc2
from metacog.sdt.weighted import weighted_shares
from metacog.studies.study import Result
from metacog.studies.study5_battery import commitment, monitoring, profiles, robustness
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE, UNCLASSIFIED
from metacog.studies.study5_battery.profiles import PRINTED
from metacog.studies.study5_battery.scores import track_scores
from metacog.verdicts.outcomes import of_rule, those, together

ROWS = load()
PER_TRACK = deltas(ROWS)
MEANS = mean_deltas(PER_TRACK)


def made(model, track, states):
    """Hand-made responses: ``(correct, keep, bet)`` each."""
    table = pd.DataFrame(states, columns=["correct", "keep", "bet"])
    return table.assign(model=model, track=track, judged=True)


def test_a_delta_by_hand():
    right = [(True, True, True)] * 8 + [(True, False, False)] * 2
    rows = made("GLM-5", "T1", right + [(False, True, False)] + [(False, False, False)] * 3)
    row = deltas(rows).iloc[0]
    assert (row["kc"], row["ki"], row["delta"]) == pytest.approx((80, 25, 55))
    assert deltas(rows, probe="bet").iloc[0]["delta"] == pytest.approx(80)
    assert row["lower"] < 55 < row["upper"] <= 100


def test_an_empty_cell_is_undefined_not_zero():
    row = deltas(made("GLM-5", "T1", [(True, True, True)] * 5)).iloc[0]
    assert np.isnan([row["ki"], row["delta"], row["lower"]]).all() and row["kc"] == 100
    known = PER_TRACK["delta"].notna()
    assert (known == ((PER_TRACK["n_correct"] > 0) & (PER_TRACK["n_incorrect"] > 0))).all()


def test_means_of_few_tracks_are_flagged_and_not_ranked():
    board = monitoring.leaderboard(MEANS).set_index("model")
    few = {"DeepSeek R1": 1, "Claude Opus 4.6": 4, "Qwen 80B Think": 4}
    assert board.loc[~board["complete"], "n_defined"].to_dict() == few
    assert board.loc[list(few), "rank"].isna().all() and sorted(board["rank"].dropna()) == list(range(1, 18))


def test_a_mean_has_the_score_interval_and_the_exact_p_of_its_counts():
    own = PER_TRACK[(PER_TRACK["model"] == "GPT-5.4") & PER_TRACK["track"].isin(RETROSPECTIVE)]
    row = MEANS[MEANS["model"] == "GPT-5.4"].iloc[0]
    hits, n = ([*own[f"{x}_correct"], *own[f"{x}_incorrect"]] for x in ("stood", "n"))
    again = weighted_shares(hits, n, np.repeat([0.2, -0.2], 5))
    assert (row["delta"], row["lower"], row["upper"]) == pytest.approx(
        (100 * again.estimate, 100 * again.lower, 100 * again.upper)
    )
    # right and wrong answers change places within tracks: the exact p is the share of such deals
    rng, draws = np.random.default_rng(3), np.zeros(20_000)
    for track in own.itertuples(index=False):
        total = track.stood_correct + track.stood_incorrect
        wrong = rng.hypergeometric(total, track.n - total, track.n_incorrect, draws.size)
        draws += ((total - wrong) / track.n_correct - wrong / track.n_incorrect) / 5
    share = (np.abs(draws) >= row["delta"] / 100 - 1e-9).mean()
    assert row["p"] == pytest.approx(share, abs=3 * np.sqrt(row["p"] / draws.size))


@pytest.mark.parametrize(
    ("stood", "delta", "profile"),
    [
        *[(95, 0, "A"), (94.9, 0, UNCLASSIFIED), (97, np.nan, "A"), (50, np.nan, UNCLASSIFIED)],
        *[(99, 15, "C"), (99, -15, UNCLASSIFIED), (60, 15, "C"), (60, 14.9, UNCLASSIFIED), (10, 40, "B")],
    ],
)
def test_profiles_by_rule(stood, delta, profile):
    assert PRINTED.profile(stood, delta) == profile


def test_a_mean_score_of_fewer_than_six_tracks_is_none():
    part = ROWS[(ROWS["model"] != "GLM-5") | (ROWS["track"] != "T3")]
    table = track_scores(part).set_index("model")
    assert np.isnan(table.at["GLM-5", "mean"]) and table["mean"].notna().sum() == 19


def test_commitment_is_the_auroc2_of_four_states():
    table = commitment.measured(ROWS).set_index("model")
    own = ROWS[(ROWS["model"] == "GPT-5.4") & ROWS["track"].isin(RETROSPECTIVE)]
    assert table.at["GPT-5.4", "auroc2"] == pytest.approx(auroc2(own["correct"], commitment.states(own)))
    assert np.isnan(table.at["DeepSeek R1", "lower"])


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


def test_what_is_kept_is_the_mean_of_the_rates_by_hand_and_print_stands_where_it_differs():
    table = profiles.kept(PER_TRACK)
    ours = table[~table["as_printed"]].set_index(["model", "answers"])
    assert (
        len(ours) == 40
        and (ours["kept_lower"] <= ours["kept"]).all()
        and (ours["kept"] <= ours["kept_upper"]).all()
    )
    own = PER_TRACK[(PER_TRACK["model"] == "Claude Haiku 4.5") & (PER_TRACK["track"] != "T6")]
    assert ours.at[("Claude Haiku 4.5", "right answers"), "kept"] == pytest.approx(own["kc"].mean())
    assert ours.at[("Claude Haiku 4.5", "wrong answers"), "kept"] == pytest.approx(own["ki"].mean())
    gaps = ours["kept"].unstack()
    board = MEANS.set_index("model")["delta"].reindex(gaps.index)
    assert (gaps["right answers"] - gaps["wrong answers"]).to_numpy() == pytest.approx(board.to_numpy())
    printed = set(table.loc[table["as_printed"], "model"])
    undefined = PER_TRACK[(PER_TRACK["track"] != "T6") & PER_TRACK["delta"].isna()]["model"]
    assert printed == set(undefined)
    assert profiles.kept(PER_TRACK.iloc[:0], printed=False).empty


def test_counts_of_profiles_at_other_thresholds_are_the_rule_s():
    table = profiles.counts_at(MEANS)
    assert (table.groupby(["threshold", "moved"])["models"].sum() == 20).all()
    for name, title, at, shift in (
        ("delta", "Least delta, printed 15", 20.0, 5),
        ("high", "Least KEEP, printed 95", 90.0, -5),
    ):
        found = table[(table["threshold"] == title) & (table["moved"] == shift)].set_index("profile")[
            "models"
        ]
        rule = profiles.Thresholds(**{name: at}).profiles(MEANS)
        assert found[profiles.NAMES["C"]] == list(rule.values()).count("C")
        assert found[profiles.NAMES["A"]] == list(rule.values()).count("A")


def test_profiles_by_track_count_different_ones_over_all_six():
    table = profiles.profiles(None)["by_track"].set_index("model")
    tracks = ["T1", "T2", "T3", "T4", "T5", "T6"]
    assert (table[tracks].nunique(axis=1) == table["distinct"]).all()
    assert table.loc["DeepSeek R1", tracks].eq("B").all() and table.at["Claude Sonnet 4.6", "printed"] == "C"
    told = profiles.figures(Result(profiles.profiles(None)))
    assert (told["n_models"], told["n_one"], told["n_three"]) == (20, 2, 10)


def test_tracks_are_correlated_over_the_models_that_have_both():
    table = robustness.between_tracks(PER_TRACK).set_index(["first", "second"])
    wide = PER_TRACK.pivot(index="model", columns="track", values="delta")
    for pair in (("T1", "T2"), ("T5", "T6")):
        assert table.at[pair, "r"] == pytest.approx(wide[pair[0]].corr(wide[pair[1]]))
        assert table.at[pair, "r"] == pytest.approx(table.at[pair[::-1], "r"])
        assert table.at[pair, "told"].endswith(f"{wide[list(pair)].dropna().shape[0]} models")
    assert len(table) == 36 and table["r"].isna().sum() == 6
    assert len(robustness.between_tracks(PER_TRACK[PER_TRACK["track"] == "T1"])) == 1


def test_the_grid_is_the_rule_at_other_thresholds():
    cells = profiles.grid(MEANS)
    assert len(cells) == 125 and cells.loc[cells["moved"] == 0, "changed"].tolist() == [0]
    row = cells.iloc[25 + 10 + 2]  # second shift of the highest threshold, none of the others
    by_hand, usual = profiles.Thresholds(90, 10, 15).profiles(MEANS), profiles.PRINTED.profiles(MEANS)
    assert row["changed"] == sum(by_hand[m] != usual[m] for m in usual)
