"""Every computed verdict about M-ratio, on each of eight families. Oracle: the families' own numbers."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from metacog.core.paths import project_root
from metacog.report.measure_verdicts import model_sentences
from metacog.studies.study1_qa.cells.counts import Cells, cells_from_counts
from metacog.studies.study1_qa.correction import grid as latent_grid
from metacog.studies.study1_qa.correction import judging as say
from metacog.studies.study1_qa.correction import measures as correction
from metacog.studies.study1_qa.correction import recovery as latent_recovery
from metacog.studies.study1_qa.correction import recovery_judging as simulated
from metacog.studies.study1_qa.correction import short_tables as latent_summary
from metacog.studies.study1_qa.correction.grid import FAMILIES, TITLES, VARIANTS
from metacog.studies.study1_qa.h1.estimates import h1_from_cells
from metacog.studies.study1_qa.h1.shown import VIEWS as H1
from metacog.studies.study1_qa.h4.estimates import h4_from_cells
from metacog.studies.study1_qa.h4.shown import VIEWS as H4

ACCURACIES = (0.1, 0.43)
#: What no sentence may say of open answers, whatever the numbers.
FORBIDDEN = re.compile(
    r"by construction|circular|cannot see efficiency|no virtue|"
    r"uses less than|knows more than|told from ideal|measure of efficiency",
)


@pytest.fixture(scope="module")
def grid() -> pd.DataFrame:
    return latent_grid.cells(accuracies=ACCURACIES)


@pytest.fixture(scope="module")
def judged() -> pd.DataFrame:
    return latent_grid.outcomes(40, seed=5, accuracies=(0.43,))


@pytest.fixture(scope="module")
def cuts() -> pd.DataFrame:
    return latent_grid.recut(accuracies=(0.43,))


def part_of(sentence: str, start: str, end: str = ". ") -> str:
    return (sentence + " ").split(start)[1].split(end)[0]


# ---------------------------------------------------------------- simulated answerers


@pytest.mark.parametrize("family", FAMILIES)
def test_the_authors_claim_follows_each_familys_numbers(grid, family):
    rows = grid[grid["family"] == family]
    verdict = simulated.claim_verdict(rows)
    ratio = rows["m_ratio"].dropna()
    pinned = (ratio - 1).abs().max() <= 0.05
    told = (rows["m_ratio"] - rows["predicted"]).abs().max() <= 0.05
    name = TITLES[family].lower()
    assert (name in part_of(verdict.sentence, "of 1 throughout: ")) == pinned
    assert (name in part_of(verdict.sentence, "accuracy throughout: ")) == told == verdict.passed
    assert not FORBIDDEN.search(verdict.sentence)
    # bell curves of equal spread, and of uneven spread, are what the claim was made for
    assert told == (family in ("additive", "unequal", "levels"))
    assert pinned == (family in ("additive", "levels"))


def test_the_cut_alone_moves_the_ratio(grid, cuts):
    spread = cuts.groupby("variant")["m_ratio"].agg(["min", "max"])
    verdict = simulated.lossless_verdict(grid, cuts)
    widest = spread.loc[(spread["max"] - spread["min"]).idxmax()]
    assert verdict.passed and f"{widest['min']:.2f} to {widest['max']:.2f} with the cut" in verdict.sentence
    still = cuts.assign(m_ratio=1.0)
    assert simulated.lossless_verdict(grid, still).passed is False


@pytest.mark.parametrize("family", FAMILIES)
def test_level_and_lossless_verdicts_follow_each_familys_numbers(grid, family):
    rows = grid[grid["family"] == family]
    level = simulated.level_verdict(rows)
    assert level.passed is (True if family == "additive" else None)
    assert level.passed or "is 1" not in level.sentence
    lossless = simulated.lossless_verdict(rows, pd.DataFrame())
    whole = rows.loc[rows["wanted"] == 1, "m_ratio"].dropna()
    assert (lossless.passed is True) == (family in ("unequal", "mixture"))
    if lossless.passed:
        assert f"{whole.min():.2f} to {whole.max():.2f}" in lossless.sentence
        assert (whole - 1).abs().max() > 0.05
    else:
        assert lossless.passed is None


@pytest.mark.parametrize("family", FAMILIES)
def test_direction_verdicts_follow_each_familys_numbers(grid, family):
    rows = grid[grid["family"] == family]
    verdict = simulated.direction_verdict(rows)
    if family not in ("lapses", "mixture", "one-sided"):
        assert verdict.passed is None and "M-ratio moves" not in verdict.sentence
    for (variant, accuracy), path in rows.dropna(subset=["m_ratio"]).groupby(["variant", "accuracy"]):
        change = path["m_ratio"].iloc[-1] - path["m_ratio"].iloc[0]
        if verdict.passed is None or abs(change) < 0.02:
            continue
        told = part_of(verdict.sentence, f"{variant}: ", "; ")
        way = [w for w in re.split(r"(?=up at|down at)", told) if f"{100 * accuracy:.0f} %" in w]
        assert len(way) == 1 and way[0].startswith("up" if change > 0 else "down")
    falling = simulated.falling_verdict(rows)
    for variant, part in rows.dropna(subset=["m_ratio"]).groupby("variant"):
        steps = part.groupby("accuracy")["m_ratio"].apply(lambda m: bool((np.diff(m) < 0).all()))
        drop = part.groupby("accuracy")["m_ratio"].agg(lambda m: m.iloc[-1] - m.iloc[0])
        falls = bool(steps.all() and (drop < -0.01).all()) and family != "unequal"
        listed = part_of(falling.sentence, "tried: ", " row") if falling.rule else ""
        assert (str(variant) in listed) == falls
    assert falling.passed is (True if family == "graded" else None)


@pytest.mark.parametrize("family", FAMILIES)
def test_one_family_alone_does_not_say_that_several_share_a_ratio(grid, family):
    same = latent_summary.same_ratio(grid[grid["family"] == family])
    verdict = simulated.reading_verdict(same)
    assert verdict.passed in (False, None)
    assert "nor ascribed" not in verdict.sentence
    assert not FORBIDDEN.search(verdict.sentence)


def test_all_families_together_share_every_ratio(grid):
    same = latent_summary.same_ratio(grid)
    verdict = simulated.reading_verdict(same)
    assert verdict.passed and "nor ascribed to one cause" in verdict.sentence
    for row in same.itertuples():
        # a member of the table lies within reach of the value: one that is no answerer's would be invented
        near = grid.loc[(grid["m_ratio"] - row.m_ratio).abs() < 0.12, "efficiency"]
        assert near.min() < row.highest and near.max() > row.lowest


@pytest.mark.parametrize("family", FAMILIES)
def test_outcomes_are_counted_for_each_family(judged, family):
    rows = judged[judged["family"] == family]
    for verdict, (measure, name) in zip(
        simulated.outcome_verdicts(rows), latent_recovery.ASKED.items(), strict=True
    ):
        own = rows[rows["measure"] == measure]
        n = f"in {int((own['rho'] >= latent_recovery.ORDER).sum())} of {len(own)} row"
        assert verdict.sentence.startswith(name) and n in verdict.sentence
        assert verdict.passed == bool((own["rho"] >= latent_recovery.ORDER).all())
        assert ("reverses" in verdict.sentence) == bool((own["rho"] <= -latent_recovery.ORDER).any())
        assert ("no value" in verdict.sentence) == bool(own["rho"].isna().any())


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
    verdict = simulated.definition_verdict(first)
    assert f"{lost.min():.3f} to {lost.max():.3f} with additive noise" in verdict.sentence
    assert "by definition" in verdict.sentence and verdict.passed is None
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
    said = [*say.own_verdicts(table), say.line_verdict(table), say.claim_verdict(table)]
    for verdict in said:
        assert not FORBIDDEN.search(verdict.sentence), verdict.sentence
    line, claim = said[-2:]
    if np.isfinite(row["predicted_m_ratio"]) and not row["flag"]:
        inside = row["m_ratio_lo"] <= row["predicted_m_ratio"] <= row["m_ratio_hi"]
        assert line.passed == inside and f"In {int(inside)} of 1 cell" in line.sentence
    else:
        assert line.passed is None and "holds" not in line.sentence
    if np.isfinite(row["m_ratio"]):
        near = abs(row["m_ratio"] - 1) <= 0.05
        assert claim.passed == near and f"within 0.05 of 1: {int(near)}" in claim.sentence
    else:
        assert claim.passed is None


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_verdicts_of_h1_follow_each_family(tables, variant):
    found = h1_from_cells(tables.select(tables.frame["model"] == variant.name), n_resamples=200)
    (row,), (verdict,) = found.table.to_dict("records"), found.verdicts
    sentence = H1.sentence(verdict)
    assert not FORBIDDEN.search(sentence) and "efficien" not in sentence
    if np.isfinite(row["ci_hi"]) and not row["flag"]:
        assert verdict.passed == (row["ci_hi"] < 1)


def test_verdicts_of_h4_say_nothing_of_efficiency(tables):
    for verdict in h4_from_cells(tables, n_resamples=200).verdicts:
        sentence = H4.sentence(verdict)
        assert not FORBIDDEN.search(sentence) and "efficien" not in sentence


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.name)
def test_sentences_about_imported_trials_follow_each_family(drawn, variant):
    found = drawn[drawn["model"] == variant.name].iloc[0]
    row = pd.Series(
        {
            "model": variant.name,
            "n_trials": found["n"],
            "accuracy": found["accuracy"],
            "flag": "",
            **{m: found[m] for m in ("m_ratio", "auroc2", "meta_i2r")},
            **{
                f"{m}_{a}": found[f"{m}_{b}"]
                for m in (
                    "m_ratio",
                    "auroc2",
                    "meta_i2r",
                )
                for a, b in (("lower", "lo"), ("upper", "hi"))
            },
            "p_meta_i2r": found["p_value"],
            "m_ratio_valid": False,
        }
    )
    said = [v.sentence for v in model_sentences(row) if "M-ratio" in v.sentence]
    if not np.isfinite(found["m_ratio"]):
        assert said == []
        return
    (text,) = said
    assert "Not valid here" in text and "statistic of its shape" in text
    assert "near 1" not in text and not FORBIDDEN.search(text)
    low, high = found["m_ratio_lo"], found["m_ratio_hi"]
    assert ("interval holds 1" in text) == (low <= 1 <= high)
    assert ("lies below 1" in text) == (high < 1)
    assert ("lies above 1" in text) == (low > 1)


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
    if "M-ratio" in text and page.stem != "study1-correction":
        assert "study1-correction" in text
    old = r"by construction|is circular|cannot see efficiency|lies near 1|nothing that the slope does not"
    assert not re.search(old, text)
