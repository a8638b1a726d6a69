"""Whose confidence tells whose right answers from wrong ones, on the same items? What is found, and what is said."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from metacog.core.frames import committed_table, ended, rows_of
from metacog.core.words import listed
from metacog.measures.shared_members import Ratios
from metacog.report.views import Views
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study8_people.areas import (
    ASKED,
    HIGHER,
    JUDGED,
    LOWER,
    MODELS,
    OF_ONESELF,
    ONESELF,
    OTHER_KIND,
    OTHER_KIND_SAME,
    OWN,
    PEOPLE,
    RULES,
    SOURCES,
    accuracies,
    areas_of,
    differences_of,
    halves,
    judge,
    key,
)
from metacog.studies.study8_people.reading import MIDDLE
from metacog.studies.study8_people.rows import FILES, MADE_BY, Rows, load
from metacog.studies.study8_people.shared_difficulty import shared_of
from metacog.verdicts.outcomes import together
from metacog.verdicts.words import OUTCOME

#: How often intervals hold the truth, and how often something is claimed; ``benchmarks/people_and_models.py``.
WORLDS = "data/simulations/people_and_models.csv"
#: Its worlds in which models of some makers, or of some weights, read a difficulty that others do not, and in which
#: models know something of themselves, and people no more than a model does.
UNLIKE, EACH_UNLIKE, ALONE = "makers unlike", "models unlike", "models alone"
#: Models that the study's authors trained, or trained on, with neuroscience articles.
TAUGHT = ("finetune", "scratch")


def areas_table(found: Ratios) -> pd.DataFrame:
    """AUROC2 of each of :data:`SOURCES` with its ends, and the comparisons of one right item that it rests on."""
    made = []
    for source, name in SOURCES.items():
        row: dict[str, Any] = {"source": name}
        for whose in (PEOPLE, MODELS):
            one = key(whose, source)
            row |= _ended(whose, found, {one: 1}) | {f"n_{whose}": found.counts[one]}
        made.append(row)
    return pd.DataFrame(made)


def _ended(name: str, found: Ratios, weights: Mapping[str, float]) -> dict[str, Any]:
    one, _ = found.difference(weights)
    return ended(name, one.estimate, *one.ends)


def ways_of(rows: Rows) -> pd.DataFrame:
    """The differences of all rows, items of one origin, and without what may be no confidence or no fair model."""
    untaught = [name for name in rows.models.models if not any(part in name for part in TAUGHT)]
    made_by = rows.people["made_by"]
    some = {"all": rows}
    some |= {f"items {name}": rows.of(people=made_by == origin) for origin, name in MADE_BY.items()}
    some["without confidence exactly in the middle"] = rows.of(people=rows.people["confidence"] != MIDDLE)
    some["without models trained by the authors"] = rows.of(models=untaught)
    made = []
    for way, part in some.items():
        found = areas_of(part)
        row = {"way": way, "comparisons": found.counts[key(PEOPLE, OWN)]}
        for name, weights in JUDGED.items():
            row |= _ended(name, found, weights)
        made.append(row)
    return pd.DataFrame(made)


def expertise_of(rows: Rows, areas: Ratios, right: Ratios) -> pd.DataFrame:
    """People by their rated expertise, and last the difference: accuracy, and AUROC2 of two sources."""
    means = rows.people.groupby("person")["expertise"].mean()
    masks = halves(rows.people, pd.Series(means.index))
    made = []
    for name, weights in {
        LOWER: {LOWER: 1.0},
        HIGHER: {HIGHER: 1.0},
        "difference": {HIGHER: 1.0, LOWER: -1.0},
    }.items():
        row: dict[str, Any] = {"people": name}
        if name in masks:
            row |= {"n_people": float(masks[name].sum()), "expertise": means.to_numpy()[masks[name]].mean()}
        row |= _ended("accuracy", right, weights)
        for source in (OWN, OTHER_KIND):
            row |= _ended(source, areas, {key(half, source): weight for half, weight in weights.items()})
        made.append(row)
    return pd.DataFrame(made)


@analysis(files=(*FILES, WORLDS))
def beside(inputs: Inputs) -> dict[str, Any]:
    """Whose confidence tells whose right answers from wrong ones?"""
    rows = load()
    areas, right = areas_of(rows), accuracies(rows)
    differences = differences_of(areas)
    return {
        "areas": areas_table(areas),
        "differences": differences,
        "ways": ways_of(rows),
        "expertise": expertise_of(rows, areas, right),
        "shared": shared_of(rows),
        "right_people": right.values[PEOPLE],
        "right_models": right.values[MODELS],
        "worlds": committed_table(WORLDS).replace({"name": ASKED}),
        "outcomes": judge(differences),
    }


# What is said of it.

#: Both differences on one side of 0; where it is shown on items of one origin alone, on which.
SWAPPED = (
    "{0} confidence says more about people's answers{2}, and {1} confidence more about models' answers{3}."
)
#: What becomes of a difference: above 0, below, open.
SAYS = {
    True: "own confidence says more than {other}",
    False: "own confidence says less than {other}",
    None: "own confidence is not told apart from {other}",
}


def answer(result: Result) -> str:
    """Own confidence against that of the other kind, for both."""
    people, models = (together(result.outcomes, name) for name in ("people_own", "models_own"))
    if people is not None and people is models:
        kinds = ("People's", "models'") if people else ("Models'", "people's")
        return SWAPPED.format(*kinds, *(_on(result, name, people) for name in ("people_own", "models_own")))
    told = (SAYS[people].format(other="a model's"), SAYS[models].format(other="a person's"))
    return f"About people's answers, {told[0]}; about models' answers, {told[1]}."


def _on(result: Result, name: str, above: bool) -> str:
    """On items of which origin a difference is shown by itself, where that is not all of them."""
    rows = {of: _row(result.ways, "way", f"items {of}") for of in MADE_BY.values()}
    shown = [
        of for of, row in rows.items() if (row[f"{name}_lower"] > 0 if above else row[f"{name}_upper"] < 0)
    ]
    return f" to items {listed(shown)}" if 0 < len(shown) < len(rows) else ""


def _row(table: pd.DataFrame, column: str, name: str) -> pd.Series:
    return table[table[column] == name].iloc[0]


def _gap(result: Result, name: str) -> str:
    return _interval(_row(result.differences, "name", name), "difference")


def _interval(row: pd.Series, name: str) -> str:
    return f"{row[name]:+.3f} ({row[f'{name}_lower']:+.3f} to {row[f'{name}_upper']:+.3f})"


def _claimed(result: Result, world: str, name: str) -> str:
    """In how many simulated runs a difference is claimed."""
    table = result.worlds
    row = table[table["world"].eq(world) & table["name"].eq(ASKED[name])].iloc[0]
    return f"{row['above']:.0f} of {row['runs']:.0f}"


def size(result: Result) -> str:
    """How well each does on its own answers."""
    own = result.areas.iloc[0]
    return (
        f"Own confidence is higher on the right one of two items for people in {own['people']:.0%} of pairs "
        f"({own['people_lower']:.0%} to {own['people_upper']:.0%}), for models in {own['models']:.0%} "
        f"({own['models_lower']:.0%} to {own['models_upper']:.0%}); a coin would do so in half."
    )


def crossed(result: Result) -> str:
    """What changing confidences between the kinds costs, over both."""
    row = result.differences.set_index("name").loc["kinds"]
    return (
        "Let people and models change their confidences with each other: over both, AUROC2 changes by "
        f"{-row['difference']:+.3f} ({-row['difference_upper']:+.3f} to {-row['difference_lower']:+.3f})."
    )


def narrow(result: Result) -> str:
    """On which items people's own confidence says more than a model's, and how often that would be claimed falsely."""
    row = _row(result.differences, "name", "people_own")
    ways = {of: _row(result.ways, "way", f"items {of}") for of in MADE_BY.values()}
    parts = [f"on items {of} {_interval(one, 'people_own')}" for of, one in ways.items()]
    return (
        f"For people's answers, own confidence less a model's is {_interval(row, 'difference')}, p = {row['p']:.3f}: "
        f"{' and '.join(parts)}. Suppose people's confidence says no more about their answers than a model's does, and "
        "models know something of themselves. In simulations of that, this page claims in "
        f"{_claimed(result, ALONE, 'people_own')} runs that people's says more."
    )


def same(result: Result) -> str:
    """Whether somebody else's same answer tells more than own confidence."""
    people_same, models_same = (together(result.outcomes, name) for name in ("people_same", "models_same"))
    says = {True: "says more", False: "says less", None: "is not told apart"}
    people, own = (_row(result.areas, "source", SOURCES[name]) for name in (OTHER_KIND_SAME, OWN))
    return (
        "Whether a model gives the same answer points to the right one of a person's two answers in "
        f"{people['people']:.0%} of pairs ({people['people_lower']:.0%} to {people['people_upper']:.0%}), the person's "
        f"own confidence in {own['people']:.0%}: own confidence **{says[people_same]}**, "
        f"{_gap(result, 'people_same')}. For models' answers, beside another maker's same answer, "
        f"own confidence **{says[models_same]}**: {_gap(result, 'models_same')}."
    )


def oneself(result: Result) -> str:
    """Whether own confidence says more than that of others of its kind, for which rows, and how often without cause."""
    rest = result.ways.iloc[1:]
    holding = int((rest[[f"{name}_lower" for name in OF_ONESELF]] > 0).all(axis=1).sum())
    few = int(result.areas.iloc[1]["n_people"])
    says = {True: "says more", False: "says less", None: "is not shown to say more"}[
        together(result.outcomes, ONESELF)
    ]
    another, maker = (_gap(result, name) for name in OF_ONESELF)
    return (
        f"A model's own confidence {says} about its answers than that of another maker's model, by {another}, and than "
        f"that of its maker's other models, by {maker}. Of {len(rest)} parts of the data, {holding} show both. "
        "Suppose *no* model knows anything of itself. In simulations in which makers' models then find different "
        f"things hard, the first is claimed in {_claimed(result, UNLIKE, OF_ONESELF[0])} runs and both in "
        f"{_claimed(result, UNLIKE, ONESELF)}. In some in which *each* model finds different things hard, both are "
        f"claimed in {_claimed(result, EACH_UNLIKE, ONESELF)}: that cannot be told here from knowledge of oneself. "
        f"For people neither can be asked: only {few} comparisons have a second person."
    )


def common(result: Result) -> str:
    """What people and models share of difficulty."""
    told = []
    for row in rows_of(result.shared):
        if pd.isna(row.r):
            told.append(f"for {row.what} this cannot be told, since two people share too little")
        else:
            told.append(
                f"for {row.what} the correlation is {row.r:.2f} ({row.r_lower:.2f} to {row.r_upper:.2f})"
            )
    return (
        "How far is what is hard for people hard for models? With chance taken off, "
        f"{' and '.join(told)}; 1 would be one difficulty for both."
    )


def experts(result: Result) -> str:
    """Whether experts know better, by their own rating."""
    table = result.expertise.set_index("people")
    gap, low = table.loc["difference"], table.loc[LOWER]
    sure = gap["own_lower"] > 0 or gap["own_upper"] < 0
    how = "differs" if sure else "is not shown to differ"
    right = "are right more often" if gap["accuracy_lower"] > 0 else "are not shown to be right more often"
    return (
        f"People who rate their expertise higher {right} ({gap['accuracy']:+.3f}, {gap['accuracy_lower']:+.3f} to "
        f"{gap['accuracy_upper']:+.3f}), and how well their confidence tells right from wrong {how} "
        f"({gap['own']:+.3f}, {gap['own_lower']:+.3f} to {gap['own_upper']:+.3f}). Experts is what they call "
        f"themselves: the lower half's mean rating is {low['expertise']:.0f} of 100."
    )


def held(result: Result) -> str:
    """How often intervals hold the truth and the page claims what is not so, in simulations."""
    table = result.worlds
    judged, page = table[table["covers"].notna()], table[table["name"].eq("any that is 0")]
    share = judged["covers"] / judged["known"].clip(lower=1)
    share = share[judged["known"] > judged["runs"] / 2]
    claims = ", ".join(f"{r.above:.0f} of {r.runs:.0f} runs ({r.world})" for r in rows_of(page))
    return (
        f"In simulations of these people, items and models, 95 % intervals hold the truth in {share.min():.1%} to "
        f"{share.max():.1%} of runs. A difference where there is none is claimed in {claims}."
    )


def _told(result: Result, rule: str) -> str:
    of = OF_ONESELF if rule == ONESELF else (rule,)
    least = result.differences.set_index("name")["difference"][list(of)].min()
    return f"{OUTCOME[together(result.outcomes, rule)].capitalize()}: {least:+.3f}."


VIEWS = Views(
    "beside",
    sentences={
        "answer": answer,
        "size": size,
        "crossed": crossed,
        "narrow": narrow,
        "same": same,
        "oneself": oneself,
        "common": common,
        "experts": experts,
        "held": held,
    },
    verdicts={rule: partial(_told, rule=rule) for rule in RULES},
)
