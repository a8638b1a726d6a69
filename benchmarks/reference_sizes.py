"""What the runs of the profiles can tell, before a reply is read: half-widths, floors, differences of two models.

Run: python benchmarks/reference_sizes.py              (about a minute of one processor)
Observers of the meta-d' model, half of their stimuli S2, without bias, decide right in 65, 75 or 85 % of trials and
have an M-ratio of 0.8; ratings of equal mass. Tables of a cell's size are drawn from them, and every measure is
computed from each as its chapter does. AUROC2 and information stand for studies without two stimuli as well (a model
that is wrong in 65 % is told about as precisely as one that is right in 65 %). The least difference between two
models takes their replies as independent; on the same items it is smaller, not larger. Rows go to
data/simulations/reference_sizes.csv, one per cell of a profile, accuracy and measure; the sidecar holds command,
seed and versions. Every model of a profile is asked the same items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pandas as pd
from recording import SIMULATIONS, parsed
from scipy.special import ndtri

from metacog.collect.plan import settings_of
from metacog.core.config import load_profile
from metacog.sdt.compare import Measure, get_measure, m_ratio_measure
from metacog.sdt.populations import Population, two_choice_population
from metacog.sdt.power import precision
from metacog.studies import get_study
from metacog.studies.study2_two_choice.asking.sentences import sentences

OUT = SIMULATIONS / "reference_sizes.csv"
PROFILES = ("default", "reference")
ACCURACIES = (0.65, 0.75, 0.85)
M_RATIO, SIMULATIONS, SEED = 0.8, 2_000, 42
#: Power with which a floor is told from no self-knowledge, and level of intervals.
POWER, LEVEL = 0.8, 0.95
#: Ratings a side: five levels of confidence in study 2, kept or withdrawn in study 5, four bins in the others.
RATINGS = {"study1_qa": 4, "study2_two_choice": 5, "study3_dmc": 4, "study4_probe": 4, "study5_battery": 2}
#: Studies of two stimuli, which have an M-ratio.
TWO_CHOICE = ("study2_two_choice", "study3_dmc")


@dataclass(frozen=True)
class Cell:
    """Trials of one model that are judged together."""

    study: str
    profile: str
    part: str
    n_trials: int


def cells(profile: str) -> Iterator[Cell]:
    """Cells of the five studies that a profile asks for, if every reply can be used."""
    found = load_profile(profile)
    study = get_study("study1_qa")
    one = settings_of(study, found)
    for asked in (each for each in study.collections if not each.needs):
        for dataset in one.datasets:
            yield Cell(study.name, profile, f"{asked.name}, {dataset}", len(asked.items(one.of(dataset), {})))
    two = settings_of(get_study("study2_two_choice"), found)
    for name, of_set in two.sets().items():
        yield Cell("study2_two_choice", profile, name, len(sentences(of_set)))
    study = get_study("study3_dmc")
    three = settings_of(study, found)
    for name, of_set in three.by_set().items():
        for asked in study.collections:
            yield Cell("study3_dmc", profile, f"{asked.name}, {name}", len(asked.items(of_set, {})))
    for name, part in (("study4_probe", "task"), ("study5_battery", "track")):
        study = get_study(name)
        (asked,) = study.collections
        settings = settings_of(study, found)
        forms = settings.sets().values() if name == "study5_battery" else [settings]
        asked_of = Counter(getattr(item, part) for form in forms for item in asked.items(form, {}))
        for label, n in sorted(asked_of.items()):
            yield Cell(name, profile, label, n)


def by_correctness(both: Population) -> Population:
    """Wrong and right answers by rating, out of the table of stimuli and responses."""
    k = both.ratings.size // 2
    right = both.s1[:k][::-1] + both.s2[k:]
    wrong = both.s1[k:] + both.s2[:k][::-1]
    return Population(wrong, right, both.ratings[:k], both.description)


@cache
def measured(
    n: int, accuracy: float, k: int, measure: str, m_ratio: float
) -> tuple[float, float, float, float]:
    """Value, bias, standard error and share of tables without a value."""
    both = two_choice_population(2 * float(ndtri(accuracy)), m_ratio=m_ratio, n_ratings=2 * k)
    pad = measure == "m_ratio"
    chosen: Measure = m_ratio_measure(1 / (2 * k)) if pad else get_measure(measure)
    found = precision(both if pad else by_correctness(both), chosen, n, n_simulations=SIMULATIONS, seed=SEED)
    # the value of the population; a pad of nothing against many trials
    return found.value, found.bias, found.se, found.share_undefined


def rows() -> pd.DataFrame:
    """One row per cell, accuracy and measure."""
    z, reach = float(ndtri((1 + LEVEL) / 2)), float(ndtri((1 + LEVEL) / 2) + ndtri(POWER))
    made = []
    for cell in (one for profile in PROFILES for one in cells(profile)):
        for accuracy in ACCURACIES:
            measures = ("auroc2", "meta_i2r_chi_square")
            for measure in ("m_ratio", *measures) if cell.study in TWO_CHOICE else measures:
                size = (cell.n_trials, accuracy, RATINGS[cell.study], measure)
                value, bias, se, undefined = measured(*size, M_RATIO)
                none, _, se_none, _ = measured(*size, 0.0)
                made.append(
                    {
                        **vars(cell),
                        "accuracy": accuracy,
                        "wrong": cell.n_trials * (1 - accuracy),
                        "measure": measure,
                        "value": value,
                        "bias": bias,
                        "half_width": z * se,
                        "floor": none + reach * se_none,
                        "difference": reach * 2**0.5 * se,
                        "undefined": undefined,
                    }
                )
    return pd.DataFrame(made)


def main() -> None:
    """Simulate, and write what was found."""
    design = {"m_ratio": M_RATIO, "simulations": SIMULATIONS, "power": POWER, "level": LEVEL}
    given = parsed(__file__, out=OUT)
    given.write(rows().round(4), None, seed=SEED, design=design | {"ratings": RATINGS})


if __name__ == "__main__":
    main()
