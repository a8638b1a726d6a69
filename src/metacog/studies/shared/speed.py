"""Tables of the chapter on speed, read from the committed results of ``benchmarks/``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.report.views import Views
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: What the cases of ``benchmarks/five_cases.py`` are to a reader.
CASES = {
    "chat": "a chat API without log-probabilities",
    "reasoning": "a server with a field of thoughts",
    "think-block": "a template that opens a think block",
    "llama-server": "llama.cpp's own server",
    "local": "a GGUF file on this machine",
    "hub": "a GGUF file from the hub's paths",
}


def result_file(name: str, folder: Path | None = None) -> Path:
    """Where the committed result of a benchmark lies."""
    return (folder or project_root() / "data" / "benchmarks") / f"{name}.json"


def result(name: str, folder: Path | None = None) -> dict[str, Any]:
    """One committed benchmark result, ``data/benchmarks/NAME.json``.

    Raises
    ------
    MetacogError
        If it is not there.
    """
    path = result_file(name, folder)
    if not path.is_file():
        raise MetacogError(f"there is no {path}: run benchmarks/{name}.py and copy its result there")
    return json.loads(path.read_text(encoding="utf-8"))


def fits_table(facts: dict[str, Any]) -> pd.DataFrame:
    """metacog against metadpy: fits per second and their ratio."""
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
    """metacog against metadpy's PyMC model: effective samples of meta-d' per second and their ratio."""
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


def cases_table(folder: Path | None = None) -> pd.DataFrame:
    """Kinds of model that people have: from ``add-model`` to the page, what that took, and on which signal.

    Without rows where ``benchmarks/five_cases.py`` has not been run.
    """
    facts = {"cases": {}} if not result_file("five_cases", folder).is_file() else result("five_cases", folder)
    return pd.DataFrame(
        [
            {
                "case": CASES[name],
                **{part: found["seconds"][part] for part in ("add_model", "of_it_collecting")},
                "total": found["seconds"]["add_model"] + found["seconds"]["book"],
                "replies": found["replies"],
                "requests": found.get("requests"),
                "signal": found["signal"],
                "unanswered": found["unanswered"],
                "load": found["load"]["before"],
                "commit": found["commit"],
            }
            for name, found in facts["cases"].items()
        ]
    )


def _measured(name: str, folder: Path | None) -> dict[str, Any]:
    """A result that a fork may lack; without rows then."""
    return (
        result(name, folder) if result_file(name, folder).is_file() else {"rows": [], "whole_processor": {}}
    )


def studies_table(folder: Path | None = None) -> pd.DataFrame:
    """Share of llama.cpp's bare rate that is left when each study is asked, and over all of them.

    Without rows where ``benchmarks/study_speed.py`` has not been run.
    """
    facts = _measured("study_speed", folder)
    rows = [
        {
            "model": row["model"],
            "study": f"study {row['study'].removeprefix('study').split('_')[0]}",
            "items": row["items"],
            "tokens": row["tokens"],
            "share": row["share"],
            "share_processor": row["share_processor"],
            "load": max(one["load"] for one in row["rounds"]),
        }
        for row in facts["rows"]
    ]
    whole = [
        {"model": model, "study": "all five", "share": facts["whole"][model], "share_processor": share}
        for model, share in facts["whole_processor"].items()
    ]
    table = pd.DataFrame(rows + whole)
    return table.sort_values("model", kind="stable", ignore_index=True) if len(table) else table


#: What threads do while they wait, by its name in the record.
WAITING = {
    "own": "spin for some microseconds, then sleep (as here)",
    "spin": "spin",
    "sleep": "sleep at once",
}


def waiting_table(folder: Path | None = None) -> pd.DataFrame:
    """Seconds of collecting by what threads do while they wait, and by what runs at the same time.

    Without rows where ``benchmarks/waiting_threads.py`` has not been run.
    """
    return pd.DataFrame(
        [
            {
                "waiting": WAITING[row["waiting"]],
                "beside": row["beside"],
                "seconds": row["median"],
                "least": min(row["seconds"]),
                "most": max(row["seconds"]),
                "load": max(row["load"]),
            }
            for row in _measured("waiting_threads", folder)["rows"]
        ]
    )


#: Differences between two ways of scoring a text, by their name in the check's record.
DIFFERENCES = {
    "recorded": "recorded minus forced decode, whole text at once",
    "recorded_single": "recorded minus forced decode, token by token",
    "batch_shapes": "one forced decode minus the other",
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
        "cases": cases_table(),
        "studies": studies_table(),
        "waiting": waiting_table(),
        "numbers": numbers,
        "ratios": ratios(fitted, sampled_table(sampled), asked),
    }


# What is said of it.


def answer(result: Any) -> str:
    """How many times as fast the fits are as the field's package, of one run, to two digits."""
    singly, at_once = (float(f"{times:.1e}") for times in result.fits["ratio"].iloc[1:])
    return (
        f"In one run, fits of meta-d' were about {at_once:,.0f} times as fast as metadpy's, many at once; singly, "
        f"about {singly:,.0f} times."
    )


VIEWS = Views("speed", sentences={"answer": answer})
