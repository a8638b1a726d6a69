"""Three-valued rules. Oracle: the truth tables of "for all" and "at least k" by enumeration."""

from itertools import product

import pytest

from metacog.verdicts.outcomes import outcomes, over_units, together, undecided
from metacog.verdicts.rules import Unit, answer_of, at_least, beyond, every, shown, those, unit


def made(values):
    return [Unit(f"m{i}", v, "" if v is not None else "no fit") for i, v in enumerate(values)]


def completions(values):
    """Every way in which the undecided could have fallen."""
    return product(*[(v,) if v is not None else (True, False) for v in values])


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_rules_say_what_every_completion_says(size):
    for values in product((True, False, None), repeat=size):
        units = made(values)
        ends = {all(c) for c in completions(values)}
        assert every(units) == (ends.pop() if len(ends) == 1 else None)
        for k in range(1, size + 1):
            ends = {sum(c) >= k for c in completions(values)}
            assert at_least(units, k) == (ends.pop() if len(ends) == 1 else None)


def test_too_few_units_decide_nothing():
    assert every([]) is None and at_least([], 1) is None
    assert at_least(made([False]), 2) is None and at_least(made([True]), 2) is None


def test_flags_and_missing_numbers_are_undecided_and_named():
    units = [unit("a", True), unit("b", True, known=False), unit("c", False, flag="under 50 correct")]
    assert [u.holds for u in units] == [True, None, None]
    assert every(units) is None and at_least(units, 1) is True
    assert those(units, True) == ["a"] and units[1].why == "no estimate"
    alike = [units[2], Unit("d", None, units[2].why)]
    assert undecided(outcomes("r", units), "r").count("c (under 50") == 1
    assert undecided(outcomes("r", alike), "r").count("c and") == 1
    assert undecided(outcomes("r", units[:1]), "r") == ""
    with pytest.raises(ValueError, match="without a reason"):
        Unit("x", None)


def test_a_difference_that_is_not_shown_is_no_counterexample():
    units = [shown("a", False), shown("b", False, known=False), shown("c", True, flag="few trials")]
    assert at_least(units, 1) is None and every(units) is None
    assert answer_of(units[0].holds, units[0].why) == "undecided"
    assert [answer_of(u.holds, u.why) for u in units[1:]] == ["not testable"] * 2
    assert at_least([*units, shown("d", True)], 1) is True


def test_a_rule_without_words_of_its_own_says_what_became_of_each_unit():
    def said(*held):
        return over_units(outcomes("r", made(held)), "r")

    assert said(True, False) == "Not supported: it holds for m0, not for m1."
    assert said(True) == "Supported: it holds for m0."
    assert said(True, None) == "Undecided: it holds for m0. Undecided: m1 (no fit)."
    assert said(None) == "Undecided: m0 (no fit)." and said() == "Undecided."


def test_an_interval_is_above_a_limit_below_it_or_tells_nothing():
    units = [
        beyond(name, low, high, 0.5, "too few")
        for name, low, high in [
            ("above", 0.6, 0.9),
            ("below", 0.1, 0.4),
            ("around", 0.4, 0.6),
            ("at", 0.5, 0.6),
        ]
    ]
    assert [u.holds for u in units] == [True, False, None, None]
    assert "0.5" in units[2].why
    nothing = beyond("gap", float("nan"), float("nan"), 0.5, "too few")
    assert nothing.holds is None and nothing.why == "too few"


def test_outcomes_over_units_say_who_is_undecided():
    units = [Unit("a", True), Unit("b", None, "no fit")]
    table = outcomes("each", units)
    assert table.values.tolist() == [
        ["each", "a", True, ""],
        ["each", "b", None, "no fit"],
        ["each", "all", None, ""],
    ]
    assert together(outcomes("one", units, 1), "one") is True and together(table, "each") is None
    assert together(outcomes("each", units[:1]), "each") is True
    assert together(outcomes("each", []), "each") is None and together(table, "other") is None
