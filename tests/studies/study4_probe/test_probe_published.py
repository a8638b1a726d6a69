"""What study 4's printed figures say of one another. Oracles: the formulas by hand, and brute force."""

import itertools

import numpy as np
import pytest
from scipy import stats

from metacog.core.errors import MetacogError
from metacog.studies.study4_probe import benchmarks, panel, paper, published, reliability
from metacog.studies.study4_probe.ledger.entries import judged_sweep, judged_tests
from metacog.studies.study4_probe.ledger.external import judged_benchmarks
from metacog.studies.study4_probe.ledger.solved import constant_confidence
from metacog.studies.study4_probe.range_score import (
    range_score,
    sd_bounds,
    sweep,
)


def test_the_score_is_the_formula_by_hand():
    """Two right at 90 %, two wrong at 50 %: mean square 0.13, sd 23.09, range 40."""
    found = range_score([1, 1, 0, 0], [90, 90, 50, 50])
    assert found.brier == pytest.approx(87.0) and found.spread == 40
    assert found.sd == pytest.approx(np.sqrt(4 * 400 / 3))
    assert found.flat == 0 and found.narrow == pytest.approx(2.0)
    assert found.score == pytest.approx(85.0)
    assert range_score([0, 0], [100, 100]).score == 0
    by_range = [87 - 10 * (1 - 40 / 48), 87 - 2.0, 87 - 10 * (1 - 40 / 52)]
    assert list(sweep([1, 1, 0, 0], [90, 90, 50, 50])["score"]) == pytest.approx(3 * by_range)


@pytest.mark.parametrize(
    ("correct", "confidence", "options", "words"),
    [
        ([1], [50], {}, "at least two"),
        ([1, 0], [50], {}, "same items"),
        ([1, 2], [50, 60], {}, "0 or 1"),
        ([1, 0], [50, 101], {}, "between 0 and 100"),
        ([1, 0], [50, np.nan], {}, "between 0 and 100"),
        ([1, 0], [50, 60], {"sigma_t": 0}, "positive"),
    ],
)
def test_bad_input_is_refused(correct, confidence, options, words):
    with pytest.raises(MetacogError, match=words):
        range_score(correct, confidence, **options)


def test_flash_follows_at_the_middle_thresholds_alone():
    swept = sweep(*paper.flash_items()).set_index(["sigma_T", "range_T"])["score"]
    assert round(swept["mid", "mid"]) == 41 and swept.between(40, 41.5).all()
    judged = judged_sweep()
    assert judged.loc[judged["follows"], ["sigma_T", "range_T"]].to_numpy().tolist() == [["mid", "mid"]]


def test_a_constant_confidence_gives_the_printed_scores():
    for model, score, full in (("Gemini 2.5 Pro", 62, [11]), ("Qwen 3 Next 80B", 53, [10])):
        found = constant_confidence(model)
        assert [k for k, c in found if c == 100] == full
        for k, c in found:
            assert range_score([1] * k + [0] * (12 - k), [c] * 12).score == pytest.approx(score, abs=0.5)


def test_a_score_whose_right_answers_are_printed_must_be_that_of_as_many(monkeypatch):
    """Oracle: every confidence for 8 of 12 right gives at most 47.8; DeepSeek-R1 is printed with 62."""
    rows = published.audit(None)["constant"].set_index("model")
    best = max(range_score([1] * 8 + [0] * 4, [c] * 12).score for c in range(101))
    assert rows["most"]["DeepSeek-R1"] == pytest.approx(best) and rows["most"].isna().sum() == 2
    monkeypatch.setitem(paper.RIGHT, "DeepSeek-R1", 11)
    rows = published.audit(None)["constant"].set_index("model")
    assert rows["most"]["DeepSeek-R1"] > rows["score"]["DeepSeek-R1"] - 0.5


def test_bounds_of_a_standard_deviation_hold_and_are_reached():
    rng = np.random.default_rng(2)
    low, high = sd_bounds(50.0, 12)
    for _ in range(200):
        x = rng.beta(0.3, 0.3, 12)
        x = 50 * (x - x.min()) / np.ptp(x)
        assert low - 1e-9 <= x.std(ddof=1) <= high + 1e-9
    assert np.std([0] + [25] * 10 + [50], ddof=1) == pytest.approx(low)
    assert np.std([0] * 6 + [50] * 6, ddof=1) == pytest.approx(high)


def test_components_are_those_of_a_singular_value_decomposition():
    table = paper.scores()
    z = (table - table.mean()) / table.std(ddof=1)
    singular = np.linalg.svd(z.to_numpy(), compute_uv=False) ** 2 / (len(table) - 1)
    np.testing.assert_allclose(panel.components(table)[0], singular, atol=1e-10)
    with pytest.raises(MetacogError, match="at least 6 models; there are 5"):
        panel.components(table.iloc[:5])
    with pytest.raises(MetacogError, match="all models score the same"):
        panel.components(table.assign(T1_CC=70.0))


def test_each_benchmark_has_one_order_and_brute_force_finds_it():
    """Oracle: scipy's Spearman over all 40,320 strict orders, for one benchmark."""
    assert [len(ranks) for ranks in benchmarks.solved().values()] == [1] * 5
    mmlu = benchmarks.solved()["MMLU"]
    scores = paper.scores()
    printed = paper.as_text("table7_external_by_task").set_index("task")["MMLU"].astype(float)
    orders = np.array(list(itertools.permutations(range(1, 9))))
    fits = np.ones(len(orders), dtype=bool)
    for task in scores:
        own = stats.rankdata(scores[task])
        rho = np.array([np.corrcoef(own, o)[0, 1] for o in orders[fits]])
        fits[np.flatnonzero(fits)] = np.abs(rho - printed[task]) <= 0.0005
    assert fits.sum() == 1
    np.testing.assert_array_equal(orders[fits][0], mmlu[0])


def test_the_orders_foretell_the_composite_of_fifteen_slots():
    frame = judged_benchmarks()
    assert frame["composite_15_slot_agrees"].tolist() == [False, True, True, True, True]
    for name in benchmarks.COMPOSITES:
        near = (frame[name] - frame["printed"]).abs() <= 0.0005
        assert (near == frame[f"{name}_agrees"]).all()
    assert frame.loc[0, "sum_d2"] == 42


def test_intervals_are_those_of_twenty_items():
    frame = judged_tests()
    assert (frame["sizes_ci"] == "20").all()
    wide = (frame["p"] - frame["p_24"]).abs() <= 0.0005 + frame["p_off"]
    assert (wide == frame["p_agrees"]).all() and int(wide.sum()) == 2
    assert frame.set_index("model").loc["Gemini 2.5 Flash", "sizes_p"] == "24"


def test_reliability_counts_both_bars():
    frame = reliability.reliability_table()
    assert reliability.partial(frame)
    assert not reliability.partial(frame.assign(agrees=True, reliable=True))
    assert not reliability.partial(frame.assign(agrees=False, reliable=False))
