"""Records what a sound build of llama.cpp computes, for other builds to be held against (data/proof/README.md)::

python benchmarks/proof_record.py MODEL.gguf --write data/proof/NAME.json --note "build and processor"
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from metacog.core.files import sha256_of
from metacog.core.machine import available_cores
from metacog.engines.llama.lowlevel import Model, lc
from metacog.engines.llama.proof import decode, texts_for


def write_record(path: Path, target: Path, note: str) -> None:
    """Record this build's own log-probabilities, token by token, for others to be held against."""
    model = Model(path)
    try:
        texts = texts_for(model)
        _, stepwise = decode(model, texts, n_threads=available_cores())
    finally:
        model.close()
    rows = [
        {**asdict(text), "logprobs": [round(x, 4) for x in values]}
        for text, values in zip(texts, stepwise, strict=True)
    ]
    whole = {
        "file": path.name,
        "sha256": sha256_of(path),
        "llama_cpp_python": lc.__version__,
        "note": note,
        "mean_logprob": round(float(np.mean([x for values in stepwise for x in values])), 4),
        "texts": rows,
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_layout(whole), encoding="utf-8")


def _layout(whole: dict[str, Any]) -> str:
    """JSON with one line a field, so that a changed record can be read in a difference."""
    texts = [
        "  {\n" + ",\n".join(f"   {json.dumps(k)}: {json.dumps(v)}" for k, v in text.items()) + "\n  }"
        for text in whole["texts"]
    ]
    head = [f" {json.dumps(k)}: {json.dumps(v)}" for k, v in whole.items() if k != "texts"]
    return "{\n" + ",\n".join([*head, ' "texts": [\n' + ",\n".join(texts) + "\n ]"]) + "\n}\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--write", type=Path, required=True)
    parser.add_argument("--note", default="", help="which build and processor")
    given = parser.parse_args()
    write_record(given.model, given.write, given.note)
