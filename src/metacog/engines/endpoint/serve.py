"""Conversations with a server: each goes on as soon as its reply is there, many in flight together.

A server that echoes prompts with their log-probabilities scores options and texts. Where it does not,
options are read from the first token's alternatives, and where that fails too, a choice is written out
and parsed; the reply says which was done.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from metacog.core.errors import MetacogError
from metacog.engines.asked import asking
from metacog.engines.base import Generation, Message, ScoredText, Served
from metacog.engines.choosing import chosen, parsed
from metacog.engines.conversation import Conversation
from metacog.engines.endpoint.client import together
from metacog.engines.endpoint.holding import fields, held, room
from metacog.engines.endpoint.server import Server
from metacog.engines.engine import Engine
from metacog.engines.giving_up import GaveUp
from metacog.engines.requests import (
    Choose,
    Chosen,
    Form,
    Generate,
    Generated,
    Reply,
    Request,
    Scored,
    request_digest,
)


async def talk_on(engine: Engine, server: Server, talk: Conversation) -> None:
    """Carry one conversation to its end."""
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
    """What the calls for one request have in common.

    Attributes
    ----------
    server : Server
    form : Form
    prompt : str
    turns : tuple of Message or None
    name : str
        Of the request: its digest and place in the conversation.
    served : list of Served
        Who answered, each once.
    """

    server: Server
    form: Form
    prompt: str
    turns: tuple[Message, ...] | None
    name: str
    served: list[Served]

    def asking(self, part: object) -> AbstractContextManager[None]:
        """Names a call for one part of the request."""
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
        """A text that the assistant writes."""
        with self.asking(part):
            return await self.server.generation(
                self.prompt, self.turns, max_tokens, temperature, seed, stop, count, more
            )

    async def echoed(self, texts: Sequence[str], part: str) -> list[ScoredText]:
        """Scores of given texts."""

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
