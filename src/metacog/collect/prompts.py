"""Prompts as data: ``config/prompts.yaml`` holds them, each with an id that trials record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from metacog.collect.models import ModelEntry
from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.engines.base import GenerationTask, Message, Renderer, Sample
from metacog.engines.requests import assistant, user

#: Prompt of each prompt set that is made of turns.
CHAT = {"fewshot": "fewshot-chat-v1", "zeroshot": "zeroshot-chat-v1", "plain": "plain-chat-v1"}


@dataclass(frozen=True)
class Prompt:
    """One way of asking."""

    id: str
    #: ``completion`` (plain text) or ``chat`` (the model's own template).
    form: str
    template: str
    stop: tuple[str, ...]
    #: Text before the question (completion), or the system turn (chat).
    prefix: str = ""
    system: str = ""
    #: Questions with their answers that are shown first: turns of a chat, or those that stand in the prefix.
    examples: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> dict[str, Any]:
        """What keys of runs say of it: all that a model is shown, examples of a prefix once."""
        said = asdict(self)
        if self.form != "chat" or not self.examples:
            del said["examples"]
        return said

    @property
    def lead(self) -> str:
        """What stands between the rendered prompt and the answer: plain prompts end without a space."""
        return "" if self.form == "chat" else " "

    @property
    def mark(self) -> str:
        """What the template has before a question: where a reply goes on into the next one, it begins with it."""
        return self.template.partition("{question}")[0].strip()

    def messages(self, turns: Sequence[Message]) -> tuple[Message, ...] | None:
        """Turns for the model's chat template, examples behind the system turn; None for a completion prompt."""
        if self.form != "chat":
            return None
        opened = int(bool(turns) and turns[0]["role"] == "system")
        system = turns[:1] if opened else [Message(role="system", content=self.system)] * bool(self.system)
        shown = [turn for one in self.examples for turn in (user(one[0]), assistant(one[1]))]
        return (*system, *(self._turn(turn) for turn in (*shown, *turns[opened:])))

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
        turns = (user(question),)
        return GenerationTask(self.render(turns, engine), tuple(samples), self.messages(turns))


def prompt_ids() -> tuple[str, ...]:
    return tuple(_listed())


def load_prompt(prompt_id: str) -> Prompt:
    known = _listed()
    if prompt_id not in known:
        raise MetacogError(f"there is no prompt {prompt_id!r}; there are: {', '.join(known)}")
    raw = {key: value for key, value in known[prompt_id].items() if key != "note"}
    raw["stop"] = tuple(raw["stop"])
    raw["examples"] = tuple((one["question"], one["answer"]) for one in raw.get("examples", ()))
    return Prompt(id=prompt_id, **raw)


def _listed() -> dict[str, Any]:
    return load_yaml(project_root() / "config" / "prompts.yaml", "prompts")["prompts"]


def flattened(prompt: Prompt, entry: ModelEntry) -> str:
    """Why a prompt is not for a model's chat server, which takes a text with its examples for one turn; else empty."""
    if prompt.form == "chat" or not entry.is_chat:
        return ""
    name = next((name for name in CHAT if entry.prompts.get(name) == prompt.id), "fewshot")
    return (
        f"the prompt {prompt.id} is a text to go on with, and {entry.name} is asked over chat: its server would take "
        "the whole of it for one turn of the user, and the model answer the examples. Write `prompts: "
        f"{{{name}: {CHAT[name]}}}` into its file in config/models, or `api: completions` into its endpoint "
        "if the server has that API"
    )


def form_in_words(prompt: Prompt, entry: ModelEntry) -> str:
    shown = f"{len(prompt.examples)} examples" if prompt.examples else ""
    if prompt.form == "chat":
        whose = "server" if entry.is_endpoint else "file"
        return f"in turns of a chat, by the template of its {whose}" + f", behind {shown} in turns" * bool(
            shown
        )
    if entry.is_chat:
        return "as a text in one turn of a chat" + f", with {shown} that the model may answer" * bool(shown)
    return "as a text to go on with" + f", behind {shown}" * bool(shown)
