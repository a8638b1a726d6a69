"""Answers of study 3's pages follow their data. Oracles: small tables, changed by hand."""

from types import SimpleNamespace

import pandas as pd
import pytest

from metacog.studies.study3_dmc import abstaining, dmc, published, signals
from metacog.studies.study3_dmc.signals import ranked


def test_how_far_ability_alone_moves_which_measures_is_told_in_percent():
    told = dmc.figures(dmc.decoupling(None))
    assert (round(told["most_moved"]), round(told["least_moved"])) == (6, 38)


def test_what_the_print_allows_is_counted():
    result = published.published(None)
    fine = SimpleNamespace(figures=result.figures.assign(agrees=True))
    counts = ("n_follow", "n_printed", "n_flat", "flat_follow", "n_above", "n_ways")
    fine = SimpleNamespace(figures=fine.figures, above=[])
    found = [published.figures(one) for one in (result, fine)]
    assert [[one[name] for name in counts] for one in found] == [[17, 24, 6, 2, 4, 6], [24, 24, 6, 6, 0, 6]]


def signals_of(lower, second=0.55):
    """A model for each lower end of AUROC2 of its first signal; its second one has this upper end, around chance."""
    pooled = pd.DataFrame(
        [
            {
                "model": m,
                "name": n,
                "questions": 30,
                "accuracy": 0.8,
                "auroc2": a,
                "auroc2_lower": low,
                "auroc2_upper": up,
            }
            for m, one in zip("XYZ", lower, strict=False)
            for n, a, low, up in (("P(True)", 0.7, one, 0.8), ("entropy", 0.5, 0.4, second))
        ]
    )
    return SimpleNamespace(pooled=pooled, ranking=pooled.assign(beyond=pooled["auroc2_lower"] > 0.5))


def test_models_that_know_something_are_counted_and_the_highest_way_of_asking_is_named():
    some, none = signals_of([0.6, 0.4]), signals_of([0.4, 0.4])
    nothing = SimpleNamespace(pooled=none.pooled, ranking=none.ranking.head(0))
    found = [list(signals.figures(one).values()) for one in (some, none, nothing)]
    assert found == [[2, 1, "P(True)", "X"], [2, 0, "", ""], [2, 0, "", ""]]


def test_signals_that_stand_alone_but_not_together_are_not_beyond_chance():
    """Oracle: Holm by hand. Of 11 signals with intervals above one half three have p below .05/11, .05/10, .05/9."""
    p = [0.0001, 0.0004, 0.005, 0.008, 0.01, 0.02, 0.03, 0.03, 0.04, 0.04, 0.04]
    table = pd.DataFrame(
        {
            "model": "X",
            "name": [f"signal {k}" for k in range(11)],
            "auroc2": [0.8 - 0.01 * k for k in range(11)],
            "why": "",
            "p": p,
        }
    )
    assert ranked(table)["beyond"].tolist() == [True] * 3 + [False] * 8
    below = table.assign(auroc2=1 - table["auroc2"])  # as far from one half on the other side
    assert not ranked(below)["beyond"].any()


@pytest.mark.parametrize(
    ("outcomes", "counted"),
    [
        (["gains", "same", "undefined"], [2, 1, 0]),
        (["loses"], [1, 0, 1]),
        (["undefined"], [float("nan"), 0, 0]),
    ],
)
def test_what_abstaining_gains_is_counted(outcomes, counted):
    told = abstaining.figures(SimpleNamespace(abstained=pd.DataFrame({"outcome": outcomes})))
    assert list(told.values()) == pytest.approx(counted, nan_ok=True)
