"""Logs of lm-evaluation-harness read beside what it scored.

Oracle: logs of its layout with a fault in one place. The harness itself is not here: benchmarks/harness_reader.py
installs it and reads logs of its own; its committed result is only looked at.
"""

from __future__ import annotations

import json
from pathlib import Path

import harness_reader
import numpy as np

from metacog.core.paths import project_root


def log(path: Path) -> Path:
    rng, records = np.random.default_rng(2), []
    for i in range(40):
        values, gold = rng.normal(-5, 2, 4), int(rng.integers(4))
        choices = ["a" * int(k) for k in rng.permutation(4) + 1]
        lengths = np.array([len(c) for c in choices])
        records.append(
            {
                "doc_id": i,
                "doc": {"question": f"item {i}", "choices": choices},
                "target": str(gold),
                "arguments": {
                    f"gen_args_{j}": {"arg_0": "?", "arg_1": f" {c}"} for j, c in enumerate(choices)
                },
                "filtered_resps": [[str(v), "False"] for v in values],
                "metrics": ["acc", "acc_norm"],
                "acc": float(values.argmax() == gold),
                "acc_norm": float((values / lengths).argmax() == gold),
            }
        )
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def test_a_sample_that_is_read_otherwise_is_found(tmp_path, monkeypatch):
    found = harness_reader.compare(log(tmp_path / "samples_x.jsonl"), ("acc", "acc_norm"))
    assert found["samples"] == 40 and found["differences"] == 0
    monkeypatch.setattr(harness_reader, "wanted", lambda record, metric: 0.3)
    assert harness_reader.compare(tmp_path / "samples_x.jsonl", ("acc",))["differences"] == 40


def test_the_harness_scored_what_is_read_here():
    result = json.loads((project_root() / harness_reader.OUT).read_text(encoding="utf-8"))
    assert result["versions"]["lm_eval"] == harness_reader.PACKAGE.partition("==")[2]
    assert set(result["logs"]) == set(harness_reader.TASKS)
    for name, found in result["logs"].items():
        assert found["differences"] == 0 and found["samples"] == harness_reader.N
        assert set(found["metrics"]) == set(harness_reader.TASKS[name][1])
        assert all(0 < mean < 1 for mean in found["metrics"].values())
