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


@pytest.mark.parametrize(
    ("again", "outcome"), [(0.71, "within"), (0.83, "within"), (0.9, "more than"), (0.5, "more than")]
)
def test_one_value_is_told_with_both(again, outcome):
    told = asked_again(headline(("A", "", 0.7)), headline(("A", "", again)))
    assert told == (
        f"Asked again on this machine, A has {again:.2f} (AUROC2) where the reference run has 0.70: that is {outcome} "
        "what chance explains."
    )


def test_several_are_counted_and_those_apart_named():
    first = headline(("A", "task 1", 0.7), ("A", "task 2", 0.6), ("B", "", 0.6))
    second = headline(("A", "task 1", 0.7), ("A", "task 2", 0.9))
    assert asked_again(first, second).endswith("in 1 of 2 values (AUROC2); not in A, task 2.")
    assert asked_again(first, first).endswith("in 3 of 3 values (AUROC2).")


def test_a_value_that_cannot_be_judged_is_no_agreement():
    """World: d' may be 0, so that the interval of the M-ratio is wide and holds whatever comes out."""
    rows = [("A", "task 1", 0.7), ("A", "task 2", 0.6), ("B", "task 1", 3.0, "d' may be 0")]
    told = asked_again(headline(*rows), headline(*rows))
    assert "in 2 of 2 values" in told and "1 other cannot be judged" in told
    assert asked_again(headline(rows[2]), headline(("B", "task 1", 0.1))).startswith(
        "Of 1 value asked again none"
    )


def test_nothing_is_told_where_no_model_was_asked_twice():
    assert asked_again(headline(("A", "", 0.7)), headline(("B", "", 0.7))) == ""
