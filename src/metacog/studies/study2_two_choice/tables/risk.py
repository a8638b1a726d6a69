"""Tables of the experiments under risk."""

from __future__ import annotations

from metacog.report.tables import Schema, answer, columns_of, number, text
from metacog.studies.study2_two_choice.tables.columns import (
    BOTH_ENDS,
    DIFFERENCE,
    MODEL,
    PAIR,
    RISK,
    SAID,
    TASK,
    N,
    rows_with,
)

HERE, PRINTED = "From the counts", "Printed"
BESIDE = columns_of(
    number("c", "c", 4, HERE),
    number("c_half", "half-width", 4, HERE),
    number("c_printed", "c", 4, PRINTED),
    number("half_printed", "half-width", 4, PRINTED),
)

TABLES = {
    "risk.cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            RISK,
            N,
            number("hit_rate", "Hits"),
            number("false_alarm_rate", "False alarms"),
            number("d_prime", "d'"),
            BESIDE,
            number("c_prime", "c'"),
            number("c_prime_half", "half-width of c'"),
        ),
        "The 27 cells of table S2. Half-widths are 1.96 standard errors by the delta method.",
    ),
    "risk.off": Schema(
        "off",
        columns_of(
            TASK,
            MODEL,
            RISK,
            BESIDE,
            text("c_status", "c in the ledger"),
            text("half_status", "half-width in the ledger"),
        ),
        "Rows of table S2 with a figure that differs from the recomputed one.",
        empty="Every row matches.",
    ),
    "risk.c_pairs": Schema(
        "pairs",
        columns_of(PAIR, DIFFERENCE, number("z", "Z", 1), BOTH_ENDS, SAID),
        "Differences of the criterion between configurations, first less second.",
        pick=rows_with("measure", "c"),
    ),
    "risk.d_pairs": Schema(
        "pairs",
        columns_of(
            PAIR,
            DIFFERENCE,
            number("relative", "in % of the second", 0),
            number("z", "Z", 1),
            BOTH_ENDS,
            SAID,
        ),
        "Differences of d' between configurations, first less second.",
        pick=rows_with("measure", "d_prime"),
    ),
    "risk.mirror": Schema(
        "mirror",
        columns_of(
            text("model", "Model"),
            TASK,
            answer("same_order", "Same order"),
            number("moves_c", "c moves by", 2),
            number("moves_c_prime", "c' moves by", 2),
            number("factor_low", "from", 2, "1/d'"),
            number("factor_high", "to", 2, "1/d'"),
        ),
        "c beside c': the way from the warning of S1 to that of S2, and the factor between the two.",
    ),
    "risk.moved": Schema(
        "moved",
        columns_of(
            text("model", "Model"),
            text("task", "Task"),
            number("s1", "S1", 2, 'Answers "S2" when warned of'),
            number("none", "nothing", 2, 'Answers "S2" when warned of'),
            number("s2", "S2", 2, 'Answers "S2" when warned of'),
        ),
        'What the criterion means in answers: the share of "S2", were both stimuli equally frequent.',
    ),
}
