"""Whose confidence tells whose right answers from wrong ones? The comparisons, their AUROC2, and what is judged.

A comparison is of two items that one person answered, of one origin. Of an answerer who was right on one of them and
wrong on the other it is asked whether a confidence is higher on the right one (ties count half), whoever's that
confidence is. So nobody's use of the scale matters, people with few items have a say, and no value is of one person.

Instead of a confidence one may take whether somebody else gives this same answer. Of two answers the other is then
right where both agree on the right item, and where they differ on the wrong one: so this source is higher on the right
item as often as the other is right on either, ties counting half.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import ended, rows_of
from metacog.measures.shared_members import FloatArray, Ratios, ratios
from metacog.sdt.decisions import adjust_p
from metacog.studies.study8_people.rows import Rows, by_maker, over_makers
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import OPEN, Unit

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


def key(whose: str, source: str) -> str:
    """The name of a source's AUROC2 for somebody's answers."""
    return f"{whose}: {source}"


#: Differences that are judged, each as weights of AUROC2.
JUDGED: Mapping[str, Mapping[str, float]] = {
    "people_own": {key(PEOPLE, OWN): 1, key(PEOPLE, OTHER_KIND): -1},
    "models_own": {key(MODELS, OWN): 1, key(MODELS, OTHER_KIND): -1},
    "kinds": {
        key(PEOPLE, OWN): 0.5,
        key(PEOPLE, OTHER_KIND): -0.5,
        key(MODELS, OWN): 0.5,
        key(MODELS, OTHER_KIND): -0.5,
    },
    "models_another": {key(MODELS, OWN): 1, key(MODELS, ANOTHER): -1},
    "models_maker": {key(MODELS, OWN_BESIDE): 1, key(MODELS, SIBLING): -1},
    "people_same": {key(PEOPLE, OWN): 1, key(PEOPLE, OTHER_KIND_SAME): -1},
    "models_same": {key(MODELS, OWN): 1, key(MODELS, ANOTHER_SAME): -1},
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


def _rule(lies: str, its: str) -> Rule:
    text = f"{lies} above 0: so does {its} 95 % interval over items and people, and p is below {ALPHA} after Holm's "
    return Rule(
        f"{text}adjustment for the {len(JUDGED)} differences that are judged.",
        "people and models",
        no_null="worlds without self-knowledge; data/simulations/people_and_models.csv",
    )


RULES = {
    **{one: _rule(f"The difference ({ASKED[one]}) lies", "its") for one in JUDGED if one not in OF_ONESELF},
    ONESELF: _rule(f"The differences ({'; '.join(ASKED[one] for one in OF_ONESELF)}) lie", "each"),
}


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
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Models' own confidence and that of their maker's other weights, for the models whose maker has others."""
    theirs = np.full(surer.shape, np.nan)
    for row, at in zip(theirs, rows.siblings, strict=True):
        n = np.isfinite(surer[at]).sum(axis=0)
        row[n > 0] = np.nansum(surer[at], axis=0)[n > 0] / n[n > 0]
    right = np.where(np.isfinite(theirs), right, np.nan)
    one_right = over_makers(by_maker(rows.models, np.abs(right)))
    return {
        key(MODELS, name): (one_right / 2 + over_makers(by_maker(rows.models, right * of)) / 2, one_right)
        for name, of in ((OWN_BESIDE, surer), (SIBLING, theirs))
    }


def areas_of(rows: Rows) -> Ratios:
    """AUROC2 of every source for people's and for models' answers, named by :func:`key`."""
    pairs, models = comparisons(rows.people), rows.models
    first, second = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    right = models.right[:, first] - models.right[:, second]
    n_right = models.right[:, first] + models.right[:, second]
    surer = np.sign(models.confidence[:, first] - models.confidence[:, second])
    right_by, surer_by, n_right_by = (by_maker(models, one) for one in (right, surer, n_right))
    n_makers = np.isfinite(right_by).sum(axis=0)
    mean = {
        "surer": over_makers(surer_by),
        "right": over_makers(right_by),
        "n_right": over_makers(n_right_by),
    }
    # means over models of a maker and then over makers, so that each maker counts alike
    one_right_by = by_maker(models, np.abs(right))
    one_right, own = over_makers(one_right_by), over_makers(by_maker(models, right * surer))

    def of_others(own: FloatArray, by: FloatArray) -> FloatArray:
        return over_makers(own * (np.nansum(by, axis=0) - by)) / np.maximum(n_makers - 1, 1)

    half, several = one_right / 2, n_makers > 1
    person = {name: pairs[name].to_numpy() for name in ("correct", "confidence", "expertise", "n_right")}
    sums: dict[str, tuple[FloatArray, FloatArray]] = {
        key(PEOPLE, OWN): _agree(person["confidence"], person["correct"]),
        key(PEOPLE, OTHER_KIND): _agree(mean["surer"], person["correct"]),
        key(PEOPLE, "expertise"): _agree(person["expertise"], person["correct"]),
        key(PEOPLE, OTHER_KIND_SAME): _same(mean["n_right"], person["correct"]),
        key(MODELS, OWN): (half + own / 2, one_right),
        key(MODELS, ANOTHER): (several * (half + of_others(right_by, surer_by) / 2), several * one_right),
        key(MODELS, OTHER_KIND): (half + mean["right"] * person["confidence"] / 2, one_right),
        key(MODELS, "expertise"): (half + mean["right"] * person["expertise"] / 2, one_right),
        key(MODELS, ANOTHER_SAME): (several * of_others(one_right_by, n_right_by) / 2, several * one_right),
        key(MODELS, OTHER_KIND_SAME): (one_right * person["n_right"] / 2, one_right),
        **_beside_siblings(rows, right, surer),
    }
    for half_of, mask in halves(rows.people, pairs["person"]).items():
        for source in (OWN, OTHER_KIND):
            above, below = sums[key(PEOPLE, source)]
            sums[key(half_of, source)] = above * mask, below * mask
    both = pairs.merge(pairs, on=["first", "second"], suffixes=("", "_2"))
    both = both[both["person"] != both["person_2"]]
    n, more = len(pairs), np.zeros(len(both))
    sums = {name: (np.append(above, more), np.append(below, more)) for name, (above, below) in sums.items()}
    for source, (above, below) in (
        (ANOTHER, _agree(both["confidence_2"], both["correct"])),
        (ANOTHER_SAME, _same(both["n_right_2"], both["correct"])),
    ):
        sums[key(PEOPLE, source)] = np.append(np.zeros(n), above), np.append(np.zeros(n), below)
    who = np.column_stack(
        [np.append(pairs["person"], both["person"]), np.append(np.full(n, -1), both["person_2"])]
    )
    what = np.column_stack([np.append(pairs[one], both[one]) for one in ("first", "second")])
    return ratios(sums, [who, what])


def differences_of(found: Ratios) -> pd.DataFrame:
    """Of :data:`JUDGED`: ``name, asked, difference`` with ends, ``p, p_holm``."""
    made = []
    for name, weights in JUDGED.items():
        one, p = found.difference(weights)
        gap = ended("difference", one.estimate, *one.ends)
        made.append({"name": name, "asked": ASKED[name], **gap, "p": p})
    table = pd.DataFrame(made)
    known = table["p"].notna()
    table["p_holm"] = np.nan
    if known.any():
        table.loc[known, "p_holm"] = adjust_p(table.loc[known, "p"])
    return table


def units_of(differences: pd.DataFrame) -> dict[str, Unit]:
    """Whether each difference lies above 0, after adjusting for all."""
    made = {}
    for row in rows_of(differences):
        sure = row.p_holm < ALPHA
        up, down = sure and row.difference_lower > 0, sure and row.difference_upper < 0
        inside = row.difference_lower <= 0 <= row.difference_upper
        why = f"{OPEN} 0" if inside else "open when all are judged together"
        holds = True if up else False if down else None
        made[str(row.name)] = Unit(str(row.asked), holds, why if holds is None else "")
    return made


def judge(differences: pd.DataFrame) -> pd.DataFrame:
    """What became of the rule on each difference, and of that on the two of :data:`ONESELF`."""
    units = units_of(differences)
    asked = {name: (name,) for name in units if name not in OF_ONESELF} | {ONESELF: OF_ONESELF}
    told = [outcomes(name, [units[one] for one in of]) for name, of in asked.items()]
    return pd.concat(told, ignore_index=True)


def accuracies(rows: Rows) -> Ratios:
    """How often people are right, all and by rated expertise, and models on the same trials."""
    people, models = rows.people, rows.models
    item, ones = people["item"].to_numpy(), np.ones(len(people))
    right = people["correct"].to_numpy(dtype=np.float64)
    sums = {PEOPLE: (right, ones), MODELS: (over_makers(by_maker(models, models.right))[item], ones)}
    sums |= {name: (right * mask, ones * mask) for name, mask in halves(people, people["person"]).items()}
    return ratios(sums, [people["person"].to_numpy(), item])
