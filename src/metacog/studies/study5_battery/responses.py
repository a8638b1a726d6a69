"""What was published, and what is wrong with it?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.sdt.correlations import Correlation, spearman_brown
from metacog.studies.study import analysis
from metacog.studies.study5_battery import measures
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import (
    MENDED,
    PUBLISHED,
    by_rule,
    deltas,
    mean_deltas,
    track_scores,
    variants,
)
from metacog.studies.study5_battery.monitoring_ranks import inversion
from metacog.studies.study5_battery.paper import FILES, TRACKS, UNCLASSIFIED
from metacog.studies.study5_battery.regulation import dissociation, profiles_apart, split_half
from metacog.studies.study5_battery.regulation_contrasts import CLAIMED_ON, FAMILIES, course_of

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# Every headline of the study, and how it changes without the rows that the integrity report names.

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


# What each headline of the study reads as published and corrected, and whether it concludes something else.

#: A Cohen's d that is called large.
LARGE = 0.8


def named(facts: pd.DataFrame, digits: int) -> str:
    """``GLM-5 (0.94)``."""
    return f"{facts['name'].iloc[0]} ({facts['value'].iloc[0]:.{digits}f})"


def with_limits(facts: pd.DataFrame) -> str:
    """``0.17 (-0.29 to 0.57)``."""
    one = facts.iloc[0]
    return f"{one['value']:.2f} ({one['lower']:.2f} to {one['upper']:.2f})"


def course(facts: pd.DataFrame) -> str:
    """Deltas over size, and what they do."""
    values = [float(v) for v in facts["value"]]
    known = ", ".join("-" if not np.isfinite(v) else f"{v:.1f}" for v in values)
    return f"{course_of(values) or 'not known'} ({known})"


def halves(facts: pd.DataFrame) -> str:
    """The correlation of two halves, and of two whole batteries."""
    r, n = float(facts["value"].iloc[0]), facts["n"].iloc[0]
    return f"{r:.2f}, {spearman_brown(r):.2f} (n = {n:.0f})"


#: Titles of the headlines, and what each cell reads.
HEADLINES = {
    COMPLETE: ("models with all five deltas", lambda facts: f"{facts['value'].iloc[0]:.0f}"),
    TOP_DELTA: ("highest mean withdraw delta", lambda facts: named(facts, 1)),
    TOP_ACCURACY: ("highest accuracy, T1 to T5", lambda facts: named(facts, 3)),
    LEADERS: ("leader on each track", lambda facts: listed(dict.fromkeys(facts["name"]))),
    LOWEST: ("lowest T6 score", lambda facts: named(facts, 3)),
    HIGHEST: ("highest T6 score", lambda facts: named(facts, 3)),
    INVERSION: ("rank correlation of accuracy and delta", with_limits),
    DISSOCIATION: ("correlation of delta and answering directly", with_limits),
    HALVES: ("how two halves of the battery correlate, and two batteries", halves),
    APART: ("distance of profiles C and A (Cohen's d)", lambda facts: f"{facts['value'].iloc[0]:.2f}"),
    PROFILES: (
        "profiles by rule",
        lambda facts: ", ".join(f"{r.name} {r.value:.0f}" for r in rows_of(facts)),
    ),
    **{COURSE + f.name: (f"{CLAIMED_ON} over size, {f.name}", course) for f in FAMILIES},
}


def who(facts: pd.DataFrame) -> tuple[str, ...]:
    """Whom a headline names."""
    return tuple(facts["name"])


def side_of_zero(facts: pd.DataFrame) -> str:
    """On which side of 0 a correlation lies with its entire interval."""
    one = facts.iloc[0]
    return "above" if one["lower"] > 0 else "below" if one["upper"] < 0 else "open"


def course_alone(facts: pd.DataFrame) -> str:
    """What deltas do over size."""
    return course_of([float(v) for v in facts["value"]]) or "not known"


#: What a headline concludes from its numbers: whom it names, on which side of 0 it lies, which way it goes. A number
#: of models concludes nothing.
CONCLUSIONS: Mapping[str, Callable[[pd.DataFrame], Hashable]] = {
    **dict.fromkeys((TOP_DELTA, TOP_ACCURACY, LEADERS, LOWEST, HIGHEST), who),
    **dict.fromkeys((INVERSION, DISSOCIATION, HALVES), side_of_zero),
    APART: lambda facts: bool(facts["value"].iloc[0] >= LARGE),
    PROFILES: lambda facts: tuple(facts.loc[facts["value"] > 0, "name"]),
    **{COURSE + f.name: course_alone for f in FAMILIES},
}


def conclusions(facts: pd.DataFrame) -> pd.DataFrame:
    """One row per headline: what it reads in each variant, and what becomes of it.

    ``changes`` names the variants in which it reads otherwise, ``concludes`` says whether it concludes something else
    with everything corrected.
    """
    rows = []
    for key, (title, write) in HEADLINES.items():
        of = facts[facts["headline"] == key]
        variants = {name: of[of["variant"] == name] for name in dict.fromkeys(facts["variant"])}
        cells = {name: write(part) for name, part in variants.items()}
        changed = [name for name, cell in cells.items() if cell != cells[PUBLISHED]]
        concludes = CONCLUSIONS.get(key, lambda _: None)
        other = concludes(variants[PUBLISHED]) != concludes(variants[MENDED])
        row = {"headline": title, **cells, "changes": listed(changed)}
        rows.append(row | {"concludes": "something else" if other else "the same"})
    return pd.DataFrame(rows)


# What was published, and what is wrong with it.


@dataclass(frozen=True)
class Responses:
    """The integrity report.

    ``tracks`` has how many items and responses each track holds, ``identical``, ``declined``,
    ``unnormalised``, ``repeated`` and ``undefined`` the result of each check, ``headlines`` the study's
    headlines as published and after each correction, ``conclusions`` what each of them reads and concludes.
    """

    tracks: pd.DataFrame
    identical: pd.DataFrame
    declined: pd.DataFrame
    unnormalised: pd.DataFrame
    repeated: pd.DataFrame
    undefined: pd.DataFrame
    headlines: pd.DataFrame
    conclusions: pd.DataFrame
    total: int
    items: int
    models: int
    thin: int
    defined: int
    all_right: int
    none_right: int


@analysis(returns=Responses, files=FILES)
def responses(inputs: Inputs) -> Responses:
    """What is wrong with the published responses, and does it matter?"""
    rows = load()
    undefined = measures.undefined(rows)
    items, all_right, none_right = measures.easy_items(rows)
    counted = rows.groupby("track").agg(
        items=("item", "nunique"),
        responses=("item", "size"),
        accuracy=("correct", "mean"),
        kept=("keep", "mean"),
        bet=("bet", "mean"),
    )
    counted, headlines = counted.reset_index(), with_and_without(rows)
    return Responses(
        tracks=counted.assign(about=counted["track"].map(TRACKS)),
        identical=measures.identical(rows),
        declined=measures.declined(rows),
        unnormalised=measures.unnormalised(rows),
        repeated=measures.repeated_answers(rows),
        undefined=undefined,
        headlines=headlines,
        conclusions=conclusions(headlines),
        total=len(rows),
        items=items,
        models=rows["model"].nunique(),
        thin=measures.thin(rows),
        defined=rows.groupby(["model", "track"]).ngroups - len(undefined),
        all_right=all_right,
        none_right=none_right,
    )


ANALYSES = (responses,)
