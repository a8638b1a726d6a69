"""Answers of study 5's pages follow their data. Oracles: the published responses, changed by hand."""

from types import SimpleNamespace

import pandas as pd
import pytest
from heads_checked import faults

from metacog.sdt.correlations import Correlation
from metacog.studies.study5_battery import (
    monitoring_shown,
    regulation_shown,
    replication_shown,
    responses,
    responses_shown,
    tracks_shown,
)
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import MENDED, PUBLISHED
from metacog.studies.study5_battery.responses import HEADLINES, conclusions
from metacog.verdicts.needed import models_for_correlation
from metacog.verdicts.verdict import Kind, Verdict

FACTS = responses.with_and_without(load())


def as_published(facts):
    """The same facts, with the corrected ones as published."""
    kept = facts[facts["variant"] == PUBLISHED]
    return pd.concat([kept, kept.assign(variant=MENDED)])


def with_value(facts, headline, **values):
    """The corrected facts of one headline, changed."""
    where = (facts["variant"] == MENDED) & (facts["headline"] == headline)
    return facts.assign(**{name: facts[name].mask(where, value) for name, value in values.items()})


@pytest.mark.parametrize(
    ("headline", "values", "changed"),
    [
        (responses.APART, {"value": 4.45}, False),  # 4.55 as published: digits
        (responses.APART, {"value": 0.2}, True),
        (responses.COMPLETE, {"value": 13.0}, False),  # a number of models concludes nothing
        (responses.TOP_DELTA, {"value": 1.0}, False),
        (responses.TOP_DELTA, {"name": "Nobody"}, True),
        (responses.INVERSION, {"value": -0.03}, False),
        (responses.INVERSION, {"upper": -0.01, "lower": -0.5}, True),
        (responses.COURSE + "Gemma", {"value": float("nan")}, True),
    ],
)
def test_digits_alone_change_no_conclusion(headline, values, changed):
    facts = with_value(as_published(FACTS), headline, **values)
    table = conclusions(facts)
    other = table.loc[table["concludes"] == "something else", "headline"].tolist()
    assert other == ([HEADLINES[headline][0]] if changed else [])


@pytest.mark.parametrize(
    ("facts", "said"),
    [(FACTS, "4 of 14 conclusions of the study change"), (as_published(FACTS), "no conclusion")],
)
def test_the_answer_on_the_files_counts_conclusions(facts, said):
    head = responses_shown.page_answer(SimpleNamespace(conclusions=conclusions(facts)))
    assert said in head and faults(head) == []


def verdict(name, topic, **values):
    return Verdict("", Kind.EXPLORATORY, "", None, topic=topic, name=name, values=values)


@pytest.mark.parametrize(
    ("above", "together", "said"),
    [(13, 1, "mostly cannot be told"), (13, 100, "most of them can be ranked"), (0, 0, "None of 17 models")],
)
def test_the_answer_on_monitoring_follows_its_verdicts(above, together, said):
    ranks = {"above": above, "complete": 17, "pairs": 136, "pairs_together": together, "what": "x"}
    one = Correlation(0.04, -0.45, 0.51, 17, "spearman")
    verdicts = (verdict("survival", "ranks", **ranks), verdict("inversion", "inversion", complete=one))
    result = SimpleNamespace(verdicts=verdicts)
    head = monitoring_shown.page_answer(result)
    assert said in head and faults(head) == []
    assert f"{together or 'none'} of 136" in monitoring_shown.pair_count(result)


@pytest.mark.parametrize(("ends", "said"), [((-0.45, 0.51), "not shown"), ((0.2, 0.6), "goes with")])
def test_what_accuracy_tells_follows_the_correlation(ends, said):
    one = Correlation(0.04, *ends, 17, "spearman")
    assert said in monitoring_shown.inversion(verdict("inversion", "inversion", complete=one))


@pytest.mark.parametrize(
    ("sweeping", "said"), [([], "No model leads everywhere"), (["X"], "X scores highest on every")]
)
def test_the_answer_on_tracks_follows_its_verdicts(sweeping, said):
    h1 = {"sweeping": sweeping, "most": 2, "tracks": 6, "tied": 5}
    head = tracks_shown.page_answer(SimpleNamespace(verdicts=(verdict("h1", "h1", **h1),)))
    assert said in head and faults(head) == []


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((0.17, -0.29, 0.57), "cannot be told"),
        ((0.7, 0.4, 0.9), "directly more"),
        ((-0.7, -0.9, -0.4), "directly less"),
    ],
)
def test_the_answer_on_regulation_follows_the_correlation(ends, said):
    one = verdict("dissociation", "", pearson=Correlation(*ends, 20, "pearson"))
    result = SimpleNamespace(verdicts=(one,))
    assert said in regulation_shown.page_answer(result) and faults(regulation_shown.page_answer(result)) == []
    assert f"{models_for_correlation(0.3)} models" in regulation_shown.needed(result)


@pytest.mark.parametrize(
    ("orders", "changes", "twins", "said"),
    [
        ((True, True), (None, False), "", "in 2 of 2 families; the interval of the change shows it in none"),
        ((True, True), (True, None), "", "shows it in 1."),
        (
            (True, None),
            (None, None),
            "a and b have one file",
            "in Gemma it cannot be told, since a and b have",
        ),
        ((False, None), (None, None), "", "in Gemma it cannot be told, since a delta is missing"),
    ],
)
def test_sizes_are_counted_from_the_verdicts(orders, changes, twins, said):
    values = {"family": "Gemma", "twins": twins}
    verdicts = [Verdict("", Kind.PUBLISHED, "", p, name="order", values=values) for p in orders]
    verdicts += [Verdict("", Kind.SOUND, "", p, name="change") for p in changes]
    assert said in regulation_shown.size(SimpleNamespace(verdicts=verdicts))


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
        (
            run_of(ABOVE, OPEN),
            "1 of 2 models here is shown to withdraw wrong answers more often than right ones.",
        ),
        (run_of(ABOVE, BELOW), "than right ones; some do the reverse."),
        (
            run_of(BELOW, OPEN),
            "1 of 2 models here is shown to withdraw right answers more often than wrong ones.",
        ),
        (run_of(OPEN), "M0 withdraws its wrong answers more often than right ones cannot be told."),
        (run_of(OPEN, OPEN, area=(0.6, 0.7)), "cannot be told; in 2 of 2 models the probability behind"),
        (
            run_of(OPEN, stood=100),
            "M0 keeps every answer, right or wrong, so that this choice tells nothing.",
        ),
        (run_of(OPEN, stood=0), "M0 withdraws every answer, right or wrong, so"),
        (
            run_of(OPEN, stood=100, area=(0.6, 0.7)),
            "; yet the probability behind the choice is higher for right",
        ),
        (
            run_of(OPEN, OPEN, stood=0, area=(0.3, 0.4)),
            "yet in 2 of 2 models the probability behind the choice is lower",
        ),
        (run_of(NONE, stood=float("nan")), "No model of this run can be judged"),
        (run_of(), "No model of this run can be judged"),
    ],
)
def test_the_answer_on_the_run_follows_choice_and_probability(run, said):
    head = replication_shown.page_answer(run)
    assert said in head and faults(head) == []


def test_what_would_settle_an_open_probability_is_said_where_it_is_open():
    assert "50% right" in replication_shown.needed(run_of(OPEN))
    assert (
        replication_shown.needed(run_of(OPEN, area=(0.6, 0.7)))
        == replication_shown.needed(run_of(OPEN, area=NONE))
        == ""
    )
