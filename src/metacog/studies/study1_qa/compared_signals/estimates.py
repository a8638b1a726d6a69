"""AUROC2 and meta-I of every signal on the same questions, and what each loses against NLP."""

from __future__ import annotations

import math

import pandas as pd

from metacog.measures.cell import MIN_PARSED
from metacog.measures.table import Options, measure_table
from metacog.sdt.area_comparison import area_contrast
from metacog.trials.signals import NLP, SCORE, SIGNAL

#: Measures with their intervals.
AREA = ("auroc2", "auroc2_lower", "auroc2_upper")
BITS = ("meta_i2r", "meta_i2r_lower", "meta_i2r_upper", "p_meta_i2r", "meta_i")
MEASURES = ("accuracy", *AREA, *BITS)
COLUMNS = ("model", SIGNAL, "asked", "n", "known", "n_values", *MEASURES, "flag", "coverage")
#: What is lost where NLP is read off the answer at a low temperature, which knows nothing of the luck of the draw.
COOL = ("cool", "auroc2_cool", "cool_lost", "cool_lower", "cool_upper")
LOST = ("model", SIGNAL, "n", "same", "auroc2_nlp", "auroc2", "lost", "lower", "upper", "why", *COOL)


def with_confidence(trials: pd.DataFrame) -> pd.DataFrame:
    """Answers that are not empty and have a confidence."""
    return trials[(trials["answer"].str.strip() != "") & trials[SCORE].notna()]


def signal_table(trials: pd.DataFrame, costs: pd.DataFrame, options: Options) -> pd.DataFrame:
    """Every signal of every model.

    Parameters
    ----------
    trials : DataFrame
        One answer a question, model and signal, with the columns ``signal`` and ``score``.
    costs : DataFrame
        By ``model`` and ``signal``.
    options : Options

    Returns
    -------
    DataFrame
        ``model, signal``; questions ``asked``; answers ``n`` that have a confidence, their share ``known`` of those
        that are not empty, and the ``n_values`` that it takes; ``accuracy``, ``auroc2``, ``meta_i2r`` and ``meta_i``
        (bits) with the bounds of the first three and the permutation p of meta-I2r; ``flag`` why there is none;
        ``coverage``; the columns of ``costs``, and ``tokens``, those of prompt and answer. Where fewer than
        :data:`metacog.measures.cell.MIN_PARSED` have a confidence there is accuracy alone: of all answers.
    """
    rows = []
    for cell, own in trials.groupby(["model", SIGNAL], sort=False):
        answered, used = own[own["answer"].str.strip() != ""], with_confidence(own)
        share = len(used) / len(answered) if len(answered) else 0.0
        row: dict[str, object] = dict.fromkeys(MEASURES, math.nan) | {"flag": "", "coverage": ""}
        if share < MIN_PARSED:
            row["flag"] = f"{len(used)} of {len(answered)} answers have a confidence that could be read"
            row["accuracy"] = float(own["correct"].mean())
        else:
            (made,) = measure_table(used, options, by=("model",))[0].to_dict("records")
            row |= {name: made[name] for name in row if name in made}
        facts = (*cell, len(own), len(used), share, used[SCORE].nunique())
        rows.append(dict(zip(COLUMNS, facts, strict=False)) | row)
    table = pd.DataFrame(rows, columns=list(COLUMNS)).merge(costs, on=["model", SIGNAL], how="left")
    return table.assign(tokens=table["prompt_tokens"] + table["answer_tokens"])


def losses(
    trials: pd.DataFrame, table: pd.DataFrame, cool: pd.DataFrame | None = None, *, level: float = 0.95
) -> pd.DataFrame:
    """AUROC2 of NLP less that of each other signal, on the questions on which both have a confidence.

    Parameters
    ----------
    trials, table : DataFrame
        As :func:`signal_table` takes and gives them.
    cool : DataFrame, optional
        NLP of the same models' answers at a low temperature: ``model, question_id, temperature, score``.

    Returns
    -------
    DataFrame
        ``model, signal``; shared questions ``n`` and the share ``same`` of them with the same answer both times;
        both areas; ``lost`` with ``lower`` and ``upper`` (:func:`metacog.sdt.area_comparison.area_contrast`); ``why``
        there is no interval. For the same answers with NLP at the low temperature ``cool``, where it is known:
        ``auroc2_cool``, ``cool_lost, cool_lower, cool_upper``.
    """
    used = with_confidence(trials).set_index(["model", SIGNAL])
    low = None if cool is None else cool.dropna(subset=["score"])
    found = table.set_index(["model", SIGNAL])
    undefined = found["flag"].where(found["auroc2"].isna(), "").to_dict()
    rows = []
    for model, signal in found.index:
        if signal == NLP or (model, NLP) not in undefined:
            continue
        row = {"model": model, SIGNAL: signal, **dict.fromkeys(LOST[2:], math.nan)}
        if why := undefined[model, NLP] or undefined[model, signal]:
            rows.append(row | {"why": why})
            continue
        one, other = (used.loc[[(model, name)]].set_index("question_id") for name in (NLP, signal))
        both = one.index.intersection(other.index)
        one, other = one.loc[both], other.loc[both]
        gap = area_contrast(
            [one["correct"], other["correct"]], [one[SCORE], other[SCORE]], (1, -1), level=level
        )
        same = (one["answer"] == other["answer"]).mean()
        values = (len(both), same, *gap.areas, gap.value, gap.lower, gap.upper, gap.why)
        row |= dict(zip(LOST[2:], values, strict=False))
        if low is not None and len(own := low[low["model"] == model]):
            row |= _with_cool(one, other, own.set_index("question_id"), level)
        rows.append(row)
    return pd.DataFrame(rows, columns=list(LOST))


def _with_cool(one: pd.DataFrame, other: pd.DataFrame, low: pd.DataFrame, level: float) -> dict[str, object]:
    """What is lost for the same answers with NLP of the answer at the low temperature."""
    known = one.index.intersection(low.index)
    right, sure = (
        [frame.loc[known, name] for frame in frames]
        for frames, name in (((one, other), "correct"), ((low, other), SCORE))
    )
    gap = area_contrast(right, sure, (1, -1), level=level)
    return dict(
        zip(COOL, (low["temperature"].iloc[0], gap.areas[0], gap.value, gap.lower, gap.upper), strict=True)
    )
