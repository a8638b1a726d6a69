"""Study 5's rows of the ledger. Oracle: counts of printed figures, and the rows known to differ."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from metacog.core.errors import MetacogError
from metacog.ledger.entry import Kind, Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.studies.study5_battery import paper
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.ledger import entries as ledger
from metacog.studies.study5_battery.ledger import text
from metacog.studies.study5_battery.ledger.responses import load


@pytest.fixture(scope="module")
def rows():
    return make_ledger(Settings(), [ledger.LEDGER])


def test_every_printed_figure_has_a_row(rows):
    blank = int((paper.as_text("per_track")["withdraw_delta"] == "").sum())
    claims = paper.as_text("text_claims")
    both_ends = int(((claims["lower"] != "") & (claims["upper"] != "")).sum())
    assert rows["table"].value_counts().to_dict() == {
        ledger.TRACKS: 120 * 6 - blank,
        ledger.BOARD: 20 * 5,
        ledger.PATHS: 20 * 3,
        ledger.RELIABILITY: 6,
        ledger.ITEMS: 6,
        text.TEXT: len(claims) + both_ends,
    }


def test_what_matches_and_what_differs(rows):
    by = rows.groupby("table")["status"].value_counts().to_dict()
    assert by[ledger.PATHS, Status.MATCH] == 60 and by[ledger.RELIABILITY, Status.MATCH] == 6
    assert by[ledger.TRACKS, Status.DIFFERS] == 6 and by[ledger.BOARD, Status.DIFFERS] == 3
    assert not (rows["status"] == Status.NEEDS).any()


#: Words of the claim, what is printed, what the published items and responses have, counted by hand, and the status.
COUNTED = [
    ("evaluations of 20 models", "10480", 20 * 524, Status.MATCH),
    # Anthropic, DeepSeek, Google, OpenAI, Alibaba's Qwen and Zhipu
    ("provider families", "6", 6, Status.MATCH),
    ("conditions of T1", "8", 12, Status.DIFFERS),
    ("conditions of T3", "9", 13, Status.DIFFERS),
    ("conditions of T4", "6", 6, Status.MATCH),
    ("T2: calibration", "66", 66, Status.MATCH),
    ("T2: prospective", "8", 8, Status.MATCH),
    ("T2: error", "8", 8, Status.MATCH),
    ("T2: knowledge", "8", 8, Status.MATCH),
    ("T5: format", "20", 20, Status.MATCH),
    ("T5: inhibitory", "43", 43, Status.MATCH),
    ("T5: task", "25", 25, Status.MATCH),
]


@pytest.mark.parametrize(("words", "printed", "by_hand", "status"), COUNTED)
def test_numbers_of_the_design_are_those_of_the_files(rows, words, printed, by_hand, status):
    (row,) = rows[(rows["table"] == text.TEXT) & rows["item"].str.contains(words)].to_dict("records")
    assert (row["published"], row["reproduced"], row["status"]) == (printed, by_hand, status)
    assert row["kind"] == Kind.RECOUNTED
    if words.endswith("T1"):  # its eight levels, of which 28 items have none, may be what is meant
        assert "items: 8" in row["note"]


def test_numbers_of_the_design_follow_the_responses():
    """Mutation: without the items of one type, and without one maker's models."""
    made = load()
    fewer = made[(made["item_type"] != "hard_capture") & ~made["model"].str.startswith("GLM")]
    found = text.of_design(fewer)
    assert [found[name].value for name in ("conditions_t4", "providers", "responses")] == [
        5,
        5,
        19 * (524 - 5),
    ]
    part = made[~((made["item_type"] == "calibration") & (made["item"] == "0"))]
    assert len(part) < len(made) and text.of_design(part)["t2_calibration"].value == 65


def test_convergence_with_type_2_sdt_is_tested_on_the_models_of_the_atlas(rows):
    """Oracle: scipy's Spearman of the printed mean deltas and the atlas's printed AUROC2, of 20 models by hand."""
    board = paper.as_text("leaderboard").set_index("model")["mean_withdraw_delta"].astype(float)
    areas, smallest = paper.atlas()["auroc2"], "Gemma 3 1B"
    assert len(areas) == 20 and areas[smallest] == pytest.approx(0.4977, abs=1e-4)
    assert areas["DeepSeek R1"] == pytest.approx(0.7692, abs=1e-4)
    rho = spearmanr(board[areas.index], areas).statistic
    (row,) = rows[rows["item"].str.contains("independent type-2")].to_dict("records")
    assert (row["status"], row["kind"]) == (Status.DIFFERS, Kind.ESTIMATED)
    assert f"{rho:.2f} (95" in row["note"] and "20 models" in row["note"]
    # DeepSeek R1, Opus 4.6 and Qwen 80B Think lack a delta on some track; Bonett and Wright's interval
    whole = areas.index.drop(["DeepSeek R1", "Claude Opus 4.6", "Qwen 80B Think"])
    rho = spearmanr(board[whole], areas[whole]).statistic
    ends = np.tanh(np.arctanh(rho) + np.array([-1.959964, 1.959964]) * np.sqrt((1 + rho**2 / 2) / 14))
    found = f"{rho:.2f} (95 % {ends[0]:.2f} to {ends[1]:.2f}) over the 17"
    assert found in row["note"]


def test_models_that_rank_alike_in_both_would_converge(monkeypatch):
    means = mean_deltas(deltas(load())).set_index("model")["delta"]
    alike = pd.DataFrame({"auroc2": means.rank()})
    monkeypatch.setattr(paper, "atlas", lambda: alike)
    assert text.of_correlations(load())["independent"].value == 1
    monkeypatch.setattr(paper, "atlas", lambda: -alike)
    assert text.of_correlations(load())["independent"].value == 0


def test_a_model_that_the_atlas_lacks_is_named(monkeypatch):
    monkeypatch.setitem(paper.IN_ATLAS, "GLM-5", "GLM-6")
    with pytest.raises(MetacogError, match="lack GLM-6"):
        paper.atlas()


def test_rows_known_to_differ_say_why(rows):
    (widest,) = rows[rows["item"].str.contains("widest spread")].to_dict("records")
    assert widest["status"] == Status.MATCH and widest["note"].startswith("T6 0.824")
    exclusive = rows[
        rows["item"].str.contains("thresholds")
    ]  # two claims that exclude each other: both are judged
    assert len(exclusive) == 3 and (exclusive["status"] == Status.DIFFERS).all()
    differs = rows[rows["status"] == Status.DIFFERS]
    empty = differs[differs["table"] == ledger.TRACKS]
    assert empty["reproduced"].isna().all() and (empty["published"] == "0.0").all()
    assert empty["note"].str.contains("undefined, printed as 0").all()
    profiles = differs[differs["quantity"].str.startswith("profile")]
    assert set(profiles["item"]) == {"GLM-5", "Gemma 3 27B", "Claude Opus 4.6"}
    assert profiles["note"].str.contains("by the printed rule A").all()


def test_rows_that_follow_from_others_are_no_evidence(rows):
    own = rows[rows["quantity"].isin(["withdraw delta", "accuracy", "rank by accuracy"])]
    assert set(own.loc[own["table"] != text.TEXT, "status"]) == {Status.REPEAT}


def test_scaling_is_judged_on_t2_and_a_shared_file_tells_nothing(rows):
    """On T2: 30.1 > 21.8 > 11.3 in Qwen, 17.1 < 22.4 < 27.7 in GPT-5.4; Gemma's 1B and 12B share a file."""
    own = rows[rows["item"].str.contains("with scale|over scale")]
    assert own["status"].tolist() == [Status.MATCH, Status.MATCH, Status.CANNOT_TELL]
    found = text.of_sizes(load())
    qwen, gpt, gemma = (found[f"scale_{family}"] for family in ("qwen", "gpt", "gemma"))
    assert qwen.value == gpt.value == gemma.value == 1
    assert qwen.note.startswith("30.1, 21.8, 11.3") and gpt.note.startswith("17.1, 22.4, 27.7")
    assert qwen.rival is None and gemma.rival == 1 and "same file" in gemma.without
