"""The measures on one table. Oracle: counts by hand."""

from types import SimpleNamespace

import pandas as pd
import pytest

from metacog.studies.shared import measures, worked
from metacog.studies.shared.measures import VIEWS

TABLE = worked.spoken_honestly([30, 10], [10, 50])


def test_what_pages_show_are_the_counts_of_the_table():
    roc = measures.roc_table(TABLE)
    assert roc["f"].tolist() == [0, 10 / 40, 1] and roc["h"].tolist() == pytest.approx([0, 50 / 60, 1])


def test_a_measure_that_sees_worse_ratings_alone_is_named():
    moves = pd.DataFrame(
        {"measure": ["a", "b"], "as it is": [1.0, 1.0], "easier": [1.0, 2.0], measures.WORSE: [0.5, 0.5]}
    )
    nothing = {"a": 0.0, "b": -1.0}
    changes = measures.changes_table(moves, nothing).set_index(["measure", "change"])
    assert changes.loc[("a", "easier"), "moves"] == "no" and changes.loc[("b", "easier"), "moves"] == "yes"
    assert changes.loc[("b", "easier"), "why"].startswith("1.000 becomes 2.000, a move by 50.0 %")
    assert changes["by"].tolist() == [0, -0.5, 0.5, -0.25]
    assert measures.only_worse(worked.moved(worked.moves_by(moves, nothing), measures.MOVES)) == ("a",)


def test_measures_that_see_worse_ratings_are_counted():
    result = SimpleNamespace(only=("a", "b"), changes=pd.DataFrame({"measure": [*range(12)] * 2}))
    assert VIEWS.numbers(result) == {"only_names": "a and b", "n_only": 2, "n_measures": 12}
