"""Every computed verdict about M-ratio, on each of eight families. Oracle: the families' own numbers."""

import re

import pandas as pd
import pytest

from metacog.core.paths import project_root
from metacog.studies.study1_qa import correction_grid
from metacog.studies.study1_qa.correction_grid import VARIANTS
from metacog.studies.study1_qa.correction_recovery import ASKED, ORDER

FAMILIES = tuple(dict.fromkeys(variant.family for variant in VARIANTS))
ACCURACIES = (0.1, 0.43)


@pytest.fixture(scope="module")
def grid() -> pd.DataFrame:
    return correction_grid.cells(accuracies=ACCURACIES)


@pytest.fixture(scope="module")
def judged() -> pd.DataFrame:
    return correction_grid.outcomes(40, seed=5, accuracies=(0.43,))


# ---------------------------------------------------------------- simulated answerers


@pytest.mark.parametrize("family", FAMILIES)
def test_the_authors_claim_follows_each_familys_numbers(grid, family):
    rows = grid[grid["family"] == family]
    (found,) = correction_grid.explained(rows).to_dict("records")
    ratio = rows["m_ratio"].dropna()
    pinned = (ratio - 1).abs().max() <= 0.05
    told = (rows["m_ratio"] - rows["predicted"]).abs().max() <= 0.05
    assert (found["from_one"] <= 0.05) == pinned and (found["from_line"] <= 0.05) == told
    # bell curves of equal spread, and of uneven spread, are what the claim was made for
    assert told == (family in ("additive", "unequal", "levels"))
    assert pinned == (family in ("additive", "levels"))


def test_all_families_together_share_every_ratio(grid):
    same = correction_grid.same_ratio(grid)
    for row in same.itertuples():
        # a member of the table lies within reach of the value: one that is no answerer's would be invented
        near = grid.loc[(grid["m_ratio"] - row.m_ratio).abs() < 0.12, "efficiency"]
        assert near.min() < row.highest and near.max() > row.lowest


def test_outcomes_are_counted_over_accuracies(judged):
    counts = correction_grid.counted(judged)
    assert (
        counts["order"].sum() == (judged["rho"] >= ORDER).sum()
        and (counts["order"] >= counts["amount"]).all()
    )
    assert (counts["recovered"] == counts["order"] / counts["accuracies"]).all()
    assert len(counts) == len(ASKED) * judged["variant"].nunique()


def test_the_criterion_is_the_same_for_every_measure(judged):
    ratio = judged[(judged["measure"] == "m_ratio")].set_index("variant")["order"]
    # not "cannot see efficiency": in two families the M-ratio puts the answerers in order
    assert ratio["graded noise"] and ratio["heavy tails"]
    assert not ratio["additive noise"] and not ratio["lapses"] and not ratio["known or guessed (5 %)"]
    info = judged[(judged["measure"] == "meta_i2r")].set_index("variant")
    assert info.loc["additive noise", "amount"]


def test_meta_i2r_is_efficiency_by_definition_where_strength_is_fixed(grid):
    first = grid[grid["family"] == "additive"]
    whole = first["meta_i2r"].where(first["wanted"] == 1).groupby(first["accuracy"]).transform("max")
    lost = first["efficiency"] - first["meta_i2r"] / whole
    # never more than there is, and never a fifth less in this family
    assert (lost.abs() < 0.03).all()
    whole = grid[(grid["wanted"] == 1) & (grid["family"] != "levels")]["meta_i2r"]
    assert whole.max() / whole.min() > 1.5


def test_uneven_spread_alone_brings_the_ratio_to_either_side(grid):
    """What the sentences about imported trials say of ratios off 1."""
    whole = grid[(grid["family"] == "unequal") & (grid["wanted"] == 1)]
    assert (whole["efficiency"] == 1).all()
    assert whole["m_ratio"].min() < 0.9 and whole["m_ratio"].max() > 1.1


# ---------------------------------------------------------------- prose

PAGES = [
    p
    for folder, ending in (("book", "md"), ("notebooks/shared", "py"), ("notebooks/study1-qa", "py"))
    for p in sorted((project_root() / folder).glob(f"*.{ending}"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_prose_that_names_the_ratio_links_its_verdicts_and_claims_no_more(page):
    text = re.sub(r"\s+#?\s*", " ", page.read_text(encoding="utf-8"))
    if "M-ratio" in text and page.stem not in ("study1-correction", "synthesis"):  # there of two choices
        assert "study1-correction" in text
    old = r"by construction|is circular|cannot see efficiency|lies near 1|nothing that the slope does not"
    assert not re.search(old, text)
