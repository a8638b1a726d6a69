"""Tables of the chapter on speed, read from the committed results of ``benchmarks/``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis

#: What the cases of ``benchmarks/five_cases.py`` are to a reader.
CASES = {
    "chat": "a chat API without log-probabilities",
    "reasoning": "a server with a field of thoughts",
    "think-block": "a template that opens a think block",
    "llama-server": "llama.cpp's own server",
    "local": "a GGUF file on this machine",
    "hub": "a GGUF file from the hub's paths",
}
#: Results that a fork may lack: their tables have no rows then.
EMPTY: dict[str, dict[str, Any]] = {
    "five_cases": {"cases": {}},
    "study_speed": {"rows": [], "whole_processor": {}},
    "waiting_threads": {"rows": []},
}


def result(name: str, folder: Path | None = None) -> dict[str, Any]:
    """One committed benchmark result, ``data/benchmarks/NAME.json``; one of :data:`EMPTY` where it is missing."""
    path = (folder or project_root() / "data" / "benchmarks") / f"{name}.json"
    if path.is_file():
        return json.loads(path.read_text(encoding="utf-8"))
    if name in EMPTY:
        return EMPTY[name]
    raise MetacogError(f"there is no {path}: run benchmarks/{name}.py and copy its result there")


def fits_table(facts: dict[str, Any]) -> pd.DataFrame:
    """metacog against metadpy: fits per second and their ratio."""
    found = facts["against_metadpy"]
    rows = [
        ("metadpy, one table at a time", found["metadpy_fits_per_s"], 1.0),
        ("metacog, one table at a time", 1000 / found["single_fit_ms"], found["single_fit_ratio"]),
        (f"metacog, {found['metacog_fits']:,} tables at once", found["metacog_fits_per_s"], found["ratio"]),
    ]
    return pd.DataFrame(rows, columns=["what", "fits_per_second", "ratio"])


def sampled_table(facts: dict[str, Any]) -> pd.DataFrame:
    """metacog against metadpy's PyMC model: effective samples of meta-d' per second and their ratio."""
    theirs = facts["metadpy"]
    ours = min(facts["metacog"], key=lambda one: one["effective_per_s"])
    rows = [
        (name, one["effective"], one["effective_per_s"], one["effective_per_s"] / theirs["effective_per_s"])
        for name, one in (("metadpy with PyMC", theirs), ("metacog", ours))
    ]
    return pd.DataFrame(rows, columns=["what", "effective", "effective_per_second", "ratio"])


def collection_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Trials per second of the engine and its peers, and how many times as fast the engine is."""
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
        own = found["engine_trials_a_second"]
        rows += [(found["model"], who, rate, own / rate) for who, rate in peers.items()]
    return pd.DataFrame(rows, columns=["model", "who", "trials_a_second", "engine_is_times"])


def cases_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Kinds of model that people have: from ``add-model`` to the page, and what that took."""
    rows = []
    for name, found in facts["cases"].items():
        seconds = found["seconds"]
        total = seconds["add_model"] + seconds["book"]
        asked = found["replies"], found.get("requests"), found["unanswered"]
        rows.append((CASES[name], total, seconds["of_it_collecting"], *asked, found["load"]["before"]))
    columns = ["case", "total", "of_it_collecting", "replies", "requests", "unanswered", "load"]
    return pd.DataFrame(rows, columns=columns if rows else None)


def studies_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Share of llama.cpp's bare rate, in processor time, that is left by each study, and by all of them."""
    rows = [
        (row["model"], f"study {row['study'].removeprefix('study').split('_')[0]}", row["share_processor"])
        for row in facts["rows"]
    ]
    rows += [(model, "all five", share) for model, share in facts["whole_processor"].items()]
    table = pd.DataFrame(rows, columns=["model", "study", "share_processor"] if rows else None)
    return table.sort_values("model", kind="stable", ignore_index=True) if rows else table


#: What threads do while they wait, by its name in the record.
WAITING = {
    "own": "spin for some microseconds, then sleep (as here)",
    "spin": "spin",
    "sleep": "sleep at once",
}


def waiting_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Seconds of collecting by what threads do while they wait, and by what runs at the same time."""
    rows = [
        (WAITING[r["waiting"]], r["beside"], r["median"], min(r["seconds"]), max(r["seconds"]))
        for r in facts["rows"]
    ]
    columns = ["waiting", "beside", "seconds", "least", "most"]
    return pd.DataFrame(rows, columns=columns if rows else None)


#: Differences between two ways of scoring a text, by their name in the check's record.
DIFFERENCES = {
    "recorded": "recorded minus forced decode, whole text at once",
    "recorded_single": "recorded minus forced decode, token by token",
    "batch_shapes": "one forced decode minus the other",
}


def forced_table(facts: dict[str, Any]) -> pd.DataFrame:
    """Recorded NLP against an independent forced decode, and llama.cpp against itself in two shapes."""
    rows = [
        (model, label, found["n_trials"], found[part]["nlp_mean"], found[part]["nlp_se"])
        for model, found in facts.items()
        for part, label in DIFFERENCES.items()
    ]
    return pd.DataFrame(rows, columns=["model", "difference", "trials", "bias", "standard_error"])


def ratios(fits: pd.DataFrame, sampled: pd.DataFrame, collected: pd.DataFrame) -> pd.DataFrame:
    """How many times as fast this project's code is as each peer: ``peer, job, times``."""
    made = [
        ("metadpy", "fits", fits["ratio"].iloc[-1]),
        ("metadpy with PyMC", "posteriors", sampled["ratio"].iloc[-1]),
    ]
    peers = collected[collected["engine_is_times"] != 1]
    made += [
        (re.sub(r", \d+ slots", "", r.who), f"trials of {r.model}", r.engine_is_times) for r in rows_of(peers)
    ]
    return pd.DataFrame(made, columns=["peer", "job", "times"])


@analysis(files=("data/benchmarks/*.json",))
def speed(inputs: Inputs) -> dict[str, Any]:
    """How fast, compared with whom?"""
    fits, sampled, collected, forced = (result(n) for n in ("meta_d", "bayes", "collect", "nlp_check"))
    numbers = {
        "compile": fits["against_metadpy"]["compile_s"],
        "bootstrap": fits["bootstrap_one_cell"]["seconds"],
        "v1_seconds": fits["v1"]["seconds_with_compile"],
        "v1_fits": fits["v1"]["fits"],
        "v1_memory": fits["v1"]["peak_memory_gib"],
        "cores": fits["machine"]["cores"],
        "sampled_first": sampled["ratio_first_call"],
        "sampled_load": sampled["machine"]["load_before"],
    }
    fitted, asked = fits_table(fits), collection_table(collected)
    return {
        "fits": fitted,
        "collected": asked,
        "forced": forced_table(forced),
        "cases": cases_table(result("five_cases")),
        "studies": studies_table(result("study_speed")),
        "waiting": waiting_table(result("waiting_threads")),
        "numbers": numbers,
        "ratios": ratios(fitted, sampled_table(sampled), asked),
    }


VIEWS = Views(
    "speed",
    numbers=lambda r: {
        name: float(f"{times:.1e}")
        for name, times in zip(("singly", "at_once"), r.fits["ratio"].iloc[1:], strict=True)
    },
)
