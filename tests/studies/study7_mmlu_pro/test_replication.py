"""The rule by which an effect counts as replicated."""

from __future__ import annotations

import pytest

from metacog.studies.study7_mmlu_pro import replication as rule


@pytest.mark.parametrize(
    ("lower", "upper", "told"),
    [
        (0.02, 0.04, rule.ABOVE),
        (0.002, 0.03, rule.ABOVE),
        (0.002, 0.009, rule.NONE),
        (-0.009, 0.009, rule.NONE),
        (-0.02, 0.009, rule.OPEN),
        (-0.05, -0.002, rule.BELOW),
        (float("nan"), 1.0, rule.OPEN),
    ],
)
def test_an_interval_says_above_below_none_or_nothing(lower: float, upper: float, told: str) -> None:
    assert rule.found(rule.Effect("one", "one"), lower, upper) == told


def test_a_count_is_above_or_below_and_never_none() -> None:
    pairs = rule.Effect("apart", "pairs", 0.5, 0.0)
    assert rule.found(pairs, 0.6, 0.7) == rule.ABOVE
    assert rule.found(pairs, 0.5, 0.5) == rule.OPEN


def test_what_the_atlas_leaves_open_is_nothing_to_replicate() -> None:
    assert rule.replicated(rule.OPEN, rule.ABOVE) == rule.NOTHING
    assert rule.replicated(rule.ABOVE, rule.OPEN) == rule.CANNOT_TELL
    assert rule.replicated(rule.ABOVE, rule.ABOVE) == rule.HOLDS
    assert rule.replicated(rule.ABOVE, rule.NONE) == rule.FAILS
    assert rule.replicated(rule.NONE, rule.NONE) == rule.HOLDS
    assert rule.replicated(rule.BELOW, rule.ABOVE) == rule.FAILS
