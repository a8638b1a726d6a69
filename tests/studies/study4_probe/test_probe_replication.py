"""The replication's analysis. Oracles: two items per task, no form at all, and simulated insight."""

import numpy as np
import pandas as pd
import pytest
from simulated_probe import Given, simulated, trials_of

from metacog.studies import get_study
from metacog.studies.study import Result
from metacog.studies.study4_probe import scores
from metacog.studies.study4_probe.asking.items import load_items
from metacog.studies.study4_probe.asking.wordings import WITHOUT_EXAMPLES
from metacog.studies.study4_probe.paper import TASKS
from metacog.studies.view import View, views_of

STUDY = get_study("study4_probe")
FEW = {"n_resamples": 200, "seed": 1}


def replicated(given, **parameters):
    return Result(STUDY.analysis("replication")(given, **parameters))


def shown(record):
    """Every sentence of the analysis."""
    view = View(record, views_of(STUDY, "replication"), judged_by=STUDY.rules)
    assert all(view.sentences().values())
    assert all(view.views.outcome(rule, record) for rule in record.outcomes["rule"].unique())
    return view


@pytest.fixture(scope="module")
def whole():
    return pd.concat([simulated("sees", seed=4), simulated("blind", insight=0.0, seed=5)])


def test_two_items_per_task_are_shown_without_a_verdict(whole):
    first = {
        i.id for t in ("t1", "t2", "t3", "t4", "t5") for i in load_items() if i.id in (f"{t}-01", f"{t}-02")
    }
    found = replicated(Given(whole[whole["question_id"].isin(first)]), verdicts=False, **FEW)
    assert found.n_items == 10 and found.outcomes.empty and (found.profile["items"] == 2).all()
    shown(found)


def test_a_run_without_any_form_or_resample_is_shown():
    broken = simulated("broken", broken=1.0)
    found = replicated(Given(broken[broken["sample"] == 0]), **FEW)
    assert found.resamples == 0 and found.profile["unread"].sum() == 78
    said = found.outcomes[found.outcomes["unit"] == "broken"].set_index("rule")["why"]
    assert found.outcomes["holds"].isna().all() and list(said.index) == ["calibration", "dissociation"]
    assert said["calibration"] == "0 of 24 replies could be read" and scores.UNSTATED in said["dissociation"]
    shown(found)


def test_the_same_trials_and_seed_give_the_same_result(whole):
    one, two = (replicated(Given(whole), **FEW) for _ in range(2))
    for name, a in one.items():
        assert a.equals(two[name]) if isinstance(a, pd.DataFrame) else a == two[name], name


def test_the_gate_tells_wrong_answers_with_insight_and_not_without(whole):
    found = replicated(Given(whole), **FEW)
    gates = found.gate.groupby("model").sum(numeric_only=True)
    assert gates.loc["sees", "caught"] == gates.loc["sees", "wrong"] > 10 and gates.loc["sees", "held"] <= 2
    assert 0.2 < gates.loc["blind", "caught"] / gates.loc["blind", "wrong"] < 0.8
    assert found.ranks["whose"].value_counts().tolist() == [8, 2]


def test_whether_worked_replies_were_shown_is_stored():
    """Oracle: the same replies, said to be asked for with worked replies and without."""
    broken = simulated("small", broken=1.0)
    bare = broken.assign(wording=broken["wording"] + WITHOUT_EXAMPLES)
    assert [replicated(Given(trials), **FEW).examples_shown for trials in (broken, bare)] == [True, False]


def test_the_example_of_a_task_is_the_first_item_that_the_first_model_got_wrong(whole):
    found = replicated(Given(whole), **FEW)
    first = whole[(whole["model"] == "sees") & (whole["sample"] == 0)]
    assert found.examples["task"].tolist() == list(TASKS) and not found.examples["right"].any()
    for row in found.examples.itertuples():
        wrong = first[(first["task"] == row.task) & (first["credit"] < 1)]
        assert row.reply == wrong.sort_values("question_index")["text"].iloc[0].strip()
    fine = replicated(Given(first[first["credit"] == 1]), **FEW)
    assert fine.examples["right"].all() and "earned it" in shown(fine).sentence("requests")


# --- replies that cannot be read


def nonsense(model, read=0.0, seed=5):
    """A model that knows half of the items and keeps to the form in so few of the replies to each task."""
    rng = np.random.default_rng(seed)
    known = simulated(model, seed=seed)
    first = known[known["sample"] == 0]
    kept = {
        item
        for _, rows in first.groupby("task")
        for item in rng.permutation(rows["question_id"])[: round(read * len(rows))]
    }
    texts = {item.id: ["I would rather not say."] for item in load_items()}
    lost = trials_of(model, texts)
    return pd.concat([first[first["question_id"].isin(kept)], lost[~lost["question_id"].isin(kept)]])


def test_a_model_of_which_no_reply_can_be_read_has_no_score_and_says_why():
    found = replicated(Given(pd.concat([simulated("sound"), nonsense("lost")], ignore_index=True)), **FEW)
    lost, sound = (found.profile[found.profile["model"] == name] for name in ("lost", "sound"))
    assert lost[["score", "lower", "upper", "p"]].isna().all(axis=None) and len(lost) == 5
    assert list(lost["note"]) == [f"0 of {n} replies could be read" for n in lost["items"]]
    assert sound["score"].notna().all()
    means = found.composites.set_index("model")
    assert (
        means.loc["lost"].drop("slots").isna().all()
        and means.loc["lost", "slots"] == 0
        and means.loc["sound"].notna().all()
    )
    assert set(found.sweep["model"]) == {"sound"} and means["of_slots"].notna().tolist() == [True, False]
    own = found.outcomes[found.outcomes["unit"].str.startswith("lost")]
    assert own["holds"].isna().all() and set(own["rule"]) == set(found.outcomes["rule"])
    shown(found)


def test_the_headline_of_a_model_that_cannot_be_read_is_empty_with_the_reason():
    record = replicated(Given(pd.concat([simulated("sound"), nonsense("lost")])), **FEW)
    published = Result(STUDY.analysis("published")(Given(pd.DataFrame())))

    class Results:
        result = {"replication": record, "published": published}.__getitem__

    values = STUDY.analysis("headline")(Results()).values.set_index("model")
    assert np.isnan(values.loc["lost", "estimate"]) and not np.isnan(values.loc["sound", "estimate"])
    assert values.loc["lost", "why"] == "0 of 78 replies could be read where a task has no score"
    assert values.loc["sound", "why"] == ""


def test_a_page_of_models_that_cannot_be_read_says_so():
    record = replicated(Given(nonsense("lost")), **FEW)
    assert record.composites["of_four"].isna().all()
    view = shown(record)
    assert np.isnan(view.numbers()["n_judged"]) and view.numbers()["stuck"] == "lost"
    items = STUDY.analysis("replication_items")

    class Both(Given):
        def result(self, name):
            return record

    assert items(Both(nonsense("lost")), seed=1)["murphy"].empty


def test_a_score_needs_the_named_share_of_readable_replies():
    for share, scored in ((0.0, False), (0.04, False), (0.15, True), (1.0, True)):
        trials = nonsense("m", share)
        profile = replicated(Given(trials), verdicts=False, **FEW).profile
        task = profile[profile["task"] == "T1-CC"]  # of 24 items
        assert task["score"].notna().item() is scored, share
        if scored:  # what could not be read still earns nothing
            first = trials[(trials["task"] == "T2_EV") & (trials["sample"] == 0)]
            other = profile.set_index("task")["score"]["T2-EV"]
            assert other == pytest.approx(100 * first["credit"].mean())
