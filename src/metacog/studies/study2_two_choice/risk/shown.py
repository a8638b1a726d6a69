"""What does a warning do to the criterion? How it is shown: tables, figures and sentences."""

from __future__ import annotations

from typing import Any

import numpy as np

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import Drawing
from metacog.report.tables import Schema, answer, columns_of, number, text
from metacog.report.views import Views
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.studies.study2_two_choice.cells import panels
from metacog.studies.study2_two_choice.cells.columns import (
    BOTH_ENDS,
    DECISIONS,
    DIFFERENCE,
    MODEL,
    PAIR,
    RISK,
    TASK,
    N,
    in_words,
    rows_with,
)
from metacog.studies.study2_two_choice.cells.decisions import Z
from metacog.studies.study2_two_choice.cells.sentences import warned
from metacog.studies.study2_two_choice.risk.analysis import Risk

#: Single warnings without effect that are named; more are only counted.
MOST_NAMED = 4
HERE, PUBLISHED = "From the counts", "Published"
BOTH = columns_of(
    number("c", "c", 4, HERE),
    number("c_half", "half-width", 4, HERE),
    number("c_printed", "c", 4, PUBLISHED),
    number("half_printed", "half-width", 4, PUBLISHED),
)

TABLES = {
    "cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            RISK,
            N,
            number("hit_rate", "Hits"),
            number("false_alarm_rate", "False alarms"),
            number("d_prime", "d'"),
            BOTH,
            number("c_prime", "c'"),
            number("c_prime_half", "half-width of c'"),
        ),
        "The 27 cells of table S2. Half-widths are 1.96 standard errors by the delta method.",
        pick=in_words,
    ),
    "off": Schema(
        "off",
        columns_of(TASK, MODEL, RISK, BOTH, answer("c_reproduced", "c is reproduced")),
        "Rows of table S2 with a figure that is not reproduced.",
        pick=in_words,
        empty="Every row is reproduced.",
    ),
    "c_pairs": Schema(
        "pairs",
        columns_of(PAIR, DIFFERENCE, number("z", "Z", 1), BOTH_ENDS, DECISIONS),
        "Differences of the criterion between configurations, first minus second.",
        pick=rows_with("measure", "c"),
    ),
    "d_pairs": Schema(
        "pairs",
        columns_of(
            PAIR,
            DIFFERENCE,
            number("relative", "in % of the second", 0),
            number("z", "Z", 1),
            BOTH_ENDS,
            DECISIONS,
        ),
        "Differences of d' between configurations, first minus second.",
        pick=rows_with("measure", "d_prime"),
    ),
    "mirror": Schema(
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
        "c and c': the change from the warning of S1 to that of S2, and the factor between the two.",
    ),
    "moved": Schema(
        "moved",
        columns_of(
            text("model", "Model"),
            text("task", "Task"),
            number("s1", "S1", 2, 'Answers "S2" when warned of'),
            number("none", "nothing", 2, 'Answers "S2" when warned of'),
            number("s2", "S2", 2, 'Answers "S2" when warned of'),
        ),
        'What the criterion means in answers: the share of "S2" if both stimuli were equally frequent.',
    ),
}

FIGURES = {
    "criterion": Drawing(
        lambda result: panels.over_risk(result.cells, "c", "c"),
        name="fig-study2-criterion",
        caption=(
            "The criterion c with 95 % delta intervals, by task, model and warning. Below 0 a model says S2 "
            "more readily, above 0 S1. A model that heeds a warning climbs from left to right; look how "
            "steeply, and whether it stands at 0 without a warning. Most intervals are shorter than their marker: "
            "the bars across the markers are their ends."
        ),
        alt="Criterion c of three models at three warnings, one panel per task",
    ),
    "relative": Drawing(
        lambda result: panels.over_risk(result.cells, "c_prime", "c'"),
        name="fig-study2-relative-criterion",
        caption=(
            "The same for c' = c/d', with intervals by the delta method that count the covariance of c and "
            "d'. Look whether any line runs differently from its line of c."
        ),
        alt="Relative criterion c' of three models at three warnings, one panel per task",
    ),
    "d_pairs": Drawing(
        lambda result: panels.risk_pairs(result.pairs, "d_prime", "d'"),
        name="fig-study2-d-pairs",
        caption=(
            "Differences of d' between warnings. Thick: 95 % intervals; thin: as wide as the Bonferroni "
            "test. Grey: the ROPE. The decision changes with the width where only the thick line is clear of "
            "the grey."
        ),
        alt="Differences of d prime between pairs of warnings with two intervals each, against the ROPE",
    ),
    "c_pairs": Drawing(
        lambda result: panels.risk_pairs(result.pairs, "c", "c"),
        name="fig-study2-c-pairs",
        caption=(
            "Differences of the criterion between warnings. Thick: 95 % intervals; thin: as wide as the "
            "Bonferroni test. Grey: the ROPE. A warning is heeded where both lie left of the grey."
        ),
        alt="Differences of the criterion between pairs of warnings with two intervals each, against the ROPE",
    ),
}


def _cell(row: Any) -> str:
    return f"{row.name}, task {row.task}{warned(row.risk)}"


def slips(result: Risk) -> str:
    """Which half-widths are not reproduced, and what each would take."""
    cells = result.cells
    rows = rows_of(cells[~cells["half_reproduced"]])
    if not rows:
        return "Every published half-width is reproduced."
    sentences = []
    for row in rows:
        n_needed = row.n * (row.c_half / row.half_printed) ** 2
        z_needed = Z * row.half_printed / row.c_half
        reproduced = "is reproduced" if row.c_reproduced else "is not reproduced either"
        twins = row.half_twins
        elsewhere = f"{plural(twins, 'other cell')} would have it" if twins else "it belongs to no other cell"
        sentences.append(
            f"{_cell(row)}: the counts give {row.c_half:.4f}, published is {row.half_printed:.4f}. The "
            f"criterion of the same row {reproduced}, and it rests on the same two rates. The published "
            f"width would need {n_needed:,.0f} trials in place of {row.n:,}, or {z_needed:.3f} standard "
            f"errors in place of {Z}; {elsewhere}. The other {len(cells) - len(rows)} half-widths are "
            "reproduced."
        )
    return " ".join(sentences)


def rounding(result: Risk) -> str:
    """Which published criteria are not the rounded ones but cut off after the last digit."""
    cells = result.cells
    off = cells[~cells["c_reproduced"]]
    if off.empty:
        return "Every published criterion is reproduced to the fourth decimal."
    names = []
    for r in rows_of(off):
        how = "our value truncated" if r.c_cut else "our value neither rounded nor truncated"
        names.append(f"{_cell(r)} ({r.c:.6f}, published {r.c_printed:.4f}, {how})")
    return (
        f"{len(cells) - len(off)} of {plural(len(cells), 'published criterion', 'published criteria')} are "
        f"reproduced to the fourth decimal. Not reproduced: {listed(names)}."
    )


def padding(result: Risk) -> str:
    """How many criteria would still be reproduced if half a trial were added to each count."""
    return (
        f"With raw rates {result.c_reproduced} of {result.n_cells} criteria are reproduced; with the customary "
        f"half trial added to every count {result.c_reproduced_padded} would be."
    )


def mirroring(result: Risk) -> str:
    """How c' mirrors c."""
    table, cells = result.mirror, result.cells
    rho = float(np.corrcoef(cells["c"], cells["c_prime"])[0, 1])
    different = [f"{r.model} on task {r.task}" for r in rows_of(table[~table["same_order"]])]
    most = table.iloc[int(np.argmax(table["factor_high"] / table["factor_low"]))]
    change = 100 * (most["factor_high"] / most["factor_low"] - 1)
    return (
        f"In {int(table['same_order'].sum())} of {len(table)} models and tasks c' orders the three "
        "configurations as c does"
        + (f" (not in {listed(different)})" if different else "")
        + f". Over all {len(cells)} cells the two correlate at {rho:.3f}. c' is c divided by d', so it "
        f"mirrors c to the extent that d' is constant; it does so least for {most['model']} on task "
        f"{most['task']}, where the divisor changes by {change:.0f} %."
    )


def page_answer(result: Risk) -> str:
    """Who heeds a warning, who moves most and least in answers, and whether d' stays."""
    return f"{heeded(result)} {how_far(result)}"


def heeded(result: Risk) -> str:
    """In how many models and tasks the two warnings differ as they should, and how many move against no warning."""
    pairs = result.pairs[result.pairs["measure"] == "c"]
    pairs = pairs.assign(moves=(pairs["difference"] < 0) & (pairs["decision_wide"] != NOT_SIGNIFICANT))
    both = (pairs["first"] == "S1") & (pairs["second"] == "S2")
    ends, single = pairs[both], pairs[~both]  # c should climb from S1 over none to S2
    still = single[~single["moves"]]
    few = 0 < len(still) <= MOST_NAMED
    names = (
        f"{r.name} warned of {r.second if r.first == 'None' else r.first} on task {r.task}"
        for r in rows_of(still)
    )
    except_for = f"; the {'exception is' if len(still) == 1 else 'exceptions are'} {listed(names)}"
    return (
        f"In {int(ends['moves'].sum())} of {len(ends)} models and tasks decisions differ between the two warnings, "
        f"away from the punished answer; compared with no warning, {int(single['moves'].sum())} of "
        f"{plural(len(single), 'single warning')} {'does' if len(single) == 1 else 'do'} so"
        f"{except_for if few else ''}."
    )


def how_far(result: Risk) -> str:
    """Who moves most and least in answers, and whether d' stays."""
    pairs = result.pairs
    by_way = rows_of(result.moved.assign(way=result.moved["s1"] - result.moved["s2"]).sort_values("way"))
    least, most = by_way[0], by_way[-1]
    of_d = pairs[pairs["measure"] == "d_prime"]
    changed = int((of_d["decision_wide"] != NOT_SIGNIFICANT).sum())
    return (
        f"{most.model} on task {most.task} moves most: it says S2 {most.s1:.0%} of the time when warned of "
        f"S1 and {most.s2:.0%} when warned of S2; {least.model} on task {least.task} moves least ({least.s1:.0%} and "
        f"{least.s2:.0%}). What the models can tell apart, $d'$, differs in {changed} of "
        f"{plural(len(of_d), 'pair')} of warnings"
        + (", so not only the line between the answers moved." if changed else ".")
    )


VIEWS = Views(
    "risk",
    tables=TABLES,
    figures=FIGURES,
    sentences={
        "answer": page_answer,
        "heeded": heeded,
        "how_far": how_far,
        "slips": slips,
        "rounding": rounding,
        "padding": padding,
        "mirroring": mirroring,
    },
)
