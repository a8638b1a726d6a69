"""Reliability of simulated panels, and the sentences about it. Oracle: the tables they are made from."""

import pandas as pd
import pytest
from heads_checked import faults

from metacog.studies.shared.raters import analysis, shown


@pytest.fixture(scope="module")
def table():
    return analysis.designs(0.25, 60, 1)


def result(designs):
    return analysis.Raters(designs, designs, designs, 0.25, 0.9, 0.15, 60)


def test_every_design_is_there_and_more_of_either_is_surer(table):
    assert len(table) == len(analysis.RARER) * len(analysis.ITEMS) * len(analysis.RATERS)
    spread = table.pivot(index=["rarer", "n_items"], columns="n_raters", values="spread")
    assert (spread[20] < spread[3]).all()
    assert (table.groupby("n_items")["spread"].mean().diff().dropna() < 0).all()


def test_the_raters_needed_are_the_fewest_that_spread_so_little(table):
    found = analysis.needed(table, 0.15).set_index("n_items")
    for n_items in analysis.ITEMS:
        for rarer in analysis.RARER:
            of_design = table[(table["n_items"] == n_items) & (table["rarer"] == rarer)].set_index(
                "n_raters"
            )["spread"]
            text = found.loc[n_items, f"share_{rarer:g}"]
            if text.startswith("over"):
                assert (of_design > 0.15).all()
            else:
                assert of_design[int(text)] <= 0.15 and (of_design[of_design.index < int(text)] > 0.15).all()


def test_sentences_follow_the_numbers(table):
    assert f"{table['coverage'].min():.0%}" in shown.coverage(result(table))
    assert "In all 48 designs" in shown.coverage(result(table.assign(coverage=0.95)))
    text = shown.trade(result(table.assign(spread=1 / table["n_items"])))
    assert text.count("more items buy more") == 2
    heads = [
        shown.buys(result(table.assign(spread=one)))
        for one in (1 / table["n_items"], 1 / table["n_raters"], 0.1)
    ]
    assert [
        "as more items." in heads[0],
        "as more raters." in heads[1],
        "as far as can be told" in heads[2],
    ] == [True] * 3
    assert [faults(head) for head in heads] == [[]] * 3
    text = shown.trade(result(table.assign(spread=1 / table["n_raters"])))
    assert text.count("more raters buy more") == 2
    assert shown.trade(result(table.assign(spread=0.1))).count("does not tell the two apart") == 2


def test_raters_and_items_are_compared_at_equal_cost():
    """Oracle: both designs take as many judgements, twice those of the first."""
    (items, more_items), (raters, more_raters) = shown.DOUBLED
    assert items * more_raters == more_items * raters == 2 * items * raters


def test_bars_are_those_of_equal_raters():
    found = analysis.bars(0.9, 0.25).set_index("rarer")
    assert found.loc[0.5].tolist() == pytest.approx([0.5, 0.625, 0.8])
    assert found.loc[0.1, "chance"] == pytest.approx(0.82) and found.loc[0.05, "alpha"] < 0
    assert isinstance(found, pd.DataFrame)
