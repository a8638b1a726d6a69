"""Study 4's rows of the ledger. Oracle: counts of printed figures, and the rows known to differ."""

import pandas as pd
import pytest

from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.studies.study4_probe import ledger, published

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
    assert len(of("table 6")) == 5 + 10 and len(of("external validity")) == 15 and len(of("table 7")) == 25
    assert len(of("table 9")) == figures("table9_hypotheses", ("value", "ci_lo", "ci_hi")) + 3
    assert len(of("thresholds")) == 27
    assert len(of("text")) == figures("text_claims", ("value", "lo", "hi"))


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
    rho = of("external validity")[lambda f: f["quantity"] == "rho with the composite"].set_index("item")
    assert rho["status"].to_dict() == {
        "MMLU": Status.DIFFERS, "GSM8K": Status.MATCH, "ARC-Challenge": Status.MATCH,
        "TruthfulQA": Status.MATCH, "IFEval": Status.MATCH,
    }  # fmt: skip
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
