"""Answers of study 2's pages follow their data. Oracles: counts in small tables, changed by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from metacog.studies.study2_two_choice import cells, paper, replication_compared, risk, two_choice
from metacog.studies.study2_two_choice import replication_posterior as posterior
from metacog.studies.study2_two_choice import replication_ratings as ratings
from metacog.studies.study2_two_choice.ledger import claims


def cells_of(ratios, areas):
    """Cells of one task with M-ratios and AUROC2, and the contrasts of draws close to them."""
    rng = np.random.default_rng(1)
    draws = {
        ("A", model): r * np.exp(0.01 * rng.standard_normal(400))
        for model, r in zip(paper.MODELS, ratios, strict=True)
    }
    pairs = cells.m_ratio_contrasts(draws, {key: float(d.mean()) for key, d in draws.items()})
    table = pd.DataFrame(
        {"task": "A", "model": list(paper.MODELS), "m_ratio": ratios, "auroc2": areas, "meta_i1r": areas}
    ).assign(auroc2_lower=lambda t: t["auroc2"] - 0.05)
    return SimpleNamespace(
        cells=claims.with_names(table), ratios=claims.with_names(pairs), accuracy=accuracy_of([0.4, 0.6])
    )


def accuracy_of(highest):
    """Share right at two levels of confidence, with the upper ends at the lower level; a rare level is not shown."""
    low = pd.DataFrame({"confidence": 1, "upper": [*highest, 0.1], "shown": [True] * len(highest) + [False]})
    high = low.assign(confidence=5, upper=0.3)
    return pd.concat([low, high]).assign(right=lambda t: t["upper"] - 0.1)


def run_of(lower, models="MM"):
    """Cells of which each signal has an AUROC2 of 0.7 and this lower end."""
    rows = [
        (model, name, low)
        for model in models
        for name, low in zip(("rating", "p_decision"), lower, strict=True)
    ]
    signals = pd.DataFrame(rows, columns=["name", "signal", "auroc2_lower"]).assign(
        auroc2=0.7, gain_lower=np.nan, gain_upper=np.nan
    )
    draws = pd.DataFrame({"wrong": [3], "wrong_against": [1]})
    return SimpleNamespace(signals=signals, draws=draws)


def with_bits(ratios, areas):
    """The same with what meta-I1r would be of an observer who gives each level as often, and of the fitted model."""
    result = cells_of(ratios, areas)
    result.cells = result.cells.assign(i1r_levels=0.65, i1r_fitted=[0.2, 0.9, 0.9])
    return result


def test_cells_that_waste_evidence_are_counted():
    ratios = ([0.6, 0.7, 0.8], [0.6, 0.7, 1.3], [0.6, 1.0, 1.3], [1.1, 1.2, 1.3])
    found = [two_choice.figures(with_bits(one, [0.9] * 3)) for one in ratios]
    assert [(one["n_below"], one["n_cells"]) for one in found] == [(3, 3), (2, 3), (1, 3), (0, 3)]


def test_tables_whose_least_confident_answers_are_mostly_wrong_are_counted():
    """Oracle: three tables by hand, of which one is too rare to count."""
    told = two_choice.doubted(accuracy_of([0.3, 0.4, 0.6]))
    assert (told["n_doubted"], told["n_wrong"]) == (3, 2)
    assert [round(told[f"doubted_{end}"]) for end in ("least", "most")] == [20, 30]
    assert two_choice.doubted(accuracy_of([0.6]))["n_wrong"] == 0


def test_where_meta_i1r_and_the_m_ratio_part_what_the_fitted_model_keeps_is_compared():
    """Oracle: cells by hand; a fitted model that keeps as many bits as the ratings, and one that does not."""
    result = with_bits([0.66, 0.7, 0.8], [0.19, 0.6, 0.7])
    found = two_choice.figures(result)
    assert (found["n_far"], found["least_bits"], found["most_kept"]) == (1, 0.19, 65)
    assert abs(found["off_bits"] - 0.01) < 1e-12
    result.cells["meta_i1r"] = 0.6
    assert two_choice.figures(result)["n_far"] == 0


def test_an_m_ratio_about_zero_is_a_finding():
    columns = "name task judged decision m_ratio_lower m_ratio_upper"
    rows = [("M", "A", True, "significant", -0.3, 0.3), ("M", "B", True, "significant", 0.5, 0.8)]
    rows += [("M", "C", True, "significant", 1.2, 1.5), ("N", "A", False, "no decision", -9.0, 9.0)]
    cells = pd.DataFrame(rows, columns=columns.split())
    pairs = pd.DataFrame(columns=["measure", "decision"], dtype="str")
    told = posterior.figures(SimpleNamespace(cells=cells, pairs=pairs))
    assert [told[f"n_{name}"] for name in ("judged", "cells", "less", "zero")] == [3, 4, 2, 1]
    assert np.isnan(posterior.figures(SimpleNamespace(cells=cells.head(0), pairs=pairs))["n_cells"])


def test_pairs_are_counted_and_the_largest_factor_is_told():
    result = with_bits([0.5, 0.7, 0.71], [0.7] * 3)
    found = two_choice.figures(result)
    assert (found["n_differ"], found["n_pairs"]) == (2, 3) and abs(found["largest_factor"] - 1.42) < 0.01


def test_what_warnings_do_is_counted_by_the_criterion():
    result = risk.risk(None)
    pairs = result.pairs
    some = pairs["difference"].where(pairs["task"] != "A", -pairs["difference"])
    turned = {"difference": -pairs["difference"]}
    changed = ({}, {"decision_wide": "not significant"}, turned, {"difference": some})
    counts = ("n_heeded", "n_ends", "n_single_heeded", "n_single", "n_against", "n_d_differs", "n_of_d")
    found = []
    for one in changed:
        numbers = risk.figures(SimpleNamespace(pairs=pairs.assign(**one), widths=result.widths))
        found.append([numbers[name] for name in counts])
    assert found[0] == [9, 9, 16, 18, 0, 8, 27] and found[1] == [0, 9, 0, 18, 0, 0, 27]
    assert found[2] == [0, 9, 0, 18, 16, 8, 27] and found[3][0] == 6


def test_cases_in_which_a_signal_tells_right_from_wrong_are_counted():
    stated, implied, none = (run_of(lower) for lower in ((0.6, 0.6), (0.4, 0.6), (0.4, 0.4)))
    found = [ratings.figures(one) for one in (stated, implied, none)]
    assert [(one["rating_clear"], one["p_decision_clear"], one["rating_n"]) for one in found] == [
        (2, 2, 2),
        (0, 2, 2),
        (0, 0, 2),
    ]
    nothing = SimpleNamespace(signals=none.signals.head(0), draws=none.draws.head(0))
    assert np.isnan(ratings.figures(nothing)["rating_n"])


def test_pairs_of_models_and_of_tasks_are_counted():
    pairs = pd.DataFrame({"kind": ["models", "tasks", "tasks"], "differs": [True, False, True]})
    pairs = pairs.assign(quantity="auroc2", p_holm=0.01)
    found = replication_compared.figures(SimpleNamespace(pairs=pairs))
    assert found == {"models_of": 1, "models_apart": 1, "tasks_of": 2, "tasks_apart": 1}
    none = replication_compared.figures(SimpleNamespace(pairs=pairs.assign(p_holm=np.nan)))
    assert np.isnan(none["models_of"]) and none["tasks_apart"] == 0
