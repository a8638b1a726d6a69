"""What is read of a server's reply.

Hosted APIs tell log-probabilities of their most probable tokens alone. One that lies outside such a list, or is
given as a sentinel such as -9999, is censored: it is recorded as missing (NaN), never as a number.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from metacog.core.files import cut
from metacog.engines.endpoint.http import BadReply
from metacog.engines.endpoint.told import read_written, words_of

SPECIAL_TOKEN = re.compile(rb"<[^<>\s]{1,40}>|\[(EOS|/?INST|END)\]")


@dataclass(frozen=True)
class Reply:
    """One choice of a completion or chat reply."""

    text: str
    #: Text of each returned token, in UTF-8 (empty where the server decodes part of a character).
    pieces: tuple[bytes, ...]
    #: Of each returned token; NaN where it is missing or censored.
    logprobs: tuple[float, ...]
    #: Most probable tokens at each place with their log-probabilities, those that are told; may be empty.
    tops: tuple[dict[str, float], ...]
    ids: tuple[int, ...]
    finish: str
    fingerprint: str = ""
    #: Thoughts that the server keeps in a field of their own (``reasoning_content`` or ``reasoning``).
    reasoning: str = ""
    #: Tokens that the server counts in all, and those of them that it counts as reasoning, if it tells.
    n_written: int | None = None
    n_hidden: int | None = None
    #: Why no log-probabilities of the answer's own tokens are told, so that no tokens are left; empty if they are.
    untold: str = ""

    @property
    def thought_apart(self) -> bool:
        """Whether the model thought, and the server keeps or counts its thoughts apart from the answer."""
        return bool(self.reasoning.strip() or self.n_hidden)


#: At and below this a value stands for "not among the most probable": hosted chat APIs write -9999, others the
#: lowest number of their type.
SENTINEL = -9000.0


class MissingLogprobs(BadReply):
    """A reply with text and no token log-probabilities."""


#: Why there are no log-probabilities.
NO_LOGPROBS = "this server returns no token log-probabilities"

MIXED = "it cannot be told which of the returned tokens are the answer's"

_WRONG = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError)


def read_reply(payload: Any, *, told: bool = True, echoed: bool = False) -> Reply:
    """Read the first choice of a reply, in the completions or the chat form: the one reader of all replies.

    A text may come in parts, thoughts among them. Log-probabilities whose tokens do not spell the text count as untold.

    ``told``: log-probabilities were asked for and must be there; ``echoed``: the prompt is echoed, to which
    :func:`~metacog.engines.endpoint.scored.echoed_score` holds the tokens.
    """
    try:
        choice = payload["choices"][0]
        message = choice.get("message")
        if message is None:
            parts, message = choice["text"], {}
        else:
            parts = message.get("content") or message.get("refusal")
        text, within = _spoken(parts)
        apart = (_said(message.get(name)) for name in _THOUGHTS)
        thoughts = next(filter(None, apart), "") or within
    except _WRONG as error:
        what = "nothing but a call of a tool" if _calls_tool(payload) else "no answer that can be read"
        raise BadReply(
            f"the reply was malformed ({type(error).__name__}), {what}: {words_of(payload)}"
        ) from None
    if not text and not thoughts and _calls_tool(payload):
        raise BadReply(f"the model called a tool in the place of an answer: {words_of(message)}")
    finish = choice.get("finish_reason") or ""
    finish = "stop" if finish == "eos" else str(finish)
    try:
        told_rows = _rows(choice.get("logprobs") or {})
        rows = [(piece, _number(value), *rest) for piece, value, *rest in told_rows or []]
        dropped = bool(told_rows) and all(value is None for _, value, _, _ in told_rows or [])
        lacks = dropped or (bool(text) and (told_rows is None or (not rows and finish != "stop")))
        rows, untold = ([], NO_LOGPROBS) if lacks else (rows, "")
    except _WRONG as error:
        rows, untold = [], f"this server's log-probabilities cannot be read ({type(error).__name__})"
    if told and untold:
        raise MissingLogprobs(untold)
    pieces = tuple(row[0] for row in rows)  # may be none: a server may keep a stop token back
    if pieces and not echoed and not thoughts.strip() and not _spells(pieces, text, finish == "stop"):
        spelt = cut(b"".join(pieces).decode("utf-8", "replace"), 40)
        rows, untold = (
            [],
            (
                f"this server's tokens do not spell its text ({spelt!r} where the text is {cut(text, 40)!r}), so that "
                "their log-probabilities cannot be taken for the answer's"
            ),
        )
    n_written, n_hidden = read_written(payload.get("usage"))
    ids = tuple(row[3] for row in rows if isinstance(row[3], int))
    return Reply(
        text=text,
        pieces=tuple(row[0] for row in rows),
        logprobs=tuple(row[1] for row in rows),
        tops=tuple(row[2] for row in rows),
        ids=ids if len(ids) == len(rows) else (),
        finish=finish,
        fingerprint=str(payload.get("system_fingerprint") or ""),
        reasoning=thoughts,
        n_written=n_written,
        n_hidden=n_hidden,
        untold=untold,
    )


#: Fields of a message that servers keep thoughts in.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "reasoning_details")

#: Fields of a part that hold its words, or further parts.
_WORDS = ("text", "thinking", "reasoning", "reasoning_content", "refusal", "summary", "value", "content")


def _spoken(content: Any) -> tuple[str, str]:
    """Text of a message's content, a text or a list of parts, and the thoughts that stand among the parts."""
    if content is None or isinstance(content, str):
        return _written(content or ""), ""
    parts = content if isinstance(content, list) else [content]
    thinks = [
        isinstance(one, dict) and bool(re.search("think|reason", str(one.get("type")))) for one in parts
    ]
    told = [_said(one) for one in parts]
    text, thoughts = ("".join(itertools.compress(told, which)) for which in ([not t for t in thinks], thinks))
    return text, thoughts


def _said(part: Any) -> str:
    """Words of a part of a message, or of several; a TypeError if it is something else."""
    if part is None or isinstance(part, str):
        return _written(part or "")
    if isinstance(part, list):
        return "".join(map(_said, part))
    if not isinstance(part, dict):
        raise TypeError
    return _said(next((part[name] for name in _WORDS if part.get(name)), None))


def _calls_tool(payload: Any) -> bool:
    try:
        message = payload["choices"][0]["message"]
        return bool(message.get("tool_calls") or message.get("function_call"))
    except _WRONG:
        return False


def _spells(pieces: Sequence[bytes], text: str, stopped: bool) -> bool:
    """Whether tokens spell a text, but for blanks at its ends, control tokens, and what ended it.

    A token that holds a stop text may be kept back whole, with the end of the text that it begins with. Where a
    server decodes half a character to nothing or a replacement, ASCII alone is compared.
    """
    for told in (pieces, [piece for piece in pieces if not SPECIAL_TOKEN.fullmatch(piece)]):
        spelt, body = b"".join(told).decode("utf-8", "replace").strip(), text.strip()
        if not all(told) or "\ufffd" in spelt + body:
            spelt, body = (one.encode("ascii", "ignore").decode().strip() for one in (spelt, body))
        kept_back = stopped and spelt and body.startswith(spelt) and not re.search(r"\s", body[len(spelt) :])
        if spelt.startswith(body) or kept_back:
            return True
    return False


def _rows(raw: dict[str, Any]) -> list[tuple[bytes, Any, dict[str, float], Any]] | None:
    """Tokens of a reply with their log-probabilities, in either form; None if there are none."""
    content, legacy = raw.get("content"), raw.get("tokens")
    if content is not None:
        return [_row(item) for item in content]
    if legacy is None:
        return None
    tops = raw.get("top_logprobs") or [None] * len(legacy)
    return [
        (token.encode("utf-8", "replace"), value, _told((top or {}).items()), None)
        for token, value, top in zip(legacy, raw["token_logprobs"], tops, strict=True)
    ]


def _written(text: str) -> str:
    """A text with a question mark for each half of a character, which could not be stored."""
    return text.encode("utf-8", "replace").decode()


def _row(item: dict[str, Any]) -> tuple[bytes, Any, dict[str, float], Any]:
    data = item.get("bytes")
    piece = bytes(iter(data)) if data is not None else item["token"].encode("utf-8", "replace")
    tops = _told((top["token"], top["logprob"]) for top in item.get("top_logprobs") or [])
    return piece, item["logprob"], tops, item.get("id")


def _number(value: Any) -> float:
    """A log-probability; NaN where it is missing or a sentinel stands for it."""
    return math.nan if value is None or float(value) <= SENTINEL else float(value)


def _told(tops: Iterable[tuple[str, Any]]) -> dict[str, float]:
    return {str(token): number for token, value in tops if not math.isnan(number := _number(value))}
