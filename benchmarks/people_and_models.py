"""Do intervals over items and people hold the truth, and how often does the page claim something that is not so?

The people, items and models of the committed rows, who answered what as there, with simulated answers and confidence:

* *nothing*: confidence is noise;
* *one difficulty*: all read the same difficulty, equally well, so that all differences are 0;
* *two difficulties*: people read one and models another, half in common, and nobody knows anything of themselves: only
  a model's own confidence less another maker's, or its own maker's other weights', is 0;
* *makers unlike*: the same, and half of the makers weigh a further difficulty that the others do not: a difference
  between makers that is no self-knowledge, and none within a maker;
* *models unlike*: the same, and each set of weights weighs a further difficulty of its own, which looks like
  self-knowledge;
* *models alone*: one difficulty, and models read their own state as well: people's confidence says as much of their
  answers as a model's does;
* *own state*: everybody reads their own state as well.

``python benchmarks/people_and_models.py --out data/simulations/people_and_models.csv`` (some minutes).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from recording import parsed

from metacog.studies.study8_people.areas import OF_ONESELF, ONESELF, areas_of, differences_of, judge, units_of
from metacog.studies.study8_people.beside import ALONE, EACH_UNLIKE, UNLIKE
from metacog.studies.study8_people.rows import Rows, load
from metacog.studies.study8_people.shared_difficulty import shared_of
from metacog.verdicts.outcomes import together

#: By world: weights, in confidence, of difficulty and of people's and models' own state; has each kind a difficulty of
#: its own; of whom is a further one.
WORLDS = {
    "nothing": (0.0, 0.0, 0.0, False, ""),
    "one difficulty": (1.0, 0.0, 0.0, False, ""),
    "two difficulties": (1.0, 0.0, 0.0, True, ""),
    UNLIKE: (1.0, 0.0, 0.0, True, "makers"),
    EACH_UNLIKE: (1.0, 0.0, 0.0, True, "models"),
    ALONE: (1.0, 0.0, 1.0, False, ""),
    "own state": (1.0, 1.0, 1.0, True, ""),
}
#: Differences that are 0, by world; of the others the mean over runs stands for the truth.
NOUGHT = {
    "nothing": ("people_own", "models_own", "kinds", *OF_ONESELF),
    "one difficulty": ("people_own", "models_own", "kinds", *OF_ONESELF),
    "two difficulties": OF_ONESELF,
    UNLIKE: ("models_maker",),
    ALONE: ("people_own",),
}
#: Where it is asked what of difficulty is shared.
SHARED = ("nothing", "one difficulty", "two difficulties")
#: A row of its own: runs that claim any of those.
ANY = "any that is 0"
NOISE = 1.5


def simulated(rows: Rows, world: str, seed: int) -> Rows:
    """Answers of a world to the items that people and models answered."""
    reads, of_person, of_model, kinds, further_of = WORLDS[world]
    rng = np.random.default_rng(seed)
    people, models = rows.people, rows.models
    n_people, (n_models, n_items) = people["person"].nunique(), models.right.shape
    common, of_people, of_models, further = rng.normal(size=(4, n_items))
    hard = {"people": common, "models": np.tile(common, (n_models, 1))}
    if kinds:
        hard = {one: (common + part) / 2**0.5 for one, part in (("people", of_people), ("models", of_models))}
        hard["models"] = np.tile(hard["models"], (n_models, 1))
    if further_of == "makers":
        sort = np.unique(models.families, return_inverse=True)[1] % 2
        hard["models"] = (hard["models"] + sort[:, None] * further) / np.sqrt(1 + sort)[:, None]
    if further_of == "models":
        weights = np.unique(rows.distinct_weights, return_inverse=True)[1]
        each = np.random.default_rng([seed, 1]).normal(size=(n_models, n_items))
        hard["models"] = (hard["models"] + each[weights]) / 2**0.5
    item, person = people["item"].to_numpy(), people["person"].to_numpy()
    state = rng.normal(size=len(people))
    able = rng.normal(0.8, 0.4, n_people)[person]
    # what is no difficulty varies as much as in a model's confidence
    noise = (NOISE**2 + of_model**2 - of_person**2) ** 0.5
    sure = of_person * state - reads * hard["people"][item] + noise * rng.normal(size=len(people))
    scale, start = np.exp(rng.normal(0, 0.5, n_people)), rng.normal(size=n_people)
    trials = people.assign(
        correct=(able - hard["people"][item] + state + rng.logistic(size=len(people)) > 0).astype(int),
        confidence=start[person] + scale[person] * sure,
        expertise=rng.normal(size=len(people)) + rng.normal(size=n_people)[person],
    )
    state_of = rng.normal(size=models.right.shape)
    ability = np.linspace(0.6, 2.4, n_models)[:, None]
    right = (ability - hard["models"] + state_of + rng.logistic(size=state_of.shape) > 0).astype(float)
    level = of_model * state_of - reads * hard["models"] + NOISE * rng.normal(size=state_of.shape)
    made = replace(
        models,
        right=np.where(models.answered, right, np.nan),
        confidence=np.where(models.answered, level, np.nan),
    )
    return replace(rows, people=trials, models=made)


def run(rows: Rows, world: str, runs: int, seed: int) -> pd.DataFrame:
    """A row for each judged difference and correlation, and one of whether the page claims anything."""
    found, claims = [], []
    for one in range(seed, seed + runs):
        made = simulated(rows, world, one)
        table = differences_of(areas_of(made))
        passed = {name: unit.holds for name, unit in units_of(table).items()}
        nought = NOUGHT.get(world, ())
        claims.append(any(passed[name] is not None for name in nought))
        for row in table.to_dict("records"):
            ends = (row["difference"], row["difference_lower"], row["difference_upper"])
            found.append((row["name"], *ends, passed[row["name"]]))
        found.append((ONESELF, np.nan, np.nan, np.nan, together(judge(table), ONESELF)))
        for row in shared_of(made).to_dict("records") if world in SHARED else ():
            found.append((f"shared: {row['what']}", row["r"], row["r_lower"], row["r_upper"], None))
    draws = pd.DataFrame(found, columns=["name", "value", "lower", "upper", "passed"])
    made = []
    for name, part in draws.groupby("name", sort=False):
        known = part.dropna(subset=["value"])
        nought = name in NOUGHT.get(world, ())
        mean = float(known["value"].mean()) if len(known) else np.nan
        truth = 0.0 if nought else mean
        about = {
            "world": world,
            "name": name,
            "nought": nought,
            "runs": runs,
            "known": len(known),
            "mean": mean,
        }
        about["sd"] = float(known["value"].std())
        about["half_width"] = float((known["upper"] - known["lower"]).mean() / 2)
        covers = known["lower"].le(truth).mul(known["upper"].ge(truth)).sum()
        about["covers"] = int(covers) if len(known) else np.nan
        about |= {"above": int(part["passed"].eq(True).sum()), "below": int(part["passed"].eq(False).sum())}
        made.append(about)
    page = {"world": world, "name": ANY, "nought": True, "runs": runs, "known": runs, "above": sum(claims)}
    return pd.DataFrame([*made, page] if world in NOUGHT else made)


def main() -> None:
    """Simulate every world."""
    given = parsed(__file__, runs=400, seed=42)
    rows, parts = load(), []
    for world in WORLDS:
        parts.append(run(rows, world, given.runs, given.seed))
        given.tell(world)
    given.write(pd.concat(parts), seed=given.seed)


if __name__ == "__main__":
    main()
