"""Replies of OpenAI-compatible servers, brought to one form.

Servers differ in whether the token that ended an answer is among the returned tokens: a server of
llama-cpp-python returns the token that holds the stop text but not the end of generation, vLLM
returns both, llama-server and hosted APIs may return neither. Here the counted tokens are always
those of the answer itself, and the one that ended it is kept apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from metacog.core.errors import MetacogError
from metacog.engines.base import Generation
from metacog.engines.endpoint.reading import SPECIAL_TOKEN, Reply, read_reply
from metacog.engines.endpoint.thoughts import without_thoughts
from metacog.engines.thinking import Rule, ends_of, find_block, refusal


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

    The tokens that ended it run from the first that reaches into the stop text to the one that completes it, or are the
    end of generation alone; there are none if the limit ended the answer or the server keeps them to itself.
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
