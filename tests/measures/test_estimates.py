"""All measures of a cell. Oracles: SciPy, `metacog.sdt` on whole tables, duplicated trials, simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from made_trials import simulate_table
from scipy.stats import mannwhitneyu

from metacog.imports.clean import Validation, clean
from metacog.imports.mapping import Columns
from metacog.measures import table as table_page
from metacog.measures.cell import Cell, Flag
from metacog.measures.estimates import measure
from metacog.measures.table import Options, compare_models, levels_of, make_cell, measure_table
from metacog.sdt import brier_score, ece, meta_information, risk_coverage, z_roc
from metacog.sdt.area_intervals import auroc2_interval


def simulated(n: int, seed: int, noise: float = 1.0) -> Cell:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    correct = rng.random(n) < 1 / (1 + np.exp(-1.2 * x))
    score = x + rng.normal(0, noise, n)
    level, n_levels = levels_of(score, score)
    return Cell(correct, score, level, n_levels, 1 / (1 + np.exp(-score)), np.arange(n))


def repeated(cell: Cell, times: int, unit: np.ndarray) -> Cell:
    r = lambda a: np.repeat(a, times)  # noqa: E731
    return Cell(r(cell.correct), r(cell.score), r(cell.level), cell.n_levels, r(cell.probability), unit)


def test_estimates_are_those_of_the_estimators():
    cell = simulated(800, 1)
    made = measure(cell, n_resamples=200, n_permutations=200).values
    u = mannwhitneyu(cell.score[cell.correct], cell.score[~cell.correct]).statistic
    assert made["auroc2"] == pytest.approx(u / (cell.correct.sum() * (~cell.correct).sum()))
    info = meta_information(cell.correct, cell.level, correction="exact")
    assert made["meta_i2r"] == pytest.approx(info.meta_i2r)
    assert made["meta_i"] == pytest.approx(info.meta_i)
    tables = [np.bincount(cell.level[side], minlength=8) for side in (~cell.correct, cell.correct)]
    assert made["d_a"] == pytest.approx(z_roc(*tables).d_a)
    assert made["ece"] == pytest.approx(ece(cell.correct, cell.probability))
    assert made["brier"] == pytest.approx(brier_score(cell.correct, cell.probability))
    assert made["aurc"] == pytest.approx(risk_coverage(cell.correct, cell.score).aurc)
    assert made["overconfidence"] == pytest.approx(cell.probability.mean() - cell.correct.mean())


def at_temperatures(n: int, seed: int, distance: float, temperatures: int = 7) -> Cell:
    """Questions asked at several temperatures; being right and the noise of confidence are alike in each."""
    rng = np.random.default_rng(seed)
    shape = n, temperatures
    alike = [0.85 * rng.normal(size=(n, 1)) + 0.53 * rng.normal(size=shape) for _ in "ab"]
    correct = (alike[0] < -0.5).ravel()
    score = alike[1].ravel() + distance * correct
    level, n_levels = levels_of(score, score)
    unit, condition = np.repeat(np.arange(n), temperatures), np.tile(np.arange(temperatures) / 10, n)
    nothing = np.full(score.size, np.nan)
    return Cell(correct, score, level, n_levels, nothing, unit, condition=condition)


def test_questions_that_repeat_have_a_p_and_a_null_of_their_own():
    """By question; the mean over single trials, which was taken off before, is smaller."""
    cell = at_temperatures(200, 1, 0.0)
    made = measure(cell, n_resamples=100, n_permutations=400).values
    assert 0.01 < made["p_meta_i2r"] <= 1
    assert made["n_fixed"] == 0
    trial_level = meta_information(cell.correct, cell.level, correction="exact").meta_i2r
    assert made["meta_i2r"] < trial_level
    assert measure(at_temperatures(200, 1, 0.8), n_resamples=100, n_permutations=400).values[
        "p_meta_i2r"
    ] == pytest.approx(1 / 401)


def test_meta_i2r_of_repeated_questions_is_not_biased_by_the_null():
    """Nothing known: over simulated sets the estimate is 0 on average; with the null of trials it was not."""
    found, before = [], []
    for seed in range(60):
        cell = at_temperatures(60, seed, 0.0)
        found.append(measure(cell, n_resamples=2, n_permutations=200).values["meta_i2r"])
        before.append(meta_information(cell.correct, cell.level, correction="exact").meta_i2r)
    error = np.std(found) / np.sqrt(60)
    assert abs(np.mean(found)) < 3 * error
    assert np.mean(before) > 3 * error


def test_questions_without_their_like_are_counted():
    cell = at_temperatures(60, 2, 0.5)
    condition = cell.condition.copy()
    condition[::7][:10] = np.arange(10, 20)  # ten questions with a temperature of their own
    made = measure(
        Cell(cell.correct, cell.score, cell.level, 8, cell.probability, cell.unit, condition=condition),
        n_resamples=50,
        n_permutations=50,
    )
    assert made.values["n_fixed"] == 10
    assert Flag.FIXED_QUESTIONS in made.flags
    assert "60 questions" in made.row()["flag"]


def test_a_row_says_how_often_such_intervals_hold_the_truth(monkeypatch):
    designs = pd.DataFrame({"interval": ["meta_i2r"], "value": [0.1], "coverage": [0.9]})
    designs = designs.assign(clustered=False, n_trials=600, minority=300, coverage_se=0.01)
    monkeypatch.setattr(table_page, "simulations", lambda: designs)
    trials = imported(600)
    table, _ = measure_table(trials, Options(n_resamples=50, n_permutations=20, clustered=False), ("model",))
    assert table["coverage"].str.contains("90 %").all()


def test_interval_of_auroc2_is_that_of_placement_values():
    for cell in (simulated(300, 6), at_temperatures(80, 3, 1.0)):
        made = measure(cell, n_resamples=50, n_permutations=20)
        area = auroc2_interval(cell.correct, cell.score, clusters=cell.unit if cell.clustered else None)
        assert made.bounds["auroc2"] == (area.lower, area.upper)
        assert made.values["auroc2"] == pytest.approx(area.estimate)


def test_whole_questions_are_resampled():
    """Four copies of each trial carry no more information: clustered intervals stay, others halve."""
    cell = simulated(400, 2)
    options = {"n_resamples": 2000, "n_permutations": 100}
    once = measure(cell, **options)
    clustered = measure(repeated(cell, 4, np.repeat(np.arange(400), 4)), **options)
    naive = measure(repeated(cell, 4, np.arange(1600)), **options)

    def width(made, name):
        return made.bounds[name][1] - made.bounds[name][0]

    for name in ("auroc2", "brier", "overconfidence"):
        assert width(clustered, name) == pytest.approx(width(once, name), rel=0.08)
        assert width(naive, name) == pytest.approx(width(once, name) / 2, rel=0.12)


def test_interval_of_meta_i2r_is_not_too_high():
    """Over simulated data sets of one truth the interval misses on both sides about alike."""
    truth = measure(simulated(400_000, 99), n_resamples=2, n_permutations=2).values["meta_i2r"]
    below = above = 0
    for seed in range(120):
        low, high = measure(simulated(300, seed), n_resamples=300, n_permutations=2).bounds["meta_i2r"]
        below, above = below + (truth < low), above + (truth > high)
    assert below + above <= 14  # 6 expected; P(more than 14) < 0.001
    assert below <= 10
    assert above <= 10


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 10}, "only 10 trials"),
        ({"correct": True}, "all 100 answers are right"),
        ({"correct": False}, "all 100 answers are wrong"),
        ({"score": 0.5}, "confidence is constant"),
    ],
)
def test_what_cannot_be_judged_is_flagged_and_left_empty(change, words):
    cell = simulated(change.get("n", 100), 3)
    n = cell.correct.size
    correct = np.full(n, change["correct"]) if "correct" in change else cell.correct
    score = np.full(n, change["score"]) if "score" in change else cell.score
    made = measure(Cell(correct, score, cell.level, 8, cell.probability, cell.unit), n_resamples=100)
    assert words in made.row()["flag"]
    assert np.isnan(made.values["auroc2"])
    assert np.isnan(made.values["meta_i2r"])
    assert set(made.bounds) == {"accuracy"}
    assert made.values["accuracy"] == correct.mean()


def test_few_wrong_answers_have_no_intervals():
    cell = simulated(100, 4)
    correct = np.ones(100, dtype=bool)
    correct[:4] = False
    made = measure(Cell(correct, cell.score, cell.level, 8, cell.probability, cell.unit), n_resamples=100)
    assert "no intervals" in made.row()["flag"]
    assert np.isfinite(made.values["auroc2"])
    assert set(made.bounds) == {"accuracy"}
    assert np.isnan(made.values["d_a"])


def test_complete_separation_has_no_interval_of_no_width():
    cell = simulated(100, 5)
    score = cell.correct + 0.1 * np.random.default_rng(0).random(100)
    level, n_levels = levels_of(score, score)
    made = measure(Cell(cell.correct, score, level, n_levels, score / 2, cell.unit), n_resamples=200)
    assert made.values["auroc2"] == 1
    assert "auroc2" not in made.bounds
    assert "are separated" in made.row()["flag"]


def imported(n: int = 4000, **options) -> pd.DataFrame:
    roles = Columns("is_right", "stated", "llm", "topic", None, "item")
    return clean(simulate_table(n), roles, Validation("x", "table"), scale="percent", **options)


def test_table_has_a_row_for_every_part():
    table, models = measure_table(imported(), Options(n_resamples=100, n_permutations=100))
    assert table.groupby("by").size().to_dict() == {"domain": 6, "model": 2}
    assert list(models) == ["insightful", "vague"]
    assert (table["flag"] == "").all()
    assert table["p_meta_i2r"].notna().all()


def test_pairs_find_the_difference_that_was_simulated():
    trials = imported()
    options = Options(n_resamples=400, n_permutations=100)
    _, models = measure_table(trials, options, ("model",))
    pairs = compare_models(trials, models, options).set_index("quantity")
    assert pairs["paired"].all()
    assert pairs.loc["auroc2", "differs"]
    assert pairs.loc["auroc2", "difference"] > 0.05
    assert not pairs.loc["accuracy", "differs"]
    unpaired = compare_models(trials, models, Options(n_resamples=400, clustered=False))
    assert not unpaired["paired"].any()


def test_few_values_are_levels_of_their_own():
    level, n = levels_of(np.array([0.2, 0.9, 0.2, 0.5]), np.array([0.2, 0.5, 0.9]))
    assert (level.tolist(), n) == ([0, 2, 0, 1], 3)


def test_open_answers_get_an_m_ratio_only_when_asked():
    trials = imported()
    plain, _ = measure_table(trials, Options(n_resamples=100), ("model",))
    assert "m_ratio" not in plain
    asked, _ = measure_table(trials, Options(n_resamples=100, open_m_ratio=True), ("model",))
    assert not asked["m_ratio_valid"].any()


def test_two_choice_cells_follow_the_order_of_the_tables():
    trials = imported(600).head(100).copy()
    trials["stimulus"], trials["response"] = 0, 1
    trials["rating"], trials["k"] = 2, 3
    cell = make_cell(trials, trials, Options())
    assert set(cell.choice) == {4}  # S2 said with rating 2 of 3: cells are S1 3 2 1, S2 1 2 3
    trials["stimulus"], trials["response"] = 1, 0
    assert set(make_cell(trials, trials, Options()).choice) == {6 + 1}


def test_an_m_ratio_that_padding_makes_has_no_interval_and_says_so():
    """Two-choice trials in which one stimulus is never met with the other's response."""
    rng = np.random.default_rng(0)
    n = 400
    stimulus = np.repeat([0, 1], n // 2)
    for shaky in (True, False):
        wrong = (rng.random(n) < 0.2) & ((stimulus == 1) | (not shaky))
        rating = rng.integers(0, 3, n)
        response = np.where(wrong, 1 - stimulus, stimulus)
        place = np.where(response == 1, 3 + rating, 2 - rating)
        cell = Cell(
            ~wrong, rating.astype(float), rating, 3, np.full(n, np.nan), np.arange(n), stimulus * 6 + place, 3
        )
        made = measure(cell, n_resamples=100, n_permutations=100)
        assert (Flag.PADDED in made.flags) is shaky
        assert ("m_ratio" in made.bounds) is not shaky and "auroc2" in made.bounds
