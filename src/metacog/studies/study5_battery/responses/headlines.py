"""Every headline of the study, and how it changes without the rows that the integrity report names."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from metacog.sdt.correlation import Correlation
from metacog.studies.study5_battery.ledger.published import TRACKS, UNCLASSIFIED
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.measures.integrity import variants
from metacog.studies.study5_battery.measures.profiles import by_rule
from metacog.studies.study5_battery.measures.scores import track_scores
from metacog.studies.study5_battery.monitoring.ranks import inversion
from metacog.studies.study5_battery.regulation.contrasts import CLAIMED_ON, FAMILIES
from metacog.studies.study5_battery.regulation.reliability import dissociation, profiles_apart, split_half

#: Headlines by name; those of one family each follow, with the family's name behind this.
COMPLETE, TOP_DELTA, TOP_ACCURACY = "complete", "top delta", "top accuracy"
LEADERS, LOWEST, HIGHEST = "leaders", "lowest T6", "highest T6"
INVERSION, DISSOCIATION, HALVES = "inversion", "dissociation", "halves"
APART, PROFILES, COURSE = "apart", "profiles", "course "
COLUMNS = ("variant", "headline", "name", "value", "lower", "upper", "n")

#: What a headline reports: a name, a value, the ends of its interval, a number of models.
Fact = tuple[str, str, float, float, float, float]
NAN = float("nan")


def headlines(responses: pd.DataFrame) -> Iterator[Fact]:
    """The study's headlines: ``headline, name, value, lower, upper, n``; one row for each that it names."""

    def plain(headline: str, name: str, value: float) -> Fact:
        return headline, name, float(value), NAN, NAN, NAN

    def related(headline: str, one: Correlation) -> Fact:
        return headline, "", one.r, one.lower, one.upper, one.n

    per_track = deltas(responses)
    means = mean_deltas(per_track).set_index("model")
    complete = means[means["complete"]]
    scores = track_scores(responses).set_index("model")
    yield plain(COMPLETE, "", len(complete))
    for headline, values in ((TOP_DELTA, complete["delta"]), (TOP_ACCURACY, means["accuracy"])):
        yield plain(headline, str(values.idxmax()), values.max())
    for track in TRACKS:
        yield plain(LEADERS, str(scores[track].idxmax()), scores[track].max())
    yield plain(LOWEST, str(scores["T6"].idxmin()), scores["T6"].min())
    yield plain(HIGHEST, str(scores["T6"].idxmax()), scores["T6"].max())
    yield related(INVERSION, inversion(means)[1])
    yield related(DISSOCIATION, dissociation(responses).pearson)
    yield related(HALVES, split_half(responses).pearson)
    yield plain(APART, "", profiles_apart(means.reset_index(), n_resamples=0).d)
    rules = list(by_rule(means[means["n_defined"] > 0].reset_index()).values())
    for name in ("A", "B", "C", UNCLASSIFIED):
        yield plain(PROFILES, name, rules.count(name))
    on_track = per_track[per_track["track"] == CLAIMED_ON].set_index("model")["delta"]
    for family in FAMILIES:
        for model in family.models:
            yield plain(COURSE + family.name, model, on_track.get(model, NAN))


def with_and_without(responses: pd.DataFrame) -> pd.DataFrame:
    """Headlines as published and after each correction: the columns :data:`COLUMNS`, one row per fact."""
    facts = [(name, *fact) for name, rows in variants(responses).items() for fact in headlines(rows)]
    return pd.DataFrame(facts, columns=list(COLUMNS))
