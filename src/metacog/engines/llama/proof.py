"""Proof that this build of llama.cpp computes: a real decode, compared with recorded values.

A build for the wrong processor dies here (an illegal instruction), and a miscompiled one gives other
numbers. So this runs as a process of its own, prints one line of JSON and says the rest by its exit
status::

    python -m metacog.engines.llama.proof MODEL.gguf --record data/proof/NAME.json

It goes two ways through the kernels: all texts in one batch (matrix times matrix), then token by
token, the texts side by side (matrix times a few vectors).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.core.machine import available_cores

#: Largest mean absolute difference of log-probabilities from the recorded ones (natural log). Sound kernels
#: differed by up to 0.08 on average; reading one token late gives 1.4 and more (data/proof/README.md).
MEAN_TOLERANCE = 0.2
#: Largest single difference. Sound kernels differ by 0.1 to 0.2 in most tokens, by up to 0.45 in rare ones.
LARGEST_TOLERANCE = 1.0

#: What every model continues: a prompt, and the continuation whose log-probabilities are taken.
TEXTS = (
    ("Q: What is the capital of Japan?\nA: Tokyo\n\nQ: What is the capital of France?\nA:", " Paris\n\n"),
    ("One, two, three, four, five, six,", " seven, eight, nine, ten, eleven, twelve, thirteen."),
    ("The sun rises in the east and sets in the", " west. At noon it stands high in the sky."),
    ("Water freezes at zero degrees Celsius and", " boils at one hundred degrees. Ice floats on water."),
)


@dataclass(frozen=True)
class Text:
    """A prompt and the tokens whose log-probabilities are taken; the recorded ones, if any are."""

    prompt: str
    continuation: str
    prompt_tokens: tuple[int, ...]
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...] = ()

    @property
    def all_tokens(self) -> tuple[int, ...]:
        return self.prompt_tokens + self.tokens

    @property
    def reads(self) -> range:
        """Places in :attr:`all_tokens` whose logits predict a token of the continuation."""
        return range(len(self.prompt_tokens) - 1, len(self.all_tokens) - 1)


@dataclass(frozen=True)
class Verdict:
    """What one decode came to."""

    right: bool
    #: Empty if right, else what is wrong.
    why: str
    n_tokens: int
    #: Absolute, from the recorded values; NaN without a record.
    mean_difference: float
    largest_difference: float
    #: Over all tokens and both ways.
    mean_logprob: float
    seconds: float = 0.0
    versions: dict[str, str] = field(default_factory=dict)


def read_record(path: Path) -> list[Text]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return [
            Text(
                one["prompt"],
                one["continuation"],
                tuple(one["prompt_tokens"]),
                tuple(one["tokens"]),
                tuple(float(x) for x in one["logprobs"]),
            )
            for one in raw["texts"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MetacogError(f"{path} is no record of log-probabilities ({error}): restore it") from None


def texts_for(model: Any) -> list[Text]:
    from metacog.engines.llama.forced import continuation_tokens

    made = []
    for prompt, continuation in TEXTS:
        tokens = model.tokenize(prompt)
        following = continuation_tokens(model, prompt, tokens, continuation)
        made.append(Text(prompt, continuation, tuple(tokens), tuple(following)))
    return made


def decode(
    model: Any, texts: Sequence[Text], *, n_threads: int
) -> tuple[list[list[float]], list[list[float]]]:
    """Log-probabilities of every continuation, a list a text: in one batch, and token by token."""
    from metacog.engines.llama.lowlevel import Context

    n_cells = 256 * math.ceil((sum(len(t.all_tokens) for t in texts) + 1) / 256)
    context = Context(
        model,
        n_cells=n_cells,
        n_seq=len(texts) + 1,
        n_outputs=max(sum(len(t.tokens) for t in texts), len(texts) + 1),
        n_ubatch=512,
        n_threads=n_threads,
        flash_attn=False,
    )
    try:
        whole = _in_one_batch(context, texts)
        context.clear()
        return whole, _token_by_token(context, texts)
    finally:
        context.close()


def _in_one_batch(context: Any, texts: Sequence[Text]) -> list[list[float]]:
    tokens: list[int] = []
    positions: list[int] = []
    sequences: list[list[int]] = []
    outputs: list[bool] = []
    for number, text in enumerate(texts):
        tokens += text.all_tokens
        positions += range(len(text.all_tokens))
        sequences += [[number]] * len(text.all_tokens)
        outputs += [place in text.reads for place in range(len(text.all_tokens))]
    values = _log_softmax(context.decode(tokens, positions, sequences, outputs))
    wanted = [token for text in texts for token in text.tokens]
    flat = iter(values[np.arange(len(wanted)), wanted].tolist())
    return [[next(flat) for _ in text.tokens] for text in texts]


def _token_by_token(context: Any, texts: Sequence[Text]) -> list[list[float]]:
    found: list[list[float]] = [[] for _ in texts]
    for place in range(max(len(t.all_tokens) for t in texts) - 1):
        live = [n for n, text in enumerate(texts) if place < len(text.all_tokens) - 1]
        read = [place in texts[n].reads for n in live]
        tokens = [texts[n].all_tokens[place] for n in live]
        values = _log_softmax(context.decode(tokens, [place] * len(live), [[n] for n in live], read))
        for row, n in enumerate(n for n, wanted in zip(live, read, strict=True) if wanted):
            found[n].append(float(values[row, texts[n].all_tokens[place + 1]]))
    return found


def _log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    values = np.asarray(logits, np.float64)
    values = values - values.max(axis=1, keepdims=True, initial=-np.inf)
    return values - np.log(np.exp(values).sum(axis=1, keepdims=True))


def judge(texts: Sequence[Text], ways: Sequence[Sequence[Sequence[float]]], n_vocab: int) -> Verdict:
    """Compare log-probabilities with the recorded ones, or with common sense where none are.

    ``n_vocab``: size of the vocabulary: without a record, plain English must be more probable than tokens drawn
    blindly from it.
    """
    found = np.array([[x for row in way for x in row] for way in ways])
    recorded = np.array([x for text in texts for x in text.logprobs])
    n_tokens, mean = found.shape[1], float(found.mean())
    if not np.isfinite(found).all() or (found > 1e-6).any():
        return Verdict(False, "log-probabilities are not finite", n_tokens, math.nan, math.nan, mean)
    if not recorded.size:
        blind = -math.log(n_vocab)
        why = "" if mean > blind else f"plain English is no likelier ({mean:.1f}) than chance ({blind:.1f})"
        return Verdict(not why, why, n_tokens, math.nan, math.nan, mean)
    difference = np.abs(found - recorded)
    average, largest = float(difference.mean(axis=1).max()), float(difference.max())
    why = ""
    if not (average <= MEAN_TOLERANCE and largest <= LARGEST_TOLERANCE):
        why = (
            f"log-probabilities differ from the recorded ones by {average:.2f} on average and {largest:.2f} "
            f"at most; {MEAN_TOLERANCE} and {LARGEST_TOLERANCE} are allowed"
        )
    return Verdict(not why, why, n_tokens, average, largest, mean)


def prove(path: Path, record: Path | None = None, *, n_gpu_layers: int = 0) -> Verdict:
    """Load a model, decode, judge. A build that cannot compute may kill the process here."""
    from metacog.engines.llama.lowlevel import Model, lc

    started = time.perf_counter()
    model = Model(path, n_gpu_layers=n_gpu_layers)
    try:
        texts = texts_for(model)
        if record is not None:
            recorded = read_record(record)
            if [t.all_tokens for t in texts] != [t.all_tokens for t in recorded]:
                raise MetacogError(f"{path.name} cuts the texts of {record} into other tokens")
            texts = recorded
        verdict = judge(texts, decode(model, texts, n_threads=available_cores()), model.n_vocab)
    finally:
        model.close()
    taken = {"seconds": round(time.perf_counter() - started, 2)}
    return Verdict(**{**asdict(verdict), **taken, "versions": {"llama-cpp-python": lc.__version__}})


def main(words: Sequence[str] | None = None) -> int:
    """Prove one model; print the verdict as JSON. 0: right, 1: wrong, 2: could not be tried."""
    parser = argparse.ArgumentParser(prog="metacog.engines.llama.proof", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--n-gpu-layers", type=int, default=0)
    given = parser.parse_args(words)
    try:
        verdict = prove(given.model, given.record, n_gpu_layers=given.n_gpu_layers)
    except MetacogError as error:
        print(json.dumps({"error": str(error)}))
        return 2
    print(json.dumps({k: None if v != v else v for k, v in asdict(verdict).items()}))
    return 0 if verdict.right else 1


if __name__ == "__main__":
    sys.exit(main())
