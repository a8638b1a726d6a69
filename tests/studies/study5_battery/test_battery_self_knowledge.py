"""Whether KEEP says knowledge of oneself. Oracle: simulated models."""

from types import SimpleNamespace

import numpy as np
import pytest
from answerers import level_of, models_like_a_leaderboard, simulated_models
from heads_checked import faults

from metacog.studies.study import Result
from metacog.studies.study5_battery import self_knowledge
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE
from metacog.studies.study5_battery.self_knowledge import VIEWS, items_of, probes_self_knowledge

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
    made = made[["item"]].assign(
        model=made["model"].map(names),
        track=[RETROSPECTIVE[i % 5] for i in rank],
        correct=made["correct"].astype(bool),
    )
    return made.assign(keep=top, bet=top, path="", answer="")


@pytest.fixture(scope="module")
def found():
    made = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(self_knowledge, "CUTS", self_knowledge.CUTS[:1])
        for kind in ("difficulty", "own state"):
            patch.setattr(self_knowledge, "load", lambda kind=kind: responses(kind))
            made[kind] = Result(probes_self_knowledge(SimpleNamespace(), **FEW))
    return made


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
    items = items_of(rows)
    assert len(items.models) == 20 and len(set(items.families)) == 7
    assert np.nanmean(items.right) == pytest.approx(rows["correct"].mean())
    assert set(items.strata) == set(RETROSPECTIVE)
