"""Requests as tokens, and blocks of one turn, which need no streams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from metacog.core.errors import MetacogError
from metacog.engines.base import GenerationTask, Sample
from metacog.engines.llama.forced import continuation_tokens
from metacog.engines.llama.streams import GenerateTask, ScoreTask, option_tokens
from metacog.engines.requests import (
    Choose,
    Conversation,
    Form,
    Generate,
    Generated,
    Request,
    Score,
    Scored,
    assistant,
    user,
)
from metacog.engines.thinking import opens

#: An open :class:`metacog.engines.llama.engine.LlamaEngine`, which imports this module.
Serving: TypeAlias = Any

Task: TypeAlias = GenerateTask | ScoreTask

_MARK = "@message@"


def one_turn(engine: Serving, talks: Sequence[Conversation]) -> None:
    """Requests after which nothing follows: the prompts' common beginning is read once for all.

    Generations with the same limits make one block, scores another.
    """
    blocks: dict[tuple[object, ...], list[tuple[Conversation, int, Request]]] = {}
    for talk in talks:
        for index, request in talk.pending.items():
            if isinstance(request, Generate):
                stop = talk.form.stop if request.stop is None else request.stop
                key: tuple[object, ...] = (request.max_tokens, stop, request.count_stop_token)
            else:
                key = (request.kind,)
            blocks.setdefault(key, []).append((talk, index, request))
    for key, asked in blocks.items():
        if key == (Score.kind,):
            items = [
                (t.form.render(r.turns, engine), r.continuations) for t, _, r in asked if isinstance(r, Score)
            ]
            for (talk, index, request), scores in zip(asked, engine.score_many(items), strict=True):
                talk.answer(index, Scored(tuple(scores), request.turns))
        elif key != (Choose.kind,):
            made = engine.generate(
                [_generation_task(engine, talk, request) for talk, _, request in asked],
                max_tokens=key[0],  # type: ignore[arg-type]
                stop=key[1],  # type: ignore[arg-type]
                count_stop_token=bool(key[2]),
            )
            for (talk, index, request), samples in zip(asked, made, strict=True):
                talk.answer(index, Generated(tuple(samples), request.turns))


def _generation_task(engine: Serving, talk: Conversation, request: Request) -> GenerationTask:
    assert isinstance(request, Generate)
    samples = zip(request.sample_temperatures, request.seeds or (), strict=True)
    return GenerationTask(talk.form.render(request.turns, engine), tuple(Sample(t, s) for t, s in samples))


def make_task(engine: Serving, talk: Conversation, request: Request) -> Task:
    text = talk.form.render(request.turns, engine)
    if isinstance(request, Generate):
        if request.max_tokens < 1:
            raise MetacogError("max_tokens must be at least 1.")
        stop = talk.form.stop if request.stop is None else request.stop
        request = replace(request, max_tokens=request.max_tokens + engine.thought_tokens)
        tokens = engine.prompt_tokens(text, request.max_tokens)
        return GenerateTask(engine.model, tokens, request, stop, engine.thinking, opens(text))
    prompt = engine.prompt_tokens(text, 0)
    if isinstance(request, Score):
        texts = [continuation_tokens(engine.model, text, prompt, t) for t in request.continuations]
        task = ScoreTask(prompt, texts, request)
    else:
        options = [
            continuation_tokens(engine.model, text, prompt, talk.form.lead + o) for o in request.options
        ]
        try:
            lead, rest, form = option_tokens(options, _end_token(engine, talk.form), request.form)
        except ValueError as error:
            raise MetacogError(
                f"cannot choose among {', '.join(request.options)} by the first token: {error}; "
                "use the form label or text"
            ) from None
        task = ScoreTask(prompt + lead, rest, request, form)
    longest = len(task.prompt) + max(map(len, task.texts), default=0)
    if longest > engine.n_ctx:
        raise MetacogError(
            f"prompt and continuation have {longest} tokens, more than the context of {engine.n_ctx}. "
            "Shorten them or raise n_ctx."
        )
    task.room = longest - len(task.prompt)
    return task


def _end_token(engine: Serving, form: Form) -> int:
    """The token that ends an assistant's turn: that of the form's stop text, or what the template writes."""
    if form.stop:
        return engine.model.tokenize(form.stop[0], bos=False)[0]
    text = form.render((user("a"), assistant(_MARK), user("b")), engine)
    behind = text.partition(_MARK)[2].lstrip()
    return engine.model.tokenize(behind, bos=False)[0] if behind else engine.model.eos
