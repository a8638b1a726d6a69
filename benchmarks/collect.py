"""Trials a second of the batched llama.cpp engine beside the paper's loop and llama.cpp itself.

Run: python benchmarks/collect.py                 (both embedded models; about 10 quiet minutes)
     python benchmarks/collect.py --questions 20 --peer-questions 2     (a few minutes)

Every line is measured in a process of its own, on the same machine, model, prompts and questions (evenly
spaced over the bank), with the prompt, temperatures and token limit of the default profile:
- engine: LlamaEngine in blocks of 50 questions as the default profile cuts them, once before and once after
  the rest, so a machine whose load drifts shows;
- paper loop: Llama(logits_all=True, n_ctx=512), one create_completion with logprobs=1 a trial, its prefix
  cache on, on every n-th of the questions (it is slow), and the same without log-probabilities; since some
  questions get longer answers, the ratio is also given for tokens drawn (those that end an answer included);
- bare: llama_decode alone at the engine's width, no sampling, the logits left unread.
Processor time is given beside wall time: with --threads 1 its ratio holds on a machine that is not quiet.
Writes results/benchmarks/collect.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paper_loop import PaperLoop

from metacog.collect.models import get_model, locate
from metacog.collect.prompts import load_prompt
from metacog.core.machine import available_cores
from metacog.engines import GenerationTask, Sample
from metacog.engines.llama import DEFAULT_WIDTH, LlamaEngine
from metacog.engines.llama.cache import common_prefix
from metacog.engines.llama.lowlevel import Context, Model, lc

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "results" / "benchmarks" / "collect.json"
MODELS = {"smollm2-135m": (8, 12), "gemma3-270m": (40, 80)}  # least and aimed-at speed-up
PEER_QUESTIONS = {"smollm2-135m": 100, "gemma3-270m": 20}  # the loop is slow
TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)
MAX_TOKENS = 24
BLOCK = 50


def make_tasks(model: str, n: int) -> list[GenerationTask]:
    """The default profile's prompts for ``n`` questions spread over the bank."""
    lines = (ROOT / "data" / "questions" / "bank-v1.jsonl").read_text(encoding="utf-8").splitlines()
    prompt = load_prompt(get_model(model).prompt_id("fewshot"))
    picked = [i * len(lines) // n for i in range(n)]
    return [
        GenerationTask(
            prompt.prefix + prompt.template.replace("{question}", json.loads(lines[i])["question"]),
            tuple(Sample(t, i * 1000 + j) for j, t in enumerate(TEMPERATURES)),
        )
        for i in picked
    ]


@contextmanager
def timed(result: dict, name: str = "") -> Iterator[None]:
    """Note wall and processor seconds of a stretch of work."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    result[f"{name}seconds"] = time.perf_counter() - wall
    result[f"{name}cpu_seconds"] = time.process_time() - cpu


def run_engine(path: Path, tasks: list[GenerationTask], threads: int) -> dict:
    """Time the batched engine over all tasks, and say where the time went."""
    with LlamaEngine(path, n_threads=threads) as engine:
        engine.generate(tasks[:1], max_tokens=4, stop=["\n"])  # compiles the kernels, builds the cache
        engine.timings.__init__()  # type: ignore[misc]
        rows, times = [], {}
        with timed(times):
            for start in range(0, len(tasks), BLOCK):
                rows += engine.generate(tasks[start : start + BLOCK], max_tokens=MAX_TOKENS, stop=["\n"])
        seconds = times["seconds"]
        answers = [g for row in rows for g in row]
        t = vars(engine.timings)
        parts = {k: t[f"{k}_seconds"] for k in ("prompt", "step", "sampling", "bookkeeping")}
        return times | {
            "trials": len(answers),
            "tokens_a_trial": sum(g.n_tokens + (not g.truncated) for g in answers) / len(answers),
            "share_of_time": {k: v / seconds for k, v in parts.items()}
            | {"other": 1 - sum(parts.values()) / seconds},
            "decoded": {k: t[k] for k in ("prompt_tokens", "step_tokens", "draws", "batches")},
            "settings": engine.info.settings,
        }


def run_peer(path: Path, tasks: list[GenerationTask], threads: int, logprobs: bool) -> dict:
    """Time the paper's loop."""
    loop = PaperLoop(path, logprobs=logprobs, n_threads=threads)
    loop.generate([GenerationTask(tasks[0].prompt, tasks[0].samples[:1])], max_tokens=4, stop=["\n"])
    times: dict = {}
    with timed(times):
        answers = [g for row in loop.generate(tasks, max_tokens=MAX_TOKENS, stop=["\n"]) for g in row]
    return times | {
        "trials": len(answers),
        "tokens_a_trial": sum(g.n_tokens for g in answers) / len(answers),
    }


def run_bare(path: Path, tasks: list[GenerationTask], threads: int) -> dict:
    """Tokens a second of llama_decode alone, at the engine's width and with its prompts."""
    model = Model(path)
    prompts = [model.tokenize(task.prompt) for task in tasks]
    prefix = common_prefix(prompts) or 1
    ends = [p[prefix:] for p in prompts[: DEFAULT_WIDTH // 4]]
    width, steps = DEFAULT_WIDTH, MAX_TOKENS
    context = Context(
        model,
        n_cells=1024 + width * steps + sum(map(len, ends)),
        n_seq=width + 1,
        n_outputs=width + 1,
        n_ubatch=512,
        n_threads=threads,
        flash_attn=False,
    )
    context.decode(prompts[0][:prefix], range(prefix), [(0,)] * prefix, [False] * prefix)
    result: dict = {"width": width}
    result |= {"prompt_tokens": sum(map(len, ends)), "step_tokens": width * steps}
    with timed(result, "prompt_"):
        for i in range(0, len(ends), 3):  # about as many prompts as enter together
            group = list(enumerate(ends[i : i + 3], i + 1))
            for s, _ in group:
                context.fork(0, s)
            context.decode(
                [t for _, e in group for t in e],
                [prefix + k for _, e in group for k in range(len(e))],
                [(s,) for s, e in group for _ in e],
                [k == len(e) - 1 for _, e in group for k in range(len(e))],
            )
    for s in range(1, width + 1):
        context.drop(s)
        context.fork(0, s)
    with timed(result, "step_"):
        for k in range(steps):
            tokens = [1000 + (37 * k + 101 * s) % 20000 for s in range(width)]
            rows = [(s + 1,) for s in range(width)]
            context.decode(tokens, [prefix + k] * width, rows, [True] * width)
    context.close()
    model.close()
    return result


def worker(args: argparse.Namespace) -> None:
    """One measurement, printed as JSON."""
    path, _ = locate(get_model(args.model))
    tasks = make_tasks(args.model, args.questions)
    n_peer = min(len(tasks), args.peer_questions or PEER_QUESTIONS[args.model])
    peers = [tasks[i * len(tasks) // n_peer] for i in range(n_peer)]
    if args.worker == "engine":
        result = run_engine(path, tasks, args.threads)
    elif args.worker == "bare":
        result = run_bare(path, tasks, args.threads)
    else:
        result = run_peer(path, peers, args.threads, args.worker == "paper loop")
    result["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(result))


def measure(kind: str, model: str, args: argparse.Namespace) -> dict:
    """Run one worker and read its result; the load average is taken before it starts."""
    load = os.getloadavg()[0]
    print(f"  {kind} ...", file=sys.stderr, flush=True)
    command = [sys.executable, __file__, "--worker", kind, "--model", model]
    command += ["--questions", str(args.questions), "--threads", str(args.threads)]
    if args.peer_questions:
        command += ["--peer-questions", str(args.peer_questions)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1]) | {"load_before": load}


def benchmark(model: str, args: argparse.Namespace) -> dict:
    """All measurements of one model, and the ratios."""
    print(model, file=sys.stderr)
    first = measure("engine", model, args)
    peer = measure("paper loop", model, args)
    plain = measure("paper loop without logprobs", model, args)
    bare = measure("bare", model, args)
    second = measure("engine", model, args)
    done = first["decoded"]
    result: dict = {"model": model, "least": MODELS[model][0], "aim": MODELS[model][1]}
    for clock, unit in (("seconds", "second"), ("cpu_seconds", "cpu_second")):
        seconds = (first[clock] + second[clock]) / 2
        rate = first["trials"] / seconds
        alone = sum(
            done[f"{k}_tokens"] * bare[f"{k}_{clock}"] / bare[f"{k}_tokens"] for k in ("prompt", "step")
        )
        draws = done["draws"] / first["trials"]
        result |= {
            f"engine_trials_a_{unit}": rate,
            f"paper_loop_trials_a_{unit}": peer["trials"] / peer[clock],
            f"no_logprobs_trials_a_{unit}": plain["trials"] / plain[clock],
            f"times_paper_loop_{clock}": rate * peer[clock] / peer["trials"],
            f"times_paper_loop_tokens_{clock}": rate
            * first["tokens_a_trial"]
            * peer[clock]
            / peer["trials"]
            / peer["tokens_a_trial"],
            f"times_no_logprobs_{clock}": rate * plain[clock] / plain["trials"],
            f"share_of_llama_cpp_{clock}": alone / seconds,
            f"bare_trials_a_{unit}_without_sharing": bare["step_tokens"] / bare[f"step_{clock}"] / draws,
        }
    runs = {"engine": [first, second], "paper_loop": peer, "no_logprobs": plain, "bare": bare}
    return result | {"runs": runs}


def report(results: list[dict]) -> str:
    """The tables as text."""
    lines = [f"{'':34}" + "".join(f"{r['model']:>16}" for r in results)]

    def line(name: str, value, form: str = ".1f") -> None:
        lines.append(f"{name:34}" + "".join(f"{format(value(r), form):>16}" for r in results))

    for clock, unit in (("seconds", "second"), ("cpu_seconds", "cpu_second")):
        lines.append("by wall time" if unit == "second" else "by processor time")
        line("  batched engine, trials/s", lambda r, u=unit: r[f"engine_trials_a_{u}"], ".2f")
        line("  paper's loop, trials/s", lambda r, u=unit: r[f"paper_loop_trials_a_{u}"], ".3f")
        line("  - without log-probs, trials/s", lambda r, u=unit: r[f"no_logprobs_trials_a_{u}"], ".3f")
        line("  engine / paper's loop", lambda r, c=clock: r[f"times_paper_loop_{c}"])
        line("  - in tokens drawn a second", lambda r, c=clock: r[f"times_paper_loop_tokens_{c}"])
        line("  engine / without log-probs", lambda r, c=clock: r[f"times_no_logprobs_{c}"])
        line("  share of llama.cpp's own speed", lambda r, c=clock: r[f"share_of_llama_cpp_{c}"], ".0%")
        line("  bare trials/s, nothing shared", lambda r, u=unit: r[f"bare_trials_a_{u}_without_sharing"])
    line("must be, times the paper's loop", lambda r: r["least"], "d")
    line("tokens drawn a trial, engine", lambda r: r["runs"]["engine"][0]["tokens_a_trial"], ".2f")
    line("tokens drawn a trial, the loop", lambda r: r["runs"]["paper_loop"]["tokens_a_trial"], ".2f")
    line("trials, engine (twice)", lambda r: r["runs"]["engine"][0]["trials"], "d")
    line("trials, paper's loop", lambda r: r["runs"]["paper_loop"]["trials"], "d")
    line("peak memory, engine, MB", lambda r: r["runs"]["engine"][0]["peak_rss_mb"], ".0f")
    line("peak memory, paper's loop, MB", lambda r: r["runs"]["paper_loop"]["peak_rss_mb"], ".0f")
    lines.append("time of the engine goes to")
    for part in results[0]["runs"]["engine"][0]["share_of_time"]:
        line(f"  {part}", lambda r, p=part: r["runs"]["engine"][0]["share_of_time"][p], ".1%")
    line("load average before, after", lambda r: r["runs"]["engine"][0]["load_before"])
    line("", lambda r: r["runs"]["engine"][1]["load_before"])
    return "\n".join(lines)


def main() -> int:
    """Measure, print and write; status 1 where a model misses the speed-up asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--peer-questions", type=int, help="of these, for the paper's loop")
    parser.add_argument("--threads", type=int, default=available_cores())
    parser.add_argument("--model", choices=list(MODELS), action="append")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        args.model = args.model[0]
        worker(args)
        return 0
    results = [benchmark(model, args) for model in args.model or MODELS]
    print(report(results))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    facts = {
        "machine": platform.processor() or platform.machine(),
        "threads": args.threads,
        "questions": args.questions,
        "llama-cpp-python": lc.__version__,
        "openmp": {k: os.environ.get(k) for k in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")},
        "results": results,
    }
    OUT.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    print(f"written: {OUT.relative_to(ROOT)}", file=sys.stderr)
    return 0 if all(r["times_paper_loop_seconds"] >= r["least"] for r in results) else 1


if __name__ == "__main__":
    sys.exit(main())
