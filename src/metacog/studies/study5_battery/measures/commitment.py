"""Both probes as one confidence: four states of commitment, and the measures of study 1 on them.

WITHDRAW and NO_BET < WITHDRAW and BET < KEEP and NO_BET < KEEP and BET. Whether the two in the middle are
in that order is an assumption; merged into one they give three levels, as a check. Of KEEP alone, AUROC2 is
(1 + delta)/2 with the delta as a share.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.sdt.information import meta_information_from_counts
from metacog.sdt.type2 import auroc2_from_counts, auroc2_interval_from_counts
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE, models_of

#: Measures that need right and wrong answers.
MEASURED = ("auroc2", "lower", "upper", "merged", "within", "keep_alone", "meta_i", "meta_i2r")
#: Fewer right or wrong answers than this and no interval is given.
FEWEST = 10


def states(responses: pd.DataFrame) -> NDArray[np.int64]:
    """State of each response, 0 to 3 in the order of :data:`STATES`."""
    return 2 * responses["keep"].to_numpy(dtype=np.int64) + responses["bet"].to_numpy(dtype=np.int64)


def tables(responses: pd.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Wrong and right answers by state."""
    state, right = states(responses), responses["correct"].to_numpy()
    return np.bincount(state[~right], minlength=4), np.bincount(state[right], minlength=4)


def merged(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same with the two states in the middle as one."""
    return np.array([table[0], table[1] + table[2], table[3]])


def _within(responses: pd.DataFrame) -> float:
    """AUROC2 of pairs of a right and a wrong answer of the same track."""
    wins = pairs = 0.0
    for _, subset in responses.groupby("track"):
        wrong, right = tables(subset)
        n = float(wrong.sum() * right.sum())
        if n:
            wins, pairs = wins + n * float(auroc2_from_counts(wrong, right)), pairs + n
    return wins / pairs if pairs else float("nan")


def measured(responses: pd.DataFrame) -> pd.DataFrame:
    """Type-2 measures of each model over T1 to T5.

    Returns
    -------
    DataFrame
        ``model, n, n_incorrect, auroc2, lower, upper`` (four states), ``merged`` (three), ``within``
        (only pairs within a track), ``keep_alone`` (two), ``meta_i`` (bits, minus its exact mean by chance),
        ``meta_i2r``, and the ``share_0`` to ``share_3`` of the states; NaN where a class is empty.
    """
    rows = []
    retro = responses[responses["track"].isin(RETROSPECTIVE)]
    for model in models_of(retro):
        subset = retro[retro["model"] == model]
        if subset.empty:
            continue
        wrong, right = tables(subset)
        n_wrong, n_right = int(wrong.sum()), int(right.sum())
        row: dict[str, object] = {"model": model, "n": len(subset), "n_incorrect": n_wrong}
        row |= {f"share_{k}": float((wrong + right)[k] / len(subset)) for k in range(4)}
        if n_wrong and n_right:
            area = auroc2_interval_from_counts(wrong, right)
            known = min(n_wrong, n_right) >= FEWEST
            information = meta_information_from_counts(wrong, right, correction="exact")
            row |= {
                "auroc2": area.estimate,
                "lower": area.lower if known else np.nan,
                "upper": area.upper if known else np.nan,
                "merged": float(auroc2_from_counts(merged(wrong), merged(right))),
                "within": _within(subset),
                "keep_alone": float(auroc2_from_counts(_pairs(wrong), _pairs(right))),
                "meta_i": information.meta_i,
                "meta_i2r": information.meta_i2r,
            }
        rows.append(row)
    columns = ["model", "n", "n_incorrect", *(f"share_{k}" for k in range(4)), *MEASURED]
    return pd.DataFrame(rows, columns=columns)


def _pairs(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """By KEEP alone."""
    return np.array([table[:2].sum(), table[2:].sum()])
