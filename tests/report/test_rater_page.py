"""What the chapter on raters says. Oracle: the tables it is said of."""

import pandas as pd
import pytest

from metacog.report import rater_page


@pytest.fixture(scope="module")
def table():
    return rater_page.designs(0.25, 60, 1)


def test_every_design_is_there_and_more_of_either_is_surer(table):
    assert len(table) == len(rater_page.RARER) * len(rater_page.ITEMS) * len(rater_page.RATERS)
    spread = table.pivot(index=["rarer", "n_items"], columns="n_raters", values="spread")
    assert (spread[20] < spread[3]).all()
    assert (table.groupby("n_items")["spread"].mean().diff().dropna() < 0).all()


def test_the_raters_needed_are_the_fewest_that_spread_so_little(table):
    found = rater_page.needed(table, 0.15).set_index("n_items")
    for n_items in rater_page.ITEMS:
        for rarer in rater_page.RARER:
            own = table[(table["n_items"] == n_items) & (table["rarer"] == rarer)].set_index("n_raters")[
                "spread"
            ]
            said = found.loc[n_items, f"share_{rarer:g}"]
            if said.startswith("over"):
                assert (own > 0.15).all()
            else:
                assert own[int(said)] <= 0.15 and (own[own.index < int(said)] > 0.15).all()


def test_sentences_follow_the_numbers(table):
    assert f"{table['coverage'].min():.0%}" in rater_page.coverage_said(table)
    assert "In all 48 designs" in rater_page.coverage_said(table.assign(coverage=0.95))
    said = rater_page.raters_or_items(table.assign(spread=1 / table["n_items"]))
    assert said.count("more items buy more") == 2
    said = rater_page.raters_or_items(table.assign(spread=1 / table["n_raters"]))
    assert said.count("more raters buy more") == 2


def test_bars_are_those_of_equal_raters():
    found = rater_page.bars(0.9, 0.25).set_index("rarer")
    assert found.loc[0.5].tolist() == pytest.approx([0.5, 0.625, 0.8])
    assert found.loc[0.1, "chance"] == pytest.approx(0.82) and found.loc[0.05, "alpha"] < 0
    assert isinstance(found, pd.DataFrame)
