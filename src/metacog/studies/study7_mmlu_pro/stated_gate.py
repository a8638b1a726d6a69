"""What does a threshold on the number that a model states let through?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.model_items import FloatArray
from metacog.measures.signals import gate_table
from metacog.report.views import Views
from metacog.sdt.gate import gate
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study7_mmlu_pro.rows import CALLED, FILES, STATED, Rows, counted, load

#: Large models: each maker's most accurate run, if so large a share of all questions is right.
LEAST = 0.7
#: Small ones, in thousand millions of parameters.
SMALL = 3
#: Thresholds of the slider, and those of the table by the ends of their columns' names.
GRID = tuple(round(0.5 + step / 100, 2) for step in range(51))
SHOWN = {0.8: "_80", 0.9: "_90", 0.95: "_95", 1.0: "_100"}
#: The share of wrong answers let through that the button's threshold promises.
PROMISED = 0.10


@analysis(files=FILES)
def stated_gate(inputs: Inputs, rows: Rows | None = None, *, seed: int = 42) -> dict[str, Any]:
    """What does a threshold on the number that a model states let through?"""
    rows = rows or load()
    sure = stated_by(rows)
    runs = runs_of(rows, sure)
    answers, signal = [], []
    for name in runs.loc[runs["large"], "model"]:
        at = int(np.flatnonzero(rows.models["model"] == name)[0])
        ids = rows.items["item"].to_numpy()
        answers.append(pd.DataFrame({"model": name, "question_id": ids, "correct": rows.right[at]}))
        signal.append(sure[at])
    stacked = pd.concat(answers, ignore_index=True)
    promises = gate_table(stacked, {CALLED[STATED]: np.concatenate(signal)}, seed=seed)
    return {
        "thresholds": runs,
        "places": places_of(stacked, np.concatenate(signal), promises),
        "promises": promises,
    }


def stated_by(rows: Rows) -> FloatArray:
    """Stated numbers of answers that were found, as they were written: the table has them in single precision."""
    return np.where(rows.answer >= 0, rows.usable(STATED).round(4), np.nan)


def runs_of(rows: Rows, sure: FloatArray) -> pd.DataFrame:
    """Each counted run: share of all questions right, whether it is ``large``, and what :data:`SHOWN` lets through."""
    found = []
    for at, about in enumerate(rows_of(rows.models)):
        told = gate(rows.right[at], sure[at], thresholds=list(SHOWN)).told()
        row = {"model": about.model, "family": about.family, "billions": about.billions}
        row["accuracy"] = float(rows.right[at].mean())
        for place, end in enumerate(SHOWN.values()):
            row[f"answered{end}"] = told["answered"][place]
            row[f"right{end}"] = told["right_answered"][place]
        found.append(row)
    table = pd.DataFrame(found)
    table = table[table["model"].isin(counted(rows))]
    made = table.sort_values("accuracy", ascending=False, kind="stable", ignore_index=True)
    return made.assign(large=~made["family"].duplicated() & (made["accuracy"] >= LEAST))


def places_of(answers: pd.DataFrame, sure: FloatArray, promises: pd.DataFrame) -> pd.DataFrame:
    """What every threshold of :data:`GRID` does; ``picked`` is the lowest that keeps the promise, else the highest."""
    promised = promises[promises["most_errors"] == PROMISED].set_index("model")["threshold"]
    found = []
    for model, own in answers.groupby("model", sort=False):
        table = pd.DataFrame(gate(own["correct"], sure[own.index], thresholds=GRID).told())
        place = min(int(np.searchsorted(GRID, promised[model])), len(GRID) - 1)
        found.append(table.assign(model=model, picked=table.index == place))
    return pd.concat(found, ignore_index=True)


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: the large models at nine tenths, what can be promised, and small models."""
    large = result.thresholds[result.thresholds["large"]]
    small = result.thresholds[result.thresholds["billions"] <= SMALL]
    made: dict[str, Any] = {"n_large": len(large), "n_small": len(small)}
    parts = {"answered": large["answered_90"], "right": large["right_90"], "small_right": small["right_90"]}
    for most, kept in result.promises.groupby("most_errors"):
        able = kept[np.isfinite(kept["threshold"])]
        name = f"promise_{100 * (1 - float(str(most))):.0f}"
        made[f"{name}_by"], parts[name] = len(able), able["coverage"]
    for name, share in parts.items():
        made |= {f"{name}_least": 100 * share.min(), f"{name}_most": 100 * share.max()}
        made[f"{name}_median"] = 100 * share.median()
    return made


VIEWS = Views("stated_gate", numbers=numbers)
