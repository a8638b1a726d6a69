"""Chat turns on their way to a chat endpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metacog.core.errors import MetacogError
from metacog.engines.base import Message


class ChatPrompt(str):
    """Chat turns as text for the record; carries the turns a chat endpoint is sent."""

    messages: tuple[Message, ...]

    def __new__(cls, messages: Sequence[Message]) -> ChatPrompt:
        made = super().__new__(cls, "\n".join(f"{m['role']}: {m['content']}" for m in messages))
        made.messages = tuple(messages)
        return made


def fold_system_turn(messages: Sequence[Message]) -> list[Message]:
    system, *rest = messages
    first = rest[0]["content"] if rest else ""
    folded: Message = {"role": "user", "content": f"{system['content']}\n\n{first}".strip()}
    return [folded, *rest[1:]]


def with_switches(
    extra: Mapping[str, Any] | None,
    switches: Mapping[str, Any] | None,
    api: str,
    reasoning_effort: str | None = None,
) -> dict[str, Any]:
    """Fields of every request: those asked for, the switches of the chat template, and the effort of reasoning."""
    fields = dict(extra or {})
    asked = {"chat_template_kwargs": dict(switches or {}), "reasoning_effort": reasoning_effort}
    for name, value in asked.items():
        if not value:
            continue
        if api != "chat":
            raise MetacogError(
                f"{name} is for `api: chat`: the completions API applies no chat template and knows no reasoning"
            )
        if name in fields:
            raise MetacogError(f"{name} stands in extra_body too: give it once")
        fields[name] = value
    return fields
