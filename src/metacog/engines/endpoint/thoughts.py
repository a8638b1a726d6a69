"""Thoughts taken off a server's reply: a think block in its text, or a field that the server keeps them in."""

from __future__ import annotations

import itertools
from dataclasses import replace

from metacog.engines.endpoint.reading import MIXED, SPECIAL_TOKEN, Reply
from metacog.engines.thinking import Rule, answer_of, find_block, refusal


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
