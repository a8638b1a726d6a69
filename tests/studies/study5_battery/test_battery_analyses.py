"""Study 5's numbers. Oracles: printed figures, closed forms, hand-made responses, and simulation."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.optimize import brentq

from metacog.sdt.type2 import auroc2
from metacog.sdt.weighted_shares import weighted_shares
from metacog.studies.study5_battery import (
    claims,
    commitment,
    conditions,
    contrasts,
    error_profiles,
    half_against_half,
    headlines,
    integrity,
    profiles,
    published,
    ranks,
    reliability,
    scores,
)
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.published import MODELS, RETROSPECTIVE, UNCLASSIFIED
from metacog.studies.study5_battery.responses import load

ROWS = load()
PER_TRACK = deltas(ROWS)
MEANS = mean_deltas(PER_TRACK)


def made(model, track, states, **more):
    """Hand-made responses: ``(correct, keep, bet)`` each."""
    table = pd.DataFrame(states, columns=["correct", "keep", "bet"])
    return table.assign(
        model=model,
        track=track,
        item=[str(i) for i in range(len(table))],
        judged=True,
        path="",
        answer="",
        match="",
        score=0.0,
        item_type="one",
        **more,
    )


# --- deltas


def test_a_delta_by_hand():
    rows = made(
        "GLM-5",
        "T1",
        [(True, True, True)] * 8
        + [(True, False, False)] * 2
        + [(False, True, False)] * 1
        + [(False, False, False)] * 3,
    )
    row = deltas(rows).iloc[0]
    assert (row["kc"], row["ki"], row["delta"]) == pytest.approx((80, 25, 55))
    assert deltas(rows, probe="bet").iloc[0]["delta"] == pytest.approx(80)
    assert row["lower"] < 55 < row["upper"] <= 100


def test_an_empty_cell_is_undefined_not_zero():
    row = deltas(made("GLM-5", "T1", [(True, True, True)] * 5)).iloc[0]
    assert np.isnan([row["ki"], row["delta"], row["lower"]]).all() and row["kc"] == 100
    known = PER_TRACK["delta"].notna()
    assert (known == ((PER_TRACK["n_correct"] > 0) & (PER_TRACK["n_incorrect"] > 0))).all()


def test_every_printed_rate_comes_out_and_every_printed_blank_is_undefined():
    printed = published.as_text("per_track").set_index(["model", "track"])
    ours = PER_TRACK.set_index(["model", "track"]).loc[printed.index]
    assert (printed["withdraw_delta"].eq("") == ours["delta"].isna()).all()
    shown = pd.to_numeric(printed["withdraw_delta"]).dropna()
    assert (ours.loc[shown.index, "delta"] - shown).abs().max() < 0.00501


def test_means_of_few_tracks_are_flagged_and_not_ranked():
    board = ranks.leaderboard(MEANS).set_index("model")
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


def test_thirteen_means_lie_above_zero_and_twelve_when_judged_together():
    """By MOVER, 14 did; GPT-5.4 nano, Gemma 3 1B, Gemini 3 Flash and Gemini 3.1 Pro do not."""
    board = ranks.leaderboard(MEANS)
    counted = ranks.surviving(board, ranks.differences(ROWS, MEANS))
    assert (counted["above_zero"], counted["above_by_p"], counted["above_by_holm"]) == (13, 13, 12)
    whole = board[board["complete"]]
    holm = (whole["p"].rank(ascending=False) * whole["p"]).to_numpy()
    assert (whole["holm"].to_numpy() >= holm - 1e-12).all() and board["holm"].isna().sum() == 3


# --- ranks


def test_pairs_survive_less_often_together_than_alone():
    pairs = ranks.differences(ROWS, MEANS)
    assert len(pairs) == 136 and (pairs["alone"] | ~pairs["together"]).all()
    counted = ranks.surviving(ranks.with_rank_sets(ranks.leaderboard(MEANS), pairs), pairs)
    assert 0 < counted["pairs_together"] < counted["pairs_alone"] < 136 and counted["neighbours"] == 16
    one = pairs.iloc[0]
    by = {m: PER_TRACK[(PER_TRACK["model"] == m) & (PER_TRACK["track"] != "T6")] for m in MODELS.values()}
    again = mean_difference(by[one["first"]], by[one["second"]])
    assert (one["difference"], one["lower"]) == pytest.approx((again.estimate, again.lower))


def test_inversion_is_scipys_spearman():
    every, whole = ranks.inversion(MEANS)
    assert every.r == pytest.approx(stats.spearmanr(MEANS["accuracy"], MEANS["delta"]).statistic)
    assert (every.n, whole.n) == (20, 17)


# --- profiles


@pytest.mark.parametrize(
    ("stood", "delta", "profile"),
    [
        (95, 0, "A"),
        (94.9, 0, UNCLASSIFIED),
        (99, 15, "C"),
        (99, -15, UNCLASSIFIED),
        (10, 40, "B"),
        (60, 15, "C"),
        (60, 14.9, UNCLASSIFIED),
        (97, np.nan, "A"),
        (50, np.nan, UNCLASSIFIED),
    ],
)
def test_profiles_by_rule(stood, delta, profile):
    assert profiles.PRINTED.profile(stood, delta) == profile


def test_the_rule_and_the_print_part_on_three_models():
    beside = profiles.beside_printed(MEANS)
    off = beside[~beside["same"]].set_index("model")
    assert set(off.index) == {"GLM-5", "Gemma 3 27B", "Claude Opus 4.6"}
    assert set(off["rule"]) == {"A"} and set(off["printed"]) == {UNCLASSIFIED}


def test_the_grid_is_the_rule_at_other_thresholds():
    cells = profiles.grid(MEANS)
    assert len(cells) == 125 and cells.loc[cells["moved"] == 0, "changed"].tolist() == [0]
    row = cells[(cells["high"] == 90) & (cells["low"] == 10) & (cells["delta"] == 15)].iloc[0]
    by_hand = profiles.by_rule(MEANS, profiles.Rule(90, 10, 15))
    usual = profiles.by_rule(MEANS)
    assert row["changed"] == sum(by_hand[m] != usual[m] for m in usual)
    alone = profiles.one_at_a_time(cells)
    assert alone.loc[alone["threshold"] == "high", "value"].tolist() == [85, 90, 100]


def test_profiles_far_from_a_border_are_stable():
    found = profiles.stability(ROWS, 200, 1)
    assert found["Claude Haiku 4.5"] > 0.95 and found["GLM-5"] < 0.8  # a delta of 14.6 at a border of 15


# --- integrity


def test_identical_files_are_found_and_told_from_likeness():
    pairs = integrity.identical(ROWS)
    copied = pairs[pairs["copied"]]
    assert set(zip(copied["track"], copied["first"], copied["second"], strict=True)) == {
        ("T2", "GLM-5", "Gemini 2.5 Flash"),
        ("T2", "Gemma 3 12B", "Gemma 3 1B"),
        ("T6", "GPT-5.4", "GPT-5.4 mini"),
    }
    assert set(pairs[~pairs["copied"]]["track"]) == {"T5"} and len(pairs) == 9


def test_chance_of_a_response_pattern_in_closed_form():
    """Half of the others miss item 0 and none the rest; a model that misses one of four misses item 0."""
    others = pd.DataFrame({f"m{i}": ["x" if i % 2 else "y", "y", "y", "y"] for i in range(100)})

    def missed(habit):
        odds = habit * np.array([50.5 / 50.5, 0.5 / 100.5, 0.5 / 100.5, 0.5 / 100.5])
        return odds / (1 + odds)

    p = missed(brentq(lambda habit: missed(habit).sum() - 1, 0, 100))
    likely = np.log10(p[0] * (1 - p[1]) ** 3)
    unlikely = np.log10((1 - p[0]) * (1 - p[1]) ** 2 * p[1])
    assert integrity.chance_of(pd.Series(["x", "y", "y", "y"]), others) == pytest.approx(likely)
    assert integrity.chance_of(pd.Series(["y", "y", "y", "x"]), others) == pytest.approx(unlikely)
    # one response to everything is a habit, and habits may be shared
    assert integrity.chance_of(pd.Series(["y"] * 4), others) == 0


def test_chance_of_simulated_models_is_seldom_small():
    """Models that answer alike only by chance: 10^x is below 0.01 in about one of a hundred or fewer."""
    rng = np.random.default_rng(3)
    p = rng.uniform(0.3, 1, 40)
    said = pd.DataFrame(np.where(rng.random((40, 200)) < p[:, None], "y", "x"))
    # a pattern's own chance against those of patterns drawn from the same items
    ends = [integrity.chance_of(said[i], said.drop(columns=i)) for i in range(20)]
    entropy = (p * np.log10(p) + (1 - p) * np.log10(1 - p)).sum()
    assert np.mean(ends) == pytest.approx(entropy, rel=0.1)


def test_declined_keys_repeats_and_empty_cells():
    declined = integrity.declined(ROWS)
    assert declined["declined"].sum() == 86 and (declined["declined"] == declined["logged_wrong"]).all()
    keys = integrity.unnormalised(ROWS)
    assert keys.loc[keys["certain"], "n"].sum() == 15 and "pr_000" in set(keys["item"])
    assert integrity.repeated_answers(ROWS)["model"].tolist() == ["Gemma 3 1B"]
    empty = integrity.undefined(ROWS)
    assert len(empty) == 6 and set(empty["lacks"]) == {"wrong answers"}


def test_variants_do_what_they_say():
    found = integrity.variants(ROWS)
    assert len(found["without copied files"]) == 10_480 - 2 * (90 + 90 + 72)
    mended = found["keys normalised"]
    assert (mended["correct"] != ROWS["correct"]).sum() == 15
    changed = mended["correct"] != ROWS["correct"]
    assert (mended.loc[changed, "score"] == 1).all()
    unjudged = found["declined items not judged"]
    r1 = deltas(unjudged)
    r1 = r1[(r1["model"] == "DeepSeek R1") & (r1["track"] == "T6")].iloc[0]
    assert (r1["n"], r1["n_incorrect"]) == (1, 0) and np.isnan(r1["delta"])
    assert not reliability.path_rates(unjudged).equals(None) and reliability.path_rates(unjudged)[
        "decline"
    ].tolist() == pytest.approx(reliability.path_rates(ROWS)["decline"].tolist())


def test_headlines_with_and_without():
    table = headlines.with_and_without(ROWS)
    row = table[table["headline"] == "T2 over size, Gemma"].iloc[0]
    assert row[integrity.PUBLISHED].startswith("flat") and row[integrity.MENDED].startswith("not known")
    assert "without copied files" in row["changes"]
    assert row["headline"] in headlines.changed_said(table)
    said = table.set_index("headline")[integrity.PUBLISHED]
    assert not said.str.contains("[{}]").any()
    assert said["delta against answering directly, r"].startswith("0.17 (")
    assert said["split-half r, Spearman-Brown"].endswith("(n = 19)")
    same = table.assign(**{integrity.MENDED: table[integrity.PUBLISHED]})
    assert headlines.changed_said(same).startswith("All")


# --- scores, H1, H2


def test_payoffs_are_functions_of_the_state_outside_two_kinds_of_item():
    table = scores.payoffs(ROWS)
    assert set(table[table["others"] != ""]["group"]) == {"T2, knowledge_boundary"}
    six = table[table["group"] == "T6"].set_index(["path", "correct"])["score"].to_dict()
    assert six == {
        ("ANSWER_DIRECTLY", True): 1.0,
        ("ANSWER_DIRECTLY", False): 0.0,
        ("DECLINE", False): 0.25,
        ("REQUEST_HINT", True): 0.5,
        ("REQUEST_HINT", False): 0.1,
    }


def test_the_rule_gives_every_score_but_those_of_a_reply_that_is_not_in_the_files():
    table = scores.reproduced(ROWS).set_index("track")
    assert table["known"].to_dict() == {
        "T1": 1960,
        "T2": 1640,
        "T3": 2320,
        "T4": 1200,
        "T5": 1760,
        "T6": 1440,
    }
    assert (table["equal"] == table["known"] - (table.index == "T2")).all()  # one item of T2 earns 0.8
    assert table["files"].to_dict() == dict.fromkeys(RETROSPECTIVE, 20) | {"T6": 20, "T2": 0}
    assert "10,320 of the 10,480" in scores.rule_said(scores.reproduced(ROWS))
    odd = ROWS.assign(score=ROWS["score"].where(ROWS["track"] != "T4", 0.7))
    assert scores.reproduced(odd).set_index("track").loc["T4", ["equal", "files"]].tolist() == [0, 0]


def test_a_mean_score_of_fewer_than_six_tracks_is_none():
    part = ROWS[(ROWS["model"] != "GLM-5") | (ROWS["track"] != "T3")]
    table = scores.track_scores(part).set_index("model")
    assert np.isnan(table.at["GLM-5", "mean"]) and table["mean"].notna().sum() == 19


def test_a_model_that_is_always_best_refutes_h1():
    table, on_all = scores.leaders(ROWS, 200, 1)
    assert scores.h1(table, on_all).passed is True and on_all < 0.05
    best = ROWS.assign(score=ROWS["score"].where(ROWS["model"] != "GLM-5", 2.0))
    table, on_all = scores.leaders(best, 50, 1)
    assert scores.h1(table, on_all).passed is False and on_all == 1


def test_h2_holds_of_these_errors_and_not_of_rasch_errors():
    own = ROWS[ROWS["track"].isin(RETROSPECTIVE)]
    _, verdict = error_profiles.error_profiles(own, 99, 1)
    assert verdict.passed is True
    rng = np.random.default_rng(4)
    ability = dict(zip(MODELS.values(), rng.normal(2, 1, 20), strict=True))
    items = own["track"] + own["item"]
    hard = dict(zip(items.unique(), rng.normal(0, 1.5, items.nunique()), strict=True))
    chance = 1 / (1 + np.exp(-(own["model"].map(ability) - items.map(hard))))
    _, verdict = error_profiles.error_profiles(own.assign(correct=rng.random(len(own)) < chance), 99, 1)
    assert verdict.passed is None  # a test that does not reject shows nothing


def test_h2_is_not_called_a_models_own_where_items_discriminate_unequally():
    """One ability, but kinds of item that tell able from weak models unequally well: the test rejects too."""
    own = ROWS[ROWS["track"].isin(RETROSPECTIVE)]
    rng = np.random.default_rng(5)
    ability = dict(zip(MODELS.values(), rng.normal(0, 1.2, 20), strict=True))
    kinds = own["track"] + own["item_type"]
    slope = dict(zip(kinds.unique(), rng.lognormal(0, 0.8, kinds.nunique()), strict=True))
    items = own["track"] + own["item"]
    hard = dict(zip(items.unique(), rng.normal(-1.5, 1, items.nunique()), strict=True))
    lean = kinds.map(slope) * own["model"].map(ability) - items.map(hard)
    made = own.assign(correct=rng.random(len(own)) < 1 / (1 + np.exp(-lean)))
    _, verdict = error_profiles.error_profiles(made, 99, 1)
    assert verdict.passed is True and "equal discrimination" in verdict.rule and "own" not in verdict.rule


def test_item_types_tell_or_do_not():
    table = conditions.by_item_type(ROWS)
    assert table["n_items"].sum() == 524 and len(table[table["track"] == "T1"]) == 12
    flat = table[table["item_type"] == "irony sarcasm"].iloc[0]
    assert flat["perfect"] == 20 and np.isnan(flat["delta"]) and np.isnan(flat["item_rest"])
    n, all_right, none_right = conditions.easy_items(ROWS)
    right = ROWS.pivot(index=["track", "item"], columns="model", values="correct").sum(axis=1)
    assert (n, all_right, none_right) == (524, int((right == 20).sum()), int((right == 0).sum()))


# --- pairs, families, commitment


def test_pairs_compare_the_same_items():
    table = contrasts.pair_table(ROWS).set_index(["pair", "track"])
    row = table.loc[("DeepSeek R1 less DeepSeek V3.2", "T1")]
    assert (row["only_a"], row["only_b"]) == (18, 0) and row["p"] == pytest.approx(2 * 0.5**18)
    assert np.isnan(row["difference"])
    whole = table.loc[("Qwen 80B Think less Qwen 80B Inst", "mean of 4")]
    assert whole["difference"] == pytest.approx(whole["delta_a"] - whole["delta_b"])


@pytest.mark.parametrize(
    ("values", "course"),
    [
        ([1, 9, 20], "rises"),
        ([20, 9, 1], "falls"),
        ([1, 3, 2], "flat"),
        ([1, 20, 9], "mixed"),
        ([1, np.nan, 3], ""),
    ],
)
def test_courses(values, course):
    assert contrasts.course_of(values) == course


def test_scaling_verdicts_name_a_file_that_two_sizes_share():
    pairs = integrity.identical(ROWS)
    copied = pairs[pairs["copied"]]
    verdicts = contrasts.scaling_verdicts(ROWS, copied)
    order, told = verdicts[::2], verdicts[1::2]
    assert ["one and the same file on T2" in v.sentence for v in order] == [False, False, True]
    assert [v.passed for v in order] == [True, True, None]
    assert [v.passed for v in told] == [None, None, None]  # no interval leaves out zero
    alone = contrasts.scaling_verdicts(ROWS, copied.iloc[:0])
    assert [v.passed for v in alone[::2]] == [True, True, True]


@pytest.mark.parametrize(
    ("claim", "course", "ends", "passed"),
    [
        ("rises", "rises", (2, 9), True),
        ("rises", "mixed", (2, 9), None),
        ("rises", "falls", (-9, -2), False),
        ("falls", "falls", (-9, -2), True),
        ("falls", "falls", (-9, 2), None),
        ("falls", "rises", (2, 9), False),
        ("flat", "flat", (-4, 4), True),
        ("flat", "flat", (-9, 4), None),
        ("flat", "rises", (6, 9), False),
        ("rises", "", (np.nan, np.nan), None),
    ],
)
def test_a_course_is_refuted_only_by_an_interval_on_the_other_side(claim, course, ends, passed):
    assert contrasts.told(claim, course, *ends) is passed


def test_commitment_of_keep_alone_is_the_delta_again():
    table = commitment.measured(ROWS).set_index("model")
    own = ROWS[(ROWS["model"] == "GPT-5.4") & ROWS["track"].isin(RETROSPECTIVE)]
    pooled = deltas(own, ["model"]).iloc[0]["delta"] / 100
    assert table.at["GPT-5.4", "keep_alone"] == pytest.approx((1 + pooled) / 2)
    assert table.at["GPT-5.4", "auroc2"] == pytest.approx(auroc2(own["correct"], commitment.states(own)))
    assert np.isnan(table.at["DeepSeek R1", "lower"])


def test_scaling_is_judged_on_t2_and_a_shared_file_tells_nothing():
    """On T2: 30.1 > 21.8 > 11.3 in Qwen, 17.1 < 22.4 < 27.7 in GPT-5.4; Gemma's 1B and 12B share a file."""
    names = {"Qwen": "scale_qwen", "GPT-5.4": "scale_gpt", "Gemma": "scale_gemma"}
    found = {family: claims.ANSWERS[claim](ROWS) for family, claim in names.items()}
    assert found["Qwen"].value == found["GPT-5.4"].value == found["Gemma"].value == 1
    assert found["Qwen"].note.startswith("30.1, 21.8, 11.3")
    assert found["GPT-5.4"].note.startswith("17.1, 22.4, 27.7")
    assert found["Qwen"].rival is None and found["Gemma"].rival.value == 1
    assert "one and the same file" in found["Gemma"].rival.without


def test_auroc2_and_delta_are_compared_on_different_answers():
    table = half_against_half.half_against_half(ROWS, 40, 42).set_index("pair")["rho"]
    same = commitment.measured(ROWS).merge(MEANS[["model", "delta"]], on="model")
    together = stats.spearmanr(same["auroc2"], same["delta"], nan_policy="omit").statistic
    assert table["AUROC2 with the delta"] < together - 0.2
    # models without knowledge of their answers: nothing carries over from one half to the other
    rng = np.random.default_rng(2)
    rate = dict(zip(MODELS.values(), rng.uniform(0.3, 0.8, 20), strict=True))
    said = {name: rng.random(len(ROWS)) < ROWS["model"].map(rate) for name in ("keep", "bet")}
    blind = half_against_half.half_against_half(ROWS.assign(**said), 40, 42).set_index("pair")["rho"]
    assert abs(blind["AUROC2 with the delta"]) < 0.3
