"""Pairs, families, reliability and commitment. Oracles: printed figures, closed forms, simulated models."""

import numpy as np
import pandas as pd
import pytest

from metacog.studies.study5_battery import contrasts, integrity, regulation, robustness, thinking
from metacog.studies.study5_battery.contrasts import FAMILIES
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import RETROSPECTIVE
from metacog.verdicts.outcomes import together, undecided

ROWS = load()
PER_TRACK = deltas(ROWS)
MEANS = mean_deltas(PER_TRACK)


def test_pairs_compare_the_same_items():
    estimate, lower, upper = thinking.more_right(
        ROWS[ROWS["track"] == "T1"], ("DeepSeek V3.2", "DeepSeek R1")
    )
    assert estimate == pytest.approx(100 * 18 / 98)  # 18 items that R1 alone gets right, none that V3.2 does
    share = 18 / 98
    half = 196 * np.sqrt(share * (1 - share) / 97)
    assert (estimate - lower, upper - estimate) == pytest.approx((half, half), rel=1e-4)


def test_a_delta_counts_in_pairs():
    """Oracle: pairs of a right and a wrong answer of one track, counted one by one."""
    found = thinking.thinking_effects(None)
    own = PER_TRACK[PER_TRACK["track"].isin(RETROSPECTIVE)]
    both = own.pivot(index="track", columns="model", values="delta")
    gaps = both["Qwen 80B Think"] - both["Qwen 80B Inst"]
    assert found.points["points"].iloc[0] == pytest.approx(gaps.mean())
    won = []
    for model in ("Qwen 80B Think", "Qwen 80B Inst"):
        rows = ROWS[(ROWS["model"] == model) & ROWS["track"].isin(gaps.dropna().index) & ROWS["judged"]]
        won.append(
            [
                np.mean(
                    [
                        (a > b) + (a == b) / 2
                        for a in t.loc[t["correct"], "keep"]
                        for b in t.loc[~t["correct"], "keep"]
                    ]
                )
                for _, t in rows.groupby("track")
            ]
        )
    assert found.effects["pairs"].iloc[0] == pytest.approx(100 * np.subtract(*np.mean(won, axis=1)))


def test_habit_alone_is_that_of_an_observer_who_tells_as_well():
    rng = np.random.default_rng(3)
    kept = thinking.thinking_effects(None).kept.set_index("model")
    off, on = kept.loc["Qwen 80B Inst"], kept.loc["Qwen 80B Think"]
    right, wrong = rng.normal(size=(2, 200_000))
    cut = np.quantile(right, 1 - off["right"] / 100)
    apart = np.quantile(wrong, 1 - off["wrong"] / 100) - cut  # how far wrong answers lie below right ones
    moved = np.quantile(right, 1 - on["right"] / 100)
    assert 100 * (wrong > moved + apart).mean() == pytest.approx(on["habit"], abs=0.5)
    assert np.isnan(off["habit"]) and 0 < on["as_many"] < 100


@pytest.mark.parametrize(
    ("values", "course"),
    [
        *[([1, 9, 20], "rises"), ([20, 9, 1], "falls"), ([1, 3, 2], "flat"), ([1, 20, 9], "mixed")],
        ([1, np.nan, 3], ""),
    ],
)
def test_courses(values, course):
    assert contrasts.course_of(values) == course


def on_sizes(rows, copied):
    """What is said of each family: its order, the change, and why either is open."""
    told = [(name, contrasts.on_size(name, contrasts.scaling(rows), copied)) for name in FAMILIES]
    return [
        (together(t, f"order, {n}"), together(t, f"change, {n}"), undecided(t, f"order, {n}"))
        for n, t in told
    ]


def test_a_file_that_two_sizes_share_leaves_their_family_open():
    copied = integrity.copied(ROWS)
    order, change, why = zip(*on_sizes(ROWS, copied), strict=True)
    assert ["same file" in one for one in why] == [False, False, True]
    assert order == (True, True, None) and change == (None, None, None)  # no interval leaves out zero
    order, *_ = zip(*on_sizes(ROWS, copied.iloc[:0]), strict=True)
    assert order == (True, True, True)


@pytest.mark.parametrize(
    ("claim", "course", "ends", "passed"),
    [
        *[("rises", "rises", (2, 9), True), ("rises", "mixed", (2, 9), None)],
        *[("rises", "falls", (-9, -2), False), ("rises", "", (np.nan, np.nan), None)],
        *[
            ("falls", "falls", (-9, -2), True),
            ("falls", "falls", (-9, 2), None),
            ("falls", "rises", (2, 9), False),
        ],
        *[("flat", "flat", (-4, 4), True), ("flat", "flat", (-9, 4), None), ("flat", "rises", (6, 9), False)],
    ],
)
def test_a_course_is_refuted_only_by_an_interval_on_the_other_side(claim, course, ends, passed):
    assert contrasts.settled(claim, course, *ends) is passed


def test_a_cut_bell_curve_has_the_d_of_its_simulation():
    rng = np.random.default_rng(1)
    values = rng.normal(10, 10, 200_000)
    _, bell = robustness.split_d(pd.DataFrame({"delta": values}))
    above, below = values[values >= 15], values[values < 15]
    spread = np.sqrt((above.var() * above.size + below.var() * below.size) / values.size)
    assert bell == pytest.approx((above.mean() - below.mean()) / spread, rel=0.01)


def test_kinds_are_dealt_evenly_and_chance_takes_the_odd_one():
    kind = np.repeat([0, 1, 2], [4, 7, 1])
    dealt = np.array([robustness.split(kind, np.random.default_rng(seed)) for seed in range(400)])
    sizes = np.stack([dealt[:, kind == k].sum(axis=1) for k in range(3)])
    assert set(sizes[0]) == {2} and set(sizes[1]) == {3, 4} and set(sizes[2]) == {0, 1}
    assert np.abs(dealt.mean(axis=0) - 0.5).max() < 0.1  # four standard errors
    assert len({tuple(row) for row in dealt}) > 200


def test_halves_are_compared_by_the_deltas_of_each():
    answers, kind, track = robustness.answers_of(ROWS)
    half = robustness.split(kind, np.random.default_rng(3))
    own = ROWS[ROWS["track"].isin(RETROSPECTIVE)]
    items = own.pivot(index="model", columns=["track", "item_type", "item"], values="keep").columns
    first = {(t, i) for (t, _, i), mine in zip(items, half, strict=True) if mine}
    mine = np.array([(t, i) in first for t, i in zip(own["track"], own["item"], strict=True)])
    one, other = (
        deltas(part).set_index(["model", "track"])["delta"].unstack() for part in (own[mine], own[~mine])
    )
    both = one.notna() & other.notna()
    enough = both.sum(axis=1) >= 2
    x, y = (side.where(both).mean(axis=1)[enough] for side in (one, other))
    r, n = robustness.compared(answers, track, half)["withdraw delta"]
    assert n == enough.sum() and r == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_reliability_of_simulated_models_is_that_of_classical_test_theory():
    """Rates p of independent answers: var(p) over var(p) and the mean error of the mean of five tracks."""
    rng = np.random.default_rng(5)
    items = ROWS[(ROWS["model"] == "GLM-5") & ROWS["track"].isin(RETROSPECTIVE)]
    ability = rng.uniform(0.6, 0.9, 80)
    made = pd.concat(
        items.assign(model=f"m{k}", correct=rng.random(len(items)) < p, keep=rng.random() < 0.5)
        for k, p in enumerate(ability)
    )
    sizes = items.groupby("track").size()
    error = np.mean(ability * (1 - ability)) * (1 / sizes).sum() / 25
    table = robustness.item_halves(made, 200, 1).set_index("measure")
    expected = ability.var() / (ability.var() + error)
    assert table.at["right", "whole"] == pytest.approx(expected, abs=0.03)
    assert table.at["right", "models"] == 80 and table.at["KEEP", "r"] == pytest.approx(1)


def test_on_the_published_responses_deltas_are_less_reliable_than_rates():
    table = robustness.item_halves(ROWS, 100, 42).set_index("measure")
    assert table.loc["withdraw delta", "whole"] < 0.8 < 0.95 < table.loc["right", "whole"]
    again = robustness.item_halves(ROWS, 100, 42).set_index("measure")
    pd.testing.assert_frame_equal(table, again)


def test_families_are_judged_where_no_two_files_are_alike():
    rng = np.random.default_rng(3)
    rows = ROWS.assign(**{name: rng.random(len(ROWS)) < 0.6 for name in ("correct", "keep", "bet")})
    twins = integrity.identical(rows)
    assert twins.empty and not any("same file" in why for *_, why in on_sizes(rows, twins))


def test_paths_by_tier_and_right_answers_by_path_are_counts():
    rows = load()
    tiers = regulation.paths_by_tier(rows).set_index(["model", "tier"])
    own = rows[(rows["model"] == "DeepSeek V3.2") & (rows["track"] == "T6") & (rows["level"] == "extreme")]
    direct = (own["path"] == "ANSWER_DIRECTLY").sum()
    assert len(tiers) == 80 and tiers.at[("DeepSeek V3.2", "extreme"), "direct"] == pytest.approx(
        100 * direct / 18
    )
    assert tiers.at[("DeepSeek R1", "easy"), "told"].endswith("declined 100 %")
    paths = regulation.by_path(rows).set_index("path")
    hinted = rows[(rows["track"] == "T6") & (rows["path"] == "REQUEST_HINT")]
    assert (paths.at["REQUEST_HINT", "items"], "DECLINE" in paths.index) == (len(hinted), False)
    assert paths.at["REQUEST_HINT", "accuracy"] == pytest.approx(hinted["correct"].mean())
