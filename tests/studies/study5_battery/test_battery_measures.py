"""Deltas, means and profiles. Oracles: printed figures, closed forms, hand-made responses."""

import numpy as np
import pandas as pd
import pytest

from metacog.sdt.standardised import weighted_shares
from metacog.sdt.type2 import auroc2
from metacog.studies.study5_battery import commitment, monitoring, paper
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import RETROSPECTIVE, UNCLASSIFIED
from metacog.studies.study5_battery.profiles import PRINTED
from metacog.studies.study5_battery.scores import track_scores

ROWS = load()
PER_TRACK = deltas(ROWS)
MEANS = mean_deltas(PER_TRACK)


def made(model, track, states, **more):
    """Hand-made responses: ``(correct, keep, bet)`` each."""
    table = pd.DataFrame(states, columns=["correct", "keep", "bet"])
    return table.assign(
        model=model,
        track=track,
        item=[str(i) for i in range(len(table))],
        judged=True,
        path="",
        answer="",
        match="",
        score=0.0,
        item_type="one",
        **more,
    )


def test_a_delta_by_hand():
    rows = made(
        "GLM-5",
        "T1",
        [(True, True, True)] * 8
        + [(True, False, False)] * 2
        + [(False, True, False)] * 1
        + [(False, False, False)] * 3,
    )
    row = deltas(rows).iloc[0]
    assert (row["kc"], row["ki"], row["delta"]) == pytest.approx((80, 25, 55))
    assert deltas(rows, probe="bet").iloc[0]["delta"] == pytest.approx(80)
    assert row["lower"] < 55 < row["upper"] <= 100


def test_an_empty_cell_is_undefined_not_zero():
    row = deltas(made("GLM-5", "T1", [(True, True, True)] * 5)).iloc[0]
    assert np.isnan([row["ki"], row["delta"], row["lower"]]).all() and row["kc"] == 100
    known = PER_TRACK["delta"].notna()
    assert (known == ((PER_TRACK["n_correct"] > 0) & (PER_TRACK["n_incorrect"] > 0))).all()


def test_every_printed_rate_comes_out_and_every_printed_blank_is_undefined():
    printed = paper.as_text("per_track").set_index(["model", "track"])
    ours = PER_TRACK.set_index(["model", "track"]).loc[printed.index]
    assert (printed["withdraw_delta"].eq("") == ours["delta"].isna()).all()
    shown = pd.to_numeric(printed["withdraw_delta"]).dropna()
    assert (ours.loc[shown.index, "delta"] - shown).abs().max() < 0.00501


def test_means_of_few_tracks_are_flagged_and_not_ranked():
    board = monitoring.leaderboard(MEANS).set_index("model")
    few = {"DeepSeek R1": 1, "Claude Opus 4.6": 4, "Qwen 80B Think": 4}
    assert board.loc[~board["complete"], "n_defined"].to_dict() == few
    assert board.loc[list(few), "rank"].isna().all() and sorted(board["rank"].dropna()) == list(range(1, 18))


def test_a_mean_has_the_score_interval_and_the_exact_p_of_its_counts():
    own = PER_TRACK[(PER_TRACK["model"] == "GPT-5.4") & PER_TRACK["track"].isin(RETROSPECTIVE)]
    row = MEANS[MEANS["model"] == "GPT-5.4"].iloc[0]
    hits, n = ([*own[f"{x}_correct"], *own[f"{x}_incorrect"]] for x in ("stood", "n"))
    again = weighted_shares(hits, n, np.repeat([0.2, -0.2], 5))
    assert (row["delta"], row["lower"], row["upper"]) == pytest.approx(
        (100 * again.estimate, 100 * again.lower, 100 * again.upper)
    )
    # right and wrong answers change places within tracks: the exact p is the share of such deals
    rng, draws = np.random.default_rng(3), np.zeros(20_000)
    for track in own.itertuples(index=False):
        total = track.stood_correct + track.stood_incorrect
        wrong = rng.hypergeometric(total, track.n - total, track.n_incorrect, draws.size)
        draws += ((total - wrong) / track.n_correct - wrong / track.n_incorrect) / 5
    share = (np.abs(draws) >= row["delta"] / 100 - 1e-9).mean()
    assert row["p"] == pytest.approx(share, abs=3 * np.sqrt(row["p"] / draws.size))


@pytest.mark.parametrize(
    ("stood", "delta", "profile"),
    [
        (95, 0, "A"),
        (94.9, 0, UNCLASSIFIED),
        (99, 15, "C"),
        (99, -15, UNCLASSIFIED),
        (10, 40, "B"),
        (60, 15, "C"),
        (60, 14.9, UNCLASSIFIED),
        (97, np.nan, "A"),
        (50, np.nan, UNCLASSIFIED),
    ],
)
def test_profiles_by_rule(stood, delta, profile):
    assert PRINTED.profile(stood, delta) == profile


def test_a_mean_score_of_fewer_than_six_tracks_is_none():
    part = ROWS[(ROWS["model"] != "GLM-5") | (ROWS["track"] != "T3")]
    table = track_scores(part).set_index("model")
    assert np.isnan(table.at["GLM-5", "mean"]) and table["mean"].notna().sum() == 19


def test_commitment_is_the_auroc2_of_four_states():
    table = commitment.measured(ROWS).set_index("model")
    own = ROWS[(ROWS["model"] == "GPT-5.4") & ROWS["track"].isin(RETROSPECTIVE)]
    assert table.at["GPT-5.4", "auroc2"] == pytest.approx(auroc2(own["correct"], commitment.states(own)))
    assert np.isnan(table.at["DeepSeek R1", "lower"])
