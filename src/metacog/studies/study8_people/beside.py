"""Whose confidence tells whose right answers from wrong ones, on the same items? What is computed.

A comparison is of two items that one person answered, of one origin. Of an answerer who was right on one of them and
wrong on the other it is asked whether a confidence is higher on the right one (ties count half), whoever's that
confidence is. So nobody's use of the scale matters, people with few items have a say, and no value is of one person.

Instead of a confidence one may take whether somebody else gives this same answer. Of two answers the other is then
right where both agree on the right item, and where they differ on the wrong one: so this source is higher on the right
item as often as the other is right on either, ties counting half.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table, ended, rows_of
from metacog.measures.shared_members import FloatArray, Ratios, ratios
from metacog.sdt.decisions import adjust_p
from metacog.studies.study import analysis
from metacog.studies.study8_people.reading import MIDDLE
from metacog.studies.study8_people.rows import FILES, MADE_BY, Rows, by_maker, load
from metacog.verdicts.rules import OPEN, Unit, judged
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: How often intervals hold the truth, and how often something is claimed; ``benchmarks/people_and_models.py``.
WORLDS = "data/simulations/people_and_models.csv"
#: Its worlds in which models of some makers, or of some weights, read a difficulty that others do not, and in which
#: models know something of themselves, and people no more than a model does.
UNLIKE, EACH_UNLIKE, ALONE = "makers unlike", "models unlike", "models alone"
PEOPLE, MODELS = "people", "models"
#: People by their rated expertise.
LOWER, HIGHER = "lower rated expertise", "higher rated expertise"
OWN, ANOTHER, OTHER_KIND = "own", "another", "other_kind"
#: Whether another of the same kind, or of the other, gives this same answer.
ANOTHER_SAME, OTHER_KIND_SAME = "another_same", "other_kind_same"
#: The confidence of a maker's other weights, and own confidence where the maker has any.
SIBLING, OWN_BESIDE = "sibling", "own_beside"
#: What tells right answers from wrong ones, as the figure calls it.
SOURCES = {
    OWN: "own confidence",
    ANOTHER: "same kind's confidence",
    OTHER_KIND: "other kind's confidence",
    "expertise": "a person's rated expertise",
    ANOTHER_SAME: "same kind's same answer",
    OTHER_KIND_SAME: "other kind's same answer",
}
#: Differences that are judged, each as weights of (whose answers, source).
JUDGED: Mapping[str, Mapping[tuple[str, str], float]] = {
    "people_own": {(PEOPLE, OWN): 1, (PEOPLE, OTHER_KIND): -1},
    "models_own": {(MODELS, OWN): 1, (MODELS, OTHER_KIND): -1},
    "kinds": {
        (PEOPLE, OWN): 0.5,
        (PEOPLE, OTHER_KIND): -0.5,
        (MODELS, OWN): 0.5,
        (MODELS, OTHER_KIND): -0.5,
    },
    "models_another": {(MODELS, OWN): 1, (MODELS, ANOTHER): -1},
    "models_maker": {(MODELS, OWN_BESIDE): 1, (MODELS, SIBLING): -1},
    "people_same": {(PEOPLE, OWN): 1, (PEOPLE, OTHER_KIND_SAME): -1},
    "models_same": {(MODELS, OWN): 1, (MODELS, ANOTHER_SAME): -1},
}
#: The two without which nothing could be about a model itself, judged together under this name.
ONESELF, OF_ONESELF = "oneself", ("models_another", "models_maker")
#: What each of them asks.
ASKED = {
    "people_own": "people's own confidence less a model's, for people's answers",
    "models_own": "a model's own confidence less a person's, for models' answers",
    "kinds": "own kind less other kind, over both",
    "models_another": "a model's own confidence less another maker's model's, for models' answers",
    "models_maker": "a model's own confidence less its maker's other weights', for models' answers",
    "people_same": "people's own confidence less a model's same answer, for people's answers",
    "models_same": "a model's own confidence less another maker's model's same answer, for models' answers",
    ONESELF: "a model's own confidence less both, for models' answers",
}
#: p below which a difference is taken for one, after adjusting for all that are judged.
ALPHA = 0.05
#: Models that the study's authors trained, or trained on, with neuroscience articles.
TAUGHT = ("finetune", "scratch")


@dataclass(frozen=True)
class Beside:
    """People's and models' confidence, each against its own and the other's answers.

    Attributes
    ----------
    areas : DataFrame
        A row for each of :data:`SOURCES`: ``source, people, models`` (AUROC2, with ends), ``n_people`` (comparisons in
        which the person was right on one item alone, and the source says something), ``n_models`` (the same of models,
        means over makers).
    differences : DataFrame
        Of :data:`JUDGED`: ``name, asked, difference`` with ends, ``p, p_holm``.
    ways : DataFrame
        The same differences of some of the rows: ``way, comparisons`` and each of :data:`JUDGED` with ends.
    expertise : DataFrame
        ``people`` (who rate their expertise lower or higher than the median), ``n_people, expertise`` (mean rating),
        ``accuracy, own, other_kind`` with ends; last the difference.
    shared : DataFrame
        ``what`` (right answers, confidence), ``r`` with ends: correlation over items of what two people have in common
        with what two makers' models have; NaN where two people have nothing in common for certain.
    right_people, right_models : float
        Share of right answers, on the same trials.
    worlds : DataFrame
        The committed table :data:`WORLDS`, differences named as in :data:`ASKED`.
    verdicts : tuple of Verdict
    """

    areas: pd.DataFrame
    differences: pd.DataFrame
    ways: pd.DataFrame
    expertise: pd.DataFrame
    shared: pd.DataFrame
    right_people: float
    right_models: float
    worlds: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def comparisons(people: pd.DataFrame) -> pd.DataFrame:
    """Two items of one person and origin a row: ``person, first, second, made_by``, and what is more on the first.

    ``correct, confidence, expertise`` are 1 where the first item has more of it, -1 where the second has, else 0;
    ``n_right`` of both are answered rightly.
    """
    columns = ["correct", "confidence", "expertise"]
    both = people.merge(people, on=["person", "made_by"], suffixes=("", "_2"))
    both = both[both["item"] < both["item_2"]].reset_index(drop=True)
    more = {c: np.sign(both[c].astype(float) - both[f"{c}_2"].astype(float)) for c in columns}
    made = {"person": both["person"], "first": both["item"], "second": both["item_2"]}
    n_right = both["correct"].astype(float) + both["correct_2"]
    return pd.DataFrame({**made, "made_by": both["made_by"], **more, "n_right": n_right})


def halves(people: pd.DataFrame, person: pd.Series) -> dict[str, NDArray[np.bool_]]:
    """Who of some people rates their own expertise higher than the median person does, and who does not."""
    rated = people.groupby("person")["expertise"].mean()
    higher = person.map(rated > rated.median()).to_numpy(dtype=bool)
    return {LOWER: ~higher, HIGHER: higher}


def _agree(more: Any, right: Any) -> tuple[FloatArray, FloatArray]:
    """How far something is higher on the right item, and in how many comparisons one item alone is right."""
    right = np.asarray(right, dtype=np.float64)
    return (np.abs(right) + np.asarray(more) * right) / 2, np.abs(right)


def _same(n_right: Any, right: Any) -> tuple[FloatArray, FloatArray]:
    """The same of whether another, right on so many of the two items, gives the same answer."""
    one = np.abs(np.asarray(right, dtype=np.float64))
    return one * np.asarray(n_right) / 2, one


def _beside_siblings(
    rows: Rows, right: FloatArray, surer: FloatArray
) -> dict[tuple[str, str], tuple[FloatArray, FloatArray]]:
    """Models' own confidence and that of their maker's other weights, for the models whose maker has others."""
    theirs = np.full(surer.shape, np.nan)
    for row, at in zip(theirs, rows.siblings, strict=True):
        n = np.isfinite(surer[at]).sum(axis=0)
        row[n > 0] = np.nansum(surer[at], axis=0)[n > 0] / n[n > 0]
    right = np.where(np.isfinite(theirs), right, np.nan)
    one_right = _over(by_maker(rows.models, np.abs(right)))
    return {
        (MODELS, name): (one_right / 2 + _over(by_maker(rows.models, right * of)) / 2, one_right)
        for name, of in ((OWN_BESIDE, surer), (SIBLING, theirs))
    }


def areas_of(rows: Rows) -> Ratios:
    """AUROC2 of every source for people's and for models' answers, named ``(whose answers, source)``."""
    pairs, models = comparisons(rows.people), rows.models
    first, second = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    right = models.right[:, first] - models.right[:, second]
    n_right = models.right[:, first] + models.right[:, second]
    surer = np.sign(models.confidence[:, first] - models.confidence[:, second])
    right_by, surer_by, n_right_by = (by_maker(models, one) for one in (right, surer, n_right))
    n_makers = np.isfinite(right_by).sum(axis=0)
    mean = {"surer": _over(surer_by), "right": _over(right_by), "n_right": _over(n_right_by)}
    # means over models of a maker and then over makers, so that each maker counts alike
    one_right_by = by_maker(models, np.abs(right))
    one_right, own = _over(one_right_by), _over(by_maker(models, right * surer))

    def of_others(own: FloatArray, by: FloatArray) -> FloatArray:
        return _over(own * (np.nansum(by, axis=0) - by)) / np.maximum(n_makers - 1, 1)

    half, several = one_right / 2, n_makers > 1
    person = {name: pairs[name].to_numpy() for name in ("correct", "confidence", "expertise", "n_right")}
    sums: dict[tuple[str, str], tuple[FloatArray, FloatArray]] = {
        (PEOPLE, OWN): _agree(person["confidence"], person["correct"]),
        (PEOPLE, OTHER_KIND): _agree(mean["surer"], person["correct"]),
        (PEOPLE, "expertise"): _agree(person["expertise"], person["correct"]),
        (PEOPLE, OTHER_KIND_SAME): _same(mean["n_right"], person["correct"]),
        (MODELS, OWN): (half + own / 2, one_right),
        (MODELS, ANOTHER): (several * (half + of_others(right_by, surer_by) / 2), several * one_right),
        (MODELS, OTHER_KIND): (half + mean["right"] * person["confidence"] / 2, one_right),
        (MODELS, "expertise"): (half + mean["right"] * person["expertise"] / 2, one_right),
        (MODELS, ANOTHER_SAME): (several * of_others(one_right_by, n_right_by) / 2, several * one_right),
        (MODELS, OTHER_KIND_SAME): (one_right * person["n_right"] / 2, one_right),
        **_beside_siblings(rows, right, surer),
    }
    for half_of, mask in halves(rows.people, pairs["person"]).items():
        for source in (OWN, OTHER_KIND):
            sums[half_of, source] = tuple(part * mask for part in sums[PEOPLE, source])  # type: ignore[assignment]
    both = pairs.merge(pairs, on=["first", "second"], suffixes=("", "_2"))
    both = both[both["person"] != both["person_2"]]
    n, m = len(pairs), len(both)
    sums = {name: tuple(np.append(part, np.zeros(m)) for part in parts) for name, parts in sums.items()}  # type: ignore[misc]
    for source, parts in (
        (ANOTHER, _agree(both["confidence_2"], both["correct"])),
        (ANOTHER_SAME, _same(both["n_right_2"], both["correct"])),
    ):
        sums[PEOPLE, source] = tuple(np.append(np.zeros(n), part) for part in parts)  # type: ignore[assignment]
    who = np.column_stack(
        [
            np.append(pairs["person"], both["person"]),
            np.append(np.full(n, -1), both["person_2"]),
        ]
    )
    what = np.column_stack([np.append(pairs[one], both[one]) for one in ("first", "second")])
    named = {_key(*name): parts for name, parts in sums.items()}
    return ratios(named, [who, what])


def _key(whose: str, source: str) -> str:
    return f"{whose}: {source}"


def _over(by: FloatArray) -> FloatArray:
    """Mean over makers that have a value."""
    return np.asarray(np.nansum(by, axis=0) / np.maximum(np.isfinite(by).sum(axis=0), 1))


def _named(weights: Mapping[tuple[str, str], float]) -> dict[str, float]:
    return {_key(*name): weight for name, weight in weights.items()}


def areas_table(found: Ratios) -> pd.DataFrame:
    """:attr:`Beside.areas`."""
    made = []
    for source, name in SOURCES.items():
        row: dict[str, Any] = {"source": name}
        for whose in (PEOPLE, MODELS):
            key = _key(whose, source)
            row |= _ended(whose, found, {key: 1}) | {f"n_{whose}": found.counts[key]}
        made.append(row)
    return pd.DataFrame(made)


def _ended(name: str, found: Ratios, weights: Mapping[str, float]) -> dict[str, Any]:
    one, _ = found.difference(weights)
    return ended(name, one.estimate, *one.ends)


def differences_of(found: Ratios) -> pd.DataFrame:
    """:attr:`Beside.differences`."""
    made = []
    for name, weights in JUDGED.items():
        one, p = found.difference(_named(weights))
        made.append(
            {"name": name, "asked": ASKED[name], **ended("difference", one.estimate, *one.ends), "p": p}
        )
    table = pd.DataFrame(made)
    known = table["p"].notna()
    table["p_holm"] = np.nan
    if known.any():
        table.loc[known, "p_holm"] = adjust_p(table.loc[known, "p"])
    return table


def ways_of(rows: Rows) -> pd.DataFrame:
    """:attr:`Beside.ways`: all rows, items of one origin, and without what may be no confidence or no fair model."""
    untaught = [name for name in rows.models.models if not any(part in name for part in TAUGHT)]
    made_by = rows.people["made_by"]
    some = {"all": rows}
    some |= {f"items {name}": rows.of(people=made_by == origin) for origin, name in MADE_BY.items()}
    some["without confidence exactly in the middle"] = rows.of(people=rows.people["confidence"] != MIDDLE)
    some["without models trained by the authors"] = rows.of(models=untaught)
    made = []
    for way, part in some.items():
        found = areas_of(part)
        row = {"way": way, "comparisons": found.counts[_key(PEOPLE, OWN)]}
        for name, weights in JUDGED.items():
            row |= _ended(name, found, _named(weights))
        made.append(row)
    return pd.DataFrame(made)


def accuracies(rows: Rows) -> Ratios:
    """How often people are right, all and by rated expertise, and models on the same trials."""
    people, models = rows.people, rows.models
    item, ones = people["item"].to_numpy(), np.ones(len(people))
    right = people["correct"].to_numpy(dtype=np.float64)
    sums = {PEOPLE: (right, ones), MODELS: (_over(by_maker(models, models.right))[item], ones)}
    sums |= {name: (right * mask, ones * mask) for name, mask in halves(people, people["person"]).items()}
    return ratios(sums, [people["person"].to_numpy(), item])


def expertise_of(rows: Rows, areas: Ratios, right: Ratios) -> pd.DataFrame:
    """:attr:`Beside.expertise`."""
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
            row |= _ended(source, areas, {_key(half, source): weight for half, weight in weights.items()})
        made.append(row)
    return pd.DataFrame(made)


def shared_of(rows: Rows) -> pd.DataFrame:
    """:attr:`Beside.shared`: covariances of two people, of two makers and of a person with a maker, over items.

    All are centred within answerer and origin of the items. Products of two different answerers hold no noise of one,
    so the correlation is not weakened by it.
    """
    models, people = rows.models, rows.people
    strata = np.array(models.strata)
    of_models = {"right answers": models.right, "confidence": _ranks(models.confidence, strata)}
    made = []
    for what, column in (("right answers", "correct"), ("confidence", "confidence")):
        given = people[column].astype(float)
        own = (given - given.groupby([people["person"], people["made_by"]]).transform("mean")).to_numpy()
        by = by_maker(models, _centred(of_models[what], strata))
        makers = np.isfinite(by).sum(axis=0)
        two = np.nansum(by, axis=0) ** 2 - np.nansum(by**2, axis=0)
        trial = people[["person", "item"]].assign(own=own)
        pairs = trial.merge(trial, on="item", suffixes=("", "_2"))
        pairs = pairs[pairs["person"] < pairs["person_2"]]
        sizes = (len(people), len(pairs), len(makers))
        counts = [np.repeat(np.eye(3)[k], sizes) for k in range(3)]
        products = np.concatenate(
            [
                own * _over(by)[people["item"]],
                pairs["own"] * pairs["own_2"],
                two / np.maximum(makers * (makers - 1), 1),
            ]
        )
        none = np.full(len(makers), -1)
        person = np.column_stack(
            [
                np.concatenate([people["person"], pairs["person"], none]),
                np.concatenate([np.full(len(people), -1), pairs["person_2"], none]),
            ]
        )
        item = np.concatenate([people["item"], pairs["item"], np.arange(len(makers))])
        names = ("both", PEOPLE, MODELS)
        found = ratios({n: (products * c, c) for n, c in zip(names, counts, strict=True)}, [person, item])
        made.append({"what": what, **ended("r", *_correlation(found))})
    return pd.DataFrame(made)


def _correlation(found: Ratios) -> tuple[float, float, float]:
    """Covariance over the root of both variances; nothing where one of these is not above 0 for certain."""
    both, people, models = (found.values[name] for name in ("both", PEOPLE, MODELS))
    if not all(found.difference({name: 1})[0].lower > 0 for name in (PEOPLE, MODELS)):
        return np.nan, np.nan, np.nan
    r = both / (people * models) ** 0.5
    slopes = {"both": r / both, PEOPLE: -r / (2 * people), MODELS: -r / (2 * models)}
    return r, *found.around(r, slopes)[0].ends


def _centred(values: FloatArray, strata: NDArray[np.str_]) -> FloatArray:
    """Less each model's mean over the items of a stratum."""
    frame = pd.DataFrame(values.T)
    return np.asarray((frame - frame.groupby(strata).transform("mean")).T)


def _ranks(values: FloatArray, strata: NDArray[np.str_]) -> FloatArray:
    """Each model's ranks over the items of a stratum, as shares."""
    return np.asarray(pd.DataFrame(values.T).groupby(strata).rank(pct=True).T)


def told(differences: pd.DataFrame) -> dict[str, Unit]:
    """Whether each difference lies above 0, after adjusting for all."""
    made = {}
    for row in rows_of(differences):
        sure = row.p_holm < ALPHA
        up, down = sure and row.difference_lower > 0, sure and row.difference_upper < 0
        why = (
            f"{OPEN} 0"
            if row.difference_lower <= 0 <= row.difference_upper
            else "open when all are judged together"
        )
        holds = True if up else False if down else None
        made[str(row.name)] = Unit(str(row.asked), holds, "" if holds is not None else why)
    return made


def judge(differences: pd.DataFrame) -> tuple[Verdict, ...]:
    """A verdict on each difference, and one on the two of :data:`ONESELF`."""
    units = told(differences)
    values = differences.set_index("name")["difference"]
    asked = {name: (name,) for name in units if name not in OF_ONESELF} | {ONESELF: OF_ONESELF}
    made = []
    for name, of in asked.items():
        parts = [units[one] for one in of]
        what = "; ".join(one.name for one in parts)
        many = len(parts) > 1
        made.append(
            judged(
                parts,
                "people and models",
                Kind.EXPLORATORY,
                f"The difference{'s' if many else ''} ({what}) lie{'' if many else 's'} above 0: so does "
                f"{'each' if many else 'its'} 95 % interval over items and people, and p is below {ALPHA} after Holm's "
                f"adjustment for the {len(differences)} differences that are judged.",
                name=name,
                difference=float(values[list(of)].min()),
            )
        )
    return tuple(made)


def examine(rows: Rows, *, verdicts: bool = True) -> Beside:
    """All of it for some rows."""
    areas, right = areas_of(rows), accuracies(rows)
    differences = differences_of(areas)
    return Beside(
        areas=areas_table(areas),
        differences=differences,
        ways=ways_of(rows),
        expertise=expertise_of(rows, areas, right),
        shared=shared_of(rows),
        right_people=right.values[PEOPLE],
        right_models=right.values[MODELS],
        worlds=committed_table(WORLDS).replace({"name": ASKED}),
        verdicts=judge(differences) if verdicts else (),
    )


@analysis(returns=Beside, files=(*FILES, WORLDS))
def beside(inputs: Inputs, *, verdicts: bool = True) -> Beside:
    """Whose confidence tells whose right answers from wrong ones?"""
    return examine(load(), verdicts=verdicts)
