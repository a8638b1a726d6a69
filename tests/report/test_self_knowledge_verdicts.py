"""Rules on self-knowledge. Oracle: Kleene's "at least k", and rows whose outcome is plain."""

from types import SimpleNamespace

import pandas as pd
import pytest
from scipy.stats import binom

from metacog.core.paths import project_root
from metacog.measures.own_and_others import SIZES, WITH
from metacog.report import self_knowledge_verdicts as judging
from metacog.report.self_knowledge_figures import few_confidences
from metacog.report.self_knowledge_words import ANSWERS, VERDICTS, headline
from metacog.report.verdicts import Kind, Verdict

NAN = float("nan")


def models(**columns):
    base = {"model": ["a", "b", "c"], "flag": "", "why": ["", "", "few"], "n_others_within": 9}
    return pd.DataFrame({**base, **columns})


ONE_OPEN = {
    "corrected": [0.2, 0.1, NAN],
    "corrected_lower": [0.1, -0.1, NAN],
    "corrected_upper": [0.3, 0.3, NAN],
}


def test_cannot_be_told_where_it_is_so():
    verdict = judging.over_models(models(**ONE_OPEN), "remains")
    assert verdict.passed is None and verdict.values["open"] == 2
    assert ("c", "few") in verdict.undecided
    none = models(corrected=-0.2, corrected_lower=-0.3, corrected_upper=-0.1)
    assert judging.over_models(none, "remains").passed is False


def test_nothing_is_said_of_difficulty_with_too_few_others():
    sure = {"corrected": 0.2, "corrected_lower": 0.1, "corrected_upper": 0.3}
    enough = judging.FEW_OTHERS
    assert judging.over_models(models(**sure, n_others_within=enough), "remains").passed is True
    few = judging.over_models(models(**sure, n_others_within=enough - 1), "remains")
    assert few.passed is None and few.values["open"] == 3
    assert few.undecided[0][1] == f"only {enough - 1} others show how hard an item is"
    own = {"own_less_crowd": 0.1, "own_less_crowd_lower": 0.05, "own_less_crowd_upper": 0.2}
    assert judging.over_models(models(**own, n_others_within=2), "crowd").passed is True
    some = models(**sure, n_others_within=[enough, enough, 2])
    assert judging.over_models(some, "remains").passed is True and not judging.too_few_others(some)
    assert judging.too_few_others(models(n_others_within=enough - 1))


def test_so_many_others_keep_the_rule_from_finding_what_is_not_there():
    stored = pd.read_csv(project_root() / SIZES)
    nothing = stored[stored["kind"] == "difficulty"].assign(found=lambda t: t["most_above_0"] / t["n_runs"])
    few = nothing["n_models"] - 1 < judging.FEW_OTHERS
    assert few.any() and (nothing.loc[few, "found"] > 0.15).all()
    assert nothing.loc[~few, "n_models"].nunique() >= 3
    for row in nothing[~few].itertuples():  # one in twenty, within the error of the runs
        assert row.most_above_0 <= binom.ppf(0.999, row.n_runs, 0.05)


def test_of_one_share_there_is_no_range():
    known = {"corrected": 0.2, "corrected_lower": 0.1, "corrected_upper": 0.3}
    facts = {"n_models": 3, "n_families": 3, "answer": "some"}
    one = headline(SimpleNamespace(models=models(**known, share=[0.25, NAN, NAN]), **facts))
    assert one.endswith(
        "the share that others' correctness does not explain is 25% (1 model whose confidence is "
        "shown to carry any)."
    )
    two = headline(SimpleNamespace(models=models(**known, share=[0.25, 0.75, NAN]), **facts))
    assert two.endswith(
        "the median share that others' correctness does not explain is 50% (2 models whose confidence "
        "is shown to carry any; 25% to 75%)."
    )


def test_a_caption_names_models_with_confidences_for_few_items():
    def told(*n):
        return few_confidences(SimpleNamespace(models=models(n=n), n_panel=2000))

    assert told(2000, 1999, 1000) == ""
    assert "of 2,000 items, 999 for a and 12 for c. " in told(999, 1999, 12)


def test_nothing_passes_of_models_that_cannot_be_judged():
    gap = models(
        corrected=[0.2, NAN, NAN], corrected_lower=[0.1, NAN, NAN], corrected_upper=[0.3, NAN, NAN], why="few"
    )
    assert judging.over_models(gap, "remains").passed is None


def test_a_diagonal_that_shuffling_gives_as_well_is_undecided():
    row = {"quantity": "advantage", "rows": WITH, "mean": 0.05, "lower": 0.02, "upper": 0.08}
    assert judging.privileged(pd.DataFrame([{**row, "p": 0.01}]), WITH).passed is True
    assert judging.privileged(pd.DataFrame([{**row, "p": 0.4}]), WITH).passed is None
    assert judging.privileged(pd.DataFrame([{**row, "p": NAN}]), WITH).passed is None
    unknown = pd.DataFrame([{**row, "lower": NAN, "upper": NAN, "p": 0.01}])
    assert judging.privileged(unknown, WITH).passed is None


@pytest.mark.parametrize(("p", "said"), [(1 / 201, "p at most 0.005"), (2 / 201, "p = 0.010")])
def test_a_p_that_permutations_cannot_go_below_is_no_equation(p, said):
    row = {"quantity": "advantage", "rows": WITH, "mean": 0.05, "lower": 0.02, "upper": 0.08, "p": p}
    verdict = judging.privileged(pd.DataFrame([{**row, "least_p": 1 / 201}]), WITH)
    assert said in VERDICTS["privileged"](verdict)
    before = judging.privileged(pd.DataFrame([row]), WITH)  # a result that was stored without it
    assert f"p = {p:.3f}" in VERDICTS["privileged"](before)


@pytest.mark.parametrize(
    ("most", "remains", "answer"),
    [
        (True, True, "own"),
        (False, True, "some"),
        (None, True, "some"),
        (False, None, "difficulty"),
        (None, None, "open"),
    ],
)
def test_the_answer_is_one_of_four(most, remains, answer):
    verdicts = [Verdict("h", Kind.EXPLORATORY, "r", most, name="most")]
    verdicts.append(Verdict("h", Kind.EXPLORATORY, "r", remains, name="remains"))
    assert judging.answer(verdicts) == answer and answer in ANSWERS
