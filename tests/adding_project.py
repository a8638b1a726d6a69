"""A small clone of the project's configuration to add models to, and models to add."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from stub_engine import StubEngine

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.engines.base import EngineInfo, Generation, ScoredText
from metacog.engines.requests import Chosen


def clone(target: Path) -> Path:
    """Copy what commands look for below a project's root."""
    root = project_root()
    for name in ("config", "notebooks"):
        shutil.copytree(root / name, target / name)
    for name in ("questions", "items"):
        shutil.copytree(root / "data" / name, target / "data" / name)
    return target


def snapshot(root: Path) -> dict[str, bytes]:
    """Every configuration file and its contents."""
    return {
        str(p.relative_to(root)): p.read_bytes() for p in sorted((root / "config").rglob("*")) if p.is_file()
    }


def requantised(target: Path) -> Path:
    """Write SmolLM2 requantised to Q4_0: a model that the registry does not know, in about a second."""
    import llama_cpp

    from metacog.collect.models import get_model, locate

    source, _ = locate(get_model("smollm2-135m"))
    settings = llama_cpp.llama_model_quantize_default_params()
    settings.allow_requantize = True
    settings.ftype = llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_0
    settings.nthread = 2
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        code = llama_cpp.llama_model_quantize(str(source).encode(), str(target).encode(), settings)
    assert code == 0
    return target


class FakeEngine(StubEngine):
    """Answers with a word of the question, or by a rule, chooses by a rule, and counts what it was asked."""

    def __init__(
        self,
        answer=lambda prompt: prompt.rpartition("?")[0].split()[-1],
        template: bool = True,
        rule=lambda prompt: 0,
    ) -> None:
        super().__init__()
        self.answer, self.template, self.rule = answer, template, rule
        self.chosen = 0

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("fake", "fake", "0" * 64)

    def render_chat(self, messages) -> str:
        if not self.template:
            raise MetacogError("no chat template")
        return messages[-1]["content"]

    def generate(self, tasks, *, max_tokens, stop=(), count_stop_token=False):
        def made(prompt):
            return Generation(self.answer(prompt), (1,), (-0.5,), 1, -0.5, None, False)

        return [[made(task.prompt) for _ in task.samples] for task in tasks]

    def score_many(self, items) -> list[list[ScoredText]]:
        return [[ScoredText((1,), (-1.0,)) for _ in texts] for _, texts in items]

    def choose_many(self, items, *, temperature=0.0, seeds=None) -> list[Chosen]:
        return [self._choice(prompt, tuple(options)) for prompt, options in items]

    def _choice(self, prompt, options) -> Chosen:
        self.chosen += 1
        number = self.rule(prompt)
        probabilities = tuple(0.9 if i == number else 0.1 / (len(options) - 1) for i in range(len(options)))
        return Chosen(options, tuple(-1.0 for _ in options), probabilities, options[number], "text")
