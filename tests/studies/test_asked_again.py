"""Whether what was asked again comes out as before. Oracle: two headlines made by hand."""

import pandas as pd
import pytest

from metacog.studies.contributions import COLUMNS, Headline, asked_again

NAN = float("nan")


def headline(*rows):
    values = [
        dict(zip(COLUMNS, (model, part, False, at, at - 0.1, at + 0.1, "".join(why)), strict=True))
        for model, part, at, *why in rows
    ]
    values.append(dict(zip(COLUMNS, ("Printed", "", True, 0.5, 0.4, 0.6, ""), strict=True)))
    values.append(dict(zip(COLUMNS, ("Unjudged", "", False, NAN, NAN, NAN, "too few"), strict=True)))
    return Headline("AUROC2", "", 0.5, pd.DataFrame(values))


@pytest.mark.parametrize(("again", "agrees"), [(0.71, 1), (0.83, 1), (0.9, 0), (0.5, 0)])
def test_a_value_agrees_within_the_interval_of_the_difference(again, agrees):
    told = asked_again(headline(("A", "", 0.7)), headline(("A", "", again)))
    assert f"{agrees} of 1 value (AUROC2)" in told and told.endswith("run." if agrees else "run; not A.")


def test_several_are_counted_and_those_apart_named():
    first = headline(("A", "task 1", 0.7), ("A", "task 2", 0.6), ("B", "", 0.6))
    second = headline(("A", "task 1", 0.7), ("A", "task 2", 0.9))
    assert "1 of 2 values" in asked_again(first, second) and asked_again(first, second).endswith(
        "not A, task 2."
    )
    assert "3 of 3 values" in asked_again(first, first)


def test_a_value_that_cannot_be_judged_is_no_agreement():
    """World: d' may be 0, so that the interval of the M-ratio is wide and holds whatever comes out."""
    rows = [("A", "task 1", 0.7), ("A", "task 2", 0.6), ("B", "task 1", 3.0, "d' may be 0")]
    told = asked_again(headline(*rows), headline(*rows))
    assert "2 of 2 values" in told and "1 other cannot be judged" in told
    assert asked_again(headline(rows[2]), headline(("B", "task 1", 0.1))).startswith(
        "Of 1 value asked again none"
    )


def test_nothing_is_told_where_no_model_was_asked_twice():
    assert asked_again(headline(("A", "", 0.7)), headline(("B", "", 0.7))) == ""
