"""Tables of the battery on the models of the run."""

from __future__ import annotations

from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.studies.study5_battery.published import TRACKS
from metacog.studies.study5_battery.tables.columns import COUNTS, DELTA, MODEL, TRACK

TABLES = {
    "own_items.table": Schema(
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
        "What might give an answer away. Same question: items whose question another has too, with other "
        "options.",
    ),
    "own_asked.cells": Schema(
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
        "What was asked, and the turn at which conversations were lost to a reply that names no option, or "
        "several.",
    ),
    "own_asked.cost": Schema(
        "cost",
        columns_of(
            MODEL,
            text("form", "Form"),
            count("items", "Items"),
            count("requests", "Requests"),
            number("minutes", "Minutes", 1),
            number("seconds", "Seconds", 2, "An item"),
            number("tokens", "Tokens", 0, "An item"),
            count("tokens_read", "Tokens read"),
            count("tokens_written", "Tokens written"),
            count("sessions", "Sessions"),
        ),
        "What it took. What prompts share is read once by a model of this machine; a server counts what "
        "it was sent. A dash: not counted.",
        empty="No run is recorded on this machine.",
    ),
    "own_asked.kinds": Schema(
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
    ),
    "own_asked.places": Schema(
        "places",
        columns_of(
            MODEL,
            count("n", "Answers"),
            number("said", "First was taken", 2),
            limits("lower", "upper", digits=2),
            number("right", "First was right", 2),
        ),
        "How often the first of two options was taken.",
    ),
    "own_monitoring.per_track": Schema(
        "per_track",
        columns_of(
            MODEL,
            TRACK,
            COUNTS,
            number("stood", "KEEP, %", 1),
            DELTA,
            number("bet_delta", "Bet delta", 1),
            limits("bet_lower", "bet_upper", digits=1),
        ),
        "Withdraw and bet deltas in points, with Newcombe's intervals.",
    ),
    "own_monitoring.means": Schema(
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
    ),
    "own_monitoring.graded": Schema(
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
    ),
    "own_monitoring.states": Schema(
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
        "Both probes as one confidence of four levels, T1 to T5; three levels: the two in the middle as one.",
    ),
    "own_monitoring.scores": Schema(
        "scores",
        columns_of(MODEL, (number(t, t) for t in TRACKS), number("mean", "Mean")),
        "Mean score on each track, by the rule that was read off the published files; T2 without its items "
        "on the edge of knowledge, for which none is known.",
    ),
    "own_regulation.paths": Schema(
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
    ),
    "own_regulation.forms": Schema(
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
        empty="One form was asked.",
    ),
    "own_regulation.reliability": Schema(
        "reliability",
        columns_of(
            MODEL,
            text("measure", "Measure"),
            count("kinds", "Kinds of item"),
            number("r", "r", 2),
            limits("lower", "upper", digits=2),
        ),
        "Correlation of two forms over the kinds of item of T1, T4 and T5.",
        empty="One form was asked.",
    ),
}
