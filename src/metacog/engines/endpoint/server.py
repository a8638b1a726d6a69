"""What one request of each kind is to a server: generation, echoed score, first token's alternatives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from metacog.core.errors import MetacogError
from metacog.engines.base import Generation, Message, ScoredText
from metacog.engines.capabilities import Capabilities
from metacog.engines.endpoint.chat import ChatPrompt
from metacog.engines.endpoint.client import Client
from metacog.engines.endpoint.held import ASK, CANNOT, UNHEARD_OF, Way, fields, room, ways, written
from metacog.engines.endpoint.http import GaveUp, Refused
from metacog.engines.endpoint.probe import OPEN_PROMPT, Findings, probe
from metacog.engines.endpoint.reading import read_reply
from metacog.engines.endpoint.replies import to_generation, untold_generation
from metacog.engines.endpoint.scored import compare_echo, echoed_score, single_token_logprobs
from metacog.engines.endpoint.thoughts import without_thoughts
from metacog.engines.thinking import Rule, check_prompt, opens

T = TypeVar("T")

_CHAT_CANNOT_SCORE = (
    "the chat API cannot score a given text: use a server with the completions API and echo, "
    "or the model's GGUF file"
)


class Server:
    """A server behind a client, examined when it is made."""

    def __init__(
        self, client: Client, chat: bool, thinking: Rule, trust_logprobs: bool, thought_tokens: int = 0
    ) -> None:
        self._client, self.chat, self.thinking, self.thought_tokens = client, chat, thinking, thought_tokens
        self._system_refused: bool | None = None
        self._echo_problem: str | None = None
        #: How it holds a written answer to options, as far as that was found out.
        self.way: Way | None = None
        self._way_sought, self._seeking = False, asyncio.Lock()

        self.found: Findings = client.run(
            [probe(client.send, chat, trust_logprobs=trust_logprobs, room=thought_tokens)]
        )[0]
        if not self.found.no_logprobs or self.found.greedy.thought_apart:
            without_thoughts(self.found.greedy, thinking)

    async def generation(
        self,
        prompt: str,
        messages: Sequence[Message] | None,
        max_tokens: int,
        temperature: float,
        seed: int,
        stop: Sequence[str],
        count_stop_token: bool,
        more: Mapping[str, Any] | None = None,
    ) -> Generation:
        check_prompt(prompt, self.thinking, scored=False)
        here = self.thinking.strips  # a server would stop inside a think block
        returns_stop = here or self.found.returns_stop is not False

        def read(payload: Any) -> Generation:
            if self.found.no_logprobs:
                return untold_generation(payload, stop, thinking=self.thinking, opened=opens(prompt))
            return to_generation(
                read_reply(payload),
                stop,
                count_stop_token=count_stop_token,
                returns_stop=returns_stop,
                thinking=self.thinking,
                opened=opens(prompt),
            )

        return await self._ask(
            prompt,
            messages,
            read,
            max_tokens=max_tokens + self.thought_tokens,
            temperature=temperature,
            seed=seed,
            stop=() if here else tuple(stop),
            more=more,
        )

    async def first_tokens(
        self, prompt: str, messages: Sequence[Message] | None, options: Sequence[str], why: str
    ) -> list[float]:
        """Log-probability of each option as the first token, if all are among its told alternatives."""
        if self.found.no_logprobs:
            raise MetacogError(self.found.no_logprobs)

        def read(payload: Any) -> list[float]:
            return single_token_logprobs(read_reply(payload), options, why)

        n_top = self.found.dialect.n_top
        return await self._ask(prompt, messages, read, max_tokens=1, temperature=0.0, seed=0, n_top=n_top)

    async def echoed(self, prompt: str, text: str) -> ScoredText:
        if not text:
            return ScoredText((), ())
        check_prompt(prompt, self.thinking, scored=True)
        # one token is generated and dropped: some servers take 0 for "no limit"
        body = self.found.dialect.body(prompt + text, max_tokens=1, temperature=0.0, seed=0)
        body["echo"] = True
        return await self._client.send(body, lambda payload: echoed_score(payload, prompt, text))

    async def echo_problem(self) -> str:
        """Why this server cannot score given texts; empty if it can. Found out once."""
        if self.found.no_logprobs:
            return self.found.no_logprobs
        if self.chat:
            return _CHAT_CANNOT_SCORE
        if self._echo_problem is None:
            greedy = self.found.greedy  # whose score the probe already knows
            text = b"".join(greedy.pieces).decode("utf-8", "ignore")
            try:
                compare_echo(await self.echoed(OPEN_PROMPT, text), greedy)
                self._echo_problem = ""
            except GaveUp:
                raise
            except MetacogError as error:
                self._echo_problem = str(error)
        return self._echo_problem

    async def way_to_hold(self) -> Way | None:
        """How this server holds a written answer to options; None if it cannot. Found out once.

        Not sought where the model thinks first: what holds its answer would hold its thoughts.
        """
        async with self._seeking:  # conversations may ask at the same time
            if not self._way_sought:
                self.way = None if self.thinking.strips else await self._seek_way()
                self._way_sought = True
        return self.way

    async def _seek_way(self) -> Way | None:
        turns: tuple[Message, ...] = ({"role": "user", "content": ASK},)
        for way in ways(self.chat):
            more, most = fields(way, UNHEARD_OF), room(way, UNHEARD_OF)
            try:
                text = await self._ask(
                    OPEN_PROMPT,
                    turns,
                    lambda payload: read_reply(payload, told=False).text,
                    max_tokens=most,
                    temperature=0.0,
                    seed=0,
                    more=more,
                )
            except Refused:
                continue
            if written(way, text) in UNHEARD_OF:
                return way
        return None

    def refuses_system(self) -> bool:
        """Whether it refuses a system role. Found out once."""
        if self._system_refused is None:
            turns: tuple[Message, ...] = (
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Say yes."},
            )
            read = partial(read_reply, told=False)
            ask = self._ask("", turns, read, max_tokens=1, temperature=0.0, seed=0, retries=1)
            try:
                self._client.run([ask])
                self._system_refused = False
            except (Refused, GaveUp) as error:
                if error.status not in (400, 422, 500):
                    raise
                self._system_refused = True
        return self._system_refused

    def capabilities(self) -> Capabilities:
        """What it can do; what the probe left open is found out now, once."""
        found = self.found
        echo = self._client.run([self.echo_problem()])[0]
        tops = any(len(top) > 1 for top in found.greedy.tops)
        scores_options = not echo or (tops and not found.no_logprobs)
        holds = not echo or self._client.run([self.way_to_hold()])[0] is not None
        thinks = "what holds an answer to options would hold the model's thoughts"
        system = not (self.chat and self.refuses_system())
        reasons = {
            "own_logprobs": found.no_logprobs,
            "score_text": echo,
            "score_options": "" if scores_options else echo,
            "hold_options": "" if holds else thinks if self.thinking.strips else CANNOT,
            "seeds": "" if found.dialect.seed else "this server refuses a seed",
            "system_turns": "" if system else "this server refuses a system turn",
        }
        can = {name: not reason for name, reason in reasons.items()}
        why = {name: reason for name, reason in reasons.items() if reason}
        return Capabilities(**can, thinking=self.thinking.strips, why=why)

    async def _ask(
        self,
        prompt: str,
        messages: Sequence[Message] | None,
        read: Callable[[Any], T],
        *,
        retries: int | None = None,
        more: Mapping[str, Any] | None = None,
        **arguments: Any,
    ) -> T:
        whole: Any = prompt
        if self.chat:
            turns = prompt.messages if isinstance(prompt, ChatPrompt) else messages
            whole = list(turns or ({"role": "user", "content": str(prompt)},))
        body = self.found.dialect.body(whole, **arguments) | dict(more or {})
        return await self._client.send(body, read, retries=retries)
