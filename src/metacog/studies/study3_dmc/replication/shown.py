"""What the four questions get for answers, in words."""

from __future__ import annotations

import numpy as np

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study3_dmc.replication import abstaining
from metacog.studies.study3_dmc.replication.analysis import Replication

RELATED = {
    abstaining.RISES: "it rises with it",
    abstaining.FALLS: "it falls with it",
    abstaining.NONE: "no relation can be told",
    abstaining.CONSTANT: "undefined, since one of the two is constant",
}


def gains(result: Replication) -> str:
    """In how many ways of asking a model abstaining by confidence gains, and in how many it loses."""
    known = result.abstained[result.abstained["outcome"] != abstaining.UNDEFINED]
    if known.empty:
        return "Whether abstaining by confidence helps cannot be told: every way of asking is undefined."
    won, lost = (int((known["outcome"] == one).sum()) for one in (abstaining.GAINS, abstaining.LOSES))
    ways = plural(len(known), "way")
    if not won and not lost:
        return f"In none of {ways} of asking does abstaining by confidence beat the better of answering all and none."
    return (
        f"In {won} of {ways} of asking, abstaining by confidence beats the better of answering all and none; in {lost} "
        "it loses."
    )


def relation(result: Replication) -> str:
    """Whether the paper's measure goes with the share of right decisions."""
    rows = result.relations[(result.relations["measure"] == "mc") & (result.relations["share"] == "A-Acc")]
    row = rows.iloc[0]
    of = f"over {row['n']} of {plural(int(row['of']), 'pair')} of a model and a way of asking"
    if not np.isfinite(row["rho"]):
        why = RELATED.get(row["outcome"], f"undefined, since {abstaining.MIN_POINTS} are needed")
        return f"How the paper's measure goes with the share of right decisions is {why} ({of})."
    return (
        "How the paper's measure goes with the share of right decisions, by Spearman's rho: "
        f"{RELATED[row['outcome']]}, {row['rho']:.2f} ({row['lower']:.2f} to {row['upper']:.2f}) {of}."
    )


VIEWS = (Views("replication", sentences={"gains": gains, "relation": relation}),)
