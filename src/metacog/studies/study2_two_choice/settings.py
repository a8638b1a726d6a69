"""What a profile may set of study 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from metacog.collect.questions import pilot_of
from metacog.core.errors import MetacogError
from metacog.studies.study2_two_choice.asking.deletion import DELETABLE

TASKS = ("A", "B", "C")
RISKS = ("None", "S1", "S2")
#: Ways of asking: written JSON, or closed choices that are scored.
WAYS = ("choose", "json")
#: Answered examples that ``config/two-choice.yaml`` has of each task.
MOST_EXAMPLES = 8
#: Most words that a sentence of task C loses.
MOST_DELETED = 5


@dataclass(frozen=True)
class Settings:
    """Settings of study 2, as its block in a profile gives them.

    Attributes
    ----------
    tasks : dict
        Set of labelled sentences (``config/datasets.yaml``) of each task; another set is named here. A set
        that chose how hard a task is (``pilot_of``) is refused, so that none of it is ever analysed.
    risks : tuple of str
        Risk configurations of the decisions without confidence.
    n_sentences : int or None
        Sentences of each task, drawn by ``seed``; the same ones under every risk configuration. None takes
        every sentence of a set, whatever the classes.
    n_warned : int or None
        Sentences of each task that are decided on under the risk configurations; None takes as many as
        ``n_sentences``.
    balanced : bool
        Draw the same number of each class (one more of class 1 if odd).
    how : str
        ``choose``: closed choices scored on the engine, so that every model answers; ``json``: strict
        JSON written by the model, as in the paper.
    examples : int
        Answered sentences shown before a closed choice, the same number of each class if even; JSON is asked
        for without any.
    temperature : float
        Of decisions, ratings and written replies; 0 takes the most probable, so that a small model gives
        every sentence the same answer.
    repair : bool
        Ask once more where a reply is not the JSON asked for.
    max_tokens : int
        Of a written reply.
    prompt_set : str
        Which prompt of each model (``config/models.yaml``).
    block_items : int
        Sentences asked together.
    n_deleted : int
        How many words a sentence of task C loses, if any: 1 as in the paper, more for an easier task.
    deleted : str
        Which words: ``the``, as in the paper, or ``any`` but the first and the last of a sentence.
    seed : int
        Draws the sentences, their order and the words deleted in task C.
    task, source : str
        The task and set these settings are about; empty for all.
    """

    tasks: Mapping[str, str] = field(default_factory=lambda: {"A": "sentiment", "B": "origin", "C": "origin"})
    risks: Sequence[str] = RISKS
    n_sentences: int | None = 60
    n_warned: int | None = None
    balanced: bool = True
    how: str = "choose"
    examples: int = 8
    temperature: float = 0.5
    repair: bool = True
    max_tokens: int = 48
    prompt_set: str = "plain"
    block_items: int = 30
    n_deleted: int = 1
    deleted: str = "the"
    seed: int = 42
    task: str = field(default="", kw_only=True)
    source: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tasks", dict(self.tasks))
        object.__setattr__(self, "risks", tuple(self.risks))
        for what, given, known in (
            ("task", self.tasks, TASKS),
            ("risk configuration", self.risks, RISKS),
            ("way of asking", (self.how,), WAYS),
        ):
            if unknown := [str(one) for one in given if one not in known]:
                raise MetacogError(
                    f"study2_two_choice: there is no {what} {', '.join(unknown)}; "
                    f"there are: {', '.join(known)}"
                )
        if not self.tasks or not self.risks or len(set(self.risks)) < len(self.risks):
            raise MetacogError("study2_two_choice: name at least one task, and each risk configuration once")
        if not 0 <= self.examples <= MOST_EXAMPLES:
            raise MetacogError(f"study2_two_choice: examples must lie between 0 and {MOST_EXAMPLES}")
        if not 1 <= self.n_deleted <= MOST_DELETED:
            raise MetacogError(f"study2_two_choice: n_deleted must lie between 1 and {MOST_DELETED}")
        if self.deleted not in DELETABLE or (self.deleted == "any" and self.n_deleted < 2):
            raise MetacogError(
                "study2_two_choice: deleted must be `the`, or `any` with an n_deleted of 2 or more"
            )
        for source in self.tasks.values():
            if whole := pilot_of(source):
                raise MetacogError(
                    f"study2_two_choice: the sentences of {source!r} chose how hard the task on {whole!r} is, "
                    "so they are not asked in a run: name another set"
                )
        few = any(n is not None and n < 2 for n in (self.n_sentences, self.n_warned))
        if few or self.block_items < 1 or self.max_tokens < 1 or self.temperature < 0:
            raise MetacogError(
                "study2_two_choice: n_sentences and n_warned must be at least 2, block_items and max_tokens "
                "at least 1, temperature at least 0"
            )

    def sets(self) -> dict[str, Settings]:
        """The settings of each task, by the name of its set: ``A-sentiment`` and so on."""
        return {f"{task}-{source}": self.of(task, source) for task, source in self.tasks.items()}

    def of(self, task: str, source: str) -> Settings:
        """The same settings, of one task on one set."""
        return replace(self, task=task, source=source)
