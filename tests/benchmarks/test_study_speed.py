"""Whole studies against llama.cpp alone, and waiting threads. Oracle: batches and rows made here, committed results."""

import ctypes
import json
import statistics
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import study_speed
import waiting_threads


def test_a_batch_is_written_down_with_all_its_sequences():
    lc = study_speed.lc
    batch = lc.llama_batch_init(4, 0, 2)
    try:
        batch.n_tokens = 2
        for i, (token, position, sequences) in enumerate([(7, 0, (0,)), (9, 3, (1, 2))]):
            batch.token[i], batch.pos[i], batch.logits[i] = token, position, i
            batch.n_seq_id[i] = len(sequences)
            for k, sequence in enumerate(sequences):
                batch.seq_id[i][k] = sequence
        found = study_speed.copied(batch)
        batch.token[0] = 1  # a copy does not follow
    finally:
        lc.llama_batch_free(batch)
    assert {name: array.tolist() for name, array in found.items()} == {
        "token": [7, 9],
        "pos": [0, 3],
        "logits": [0, 1],
        "n_seq_id": [1, 2],
        "ids": [0, 1, 2],
    }


def test_calls_are_written_down_in_order_and_passed_on(monkeypatch):
    lc, passed = study_speed.lc, []
    for name in (*study_speed.CALLS, "llama_get_memory", "llama_model_load_from_file"):
        monkeypatch.setattr(lc, name, lambda *a, name=name: passed.append(name) or len(passed) + 100)
    before = lc.llama_memory_seq_rm
    params = lc.llama_context_params()
    with study_speed.Recorder() as recorder:
        lc.llama_model_load_from_file(b"m", None)
        context = lc.llama_init_from_model(1, params)
        memory = lc.llama_get_memory(context)
        lc.llama_memory_seq_cp(memory, 0, 1, -1, -1)
        lc.llama_memory_seq_rm(memory, 1, 0, -1)
        lc.llama_free(context)
    assert [call[0] for call in recorder.calls] == [
        "llama_init_from_model",
        "llama_memory_seq_cp",
        "llama_memory_seq_rm",
        "llama_free",
    ]
    assert {call[1] for call in recorder.calls} == {0} and recorder.calls[1][2] == (0, 1, -1, -1)
    assert len(passed) == 6 and lc.llama_memory_seq_rm is before
    assert study_speed.address(ctypes.c_void_p(5)) == study_speed.address(5) == 5


def test_the_share_over_all_studies_weighs_them_by_their_seconds():
    def row(study, asking, bare):
        clocks = {"asking": asking, "bare": bare, "asking_processor": 2 * asking, "bare_processor": bare}
        return {"model": "m", "study": study, "rounds": [clocks, clocks]}

    rows = [row("a", 10, 9), row("b", 90, 45)]
    assert study_speed.whole(rows) == {"m": 0.54}
    assert study_speed.whole(rows, "_processor") == {"m": 0.27}
    assert study_speed.share(rows[0]["rounds"]) == 0.9


@pytest.mark.parametrize("sizes", ["SIZES", "SMALLER", "QUICK"])
def test_every_study_that_asks_models_has_sizes(sizes):
    from metacog.collect.plan import settings_of
    from metacog.studies import get_study, studies

    asked = [study.name for study in studies() if study.collections]
    assert study_speed.asked_studies() == asked
    for name in asked:  # the settings check themselves
        profile = study_speed.sized(getattr(study_speed, sizes), name)
        assert settings_of(get_study(name), profile)
        assert "without" not in profile.studies[name]


@pytest.mark.skipif(
    not study_speed.OUT.is_file(), reason="not measured yet: make validate PROOFS=study_speed"
)
def test_the_committed_shares_are_those_of_their_seconds():
    found = json.loads(study_speed.OUT.read_text(encoding="utf-8"))
    for row in found["rows"]:
        for clock in ("", "_processor"):
            shares = [one[f"bare{clock}"] / one[f"asking{clock}"] for one in row["rounds"]]
            assert row[f"share{clock}"] == pytest.approx(statistics.median(shares), abs=0.001)
    for clock in ("", "_processor"):
        assert found[f"whole{clock}"] == study_speed.whole(found["rows"], clock)
    low = [row for row in found["rows"] if row["share_processor"] < found["wanted"]]
    below = [f"{row['model']}, {row['study']}" for row in low]
    assert found["below"] == below
    by_model = {row["model"] for row in found["rows"]}
    assert by_model >= set(study_speed.MODELS)
    assert all(sum(row["model"] == model for row in found["rows"]) == 5 for model in by_model)


@pytest.mark.skipif(
    not waiting_threads.OUT.is_file(), reason="not measured yet: make validate PROOFS=waiting_threads"
)
def test_every_rule_was_tried_alone_and_together_with_others():
    rows = json.loads(waiting_threads.OUT.read_text(encoding="utf-8"))["rows"]
    tried = {(row["waiting"], row["beside"]) for row in rows}
    assert {w for w, beside in tried if beside == "nothing"} == set(waiting_threads.WAITING)
    assert {beside for w, beside in tried if w == "own"} >= set(waiting_threads.SNAKEMAKES)
    for row in rows:
        assert row["median"] == statistics.median(row["seconds"]) and min(row["seconds"]) > 0
        assert (row["beside"] == "nothing") == (row["share_of_a_core"] == [])
    assert np.isfinite([row["median"] for row in rows]).all()
