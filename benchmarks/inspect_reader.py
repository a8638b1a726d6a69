"""Inspect logs read here and by `inspect_ai` itself, sample by sample.

Run: python benchmarks/inspect_reader.py                    (a minute or two; needs a network, once)
     python benchmarks/inspect_reader.py --environment DIR  (keeps the environment there)
Makes an environment of its own with `inspect_ai`, which is no dependency. In it, tasks with an invented model are run
and logged: names with slashes, two epochs, errors, partial scores, reasoning, long texts, two scorers. Samples are
then invalidated and scores edited by Inspect's own functions; every log is written as `.eval` and as `.json` and read
by Inspect's own reader. Inspect's own converter then makes an `.eval` log with a folder per sample, which its released
reader does not read as a whole yet: it is held to the log that it was made from. The same files are read by
metacog.imports and compared: names, epochs, errors, what was invalidated, scores, metadata and log-probabilities of
all samples; which of them become trials, with what correctness and confidence; and their answers.
Writes data/benchmarks/inspect_reader.json. Status 1 where anything differs.
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
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "benchmarks" / "inspect_reader.json"
PACKAGE = "inspect-ai==0.3.285"
N_SAMPLES, EPOCHS = 120, 2
#: Values of scores. What Inspect cannot read it takes for 0, with a warning; here it is no score.
VALUES = [
    "C",
    "I",
    "P",
    "N",
    "yes",
    "No",
    "TRUE",
    "false",
    "1",
    "0",
    "0.5",
    "1.0",
    "7",
    " 2 ",
    "-1",
    "1e-1",
    True,
]
VALUES += [False, 1, 0, 0.25, 3, "excellent", "", "nan", "inf", "1,0"]
LONG = "A text that is longer than a hundred characters is stored apart from its sample in some places. " * 3


# --- in the environment that has inspect_ai


def make_logs(folder: Path) -> None:
    """Run the tasks, change their logs as users do, and write down what Inspect reads in each."""
    from inspect_ai import eval as evaluate
    from inspect_ai import log as logs

    for name, task in tasks().items():
        (made,) = evaluate(
            task,
            model="mockllm/model",
            log_dir=str(folder / "run"),
            epochs=EPOCHS,
            fail_on_error=False,
            display="none",
        )
        log = logs.read_eval_log(made.location)
        provenance = logs.ProvenanceData(author="somebody", reason="the item was wrong")
        chosen = [str(sample.uuid) for sample in log.samples[::7]]
        log = logs.invalidate_samples(log, chosen, provenance)
        edited = next(sample for sample in log.samples if sample.scores and sample.invalidation is None)
        logs.edit_score(
            log,
            edited.id,
            next(iter(edited.scores)),
            logs_edit("I" if next(iter(edited.scores.values())).value == "C" else "C"),
            recompute_metrics=False,
            epoch=edited.epoch,
        )
        for form in ("eval", "json"):
            logs.write_eval_log(log, str(folder / f"{name}.{form}"))
        for form in ("eval", "json"):
            path = folder / f"{name}.{form}"
            rows = [
                told(sample) for sample in logs.read_eval_log(str(path), resolve_attachments=True).samples
            ]
            truth_of(path).write_text(json.dumps(rows), encoding="utf-8")
        folders = folder / f"{name}-folders.eval"
        in_folders(folder / f"{name}.eval", folders)
        truth_of(folders).write_bytes(truth_of(folder / f"{name}.eval").read_bytes())
    from inspect_ai.scorer import value_to_float

    worth = [[value, value_to_float()(value)] for value in VALUES]
    (folder / "values.txt").write_text(json.dumps(worth), encoding="utf-8")


def truth_of(path: Path) -> Path:
    """Where it stands what Inspect read in a log."""
    return path.with_name(f"{path.name}.truth")


def logs_edit(value: str) -> Any:
    """An edit of a score's value."""
    from inspect_ai.log import ProvenanceData
    from inspect_ai.scorer import ScoreEdit

    return ScoreEdit(value=value, provenance=ProvenanceData(author="somebody", reason="marked again"))


def in_folders(source: Path, target: Path) -> None:
    """The same log with a folder per sample, by Inspect's converter, which is not public yet."""
    from inspect_ai.log._recorders.chunked.convert import convert_eval_logs_to_chunked

    place = target.parent / "folders"
    convert_eval_logs_to_chunked(str(source), str(place))
    (place / source.name).replace(target)


def told(sample: Any) -> dict[str, Any]:
    """What Inspect says of one sample."""
    choices = sample.output.choices
    tokens = choices[0].logprobs.content if choices and choices[0].logprobs else []
    return {
        "id": sample.id,
        "epoch": sample.epoch,
        "error": sample.error is not None,
        "invalidated": sample.invalidation is not None,
        "scores": {
            name: {"value": score.value, "metadata": score.metadata}
            for name, score in (sample.scores or {}).items()
        },
        "metadata": sample.metadata,
        "logprobs": [token.logprob for token in tokens],
        "answer": choices[0].message.text.strip() if choices else "",
    }


def tasks() -> dict[str, Any]:
    """A task with log-probabilities, and one whose scorer states confidence."""
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import Score, accuracy, scorer
    from inspect_ai.solver import solver

    def dataset(turns: bool) -> list[Sample]:
        found = []
        for i in range(N_SAMPLES):
            text = f"{LONG if i % 3 == 0 else ''}Question {i}?"
            given = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content=text)] if turns else text
            name = i + 1 if i % 2 else f"topic {i % 5}/part/{i}"
            found.append(Sample(id=name, input=given, target="x", metadata={"number": i, "note": LONG}))
        return found

    @solver
    def answering(logprobs: bool):
        async def solve(state, generate):
            i = state.metadata["number"]
            if i % 11 == 7:
                raise ValueError("this sample fails")
            state.output = output(i, state.epoch, logprobs)
            state.messages.append(state.output.message)
            return state

        return solve

    def verdict(i: int, epoch: int) -> str:
        return "P" if i % 13 == 5 else "C" if (i * 7 + epoch) % 3 else "I"

    @scorer(metrics=[accuracy()])
    def plain():
        async def score(state, target):
            return Score(value=verdict(state.metadata["number"], state.epoch))

        return score

    @scorer(metrics=[accuracy()])
    def sure():
        async def score(state, target):
            i = state.metadata["number"]
            return Score(
                value=verdict(i, state.epoch), metadata={"confidence": (i * 37 % 101) / 100, "why": LONG}
            )

        return score

    return {
        "likely": Task(dataset=dataset(False), solver=answering(True), scorer=plain()),
        "stated": Task(dataset=dataset(True), solver=answering(False), scorer=[sure(), plain()]),
    }


def output(i: int, epoch: int, logprobs: bool) -> Any:
    """What an invented model answers."""
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ContentReasoning,
        ContentText,
        Logprob,
        Logprobs,
        ModelOutput,
    )

    words = [f" word{k}" for k in range(1 + i % 5)]
    text = "".join(words)
    content: Any = text
    if i % 4 == 1:
        content = [ContentReasoning(reasoning=LONG), ContentText(text=text)]
    tokens = [
        Logprob(
            token=word,
            logprob=-((i * 31 + k * 17 + epoch) % 97) / 40,
            bytes=list(word.encode()) if i % 2 else None,
        )
        for k, word in enumerate(words)
    ]
    choice = ChatCompletionChoice(
        message=ChatMessageAssistant(content=content), logprobs=Logprobs(content=tokens) if logprobs else None
    )
    return ModelOutput(model="mockllm/model", choices=[choice])


# --- here


def compare(path: Path) -> dict[str, Any]:
    """Differences between a log read here and what Inspect said of it."""
    from metacog.imports.clean import Validation
    from metacog.imports.inspect_files import samples_of
    from metacog.imports.inspect_logs import read_answers, read_inspect

    truth = {
        (row["id"], row["epoch"]): row for row in json.loads(path.with_name(path.name + ".truth").read_text())
    }
    differences: list[str] = []
    seen = Counter()
    for sample in samples_of(path):
        facts = sample.facts
        key = facts["id"], facts["epoch"]
        seen[key] += 1
        wanted = truth.get(key)
        if wanted is None:
            differences.append(f"{key}: Inspect has no such sample")
            continue
        choices = (facts.get("output") or {}).get("choices") or []
        tokens = ((choices[0].get("logprobs") or {}).get("content") or []) if choices else []
        found = {
            "error": bool(facts.get("error")),
            "invalidated": bool(facts.get("invalidation")),
            "scores": {
                name: {"value": score["value"], "metadata": resolved(score.get("metadata"), sample.attached)}
                for name, score in (facts.get("scores") or {}).items()
            },
            "metadata": resolved(facts.get("metadata"), sample.attached),
            "logprobs": [token["logprob"] for token in tokens],
        }
        differences += [f"{key}, {name}: {value!r}" for name, value in found.items() if value != wanted[name]]
    differences += [f"{key}: read {n} times" for key, n in seen.items() if n > 1]
    differences += [f"{key}: not read" for key in truth if key not in seen]
    usable = {
        (f"{name}", epoch): row
        for (name, epoch), row in truth.items()
        if not row["error"] and not row["invalidated"] and first(row)["value"] in ("C", "I")
    }
    trials, _ = read_inspect(path, Validation(path.name, "inspect"))
    answers, _ = read_answers(path, Validation(path.name, "inspect"))
    for kind, table in (("trials", trials), ("answers", answers)):
        names = [
            (text.split(":", 1)[1], epoch)
            for text, epoch in zip(table["question_id"], table["sample"], strict=True)
        ]
        if Counter(names) != Counter(list(usable)):
            differences.append(f"{kind}: {len(names)} where {len(usable)} can be used")
            continue
        for name, row in zip(names, table.to_dict("records"), strict=True):
            wanted = usable[name]
            if row["correct"] != (first(wanted)["value"] == "C"):
                differences.append(f"{name}: correct is {row['correct']}")
            if kind == "trials" and abs(row["confidence"] - sure_of(wanted)) > 1e-12:
                differences.append(f"{name}: confidence is {row['confidence']}")
            if kind == "answers" and row["answer"] != wanted["answer"]:
                differences.append(f"{name}: answer is {row['answer']!r}")
    return {
        "samples": len(truth),
        "invalidated": sum(row["invalidated"] for row in truth.values()),
        "errors": sum(row["error"] for row in truth.values()),
        "trials": len(trials),
        "differences": len(differences),
        "first_differences": differences[:5],
    }


def compare_values(worth: list[list[Any]]) -> dict[str, Any]:
    """Values of scores whose number is another here."""
    from metacog.imports.inspect_logs import as_number

    differ = [value for value, number in worth if (as_number(value) or 0.0) != number]
    return {"values": len(worth), "differences": len(differ), "first_differences": differ[:5]}


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


def main() -> int:
    """Make the environment and the logs, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environment", type=Path)
    parser.add_argument("--package", default=PACKAGE)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        make_logs(arguments.inside)
        return 0
    with tempfile.TemporaryDirectory() as place:
        environment = arguments.environment or Path(place) / "environment"
        python = environment / "bin" / "python"
        if not python.exists():
            venv.create(environment, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", arguments.package], check=True)
        folder = Path(place) / "logs"
        folder.mkdir()
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "INSPECT_"))}
        subprocess.run(
            [python, __file__, "--inside", folder],
            check=True,
            cwd=folder,
            env={**clean, "INSPECT_MAX_LOG_FILE_VERSION": "3"},
        )
        asked = "import json, platform as p, inspect_ai as i; print(json.dumps([i.__version__, p.python_version()]))"
        version, of_python = json.loads(
            subprocess.run([python, "-c", asked], capture_output=True, check=True).stdout
        )
        made = {
            path.name: compare(path) for path in sorted(folder.iterdir()) if path.suffix in (".eval", ".json")
        }
        values = compare_values(json.loads((folder / "values.txt").read_text(encoding="utf-8")))
    result = {
        "command": "python benchmarks/inspect_reader.py",
        "logs": made,
        "values": values,
        "versions": {
            "inspect_ai": version,
            "python of inspect_ai": of_python,
            "python": platform.python_version(),
        },
    }
    arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for name, found in [*made.items(), ("values", values)]:
        print(name, found)
    return 1 if any(found["differences"] for found in [*made.values(), values]) else 0


if __name__ == "__main__":
    sys.exit(main())
