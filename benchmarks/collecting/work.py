"""The work that every line of the benchmark does: questions, prompts, temperatures, limits, clocks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from metacog.collect.models import get_model
from metacog.collect.plan import settings_of
from metacog.collect.prompts import load_prompt
from metacog.collect.questions import load_questions
from metacog.core.config import load_profile
from metacog.engines.base import GenerationTask, Sample
from metacog.studies import get_study


@dataclass(frozen=True)
class Work:
    """What the default profile asks of one model."""

    tasks: tuple[GenerationTask, ...]
    stop: tuple[str, ...]
    max_tokens: int
    block: int

    def every(self, n: int) -> list[GenerationTask]:
        """``n`` of the questions, evenly spaced."""
        n = min(n, len(self.tasks))
        return [self.tasks[i * len(self.tasks) // n] for i in range(n)]

    def part(self, k: int, of: int) -> list[list[GenerationTask]]:
        """Blocks of the k-th of ``of`` contiguous parts."""
        starts = range(0, len(self.tasks), self.block)
        first, last = (len(starts) * i // of for i in (k, k + 1))
        return [list(self.tasks[s : s + self.block]) for s in starts[first:last]]


def default_work(model: str, n: int) -> Work:
    """The first ``n`` questions of the bank as the default profile asks them (its order is random)."""
    asked = settings_of(get_study("study1_qa"), load_profile("default"))
    prompt = load_prompt(get_model(model).prompt_id(asked.prompt_set))
    questions = load_questions("bank", shuffle_seed=asked.shuffle_seed, limit=n)
    tasks = tuple(
        GenerationTask(
            prompt.prefix + prompt.template.replace("{question}", q.question),
            tuple(Sample(t, q.index * 1000 + j) for j, t in enumerate(asked.temperatures)),
        )
        for q in questions
    )
    return Work(tasks, prompt.stop, asked.max_tokens, asked.block_items)


@contextmanager
def timed(result: dict) -> Iterator[None]:
    """Note wall and processor seconds of a stretch of work."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    result["seconds"] = time.perf_counter() - wall
    result["cpu_seconds"] = time.process_time() - cpu
