"""What a server can do, found out before the first trial.

NLP needs log-probabilities of the raw distribution (softmax at temperature 1), one for each token, in its
own place. Servers are known that give them after the temperature, not at all, or one place off. What
cannot be used is found to be absent, with the reason, and not asked for: trials made of it would look
sound and be wrong. Whatever needs none can still be asked of such a server.
"""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from metacog.core.errors import MetacogError
from metacog.engines.base import Message
from metacog.engines.endpoint.http import GaveUp, Refused
from metacog.engines.endpoint.reading import NO_LOGPROBS, Reply, read_reply
from metacog.engines.endpoint.replies import find_ending, to_generation

#: Text after which many words are about equally likely.
OPEN_PROMPT = "My favourite word is"
OPEN_TURN = "Name one word, any word you like."
STOP_PROMPT = (
    "Q: What do bees make?\nA: Honey\nQ: How many days are there in a week?\nA: Seven\n"
    "Q: What is frozen water called?\nA:"
)
#: Difference in a log-probability of one token, asked for twice, that quantised kernels may cause
#: (about 0.2 was seen between batch shapes); what is sought here is several times larger.
TOLERANCE = 0.3
#: What some servers' users can do about that, by what is found in their servers' words.
REMEDIES = {
    "logits_all": "llama-cpp-python's does when it is started with --logits_all true",
    "fp_ollama": "Ollama does from 0.12.11 on",
}

#: Why nothing is known of the log-probabilities of a model whose thoughts take all tokens of the examination.
STILL_THINKING = (
    "the model was still thinking when the tokens of the server's examination were used up, and no log-probability "
    "was told: leave room for its thoughts (thought_tokens, --thought-tokens)"
)

Post = Callable[[dict[str, Any], Callable[[Any], Reply]], Awaitable[Reply]]
#: The text comes first; why its log-probabilities are not told is judged here.
_read = partial(read_reply, told=False)


@dataclass(frozen=True)
class Dialect:
    """How to speak to a server."""

    chat: bool
    #: Fields that switch the server's own filters off; those it refuses are dropped.
    sampling: dict[str, float] = field(
        default_factory=lambda: {
            "top_k": 0,
            "top_p": 1.0,
            "min_p": 0.0,
            "repeat_penalty": 1.0,  # llama.cpp's name; its Python server would use 1.1
            "repetition_penalty": 1.0,  # vLLM's name
            "presence_penalty": 0.0,
            "frequency_penalty": 0.0,
        }
    )
    refused: tuple[str, ...] = ()
    seed: bool = True
    limit_name: str = "max_tokens"
    #: Most alternatives a token that it tells.
    n_top: int = 20
    logprobs: bool = True
    #: The server's, about being asked for them.
    complaint: str = ""

    def body(
        self,
        prompt: str | list[Message],
        *,
        max_tokens: int,
        temperature: float,
        seed: int,
        stop: tuple[str, ...] = (),
        n_top: int = 1,
    ) -> dict[str, Any]:
        body: dict[str, Any] = {"messages": prompt} if self.chat else {"prompt": prompt}
        body |= self.sampling | {self.limit_name: max_tokens, "temperature": temperature, "stream": False}
        if stop:
            body["stop"] = list(stop)
        if self.seed:
            body["seed"] = seed
        if not self.logprobs:
            return body
        top = min(n_top, self.n_top)
        return body | ({"logprobs": True, "top_logprobs": top} if self.chat else {"logprobs": top})

    def without(self, complaint: str) -> Dialect | None:
        """The dialect without the field a server complains of; None if it names none of ours."""
        for name, value in self.sampling.items():
            if re.search(rf"\b{name}\b", complaint):
                if name == "top_k" and value == 0:
                    return replace(self, sampling={**self.sampling, "top_k": -1})
                rest = {k: v for k, v in self.sampling.items() if k != name}
                return replace(self, sampling=rest, refused=(*self.refused, name))
        if self.limit_name == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, limit_name="max_completion_tokens")
        if self.logprobs and re.search(r"logprobs|logits_all", complaint):
            fewer = replace(self, n_top=5) if self.n_top > 5 else replace(self, logprobs=False)
            return replace(fewer, complaint=complaint)
        if self.seed and re.search(r"\bseed\b", complaint):
            return replace(self, seed=False, refused=(*self.refused, "seed"))
        return None


@dataclass(frozen=True)
class Findings:
    dialect: Dialect
    #: Largest change of one token's log-probability between temperatures 0, 0.2, 1 and 2; NaN where they are not told.
    largest_shift: float
    #: Whether the token that holds the stop text is returned; None if no answer stopped.
    returns_stop: bool | None
    #: A short greedy continuation of :data:`OPEN_PROMPT` (or answer to :data:`OPEN_TURN`).
    greedy: Reply
    #: Why there are no log-probabilities that can be used; empty if there are.
    no_logprobs: str = ""


async def probe(post: Post, chat: bool, *, trust_logprobs: bool = False, room: int = 0) -> Findings:
    """Find out a server's dialect and whether its log-probabilities can be used.

    ``trust_logprobs``: take them for raw where the test cannot tell (never where it fails); ``room``: tokens for
    thoughts, asked for on top where a server tells log-probabilities of answers alone.
    """
    prompt: Any = [{"role": "user", "content": OPEN_TURN}] if chat else OPEN_PROMPT
    dialect, greedy = await _negotiate(post, Dialect(chat), prompt)
    more_tokens = 0 if greedy.pieces or not greedy.thought_apart else room
    if more_tokens:
        body = dialect.body(prompt, max_tokens=4 + room, temperature=0.0, seed=1, n_top=dialect.n_top)
        greedy = await post(body, _read)

    async def ask(text: Any, temperature: float, seed: int = 1, **more: Any) -> Reply:
        arguments = {"max_tokens": 1, "n_top": dialect.n_top} | more
        arguments["max_tokens"] += more_tokens
        reply = await post(dialect.body(text, temperature=temperature, seed=seed, **arguments), _read)
        if reply.untold:
            raise MetacogError(reply.untold)
        to_generation(reply, ())
        return reply

    if not greedy.pieces:
        said = f"{dialect.complaint} {greedy.fingerprint}"
        remedies = [f" ({remedy})" for mark, remedy in REMEDIES.items() if mark in said]
        thinks = greedy.thought_apart and not greedy.text.strip()
        why = STILL_THINKING if thinks else (greedy.untold or NO_LOGPROBS) + "".join(remedies)
        return Findings(replace(dialect, logprobs=False), math.nan, None, greedy, why)
    try:
        shift = await _examine(ask, greedy, prompt, chat, trust_logprobs)
        returns = await _returns_stop(ask, chat)
    except (GaveUp, Refused):
        raise
    except MetacogError as error:
        return Findings(replace(dialect, logprobs=False), math.nan, None, greedy, str(error))
    return Findings(dialect, shift, returns, greedy)


async def _negotiate(post: Post, dialect: Dialect, prompt: Any) -> tuple[Dialect, Reply]:
    """The dialect in which a plain request is answered, and the answer."""
    while True:
        try:
            reply = await post(
                dialect.body(prompt, max_tokens=4, temperature=0.0, seed=1, n_top=dialect.n_top), _read
            )
        except Refused as error:
            milder = dialect.without(str(error)) if error.status in (400, 403, 422, 500) else None
            if milder is None:
                raise
            dialect = milder
            continue
        if not reply.text and not reply.pieces and not reply.thought_apart:
            raise MetacogError(
                "this server gives an empty answer to a plain prompt: check the model and its chat template "
                "(a base model wants api: completions)"
            )
        return dialect, reply


async def _examine(
    ask: Callable[..., Awaitable[Reply]], greedy: Reply, prompt: Any, chat: bool, trust_logprobs: bool
) -> float:
    """Largest change of a token's log-probability over temperatures; raises what is wrong with them."""
    _check_greedy(greedy)
    if not chat:
        await _check_places(ask, greedy)
    shift, informative = await _temperature_shift(ask, prompt)
    if shift > TOLERANCE:
        raise MetacogError(
            "this server's log-probabilities are taken after the temperature: one token's changed by "
            f"{shift:.2f} between temperatures. NLP needs the raw distribution: set the server up for it "
            "(vLLM: --logprobs-mode raw_logprobs) or use another server"
        )
    if not informative and not trust_logprobs:
        raise MetacogError(
            "cannot tell whether this server's log-probabilities are raw: it names no alternative tokens and "
            "its samples agree too well. If you know that they are, set trust_logprobs: true in the model's "
            "settings"
        )
    return shift


async def _returns_stop(ask: Callable[..., Awaitable[Reply]], chat: bool) -> bool | None:
    """Whether the token that holds the stop text is returned; None where it cannot be told."""
    # several words, so that tokens which do not spell a text are seen
    turns = [{"role": "user", "content": "Reply with the words ice and snow, alone, then a new line."}]
    text: Any = turns if chat else STOP_PROMPT
    stopped = await ask(text, 0.0, max_tokens=24, stop=("\n",), n_top=1)
    if find_ending(stopped, ("\n",)).by_text:
        return True
    # of a chat most likely the end of generation, which says nothing of stop texts
    return None if chat or stopped.finish != "stop" else False


def _check_greedy(reply: Reply) -> None:
    """A greedy token must be the most probable at its own place; off by one, it is not."""
    to_generation(reply, ())
    for value, top in zip(reply.logprobs, reply.tops, strict=False):
        if top and max(top.values()) > value + TOLERANCE:
            raise MetacogError(
                "this server's log-probabilities do not stand at their own tokens: a greedy token has "
                f"{value:.2f} where another is given {max(top.values()):.2f} (one place off?), or it does "
                "not decode greedily at temperature 0. Update the server or use another"
            )
    if len(reply.logprobs) > 1 and all(value == 0.0 for value in reply.logprobs):
        raise MetacogError(
            "this server gives 0 as the log-probability of every greedy token: they are taken after the "
            "sampling. Set the server up for raw log-probabilities or use another"
        )


async def _temperature_shift(ask: Callable[..., Awaitable[Reply]], prompt: Any) -> tuple[float, bool]:
    """Largest change of a token's log-probability over temperatures, and whether that can tell."""
    reference: dict[bytes, float] = {}
    seen: list[tuple[bytes, float]] = []
    largest, informative = 0.0, False
    for round_ in range(6):  # servers that name no alternatives need several draws to meet a token twice
        for temperature in (1.0, 0.0, 0.2, 2.0):
            if round_ and temperature == 0.0:
                continue
            reply = await ask(prompt, temperature, seed=1 + round_)
            if not reply.pieces:
                continue  # still thinking
            tokens = {k.encode(): v for k, v in (reply.tops[0] if reply.tops else {}).items()}
            if not math.isnan(reply.logprobs[0]):
                tokens[reply.pieces[0]] = reply.logprobs[0]
            if temperature == 1.0:  # raw and tempered are the same here
                reference |= tokens
            else:
                seen += tokens.items()
        for token, value in seen:
            if token in reference and reference[token] > -30.0:
                largest = max(largest, abs(value - reference[token]))
                informative |= reference[token] < -0.7
        if informative or largest > TOLERANCE:
            break
    return largest, informative


async def _check_places(ask: Callable[..., Awaitable[Reply]], greedy: Reply) -> None:
    """Ask again, token by token: each log-probability must come back at its own place."""
    shifts: list[float] = []
    near: dict[int, list[float]] = {-1: [], 1: []}
    try:
        texts = [piece.decode() for piece in greedy.pieces]
    except UnicodeDecodeError:
        return
    for place, value in enumerate(greedy.logprobs):
        if place and not texts[place - 1]:
            break
        reply = await ask(OPEN_PROMPT + "".join(texts[:place]), 0.0, n_top=1)
        if not reply.pieces or reply.pieces[0] != greedy.pieces[place]:
            break  # text that tokenises in another way
        shifts.append(abs(reply.logprobs[0] - value))
        for shift, found in near.items():
            if 0 <= place + shift < len(greedy.logprobs):
                found.append(abs(reply.logprobs[0] - greedy.logprobs[place + shift]))
    if shifts and max(shifts) > 2 * TOLERANCE:
        nearest = min((sum(x) / len(x) for x in near.values() if x), default=math.inf)
        hint = "they seem to be one place off" if nearest < TOLERANCE else "two ways to ask for them disagree"
        raise MetacogError(
            f"this server's log-probabilities cannot be used: {hint} (a token's differs by {max(shifts):.2f} "
            "when asked for alone). Update the server or use another"
        )
