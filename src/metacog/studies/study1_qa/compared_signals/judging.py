"""Whether each signal tells right from wrong less well than NLP."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, beyond, judged, those
from metacog.report.verdicts import Kind, Verdict

RULE = (
    "On the same questions AUROC2 of NLP is higher than that of the signal (95 % interval of the difference above "
    "zero), in every model."
)


def judge(losses: pd.DataFrame) -> tuple[Verdict, ...]:
    """One verdict for each signal; its values name the signal and the models by outcome."""
    found = []
    for signal, own in losses.groupby("signal", sort=False):
        units = [
            beyond(row.model, row.lower, row.upper, 0.0, row.why or "no interval") for row in rows_of(own)
        ]
        lacking = [model for model in losses["model"].unique() if model not in set(own["model"])]
        units += [Unit(str(model), None, "no replies with this signal") for model in lacking]
        shown, refuted = those(units, True), those(units, False)
        found.append(
            judged(
                units,
                "Signals",
                Kind.EXPLORATORY,
                RULE,
                name="lost",
                topic="lost",
                signal=str(signal),
                shown=shown,
                refuted=refuted,
            )
        )
    return tuple(found)
