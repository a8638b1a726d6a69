"""Whose confidence tells whose right answers from wrong ones, on the same items? What is found, and what is said."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from metacog.core.frames import committed_table, ended, rows_of
from metacog.measures.shared_members import Ratios
from metacog.report.views import Views
from metacog.sdt.populations import lossless_area
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


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: areas, differences and verdicts by name, parts of the data, simulated claims."""
    made: dict[str, Any] = {}
    areas, by_name = result.areas.set_index("source"), {name: key for key, name in SOURCES.items()}
    for source, row in areas.iterrows():
        for whose in (PEOPLE, MODELS):
            made |= _with_ends(f"{whose}_{by_name[str(source)]}", row, whose)
    for whose, right in ((PEOPLE, result.right_people), (MODELS, result.right_models)):
        made[f"{whose}_lossless"] = lossless_area(right) if right > 0.5 else 0.5
    for name, row in result.differences.set_index("name").iterrows():
        made |= _with_ends(f"gap_{name}", row, "difference") | {f"p_{name}": float(row["p"])}
    for name in RULES:
        passed = together(result.outcomes, name)
        made[f"says_{name}"] = {True: "more", False: "less", None: "open"}[passed]
    ways = result.ways.set_index("way")
    for origin, name in MADE_BY.items():
        made |= _with_ends(f"{origin}_people", ways.loc[f"items {name}"], "people_own")
        made |= _with_ends(f"{origin}_models", ways.loc[f"items {name}"], "models_own")
    rest = ways.iloc[1:]
    made["parts"] = len(rest)
    made["parts_both"] = int((rest[[f"{name}_lower" for name in OF_ONESELF]] > 0).all(axis=1).sum())
    made["second_people"] = int(result.areas.iloc[1]["n_people"])
    for kind, row in zip(("right", "sure"), rows_of(result.shared), strict=True):
        made |= {
            f"shared_{kind}": row.r,
            f"shared_{kind}_lower": row.r_lower,
            f"shared_{kind}_upper": row.r_upper,
        }
    experts = result.expertise.set_index("people")
    made |= _with_ends("experts_right", experts.loc["difference"], "accuracy")
    made |= _with_ends("experts_own", experts.loc["difference"], "own")
    made["lower_rating"] = float(experts.loc[LOWER, "expertise"])
    claims = {"alone": (ALONE, "people_own"), "unlike": (UNLIKE, OF_ONESELF[0])}
    claims |= {"unlike_both": (UNLIKE, ONESELF), "each_both": (EACH_UNLIKE, ONESELF)}
    for short, (world, name) in claims.items():
        table = result.worlds
        row = table[table["world"].eq(world) & table["name"].eq(ASKED[name])].iloc[0]
        made |= {f"claimed_{short}": int(row["above"]), "simulated": int(row["runs"])}
    return made | _intervals_held(result.worlds)


def _with_ends(name: str, row: pd.Series, column: str) -> dict[str, float]:
    return {f"{name}{end}": float(row[f"{column}{end}"]) for end in ("", "_lower", "_upper")}


def _intervals_held(worlds: pd.DataFrame) -> dict[str, float]:
    """How often intervals hold the truth, and in which share of runs a difference is claimed that is none."""
    judged, page = worlds[worlds["covers"].notna()], worlds[worlds["name"].eq("any that is 0")]
    share = judged["covers"] / judged["known"].clip(lower=1)
    share = share[judged["known"] > judged["runs"] / 2]
    false = page["above"] / page["runs"]
    ends = {
        "held_least": share.min(),
        "held_most": share.max(),
        "false_least": false.min(),
        "false_most": false.max(),
    }
    return {name: float(value) for name, value in ends.items()}


def _told(result: Result, rule: str) -> str:
    of = OF_ONESELF if rule == ONESELF else (rule,)
    least = result.differences.set_index("name")["difference"][list(of)].min()
    return f"{OUTCOME[together(result.outcomes, rule)].capitalize()}: {least:+.3f}."


VIEWS = Views(
    "beside",
    numbers=numbers,
    verdicts={rule: partial(_told, rule=rule) for rule in RULES},
)
