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


def growth_table(facts: dict[str, Any]) -> pd.DataFrame:
    """How the time of batched fits grows with the number of tables and of ratings."""
    return pd.DataFrame(facts["growth"])[["tables", "K", "seconds", "fits_per_s"]].rename(
        columns={"K": "ratings a side", "fits_per_s": "fits_per_second"}
    )


def collection_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Trials a second by engine, and the ratios."""
    rows = []
    for found in facts["results"]:
        rows.append(
            {
                "model": found["model"],
                "batched_engine": found["engine_trials_a_second"],
                "paper_loop": found["paper_loop_trials_a_second"],
                "same_without_logprobs": found["no_logprobs_trials_a_second"],
                "times_paper_loop": found["times_paper_loop_seconds"],
                "times_without_logprobs": found["times_no_logprobs_seconds"],
                "share_of_llama_cpp": found["share_of_llama_cpp_seconds"],
                "peak_memory_mb": max(run["peak_rss_mb"] for run in found["runs"]["engine"]),
            }
        )
    return pd.DataFrame(rows)


def time_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Where the batched engine's time goes: shares of wall time."""
    rows = []
    for found in facts["results"]:
        shares = pd.DataFrame([run["share_of_time"] for run in found["runs"]["engine"]]).mean()
        rows.append({"model": found["model"], **shares.to_dict()})
    return pd.DataFrame(rows)


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
