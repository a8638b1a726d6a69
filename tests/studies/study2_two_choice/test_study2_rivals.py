"""Rivals of meta-d' on study 2's tables. Oracles: counts by eye, known observers, and the committed simulations."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.frames import committed_table
from metacog.sdt import meta_d_observer
from metacog.studies.study2_two_choice import paper, rivals
from metacog.studies.study2_two_choice.posteriors import posterior_labels

COUNTS, LABELS = paper.stacked(paper.rating_cells()), posterior_labels()
FITS, RATES = rivals.compared(*COUNTS, LABELS)


def test_the_largest_miss_is_a_rating_of_the_table_and_the_best_model_has_the_lowest_aic():
    first = FITS.iloc[0]
    assert (first["rating"], first["n"], first["of"]) == ("second called first, 2", 301, 10_973)
    aic = FITS[[f"aic_{i}" for i in range(5)]].to_numpy()
    assert (aic.min(axis=1) == 0).all()
    assert FITS["by"].tolist() == [list(rivals.RIVALS)[i] for i in aic.argmin(axis=1)]
    own = RATES[(RATES["task"] == "C") & (RATES["model"] == LABELS["model"].iloc[7])]
    moved = (own["of"] * (own["observed"] - own["meta"]).abs()).sum() / 2 / 10_000
    assert FITS["misplaced"].iloc[7] == pytest.approx(100 * moved)
    assert len(RATES) == 180 and RATES.groupby(["task", "model"])[
        "observed"
    ].sum().to_numpy() == pytest.approx(2.0)


def test_a_loss_is_seen_where_much_is_lost_and_not_where_nothing_is():
    many = {"n_trials": 10_000, "n_tables": 4, "seed": 5}
    lossy, whole = (meta_d_observer(1.8, m_ratio=ratio, c=0.2).counts(**many) for ratio in (0.5, 1.0))
    assert rivals.excluded(*lossy).all(axis=None)
    assert rivals.excluded(*whole).sum().max() <= 1
    chance, misfit = rivals.gain(*lossy, ("spread",), "m_ratio", False)
    assert (chance >= misfit).all() and (misfit > 1).all()
    found = rivals.tests(*lossy).set_index(["free", "shape"])
    assert found.loc[("both", "both shapes"), "m_ratio_misfit"] == 4
    above = meta_d_observer(1.5, m_ratio=1.6).counts(**many)
    assert not rivals.excluded(*above).any(axis=None)  # more than the decision used is no loss


def test_a_table_that_uses_too_few_ratings_has_an_m_ratio_only_as_it_stands():
    last = [one[-1:] for one in COUNTS]
    found = rivals.ratios(*last, LABELS.iloc[-1:]).iloc[0]
    assert 0 < found["equal_lower"] < found["equal"] < found["equal_upper"] < 1
    assert np.isnan([found["bell"], found["bell_upper"], found["heavier"]]).all()


def test_the_rule_errs_rarely_in_every_simulated_world_and_finds_loss_in_the_tables_that_it_names():
    table = committed_table(rivals.TABLE)
    by_world = table[~table["lost"]].groupby("world")[["runs", "misfit"]].sum()
    assert len(by_world) == 8 and (by_world["misfit"] <= 0.05 * by_world["runs"]).all()
    named = table[table["model"].str.startswith("DeepSeek") & table["task"].isin(["A", "C"])]
    assert (named.loc[named["world"] == "M-ratio below 1", "misfit"] > 0.9 * named["runs"].iloc[0]).all()
    assert isinstance(table, pd.DataFrame) and set(table["runs"]) == {50}
