"""An answer's reputation and what a judge hears: against plain loops, and worlds with known answers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import whom_to_ask as simulation
from crowd_observers import arranged
from scipy.stats import rankdata

from metacog.core.paths import project_root
from metacog.measures.model_items import CONSTANT, ModelItems
from metacog.measures.reputation import ALIKE, COLUMNS, judge_follows, reputation, wrong_alike
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
    known = {"answer": answer, "key": np.zeros(n, int)}
    return arranged(right, np.round(score, 2), FAMILIES, names=NAMES, **known)


def test_areas_are_what_plain_loops_give():
    made = world()
    gone = np.random.default_rng(2).random(made.right.shape) < 0.1
    answer = np.where(gone, -1, made.answer)
    score = np.where(np.random.default_rng(3).random(made.right.shape) < 0.2, np.nan, made.confidence)
    table = reputation(replace(made, answer=answer), score=score)
    assert tuple(table.columns) == COLUMNS
    ranks = shares(score)
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


def test_right_and_wrong_do_not_tell_a_score_of_the_answer_from_one_of_the_own_state():
    of_answer, of_state = (reputation(one).iloc[0] for one in (world(6000), world(6000, own=2.0, option=0.0)))
    for found in (of_answer, of_state):  # the mean of many with the same answer beats either
        assert found["own_less_others_upper"] < 0
        assert abs(found["own_less_one"]) < 0.03


def residuals(y, *others):
    design = np.column_stack([np.ones(y.size), *others])
    return y - design @ np.linalg.lstsq(design, y, rcond=None)[0]


def shares(values):
    ranks = np.full(values.shape, np.nan)
    for row, one in zip(ranks, values, strict=True):
        there = np.isfinite(one)
        row[there] = (rankdata(one[there]) - 0.5) / there.sum()
    return ranks


def test_wrong_replies_go_together_as_plain_loops_over_pairs_say():
    made = world(3000, own=0.5)
    rng = np.random.default_rng(4)
    stated = made.confidence + rng.normal(size=made.right.shape)
    stated[rng.random(stated.shape) < 0.1] = np.nan
    stated[5] = np.nan  # who states nothing stands beside nobody
    answer = np.where(rng.random(stated.shape) < 0.05, -1, made.answer)
    found = wrong_alike(
        replace(made, answer=answer), {"tone": made.confidence, "stated": stated}, models=["a", "f"]
    )
    assert tuple(found.columns) == ALIKE
    tone, said, given = shares(made.confidence), shares(stated), []
    for other in range(2, 8):  # model b is of the family of model a
        both = (made.right[[0, other]] == 0).all(axis=0) & (answer[[0, other]] >= 0).all(axis=0)
        same = answer[0] == answer[other]
        row = []
        for kind in (both & same, both & ~same):
            row.append(np.corrcoef(tone[0, kind], tone[other, kind])[0, 1])
            known = kind & np.isfinite(said[[0, other]]).all(axis=0)
            if other == 5:
                row += [np.nan] * 3
                continue
            x, y, z, w = tone[0, known], tone[other, known], said[0, known], said[other, known]
            row += [np.corrcoef(x, y)[0, 1], np.corrcoef(z, w)[0, 1]]
            row.append(np.corrcoef(residuals(x, z, w), residuals(y, z, w))[0, 1])
        given.append(row)
    alone, heard, numbers, left, *apart = np.nanmean(given, axis=0)
    first, beside, silent_tone, silent = found.to_dict("records")
    assert (first["n_others"], beside["n_others"], silent_tone["n_others"]) == (6, 5, 7)
    assert silent["n_others"] == 0 and silent["flag"].startswith("fewer than 30 wrong answers")
    assert (first["same_wrong"], first["other_wrong"]) == pytest.approx((alone, apart[0]))
    assert (beside["same_wrong"], beside["other_wrong"]) == pytest.approx((numbers, apart[2]))
    assert beside["falls_more"] == pytest.approx(heard - apart[1] - (numbers - apart[2]))
    assert beside["in_proportion"] == pytest.approx(heard * apart[2] - apart[1] * numbers)
    assert (beside["beyond_same"], beside["beyond_other"]) == pytest.approx((left, apart[3]))


def test_intervals_of_wrong_replies_are_those_of_resampled_items():
    made = world(1500, own=0.5)
    scores = {
        "tone": made.confidence,
        "stated": made.confidence + np.random.default_rng(4).normal(size=(8, 1500)),
    }
    rows = wrong_alike(made, scores, models=["a"]).set_index("score")
    rng, again = np.random.default_rng(5), []
    for _ in range(60):
        at = rng.integers(0, 1500, 1500)
        moved = wrong_alike(made.kept(at), {k: v[:, at] for k, v in scores.items()}, models=["a"])
        again.append(moved.set_index("score"))
    for score, column in (
        ("tone", "same_less_other"), ("stated", "falls_more"), ("stated", "in_proportion"), ("stated", "beyond_less"),
    ):  # fmt: skip
        sd = np.std([one.loc[score, column] for one in again], ddof=1)
        width = (rows.loc[score, f"{column}_upper"] - rows.loc[score, f"{column}_lower"]) / 2
        assert width == pytest.approx(1.96 * sd, rel=0.35), column  # 60 resamples: an error of 9 %


def test_a_score_that_never_varies_is_named():
    made = world(600)
    flat = wrong_alike(made, {"tone": made.confidence, "stated": np.ones(made.right.shape)}, models=["a"])
    assert flat["flag"].tolist() == ["", CONSTANT]
    assert flat[["same_wrong", "falls_more"]].iloc[1].isna().all()
    with pytest.raises(InputError, match="no score"):
        wrong_alike(made, {})


def simulated():
    table = pd.read_csv(project_root() / "data/simulations/whom_to_ask.csv")
    return table[table["measure"] == "wrong_alike"].set_index(["world", "quantity"])


def test_what_tells_of_the_answer_is_rarely_claimed_where_scores_know_nothing_of_it():
    """The world of issue 50: the rule of before says yes, whoever gave the same answer being another kind of model."""
    table = simulated()
    kept = "rule: falls_more and in_proportion"
    for name, (kind, _, noise, look) in simulation.ALIKE.items():
        rules = table.loc[name]
        assert (rules["n_runs"] == simulation.N_SETS).all()
        if look == 0 and kind != "question":
            assert rules.loc[kept, "above_0"] == 0 and rules.loc[kept, "mean"] < 0.05
        if kind in ("state", "difficulty"):
            assert rules.loc["rule: one drawn", "above_0"] >= simulation.N_SETS / 2
        if kind == "doubt" and look == 0 and noise > 1:
            assert rules.loc["rule: beyond_less", "above_0"] >= simulation.N_SETS / 2
    assert table.loc[("look of the answer", kept), "above_0"] == simulation.N_SETS
    # what cannot be told
    assert (
        table.loc[("doubt of the answer, the number of the question", kept), "above_0"] == simulation.N_SETS
    )


def test_intervals_of_wrong_replies_hold_the_truth_in_the_simulated_worlds():
    values = simulated().drop(index=[key for key in simulated().index if key[1].startswith("rule")])
    assert len(values) == 5 * len(simulation.ALIKE)
    assert (values["covers"] >= 15).all()  # of 20 at .95, fewer come in three of ten thousand rows
    assert values["covers"].mean() > 18


def test_a_set_of_the_simulated_worlds_comes_out_as_stored():
    name = "doubt of the answer, faint in the number"
    table, found = simulated().loc[name], simulation.alike(name, simulation.N, 0)
    assert found.keys() == set(table.index)
    for quantity, row in table.iterrows():
        assert found[quantity][0] == pytest.approx(row["mean"], abs=4.5 * row["sd"] + 5e-5), quantity


def test_a_monotone_scale_and_the_order_of_items_change_nothing():
    made = world()
    order = np.random.default_rng(1).permutation(len(made.items))
    drawn = [name for name in COLUMNS if "one" in name]
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
