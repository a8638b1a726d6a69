"""How often an answer is right, by the number that the model states: the mean probability of the answer's words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from metacog.sdt import auroc2
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells.counts import REFERENCE

#: Bins of stated confidence, each of equal width.
N_BINS = 10
#: An answer is sure from here, and unsure below the other.
SURE, UNSURE = 0.9, 0.5
#: Fewer sure answers than this say nothing.
FEWEST = 20
STATED = ("model", "temperature", "sampling", "bin", "stated", "n", "right", "right_lower", "right_upper")


def temperatures(trials: pd.DataFrame) -> list[float]:
    """The lowest temperature and 1, those that there are."""
    there = {float(t) for t in trials["temperature"].unique()}
    return [t for t in dict.fromkeys((min(there, default=REFERENCE), REFERENCE)) if t in there]


def cells(trials: pd.DataFrame) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    """Answers with a confidence, of each model at each of :func:`temperatures`."""
    for model, own in trials.groupby("model", sort=False):
        for temperature in temperatures(trials):
            known = own[(own["temperature"] == temperature) & own["confidence"].notna()]
            about = {"model": str(model), "temperature": temperature}
            yield about | {"sampling": f"temperature {temperature:g}"}, known


def share(name: str, right: pd.Series) -> dict[str, float]:
    """A share with its 95 % interval (Wilson); nothing of no answers."""
    if not len(right):
        return dict.fromkeys((name, f"{name}_lower", f"{name}_upper"), float("nan"))
    value = float(right.mean())
    low, high = wilson(value, len(right))
    return {name: value, f"{name}_lower": float(low), f"{name}_upper": float(high)}


def reliability(trials: pd.DataFrame) -> pd.DataFrame:
    """Answers in bins of stated confidence.

    Returns
    -------
    DataFrame
        :data:`STATED`: ``bin`` as readers know it, ``stated`` the mean confidence of its ``n`` answers, and the share
        of them that is ``right``. Bins are closed on the left, the highest on both sides; empty ones are left out.
    """
    rows = []
    for about, known in cells(trials):
        place = np.minimum((known["confidence"] * N_BINS + 1e-9).astype(int), N_BINS - 1)
        for number, own in known.groupby(place):
            low = int(str(number)) / N_BINS
            label = f"{low:g} to {low + 1 / N_BINS:g}"
            row = {**about, "bin": label, "stated": float(own["confidence"].mean()), "n": len(own)}
            rows.append(row | share("right", own["correct"]))
    return pd.DataFrame(rows, columns=list(STATED))


def side_by_side(reliability: pd.DataFrame) -> pd.DataFrame:
    """Bins of the first model, the lowest temperature (``_cool``) beside temperature 1 (``_hot``)."""
    own = (
        reliability[reliability["model"] == reliability["model"].iloc[0]] if len(reliability) else reliability
    )
    kept = ["bin", "n", "right", "right_lower", "right_upper"]
    cool, hot = (own[own["temperature"] == end][kept] for end in (own["temperature"].min(), REFERENCE))
    both = cool.merge(hot, on="bin", how="outer", suffixes=("_cool", "_hot"))
    return both.rename(
        columns={
            f"right_{end}_{when}": f"right_{when}_{end}"
            for end in ("lower", "upper")
            for when in ("cool", "hot")
        }
    ).sort_values("bin", ignore_index=True)


def sure(trials: pd.DataFrame) -> pd.DataFrame:
    """Answers that are sure or unsure: how many, and how often they are right.

    Returns
    -------
    DataFrame
        ``model, temperature, sampling``; ``asked`` answers; the number and share right of those from :data:`SURE`
        (``n_sure``, ``sure``) and below :data:`UNSURE` (``n_unsure``, ``unsure``), with intervals; and ``auroc2``.
    """
    rows = []
    for about, known in cells(trials):
        high, low = (known[known["confidence"] >= SURE], known[known["confidence"] < UNSURE])
        row = {**about, "asked": len(known), "n_sure": len(high), **share("sure", high["correct"])}
        row |= {"n_unsure": len(low), **share("unsure", low["correct"])}
        both = known["correct"].nunique() == 2
        rows.append(row | {"auroc2": auroc2(known["correct"], known["confidence"]) if both else float("nan")})
    return pd.DataFrame(rows)
