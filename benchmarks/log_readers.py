"""Logs of Inspect and of lm-evaluation-harness read here, and what these programs themselves read and scored.

Run: python benchmarks/log_readers.py                       (a few minutes; needs a network, once)
     python benchmarks/log_readers.py --environment FOLDER  (keeps the environments there)
Makes environments with `inspect_ai` and `lm_eval`, which are no dependencies. Inspect runs and logs the tasks of
`benchmarks/reading/inspects.py`; names, epochs, errors, what was invalidated, scores, metadata and log-probabilities of
all samples are compared, which of them become trials, with what correctness and confidence, and their answers. The
harness runs invented tasks with its dummy model, whose log-likelihoods are random: choices of unequal lengths and
outside ASCII under four metrics; a delimiter and none; targets as places, letters, texts that are numbers, and several;
choices that stand in the question. Each log is held to the metric that the harness wrote beside each sample, and to
confidences computed from its log-likelihoods in numpy. Writes data/benchmarks/log_readers.json. Status 1 where anything
differs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from recording import CLEAN, ROOT, environment, note, parsed

from metacog.core.provenance import provenance
from metacog.imports.clean import Validation
from metacog.imports.harness import is_harness, read_harness
from metacog.imports.inspect_files import samples_of
from metacog.imports.inspect_logs import as_number, read_answers, read_inspect

OUT = ROOT / "data" / "benchmarks" / "log_readers.json"
INSPECT, HARNESS = "inspect-ai==0.3.285", "lm-eval==0.4.13"
N = 150
WORDS = "small early green late bright cold round heavy größer über".split()
LISTED = "doc_to_choice: choices\ndoc_to_target: gold\n"
STARS = 'doc_to_choice: ["1", "2", "3", "4", "5"]\n'
#: Tasks of the harness: how choices and targets are written, and the metrics.
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


def counted(differences: list[Any], **facts: Any) -> dict[str, Any]:
    """What was compared, and what differs."""
    return {**facts, "differences": len(differences), "first_differences": differences[:5]}


# --- Inspect


def of_inspect(python: Path, folder: Path) -> dict[str, Any]:
    """Logs that Inspect writes, compared, and what values of scores are worth to both."""
    program = ROOT / "benchmarks" / "reading" / "inspects.py"
    clean = {name: value for name, value in CLEAN.items() if not name.startswith("INSPECT_")}
    clean["INSPECT_MAX_LOG_FILE_VERSION"] = "3"
    subprocess.run([python, program, folder], check=True, cwd=folder, env=clean)
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in (".eval", ".json")]
    worth = json.loads((folder / "values.txt").read_text(encoding="utf-8"))
    return {path.name: compare_inspect(path) for path in paths} | {"values": compare_values(worth)}


def compare_values(worth: list[list[Any]]) -> dict[str, Any]:
    """Values of scores whose number is another here."""
    differ = [value for value, number in worth if (as_number(value) or 0.0) != number]
    return counted(differ, values=len(worth))


def compare_inspect(path: Path) -> dict[str, Any]:
    """Differences between a log read here and what Inspect said of it."""
    told = json.loads(path.with_name(f"{path.name}.truth").read_text(encoding="utf-8"))
    truth = {(row["id"], row["epoch"]): row for row in told}
    usable = {
        (str(name), epoch): row
        for (name, epoch), row in truth.items()
        if not row["error"] and not row["invalidated"] and first(row)["value"] in ("C", "I")
    }
    trials, _ = read_inspect(path, Validation(path.name, "inspect"))
    answers, _ = read_answers(path, Validation(path.name, "inspect"))
    differences = [*of_samples(path, truth), *of_table("trials", trials, usable)]
    differences += of_table("answers", answers, usable)
    counts = {name: sum(row[of] for row in told) for name, of in (("invalidated",) * 2, ("errors", "error"))}
    return counted(differences, samples=len(truth), **counts, trials=len(trials))


def of_samples(path: Path, truth: dict[tuple[Any, int], dict[str, Any]]) -> Iterator[str]:
    """What differs in the samples as they are read."""
    seen = Counter[tuple[Any, int]]()
    for sample in samples_of(path):
        facts = sample.facts
        key = facts["id"], facts["epoch"]
        seen[key] += 1
        if key not in truth:
            yield f"{key}: Inspect has no such sample"
            continue
        choices = (facts.get("output") or {}).get("choices") or [{}]
        scores = (facts.get("scores") or {}).items()
        found = {
            "error": bool(facts.get("error")),
            "invalidated": bool(facts.get("invalidation")),
            "scores": {
                name: {"value": one["value"], "metadata": resolved(one.get("metadata"), sample.attached)}
                for name, one in scores
            },
            "metadata": resolved(facts.get("metadata"), sample.attached),
            "logprobs": [t["logprob"] for t in (choices[0].get("logprobs") or {}).get("content") or []],
        }
        yield from (f"{key}, {name}: {one!r}" for name, one in found.items() if one != truth[key][name])
    yield from (f"{key}: read {seen[key]} times" for key in truth.keys() | seen.keys() if seen[key] != 1)


def of_table(kind: str, table: Any, usable: dict[tuple[str, int], dict[str, Any]]) -> Iterator[str]:
    """What differs in the trials, or the answers, that are made of a log."""
    ids = (text.split(":", 1)[1] for text in table["question_id"])
    names = list(zip(ids, table["sample"], strict=True))
    if Counter(names) != Counter(list(usable)):
        yield f"{kind}: {len(names)} where {len(usable)} can be used"
        return
    for name, row in zip(names, table.to_dict("records"), strict=True):
        wanted = usable[name]
        if row["correct"] != (first(wanted)["value"] == "C"):
            yield f"{name}: correct is {row['correct']}"
        if kind == "trials" and abs(row["confidence"] - sure_of(wanted)) > 1e-12:
            yield f"{name}: confidence is {row['confidence']}"
        if kind == "answers" and row["answer"] != wanted["answer"]:
            yield f"{name}: answer is {row['answer']!r}"


def resolved(value: Any, attached: Any) -> Any:
    """A value with the texts that its attachments stand for."""
    if isinstance(value, dict):
        return {k: resolved(v, attached) for k, v in value.items()}
    return attached(value) if isinstance(value, str) else value


def first(row: dict[str, Any]) -> dict[str, Any]:
    """The first scorer's score."""
    return next(iter(row["scores"].values()), {"value": None, "metadata": None})


def sure_of(row: dict[str, Any]) -> float:
    """Confidence as the documentation defines it: stated, else the mean log-probability."""
    stated = (first(row)["metadata"] or {}).get("confidence")
    return float(stated) if stated is not None else sum(row["logprobs"]) / len(row["logprobs"])


# --- lm-evaluation-harness


def of_harness(python: Path, folder: Path) -> dict[str, Any]:
    """Logs that the harness writes, compared."""
    write_tasks(folder)
    command = [python, "-m", "lm_eval", "run", "--model", "dummy", "--include_path", folder / "tasks"]
    command += ["--tasks", ",".join(TASKS), "--log_samples", "--output_path", folder / "out"]
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "cache")}
    subprocess.run(command, check=True, cwd=folder, env=CLEAN | offline, capture_output=True)
    found = {}
    for name, (_, metrics) in TASKS.items():
        (path,) = (folder / "out").rglob(f"samples_{name}_2*.jsonl")
        found[name] = compare_harness(path, metrics)
    return found


def write_tasks(folder: Path) -> None:
    """Invented documents, and the tasks that ask about them."""
    rng, docs = np.random.default_rng(1), folder / "docs.jsonl"
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
        for metric in metrics:
            text += f"  - metric: {metric}\n    aggregation: mean\n    higher_is_better: true\n"
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


def compare_harness(path: Path, metrics: tuple[str, ...]) -> dict[str, Any]:
    """Differences between a log read here, and the harness's metric and the softmax."""
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
    means = {metric: round(float(np.mean([r[metric] for r in records])), 4) for metric in metrics}
    return counted(differences, samples=len(records), metrics=means)


def main() -> int:
    """Make the environments and the logs, and compare."""
    given = parsed(__file__, out=OUT, environment={"type": Path})
    made: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as place:
        for name, package, of in (("inspect", INSPECT, of_inspect), ("harness", HARNESS, of_harness)):
            folder = Path(place) / name
            folder.mkdir()
            made[name] = of(environment((given.environment or Path(place)) / f"{name}-env", package), folder)
    facts = {"command": "python benchmarks/log_readers.py", "packages": [INSPECT, HARNESS]}
    note(given.out, facts | made | {"made_by": provenance()})
    every = [(log, found) for logs in made.values() for log, found in logs.items()]
    for log, found in every:
        print(log, found)
    return int(any(found["differences"] for _, found in every))


if __name__ == "__main__":
    sys.exit(main())
