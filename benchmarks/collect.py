"""Trials a second of the batched llama.cpp engine and its peers, and the targets it must reach.

Run: python benchmarks/collect.py --questions 1304       (the whole bank, both embedded models)
     python benchmarks/collect.py                        (300 questions)
     python benchmarks/collect.py --questions 20 --peer-questions 2 --server-questions 4    (a few minutes)

Every line is measured in a process of its own, on the same machine, model, prompts, temperatures and token
limit, those of the default profile. The engine's questions are cut into three parts, and the peers are
measured between them, so a machine whose load drifts shows.
- engine: LlamaEngine in blocks of questions as the default profile cuts them;
- bare: llama_decode alone at the engine's width, the logits left unread (collecting/bare.py);
- llama-server: llama.cpp's own server with as many slots as suit it best and the log-probability of every
  token asked for (collecting/served.py), and the same without; built on first use (llama_server.py);
- paper loop: Llama(logits_all=True, n_ctx=512), one create_completion with logprobs=1 a trial, its prefix
  cache on (paper_loop.py), and the same without log-probabilities.
The peers get evenly spaced questions of the engine's. Processor time is given as well as wall time.
Writes results/benchmarks/collect.json. Status 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llama_server
from collecting import bare, figures, lines, served
from collecting.work import default_work

from metacog.collect.models import get_model, locate
from metacog.core.machine import available_cores
from metacog.engines.llama.lowlevel import lc
from metacog.install.processor import this_processor

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "results" / "benchmarks" / "collect.json"
MODELS = tuple(figures.SERVER)
PARTS = 3
LOOP_QUESTIONS = {"smollm2-135m": 14, "gemma3-270m": 5}  # the loop is slow
SERVER_QUESTIONS = {"smollm2-135m": 24, "gemma3-270m": 12}


def workers(args: argparse.Namespace) -> dict[str, Callable[[], Any]]:
    """What each kind of worker measures."""
    path, _ = locate(get_model(args.model))
    work, threads = default_work(args.model, args.questions), args.threads
    loop = work.every(args.peer_questions or LOOP_QUESTIONS[args.model])
    asked = work.every(args.server_questions or SERVER_QUESTIONS[args.model])
    peer = served.Peer(path, work, asked, threads)
    more = json.loads(args.more)
    return {
        "engine": lambda: lines.run_engine(path, work, threads, **more),
        "bare": lambda: {"runs": bare.run_caches(path, work.tasks[:100], threads, **more)},
        "paper loop": lambda: lines.run_loop(path, loop, work, threads, **more),
        "llama-server": lambda: served.measure_server(peer),
    }


def worker(args: argparse.Namespace) -> None:
    """One measurement, printed as JSON."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a server it started goes with it
    result = workers(args)[args.worker]()
    result["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(result))


def measure(kind: str, args: argparse.Namespace, **more: Any) -> dict[str, Any]:
    """Run one worker and read its result; the load average is taken before it starts."""
    load = os.getloadavg()[0]
    print(f"  {kind} {' '.join(f'{k}={v}' for k, v in more.items())} ...", file=sys.stderr, flush=True)
    command = [sys.executable, __file__, "--worker", kind, "--model", args.model, "--more", json.dumps(more)]
    command += ["--questions", str(args.questions), "--threads", str(args.threads)]
    for name in ("peer_questions", "server_questions"):
        if value := getattr(args, name):
            command += [f"--{name.replace('_', '-')}", str(value)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"measuring {kind} of {args.model} failed; its message stands above")
    return json.loads(done.stdout.splitlines()[-1]) | {"load_before": load}


def measure_server(args: argparse.Namespace) -> dict[str, Any]:
    """llama-server in all its settings."""
    found = measure("llama-server", args)
    names = ("search", "server", "server_no_logprobs", "server_check")
    return {name: found[name] for name in names}


def measure_loop(args: argparse.Namespace) -> dict[str, Any]:
    """The paper's loop, and the same without log-probabilities."""
    return {
        "paper_loop": measure("paper loop", args, logprobs=True),
        "no_logprobs": measure("paper loop", args, logprobs=False),
    }


def benchmark(args: argparse.Namespace) -> dict[str, Any]:
    """All measurements of one model: the engine's parts, the peers between them."""
    print(args.model, file=sys.stderr)
    blocks = len(default_work(args.model, args.questions).part(0, 1))
    parts = PARTS if blocks >= PARTS else 1  # a short run repeats its one part
    between = [measure_loop] if args.no_server else [measure_server, measure_loop]
    runs: dict[str, Any] = {"engine": [], "bare": []}
    for k in range(PARTS):
        runs["engine"].append(measure("engine", args, part=k % parts, parts=parts))
        first = runs["engine"][0]
        shape = {"width": first["settings"]["width"], "steps": round(first["tokens_a_trial"])}
        shape["flash"] = bool(first["settings"].get("flash_attn"))
        runs["bare"] += measure("bare", args, caches=args.cache or bare.CACHES, **shape)["runs"]
        if between:
            runs |= between.pop(0)(args)
    return figures.results(args.model, runs)


def parse() -> argparse.Namespace:
    """The command line."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--questions", type=int, default=300, help="for the engine; the bank has 1304")
    parser.add_argument("--peer-questions", type=int, help="of these, for the paper's loop")
    parser.add_argument("--server-questions", type=int, help="of these, for llama-server")
    parser.add_argument("--threads", type=int, default=available_cores())
    parser.add_argument("--model", choices=MODELS, action="append")
    parser.add_argument("--cache", choices=bare.CACHES, action="append", help="of the bare decode")
    parser.add_argument(
        "--no-server", action="store_true", help="leave llama-server out; its target is missed"
    )
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--more", default="{}", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Measure, print and write; status 1 where a target is missed."""
    args = parse()
    models = args.model or MODELS
    if args.worker:
        args.model = models[0]
        worker(args)
        return 0
    if not args.no_server:
        try:
            llama_server.build(lambda line: print(line, file=sys.stderr, flush=True))
        except llama_server.Unavailable as reason:
            print(f"llama-server is left out: {reason}", file=sys.stderr)
            args.no_server = True
    found = []
    for args.model in models:
        found.append(benchmark(args))
    print(figures.report(found))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    facts = {
        "machine": this_processor().name,
        "threads": args.threads,
        "questions": args.questions,
        "llama-cpp-python": lc.__version__,
        "openmp": {k: os.environ.get(k) for k in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")},
        "results": found,
    }
    OUT.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    print(f"written: {OUT.relative_to(ROOT)}", file=sys.stderr)
    return 0 if all(aim["met"] for r in found for aim in r["targets"]) else 1


if __name__ == "__main__":
    sys.exit(main())
