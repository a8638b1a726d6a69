"""Answers of study 3's pages follow their data. Oracles: small tables, changed by hand."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.dmc import decoupling
from metacog.studies.study3_dmc.dmc import estimators as designs
from metacog.studies.study3_dmc.dmc import shown as dmc
from metacog.studies.study3_dmc.published import shown as printed
from metacog.studies.study3_dmc.published.analysis import published
from metacog.studies.study3_dmc.replication import sentences
from metacog.studies.study3_dmc.replication.figures import auroc2, ratios
from metacog.studies.study3_dmc.signals.analysis import ranked
from metacog.studies.study3_dmc.signals.shown import best_signals
from metacog.studies.study3_dmc.signals.shown import page_answer as answer_on_signals

COST = "to tell an AUROC2 of 0.6 from chance"


def test_flat_measures_are_named_and_the_others_bounded():
    kept = decoupling.with_names(decoupling.load().variations)
    found = dmc.page_answer(SimpleNamespace(variations=kept))
    assert "DMC's MC and M-ratio (ML) stay flat" in found and "so does the older M-ratio" in found
    restless = dmc.page_answer(SimpleNamespace(variations=kept.assign(exact=0.5)))
    assert "no measure stays flat" in restless and "0.50 to 0.50" in restless and "sets out" not in restless
    one = kept.assign(exact=kept["exact"].where(kept["measure"] != "mc", 0.5))
    assert "M-ratio (ML) stays flat" in dmc.page_answer(SimpleNamespace(variations=one))
    still = dmc.page_answer(SimpleNamespace(variations=kept.assign(exact=0.0)))
    assert "Brier stay flat" in still and "other measures" not in still


def test_the_fewest_and_the_most_trials_are_read_off_the_designs():
    table = designs.load()
    found = dmc.few_and_many(SimpleNamespace(designs=table))
    few = designs.of_factor(table, "n_trials").nsmallest(3, "n_trials").set_index("estimator")["bias"]
    assert f"DMC is off by {few['dmc']:+.2f}" in found and f"maximum likelihood by {few['ml']:+.2f}" in found
    assert "off by +9.00" in dmc.few_and_many(SimpleNamespace(designs=table.assign(bias=9.0)))


def test_the_answer_on_printed_figures_counts_those_that_follow():
    result = published(None)
    found = printed.page_answer(result)
    assert found.startswith("17 of 24") and "7 do not" in found and "4 of 6 CVs of DMC" in found
    assert "4 of 6 printed CVs of AUROC" in found
    whole = result.figures.assign(agrees=True)
    fine = printed.page_answer(dataclasses.replace(result, figures=whole, n_off=0, above=()))
    assert fine.startswith("24 of 24") and "do not" not in fine and "0 of 6 printed" in fine


def test_each_figure_is_drawn_in_units_of_its_rounding():
    result = published(None)
    (axis,) = printed.differences(result).figure.axes
    marks = [line for line in axis.lines if line.get_marker() == "o"]
    rows = result.figures
    assert [m.get_xdata()[0] for m in marks] == pytest.approx((rows["off"] / rows["rounding"]).tolist())
    assert [m.get_markerfacecolor() == "white" for m in marks] == [not a for a in rows["agrees"]]


def signals_of(lower):
    """Two models with two signals each, one of which has this lower end of AUROC2."""
    pooled = pd.DataFrame(
        [
            {
                "model": m,
                "name": n,
                "questions": 30,
                "accuracy": 0.8,
                "auroc2": a,
                "auroc2_lower": low,
                "auroc2_upper": 0.9,
            }
            for m in ("X", "Y")
            for n, a, low in (("P(True)", 0.7, lower if m == "X" else 0.4), ("entropy", 0.5, 0.4))
        ]
    )
    return SimpleNamespace(pooled=pooled, ranking=pooled.assign(beyond=pooled["auroc2_lower"] > 0.5))


def test_the_answer_on_signals_names_the_best_or_what_would_settle_it():
    found = answer_on_signals(signals_of(0.6))
    assert "P(True) tells right answers from wrong ones best in X (AUROC2 0.70, 0.60 to 0.90)" in found
    assert "1 of the 2 signals that can be ranked do so" in found
    assert "none of the 2 signals that can be ranked does so beyond chance in Y" in found
    open_ = answer_on_signals(signals_of(0.4))
    assert open_.startswith(
        f"Which signal tells right answers from wrong ones cannot be told from 30 questions: {COST}"
    )
    assert "80% right" in open_ and "4 of 4 signals can be ranked" in open_


def test_signals_that_stand_alone_but_not_together_are_not_beyond_chance():
    """Oracle: Holm by hand. Of 11 signals with intervals above one half three have p below .05/11, .05/10, .05/9."""
    p = [0.0001, 0.0004, 0.005, 0.008, 0.01, 0.02, 0.03, 0.03, 0.04, 0.04, 0.04]
    table = pd.DataFrame(
        {
            "model": "X",
            "dataset": ALL,
            "name": [f"signal {k}" for k in range(11)],
            "questions": 80,
            "accuracy": 0.6,
            "auroc2": [0.8 - 0.01 * k for k in range(11)],
            "auroc2_lower": 0.51,
            "auroc2_upper": 0.95,
            "meta_i2r": 0.1,
            "calls": 1.0,
            "why": "",
            "p": p,
        }
    )
    found = SimpleNamespace(pooled=table, ranking=ranked(table))
    assert found.ranking["beyond"].tolist() == [True] * 3 + [False] * 8
    told = answer_on_signals(found)
    assert "3 of the 11 signals that can be ranked do so beyond chance when all are judged together" in told
    assert "The interval of 11 of 11 signals, each taken alone, lies above one half; of 3 " in best_signals(
        found
    )
    below = table.assign(auroc2=1 - table["auroc2"])  # as far from one half on the other side
    assert not ranked(below)["beyond"].any()


def four_questions(outcome, gain):
    cells = pd.DataFrame({"dataset": "s", "mc": [1.0, np.nan], "n": [34, 34], "accuracy": 0.6})
    pairs = pd.DataFrame(
        {
            "measure": ["auroc2"] * 3 + ["mc"] * 2,
            "outcome": [outcome, "same", "undefined", "same", "undefined"],
        }
    )
    return SimpleNamespace(
        cells=cells,
        variations=pd.DataFrame({"gap": [0.1, np.nan], "outcome": ["same", ""]}),
        ways=pairs,
        models=pairs.head(0),
        abstained=pd.DataFrame({"outcome": [gain, "same", "undefined"]}),
    )


def test_the_answer_on_four_questions_counts_what_can_be_told():
    found = sentences.page_answer(four_questions("first higher", "gains"))
    assert (
        found.startswith("MC can be computed in 1 of 2 cells")
        and "0 of 1 comparison of ways of asking by MC (0.05 by chance)" in found
        and "1 of 2 comparisons of ways of asking by AUROC2 (0.1 by chance)" in found
    )
    assert "0 of 1 comparison of measures" in found and "gains something in 1 of 2 ways" in found
    assert "comparisons of models" not in found
    open_ = sentences.page_answer(four_questions("same", "same"))
    assert open_.startswith(
        f"None of the paper's four questions can be answered from 34 answers in a cell: {COST}"
    )


def test_only_defined_cells_are_drawn_and_the_others_counted():
    grid = pd.DataFrame(
        {
            "name": ["vanilla", "vanilla", "top-k"],
            "model": ["X", "Y", "X"],
            "dataset": "s",
            **{
                f"{m}{end}": [0.7, np.nan, np.nan]
                for m in ("auroc2", "mc", "m_ratio")
                for end in ("", "_lower", "_upper")
            },
        }
    )
    cells = pd.concat([grid, grid.assign(dataset="another")])
    for drawing in (auroc2, ratios):
        (axis,) = drawing(SimpleNamespace(grid=grid, cells=cells)).figure.axes
        assert axis.get_title(loc="left") == "vanilla: 1 of 2 defined"
        assert [t.get_text() for t in axis.get_yticklabels()] == ["X, s"]
        assert drawing(SimpleNamespace(grid=grid.tail(1), cells=cells)).figure is None
