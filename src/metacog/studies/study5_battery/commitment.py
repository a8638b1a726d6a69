"""Both probes as one confidence: four states of commitment, and the measures of study 1 on them.

WITHDRAW and NO_BET < WITHDRAW and BET < KEEP and NO_BET < KEEP and BET. Whether the two in the middle stand
in that order is an assumption; merged into one they give three levels, as a check. Of KEEP alone, AUROC2 is
(1 + delta)/2 with the delta as a share.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.report.rules import beyond, those, unit, verdict_over
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.information import meta_information_from_counts
from metacog.sdt.intervals import wilson
from metacog.sdt.type2 import auroc2_from_counts, auroc2_interval_from_counts
from metacog.studies.study5_battery.published import RETROSPECTIVE, models_of

STATES = ("WITHDRAW, NO_BET", "WITHDRAW, BET", "KEEP, NO_BET", "KEEP, BET")
#: Measures that need right and wrong answers.
MEASURED = ("auroc2", "lower", "upper", "merged", "within", "keep_alone", "meta_i", "meta_i2r")
#: Fewer right or wrong answers than this and no interval is given.
FEWEST = 10
#: An AUROC2 that moves by no more than this is called unmoved.
MOVED = 0.02


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
    for _, own in responses.groupby("track"):
        wrong, right = tables(own)
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
        (only pairs within a track), ``keep_alone`` (two), ``meta_i`` (bits, less its exact mean by chance),
        ``meta_i2r``, and the ``share_0`` to ``share_3`` of the states; NaN where a class is empty.
    """
    rows = []
    retro = responses[responses["track"].isin(RETROSPECTIVE)]
    for model in models_of(retro):
        own = retro[retro["model"] == model]
        if own.empty:
            continue
        wrong, right = tables(own)
        n_wrong, n_right = int(wrong.sum()), int(right.sum())
        row: dict[str, object] = {"model": model, "n": len(own), "n_incorrect": n_wrong}
        row |= {f"share_{k}": float((wrong + right)[k] / len(own)) for k in range(4)}
        if n_wrong and n_right:
            area = auroc2_interval_from_counts(wrong, right)
            known = min(n_wrong, n_right) >= FEWEST
            information = meta_information_from_counts(wrong, right, correction="exact")
            row |= {
                "auroc2": area.estimate,
                "lower": area.lower if known else np.nan,
                "upper": area.upper if known else np.nan,
                "merged": float(auroc2_from_counts(merged(wrong), merged(right))),
                "within": _within(own),
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


def accuracy_by_state(responses: pd.DataFrame) -> pd.DataFrame:
    """Share of right answers in each state, all models together, T1 to T5: ``state, n, right, lower, upper``.

    ``climb``: how many of the ``of`` models with ten responses in this state and the next are more often
    right in the next; the last row has none.
    """
    retro = responses[responses["track"].isin(RETROSPECTIVE)]
    own = retro.assign(state=states(retro))
    rows = []
    for k, name in enumerate(STATES):
        part = own[own["state"] == k]
        right = part["correct"].mean()
        low, high = wilson(right, len(part))
        rows.append(
            {"state": name, "n": len(part), "right": right, "lower": float(low), "upper": float(high)}
        )
    table = pd.DataFrame(rows)
    by = own.groupby(["model", "state"])["correct"].agg(["mean", "size"]).unstack()
    by = pd.DataFrame(by).reindex(columns=pd.MultiIndex.from_product([["mean", "size"], range(len(STATES))]))
    climbs, of = [], []
    for k in range(3):
        enough = (by["size"][k] >= FEWEST) & (by["size"][k + 1] >= FEWEST)
        climbs.append(int((by["mean"][k + 1] > by["mean"][k])[enough].sum()))
        of.append(int(enough.sum()))
    return table.assign(climb=[*climbs, np.nan], of=[*of, np.nan])


def commitment_verdicts(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """Whether monitoring is above chance, and whether the order of the middle states matters."""
    few = f"fewer than {FEWEST} right or wrong answers"
    above = [beyond(r.model, r.lower, r.upper, 0.5, few) for r in rows_of(table)]
    shifts = (table["auroc2"] - table["merged"]).abs()
    steady = [
        unit(model, shift <= MOVED, known=np.isfinite(shift))
        for model, shift in zip(table["model"], shifts, strict=True)
    ]
    judged = int(table["lower"].notna().sum())
    return (
        verdict_over(
            above,
            "AUROC2",
            Kind.EXPLORATORY,
            "Every model's commitment tells right from wrong: AUROC2 above 0.5.",
            f"For {len(those(above, True))} of {judged} models with at least {FEWEST} right and wrong "
            "answers the interval of AUROC2 lies above 0.5.",
        ),
        verdict_over(
            steady,
            "states",
            Kind.EXPLORATORY,
            f"Merging the middle states moves no model's AUROC2 by more than {MOVED}.",
            f"Merging the middle states moves an AUROC2 by at most {float(shifts.max()):.3f}."
            if shifts.notna().any()
            else "No AUROC2 is defined.",
        ),
    )
