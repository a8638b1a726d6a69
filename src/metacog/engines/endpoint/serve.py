"""Conversations with a server: each goes on as soon as its reply is there, many in flight together.

A server that echoes prompts with their log-probabilities scores options and texts. Where it does not,
options are read from the first token's alternatives, and where that fails too, a choice is written out
and parsed; the reply says which was done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from metacog.core.errors import MetacogError
from metacog.engines.base import Message
from metacog.engines.choosing import chosen, parsed
from metacog.engines.conversation import Conversation
from metacog.engines.endpoint.http import GaveUp
from metacog.engines.endpoint.server import Server
from metacog.engines.engine import Engine
from metacog.engines.requests import Choose, Chosen, Form, Generate, Generated, Reply, Request, Scored


async def talk_on(engine: Engine, server: Server, talk: Conversation) -> None:
    """Carry one conversation to its end."""
    while talk.pending:
        step = list(talk.pending.items())
        await asyncio.gather(*(_answer(engine, server, talk, index, request) for index, request in step))


async def _answer(engine: Engine, server: Server, talk: Conversation, index: int, request: Request) -> None:
    prompt, turns = talk.form.render(request.turns, engine), talk.form.messages(request.turns)
    talk.answer(index, await _reply(server, talk.form, prompt, turns, request))


async def _reply(
    server: Server, form: Form, prompt: str, turns: tuple[Message, ...] | None, request: Request
) -> Reply:
    if isinstance(request, Generate):
        stop = form.stop if request.stop is None else request.stop
        count, limit = request.count_stop_token, request.max_tokens
        wanted = zip(request.sample_temperatures, request.seeds or (), strict=True)
        made = await asyncio.gather(
            *(server.generation(prompt, turns, limit, t, s, stop, count) for t, s in wanted)
        )
        return Generated(tuple(made), request.turns)
    if isinstance(request, Choose):
        return await _choose(server, form, prompt, turns, request)
    problem = await server.echo_problem()
    if problem:
        raise MetacogError(problem)
    scores = await asyncio.gather(*(server.echoed(prompt, text) for text in request.continuations))
    return Scored(tuple(scores), request.turns)


async def _choose(
    server: Server, form: Form, prompt: str, turns: tuple[Message, ...] | None, request: Choose
) -> Chosen:
    options = [form.lead + option for option in request.options]
    why = await server.echo_problem()
    if not why:
        try:
            return await _by_echo(server, form, prompt, request, options)
        except GaveUp:
            raise
        except MetacogError as error:
            why = str(error)
    if request.form != "text":
        try:
            values = await server.first_tokens(prompt, turns, options, why)
            return chosen(request, values, request.form)
        except GaveUp:
            raise
        except MetacogError as error:
            why = str(error)
    if request.fallback == "fail":
        raise MetacogError(why)
    made = await server.generation(
        prompt,
        turns,
        request.max_tokens,
        request.temperature,
        request.seed or 0,
        form.stop,
        False,
    )
    return parsed(request, made.text)


async def _by_echo(
    server: Server, form: Form, prompt: str, request: Choose, options: Sequence[str]
) -> Chosen:
    """Options scored whole; ``open`` where no text that ends a turn is known to close them with."""
    scores = await asyncio.gather(*(server.echoed(prompt, option) for option in options))
    if request.form == "label" and all(score.n_tokens == 1 for score in scores):
        return chosen(request, [score.sum_logprob for score in scores], "label")
    if request.form == "first":
        raise MetacogError("an echo does not tell first tokens apart")
    if form.stop:
        end = form.stop[0]
        scores = await asyncio.gather(*(server.echoed(prompt, option + end) for option in options))
    return chosen(request, [score.sum_logprob for score in scores], "text" if form.stop else "open")
