"""Answers that were made elsewhere, and what a model of this registry makes of them.

The runner asks, so a long file can be interrupted and goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.collect.collection import Collection, Needed
from metacog.collect.confidence_signals import is_it_right
from metacog.collect.manifest import Manifest
from metacog.collect.models import get_model
from metacog.collect.plan import Loaded, Plan, make_plan
from metacog.collect.prompts import load_prompt
from metacog.collect.reading import read_replies
from metacog.collect.runner import collect
from metacog.core.config import Profile
from metacog.engines.capabilities import Capabilities
from metacog.engines.requests import Asking, Chosen, Reply, Score, Scored, user
from metacog.trials import NLP, P_TRUE

#: What can be asked of a given answer: its log-probability a token, and whether it is right.
SIGNALS = (NLP, P_TRUE)


@dataclass(frozen=True)
class GivenAnswer:
    question: str
    answer: str

    @property
    def id(self) -> str:
        """The same for the same question and answer."""
        return hashlib.sha256(json.dumps([self.question, self.answer]).encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Settings:
    """How given answers are asked about; ``lead`` is what the prompt has between itself and the answer."""

    signal: str
    prompt_set: str = "plain"
    lead: str = ""
    block_items: int = 50
    seed: int = 42


class GivenAnswers(Collection):
    name = "given"
    one_turn = True

    def __init__(self, answers: Sequence[GivenAnswer], settings: Settings, dataset: str) -> None:
        self.answers, self.settings, self.dataset = tuple(dict.fromkeys(answers)), settings, dataset

    def sets(self, settings: Any) -> Mapping[str, Settings]:
        return {self.dataset: self.settings}

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> tuple[GivenAnswer, ...]:
        return self.answers

    def refusal(self, settings: Settings, can: Capabilities) -> str:
        return "; ".join(can.lacking(["score_text" if settings.signal == NLP else "score_options"]).values())

    def ask(self, item: GivenAnswer, settings: Settings) -> Asking:
        if settings.signal == NLP:
            yield Score((user(item.question),), (settings.lead + item.answer,))
        else:
            yield is_it_right(item.question, item.answer)

    def read(
        self, item: GivenAnswer, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        (reply,) = replies
        if isinstance(reply, Scored):
            (score,) = reply.scores
            yield {
                "text": item.answer,
                "n_tokens": score.n_tokens,
                "sum_logprob": score.sum_logprob,
                "nlp": score.nlp,
                "confidence": math.exp(score.nlp),
            }
        elif isinstance(reply, Chosen):
            yield {"text": item.answer, "confidence": reply.probabilities[0]}


@dataclass(frozen=True)
class _Import:
    """Stands for a study, of which an import is none."""

    collections: tuple[GivenAnswers, ...]
    name: str = "import"
    settings: type | None = None


def score_given(
    answers: Sequence[GivenAnswer],
    signal: str,
    model: str,
    *,
    prompt_set: str = "plain",
    dataset: str = "import",
    runs: Path | None = None,
    models: Loaded | None = None,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Ask a model about answers that it need not have given, each different pair once.

    Trials, one row a pair, ``question_id`` its :attr:`GivenAnswer.id`, with ``nlp`` or ``confidence``; and
    facts about the model: ``names`` are all that the registry calls it.
    """
    entry = get_model(model)
    prompt = load_prompt(entry.prompt_id(prompt_set))
    asked = GivenAnswers(answers, Settings(signal, prompt_set, prompt.lead), dataset)
    profile = Profile("import", (entry.name,), {"import": {}}, {})
    plan: Plan = make_plan(_Import((asked,)), asked.name, profile, entry, dataset)
    folder = plan.folder(runs)
    collect(plan, folder, models=models)
    facts = {
        "model": entry.name,
        "label": entry.label,
        "names": [name for name in (entry.name, entry.label, entry.paper_name) if name],
        "model_sha256": Manifest.stored(folder)["engine"]["model_sha256"],
        "prompt": prompt.id,
    }
    return read_replies([(plan, folder)]).trials, facts
