"""Strategies, Brier terms, decoding entropy and discrimination of a run. Oracles: by hand, simulation."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from simulated_probe import Given, generation, right_reply, simulated, trials_of

from metacog.core.errors import MetacogError
from metacog.studies import get_study
from metacog.studies.study import Result
from metacog.studies.study4_probe import paper, relations, replication_items
from metacog.studies.study4_probe.asking.collection import decoding_entropy
from metacog.studies.study4_probe.asking.items import load_items
from metacog.studies.study4_probe.judging import judge_entropy
from metacog.studies.study4_probe.range_score import range_score
from metacog.studies.study4_probe.replication_items import CEILING, decomposed, strategy
from metacog.studies.view import View, views_of
from metacog.verdicts.outcomes import of_rule, those, together

STUDY = get_study("study4_probe")
ITEMS = {item.id: item for item in load_items()}


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


def test_a_confidence_outside_its_scale_is_refused():
    with pytest.raises(MetacogError, match="outside its scale, 0 to 10"):
        strategy([11, 3, 2], 10)


def test_flash_is_near_the_ceiling():
    assert strategy(paper.flash_items()[1], 100) == CEILING


def test_murphys_terms_of_flash_by_hand():
    """Eleven at 100 % with 7 right, one at 95 % and right; 8 of 12 in all."""
    terms = decomposed(*paper.flash_items())
    reliability = (11 * (1 - 7 / 11) ** 2 + (0.95 - 1) ** 2) / 12
    resolution = (11 * (7 / 11 - 2 / 3) ** 2 + (1 - 2 / 3) ** 2) / 12
    assert terms["reliability"] == pytest.approx(100 * reliability)
    assert terms["resolution"] == pytest.approx(100 * resolution)
    assert terms["uncertainty"] == pytest.approx(200 / 9) and terms["right"] == pytest.approx(200 / 3)


def test_the_terms_put_together_are_the_score_without_penalties():
    trials = simulated("a", insight=0.5, broken=0.2, seed=6)
    (row,) = replication_items.brier_terms(trials).to_dict("records")
    rows = trials[(trials["sample"] == 0) & (trials["task"] == "T4_CR")]
    brier = range_score(rows["credit"], rows["stated"].fillna(50)).brier
    assert 100 - row["loss"] == pytest.approx(brier)
    assert row["loss"] == pytest.approx(row["uncertainty"] + row["reliability"] - row["resolution"])
    assert decomposed(np.ones(4), np.array([90.0, 80, 90, 100]))["uncertainty"] == 0


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
    table = relations.with_entropy(both, seed=3)
    drawn = relations.by_item(both)
    sees = drawn[(drawn["model"] == "sees") & (drawn["task"] == "T1_CC")]
    wanted = stats.spearmanr(sees["stated"], sees["entropy"]).statistic
    rho = table.set_index(["model", "task"])["rho"]
    assert rho["sees", "T1-CC"] == pytest.approx(wanted) and wanted < -0.5
    told = judge_entropy(table)
    assert together(told, "entropy") is None and "sees on T1-CC" in those(told, "entropy", True)
    assert "blind on T1-CC" in those(told, "entropy", None)


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
    (row,) = relations.with_entropy(trials, seed=3).to_dict("records")
    assert row["why"] == why and math.isnan(row["rho"]) and math.isnan(row["p"])
    told = judge_entropy(pd.DataFrame([row]))
    assert together(told, "entropy") is None and of_rule(told, "entropy")["why"].tolist() == [why]


def test_without_draws_there_is_no_entropy_and_no_verdict():
    table = relations.with_entropy(simulated("m", draws=0), seed=3)
    assert table.empty and judge_entropy(table).empty


@pytest.mark.parametrize("n", [1, 2, 8])
def test_the_analysis_is_shown_whole(n):
    result = Result(STUDY.analysis("replication_items")(Given(several(n)), seed=3))
    view = View(result, views_of(STUDY, "replication_items"), judged_by=STUDY.rules)
    assert "graded" in view.text("strategy_rule").source and "entropy" in view.rules("entropy").source
    assert set(result.claims["model"]) == set(several(n)["model"])
    assert (not result.lineages_refused) == (len(result.lineages) > 0) == (n == 8) and result.draws == 4
    assert len(result.loadings) == 5 * (n == 8)


def test_own_models_of_one_lineage_are_too_few_without_it():
    table = pd.DataFrame(
        np.random.default_rng(1).random((6, 5)),
        columns=list(paper.TASKS),
        index=[f"qwen-{i}" for i in range(6)],
    )
    left_out, loadings, refused = replication_items.lineages_of(table)
    assert not refused and left_out["r"].iloc[1:].isna().all()
    values, vectors = np.linalg.eigh(table.corr())
    assert loadings["c1"].abs().tolist() == pytest.approx(np.abs(vectors[:, values.argmax()]).tolist())
    assert replication_items.lineages_of(table.iloc[:1])[2].startswith("Statistics of a panel need")
