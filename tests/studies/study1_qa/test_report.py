"""Figures and tables of the chapters. Oracles: what is drawn equals the table it was drawn from."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.core.words import listed, plural
from metacog.report.style import new_axes, use_style
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.counts import rate_trials
from metacog.studies.study1_qa.cells.figures import forest, model_looks
from metacog.studies.study1_qa.compared_signals.shown import VIEWS as SIGNALS
from metacog.studies.study1_qa.h2 import estimates as h2
from metacog.studies.study1_qa.h2.shown import domains
from metacog.studies.study1_qa.h3 import estimates as h3
from metacog.studies.study1_qa.h3.shown import equivalence, temperatures
from metacog.studies.study1_qa.h4 import estimates as h4
from metacog.studies.study1_qa.h4.shown import pairs, plane


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


def test_figures_survive_a_smoke_run(smoke_trials):
    rated = rate_trials(smoke_trials)
    three = h3.h3(rated, n_resamples=40, verdicts=False)
    four = h4.h4(rated, n_resamples=40, verdicts=False)
    drawn = [
        domains.draw(SimpleNamespace(domains=h2.h2(rated, n_resamples=40, verdicts=False).table)),
        temperatures.draw(SimpleNamespace(temperatures=three.table)),
        equivalence.draw(SimpleNamespace(pairs=three.pairs, bound=0.3)),
        plane.draw(SimpleNamespace(measures=four.table)),
        pairs.draw(SimpleNamespace(pairs=four.pairs, comparison=four.pairs)),
    ]
    for figure in drawn:
        figure.canvas.draw()
        assert all(t.get_fontsize() >= 11 for axis in figure.axes for t in axis.get_xticklabels())


def test_lists_read_as_english():
    assert listed([]) == "none" and listed("ab") == "a and b" and listed("abc") == "a, b and c"
    assert plural(1, "pair") == "1 pair" and plural(1200, "pair") == "1,200 pairs"


def test_a_point_alone_in_its_row_stands_on_it():
    frame = pd.DataFrame(
        {
            "row": ["a", "a", "b", "c"],
            "group": ["x", "y", "x", "y"],
            "v": [1.0, 2.0, 3.0, 4.0],
            "l": 0.0,
            "h": 5.0,
        }
    )
    _, axis = new_axes()
    forest(axis, frame, "row", "group", value="v", low="l", high="h")
    at = {x: y for x, y in _points(axis) if x in {1.0, 2.0, 3.0, 4.0}}
    assert at == {1.0: -0.22, 2.0: 0.22, 3.0: 1.0, 4.0: 2.0}


def test_a_model_keeps_its_look_whichever_others_are_shown():
    ours, theirs = ["SmolLM2-135M-Instruct", "Gemma-3-270M"], ["Llama-3-8B-Instruct", "Gemma-2-9B-it"]
    together = model_looks([*theirs, "a model of a reader's", *ours])
    for names in (ours, theirs, ours[1:]):
        assert model_looks(names) == {name: together[name] for name in names}
    assert model_looks(["smollm2-135m"]) == {"smollm2-135m": together[ours[0]]}
    assert len({look["color"] for look in together.values()}) == len(together)
    many = model_looks(map(str, range(30)))
    assert len({(*look["color"], look["marker"]) for look in list(many.values())[:10]}) == 10


def test_titles_name_what_they_are_about():
    lost = [
        SIGNALS.claim(
            Verdict("Signals", Kind.EXPLORATORY, "A rule.", None, name="lost", values={"signal": signal})
        )
        for signal in ("p-true", "agreement")
    ]
    assert lost == [
        "AUROC2 of NLP is higher than that of P(True)",
        "AUROC2 of NLP is higher than that of agreement",
    ]
