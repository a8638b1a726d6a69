"""Published figures. Oracles: the files themselves, and arithmetic that two of them must share."""

import csv

import numpy as np
import pytest

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.study1_qa import paper


def test_every_number_of_every_file_is_a_figure():
    folder = project_root() / "data" / "published"
    other = {
        paper.PUBLISHED.file(n) for n in ("text_claims", paper.THINKING_COUNTS, *paper.FIRST_PAPER.values())
    }
    files = sorted(f.name for f in folder.glob("cacioli_*.csv") if f.name not in other)
    assert files == sorted(map(paper.PUBLISHED.file, paper.TITLES))
    n = 0
    for name in paper.TITLES:
        with open(folder / paper.PUBLISHED.file(name), newline="") as handle:
            rows = list(csv.DictReader(handle))
        listed = paper.figures(name)
        figures = [q for q in rows[0] if q not in paper.identifying(name)]
        assert listed["published"].tolist() == [row[q] for row in rows for q in figures]
        assert not listed.duplicated(["keys", "quantity"]).any()
        n += len(listed)
    assert n == 945


def test_figures_keep_their_text():
    figures = paper.figures("v1_table2_h1").set_index(["keys", "quantity"])["published"]
    key = (("gemma2_instruct",), "accuracy")
    assert (figures[key], paper.printed("v1_table2_h1")[key]) == ("0.6", 0.6)
    assert paper.printed("v1_h3_verdicts")[("llama3_base",), "tost_pass"] == 0.0


def test_counts_fill_equal_bins_and_give_the_published_accuracy():
    cells = paper.counts()
    assert len(cells) == 8
    printed = paper.as_numbers("v2_aggregate").set_index(["model", "dataset"])
    for key, cell in cells.items():
        assert set(cell.nR_S1 + cell.nR_S2) == ({625} if key[1] == "triviaqa" else {375})
        assert cell.n == printed.loc[key, "n"]
        assert cell.nR_S2.sum() / cell.n == pytest.approx(printed.loc[key, "acc"], abs=1e-15)


def test_numbers_have_types():
    frame = paper.as_numbers("v1_h3_verdicts")
    assert frame["tost_pass"].dtype == bool
    assert paper.as_numbers("v2_temperature")["T"].dtype == np.float64


def test_unknown_table_is_named():
    with pytest.raises(MetacogError, match="cacioli_v3.csv is missing"):
        paper.as_text("v3")
