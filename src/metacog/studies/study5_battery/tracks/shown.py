"""Scores, errors and kinds of item: what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metacog.core.words import listed, plural
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study5_battery.tracks.analysis import Tracks
from metacog.studies.study5_battery.tracks.error_profiles import ALPHA
from metacog.studies.study5_battery.tracks.item_types import HARD


def page_answer(result: Tracks) -> str:
    """Whether one model leads everywhere."""
    h1 = _values(result, "h1")
    if h1["sweeping"]:
        return f"{listed(h1['sweeping'])} scores highest on every track."
    return (
        f"No model leads everywhere: the most any leads is {h1['most']} tracks, and on {h1['tied']} the leader cannot "
        "be told from another."
    )


def specific(result: Tracks) -> str:
    """Whether errors depart from what ability and difficulty alone would do."""
    v = next(one.values for one in result.verdicts if one.topic == "h2")
    p = f"p = {v['p']:.3f}" if v["p"] >= 0.001 else "p below 0.001"
    does = "do" if v["p"] < ALPHA else "are not shown to"
    return f"Errors {does} depart from that, in kinds of item on which some models fail more than expected ({p})."


def paid(result: Tracks) -> str:
    """How many published scores the rule gives."""
    n, known, equal = (int(result.rule[c].sum()) for c in ("n", "known", "equal"))
    return (
        f"The rule gives what {known:,} of the {n:,} responses earn, and {equal:,} of these are as published."
    )


def hard(result: Tracks) -> str:
    """Deltas within models of the hard kinds of item next to those of the other kinds, the sixth track left out."""
    table = result.item_types
    table = table[table["track"] != "T6"]
    if not (table["accuracy"] < HARD).any():
        return f"No kind of item is answered correctly less than {HARD:.0%} of the time."
    table = table[table["delta"].notna()]
    few, rest = table[table["accuracy"] < HARD], table[table["accuracy"] >= HARD]
    if few.empty:
        return "No hard kind of item has a model with both right and wrong answers, so none has a delta."
    return (
        f"On {int((few['lower'] > 0).sum())} of {plural(len(few), 'hard kind')} of item (right less than {HARD:.0%} of "
        f"the time) models withdraw their wrong answers more often than their right ones, on "
        f"{int((rest['lower'] > 0).sum())} of {plural(len(rest), 'other')}; by chance one expects "
        f"{0.025 * len(table):.1f} in all."
    )


def h1_sentence(verdict: Verdict) -> str:
    """Who leads how many tracks."""
    v = verdict.values
    if v["sweeping"]:
        return f"{listed(v['sweeping'])} scores highest on every track."
    return f"No model scores highest on every track: the most any leads is {v['most']} of {v['tracks']}."


def h2_sentence(verdict: Verdict) -> str:
    """The test of both statistics together."""
    return f"Errors of {verdict.values['models']} models by kind of item: p = {verdict.values['p']:.4f}."


def h2_claim(verdict: Verdict) -> str:
    """What the test judges, and whether files that copy others are among what it judges."""
    copies = "with" if verdict.topic == "h2 all" else "without"
    return f"errors over kinds of item depart from equal discrimination, {copies} copied files"


def discrimination_sentence(verdict: Verdict) -> str:
    """Kinds of item on which most models make no error."""
    v = verdict.values
    return f"On {len(v['flat'])} of {v['kinds']} kinds of item at least half of the models make no error."


def _values(result: Tracks, name: str) -> Mapping[str, Any]:
    """What a verdict reports."""
    return next(v.values for v in result.verdicts if v.name == name)


VIEWS = (
    Views(
        "tracks",
        sentences={"answer": page_answer, "specific": specific, "paid": paid, "hard": hard},
        verdicts={"h1": h1_sentence, "h2": h2_sentence, "discrimination": discrimination_sentence},
        claims={"h2": h2_claim},
    ),
)
