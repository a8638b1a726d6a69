"""When a reply ends, and what of it is the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from metacog.engines.base import Generation
from metacog.engines.thinking import Rule, answer_of, find_block


@dataclass(frozen=True)
class StopRule:
    """When a generation ends.

    Attributes
    ----------
    max_tokens : int
        Most tokens drawn, the one that ends the answer included.
    stop : tuple of bytes
        Texts that end an answer at their first occurrence.
    count_stop_token : bool
        Count the token that holds the stop text.
    thinking : Rule
        What becomes of a think block.
    opened : bool
        The prompts end inside one.
    """

    max_tokens: int
    stop: tuple[bytes, ...]
    count_stop_token: bool
    thinking: Rule = Rule.REFUSE
    opened: bool = False

    def find(self, data: bytes, known: int) -> int:
        """Byte at which the first stop text begins, or -1; ``data[:known]`` holds none.

        A think block that is taken off is not searched: a line that ends there ends no answer.
        """
        first, begin = -1, 0
        if self.stop and self.thinking.strips:
            block = find_block(data, opened=self.opened or self.thinking is Rule.STRIP_OPENED)
            begin = len(data) if block.start is None else block.start
        for text in self.stop:
            at = data.find(text, max(begin, known - len(text) + 1))
            if at >= 0 and (first < 0 or at < first):
                first = at
        return first


class Written(Protocol):
    """What was drawn of one reply: its tokens, where the text of each ends, and the text."""

    tokens: list[int]
    logprobs: list[float]
    ends: list[int]
    data: bytes


def finished(
    made: Written, rule: StopRule, n_counted: int, n_text: int, stop_logprob: float | None, truncated: bool
) -> Generation:
    """The generation that a reply comes to: its answer alone, without a think block.

    Parameters
    ----------
    n_counted : int
        Tokens that count, from the reply's first.
    n_text : int
        Bytes of the reply before its stop text.
    """
    data = made.data[:n_text]
    answer = answer_of(data, made.ends, rule.thinking, opened=rule.opened)
    first = min(answer.first_token, n_counted)
    kept = made.logprobs[first:n_counted]
    return Generation(
        text=data[answer.start :].decode("utf-8", "ignore"),
        token_ids=tuple(made.tokens[first:n_counted]),
        token_logprobs=tuple(kept),
        n_tokens=len(kept),
        sum_logprob=float(sum(kept)),
        stop_logprob=stop_logprob,
        truncated=truncated,
        n_thought=first,
    )
