"""The correction. Oracles: closed forms, other quadratures, simulation, and published tables."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.sdt import brier_score, ece
from metacog.sdt.area_intervals import auroc2_interval_from_counts
from metacog.sdt.information import meta_i2r, plugin_meta_i2r
from metacog.sdt.information_interval import meta_i2r_interval, meta_i2r_se
from metacog.sdt.populations import confidence_population
from metacog.sdt.resampling import resample_tables
from metacog.studies.study1_qa import correction, paper
from metacog.studies.study1_qa.cells import RECOMPUTED, cells_from_counts
from metacog.studies.study1_qa.correction import carried_pairs
from metacog.studies.study1_qa.correction_recovery import (
    ASKED,
    of_same_table,
    recover,
    recovered,
)
from metacog.studies.study1_qa.robustness_variants import robustness_from_counts
from metacog.trials import scored


@pytest.fixture(scope="module")
def measured() -> pd.DataFrame:
    return correction.measure_cells(paper.published_cells(), n_resamples=2000)


# ---------------------------------------------------------------- what measures recover


def test_nothing_sees_through_an_unchanged_table():
    table, rho = recover(of_same_table(), n_trials=3000, n_repetitions=60, seed=3)
    assert not any(recovered(table, rho, measure)[0] for measure in ASKED)


def test_the_amount_is_recovered_with_the_order_and_every_true_ratio_in_its_range():
    rows = [(1.0, 1.0, 1.0), (0.5, 0.4, 0.6), (0.25, 0.2, 0.3)]
    table = pd.DataFrame(rows, columns=["efficiency", "ratio_lower", "ratio_upper"]).assign(measure="m")
    assert recovered(table, {"m": 0.95}, "m") == (True, True)
    assert recovered(table.assign(ratio_upper=[1.0, 0.6, 0.24]), {"m": 0.95}, "m") == (True, False)
    assert recovered(table, {"m": 0.94}, "m") == recovered(table, {"m": np.nan}, "m") == (False, False)


@pytest.mark.parametrize("accuracy", [0.2, 0.43, 0.6])
@pytest.mark.parametrize("d_a", [0.6, 1.4, 2.2])
def test_m_ratio_is_one_on_a_straight_z_roc_of_slope_one(accuracy, d_a):
    assert correction.m_ratio_of_line(d_a, 1.0, accuracy / (1 - accuracy)) == pytest.approx(1, abs=2e-4)


def test_m_ratio_moves_with_slope_the_way_the_middle_cut_lies():
    low = [correction.m_ratio_of_line(1.4, slope, 0.15 / 0.85) for slope in (0.7, 1.0, 1.3)]
    high = [correction.m_ratio_of_line(1.4, slope, 0.6 / 0.4) for slope in (0.7, 1.0, 1.3)]
    assert (np.diff(low) < 0).all() and (np.diff(high) > 0).all()


# ---------------------------------------------------------------- published tables


def test_published_cells_give_both_versions(measured):
    printed = paper.as_numbers("v1_h1_full_precision").set_index("model")
    trivia = measured[measured["dataset"] == "triviaqa"].set_index("model")
    for model in paper.MODELS:
        assert trivia.loc[model, "m_ratio"] == pytest.approx(printed.loc[model, "m_ratio"], abs=1e-6)
    v2 = paper.as_numbers("v2_aggregate").set_index(["model", "dataset"])
    for row in measured.to_dict("records"):
        out = v2.loc[(row["model"], row["dataset"])]
        assert row["auroc2"] == pytest.approx(out["auroc2"], abs=1e-9)
        # both subtract a null mean, ours the exact one and theirs that of 2,000 permutations
        assert row["meta_i2r"] == pytest.approx(out["meta_i2r"], abs=6e-5)
    structure = paper.as_numbers("v2_sdt_structure").set_index(["model", "dataset"])
    for row in measured.to_dict("records"):
        assert row["z_slope"] == pytest.approx(
            structure.loc[(row["model"], row["dataset"]), "zroc_slope"], abs=1e-9
        )


def test_bins_hem_in_ece_and_brier_score():
    """Oracle: answers with confidences drawn anywhere within their bins, scored one by one."""
    table = correction.binned_calibration().set_index("model")
    bins = paper.as_numbers("first_paper_counts")
    rng = np.random.default_rng(4)
    for model, row in table.iterrows():
        own = bins[(bins["model"] == model) & (bins["dataset"] == "triviaqa") & (bins["temperature"] == 1)]
        right = np.concatenate(
            [np.repeat([1.0, 0.0], n) for n in own[["n_correct", "n_incorrect"]].to_numpy()]
        )
        size = own["n_correct"] + own["n_incorrect"]
        low, high = (np.repeat(own[end].to_numpy(), size) for end in ("nlp_from", "nlp_to"))
        p, place = np.exp(rng.uniform(low, np.minimum(high, 0))), np.repeat(own["bin"].to_numpy(), size)
        by_bin = pd.DataFrame({"p": p, "right": right}).groupby(place).agg(["mean", "size"])
        gap = (by_bin["p", "mean"] - by_bin["right", "mean"]).abs() @ by_bin["p", "size"] / len(p)
        assert row["ece_lower"] < gap < row["ece_upper"] and row["ece_lower"] < row["ece"] < row["ece_upper"]
        assert row["brier_lower"] < ((p - right) ** 2).mean() < row["brier_upper"]


def test_ece_of_a_run_is_the_books_and_its_worst_model_is_told(trials):
    own = correction.run_calibration(scored(trials), n_resamples=200, seed=1).set_index("model")
    for model, row in own.iterrows():
        at_one = trials[(trials["model"] == model) & (trials["temperature"] == 1) & trials["nlp"].notna()]
        p = np.exp(at_one["nlp"])
        assert row["ece"] == pytest.approx(ece(at_one["correct"], p, debiased=True))
        assert row["brier"] == pytest.approx(brier_score(at_one["correct"], p))
        assert row["brier_lower"] < row["brier"] < row["brier_upper"]
    rows = pd.DataFrame({"source": RECOMPUTED, "model": list("abc"), "m_ratio": [0.8, 1.0, 1.1]})
    rows = rows.assign(ece=[0.3, 0.1, 0.2], ece_lower=[0.2, 0.05, 0.1], ece_upper=[0.4, 0.15, 0.25])
    said = correction.seen_by_ece(SimpleNamespace(calibration=rows))
    assert said == {"worst_model": "a", "same_model": True, "n_clear": 1, "n_others": 2}
    assert correction.seen_by_ece(SimpleNamespace(calibration=rows.assign(ece_upper=0.5)))["n_clear"] == 0
    other = correction.seen_by_ece(SimpleNamespace(calibration=rows.assign(m_ratio=[1.1, 0.8, 1.0])))
    assert not other["same_model"]


def test_middle_cut_is_d_prime_and_a_gaussian_is_flat():
    cell = paper.counts()["gemma2_instruct", "triviaqa"]
    cuts = correction.d_prime_at_cuts(cell.nR_S1 + 0.5, cell.nR_S2 + 0.5)
    printed = paper.as_numbers("v1_h1_full_precision").set_index("model")
    table = correction.cuts(paper.published_cells()).set_index(["model", "dataset"])
    assert len(table) == 56 and table.loc[("gemma2_instruct", "triviaqa"), "d_prime"].tolist() == list(cuts)
    assert cuts[3] == pytest.approx(printed.loc["gemma2_instruct", "d_prime"], abs=1e-9)
    flat = confidence_population(1.3, accuracy=0.4, n_ratings=8, slope=1.0)
    assert correction.d_prime_at_cuts(flat.s1 * 1e7, flat.s2 * 1e7) == pytest.approx(
        np.full(7, 1.3), abs=1e-4
    )


def test_three_pairs_turn_round_on_the_second_set_of_questions(measured):
    """R4 of the robustness page is made of the same draws: its reversed orders are these."""
    pairs = carried_pairs(paper.published_cells(), n_resamples=400, seed=1)
    _, orders = robustness_from_counts(paper.published_cells(None), n_resamples=400, seed=1)
    assert pairs["kept"].tolist() == orders[orders["check"] == "R4"]["kept"].tolist()
    told = correction.figures(SimpleNamespace(pairs=pairs, measures=measured))
    assert (told["main_place"], told["other_place"]) == (4, 1)
    assert told["n_turned"] == sum(kept is False for kept in pairs["kept"]) > 0


def test_dots_of_the_z_roc_are_the_cuts():
    points, cuts = correction.z_rocs(None)["points"], correction.cuts(paper.published_cells())
    apart = points["z_right"] - points["z_wrong"]
    assert sorted(apart) == pytest.approx(sorted(cuts["d_prime"])) and len(points) == 56


def test_intervals_are_those_of_the_book(cells, published):
    table = correction.measure_cells(cells, n_resamples=400, seed=3)
    printed = published("v2_aggregate").set_index(["model", "dataset"])
    children = np.random.SeedSequence(3).spawn(len(cells))
    for wrong, right, child, row in zip(cells.nR_S1, cells.nR_S2, children, table.itertuples(), strict=True):
        drawn = resample_tables(wrong, right, 400, np.random.default_rng(child))
        ends = meta_i2r_interval(
            float(meta_i2r(wrong, right)),
            plugin_meta_i2r(*drawn),
            se=float(meta_i2r_se(wrong, right)),
            draw_se=meta_i2r_se(*drawn),
        ).ends
        assert (row.meta_i2r_lower, row.meta_i2r_upper) == pytest.approx(ends, rel=1e-12)
        area = auroc2_interval_from_counts(wrong, right)
        assert (row.auroc2_lower, row.auroc2_upper) == pytest.approx((area.lower, area.upper))
        # version 2's intervals sit too high: without resampling's share of the bias the middle of ours lies lower
        theirs = printed.loc[(row.model, row.dataset)]
        down = (theirs["mi_lo"] + theirs["mi_hi"] - row.meta_i2r_lower - row.meta_i2r_upper) / 2
        assert 0 < down < 2 * theirs["null_mean"]


# ---------------------------------------------------------------- a run's own models


def counts_frame(rows) -> pd.DataFrame:
    frames = [
        pd.DataFrame({"model": m, "dataset": "bank", "rating": range(1, 9), "n_incorrect": a, "n_correct": b})
        for m, a, b in rows
    ]
    return pd.concat(frames)


def test_cells_that_cannot_be_measured_are_flagged_not_dropped():
    cells = cells_from_counts(
        counts_frame([("fine", [60] * 4 + [20] * 4, [20] * 4 + [60] * 4), ("never wrong", [0] * 8, [10] * 8)])
    )
    found = correction.measure_cells(cells, n_resamples=200).set_index("model")
    assert np.isnan(found.loc["never wrong", "meta_i2r"]) and found.loc["never wrong", "flag"]
    assert found.loc["fine", "meta_i2r_lower"] > 0


def test_confidence_of_two_values_is_measured_without_a_line():
    two = cells_from_counts(
        counts_frame([("yes or no", [0, 0, 0, 90, 0, 0, 0, 30], [0, 0, 0, 40, 0, 0, 0, 80])])
    )
    found = correction.measure_cells(two, n_resamples=200)
    assert found["meta_i2r"].iloc[0] > 0 and np.isnan(found["predicted_m_ratio"].iloc[0])


def test_a_run_without_the_reference_temperature_is_refused():
    trials = pd.DataFrame({"temperature": [0.7, 0.7]})
    with pytest.raises(MetacogError, match="no trials there"):
        correction.run_measures(trials)
