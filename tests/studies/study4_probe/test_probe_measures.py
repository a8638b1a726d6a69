"""Marks and scores of the probe. Oracles: the paper's formulas worked by hand, scipy, simulated models."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, pearsonr, spearmanr
from simulated_probe import right_reply, simulated, trials_of, wrong_reply

from metacog.core.errors import MetacogError
from metacog.studies.study4_probe import relations, replication, replication_items, scores
from metacog.studies.study4_probe.asking.items import VERSION, load_items
from metacog.studies.study4_probe.asking.marking import mark_reply, types_named
from metacog.studies.study4_probe.judging import judge
from metacog.studies.study4_probe.range_score import RANGE_BAND, SIGMA_BAND, Thresholds, drawn, range_score
from metacog.studies.study4_probe.range_score import sweep as nine
from metacog.verdicts.outcomes import of_rule, those, together

ITEMS = {item.id: item for item in load_items()}
MIDDLE = Thresholds(10.0, 50.0)
FEW = {"n_resamples": 300, "seed": 3}


def marked(item, text):
    return mark_reply(ITEMS[item], text)


def profile_of(trials, **more):
    table = scores.profile(trials, MIDDLE, **{**FEW, **more})
    return table.set_index("task")


@pytest.mark.parametrize("item", ITEMS.values(), ids=lambda i: i.id)
def test_a_right_reply_earns_the_point_and_a_wrong_or_formless_one_none(item):
    assert mark_reply(item, right_reply(item, 7)).credit == 1
    assert mark_reply(item, wrong_reply(item, 7)).credit == 0
    none = mark_reply(item, "I would rather talk of something else.")
    assert none.credit == 0 and len(none.unread) >= 2 and math.isnan(none.stated)


@pytest.mark.parametrize(
    ("answer", "credit", "strict", "unread"),
    [
        ("1,440 minutes", 1, 0, ()),
        ("1440.0", 1, 0, ()),
        ("24 times 60 is 1440", 0, 0, ("ANSWER",)),
    ],
)
def test_numbers_are_compared_as_numbers(answer, credit, strict, unread):
    got = marked("t1-03", f"ANSWER: {answer}\nCONFIDENCE: 9")
    assert (got.credit, got.strict, got.unread) == (credit, strict, unread)


def test_the_papers_matching_fails_where_a_reader_would_not():
    for reported in ("John Kennedy", "President Kennedy", "John Fitzgerald Kennedy"):
        got = marked("t4-05", f"ANSWER: {reported}\nCONFIDENCE: 95")
        assert (got.credit, got.strict) == (1, 0), reported


EVERY = "straw man, ad hominem, circular reasoning, slippery slope, equivocation"


@pytest.mark.parametrize(
    ("item", "found", "types", "credit"),
    [
        ("t2-05", "YES", EVERY, 0),
        ("t2-05", "YES", "a straw man, or ad hominem", 1),
        ("t2-05", "NO", "straw man", 0),
        ("t2-20", "YES", "anecdotal evidence", 0.5),
    ],
)
def test_a_list_of_all_error_types_earns_nothing(item, found, types, credit):
    assert len(types_named(EVERY)) == 5
    assert marked(item, f"ERROR_FOUND: {found}\nERROR_TYPE: {types}").credit == credit


def test_both_rules_of_t3():
    key = "CAN_ANSWER: YES\nBOUNDARY_TYPE: {}\nCONFIDENCE: 9\nREASONING: {}"
    right = marked("t3-02", key.format("public_data", "It is H2O."))
    assert (right.credit, right.knows) == (1, 1)
    boast = marked("t3-02", key.format("Public Data", "It is NaCl."))
    assert (boast.credit, boast.knows) == (1, 0)
    kind = marked("t3-02", key.format("temporal", "H2O"))
    assert (kind.credit, kind.knows) == (0, 1)
    modest = marked(
        "t3-07", "CAN_ANSWER: NO\nBOUNDARY_TYPE: access\nCONFIDENCE: 9\nREASONING: It lies ahead."
    )
    assert (modest.credit, modest.knows) == (0, 1)


def test_a_flawed_chain_needs_its_step_and_a_sound_one_none():
    reported = "ERROR_FOUND: {}\nERROR_STEP: {}\nCORRECTION: x"
    assert marked("t5-02", reported.format("YES", "4")).credit == 1
    assert marked("t5-02", reported.format("YES", "step 4")).credit == 1
    assert marked("t5-02", reported.format("YES", "3")).credit == 0
    assert marked("t5-01", reported.format("NO", "none")).credit == 1
    assert marked("t5-01", reported.format("NO", "none")).unread == ()
    assert marked("t5-02", reported.format("YES", "late")).unread == ("ERROR_STEP",)


def test_t1_is_fifty_times_one_plus_pearsons_r():
    rng = np.random.default_rng(5)
    right, sure = rng.integers(0, 2, 24).astype(float), rng.integers(1, 11, 24).astype(float)
    wanted = 50 * (1 + pearsonr(right, sure).statistic)
    assert float(scores.calibration(right, sure)) == pytest.approx(wanted)
    assert float(scores.calibration(right, np.full(24, 7.0))) == 50  # the paper's rule
    assert float(scores.calibration(np.ones(24), sure)) == 50
    both = scores.calibration(np.stack([right, right]), np.stack([sure, 11 - sure]))
    assert both == pytest.approx([wanted, 100 - wanted])


def test_one_confidence_throughout_scores_fifty_and_is_remarked():
    texts = {i.id: [right_reply(i, 7) if n % 2 else wrong_reply(i, 7)] for n, i in enumerate(ITEMS.values())}
    row = profile_of(trials_of("m", texts)).loc["T1-CC"]
    assert (row["score"], row["lower"], row["upper"]) == (50, 50, 50) and row["note"] == scores.CONSTANT


def test_t4_is_the_formula_and_a_missing_confidence_counts_as_fifty():
    reported = ["97", "high", "", "120", "60", "0", "5 / 100", "30%", "80", "70", "10", "40"]
    counted = [97, 50, 50, 50, 60, 0, 5, 30, 80, 70, 10, 40]
    own_items = [i for i in ITEMS.values() if i.task == "T4_CR"]
    texts = {
        i.id: [(right_reply if n % 3 else wrong_reply)(i, c)]
        for n, (i, c) in enumerate(zip(own_items, reported, strict=True))
    }
    trials = trials_of("m", texts)
    right = [float(n % 3 > 0) for n in range(12)]
    wanted = range_score(right, counted, sigma_t=10, range_t=50)
    row = profile_of(trials).loc["T4-CR"]
    assert row["score"] == pytest.approx(wanted.score) and row["unread"] == 3
    at = trials.assign(sigma_t=10.0, range_t=50.0)
    apart = replication_items.brier_terms(at).iloc[0]
    assert 100 - apart["loss"] == pytest.approx(wanted.brier) and apart["flat"] == pytest.approx(wanted.flat)
    assert apart["score"] == pytest.approx(wanted.score) and apart["narrow"] == pytest.approx(wanted.narrow)
    swept = scores.sweep(trials).set_index("sigma_t")
    for cell in nine(right, counted).itertuples():
        assert swept.loc[SIGMA_BAND[cell.sigma_T], f"range_{cell.range_T}"] == pytest.approx(cell.score)


def test_shares_of_credit_and_composites():
    texts = {i.id: [right_reply(i, 9)] for i in ITEMS.values()}
    trials = trials_of("m", texts)
    table = profile_of(trials)
    assert list(table.loc[["T2-EV", "T3-KB", "T5-RCV"], "score"]) == [100, 100, 100]
    assert table["note"]["T1-CC"] == scores.CONSTANT and table["unread"].sum() == 0
    means = scores.composites(trials, table.reset_index(), MIDDLE).iloc[0]
    four = table["score"].drop("T3-KB")
    assert means["of_four"] == pytest.approx(four.mean())
    assert means["of_five"] == means["of_slots"] == pytest.approx(table["score"].mean())
    assert means["slots"] == 5 and means["key_rule"] == 100


def test_retests_fill_fifteen_slots_where_they_are_whole():
    """Oracle: two of three slots of a task of shares lose every point."""
    chains = [i for i in ITEMS.values() if i.task == "T5_RCV"]
    once = {i.id: [right_reply(i, 9)] for i in ITEMS.values()}
    again = {i.id: [right_reply(i, 9), *[wrong_reply(i, 9)] * 3] for i in chains}
    trials = trials_of("m", once | again)
    table = scores.profile(trials, MIDDLE, **FEW)
    means = scores.composites(trials, table, MIDDLE).iloc[0]
    lost = 100 - 100 * sum(mark_reply(i, wrong_reply(i, 9)).credit for i in chains) / len(chains)
    assert means["slots"] == 7 and means["of_slots"] == pytest.approx(means["of_five"] - lost * 2 / 3 / 5)
    part = trials[~((trials["sample"] == 2) & (trials["question_id"] == chains[0].id))]
    assert scores.composites(part, table, MIDDLE)["slots"].item() == 6  # a retest that lacks an item is none


def test_both_rules_of_the_limits_of_knowledge_stand_by_each_other():
    trials = simulated("m", seed=6)
    own = trials[(trials["sample"] == 0) & (trials["task"] == "T3_KB")]
    means = scores.composites(trials, scores.profile(trials, MIDDLE, **FEW), MIDDLE).iloc[0]
    assert means["key_rule"] == pytest.approx(100 * own["credit"].mean())
    assert means["knows_rule"] == pytest.approx(100 * own["knows"].mean())
    assert means["slots"] == 15


def test_the_rank_correlation_is_scipys_and_its_level_is_shared():
    both = pd.concat([simulated("sees", seed=4), simulated("blind", insight=0.0, seed=5)])
    table = relations.with_correctness(both, seed=3)
    own = both[(both["model"] == "sees") & (both["sample"] == 0) & (both["task"] == "T1_CC")]
    row = table.set_index("model").loc["sees"]
    assert row["rho"] == pytest.approx(spearmanr(own["stated"], own["credit"]).statistic)
    assert row["lower"] < row["rho"] < row["upper"] and row["p"] < row["level"] == 0.025
    lost = relations.with_correctness(simulated("none", knows=0.0, seed=4), seed=3).iloc[0]
    assert math.isnan(lost["rho"]) and lost["why"] == "0 of 24 right"


def test_the_gate_hands_on_what_lies_below_it_and_what_has_no_confidence():
    own = [i for i in ITEMS.values() if i.task == "T4_CR"]
    stated = ["79", "80", "100", "none"] * 3
    texts = {
        i.id: [(right_reply if n < 4 else wrong_reply)(i, c)]
        for n, (i, c) in enumerate(zip(own, stated, strict=True))
    }
    row = replication.gate(trials_of("m", texts)).iloc[0]
    assert tuple(row) == ("m", "T4-CR", 8, 4, 4, 2)


def test_an_interval_of_a_share_is_near_its_binomial():
    """Oracle: 95 % of resampled shares of 12 of 20 lie within the binomial's own quantiles."""
    right = np.array([1.0] * 12 + [0.0] * 8)
    value, limits = scores.bootstrap(scores.mean_credit, right, right, n_resamples=20_000, seed=1)
    assert value == 60 and limits == pytest.approx(5 * binom(20, 0.6).ppf([0.025, 0.975]), abs=5)


def test_thresholds_hang_on_version_and_panel_alone_and_reach_the_whole_band():
    assert drawn("probe-v1", "default") == drawn("probe-v1", "default")
    pairs = {drawn("probe-v1", f"panel {n}") for n in range(300)}
    assert pairs == {Thresholds(s, r) for s in SIGMA_BAND.values() for r in RANGE_BAND.values()}
    assert len({drawn(f"v{n}", "default") for n in range(60)}) > 1
    with pytest.raises(MetacogError, match="version and the panel"):
        drawn("probe-v1", "")


def test_trials_under_two_pairs_of_thresholds_are_refused():
    trials = pd.concat([simulated("a"), simulated("b").assign(sigma_t=99.0)])
    with pytest.raises(MetacogError, match="2 pairs of thresholds"):
        scores.thresholds_of(trials)
    assert scores.thresholds_of(simulated("a")) == drawn(VERSION, "default")


def test_agreement_counts_answers_that_are_the_same_in_other_words():
    one, five = ITEMS["t1-03"], ITEMS["t4-05"]
    texts = {
        one.id: [
            "ANSWER: 1440\nCONFIDENCE: 9",
            "ANSWER: 1,440\nCONFIDENCE: 2",
            "ANSWER: 12\nCONFIDENCE: 9",
            "?",
        ],
        five.id: ["ANSWER: John Kennedy\nCONFIDENCE: 9"] + ["ANSWER: John F. Kennedy\nCONFIDENCE: 1"] * 3,
        "t4-01": ["Paris", "ANSWER: Paris\nCONFIDENCE: 9"],
    }
    found = relations.agreement(trials_of("m", texts)).set_index("question_id")["agreement"]
    assert found["t1-03"] == pytest.approx(1 / 3) and found["t4-05"] == 1 and math.isnan(found["t4-01"])


def test_a_row_holds_rho_and_p_or_why_there_is_none():
    rng = np.random.default_rng(2)
    stated, share = rng.integers(1, 11, 24).astype(float), rng.integers(0, 9, 24) / 8
    items = pd.DataFrame(
        {"model": "m", "task": "T1_CC", "stated": stated, "agreement": share, "correct": True}
    )
    row = relations.correlations(items, seed=3).iloc[0]
    assert row["rho"] == pytest.approx(spearmanr(stated, share).statistic) and 0 < row["p"] <= 1
    row = relations.correlations(items.assign(stated=5.0), seed=3).iloc[0]
    assert math.isnan(row["rho"]) and math.isnan(row["p"]) and "varies" in row["why"]
    row = relations.correlations(items.iloc[:2], seed=3).iloc[0]
    assert math.isnan(row["p"]) and row["why"].startswith("2 items")


def findings(trials):
    table = scores.profile(trials, MIDDLE, **FEW)
    steady = relations.correlations(relations.agreement(trials), seed=3)
    return table, judge(table, replication.by_one_measure(trials), steady)


def test_insight_is_found_where_it_is_and_not_where_it_is_not():
    """Oracle: simulated models whose confidence says what they know, or says nothing."""
    _, sees = findings(simulated("sees", insight=1.0, seed=4))
    assert together(sees, "calibration") and together(sees, "steadiness")
    _, blind = findings(simulated("blind", insight=0.0, seed=4))
    assert together(blind, "calibration") is None and together(blind, "steadiness") is None
    _, both = findings(pd.concat([simulated("sees", seed=4), simulated("blind", insight=0.0, seed=4)]))
    assert together(both, "calibration") is None
    assert those(both, "calibration", True) == ["sees"] and those(both, "calibration", None) == ["blind"]


def test_format_failures_are_counted_and_cost_points():
    whole, broken = simulated("whole", seed=6), simulated("broken", broken=1.0, seed=6)
    table = scores.profile(pd.concat([whole, broken]), MIDDLE, **FEW).set_index(["model", "task"])
    assert table.loc["whole", "unread"].sum() == 0
    assert table.loc["broken", "unread"].tolist() == [24, 20, 10, 12, 12]
    assert table.loc[("broken", "T4-CR"), "score"] == pytest.approx(75 - 30)  # 50 throughout, none right
    assert table.loc[("broken", "T1-CC"), "score"] == 50 and table.loc[("broken", "T5-RCV"), "score"] == 0


def test_no_trials_are_named():
    with pytest.raises(MetacogError, match="no scored replies"):
        scores.profile(simulated("m").query("sample > 0"), MIDDLE, **FEW)


def test_one_right_answer_decides_nothing_and_no_point_at_all_has_wilsons_interval():
    """Oracles: Wilson's interval of 0 of 20, and a model with a single right answer on T1-CC."""
    texts = {
        i.id: [right_reply(i, 9) if i.id == "t1-01" else wrong_reply(i, 1 + n % 9)]
        for n, i in enumerate(ITEMS.values())
    }
    table, found = findings(trials_of("m", texts))
    by_task = table.set_index("task")
    assert by_task.loc["T1-CC", "note"].endswith("1 right") and together(found, "calibration") is None
    assert of_rule(found, "calibration")["why"].tolist() == [by_task.loc["T1-CC", "note"]]
    z2 = 1.959964**2
    assert by_task.loc["T2-EV", "upper"] == pytest.approx(100 * z2 / (20 + z2), abs=0.01)
    assert by_task.loc["T2-EV", "lower"] == pytest.approx(0, abs=1e-9)


def test_the_same_flag_throughout_is_remarked():
    texts = {i.id: ["ERROR_FOUND: NO\nERROR_STEP: 0"] for i in ITEMS.values() if i.task == "T5_RCV"}
    row = profile_of(trials_of("m", texts)).loc["T5-RCV"]
    assert row["score"] == 50 and row["note"].endswith("no error")
