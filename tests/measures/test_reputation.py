"""An answer's reputation and what a judge hears: against plain loops, and worlds with known answers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, spearmanr

from metacog.measures.model_items import ModelItems
from metacog.measures.reputation import COLUMNS, judge_follows, reputation
from metacog.sdt import InputError, auroc2, delong_paired

NAMES = tuple("abcdefgh")
FAMILIES = ("one", "one", *NAMES[2:])


def world(
    n: int = 1200, seed: int = 1, *, judge: float = 0.0, own: float = 0.0, option: float = 1.0
) -> ModelItems:
    """Eight models that fall for one attractive wrong option of four; scores read what is asked for.

    ``option`` weighs how plausible an answer is to anybody, ``own`` the model's own state, ``judge`` whether model h
    gave the answer.
    """
    rng = np.random.default_rng(seed)
    ease, luck = rng.normal(size=n), rng.normal(size=(len(NAMES), n))
    right = ease + luck > 0
    lure = rng.integers(1, 4, size=n)
    answer = np.where(
        right, 0, np.where(rng.random(right.shape) < 0.6, lure, rng.integers(1, 4, size=right.shape))
    )
    plausible = np.where(answer == 0, 1.0, np.where(answer == lure, 0.7, 0.0))
    score = option * plausible + own * luck + judge * (answer == answer[-1]) + rng.normal(size=right.shape)
    names = tuple(map(str, range(n)))
    return ModelItems(
        NAMES,
        names,
        right.astype(float),
        np.round(score, 2),
        FAMILIES,
        ("",) * n,
        answer,
        tuple("ABCD"),
        np.zeros(n, int),
    )


def test_areas_are_what_plain_loops_give():
    made = world()
    gone = np.random.default_rng(2).random(made.right.shape) < 0.1
    answer = np.where(gone, -1, made.answer)
    score = np.where(np.random.default_rng(3).random(made.right.shape) < 0.2, np.nan, made.confidence)
    table = reputation(replace(made, answer=answer), score=score)
    assert tuple(table.columns) == COLUMNS
    ranks = np.full(score.shape, np.nan)
    for row, values in zip(ranks, score, strict=True):
        there = np.isfinite(values)
        row[there] = (rankdata(values[there]) - 0.5) / there.sum()
    others = range(2, 8)  # model b is of the family of model a
    kept, heard, share, alone = [], [], [], 0
    for j in range(len(made.items)):
        if answer[0, j] < 0 or np.isnan(score[0, j]):
            continue
        same = [i for i in others if answer[i, j] == answer[0, j]]
        scores = [ranks[i, j] for i in same if np.isfinite(ranks[i, j])]
        if not scores:
            alone += 1
            continue
        kept.append(j)
        heard.append(np.mean(scores))
        share.append(len(same) / 6)
    right = made.right[0, kept]
    found = table.iloc[0]
    assert (found["n"], found["n_alone"], found["n_others"]) == (len(kept), alone, 6)
    assert found["own"] == pytest.approx(auroc2(right, score[0, kept]))
    assert found["of_others"] == pytest.approx(auroc2(right, heard))
    assert found["share"] == pytest.approx(auroc2(right, share))
    gap = delong_paired(right, score[0, kept], heard)
    assert (found["own_less_others_lower"], found["own_less_others_upper"]) == pytest.approx(
        (gap.lower, gap.upper)
    )


def test_wrong_answers_tell_a_score_of_the_answer_from_one_of_the_own_state():
    of_answer = reputation(world(6000)).iloc[0]
    of_state = reputation(world(6000, own=2.0, option=0.0)).iloc[0]
    for found in (
        of_answer,
        of_state,
    ):  # what cannot be told: the mean of many with the same answer beats either
        assert found["own_less_others_upper"] < 0
        assert abs(found["own_less_one"]) < 0.03
    assert of_answer["same_less_other_wrong_lower"] > 0.05
    assert of_state["same_less_other_wrong_lower"] < 0 < of_state["same_less_other_wrong_upper"]


def test_correlations_of_wrong_answers_are_those_of_pairs():
    made = world(4000)
    found = reputation(made, models=["a"]).iloc[0]
    same, other = [], []
    rng = np.random.default_rng(5)
    for j in np.flatnonzero(made.right[0] == 0):
        pools = [
            [
                i
                for i in range(2, 8)
                if (made.answer[i, j] == made.answer[0, j]) == alike and made.right[i, j] == 0
            ]
            for alike in (True, False)
        ]
        if all(pools):
            ranks = made.confidence[:, j]
            for into, pool in zip((same, other), pools, strict=True):
                into.append((ranks[0], ranks[rng.choice(pool)]))
    assert found["n_wrong_pairs"] == len(same)
    for name, pairs in (("same_wrong", same), ("other_wrong", other)):
        assert found[f"{name}"] == pytest.approx(spearmanr(*np.transpose(pairs))[0], abs=0.06)


def test_a_monotone_scale_and_the_order_of_items_change_nothing():
    made = world()
    order = np.random.default_rng(1).permutation(len(made.items))
    drawn = [name for name in COLUMNS if "one" in name or ("wrong" in name and name != "n_wrong")]
    found = reputation(made)
    scaled, moved = (
        reputation(replace(made, confidence=np.exp(made.confidence))),
        reputation(made.kept(order)),
    )
    pd.testing.assert_frame_equal(scaled, found)
    pd.testing.assert_frame_equal(moved.drop(columns=drawn), found.drop(columns=drawn))


def test_a_judge_that_hears_its_own_answers_is_told_from_one_that_knows_what_is_plausible():
    plausible = judge_follows(world(6000), "h")
    biased = judge_follows(world(6000, judge=1.0), "h")
    assert plausible.with_judge > 0.55  # lures are plausible to everybody
    assert plausible.lower < 0 < plausible.upper
    assert biased.lower > 0.05
    assert biased.with_judge > max(biased.with_each_peer)
    assert "h" not in set(biased.table["model"])
    assert len(biased.peers) == 5 and not {"a", "b"} <= set(biased.peers)


def test_what_cannot_be_asked_is_named():
    made = world(60)
    for changed, words in (
        (made.kept(models=["a"]), "one model, a"),
        (replace(made, answer=None), "needs the answers"),
    ):
        with pytest.raises(InputError, match=words):
            reputation(changed)
    with pytest.raises(InputError, match="no model z"):
        reputation(made, models=["z"])
    with pytest.raises(InputError, match="score must hold numbers"):
        reputation(made, score=np.full(made.right.shape, "sure"))
    with pytest.raises(InputError, match="shape"):
        reputation(made, score=np.zeros(3))
    with pytest.raises(InputError, match="no model z, whose scores"):
        judge_follows(made, "z")
    with pytest.raises(InputError, match="no model can be judged"):
        judge_follows(made.kept(np.arange(12)), "h")
