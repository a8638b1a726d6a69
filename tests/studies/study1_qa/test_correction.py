"""The correction. Oracles: closed forms, other quadratures, simulation, and published tables."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.sdt.simulate import confidence_population
from metacog.studies.study1_qa import correction, correction_recovery, paper
from metacog.studies.study1_qa.cells import cells_from_counts
from metacog.studies.study1_qa.correction import carried_pairs
from metacog.studies.study1_qa.correction_recovery import design, recover
from metacog.studies.study1_qa.robustness_variants import robustness_from_counts


@pytest.fixture(scope="module")
def measured() -> pd.DataFrame:
    return correction.published_measures(n_resamples=2000).table


@pytest.fixture(scope="module")
def noisy() -> correction_recovery.Recovery:
    return recover(design("noise"), n_trials=3000, n_repetitions=60, seed=1)


# ---------------------------------------------------------------- what measures recover


def test_under_additive_noise_m_ratio_stays_and_information_falls(noisy):
    passed = [v.passed for v in correction_recovery.judge_recovery(noisy)]
    assert passed == [False, True, True, True, True]
    ratio = noisy.of("m_ratio")
    assert ((ratio["lower"] < 1) & (ratio["upper"] > 1)).all()
    info = noisy.of("meta_i2r")
    # eight ratings lose 2 to 3 % of the information of continuous confidence
    assert np.allclose(info["ratio"], info["efficiency"], atol=0.03)
    rank = noisy.rank_correlation.set_index("measure")["mean"]
    assert abs(rank["m_ratio"]) < 0.35 and rank["meta_i2r"] > 0.99 and rank["auroc2"] > 0.99


def test_shape_moves_m_ratio_at_full_efficiency():
    recovery = recover(design("shape"), n_trials=5000, n_repetitions=40, seed=2)
    verdict = correction_recovery.judge_shape(recovery)
    assert verdict.passed and "m_ratio" in verdict.values["moved"] and "auroc2" in verdict.values["still"]
    assert recovery.of("auroc2")["mean"].max() - recovery.of("auroc2")["mean"].min() < 0.01


def test_nothing_sees_through_an_unchanged_table():
    recovery = recover(design("same table"), n_trials=3000, n_repetitions=60, seed=3)
    verdict = correction_recovery.judge_same_table(recovery)
    assert verdict.passed and verdict.values["seen"] == []
    assert [v.passed for v in correction_recovery.judge_recovery(recovery)] == [False] * 5


def test_sentences_follow_the_numbers(noisy):
    swapped = {m: m for m in (*correction_recovery.ASKED, "z_slope")}
    swapped |= {"m_ratio": "meta_i2r", "meta_i2r": "m_ratio"}
    table, rank = noisy.table, noisy.rank_correlation
    turned = replace(
        noisy,
        table=table.assign(measure=table["measure"].map(swapped)),
        rank_correlation=rank.assign(measure=rank["measure"].map(swapped)),
    )
    assert [v.passed for v in correction_recovery.judge_recovery(turned)] == [True, False, True, True, True]


@pytest.mark.parametrize("accuracy", [0.2, 0.43, 0.6])
@pytest.mark.parametrize("d_a", [0.6, 1.4, 2.2])
def test_m_ratio_is_one_on_a_straight_z_roc_of_slope_one(accuracy, d_a):
    assert correction.m_ratio_of_line(d_a, 1.0, accuracy / (1 - accuracy)) == pytest.approx(1, abs=2e-4)


def test_m_ratio_moves_with_slope_the_way_the_middle_cut_lies():
    low = correction.m_ratio_curve(0.15, [0.7, 1.0, 1.3])
    high = correction.m_ratio_curve(0.6, [0.7, 1.0, 1.3])
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
        assert row["meta_i2r"] + row["null_mean"] == pytest.approx(
            out["meta_i2r"] + out["null_mean"], abs=1e-9
        )
    structure = paper.as_numbers("v2_sdt_structure").set_index(["model", "dataset"])
    for row in measured.to_dict("records"):
        assert row["z_slope"] == pytest.approx(
            structure.loc[(row["model"], row["dataset"]), "zroc_slope"], abs=1e-9
        )


def test_version_1_ranks_mistral_last_and_version_2_first(measured):
    placed = correction.ranks(measured).set_index(["dataset", "model"])
    assert placed.loc[("triviaqa", "mistral_instruct"), "m_ratio"] == 4
    assert placed.loc[("triviaqa", "mistral_instruct"), "meta_i2r"] == 1
    table = carried_pairs(paper.published_cells(), n_resamples=400, seed=1)
    verdict = correction.judge_ranking(measured, table)
    assert verdict.passed and (verdict.values["m_ratio"], verdict.values["n"]) == (4, 4)
    assert (
        verdict.values["auroc2"] == 1 and verdict.values["below"] in (2, 3) and verdict.values["above"] == 3
    )  # one pair's p is near 0.05
    other = correction.judge_ranking(measured, table, model="gemma2_instruct")
    assert (other.passed, other.values["below"], other.values["above"]) == (False, 0, 0)


def test_orders_on_the_two_question_sets_are_told_by_pairs_and_judged_by_nothing(measured):
    """R4 of the robustness page is made of the same draws: its three reversed orders are these."""
    table = carried_pairs(paper.published_cells(), n_resamples=400, seed=1)
    _, orders = robustness_from_counts(paper.published_cells(None), n_resamples=400, seed=1)
    orders = orders[orders["check"] == "R4"]
    ratio = table[table["measure"] == "m_ratio"]
    assert ratio["kept"].tolist() == orders["kept"].tolist()
    assert ratio["second_upper"].to_numpy() == pytest.approx(orders["other_upper"].to_numpy())
    verdict = correction.describe_datasets(measured, table)
    v = verdict.values
    assert verdict.passed is None and v["carried"]["m_ratio"] == pytest.approx(-0.8)
    assert v["smallest_p"] > 0.3  # of four models
    found = v["pairs"]["m_ratio"]
    assert found["kept"] == 0 < found["turned"] and found["all_with"] == ["Mistral-7B-Instruct"]
    assert v["pairs"]["meta_i2r"]["turned"] == v["pairs"]["auroc2"]["turned"] == 0
    assert all(sum(one[k] for k in ("kept", "turned", "open")) == 6 for one in v["pairs"].values())
    swapped = table.assign(kept=[not k if k is not None else None for k in table["kept"]])
    other = correction.describe_datasets(measured, swapped).values["pairs"]["m_ratio"]
    assert (other["kept"], other["turned"], other["all_with"]) == (found["turned"], 0, [])


def test_line_verdict_names_the_cells_it_does_not_explain(measured):
    verdict = correction.judge_line(measured)
    first = verdict.values["outside"][0]
    assert verdict.passed is False and first["cell"].split()[::2] == ["Mistral-7B-Instruct", "TriviaQA"]
    assert (round(first["seen"], 2), round(first["predicted"], 2)) == (0.85, 1.06) and first["bends"]
    explained = measured.assign(predicted_m_ratio=measured["m_ratio"])
    assert correction.judge_line(explained).passed is True
    flagged = measured.assign(flag=["rough"] * len(measured))
    assert correction.judge_line(flagged).passed is None
    one = explained.assign(flag=["rough"] + [""] * (len(explained) - 1))
    assert correction.judge_line(one).passed is None and correction.judge_line(one).undecided[0][1] == "rough"


def test_an_order_that_lacks_a_model_is_not_settled(measured):
    table = measured[measured["dataset"] == "triviaqa"].reset_index(drop=True)
    far = np.arange(len(table)) * 0.1
    table = table.assign(meta_i2r=far, meta_i2r_lower=far - 0.01, meta_i2r_upper=far + 0.01, flag="")
    order = [v for v in correction.judge_run(table) if v.name == "order"]
    assert [v.passed for v in order] == [True]
    lacking = table.assign(meta_i2r=np.where(far == 0, np.nan, far))
    order = [v for v in correction.judge_run(lacking) if v.name == "order"]
    assert [v.passed for v in order] == [None] and len(order[0].values["unsure"]) == 1


def test_published_ratios_are_not_pinned_near_one(measured):
    printed = paper.as_numbers("v1_table6_domain_m_ratio")["m_ratio"].tolist()
    verdict = correction.judge_claim(measured, printed)
    assert verdict.passed is False and verdict.values["domains"] == pytest.approx([0.68, 1.51], abs=0.005)
    near = measured.assign(m_ratio=1.01)
    assert correction.judge_claim(near).passed is True


def test_mistrals_two_lowest_ratings_are_not_told_apart():
    cells = paper.published_cells()
    verdict = correction.judge_bend(cells)
    right = cells.table(model="mistral_instruct", dataset="triviaqa")[1]
    assert verdict.passed and verdict.values["seen"][0] == pytest.approx(100 * right[0] / 625)
    assert right[1] < right[0]
    assert correction.judge_bend(cells, model="gemma2_instruct").passed is False


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
    found = correction.measure_cells(cells, n_resamples=200, n_permutations=200).table.set_index("model")
    assert np.isnan(found.loc["never wrong", "meta_i2r"]) and found.loc["never wrong", "flag"]
    assert found.loc["fine", "meta_i2r"] > 0 and found.loc["fine", "p_value"] < 0.01
    verdicts = correction.judge_run(found.reset_index())
    assert [v.passed for v in verdicts] == [True, None]
    assert verdicts[1].name == "unmeasured"
    assert all(v.passed is None for v in correction.judge_run(found.reset_index(), verdicts=False))


def test_confidence_of_two_values_is_measured_without_a_line():
    two = cells_from_counts(
        counts_frame([("yes or no", [0, 0, 0, 90, 0, 0, 0, 30], [0, 0, 0, 40, 0, 0, 0, 80])])
    )
    found = correction.measure_cells(two, n_resamples=200, n_permutations=200).table
    assert found["meta_i2r"].iloc[0] > 0 and np.isnan(found["predicted_m_ratio"].iloc[0])
    assert correction.judge_line(found).passed is None


def test_a_run_without_the_reference_temperature_is_refused():
    trials = pd.DataFrame({"temperature": [0.7, 0.7]})
    with pytest.raises(MetacogError, match="no trials there"):
        correction.run_measures(trials)
