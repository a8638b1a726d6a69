"""Every computed verdict about M-ratio, on each of eight families. Oracle: the families' own numbers."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from metacog.core.paths import project_root
from metacog.studies.study1_qa import correction, correction_grid, correction_recovery
from metacog.studies.study1_qa.cells import Cells, cells_from_counts
from metacog.studies.study1_qa.correction_grid import VARIANTS
from metacog.studies.study1_qa.h1 import h1_from_cells
from metacog.verdicts.measures import model_verdicts

FAMILIES = tuple(dict.fromkeys(variant.family for variant in VARIANTS))
ACCURACIES = (0.1, 0.43)
MEASURES = ("m_ratio", "auroc2", "meta_i2r")
#: What no sentence may say of open answers, whatever the numbers.
FORBIDDEN = re.compile(
    r"by construction|circular|cannot see efficiency|no virtue|"
    r"uses less than|knows more than|distinguishable from ideal|measure of efficiency",
)


@pytest.fixture(scope="module")
def grid() -> pd.DataFrame:
    return correction_grid.cells(accuracies=ACCURACIES)


@pytest.fixture(scope="module")
def judged() -> pd.DataFrame:
    return correction_grid.outcomes(40, seed=5, accuracies=(0.43,))


@pytest.fixture(scope="module")
def cuts() -> pd.DataFrame:
    return correction_grid.recut(accuracies=(0.43,))


# ---------------------------------------------------------------- simulated answerers


@pytest.mark.parametrize("family", FAMILIES)
def test_the_authors_claim_follows_each_familys_numbers(grid, family):
    rows = grid[grid["family"] == family]
    verdict = correction_recovery.judge_claim(rows)
    ratio = rows["m_ratio"].dropna()
    pinned = (ratio - 1).abs().max() <= 0.05
    told = (rows["m_ratio"] - rows["predicted"]).abs().max() <= 0.05
    assert (verdict.values["near"][family] <= 0.05) == pinned
    assert (verdict.values["off"][family] <= 0.05) == told == verdict.passed
    # bell curves of equal spread, and of uneven spread, are what the claim was made for
    assert told == (family in ("additive", "unequal", "levels"))
    assert pinned == (family in ("additive", "levels"))


def test_the_cut_alone_moves_the_ratio(grid, cuts):
    spread = cuts.groupby("variant")["m_ratio"].agg(["min", "max"])
    verdict = correction_recovery.judge_lossless(grid, cuts)
    widest = spread.loc[(spread["max"] - spread["min"]).idxmax()]
    cut = verdict.values["cut"]
    assert verdict.passed and (cut["low"], cut["high"]) == (widest["min"], widest["max"])
    still = cuts.assign(m_ratio=1.0)
    assert correction_recovery.judge_lossless(grid, still).passed is False


@pytest.mark.parametrize("family", FAMILIES)
def test_level_and_lossless_verdicts_follow_each_familys_numbers(grid, family):
    rows = grid[grid["family"] == family]
    level = correction_recovery.judge_level(rows)
    assert level.passed is (True if family == "additive" else None)
    lossless = correction_recovery.judge_lossless(rows, pd.DataFrame())
    whole = rows.loc[rows["wanted"] == 1, "m_ratio"].dropna()
    assert (lossless.passed is True) == (family in ("unequal", "mixture"))
    if lossless.passed:
        assert lossless.values["ranges"] == {family: [whole.min(), whole.max()]}
        assert (whole - 1).abs().max() > 0.05
    else:
        assert lossless.passed is None


@pytest.mark.parametrize("family", FAMILIES)
def test_direction_verdicts_follow_each_familys_numbers(grid, family):
    rows = grid[grid["family"] == family]
    verdict = correction_recovery.judge_direction(rows)
    if family not in ("lapses", "mixture", "one-sided"):
        assert verdict.passed is None
    for (variant, accuracy), path in rows.dropna(subset=["m_ratio"]).groupby(["variant", "accuracy"]):
        change = path["m_ratio"].iloc[-1] - path["m_ratio"].iloc[0]
        if verdict.passed is None or abs(change) < 0.02:
            continue
        (ways,) = [one for one in verdict.values["moves"] if one["variant"] == variant]
        assert (accuracy in ways["up"], accuracy in ways["down"]) == (change > 0, change < 0)
    falling = correction_recovery.judge_falling(rows)
    for variant, part in rows.dropna(subset=["m_ratio"]).groupby("variant"):
        steps = part.groupby("accuracy")["m_ratio"].apply(lambda m: bool((np.diff(m) < 0).all()))
        drop = part.groupby("accuracy")["m_ratio"].agg(lambda m: m.iloc[-1] - m.iloc[0])
        falls = bool(steps.all() and (drop < -0.01).all()) and family != "unequal"
        assert (str(variant) in falling.values["falls"]) == falls
    assert falling.passed is (True if family == "graded" else None)


@pytest.mark.parametrize("family", FAMILIES)
def test_one_family_alone_does_not_say_that_several_share_a_ratio(grid, family):
    same = correction_recovery.same_ratio(grid[grid["family"] == family])
    verdict = correction_recovery.judge_reading(same)
    assert verdict.passed in (False, None)


def test_all_families_together_share_every_ratio(grid):
    same = correction_recovery.same_ratio(grid)
    verdict = correction_recovery.judge_reading(same)
    assert verdict.passed
    for row in same.itertuples():
        # a member of the table lies within reach of the value: one that is no answerer's would be invented
        near = grid.loc[(grid["m_ratio"] - row.m_ratio).abs() < 0.12, "efficiency"]
        assert near.min() < row.highest and near.max() > row.lowest


@pytest.mark.parametrize("family", FAMILIES)
def test_outcomes_are_counted_for_each_family(judged, family):
    rows = judged[judged["family"] == family]
    for verdict, measure in zip(
        correction_recovery.judge_outcomes(rows), correction_recovery.ASKED, strict=True
    ):
        rho, values = rows.loc[rows["measure"] == measure, "rho"], verdict.values
        assert values["measure"] == measure and values["n"] == len(rho)
        assert values["order"] == (rho >= correction_recovery.ORDER).sum()
        assert verdict.passed == bool((rho >= correction_recovery.ORDER).all())
        counts = correction_recovery.counted(rows).query("measure == @measure")
        assert counts["order"].sum() == values["order"] and counts["amount"].sum() == values["amount"]
        assert (counts["recovered"] == counts["order"] / counts["accuracies"]).all()
        assert values["reversed"] == (rho <= -correction_recovery.ORDER).sum()
        assert values["no_value"] == rho.isna().sum()


def test_the_criterion_is_the_same_for_every_measure(judged):
    ratio = judged[(judged["measure"] == "m_ratio")].set_index("variant")["order"]
    # not "cannot see efficiency": in two families the M-ratio puts the answerers in order
    assert ratio["graded noise"] and ratio["heavy tails"]
    assert not ratio["additive noise"] and not ratio["lapses"] and not ratio["known or guessed (5 %)"]
    info = judged[(judged["measure"] == "meta_i2r")].set_index("variant")
    assert info.loc["additive noise", "amount"]


def test_meta_i2r_is_efficiency_by_definition_where_strength_is_fixed(grid):
    first = grid[grid["family"] == "additive"]
    scaled = first["meta_i2r"] * first["entropy"] / first["available"]
    lost = first["efficiency"] - scaled
    verdict = correction_recovery.describe_definition(first)
    assert verdict.values["additive"] == [lost.min(), lost.max()] and verdict.passed is None
    # never more than there is, and never a fifth less in this family
    assert (lost > 0).all() and (lost < 0.2).all()
    whole = grid[(grid["wanted"] == 1) & (grid["family"] != "levels")]["meta_i2r"]
    assert whole.max() / whole.min() > 1.5


# ---------------------------------------------------------------- tables drawn from each family


@pytest.fixture(scope="module")
def tables() -> Cells:
    """One table of 2,000 answers a member of a family."""
    counts = []
    for i, variant in enumerate(VARIANTS):
        noise = {"lapses": 0.3, "graded": 1.0, "tails": 0.8, "one-sided": 3.0}.get(variant.family, 0.5)
        answerer = replace(variant.like, accuracy=0.6, noise=noise)
        s1, s2 = answerer.tables(2000, 1, np.random.default_rng(i))
        counts.append(
            pd.DataFrame(
                {
                    "model": variant.name,
                    "dataset": "bank",
                    "rating": range(1, 9),
                    "n_incorrect": s1[0].astype(int),
                    "n_correct": s2[0].astype(int),
                }
            )
        )
    return cells_from_counts(pd.concat(counts))


@pytest.fixture(scope="module")
def drawn(tables) -> pd.DataFrame:
    """The same, measured as a run's own models are."""
    return correction.measure_cells(tables, n_resamples=200, n_permutations=200).table


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_verdicts_about_own_and_published_tables_follow_each_family(drawn, variant):
    table = drawn[drawn["model"] == variant.name].reset_index(drop=True)
    row = table.iloc[0]
    line, claim = correction.judge_line(table), correction.judge_claim(table)
    if np.isfinite(row["predicted_m_ratio"]) and not row["flag"]:
        inside = row["m_ratio_lower"] <= row["predicted_m_ratio"] <= row["m_ratio_upper"]
        assert line.passed == inside == line.values["inside"] and line.values["cells"] == 1
    else:
        assert line.passed is None and line.values["cells"] == 0
    if np.isfinite(row["m_ratio"]):
        near = abs(row["m_ratio"] - 1) <= 0.05
        assert claim.passed == near == len(claim.values["near"])
    else:
        assert claim.passed is None


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_verdicts_of_h1_follow_each_family(tables, variant):
    found = h1_from_cells(tables.select(tables.frame["model"] == variant.name), n_resamples=200)
    (row,), (verdict,) = found.table.to_dict("records"), found.verdicts
    if np.isfinite(row["m_ratio_upper"]) and not row["flag"]:
        assert verdict.passed == (row["m_ratio_upper"] < 1)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_m_ratio_of_imported_trials_is_on_its_side_in_each_family(drawn, variant):
    found = drawn[drawn["model"] == variant.name].iloc[0]
    row = pd.Series(
        {
            "model": variant.name,
            "n_trials": found["n"],
            "accuracy": found["accuracy"],
            "flag": "",
            **{m: found[m] for m in MEASURES},
            **{f"{m}_{end}": found[f"{m}_{end}"] for m in MEASURES for end in ("lower", "upper")},
            "p_meta_i2r": found["p_value"],
            "m_ratio_valid": False,
        }
    )
    verdicts = [v for v in model_verdicts(row) if v.name == "m_ratio"]
    if not np.isfinite(found["m_ratio"]):
        assert verdicts == []
        return
    (verdict,) = verdicts
    low, high = found["m_ratio_lower"], found["m_ratio_upper"]
    assert verdict.passed is None
    assert verdict.values["side"] == ("above" if low > 1 else "below" if high < 1 else "")


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
    if "M-ratio" in text and page.stem not in ("study1-correction", "all-models"):  # there of two choices
        assert "study1-correction" in text
    old = r"by construction|is circular|cannot see efficiency|lies near 1|nothing that the slope does not"
    assert not re.search(old, text)
