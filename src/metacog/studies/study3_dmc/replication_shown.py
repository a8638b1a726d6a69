"""What the four questions get for answers, in words."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study3_dmc import replication
from metacog.studies.study3_dmc.replication import Replication


def gains(result: Replication) -> str:
    """In how many ways of asking a model abstaining by confidence gains, and in how many it loses."""
    known = result.abstained[result.abstained["outcome"] != replication.UNDECIDED]
    if known.empty:
        return "Whether abstaining by confidence helps cannot be told: every way of asking is undefined."
    won, lost = (int((known["outcome"] == one).sum()) for one in (replication.GAINS, replication.LOSES))
    ways = plural(len(known), "way")
    if not won and not lost:
        return f"In none of {ways} of asking does abstaining by confidence beat the better of answering all and none."
    return (
        f"In {won} of {ways} of asking, abstaining by confidence beats the better of answering all and none; in {lost} "
        "it loses."
    )


VIEWS = (Views("replication", sentences={"gains": gains}),)
