"""The rule by which an effect counts as replicated."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.core.frames import committed_table
from metacog.measures.set_effects import standing
from metacog.studies.study7_mmlu_pro import replication as rule
from metacog.studies.study7_mmlu_pro import replication_shown as shown
from metacog.studies.study7_mmlu_pro.rows import load
from metacog.verdicts import bounds


@pytest.mark.parametrize(
    ("lower", "upper", "told"),
    [
        (0.02, 0.04, bounds.ABOVE),
        (0.002, 0.03, bounds.ABOVE),
        (0.002, 0.009, bounds.NONE),
        (-0.009, 0.009, bounds.NONE),
        (-0.02, 0.009, bounds.OPEN),
        (-0.05, -0.002, bounds.BELOW),
        (float("nan"), 1.0, bounds.OPEN),
    ],
)
def test_an_interval_says_above_below_none_or_nothing(lower: float, upper: float, told: str) -> None:
    assert bounds.found(bounds.Effect("one", "one"), lower, upper) == told


def test_a_count_is_above_or_below_and_never_none() -> None:
    pairs = bounds.Effect("apart", "pairs", 0.5, 0.0)
    assert bounds.found(pairs, 0.6, 0.7) == bounds.ABOVE
    assert bounds.found(pairs, 0.5, 0.5) == bounds.OPEN


def test_what_the_atlas_leaves_open_is_nothing_to_replicate() -> None:
    assert rule.replicated(bounds.OPEN, bounds.ABOVE) == rule.NOTHING
    assert rule.replicated(bounds.ABOVE, bounds.OPEN) == rule.CANNOT_TELL
    assert rule.replicated(bounds.ABOVE, bounds.ABOVE) == rule.HOLDS
    assert rule.replicated(bounds.ABOVE, bounds.NONE) == rule.FAILS
    assert rule.replicated(bounds.NONE, bounds.NONE) == rule.HOLDS
    assert rule.replicated(bounds.BELOW, bounds.ABOVE) == rule.FAILS


def test_variance_over_categories_is_found_where_there_is_some() -> None:
    rng = np.random.default_rng(3)
    made = []
    for name, sd in (("crowd", 0.0), ("remains", 0.05)):
        value = 0.03 + sd * rng.normal(size=40) + 0.01 * rng.normal(size=40)
        made.append(
            pd.DataFrame(
                {
                    "effect": name,
                    "value": value,
                    "lower": value - 1.959964 * 0.01,
                    "upper": value + 1.959964 * 0.01,
                }
            )
        )
    atlas = pd.DataFrame({"effect": ["crowd", "remains"], "first_found": [bounds.ABOVE, bounds.BELOW]})
    found = rule.over_categories(rule.told(pd.concat(made)), atlas).set_index("effect")
    assert found.loc["crowd", "sd"] < 0.005 and found.loc["crowd", "p"] > 0.05
    assert found.loc["remains", "sd"] == pytest.approx(0.05, rel=0.3) and found.loc["remains", "p"] < 1e-6
    assert found.loc["crowd", "same"] == (made[0]["lower"] > 0).sum()
    assert (found[["same", "open", "other"]].sum(axis=1) == 40).all()


def test_no_other_shares_weights_or_a_family_with_the_judged_model() -> None:
    rows = load()
    items = rows.model_items()
    weights = dict(zip(rows.models["model"], rows.models["weights"], strict=True))
    others = standing(items, [weights[model] for model in items.models], rule.MOST_OF_FAMILY)
    families = [items.families[items.models.index(model)] for model in others]
    assert max(families.count(f) for f in families) <= rule.MOST_OF_FAMILY
    assert len({weights[model] for model in others}) == len(others)
    for model in items.models:
        mine = {items.models[i] for i in items.others(model)} & set(others)
        assert mine and weights[model] not in {weights[other] for other in mine}


def test_no_simulated_set_without_self_knowledge_is_called_so() -> None:
    table = committed_table(rule.SETS)
    without, known = (table[which] for which in (table["self_share"] == 0, table["self_share"] > 0))
    assert (without["called_self_knowing"] == 0).all() and without["world"].nunique() >= 5 and len(known)
    one = table[(table["world"] == "one difficulty") & (table["effect"] == "remains")].iloc[0]
    assert abs(one["mean"]) < 3 * one["sd"] / np.sqrt(one["n_runs"])
    # what remains alone is above 0 without self-knowledge
    assert without.loc[without["effect"] == "remains", "above_0"].sum() > 0


def test_the_overview_puts_each_effect_into_one_of_its_three_sentences() -> None:
    said = [bounds.ABOVE, bounds.BELOW, bounds.NONE, bounds.OPEN]
    rows = [
        {"called": f"own less {a}/{b}", "reference": 0.0, "first_found": a, "second_found": b}
        | {"outcome": rule.replicated(a, b)}
        for a in said
        for b in said
    ]
    result = SimpleNamespace(effects=pd.DataFrame(rows))
    both, one, none = (make(result) for make in (shown.in_both, shown.in_one, shown.cannot_be_told))
    assert both == (
        "In both sets own confidence tells more than above/above, and less than below/below, and as much as "
        "no effect/no effect."
    )
    for row in rows:
        a, b = row["first_found"], row["second_found"]
        assert (f"{a}/{b} (" in one) == (a != b and b != bounds.OPEN)
        assert (f"{a}/{b} (" in none) == (b == bounds.OPEN)
    assert "own less above/below (above 0 in the atlas, below 0 in MMLU-Pro)" in one
