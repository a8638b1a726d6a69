"""Prompts as data: ``config/prompts.yaml`` holds them, each with an id that trials record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.engines.base import GenerationTask, Message, Renderer, Sample
from metacog.engines.requests import user


@dataclass(frozen=True)
class Prompt:
    """One way of asking.

    Attributes
    ----------
    id : str
    form : str
        ``completion`` (plain text) or ``chat`` (the model's own template).
    template : str
        Holds ``{question}``.
    stop : tuple of str
        Texts that end an answer.
    prefix, system : str
        Text before the question (completion), or the system turn (chat).
    """

    id: str
    form: str
    template: str
    stop: tuple[str, ...]
    prefix: str = ""
    system: str = ""

    @property
    def lead(self) -> str:
        """What stands between the rendered prompt and the answer: plain prompts end without a space."""
        return "" if self.form == "chat" else " "

    @property
    def mark(self) -> str:
        """What the template has before a question: where a reply goes on into the next one, it begins with it."""
        return self.template.partition("{question}")[0].strip()

    def messages(self, turns: Sequence[Message]) -> tuple[Message, ...] | None:
        """Turns for the model's chat template, or None for a completion prompt."""
        if self.form != "chat":
            return None
        opened = bool(turns) and turns[0]["role"] == "system"
        system: list[Message] = [{"role": "system", "content": self.system}] if self.system else []
        return tuple(([] if opened else system) + [self._turn(turn) for turn in turns])

    def render(self, turns: Sequence[Message], engine: Renderer) -> str:
        """The prompt as the model sees it, the assistant's turn opened.

        A completion prompt writes the turns one below the other: each user turn in the template, which
        opens the answer, and each answer behind it on the same line.
        """
        messages = self.messages(turns)
        if messages is not None:
            return engine.render_chat(messages)
        forms = {"user": "{}", "assistant": self.lead + "{}\n", "system": "{}\n\n"}
        return self.prefix + "".join(forms[t["role"]].replace("{}", self._turn(t)["content"]) for t in turns)

    def _turn(self, turn: Message) -> Message:
        if turn["role"] != "user":
            return turn
        return {"role": "user", "content": self.template.replace("{question}", turn["content"])}

    def task(self, question: str, samples: Sequence[Sample], engine: Renderer) -> GenerationTask:
        """Render the prompt for one question."""
        turns = (user(question),)
        return GenerationTask(self.render(turns, engine), tuple(samples), self.messages(turns))


def load_prompt(prompt_id: str) -> Prompt:
    """Read one prompt of ``config/prompts.yaml``.

    Raises
    ------
    MetacogError
        If there is none of that id; the message lists those that exist.
    """
    known = load_yaml(project_root() / "config" / "prompts.yaml", "prompts")["prompts"]
    if prompt_id not in known:
        raise MetacogError(f"there is no prompt {prompt_id!r}; there are: {', '.join(known)}")
    raw = {key: value for key, value in known[prompt_id].items() if key != "note"}
    raw["stop"] = tuple(raw["stop"])
    return Prompt(id=prompt_id, **raw)
