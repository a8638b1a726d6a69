"""Gates of models. Oracles: a model that is sure only when right, and one whose confidence says nothing."""

import numpy as np
import pandas as pd
import pytest

from metacog.studies.study4_probe.gates import gate_curves, gate_table

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


def test_a_model_without_errors_is_left_out_and_misses_none_that_can_be_told():
    perfect = SEES[SEES["correct"]]
    assert gate_table(perfect).empty and gate_curves(perfect)["missed"].isna().all()
