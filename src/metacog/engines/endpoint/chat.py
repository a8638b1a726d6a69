"""Chat turns on their way to a chat endpoint."""

from __future__ import annotations

from collections.abc import Sequence

from metacog.engines.base import Message


class ChatPrompt(str):
    """Chat turns as text for the record; carries the turns a chat endpoint is sent."""

    messages: tuple[Message, ...]

    def __new__(cls, messages: Sequence[Message]) -> ChatPrompt:
        """Write the turns one under the other."""
        made = super().__new__(cls, "\n".join(f"{m['role']}: {m['content']}" for m in messages))
        made.messages = tuple(messages)
        return made


def fold_system_turn(messages: Sequence[Message]) -> list[Message]:
    """Put a leading system turn into the first user turn."""
    system, *rest = messages
    first = rest[0]["content"] if rest else ""
    folded: Message = {"role": "user", "content": f"{system['content']}\n\n{first}".strip()}
    return [folded, *rest[1:]]
