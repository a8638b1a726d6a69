"""How often each state of commitment is right, and what is judged of both probes as one confidence."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import beyond, judged, those, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.intervals import wilson
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE
from metacog.studies.study5_battery.measures.commitment import FEWEST, states

STATES = ("WITHDRAW, NO_BET", "WITHDRAW, BET", "KEEP, NO_BET", "KEEP, BET")
#: An AUROC2 that moves by no more than this is called unmoved.
MOVED = 0.02


def accuracy_by_state(responses: pd.DataFrame) -> pd.DataFrame:
    """Share of right answers in each state, all models together, T1 to T5: ``state, n, right, lower, upper``.

    ``climb``: how many of the ``of`` models with ten responses in this state and the next are more often
    right in the next; the last row has none.
    """
    retro = responses[responses["track"].isin(RETROSPECTIVE)]
    subset = retro.assign(state=states(retro))
    rows = []
    for k, name in enumerate(STATES):
        part = subset[subset["state"] == k]
        right = part["correct"].mean()
        low, high = wilson(right, len(part))
        rows.append(
            {"state": name, "n": len(part), "right": right, "lower": float(low), "upper": float(high)}
        )
    table = pd.DataFrame(rows)
    by = subset.groupby(["model", "state"])["correct"].agg(["mean", "size"]).unstack()
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
    return (
        judged(
            above,
            "AUROC2",
            Kind.EXPLORATORY,
            "Every model's commitment tells right from wrong: AUROC2 above 0.5.",
            name="above_chance",
            above=len(those(above, True)),
            models=int(table["lower"].notna().sum()),
        ),
        judged(
            steady,
            "states",
            Kind.EXPLORATORY,
            f"Merging the middle states moves no model's AUROC2 by more than {MOVED}.",
            name="steady",
            largest=float(shifts.max()),
        ),
    )
