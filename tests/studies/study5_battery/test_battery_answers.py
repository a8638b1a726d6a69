"""Answers of study 5's pages follow their data. Oracles: the published responses, changed by hand."""

from types import SimpleNamespace

import pandas as pd
import pytest

from metacog.sdt.correlations import Correlation
from metacog.studies.study5_battery import contrasts, monitoring, replication, responses, tracks
from metacog.studies.study5_battery.integrity import mended
from metacog.studies.study5_battery.ledger.responses import load
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
    files = pd.DataFrame({"copied": [True, False]})
    for after, changed in ((corrected, 4), (published, 0)):
        table = responses.conclusions(published, after)
        found = responses.figures(SimpleNamespace(conclusions=table, identical=files))
        assert found == {"n_conclusions": 15, "n_changed": changed, "n_identical": 2, "n_copied": 1}


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
        "n_apart": apart,
        "n_pairs": 136,
    }


@pytest.mark.parametrize(
    ("leaders", "said"),
    [(["Y", "X", "X; Y"], (2, 2)), (["X", "X; Y", "X"], (3, 2))],
)
def test_leads_are_counted_by_track(leaders, said):
    table = pd.DataFrame({"leader": leaders, "not_apart": [0, 1, 2]})
    told = tracks.figures(SimpleNamespace(leaders=table))
    assert (told["most_led"], told["n_tied"]) == said and told["n_tracks"] == 3


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


def run_of(*ends, stood=7.0):
    """Models whose deltas have these limits."""
    models = [f"M{i}" for i, _ in enumerate(ends)]
    lower, upper = ([pair[i] for pair in ends] for i in (0, 1))
    means = pd.DataFrame({"model": models, "stood": stood, "lower": lower, "upper": upper})
    placed = pd.DataFrame({"published": [20, 20], "above": [19, 17], "surely_above": [9, 12]})
    return SimpleNamespace(means=means, placed=placed)


OPEN, ABOVE, BELOW, NONE = (-3.0, 9.0), (1.0, 9.0), (-9.0, -1.0), (float("nan"), float("nan"))


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (run_of(ABOVE), (1, 1, 0, 20, 17, 9)),
        (run_of(ABOVE, BELOW, OPEN), (3, 1, 1, 20, 17, 9)),
        (run_of(OPEN, stood=100), (1, 0, 0, 20, 17, 9)),
        (run_of(NONE, stood=NAN), (NAN, 0, 0, 20, 17, 9)),
    ],
)
def test_models_that_withdraw_wrong_or_right_answers_and_published_ones_above_all_are_counted(run, said):
    found = replication.figures(run)
    names = ("n_models", "n_above", "n_below", "published", "above", "surely_above")
    assert [found[name] for name in names] == pytest.approx(said, nan_ok=True)
