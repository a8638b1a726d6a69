"""Prompts as data: ``config/prompts.yaml`` holds them, each with an id that trials record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.engines.base import Engine, GenerationTask, Message, Sample


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

    def messages(self, question: str) -> tuple[Message, ...] | None:
        """Chat turns of this prompt, or None for a completion prompt."""
        if self.form != "chat":
            return None
        turns: list[Message] = [{"role": "system", "content": self.system}] if self.system else []
        return (*turns, {"role": "user", "content": self.template.replace("{question}", question)})

    def task(self, question: str, samples: Sequence[Sample], engine: Engine) -> GenerationTask:
        """Render the prompt for one question."""
        messages = self.messages(question)
        if messages is None:
            text = self.prefix + self.template.replace("{question}", question)
        else:
            text = engine.render_chat(messages)
        return GenerationTask(text, tuple(samples), messages)


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
