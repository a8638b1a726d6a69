"""Verdicts of a run's own replies. Oracles: simulated observers of known truth, and hand-made tables."""

import math

import numpy as np
import pandas as pd
import pytest
from simulated_probe import Given, simulated

from metacog.studies import get_study
from metacog.studies.study4_probe import relations, replication, scores
from metacog.studies.study4_probe.judging import RULES, claims_of, judge, judge_entropy
from metacog.studies.study4_probe.range_score import Thresholds
from metacog.verdicts.outcomes import of_rule, those, together

REPLICATION = get_study("study4_probe").analysis("replication")
AT = Thresholds(10, 50)
TASKS = {"T1_CC": (24, 10), "T4_CR": (12, 100)}


def two_errors(runs):
    return 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)


def replies(rng, *, right, knows, model="m", coarse=False, odd=None):
    """Scored replies of both tasks: evidence of confidence lies ``knows`` higher for right answers.

    ``odd`` is the number of confidences that are not 100; the others have no relation to anything.
    """
    rows = []
    for (task, (n, top)), share in zip(TASKS.items(), right, strict=True):
        credit = (rng.random(n) < share).astype(float)
        evidence = rng.normal(credit * knows[list(TASKS).index(task)])
        stated = np.clip(np.round(top / (1 + np.exp(-evidence))), 1, top)
        if coarse:
            stated = np.where(stated > 0.6 * top, top, np.round(0.2 * top))
        if odd is not None:
            stated = rng.permutation(np.r_[np.full(n - odd, float(top)), rng.integers(1, top, odd)])
        rows += [
            {
                "model": model,
                "task": task,
                "sample": 0,
                "question_id": f"{task}-{i}",
                "credit": c,
                "stated": s,
                "correct": c == 1,
                "flag": math.nan,
                "parse_status": "ok",
            }
            for i, (c, s) in enumerate(zip(credit, stated, strict=True))
        ]
    return pd.DataFrame(rows)


def apart(trials):
    """Whether the two tasks part company."""
    nobody = pd.DataFrame(columns=["model", "task", "note"])
    return judge(nobody, replication.by_one_measure(trials), pd.DataFrame())


def judged(trials, n_resamples=200):
    profile = scores.profile(trials, AT, n_resamples=n_resamples, seed=1)
    return judge(profile, replication.by_one_measure(trials), pd.DataFrame(columns=["model"]))


@pytest.mark.parametrize(
    ("knows", "right", "coarse"),
    [
        (0.0, (0.5, 0.5), False),
        pytest.param(1.0, (0.5, 0.5), False, marks=pytest.mark.real),
        pytest.param(1.0, (0.2, 0.25), False, marks=pytest.mark.real),
        (2.0, (0.85, 0.5), True),
    ],
)
def test_one_observer_with_equal_self_knowledge_does_not_part_company(knows, right, coarse):
    """Simulation: the same distance of right and wrong on both tasks, whatever accuracy and scale."""
    rng, runs = np.random.default_rng([int(knows), *(int(100 * r) for r in right)]), 200
    outcomes = [
        together(apart(replies(rng, right=right, knows=(knows, knows), coarse=coarse)), "dissociation")
        for _ in range(runs)
    ]
    assert sum(o is True for o in outcomes) / runs <= two_errors(runs)
    assert False not in outcomes  # twelve items cannot show that two tasks are alike


def test_an_observer_that_knows_itself_on_one_task_alone_parts_company():
    rng = np.random.default_rng(5)
    trials = [replies(rng, right=(0.6, 0.6), knows=(4.0, 0.0)) for _ in range(40)]
    passed = [together(apart(t), "dissociation") for t in trials]
    assert np.mean([p is True for p in passed]) > 0.6
    many = pd.concat([t.assign(question_id=t["question_id"] + f"-{k}") for k, t in enumerate(trials)])
    assert together(apart(many), "dissociation") is True


def test_two_tasks_that_are_alike_are_reported_to_be_where_the_interval_is_narrow():
    rng = np.random.default_rng(6)
    parts = [replies(rng, right=(0.5, 0.5), knows=(1.5, 1.5)) for _ in range(40)]
    many = pd.concat([t.assign(question_id=t["question_id"] + f"-{k}") for k, t in enumerate(parts)])
    assert together(apart(many), "dissociation") is False


@pytest.mark.parametrize(
    ("right", "odd"),
    [(0.5, 1), *(pytest.param(*one, marks=pytest.mark.real) for one in ((0.2, 7), (0.85, None)))],
)
def test_calibration_is_found_in_at_most_one_of_twenty_where_there_is_none(right, odd):
    rng, runs = np.random.default_rng([int(100 * right), odd or 0]), 150
    outcomes = [
        together(
            judged(replies(rng, right=(right, 0.5), knows=(0.0, 0.0), coarse=odd is None, odd=odd)),
            "calibration",
        )
        for _ in range(runs)
    ]
    assert sum(o is True for o in outcomes) / runs <= two_errors(runs)
    assert sum(o is False for o in outcomes) / runs <= two_errors(runs)


@pytest.mark.parametrize("odd", [1, pytest.param(4, marks=pytest.mark.real)])
def test_one_odd_confidence_follows_agreement_and_entropy_in_at_most_one_of_twenty(odd):
    """Simulation: eleven confidences of which a few are not 100, against figures without any relation."""
    rng, runs = np.random.default_rng(odd), 200
    hits = {"follows": 0, "falls": 0}
    for run in range(runs):
        stated = rng.permutation(np.r_[np.full(11 - odd, 100.0), rng.integers(0, 60, odd)])
        items = pd.DataFrame({"model": "m", "task": "T4_CR", "stated": stated})
        steady = relations.correlations(items.assign(agreement=rng.integers(0, 9, 11) / 8), seed=run)
        torn = relations.correlations(items.assign(entropy=rng.random(11)), seed=run, of="entropy")
        none = pd.DataFrame(columns=["model", "task", "note"])
        hits["follows"] += together(judge(none, pd.DataFrame(), steady), "steadiness") is True
        hits["falls"] += together(judge_entropy(torn), "entropy") is True
    assert max(hits.values()) / runs <= two_errors(runs), hits


def table(**columns):
    return pd.DataFrame([{"model": "m", "task": "T1-CC", "note": "", "why": "", "items": 24, **columns}])


@pytest.mark.parametrize(
    ("lower", "upper", "p", "passed"),
    [
        (60, 90, 0.01, True),
        (60, 90, 0.2, None),
        (45, 85, 0.2, None),
        (10, 45, 0.01, False),
        (10, 45, 0.2, None),
    ],
)
def test_calibration_is_refuted_only_from_the_other_side(lower, upper, p, passed):
    told = judge(table(lower=lower, upper=upper, p=p), pd.DataFrame(), pd.DataFrame())
    assert together(told, "calibration") is passed
    numbers = f"{lower} to {upper}, p = {p:.2f}"
    assert of_rule(told, "calibration")["why"].tolist() == [numbers if passed is None else ""]


@pytest.mark.parametrize(
    ("lower", "upper", "passed"),
    [(0.1, 0.6, True), (-0.6, -0.1, True), (-0.3, 0.4, None), (-0.05, 0.3, None), (-0.05, 0.06, False)],
)
def test_a_dissociation_is_refuted_only_by_an_interval_about_nothing(lower, upper, passed):
    told = judge(table(task="T4-CR"), table(lower=lower, upper=upper), pd.DataFrame())
    assert together(told, "dissociation") is passed


@pytest.mark.parametrize(
    ("rho", "p", "up", "down"),
    [(0.5, 0.01, True, False), (0.5, 0.2, None, None), (-0.5, 0.2, None, None), (-0.5, 0.05, False, True)],
)
def test_a_rank_correlation_is_judged_by_its_p_on_either_side(rho, p, up, down):
    rows = table(rho=rho, p=p, lower=math.nan, upper=math.nan, why="only 1 of 24 leave the commonest value")
    assert together(judge(table(task="T4-CR"), pd.DataFrame(), rows), "steadiness") is up
    assert together(judge_entropy(rows), "entropy") is down


def test_tasks_that_cannot_be_compared_say_why():
    rng = np.random.default_rng(8)
    one = replies(rng, right=(0.5, 0.0), knows=(1.0, 1.0), model="a")
    flat = replies(rng, right=(0.5, 0.5), knows=(1.0, 1.0), model="b")
    flat.loc[flat["task"] == "T1_CC", "stated"] = 9.0
    mute = replies(rng, right=(0.5, 0.5), knows=(1.0, 1.0), model="c")
    mute.loc[mute["task"] == "T4_CR", "stated"] = math.nan
    found = replication.by_one_measure(pd.concat([one, flat, mute])).set_index("model")
    lacking = {"a": "only 0 right", "b": scores.CONSTANT, "c": scores.UNSTATED}
    assert all(found.at[model, "why"].startswith(why) for model, why in lacking.items())
    assert found["difference"].isna().all()
    assert those(apart(pd.concat([one, flat, mute])), "dissociation", None) == ["a", "b", "c"]


def test_no_verdict_of_a_blind_model_is_refuted_by_a_dozen_items():
    """What rules say of a model whose confidence says nothing is undecided, not "not supported"."""
    blind = simulated("blind", insight=0.0, seed=5)
    told = REPLICATION(Given(blind), n_resamples=300, seed=3)["outcomes"]
    assert told["holds"].isna().all() and set(told["rule"]) == {"calibration", "dissociation", "steadiness"}
    torn = judge_entropy(relations.with_entropy(blind, seed=3))
    assert len(torn) and torn["holds"].isna().all()


def test_a_model_without_the_task_keeps_every_rule_open():
    """A second model was asked other tasks only: "every model" is not shown for it."""
    sees = simulated("sees", insight=1.0, seed=4)
    other = simulated("other", seed=5).query("task not in ('T1_CC', 'T4_CR')")
    both, alone = (
        REPLICATION(Given(one), n_resamples=300, seed=3)["outcomes"]
        for one in (pd.concat([sees, other]), sees)
    )
    assert together(alone, "calibration") and together(alone, "steadiness")
    for rule in both["rule"].unique():
        assert together(both, rule) is None and "other" in " ".join(those(both, rule, None))
    table, part = relations.with_entropy(sees, seed=3), ["sees", "other"]
    whole = table[table["task"] == "T1-CC"]
    torn, kept = judge_entropy(whole, part), judge_entropy(whole)
    assert together(kept, "entropy") is True and together(torn, "entropy") is None
    assert [name.split()[0] for name in those(torn, "entropy", None)] == ["other"]


def test_claims_name_models_and_tell_the_open_from_what_cannot_be_tested():
    flat = table(lower=50, upper=50, p=math.nan).assign(note="one confidence throughout")
    open_ = table(lower=45, upper=85, p=0.2).assign(model="n")
    t1 = pd.concat([table(lower=60, upper=90, p=0.01).assign(model="k"), flat, open_])
    rows = table(rho=-0.5, p=0.01, why="").assign(task="T4-CR", model="k")
    apart = table(lower=math.nan, upper=math.nan).assign(why="only 0 right on T4-CR")
    found = claims_of(judge(t1, apart, rows)).set_index(["claim", "model"])
    right = found.loc[RULES["calibration"].claim]
    assert right["answer"].to_dict() == {"k": "yes", "m": "not testable", "n": "undecided"}
    steadier = found.loc[(f"{RULES['steadiness'].claim} (out of 100)", "k")]
    assert steadier["answer"] == "no"
    assert found.loc[(RULES["dissociation"].claim, "m"), "why"].endswith("confidence out of 100")
    assert claims_of(judge_entropy(rows.iloc[:0])).empty
