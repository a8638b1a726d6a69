"""Study 4's rows of the ledger. Oracle: counts of printed figures, and the rows known to differ."""

import numpy as np
import pandas as pd
import pytest

from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger, tabulate
from metacog.studies.study4_probe.ledger import entries as ledger
from metacog.studies.study4_probe.ledger import external, published, solved
from metacog.studies.study4_probe.measures.range_score import range_score

ROWS = make_ledger(Settings(), [ledger.LEDGER])


def of(table, **cells):
    own = ROWS[ROWS["table"].str.endswith(table)]
    for column, value in cells.items():
        own = own[own[column] == value]
    return own


def test_every_printed_figure_has_a_row():
    def figures(name, columns):
        return sum(int((published.as_text(name)[c] != "").sum()) for c in columns)

    assert len(of("table 1")) == 8 * 8 and len(of("table 1b")) == 8
    assert len(of("table 2")) == 5 * 4 and len(of("table 3")) == 3
    assert len(of("table 4")) == 8 * 5 and len(of("table 5")) == 24 + 9
    assert len(of("table 6")) == 5 + 10 and len(of("table 8")) == 15 and len(of("table 7")) == 25
    assert len(of("table 9")) == figures("table9_hypotheses", ("value", "lower", "upper")) + 3
    assert len(of("thresholds")) == 27
    in_words = int((published.as_text("text_claims")["quantity"] == "claim").sum())
    assert len(of("text")) == figures("text_claims", ("value", "lower", "upper")) + in_words and in_words == 4


def test_composites_components_and_flash_match():
    assert (of("table 1")[lambda f: f["quantity"].str.startswith("mean")]["status"] == Status.MATCH).all()
    assert (of("table 6")["status"] == Status.MATCH).all()
    assert of("table 1", item="Gemini 2.5 Flash", quantity="T4-CR")["status"].item() == Status.MATCH
    assert of("table 5", quantity="raw brier score no penalty")["reproduced"].item() == pytest.approx(
        66.6458, abs=1e-4
    )


def test_what_does_not_follow_differs_and_says_why():
    ends = of("table 4")[lambda f: f["quantity"].str.endswith("end")]
    assert (ends["status"] == Status.DIFFERS).all() and ends["note"].str.contains("20 items").all()
    rho = of("table 8")[lambda f: f["quantity"] == "rho with the composite"].set_index("item")
    assert rho["status"].to_dict() == {
        "MMLU": Status.DIFFERS,
        "GSM8K": Status.MATCH,
        "ARC-Challenge": Status.MATCH,
        "TruthfulQA": Status.MATCH,
        "IFEval": Status.MATCH,
    }
    assert (of("table 7")["status"] == Status.INPUT).all()
    text = of("text").set_index("item")
    panel = text.loc["C.4: r(T1-CC T2-EV) of the model panel"]
    assert panel["status"] == Status.DIFFERS and "of the panel without Gemini" in panel["note"]
    assert text.loc["B.4: Qwen weakest task is T2-EV", "note"] == "its lowest score in table 1 is T4-CR"
    assert text.loc["B.3: sd of confidence Sonnet", "status"] == Status.BOUNDED


def test_a_changed_cell_is_seen(monkeypatch):
    """Mutation: one printed score off by 8, and its mean no longer follows."""
    frame = published.as_text("table1_leaderboard")
    frame.loc[0, "T2_EV"] = "90"
    real = published.as_text
    monkeypatch.setattr(
        published, "as_text", lambda name: frame if name == "table1_leaderboard" else real(name)
    )
    published.scores.cache_clear()
    try:
        rows = ledger._leaderboard()
    finally:
        published.scores.cache_clear()
    made = pd.DataFrame([(r.item, r.quantity, float(r.published), r.value) for r in rows if r.value])
    off = made[[abs(v.value - p) > 0.01 for p, v in zip(made[2], made[3], strict=True)]]
    assert set(off[0]) >= {"Claude Sonnet 4.6"}


@pytest.mark.parametrize(
    ("claim", "status", "value"),
    [
        ("3.4: Cronbach alpha of the composite over tasks", Status.MATCH, 0.555),
        ("3.4: mean of per-task alphas without T4-CR", Status.MATCH, 0.0475),
        ("5.2: DeepSeek also has 8 of 12 right on T4-CR (its printed T4-CR is 62)", Status.DIFFERS, 0),
        ("5.3: Sonnet is the only model whose T4-CR exceeds its T1-CC", Status.DIFFERS, 0),
        ("B.4: Gemma is the only model whose T5-RCV exceeds its T1-CC", Status.DIFFERS, 0),
        ("5.5: in both panels T2-EV is the hardest task and T4-CR the easiest", Status.DIFFERS, 0),
        ("4.2: deltas between T2-EV v60 and v61 are up to 12 points", Status.MATCH, 12),
        ("5.3: Pro gap between tasks", Status.MATCH, 23),
        ("A.5: gap Sonnet minus Flash without a penalty", Status.REPEAT, 28),
    ],
)
def test_claims_that_the_print_settles(claim, status, value):
    """Oracles: table 1 and the printed alphas, by hand."""
    row = of("text", item=claim).iloc[0]
    assert row["status"] == status and row["reproduced"] == pytest.approx(value, abs=5e-4)


def test_one_confidence_cannot_give_deepseeks_score():
    """Oracle: the best of all 101 confidences for 8 of 12 right, less both penalties."""
    best = max(range_score([1] * 8 + [0] * 4, [c] * 12).score for c in range(101))
    note = of("text", item="5.2: DeepSeek also has 8 of 12 right on T4-CR (its printed T4-CR is 62)")["note"]
    assert best == pytest.approx(47.8, abs=0.05) and "no more than 47.8" in note.item()


def test_the_overlap_is_bounded():
    row = of("text", item="abstract: confidence intervals overlap by more than 99 percent").iloc[0]
    assert row["status"] == Status.BOUNDED and row["low"] < 98 and 99 < row["high"] < 99.5
    assert "of Flash's interval" in row["note"]


def test_mmlu_differs_twice_of_two_composites():
    """Oracle: Spearman's rho by 1 - 6 sum d^2/504 of the solved ranking."""
    eight = of("table 8", item="MMLU", quantity="rho with the composite").iloc[0]
    four = of("text", item="5.4: rho of the four-task mean against MMLU", quantity="rho").iloc[0]
    assert (eight["status"], four["status"]) == (Status.DIFFERS, Status.DIFFERS)
    assert (eight["reproduced"], four["reproduced"]) == (pytest.approx(0.5), pytest.approx(5 / 14))
    printed = ROWS[(ROWS["published"] == "0.643") & (ROWS["status"] == Status.DIFFERS)]
    assert len(printed) == 2


def test_what_stands_twice_is_judged_once():
    again = of("text")[lambda f: f["item"].str.startswith("D.1") | f["item"].str.contains("rho composite ag")]
    assert len(again) == 9 and (again["status"] == Status.REPEAT).all()
    brier = ROWS[(ROWS["published"] == "60") & ROWS["status"].isin([Status.MATCH, Status.DIFFERS])]
    assert brier["table"].tolist() == ["study 4, table 5"]
    gap = ROWS[(ROWS["published"] == "47") & (ROWS["quantity"].str.contains("gap|minus"))]
    assert len(gap) == 3 and (gap["status"] == Status.REPEAT).all()
    swap = ROWS[(ROWS["published"] == "70.0") & (ROWS["item"].str.contains("v75"))]
    assert dict(zip(swap["table"], swap["status"], strict=True)) == {
        "study 4, table 3": Status.DIFFERS,
        "study 4, text": Status.REPEAT,
    }
    assert of("table 3", item="iteration v75")["reproduced"].item() == pytest.approx(74.75)


def test_one_end_fixes_the_people_and_the_other_is_judged():
    """Oracle: Fisher's z at the people that the lower end of H1 allows."""
    ends = of("table 9").set_index(["item", "quantity"])
    for hypothesis, name in (("H1", "r(T1_CC,T2_EV) humans"), ("H2", "tau_b(education, score)")):
        assert ends.loc[(hypothesis, f"{name}, ci_lo"), "status"] == Status.INPUT
        assert ends.loc[(hypothesis, f"{name}, ci_hi"), "status"] == Status.MATCH
    people, low, high = solved.upper_end("H1")
    assert people == list(range(48, 56))
    assert (low, high) == (
        pytest.approx(np.tanh(np.arctanh(-0.145) + 1.959964 / np.sqrt(52))),
        pytest.approx(np.tanh(np.arctanh(-0.135) + 1.959964 / np.sqrt(45))),
    )


def test_a_wrong_upper_end_differs(monkeypatch):
    """Mutation: the upper end of H1 printed as 0.20 no longer fits the people of the lower end."""
    frame = published.as_text("table9_hypotheses")
    frame.loc[frame["id"] == "H1", "upper"] = "0.20"
    real = published.as_text
    monkeypatch.setattr(
        published, "as_text", lambda name: frame.copy() if name == "table9_hypotheses" else real(name)
    )
    rows = tabulate(external.hypothesis_rows())
    own = rows[(rows["item"] == "H1") & rows["quantity"].str.endswith("ci_hi")]
    assert own["status"].item() == Status.DIFFERS
