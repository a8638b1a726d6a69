"""What one request of each kind is to a server: generation, echoed score, first token's alternatives.

Chat turns on their way to a chat endpoint.

Answers of servers that tell no log-probabilities: their text, and how long it was.

Log-probabilities of given texts from a server: by echo, or from the first token's alternatives.

Holding a written answer to given options: the ways in which servers can be asked to, and what comes back.

Servers have different names for it, and pass over names that they do not know. So a way counts only where a check
shows that the server follows it.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from metacog.core.errors import MetacogError
from metacog.engines.base import Capabilities, Generation, Message, ScoredText
from metacog.engines.endpoint.client import Client
from metacog.engines.endpoint.http import BadReply, GaveUp, Refused
from metacog.engines.endpoint.probe import OPEN_PROMPT, TOLERANCE, Findings, probe
from metacog.engines.endpoint.replies import SPECIAL_TOKEN, Reply, read_reply, to_generation, without_thoughts
from metacog.engines.requests import Choose
from metacog.engines.thinking import Rule, check_prompt, find_block, opens, refusal

#: Options that no model writes of its own accord, for the check, and what is asked.
UNHEARD_OF = ("QELM-7", "VRUST-3")
ASK = "Name a word."
#: Why a server cannot hold an answer to options.
CANNOT = "this server follows no grammar, list of choices or JSON schema that an answer is to keep to"
_KEY = "choice"


class Way(StrEnum):
    """A field of a request that holds its answer to options."""

    GRAMMAR = "grammar"  # llama-server and the server of llama-cpp-python
    STRUCTURED = "structured_outputs"  # vLLM
    GUIDED = "guided_choice"  # vLLM's name until version 0.11
    SCHEMA = "response_format"  # hosted chat APIs: an object with the choice in it

    @property
    def as_text(self) -> bool:
        """Whether the option is the whole answer, as it would follow the prompt."""
        return self is not Way.SCHEMA


def ways(chat: bool) -> tuple[Way, ...]:
    """Ways to try with an API, in order; an object is asked for in the chat API alone."""
    return tuple(way for way in Way if chat or way is not Way.SCHEMA)


def fields(way: Way, options: Sequence[str]) -> dict[str, Any]:
    """Fields of a request that is to be answered with one of the options."""
    if way is Way.GRAMMAR:  # a string of this grammar is written as in JSON
        strings = (json.dumps(option, ensure_ascii=False) for option in options)
        return {way.value: f"root ::= {' | '.join(strings)}"}
    if way is Way.STRUCTURED:
        return {way.value: {"choice": list(options)}}
    if way is Way.GUIDED:
        return {way.value: list(options)}
    schema = {
        "type": "object",
        "properties": {_KEY: {"type": "string", "enum": list(options)}},
        "required": [_KEY],
        "additionalProperties": False,
    }
    return {
        way.value: {"type": "json_schema", "json_schema": {"name": _KEY, "strict": True, "schema": schema}}
    }


def room(way: Way, options: Sequence[str]) -> int:
    """Tokens in which the longest option can be written, a token being a byte at least, and some to spare."""
    whole = options if way.as_text else [json.dumps({_KEY: option}, indent=1) for option in options]
    return 4 + max(len(text.encode()) for text in whole)


def written(way: Way, text: str) -> str:
    """What an answer says, out of the form that the way gives it."""
    if way is Way.SCHEMA:
        try:
            return str(json.loads(text)[_KEY])
        except (ValueError, KeyError, TypeError, RecursionError):
            return text
    return text.strip()


def held(way: Way, text: str, request: Choose) -> str:
    """The option that an answer is; empty if it is none, as where a server ends it too early."""
    found = written(way, text)
    return found if found in request.options else ""


class ChatPrompt(str):
    """Chat turns as text for the record; carries the turns a chat endpoint is sent."""

    messages: tuple[Message, ...]

    def __new__(cls, messages: Sequence[Message]) -> ChatPrompt:
        """Write the turns one under the other."""
        made = super().__new__(cls, "\n".join(f"{m['role']}: {m['content']}" for m in messages))
        made.messages = tuple(messages)
        return made


def fold_system_turn(messages: Sequence[Message]) -> list[Message]:
    """Put a leading system turn into the first user turn."""
    system, *rest = messages
    first = rest[0]["content"] if rest else ""
    folded: Message = {"role": "user", "content": f"{system['content']}\n\n{first}".strip()}
    return [folded, *rest[1:]]


def with_switches(
    extra: Mapping[str, Any] | None,
    switches: Mapping[str, Any] | None,
    api: str,
    reasoning_effort: str | None = None,
) -> dict[str, Any]:
    """Fields of every request: those asked for, the switches of the chat template, and the effort of reasoning.

    Raises
    ------
    MetacogError
        If switches or an effort are given to an API that applies no template, or twice.
    """
    fields = dict(extra or {})
    asked = {"chat_template_kwargs": dict(switches or {}), "reasoning_effort": reasoning_effort}
    for name, value in asked.items():
        if not value:
            continue
        if api != "chat":
            raise MetacogError(
                f"{name} is for `api: chat`: the completions API applies no chat template and knows no reasoning"
            )
        if name in fields:
            raise MetacogError(f"{name} stands in extra_body too: give it once")
        fields[name] = value
    return fields


def untold_generation(
    payload: Any, stop: Sequence[str], *, thinking: Rule = Rule.REFUSE, opened: bool = False
) -> Generation:
    """An answer without log-probabilities.

    Parameters
    ----------
    payload : object
        JSON of the server's reply.
    stop : sequence of str
    thinking : Rule
        What becomes of a think block.
    opened : bool
        The prompt ended inside one.

    Returns
    -------
    Generation
        ``n_tokens`` is what the server's ``usage`` counts, or the number of words where it does not say; a
        think block's part of them goes by its share of the text.

    Raises
    ------
    BadReply
        If the reply is malformed.
    MetacogError
        Under ``refuse``, if there is a think block; under any rule but ``apart``, if thoughts have a field of
        their own.
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


_ELSE = "use a server that does (vLLM), or the model's GGUF file"


def echoed_score(payload: Any, prompt: str, text: str) -> ScoredText:
    """ScoredText of ``text`` after ``prompt`` from a reply that echoes both.

    Raises
    ------
    MetacogError
        If the server did not echo, or the text does not begin at a token's edge.
    """
    reply = read_reply(payload, echoed=True)
    pieces, skip = list(reply.pieces), 0
    begin, end = len(prompt.encode()), len((prompt + text).encode())
    if pieces and SPECIAL_TOKEN.fullmatch(pieces[0]) and not prompt.encode().startswith(pieces[0]):
        skip = 1  # the beginning-of-sequence token is echoed too
    if not b"".join(pieces[skip:]).startswith((prompt + text).encode()):
        raise MetacogError(f"this server does not echo prompts with their log-probabilities: {_ELSE}")
    edges, at = [], 0
    for piece in pieces[skip:]:
        edges.append((at, at + len(piece)))
        at += len(piece)
    inside = [i + skip for i, (a, b) in enumerate(edges) if a >= begin and b <= end and b > a]
    if not inside or edges[inside[0] - skip][0] != begin or edges[inside[-1] - skip][1] != end:
        raise MetacogError(
            f"the text {text[:30]!r} does not begin and end at the edges of tokens after this prompt: "
            "let it begin with a space, or where the prompt ends a word"
        )
    values = tuple(reply.logprobs[i] for i in inside)
    if any(math.isnan(value) for value in values):
        raise BadReply("an echoed token came without a log-probability")
    ids = tuple(reply.ids[i] for i in inside) if reply.ids else ()
    return ScoredText(ids, values)


def compare_echo(score: ScoredText, greedy: Reply) -> None:
    """Compare an echoed score with what the server gave when it generated the same tokens.

    Raises
    ------
    MetacogError
        If they disagree: some servers echo log-probabilities one place off.
    """
    known = greedy.logprobs
    if score.n_tokens == len(known):
        worst = max(abs(a - b) for a, b in zip(score.token_logprobs, known, strict=True))
        if worst <= 2 * TOLERANCE:
            return
    raise MetacogError(
        "this server echoes log-probabilities that do not stand at their own tokens (its own greedy answer, "
        f"scored again, has other values), so it cannot score given texts: {_ELSE}"
    )


def single_token_logprobs(reply: Reply, options: Sequence[str], why: str) -> list[float]:
    """Log-probability of each option, if each is one of the first token's told alternatives.

    Raises
    ------
    MetacogError
        If any is not, or the model thinks first; ``why`` says why they could not be scored either.
    """
    if reply.thought_apart:
        raise MetacogError(f"cannot choose among options where the model thinks before it answers, and {why}")
    tops = dict(reply.tops[0]) if reply.tops else {}
    if reply.pieces:
        tops[reply.pieces[0].decode("utf-8", "ignore")] = reply.logprobs[0]
    missing = [option for option in options if option not in tops or math.isnan(tops[option])]
    if missing:
        raise MetacogError(
            f"cannot choose among these options with this server: {missing[0]!r} is not among the "
            f"{len(tops)} most probable first tokens, and {why}"
        )
    return [tops[option] for option in options]


T = TypeVar("T")

_CHAT_CANNOT_SCORE = (
    "the chat API cannot score a given text: use a server with the completions API and echo, "
    "or the model's GGUF file"
)


class Server:
    """A server behind a client, examined when it is made.

    Parameters
    ----------
    client : Client
    chat : bool
        Whether it is spoken to through the chat API.
    thinking : Rule
        What becomes of a think block.
    trust_logprobs : bool
        Take log-probabilities for raw where the probe cannot tell.
    thought_tokens : int
        Room for thoughts, added to the limit of every answer.

    Raises
    ------
    MetacogError
        If it refuses a plain request or answers nothing; see :func:`metacog.engines.endpoint.probe.probe`.
    """

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
        """One sample of one prompt; ``more`` are further fields of the request."""
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
        """Score of a text behind a prompt, by echo."""
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
