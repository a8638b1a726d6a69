"""Replies of OpenAI-compatible servers, brought to one form.

Servers differ in whether the token that ended an answer is among the returned tokens: a server of
llama-cpp-python returns the token that holds the stop text but not the end of generation, vLLM
returns both, llama-server and hosted APIs may return neither. Here the counted tokens are always
those of the answer itself, and the one that ended it is kept apart.

Hosted APIs tell log-probabilities of their most probable tokens alone. One that lies outside such a list, or is
given as a sentinel such as -9999, is censored: it is recorded as missing (NaN), never as a number.

What is read of a server's reply.

Thoughts taken off a server's reply: a think block in its text, or a field that the server keeps them in.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.files import cut
from metacog.engines.base import Generation
from metacog.engines.endpoint.http import BadReply
from metacog.engines.endpoint.told import read_written, words_of
from metacog.engines.thinking import Rule, answer_of, ends_of, find_block, refusal


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


SPECIAL_TOKEN = re.compile(rb"<[^<>\s]{1,40}>|\[(EOS|/?INST|END)\]")


def without_thoughts(reply: Reply, rule: Rule, *, opened: bool = False) -> tuple[Reply, int]:
    """A reply without the think block it begins with, and how many tokens that had."""
    n_apart = 0
    if reply.thought_apart and not find_block(reply.text.encode(), opened=opened).thought:
        if rule is not Rule.APART:
            raise refusal("its server keeps or counts thoughts apart from the answer")
        reply, n_apart = _without_field(reply)
    data, opened = b"".join(reply.pieces), opened or rule is Rule.STRIP_OPENED
    answer = answer_of(data, list(itertools.accumulate(map(len, reply.pieces))), rule, opened=opened)
    written = reply.text.encode()
    block = find_block(written, opened=opened)
    if not block.thought and not answer.first_token:
        return reply, n_apart
    if not rule.strips:
        raise refusal(f"it wrote {reply.text[:40]!r}")
    first = answer.first_token
    if block.thought and block.start is not None:
        text = written[max(block.closed, block.start - answer.blank) :].decode()
    else:  # not closed; or the server leaves marks out of the text, and the tokens alone tell
        shown = (piece for piece in reply.pieces[first:] if not SPECIAL_TOKEN.fullmatch(piece))
        text = b"".join(shown).decode("utf-8", "ignore")
    cut = replace(
        reply,
        text=text,
        pieces=reply.pieces[first:],
        logprobs=reply.logprobs[first:],
        tops=reply.tops[first:],
        ids=reply.ids[first:],
    )
    return cut, n_apart + first


def _without_field(reply: Reply) -> tuple[Reply, int]:
    """A reply whose thoughts stand in a field of their own, with the answer's tokens alone, and the thoughts' number.

    Some servers return the tokens of both, some the answer's only. Where it cannot be told which are the
    answer's, none are left, so that its log-probabilities count as not told.
    """
    first = _first_of_answer(reply)
    kept = slice(len(reply.pieces) if first is None else first, None)
    n_rows = len(reply.pieces[kept])
    counted = max(0, (reply.n_written or 0) - n_rows) if n_rows or not reply.text else 0
    n = max(1, reply.n_hidden or first or counted or len(reply.reasoning.split()))
    left = None if reply.n_written is None else max(0, reply.n_written - n)
    cut = replace(
        reply,
        pieces=reply.pieces[kept],
        logprobs=reply.logprobs[kept],
        tops=reply.tops[kept],
        ids=reply.ids[kept],
        n_written=left,
        untold="" if first is not None else MIXED,
    )
    return cut, n


def _first_of_answer(reply: Reply) -> int | None:
    """First token of the answer among those returned; None where that cannot be told.

    The answer's text is found at the end of what the tokens spell, control tokens behind it left out.
    """
    pieces = list(reply.pieces)
    if not reply.text.strip():
        return len(pieces)
    while pieces and (not pieces[-1] or SPECIAL_TOKEN.fullmatch(pieces[-1])):
        pieces.pop()
    data, body = b"".join(pieces).rstrip(), reply.text.strip().encode()
    if not data.endswith(body):
        return None
    begin = len(data) - len(body)
    if not data[:begin].strip():
        return 0
    ends = list(itertools.accumulate(map(len, pieces)))
    first = next(i for i, end in enumerate(ends) if end > begin)
    return None if data[ends[first - 1] if first else 0 : begin].strip() else first


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

    A text may come in parts, thoughts among them. Log-probabilities whose tokens do not spell the text count as
    untold.

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


@dataclass(frozen=True)
class Ending:
    text: str
    #: The first so many tokens are the answer's.
    n_answer: int
    #: The answer's tokens and those that ended it; later ones, if a server sends any, are left out.
    n_drawn: int
    by_text: bool


def find_ending(reply: Reply, stop: Sequence[str]) -> Ending:
    """Part the answer's tokens from those that ended it.

    The tokens that ended it run from the first that reaches into the stop text to the one that
    completes it, or are the end of generation alone; there are none if the limit ended the answer
    or the server keeps them to itself.
    """
    found = [reply.text.index(s) for s in stop if s and s in reply.text]
    text = reply.text[: min(found)] if found else reply.text
    stops = [s.encode() for s in stop if s]
    data, ends = b"", []
    for piece in reply.pieces:
        data += piece
        ends.append(len(data))
        begins = [at for s in stops if (at := data.find(s)) >= 0]
        if begins:
            return Ending(text, next(i for i, end in enumerate(ends) if end > min(begins)), len(ends), True)
    n = len(reply.pieces)
    if reply.finish != "stop" or not n:
        return Ending(text, n, n, False)
    last, body = reply.pieces[-1], text.encode()
    unseen = data[: len(data) - len(last)] == body  # nothing of the last token is in the text
    special = bool(SPECIAL_TOKEN.fullmatch(last)) and not body.endswith(last)
    return Ending(text, n - 1 if unseen or special else n, n, False)


def to_generation(
    reply: Reply,
    stop: Sequence[str],
    *,
    count_stop_token: bool = False,
    returns_stop: bool = True,
    thinking: Rule | None = None,
    opened: bool = False,
) -> Generation:
    """Turn a reply into a :class:`Generation`, counting tokens as every engine does.

    ``count_stop_token``: count the tokens that hold the stop text; the end of generation is never counted;
    ``thinking``: what becomes of a think block; None passes it over (the probe's own questions).

    A token whose log-probability is missing or censored has NaN, and so has the sum. Where thoughts were kept apart
    and it cannot be told which tokens are the answer's, its length is what the server counts, or its words.
    """
    n_thought = 0
    if thinking is not None:
        reply, n_thought = without_thoughts(reply, thinking, opened=opened)
    ending = find_ending(reply, stop)
    for value in reply.logprobs[: ending.n_drawn]:
        if value > 1e-3:
            raise MetacogError(f"the server gives {value:g} as a log-probability, which cannot exceed 0")
    stopped = reply.finish == "stop" or ending.by_text
    if count_stop_token and stop and stopped and not ending.by_text and not returns_stop:
        raise MetacogError(
            "count_stop_token is set, but this server does not return the token that holds the stop text: "
            "set count_stop_token to false, or use another server"
        )
    counted = ending.n_drawn if count_stop_token and ending.by_text else ending.n_answer
    closing = float(sum(reply.logprobs[ending.n_answer : ending.n_drawn]))
    if reply.untold:
        n_tokens = reply.n_written or len(ending.text.split())
        return Generation(ending.text, (), (), n_tokens, math.nan, None, not stopped, n_thought)
    return Generation(
        text=ending.text,
        token_ids=reply.ids[:counted],
        token_logprobs=reply.logprobs[:counted],
        n_tokens=counted,
        sum_logprob=float(sum(reply.logprobs[:counted])),
        stop_logprob=closing if ending.n_drawn > ending.n_answer and not math.isnan(closing) else None,
        truncated=not stopped,
        n_thought=n_thought,
        ends=ends_of(ending.text, reply.pieces[: max(counted, ending.n_drawn)])[:counted],
    )


def untold_generation(
    payload: Any, stop: Sequence[str], *, thinking: Rule = Rule.REFUSE, opened: bool = False
) -> Generation:
    """An answer without log-probabilities.

    ``n_tokens`` is what the server's ``usage`` counts, or the number of words where it does not say; a think
    block's part of them goes by its share of the text.
    """
    reply = replace(read_reply(payload, told=False), pieces=(), logprobs=(), tops=(), ids=())
    n_apart = 0
    if reply.thought_apart and not find_block(reply.text.encode()).thought:
        reply, n_apart = without_thoughts(reply, thinking)
    written = reply.text.encode()
    block = find_block(written, opened=opened or thinking is Rule.STRIP_OPENED)
    if block.thought and not thinking.strips:
        raise refusal(f"it wrote {reply.text[:40]!r}")
    begins = len(written) if block.start is None else block.start
    after = written[begins:].decode()
    found = [after.index(s) for s in stop if s and s in after]
    text = after[: min(found)] if found else after
    n_all = reply.n_written or len(reply.text.split())
    n_thought = max(1, round(n_all * begins / len(written))) if block.thought and written else 0
    n_tokens = max(1, n_all - n_thought) if text.strip() else 0
    stopped = reply.finish == "stop" or bool(found)
    return Generation(text, (), (), n_tokens, math.nan, None, not stopped, n_apart + n_thought)
