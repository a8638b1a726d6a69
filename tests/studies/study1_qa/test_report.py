"""Figures and tables of the chapters. Oracles: what is drawn equals the table it was drawn from."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.core.words import listed, plural
from metacog.report.style import use_style
from metacog.studies.study1_qa.cells.counts import rate_trials
from metacog.studies.study1_qa.h2 import estimates as h2
from metacog.studies.study1_qa.h2.shown import domains
from metacog.studies.study1_qa.h3 import estimates as h3
from metacog.studies.study1_qa.h3.shown import equivalence, temperatures
from metacog.studies.study1_qa.h4 import estimates as h4
from metacog.studies.study1_qa.h4.shown import pairs, plane
from metacog.studies.study1_qa.robustness.forced import COLUMNS
from metacog.studies.study1_qa.robustness.shown import forced
from metacog.studies.study1_qa.validation import checks as validation
from metacog.studies.study1_qa.validation.shown import quartiles, temperature


@pytest.fixture(autouse=True)
def style():
    use_style()


def _points(axis):
    return {tuple(np.round(p, 9)) for line in axis.lines for p in zip(*line.get_data(), strict=True)}


def test_forest_draws_every_estimate(trials):
    table = h2.h2(rate_trials(trials), n_resamples=60, verdicts=False).table
    figure = domains.draw(SimpleNamespace(domains=table))
    for axis, column in zip(figure.axes, ("m_ratio", "auroc2", "meta_i2r"), strict=True):
        drawn = {x for x, _ in _points(axis)}
        assert {round(v, 9) for v in table[column]} <= drawn


def test_quartile_lines_draw_the_table(trials):
    table = validation.validate_study(rate_trials(trials)).quartiles
    axis = quartiles.draw(SimpleNamespace(quartiles=table)).axes[0]
    for line, (_, row) in zip(axis.lines, table.iterrows(), strict=True):
        np.testing.assert_allclose(line.get_ydata(), row[["q1", "q2", "q3", "q4"]].to_numpy(dtype=float))


def test_figures_survive_a_smoke_run(smoke_trials):
    rated = rate_trials(smoke_trials)
    checked = validation.validate_study(rated, verdicts=False)
    three = h3.h3(rated, n_resamples=40, verdicts=False)
    four = h4.h4(rated, n_resamples=40, verdicts=False)
    drawn = [
        quartiles.draw(checked),
        temperature.draw(checked),
        domains.draw(SimpleNamespace(domains=h2.h2(rated, n_resamples=40, verdicts=False).table)),
        temperatures.draw(SimpleNamespace(temperatures=three.table)),
        equivalence.draw(SimpleNamespace(pairs=three.pairs, bound=0.3)),
        plane.draw(SimpleNamespace(measures=four.table)),
        pairs.draw(SimpleNamespace(pairs=four.pairs, comparison=four.pairs)),
        forced.draw(SimpleNamespace(gaps=pd.DataFrame(columns=list(COLUMNS)))),
    ]
    for figure in drawn:
        figure.canvas.draw()
        assert all(t.get_fontsize() >= 11 for axis in figure.axes for t in axis.get_xticklabels())


def test_lists_read_as_english():
    assert listed([]) == "none" and listed("ab") == "a and b" and listed("abc") == "a, b and c"
    assert plural(1, "pair") == "1 pair" and plural(1200, "pair") == "1,200 pairs"
