"""What of a reply is the answer: not what stands between think marks, and not what goes on into a next question.

What a model thinks is neither marked nor averaged into NLP. By the named rule of a model (``thinking`` in its settings
in ``config/models``) such a reply is refused, which is the rule where none is named, or its block is taken off: text,
tokens and log-probabilities of the answer alone are left. Better than either is to have the model not think, by its
template's switch (``chat_template_kwargs``) or, with some hosted models, ``reasoning_effort``.

Some servers part thoughts and answer themselves: they return thoughts in a field of their own (``reasoning_content`` or
``reasoning``), or hide them and only count their tokens. That is the same thinking, and the rule ``apart`` accepts it.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

from metacog.core.errors import MetacogError
from metacog.engines.base import Generation


def characters(data: bytes, ends: Iterable[int]) -> tuple[int, ...]:
    """Whole characters that a UTF-8 text holds up to each byte of ``ends``, which rise; bytes of none count nothing."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    found, made = [], 0
    for start, end in pairwise((0, *ends)):
        made += len(decoder.decode(data[start:end]))
        found.append(made)
    return tuple(found)


def mark_in(text: str, mark: str, keep: Iterable[str] = ()) -> int:
    """Where the mark of a next question begins in a reply; -1 if nowhere.

    ``mark``: as the prompt writes it; not behind a capital, where it ends an abbreviation; ``keep``: texts that a
    reply may hold whole, the accepted answers, in either case: a mark within one is the answer's.
    """
    if not mark or mark not in text:
        return -1
    kept = [
        found.span()
        for whole in keep
        if mark.lower() in whole.lower()
        for found in re.finditer(re.escape(whole.strip()), text, re.IGNORECASE)
    ]
    for found in re.finditer(r"(?<![A-Z])" + re.escape(mark), text):
        if not any(start <= found.start() and found.end() <= end for start, end in kept):
            return found.start()
    return -1


def before_mark(
    made: Generation,
    mark: str,
    keep: Iterable[str] = (),
    *,
    pieces: Callable[[Sequence[int]], Sequence[bytes] | None] = lambda ids: None,
    count_mark: bool = False,
) -> Generation:
    """A reply up to the mark of a next question, as it would be had the mark been a stop text.

    ``mark``, ``keep``: as for :func:`mark_in`; ``pieces``: bytes of each token id, or None where they are not
    known; asked where the reply does not tell its ``ends``; ``count_mark``: count the tokens that hold the mark, as
    ``count_stop_token`` does those of a stop text.

    The same if there is no mark. A token that reaches into the mark, as ``" Q"`` does, is the mark's and not
    the answer's. Where it cannot be told which tokens are the answer's, its length is the number of its words and
    ``sum_logprob`` is NaN.
    """
    at = mark_in(made.text, mark, keep)
    if at < 0:
        return made
    text = made.text[:at]
    ends = made.ends or _ends(made, pieces)
    if not ends:
        return replace(
            made,
            text=text,
            token_ids=(),
            token_logprobs=(),
            n_tokens=len(text.split()),
            sum_logprob=math.nan,
            stop_logprob=None,
            truncated=False,
            ran_on=made.text[at:],
        )
    first = next((i for i, end in enumerate(ends) if end > at), len(ends))
    after = next((i + 1 for i, end in enumerate(ends) if end >= at + len(mark)), None)
    closing = float(sum(made.token_logprobs[first:after]))
    if after is None:  # the token that ended the reply holds some of the mark
        closing += math.nan if made.stop_logprob is None else made.stop_logprob
    counted = (after or len(ends)) if count_mark else first
    kept = made.token_logprobs[:counted]
    return replace(
        made,
        text=text,
        token_ids=made.token_ids[:counted],
        token_logprobs=kept,
        n_tokens=counted,
        sum_logprob=float(sum(kept)),
        stop_logprob=None if math.isnan(closing) else closing,
        truncated=False,
        ends=tuple(min(end, at) for end in ends[:counted]),
        ran_on=made.text[at:],
    )


def _ends(made: Generation, pieces: Callable[[Sequence[int]], Sequence[bytes] | None]) -> tuple[int, ...]:
    """Where each token of a reply ends, from the texts of their ids; empty where these do not make the reply."""
    if not made.token_ids or len(made.token_ids) != len(made.token_logprobs):
        return ()
    told = pieces(made.token_ids)
    return () if told is None else ends_of(made.text, told, short=True)


def ends_of(text: str, pieces: Sequence[bytes], *, short: bool = False) -> tuple[int, ...]:
    """Where each token of a reply ends, in characters; empty where the tokens do not make its text.

    ``pieces``: of each token; they may go on behind the text; ``short``: the text may go on behind them, by what a
    token adds that holds the stop text and is not among them.
    """
    data = b"".join(pieces)
    made = data.decode("utf-8", "ignore")
    if not (made.startswith(text) or (short and text.startswith(made))):
        return ()
    return tuple(min(end, len(text)) for end in characters(data, accumulate(map(len, pieces))))


class Rule(StrEnum):
    """What becomes of a reply with a think block."""

    REFUSE = "refuse"  # the run stops and says what to do
    STRIP = "strip"  # the block is taken off
    STRIP_OPENED = "strip-opened"  # the same; the template opens the block, so a reply begins inside it
    APART = "apart"  # a server's field of thoughts is kept apart from the answer; a block in its text is taken off

    @property
    def strips(self) -> bool:
        return self is not Rule.REFUSE


def rule_of(name: str) -> Rule:
    try:
        return Rule(name)
    except ValueError:
        raise MetacogError(f"thinking must be one of {', '.join(Rule)}, not {name!r}") from None


def check_room(thought_tokens: int, rule: Rule) -> int:
    """Room for thoughts, in tokens, if the rule takes thoughts off."""
    if thought_tokens < 0:
        raise MetacogError(f"thought_tokens must not be negative, it is {thought_tokens}")
    if thought_tokens and not rule.strips:
        raise MetacogError(
            "thought_tokens is room for thoughts that are taken off: it needs thinking: strip or apart"
        )
    return thought_tokens


class Marks(NamedTuple):
    """How one family of models writes its thinking."""

    opening: bytes
    closing: bytes


#: Known marks. Where an opening is part of another, the longer stands first.
MARKS = (
    Marks(b"<think>", b"</think>"),  # DeepSeek-R1, Qwen 3, QwQ, SmolLM3, GLM 4.5, Hunyuan, Nemotron
    Marks(b"<thinking>", b"</thinking>"),  # various fine-tunes
    Marks(b"<thought>", b"</thought>"),  # EXAONE Deep
    Marks(b"<reasoning>", b"</reasoning>"),  # various fine-tunes
    Marks(b"<seed:think>", b"</seed:think>"),  # Seed-OSS
    Marks(b"[THINK]", b"[/THINK]"),  # Magistral
    Marks(b"<|START_THINKING|>", b"<|END_THINKING|>"),  # Command A Reasoning
    Marks("◁think▷".encode(), "◁/think▷".encode()),  # Kimi
    Marks(b"<|channel|>analysis<|message|>", b"<|channel|>final<|message|>"),  # gpt-oss
)

#: Control tokens that marks are made of; an engine writes them out although control tokens add no text.
MARK_TOKENS = frozenset(mark for marks in MARKS for mark in marks) | {b"<|channel|>", b"<|message|>"}


@dataclass(frozen=True)
class Block:
    """Where a reply's answer begins."""

    thought: bool
    #: Byte of the answer's first character that is no blank; None where the block is not closed.
    start: int | None = 0
    #: Byte behind the closing mark.
    closed: int = 0


def find_block(data: bytes, *, opened: bool = False) -> Block:
    """Find the think block that a reply, in UTF-8, begins with; ``opened`` if the prompt ended inside one.

    A closing mark without an opening one closes a block that the template has opened. Blank space behind a block
    belongs to it: its tokens are form, not answer.
    """
    at, thought = 0, opened
    if opened and not any(data.startswith(m.opening, _blank(data, 0)) for m in MARKS):
        ends = _closings(data)
        if not ends:
            return Block(True, None)
        at = min(ends)
    while True:
        begin = _blank(data, at)
        marks = next((m for m in MARKS if data.startswith(m.opening, begin)), None)
        if marks is None:
            break
        thought = True
        end = data.find(marks.closing, begin + len(marks.opening))
        if end < 0:
            return Block(True, None)
        at = end + len(marks.closing)
    if not thought and (ends := _closings(data)):
        thought, at = True, min(ends)
    return Block(True, _blank(data, at), at) if thought else Block(False)


def _blank(data: bytes, at: int) -> int:
    """The first byte from ``at`` on that is no blank space."""
    return len(data) - len(data[at:].lstrip())


def _closings(data: bytes) -> list[int]:
    """Where each closing mark ends, of those that occur."""
    return [place + len(m.closing) for m in MARKS if (place := data.find(m.closing)) >= 0]


def opens(prompt: str) -> bool:
    """Whether a rendered prompt ends inside a think block that the template has just opened."""
    return prompt.rstrip().encode().endswith(tuple(m.opening for m in MARKS))


@dataclass(frozen=True)
class Answer:
    """What of a reply is the answer."""

    #: Its first byte; the length of the reply where there is none.
    start: int
    #: Its first token; earlier ones are the block's.
    first_token: int
    #: Bytes of blank space with which its first token begins.
    blank: int = 0


def answer_of(data: bytes, ends: Sequence[int], rule: Rule, *, opened: bool = False) -> Answer:
    """Part a finished reply without its stop text, whose tokens end at some bytes, into think block and answer."""
    block = find_block(data, opened=opened or rule is Rule.STRIP_OPENED)
    if not block.thought:
        return Answer(0, 0)
    if not rule.strips:
        raise refusal(f"it wrote {data[:40].decode('utf-8', 'replace')!r}")
    if block.start is None or block.start >= len(data):
        return Answer(len(data), len(ends))
    first = next((i for i, end in enumerate(ends) if end > block.start), len(ends))
    begins = ends[first - 1] if first else 0
    start = begins if block.closed <= begins else block.start
    return Answer(start, first, block.start - start)


def check_prompt(prompt: str, rule: Rule, *, scored: bool) -> None:
    """Refuse a prompt that ends inside a think block where what follows would be taken for an answer."""
    if opens(prompt) and (scored or not rule.strips):
        raise refusal(
            f"its template ends the prompt with {prompt.rstrip()[-20:]!r}"
            + (", and a text scored there would stand among its thoughts" if scored else "")
        )


def refusal(how: str) -> MetacogError:
    return MetacogError(
        f"the model thinks before it answers ({how}): that is no answer, and its log-probabilities are not "
        "the answer's. Switch it off by its template's own switch (`chat_template_kwargs: {enable_thinking: false}` "
        "for many), or have the thoughts taken off (`thinking: strip` for a block in the text, `thinking: "
        "strip-opened` where the template opens the block, `thinking: apart` where a server keeps them in a field of "
        "their own) and leave room for them (`thought_tokens: 2000`). These are settings of the model in "
        "config/models, and options of add-model: --template-switch enable_thinking=false, --thinking RULE "
        "--thought-tokens N"
    )
