"""Inspect logs: the logs that the benchmarks write, how memory is weighed, and how two readings are compared.

Oracles: the samples that were written, memory that was taken on purpose. Inspect itself is not here: benchmarks/
inspect_reader.py installs it and reads the same logs; its committed result is only looked at, as that on memory is.
"""

from __future__ import annotations

import json
import subprocess
import sys

import inspect_memory
import inspect_reader
import pytest

from metacog.core.paths import project_root
from metacog.imports.report import Request, load


@pytest.mark.parametrize("layout", inspect_memory.LAYOUTS)
def test_logs_of_every_layout_hold_what_was_written(tmp_path, layout):
    path = tmp_path / f"log.{'json' if layout == 'json' else 'eval'}"
    unpacked = inspect_memory.write_log(path, layout, 120)
    assert unpacked > 120 * 2_000
    trials, report = load(path, Request())
    assert (report.n_read, len(trials)) == (120, 108)
    assert report.dropped == {"the sample was invalidated": 12}
    written = {sample["id"]: sample for sample in inspect_memory.samples(120)}
    for row in trials.to_dict("records"):
        sample = written[row["question_id"].removeprefix("quiz:")]
        tokens = sample["output"]["choices"][0]["logprobs"]["content"]
        assert row["nlp"] == pytest.approx(sum(t["logprob"] for t in tokens) / len(tokens))
        assert row["correct"] == (sample["scores"]["match"]["value"] == "C")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
def test_memory_that_a_process_and_its_child_take_is_counted():
    taken = 60_000_000
    child = f"x = bytearray(b'x' * {taken}); print('ready', flush=True); input()"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "ready\n"
        sizes = inspect_memory.resident(running.pid)
        running.communicate("\n")
    assert len(sizes) == 2 and taken < max(sizes) < sum(sizes) < 2 * taken
    assert inspect_memory.resident(running.pid) == []


@pytest.mark.proof
def test_an_import_is_weighed_and_its_samples_counted(tmp_path):
    path = tmp_path / "log.eval"
    inspect_memory.write_log(path, "members", 60)
    found = inspect_memory.import_log(path, tmp_path / "out")
    assert (found["read"], found["used"], found["invalidated"]) == (60, 54, 6)
    assert 50_000_000 < found["peak_bytes_of_one_process"] <= found["peak_bytes"]  # Python with pandas


def said_of(sample):
    """What Inspect would say of one of the samples."""
    (choice,) = sample["output"]["choices"]
    scores = {name: {"value": one["value"], "metadata": None} for name, one in sample["scores"].items()}
    return {
        "id": sample["id"],
        "epoch": sample["epoch"],
        "error": False,
        "invalidated": "invalidation" in sample,
        "scores": scores,
        "metadata": sample["metadata"],
        "logprobs": [token["logprob"] for token in choice["logprobs"]["content"]],
        "answer": choice["message"]["content"].strip(),
    }


def test_a_sample_that_is_read_otherwise_is_found(tmp_path):
    path = tmp_path / "log.eval"
    inspect_memory.write_log(path, "members", 30)
    truth = [said_of(sample) for sample in inspect_memory.samples(30)]

    def differences(rows):
        inspect_reader.truth_of(path).write_text(json.dumps(rows), encoding="utf-8")
        return inspect_reader.compare(path)

    found = differences(truth)
    assert (found["samples"], found["trials"], found["invalidated"], found["differences"]) == (30, 27, 3, 0)
    for name, value in (
        ("logprobs", [-0.5]),
        ("metadata", {}),
        ("invalidated", True),
        ("scores", {"match": {"value": "C" if truth[0]["scores"]["match"]["value"] == "I" else "I"}}),
        ("answer", "another"),
    ):
        other = {**truth[0], name: value}
        if name == "scores":
            other["scores"]["match"]["metadata"] = None
        assert differences([other, *truth[1:]])["differences"] > 0, name
    assert differences(truth[1:])["differences"] > 0


def test_a_hundred_thousand_samples_take_less_than_a_gigabyte():
    result = json.loads((project_root() / inspect_memory.OUT).read_text(encoding="utf-8"))
    assert result["samples"] == 100_000 and set(result["layouts"]) == set(inspect_memory.LAYOUTS)
    for found in result["layouts"].values():
        assert found["unpacked_bytes"] > 200_000_000  # a log that would not fit
        assert found["peak_bytes_of_one_process"] <= found["peak_bytes"] < 1_000_000_000
        assert (found["read"], found["used"], found["invalidated"]) == (100_000, 90_000, 10_000)


def test_inspects_own_reader_reads_the_same():
    result = json.loads((project_root() / inspect_reader.OUT).read_text(encoding="utf-8"))
    assert result["versions"]["inspect_ai"] == inspect_reader.PACKAGE.partition("==")[2]
    assert set(result["logs"]) == {
        f"{task}{form}" for task in ("likely", "stated") for form in (".eval", ".json", "-folders.eval")
    }
    for found in result["logs"].values():
        assert found["differences"] == 0 and found["first_differences"] == []
        assert found["samples"] == inspect_reader.N_SAMPLES * inspect_reader.EPOCHS
        assert found["invalidated"] and found["errors"] and 0 < found["trials"] < found["samples"]
    assert result["values"] == {
        "values": len(inspect_reader.VALUES),
        "differences": 0,
        "first_differences": [],
    }


def test_a_value_that_is_read_otherwise_is_found():
    found = inspect_reader.compare_values([["C", 1.0], ["P", 0.5], ["excellent", 0.0], ["yes", 0.0]])
    assert (found["differences"], found["first_differences"]) == (1, ["yes"])
