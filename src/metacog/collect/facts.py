"""What the manifests of runs say about them, as a table: who was asked, how many trials, and what it cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.progress import duration

#: What is known of runs on an endpoint alone.
ENDPOINT = (
    "served",
    "requests",
    "tokens_hidden",
    "cost",
    "censored",
    "in_flight",
    "twice_items",
    "twice_same",
    "twice_largest",
)
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
    *ENDPOINT,
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
        Of runs on an endpoint, else empty or NaN: ``served`` (who answered, in its own words), ``requests,
        tokens_hidden`` and ``cost`` spent in all, tries again and lost answers included; ``censored`` answers, which
        have a token whose log-probability was not told; ``in_flight``, the most requests at a time; ``twice_items``
        asked twice, of which ``twice_same`` got the same answer, and the ``twice_largest`` difference between the two
        probabilities.
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
                **_of_endpoint(manifest),
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def bill(facts: pd.DataFrame) -> str:
    """What runs took, from their facts: time of asking, answers, and what a server counts; in one line."""
    seconds, answers = 60 * facts["minutes"].sum(), int(facts["n_trials"].sum())
    text = (
        f"{answers:,} answers in {duration(seconds)} of asking, {answers / max(seconds, 1e-9):.1f} a second"
    )
    if facts["in_flight"].notna().any():
        text += f", up to {facts['in_flight'].max():.0f} requests in flight"
    tokens = facts[["tokens_read", "tokens_written"]].sum(min_count=len(facts))
    if tokens.notna().all():
        text += f"; {tokens['tokens_read']:,.0f} prompt and {tokens['tokens_written']:,.0f} answer tokens"
    cost = facts["cost"].sum()
    return f"{text}; {cost:.4g} in cost at the entry's prices" if cost else text


def _of_endpoint(manifest: Mapping[str, Any]) -> dict[str, Any]:
    if manifest.get("engine", {}).get("engine") != "endpoint":
        return {name: "" if name == "served" else np.nan for name in ENDPOINT}
    parts, spent, twice = manifest["parts"].values(), manifest.get("spent", {}), manifest.get("twice", {})
    who = {" / ".join(filter(None, one[:3])) for part in parts for one in part.get("served", ())}
    return {
        "served": "; ".join(sorted(who)),
        **{to: spent.get(name, np.nan) for to, name in _SPENT.items()},
        "censored": sum(part.get("censored", 0) for part in parts),
        "in_flight": max((part.get("in_flight", 0) for part in parts), default=0) or np.nan,
        "twice_items": twice.get("items", np.nan),
        "twice_same": twice.get("same", np.nan),
        "twice_largest": twice.get("largest_difference", np.nan),
    }


#: Columns of what was spent, and their names in a run's account.
_SPENT = {"requests": "requests", "tokens_hidden": "hidden", "cost": "cost"}


def _sum_known(parts: Collection[Mapping[str, Any]], name: str) -> float:
    """Sum over parts; NaN if a part lacks it, since half a sum would pass for the whole."""
    return float(sum(part.get(name, np.nan) for part in parts)) if parts else np.nan
