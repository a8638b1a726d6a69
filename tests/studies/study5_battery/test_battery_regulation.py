"""Pairs, families, reliability and commitment. Oracles: printed figures, closed forms, simulated models."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from metacog.studies.study5_battery import measures, paper, regulation, regulation_contrasts
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import deltas, mean_deltas
from metacog.studies.study5_battery.paper import MODELS, RETROSPECTIVE

ROWS = load()
PER_TRACK = deltas(ROWS)
MEANS = mean_deltas(PER_TRACK)


def test_pairs_compare_the_same_items():
    table = regulation_contrasts.pair_table(ROWS).set_index(["first", "track"])
    row = table.loc[("DeepSeek R1", "T1")]
    assert (row["only_a"], row["only_b"]) == (18, 0) and row["p"] == pytest.approx(2 * 0.5**18)
    assert np.isnan(row["difference"])
    whole = table.loc[("Qwen 80B Think", "mean")]
    assert whole["difference"] == pytest.approx(whole["delta_a"] - whole["delta_b"])


@pytest.mark.parametrize(
    ("values", "course"),
    [
        ([1, 9, 20], "rises"),
        ([20, 9, 1], "falls"),
        ([1, 3, 2], "flat"),
        ([1, 20, 9], "mixed"),
        ([1, np.nan, 3], ""),
    ],
)
def test_courses(values, course):
    assert regulation_contrasts.course_of(values) == course


def test_scaling_verdicts_name_a_file_that_two_sizes_share():
    pairs = measures.identical(ROWS)
    copied = pairs[pairs["copied"]]
    verdicts = regulation_contrasts.scaling_verdicts(ROWS, copied)
    order, told = verdicts[::2], verdicts[1::2]
    assert ["same file" in v.values["twins"] for v in order] == [False, False, True]
    assert [v.passed for v in order] == [True, True, None]
    assert [v.passed for v in told] == [None, None, None]  # no interval leaves out zero
    alone = regulation_contrasts.scaling_verdicts(ROWS, copied.iloc[:0])
    assert [v.passed for v in alone[::2]] == [True, True, True]


@pytest.mark.parametrize(
    ("claim", "course", "ends", "passed"),
    [
        ("rises", "rises", (2, 9), True),
        ("rises", "mixed", (2, 9), None),
        ("rises", "falls", (-9, -2), False),
        ("falls", "falls", (-9, -2), True),
        ("falls", "falls", (-9, 2), None),
        ("falls", "rises", (2, 9), False),
        ("flat", "flat", (-4, 4), True),
        ("flat", "flat", (-9, 4), None),
        ("flat", "rises", (6, 9), False),
        ("rises", "", (np.nan, np.nan), None),
    ],
)
def test_a_course_is_refuted_only_by_an_interval_on_the_other_side(claim, course, ends, passed):
    assert regulation_contrasts.settled(claim, course, *ends) is passed


def test_auroc2_and_delta_are_compared_on_different_answers():
    crossed, *_ = regulation.PAIRS
    table = regulation.half_against_half(ROWS, 40, 42).set_index("pair")["rho"]
    same = measures.measured(ROWS).merge(MEANS[["model", "delta"]], on="model")
    together = stats.spearmanr(same["auroc2"], same["delta"], nan_policy="omit").statistic
    assert table[crossed] < together - 0.2
    # models without knowledge of their answers: nothing carries over from one half to the other
    rng = np.random.default_rng(2)
    rate = dict(zip(MODELS.values(), rng.uniform(0.3, 0.8, 20), strict=True))
    reported = {name: rng.random(len(ROWS)) < ROWS["model"].map(rate) for name in ("keep", "bet")}
    blind = regulation.half_against_half(ROWS.assign(**reported), 40, 42).set_index("pair")["rho"]
    assert abs(blind[crossed]) < 0.3


def test_printed_reliability_comes_out_to_its_last_digit():
    printed = paper.as_text("reliability").set_index("statistic")["value"].astype(float)
    halves, apart = regulation.split_half(ROWS), regulation.profiles_apart(MEANS)
    found = [halves.pearson.r, halves.whole, apart.d, apart.lower, apart.upper]
    assert np.round(found, 3) == pytest.approx(printed.iloc[:5].to_numpy(), abs=1e-9)
    assert round(regulation.dissociation(ROWS).pearson.r, 2) == printed.iloc[5]
    assert (halves.pearson.n, apart.n_c, apart.n_a) == (19, 8, 5)


def test_a_cut_bell_curve_has_the_d_of_its_simulation():
    rng = np.random.default_rng(1)
    values = rng.normal(10, 10, 200_000)
    _, bell = regulation.split_d(pd.DataFrame({"delta": values}), threshold=15)
    above, below = values[values >= 15], values[values < 15]
    spread = np.sqrt((above.var() * above.size + below.var() * below.size) / values.size)
    assert bell == pytest.approx((above.mean() - below.mean()) / spread, rel=0.01)


def test_kinds_are_dealt_evenly_and_chance_takes_the_odd_one():
    kind = np.repeat([0, 1, 2], [4, 7, 1])
    dealt = np.array([regulation.split(kind, np.random.default_rng(seed)) for seed in range(400)])
    sizes = np.stack([dealt[:, kind == k].sum(axis=1) for k in range(3)])
    assert set(sizes[0]) == {2} and set(sizes[1]) == {3, 4} and set(sizes[2]) == {0, 1}
    assert np.abs(dealt.mean(axis=0) - 0.5).max() < 0.1  # four standard errors
    assert len({tuple(row) for row in dealt}) > 200


def test_halves_are_compared_by_the_deltas_of_each():
    answers, kind, track = regulation.answers_of(ROWS)
    half = regulation.split(kind, np.random.default_rng(3))
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
    r, n = regulation._compared(answers, track, half)[regulation.MEASURES.index("withdraw delta")]
    assert n == enough.sum() and r == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_reliability_of_simulated_models_is_that_of_classical_test_theory():
    """Rates p of independent answers: var(p) over var(p) and the mean error of the mean of five tracks."""
    rng = np.random.default_rng(5)
    items = ROWS[(ROWS["model"] == "GLM-5") & ROWS["track"].isin(RETROSPECTIVE)]
    ability = rng.uniform(0.6, 0.9, 80)
    made = pd.concat(
        [
            items.assign(model=f"m{k}", correct=rng.random(len(items)) < p, keep=rng.random() < 0.5)
            for k, p in enumerate(ability)
        ]
    )
    sizes = items.groupby("track").size()
    error = np.mean(ability * (1 - ability)) * (1 / sizes).sum() / 25
    table = regulation.item_halves(made, 200, 1).set_index("measure")
    expected = ability.var() / (ability.var() + error)
    assert table.at["right", "whole"] == pytest.approx(expected, abs=0.03)
    assert table.at["right", "models"] == 80 and table.at["KEEP", "r"] == pytest.approx(1)


def test_on_the_published_responses_deltas_are_less_reliable_than_rates():
    table = regulation.item_halves(ROWS, 100, 42).set_index("measure")
    assert table.loc["withdraw delta", "whole"] < 0.8 < 0.95 < table.loc["right", "whole"]
    assert (table["lower"] <= table["r"]).all() and (table["r"] <= table["upper"]).all()
    again = regulation.item_halves(ROWS, 100, 42).set_index("measure")
    pd.testing.assert_frame_equal(table, again)


def test_families_are_judged_where_no_two_files_are_alike():
    rows = load()
    rng = np.random.default_rng(3)
    rows = rows.assign(**{name: rng.random(len(rows)) < 0.6 for name in ("correct", "keep", "bet")})
    twins = measures.identical(rows)
    assert twins.empty and len(
        regulation_contrasts.scaling_verdicts(rows, twins[twins["copied"]])
    ) == 2 * len(regulation_contrasts.FAMILIES)
