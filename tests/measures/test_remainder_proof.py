"""The stored simulation of a leaderboard keeps what the measures within difficulty promise."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from metacog.core.paths import project_root
from metacog.measures.own_and_others import DIAGONAL
from metacog.studies.study6_frontier.self_knowledge import WORLDS
from metacog.verdicts.self_knowledge import FEW_HEARD

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import self_knowledge_frontier as simulation

TABLE = "data/simulations/self_knowledge_frontier.csv"


@pytest.fixture(scope="module")
def worlds() -> pd.DataFrame:
    return pd.read_csv(project_root() / WORLDS)


@pytest.fixture(scope="module")
def stored() -> pd.DataFrame:
    return pd.read_csv(project_root() / TABLE)


def test_a_reader_of_difficulty_alone_is_left_with_nothing(stored):
    nothing = stored[stored["section"] == "difficulty"]
    assert len(nothing) == 3 and (nothing["n_runs"] == 200).all()
    # 181 of 200 is what an interval that covers .95 keeps with probability .998
    assert binom.cdf(180, 200, 0.95) < 0.005
    assert (nothing["holds_0"] >= 181).all() and (nothing["beyond_holds_0"] >= 181).all()
    # without the correction most intervals exclude one half where errors are many enough to tell
    assert nothing["uncorrected_above_half"].max() >= 100


def test_a_slice_of_the_simulation_comes_out_as_stored(stored, monkeypatch):
    monkeypatch.setattr(simulation, "N_RESAMPLES", 20)
    row = stored[(stored["section"] == "own state") & (stored["model"] == simulation.JUDGED[-1])].iloc[0]
    (made,) = simulation.recovery_rows("own state", [1.0], 2, 42, simulation.JUDGED[-1:])
    for name in ("true_information", "true_share"):  # by quadrature
        assert made[name] == pytest.approx(row[name], abs=1e-4)
    for name in ("corrected", "share"):  # means of 2 runs
        assert made[name] == pytest.approx(row[name], abs=4 * row[f"{name}_sd"] / np.sqrt(2))
    assert made["above_0"] == made["n_runs"] == 2


def test_recovered_shares_rise_with_true_ones(stored):
    mixed = stored[stored["section"].isin(["difficulty", "mixtures", "own state"])]
    for _, mine in mixed.groupby("model"):
        ordered = mine.sort_values("true_share")
        assert len(ordered) == 9
        assert ordered["share"].corr(ordered["true_share"], method="spearman") > 0.9
    own = stored[stored["section"] == "own state"]
    assert (own["above_0"] == own["n_runs"]).all() and (own["share"] > 1).all()


def test_the_program_makes_as_many_runs_as_are_stored(stored):
    """So that `make validate`, which names no sizes, makes this table again."""
    option = dict.fromkeys(simulation.SECTIONS, "mixtures") | {
        "difficulty": "runs",
        "misconceptions": "odd",
        "wrong keys": "odd",
        "coverage": "coverage",
    }
    found = stored.groupby("section")["n_runs"].agg(["min", "max"])
    assert set(found.index) == set(simulation.SECTIONS)
    for section, (least, most) in found.iterrows():
        assert least == most == simulation.RUNS[option[section]]


def test_errors_of_shares_are_those_stated(stored):
    assert stored.loc[stored["section"] == "mixtures", "share_bias"].round(2).between(-0.04, 0.01).all()
    nothing = stored[stored["section"] == "difficulty"]
    assert (nothing["share_bias"].abs() < 0.01).all() and (nothing["corrected"].abs() < 0.002).all()


def test_two_kinds_of_difficulty_need_a_placebo(stored):
    blends = stored[stored["section"] == "two difficulties"]
    assert len(blends) == 3 and blends["corrected"].abs().max() < 0.03 and blends["share"].abs().max() < 0.065
    assert blends["above_0"].max() > 50  # by itself the corrected area takes them for self-knowledge


#: Confidence that reads nearly nothing but how plausible anybody finds the answer given, and the same with more noise.
WORST = "plausible answers, little noise"
PLAUSIBLE = ("plausible answers, as much noise", "plausible answers, much noise")


def test_without_self_knowledge_at_most_one_in_twenty_is_called_self_knowing_but_in_the_worst_world(worlds):
    nothing = worlds[worlds["self_share"] == 0]
    assert nothing["world"].nunique() == 11 and (nothing.groupby("world").size() == 2).all()
    for row in nothing[
        ~nothing["world"].str.startswith(WORST)
    ].itertuples():  # no more often than a rate of .05 can give
        assert row.called_self_knowing <= binom.ppf(0.999, row.n_runs, 0.05)
    # although some would have been: the blend of the one is too far from all others
    both = nothing[nothing["world"].str.startswith("two difficulties")]
    assert both["own_less_placebo_above_0"].max() > 0.5 * both["n_runs"].max()


def test_how_plausible_an_answer_is_passes_every_test_but_that_of_the_same_answer(worlds):
    table = worlds.set_index("world")
    for name in (WORST, PLAUSIBLE[0]):
        own = table.loc[name]
        assert (own["own_less_placebo_above_0"] == own["n_runs"]).all()
        assert (own["added_above_0"] == own["n_runs"]).all()
        assert (own["blend"] < 0.05 * own["added"]).all()
    # read with little noise it is not told quite as well by some dozens of others, and not always called nothing
    assert table.loc[WORST, "called_self_knowing"].sum() > 0
    asked = table.loc["plausible questions"]
    assert (asked["own_less_placebo_above_0"] + asked["blend_above_0"]).sum() <= binom.ppf(
        0.999, 2 * asked["n_runs"].sum(), 0.05
    )


def test_so_few_others_say_too_little_of_an_answer_that_nothing_is_concluded(worlds):
    few = worlds[worlds["world"] == f"{WORST}, nine models"]
    assert (few["n_models"] - 1 < FEW_HEARD).all()
    assert (few["blend_above_0"] > 0.5 * few["n_runs"]).all() and (few["called_self_knowing"] == 0).all()
    # with the atlas's number of others it is not so
    assert worlds.loc[worlds["world"] == WORST, "blend_above_0"].sum() < 0.5 * 2 * few["n_runs"].iloc[0]


def test_what_others_say_of_the_same_answer_hides_what_a_model_knows_of_itself(worlds):
    """So that nothing left shows no lack of self-knowledge, which the page says."""
    known = worlds[worlds["self_share"] > 0]
    assert (known["blend"] < 0.2 * known["added"]).all()
    assert known["called_self_knowing"].sum() < 0.5 * known["n_runs"].sum()


def test_without_self_knowledge_the_placebo_leaves_as_much_where_models_are_alike(worlds):
    one = worlds[worlds["world"] == "one difficulty"]
    error = one["sd"] / np.sqrt(one["n_runs"])
    assert (one["own_less_placebo"].abs() < 3.5 * error).all()


def test_known_self_knowledge_is_given_back(worlds):
    known = worlds[worlds["self_share"] > 0].set_index(["world", "model"])
    assert (known["placebo"].abs() < 0.02).all()  # nothing is taken off but what others have
    assert ((known["own_less_placebo"] - known["corrected"]).abs() < 0.02).all()
    alone = known.loc["own state alone"]
    assert (alone["own_less_placebo_above_0"] == alone["n_runs"]).all()
    assert (alone["added_above_0"] == alone["n_runs"]).all()


def test_intervals_of_own_less_placebo_cover(worlds):
    held, runs = worlds["covers_mean"].sum(), worlds["n_runs"].sum()
    assert binom.ppf(0.001, runs, 0.93) <= held <= binom.ppf(0.999, runs, 0.99)
    for row in worlds.itertuples():
        assert row.covers_mean >= binom.ppf(0.001, row.n_runs, 0.93)


def test_the_diagonal_of_models_without_self_knowledge_is_above_0():
    table = pd.read_csv(project_root() / DIAGONAL)
    assert set(table["values"]) == {"graded", "two"} and (table["n_runs"] >= 12).all()
    assert (table["least"] > 0).all()  # in every run of every size
    (atlas,) = table.query(
        "n_models == 33 and values == 'graded' and kind == 'two difficulties'"
    ).itertuples()
    assert 0.019 < atlas.least < atlas.most < 0.033


@pytest.mark.parametrize("kind", ["wrong keys", "misconceptions"])
def test_odd_questions_move_the_whole_area_more_than_the_one_within(stored, kind):
    mine = stored[stored["section"] == kind].set_index(["questions", "model"])
    with_, without = mine.loc["all"], mine.loc["not odd"]
    assert len(mine) == 9
    assert (without["auroc2"] > with_["auroc2"]).all()
    assert ((without["corrected"] - with_["corrected"]).abs() < 0.03).all()


def test_intervals_of_areas_cover(stored):
    cover = stored[stored["section"] == "coverage"]
    assert len(cover) == 6
    for row in cover.itertuples():
        # .93 to .97 is asked for; runs differ from the truth by a binomial error (two in a thousand beyond)
        low, high = (binom.ppf(p, row.n_runs, c) / row.n_runs for p, c in ((0.001, 0.93), (0.999, 0.97)))
        assert low <= row.coverage <= high


def test_what_is_seen_of_self_knowledge_rises_with_it(stored):
    power = stored[stored["section"] == "mixtures"].assign(seen=lambda t: t["above_0"] / t["n_runs"])
    for _, mine in power.groupby("model"):
        seen = mine.sort_values("self_share")["seen"]
        assert seen.iloc[0] < 0.5 < seen.iloc[-1]
