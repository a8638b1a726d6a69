"""Rows that stand twice. Oracle: a table in which it is known what stands twice."""

import pandas as pd

from metacog.trials import copies, counted_by, repeated

TABLE = pd.DataFrame(
    {
        "file": list("aaabb"),
        "model": ["m", "m", "n", "m", "n"],
        "item": [1, 2, 1, 1, 1],
        "sure": [5, 6, 7, 5, 8],
    }
)


def test_copies_may_differ_in_the_file_alone():
    assert copies(TABLE).tolist() == [False] * 5
    assert copies(TABLE, apart_from=["file"]).tolist() == [False, False, False, True, False]


def test_a_key_repeats_whatever_else_differs():
    assert repeated(TABLE, ["model", "item"]).tolist() == [False, False, False, True, True]


def test_rows_are_counted_by_model():
    assert counted_by(TABLE, "model") == "3 of m, 2 of n" and counted_by(TABLE, None) == "5 rows"
    many = pd.DataFrame({"model": list("aaaabbbccde")})
    assert counted_by(many, "model") == "4 of a, 3 of b, 2 of c, and 2 of 2 more models"
