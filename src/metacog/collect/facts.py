"""What the manifests of runs say of them, as a table: who was asked, how many trials, how long it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd


def run_facts(manifests: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One row a run: model, checksum, trials, time and rate, from the manifests.

    Parameters
    ----------
    manifests : sequence of dict
        As ``metacog.collect.manifest`` writes them.

    Returns
    -------
    DataFrame
        Columns ``model, dataset, prompt, n_trials, minutes, trials_per_second, sessions,
        damaged_parts, sha256, engine, llama_cpp``.
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
                "sessions": len(manifest["sessions"]),
                "damaged_parts": len(manifest["damaged"]),
                "sha256": (engine.get("model_sha256") or "unknown")[:12],
                "engine": engine.get("engine", "unknown"),
                "llama_cpp": engine.get("versions", {}).get("llama-cpp-python", "unknown"),
            }
        )
    return pd.DataFrame(rows)
