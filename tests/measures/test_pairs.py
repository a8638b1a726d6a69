"""Pairs and ranks of models, the order of parts. Oracles: the general comparison and simulated orders."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.imports.own_trials import PAIRS_NOTED, pairs_text, terminal_table
from metacog.measures import pairs as module
from metacog.measures.cell import Measured
from metacog.measures.pairs import differences, letters, rank_table, together
from metacog.measures.table import Options, compare_models, measure_table, order_table
from metacog.sdt.compare import compare_paired
from metacog.sdt.families import BOTH, NORMAL, difference_interval, difference_p
from metacog.verdicts.measures import ranked_parts

OPTIONS = Options(n_resamples=500, n_permutations=50)


def trials(noise, n=300, seed=0, domains=1, spread=0.0):
    """Models that rank their answers with some noise; later domains with more."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    frames = []
    for i, sd in enumerate(noise):
        domain = np.arange(n) % domains
        score = x + (sd + spread * domain) * rng.normal(size=n)
        frames.append(
            pd.DataFrame(
                {
                    "model": f"m{i}",
                    "question_id": [f"q{k:04d}" for k in range(n)],
                    "domain": [f"d{k}" for k in domain],
                    "temperature": 1.0,
                    "correct": rng.random(n) < 1 / (1 + np.exp(-2 * x)),
                    "score": np.round(score, 1),
                    "confidence": np.nan,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def compared(table, options=OPTIONS):
    measures, models = measure_table(table, options, ("model",))
    found = compare_models(table, models, options)
    return measures, models, found


def test_a_pair_is_what_the_general_comparison_makes_of_it():
    table = trials([0.3, 1.0])
    found = compared(table)[2].set_index("quantity").loc["auroc2"]
    a, b = (table[table["model"] == m] for m in ("m0", "m1"))
    same = compare_paired(
        a["correct"],
        a["score"],
        b["correct"],
        b["score"],
        clusters_a=a["question_id"],
        clusters_b=b["question_id"],
        n_resamples=500,
        n_permutations=50,
    )
    assert found["difference"] == pytest.approx(same.difference)
    wide = difference_interval(same.draws, same.difference, 0.95, BOTH, n_units=300)
    assert (found["lower"], found["upper"]) == pytest.approx(tuple(wide))
    assert found["p"] == pytest.approx(difference_p(same.draws, same.difference, method=BOTH, n_units=300))
    assert found["p"] >= same.p_bootstrap and found["method"] == BOTH


def test_pairs_are_judged_as_one_family_however_many():
    """Eleven models are 55 pairs, more than were compared before."""
    measures, models, found = compared(trials([0.2] * 6 + [2.5] * 5))
    area = found[found["quantity"] == "auroc2"]
    assert len(area) == 55 and (area["method"] == NORMAL).all()
    across = (area["first"] < "m6") & ~(area["second"] < "m6") | area["second"].eq("m10")
    assert area.loc[area["differs"], "second"].isin(["m6", "m7", "m8", "m9", "m10"]).all()
    assert area.loc[across, "differs"].mean() > 0.8
    ranks = rank_table(models, found)
    mine = ranks[ranks["quantity"] == "auroc2"]
    assert mine["model"].iloc[0] < "m6" and (mine["set_lower"] == 1).sum() >= 6
    printed = terminal_table(measures, ranks).splitlines()
    assert len(printed) == 12 and "by AUROC2" in printed[0]
    told = pairs_text(found)
    assert f"{area['differs'].sum()} of 55" in told and PAIRS_NOTED["many"].format(n=55) in told


def test_equal_models_are_not_told_apart():
    _, models, found = compared(trials([0.8] * 5, seed=3))
    assert not found["differs"].any()
    ranks = rank_table(models, found)
    assert (ranks["group"] == "a").all()
    assert (ranks["set_lower"] == 1).all() and (ranks["set_upper"] == 5).all()


def test_models_with_other_questions_are_paired_on_those_they_share():
    table = trials([0.3, 1.0, 1.0])
    last = table["model"].eq("m2") & table["question_id"].lt("q0200")
    table = table[~last]
    found = compared(table)[2].set_index(["first", "second", "quantity"])
    assert found["n_shared"].groupby(["first", "second"]).first().to_dict() == {
        ("m0", "m1"): 300,
        ("m0", "m2"): 100,
        ("m1", "m2"): 100,
    }
    assert found["paired"].all()
    shared = table[table["question_id"].ge("q0200") & table["model"].ne("m1")]
    right = shared.groupby("model")["correct"].mean()
    assert found.loc[("m0", "m2", "accuracy"), "difference"] == pytest.approx(right["m0"] - right["m2"])


def test_the_limit_of_paired_resampling_is_reported(monkeypatch):
    monkeypatch.setattr(module, "MOST_RESAMPLED", 2)
    table = trials([0.3, 1.0, 1.0])
    found = compared(table)[2]
    assert found.groupby("quantity")["paired"].sum().tolist() == [1, 1, 1]
    assert found["p_holm"].notna().all()
    assert PAIRS_NOTED["unpaired"].format(n=2) in pairs_text(found)


def test_letters_go_on_after_z():
    assert [letters(i) for i in (0, 25, 26, 27, 52)] == ["a", "z", "aa", "ab", "ba"]


def test_the_order_of_domains_is_judged_by_ranks_and_not_by_extremes():
    """Six equal domains: the lowest and the highest interval may part, but no order is known."""
    equal = trials([0.8], n=1800, seed=7, domains=6)
    order = order_table(equal, OPTIONS, "domain")
    assert len(order) == 6
    assert (order["set_lower"] == 1).all() and (order["set_upper"] == 6).all()
    assert order["order_probability"].iloc[0] < 0.2
    ((_, ranked),) = ranked_parts(order, "domain")
    assert len(ranked) == 6
    apart = trials([0.1], n=1800, seed=8, domains=3, spread=1.5)
    order = order_table(apart, OPTIONS, "domain").set_index("part")
    assert order.loc["d0", ["rank", "set_lower", "set_upper"]].tolist() == [1, 1, 1]
    ((_, ranked),) = ranked_parts(order.reset_index(), "domain")
    table, _ = measure_table(apart, OPTIONS, ("domain",))
    assert ranked["part"].iloc[0] == table.loc[table["auroc2"].idxmax(), "domain"] == "d0"


def test_temperatures_share_questions_and_are_resampled_together():
    """The same answers at two temperatures, one score a little worse: paired, the order is certain."""
    one = trials([0.8], n=400, seed=2)
    worse = one["score"] + np.where(one["correct"], -0.25, 0.25)
    both = pd.concat([one, one.assign(temperature=0.5, score=worse)], ignore_index=True)
    order = order_table(both, OPTIONS, "temperature").set_index("part")
    assert order.loc["1", "p_highest"] == 1 and order.loc["0.5", "set_lower"] == 2
    split = both.assign(question_id=np.arange(len(both)).astype(str))
    apart = order_table(split, OPTIONS, "temperature").set_index("part")
    assert 0.5 < apart.loc["1", "p_highest"] < 1


def test_a_part_that_cannot_be_judged_is_left_out():
    table = trials([0.5], n=900, domains=3)
    table.loc[table["domain"] == "d1", "correct"] = True
    order = order_table(table, OPTIONS, "domain").set_index("part")
    assert np.isnan(order.loc["d1", "rank"]) and sorted(order["rank"].dropna()) == [1, 2]
    assert order_table(trials([0.5]), OPTIONS, "domain").empty


def test_differences_of_normal_draws_have_normal_limits():
    rng = np.random.default_rng(0)
    one, two = (np.r_[m, rng.normal(m, sd, 200_000)] for m, sd in ((1.0, 0.3), (0.0, 0.4)))
    cells = {"a": Measured.drawn(x=one), "b": Measured.drawn(x=two), "none": Measured.drawn()}
    table = differences(cells, "x", paired=False, bound=2.0).set_index(["first", "second"])
    row = table.loc["a", "b"]
    assert row["difference"] == 1.0
    assert row["lower"] == pytest.approx(1 - 1.96 * 0.5, abs=0.01)
    assert row["p"] == pytest.approx(0.0455, abs=0.004)  # two-sided normal tail at z = 2
    assert row["p_equivalent"] == pytest.approx(0.0228, abs=0.002)  # one-sided, two sd from the bound
    wide = differences(cells, "x", paired=False, level=0.9).set_index(["first", "second"])
    assert wide.loc[("a", "b"), "upper"] == pytest.approx(1 + 1.645 * 0.5, abs=0.01)
    assert table.drop(("a", "b")).isna().all(axis=None)


def test_draws_of_independent_cells_are_those_of_their_own_intervals():
    def cell(shift: float) -> Measured:
        draws = {"x": np.array([1.0, 2.0]) + shift, "plugin_x": np.array([5.0, 7.0]) * shift}
        return Measured({"x": shift}, {}, (), draws)

    assert together(cell(3.0), cell(1.0), "x").draws.tolist() == [10.0, 14.0]
    assert together(cell(3.0), cell(1.0), "x", paired=False).draws.tolist() == [2.0, 2.0]
