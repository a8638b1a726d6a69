"""Holding a written answer to given options: the ways in which servers can be asked to, and what comes back.

Servers have different names for it, and pass over names that they do not know. So a way counts only where a check
shows that the server follows it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from metacog.engines.requests import Choose

#: Options that no model writes of its own accord, for the check, and what is asked.
UNHEARD_OF = ("QELM-7", "VRUST-3")

ASK = "Name a word."

#: Why a server cannot hold an answer to options.
CANNOT = "this server follows no grammar, list of choices or JSON schema that an answer is to keep to"

_KEY = "choice"


class Way(StrEnum):
    """A field of a request that holds its answer to options."""

    GRAMMAR = "grammar"  # llama-server and the server of llama-cpp-python
    STRUCTURED = "structured_outputs"  # vLLM
    GUIDED = "guided_choice"  # vLLM's name until version 0.11
    SCHEMA = "response_format"  # hosted chat APIs: an object with the choice in it

    @property
    def as_text(self) -> bool:
        """Whether the option is the whole answer, as it would follow the prompt."""
        return self is not Way.SCHEMA


def ways(chat: bool) -> tuple[Way, ...]:
    """Ways to try with an API, in order; an object is asked for in the chat API alone."""
    return tuple(way for way in Way if chat or way is not Way.SCHEMA)


def fields(way: Way, options: Sequence[str]) -> dict[str, Any]:
    if way is Way.GRAMMAR:  # a string of this grammar is written as in JSON
        strings = (json.dumps(option, ensure_ascii=False) for option in options)
        return {way.value: f"root ::= {' | '.join(strings)}"}
    if way is Way.STRUCTURED:
        return {way.value: {"choice": list(options)}}
    if way is Way.GUIDED:
        return {way.value: list(options)}
    schema = {
        "type": "object",
        "properties": {_KEY: {"type": "string", "enum": list(options)}},
        "required": [_KEY],
        "additionalProperties": False,
    }
    return {
        way.value: {"type": "json_schema", "json_schema": {"name": _KEY, "strict": True, "schema": schema}}
    }


def room(way: Way, options: Sequence[str]) -> int:
    """Tokens in which the longest option can be written, a token being a byte at least, and some to spare."""
    whole = options if way.as_text else [json.dumps({_KEY: option}, indent=1) for option in options]
    return 4 + max(len(text.encode()) for text in whole)


def written(way: Way, text: str) -> str:
    if way is Way.SCHEMA:
        try:
            return str(json.loads(text)[_KEY])
        except (ValueError, KeyError, TypeError, RecursionError):
            return text
    return text.strip()


def held(way: Way, text: str, request: Choose) -> str:
    """The option that an answer is; empty if it is none, as where a server ends it too early."""
    found = written(way, text)
    return found if found in request.options else ""
