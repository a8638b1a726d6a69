"""Do both probes together tell right from wrong?

Both as one confidence have four states: WITHDRAW and NO_BET < WITHDRAW and BET < KEEP and NO_BET < KEEP and BET.
Whether the two in the middle are in that order is an assumption; merged into one they give three levels, as a check.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.report.views import Views
from metacog.sdt.area_intervals import auroc2_interval_from_counts
from metacog.sdt.correlations import correlation
from metacog.sdt.information import meta_information_from_counts
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import ATLAS, FILES, RETROSPECTIVE, atlas, models_of
from metacog.verdicts.outcomes import outcomes
from metacog.verdicts.rules import beyond, unit

#: Fewer right or wrong answers than this and no interval is given.
FEWEST = 10
#: Why a model has none.
FEW = f"fewer than {FEWEST} right or wrong answers"
#: An AUROC2 that moves by no more than this is called unmoved.
MOVED = 0.02


@analysis(files=(*FILES, *(f"data/published/{ATLAS.file(name)}" for name in ("summary", "models"))))
def commitment(inputs: Inputs) -> dict[str, Any]:
    """Do both probes together tell right from wrong, and as another confidence of the same models does?"""
    rows = load()
    table = measured(rows)
    beside = mean_deltas(deltas(rows))[["model", "delta"]].join(
        atlas()["auroc2"].rename("stated"), on="model"
    )
    measures = table.merge(beside, on="model").sort_values("auroc2", ascending=False, kind="stable")
    return {
        "measures": measures.reset_index(drop=True),
        "outcomes": pd.concat([above_chance(table), steady(table)]),
    }


def convergence(result: Any) -> dict[str, float]:
    """Spearman's correlation of the mean delta with AUROC2 of the same probes, and with that of the atlas."""
    found: dict[str, float] = {}
    for name in ("auroc2", "stated"):
        one = correlation(result.measures["delta"], result.measures[name], kind="spearman")
        found |= {
            f"{name}_r": one.r,
            f"{name}_lower": one.lower,
            f"{name}_upper": one.upper,
            f"{name}_n": one.n,
        }
    return found


def states(responses: pd.DataFrame) -> NDArray[np.int64]:
    """State of each response, 0 to 3."""
    return 2 * responses["keep"].to_numpy(dtype=np.int64) + responses["bet"].to_numpy(dtype=np.int64)


COLUMNS = ["model", "n", "n_incorrect", "auroc2", "lower", "upper", "merged", "meta_i2r"]


def measured(responses: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of each model over T1 to T5, of four states with its interval and of three (``merged``), and meta-I2r.

    Without right or wrong answers they are NaN, the interval with fewer than :data:`FEWEST`.
    """
    rows = []
    retro = responses[responses["track"].isin(RETROSPECTIVE)]
    for model in models_of(retro):
        own = retro[retro["model"] == model]
        wrong, hits = (
            np.bincount(states(part), minlength=4) for part in (own[~own["correct"]], own[own["correct"]])
        )
        row: dict[str, Any] = {
            "model": model,
            "n": int(wrong.sum() + hits.sum()),
            "n_incorrect": int(wrong.sum()),
        }
        if fewest := min(wrong.sum(), hits.sum()):
            area = auroc2_interval_from_counts(wrong, hits)
            lower, upper = area.ends if fewest >= FEWEST else (np.nan, np.nan)
            three = (np.add.reduceat(counts, [0, 1, 3]) for counts in (wrong, hits))
            row |= {"auroc2": area.estimate, "lower": lower, "upper": upper}
            row["merged"] = float(auroc2_from_counts(*three))
            row["meta_i2r"] = meta_information_from_counts(wrong, hits, correction="exact").meta_i2r
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def above_chance(table: pd.DataFrame) -> pd.DataFrame:
    ends = zip(table["model"], table["lower"], table["upper"], strict=True)
    return outcomes("above_chance", [beyond(*one, 0.5, FEW) for one in ends])


def steady(table: pd.DataFrame) -> pd.DataFrame:
    shifts = (table["auroc2"] - table["merged"]).abs()
    return outcomes("steady", list(map(unit, table["model"], shifts <= MOVED, np.isfinite(shifts))))


ANALYSES = (commitment,)
VIEWS = (Views("commitment", numbers=convergence),)
