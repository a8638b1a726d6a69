"""Answers of study 5's pages follow their data. Oracles: the published responses, changed by hand."""

from types import SimpleNamespace

import pandas as pd
import pytest
from heads_checked import faults

from metacog.sdt.correlations import Correlation
from metacog.studies.study5_battery import contrasts, monitoring, regulation, replication, responses, tracks
from metacog.studies.study5_battery.integrity import mended
from metacog.studies.study5_battery.ledger.responses import load
from metacog.verdicts.needed import models_for_correlation
from metacog.verdicts.outcomes import outcomes
from metacog.verdicts.rules import Unit

NAN = float("nan")


def one(r, lower, upper):
    return responses.related(Correlation(r, lower, upper, 17, "pearson"))


def first(name, value):
    return responses.named(pd.Series({name: value}), name, 1)


DIGITS_AND_MORE = {
    "distance": (responses.apart, (4.55,), (4.45,), (0.2,)),
    "leader": (first, ("A", 2.0), ("A", 1.0), ("B", 2.0)),
    "correlation": (one, (0.04, -0.45, 0.51), (-0.03, -0.45, 0.51), (-0.3, -0.5, -0.01)),
    "course": (responses.course, ([1.0, 2.0],), ([1.0, 3.0],), ([1.0, NAN],)),
    "kinds": (responses.kinds, (["A", "C"],), (["A", "C", "C"],), (["A"],)),
}


@pytest.mark.parametrize("name", DIGITS_AND_MORE)
def test_digits_alone_change_no_conclusion(name):
    of, *given = DIGITS_AND_MORE[name]
    published, the_same, other = (of(*one) for one in given)
    table = responses.conclusions(dict.fromkeys("ab", published), {"a": the_same, "b": other})
    assert table["concludes"].tolist() == ["the same", "something else"]


def test_the_answer_on_the_files_counts_conclusions():
    published, corrected = responses.headlines(load()), responses.headlines(mended(load()))
    for after, said in ((corrected, "4 of 15 conclusions of the study change"), (published, "no conclusion")):
        table = responses.conclusions(published, after)
        head = responses.page_answer(SimpleNamespace(conclusions=table))
        assert said in head and faults(head) == []


@pytest.mark.parametrize(("above", "apart"), [(13, 1), (13, 100), (0, 0)])
def test_models_that_withdraw_what_is_wrong_are_counted_alone_and_together(above, apart):
    """Oracle: by hand; one model more has an interval above 0 than stays when all are judged together."""
    holm = [0.01] * above + [0.5] * (17 - above)
    told = outcomes("ranks", [Unit(str(k), k < apart) for k in range(136)], 69)
    lower = [1.0] * (above + 1) + [-1.0] * (16 - above)
    board = pd.DataFrame({"holm": holm, "complete": True, "delta": 1.0, "lower": lower})
    result = SimpleNamespace(board=board, outcomes=told)
    found = monitoring.figures(result)
    assert found == {
        "n_complete": 17,
        "n_withdrawing": above,
        "n_alone": above + 1,
        "share_apart": apart / 136,
    }
    assert f"{apart or 'none'} of 136" in monitoring.pair_count(result)


@pytest.mark.parametrize(("ends", "said"), [((-0.45, 0.51), "not shown"), ((0.2, 0.6), "goes with")])
def test_what_accuracy_tells_follows_the_correlation(ends, said):
    board = pd.DataFrame({"complete": [True] * 17})
    result = SimpleNamespace(board=board, accuracy_r=0.04, accuracy_lower=ends[0], accuracy_upper=ends[1])
    assert said in monitoring.accuracy(result) and "17 models" in monitoring.accuracy(result)


@pytest.mark.parametrize(
    ("leaders", "said"),
    [(["Y", "X", "X; Y"], (2, 2)), (["X", "X; Y", "X"], (3, 2))],
)
def test_leads_are_counted_by_track(leaders, said):
    table = pd.DataFrame({"leader": leaders, "not_apart": [0, 1, 2]})
    told = tracks.figures(SimpleNamespace(leaders=table))
    assert (told["most_led"], told["n_tied"]) == said and told["n_tracks"] == 3


def test_how_many_models_a_correlation_takes_is_told():
    result = SimpleNamespace(r=0.14, lower=-0.29, upper=0.57, n=20)
    assert f"{models_for_correlation(0.3)} models" in regulation.needed(result)


@pytest.mark.parametrize(
    ("orders", "changes", "said"),
    [
        ((True, True, True), (None, False, None), (3, 0, "none", "none")),
        ((True, True, False), (True, None, None), (2, 1, "none", "none")),
        ((True, True, None), (None, None, None), (2, 0, "Gemma", "it is open")),
    ],
)
def test_sizes_are_counted_from_the_outcomes(orders, changes, said):
    told = [
        outcomes(f"{kind}, {family}", [Unit(family, holds, "it is open")])
        for kind, held in (("order", orders), ("change", changes))
        for family, holds in zip(contrasts.FAMILIES, held, strict=True)
    ]
    found = contrasts.figures(SimpleNamespace(outcomes=pd.concat(told)))
    assert tuple(found[name] for name in ("n_as_printed", "n_shown", "untold", "why")) == said


def run_of(*ends, stood=7.0, area=(0.45, 0.75)):
    """Models whose deltas have these limits, all with one AUROC2 of the probability of KEEP."""
    models = [f"M{i}" for i, _ in enumerate(ends)]
    lower, upper = ([pair[i] for pair in ends] for i in (0, 1))
    means = pd.DataFrame({"model": models, "stood": stood, "lower": lower, "upper": upper})
    graded = pd.DataFrame({"model": models, "signal": "probability of KEEP"})
    graded = graded.assign(n=40, n_incorrect=20, auroc2=0.6, lower=area[0], upper=area[1])
    return SimpleNamespace(means=means, graded=graded)


OPEN, ABOVE, BELOW, NONE = (-3.0, 9.0), (1.0, 9.0), (-9.0, -1.0), (float("nan"), float("nan"))


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (run_of(ABOVE), "M0 withdraws its wrong answers more often than its right ones."),
        (run_of(BELOW), "M0 withdraws its right answers more often than its wrong ones."),
        (run_of(ABOVE, OPEN), "1 of 2 models here is shown to withdraw wrong answers more often than right"),
        (run_of(ABOVE, BELOW), "than right ones; some do the reverse."),
        (run_of(BELOW, OPEN), "1 of 2 models here is shown to withdraw right answers more often than wrong"),
        (run_of(OPEN), "M0 withdraws its wrong answers more often than right ones cannot be told."),
        (run_of(OPEN, OPEN, area=(0.6, 0.7)), "cannot be told; in 2 of 2 models the probability behind"),
        (
            run_of(OPEN, stood=100),
            "M0 keeps every answer, right or wrong, so that this choice tells nothing.",
        ),
        (run_of(OPEN, stood=0), "M0 withdraws every answer, right or wrong, so"),
        (run_of(OPEN, stood=100, area=(0.6, 0.7)), "; yet the probability behind the choice is higher for"),
        (run_of(OPEN, OPEN, stood=0, area=(0.3, 0.4)), "yet in 2 of 2 models the probability behind"),
        (run_of(NONE, stood=float("nan")), "No model of this run can be judged"),
        (run_of(), "No model of this run can be judged"),
    ],
)
def test_the_answer_on_the_run_follows_choice_and_probability(run, said):
    head = replication.page_answer(run)
    assert said in head and faults(head) == []


def test_what_would_settle_an_open_probability_is_said_where_it_is_open():
    assert "50% right" in replication.needed(run_of(OPEN))
    assert {replication.needed(run_of(OPEN, area=area)) for area in ((0.6, 0.7), NONE)} == {""}
