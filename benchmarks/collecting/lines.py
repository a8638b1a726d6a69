"""Two of the lines: the batched engine, and the loop that the paper used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paper_loop import PaperLoop

from collecting.work import Work, timed
from metacog.engines.base import GenerationTask
from metacog.engines.llama import LlamaEngine

CLOCKS = ("prompt", "step", "sampling", "bookkeeping")


def run_engine(path: Path, work: Work, threads: int, part: int, parts: int) -> dict:
    """Time the batched engine over one part of the questions, and say where the time went."""
    with LlamaEngine(path, n_threads=threads) as engine:
        engine.generate(work.tasks[:1], max_tokens=4, stop=work.stop)  # compiles the sampling kernel
        before = dict(vars(engine.timings))
        answers, times = [], {}
        with timed(times):
            for block in work.part(part, parts):
                rows = engine.generate(block, max_tokens=work.max_tokens, stop=work.stop)
                answers += [g for row in rows for g in row]
        done = {k: v - before[k] for k, v in vars(engine.timings).items()}
        return times | {
            "trials": len(answers),
            "tokens_a_trial": sum(g.n_tokens + (not g.truncated) for g in answers) / len(answers),
            "parts": {k: done[f"{k}_seconds"] for k in CLOCKS},
            "decoded": {k: done[k] for k in ("prompt_tokens", "step_tokens", "draws", "batches")},
            "settings": engine.info.settings,
        }


def run_loop(
    path: Path, tasks: Sequence[GenerationTask], work: Work, threads: int, *, logprobs: bool
) -> dict:
    """Time the paper's loop."""
    loop = PaperLoop(path, logprobs=logprobs, n_threads=threads)
    first = GenerationTask(tasks[0].prompt, tasks[0].samples[:1])
    loop.generate([first], max_tokens=4, stop=work.stop)
    times: dict = {}
    with timed(times):
        rows = loop.generate(tasks, max_tokens=work.max_tokens, stop=work.stop)
    answers = [g for row in rows for g in row]
    loop.close()
    return times | {"trials": len(answers), "tokens_a_trial": sum(g.n_tokens for g in answers) / len(answers)}
