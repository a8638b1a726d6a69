"""Logs of Inspect, and what Inspect itself reads in them: `python inspects.py FOLDER` where `inspect_ai` is installed.

Names with slashes, two epochs, errors, partial scores, reasoning, long texts, two scorers. Samples are invalidated and
scores edited by Inspect's own functions. Every log is written as `.eval` and as `.json`, and by Inspect's converter,
which is not public yet, as an `.eval` with a folder for each sample.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai import log as logs
from inspect_ai.dataset import Sample
from inspect_ai.log._recorders.chunked.convert import convert_eval_logs_to_chunked
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    Logprob,
    Logprobs,
    ModelOutput,
)
from inspect_ai.scorer import Score, ScoreEdit, accuracy, scorer, value_to_float
from inspect_ai.solver import solver

N_SAMPLES, EPOCHS = 120, 2
#: Values of scores. What Inspect cannot read it takes for 0, with a warning; here it is no score.
VALUES = ["C", "I", "P", "N", "yes", "No", "TRUE", "false", "1", "0", "0.5", "1.0", "7", " 2 ", "-1", "1e-1"]
VALUES += [True, False, 1, 0, 0.25, 3, "excellent", "", "nan", "inf", "1,0"]
LONG = "A text that is longer than a hundred characters is stored apart from its sample in some places. " * 3


def dataset(turns: bool) -> list[Sample]:
    """Questions, as texts or as turns, some with long ones before them."""
    found = []
    for i in range(N_SAMPLES):
        text = f"{LONG if i % 3 == 0 else ''}Question {i}?"
        given = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content=text)] if turns else text
        name = i + 1 if i % 2 else f"topic {i % 5}/part/{i}"
        found.append(Sample(id=name, input=given, target="x", metadata={"number": i, "note": LONG}))
    return found


@solver
def answering(logprobs: bool):
    """What an invented model answers; some samples fail."""

    async def solve(state, generate):
        i = state.metadata["number"]
        if i % 11 == 7:
            raise ValueError("this sample fails")
        words = [f" word{k}" for k in range(1 + i % 5)]
        tokens = [
            Logprob(
                token=word,
                logprob=-((i * 31 + k * 17 + state.epoch) % 97) / 40,
                bytes=list(word.encode()) if i % 2 else None,
            )
            for k, word in enumerate(words)
        ]
        content: Any = "".join(words)
        if i % 4 == 1:
            content = [ContentReasoning(reasoning=LONG), ContentText(text=content)]
        told = Logprobs(content=tokens) if logprobs else None
        choice = ChatCompletionChoice(message=ChatMessageAssistant(content=content), logprobs=told)
        state.output = ModelOutput(model="mockllm/model", choices=[choice])
        state.messages.append(choice.message)
        return state

    return solve


def verdict(i: int, epoch: int) -> str:
    """Right, wrong or partly right."""
    return "P" if i % 13 == 5 else "C" if (i * 7 + epoch) % 3 else "I"


@scorer(metrics=[accuracy()])
def plain():
    """A score alone."""

    async def score(state, target):
        return Score(value=verdict(state.metadata["number"], state.epoch))

    return score


@scorer(metrics=[accuracy()])
def sure():
    """A score that states confidence."""

    async def score(state, target):
        i = state.metadata["number"]
        told = {"confidence": (i * 37 % 101) / 100, "why": LONG}
        return Score(value=verdict(i, state.epoch), metadata=told)

    return score


def said_of(sample: Any) -> dict[str, Any]:
    """What Inspect says of one sample."""
    choices = sample.output.choices
    tokens = choices[0].logprobs.content if choices and choices[0].logprobs else []
    scores = (sample.scores or {}).items()
    return {
        "id": sample.id,
        "epoch": sample.epoch,
        "error": sample.error is not None,
        "invalidated": sample.invalidation is not None,
        "scores": {name: {"value": score.value, "metadata": score.metadata} for name, score in scores},
        "metadata": sample.metadata,
        "logprobs": [token.logprob for token in tokens],
        "answer": choices[0].message.text.strip() if choices else "",
    }


def main(folder: Path) -> None:
    """Run the tasks, change their logs as users do, and write down what Inspect reads in each."""
    tasks = {
        "likely": Task(dataset=dataset(False), solver=answering(True), scorer=plain()),
        "stated": Task(dataset=dataset(True), solver=answering(False), scorer=[sure(), plain()]),
    }
    how = {"model": "mockllm/model", "epochs": EPOCHS, "fail_on_error": False, "display": "none"}
    by = logs.ProvenanceData(author="somebody", reason="the item was wrong")
    for name, task in tasks.items():
        (made,) = evaluate(task, log_dir=str(folder / "run"), **how)
        log = logs.read_eval_log(made.location)
        log = logs.invalidate_samples(log, [str(sample.uuid) for sample in log.samples[::7]], by)
        edited = next(sample for sample in log.samples if sample.scores and sample.invalidation is None)
        of, score = next(iter(edited.scores.items()))
        edit = ScoreEdit(value="I" if score.value == "C" else "C", provenance=by)
        logs.edit_score(log, edited.id, of, edit, recompute_metrics=False, epoch=edited.epoch)
        for form in ("eval", "json"):
            path = folder / f"{name}.{form}"
            logs.write_eval_log(log, str(path))
            read = logs.read_eval_log(str(path), resolve_attachments=True).samples
            path.with_name(f"{path.name}.truth").write_text(json.dumps([said_of(one) for one in read]))
        convert_eval_logs_to_chunked(str(folder / f"{name}.eval"), str(folder / "folders"))
        (folder / "folders" / f"{name}.eval").replace(folder / f"{name}-folders.eval")
        truth = (folder / f"{name}.eval.truth").read_text()
        (folder / f"{name}-folders.eval.truth").write_text(truth)
    worth = [[value, value_to_float()(value)] for value in VALUES]
    (folder / "values.txt").write_text(json.dumps(worth))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
