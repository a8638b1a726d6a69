"""Answers of study 3's pages follow their data. Oracles: small tables, changed by hand."""

import dataclasses
from types import SimpleNamespace

import pandas as pd
import pytest
from heads_checked import faults

from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.dmc import decoupling
from metacog.studies.study3_dmc.dmc import estimators as designs
from metacog.studies.study3_dmc.dmc import shown as dmc
from metacog.studies.study3_dmc.dmc.analysis import FLAT
from metacog.studies.study3_dmc.published import shown as printed
from metacog.studies.study3_dmc.published.analysis import published
from metacog.studies.study3_dmc.replication import shown as replication
from metacog.studies.study3_dmc.signals import shown as signals
from metacog.studies.study3_dmc.signals.analysis import ranked


def on_ability(exact):
    kept = decoupling.with_names(decoupling.load().variations)
    return dmc.page_answer(SimpleNamespace(variations=exact(kept), flat_below=FLAT))


def test_the_head_says_which_measures_stay_when_ability_alone_changes():
    heads = {
        "as it is": on_ability(lambda kept: kept),
        "all move": on_ability(lambda kept: kept.assign(exact=0.5)),
        "one stays": on_ability(
            lambda kept: kept.assign(exact=kept["exact"].where(kept["measure"] != "mc", 0.5))
        ),
        "all stay": on_ability(lambda kept: kept.assign(exact=0.0)),
    }
    assert heads["as it is"].startswith("Yes") and "the other 5 move" in heads["as it is"]
    assert heads["all move"].startswith("No: every measure")
    assert "only M-ratio (ML) stays" in heads["one stays"] and "Every measure" in heads["all stay"]
    assert [faults(head) for head in heads.values()] == [[]] * 4


def test_the_fewest_and_the_most_trials_are_read_off_the_designs():
    table = designs.load()
    found = dmc.few_and_many(SimpleNamespace(designs=table))
    few = designs.of_factor(table, "n_trials").nsmallest(3, "n_trials").set_index("estimator")["bias"]
    assert f"DMC is off by {few['dmc']:+.2f}" in found and f"maximum likelihood by {few['ml']:+.2f}" in found


def test_what_the_print_allows_is_counted():
    result = published(None)
    assert "17 of 24" in printed.agreement(result) and "of the 6 coefficients" in printed.agreement(result)
    assert printed.agreement(result).endswith("2 do.") and printed.auroc(result).startswith("4 of 6")
    whole = result.figures.assign(agrees=True)
    fine = dataclasses.replace(result, figures=whole, n_off=0, versions=())
    assert "24 of 24" in printed.agreement(fine) and printed.agreement(fine).endswith("6 do.")
    assert printed.versions(fine) == "Both tables give the same cells."


def signals_of(lower):
    """A model for each lower end of AUROC2 of its first signal; its second signal is at chance."""
    pooled = pd.DataFrame(
        [
            {"model": m, "name": n, "questions": 30, "accuracy": 0.8, "auroc2": a, "auroc2_lower": low}
            for m, one in zip("XYZ", lower, strict=False)
            for n, a, low in (("P(True)", 0.7, one), ("entropy", 0.5, 0.4))
        ]
    )
    return SimpleNamespace(pooled=pooled, ranking=pooled.assign(beyond=pooled["auroc2_lower"] > 0.5))


def test_the_head_names_the_way_of_asking_that_does_best_or_what_would_settle_it():
    alone, some, every = (signals_of(lower) for lower in ([0.6], [0.6, 0.4], [0.6, 0.6]))
    none = signals_of([0.4, 0.4])
    heads = [signals.page_answer(one) for one in (alone, some, every, none)]
    assert heads[0].startswith("P(True) does best: in 70% of pairs") and "of X" in heads[0]
    assert heads[1].startswith("1 of the 2 models know") and heads[2].startswith("Every model")
    assert "cannot be told from 30 questions" in heads[3] and signals.settling(alone) == ""
    assert "0.6 from chance" in signals.settling(none) and "80% right" in signals.settling(none)
    nothing = SimpleNamespace(pooled=none.pooled, ranking=none.ranking.head(0))
    heads.append(signals.page_answer(nothing))
    assert "can be ranked" in heads[-1] and [faults(head) for head in heads] == [[]] * 5


def test_signals_that_stand_alone_but_not_together_are_not_beyond_chance():
    """Oracle: Holm by hand. Of 11 signals with intervals above one half three have p below .05/11, .05/10, .05/9."""
    p = [0.0001, 0.0004, 0.005, 0.008, 0.01, 0.02, 0.03, 0.03, 0.04, 0.04, 0.04]
    table = pd.DataFrame(
        {
            "model": "X",
            "dataset": ALL,
            "name": [f"signal {k}" for k in range(11)],
            "auroc2": [0.8 - 0.01 * k for k in range(11)],
            "meta_i2r": 0.1,
            "calls": 1.0,
            "why": "",
            "p": p,
        }
    )
    assert ranked(table)["beyond"].tolist() == [True] * 3 + [False] * 8
    below = table.assign(auroc2=1 - table["auroc2"])  # as far from one half on the other side
    assert not ranked(below)["beyond"].any()


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        (["gains", "same", "undefined"], "In 1 of 2 ways of asking, abstaining by confidence beats"),
        (["loses", "same"], "in 1 it loses"),
        (["same"], "In none of 1 way of asking"),
        (["undefined"], "cannot be told"),
    ],
)
def test_what_abstaining_gains_is_counted(outcomes, told):
    assert told in replication.gains(SimpleNamespace(abstained=pd.DataFrame({"outcome": outcomes})))


@pytest.mark.parametrize(
    ("rho", "outcome", "told"),
    [
        (0.5, "rises", "it rises with it, 0.50"),
        (0.0, "none", "no relation can be told"),
        (float("nan"), "few points", "5 are needed"),
    ],
)
def test_the_relation_is_told_as_it_came_out(rho, outcome, told):
    row = {"measure": "mc", "share": "A-Acc", "n": 6, "of": 9, "rho": rho, "lower": -0.1, "upper": 0.8}
    assert told in replication.relation(
        SimpleNamespace(relations=pd.DataFrame([{**row, "outcome": outcome}]))
    )
