"""Recorded log-probabilities against an independent forced decode, and llama.cpp's own noise.

Run: python benchmarks/nlp_check.py                  (203 trials of each embedded model; some minutes)
Writes results/benchmarks/nlp_check.json. Status 1 where the bias of NLP is 0.005 or more.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from forced_decode import check_nlp

from metacog.collect.models import get_model, locate
from metacog.collect.prompts import load_prompt
from metacog.engines.base import Sample
from metacog.engines.llama import LlamaEngine

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "results" / "benchmarks" / "nlp_check.json"
TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)


def check(model: str, n_questions: int, threads: int | None) -> dict:
    """Generate with the default profile's prompt and compare."""
    path, _ = locate(get_model(model))
    prompt = load_prompt(get_model(model).prompt_id("fewshot"))
    lines = (ROOT / "data" / "questions" / "bank-v1.jsonl").read_text(encoding="utf-8").splitlines()
    picked = [i * len(lines) // n_questions for i in range(n_questions)]
    with LlamaEngine(path, n_threads=threads) as engine:
        tasks = [
            prompt.task(
                json.loads(lines[i])["question"],
                [Sample(t, i * 1000 + j) for j, t in enumerate(TEMPERATURES)],
                engine,
            )
            for i in picked
        ]
        generations = engine.generate(tasks, max_tokens=24, stop=prompt.stop)
        settings = engine.info.settings
    return asdict(check_nlp(path, tasks, generations, n_threads=threads)) | {"settings": settings}


def main() -> int:
    """Check, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--questions", type=int, default=29, help="7 trials each")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--model", action="append")
    args = parser.parse_args()
    results = {
        m: check(m, args.questions, args.threads) for m in args.model or ["smollm2-135m", "gemma3-270m"]
    }
    print(f"{'':44}" + "".join(f"{m:>16}" for m in results))
    print(
        f"{'trials / tokens':44}"
        + "".join(f"{r['n_trials']:>8} /{r['n_tokens']:>6}" for r in results.values())
    )
    for kind, name in (
        ("recorded", "recorded - forced decode in one batch"),
        ("recorded_single", "recorded - forced decode, one token a batch"),
        ("batch_shapes", "llama.cpp's own: one batch - one token a batch"),
    ):
        print(name)
        for key in ("nlp_mean", "nlp_se", "nlp_sd", "nlp_max_abs", "token_sd", "token_max_abs"):
            print(f"  {key:42}" + "".join(f"{r[kind][key]:>16.4f}" for r in results.values()))
    print(f"{'mean |difference| if read one token late':44}", end="")
    print("".join(f"{r['shifted_mean_abs']:>16.2f}" for r in results.values()))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(f"written: {OUT.relative_to(ROOT)}", file=sys.stderr)
    return 0 if all(abs(r["recorded"]["nlp_mean"]) < 0.005 for r in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
