"""What became of study 1's hypotheses, as a table of models. Oracle: the verdicts it is made of."""

from metacog.studies.study1_qa.cells import rate_trials
from metacog.studies.study1_qa.h1 import h1_estimates
from metacog.studies.study1_qa.h4 import h4_estimates
from metacog.studies.study1_qa.summary import CLAIMS, RULES, TOGETHER, hypotheses
from metacog.verdicts.verdict import Kind, Verdict


def test_every_hypothesis_has_a_cell_for_each_model_and_one_for_all(trials):
    rated, models = rate_trials(trials), list(dict.fromkeys(trials["model"]))
    verdicts = [v for judge in (h1_estimates, h4_estimates) for v in judge(rated, n_resamples=200).verdicts]
    table = hypotheses(verdicts, models)
    assert list(dict.fromkeys(table["model"])) == [*models, TOGETHER]
    assert len(table) == 4 * (len(models) + 1) and not table.duplicated(["claim", "model"]).any()
    first, fourth = (table[table["claim"].str.startswith(n)] for n in ("1.", "4."))
    limit = next(v for v in verdicts if v.name == "limit")
    cells = first[first["rule"] == RULES[0]].set_index("model")["answer"]
    for name, holds in limit.units:
        assert (cells[name] == "yes") is (holds is True) and (cells[name] == "no") is (holds is False)
    assert (fourth.loc[fourth["model"] != TOGETHER, "answer"] == "-").all()


def verdict(name, passed, units=(), undecided=(), **values):
    return Verdict(
        "H", Kind.SOUND, "rule", passed, name=name, values=values, units=units, undecided=undecided
    )


def test_what_an_interval_leaves_open_is_undecided_and_what_cannot_be_judged_is_not_testable():
    units, holds_both = (("a", True), ("b", None)), (("b", "the interval contains 1"),)
    table = hypotheses([verdict("limit", None, units, holds_both)], ["a", "b", "c"])
    assert table["answer"].tolist() == ["yes", "undecided", "not testable", "undecided"]
    table = hypotheses([verdict("limit", None, units, (("b", "no estimate"),))], ["a", "b"])
    assert table["answer"].tolist() == ["yes", "not testable", "not testable"]
    assert table["why"].tolist()[1] == "no estimate"
    assert hypotheses([], ["a"]).empty and len(CLAIMS) == 4
