"""How two readings of a log are compared. Oracle: logs of either layout with a fault in one place.

Inspect and the harness are not here: benchmarks/log_readers.py installs them; its committed result is only looked at.
"""

from __future__ import annotations

import json
from pathlib import Path

import log_readers
import numpy as np
import pytest

TOKENS = [{"token": " word", "logprob": -0.3}, {"token": " word", "logprob": -0.5}]
FAULTS = {
    "logprobs": [-0.5],
    "metadata": {},
    "invalidated": True,
    "scores": {"match": {"value": "I", "metadata": None}},
    "answer": "another",
}


@pytest.fixture
def of_inspect(tmp_path):
    """A log of 30 samples, of which three are invalidated, and what Inspect would say of them."""
    samples, truth = [], []
    for i in range(30):
        key, own = {"id": f"topic {i}/x", "epoch": 1}, {"source": "made up"}
        scores = {"match": {"value": "C" if i % 3 == 0 else "I"}}
        choice = {"message": {"role": "assistant", "content": "word "}, "logprobs": {"content": TOKENS}}
        sample = {**key, "metadata": own, "scores": scores, "output": {"choices": [choice]}}
        samples.append(sample | ({"invalidation": {"author": "x"}} if i % 10 == 9 else {}))
        told = {"match": {**scores["match"], "metadata": None}}
        truth.append({**key, "error": False, "invalidated": i % 10 == 9, "scores": told, "metadata": own})
        truth[-1] |= {"logprobs": [-0.3, -0.5], "answer": "word"}
    header = {"version": 2, "status": "success", "eval": {"task": "quiz", "model": "mock/model"}}
    (tmp_path / "log.json").write_text(json.dumps({**header, "samples": samples}))
    return tmp_path / "log.json", truth


def test_a_sample_of_inspect_that_is_read_otherwise_is_found(of_inspect):
    path, truth = of_inspect

    def differences(rows):
        path.with_name("log.json.truth").write_text(json.dumps(rows))
        return log_readers.compare_inspect(path)

    found = differences(truth)
    assert (found["samples"], found["trials"], found["invalidated"], found["differences"]) == (30, 27, 3, 0)
    for name, value in FAULTS.items():
        assert differences([{**truth[0], name: value}, *truth[1:]])["differences"] > 0, name
    assert differences(truth[1:])["differences"] > 0


def test_a_value_that_is_read_otherwise_is_found():
    found = log_readers.compare_values([["C", 1.0], ["P", 0.5], ["excellent", 0.0], ["yes", 0.0]])
    assert (found["differences"], found["first_differences"]) == (1, ["yes"])


def of_harness(path: Path) -> Path:
    rng, records = np.random.default_rng(2), []
    for i in range(40):
        values, gold = rng.normal(-5, 2, 4), int(rng.integers(4))
        choices = ["a" * int(k) for k in rng.permutation(4) + 1]
        asked = {f"gen_args_{j}": {"arg_0": "?", "arg_1": f" {c}"} for j, c in enumerate(choices)}
        doc = {"question": f"item {i}", "choices": choices}
        record = {"doc_id": i, "doc": doc, "target": str(gold), "arguments": asked}
        record |= {"filtered_resps": [[str(v), "False"] for v in values], "metrics": ["acc", "acc_norm"]}
        each = values / np.array([len(c) for c in choices])
        right = {"acc": float(values.argmax() == gold), "acc_norm": float(each.argmax() == gold)}
        records.append(record | right)
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def test_a_sample_of_the_harness_that_is_read_otherwise_is_found(tmp_path, monkeypatch):
    path = of_harness(tmp_path / "samples_x.jsonl")
    found = log_readers.compare_harness(path, ("acc", "acc_norm"))
    assert found["samples"] == 40 and found["differences"] == 0
    monkeypatch.setattr(log_readers, "wanted", lambda record, metric: 0.3)
    assert log_readers.compare_harness(path, ("acc",))["differences"] == 40


def test_both_programs_read_and_scored_what_is_read_here():
    result = json.loads(log_readers.OUT.read_text(encoding="utf-8"))
    assert result["packages"] == [log_readers.INSPECT, log_readers.HARNESS]
    every = result["inspect"] | result["harness"]
    assert not any(found["differences"] or found["first_differences"] for found in every.values())
    assert result["inspect"].pop("values")["values"] > 20 and len(result["inspect"]) == 6
    for found in result["inspect"].values():
        assert found["invalidated"] and found["errors"] and 0 < found["trials"] < found["samples"]
    assert set(result["harness"]) == set(log_readers.TASKS)
    for name, found in result["harness"].items():
        assert found["samples"] == log_readers.N and set(found["metrics"]) == set(log_readers.TASKS[name][1])
        assert all(0 < mean < 1 for mean in found["metrics"].values())
