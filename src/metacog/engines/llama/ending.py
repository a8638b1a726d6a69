"""When a reply ends, and what of it is the answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from metacog.engines.base import Generation
from metacog.engines.llama.lowlevel import Model
from metacog.engines.thinking import Rule, answer_of, characters, find_block


@dataclass(frozen=True)
class StopRule:
    """When a generation ends."""

    #: Most tokens drawn, the one that ends the answer included.
    max_tokens: int
    stop: tuple[bytes, ...]
    count_stop_token: bool
    thinking: Rule = Rule.REFUSE
    #: The prompts end inside one.
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
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    data: bytes = b""

    def copy(self) -> Draft:
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
        """The generation, its answer alone: so many tokens count, the stop text begins at byte ``n_text``."""
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
