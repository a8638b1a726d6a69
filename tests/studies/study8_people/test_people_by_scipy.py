"""Every measure of the pages, over the people of twelve sets. Oracle: numpy and scipy alone, one person at a time."""

import numpy as np
import pandas as pd
import people_by_scipy as by_scipy
import pytest
from scipy.stats import norm

from metacog.core.frames import committed_table
from metacog.measures.measure_properties import COMPARED
from metacog.studies.study8_people import which_measure


@pytest.fixture(scope="module")
def theirs() -> pd.DataFrame:
    return committed_table(which_measure.BY_SCIPY).fillna({"part": ""})


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return which_measure.whole_people()[0]


def test_quartiles_of_every_measure_in_twelve_sets(theirs, people):
    assert set(zip(theirs["set"], theirs["part"], strict=True)) == set(by_scipy.TWELVE)
    assert {*COMPARED, "accuracy", "d_prime"} == set(theirs["measure"])
    for (name, part), table in theirs.groupby(["set", "part"]):
        own = people[people["set"].eq(name) & people["part"].eq(part)]
        assert table["people"].eq(len(own)).all()
        found = own[table["measure"].tolist()].quantile([0.25, 0.5, 0.75]).T
        expected = table[["lower_quarter", "median", "upper_quarter"]].to_numpy()
        np.testing.assert_allclose(found, expected, atol=1e-3, err_msg=f"{name} {part}")
    facts = which_measure.again_by_scipy(people)
    assert facts["scipy_sets"] == 12 and facts["scipy_gap"] < 1e-3


def test_another_number_is_seen(people, theirs):
    """The comparison is no tautology: with one set's M-ratios doubled the gap is that of its quartiles."""
    chosen = people["set"].eq("Reyes_2015")
    other = people.assign(m_ratio=people["m_ratio"].where(~chosen, 2 * people["m_ratio"]))
    row = theirs[theirs["set"].eq("Reyes_2015") & theirs["measure"].eq("m_ratio")].iloc[0]
    assert which_measure.again_by_scipy(other)["scipy_gap"] == pytest.approx(row["upper_quarter"], rel=0.01)


def test_rows_of_the_committed_table_made_again_are_the_same(theirs, monkeypatch):
    table = pd.read_parquet(by_scipy.COUNTS)
    few = table[table["set"].eq("Gallagher_2019_Exp1") & table["person"].le(4)]
    monkeypatch.setattr(by_scipy.pd, "read_parquet", lambda path: few)
    found = by_scipy.people_of("Gallagher_2019_Exp1", "").set_index("person")
    assert 0 < len(found) <= 4
    people = which_measure.whole_people()[0]
    own = people[people["set"].eq("Gallagher_2019_Exp1")].set_index("person").loc[found.index]
    np.testing.assert_allclose(found, own[found.columns], atol=1e-3)


def test_the_second_computation_finds_the_observer_that_it_is_given():
    """An observer without noise in its ratings has M-ratio 1; half of that is found by expected counts, too."""
    d, edges = 1.4, np.array([-1.2, -0.5, 0.1, 0.7, 1.3])  # type-1 criterion .1, three ratings a side
    cells = [np.diff(norm.cdf(np.concatenate([[-np.inf], edges, [np.inf]]), m)) for m in (-d / 2, d / 2)]
    found = by_scipy.meta_d_of(*(10_000 * c for c in cells))
    assert found == pytest.approx((d, d), abs=2e-3)
    meta, middle = 0.7, 0.1 / d * 0.7
    tables = []
    for type1, mean in zip(cells, (-meta / 2, meta / 2), strict=True):
        table = []
        for side, ends in enumerate(([-np.inf, -0.9, -0.4, middle], [middle, 0.5, 1.0, np.inf])):
            given = np.diff(norm.cdf(ends, mean))
            table.append(type1[3 * side : 3 * side + 3].sum() * given / given.sum())
        tables.append(10_000 * np.concatenate(table))
    assert by_scipy.meta_d_of(*tables) == pytest.approx((d, meta), abs=2e-3)


def test_the_second_auroc2_counts_pairs():
    right = np.array([True, True, True, False, False])
    sure = np.array([3.0, 2.0, 1.0, 2.0, 1.0])
    # of six pairs the right one is surer in three, and two tie
    assert by_scipy.auroc2_of(right, sure) == pytest.approx((3 + 2 / 2) / 6)
    assert np.isnan(by_scipy.auroc2_of(np.ones(5, dtype=bool), sure))
