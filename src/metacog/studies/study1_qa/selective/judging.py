"""Whether abstaining on the less confident half raises accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, judged, those, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.counts import cell_name
from metacog.studies.study1_qa.ledger.rows import HALF, reproduced

RULE = (
    "In every model, answering only the more confident half raises accuracy (95 % interval of the gain above "
    "zero)."
)


def _gains(row: Any, name: str) -> Unit:
    """Whether the gain lies above zero; undecided where its interval contains zero."""
    if row.gain_lower <= 0 <= row.gain_upper:
        return Unit(name, None, "the interval of the gain holds zero")
    return unit(name, row.gain_lower > 0, known=np.isfinite(row.gain_lower), flag=getattr(row, "flag", ""))


def judge(table: pd.DataFrame) -> Verdict:
    """The rule, from the gains at half coverage.

    Its values: names of models that have one (``models``), their accuracy without abstaining (``all``) and of
    the more confident half (``half``), and in how many the gain is above zero.
    """
    half = table[table["coverage"] == 0.5]
    n_sets = table["dataset"].nunique()
    units = [_gains(r, cell_name(r.model, r.dataset, n_sets)) for r in rows_of(half)]
    names = pd.Series([one.name for one in units], half.index, dtype=object)
    known = half[half["gain"].notna()]
    return judged(
        units,
        "Selective prediction",
        Kind.EXPLORATORY,
        RULE,
        name="half",
        models=names[known.index].tolist(),
        all=(known["accuracy"] - known["gain"]).tolist(),
        half=known["accuracy"].tolist(),
        above=len(those(units, True)),
    )


def compare(published: pd.DataFrame, run: pd.DataFrame) -> Verdict:
    """Accuracy at half coverage: how many printed values the counts reproduce, and the range of gains."""
    agreed = reproduced("v1_selective_prediction", published.rename(columns={"accuracy": HALF}))
    values = {
        "agree": int(agreed.sum()),
        "of": len(agreed),
        "published": [float(published["gain"].min()), float(published["gain"].max())],
        "run": [float(run["gain"].min()), float(run["gain"].max())] if run["gain"].notna().any() else None,
    }
    return Verdict(
        "Selective prediction", Kind.PUBLISHED, "Accuracy at 50 %.", None, name="published", values=values
    )
