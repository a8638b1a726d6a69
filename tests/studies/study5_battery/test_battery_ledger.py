"""Study 5's rows of the ledger. Oracle: counts of printed figures, and the rows known to differ."""

import pytest

from metacog.core.errors import MetacogError
from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.studies.study5_battery.ledger import claims, published
from metacog.studies.study5_battery.ledger import entries as ledger
from metacog.studies.study5_battery.ledger.responses import load


@pytest.fixture(scope="module")
def rows():
    return make_ledger(Settings(), [ledger.LEDGER])


def test_every_printed_figure_has_a_row(rows):
    blank = int((published.as_text("per_track")["withdraw_delta"] == "").sum())
    claims = published.as_text("text_claims")
    both_ends = int(((claims["lo"] != "") & (claims["hi"] != "")).sum())
    assert rows["table"].value_counts().to_dict() == {
        ledger.TRACKS: 120 * 6 - blank,
        ledger.BOARD: 20 * 5,
        ledger.PATHS: 20 * 3,
        ledger.RELIABILITY: 6,
        ledger.ITEMS: 6,
        ledger.TEXT: len(claims) + both_ends,
    }


def test_what_matches_and_what_differs(rows):
    by = rows.groupby("table")["status"].value_counts().to_dict()
    assert by[ledger.PATHS, Status.MATCH] == 60 and by[ledger.RELIABILITY, Status.MATCH] == 6
    assert by[ledger.TRACKS, Status.DIFFERS] == 6 and by[ledger.BOARD, Status.DIFFERS] == 3
    waiting = rows[rows["status"] == Status.NEEDS]
    assert len(waiting) == 1 and "independent type-2" in waiting["item"].iloc[0]


def test_the_courses_over_size_are_judged_where_the_paper_claims_them(rows):
    own = rows[rows["item"].str.contains("with scale|over scale")]
    assert own["status"].tolist() == [Status.MATCH, Status.MATCH, Status.CANNOT_TELL]
    assert "the same file on T2" in own["note"].iloc[2]
    widest = rows[rows["item"].str.contains("widest spread")].iloc[0]
    assert widest["status"] == Status.MATCH and widest["note"].startswith("T6 0.824")


def test_rates_of_empty_cells_are_undefined(rows):
    own = rows[(rows["table"] == ledger.TRACKS) & (rows["status"] == Status.DIFFERS)]
    assert own["reproduced"].isna().all() and (own["published"] == "0.0").all()
    assert own["note"].str.contains("undefined, printed as 0").all()


def test_profiles_that_do_not_follow_from_the_rule_are_named(rows):
    own = rows[rows["quantity"].str.startswith("profile") & (rows["status"] == Status.DIFFERS)]
    assert set(own["item"]) == {"GLM-5", "Gemma 3 27B", "Claude Opus 4.6"}
    assert own["note"].str.contains("by the printed rule A").all()


def test_two_claims_of_the_text_that_exclude_each_other_are_both_judged(rows):
    own = rows[rows["item"].str.contains("thresholds")].set_index("quantity")
    assert len(own) == 3 and (own["status"] == Status.DIFFERS).all()


def test_rows_that_follow_from_others_are_no_evidence(rows):
    own = rows[rows["quantity"].isin(["withdraw delta", "accuracy", "rank by accuracy"])]
    own = own[own["table"] != ledger.TEXT]
    assert set(own["status"]) == {Status.REPEAT}


def test_scaling_is_judged_on_t2_and_a_shared_file_tells_nothing():
    """On T2: 30.1 > 21.8 > 11.3 in Qwen, 17.1 < 22.4 < 27.7 in GPT-5.4; Gemma's 1B and 12B share a file."""
    own = [c for c in claims.claims(load()) if "scale" in c.item]
    found = {c.item.split("(")[0].rpartition(" in ")[2].strip(): c for c in own}
    assert found["Qwen"].value == found["GPT-5.4"].value == found["Gemma"].value == 1
    assert found["Qwen"].note.startswith("30.1, 21.8, 11.3")
    assert found["GPT-5.4"].note.startswith("17.1, 22.4, 27.7")
    assert found["Qwen"].rival is None and found["Gemma"].rival.value == 1
    assert "the same file" in found["Gemma"].rival.without


def test_every_claim_of_the_text_is_answered(monkeypatch):
    found = claims.claims(load())
    assert {c.item for c in found} == set(published.as_text("text_claims")["claim"])
    usual = published.as_text
    odd = usual("text_claims").assign(claim="something else")
    monkeypatch.setattr(published, "as_text", lambda name: odd if name == "text_claims" else usual(name))
    with pytest.raises(MetacogError, match="nothing answers 'something else'"):
        claims.claims(load())
