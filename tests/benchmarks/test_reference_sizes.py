"""Half-widths at the profiles' sizes. Oracles: the observer's own shares, and the study's counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import reference_sizes as simulation
from scipy.special import ndtri

from metacog.collect.plan import settings_of
from metacog.core.config import load_profile
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.sdt.populations import two_choice_population
from metacog.studies import get_study


@pytest.mark.parametrize("accuracy", simulation.ACCURACIES)
def test_an_observers_answers_are_right_as_often_as_wanted(accuracy):
    both = two_choice_population(2 * float(ndtri(accuracy)), m_ratio=0.8, n_ratings=10)
    folded = simulation.by_correctness(both)
    assert folded.s2.sum() == pytest.approx(accuracy) and folded.cells().sum() == pytest.approx(1)
    assert folded.s1 + folded.s2 == pytest.approx(np.full(5, 0.2))  # ratings of equal mass
    shares = folded.s2 / (folded.s1 + folded.s2)
    assert (np.diff(shares) > 0).all()  # the surer, the more often right
    blind = simulation.by_correctness(two_choice_population(1.0, m_ratio=0.0, n_ratings=10))
    assert blind.value("auroc2") == pytest.approx(0.5)


def test_the_committed_rows_are_of_the_profiles():
    table = pd.read_csv(simulation.OUT)
    made = [one for profile in simulation.PROFILES for one in simulation.cells(profile)]
    columns = ["study", "profile", "part", "n_trials"]
    stored = table[columns].drop_duplicates().itertuples(index=False, name=None)
    assert list(stored) == [tuple(vars(one).values()) for one in made]
    kinds = table.groupby(columns)["measure"].nunique().rename("n").reset_index()
    assert (kinds["n"] == kinds["study"].isin(simulation.TWO_CHOICE).map({True: 3, False: 2})).all()
    assert (table.groupby(columns).size() == 3 * kinds.set_index(columns)["n"]).all()


def test_every_way_and_set_of_the_reference_run_of_study_3_has_a_hundred_trials():
    table = pd.read_csv(simulation.OUT)
    mine = table[(table["study"] == "study3_dmc") & (table["profile"] == "reference")]
    assert mine["n_trials"].min() >= 100 and mine["wrong"].min() >= MIN_FOR_INTERVALS
    settings = settings_of(get_study("study3_dmc"), load_profile("reference"))
    assert mine["part"].nunique() == 4 * len(settings.sets)
