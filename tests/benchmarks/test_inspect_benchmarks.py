"""Inspect logs: the committed results on memory and on Inspect's own reader, and the logs that they rest on."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from metacog.core.paths import project_root
from metacog.imports.report import Request, load

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import inspect_memory
import inspect_reader


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
