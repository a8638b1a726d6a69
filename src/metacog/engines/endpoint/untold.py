"""Answers of servers that tell no log-probabilities: their text, and how long it was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from metacog.engines.base import Generation
from metacog.engines.endpoint.replies import read_reply, without_thoughts
from metacog.engines.thinking import Rule, find_block, refusal


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
