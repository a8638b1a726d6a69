"""d', c and c' of decisions between two alternatives, from their four counts."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of, typed_rows
from metacog.sdt.type1 import type1

#: Standard errors on either side of an interval, as in the paper.
Z = 1.96
#: Columns of :func:`decision_cells`.
TYPES = {
    "task": "str",
    "model": "str",
    "risk": "str",
    "n": "int64",
    "hit_rate": "float64",
    "false_alarm_rate": "float64",
    **{f"{name}{what}": "float64" for name in ("d_prime", "c", "c_prime") for what in ("", "_se", "_half")},
}


def decision_cells(counts: pd.DataFrame, correction: str = "none") -> pd.DataFrame:
    """One row per task, model and risk configuration.

    Parameters
    ----------
    counts : DataFrame
        ``task, model, risk, hits, misses, false_alarms, correct_rejections, total``.
    correction : str
        As :func:`metacog.sdt.type1.type1` takes it.

    Returns
    -------
    DataFrame
        Columns ``task, model, risk, n, hit_rate, false_alarm_rate``, and ``d_prime, c, c_prime`` each with
        ``_se`` and ``_half`` (1.96 standard errors, as in the paper).
    """
    rows = []
    for row in rows_of(counts):
        r = type1([row.correct_rejections, row.false_alarms], [row.misses, row.hits], correction=correction)
        cell: dict[str, object] = {
            "task": row.task,
            "model": row.model,
            "risk": row.risk,
            "n": int(row.total),
            "hit_rate": r.hit_rate,
            "false_alarm_rate": r.false_alarm_rate,
        }
        for measure in ("d_prime", "c", "c_prime"):
            cell |= {
                measure: getattr(r, measure),
                f"{measure}_se": r.half_width(measure, z=1.0),
                f"{measure}_half": r.half_width(measure, z=Z),
            }
        rows.append(cell)
    return typed_rows(rows, TYPES)
