"""How far AUROC2 rises with temperature, and what of that is the draw's."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.sdt.area_contrasts import area_contrast
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.ledger.first_paper import binned_cells
from metacog.trials import SCORE, scored

#: What is done with answers of one model at a temperature T and at the reference temperature r: weights of
#: AUROC2 at T with the draw's confidence, at T with that of the question's answer at r, and at r.
RISES = {
    "with_draw": (1.0, 0.0, -1.0),  # the rise as it is measured
    "with_question": (0.0, 1.0, -1.0),  # the rise that is left with confidence that knows no draw
    "mostly_draw": (0.5, -1.0, 0.5),  # above 0 where less than half of the rise is left
}
RISE_COLUMNS = (
    *("model", "reference", "temperature", "n"),
    *("auroc2_draw", "auroc2_question", "auroc2_reference"),
    *(f"{name}{end}" for name in RISES for end in ("", "_lower", "_upper")),
    "why",
)

#: Columns of version 2's table by temperature, and what they are called next to the counts.
PRINTED = {"T": "temperature", "auroc2": "printed", "a_lower": "printed_lower", "a_upper": "printed_upper"}


def rises_with_temperature(trials: pd.DataFrame) -> pd.DataFrame:
    """Rise of AUROC2 from the lowest temperature to each other, with two kinds of confidence; limits over questions.

    ``auroc2_draw`` and ``auroc2_question`` are at T, with the draw's confidence and with that of the answer at the
    reference; ``why`` says why there is no interval.
    """
    rows = []
    for model, own in scored(trials).groupby("model", sort=False):
        wide = {
            name: own.pivot(index="question_id", columns="temperature", values=name)
            for name in ("correct", SCORE)
        }
        reference, *others = sorted(float(t) for t in own["temperature"].unique())
        for temperature in others:
            known = wide[SCORE][[reference, temperature]].notna().all(axis=1)
            right, score = (wide[name].loc[known] for name in ("correct", SCORE))
            row = {"model": str(model), "reference": reference, "temperature": temperature}
            rows.append({**row, **_rise(right, score, reference, temperature)})
    return pd.DataFrame(rows, columns=list(RISE_COLUMNS))


def _rise(
    right: pd.DataFrame, score: pd.DataFrame, reference: float, temperature: float
) -> dict[str, object]:
    at, before = (right[t].to_numpy(bool) for t in (temperature, reference))
    scores = [score[t].to_numpy(np.float64) for t in (temperature, reference, reference)]
    found = {name: area_contrast([at, at, before], scores, weights) for name, weights in RISES.items()}
    areas = next(iter(found.values())).areas
    names = ("auroc2_draw", "auroc2_question", "auroc2_reference")
    row: dict[str, object] = {"n": len(right), **dict(zip(names, areas, strict=True))}
    for name, one in found.items():
        row |= {name: one.value, f"{name}_lower": one.lower, f"{name}_upper": one.upper}
    return {**row, "why": next((one.why for one in found.values() if one.why), "")}


def published_rises() -> pd.DataFrame:
    """AUROC2 by temperature in the first paper's counts and in version 2's print, and how many errors can be unlucky.

    The counts are in 20 bins of equal width: at a low temperature most answers fall into the highest few, and their
    ties hold AUROC2 down, so that a rise of it is partly one of ties that dissolve. Version 2 printed AUROC2 of eight
    ratings with edges of each temperature's own, which a mere shift of confidence leaves alone.

    Neither says which questions were answered rightly at both temperatures, so no confidence of the question can be
    held against the draw's. Accuracy at two temperatures still bounds (Fréchet 1935) how many of the wrong answers at T
    belong to questions answered rightly at the lowest temperature r: at least (a_r - a_T)/(1 - a_T), at most
    a_r/(1 - a_T).
    """
    cells = binned_cells(paper.MAIN)
    table = cells.frame[["model", "temperature", "n", "accuracy"]].copy()
    table["auroc2"] = auroc2_from_counts(cells.nR_S1, cells.nR_S2)
    version_2 = paper.as_numbers("v2_temperature").rename(columns=PRINTED)[["model", *PRINTED.values()]]
    table = table.merge(version_2, on=["model", "temperature"], how="left", validate="one_to_one")
    parts = []
    for model, own in table.groupby("model", sort=False):
        rows = own.sort_values("temperature", kind="stable").assign(model=paper.MODELS[str(model)])
        at_reference = rows.iloc[0]
        wrong = 1 - rows["accuracy"]
        rows["unlucky_at_least"] = ((at_reference["accuracy"] - rows["accuracy"]) / wrong).clip(lower=0)
        rows["unlucky_at_most"] = (at_reference["accuracy"] / wrong).clip(upper=1)
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)
