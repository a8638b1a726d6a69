"""The endpoint engine against the local engine: NLP of the same greedy answers.

Starts the server of llama-cpp-python on loopback with the embedded SmolLM2, asks it 100 questions of
the bank, and compares each answer's NLP with the local engine's. Quantised kernels round differently
for every batch shape, so the like-for-like comparison is with the local engine decoding one sequence
at a time with the same attention kernel, as that server does; the local engine's own spread between
two shapes is given as well.

    python benchmarks/endpoint_check.py [--questions 100]

Writes results/benchmarks/endpoint.json; leaves with status 1 if the like-for-like bias is 0.005
or more.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from metacog.collect.models import get_model, locate
from metacog.collect.prompts import load_prompt
from metacog.collect.questions import load_questions
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.engines.base import Generation, Sample
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.engine import Engine
from metacog.engines.llama import LlamaEngine

MODEL = "smollm2-135m"
WANTED_BIAS = 0.005


@contextlib.contextmanager
def loopback_server(path: Path) -> Iterator[str]:
    """A server of llama-cpp-python on a free loopback port; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(path), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--n_ctx", "512", "--logits_all", "true", "--verbose", "false"]
    command += ["--flash_attn", "false"]  # the local engine's attention kernel
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(240):
            if server.poll() is not None:
                raise SystemExit("the server ended at once: is the extra endpoint-test installed?")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.25)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(timeout=20)


def greedy(engine: Engine, questions: Sequence[str]) -> list[Generation]:
    """One greedy few-shot answer to each question, as one block."""
    prompt = load_prompt("fewshot-v1")
    tasks = [prompt.task(q, [Sample(0.0, 1)], engine) for q in questions]
    return [row[0] for row in engine.generate(tasks, max_tokens=24, stop=prompt.stop)]


def compare(a: Sequence[Generation], b: Sequence[Generation]) -> dict[str, float]:
    """Differences in NLP over the answers that have the same text."""
    same = [(x.nlp, y.nlp) for x, y in zip(a, b, strict=True) if x.text == y.text and x.n_tokens]
    difference = np.array([x - y for x, y in same])
    n = len(difference)
    return {
        "answers": len(a),
        "same_text": n,
        "bias": float(difference.mean()),
        "standard_error": float(difference.std(ddof=1) / np.sqrt(n)),
        "spread_sd": float(difference.std(ddof=1)),
        "largest": float(np.abs(difference).max()),
    }


def main() -> int:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=100)
    arguments = parser.parse_args()
    questions = [q.question for q in load_questions("bank", shuffle_seed=42, limit=arguments.questions)]
    path, sha256 = locate(get_model(MODEL))
    made: dict[str, list[Generation]] = {}
    batched, single = "local, batched (default)", "local, one sequence"
    shapes: dict[str, dict[str, int]] = {batched: {}, single: {"width": 1, "n_seq": 1}}
    for name, options in shapes.items():
        with LlamaEngine(path, n_ctx=512, **options) as engine:
            made[name] = greedy(engine, questions)
    with loopback_server(path) as url, EndpointEngine(url, MODEL, concurrency=4) as engine:
        begun = time.perf_counter()
        made["server"] = greedy(engine, questions)
        seconds = time.perf_counter() - begun
        info = engine.info
    pairs = [("server", single), ("server", batched), (single, batched)]
    rows = {f"{a} - {b}": compare(made[a], made[b]) for a, b in pairs}
    print(f"{'NLP difference':<62} {'same':>5} {'bias':>8} {'s.e.':>7} {'sd':>7} {'largest':>8}")
    for name, row in rows.items():
        print(
            f"{name:<62} {row['same_text']:>5} {row['bias']:>+8.4f} {row['standard_error']:>7.4f} "
            f"{row['spread_sd']:>7.4f} {row['largest']:>8.4f}"
        )
    bias = rows[f"server - {single}"]["bias"]
    print(
        f"server: {len(questions) / seconds:.1f} answers/s; "
        f"like-for-like bias {bias:+.5f}, wanted below {WANTED_BIAS}"
    )
    target = project_root() / "results" / "benchmarks" / "endpoint.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    result = {
        "differences": rows,
        "wanted_bias": WANTED_BIAS,
        "server_answers_per_second": len(questions) / seconds,
    }
    result["probe"] = {k: v for k, v in info.settings.items() if k != "url"}
    target.write_text(json.dumps(result | provenance(model_sha256=sha256), indent=1), encoding="utf-8")
    return int(abs(bias) >= WANTED_BIAS)


if __name__ == "__main__":
    sys.exit(main())
