"""The 27 decision-only cells. Oracles: table S2, formulas written out, printed verdicts of the text."""

import numpy as np
import pytest
from scipy.stats import norm

from metacog.core.errors import MetacogError
from metacog.studies.study2_two_choice import cells, paper
from metacog.studies.study2_two_choice.ledger import claims
from metacog.studies.study2_two_choice.ledger.entries import judged_s2
from metacog.studies.study2_two_choice.risk import risk as risk_analysis

FOUND = risk_analysis(None)
CELLS = judged_s2(cells.risk_cells())
PAIRS = cells.risk_contrasts(CELLS)


def test_the_label_none_is_text():
    assert set(CELLS["risk"]) == {"S1", "None", "S2"} and len(CELLS) == 27
    assert (CELLS["risk"].value_counts() == 9).all()


def test_table_s2_comes_out():
    """Oracle: rounded to the four decimals of the table."""
    half = CELLS["c_half"].round(4) == CELLS["half_printed"]
    assert (half == CELLS["half_reproduced"]).all() and int(half.sum()) == 26
    assert ((CELLS["c"].round(4) == CELLS["c_printed"]) == CELLS["c_reproduced"]).all()
    assert int(CELLS["c_reproduced"].sum()) == 26
    assert (FOUND.n_cells, FOUND.c_reproduced, FOUND.half_reproduced) == (27, 26, 26)
    odd = CELLS[~CELLS["half_reproduced"]].iloc[0]
    assert (odd["task"], odd["model"], odd["risk"]) == ("C", "GPT-5-2025-08-07", "None")
    assert odd["half_printed"] == 0.0356 and odd["c_half"] == pytest.approx(0.03595, abs=5e-6)


def test_one_cell_by_hand():
    """Task A, GPT-5, warned of S2: 7946 hits, 3100 misses, 66 false alarms, 8888 correct rejections."""
    row = CELLS.set_index(["task", "model", "risk"]).loc[("A", "GPT-5-2025-08-07", "S2")]
    h, f = 7946 / 11046, 66 / 8954
    zh, zf = norm.ppf(h), norm.ppf(f)
    vh = h * (1 - h) / 11046 / norm.pdf(zh) ** 2
    vf = f * (1 - f) / 8954 / norm.pdf(zf) ** 2
    d, c = zh - zf, -(zh + zf) / 2
    assert (row["d_prime"], row["c"], row["c_prime"]) == pytest.approx((d, c, c / d), abs=1e-12)
    assert row["c_half"] == pytest.approx(1.96 * np.sqrt((vh + vf) / 4), abs=1e-12)
    var = ((vh + vf) / 4 + c / d * (vh - vf) + (c / d) ** 2 * (vh + vf)) / d**2
    assert row["c_prime_half"] == pytest.approx(1.96 * np.sqrt(var), abs=1e-12)


def test_verdicts_of_c_all_come_out():
    beside = claims.with_claims(PAIRS[PAIRS["measure"] == "c"])
    assert len(beside) == 27 and beside["agrees"].all() and beside["agrees_wide"].all()
    printed = {"significant": 22, "inconclusive": 3, "not significant": 2}
    assert beside["printed"].value_counts().to_dict() == printed


def test_verdicts_of_d_prime_come_out_with_wide_intervals_only():
    own = PAIRS[PAIRS["measure"] == "d_prime"]
    wide, narrow = (own[name].value_counts().to_dict() for name in ("decision_wide", "decision"))
    assert wide == {"not significant": 19, "significant": 4, "inconclusive": 4}
    assert narrow == {"not significant": 19, "significant": 7, "inconclusive": 1}
    named = claims.with_claims(own)
    assert len(named) == 4 and named["agrees_wide"].all()
    assert [round(r) for r in named["relative"]] == [18, 41, 37, 13]
    counted = claims.counted_claims(PAIRS).set_index("verdict")
    for found, agrees in (("found", "agrees"), ("found_wide", "agrees_wide")):
        assert ((counted["printed"] == counted[found]) == counted[agrees]).all()
    assert counted["agrees_wide"].all() and not counted["agrees"].all()


def test_a_test_against_its_own_size():
    """Oracle: |Z| > 3.11, and the interval of 3.11 standard errors, written out."""
    z = norm.isf(0.05 / 54)
    for row in PAIRS.itertuples():
        se = (row.upper - row.difference) / norm.isf(0.025)
        assert row.lower_wide == pytest.approx(row.difference - z * se)
        assert (row.decision_wide == "not significant") == (abs(row.difference / se) <= z)
        if row.decision_wide == "significant":
            assert min(abs(row.lower_wide), abs(row.upper_wide)) > 0.1 and row.lower_wide * row.upper_wide > 0


def test_counts_that_do_not_add_up_are_refused(monkeypatch):
    bad = paper.as_numbers("c_calibration_counts").assign(total=1)
    monkeypatch.setattr(paper, "as_numbers", lambda name: bad)
    with pytest.raises(MetacogError, match="totals"):
        paper.risk_counts()


def test_every_line_of_the_text_becomes_pairs():
    found = claims.printed_claims()[["measure", "kind"]].value_counts().to_dict()
    assert found == {
        **{("c", "risk"): 27, ("d_prime", "risk"): 4, ("d_prime", "models"): 9},
        **{("m_ratio", "models"): 9, ("m_ratio", "tasks"): 8, ("m_ratio", "optimality"): 9},
    }
    printed = claims.counted_claims(PAIRS).set_index("verdict")["printed"]
    assert printed[printed > 0].to_dict() == {"not significant": 19, "inconclusive": 4}
