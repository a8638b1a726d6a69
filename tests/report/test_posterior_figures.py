"""Tables and drawings of posteriors. Oracle: what a frame of known numbers must show."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.measures.posterior import ESTIMATES
from metacog.report import posterior
from metacog.report.posterior_words import with_reasons
from metacog.report.tables import Schema, text

LABELS = (text("model", "Model"),)


def frame(judged=(True, True), ends=((0.7, 0.9), (0.95, 1.05))):
    n = len(judged)
    low, high = np.array(ends).T
    numbers = {f"{name}{end}": np.ones(n) for name in ESTIMATES for end in ("", "_lower", "_upper")}
    return pd.DataFrame(
        numbers
        | {
            "model": [f"m{i}" for i in range(n)],
            "m_ratio": (low + high) / 2,
            "m_ratio_lower": low,
            "m_ratio_upper": high,
            "r_hat": 1.0004,
            "ess_bulk": 5000.4,
            "ess_tail": 4000.0,
            "divergences": 0,
            "not_positive": 0.0,
            "near_zero": 0.0,
            "judged": list(judged),
            "decision": "significant",
        }
    )


def points(n_tables=3):
    k = np.arange(2, 6)
    hit, wrong = 1 - 0.15 * k, 0.8 - 0.15 * k
    parts = [
        pd.DataFrame(
            {
                "model": f"m{i}",
                "response": response,
                "confidence_from": k,
                "hit": hit,
                "false_alarm": wrong,
                "hit_mean": hit,
                "hit_lower": hit - 0.02,
                "hit_upper": hit + 0.02,
                "false_alarm_mean": wrong,
                "false_alarm_lower": wrong - 0.02,
                "false_alarm_upper": wrong + 0.02,
                "inside": True,
            }
        )
        for i in range(n_tables)
        for response in ("all", "S1")
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("columns", ["posterior_columns", "sampling_columns"])
def test_columns_show_a_table_of_posteriors(columns):
    shown = Schema("cells", getattr(posterior, columns)(LABELS)).html(frame())
    assert "m0" in shown and "Why not judged" not in shown
    if columns == "sampling_columns":
        assert "1.0004" in shown and "5,000" in shown
    else:
        unjudged = frame((True, False)).assign(near_zero=[0.0, 0.2])
        shown = Schema("cells", getattr(posterior, columns)(LABELS), pick=with_reasons).html(unjudged)
        assert "Why not judged" in shown and "20.0%" in shown


def test_the_forest_has_a_line_a_table_the_optimum_and_the_rope():
    figure = posterior.forest(frame(), ["model"], rope=0.1)
    axis = figure.axes[0]
    assert [t.get_text() for t in axis.get_yticklabels()] == ["m0", "m1"]
    spans = [line.get_xdata() for line in axis.lines if len(line.get_xdata()) == 2]
    assert [0.7, 0.9] in [list(map(float, s)) for s in spans] and [1, 1] in [list(s) for s in spans]
    low, high = axis.patches[0].get_x(), axis.patches[0].get_x() + axis.patches[0].get_width()
    assert (low, high) == pytest.approx((np.exp(-0.1), np.exp(0.1)))
    assert posterior.forest(frame(ends=((np.nan, np.nan),) * 2), ["model"]) is None


def test_a_table_near_chance_does_not_squeeze_the_others():
    wide = frame((True, False), ((0.7, 0.9), (-300.0, 300.0)))
    low, high = posterior.forest(wide, ["model"]).axes[0].get_xlim()
    assert -1 < low < 0.7 and 0.9 < high < 3
    assert posterior.forest(wide.assign(judged=False), ["model"]).axes[0].get_xlim()[1] > 300


def test_the_predictive_check_has_a_panel_a_table():
    figure = posterior.predictive_roc(points(3), ["model"])
    shown = [a for a in figure.axes if a.get_visible()]
    assert [a.get_title(loc="left") for a in shown] == ["m0", "m1", "m2"]
    observed = shown[0].lines[-1]
    assert observed.get_ydata() == pytest.approx(1 - 0.15 * np.arange(2, 6))
    assert posterior.predictive_roc(points().head(0), ["model"]) is None
    assert len([a for a in posterior.predictive_roc(points(40), ["model"]).axes if a.get_visible()]) == 12


def test_drawings_carry_their_words():
    found = SimpleNamespace(cells=frame(), points=points())
    for made in (
        posterior.forest_of("cells", ["model"], name="fig-a")(found),
        posterior.predictive_of("points", ["model"], name="fig-b")(found),
    ):
        data, about = made._repr_mimebundle_()
        assert "image/svg+xml" in data and data["text/plain"] == made.alt
        assert about["metacog-figure"]["caption"].endswith(".") and about["metacog-figure"]["name"]
