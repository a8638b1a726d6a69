"""When a reply ends, and what of it is the answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from metacog.engines.base import Generation
from metacog.engines.llama.lowlevel import Model
from metacog.engines.run_on import characters
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


@dataclass
class Draft:
    """Text of one sample so far."""

    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    data: bytes = b""

    def copy(self) -> Draft:
        """A draft that goes on by itself."""
        return Draft(list(self.tokens), list(self.logprobs), list(self.ends), self.data)

    def add(self, token: int, logprob: float, rule: StopRule, model: Model) -> Generation | None:
        """Take one more token; the finished generation if it ends here."""
        self.tokens.append(token)
        self.logprobs.append(logprob)
        known = len(self.data)
        if model.is_eog(token):
            return self._end(rule, len(self.tokens) - 1, known, logprob, False)
        self.data += model.piece(token)
        self.ends.append(len(self.data))
        at = rule.find(self.data, known)
        if at >= 0:
            first = next(i for i, end in enumerate(self.ends) if end > at)
            counted = len(self.tokens) if rule.count_stop_token else first
            return self._end(rule, counted, at, float(sum(self.logprobs[first:])), False)
        if len(self.tokens) >= rule.max_tokens:
            return self._end(rule, len(self.tokens), len(self.data), None, True)
        return None

    def _end(
        self, rule: StopRule, n_counted: int, n_text: int, stop_logprob: float | None, truncated: bool
    ) -> Generation:
        """The generation that a reply comes to: its answer alone, without a think block.

        Parameters
        ----------
        n_counted : int
            Tokens that count, from the reply's first.
        n_text : int
            Bytes of the reply before its stop text.
        """
        data = self.data[:n_text]
        answer = answer_of(data, self.ends, rule.thinking, opened=rule.opened)
        first = min(answer.first_token, n_counted)
        kept = self.logprobs[first:n_counted]
        return Generation(
            text=data[answer.start :].decode("utf-8", "ignore"),
            token_ids=tuple(self.tokens[first:n_counted]),
            token_logprobs=tuple(kept),
            n_tokens=len(kept),
            sum_logprob=float(sum(kept)),
            stop_logprob=stop_logprob,
            truncated=truncated,
            n_thought=first,
            ends=characters(data[answer.start :], [end - answer.start for end in self.ends[first:n_counted]]),
        )
