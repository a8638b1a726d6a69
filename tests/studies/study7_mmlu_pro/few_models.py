"""The committed rows with a few of their models, so that tests are quick."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metacog.studies.study import Result
from metacog.studies.study7_mmlu_pro.rows import Rows, load

FEW = (
    "gpt-4.1",
    "Qwen3-8B",
    "Qwen3-8B-think",
    "Qwen3-8B-Base",
    "Qwen3-8B-FP8",
    "gemma-2-9b-it",
    "claude-3-haiku-20240307",
    "Llama-3.2-3B-Instruct",
    "Phi-4-mini-instruct",
    "grok-2-1212",
    "Mixtral-8x7B-v0.1",
)


def few(models: tuple[str, ...] = FEW, items: slice = slice(None)) -> Rows:
    """Some models, in the order of the table, and some items."""
    rows = load()
    kept = rows.models["model"].isin(models).to_numpy()
    return replace(
        rows,
        models=rows.models[kept].reset_index(drop=True),
        items=rows.items.iloc[items].reset_index(drop=True),
        answer=rows.answer[kept][:, items],
        key=rows.key[items],
        signals={name: values[kept][:, items] for name, values in rows.signals.items()},
        n_tokens=np.asarray(rows.n_tokens[kept][:, items]),
    )


def but(result: Result, **parts: object) -> Result:
    """A result with other parts."""
    return Result({**result, **parts})


def area(score: np.ndarray, right: np.ndarray) -> float:
    """Share of pairs of a right and a wrong answer in which the right one scores higher, ties one half."""
    wrong = np.sort(score[~right])
    below, upto = (np.searchsorted(wrong, score[right], side) for side in ("left", "right"))
    return float((below + upto).mean() / (2 * wrong.size))
