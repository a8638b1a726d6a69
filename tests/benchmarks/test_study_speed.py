"""Whole studies against llama.cpp alone.

Oracles: a small real model, batches and rows made here.
"""

import ctypes
import json
import statistics

import numpy as np
import pytest
import study_speed

from metacog.collect.models import get_model, locate
from metacog.engines.base import GenerationTask, Sample
from metacog.engines.llama import LlamaEngine

SMALL = "smollm2-135m"


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


@pytest.fixture
def logits(monkeypatch):
    """Everything that llama.cpp computes from here on, call by call, whoever calls."""
    lc, computed = study_speed.lc, []
    inner = lc.llama_decode

    def decode(handle, batch):
        code = inner(handle, batch)
        vocabulary = lc.llama_model_get_vocab(lc.llama_get_model(handle))
        shape = (lc.llama_vocab_n_tokens(vocabulary),)
        rows = [i for i in range(batch.n_tokens) if batch.logits[i]]
        found = [np.ctypeslib.as_array(lc.llama_get_logits_ith(handle, i), shape).copy() for i in rows]
        computed.append((batch.n_tokens, found))
        return code

    monkeypatch.setattr(lc, "llama_decode", decode)
    return computed


def test_what_is_given_to_llama_cpp_alone_is_what_asking_computed(logits):
    """Oracle: the logits of a real model, bit by bit, after every call."""
    path, _ = locate(get_model(SMALL))
    questions = ("What is 2 + 2?", "Who wrote Hamlet?")
    tasks = [GenerationTask(f"Q: {q}\nA:", (Sample(0.7, 1), Sample(1.0, 2))) for q in questions]
    with study_speed.Recorder() as recorder, LlamaEngine(str(path), n_threads=1) as engine:
        engine.generate(tasks, max_tokens=4, stop=["\n"])
        engine.choose_many([("Q: Is the sky blue?\nA:", [" yes", " no"])])
    asking, logits[:] = logits[:], []
    clocks, tokens = study_speed.replay(path, recorder.calls)
    assert len(asking) == len(logits) > 4 and tokens == sum(n for n, _ in asking) > 20
    for (n, rows), (again, others) in zip(asking, logits, strict=True):
        assert n == again and len(rows) == len(others)
        assert all(np.array_equal(one, other) for one, other in zip(rows, others, strict=True))
    assert 0 < clocks.processor and 0 < clocks.wall


@pytest.mark.proof
def test_a_study_is_asked_of_a_real_model_and_what_is_left_is_counted(monkeypatch):
    tiny = {"study1_qa": {"datasets": {"bank": {"limit": 2}}, "forced_questions": 1, "draw_questions": 1}}
    monkeypatch.setattr(study_speed, "QUICK", tiny)
    row = study_speed.measure("study1_qa", SMALL, tiny, 1)
    (one,) = row["rounds"]
    assert row["items"] == 4 and row["tokens"] > 200  # two open ones, one forced, one drawn again
    assert min(one["bare_processor"], one["asking_processor"]) > 0  # which is longer, load may turn round
    assert row["share_processor"] == pytest.approx(one["bare_processor"] / one["asking_processor"], abs=0.001)


@pytest.mark.skipif(
    not study_speed.OUT.is_file(), reason="not measured yet: make validate PROOFS=study_speed"
)
def test_no_share_was_written_by_hand():
    """Oracle: the seconds next to them. Whether the seconds are right is not tested here but above."""
    found = json.loads(study_speed.OUT.read_text(encoding="utf-8"))
    for row in found["rows"]:
        for clock in ("", "_processor"):
            shares = [one[f"bare{clock}"] / one[f"asking{clock}"] for one in row["rounds"]]
            assert row[f"share{clock}"] == pytest.approx(statistics.median(shares), abs=0.001)
    for clock in ("", "_processor"):
        assert found[f"whole{clock}"] == study_speed.whole(found["rows"], clock)
