"""The study's decisions under risk on trials collected here: counts, cells, and what a warning did."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.sdt.padding import padding
from metacog.studies.study2_two_choice.comparisons import ROPE
from metacog.studies.study2_two_choice.own import groups
from metacog.studies.study2_two_choice.published import RISKS
from metacog.studies.study2_two_choice.risk import decision_cells


def decision_counts(trials: pd.DataFrame) -> pd.DataFrame:
    """Hits, misses, false alarms and correct rejections of usable trials.

    Returns
    -------
    DataFrame
        A row a task, model and risk configuration that has trials of both stimuli: ``task, model, risk, hits,
        misses, false_alarms, correct_rejections, total``.
    """
    rows = []
    for task, model, part in groups(trials):
        for risk in RISKS:
            own = part[part["risk"] == risk]
            table = pd.crosstab(own["stimulus"], own["response"]).reindex(
                index=[0, 1], columns=[0, 1], fill_value=0
            )
            (rejections, alarms), (misses, hits) = table.to_numpy().tolist()
            if rejections + alarms and misses + hits:
                rows.append((task, model, risk, hits, misses, alarms, rejections, len(own)))
    names = ["task", "model", "risk", "hits", "misses", "false_alarms", "correct_rejections", "total"]
    return pd.DataFrame(rows, columns=names)


def decided(counts: pd.DataFrame) -> pd.DataFrame:
    """:func:`.risk.decision_cells` with half a trial in each outcome, and what that makes.

    Returns
    -------
    DataFrame
        With ``padded``: whether d' is made of what is added (:mod:`metacog.sdt.padding`). Its half-widths,
        and those of c and c', are NaN then.
    """
    cells = decision_cells(counts, "loglinear")
    s1, s2 = (
        counts[list(names)].to_numpy(np.float64)
        for names in (("correct_rejections", "false_alarms"), ("misses", "hits"))
    )
    made = padding(s1, s2).sensitive if len(counts) else np.zeros(0, dtype=bool)
    halves = [f"{name}_half" for name in ("d_prime", "c", "c_prime")]
    return cells.assign(padded=made, **{name: cells[name].mask(made) for name in halves})


def warned_said(pairs: pd.DataFrame) -> str:
    """What the warning did to the criterion: from that of S1 to that of S2 it should climb."""
    own = pairs[(pairs["measure"] == "c") & (pairs["first"] == "S1") & (pairs["second"] == "S2")]
    if own.empty:
        return "No cell was asked under both warnings."
    clear = own[own["said_wide"] != NOT_SIGNIFICANT]
    heeded, against = clear[clear["difference"] < 0], clear[clear["difference"] > 0]
    apart = len(own) - len(clear)
    said = (
        "From the warning of S1 to that of S2 the criterion should climb. It climbs beyond chance (by the "
        f"wide interval) in {len(heeded)} of {len(own)} models and tasks{_named(heeded)}, falls beyond "
        f"chance in {len(against)}{_named(against)}, and in {apart} the warnings cannot be told apart at "
        "this width."
    )
    most = own.iloc[int(np.argmax(own["difference"].abs()))]
    return (
        f"{said} The largest shift is {-most['difference']:+.2f} ({most['name']} on task {most['task']}, "
        f"95 % interval {-most['upper']:+.2f} to {-most['lower']:+.2f})."
    )


def sensitivity_said(pairs: pd.DataFrame) -> str:
    """Whether the warnings left d' alone, as a mere shift of the criterion would."""
    own = pairs[pairs["measure"] == "d_prime"]
    if own.empty:
        return "No pair of warnings can be compared."
    tested = own[own["said_wide"] != NOT_SIGNIFICANT]
    rope = ROPE["d_prime"]
    small = own[(own["lower"] > -rope) & (own["upper"] < rope)]
    return (
        f"d' differs beyond chance in {len(tested)} of {len(own)} pairs of configurations. That is not to "
        f"say that it stands still: in {len(small)} of them the 95 % interval lies inside the ROPE of "
        f"{rope:g} to either side of 0."
    )


def _named(rows: pd.DataFrame) -> str:
    return f" ({listed(f'{r.name}, {r.task}' for r in rows_of(rows))})" if len(rows) else ""
