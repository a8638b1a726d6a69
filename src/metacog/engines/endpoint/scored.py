"""Log-probabilities of given texts from a server: by echo, or from the first token's alternatives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from metacog.core.errors import MetacogError
from metacog.engines.base import ScoredText
from metacog.engines.endpoint.http import BadReply
from metacog.engines.endpoint.probe import TOLERANCE
from metacog.engines.endpoint.reading import SPECIAL_TOKEN, Reply, read_reply

_ELSE = "use a server that does (vLLM), or the model's GGUF file"


def echoed_score(payload: Any, prompt: str, text: str) -> ScoredText:
    """ScoredText of ``text`` after ``prompt`` from a reply that echoes both."""
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
    return ScoredText((tuple(reply.ids[i] for i in inside) if reply.ids else ()), values)


def compare_echo(score: ScoredText, greedy: Reply) -> None:
    """Raise if an echoed score differs from the server's own when it generated the same tokens."""
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

    ``why`` says why they could not be scored either.
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
