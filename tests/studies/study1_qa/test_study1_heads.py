"""The sentences at the heads of study 1's pages: other data, another answer, and all of them short."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED
from metacog.studies.study1_qa.cells.flags import Flag
from metacog.studies.study1_qa.h1 import shown as h1
from metacog.studies.study1_qa.h2 import shown as h2
from metacog.studies.study1_qa.h3 import shown as h3
from metacog.studies.study1_qa.h3.judging import FIXED, SEPARATE
from metacog.studies.study1_qa.h4 import shown as h4
from metacog.studies.study1_qa.luck import shown as luck
from metacog.studies.study1_qa.robustness import shown as robustness
from metacog.studies.study1_qa.summary import shown as summary
from metacog.studies.study1_qa.summary.analysis import RULES, TOGETHER

NAN = np.nan


def frame(columns, *rows):
    return pd.DataFrame(list(rows), columns=columns.split())


def head(text, *words):
    """Whether a head keeps its limits and says this."""
    assert faults(text) == [], text
    assert all(word in text for word in words), text


PARTS = "model temperature part share share_lower no_luck"


def made_of(*parts, why=""):
    draws = frame("model why", ("m", why))
    return SimpleNamespace(parts=frame(PARTS, *parts), draws=draws)


def test_what_confidence_is_made_of():
    others = [("m", 1.0, "difficulty", 0.15, 0.1, NAN), ("m", 1.0, "own state", 0.4, 0.3, NAN)]
    lucky, hardly = (("m", 1.0, "draw", 0.45, low, 0.03) for low in (0.4, 0.02))
    head(
        luck.answer(made_of(*others, lucky)), "45 % is luck", "40 % the model's own", "difficulty is the rest"
    )
    head(luck.answer(made_of(others[1], lucky)), "at most 45 % is luck", "the rest is about the question")
    head(luck.answer(made_of(*others, hardly)), "not shown to hold luck", "45 %", "3 % without any luck")
    unknown = [(*row[:3], NAN, NAN, NAN) for row in others]
    head(luck.answer(made_of(*unknown)), "cannot be told")
    head(
        luck.answer(made_of(why=Flag.SILENT)),
        "cannot be told",
        "No confidence could be read in the answers of m",
    )
    below = [("m", 0.5, *row[2:]) for row in (*others, lucky)]
    head(luck.answer(made_of(*below)), "cannot be told")
    second = [("n", *row[1:]) for row in (*others, lucky)]
    head(luck.answer(made_of(*[("m", 1.0, "own state", NAN, NAN, NAN)], *second)), "45 %")


@pytest.mark.parametrize(
    ("lower", "begun"), [((0.7, 0.8), "Yes: "), ((0.4, 0.8), "In some models: "), ((0.4, 0.4), "Not shown: ")]
)
def test_whether_confidence_tells_at_all(lower, begun):
    rows = [("m", 0.1, 0.75, lower[0]), ("n", 0.1, 0.88, lower[1]), ("n", 1.0, 0.99, 0.98)]
    found = SimpleNamespace(answers=frame("model temperature auroc2 auroc2_lower", *rows), lowest=0.1)
    head(luck.tells(found), begun, "75 to 88 % of the time")
    found.answers, found.draws = found.answers[:0], frame("model why")
    head(luck.tells(found), "cannot be told")


def test_what_belongs_to_the_head_follows_the_data():
    columns = "model same_draw question luck_lower"
    found = SimpleNamespace(
        draws=frame(columns, ("m", 0.9, 0.8, 0.05), ("n", 0.9, 0.8, -0.1), ("o", 1, 1, NAN))
    )
    assert "In m," in luck.bound(found) and "better in 1 of 2 models" in luck.bound(found)
    found.draws = found.draws[2:]
    assert "several times" in luck.bound(found)
    answers = frame("model temperature known", ("m", 0.5, 0.2), ("m", 1.0, 0.51))
    assert "answers of m at temperature 1, 51 % are slips" in luck.slips(SimpleNamespace(answers=answers))
    assert "cannot be told" in luck.slips(SimpleNamespace(answers=answers[:1]))
    shown = frame(
        "model question key temperature", ("m", "Who?", "Goliath", 1.0), ("m", "Who?", "Goliath", 1.0)
    )
    assert luck.asked(SimpleNamespace(example=shown)).startswith("“Who?” m was asked 2 times")
    assert "No question" in luck.asked(SimpleNamespace(example=shown[:0]))
    pairs = frame("temperature lower bound", (0.1, 0.09, 0.05), (0.1, 0.01, 0.05), (1.0, 0.9, 0.05))
    assert "In 1 of 2 pairs" in luck.crossed(SimpleNamespace(crossings=pairs, lowest=0.1))
    assert "this run has none" in luck.crossed(SimpleNamespace(crossings=pairs[:0], lowest=0.1))


def test_the_rise_with_temperature():
    def of(*rows):
        rises = frame("model temperature why with_draw_lower mostly_draw_lower", *rows)
        return luck.rise(SimpleNamespace(rises=rises))

    up, flat = ("m", 1.0, "", 0.1, 0.05), ("n", 1.0, "", -0.1, -0.2)
    head(of(up, flat), "in 1 of 2 models most of the rise can be luck")
    head(of(("m", 1.0, "", 0.1, -0.05), flat), "in 1 of 2 models; luck is not shown")
    head(of(flat), "No model's confidence is shown")
    head(of(("m", 0.5, "", 0.1, 0.05)), "cannot be told", "two temperatures")
    head(of(("m", 1.0, Flag.SILENT, NAN, NAN)), "cannot be told", "No confidence could be read")


def test_the_first_hypothesis():
    def of(*models):
        theirs = [(RECOMPUTED, *one) for one in models]
        return h1.answer(SimpleNamespace(comparison=frame("source below_one m_ratio_lower", *theirs)))

    below, open_, above = (True, 0.7), (False, 0.9), (False, 1.0)
    head(of(below, below), "Yes: in every model")
    head(of(below, open_), "Not shown for every model", "in 1 of the paper's 2 models")
    head(of(open_, (False, NAN)), "No model of the paper is shown")
    head(of(below, open_, above), "No: in 1 of the paper's 3 models")


def test_the_second_hypothesis():
    def of(*pairs, flag=""):
        return h2.answer(
            SimpleNamespace(
                pairs=frame("measure flagged lower p_holm", *pairs), domains=frame("model flag", ("m", flag))
            )
        )

    yes, no, flagged = (("auroc2", bad, 0.1, p) for bad, p in ((False, 0.01), (False, 0.2), (True, 0.01)))
    head(of(yes, no), "Yes: of 2 differences", "1 is larger than chance")
    head(of(no), "Not shown: of 1 difference", "none is larger")
    head(of(flagged), "no two subjects have enough")
    head(of(flagged, flag=Flag.SILENT), "no confidence could be read")
    head(of(), "fewer than two domains")


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ((True, True), "Yes: in every model"),
        ((True, None), "Shown for 1 of 2 models"),
        ((None, None), "Not shown: no model"),
        ((True, False), "No: in 1 of 2 models"),
        ((), "cannot be told"),
    ],
)
def test_the_third_hypothesis(held, said):
    def of(edges, units):
        told = tuple((str(place), one) for place, one in enumerate(units))
        values = {"edges": edges, "complete": bool(units)}
        return Verdict("H3", Kind.SOUND, "r", None, name="tost", values=values, units=told)

    head(h3.answer(SimpleNamespace(verdicts=(of(FIXED, (False,)), of(SEPARATE, held)))), said)
    assert "cannot be told" in h3.answer(SimpleNamespace(verdicts=()))


def test_the_fourth_hypothesis():
    def of(lower, similar):
        pairs = [(RECOMPUTED, lower, 0.5, similar), (RECOMPUTED, -0.1, 0.5, True)]
        return h4.answer(SimpleNamespace(comparison=frame("source lower upper d_similar", *pairs)))

    head(of(0.1, True), "Yes, in 1 of 2 pairs")
    head(of(0.1, False), "Not shown")
    head(of(-0.1, True), "Not shown")


def test_robustness():
    def of(*places):
        rows = [
            ("R2" if variant != "nq" else "R4", variant, model, rank)
            for variant, ranks in zip((robustness.BASELINE, "nq"), places, strict=True)
            for model, rank in zip("ab", ranks, strict=True)
        ]
        published = pd.DataFrame(rows, columns=["check", "variant", "model", "rank"])
        return robustness.answer(SimpleNamespace(published=published))

    head(of((1, 2), (1, 2)), "leave the ranking")
    head(of((1, 2), (2, 1)), "2 of the paper's 2 models change")
    forced = pd.DataFrame(
        {"share_best": [0.7, 0.6], "share_sum": [0.8, 0.7], "lowest": 0.1, "right_lowest": NAN}
    )
    text = robustness.likelier(SimpleNamespace(forced=forced))
    assert "per token in 60 to 70 % of questions, and as a whole in 70 to 80 %" in text
    assert text.endswith("usual one.")
    known = forced.assign(right_lowest=[0.5, NAN])
    assert "50 % are answered rightly" in robustness.likelier(SimpleNamespace(forced=known))
    assert "not asked" in robustness.likelier(SimpleNamespace(forced=forced[:0]))


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
    rows = [(rule, TOGETHER, one) for rule, of in zip(RULES, (own, sound), strict=True) for one in of.split()]
    rows += [(RULES[1], "m", "yes")] if own else []
    head(summary.answer(SimpleNamespace(hypotheses=frame("rule model answer", *rows))), *said)
