"""How the chapter on speed shows its results."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.drawing import drawing
from metacog.report.style import GREY, height_of, name_rows, new_axes
from metacog.report.tables import Schema, columns_of, count, number, text
from metacog.report.views import Views
from metacog.studies.shared.speed.analysis import DIFFERENCES, WAITING, Speed
from metacog.trials.signals import AGREEMENT, NLP, P_TRUE, VERBAL

#: A bias of the recorded NLP of this size and more is reported as over the bound.
BOUND = 0.005
#: Programs that ran at the same time, within a sentence.
NAMED = {
    "nothing": "with nothing else running",
    "Snakemake": "under a Snakemake that waits as here",
    "Snakemake, by default": "under one that looks every second",
    "a busy program": "with a program that keeps one core busy",
}


#: What confidence was taken from, within a table.
SIGNALS = {
    NLP: "NLP",
    VERBAL: "the percentage it writes",
    P_TRUE: "P(True)",
    AGREEMENT: "agreement of further answers",
}


def _with_signals(cases: pd.DataFrame) -> pd.DataFrame:
    """The same rows, their signals in words."""
    return cases.assign(signal=[SIGNALS.get(name, name) for name in cases["signal"]])


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


def ratios(result: Speed) -> pd.DataFrame:
    """How many times as fast this project's code is as each peer: ``what, times``."""
    fits, sampled = result.fits.iloc[-1], result.sampled.iloc[-1]
    made = [
        (f"fits: {fits['what']}", fits["ratio"]),
        ("posteriors: effective draws per second", sampled["ratio"]),
    ]
    peers = result.collected[result.collected["engine_is_times"] != 1]
    made += [(f"trials, {r.model}: {r.who}", r.engine_is_times) for r in rows_of(peers)]
    return pd.DataFrame(made, columns=["what", "times"])


def answer(result: Speed) -> str:
    """How many times as fast the fits are as the field's package."""
    return (
        f"Fitted together, many tables get their meta-d' {result.fits['ratio'].iloc[-1]:,.0f} times as fast as by "
        "metadpy, the field's package."
    )


@drawing(
    name="fig-speed-ratios",
    caption=(
        "How many times as fast this project's code is as each peer, on a logarithmic axis. Left of the dashed line "
        "the peer is faster. The bare decode is a yardstick and no program."
    ),
    alt="Times as fast as each peer, on a logarithmic axis",
)
def ratio_figure(result: Speed) -> Figure:
    """How many times as fast as each peer."""
    rows = ratios(result)
    figure, axis = new_axes(height=height_of(2 * len(rows)))
    axis.plot(rows["times"], range(len(rows)), ls="none", marker="o", ms=7)
    axis.axvline(1, color=GREY, lw=1.2, ls="--")
    axis.set_xscale("log")
    axis.xaxis.set_major_formatter("{x:,g}")
    name_rows(axis, [textwrap.fill(name, 38) for name in rows["what"]])
    axis.set_xlabel("times as fast")
    return figure


VIEWS = Views(
    "speed",
    tables={
        "fits": Schema(
            "fits",
            columns_of(
                text("what", "What"),
                number("fits_per_second", "Fits per second", 1),
                number("ratio", "Ratio", 0),
            ),
            "K = 4 ratings per side.",
        ),
        "sampled": Schema(
            "sampled",
            columns_of(
                text("what", "What"),
                count("effective", "Effective draws of meta-d'"),
                number("seconds", "Seconds", 1),
                number("effective_per_second", "Effective draws per second", 1),
                number("ratio", "Ratio", 1),
                count("divergences", "Divergences"),
                number("mean", "Posterior mean"),
            ),
            "One table of 10,000 trials, K = 5, four chains of 1,000 kept draws each; compilation excluded.",
        ),
        "growth": Schema(
            "growth",
            columns_of(
                count("tables", "Tables"),
                count("ratings a side", "Ratings per side"),
                number("seconds", "Seconds", 4),
                number("fits_per_second", "Fits per second", 0),
            ),
            "Growth with tables and ratings.",
        ),
        "collected": Schema(
            "collected",
            columns_of(
                text("model", "Model"),
                text("who", ""),
                number("trials_a_second", "Trials per second", 2),
                number("engine_is_times", "The engine is ... times as fast", 2),
            ),
            "Trials per second (default profile's prompt, temperatures and token limit).",
        ),
        "times": Schema(
            "times",
            columns_of(
                text("model", "Model"),
                number("prompt", "prompts", 2, group="Share of time"),
                number("step", "answers", 2, group="Share of time"),
                number("sampling", "sampling", 2, group="Share of time"),
                number("bookkeeping", "bookkeeping", 2, group="Share of time"),
                number("other", "other", 2, group="Share of time"),
                number("share_of_llama_cpp", "llama.cpp alone", 2),
                number("peak_memory_mb", "Peak memory, MB", 0),
            ),
            "Where the engine's time goes.",
        ),
        "served": Schema(
            "served",
            columns_of(
                text("comparison", "Compared"),
                count("answers", "Answers"),
                count("same_text", "Same text"),
                number("bias", "Bias", 5),
                number("standard_error", "Standard error", 5),
                number("spread_sd", "Standard deviation", 5),
                number("largest", "Largest", 5),
            ),
            "Differences in NLP.",
        ),
        "cases": Schema(
            "cases",
            columns_of(
                text("case", "What it is"),
                number("add_model", "Adding it", 0, group="Seconds"),
                number("of_it_collecting", "collecting", 0, group="Seconds"),
                number("total", "in all", 0, group="Seconds"),
                count("replies", "Replies"),
                count("requests", "Requests"),
                text("signal", "Confidence"),
                number("unanswered", "Still thinking", 2),
                number("load", "Load", 1),
                text("commit", "Program of commit"),
            ),
            "One small model in each way that people have models, from the command to its rendered page.",
            pick=_with_signals,
            empty="Not measured yet: benchmarks/five_cases.py does it.",
        ),
        "studies": Schema(
            "studies",
            columns_of(
                text("model", "Model"),
                text("study", "Asked"),
                count("items", "Items"),
                count("tokens", "Tokens computed"),
                number("share", "by the clock", 2, group="Share"),
                number("share_processor", "by the processor", 2, group="Share"),
                number("load", "Load", 1),
            ),
            "Time that llama.cpp alone needs for the same calls, as a share of the time of asking.",
            empty="Not measured yet: benchmarks/study_speed.py does it.",
        ),
        "waiting": Schema(
            "waiting",
            columns_of(
                text("waiting", "Threads that wait"),
                text("beside", "Running at the same time"),
                number("seconds", "Seconds", 1),
                number("least", "fewest", 1),
                number("most", "most", 1),
                number("load", "Load", 1),
            ),
            "The same questions collected with threads that wait in three ways, with other programs running or none.",
            empty="Not measured yet: benchmarks/waiting_threads.py does it.",
        ),
        "forced": Schema(
            "forced",
            columns_of(
                text("model", "Model"),
                text("difference", "Difference"),
                count("trials", "Trials"),
                number("bias", "Bias", 4),
                number("standard_error", "Standard error", 4),
                number("sd", "sd", 4),
                number("largest", "Largest", 4),
            ),
            "Differences in NLP of sampled answers.",
        ),
    },
    figures={"ratios": ratio_figure},
    sentences={
        "answer": answer,
        "server": server,
        "bias": bias,
        "whole_studies": whole_studies,
        "waiting_threads": waiting_threads,
        "new_models": new_models,
    },
)
