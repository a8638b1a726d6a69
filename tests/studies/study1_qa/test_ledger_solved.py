"""The reconstructed count tables. Oracle: the printed figures alone, and every table that agrees with them."""

import re

import numpy as np
import pytest
from solved_tables import Summaries, correct_by_rating, published_summaries, quarter_sums

from metacog.core.paths import project_root
from metacog.studies.study1_qa import cells, paper
from metacog.studies.study1_qa.ledger.roles import INPUTS

#: Counts that somebody is said to have published.
CLAIM = re.compile(
    r"\b(?:published|public|printed|paper's|its|study 1's)(?: tables? of)? counts\b|counts are public", re.I
)
#: What there is published counts of, and the word for those of which there are none.
PUBLISHED = re.compile(r"first paper|trace|thinking|thresholds of similarity|sampler|reconstruct", re.I)
#: What chapters draw from the reconstructed counts, by chapter.
DRAWN = {
    "study1-collection": ("quarters,", "sensitivity,"),
    "study1-correction": ("published.measures", "published.cuts", "published_ranks"),
    "study1-hypotheses": ("settings,", "settings[turned]", "sound,", "their_pairs,"),
    "thinking": ("tuned.together",),
    "measures": ("measures.roc",),
    "synthesis": ('["study"] == "Study 1"',),
}


def chapter(name):
    (file,) = (project_root() / "notebooks").glob(f"*/{name}.py")
    return file.read_text(encoding="utf-8")


def test_the_one_table_that_nobody_printed_says_how_it_was_reconstructed():
    solved = {name for name, title in paper.TITLES.items() if "reconstructed" in title}
    assert solved == {"counts_T1"} and not solved & set(INPUTS)
    assert all("reconstructed" in text for text in (cells.RECOMPUTED, paper.FROM_COUNTS))
    readme = (project_root() / "data/published/README.md").read_text(encoding="utf-8")
    assert all(f"`cacioli_{name}.csv` | **reconstructed**" in readme for name in solved)


def test_no_page_says_that_reconstructed_counts_were_published():
    root = project_root()
    files = [
        *root.glob("notebooks/study1-qa/*.py"),
        *root.glob("notebooks/shared/*.py"),
        *root.glob("book/*.md"),
    ]
    parts = [part for f in files for part in re.split(r"\n#? ?\n|\n# %%", f.read_text(encoding="utf-8"))]
    said = [part for part in parts if CLAIM.search(re.sub(r"\s*\n(?:# )?|\" \"|\"\n\s*\"", " ", part))]
    assert said and [part for part in said if not PUBLISHED.search(part)] == []


@pytest.mark.parametrize(("name", "what"), [(name, one) for name, of in DRAWN.items() for one in of])
def test_captions_say_that_counts_are_reconstructed(name, what):
    shown = [
        cell
        for cell in chapter(name).split("# %%")
        if re.search(rf"(?:forest|lines|dots|table)\([^)]*{re.escape(what)}", cell)
        or (what in cell and "caption" in cell)
    ]
    assert shown and all("reconstructed" in cell for cell in shown)


@pytest.mark.parametrize("key", sorted(paper.counts()))
def test_each_published_table_is_the_only_one_with_the_printed_figures(key):
    printed, stored = published_summaries()[key], paper.counts()[key]
    # a hundred times the tolerance, and 1e5 times what rounding of the print explains, adds none
    for tolerance in (1e-12, 1e-10):
        found = correct_by_rating(printed, tolerance=tolerance)
        assert found.tolist() == [stored.nR_S2.tolist()]
    assert (stored.nR_S1 + stored.nR_S2 == printed.per_rating).all()


def test_figures_of_two_models_mixed_have_no_solution():
    """The search can fail: it does not return a table whatever it is given."""
    printed = published_summaries()["gemma2_instruct", "triviaqa"]
    other = published_summaries()["llama3_base", "triviaqa"]
    mixed = Summaries(**{**printed.__dict__, "plugin_meta_i2r": other.plugin_meta_i2r})
    assert len(correct_by_rating(mixed)) == 0


def test_the_quarters_and_the_accuracy_leave_one_middle_cut():
    """So d', which rests on that cut alone, is fixed before AUROC2 and meta-I2r are looked at."""
    for key, printed in published_summaries().items():
        upper = {sums[2] + sums[3] for sums in quarter_sums(printed)}
        assert upper == {int(np.sum(paper.counts()[key].nR_S2[4:]))}
