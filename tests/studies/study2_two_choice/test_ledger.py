"""Study 2's rows of the ledger. Oracle: counts of printed figures, and the rows known to differ."""

import pytest

from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.studies.study2_two_choice import ledger

ROWS = make_ledger(Settings(), [ledger.LEDGER])


def test_every_printed_figure_has_a_row():
    assert ROWS["table"].value_counts().to_dict() == {ledger.S1: 81, ledger.S2: 54, ledger.TEXT: 79}


def test_what_matches_what_differs_and_what_waits():
    by = ROWS["status"].value_counts().to_dict()
    assert by == {Status.MATCH: 71, Status.DIFFERS: 4, Status.NEEDS: 112, Status.REPEAT: 27}
    differing = set(ROWS[ROWS["status"] == Status.DIFFERS]["item"])
    assert differing == {
        "GPT-5, task C, no warning", "GPT-5, task C, warned of S2",
        "d', task C: DeepSeek-V3.2 and Mistral-Medium", "d', task C: GPT-5 and DeepSeek-V3.2",
    }  # fmt: skip
    waiting = ROWS[ROWS["status"] == Status.NEEDS]
    assert (waiting["needs"] == ledger.NEEDS_BAYES).all()
    assert set(waiting["table"]) == {ledger.S1, ledger.TEXT}


def test_the_slip_carries_its_explanation():
    row = ROWS[(ROWS["item"] == "GPT-5, task C, no warning") & ROWS["quantity"].str.startswith("half")].iloc[
        0
    ]
    assert row["status"] == Status.DIFFERS and "10,198 trials" in row["note"]


def test_relative_differences_tell_the_second_named_from_the_first():
    own = ROWS[ROWS["quantity"] == "difference in % of the second"]
    assert len(own) == 6 and set(own["status"]) == {Status.MATCH, Status.DIFFERS}
    assert own["note"].str.contains("over the first named").all()


def test_posterior_estimates_fill_their_rows(monkeypatch):
    from metacog.ledger.entry import Value

    key = ("A", "GPT-5-2025-08-07", "d_prime", "estimate")
    monkeypatch.setattr(ledger, "posterior_values", lambda: {key: Value(3.2401, "a posterior", error=1e-3)})
    rows = make_ledger(Settings(), [ledger.LEDGER])
    first = rows[
        (rows["table"] == ledger.S1) & (rows["item"] == "GPT-5, task A") & (rows["quantity"] == "d'")
    ]
    assert first["status"].iloc[0] == Status.MATCH
    assert first["reproduced"].iloc[0] == pytest.approx(3.2401)


def test_posterior_draws_fill_verdicts_and_differences(monkeypatch):
    """Stand-in: bootstrap draws in place of posterior ones."""
    from metacog.studies.study2_two_choice import claims, comparisons, ratings

    fitted = ratings.fitted(300, 1)
    drawn = claims.beside_claims(comparisons.m_ratio_contrasts(fitted.draws, fitted.estimates))
    monkeypatch.setattr(ledger, "posterior_claims", lambda: drawn)
    rows = make_ledger(Settings(), [ledger.LEDGER])
    text = rows[rows["table"] == ledger.TEXT]
    assert not (text["status"] == Status.NEEDS).any()
    sizes = text[text["quantity"] == "difference of M-ratio"]
    assert len(sizes) == 5
    assert sizes["reproduced"].iloc[0] == pytest.approx(0.8737 - 0.7090, abs=1e-3)
