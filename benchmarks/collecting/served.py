"""The peer that a user would pick instead: llama.cpp's own server, many requests in flight.

The requests are the engine's trials, one HTTP request each: the same prompt text, temperature, seed, token
limit and stop text, with the log-probability of every drawn token asked for. The server keeps its own
continuous batching and prompt cache; a client of threads with open connections keeps every slot busy.
The clock runs while every slot is busy: it starts when each has read its first prompt, and requests go on
being sent until it stops, so neither a cold start nor an emptying queue is held against the server. What is
counted is the tokens drawn in that time; answers would not do, for those that end first are the short ones.
"""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import psutil
from llama_server import Server, running

from collecting.work import Work
from metacog.engines.base import GenerationTask, Sample
from metacog.engines.llama import LlamaEngine

SLOTS = (2, 4, 8, 16, 32)
ORDERS = ("questions", "temperatures")
SEARCH_QUESTIONS = 3
SPARE = 2  # requests that wait at the server in addition to those it works on

#: The distribution as it is, at the temperature alone: nothing filtered, nothing penalised.
PLAIN = {"samplers": ["temperature"], "top_k": 0, "top_p": 1.0, "min_p": 0.0, "repeat_penalty": 1.0}


@dataclass(frozen=True)
class Request:
    """One trial as the server is asked for it."""

    prompt: str
    sample: Sample

    def body(self, work: Work, logprobs: bool) -> bytes:
        """The JSON of the request."""
        fields = PLAIN | {
            "prompt": self.prompt,
            "temperature": self.sample.temperature,
            "seed": self.sample.seed,
            "n_predict": work.max_tokens,
            "stop": list(work.stop),
            "cache_prompt": True,
        }
        return json.dumps(fields | ({"n_probs": 1} if logprobs else {})).encode()


@dataclass(frozen=True)
class Answer:
    """What came back: tokens drawn, the one that ends the answer among them, and tokens of the prompt read again.

    ``first`` is when its first token was drawn, ``done`` when all of it was here.
    """

    text: str
    n_drawn: int
    n_read: int
    logprobs: tuple[float, ...] | None
    first: float
    done: float


def in_order(tasks: Sequence[GenerationTask], order: str) -> list[Request]:
    """Question by question with its temperatures in a row, or temperature by temperature."""
    rows = [[Request(task.prompt, sample) for sample in task.samples] for task in tasks]
    return list(itertools.chain(*(rows if order == "questions" else zip(*rows, strict=True))))


def ask(connection: http.client.HTTPConnection, body: bytes) -> Answer:
    """One request to ``/completion``."""
    connection.request("POST", "/completion", body, {"Content-Type": "application/json"})
    reply = connection.getresponse()
    data = json.loads(reply.read())
    if reply.status != 200:
        raise SystemExit(f"llama-server answered {reply.status}: {str(data)[:300]}")
    listed, spent, done = data.get("completion_probabilities"), data["timings"], time.perf_counter()
    values = None if listed is None else tuple(float(token["logprob"]) for token in listed)
    first = done - spent["predicted_ms"] / 1000
    return Answer(data["content"], data["tokens_predicted"], spent["prompt_n"], values, first, done)


class Queue:
    """Hands out numbered requests to threads, until none are left or enough is done."""

    def __init__(self, requests: Iterable[Request]) -> None:
        self._requests, self._lock = enumerate(requests), threading.Lock()
        self.enough = threading.Event()

    def __iter__(self) -> Iterator[tuple[int, Request]]:
        while not self.enough.is_set():
            with self._lock:
                item = next(self._requests, None)
            if item is None:
                return
            yield item


def serve(
    server: Server, requests: Iterable[Request], work: Work, *, in_flight: int, until: int, logprobs: bool
) -> dict[int, Answer]:
    """Send requests, ``in_flight`` at a time, until so many are answered; gives answers by request."""
    queue, answers, failures = Queue(requests), {}, []

    def client() -> None:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=300)
        try:
            for number, request in queue:
                answers[number] = ask(connection, request.body(work, logprobs))
                if len(answers) >= until:
                    queue.enough.set()
        except BaseException as error:
            failures.append(error)
            queue.enough.set()
        finally:
            connection.close()

    threads = [threading.Thread(target=client) for _ in range(in_flight)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return answers


@dataclass(frozen=True)
class Setting:
    """How the server is started and asked: question by question with its temperatures in a row, or the other way
    round.

    ``spin``: its threads spin while they wait, as OpenMP's do by default: better for few slots on a quiet machine,
    ruinous on a busy one.
    """

    slots: int
    order: str = ORDERS[0]
    spin: bool = True


@dataclass(frozen=True)
class Peer:
    """What is served, and to whom the time is counted."""

    path: Path
    work: Work
    tasks: Sequence[GenerationTask]
    threads: int

    def part(self, n: int) -> Peer:
        """The same with fewer questions."""
        return replace(self, tasks=self.tasks[:n])


def tells_logprobs(answer: Answer) -> bool:
    """Whether an answer holds log-probabilities; one that ended at once has no token to hold one."""
    return answer.logprobs is not None and (bool(answer.logprobs) or answer.n_drawn <= 1)


@dataclass(frozen=True)
class Stretch:
    """Tokens drawn in a stretch of steady work, and its seconds."""

    tokens: int
    seconds: float


def steady(answers: Sequence[Answer], slots: int, until: int) -> Stretch:
    """What was drawn from when the first ``slots`` answers had begun until so many were done."""
    start = max(answer.first for answer in answers[:slots])
    end = sorted(answer.done for answer in answers)[until - 1]
    drawn = np.concatenate([np.linspace(a.done, a.first, a.n_drawn) for a in answers])
    return Stretch(int(((drawn > start) & (drawn <= end)).sum()), end - start)


def run_served(peer: Peer, setting: Setting, *, logprobs: bool = True) -> dict:
    """Time the server over about as many trials as the questions have (or it has slots), all slots full."""
    slots, work = setting.slots, peer.work
    counted = in_order(peer.tasks, setting.order)
    warm = in_order(work.every(-(-slots // len(peer.tasks[0].samples))), setting.order)[:slots]
    stream, until = itertools.chain(warm, itertools.cycle(counted)), slots + max(len(counted), slots)
    load = {"in_flight": slots + SPARE, "until": until}
    with running(peer.path, slots=slots, threads=peer.threads, spin=setting.spin) as server:
        process = psutil.Process(server.pid)
        cpu, wall = process.cpu_times(), time.perf_counter()
        by_number = serve(server, stream, work, **load, logprobs=logprobs)
        spent, wall = process.cpu_times(), time.perf_counter() - wall
        memory = process.memory_info().rss
    answers = [by_number[i] for i in sorted(by_number)]
    stretch = steady(answers, slots, until)
    tokens_a_trial = sum(a.n_drawn for a in answers) / len(answers)
    cpu_seconds = spent.user + spent.system - cpu.user - cpu.system
    return asdict(setting) | {
        "n_probs": int(logprobs),
        "answers": len(answers),
        "tokens": stretch.tokens,
        "seconds": stretch.seconds,
        "cpu_seconds": cpu_seconds * stretch.seconds / wall,
        "tokens_a_trial": tokens_a_trial,
        "trials": stretch.tokens / tokens_a_trial,
        "tokens_read_a_trial": sum(a.n_read for a in answers[slots:]) / len(answers[slots:]),
        "with_logprobs": sum(map(tells_logprobs, answers)) / len(answers),
        "rss_mb": memory / 2**20,
    }


def search(peer: Peer) -> list[dict]:
    """A short run at every number of slots, then the best with sleeping threads and in the other order."""
    found = [run_served(peer, Setting(slots)) for slots in SLOTS]
    found.append(run_served(peer, replace(best(found), spin=False)))
    found.append(run_served(peer, replace(best(found), order=ORDERS[1])))
    return found


def best(found: Sequence[dict]) -> Setting:
    """The setting that draws the most tokens a second."""
    run = max(found, key=lambda r: r["tokens"] / r["seconds"])
    return Setting(run["slots"], run["order"], run["spin"])


def measure_server(peer: Peer) -> dict:
    """All of the server: what suits it best, that at length with and without log-probabilities, a check."""
    found = search(peer.part(SEARCH_QUESTIONS))
    setting = best(found)
    return {
        "search": found,
        "server": run_served(peer, setting),
        "server_no_logprobs": run_served(peer, setting, logprobs=False),
        "server_check": check_answers(peer, setting),
    }


def check_answers(peer: Peer, setting: Setting) -> dict:
    """Greedy answers of the server and the engine's: how many agree, and how far apart they stand."""
    work, threads = peer.work, peer.threads
    greedy = [GenerationTask(task.prompt, (Sample(0.0, 1),)) for task in peer.tasks]
    requests = in_order(greedy, ORDERS[0])
    with running(peer.path, slots=setting.slots, threads=threads) as server:
        answers = serve(server, requests, work, in_flight=setting.slots, until=len(requests), logprobs=True)
    with LlamaEngine(peer.path, n_threads=threads) as engine:
        own = [row[0] for row in engine.generate(greedy, max_tokens=work.max_tokens, stop=work.stop)]
    served = [answers[i] for i in range(len(requests))]
    same = [(a, g) for a, g in zip(served, own, strict=True) if a.text == g.text and g.n_tokens]
    apart = [sum(a.logprobs or ()) / g.n_tokens - g.nlp for a, g in same]
    return {
        "questions": len(greedy),
        "same_text": len(same),
        "same_number_of_logprobs": sum(len(a.logprobs or ()) == g.n_tokens for a, g in same),
        "nlp_mean_difference": float(np.mean(apart)),
        "nlp_largest_difference": float(np.abs(apart).max()),
    }
