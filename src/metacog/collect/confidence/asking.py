"""Several ways asked in one conversation, and stored replies read again."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any, TypeVar

from metacog.engines.requests import Reply, Request

T = TypeVar("T")


def together(askings: Sequence[Generator[Any, Any, T]]) -> Generator[list[Request], list[Reply], list[T]]:
    """Ask all at once, step by step, after the first one's first step.

    What the requests begin with alike has then been read when the others come, and an engine that keeps
    caches reads it once.

    Parameters
    ----------
    askings : sequence of generators
        Each yields a request or several, is sent the reply or replies, and returns what came out.

    Returns
    -------
    list
        What each returned, in order.
    """
    results: dict[int, T] = {}
    asked: dict[int, Any] = {}

    def go_on(i: int, answer: Any) -> None:
        try:
            asked[i] = askings[i].send(answer)
        except StopIteration as end:
            results[i] = end.value

    for i in range(len(askings)):
        go_on(i, None)
        if asked:
            break
    started = len(results) + len(asked)
    while asked:
        now, asked = asked, {}
        replies = iter((yield [request for one in now.values() for request in _several(one)]))
        for i, one in now.items():
            given = [next(replies) for _ in _several(one)]
            go_on(i, given[0] if isinstance(one, Request) else given)
        for i in range(started, len(askings)):
            go_on(i, None)
        started = len(askings)
    return [results[i] for i in range(len(askings))]


def replayed(asking: Generator[Any, Any, T], replies: Iterable[Reply]) -> T:
    """What a generator returns when it is sent these replies, in the order in which they were given.

    Raises
    ------
    ValueError
        If there are fewer replies than it asks for, or more.
    """
    left = iter(replies)
    answer: Any = None
    try:
        while True:
            one = asking.send(answer)
            given = [reply for _, reply in zip(_several(one), left, strict=False)]
            if len(given) < len(_several(one)):
                asking.close()
                raise ValueError("there are fewer replies than the conversation asks for")
            answer = given[0] if isinstance(one, Request) else given
    except StopIteration as end:
        if next(left, None) is not None:
            raise ValueError("there are more replies than the conversation asks for") from None
        result: T = end.value
        return result


def _several(asked: Any) -> list[Request]:
    return [asked] if isinstance(asked, Request) else list(asked)
