"""Reliability of simulated panels, and the sentence about it. Oracle: the tables they are made from."""

import pandas as pd
import pytest

from metacog.studies.shared import raters as room
from metacog.studies.study import Result


@pytest.fixture(scope="module")
def table():
    return room.designs(0.25, 60, 1)


def result(designs):
    return Result(designs=designs, simulations=60)


def test_every_design_is_there_and_more_of_either_is_surer(table):
    assert len(table) == len(room.RARER) * len(room.ITEMS) * len(room.RATERS)
    spread = table.pivot(index=["rarer", "n_items"], columns="n_raters", values="spread")
    assert (spread[20] < spread[3]).all()
    assert (table.groupby("n_items")["spread"].mean().diff().dropna() < 0).all()


def test_the_raters_needed_are_the_fewest_that_spread_so_little(table):
    found = room.needed(table, 0.15).set_index("n_items")
    for n_items in room.ITEMS:
        for rarer in room.RARER:
            of_design = table[(table["n_items"] == n_items) & (table["rarer"] == rarer)].set_index(
                "n_raters"
            )["spread"]
            text = found.loc[n_items, f"share_{rarer:g}"]
            if text.startswith("over"):
                assert (of_design > 0.15).all()
            else:
                assert of_design[int(text)] <= 0.15 and (of_design[of_design.index < int(text)] > 0.15).all()


@pytest.mark.parametrize(
    ("spread", "told"),
    [
        (lambda t: 1 / t["n_items"], (2, 0)),
        (lambda t: 1 / t["n_raters"], (0, 2)),
        (lambda t: 0.1, (0, 0)),
        (lambda t: (1 / t["n_items"]).where(t["rarer"] == 0.5, 1 / t["n_raters"]), (1, 1)),
    ],
)
def test_the_head_follows_what_twice_as_many_judgements_buy(table, spread, told):
    found = room.figures(result(table.assign(spread=spread(table))))
    assert (found["items"], found["raters"]) == told


def test_raters_and_items_are_compared_at_equal_cost():
    """Oracle: both designs take as many judgements, twice those of the first."""
    (items, more_items), (raters, more_raters) = room.DOUBLED
    assert items * more_raters == more_items * raters == 2 * items * raters


def test_bars_are_those_of_equal_raters():
    found = room.bars(0.9, 0.25).set_index("rarer")
    assert found.loc[0.5].tolist() == pytest.approx([0.5, 0.625, 0.8])
    assert found.loc[0.1, "chance"] == pytest.approx(0.82) and found.loc[0.05, "alpha"] < 0
    assert isinstance(found, pd.DataFrame)
