"""The rule by which an effect counts as replicated."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.core.frames import committed_table
from metacog.measures.set_effects import standing
from metacog.studies.study7_mmlu_pro import replication as rule
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
        ends = {"lower": value - 1.959964 * 0.01, "upper": value + 1.959964 * 0.01}
        made.append(pd.DataFrame({"effect": name, "value": value, **ends}))
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


def side_by_side() -> pd.DataFrame:
    """Every effect above 0 in the atlas and in the second set; the counts, too."""
    rows = [
        {"effect": e.name, "called": e.called, "reference": e.reference}
        | dict.fromkeys(("first", "second", "second_lower", "difference_lower", "difference_upper"), 0.1)
        | {"first_found": bounds.ABOVE, "second_found": bounds.ABOVE, "outcome": rule.HOLDS}
        for e in rule.EFFECTS
    ]
    return pd.DataFrame(rows)


def beside(table: pd.DataFrame | None = None, new: pd.DataFrame | None = None) -> pd.DataFrame:
    """Effects beside the committed simulations, and beside none of the new categories unless given."""
    none = pd.DataFrame(columns=["effect", "value", "lower", "upper"])
    made = side_by_side() if table is None else table
    return rule.among_new(made, none if new is None else new, committed_table(rule.SETS))


def test_what_was_put_in_after_the_rule_is_not_counted() -> None:
    effects = beside()
    assert rule.by_outcome(effects) == (len(rule.EFFECTS) - 1, 0, 0)
    assert effects.loc[~effects["fixed"], "effect"].tolist() == ["blend"]
    told = rule.of_effects(effects)
    assert told["held"] == told["judged"] == len(rule.EFFECTS) - 1 and told["fails"] == "none"


def test_questions_that_are_not_from_mmlu_are_asked_by_themselves() -> None:
    """One effect is found again there, one is not; counts are not asked."""
    table = pd.DataFrame(
        {"effect": ["crowd", "remains"], "value": [0.1, -0.1], "lower": [0.05, -0.15], "upper": [0.15, -0.05]}
    )
    effects = beside(new=table).set_index("effect")
    assert effects.loc["crowd", "new_outcome"] == rule.HOLDS and effects.loc["crowd", "new"] == 0.1
    assert effects.loc["remains", "new_outcome"] == rule.FAILS
    assert (effects.drop(["crowd", "remains"])["new_outcome"] == "").all()
    told = rule.of_effects(effects.reset_index())
    assert (told["new_held"], told["new_asked"]) == (1, 2)


def test_models_of_the_atlas_are_known_again() -> None:
    theirs = ["google/gemma-3-4b", "google/Gemini-2.0-flash", "qwen/qwen3"]
    models = ["gemma-3-4b-it", "gemma-3-12b-it", "gemini-2.0-flash", "gemini-2.0-flash-lite", "Qwen3-8B"]
    assert rule.in_both_sets(theirs, models) == ["gemma-3-4b-it", "gemini-2.0-flash"]
    table = committed_table(rule.ATLAS)["model"]
    assert len(rule.in_both_sets(table, load().models["model"])) == 6


def test_published_sources_are_those_of_the_categories() -> None:
    items = load().items
    sources = committed_table(rule.SOURCES).set_index("category")
    assert sources["n_items"].to_dict() == items["category"].value_counts().to_dict()
    assert (sources["from_mmlu"] <= sources["n_items"]).all() and sources["from_mmlu"].sum() == 6810


def test_signs_that_worlds_without_self_knowledge_share_are_counted() -> None:
    """Of the simulated sets, by their own means: what the page says of an effect above and of one below 0."""
    sets = committed_table(rule.SETS)
    table = side_by_side()
    table.loc[table["effect"] == "single_best", ["first_found", "second_found"]] = bounds.BELOW
    effects = beside(table).set_index("effect")
    without = sets[sets["self_share"] == 0]
    for effect, sign in (("remains", 1), ("diagonal", 1), ("single_best", -1)):
        own = without[without["effect"] == effect]
        far = sign * own["mean"] - own["half_width"]
        small = own["mean"].abs() + own["half_width"] <= 0.01
        assert effects.loc[effect, "alike"] == ((far > 0) & ~small).sum() > 0
        assert effects.loc[effect, "worlds"] == without["world"].nunique()
    assert effects.loc["factors", "worlds"] == 0
    told = rule.of_effects(effects.reset_index())
    assert (
        told["held_alike"]
        == (effects.query("fixed and worlds > 0 and outcome == 'holds'")["alike"] > 0).sum()
    )


def test_numbers_name_the_effects_that_do_not_hold() -> None:
    effects = beside()
    other = effects["effect"].map({"crowd": rule.FAILS, "added": rule.CANNOT_TELL})
    told = rule.of_effects(effects.assign(outcome=other.fillna(effects["outcome"])))
    assert (told["held"], told["judged"]) == (8, 10)
    assert (told["fails"], told["cannot_be_told"]) == ("crowd", "added")
    assert rule.of_effects(effects.assign(alike=0))["held_alike"] == 0


def test_sets_are_counted_by_whether_models_know_something_there() -> None:
    rows = [
        {"world": world, "self_share": share, "effect": effect, "n_runs": 6, "mean": mean}
        | {"called_self_knowing": called}
        for world, share, called, mean in (("a", 0.0, 0, 0.001), ("b", 0.0, 5, 0.009), ("c", 0.2, 2, 0.02))
        for effect in ("remains", "blend")
    ]
    told = rule.of_sets(pd.DataFrame(rows))
    assert told["blind_bits"] == 0.009
    assert (told["blind_called"], told["blind_sets"]) == (5, 12)
    assert (told["knowing_called"], told["knowing_sets"]) == (2, 6)
