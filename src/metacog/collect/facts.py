"""What the manifests of runs say about them, as a table: who was asked, how many trials, and what it cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

COLUMNS = (
    "model",
    "dataset",
    "prompt",
    "n_trials",
    "minutes",
    "trials_per_second",
    "tokens_read",
    "tokens_written",
    "sessions",
    "damaged_parts",
    "sha256",
    "engine",
    "llama_cpp",
)


def run_facts(manifests: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One row per run: model, checksum, trials, time, rate and tokens, from the manifests.

    Parameters
    ----------
    manifests : sequence of dict
        As ``metacog.collect.manifest`` writes them.

    Returns
    -------
    DataFrame
        Columns ``model, dataset, prompt, n_trials`` (answers, one to each sample that was asked for),
        ``minutes, trials_per_second, tokens_read, tokens_written`` (see :class:`metacog.engines.base.Spent`;
        NaN where a part's were not counted), ``sessions, damaged_parts, sha256, engine, llama_cpp``.
    """
    rows = []
    for manifest in manifests:
        parts = manifest["parts"].values()
        seconds = sum(part["seconds"] for part in parts)
        trials = sum(part["rows"] for part in parts)
        engine = manifest.get("engine", {})
        rows.append(
            {
                "model": manifest["config"]["model"],
                "dataset": manifest["config"]["dataset"],
                "prompt": manifest["config"]["prompt"]["id"],
                "n_trials": trials,
                "minutes": seconds / 60,
                "trials_per_second": trials / seconds if seconds else np.nan,
                **{name: _sum_known(parts, name) for name in ("tokens_read", "tokens_written")},
                "sessions": len(manifest["sessions"]),
                "damaged_parts": len(manifest["damaged"]),
                "sha256": (engine.get("model_sha256") or "unknown")[:12],
                "engine": engine.get("engine", "unknown"),
                "llama_cpp": engine.get("versions", {}).get("llama-cpp-python", "unknown"),
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _sum_known(parts: Collection[Mapping[str, Any]], name: str) -> float:
    """Sum over parts; NaN if a part lacks it, since half a sum would pass for the whole."""
    return float(sum(part.get(name, np.nan) for part in parts)) if parts else np.nan
