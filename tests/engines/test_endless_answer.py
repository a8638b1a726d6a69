"""A server whose answer does not end. Oracle: what it has sent when it is left, counted by the server itself."""

import asyncio

import httpx2
import pytest

from metacog.engines.base import GaveUp
from metacog.engines.endpoint import address, http


def posted(answer, retries=0):
    async def ask():
        wire = http.Wire(
            "http://127.0.0.1:9/v1",
            address.Secret(None),
            http.Patience(timeout=60.0, retries=retries, server_wait=0.0),
            transport=httpx2.MockTransport(answer),
        )
        try:
            return await wire.post("/completions", {"prompt": "x", "max_tokens": 1}, lambda payload: payload)
        finally:
            await wire.close()

    return asyncio.run(ask())


def test_an_answer_without_end_is_left_and_counts_as_a_failure():
    sent = []

    async def endless():
        while True:
            sent.append(1 << 20)
            yield bytes(1 << 20)

    with pytest.raises(GaveUp, match="goes on behind 67 MB"):
        posted(lambda request: httpx2.Response(200, content=endless()))
    assert http.LARGEST < sum(sent) <= http.LARGEST + (2 << 20)


def test_an_answer_in_pieces_is_whole():
    async def pieces():
        for piece in (b'{"a": ', b"[1, ", b"2]}"):
            yield piece

    assert posted(lambda request: httpx2.Response(200, content=pieces())) == {"a": [1, 2]}
