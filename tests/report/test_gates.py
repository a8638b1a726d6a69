"""Gates of models. Oracles: a model that is sure only when right, and one whose confidence says nothing."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.report.gates import COLUMNS, gate_curves, gate_figure, gate_table
from metacog.report.tables import Schema

RIGHT = np.arange(40) % 2 == 0
SEES = pd.DataFrame({"model": "sees", "correct": RIGHT, "confidence": np.where(RIGHT, 0.9, 0.1)})
BLIND = pd.DataFrame({"model": "blind", "correct": RIGHT, "confidence": np.repeat(np.arange(20), 2) / 20})


def test_confidence_that_sees_escalates_errors_alone():
    table = gate_table(pd.concat([SEES, BLIND])).set_index(["model", "bar"])
    assert np.isnan(table.loc[("blind", 0.0), "threshold"])  # everything is escalated
    assert table.loc[("sees", 0.0), "load"] == 0.5 and table.loc[("sees", 0.0), "threshold"] == 0.9
    for bar in (0.5, 0.2, 0.1, 0.0):
        row = table.loc[("blind", bar)]
        assert row["load"] == pytest.approx(1 - row["missed"])  # no better than chance
        assert row["missed"] <= bar and row["worth_lower"] <= 0 <= row["worth_upper"]
    assert table.loc[("sees", 0.0), "worth"] == pytest.approx(0.5)
    assert table.loc[("sees", 0.0), "worth_lower"] > 0.3
    assert Schema("t", COLUMNS).html(table.reset_index()).startswith("<table")


def test_a_model_without_errors_is_left_out_and_has_no_curve():
    perfect = SEES[SEES["correct"]]
    assert gate_table(perfect).empty and gate_figure(gate_curves(perfect)) is None
    assert gate_figure(gate_curves(SEES)) is not None


def test_what_is_missing_is_named():
    with pytest.raises(MetacogError, match="columns correct"):
        gate_table(SEES.drop(columns="correct"))
    with pytest.raises(MetacogError, match="at least one trial"):
        gate_curves(SEES.iloc[:0])
