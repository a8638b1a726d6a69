"""Effects of a whole set. Oracles: the tables by model, and worlds whose self-knowledge is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from crowd_observers import leaderboard

from metacog.measures.model_items import panel
from metacog.measures.rivals import rivals
from metacog.measures.set_effects import apart, counted, counts_at, set_effects, standing
from metacog.sdt import InputError, auroc2


def items(kind, **more):
    return replace(leaderboard(kind, n_items=600, **more), answer=None)


@pytest.fixture(scope="module")
def known():
    return items("mixture", share=0.5)


def by_family(found, effect):
    return found.families.query("effect == @effect").set_index("family")


def test_values_of_models_are_those_of_the_tables_by_model(known):
    one_each = [known.models[known.families.index(family)] for family in dict.fromkeys(known.families)]
    found = set_effects(known, information=False, models=one_each, n_resamples=20)
    table = rivals(known, n_resamples=2).set_index("model").loc[one_each].set_index("family")
    for name in ("single_median", "single_best", "crowd", "crowd_right"):
        own = by_family(found, name)["value"]
        np.testing.assert_allclose(own, table.loc[own.index, f"own_less_{name}"].astype(float), atol=1e-12)
    assert found.n_models == len(one_each) == found.n_families and found.n_rivals == panel(known)[1]


def test_intervals_are_those_of_resampled_items(known):
    """First derivatives against answers that are really drawn again, of one model."""
    model = known.models[0]
    found = set_effects(known, information=False, models=[model], n_resamples=400)
    (row,) = found.effects.query("effect == 'crowd'").itertuples()
    (theirs,) = rivals(known, n_resamples=2).query("model == @model").itertuples()
    half = (theirs.own_less_crowd_upper - theirs.own_less_crowd_lower) / 2
    assert row.upper - row.value == pytest.approx(half, rel=0.15)


def test_a_family_counts_once_and_variants_of_one_weight_count_as_one(known):
    weights = ["same" if f == "family 1" else m for m, f in zip(known.models, known.families, strict=True)]
    found = set_effects(known, weights=weights, information=False, n_resamples=20)
    own = rivals(known, n_resamples=2).groupby("family")["own_less_crowd"].mean()
    families = by_family(found, "crowd")["value"]
    np.testing.assert_allclose(families, own[families.index].astype(float))
    (whole,) = found.effects.query("effect == 'crowd'")["value"]
    assert whole == pytest.approx(families.mean(), abs=1e-12)


def test_self_knowledge_remains_and_one_difficulty_leaves_nothing(known):
    few = {"information": False, "most_placebos": 6, "n_resamples": 50}
    some = set_effects(known, **few).effects.set_index("effect")
    assert some.loc["remains", "lower"] > 0 and some.loc["single_median", "lower"] > 0
    none = set_effects(items("difficulty"), **few).effects.set_index("effect")
    assert none.loc["remains", "lower"] < 0 < none.loc["remains", "upper"]


def test_others_are_at_most_so_many_a_family_and_never_two_of_one_weight(known):
    weights = ["same" if i < 4 else m for i, m in enumerate(known.models)]
    others = standing(known, weights, 2)
    of = [known.models.index(model) for model in others]
    families = [known.families[i] for i in of]
    assert max(families.count(f) for f in families) == 2
    assert sum(weights[i] == "same" for i in of) <= 1


def test_counts_are_of_a_size(known):
    table = counts_at(known, known.models, 12, 200, n_draws=3)
    assert len(table) == 3 and table["factors"].between(1, 12).all() and table["apart"].between(0, 1).all()
    whole = counted(known)
    higher = apart(known)
    assert whole["apart"] == higher.sum() / (33 * 32 / 2) > table["apart"].mean()
    best = max(range(33), key=lambda i: auroc2(known.right[i], known.confidence[i]))
    assert not higher[:, best].any()


def test_a_table_without_another_family_is_told(known):
    kin = [m for m, f in zip(known.models, known.families, strict=True) if f == "family 1"]
    with pytest.raises(InputError, match="another of another family"):
        set_effects(known.kept(models=kin), others=kin, information=False)
