"""Any OpenAI-compatible server as an engine.

vLLM, llama-server, the server of llama-cpp-python, Ollama and hosted APIs speak this protocol. The
completions API is preferred: it takes the very prompt the local engine takes. The chat API applies
the server's own template. What a server cannot do, telling log-probabilities first of all, is found out
before the first trial (:mod:`metacog.engines.endpoint.probe`). Many requests are in flight at once, each
is tried again when it fails, and every result has a place of its own, so no trial is lost or made twice.

Conversations with a server: each goes on as soon as its reply is there, many in flight together.

A server that echoes prompts with their log-probabilities scores options and texts. Where it does not,
options are read from the first token's alternatives, and where that fails too, a choice is written out
and parsed; the reply says which was done.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import httpx2

from metacog.core.errors import MetacogError
from metacog.engines.asked import asking
from metacog.engines.base import (
    EngineInfo,
    GaveUp,
    Generation,
    GenerationTask,
    Message,
    ScoredText,
    Served,
    Spent,
)
from metacog.engines.batches import Batch
from metacog.engines.budget import Budget
from metacog.engines.endpoint.address import check_url, read_key
from metacog.engines.endpoint.chat import ChatPrompt, fold_system_turn, with_switches
from metacog.engines.endpoint.client import Client, together
from metacog.engines.endpoint.held import fields, held, room
from metacog.engines.endpoint.http import Patience, Wire
from metacog.engines.endpoint.server import Server
from metacog.engines.endpoint.width import Width
from metacog.engines.engine import Continued, Engine, ScoringEngine, chosen, parsed
from metacog.engines.requests import (
    Choose,
    Chosen,
    Conversation,
    Form,
    Generate,
    Generated,
    Reply,
    Request,
    Scored,
    request_digest,
)
from metacog.engines.thinking import Rule, check_room, rule_of

if TYPE_CHECKING:
    from metacog.collect.models import ModelEntry


async def talk_on(engine: Engine, server: Server, talk: Conversation) -> None:
    while talk.pending:
        step = list(talk.pending.items())
        await together(_answer(engine, server, talk, index, request) for index, request in step)


async def _answer(engine: Engine, server: Server, talk: Conversation, index: int, request: Request) -> None:
    prompt, turns = talk.form.render(request.turns, engine), talk.form.messages(request.turns)
    served: list[Served] = []
    name = f"{talk.mark}{request_digest(request)}-{talk.step}.{index}"
    call = Call(server, talk.form, prompt, turns, name, served)
    talk.answer(index, await _reply(call, talk, index, request), served)


@dataclass(frozen=True)
class Call:
    """What the calls for one request have in common."""

    server: Server
    form: Form
    prompt: str
    turns: tuple[Message, ...] | None
    #: Of the request: its digest and place in the conversation.
    name: str
    served: list[Served]

    def asking(self, part: object) -> AbstractContextManager[None]:
        return asking(f"{self.name}-{part}", self.served)

    async def written(
        self,
        part: object,
        max_tokens: int,
        temperature: float,
        seed: int,
        stop: Sequence[str],
        count: bool,
        more: Mapping[str, Any] | None = None,
    ) -> Generation:
        with self.asking(part):
            return await self.server.generation(
                self.prompt, self.turns, max_tokens, temperature, seed, stop, count, more
            )

    async def echoed(self, texts: Sequence[str], part: str) -> list[ScoredText]:

        async def one(place: int, text: str) -> ScoredText:
            with self.asking(f"{part}{place}"):
                return await self.server.echoed(self.prompt, text)

        return await together(one(place, text) for place, text in enumerate(texts))


async def _reply(call: Call, talk: Conversation, index: int, request: Request) -> Reply:
    if isinstance(request, Generate):
        return Generated(tuple(await together(_samples(call, talk, index, request))), request.turns)
    if isinstance(request, Choose):
        return await _choose(call, request)
    problem = await call.server.echo_problem()
    if problem:
        raise MetacogError(problem)
    return Scored(tuple(await call.echoed(request.continuations, "score")), request.turns)


def _samples(
    call: Call, talk: Conversation, index: int, request: Generate
) -> Iterator[Coroutine[Any, Any, Generation]]:
    """Each sample of a request; of several each is kept as it comes, so that none is drawn twice."""
    stop = call.form.stop if request.stop is None else request.stop

    async def one(sample: int, temperature: float, seed: int) -> Generation:
        known = talk.known_sample(index, sample)
        if known is not None:
            made, served = known
            call.served.extend(who for who in served if who not in call.served)
            return made
        alone = replace(call, served=[])
        made = await alone.written(
            sample, request.max_tokens, temperature, seed, stop, request.count_stop_token
        )
        call.served.extend(who for who in alone.served if who not in call.served)
        if request.n_samples > 1:
            talk.keep_sample(index, sample, made, tuple(alone.served))
        return made

    wanted = zip(request.sample_temperatures, request.seeds or (), strict=True)
    return (one(sample, *drawn) for sample, drawn in enumerate(wanted))


async def _choose(call: Call, request: Choose) -> Chosen:
    server, form = call.server, call.form
    options = [form.lead + option for option in request.options]
    why = await server.echo_problem()
    if not why:
        try:
            return await _by_echo(call, request, options)
        except GaveUp:
            raise
        except MetacogError as error:
            why = str(error)
    if request.form != "text":
        try:
            with call.asking("first"):
                values = await server.first_tokens(call.prompt, call.turns, options, why)
            return chosen(request, values, request.form)
        except GaveUp:
            raise
        except MetacogError as error:
            why = str(error)
    if request.fallback == "fail":
        raise MetacogError(why)
    return await _written_out(call, request, options)


async def _written_out(call: Call, request: Choose, options: Sequence[str]) -> Chosen:
    """A choice that is written out: held to the options where the server can, and looked for in the text."""
    way, stop = await call.server.way_to_hold(), call.form.stop
    if way is None:
        made = await call.written(
            "text", request.max_tokens, request.temperature, request.seed or 0, stop, False
        )
        return parsed(request, made.text)
    within = options if way.as_text else request.options
    most = max(request.max_tokens, room(way, within))
    made = await call.written(
        "text", most, request.temperature, request.seed or 0, (), False, fields(way, within)
    )
    return parsed(request, made.text, held(way, made.text, request))


async def _by_echo(call: Call, request: Choose, options: Sequence[str]) -> Chosen:
    """Options scored whole; ``open`` where no text that ends a turn is known to close them with."""
    scores = await call.echoed(options, "echo")
    if request.form == "label" and all(score.n_tokens == 1 for score in scores):
        return chosen(request, [score.sum_logprob for score in scores], "label")
    if request.form == "first":
        raise MetacogError("an echo does not tell first tokens apart")
    stop = call.form.stop
    if stop:
        scores = await call.echoed([option + stop[0] for option in options], "closed")
    return chosen(request, [score.sum_logprob for score in scores], "text" if stop else "open")


#: Settings of the llama.cpp engine that a profile may hold for its other models.
_LOCAL_ONLY = frozenset({"n_threads", "n_ctx", "n_batch", "width", "n_seq", "n_gpu_layers", "flash_attn"})
_ACCEPTED = (
    "timeout",
    "retries",
    "limit_wait",
    "concurrency",
    "trust_logprobs",
    "extra_body",
    "thinking",
    "thought_tokens",
    "chat_template_kwargs",
    "reasoning_effort",
)


class EndpointEngine(ScoringEngine):
    """Generation by an OpenAI-compatible server; the server is examined before the first trial.

    - ``url``: base address, such as ``http://127.0.0.1:8000/v1``; ``model``: name under which the server knows it.
    - ``api``: ``completions`` or ``chat``, in which a plain prompt is sent as one user turn.
    - ``key_env``: name of the environment variable that holds the key, which is never stored or shown.
    - ``concurrency``: requests in flight at most; by default as many as make the server faster, found while answers
      come (:mod:`metacog.engines.endpoint.client`).
    - ``timeout``: seconds until a request without a full answer counts as hung and is tried again; ``retries``:
      further tries after a failed one.
    - ``limit_wait``: seconds one request waits for rate limits at most; ``server_wait``: seconds that a server which is
      not there is waited for at most, at the first request or later.
    - ``trust_logprobs``: take log-probabilities for raw where the probe cannot tell, as of a server that names no
      alternatives and whose samples agree (never where they are seen to be otherwise).
    - ``extra_body``: further fields of every request (recorded in the manifest).
    - ``thinking``: what becomes of thoughts: ``refuse``, ``strip``, ``strip-opened`` or ``apart``; see
      :mod:`metacog.engines.thinking`. Where they are taken off, stop texts are sought here and not sent, since a server
      would stop inside a block. ``thought_tokens``: room for them, so many tokens more than an answer may have.
    - ``chat_template_kwargs``: switches of the model's chat template, such as ``{"enable_thinking": False}``, sent with
      every request of the chat API (vLLM, SGLang and llama-server take them); ``reasoning_effort``: how much a hosted
      model may think, such as ``low``, sent likewise.
    - ``budget``: what may be spent, the examination included; by default nothing is limited.
    - ``model_sha256``: checksum of the served model, if known.
    - ``transport``, ``sleep``, ``clock``, ``rng`` stand in for network, time and chance in tests.

    A MetacogError if the server cannot be reached, refuses, or answers nothing.

    Seeds are sent where the server takes them; whether they give the same tokens again is its affair. Where
    log-probabilities are missing, taken after the temperature, or not at their own tokens, ``info.capabilities``
    says so and answers come without them.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api: str = "completions",
        key_env: str | None = None,
        concurrency: int | None = None,
        timeout: float = 120.0,
        retries: int = 6,
        limit_wait: float = 600.0,
        server_wait: float = 600.0,
        trust_logprobs: bool = False,
        extra_body: dict[str, Any] | None = None,
        thinking: str = Rule.REFUSE,
        thought_tokens: int = 0,
        chat_template_kwargs: dict[str, Any] | None = None,
        reasoning_effort: str | None = None,
        budget: Budget | None = None,
        model_sha256: str | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: random.Random | None = None,
    ) -> None:
        if api not in ("completions", "chat"):
            raise MetacogError(f"api must be completions or chat, not {api!r}")
        if (
            (concurrency is not None and concurrency < 1)
            or timeout <= 0
            or min(retries, limit_wait, server_wait) < 0
        ):
            raise MetacogError(
                "concurrency must be at least 1, timeout above 0, retries, limit_wait and server_wait not negative"
            )
        self.url, self.model, self.api, self.concurrency = check_url(url), model, api, concurrency
        self.thinking = rule_of(thinking)
        self.thought_tokens = check_room(thought_tokens, self.thinking)
        self._extra = with_switches(extra_body, chat_template_kwargs, api, reasoning_effort)
        self._sha256 = model_sha256
        key = read_key(key_env)
        recorded = json.dumps([self.url, model, self._extra])
        if key.mask(recorded) != recorded:
            raise MetacogError(
                "the key must stand in its environment variable alone, not in url, model or extra_body"
            )
        wire = Wire(
            self.url,
            key,
            Patience(timeout=timeout, retries=retries, limit_wait=limit_wait, server_wait=server_wait),
            budget=budget,
            transport=transport,
            sleep=sleep,
            clock=clock,
            rng=rng,
        )
        #: What may be spent, and what has been.
        self.budget = wire.budget
        path = "/chat/completions" if api == "chat" else "/completions"
        width = Width(concurrency, longest=timeout / 4, clock=clock)
        self._client = Client(wire, path, width, {"model": model, **self._extra})
        try:
            self._server = Server(
                self._client, api == "chat", self.thinking, trust_logprobs, self.thought_tokens
            )
        except BaseException:
            self.close()
            raise

    @classmethod
    def from_entry(cls, entry: ModelEntry, *, budget: Budget | None = None, **options: Any) -> EndpointEngine:
        """Connect to the server of a registry entry.

        ``entry``: with ``source: {endpoint: {url, model, key_env, api, concurrency}}``, and ``server_wait`` if it
        has one; ``budget``: what may be spent; ``**options``: ``timeout, retries, limit_wait, concurrency,
        trust_logprobs, extra_body, thinking, thought_tokens, chat_template_kwargs, reasoning_effort``; settings
        that only the local engine knows are passed over.
        """
        unknown = sorted(set(options) - _LOCAL_ONLY - set(_ACCEPTED))
        if unknown:
            raise MetacogError(
                f"model {entry.name!r}: unknown setting {', '.join(unknown)}; "
                f"an endpoint takes {', '.join(_ACCEPTED)}"
            )
        accepted = {name: value for name, value in options.items() if name in _ACCEPTED}
        given = {"budget": budget, "server_wait": entry.server_wait}
        known = {name: value for name, value in given.items() if value is not None}
        arguments = {**entry.source["endpoint"], **accepted, **known}
        return cls(arguments.pop("url"), arguments.pop("model"), model_sha256=entry.sha256, **arguments)

    def __repr__(self) -> str:
        return f"EndpointEngine({self.url!r}, {self.model!r}, api={self.api!r})"

    @property
    def info(self) -> EngineInfo:
        found, dialect = self._server.found, self._server.found.dialect
        can = self._server.capabilities()
        shift = None if found.no_logprobs else round(found.largest_shift, 4)
        return EngineInfo(
            engine="endpoint",
            model=self.model,
            model_sha256=self._sha256,
            versions={"httpx2": httpx2.__version__, "server": found.greedy.fingerprint or "unknown"},
            settings={
                "url": self.url,
                "api": self.api,
                **({"served_model": name} if (name := self._client.wire.served_model) else {}),
                "concurrency": self.concurrency or "found while answers come",
                "sampling_fields": dict(dialect.sampling),
                "fields_refused": list(dialect.refused),
                "seed_sent": dialect.seed,
                "logprob_shift_over_temperatures": shift,
                "returns_stop_token": found.returns_stop,
                "extra_body": dict(self._extra),
                **({"thinking": str(self.thinking)} if self.thinking is not Rule.REFUSE else {}),
                **({"choices_held_by": str(way)} if (way := self._server.way) else {}),
                **({"thought_tokens": self.thought_tokens} if self.thought_tokens else {}),
            },
            capabilities=can,
        )

    @property
    def in_flight(self) -> int:
        return self._client.width.now

    @property
    def finds_width(self) -> bool:
        return not self._client.width.found

    @property
    def spent(self) -> Spent | None:
        """Tokens as the server counts them, its examination included; None where it does not."""
        return self._client.wire.spent

    def answer_from(self, batch: Batch) -> None:
        """Have a batch answer the requests of conversations in the server's place."""
        self._client.batch = batch

    def render_chat(self, messages: Sequence[Message]) -> str:
        """Turns for the chat API, as text that carries them; the server applies the template.

        A system turn is put into the first user turn where the server refuses a system role.
        """
        if self.api != "chat":
            raise MetacogError(
                f"model {self.model!r} is served through the completions API, which applies no chat "
                "template: set `api: chat` in its endpoint, or use a completion prompt (prompt_set: fewshot)"
            )
        if messages and messages[0]["role"] == "system" and self._server.refuses_system():
            messages = fold_system_turn(messages)
        return ChatPrompt(messages)

    #: Replies are dear and come one by one: the runner writes each down as it comes.
    journalled = True

    def serve(self, conversations: Sequence[Conversation]) -> list[list[Reply]]:
        opened = [c.form.messages(r.turns) for c in conversations for r in c.pending.values()]
        if self.api == "chat" and any(turns and turns[0]["role"] == "system" for turns in opened):
            self._server.refuses_system()  # found out here, since the conversations run where it cannot wait
        self._client.run(talk_on(self, self._server, talk) for talk in conversations)
        return [talk.replies for talk in conversations]

    def generate(
        self,
        tasks: Sequence[GenerationTask],
        *,
        max_tokens: int,
        stop: Sequence[str] = (),
        count_stop_token: bool = False,
    ) -> list[list[Generation]]:
        """Generate every sample of every task: ``result[i][j]`` is sample j of task i.

        ``count_stop_token`` counts the tokens that hold the stop text, never the end of generation.
        """
        if max_tokens < 1 or any(not task.prompt for task in tasks):
            raise MetacogError("max_tokens must be at least 1, and no prompt may be empty")
        places = [(i, j) for i, task in enumerate(tasks) for j in range(len(task.samples))]
        made = self._client.run(
            self._server.generation(
                tasks[i].prompt,
                tasks[i].messages,
                max_tokens,
                tasks[i].samples[j].temperature,
                tasks[i].samples[j].seed,
                stop,
                count_stop_token,
            )
            for i, j in places
        )
        by_place = dict(zip(places, made, strict=True))
        return [[by_place[i, j] for j in range(len(task.samples))] for i, task in enumerate(tasks)]

    def score_many(self, items: Continued) -> list[list[ScoredText]]:
        """Score the continuations of many prompts through ``echo``, in flight together."""
        problem = self._client.run([self._server.echo_problem()])[0]
        if problem:
            raise MetacogError(problem)
        flat = [(prompt, text) for prompt, texts in items for text in texts]
        scores = iter(self._client.run(self._server.echoed(prompt, text) for prompt, text in flat))
        return [[next(scores) for _ in texts] for _, texts in items]

    def option_logprobs(self, items: Continued) -> Sequence[Sequence[float]]:
        """By :meth:`score_many`, or by the first token's alternatives where every option is one of them."""
        try:
            return super().option_logprobs(items)
        except GaveUp:
            raise
        except MetacogError as error:
            why = str(error)
        return self._client.run(self._server.first_tokens(p, None, options, why) for p, options in items)

    def close(self) -> None:
        self._client.close()
