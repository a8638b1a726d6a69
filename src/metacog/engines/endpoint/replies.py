"""Replies of OpenAI-compatible servers, brought to one form.

Servers differ in whether the token that ended an answer is among the returned tokens: a server of
llama-cpp-python returns the token that holds the stop text but not the end of generation, vLLM
returns both, llama-server and hosted APIs may return neither. Here the counted tokens are always
those of the answer itself, and the one that ended it is kept apart.

Hosted APIs tell log-probabilities of their most probable tokens alone. One that lies outside such a list, or is
given as a sentinel such as -9999, is censored: it is recorded as missing (NaN), never as a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from metacog.core.errors import MetacogError
from metacog.engines.base import Generation
from metacog.engines.endpoint.http import BadReply
from metacog.engines.endpoint.reply import Reply
from metacog.engines.endpoint.thoughts import SPECIAL_TOKEN, without_thoughts
from metacog.engines.endpoint.usage import read_written
from metacog.engines.run_on import ends_of
from metacog.engines.thinking import Rule

#: At and below this a value stands for "not among the most probable": hosted chat APIs write -9999, others the
#: lowest number of their type.
SENTINEL = -9000.0


class MissingLogprobs(BadReply):
    """A reply with text and no token log-probabilities."""


def read_reply(payload: Any, *, told: bool = True) -> Reply:
    """Read the first choice of a reply, in the completions or the chat form.

    Parameters
    ----------
    payload : object
        JSON of the server's reply.
    told : bool
        Log-probabilities were asked for and must be there.

    Raises
    ------
    BadReply
        If the reply is malformed or incomplete (:class:`MissingLogprobs` if it has text only).
    """
    try:
        choice = payload["choices"][0]
        message = choice.get("message")
        text = message.get("content") if message is not None else choice["text"]
        text = text or ""
        thoughts = (message or {}).get("reasoning_content") or (message or {}).get("reasoning") or ""
        raw = choice.get("logprobs") or {}
        content, legacy = raw.get("content"), raw.get("tokens")
        if content is not None:
            rows = [_row(item) for item in content]
            dropped = bool(rows) and all(item["logprob"] is None for item in content)
        elif legacy is not None:
            tops = raw.get("top_logprobs") or [None] * len(legacy)
            rows = [
                (token.encode(), _number(value), _told((top or {}).items()), None)
                for token, value, top in zip(legacy, raw["token_logprobs"], tops, strict=True)
            ]
            dropped = bool(rows) and all(value is None for value in raw["token_logprobs"])
        else:
            rows, dropped = None, False
        finish = choice.get("finish_reason") or ""
        finish = "stop" if finish == "eos" else str(finish)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise BadReply(f"the reply was malformed ({type(error).__name__})") from None
    if told and (dropped or (text and (rows is None or (not rows and finish != "stop")))):
        raise MissingLogprobs("the reply held no token log-probabilities")
    rows = rows or []  # a server that keeps the stop token back may have none left for a one-token answer
    n_written, n_hidden = read_written(payload.get("usage"))
    ids = tuple(row[3] for row in rows if row[3] is not None)
    return Reply(
        text=text,
        pieces=tuple(row[0] for row in rows),
        logprobs=tuple(row[1] for row in rows),
        tops=tuple(row[2] for row in rows),
        ids=ids if len(ids) == len(rows) else (),
        finish=finish,
        fingerprint=str(payload.get("system_fingerprint") or ""),
        reasoning=str(thoughts),
        n_written=n_written,
        n_hidden=n_hidden,
    )


def _row(item: dict[str, Any]) -> tuple[bytes, float, dict[str, float], int | None]:
    data = item.get("bytes")
    piece = bytes(data) if data is not None else item["token"].encode()
    tops = _told((top["token"], top["logprob"]) for top in item.get("top_logprobs") or [])
    return piece, _number(item["logprob"]), tops, item.get("id")


def _number(value: Any) -> float:
    """A log-probability; NaN where it is missing or a sentinel stands for it."""
    return math.nan if value is None or float(value) <= SENTINEL else float(value)


def _told(tops: Iterable[tuple[str, Any]]) -> dict[str, float]:
    """Those of the most probable tokens whose log-probability is told."""
    return {token: number for token, value in tops if not math.isnan(number := _number(value))}


@dataclass(frozen=True)
class Ending:
    """Where an answer ends among the returned tokens.

    Attributes
    ----------
    text : str
        The answer without the stop text.
    n_answer : int
        The first so many tokens are the answer's.
    n_drawn : int
        The answer's tokens and those that ended it; later ones, if a server sends any, are left out.
    by_text : bool
        True if a stop text was seen among the tokens.
    """

    text: str
    n_answer: int
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
            first = next(i for i, end in enumerate(ends) if end > min(begins))
            return Ending(text, first, len(ends), True)
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

    Parameters
    ----------
    reply : Reply
    stop : sequence of str
    count_stop_token : bool
        Count the tokens that hold the stop text; the end of generation is never counted.
    returns_stop : bool
        Whether this server returns the tokens that hold the stop text.
    thinking : Rule, optional
        What becomes of a think block; None passes it over (the probe's own questions).
    opened : bool
        The prompt ended inside one.

    Raises
    ------
    MetacogError
        If a value cannot be a log-probability, the stop token is to be counted but not told, or a think
        block is refused.

    Notes
    -----
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
