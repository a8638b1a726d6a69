"""The validity screen of a trial table. Oracles: counts by hand, and the screen of counts."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.measures.screen import CELLS, COLUMNS, screen
from metacog.sdt.screen import screen_counts


def trials(cells, model="m", values=(1, 0)):
    """Trials of counts: right and high, wrong and high, right and low, wrong and low."""
    return pd.DataFrame(
        {
            "model": model,
            "correct": np.repeat([True, False, True, False], cells),
            "confidence": np.repeat([values[0], values[0], values[1], values[1]], cells),
        }
    )


def test_a_binary_signal_is_taken_as_it_is():
    cells = 300, 90, 100, 10
    table = pd.concat([trials(cells), trials((50, 9, 3, 0), "other")]).assign(
        keep=lambda t: t["confidence"] == 1
    )
    for confidence in ("confidence", "keep"):
        rows = screen(table, confidence=confidence)
        assert rows["model"].tolist() == ["m", "other"] and rows.columns.tolist() == ["model", *COLUMNS]
        one, other = rows.to_dict("records")
        assert tuple(one[c] for c in CELLS) == cells and np.isnan(one["cut"]) and one["at_cut"] == 0
        assert (one["broken"], one["invalid"], one["tier"]) == ("RBS", True, "invalid")
        assert (other["broken"], other["tier"], other["warning"]) == ("L", "insufficient data", True)
    two = screen(table.assign(confidence=table["confidence"] + 1))
    assert two[list(CELLS)].equals(rows[list(CELLS)]) and two["cut"].isna().all()
    by_counts = screen_counts(*cells)
    for name in ("L", "L_lower", "Fp_upper", "RBS_lower", "TRIN", "r_upper"):
        assert one[name] == getattr(by_counts, name)[0]


def test_median_split_and_its_ties():
    table = pd.DataFrame({"model": "x", "correct": 1, "sure": [60, 80, 90, 90, 90, 95, 100]})
    row = screen(table, confidence="sure").iloc[0]
    assert (row["cut"], row["at_cut"], row["right_high"], row["right_low"]) == (90, 3, 5, 2)
    assert row["TRIN"] == pytest.approx(5 / 7)
    untied = screen(table.assign(sure=np.arange(7.0)), confidence="sure").iloc[0]
    assert untied["TRIN"] == pytest.approx(4 / 7) and untied["at_cut"] == 1
    mostly = screen(table.assign(sure=[95] * 5 + [98, 100]), confidence="sure").iloc[0]
    assert mostly["right_low"] == 0 and mostly["TRIN"] == 1 and mostly["warning"]


def test_a_cut_may_be_given():
    table = trials((5, 1, 2, 3), values=(0.9, 0.6))
    assert screen(table, cut="median")["cut"].isna().all()  # two values in all
    assert screen(table, cut=0.7).loc[0, list(CELLS)].tolist() == [5, 1, 2, 3]
    all_high = screen(table, cut=0.5).iloc[0]
    assert all_high["right_high"] == 7 and all_high["L"] == 1 and all_high["at_cut"] == 0
    binary = trials((5, 1, 2, 3))
    assert screen(binary, cut=0.5)[list(CELLS)].equals(screen(binary)[list(CELLS)])


def test_trials_without_confidence_are_left_out_and_counted():
    table = trials((6, 3, 4, 2), values=(0.9, 0.6))
    table.loc[[0, 7], "confidence"] = np.nan
    row = screen(table, cut=0.8).iloc[0]
    assert (row["n"], row["left_out"], row["right_high"], row["wrong_high"]) == (13, 2, 5, 2)
    nothing = screen(table.assign(confidence=np.nan), cut=0.8).iloc[0]
    assert nothing["n"] == 0 and nothing["invalid"] is pd.NA and np.isnan(nothing["TRIN"])


def test_nothing_wrong_is_not_called_valid():
    row = screen(trials((20, 0, 5, 0))).iloc[0]
    assert row["invalid"] is pd.NA and row["broken"] == "" and np.isnan(row["L"])
    withdrawn = screen(trials((5, 0, 20, 0))).iloc[0]
    assert withdrawn["invalid"] and withdrawn["broken"] == "Fp"


def test_clusters():
    table = pd.concat([trials((6, 3, 4, 2)).assign(item=np.arange(15) // 3)] * 2)
    loose, tight = screen(table, cluster="item").iloc[0], screen(table).iloc[0]
    assert loose["L"] == tight["L"] and loose["TRIN_lower"] < tight["TRIN_lower"]


def test_bad_tables_are_refused():
    table = trials((6, 3, 4, 2))
    with pytest.raises(MetacogError, match="model"):
        screen(table.drop(columns="model"))
    with pytest.raises(MetacogError, match="right"):
        screen(table.assign(correct=2))
    with pytest.raises(MetacogError, match="numbers"):
        screen(table.assign(confidence="sure"))
    with pytest.raises(MetacogError, match="median"):
        screen(table, cut="mean")
