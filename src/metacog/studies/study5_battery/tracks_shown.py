"""Scores, errors and kinds of item: what is said of them."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study5_battery.tracks import ALPHA, Tracks
from metacog.verdicts.verdict import Verdict


def page_answer(result: Tracks) -> str:
    """Whether one model leads everywhere."""
    h1 = next(v.values for v in result.verdicts if v.name == "h1")
    if h1["sweeping"]:
        return f"{listed(h1['sweeping'])} scores highest on every track."
    return (
        f"No model leads everywhere: the most any leads is {h1['most']} tracks, and on {h1['tied']} the leader cannot "
        "be told from another."
    )


def errors_depart(verdict: Verdict) -> str:
    """Whether errors depart from what ability and difficulty alone would do."""
    v = verdict.values
    p = f"p = {v['p']:.3f}" if v["p"] >= 0.001 else "p below 0.001"
    does = "do" if v["p"] < ALPHA else "are not shown to"
    return f"Errors {does} depart from that, in kinds of item on which some models fail more than expected ({p})."


def specific(result: Tracks) -> str:
    """The same of the result, without files that copy others."""
    return errors_depart(next(v for v in result.verdicts if v.topic == "h2"))


VIEWS = (
    Views(
        "tracks",
        sentences={"answer": page_answer, "specific": specific},
        verdicts={"h2": errors_depart},
    ),
)
