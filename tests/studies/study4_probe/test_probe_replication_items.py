"""Strategies, Brier terms, decoding entropy and discrimination of a run. Oracles: by hand, simulation."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from simulated_probe import generation, right_reply, simulated, trials_of

from metacog.core.errors import MetacogError
from metacog.studies import get_study
from metacog.studies.study4_probe import measures, paper, replication, replication_measures
from metacog.studies.study4_probe.asking.collection import decoding_entropy
from metacog.studies.study4_probe.asking.items import load_items
from metacog.studies.study4_probe.measures import Rule, strategy
from metacog.studies.study4_probe.range_score import range_score
from metacog.studies.study4_probe.replication import entropy_verdict
from metacog.studies.view import View, views_of

STUDY = get_study("study4_probe")
ITEMS = {item.id: item for item in load_items()}
FEW = {"n_resamples": 300, "seed": 3}


class Given:
    def __init__(self, table):
        self.table = table

    def trials(self, collection):
        return self.table

    def result(self, name):
        return STUDY.analysis(name)(self, **FEW)


def several(n):
    return pd.concat([simulated(f"{chr(97 + i)}-model", knows=0.15 + 0.1 * i, seed=i) for i in range(n)])


@pytest.mark.parametrize(
    ("stated", "top", "wanted"),
    [
        ([100] * 11 + [95], 100, "near the ceiling"),
        ([70] * 12, 100, "constant"),
        ([100] * 12, 100, "constant"),
        ([20, 20, 80, 80, 80, 80, 80, 20, 20, 20], 100, "two-valued"),
        ([20, 20, 80, 80, 80, 80, 80, 20, 20, 50], 100, "two-valued"),
        ([20, 20, 80, 80, 80, 80, 80, 20, 40, 50], 100, "graded"),
        ([9] * 10 + [8], 10, "near the ceiling"),
        ([9] * 8 + [8, 7], 10, "two-valued"),
        ([math.nan] * 8 + [1, 2, 3], 10, "not stated"),
        ([1, 2], 10, "not stated"),
        ([math.nan] * 3 + [1, 2, 3], 10, "graded"),
    ],
)
def test_a_strategy_is_the_first_class_that_fits(stated, top, wanted):
    assert strategy(stated, top) == wanted


def test_the_rules_share_and_ceiling_can_be_set_and_bad_ones_are_refused():
    stated = [20, 20, 80, 80, 80, 80, 80, 20, 40, 50]
    assert strategy(stated, 100, Rule(most=0.8)) == "two-valued"
    assert strategy([85] * 9 + [90], 100, Rule(ceiling=0.8)) == measures.CEILING
    with pytest.raises(MetacogError, match="needs 0.5 < most"):
        Rule(most=0.4)
    with pytest.raises(MetacogError, match="outside its scale, 0 to 10"):
        strategy([11, 3, 2], 10)


def test_flash_is_near_the_ceiling_whatever_the_share():
    row = measures.flash_strategies().iloc[0]
    assert row["strategy"] == row["strict"] == row["loose"] == measures.CEILING
    assert row["commonest"] == pytest.approx(11 / 12) and row["values"] == 2


def test_murphys_terms_of_flash_by_hand():
    """Eleven at 100 % with 7 right, one at 95 % and right; 8 of 12 in all."""
    each, wide = (
        measures.flash_terms().set_index("binning").loc[list(measures.BINNINGS.values())].to_dict("records")
    )
    reliability = (11 * (1 - 7 / 11) ** 2 + (0.95 - 1) ** 2) / 12
    resolution = (11 * (7 / 11 - 2 / 3) ** 2 + (1 - 2 / 3) ** 2) / 12
    assert each["reliability"] == pytest.approx(100 * reliability)
    assert each["resolution"] == pytest.approx(100 * resolution)
    assert each["uncertainty"] == pytest.approx(200 / 9) and each["remainder"] == pytest.approx(0, abs=1e-12)
    p, y = paper.flash_items()[1] / 100, paper.flash_items()[0]
    assert wide["reliability"] == pytest.approx(100 * (p.mean() - 2 / 3) ** 2) and wide["resolution"] == 0
    within = p.var() - 2 * np.cov(p, y, bias=True)[0, 1]
    assert wide["remainder"] == pytest.approx(100 * within) and wide["remainder"] > 0.2


def test_the_terms_put_together_are_the_score_without_penalties():
    trials = simulated("a", insight=0.5, broken=0.2, seed=6)
    table = measures.of_run(trials)
    rows = trials[(trials["sample"] == 0) & (trials["task"] == "T4_CR")]
    brier = range_score(rows["credit"], rows["stated"].fillna(50)).brier
    assert len(table) == 2 and table["score"].to_numpy() == pytest.approx([brier] * 2, abs=1e-10)


def test_alike_answers_have_no_uncertainty_to_resolve():
    table = measures.decompositions("m", np.ones(4), np.array([90.0, 80, 90, 100]))
    assert (table["uncertainty"] == 0).all() and table["skill"].isna().all()


def test_entropy_is_the_mean_surprise_of_readable_draws():
    made = [generation("ANSWER: 12", -0.4), generation("ANSWER: 13", -0.8), generation("I wonder", -9.0)]
    got = decoding_entropy(ITEMS["t1-01"], made)
    assert got["entropy"] == pytest.approx(0.6)
    assert (got["entropy_asked"], got["entropy_read"], got["entropy_used"]) == (3, 2, 2)
    few = decoding_entropy(ITEMS["t1-01"], [*made[:1], *made[2:], made[2]])
    assert math.isnan(few["entropy"]) and few["entropy_used"] == 1
    none = decoding_entropy(ITEMS["t1-01"], [])
    assert math.isnan(none["entropy"]) and none["entropy_asked"] == 0


def test_confidence_that_follows_knowledge_falls_with_entropy_and_blind_confidence_does_not():
    both = pd.concat([simulated("sees", seed=4), simulated("blind", insight=0.0, seed=5)])
    table = replication.correlations(both, **FEW).set_index(["model", "task"])
    drawn, own = replication.by_item(both), "sees on T1-CC"
    sees = drawn[(drawn["model"] == "sees") & (drawn["task"] == "T1_CC")]
    wanted = stats.spearmanr(sees["stated"], sees["entropy"]).statistic
    assert table.loc[("sees", "T1-CC"), "rho"] == pytest.approx(wanted) and wanted < -0.5
    assert table.loc[("sees", "T1-CC"), "upper"] < 0 and (table.loc["blind", "upper"] > 0).all()
    (verdict,) = entropy_verdict(table.reset_index())
    assert verdict.passed is None and own in verdict.values["found"]
    assert own.replace("sees", "blind") in dict(verdict.undecided)


@pytest.mark.parametrize(
    ("text", "nlp", "why"),
    [
        ("ANSWER: 7", math.nan, "the engine gives no log-probabilities"),
        ("who knows", -0.5, "no draw held an answer"),
        ("ANSWER: 7", -0.5, "one of the two never varies"),
    ],
)
def test_where_entropy_is_undefined_the_table_says_why(text, nlp, why):
    own = [item for item in load_items() if item.task == "T1_CC"]
    trials = trials_of(
        "m",
        {i.id: [right_reply(i, 3 + n % 5)] for n, i in enumerate(own)},
        lines={i.id: [generation(text, nlp)] * 2 for i in own},
    )
    (row,) = replication.correlations(trials, **FEW).to_dict("records")
    assert row["why"] == why and math.isnan(row["rho"]) and math.isnan(row["lower"])
    (verdict,) = entropy_verdict(pd.DataFrame([row]))
    assert verdict.passed is None and [w for _, w in verdict.undecided] == [why]


def test_without_draws_there_is_no_entropy_and_no_verdict():
    table = replication.correlations(simulated("m", draws=0), **FEW)
    assert table.empty and entropy_verdict(table) == ()


def test_two_models_separate_items_and_no_more():
    both = several(2)
    table = replication_measures.by_task(both, **FEW).set_index("task")
    one, two = (replication_measures.points(both, "T5_RCV").loc[f"{m}-model"] for m in "ab")
    apart = one != two
    assert table.loc["T5-RCV", "separate"] == apart.sum() and table["mean"].isna().all()
    by_hand = 0
    for item in one.index[apart]:
        rest = (one - two).drop(item).sum()
        by_hand += (one[item] - two[item]) * rest > 0
    assert table.loc["T5-RCV", "with_rest"] == by_hand
    assert replication_measures.items(both, **FEW)["r"].isna().all()
    assert replication_measures.by_task(simulated("m"), **FEW).empty


def test_eight_models_have_item_rest_correlations():
    many = several(8)
    table = replication_measures.items(many, **FEW)
    for task in ("T2_EV", "T4_CR"):
        x = replication_measures.points(many, task)
        own = table[table["task"] == paper.short(task)].set_index("item")["r"]
        for item in own.index[:4]:
            rest = x.drop(columns=item).sum(axis=1)
            assert own[item] == pytest.approx(np.corrcoef(x[item], rest)[0, 1])
    tasks = replication_measures.by_task(many, **FEW)
    assert (tasks["mean"] > 0.2).all() and (tasks["mean_lower"] < tasks["mean"]).all()
    assert tasks["with_rest"].isna().all()


@pytest.mark.parametrize("n", [1, 2, 8])
def test_the_analysis_is_shown_whole(n):
    result = STUDY.analysis("replication_items")(Given(several(n)), **FEW)
    view = View(result, views_of(STUDY, "replication_items"))
    assert all(view.sentences().values())
    assert (not result.lineages_refused) == (len(result.lineages) > 0) == (n == 8) and result.draws == 4


def test_own_models_of_one_lineage_are_too_few_without_it():
    table = pd.DataFrame(
        np.random.default_rng(1).random((6, 5)),
        columns=list(paper.TASKS),
        index=[f"qwen-{i}" for i in range(6)],
    )
    left_out, refused = replication._lineages(table)
    assert not refused and left_out["r"].iloc[1:].isna().all()
    assert replication._lineages(table.iloc[:1])[1]
