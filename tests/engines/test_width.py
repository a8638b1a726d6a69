"""Requests in flight, found while answers come. Oracle: servers that are known to answer so many at a time."""

import asyncio
import heapq
import json

import httpx2
import pytest
from scripted_server import URL, Script, connect

from metacog.engines.base import GenerationTask, Sample
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.endpoint.width import FIRST, Width


class Loop:
    """Time that jumps to the next moment at which somebody has slept enough; nothing waits for real."""

    def __init__(self):
        self.now, self.sleepers, self.n = 0.0, [], 0

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        waked = asyncio.get_running_loop().create_future()
        heapq.heappush(self.sleepers, (self.now + seconds, self.n, waked))
        self.n += 1
        await waked

    async def run(self, work):
        job = asyncio.ensure_future(work)
        while not job.done():
            for _ in range(20):  # let everybody run who can
                await asyncio.sleep(0)
            if self.sleepers and not job.done():
                self.now, _, waked = heapq.heappop(self.sleepers)
                waked.set_result(None)
        return job.result()


def width_at(capacity, n=4000, seconds=1.0, given=None, blocks=1, **options):
    """The width after ``n`` requests to a server that answers so many at a time, and the most that were in flight."""
    loop = Loop()
    width = Width(given, clock=loop, **options)
    most = 0

    async def one(server):
        nonlocal most
        async with width.slot():
            most = max(most, width._busy)
            async with server:
                await loop.sleep(seconds)

    async def all_of_them():
        server = asyncio.Semaphore(capacity)
        for _ in range(blocks):
            await asyncio.gather(*(one(server) for _ in range(n // blocks)))
            await loop.sleep(20 * seconds)  # a block is written down

    asyncio.run(loop.run(all_of_them()))
    return width, most


@pytest.mark.parametrize(
    ("capacity", "wanted"),
    [(1, FIRST), (4, FIRST), (8, FIRST), (12, 16), (32, 32), (48, 64), (256, 256)],
)
def test_as_many_as_make_a_server_faster(capacity, wanted):
    width, most = width_at(capacity, n=6000, seconds=0.1)
    assert width.found and width.now == wanted and most == 2 * wanted


def test_a_number_that_is_given_stays():
    width, most = width_at(256, given=3, n=200)
    assert (width.now, most) == (3, 3)


def test_no_more_than_a_server_answers_before_it_seems_to_hang():
    width, _ = width_at(1024, seconds=16.0, longest=30.0)
    assert width.found and width.now == FIRST


def test_there_is_a_most(monkeypatch):
    monkeypatch.setattr("metacog.engines.endpoint.width.MOST", 32)
    width, most = width_at(10_000, n=1000, seconds=0.1)
    assert width.found and width.now == most == 32


def test_where_little_is_asked_nothing_is_changed():
    width, most = width_at(256, n=7)
    assert not width.found and width.now == FIRST and most == 7


def test_pauses_between_blocks_are_no_slowness():
    width, _ = width_at(64, n=4000, blocks=20, seconds=0.1)
    assert width.found and width.now == 64


def test_a_rate_limit_halves_it_and_ends_the_search():
    script, n = Script(), iter(range(10**6))
    tasks = [GenerationTask(f"q {i}", (Sample(0.0, 1),)) for i in range(300)]

    def limited(number, request):
        return httpx2.Response(429, headers={"retry-after": "1"}) if next(n) == 60 else None

    with connect(script) as calm:
        wanted = calm.generate(tasks, max_tokens=2)
    with connect(script, limited) as engine:
        assert engine.generate(tasks, max_tokens=2) == wanted
        assert engine.in_flight < engine._client.width.now * 2 and engine._client.width.found
        assert engine.in_flight in (FIRST // 2, FIRST, 2 * FIRST)


def test_answers_stay_at_their_places_while_it_grows():
    """Real time: a server that answers 64 at a time."""
    script, slots = Script(), asyncio.Semaphore(64)
    tasks = [GenerationTask(f"q {i}", (Sample(1.0, i),)) for i in range(70)]

    async def handle(request):
        async with slots:
            await asyncio.sleep(0.2)
        status, data = script.answer(json.loads(request.content))
        return httpx2.Response(status, json=data)

    with connect(script) as calm:
        wanted = calm.generate(tasks, max_tokens=2)
    with EndpointEngine(URL, "scripted", transport=httpx2.MockTransport(handle)) as engine:
        assert engine.generate(tasks, max_tokens=2) == wanted
        assert engine.in_flight == 2 * FIRST  # after one round
