"""How the chapter on speed shows its results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.shared.speed.analysis import DIFFERENCES, WAITING, Speed

#: A bias of the recorded NLP of this size and more is reported as over the bound.
BOUND = 0.005
#: Programs that ran at the same time, within a sentence.
NAMED = {
    "nothing": "with nothing else running",
    "Snakemake": "under a Snakemake that waits as here",
    "Snakemake, by default": "under one that looks every second",
    "a busy program": "with a program that keeps one core busy",
}


def server(result: Speed) -> str:
    """What llama.cpp's own server reaches, and what its log-probabilities cost it; empty if not measured."""
    words = [
        f"for {one['model']} the engine is {one['times_server']:.1f} times as fast as the server at its best "
        f"number of slots ({one['slots']}), and {one['times_server_no_logprobs']:.1f} times as fast as "
        f"the server without log-probabilities, which is {one['cost']:.1f} times as fast as the one with them"
        for one in result.server_facts
    ]
    return f"In this run, {'; '.join(words)}." if words else ""


def bias(result: Speed, bound: float = BOUND) -> str:
    """Whether each bias of the recorded NLP is under the bound, with its standard error."""
    recorded = [DIFFERENCES[part] for part in ("recorded", "recorded_single")]
    words = []
    for row in result.forced[result.forced["difference"].isin(recorded)].to_dict("records"):
        side = "under" if abs(row["bias"]) < bound else "over"
        error = f"standard error {row['standard_error']:.4f}"
        words.append(f"{row['model']}, {row['difference']}: {row['bias']:+.4f} ({error}), {side} {bound:g}")
    return f"Bias of the recorded NLP. {'; '.join(words)}."


def whole_studies(result: Speed) -> str:
    """The share of llama.cpp's bare rate over all five studies, by model; empty if not measured."""
    if result.studies.empty:
        return ""
    whole = result.studies[result.studies["study"] == "all five"]
    single = result.studies[result.studies["study"] != "all five"]
    least = single.sort_values("share_processor").to_dict("records")[0]
    left = listed([f"{row.share_processor:.2f} for {row.model}" for row in rows_of(whole)])
    return (
        f"Over all five studies the share of llama.cpp's bare rate that is left is {left}, counted in processor time, "
        f"which other programs disturb less than elapsed time. It is least, {least['share_processor']:.2f}, for "
        f"{least['model']} in {least['study']}."
    )


def waiting_threads(result: Speed) -> str:
    """How long other rules for waiting threads took, and whether every round agrees; empty if not measured."""
    rows = result.waiting.to_dict("records")
    ours = {row["beside"]: row for row in rows if row["waiting"] == WAITING["own"]}
    words = []
    for row in rows:
        own = ours[row["beside"]]
        if row is own:
            continue
        words.append(f"{NAMED[row['beside']]}, threads that {row['waiting']} took {_times(row, own)}")
    for beside in (name for name in ours if name.startswith("Snakemake")):
        times = _times(ours[beside], ours["nothing"])
        words.append(f"{NAMED[beside]}, the book's own took {times}, compared with nothing else running")
    if not words:
        return ""
    told = "; ".join(words)
    return f"Compared with the threads of this book, which spin for some microseconds and then sleep: {told}."


def new_models(result: Speed) -> str:
    """How long the ways to have a model took, and whether anything ran beside them; empty if not measured."""
    if result.cases.empty:
        return ""
    rows = result.cases.sort_values("total", kind="stable").to_dict("records")
    ends = " to ".join(f"{one['total'] / 60:.0f} minutes ({one['case']})" for one in (rows[0], rows[-1]))
    busy = sum(one["load"] >= 1 for one in rows)
    beside = f"In {busy} of {len(rows)} cases" if busy else "In no case"
    return f"It took {ends}. {beside} other programs were running when it began (a load of at least 1)."


def _times(row: Mapping[Any, Any], other: Mapping[Any, Any]) -> str:
    """How many times as long one took as the other, and whether the rounds agree."""
    sure = row["least"] > other["most"] or row["most"] < other["least"]
    rounds = "in every round" if sure else "by the median, which the rounds do not confirm"
    return f"{row['seconds'] / other['seconds']:.1f} times as long ({rounds})"


def answer(result: Speed) -> str:
    """How many times as fast the fits are as the field's package."""
    return (
        f"Fitted together, many tables get their meta-d' {result.fits['ratio'].iloc[-1]:,.0f} times as fast as by "
        "metadpy, the field's package."
    )


VIEWS = Views(
    "speed",
    sentences={
        "answer": answer,
        "server": server,
        "bias": bias,
        "whole_studies": whole_studies,
        "waiting_threads": waiting_threads,
        "new_models": new_models,
    },
)
