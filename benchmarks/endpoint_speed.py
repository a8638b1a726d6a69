"""How much of a server's own rate is left when it is asked through the library?

Run: python benchmarks/endpoint_speed.py               (builds llama-server where it is missing)
     python benchmarks/endpoint_speed.py --quick       (few requests, to see that it works; writes nothing)

llama.cpp's own server is driven twice with the same requests, byte for byte: by a bare client of threads with open
connections, and by the library's runner, which writes every reply and account to the disk as `metacog collect` does.
First the number of slots that suits the server best is looked for with the bare client alone, two requests more in
flight than it has slots. Then both take turns, so that a machine whose load drifts shows; a pass of each, unmeasured,
fills the server's prompt cache first. The server's examination, some twenty requests once per command, is not counted.
Writes data/benchmarks/endpoint_speed.json, with the machine's load before each pass. Status 1 if less than WANTED of
the bare rate is left.
"""

from __future__ import annotations

import argparse
import dataclasses
import http.client
import json
import os
import platform
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import llama_server
from llama_server import Server

from metacog.collect.models import ModelEntry, get_model, locate
from metacog.collect.plan import Plan, make_plan
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.core.machine import available_cores
from metacog.core.provenance import provenance
from metacog.engines.endpoint import EndpointEngine
from metacog.install.processor import this_processor
from metacog.studies import get_study

OUT = Path(__file__).resolve().parents[1] / "data" / "benchmarks" / "endpoint_speed.json"
MODEL, SLOTS, SPARE, ROUNDS = "smollm2-135m", (2, 4, 8), 2, 5
WANTED = 0.9


def plan_of(server: Server, questions: int) -> Plan:
    """Open answers of study 1, two a question."""
    source = {"endpoint": {"url": f"{server.url}/v1", "model": MODEL, "api": "completions"}}
    prompts = {"fewshot": "fewshot-v1", "zeroshot": "zeroshot-base-v1", "plain": "plain-base-v1"}
    entry = ModelEntry("served", "Served", "base", source, None, prompts, ask_twice=0.0)
    smoke = load_profile("smoke")
    block = {**smoke.studies["study1_qa"], "datasets": {"bank": {}}, "block_items": questions}
    profile = dataclasses.replace(smoke, studies={"study1_qa": block}, engine={})
    return make_plan(get_study("study1_qa"), "open", profile, entry, "bank", limit=questions)


class Recorder(httpx.AsyncBaseTransport):
    """Passes requests on and keeps their bodies."""

    def __init__(self) -> None:
        self.inner, self.bodies = httpx.AsyncHTTPTransport(), []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One request."""
        self.bodies.append(bytes(request.content))
        return await self.inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the connections."""
        await self.inner.aclose()


def through_the_library(
    server: Server, questions: int, in_flight: int, recorder: Recorder | None = None
) -> float:
    """Seconds of one collection."""
    plan = plan_of(server, questions)
    url = f"{server.url}/v1"
    with EndpointEngine(url, MODEL, concurrency=in_flight, transport=recorder) as engine:
        _ = engine.info  # what the examination leaves open is found out here
        if recorder:
            recorder.bodies.clear()
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            collect(plan, Path(folder) / "run", engine=engine, progress=False)
            return time.perf_counter() - begun


def bare(server: Server, bodies: Sequence[bytes], in_flight: int) -> float:
    """Seconds of the same requests, sent by threads that read the answers and do nothing else."""
    left, lock, failures = iter(bodies), threading.Lock(), []

    def client() -> None:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=300)
        try:
            while True:
                with lock:
                    body = next(left, None)
                if body is None:
                    return
                connection.request("POST", "/v1/completions", body, {"Content-Type": "application/json"})
                reply = connection.getresponse()
                data = json.loads(reply.read())
                if reply.status != 200 or not data["choices"]:
                    raise SystemExit(f"llama-server answered {reply.status}: {str(data)[:300]}")
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=client) for _ in range(in_flight)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return time.perf_counter() - begun


def measure(questions: int, rounds: int) -> dict[str, Any]:
    """The best number of slots, then passes of both clients in turn."""
    path, _ = locate(get_model(MODEL))
    threads, rates, bodies = available_cores(), {}, []
    for slots in SLOTS:
        with llama_server.running(path, slots=slots, threads=threads) as server:
            if not bodies:
                recorder = Recorder()
                through_the_library(server, questions, slots + SPARE, recorder)
                bodies = recorder.bodies
            bare(server, bodies, slots + SPARE)
            rates[slots] = len(bodies) / bare(server, bodies, slots + SPARE)
    best = max(rates, key=lambda slots: rates[slots])
    passes = []
    with llama_server.running(path, slots=best, threads=threads) as server:
        bare(server, bodies, best + SPARE)
        through_the_library(server, questions, best + SPARE)
        for turn in range(rounds):
            clients = {
                "bare": lambda: bare(server, bodies, best + SPARE),
                "library": lambda: through_the_library(server, questions, best + SPARE),
            }
            row: dict[str, Any] = {"load": round(os.getloadavg()[0], 1)}
            for name in list(clients) if turn % 2 else reversed(clients):
                row[f"{name}_per_second"] = round(len(bodies) / clients[name](), 3)
            row["share"] = round(row["library_per_second"] / row["bare_per_second"], 3)
            passes.append(row)
            print(row, flush=True)
    return {
        "requests_a_pass": len(bodies),
        "bare_per_second_by_slots": {str(slots): round(rate, 3) for slots, rate in rates.items()},
        "slots": best,
        "in_flight": best + SPARE,
        "passes": passes,
        "share": round(statistics.median(row["share"] for row in passes), 3),
        "wanted": WANTED,
    }


def main() -> int:
    """Measure, print and write; 1 if less is left than is wanted."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--questions", type=int, default=40)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a server it started goes with it
    found = measure(4 if arguments.quick else arguments.questions, 1 if arguments.quick else ROUNDS)
    print(json.dumps({k: v for k, v in found.items() if k != "passes"}, indent=1))
    if not arguments.quick:
        machine = {
            "processor": this_processor().name,
            "cores": available_cores(),
            "system": platform.platform(),
        }
        command = {"command": f"python benchmarks/endpoint_speed.py --questions {arguments.questions}"}
        facts = {**command, "model": MODEL, "machine": machine, **found, **provenance()}
        OUT.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return int(found["share"] < WANTED)


if __name__ == "__main__":
    sys.exit(main())
