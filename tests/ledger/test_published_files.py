"""Reading published files. Oracle: a file written by hand."""

import numpy as np
import pytest

from metacog.core.errors import MetacogError
from metacog.ledger import published
from metacog.ledger.published import Published, end_name, number

TEXT = """model,size,rho,ci_lo,ci_hi,passes,n
a,small,0.6,-0.1,0.75,True,12
b,,0.655,,0.9,False,7
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "some_t.csv").write_text(TEXT)
    monkeypatch.setattr(published, "published_file", lambda file: tmp_path / file)
    return Published("some_")


def test_text_stays_as_printed_and_ends_have_one_name(files):
    frame = files.as_text("t")
    assert list(frame.columns) == ["model", "size", "rho", "lower", "upper", "passes", "n"]
    assert frame["rho"].tolist() == ["0.6", "0.655"] and frame["lower"].tolist() == ["-0.1", ""]
    frame.loc[0, "rho"] = "9"
    assert files.as_text("t").loc[0, "rho"] == "0.6"
    names = {
        "ci_lo": "lower",
        "hi": "upper",
        "mi_lo": "mi_lower",
        "a_hi": "a_upper",
        "halo": "halo",
        "n": "n",
    }
    assert {name: end_name(name) for name in names} == names


def test_numbers_are_numbers_and_verdicts_booleans(files):
    frame = files.as_numbers("t")
    assert frame["passes"].tolist() == [True, False] and frame["n"].tolist() == [12, 7]
    np.testing.assert_array_equal(frame["lower"], [-0.1, np.nan])
    assert frame["size"].tolist() == ["small", ""]
    assert (number("True"), number("False"), number("0.10")) == (1.0, 0.0, 0.1)


def test_precision_is_that_of_the_finest_entry(files):
    assert files.precision("t", "rho") == 0.0005 and files.precision("t", "upper") == 0.005
    assert files.precision("t", "n") == 0.5 and files.precision("t") == 0.0005


def test_a_row_is_the_one_asked_for(files):
    assert files.row("t", model="b").upper == "0.9"
    with pytest.raises(MetacogError, match="some_t.csv: 0 rows with model 'c'"):
        files.row("t", model="c")


def test_every_figure_knows_its_row_and_column(files):
    found = files.figures("t", ("model", "size"))
    assert len(found) == 10
    assert found.iloc[1].to_dict() == {
        "table": "t",
        "keys": ("a", "small"),
        "quantity": "ci_lo",
        "published": "-0.1",
    }
    assert files.figures("t", ("model",))["keys"].tolist() == [("a",)] * 6 + [("b",)] * 6
