"""Oracles: counting by hand, pandas' right-closed cut, copies of trials that carry no news."""

import numpy as np
import pandas as pd
import pytest
from resampled_dmc import bootstrap_dmc, resample_dmc

from metacog.sdt import InputError, meta_d_observer
from metacog.sdt.dmc import dmc_cluster_cells, dmc_counts


def trials(n: int = 400, seed: int = 1) -> pd.DataFrame:
    drawn = meta_d_observer(1.2, m_ratio=0.8).trials(n, seed=seed)
    levels = np.array([0.55, 0.7, 0.85, 0.99])
    return pd.DataFrame(
        {
            "answer": np.where(drawn.response == 1, "B", "A"),
            "correct": drawn.correct,
            "confidence": levels[drawn.confidence - 1],
            "truth": drawn.stimulus,
            "rating": drawn.rating,
        }
    )


def test_cells_are_counted_by_answer_and_correctness():
    answer = ["A", "A", "B", "B", "B", None, "A", "", float("nan")]
    correct = [1, 0, 1, 0, 1, 0, 1, 0, 0]
    confidence = [0.2, 1.0, 0.6, 0.4, 1.0, 0.5, 1.7, 0.5, np.nan]
    found = dmc_counts(answer, correct, confidence)
    # range 0.2 to 1.0: edges 0.4, 0.6, 0.8, each closed on the right
    assert found.edges.values.tolist() == [0.4, 0.6, 0.8]
    assert found.rating.tolist() == [1, 4, 2, 1, 4, 0, 0, 0, 0]
    assert found.matrix.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 1], [1, 0, 0, 0]]
    assert (found.n_unanswered, found.n_out_of_range, found.n_dropped) == (3, 1, 4)
    assert found.empty_ratings == 1 and found.edges.empty == (3,)


def test_bins_are_those_of_a_right_closed_cut():
    x = np.random.default_rng(0).integers(1, 100, 500) / 100
    found = dmc_counts(["A"] * 500, np.zeros(500), x)
    edges = np.round(np.linspace(x.min(), x.max(), 5), 12)
    wanted = pd.cut(x, edges, labels=False, include_lowest=True) + 1
    assert np.array_equal(found.rating, wanted)


def test_tables_stand_in_the_order_of_maniscalco_and_lau():
    t = trials()
    s1, s2 = dmc_counts(t["answer"], t["correct"], t["confidence"]).tables
    for truth, table in ((0, s1), (1, s2)):
        assert table.tolist() == [((t["truth"] == truth) & (t["rating"] == r)).sum() for r in range(1, 9)]


def test_copies_of_a_trial_carry_no_news():
    """Six pairings of a question that all say the same: as wide as one each, not as six independent ones."""
    t = trials(200)
    single = bootstrap_dmc(t["answer"], t["correct"], t["confidence"], t.index, n_resamples=400, pad=0.125)
    six = pd.concat([t] * 6)
    copied = bootstrap_dmc(
        six["answer"], six["correct"], six["confidence"], six.index, n_resamples=400, pad=6 * 0.125
    )
    naive = bootstrap_dmc(
        six["answer"], six["correct"], six["confidence"], np.arange(1200), n_resamples=400, pad=6 * 0.125
    )
    assert copied.n_clusters == 200 and copied.counts.matrix.sum() == 1200
    assert copied.mc.lower == pytest.approx(single.mc.lower, abs=1e-6)
    assert copied.mc.upper == pytest.approx(single.mc.upper, abs=1e-6)
    assert naive.mc.se < 0.6 * copied.mc.se
    assert copied.mc.lower < copied.fit.mc < copied.mc.upper and copied.d_hat.lower < 1.2 < copied.d_hat.upper


def test_question_cells_add_up_to_the_matrix_and_resamples_keep_whole_questions():
    t = trials(60)
    question = np.repeat(np.arange(20), 3)
    counts = dmc_counts(t["answer"], t["correct"], t["confidence"])
    cells = dmc_cluster_cells(t["answer"], t["correct"], counts, question)
    assert np.array_equal(np.asarray(cells.sum(axis=0)).reshape(4, 4), counts.matrix)
    drawn = resample_dmc(cells, 50, seed=3)
    assert drawn.shape == (50, 4, 4) and (drawn.sum(axis=(1, 2)) == 60).all()


def test_bad_trials_are_refused_with_a_reason():
    fine = (["A", "B"], [1, 0])
    with pytest.raises(InputError, match="percent"):
        dmc_counts(*fine, [70, 90])
    with pytest.raises(InputError, match="the same confidence"):
        dmc_counts(*fine, [0.9, 0.9])
    with pytest.raises(InputError, match="got C"):
        dmc_counts(["A", "C"], [1, 0], [0.4, 0.9])
    with pytest.raises(InputError, match="numbers"):
        dmc_counts(*fine, ["high", "low"])
    with pytest.raises(InputError, match="one entry per trial"):
        dmc_counts(*fine, [0.4])
    with pytest.raises(InputError, match="no trial has an answer"):
        dmc_counts([None, None], [1, 0], [0.4, 0.5])
    with pytest.raises(InputError, match="n_bins"):
        dmc_counts(*fine, [0.4, 0.5], n_ratings=1)
    counts = dmc_counts(*fine, [0.4, 0.5])
    with pytest.raises(InputError, match="two clusters"):
        dmc_cluster_cells(*fine, counts, ["q", "q"])
    with pytest.raises(InputError, match="one label"):
        dmc_cluster_cells(*fine, counts, ["q"])
