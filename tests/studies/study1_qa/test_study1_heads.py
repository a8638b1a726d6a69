"""The sentences at the heads of study 1's pages: other data, another answer, and all of them short."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.studies.study1_qa import (
    correction_grid,
    h1,
    h2,
    h3,
    h4,
    luck,
    marks_by_eye,
    robustness,
    summary,
    validation,
)
from metacog.studies.study1_qa.cells import RECOMPUTED, Flag
from metacog.studies.study1_qa.luck import recovered
from metacog.studies.study1_qa.summary import KINDS
from metacog.verdicts.outcomes import ALL, outcomes
from metacog.verdicts.rules import Unit

NAN = np.nan


def frame(columns, *rows):
    return pd.DataFrame(list(rows), columns=columns.split())


def made(**parts):
    return SimpleNamespace(**parts)


def head(text, *words):
    """Whether a head keeps its limits and says this."""
    assert faults(text) == [], text
    assert all(word in text for word in words), text


def test_what_is_said_of_luck_and_the_figure_is_what_was_simulated():
    """Oracle: the committed table; a figure that bounds luck from above would have no world below it."""
    rows = recovered().set_index("design")
    every, alike = (rows.loc[name] for name in (luck.ALL_WORLDS, luck.LIKE_THE_RUN))
    assert every["n_used"] == 648 and every["lowest"] < alike["lowest"] < 0 < alike["highest"]
    assert every["below_truth"] > every["short"] > 0.05 and alike["short"] == 0
    told = luck._simulated(recovered())
    assert (told["luck_less"], told["luck_more"]) == (100 * alike["highest"], -100 * alike["lowest"])
    worst = [
        rows.loc[name].set_index("quantity").filter(like="luck", axis=0).iloc[0]
        for name in (luck.WORST, luck.WORST_OF_ALL)
    ]
    for one, name in zip(worst, ("runs_short", "runs_short_of_all"), strict=True):
        assert told[name] == round(one["below_truth"] * one["n_used"])
    assert worst[0]["below_truth"] <= 0.1 < 0.3 < worst[1]["below_truth"]
    own = rows.loc[luck.WORST].set_index("quantity").filter(like="many", axis=0).iloc[0]
    assert 0.9 < own["coverage"] <= 1  # the interval is one of what it estimates


def test_the_question_asked_again_and_again():
    columns = "model question key temperature right confidence"
    rows = [
        ("m", "Who?", "Goliath", 1.0, right, sure) for right, sure in ((True, 0.9), (False, 0.5), (True, 0.4))
    ]
    told = luck._asked(frame(columns, *rows))
    assert (told["example_question"], told["n_example"]) == ("Who?", 3)
    assert (told["n_pairs"], told["n_ahead"]) == (2, 1)
    none = luck._asked(frame(columns, *rows)[:0])
    assert none["n_pairs"] == 0 and np.isnan(none["example_question"])


def of_h1(*models):
    theirs = [(RECOMPUTED, *one) for one in models]
    return made(comparison=frame("source below_one m_ratio_lower", *theirs))


BELOW, OPEN, ABOVE = (True, 0.7), (False, 0.9), (False, 1.0)


def of_h2(*pairs, flag=""):
    areas = [("auroc2", *one) for one in pairs]
    return made(pairs=frame("measure flagged lower p_holm", *areas), domains=frame("model flag", ("m", flag)))


YES, NO, FLAGGED = ((bad, 0.1, p) for bad, p in ((False, 0.01), (False, 0.2), (True, 0.01)))


def of_h3(*held, n=4):
    units = [Unit(str(place), one, "" if one is not None else "open") for place, one in enumerate(held)]
    return made(outcomes=outcomes("tost", units), summary=frame("n_asked", (n,)))


def of_h4(lower, further):
    pairs = [(RECOMPUTED, lower, 0.5, further), (RECOMPUTED, -0.1, 0.5, None)]
    return made(comparison=frame("source lower upper further", *pairs))


def one_ratio(*rows):
    return made(same=frame("m_ratio n_families lowest highest", *rows))


def marked(*read):
    rows = [(*one, "wrong") for one in zip(read[::2], read[1::2], strict=True)]
    return made(by_eye=frame("n mismarked marked", *rows))


def directions(right, wrong):
    return made(by_eye=frame("n mismarked marked", (180, right, "right"), (180, wrong, "wrong")))


#: A sentence, what it is told of, and words that it must hold.
HEADS = {
    h1.answer: [
        (of_h1(BELOW, BELOW), "Yes: in every model"),
        (of_h1(BELOW, OPEN), "Not shown for every model", "in 1 of the paper's 2 models"),
        (of_h1(OPEN, (False, NAN)), "No model of the paper is shown"),
        (of_h1(BELOW, OPEN, ABOVE), "No: in 1 of the paper's 3 models"),
    ],
    h2.answer: [
        (of_h2(YES, NO), "Yes, in this book's models: of 2 pairs", "1 differs"),
        (of_h2(NO), "Not shown in this book's models: of 1 pair", "none differs"),
        (of_h2(FLAGGED), "no two subjects have enough"),
        (of_h2(FLAGGED, flag=Flag.SILENT), "no confidence could be read"),
        (of_h2(), "fewer than two domains"),
    ],
    h3.answer: [
        (of_h3(True, True), "Yes: in every model"),
        (of_h3(True, None), "Shown for 1 of this book's 2 models"),
        (of_h3(None, None), "Not shown: no model"),
        (of_h3(True, False), "No: in 1 of this book's 2 models"),
        (of_h3(), "cannot be told"),
        (of_h3(True, True, n=2), "cannot be told"),
        (made(outcomes=None, summary=frame("n_asked", (4,))), "cannot be told"),
    ],
    h4.answer: [
        (of_h4(0.1, True), "Yes, in 1 of 2 pairs", "differ more in M-ratio than in d'"),
        (of_h4(0.1, False), "Not shown: 1 of 2 pairs", "differs in M-ratio"),
        (of_h4(-0.1, False), "Not shown: none of 2 pairs"),
    ],
    correction_grid.answer: [
        (one_ratio((0.8, 2, 0.1, 0.3), (1, 2, 0.2, 0.9)), "no efficiency", "0.20 to 0.90."),
        (one_ratio((0.8, 1, 0.1, 0.3), (1, 2, 0.2, 0.9)), "Not every M-ratio", "0.20 to 0.90."),
        (one_ratio((0.8, 2, 0.1, 0.15), (1, 2, 0.2, 0.9)), "Not every M-ratio"),
        (one_ratio((0.8, 0, NAN, NAN)), "cannot be told"),
    ],
    marks_by_eye.answer: [
        (marked(60, 3, 60, 0), "Mostly: of 120 marks"),
        (marked(60, 1, 60, 0), "one was wrong"),
        (marked(60, 0, 60, 0), "none was wrong"),
        (marked(60, 20, 60, 10), "No: of 120 marks"),
        (marked(5, 0), "Open: of 5 marks"),
        (marked(), "cannot be told"),
        (directions(0, 6), "a language model", "always a right answer marked wrong"),
        (directions(6, 0), "always a wrong answer marked right"),
        (directions(2, 4), "either"),
        (directions(0, 1), "one was wrong, a right answer marked wrong"),
        (directions(0, 0), "none was wrong."),
    ],
}


CASES = [(sentence, *case) for sentence, cases in HEADS.items() for case in cases]


@pytest.mark.parametrize("case", CASES)
def test_heads_follow_the_data(case):
    sentence, result, *said = case
    head(sentence(result), *said)


@pytest.mark.parametrize(
    ("right", "no", "wrong_runs", "said"),
    [
        (0.61, 0.0, 1000, ("yes in 61 %", "and in 0.5 % where it narrowly fails.")),
        (0.16, 0.0, 0, ("yes in 16 %", "Where it stays undecided, that says little.")),
        (0.0, 0.1, 0, ("yes in 0 %", "holds, and no in 10 %.", "says little")),
    ],
)
def test_how_often_a_rule_passes_stands_beside_its_answer(right, no, wrong_runs, said):
    row = ("H1", "3 models and 480 questions", wrong_runs, 0.005, right, no)
    power = frame("hypothesis size wrong_runs wrong_supported right_supported right_refuted", row)
    text = summary.power("H1", SimpleNamespace(power=power))
    assert text.startswith("In simulated runs of 3 models and 480 questions") and all(x in text for x in said)


@pytest.mark.parametrize(
    ("spread", "other", "said"),
    [
        ((), (), ("no pair",)),
        ((), ("a with b (nq)", "c with b (nq)"), ("other questions 2 pairs", "all with b;", "spread none")),
        (("a with b (s = 1)", "a with b (s = 2)"), (), ("unequal spread 1 pair", "questions none")),
        (("a with b (s)",), ("c with d (nq)",), ("spread 1 pair", "questions 1 pair.")),
    ],
)
def test_which_pairs_other_choices_turn_round(spread, other, said):
    told = pd.concat(
        outcomes(f"{check} published", [Unit(name, False) for name in turned])
        for check, turned in (("R2", ("a (s)", *spread)), ("R4", other))
    )
    head(robustness.answer(SimpleNamespace(outcomes=told)), *said)
    head(robustness.answer(SimpleNamespace(outcomes=None)), "too small")


@pytest.mark.parametrize(
    ("own", "sound", "said"),
    [
        ("yes no undecided", "no no undecided", ("one holds and one fails", "none holds and two fail.")),
        ("yes yes yes yes", "no no no no", ("four hold and none fails", "none holds and four fail.")),
        ("no no", "undecided undecided", ("none holds and two fail", "by sounder ones none can be decided.")),
        ("yes no", "no yes", ("one holds and one fails", "by sounder ones alike.")),
        ("", "", ("too small",)),
    ],
)
def test_what_became_of_the_hypotheses(own, sound, said):
    rows = [(rule, ALL, one) for rule, of in zip(KINDS, (own, sound), strict=True) for one in of.split()]
    rows += [(KINDS[1], "m", "yes")] if own else []
    head(summary.answer(SimpleNamespace(hypotheses=frame("rule model answer", *rows))), *said)


@pytest.mark.parametrize(
    ("paper", "book", "said"),
    [
        (
            (208, 8, 57, 0),
            (208, 8, 19, 10),
            ("Of 216", "57 wrong and 8 unclear", "38 of these 57", "10 right", "19 wrong"),
        ),
        ((0, 0, 0, 0), (0, 0, 0, 0), ("No answer", "has been read")),
    ],
)
def test_what_a_reader_says_of_similar_answers(paper, book, said):
    named = ((marks_by_eye.PAPERS, *paper), (marks_by_eye.BOOKS, *book))
    rules = frame("rule n unclear let_pass lost", *named).assign(read=marks_by_eye.BY_SIMILARITY)
    text = marks_by_eye.alike(SimpleNamespace(rules=rules))
    assert all(one in text for one in said), text


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [(3, 0.5, 0.502, 0.9, 0.901, 1.0, 0.99), (0, 0.4, 0.4, 0.8, 0.8, 1.1, 1.1)],
            ("3 answers", "0.0020", "stays"),
        ),
        (
            [(1, 0.5, 0.502, 0.8, 0.7, 1.0, 0.9), (2, 0.4, 0.4, 0.75, 0.75, 1, 1)],
            ("than 2", "0.1000", "changes"),
        ),
        ([(0, 0.5, 0.5, 0.9, 0.9, 1.0, 1.0)], ("both rules mark every answer",)),
        ([], ("both rules mark every answer",)),
    ],
)
def test_what_the_stricter_rule_changes(rows, said):
    named = "n_changed accuracy accuracy_paper auroc2 auroc2_paper m_ratio m_ratio_paper"
    text = marks_by_eye.changed(SimpleNamespace(changes=frame(named, *rows)))
    assert all(one in text for one in said), text


def test_how_many_subjects_are_too_small():
    for enough, said in (((True, False, False), "2 of 3"), ((True, True), "0 of 2")):
        assert said in validation.small(SimpleNamespace(minimums=pd.DataFrame({"enough": enough})))


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.12, "shows it in 12 %: where it stays undecided, that says little."), (0.8, "80 %.")],
)
def test_a_check_that_finds_nothing_where_it_is_there_says_so(share, said):
    rows = frame("hypothesis right_supported", ("R6", share))
    assert robustness.needed(SimpleNamespace(power=rows)).endswith(said)
