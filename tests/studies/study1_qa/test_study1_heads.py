"""The sentences at the heads of study 1's pages: other data, another answer, and all of them short."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.studies.study1_qa import (
    instruct_base,
    luck,
    thinking,
)
from metacog.studies.study1_qa.luck import recovered

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


def tuned(accuracy, area):
    table = frame("measure lower upper", ("accuracy", *accuracy), ("AUROC2", *area))
    return made(together=table.assign(pair=instruct_base.PUBLISHED["triviaqa"]))


def thought(*ends):
    rows = [("auroc2", *one) for one in ends] + [("accuracy", 0.1, 0.2)]
    return made(differences=frame("quantity lower upper", *rows))


def strict(*models):
    """Changes of models by name: stays, turned, has few answers, and open."""
    columns = "model difference usual lower upper right_off wrong_off right_on wrong_on"
    known = {
        "a": (-0.3, -0.5, -0.1, 100),
        "b": (0.3, 0.1, 0.5, 100),
        "c": (0.3, 0.1, 0.5, 49),
        "d": (0.1, -0.1, 0.3, 50),
    }
    rows = [(m, gap, -0.2, low, high, n, 900, 100, 900) for m in models for gap, low, high, n in [known[m]]]
    return made(marking=frame(columns, *rows))


#: A sentence, what it is told of, and words that it must hold.
HEADS = {
    instruct_base.answer: [
        (tuned((0.1, 0.2), (-0.1, 0.1)), "more often right", "but did not clearly change"),
        (tuned((0.1, 0.2), (0.1, 0.2)), "more often right", "and made confidence", "better"),
        (tuned((-0.2, -0.1), (-0.2, -0.1)), "less often right", "and made confidence", "worse"),
    ],
    thinking.answer: [
        (thought((-0.2, -0.1), (-0.2, -0.1)), "a worse guide to being right in 2 of 2 models"),
        (thought((0.1, 0.2), (-0.1, 0.1)), "a better guide to being right in 1 of 2 models"),
        (thought((0.1, 0.2), (-0.2, -0.1)), "right in 1 models and a worse one in 1"),
        (thought((-0.1, 0.1), (-0.1, 0.1)), "No change is shown"),
    ],
    thinking.note: [
        (strict("a", "c", "c"), "judged in 1 of 3 models", "stays in a."),
        (strict("b", "c"), "judged in 1 of 2 models", "turns round in b."),
        (strict("a", "b"), "2 of 2 models", "stays in a and it turns round in b"),
        (strict("c", "d"), "no change is shown", "1 of 2"),
    ],
}


CASES = [(sentence, *case) for sentence, cases in HEADS.items() for case in cases]


@pytest.mark.parametrize("case", CASES)
def test_heads_follow_the_data(case):
    sentence, result, *said = case
    head(sentence(result), *said)


@pytest.mark.parametrize(
    ("without", "said"),
    [
        (((0.6, 0.7), (0.6, 0.7)), ("better in m and n", "Wrong replies", "in n with the trace.")),
        (
            ((0.6, 0.7), (0.3, 0.35)),
            ("Not in every model", "worse in n", "n with the trace and n without it."),
        ),
        (((0.3, 0.35), (0.45, 0.55)), ("It is not", "worse in m", "m without it.")),
        (((0.5, 0.6), (0.45, 0.55)), ("Not shown", "n with the trace.")),
    ],
)
def test_whether_it_is_the_trace(without, said):
    on = (("m", 0.48, 0.55), ("n", 0.4, 0.46))
    rows = [(*one, *more) for one, more in zip(on, without, strict=True)]
    columns = "model auroc2_on_lower auroc2_on_upper no_trace_lower no_trace_upper"
    text = thinking.trace(SimpleNamespace(raw=frame(columns, *rows)))
    assert all(word in text for word in said), text
