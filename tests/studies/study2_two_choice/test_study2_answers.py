"""Answers of study 2's pages follow their data. Oracles: counts in small tables, changed by hand."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.report.needed import about, answers_for_area
from metacog.studies.study2_two_choice.cells import comparisons, panels, sentences
from metacog.studies.study2_two_choice.ledger import claims, published
from metacog.studies.study2_two_choice.replication import shown as replicated
from metacog.studies.study2_two_choice.replication.answer import page_answer as answer_of_run
from metacog.studies.study2_two_choice.risk.analysis import risk
from metacog.studies.study2_two_choice.risk.shown import page_answer as answer_on_risk
from metacog.studies.study2_two_choice.sample_size.shown import page_answer as answer_on_size
from metacog.studies.study2_two_choice.two_choice.shown import orders
from metacog.studies.study2_two_choice.two_choice.shown import page_answer as answer_on_cells

GPT, DEEPSEEK, MISTRAL = published.MODELS


def cells_of(ratios, areas):
    """Cells of one task with M-ratios and AUROC2, and the contrasts of draws close to them."""
    rng = np.random.default_rng(1)
    draws = {
        ("A", model): r * np.exp(0.01 * rng.standard_normal(400))
        for model, r in zip(published.MODELS, ratios, strict=True)
    }
    pairs = comparisons.m_ratio_contrasts(draws, {key: float(d.mean()) for key, d in draws.items()})
    table = pd.DataFrame(
        {"task": "A", "model": list(published.MODELS), "m_ratio": ratios, "auroc2": areas, "meta_i1r": areas}
    ).assign(auroc2_lower=lambda t: t["auroc2"] - 0.05)
    return SimpleNamespace(cells=claims.with_names(table), ratios=claims.with_names(pairs))


def test_the_answer_counts_cells_that_know_and_cells_that_waste():
    found = answer_on_cells(cells_of([0.6, 0.7, 0.8], [0.9, 0.7, 0.6]))
    assert "In 3 of 3 cells" in found and "AUROC2 0.60 to 0.90" in found
    assert "but in 3 of them it uses less evidence" in found and "0.60 to 0.80" in found
    found = answer_on_cells(cells_of([0.6, 1.0, 1.3], [0.9, 0.7, 0.52]))
    assert "In 2 of 3 cells" in found and "but in 1 of them" in found
    assert "and in none of them is it shown to use less" in answer_on_cells(
        cells_of([1.1, 1.2, 1.3], [0.9] * 3)
    )


def test_orders_by_either_measure_are_compared():
    alike = orders(cells_of([0.6, 0.7, 0.8], [0.6, 0.7, 0.8]))
    assert alike.startswith("AUROC2 orders the models as the M-ratio does on 1 of 1 task. meta-I1r, which")
    assert alike.endswith("orders them as the M-ratio on every task.")
    turned = orders(cells_of([0.6, 0.7, 0.8], [0.8, 0.7, 0.6]))
    assert "on 0 of 1 task" in turned and "GPT-5 is first on task A and not Mistral-Medium" in turned
    assert "orders 3 of 3 pairs the other way: GPT-5 and DeepSeek-V3.2 (task A)" in turned
    assert turned.endswith("tells 3 of these apart.")
    close = orders(cells_of([0.6, 0.7, 0.701], [0.6, 0.8, 0.7]))
    assert "orders 1 of 3 pairs the other way" in close and close.endswith("tells none of these apart.")
    assert "Mistral-Medium is first on task A by either" in orders(cells_of([0.6, 0.7, 0.8], [0.7, 0.6, 0.8]))


def test_pairs_are_counted_and_the_furthest_is_named_and_drawn():
    result = cells_of([0.5, 0.7, 0.71], [0.7] * 3)
    found = sentences.compared(result.ratios, "models")
    assert found.startswith("2 of 3 pairs of models differ") and "GPT-5 has 0.70 times" in found
    assert sentences.compared(result.ratios.assign(decision="inconclusive"), "models").startswith(
        "No pair of models"
    )
    figure = panels.log_ratios(result.ratios)
    (axis,) = figure.axes  # one task: there is no pair of tasks
    assert axis.get_yticklabels()[0].get_text() == "A: GPT-5 / DeepSeek-V3.2"
    marks = [line for line in axis.lines if line.get_marker() == "o"]
    assert [m.get_markerfacecolor() == "white" for m in marks] == [False, False, True]
    assert marks[0].get_xdata()[0] == pytest.approx(0.5 / 0.7, rel=0.01)
    assert panels.log_ratios(result.ratios[result.ratios["kind"] == "optimality"]) is None


def levels(accuracy, task="A", shown=True):
    """Levels of confidence with narrow intervals around an accuracy each."""
    return pd.DataFrame(
        {
            "task": task,
            "name": "M",
            "confidence": range(1, len(accuracy) + 1),
            "lower": np.array(accuracy) - 0.02,
            "upper": np.array(accuracy) + 0.02,
            "shown": shown,
        }
    )


def test_a_cell_with_one_level_shows_neither_a_rise_nor_a_fall():
    both = pd.concat([levels([0.5, 0.9]), levels([0.9, 0.5], "B"), levels([0.5], "C")])
    found = sentences.falls(SimpleNamespace(accuracy=both, fewest=10))
    assert "rises clearly (intervals apart) in 1 of 2 cells and falls clearly in 1 (M on task B)" in found
    assert found.endswith("1 other cell has one level only, or none, and shows neither.")
    alone = sentences.falls(SimpleNamespace(accuracy=levels([0.5]), fewest=10))
    assert "cannot be seen: none of 1 cell has two levels with 10 trials" in alone


def test_the_answer_on_warnings_follows_the_criterion_and_the_sensitivity():
    found = risk(None)
    told = answer_on_risk(found)
    assert "16 of 18 single warnings do so; the exceptions are " in told
    assert "DeepSeek-V3.2 warned of S1 on task C" in told and "Mistral-Medium warned of S2 on task B" in told
    assert told.startswith("In 9 of 9 models and tasks") and "GPT-5 on task B moves most" in told
    assert "differs in 8 of 27 pairs of warnings, so not only the line" in told
    deaf = dataclasses.replace(found, pairs=found.pairs.assign(decision_wide="not significant"))
    assert "0 of 18 single warnings do so." in answer_on_risk(deaf)
    assert answer_on_risk(deaf).startswith("In 0 of 9") and answer_on_risk(deaf).endswith(
        "0 of 27 pairs of warnings."
    )
    against = dataclasses.replace(found, pairs=found.pairs.assign(difference=-found.pairs["difference"]))
    assert answer_on_risk(against).startswith("In 0 of 9")


def run_of(lower, digits=(1, 3)):
    """Two cells of which each signal has an AUROC2 of 0.7 and this lower end."""
    signals = pd.DataFrame(
        [
            {"signal": name, "n": 40, "right": 20, "levels": k, "auroc2": 0.7, "auroc2_lower": low, "task": t}
            for t, k in zip("AB", digits, strict=True)
            for name, low in zip(("rating", "p_decision"), lower, strict=True)
        ]
    )
    cells = pd.DataFrame(
        {
            "levels": digits,
            "padded": False,
            "near_chance": [False, True],
            "m_ratio_lower": [-0.1, -0.1],
            "m_ratio_upper": 0.9,
        }
    )
    draws = pd.DataFrame({"wrong": [20, 20], "wrong_against": [14, 2]})
    return SimpleNamespace(signals=signals, cells=cells, draws=draws)


def test_the_answer_on_the_run_counts_cells_or_says_what_would_settle_it():
    found = answer_of_run(run_of((0.4, 0.6)))
    assert "same digit throughout in 1 of 2 cells" in found and "has an interval in 0 of 2 cells." in found
    assert "the digit given in 0 of 2 and the probability of the decision in 2 of 2 cells" in found
    assert "16 of 40 wrong decisions went against the model's own preference" in found
    open_ = answer_of_run(run_of((0.4, 0.4), digits=(2, 3)))
    assert open_.startswith(
        "Whether these models know when they are right cannot be told from 40 decisions in a cell: "
    )
    assert f"about {about(answers_for_area(0.5)):,} answers with 50% right. " in open_
    assert (
        "more than one digit in all 2 cells" in open_
        and "in 1 of 2 cells, which contains 0 in 1 of them." in open_
    )


def test_what_has_a_meta_d_and_what_has_none_adds_up():
    cells = pd.DataFrame(
        {"task": list("ABC"), "name": "M", "levels": [1, 3, 3], "meta_d": [np.nan, 1.0, np.nan]}
    )
    lost = pd.DataFrame({"task": ["D"], "name": ["M"], "why": "no reply can be used"})
    lost = lost.assign(asked=9, decided=4, usable=0, levels=0)
    found = replicated.fits(SimpleNamespace(cells=cells, unfitted=lost))
    assert found.startswith(
        "There is a meta-d' in 1 of 4 cells: the same rating was given throughout for M on task A"
    )
    assert (
        "no reply can be used for M on task D (a decision in 4 of 9 trials" in found
        and "fit fails for M on task C" in found
    )
    whole = replicated.fits(SimpleNamespace(cells=cells.iloc[[1]], unfitted=lost.head(0)))
    assert whole == "There is a meta-d' in all 1 cell."


def test_the_answer_on_sizes_follows_the_plan():
    result = SimpleNamespace(
        needed=pd.DataFrame(
            {"observer": ["x", "x"], "fitted_to": ["as drawn", "half"], "trials": [1234, 5], "bias": 0.0}
        ),
        spread=pd.DataFrame(
            {"observer": ["x"], "fitted_to": ["as drawn"], "n_trials": [40], "m_ratio_half": [0.77]}
        ),
        half_width=0.1,
        trials_of_run=40,
    )
    found = answer_on_size(result)
    assert "within 0.1 on either side (95 %) after 1,234 trials at x" in found
    assert "With the 40 trials of this run's smallest task it is known to within 0.77" in found
