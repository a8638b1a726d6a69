"""Tables of the chapter on speed, read from the committed results of ``benchmarks/``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root


def result(name: str, folder: Path | None = None) -> dict[str, Any]:
    """One committed benchmark result, ``data/benchmarks/NAME.json``.

    Raises
    ------
    MetacogError
        If it is not there.
    """
    path = (folder or project_root() / "data" / "benchmarks") / f"{name}.json"
    if not path.is_file():
        raise MetacogError(f"there is no {path}: run benchmarks/{name}.py and copy its result there")
    return json.loads(path.read_text(encoding="utf-8"))


def fits_table(facts: dict[str, Any]) -> pd.DataFrame:
    """metacog against metadpy: fits a second and their ratio."""
    found = facts["against_metadpy"]
    return pd.DataFrame(
        [
            {
                "what": "metadpy, one table at a time",
                "fits_per_second": found["metadpy_fits_per_s"],
                "ratio": 1.0,
            },
            {
                "what": "metacog, one table at a time",
                "fits_per_second": 1000 / found["single_fit_ms"],
                "ratio": found["single_fit_ratio"],
            },
            {
                "what": f"metacog, {found['metacog_fits']:,} tables at once",
                "fits_per_second": found["metacog_fits_per_s"],
                "ratio": found["ratio"],
            },
        ]
    )


def sampled_table(facts: dict[str, Any]) -> pd.DataFrame:
    """metacog against metadpy's PyMC model: effective samples of meta-d' a second and their ratio."""
    theirs = facts["metadpy"]
    ours = min(facts["metacog"], key=lambda one: one["effective_per_s"])
    rows = (("metadpy with PyMC", theirs), ("metacog", ours))
    return pd.DataFrame(
        [
            {
                "what": name,
                "effective": one["effective"],
                "seconds": one["seconds"],
                "effective_per_second": one["effective_per_s"],
                "ratio": one["effective_per_s"] / theirs["effective_per_s"],
                "divergences": one["divergences"],
                "mean": one["mean"],
            }
            for name, one in rows
        ]
    )


def growth_table(facts: dict[str, Any]) -> pd.DataFrame:
    """How the time of batched fits grows with the number of tables and of ratings."""
    return pd.DataFrame(facts["growth"])[["tables", "K", "seconds", "fits_per_s"]].rename(
        columns={"K": "ratings a side", "fits_per_s": "fits_per_second"}
    )


def collection_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Trials a second of the engine and its peers, a row each, and how many times as fast the engine is."""
    rows = []
    for found in facts["results"]:
        peers = {"the batched engine": found["engine_trials_a_second"]}
        if found.get("server_slots"):
            slots = f"llama.cpp's own server, {found['server_slots']} slots"
            peers |= {
                slots: found["server_trials_a_second"],
                f"{slots}, without log-probabilities": found["server_no_logprobs_trials_a_second"],
            }
        peers |= {
            "the paper's loop": found["paper_loop_trials_a_second"],
            "the paper's loop, without log-probabilities": found["no_logprobs_trials_a_second"],
            "llama.cpp's bare decode": found.get(
                "bare_trials_a_second", found.get("bare_trials_a_second_without_sharing")
            ),
        }
        rows += [
            {
                "model": found["model"],
                "who": who,
                "trials_a_second": rate,
                "engine_is_times": found["engine_trials_a_second"] / rate,
            }
            for who, rate in peers.items()
        ]
    return pd.DataFrame(rows)


def server_sentence(facts: dict[str, Any]) -> str:
    """What llama.cpp's own server reaches, and what its log-probabilities cost it; "" if not measured."""
    words = []
    for found in facts["results"]:
        if not found.get("server_slots"):
            continue
        cost = found["server_no_logprobs_trials_a_second"] / found["server_trials_a_second"]
        words.append(
            f"for {found['model']} the engine is {found['times_server_seconds']:.1f} times as fast as "
            f"the server at its best number of slots ({found['server_slots']}), and "
            f"{found['times_server_no_logprobs_seconds']:.1f} times as fast as the server that gives no "
            f"log-probabilities, which is {cost:.1f} times as fast as the one that does"
        )
    return f"In this run, {'; '.join(words)}." if words else ""


def time_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Where the batched engine's time goes: shares of wall time, of llama.cpp alone, and memory."""
    rows = []
    for found in facts["results"]:
        runs = found["runs"]["engine"]
        seconds = sum(run["seconds"] for run in runs)
        parts = [run.get("parts") or _spent(run) for run in runs]
        shares = {name: sum(part[name] for part in parts) / seconds for name in parts[0]}
        shares["other"] = 1 - sum(shares.values())
        rows.append(
            {
                "model": found["model"],
                **shares,
                "share_of_llama_cpp": found["share_of_llama_cpp_seconds"],
                "peak_memory_mb": max(run["peak_rss_mb"] for run in runs),
            }
        )
    return pd.DataFrame(rows)


def _spent(run: dict[str, Any]) -> dict[str, float]:
    """Seconds by part, from a result that holds shares."""
    return {k: v * run["seconds"] for k, v in run["share_of_time"].items() if k != "other"}


def server_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Differences in NLP between a served model and the local engine."""
    return pd.DataFrame([{"comparison": name, **found} for name, found in facts["differences"].items()])


#: Differences between two ways of scoring a text, by their name in the check's record.
DIFFERENCES = {
    "recorded": "recorded less forced decode, whole text at once",
    "recorded_single": "recorded less forced decode, token by token",
    "batch_shapes": "one forced decode less the other",
}


def forced_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Recorded NLP against an independent forced decode, and llama.cpp against itself in two shapes."""
    return pd.DataFrame(
        [
            {
                "model": model,
                "difference": label,
                "trials": found["n_trials"],
                "bias": found[part]["nlp_mean"],
                "standard_error": found[part]["nlp_se"],
                "sd": found[part]["nlp_sd"],
                "largest": found[part]["nlp_max_abs"],
            }
            for model, found in facts.items()
            for part, label in DIFFERENCES.items()
        ]
    )


def bias_sentence(table: pd.DataFrame, bound: float = 0.005) -> str:
    """Say whether each bias of the recorded NLP is under the bound, beside its standard error."""
    words = []
    recorded = [DIFFERENCES[part] for part in ("recorded", "recorded_single")]
    for row in table[table["difference"].isin(recorded)].to_dict("records"):
        state = "under" if abs(row["bias"]) < bound else "over"
        what = f"{row['model']}, {row['difference']}"
        words.append(
            f"{what}: {row['bias']:+.4f} (standard error {row['standard_error']:.4f}), {state} {bound:g}"
        )
    return f"Bias of the recorded NLP. {'; '.join(words)}."
