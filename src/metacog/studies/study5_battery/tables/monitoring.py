"""Tables of deltas, ranks and profiles."""

from __future__ import annotations

from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.studies.study5_battery.published import RETROSPECTIVE
from metacog.studies.study5_battery.tables.columns import COUNTS, DELTA, MODEL, TRACK

TABLES = {
    "monitoring.per_track": Schema(
        "per_track",
        columns_of(
            MODEL,
            TRACK,
            COUNTS,
            number("accuracy", "Accuracy"),
            number("kc", "KEEP of right, %", 1),
            number("ki", "KEEP of wrong, %", 1),
            DELTA,
            number("bet_delta", "Bet delta", 1),
            limits("bet_lower", "bet_upper", digits=1),
        ),
        "Rates of KEEP, withdraw and bet deltas in points, with Newcombe's intervals. A dash: undefined.",
    ),
    "monitoring.board": Schema(
        "board",
        columns_of(
            MODEL,
            DELTA,
            number("p", "p", 4),
            number("holm", "Holm", 4),
            count("n_defined", "Tracks"),
            number("accuracy", "Accuracy"),
            count("accuracy_rank", "by accuracy"),
            count("rank", "by delta"),
            limits("rank_from", "rank_to", "Ranks not ruled out", 0),
            count("printed_rank", "Printed"),
        ),
        "Mean withdraw delta over T1 to T5 with a 95 % score interval; p by exact permutation within "
        "tracks, by itself and with Holm's correction. Only means over five tracks are ranked.",
    ),
    "monitoring.bets": Schema(
        "bets",
        columns_of(
            MODEL,
            number("delta", "Bet delta", 1),
            limits("lower", "upper", digits=1),
            count("n_defined", "Tracks"),
            number("stood", "BET, %", 1),
            count("rank", "by bet delta"),
            limits("rank_from", "rank_to", "Ranks not ruled out", 0),
        ),
        "The same for the second probe.",
    ),
    "profiles.beside": Schema(
        "beside",
        columns_of(
            MODEL,
            number("stood", "KEEP, %", 1),
            DELTA,
            text("rule", "By rule"),
            text("printed", "Printed"),
            answer("same", "Agree"),
            number("stable", "Same in resamples", 2),
        ),
        "Profiles by the printed thresholds beside the printed profiles.",
    ),
    "profiles.alone": Schema(
        "alone",
        columns_of(
            text("threshold", "Threshold"),
            number("usual", "Printed", 0),
            number("value", "Set to", 0),
            count("changed", "Profiles changed"),
            count("as_printed", "As printed"),
        ),
        "One threshold moved at a time: how many of the 20 profiles change, and how many are the printed "
        "ones.",
    ),
    "profiles.by_track": Schema(
        "by_track",
        columns_of(
            MODEL, (text(t, t) for t in (*RETROSPECTIVE, "T6")), count("distinct", "Kinds on T1 to T5")
        ),
        "The profile of each model on each track. T6 is judged by the path chosen beforehand.",
    ),
}
