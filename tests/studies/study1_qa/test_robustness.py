"""R1-R6. Oracles: published table, z-ROC slopes of the correction, planted structure, a scripted engine."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from simulated_trials import DOMAINS, simulate_trials

from metacog.collect.collection import Needed
from metacog.collect.questions import Question
from metacog.core.errors import MetacogError
from metacog.engines.base import ScoredText
from metacog.engines.requests import Scored
from metacog.studies.study1_qa import cells, robustness
from metacog.studies.study1_qa.asking import collections
from metacog.studies.study1_qa.cells import cells_from_counts, rate_trials
from metacog.studies.study1_qa.robustness import matched, of_matched
from metacog.studies.study1_qa.robustness_variants import (
    AUTHOR_SLOPE,
    BASELINE,
    CHANGED,
    MODEL_SLOPE,
    OURS,
    PUBLISHED,
    by_model,
    checked,
    from_print,
    judge,
    robustness_from_counts,
    told,
    z_roc_slopes,
)
from metacog.studies.study1_qa.settings import Settings
from metacog.verdicts.outcomes import together
from metacog.verdicts.rules import ZERO, Unit


def test_slopes_of_z_rocs_are_the_published_ones(published):
    cells = cells_from_counts(published("counts_T1"))
    theirs = cells.frame[["model", "dataset"]].merge(published("v2_sdt_structure"), on=["model", "dataset"])
    np.testing.assert_allclose(z_roc_slopes(cells), theirs["zroc_slope"], rtol=1e-12)


def test_robustness_from_counts_has_both_slopes_and_the_other_set(published):
    table, orders = robustness_from_counts(cells_from_counts(published("counts_T1")), n_resamples=2000)
    r2 = table[table["check"] == "R2"]
    assert set(r2["variant"]) == {BASELINE, MODEL_SLOPE, AUTHOR_SLOPE} and len(r2) == 12
    printed = r2[r2["variant"] == AUTHOR_SLOPE].set_index("model")["s"]
    assert printed["mistral_instruct"] == 0.5668
    r4 = table[table["check"] == "R4"].pivot(index="model", columns="dataset", values="m_ratio")
    assert (r4["nq"].idxmax(), r4["triviaqa"].idxmin()) == ("mistral_instruct", "mistral_instruct")
    told = judge(table, orders, PUBLISHED)
    assert set(told["rule"]) == {"R2 published", "R4 published"} and together(told, "R4 published") is False
    found = pd.DataFrame(by_model(table, orders, ", published")).set_index(["claim", "model"])
    order = found.loc[("same order with other questions", "mistral_instruct, published")]
    assert order["answer"] == "no" and "llama3_instruct" in order["why"]
    claims = found.index.get_level_values("claim")
    assert not any("side" in claim and CHANGED["R4"] in claim for claim in claims)
    turned = orders[(orders["check"] == "R4") & (orders["kept"] == False)]  # noqa: E712
    assert set(turned["model_a"]) | set(turned["model_b"]) >= {"mistral_instruct"}


def test_all_checks_on_trials():
    trials = simulate_trials(n_questions=400, temperatures=(1.0,), datasets=("bank", "other"))
    table, orders = checked(trials, n_resamples=100)
    variants = table.groupby("check")["variant"].agg(set).to_dict()
    assert variants == {
        "R1": {BASELINE, "K = 3", "K = 6"},
        "R2": {BASELINE, MODEL_SLOPE},
        "R3": {BASELINE, "equal width"},
        "R4": {BASELINE, "other"},
    }
    rules = list(dict.fromkeys(judge(table, orders, OURS)["rule"]))
    assert rules == [f"{check} variants" for check in ("R1", "R2", "R3", "R4")]
    assert len(by_model(table, orders)) == 14  # two models: sides in three checks, orders in four
    assert len(orders) == 5  # one pair of models: two variants of R1, one of each other check


def test_one_model_and_one_set_are_not_judged_on_order(smoke_trials):
    table, orders = checked(smoke_trials, n_resamples=60)
    assert together(judge(table, orders, OURS), "R4 variants") is None and orders.empty


def test_matching_gives_every_domain_the_same_difficulties():
    """Two domains of equal confidence noise and unequal difficulty: matching equalises accuracy."""
    models = {"alpha": {"ability": 0.2, "noise": 0.5}, "beta": {"ability": 0.0, "noise": 0.5}}
    trials = simulate_trials(models, n_questions=1200, temperatures=(1.0,))
    easy = trials["domain"] == DOMAINS[0]
    draw = np.random.default_rng(5).random(1200) < 0.5  # half of the easy domain's questions come out right
    lucky = draw[trials["question_index"]] & easy & trials["nlp"].notna()
    trials["correct"] = trials["correct"] | lucky
    rated = rate_trials(trials)
    domains, _, told = matched(rated, n_seeds=20, n_resamples=100)
    known = rated.trials[rated.trials["rating"].notna()]
    right = known.pivot(index="question_id", columns="model", values="correct").dropna().sum(axis=1)
    domain = known.drop_duplicates("question_id").set_index("question_id")["domain"].reindex(right.index)
    smallest = pd.crosstab(right, domain).min(axis=1)
    assert domains["n_matched"].unique().tolist() == [smallest.sum()]
    assert set(told["rule"]) == {"domains", "models"}


def test_matched_pair_has_equal_accuracy_and_keeps_a_planted_difference():
    models = {"alpha": {"ability": 0.5, "noise": 0.5}, "beta": {"ability": 0.0, "noise": 0.5}}
    trials = simulate_trials(models, n_questions=1200, temperatures=(1.0,), empty=0.0)
    # beta's trials keep their side of the median and lose their place in it: d' stays, meta-d' goes
    rng = np.random.default_rng(1)
    beta = trials["model"] == "beta"
    median = trials.loc[beta, "nlp"].median()
    for side in (trials["nlp"] < median, trials["nlp"] >= median):
        trials.loc[beta & side, "nlp"] = rng.permutation(trials.loc[beta & side, "nlp"])
    _, models, told = matched(rate_trials(trials), n_seeds=20, n_resamples=300)
    row = models.iloc[0]
    one = trials.pivot(index="question_id", columns="model", values="correct")
    only = [(one["alpha"] & ~one["beta"]).sum(), (one["beta"] & ~one["alpha"]).sum()]
    assert row["n_matched"] == len(one) - (max(only) - min(only))
    claims = pd.DataFrame(of_matched(told, models))
    assert claims[claims["claim"].str.startswith("differs")]["answer"].tolist() == ["yes", "yes"]
    assert row["matched_difference"] > 0 and row["p_holm"] < 0.05


@pytest.mark.parametrize(
    ("units", "k", "answer", "why"),
    [
        ([Unit("a", True), Unit("b", True)], None, "yes", "a; b"),
        ([Unit("a", True), Unit("b", False), Unit("c", None, "flagged")], None, "no", "b"),
        ([Unit("a", True), Unit("b", None, "flagged")], None, "undecided", "flagged"),
        ([Unit("a", None, ZERO)], None, "undecided", ZERO),
        ([Unit("a", None, "flagged"), Unit("b", None, "flagged")], None, "not testable", "flagged"),
        ([Unit("a", False), Unit("b", True)], 1, "yes", "b"),
    ],
)
def test_a_check_says_of_a_model_yes_no_undecided_or_not_testable(units, k, answer, why):
    row = told("claim", "m", units, k)
    assert (row["answer"], row["why"]) == (answer, why)
    assert told("claim", "m", []) == {}


def test_matching_in_a_smoke_run_flags_and_does_not_judge(smoke_trials):
    domains, models, told = matched(rate_trials(smoke_trials), n_seeds=5, n_resamples=20)
    assert together(told, "domains") is None and together(told, "models") is None
    assert (domains["flag"] != "").all() and models.empty


ASKED = Settings({"set": {}}, forced_questions=300, dataset="set")


def _forced(trials, table, monkeypatch, *, known=True, **options):
    """Rows of forced decodings of one model, scored by a table."""
    ids = dict.fromkeys(trials["question_id"]) if known else {}
    questions = [
        Question(q, f"What is {q}?", ("key", "other name", "third"), index=i) for i, q in enumerate(ids)
    ]
    monkeypatch.setattr(collections, "load_questions", lambda *a, **k: questions)
    settings, decoding = replace(ASKED, **options), collections.ForcedDecoding()
    rows = []
    for item in decoding.items(settings, {"open": Needed(trials, "")}):
        (request,) = list(decoding.ask(item, settings))
        scores = tuple(ScoredText((1, 2), (table[c], table[c])) for c in request.continuations)
        identity = {"model": "alpha", "dataset": "set", "question_id": item.id, "domain": item.domain}
        rows += [identity | dict(row) for row in decoding.read(item, [Scored(scores)], settings)]
    return pd.DataFrame(rows)


TABLE = {" Answer": -1.0, " Key": -2.0, " Other name": -0.5, " Third": -3.0}


def test_forced_decoding_takes_the_best_accepted_answer(trials, monkeypatch):
    own = trials[(trials["model"] == "alpha")]
    found = _forced(own, TABLE, monkeypatch, forced_questions=50, seed=1)
    assert len(found) == 50 and set(found["best_alias"]) == {"Other name"}
    assert set(found["nlp_best_alias"]) == {-0.5} and set(found["nlp_wrong"]) == {-1.0}
    assert set(found["key"]) == {"Key"} and set(found["n_aliases"]) == {3}
    wrong = own[(own["temperature"] == 1.0) & ~own["correct"] & own["nlp"].notna()]
    assert set(found["question_id"]) <= set(wrong["question_id"])
    again = _forced(own, TABLE, monkeypatch, forced_questions=50, seed=1)
    pd.testing.assert_frame_equal(found, again)
    assert set(_forced(own, TABLE, monkeypatch, forced_questions=50, seed=2)["question_id"]) != set(
        found["question_id"]
    )
    two = _forced(own, TABLE, monkeypatch, forced_questions=5, forced_aliases=1)
    assert set(two["best_alias"]) == {"Key"} and set(two["n_known_aliases"]) == {3}


def test_forced_decoding_refuses_unknown_questions(trials, monkeypatch):
    own = trials[trials["model"] == "alpha"]
    with pytest.raises(MetacogError, match="not in the question set"):
        _forced(own, TABLE, monkeypatch, known=False)


def test_analysis_of_forced_decoding_counts_shares(trials, monkeypatch):
    own = trials[trials["model"] == "alpha"]
    found = _forced(own, TABLE, monkeypatch, forced_questions=40)
    found.loc[found.index[:10], "nlp_best_alias"] = -5.0
    row = robustness.forced(found, own, n_resamples=2000).iloc[0]
    assert row["share_best"] == 0.75 and row["share_key"] == 0.0 and row["n"] == 40
    # binomial limits of 30 in 40
    assert row["share_best_lower"] == pytest.approx(0.75 - 1.96 * np.sqrt(0.75 * 0.25 / 40), abs=0.03)


def test_wrong_questions_are_looked_up_at_the_lowest_temperature(trials, monkeypatch):
    """Counted by hand, over the questions that were decoded."""
    own = trials[trials["model"] == "alpha"].assign(dataset="set")
    found = _forced(own, TABLE, monkeypatch, forced_questions=40)
    (row,) = robustness.forced(found, own, n_resamples=50).to_dict("records")
    lowest = own["temperature"].min()
    cool = own[(own["temperature"] == lowest) & own["question_id"].isin(found["question_id"])]
    assert row["lowest"] == lowest < 1 and len(cool) == 40
    assert row["right_lowest"] == cool["correct"].mean()
    assert row["right_lowest_lower"] < row["right_lowest"] < row["right_lowest_upper"]
    (only,) = robustness.forced(found, own[own["temperature"] == 1], n_resamples=50).to_dict("records")
    assert np.isnan([value for name, value in only.items() if "lowest" in name]).all()
    assert list(robustness.forced(found.head(0), own)) == list(row)


def test_force_decoded_confidence_is_that_of_an_accepted_answer_and_nothing_else_changes(trials, monkeypatch):
    """With the recorded NLP in place of the accepted answer's, both rows are the same; the questions by hand."""
    own = trials[trials["model"] == "alpha"].assign(dataset="set")
    wrong = _forced(own, TABLE, monkeypatch, forced_questions=40)
    found = robustness.force_decoded(wrong, own, n_resamples=50).set_index("confidence_of")
    right = own[own["correct"] & (own["temperature"] == 1) & own["nlp"].notna()]
    lost = own[~own["correct"] & ~own["refusal"] & (own["temperature"] == 1) & own["nlp"].notna()]
    assert found["n"].tolist() == [len(right) + 40] * 2
    assert found["stands_for"].tolist() == [len(lost) / 40] * 2
    same = robustness.force_decoded(wrong.assign(nlp_best_alias=wrong["nlp_recorded"]), own, n_resamples=50)
    assert same["m_ratio"].nunique() == 1 and same["m_ratio"].iloc[0] == found.loc[robustness.OWN, "m_ratio"]
    high = robustness.force_decoded(wrong.assign(nlp_best_alias=0.0), own, n_resamples=50)
    assert high.set_index("confidence_of").loc[robustness.ACCEPTED, "d_prime"] < 0  # wrong ones look surest
    assert list(robustness.force_decoded(wrong.head(0), own)) == list(high)


def test_scored_wrong_answers_stand_for_all_of_them(trials, monkeypatch):
    """With every wrong answer scored the fit is that of the run's own answers; with some, about the same."""
    own = trials[trials["model"] == "alpha"].assign(dataset="set")
    whole = _forced(own, TABLE, monkeypatch, forced_questions=10_000)
    every = robustness.force_decoded(whole, own, n_resamples=50).iloc[0]
    some = robustness.force_decoded(whole.sample(frac=0.5, random_state=3), own, n_resamples=200).iloc[0]
    assert every["stands_for"] == pytest.approx(1) and some["stands_for"] == pytest.approx(2, rel=0.01)
    at_one = own[(own["temperature"] == 1) & ~own["refusal"] & own["nlp"].notna()]
    plain = cells.estimate(rate_trials(at_one).cells()).iloc[0]
    assert every["d_prime"] == pytest.approx(plain["d_prime"], abs=0.06)  # edges are not interpolated
    assert some["d_prime_lower"] < every["d_prime"] < some["d_prime_upper"]


def test_print_of_the_papers_models_and_equal_widths_stand_beside_the_counts():
    rows = from_print(n_resamples=100, seed=1)
    assert len(rows[rows["check"] == "R1"]) == 8 and (rows.loc[rows["check"] == "R1", "flag"] != "").all()
    widths = rows[rows["check"] == "R3"].set_index("model")["m_ratio"]
    assert widths.idxmax() == "mistral_instruct" and widths.max() > 1.3  # .852 in ratings of equal frequency


def test_accepted_answers_are_written_like_the_wrong_one():
    assert collections.written_like("Metal", ["iron", "Iron", " steel "]) == ["Iron", "Steel"]
    assert collections.written_like("metal", ["iron", "Iron"]) == ["iron", "Iron"]
