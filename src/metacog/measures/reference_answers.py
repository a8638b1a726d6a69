"""What the answers at each temperature have to do with a model's answers at a reference temperature."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from metacog.measures.shared_items import SharedItems
from metacog.sdt.intervals import wilson
from metacog.sdt.type2 import auroc2_interval

AT_REFERENCE = "this is the reference"
ONE_CLASS = "the answers are all right or all wrong"

REFERENCE_COLUMNS = (
    "model",
    "temperature",
    "accuracy",
    "n_wrong",
    "known",
    "known_lower",
    "known_upper",
    "same",
    "same_lower",
    "same_upper",
    "same_auroc2",
    "same_auroc2_lower",
    "same_auroc2_upper",
    "tells_same",
    "tells_same_lower",
    "tells_same_upper",
    "auroc2",
    "auroc2_lower",
    "auroc2_upper",
    "n_questions",
    "left_out",
    "why",
)


def reference_answers(asked: SharedItems, *, level: float = 0.95) -> pd.DataFrame:
    """How the answers at each temperature go with the same model's answers at the reference.

    Returns
    -------
    DataFrame
        Columns :data:`REFERENCE_COLUMNS`: ``known``, the share of the wrong answers whose item the model
        gets right at the reference; ``same``, the share of answers that equal its answer there;
        ``same_auroc2``, AUROC2 of that alone for right and wrong; ``tells_same``, how well confidence tells
        whether it is so; ``auroc2`` of confidence for right and wrong. Shares have Wilson's interval. Without
        answers the columns of ``same`` are missing.
    """
    rows = []
    for model in asked.models:
        temperatures = asked.temperatures(asked.models)
        for temperature in temperatures if len(temperatures) > 1 else []:
            kept = asked.shared(asked.models, temperature)
            row = _reference_row(asked, model, temperature, kept, level) if kept.any() else {}
            labels = {"model": model, "temperature": temperature, "n_questions": int(kept.sum())}
            rows.append({"why": "", **row, **labels, "left_out": asked.left_out(kept)})
    return pd.DataFrame(rows, columns=list(REFERENCE_COLUMNS))


def _reference_row(
    asked: SharedItems, model: str, temperature: float, kept: NDArray[np.bool_], level: float
) -> dict[str, Any]:
    hits = asked.right(model, temperature, kept)
    sure = asked.confidence(model, temperature, kept)
    row: dict[str, Any] = {"accuracy": float(hits.mean()), "n_wrong": int((~hits).sum())}
    row |= _area("auroc2", hits, sure, level)
    if temperature == asked.reference:
        return row | {"why": AT_REFERENCE}
    if not hits.all():
        row |= _share("known", asked.right(model, asked.reference, kept)[~hits], level)
    if asked.text is not None:
        same = (
            asked.text[(model, temperature)].to_numpy()[kept]
            == asked.text[(model, asked.reference)].to_numpy()[kept]
        )
        row |= _share("same", same, level)
        row |= _area("same_auroc2", hits, same.astype(float), level) | _area("tells_same", same, sure, level)
    return row | {"why": ONE_CLASS if hits.all() or not hits.any() else ""}


def _area(name: str, hits: NDArray[np.bool_], score: NDArray[np.float64], level: float) -> dict[str, float]:
    if hits.all() or not hits.any():
        return {}
    found = auroc2_interval(hits, score, level=level)
    return {name: found.estimate, f"{name}_lower": found.lower, f"{name}_upper": found.upper}


def _share(name: str, hits: NDArray[np.bool_], level: float) -> dict[str, float]:
    lower, upper = wilson(hits.mean(), hits.size, z=float(ndtri((1 + level) / 2)))
    return {name: float(hits.mean()), f"{name}_lower": float(lower), f"{name}_upper": float(upper)}
