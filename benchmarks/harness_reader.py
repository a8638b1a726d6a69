"""Logs of lm-evaluation-harness read here, and what the harness itself scored.

Run: python benchmarks/harness_reader.py                    (a minute or two; needs a network, once)
     python benchmarks/harness_reader.py --environment DIR  (keeps the environment there)
Makes an environment of its own with `lm_eval`, which is no dependency. In it, its command runs invented tasks with its
own dummy model, whose log-likelihoods are random: choices of unequal lengths and outside ASCII under acc, acc_norm,
acc_bytes and acc_mutual_info; a delimiter and none; targets as places, letters, texts that are numbers, and several;
and choices that stand in the question. Each log is read by metacog.imports and held to the metric
that the harness wrote beside each sample, and to confidences computed from its log-likelihoods in numpy. Writes
data/benchmarks/harness_reader.json. Status 1 where anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "benchmarks" / "harness_reader.json"
PACKAGE = "lm-eval==0.4.13"
N = 150
WORDS = "small early green late bright cold round heavy größer über".split()
LISTED = "doc_to_choice: choices\ndoc_to_target: gold\n"
STARS = 'doc_to_choice: ["1", "2", "3", "4", "5"]\n'
#: Tasks: how choices and targets are written, and the metrics.
TASKS = {
    "lengths": (LISTED, ("acc", "acc_norm")),
    "length_alone": (LISTED, ("acc_norm",)),
    "bytes": (LISTED, ("acc_bytes",)),
    "no_delimiter": (LISTED + 'target_delimiter: ""\n', ("acc", "acc_norm")),
    "mutual": (LISTED, ("acc", "acc_mutual_info")),
    "numbers_as_texts": (STARS + "doc_to_target: star\n", ("acc",)),
    "numbers_by_place": (STARS + 'doc_to_target: "{{star|int - 1}}"\n', ("acc",)),
    "letters": ('doc_to_choice: ["A", "B", "C", "D"]\ndoc_to_target: letter\n', ("acc",)),
    "several_targets": ("doc_to_choice: choices\ndoc_to_target: several\n", ("acc",)),
    "choices_in_question": ("doc_to_choice: beginnings\ndoc_to_target: end\n", ("acc",)),
}


def write_tasks(folder: Path) -> None:
    """Invented documents, and the tasks that ask about them."""
    rng = np.random.default_rng(1)
    docs = folder / "docs.jsonl"
    rows = [
        {
            "question": f"item {i}",
            "choices": [" ".join(rng.choice(WORDS, rng.integers(1, 7))) for _ in range(4)],
            "gold": int(rng.integers(4)),
            "star": str(rng.integers(1, 6)),
            "letter": str(rng.choice(list("ABCD"))),
            "several": sorted(rng.choice(4, 2, replace=False).tolist()),
            "beginnings": ["The cup was", "The bag was"],
            "end": "too small.",
        }
        for i in range(N)
    ]
    docs.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    (folder / "tasks").mkdir()
    source = f"dataset_path: json\ndataset_kwargs:\n  data_files:\n    test: {docs}\ntest_split: test\n"
    for name, (body, metrics) in TASKS.items():
        asked = '"{{gold % 2}}"' if name == "choices_in_question" else '"{{question}}"'
        text = (
            f"task: {name}\n{source}output_type: multiple_choice\ndoc_to_text: {asked}\n{body}metric_list:\n"
        )
        text += "".join(
            f"  - metric: {m}\n    aggregation: mean\n    higher_is_better: true\n" for m in metrics
        )
        (folder / "tasks" / f"{name}.yaml").write_text(text, encoding="utf-8")


def wanted(record: dict[str, Any], metric: str) -> float:
    """Confidence of a sample by a metric, from its log-likelihoods and its choices."""
    values = np.array([float(pair[0]) for pair in record["filtered_resps"]])
    choices = record["doc"]["choices"]
    if metric == "acc_mutual_info":
        values = values[:4] - values[4:]
    elif len(values) == 8:
        values = values[:4]
    if metric in ("acc_norm", "acc_bytes"):
        values = values / [len(c.encode() if metric == "acc_bytes" else c) for c in choices]
    parts = np.exp(values - values.max())
    return float((parts / parts.sum())[values.argmax()])


def compare(path: Path, metrics: tuple[str, ...]) -> dict[str, Any]:
    """Differences between a log read here, and the harness's metric and the softmax."""
    from metacog.imports.clean import Validation
    from metacog.imports.harness import is_harness, read_harness

    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    differences = [] if is_harness(path) else ["not known as a log"]
    for metric in metrics:
        report = Validation(path.name, "harness")
        table = read_harness(path, report, metric=metric)
        if report.dropped or len(table) != len(records):
            differences.append(f"{metric}: {len(table)} of {len(records)} read ({report.dropped})")
            continue
        for row, record in zip(table.to_dict("records"), records, strict=True):
            if row["correct"] != record[metric]:
                differences.append(f"{metric}, {record['doc_id']}: correct is {row['correct']}")
            if abs(row["confidence"] - wanted(record, metric)) > 1e-12:
                differences.append(f"{metric}, {record['doc_id']}: confidence is {row['confidence']}")
    return {
        "samples": len(records),
        "metrics": {metric: round(float(np.mean([r[metric] for r in records])), 4) for metric in metrics},
        "differences": len(differences),
        "first_differences": differences[:5],
    }


def main() -> int:
    """Make the environment and the logs, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environment", type=Path)
    parser.add_argument("--package", default=PACKAGE)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        environment = arguments.environment or Path(place) / "environment"
        python = environment / "bin" / "python"
        if not python.exists():
            venv.create(environment, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", arguments.package], check=True)
        folder = Path(place) / "run"
        folder.mkdir()
        write_tasks(folder)
        command = [python, "-m", "lm_eval", "run", "--model", "dummy", "--include_path", folder / "tasks"]
        command += ["--tasks", ",".join(TASKS), "--log_samples", "--output_path", folder / "out"]
        clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        offline = {"HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "cache")}
        subprocess.run(command, check=True, cwd=folder, env=clean | offline, capture_output=True)
        made = {}
        for name, (_, metrics) in TASKS.items():
            (path,) = (folder / "out").rglob(f"samples_{name}_2*.jsonl")
            made[name] = compare(path, metrics)
        asked = "import importlib.metadata as m, platform as p, json; "
        asked += "print(json.dumps([m.version('lm_eval'), p.python_version()]))"
        version, of_python = json.loads(
            subprocess.run([python, "-c", asked], capture_output=True, check=True).stdout
        )
    result = {
        "command": "python benchmarks/harness_reader.py",
        "logs": made,
        "versions": {"lm_eval": version, "python of lm_eval": of_python, "python": platform.python_version()},
    }
    arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for name, found in made.items():
        print(name, found)
    return 1 if any(found["differences"] for found in made.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
