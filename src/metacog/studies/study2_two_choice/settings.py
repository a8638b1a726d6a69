"""What a profile may set of study 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from metacog.collect.questions import pilot_of
from metacog.core.errors import MetacogError
from metacog.studies.study2_two_choice.asking.deletion import DELETABLE

TASKS = ("A", "B", "C")
RISKS = ("None", "S1", "S2")
#: Ways of asking: closed choices that are scored, decision and confidence one after the other, or both as one choice;
#: or both in one written JSON.
WAYS = ("choose", "choose_both", "json")
#: Answered examples that ``config/two-choice.yaml`` has of each task.
MOST_EXAMPLES = 8
#: Most words that a sentence of task C loses.
MOST_DELETED = 5
#: Most levels of confidence, each of one digit.
MOST_LEVELS = 9


@dataclass(frozen=True)
class Settings:
    """Settings of study 2, as its block in a profile gives them."""

    #: Set of labelled sentences (``config/datasets.yaml``) of each task; another set is named here. A set that chose
    #: how hard a task is (``pilot_of``) is refused, so that none of it is ever analysed.
    tasks: Mapping[str, str] = field(default_factory=lambda: {"A": "sentiment", "B": "origin", "C": "origin"})
    risks: Sequence[str] = RISKS  # of the decisions without confidence
    #: Sentences of each task, drawn by ``seed``, one number for all or one by task; None takes every sentence of a set,
    #: whatever the classes. Of these, ``n_warned`` are asked under the risk configurations too; None asks all.
    n_sentences: int | Mapping[str, int] | None = 60
    n_warned: int | None = None
    #: Draw the same number of each class (one more of class 1 if odd), or as they come, as in the paper.
    balanced: bool = True
    #: Closed choices scored on the engine (``choose``; ``choose_both`` for one choice of decision and confidence), or
    #: ``json``, written by the model, as in the paper.
    how: str = "choose"
    #: Confidence is a digit from 1 to this one.
    scale: int = 5
    #: Sentences asked one after another in a conversation, where confidence is asked for.
    batch: int = 1
    #: Answered sentences shown before a closed choice, the same number of each class if even; none before JSON, nor
    #: before a choice of both, since they have no confidence.
    examples: int = 8
    temperature: float = 0.5  # at 0 a small model gives every sentence the same answer
    repair: bool = True  # ask once more where a reply is not the JSON asked for
    max_tokens: int = 48
    prompt_set: str = "plain"  # which prompt of each model (``config/models``)
    block_items: int = 30
    #: Words that a sentence of task C loses, if any: 1 as in the paper, more for an easier task.
    n_deleted: int = 1
    deleted: str = "the"  # or ``any`` but the first and the last of a sentence
    seed: int = 42
    #: The task and set these settings are about; empty for all.
    task: str = field(default="", kw_only=True)
    source: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tasks", dict(self.tasks))
        object.__setattr__(self, "risks", tuple(self.risks))
        problems = {}
        for what, given, known in (
            ("task", self.tasks, TASKS),
            ("risk configuration", self.risks, RISKS),
            ("way of asking", (self.how,), WAYS),
        ):
            unknown = ", ".join(str(one) for one in given if one not in known)
            problems[f"there is no {what} {unknown}; there are: {', '.join(known)}"] = bool(unknown)
        unknown_task = any(one not in TASKS for one in self.tasks)
        none = not self.tasks or not self.risks or len(set(self.risks)) < len(self.risks)
        by_task = self.n_sentences if isinstance(self.n_sentences, Mapping) else {}
        sizes = by_task.values() if by_task else (self.n_sentences,)
        few = any(n is not None and n < 2 for n in (*sizes, self.n_warned))
        too_small = few or self.block_items < 1 or self.max_tokens < 1 or self.temperature < 0
        hard = self.deleted not in DELETABLE or (self.deleted == "any" and self.n_deleted < 2)
        outside = not 0 <= self.examples <= MOST_EXAMPLES, not 1 <= self.n_deleted <= MOST_DELETED
        problems |= {
            "name at least one task, and each risk configuration once": none,
            "n_sentences by task must name each task that is asked, and no other": bool(by_task)
            and set(by_task) != set(self.tasks),
            f"examples must lie between 0 and {MOST_EXAMPLES}": outside[0],
            f"n_deleted must lie between 1 and {MOST_DELETED}": outside[1],
            f"scale must lie between 2 and {MOST_LEVELS}, and batch be at least 1": not 2
            <= self.scale
            <= MOST_LEVELS
            or self.batch < 1,
            "deleted must be `the`, or `any` with an n_deleted of 2 or more": hard,
            **{
                f"the sentences of {source!r} chose how hard the task on {pilot_of(source)!r} is, "
                "so they are not asked in a run: name another set": True
                for source in self.tasks.values()
                if not unknown_task and pilot_of(source)
            },
            "n_sentences and n_warned must be at least 2, block_items and max_tokens at least 1, "
            "temperature at least 0": too_small,
        }
        for problem, there in problems.items():
            if there:
                raise MetacogError(f"study2_two_choice: {problem}")

    def sets(self) -> dict[str, Settings]:
        """The settings of each task, by the name of its set: ``A-sentiment`` and so on."""
        return {f"{task}-{source}": self.of(task, source) for task, source in self.tasks.items()}

    def of(self, task: str, source: str) -> Settings:
        own = replace(self, task=task, source=source)
        return replace(own, n_sentences=own.size)

    @property
    def n_examples(self) -> int:
        """Answered sentences shown in this way of asking."""
        return self.examples if self.how == "choose" else 0

    @property
    def size(self) -> int | None:
        """Sentences of the task that these settings are about."""
        return self.n_sentences[self.task] if isinstance(self.n_sentences, Mapping) else self.n_sentences
