"""Can the confidence of a model be used: how often is it right, where to draw the line, which signal to take?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import ended, rows_of, with_ends
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt import auroc2, auroc2_interval
from metacog.sdt.abstention import abstain_held_out, cluster_halves, resample_held_out
from metacog.sdt.gate import TOLD, gate
from metacog.sdt.intervals import percentile_limits, wilson
from metacog.sdt.resampling import weight_chunks
from metacog.studies.contributions import signal_areas_of
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.asking.marking import marking_of
from metacog.studies.study1_qa.cells import REFERENCE, open_trials, primary
from metacog.studies.study1_qa.paper import NAMES
from metacog.trials import AGREEMENT, NLP, P_TRUE, SCORE, SIGNAL, VERBAL, signals_of
from metacog.verdicts.promises import SIMULATED, fewest_rows

# What readers call each signal.

SIGNAL_NAMES = {NLP: "log-probability", VERBAL: "stated number", P_TRUE: "P(True)", AGREEMENT: "agreement"}


# How often an answer is right, by the number that the model states: the mean probability of the answer's words.

#: Bins of stated confidence, each of equal width.
N_BINS = 10
#: An answer is sure from here, and unsure below the other.
SURE, UNSURE = 0.9, 0.5
#: Fewer sure answers than this say nothing.
FEWEST = 20
STATED = ("model", "temperature", "sampling", "bin", "stated", "n", "right", "right_lower", "right_upper")


def temperatures(trials: pd.DataFrame) -> list[float]:
    there = {float(t) for t in trials["temperature"].unique()}
    return [t for t in dict.fromkeys((min(there, default=REFERENCE), REFERENCE)) if t in there]


def cells(trials: pd.DataFrame) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Answers with a confidence, of each model at each of :func:`temperatures`."""
    for model, own in trials.groupby("model", sort=False):
        for temperature in temperatures(trials):
            known = own[(own["temperature"] == temperature) & own["confidence"].notna()]
            about = {"model": str(model), "temperature": temperature}
            yield about | {"sampling": f"temperature {temperature:g}"}, known


def share(name: str, right: pd.Series) -> dict[str, float]:
    """A share with its 95 % interval (Wilson); nothing of no answers."""
    if not len(right):
        return dict.fromkeys(with_ends(name), float("nan"))
    value = float(right.mean())
    return ended(name, value, *map(float, wilson(value, len(right))))


def reliability(trials: pd.DataFrame) -> pd.DataFrame:
    """Answers in bins of stated confidence, closed on the left, the highest on both sides; empty ones are left out."""
    rows = []
    for about, known in cells(trials):
        place = np.minimum((known["confidence"] * N_BINS + 1e-9).astype(int), N_BINS - 1)
        for number, own in known.groupby(place):
            low = int(str(number)) / N_BINS
            label = f"{low:g} to {low + 1 / N_BINS:g}"
            row = {**about, "bin": label, "stated": float(own["confidence"].mean()), "n": len(own)}
            rows.append(row | share("right", own["correct"]))
    return pd.DataFrame(rows, columns=list(STATED))


def sure_answers(trials: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for about, known in cells(trials):
        high, low = (known[known["confidence"] >= SURE], known[known["confidence"] < UNSURE])
        row = {**about, "asked": len(known), "n_sure": len(high), **share("sure", high["correct"])}
        row |= {"n_unsure": len(low), **share("unsure", low["correct"])}
        row["n_caught"] = int((known["confidence"].lt(SURE) & ~known["correct"].astype(bool)).sum())
        both = known["correct"].nunique() == 2
        rows.append(row | {"auroc2": auroc2(known["correct"], known["confidence"]) if both else float("nan")})
    return pd.DataFrame(rows)


# What a threshold of confidence withholds: chosen on one half of the questions, judged on the other.

#: Thresholds that a reader can choose.
GRID = tuple(round(step / 100, 2) for step in range(101))


def first_half(questions: pd.Series, seed: int) -> frozenset[str]:
    """Half of the questions, for choosing; the same ones for every model and temperature."""
    ids = sorted(questions.unique())
    if len(ids) < 2:
        return frozenset()
    _, first = cluster_halves(None, len(ids), seed=seed)
    return frozenset(np.array(ids, dtype=object)[first].tolist())


def thresholds(trials: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """What every threshold of :data:`GRID` does in the half of the questions to judge by, and in that to choose by.

    The one ``picked`` makes the most right decisions in the latter (right answers given, wrong ones withheld), the
    lowest such.
    """
    half = first_half(trials["question_id"], seed)
    found = []
    for about, known in cells(trials):
        choosing = known["question_id"].isin(half)
        if choosing.all() or not choosing.any():
            continue
        parts = (known[choosing], known[~choosing])
        one, other = (gate(part["correct"], part["confidence"], thresholds=GRID) for part in parts)
        chosen = {f"chosen_{name}": one.told()[name] for name in TOLD}
        places = pd.DataFrame(other.told() | chosen).assign(**about, n=other.n)
        found.append(places.assign(picked=places.index == one.picked))
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame()


def gains(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """What abstaining gains in right decisions over the better of answering all and none, as study 3 counts them."""
    rows = []
    for about, known in cells(trials):
        row = {**about, "n": len(known)}
        if known["question_id"].nunique() > 1:
            arrays = known["correct"].to_numpy(bool), known["confidence"].to_numpy(float)
            unit = known["question_id"].to_numpy()
            n = len(np.unique(unit))
            held = abstain_held_out(*arrays, clusters=unit, seed=seed)
            drawn = [
                resample_held_out(*arrays, unit, weights, seed=seed).gain
                for weights in weight_chunks(n, n_resamples, seed, 8 * n)
            ]
            row |= ended("gain", held.gain, *percentile_limits(np.concatenate(drawn)))
            row["accuracy"] = held.pooled.accuracy
        rows.append(row)
    return pd.DataFrame(
        rows, columns=["model", "temperature", "sampling", "n", "accuracy", *with_ends("gain")]
    )


# What asking takes, and what each signal is worth for open answers: rows for the page that compares tasks.


#: Questions of the bill, and what is counted of each.
BILLED = 1_000
COUNTED = ("requests", "prompt_tokens", "answer_tokens")


def task(temperature: float) -> str:
    return f"open question, temperature {temperature:g}"


@analysis(name="signal_areas", needs=("open", "draws", "compared_signals"))
def signal_areas(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """How well does each signal tell right answers from wrong ones, and what does abstaining by it gain?"""
    trials = primary(open_trials(inputs))
    compared = inputs.result("compared_signals").table
    asked = compared[["model", "n", *with_ends("auroc2")]].assign(
        task=task(REFERENCE), signal=compared[SIGNAL].map(SIGNAL_NAMES), why=compared["flag"]
    )
    rows: list[Any] = [
        *_of_run(trials),
        *_of_draws(trials, inputs.trials("draws")),
        *asked.to_dict("records"),
    ]
    decided = gains(trials, n_resamples=n_resamples, seed=seed)
    read = signals_of(trials)
    told = decided.assign(
        task=decided["temperature"].map(task),
        signal=[SIGNAL_NAMES[read[model]] for model in decided["model"]],
    )
    return signal_areas_of(rows, told)


def _row(model: object, temperature: float, signal: str, own: pd.DataFrame, score: str) -> dict[str, object]:
    about = {"model": str(model), "task": task(temperature), "signal": SIGNAL_NAMES[signal], "n": len(own)}
    if own["correct"].nunique() < 2 or own[score].nunique() < 2:
        return about | {"why": "too few answers, or always the same confidence"}
    found = auroc2_interval(own["correct"], own[score])
    return about | ended("auroc2", found.estimate, found.lower, found.upper)


def _of_run(trials: pd.DataFrame) -> list[dict[str, object]]:
    known, read = trials[trials[SCORE].notna()], signals_of(trials)
    return [
        _row(model, t, read[str(model)], own[own["temperature"] == t], SCORE)
        for model, own in known.groupby("model", sort=False)
        for t in temperatures(trials)
    ]


def _of_draws(trials: pd.DataFrame, more: pd.DataFrame) -> list[dict[str, object]]:
    """Agreement: the share of a question's further draws that are the same answer as its first."""
    first = trials[(trials["temperature"] == REFERENCE) & (trials["answer"].str.strip() != "")]
    dataset = trials["dataset"].iloc[0]
    marking = marking_of(dataset)
    others = more[more["dataset"] == dataset].groupby(["model", "question_id"])["answer"].agg(list)
    rows = []
    for model, own in first.groupby("model", sort=False):
        asked = own[[(model, one) in others.index for one in own["question_id"]]]
        same = [
            np.mean([marking.same(one.answer, other) for other in others[model, one.question_id]])
            for one in rows_of(asked)
        ]
        if len(asked):
            rows.append(_row(model, REFERENCE, AGREEMENT, asked.assign(same=same), "same"))
    return rows


@analysis(needs=("open", "compared_signals"), files=(SIMULATED,), across="signal_areas", both_runs=True)
def use(inputs: Inputs, *, seed: int = 42) -> dict[str, Any]:
    """When it says .9, how often is it right, and what can be done with that?"""
    trials = primary(open_trials(inputs))
    found = list(inputs.across().values())
    areas, gains = (
        _in_order(pd.concat([getattr(one, name) for one in found], ignore_index=True))
        for name in ("areas", "gains")
    )
    compared = inputs.result("compared_signals")
    return {
        "reliability": reliability(trials),
        "sure": sure_answers(trials),
        "thresholds": thresholds(trials, seed=seed),
        "areas": areas.assign(told=[_told(row) for row in rows_of(areas)]),
        "gains": gains,
        "lost": _by_signal(compared.losses),
        "bill": bill(compared.table),
        "n_compared": compared.n_questions,
        "split_seed": seed,
    }


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of one model together, and in them of one task, each in the order in which they come."""
    places = [table.groupby(name, sort=False).ngroup() for name in ("task", "model")]
    ordered = table.iloc[np.lexsort(places)].reset_index(drop=True)
    return ordered.assign(asked=ordered["model"] + ": " + ordered["task"])


def bill(table: pd.DataFrame) -> pd.DataFrame:
    """What each signal takes beyond the answers themselves, for :data:`BILLED` questions: the mean over models.

    The answers, with their log-probabilities, come first; last the answer of another of the models.
    """
    answers = table.loc[table[SIGNAL] == NLP, ["model", *COUNTED]]
    more = table[table[SIGNAL] != NLP].merge(answers, on="model", suffixes=("", "_own"))
    more = more.assign(**{name: (more[name] - more[f"{name}_own"]).clip(lower=0) for name in COUNTED})
    second = answers.merge(answers, how="cross", suffixes=("_asked", "")).query("model_asked != model")
    parts = [
        answers.assign(asked="the answers, with log-probability"),
        more.assign(asked=more[SIGNAL].map(SIGNAL_NAMES)),
        second.assign(asked="another model's answer"),
    ]
    made = pd.concat(parts)[["asked", *COUNTED]].groupby("asked", sort=False).mean()
    return (BILLED * made).reset_index()


def _by_signal(table: pd.DataFrame) -> pd.DataFrame:
    names = table[SIGNAL].map(SIGNAL_NAMES)
    return table.assign(signal=names, asked=table["model"] + ": " + names)


def _told(row: Any) -> str:
    if np.isnan(row.auroc2):
        return str(row.why) or "not measured"
    low, high = row.auroc2_lower, row.auroc2_upper
    ends = "" if np.isnan(low) else f", 95 % interval {low:.2f} to {high:.2f}"
    return f"{row.auroc2:.2f}{ends}, {int(row.n):,} answers"


def _surest(table: pd.DataFrame) -> pd.Series:
    return table.sort_values("n_sure", ascending=False, kind="stable").iloc[0]


def _coolest(result: Any) -> pd.DataFrame:
    table: pd.DataFrame = result.sure
    return table[table["temperature"] == table["temperature"].min()]


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand, of the model with the most answers above nine tenths."""
    if result.sure.empty or not result.sure["asked"].any():
        names = ("sure", "sure_lower", "unsure", "n_sure", "n_unsure", "n_caught", "asked", "model")
        row: dict[Any, Any] = dict.fromkeys(names, np.nan)
        most: list[int] = []
    else:
        row = _surest(_coolest(result)).to_dict()
        most = sorted(_coolest(result)["n_sure"])
    areas = 100 * _coolest(result)["auroc2"].dropna() if len(result.sure) else pd.Series(dtype=float)
    asked_more = result.areas[result.areas["task"] == task(REFERENCE)].dropna(subset=["auroc2"])
    of_signal = {
        name: 100 * asked_more.loc[asked_more["signal"] == SIGNAL_NAMES[one], "auroc2"]
        for name, one in MORE.items()
    }
    doubting = asked_more.loc[asked_more["signal"] == SIGNAL_NAMES[P_TRUE], "model"]
    return {
        "p_true_models": listed(dict.fromkeys(doubting)),
        **{f"{name}_least": values.min() for name, values in of_signal.items()},
        **{f"{name}_most": values.max() for name, values in of_signal.items()},
        "short_n": len(areas),
        "short_least": areas.min(),
        "short_most": areas.max(),
        "surest_model": row["model"],
        "surest_right": 100 * row["sure"],
        "surest_right_lower": 100 * row["sure_lower"],
        "surest_answered": 100 * row["n_sure"] / row["asked"],
        "surest_n": row["n_sure"],
        "surest_asked": row["asked"],
        "surest_held": row["asked"] - row["n_sure"],
        "surest_caught": row["n_caught"],
        "surest_looks": (row["asked"] - row["n_sure"]) / row["n_caught"] if row["n_caught"] else np.nan,
        "margin_held": (held := row["asked"] - row["n_sure"] - row["n_unsure"]),
        "margin_caught": (caught := row["n_caught"] - row["n_unsure"] * (1 - row["unsure"])),
        "margin_looks": held / caught if caught else np.nan,
        "unsure_right": 100 * row["unsure"],
        "unsure_n": row["n_unsure"],
        **{
            f"rows_{100 - promised:.0f}_{accuracy:.0f}_{area:.0f}": fewest_rows(
                promised / 100, accuracy / 100, area / 100
            )
            for promised in (90, 95)
            for accuracy in (70, 90)
            for area in (65, 80)
        },
        "others_rarely": bool(len(most) > 1 and most[-2] < row["asked"] / 10),
    }


#: Signals that take another reply, which chapters tell of.
MORE = {"p_true": P_TRUE, "agreement": AGREEMENT}

VIEWS = Views("use", names=NAMES, numbers=figures)
