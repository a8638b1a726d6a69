"""The battery on the models of the run: tables and sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import expected, listed, plural
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study5_battery.replication import figures
from metacog.studies.study5_battery.replication.analysis import Asked, Items, Monitoring, Regulation
from metacog.studies.study5_battery.replication.answer import NOTHING, page_answer
from metacog.studies.study5_battery.showing.columns import BET_DELTA, COUNTS, DELTA, MODEL, SCORES, TRACK

#: In place of tables without rows.
EMPTY = NOTHING.capitalize()
#: What a model did on T6, by the path that it chose.
CHOSEN = {"ANSWER_DIRECTLY": "answered directly", "REQUEST_HINT": "asked for a hint", "DECLINE": "declined"}


def _with_paths(paths: pd.DataFrame) -> pd.DataFrame:
    """The same rows, their paths in words."""
    return paths.assign(path=[CHOSEN[name] for name in paths["path"]])


def parallel(result: Items) -> str:
    """Whether the forms of the items have one table of difficulties."""
    have = "have the same" if result.same_difficulty else "do not have the same"
    return (
        f"{result.forms} forms of the items, made from as many seeds, {have} number of items of every "
        "track, kind, level and difficulty."
    )


def giveaways(result: Items) -> str:
    """Which tracks give answers away by place or length."""
    table = result.table
    biased = list(table.loc[table["p_keys"] < 0.05, "track"])
    cued = [
        f"{r.track} ({r.longest:.0%} where {r.chance_longest:.0%} is expected)"
        for r in rows_of(table)
        if r.p_longest < 0.05
    ]
    place = (
        f"The right option is more often at one place on {listed(biased)}."
        if biased
        else "On no track is the right option at one place more often than at another."
    )
    length = (
        f"It is the only longest option more, or less, often than chance on {listed(cued)}."
        if cued
        else "Nor does its length give it away on any."
    )
    return f"{place} {length}"


def understood(result: Asked) -> str:
    """Items, requests and lost conversations."""
    lost = result.asked - int(result.cells["usable"].sum())
    fate = "every reply named an option"
    if lost:
        fate = (
            f"{plural(lost, 'conversation')} ended in a reply that named none of the options, or several; "
            "such conversations count nowhere"
        )
    return f"{result.asked:,} items were asked in {result.requests:,} requests; {fate}."


def spent(result: Asked) -> str:
    """Time and tokens of each model, all its forms together."""
    texts = []
    for model, rows in result.cost.groupby("model", sort=False):
        read, written = rows["tokens_read"].sum(skipna=False), rows["tokens_written"].sum(skipna=False)
        tokens = (
            f"{read:,.0f} tokens were read and {written:,.0f} written"
            if np.isfinite(read + written)
            else "its tokens were not counted"
        )
        minutes, items = rows["minutes"].sum(), rows["items"].sum()
        texts.append(f"{model} took {minutes:.1f} minutes for {items:,} items; {tokens}.")
    return " ".join(texts) or "What it took is not recorded on this machine."


def above_chance_sentence(verdict: Verdict) -> str:
    """Kinds of item that are not answered better than by guessing."""
    table = verdict.values["flat"]
    flat = table[table["flat"] > 0]
    if len(flat):
        names = listed(f"{r.model} ({r.flat} of {r.kinds} kinds)" for r in rows_of(flat))
        first = f"Kinds of item that are not shown to be answered better than by guessing: {names}."
    else:
        first = "Every kind of item is answered better than by guessing."
    return (first if len(table) else "Nothing was answered.") + undecided_clause(verdict.undecided)


def monitors_sentence(verdict: Verdict) -> str:
    """Each model's mean delta."""
    rows = rows_of(verdict.values["deltas"])
    each = listed(f"{r.model} {r.delta:+.1f} ({r.lower:.1f} to {r.upper:.1f})" for r in rows)
    first = f"Mean withdraw delta over T1 to T5: {each}." if rows else "No delta is defined."
    return first + undecided_clause(verdict.undecided)


def grades_sentence(verdict: Verdict) -> str:
    """Each model's AUROC2 of the probability of KEEP."""
    rows = rows_of(verdict.values["areas"])
    each = listed(f"{r.model} {r.auroc2:.2f} ({r.lower:.2f} to {r.upper:.2f})" for r in rows)
    first = f"AUROC2 of the probability of KEEP: {each}."
    if not rows:
        first = "Nowhere were choices scored on enough right and wrong answers."
    return first + undecided_clause(verdict.undecided)


def habits(result: Monitoring) -> str:
    """The profile of each model by rule."""
    each = [
        f"{r.model} keeps {r.stood:.0f} % of its answers and is {r.profile} by rule."
        for r in rows_of(result.means)
    ]
    return " ".join(each) or f"Nothing can be said of a profile: {NOTHING}"


def chosen_paths(result: Regulation) -> str:
    """What each model chose on T6, and whether another habit would have paid more."""
    texts = []
    for model, rows in result.paths.groupby("model", sort=False):
        share, total = rows.set_index("path")["share"], float(rows["all"].iloc[0])
        than = "as much as declining throughout"
        if total != 0.25:
            than = f"{'more' if total > 0.25 else 'less'} than declining throughout (0.25)"
        texts.append(
            f"{model} {CHOSEN[str(share.idxmax())]} on {share.max():.0f} % of T6 and earned {total:.2f} points per "
            f"item, {than}."
        )
    return " ".join(texts) or "T6 was not asked, or none of its conversations was understood from end to end."


def agreement(result: Regulation) -> str:
    """How many comparisons of two forms differ, of those in which something could."""
    if result.forms.empty:
        return "One form of the items was asked in this run; the profile `battery` asks two."
    varied = result.forms[result.forms["varies"].astype(bool)]
    n, apart, rest = len(varied), int(varied["apart"].sum()), len(result.forms) - len(varied)
    constant = "both forms are the same throughout (all KEEP, for instance), so that nothing could differ"
    if not n:
        return f"In {plural(rest, 'comparison')} of two parallel forms {constant}."
    return (
        f"Of {plural(n, 'comparison')} of two parallel forms {apart} {'differs' if apart == 1 else 'differ'} "
        f"by more than their intervals allow; by chance one expects about {expected(0.05 * n)}."
        + (f" In {plural(rest, 'other')} {constant}." if rest else "")
    )


ITEMS = Views(
    "replication_items",
    tables={
        "table": Schema(
            "table",
            columns_of(
                TRACK,
                count("n", "Items"),
                count("kinds", "Kinds"),
                text("keys", "Right option"),
                number("p_keys", "p", 2),
                number("longest", "of items", 2, "Right option longest"),
                number("chance_longest", "by chance", 2, "Right option longest"),
                number("p_longest", "p", 3),
                count("stems", "Same question"),
                count("named", "Named in the question"),
            ),
            "What might give an answer away. Same question: items whose question is also that of another "
            "item, with other options.",
        )
    },
    sentences={"parallel": parallel, "giveaways": giveaways},
)
ASKED = Views(
    "replication_asked",
    tables={
        "cells": Schema(
            "cells",
            columns_of(
                MODEL,
                TRACK,
                count("asked", "Items"),
                count("usable", "Usable"),
                count("declined", "Declined"),
                count("bad_before", "Before it"),
                count("bad_answer", "Answer"),
                count("bad_keep", "KEEP"),
                count("bad_bet", "BET"),
                count("requests", "Requests"),
            ),
            "What was asked, and the turn at which conversations were lost to a reply that names no option, "
            "or several.",
        ),
        "cost": Schema(
            "cost",
            columns_of(
                MODEL,
                text("form", "Form"),
                count("items", "Items"),
                count("requests", "Requests"),
                number("minutes", "Minutes", 1),
                number("seconds", "Seconds", 2, "Per item"),
                number("tokens", "Tokens", 0, "Per item"),
                count("tokens_read", "Tokens read"),
                count("tokens_written", "Tokens written"),
                count("sessions", "Sessions"),
            ),
            "What it took. What prompts share is read once by a model of this machine; a server counts what "
            "it was sent. A dash: not counted.",
            empty="No run is recorded on this machine.",
        ),
        "kinds": Schema(
            "kinds",
            columns_of(
                MODEL,
                TRACK,
                text("item_type", "Kind of item"),
                count("n", "Answers"),
                number("accuracy", "Right", 2),
                limits("lower", "upper", digits=2),
                number("chance", "Chance", 2),
                answer("at_chance", "Chance within"),
            ),
            "Right answers by kind of item, with Wilson's interval.",
            empty=EMPTY,
        ),
        "places": Schema(
            "places",
            columns_of(
                MODEL,
                count("n", "Answers"),
                number("first", "First was taken", 2),
                limits("lower", "upper", digits=2),
                number("right", "First was right", 2),
            ),
            "How often the first of two options was taken.",
            empty=EMPTY,
        ),
    },
    figures={"kinds": figures.kinds},
    sentences={"understood": understood, "spent": spent},
    verdicts={"above_chance": above_chance_sentence},
)
MONITORING = Views(
    "replication_monitoring",
    tables={
        "per_track": Schema(
            "per_track",
            columns_of(MODEL, TRACK, COUNTS, number("stood", "KEEP, %", 1), DELTA, BET_DELTA),
            "Withdraw and bet deltas in points, with Newcombe's intervals.",
            empty=EMPTY,
        ),
        "means": Schema(
            "means",
            columns_of(
                MODEL,
                number("accuracy", "Accuracy"),
                number("stood", "KEEP, %", 1),
                DELTA,
                number("p", "p", 4),
                count("n_defined", "Tracks"),
                text("profile", "Profile by rule"),
            ),
            "Means over T1 to T5, with a score interval, and p by exact permutation within tracks. A mean "
            "over fewer than five tracks is not ranked.",
            empty=EMPTY,
        ),
        "graded": Schema(
            "graded",
            columns_of(
                MODEL,
                text("signal", "Signal"),
                count("n", "Answers"),
                count("n_incorrect", "Wrong"),
                number("auroc2", "AUROC2"),
                limits("lower", "upper"),
            ),
            "How well each probability orders right answers above wrong ones, T1 to T5.",
            empty=EMPTY,
        ),
        "states": Schema(
            "states",
            columns_of(
                MODEL,
                count("n_incorrect", "Wrong"),
                number("auroc2", "AUROC2"),
                limits("lower", "upper"),
                number("merged", "three levels"),
                number("within", "pairs of one track"),
                number("keep_alone", "KEEP alone"),
                number("meta_i", "meta-I in bits"),
            ),
            "Both probes as one confidence of four levels, T1 to T5; three levels: the two in the middle as "
            "one.",
            empty=EMPTY,
        ),
        "scores": Schema(
            "scores",
            SCORES,
            "Mean score on each track, by the rule that was read off the published files; T2 without its "
            "items on the edge of knowledge, for which none is known.",
        ),
    },
    figures={"board": figures.board},
    sentences={"answer": page_answer, "habits": habits},
    verdicts={"monitors": monitors_sentence, "grades": grades_sentence},
    claims={
        "monitors": "every model withdraws wrong answers more often than right ones",
        "grades": "the probability of KEEP is higher where the answer is right, in every model",
    },
)
REGULATION = Views(
    "replication_regulation",
    tables={
        "paths": Schema(
            "paths",
            columns_of(
                MODEL,
                text("path", "Path"),
                count("n", "Items"),
                number("share", "of all, %", 1),
                number("right", "Right", 2),
                limits("lower", "upper", digits=2),
                number("points", "Points", 2),
            ),
            "Paths chosen on T6, and what they earned.",
            pick=_with_paths,
            empty="No conversation of T6 was understood from end to end.",
        ),
        "forms": Schema(
            "forms",
            columns_of(
                MODEL,
                TRACK,
                text("measure", "Measure"),
                number("first", "Form 1", 1),
                number("second", "Form 2", 1),
                number("difference", "Difference", 1),
                limits("lower", "upper", digits=1),
            ),
            "Two parallel forms of the items that a seed makes, in % and points.",
            empty=None,
        ),
        "reliability": Schema(
            "reliability",
            columns_of(
                MODEL,
                text("measure", "Measure"),
                count("kinds", "Kinds of item"),
                number("r", "r", 2),
                limits("lower", "upper", digits=2),
            ),
            "Correlation of two forms over the kinds of item of T1, T4 and T5: which kinds a model finds "
            "hard should not depend on the seed.",
            empty=None,
        ),
    },
    sentences={"chosen_paths": chosen_paths, "agreement": agreement},
)
VIEWS = (ITEMS, ASKED, MONITORING, REGULATION)
