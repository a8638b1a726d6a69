"""The peer that a user would pick instead: llama.cpp's own server, many requests in flight.

The requests are the engine's trials, one HTTP request each: the same prompt text, temperature, seed, token
limit and stop text, with the log-probability of every drawn token asked for. The server keeps its own
continuous batching and prompt cache; a client of threads with open connections keeps every slot busy.
Before the clock starts each slot has read the shared prompt, and requests that are not counted follow the
counted ones, so that neither a cold start nor an emptying queue is held against it.
"""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
from llama_server import Server, running

from collecting.work import Work
from metacog.engines import GenerationTask, Sample
from metacog.engines.llama import LlamaEngine

SLOTS = (2, 4, 8, 16, 32)
ORDERS = ("questions", "temperatures")
SPARE = 2  # requests that wait at the server beside those it works on

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
    """What came back, and when it was asked for and done."""

    text: str
    n_drawn: int
    logprobs: tuple[float, ...] | None
    begun: float
    done: float


def in_order(tasks: Sequence[GenerationTask], order: str) -> list[Request]:
    """Question by question with its temperatures in a row, or temperature by temperature."""
    rows = [[Request(task.prompt, sample) for sample in task.samples] for task in tasks]
    return list(itertools.chain(*(rows if order == "questions" else zip(*rows, strict=True))))


def ask(connection: http.client.HTTPConnection, body: bytes) -> Answer:
    """One request to ``/completion``."""
    begun = time.perf_counter()
    connection.request("POST", "/completion", body, {"Content-Type": "application/json"})
    reply = connection.getresponse()
    data = json.loads(reply.read())
    if reply.status != 200:
        raise SystemExit(f"llama-server answered {reply.status}: {str(data)[:300]}")
    listed = data.get("completion_probabilities")
    values = None if listed is None else tuple(float(token["logprob"]) for token in listed)
    return Answer(data["content"], data["tokens_predicted"], values, begun, time.perf_counter())


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
    server: Server, requests: Iterable[Request], work: Work, *, in_flight: int, last: int, logprobs: bool
) -> dict[int, Answer]:
    """Send requests until all up to number ``last`` are answered."""
    queue, answers, failures = Queue(requests), {}, []

    def client() -> None:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=300)
        try:
            for number, request in queue:
                answers[number] = ask(connection, request.body(work, logprobs))
                if len(answers) > last and all(i in answers for i in range(last + 1)):
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


def run_served(
    path: Path,
    tasks: Sequence[GenerationTask],
    work: Work,
    threads: int,
    *,
    slots: int,
    order: str,
    logprobs: bool = True,
) -> dict:
    """Time the server with its slots full from the first counted trial to the last."""
    counted = in_order(tasks, order)
    warm = in_order(work.every(-(-slots // len(tasks[0].samples))), order)[:slots]
    with running(path, slots=slots, threads=threads) as server:
        more = itertools.islice(itertools.cycle(counted), slots + SPARE)
        stream = itertools.chain(warm, counted, more)
        process = psutil.Process(server.pid)
        cpu = process.cpu_times()
        first, last = len(warm), len(warm) + len(counted) - 1
        answers = serve(server, stream, work, in_flight=slots + SPARE, last=last, logprobs=logprobs)
        spent = process.cpu_times()
    made = [answers[i] for i in range(first, last + 1)]
    whole = max(a.done for a in answers.values()) - min(a.begun for a in answers.values())
    seconds = max(a.done for a in made) - min(a.begun for a in made)
    cpu_seconds = spent.user + spent.system - cpu.user - cpu.system
    return {
        "slots": slots,
        "order": order,
        "n_probs": int(logprobs),
        "trials": len(made),
        "seconds": seconds,
        "cpu_seconds": cpu_seconds * seconds / whole,
        "tokens_a_trial": sum(a.n_drawn for a in made) / len(made),
        "with_logprobs": sum(a.logprobs is not None and len(a.logprobs) > 0 for a in made) / len(made),
    }


def search(path: Path, tasks: Sequence[GenerationTask], work: Work, threads: int) -> list[dict]:
    """A short run at every number of slots, and the best one again in the other order."""
    found = [run_served(path, tasks, work, threads, slots=n, order=ORDERS[0]) for n in SLOTS]
    best = max(found, key=lambda r: r["trials"] / r["seconds"])["slots"]
    return [*found, run_served(path, tasks, work, threads, slots=best, order=ORDERS[1])]


def check_answers(
    path: Path, tasks: Sequence[GenerationTask], work: Work, threads: int, *, slots: int
) -> dict:
    """Greedy answers of the server beside the engine's: how many agree, and how far apart they stand."""
    greedy = [GenerationTask(task.prompt, (Sample(0.0, 1),)) for task in tasks]
    requests = in_order(greedy, ORDERS[0])
    with running(path, slots=slots, threads=threads) as server:
        answers = serve(server, requests, work, in_flight=slots, last=len(requests) - 1, logprobs=True)
    with LlamaEngine(path, n_threads=threads) as engine:
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
