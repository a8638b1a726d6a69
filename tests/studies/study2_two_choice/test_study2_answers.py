"""Answers of study 2's pages follow their data. Oracles: counts in small tables, changed by hand."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
from heads_checked import faults

from metacog.report.needed import about, answers_for_area
from metacog.studies.study2_two_choice.cells import comparisons, sentences
from metacog.studies.study2_two_choice.ledger import claims, published
from metacog.studies.study2_two_choice.replication import shown as replicated
from metacog.studies.study2_two_choice.replication.answer import page_answer as answer_of_run
from metacog.studies.study2_two_choice.replication.answer import settling
from metacog.studies.study2_two_choice.risk import shown as on_risk
from metacog.studies.study2_two_choice.risk.analysis import risk
from metacog.studies.study2_two_choice.two_choice.shown import above_chance, orders
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


def test_the_head_counts_the_cells_that_waste_evidence():
    heads = [
        answer_on_cells(cells_of(ratios, [0.9] * 3))
        for ratios in ([0.6, 0.7, 0.8], [0.6, 0.7, 1.3], [0.6, 1.0, 1.3], [1.1, 1.2, 1.3])
    ]
    assert heads[0].startswith("No: in all 3") and heads[1].startswith("Mostly not: in 2 of 3")
    assert heads[2].startswith("Not always: in 1 of 3") and "in none of 3" in heads[3]
    assert [faults(head) for head in heads] == [[]] * 4
    found = above_chance(cells_of([0.6, 1.0, 1.3], [0.9, 0.7, 0.52]))
    assert "In 2 of 3 combinations" in found and "0.52 to 0.90" in found


def test_pairs_that_a_measure_without_bell_curves_orders_otherwise_are_counted():
    assert orders(cells_of([0.6, 0.7, 0.8], [0.6, 0.7, 0.8])).endswith("does on every task.")
    turned = orders(cells_of([0.6, 0.7, 0.8], [0.8, 0.7, 0.6]))
    assert "orders 3 of 3 pairs" in turned and "GPT-5 and DeepSeek-V3.2 (task A)" in turned
    assert "tells 3 of these apart" in turned
    assert "tells none of these apart" in orders(cells_of([0.6, 0.7, 0.701], [0.6, 0.8, 0.7]))


def test_pairs_are_counted_and_the_furthest_is_named():
    result = cells_of([0.5, 0.7, 0.71], [0.7] * 3)
    found = sentences.compared(result.ratios, "models")
    assert found.startswith("2 of 3 pairs of models differ") and "GPT-5 has 0.70 times" in found
    none = sentences.compared(result.ratios.assign(decision="inconclusive"), "models")
    assert none.startswith("No pair of models")


def test_the_head_on_warnings_follows_the_criterion():
    found = risk(None)
    pairs = found.pairs
    deaf = dataclasses.replace(found, pairs=pairs.assign(decision_wide="not significant"))
    against = dataclasses.replace(found, pairs=pairs.assign(difference=-pairs["difference"]))
    some = pairs["difference"].where(pairs["task"] != "A", -pairs["difference"])
    most = dataclasses.replace(found, pairs=pairs.assign(difference=some))
    heads = [on_risk.page_answer(one) for one in (found, deaf, against, most)]
    assert heads[0].startswith("Yes: in all 9") and heads[1] == heads[2]
    assert heads[1].startswith("No: in none of 9") and heads[3].startswith("Mostly: in 6 of 9")
    assert [faults(head) for head in heads] == [[]] * 4
    assert on_risk.alone(found).startswith("Compared with no warning, 16 of 18 single")
    assert "differs in 8 of 27 pairs of warnings, so not only" in on_risk.sensitivity(found)
    assert "0 of 27 pairs" in on_risk.sensitivity(deaf) and "GPT-5 on task B" in on_risk.how_far(found)


def test_the_head_on_the_run_counts_cells_or_says_what_would_settle_it():
    stated, implied, none = (run_of(lower) for lower in ((0.6, 0.6), (0.4, 0.6), (0.4, 0.4)))
    heads = [answer_of_run(one) for one in (stated, implied, none)]
    assert heads[0].startswith("The number that a model states tells right answers from wrong ones in 2 of 2")
    assert heads[1].startswith("No number") and "probability of the decision does in 2 of 2" in heads[1]
    assert heads[2].endswith("cannot be told from 40 decisions each.")
    nothing = SimpleNamespace(signals=none.signals.head(0), cells=none.cells.head(0), draws=none.draws)
    heads.append(answer_of_run(nothing))
    assert heads[3].endswith("cannot be told.") and [faults(head) for head in heads] == [[]] * 4
    assert settling(stated) == settling(implied) == ""
    assert f"about {about(answers_for_area(0.5)):,} answers with 50% right" in settling(none)


def test_pairs_of_models_and_of_tasks_are_counted():
    pairs = pd.DataFrame(
        {
            "kind": ["models", "tasks", "tasks"],
            "quantity": "auroc2",
            "p_holm": 0.01,
            "differs": [True, False, True],
        }
    )
    told = replicated.apart(SimpleNamespace(pairs=pairs))
    assert "1 of 1 pair of models and 1 of 2 pairs of tasks differ" in told
    assert "cannot be told" in replicated.apart(SimpleNamespace(pairs=pairs.assign(p_holm=np.nan)))
