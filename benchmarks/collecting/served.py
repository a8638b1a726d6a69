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
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import psutil
from llama_server import Server, running

from collecting.work import Work
from metacog.engines import GenerationTask, Sample
from metacog.engines.llama import LlamaEngine

SLOTS = (2, 4, 8, 16, 32)
ORDERS = ("questions", "temperatures")
SEARCH_QUESTIONS = 3
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


@dataclass(frozen=True)
class Setting:
    """How the server is started and asked.

    Attributes
    ----------
    slots : int
        Answers it works on at a time.
    order : {"questions", "temperatures"}
        Question by question with its temperatures in a row, or temperature by temperature.
    spin : bool
        Whether its threads spin while they wait, as OpenMP's do by default.
    """

    slots: int
    order: str = ORDERS[0]
    spin: bool = False


@dataclass(frozen=True)
class Peer:
    """What is served, and to whom the time is counted.

    Attributes
    ----------
    path : Path
        The GGUF file.
    work : Work
    tasks : sequence of GenerationTask
        The questions that are counted.
    threads : int
    """

    path: Path
    work: Work
    tasks: Sequence[GenerationTask]
    threads: int

    def part(self, n: int) -> Peer:
        """The same with fewer questions."""
        return replace(self, tasks=self.tasks[:n])


def run_served(peer: Peer, setting: Setting, *, logprobs: bool = True) -> dict:
    """Time the server with its slots full from the first counted trial to the last."""
    slots, work = setting.slots, peer.work
    counted = in_order(peer.tasks, setting.order)
    first, last = slots, slots + len(counted) - 1  # so many that come before warm it up
    warm = in_order(work.every(-(-slots // len(peer.tasks[0].samples))), setting.order)[:slots]
    after = itertools.islice(itertools.cycle(counted), slots + SPARE)
    stream = itertools.chain(warm, counted, after)
    with running(peer.path, slots=slots, threads=peer.threads, spin=setting.spin) as server:
        process = psutil.Process(server.pid)
        cpu = process.cpu_times()
        answers = serve(server, stream, work, in_flight=slots + SPARE, last=last, logprobs=logprobs)
        spent = process.cpu_times()
        memory = process.memory_info().rss
    made = [answers[i] for i in range(first, last + 1)]
    whole = max(a.done for a in answers.values()) - min(a.begun for a in answers.values())
    seconds = max(a.done for a in made) - min(a.begun for a in made)
    cpu_seconds = spent.user + spent.system - cpu.user - cpu.system
    return asdict(setting) | {
        "n_probs": int(logprobs),
        "trials": len(made),
        "seconds": seconds,
        "cpu_seconds": cpu_seconds * seconds / whole,
        "tokens_a_trial": sum(a.n_drawn for a in made) / len(made),
        "with_logprobs": sum(bool(a.logprobs) for a in made) / len(made),
        "rss_mb": memory / 2**20,
    }


def search(peer: Peer) -> list[dict]:
    """A short run at every number of slots, then the best with spinning threads and in the other order."""
    found = [run_served(peer, Setting(slots)) for slots in SLOTS]
    found.append(run_served(peer, replace(best(found), spin=True)))
    found.append(run_served(peer, replace(best(found), order=ORDERS[1])))
    return found


def best(found: Sequence[dict]) -> Setting:
    """The setting with the most trials a second."""
    run = max(found, key=lambda r: r["trials"] / r["seconds"])
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
    """Greedy answers of the server beside the engine's: how many agree, and how far apart they stand."""
    work, threads = peer.work, peer.threads
    greedy = [GenerationTask(task.prompt, (Sample(0.0, 1),)) for task in peer.tasks]
    requests = in_order(greedy, ORDERS[0])
    with running(peer.path, slots=setting.slots, threads=threads) as server:
        answers = serve(
            server, requests, work, in_flight=setting.slots, last=len(requests) - 1, logprobs=True
        )
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
