"""Scores, errors and kinds of item: tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study5_battery.showing.columns import MODEL, SCORES, TRACK
from metacog.studies.study5_battery.tracks import figures
from metacog.studies.study5_battery.tracks.analysis import Tracks
from metacog.studies.study5_battery.tracks.error_profiles import ALPHA
from metacog.studies.study5_battery.tracks.item_types import HARD


def names_in_words(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """A column of names, or of numbers, joined as a reader expects them."""
    return frame.assign(**{column: [listed(v.split("; ")) if v else "" for v in frame[column]]})


def paid(result: Tracks) -> str:
    """How many published scores the rule gives."""
    n, known, equal, files = (int(result.rule[c].sum()) for c in ("n", "known", "equal", "files"))
    return (
        f"The rule gives what {known:,} of the {n:,} responses earn, and {equal:,} of these are the "
        f"published scores; {files} files are reproduced entirely."
    )


def hard(result: Tracks) -> str:
    """Deltas within models of the hard kinds of item next to those of the other kinds, T6 left out."""
    table = result.item_types
    table = table[table["track"] != "T6"]
    if not (table["accuracy"] < HARD).any():
        return f"No kind of item is answered correctly less than {HARD:.0%} of the time."
    table = table[table["delta"].notna()]
    hard_ones = table["accuracy"] < HARD
    few, rest = table[hard_ones], table[~hard_ones]
    if few.empty:
        return (
            "No kind of item that is hard has a model with both right and wrong answers, so no delta either."
        )
    deltas = listed(f"{row.item_type} ({row.delta:+.0f})" for row in rows_of(few))
    chance = 0.025 * len(table)  # of each kind's interval, one end
    return (
        f"On {int((few['lower'] > 0).sum())} of {plural(len(few), 'hard kind')} of item models withdraw their wrong "
        f"answers more often than their right ones, on {int((rest['lower'] > 0).sum())} of "
        f"{plural(len(rest), 'other')}. Hard are those of T1 to T5 that are answered correctly less than {HARD:.0%} of "
        f"the time; their withdraw deltas are {deltas}. Counted are kinds of which the 95 % interval of the weighted "
        "mean delta within models lies above zero, each kind by itself and answers taken as independent; by chance one "
        f"expects {chance:.1f} of {len(table)}."
    )


def h1_sentence(verdict: Verdict) -> str:
    """Who leads how many tracks."""
    v = verdict.values
    first = (
        f"{listed(v['sweeping'])} scores highest on every track."
        if v["sweeping"]
        else f"No model scores highest on every track: the most any leads is {v['most']} of {v['tracks']} "
        f"({listed(v['leading_most'])})."
    )
    how_often = (
        f"In {v['on_all']:.1%} of resamples of the items one model leads"
        if v["on_all"]
        else ("In no resample of the items does one model lead")
    )
    return (
        f"{first} {how_often} all of them. On "
        f"{v['tied']} of {v['tracks']} tracks the leader is indistinguishable from at least one other "
        f"model.{undecided_clause(verdict.undecided)}"
    )


def h2_sentence(verdict: Verdict) -> str:
    """The test of both statistics together, and how many models depart by themselves."""
    v = verdict.values
    return (
        f"Errors of {v['models']} models by kind of item: p = {v['p']:.4f} for both statistics together "
        f"({v['p_squares']:.4f} by squares, {v['p_pearson']:.4f} by Pearson's), in {v['tables']:,} tables "
        f"with the same margins; {plural(v['alone'], 'model')} {'departs' if v['alone'] == 1 else 'depart'} "
        f"from the common pattern by themselves (p < {ALPHA}, each judged alone)."
    )


def h2_claim(verdict: Verdict) -> str:
    """What the test judges, and whether files that copy others are among what it judges."""
    copies = "with" if verdict.topic == "h2 all" else "without"
    return f"errors over kinds of item depart from equal discrimination, {copies} copied files"


def discrimination_sentence(verdict: Verdict) -> str:
    """Kinds of item on which most models make no error."""
    flat = verdict.values["flat"]
    return (
        f"On {len(flat)} of {verdict.values['kinds']} kinds of item at least half of the models make no "
        f"error: {listed(flat)}.{undecided_clause(verdict.undecided)}"
    )


def page_answer(result: Tracks) -> str:
    """Whether one model leads everywhere, whether leads can be told, and how many kinds of item tell models apart."""
    h1, kinds = (_values(result, name) for name in ("h1", "discrimination"))
    first = (
        f"{listed(h1['sweeping'])} scores highest on every track"
        if h1["sweeping"]
        else f"No model leads everywhere: the most any leads is {h1['most']} of {h1['tracks']} tracks"
    )
    return (
        f"{first}, and on {h1['tied']} of {h1['tracks']} the leader cannot be told from at least one other model. On "
        f"{len(kinds['flat'])} of {kinds['kinds']} kinds of item at least half of the models make no error, so that "
        "these tell little about them."
    )


def _values(result: Tracks, name: str) -> Mapping[str, Any]:
    """What a verdict reports."""
    return next(v.values for v in result.verdicts if v.name == name)


TRACKS = Views(
    "tracks",
    tables={
        "scores": Schema("scores", SCORES, "Mean score on each track."),
        "payoffs": Schema(
            "payoffs",
            columns_of(
                text("group", "Items"),
                answer("correct", "Right"),
                answer("keep", "KEEP"),
                answer("bet", "BET"),
                text("path", "Path", optional=True),
                number("score", "Score", 2),
                count("n", "Responses"),
                text("others", "Also", optional=True),
            ),
            "What each state earns, read off the files.",
            pick=lambda frame: names_in_words(frame, "others"),
        ),
        "rule": Schema(
            "rule",
            columns_of(
                TRACK,
                count("n", "Responses"),
                count("known", "With a rule"),
                count("equal", "As published"),
                count("files", "Entire files"),
            ),
            "How many of the published scores follow from the state alone; 20 files per track.",
        ),
        "leaders": Schema(
            "leaders",
            columns_of(
                TRACK,
                text("leader", "Highest"),
                number("score", "Score"),
                text("second", "Next"),
                number("gap", "Gap"),
                limits("lower", "upper"),
                count("not_apart", "Not distinguished from the highest"),
            ),
            "Who scores highest, by how much, and how many other models cannot be distinguished from it "
            "(paired, items resampled).",
            pick=lambda frame: names_in_words(frame, "leader"),
        ),
        "errors": Schema(
            "errors",
            columns_of(
                MODEL,
                count("errors", "Errors"),
                number("p", "p"),
                text("most", "More errors than expected on"),
                number("excess", "by", 1),
                text("least", "Fewer on"),
                number("deficit", "by", 1),
            ),
            "Where each model fails beyond its ability and the items' difficulty; files filed twice are "
            "left out.",
        ),
        "item_types": Schema(
            "item_types",
            columns_of(
                TRACK,
                text("item_type", "Kind of item"),
                count("n_items", "Items"),
                number("accuracy", "Mean", 2, "Accuracy"),
                number("lowest", "Lowest", 2, "Accuracy"),
                count("perfect", "Models without error"),
                number("item_rest", "Item and rest", 2),
                count("n_incorrect", "Errors"),
                number("delta", "Withdraw delta", 1),
                limits("lower", "upper", digits=1),
                count("compared", "Models with a delta"),
            ),
            "What each kind of item tells, over all models. Withdraw delta: the weighted mean of the models' own, over "
            "models with right and wrong answers (weights: the product of both over their sum), without files filed "
            "twice and items that were declined.",
        ),
    },
    figures={"scores": figures.scores, "item_types": figures.item_types},
    sentences={"answer": page_answer, "paid": paid, "hard": hard},
    verdicts={"h1": h1_sentence, "h2": h2_sentence, "discrimination": discrimination_sentence},
    claims={"h2": h2_claim},
)
VIEWS = (TRACKS,)
