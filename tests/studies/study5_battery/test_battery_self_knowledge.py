"""Whether the probes say knowledge of oneself. Oracles: simulated models, and shares made by hand."""

import numpy as np
import pandas as pd
import pytest
from answerers import level_of, models_like_a_leaderboard, simulated_models
from heads_checked import faults

from metacog.measures.own_and_others import own_and_others
from metacog.studies.study5_battery import self_knowledge
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE
from metacog.studies.study5_battery.self_knowledge import coarse_table, examine, items_of
from metacog.studies.study5_battery.self_knowledge_shown import VIEWS

FEW = {"n_resamples": 60, "n_permutations": 40}
(VIEW,) = VIEWS


def responses(kind, n_items=500):
    """Twenty models of the paper's names whose probes say whether confidence is a model's highest."""
    able = [m.name for m in models_like_a_leaderboard(0.0) if m.level <= level_of(0.93)][:20]
    made = simulated_models(kind, n_items=n_items, seed=2)
    made = made[made["model"].isin(able)]
    top = made["confidence"] == made.groupby("model")["confidence"].transform("max")
    names = dict(zip(able, MODELS.values(), strict=True))
    rank = made["item"].str[1:].astype(int)
    return pd.DataFrame(
        {
            "model": made["model"].map(names),
            "track": [RETROSPECTIVE[i % 5] for i in rank],
            "item": made["item"],
            "correct": made["correct"].astype(bool),
            "keep": top,
            "bet": top,
            "path": "",
            "answer": "",
        }
    )


@pytest.fixture(scope="module")
def found():
    """Both probes say the same here, so what is computed of the one is taken for the other."""
    made = []

    def once(items, **how):
        if not made or not np.array_equal(made[0].confidence, items.confidence, equal_nan=True):
            made[:] = [items, own_and_others(items, **how)]
        return made[1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(self_knowledge, "own_and_others", once)
        return {kind: examine(responses(kind), **FEW) for kind in ("difficulty", "own state")}


def test_the_sentence_follows_what_the_models_read(found):
    heads = {kind: VIEW.sentences["answer"](one) for kind, one in found.items()}
    # which answers were given is not known, so that areas alone show whose they are
    above = {kind: (one.keep.models["own_less_placebo_lower"] > 0).mean() for kind, one in found.items()}
    assert above["own state"] > 0.5 > 0.2 > above["difficulty"]
    for kind, one in found.items():
        assert one.keep.models["blend"].isna().all() and one.keep.n_better == 0
        assert f"in {one.keep.n_ahead or 'none'} of" in heads[kind] and heads[kind].endswith(
            "answer is not known."
        )
    assert heads["own state"] != heads["difficulty"]
    assert all(faults(head) == [] for head in heads.values())


def test_every_view_can_be_made(found):
    one = found["own state"]
    assert all(isinstance(make(one), str) and make(one) for make in VIEW.sentences.values())
    assert len(one.keep.compared) == one.keep.n_ranked


def test_the_published_responses_are_compared_without_copied_files():
    rows = load()
    rows = rows[rows["track"].isin(RETROSPECTIVE)]
    items = items_of(rows, "keep")
    assert len(items.models) == 20 and len(set(items.families)) == 7
    assert np.nanmean(items.right) == pytest.approx(rows["correct"].mean())
    assert set(items.strata) == set(RETROSPECTIVE)


def test_what_two_values_can_say_at_most():
    """Eight of ten right; KEEP of six right and one wrong one."""
    rows = pd.DataFrame(
        {
            "model": ["one model"] * 10 + ["two"] * 10,
            "track": "T1",
            "item": [*range(10)] * 2,
            "correct": ([True] * 8 + [False] * 2) * 2,
            "keep": [True] * 6 + [False] * 2 + [True, False] + [True] * 9 + [False],
        }
    )
    table = coarse_table(items_of(rows, "keep"), "keep").set_index("model")
    one, two = table.loc["one model"], table.loc["two"]
    assert one["said"] == 0.7 and one["tied"] == pytest.approx(0.75 * 0.5 + 0.25 * 0.5)
    assert one["ceiling"] == pytest.approx((1 + 7 / 8) / 2)  # seven of eight right ones kept, no wrong one
    assert two["ceiling"] == pytest.approx(1 - 0.5 / 2)  # one of two wrong ones must be kept
    assert one["entropy"] == pytest.approx(-(0.7 * np.log2(0.7) + 0.3 * np.log2(0.3)))
