"""What became of study 1's hypotheses, as a table of models. Oracle: the outcomes it is made of."""

import pandas as pd

from metacog.studies.study1_qa import h1, h4, summary
from metacog.studies.study1_qa.cells import fits, rate_trials
from metacog.studies.study1_qa.summary import KINDS, hypotheses
from metacog.verdicts.outcomes import ALL, of_rule, outcomes
from metacog.verdicts.rules import Unit


def test_every_hypothesis_has_a_cell_for_each_model_and_one_for_all(trials):
    rated, models = rate_trials(trials), list(dict.fromkeys(trials["model"]))
    run, _ = fits(rated.cells(), n_resamples=200)
    limit = h1.limit(run)
    pairs = h4.on_shared_questions(rated, n_resamples=200)
    table = hypotheses({"h1": limit, "h4": h4.judge(pairs)}, models)
    assert list(dict.fromkeys(table["model"])) == [*models, ALL]
    assert len(table) == 4 * (len(models) + 1) and not table.duplicated(["claim", "model"]).any()
    first, fourth = (table[table["claim"].str.startswith(n)] for n in ("1.", "4."))
    cells = first[first["rule"] == KINDS[0]].set_index("model")["answer"]
    for name, holds in of_rule(limit, "limit")[["unit", "holds"]].itertuples(index=False):
        assert (cells[name] == "yes") is (holds is True) and (cells[name] == "no") is (holds is False)
    assert (fourth.loc[fourth["model"] != ALL, "answer"] == "-").all()


def test_what_an_interval_leaves_open_is_undecided_and_what_cannot_be_judged_is_not_testable():
    def answers(why, models):
        told = outcomes("limit", [Unit("a", True), Unit("b", None, why)])
        table = hypotheses({"h1": told}, models)
        return table[table["rule"] == KINDS[0]]

    table = answers("the interval contains 1", ["a", "b", "c"])
    assert table["answer"].tolist() == ["yes", "undecided", "not testable", "undecided"]
    table = answers("no estimate", ["a", "b"])
    assert table["answer"].tolist() == ["yes", "not testable", "not testable"]
    assert table["why"].tolist()[1] == "no estimate"
    assert hypotheses({}, ["a"]).empty


def test_what_a_rule_should_say_is_counted_where_it_says_so():
    power = pd.DataFrame(
        [("h1", "one M-ratio of 1, the others", 0.8, 7, 1), ("h3", "meta-d' higher at T = 1", 0.6, 0, 90)],
        columns=["hypothesis", "effect", "size", "found", "refuted"],
    )
    both = pd.concat([power.assign(whose=whose, runs=100) for whose in ("theirs", "ours")])
    found = summary.tried(both)
    assert found["should"].tolist() == ["not yes", "no"] and found["theirs"].tolist() == [93, 90]
