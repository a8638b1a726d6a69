"""Tables of the experiments on the models of the run."""

from __future__ import annotations

from metacog.report.posterior import posterior_columns, sampling_columns
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
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

PADDED = answer("padded", "Made of its padding")

TABLES = {
    "own_asked.cells": Schema(
        "cells",
        columns_of(
            MODEL,
            TASK,
            text("experiment", "Experiment"),
            RISK,
            count("asked", "Asked"),
            count("usable", "Usable"),
            count("unparsed", "Not understood"),
            count("repaired", "Asked again"),
            count("refused", "Refused"),
            count("truncated", "Cut off"),
            number("correct", "Right", 2),
        ),
        "Every cell: what was asked and what can be used. The last column is the share right of the usable.",
    ),
    "own_asked.facts": Schema(
        "facts",
        columns_of(
            MODEL,
            text("prompt", "Prompt"),
            count("n_trials", "Trials"),
            number("minutes", "Minutes", 1),
            text("sha256", "SHA-256"),
        ),
        "The runs behind this page.",
        empty="No run is recorded on this machine.",
    ),
    "own_ratings.cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            N,
            number("accuracy", "Accuracy", 2),
            limits("accuracy_lo", "accuracy_hi", "95 % of accuracy", 2),
            number("d_prime", "d'", 2),
            limits("d_prime_lo", "d_prime_hi", "95 % of d'", 2),
            number("c", "c", 2),
            limits("c_lo", "c_hi", "95 % of c", 2),
            answer("near_chance", "May be chance"),
            PADDED,
        ),
        "Decisions: d' and c with delta intervals, after 0.1 was added to each of the 20 counts.",
    ),
    "own_ratings.meta": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            count("levels", "Ratings used"),
            number("d_prime", "d'", 2),
            number("meta_d", "meta-d'", 2),
            limits("meta_d_lo", "meta_d_hi", "95 % of meta-d'", 2),
            number("m_ratio", "M-ratio", 2),
            limits("m_ratio_lo", "m_ratio_hi", "95 % of M-ratio", 2),
            number("dropped", "Resamples without one", 2),
            answer("near_chance", "May be chance"),
            PADDED,
        ),
        "Confidence: maximum likelihood with bootstrap intervals. Where d' may be chance, M-ratio cannot be "
        "judged.",
    ),
    "own_ratings.signals": Schema(
        "signals",
        columns_of(
            TASK,
            MODEL,
            text("words", "Confidence read from"),
            count("n", "Trials"),
            count("levels", "Different values"),
            number("auroc2", "AUROC2"),
            limits("auroc2_lo", "auroc2_hi"),
            number("gain", "Gain over the digit"),
            limits("gain_lo", "gain_hi", "95 % of the gain"),
            number("p", "p"),
        ),
        "Three signals of confidence about the same decisions; gains and p by DeLong's test.",
    ),
    "own_posterior.cells": Schema(
        "cells",
        posterior_columns((TASK, MODEL)),
        "Means and intervals of posteriors; nothing is added to any count, the priors keep d' finite.",
    ),
    "own_posterior.sampling": Schema("cells", sampling_columns((TASK, MODEL)), "How well it was sampled."),
    "own_risk.cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            RISK,
            N,
            number("hit_rate", "Hits", 2),
            number("false_alarm_rate", "False alarms", 2),
            number("d_prime", "d'", 2),
            number("d_prime_half", "half-width of d'", 2),
            number("c", "c", 2),
            number("c_half", "half-width of c", 2),
            PADDED,
        ),
        "Decisions under the three risk configurations, after half a trial was added to each of the four "
        "outcomes; half-widths by the delta method.",
    ),
    "own_risk.c_pairs": Schema(
        "pairs",
        columns_of(PAIR, DIFFERENCE, number("z", "Z", 1), BOTH_ENDS, SAID),
        "Differences of the criterion, first less second.",
        pick=rows_with("measure", "c"),
        empty="No pair can be compared.",
    ),
    "own_risk.d_pairs": Schema(
        "pairs",
        columns_of(PAIR, DIFFERENCE, number("z", "Z", 1), BOTH_ENDS, SAID),
        "Differences of d', first less second.",
        pick=rows_with("measure", "d_prime"),
        empty="No pair can be compared.",
    ),
}
