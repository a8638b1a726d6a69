"""Rows of study 4 in the ledger: tables 1 to 9, the sweep of section A.5, and the text's figures.

No answers were published. What can be recomputed is what printed figures say of one another: means of
printed scores, components of printed scores, Flash's T4-CR from its printed items, tests and intervals of
printed correlations, and the rankings that the correlations of table 7 leave open.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Entry, Settings, StudyLedger
from metacog.ledger.judging import agreement, inside
from metacog.ledger.tolerances import half_last_digit
from metacog.studies.study4_probe import panel, paper, rank_tests
from metacog.studies.study4_probe.ledger.external import hypothesis_rows, task_rows, validity_rows
from metacog.studies.study4_probe.ledger.roles import (
    FROM_END,
    FROM_ROWS,
    ITEMS,
    SOLVED_FROM,
    STUDY,
    TWICE,
    figure,
    table_name,
)
from metacog.studies.study4_probe.ledger.text import text_rows
from metacog.studies.study4_probe.paper import FLASH, FROM_CELLS, FROM_ITEMS, TASKS, short
from metacog.studies.study4_probe.range_score import (
    FLAT,
    NARROW,
    RANGE_BAND,
    SIGMA_BAND,
    penalties,
    range_score,
    sweep,
)

NEEDS_ANSWERS = "the answers of the eight models to the 78 items"
NEEDS_SLOTS = "the fifteen slot scores of each model"
NEEDS_RATINGS = "the raters' judgements of the items"
#: A quantity that a chapter looks up.
AGAIN = "Flash T4-CR"


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 4."""
    return [
        *_leaderboard(),
        *_reliability(),
        *_swap(),
        *_rank_tests(),
        *_items(),
        *_components(),
        *validity_rows(),
        *task_rows(),
        *hypothesis_rows(),
        *_sweep(),
        *text_rows(),
    ]


def judged_sweep() -> pd.DataFrame:
    """Flash's T4-CR at nine pairs of thresholds by its items, next to the printed ones.

    Returns
    -------
    DataFrame
        ``sigma_T, range_T, score``; ``printed``, and whether the ledger says that it ``follows``: at the live
        thresholds the score of table 1, which is printed there again.
    """
    theirs = paper.as_text("a5_sensitivity").rename(columns={"flash_t4cr": "printed"})
    both = sweep(*paper.flash_items()).merge(theirs[["sigma_T", "range_T", "printed"]])
    agreed = agreement([*_leaderboard(), *_sweep()])
    live = agreed[table_name("1"), FLASH, short("T4_CR")]
    return both.assign(
        printed=both["printed"].astype(float),
        follows=[
            bool(agreed[table_name("A.5"), sweep_item(row), AGAIN] and (live or not _is_live(row)))
            for row in rows_of(both)
        ],
    )


def judged_tests() -> pd.DataFrame:
    """:func:`.rank_tests.recomputed`, and whether the ledger calls each printed p reproduced: ``p_agrees``."""
    agreed = agreement(_rank_tests())[table_name("4")].unstack("quantity")["p"]
    frame = rank_tests.recomputed_tests()
    return frame.assign(p_agrees=agreed[frame["model"]].to_numpy(dtype=bool))


def sweep_item(row: Any) -> str:
    """A pair of thresholds in words: of the standard deviation of confidence, and of its range."""
    deviation, span = (str(end).replace("mid", "middle") for end in (row.sigma_T, row.range_T))
    return f"deviation {deviation}, range {span}"


def _is_live(row: Any) -> bool:
    """Whether these are the thresholds that table 1 was scored with."""
    return (row.sigma_T, row.range_T) == ("mid", "mid")


def _leaderboard() -> list[Entry]:
    name, frame = table_name("1"), paper.as_text("table1_leaderboard")
    own = panel.printed_composites()
    flash = range_score(*paper.flash_items())
    rows = []
    for row in rows_of(frame):
        for task in TASKS:
            value = None
            if (row.model, task) == (FLASH, "T4_CR"):
                value = figure(flash.score, FROM_ITEMS, note="with the middle thresholds of the band")
            rows.append(
                Entry(STUDY, name, row.model, short(task), getattr(row, task), value, needs=NEEDS_ANSWERS)
            )
        for column, label in (("mean_T1_T2_T4_T5", "mean of four"), ("mean_T1_T5", "mean of five")):
            value = figure(float(own[column][row.model]), FROM_CELLS)
            rows.append(
                Entry(
                    STUDY,
                    name,
                    row.model,
                    label,
                    getattr(row, column),
                    value,
                    precision=paper.precision("table1_leaderboard", column),
                )
            )
        rows.append(
            Entry(STUDY, name, row.model, "15-slot composite", row.composite_15_slot, needs=NEEDS_SLOTS)
        )
    for row in rows_of(paper.as_text("table1b_t2ev_v60_mean")):
        rows.append(
            Entry(
                STUDY,
                table_name("1b"),
                row.model,
                "mean of four, T2-EV version 60",
                row.mean_T1_T2_T4_T5_v60,
                needs=NEEDS_ANSWERS,
            )
        )
    return rows


def _reliability() -> list[Entry]:
    name, rows = table_name("2"), []
    own = rank_tests.reliability_table().set_index("task")
    renamed = {"gap_to_0.90": "gap_agreement", "gap_to_0.25": "gap_alpha"}
    for row in rows_of(paper.as_text("table2_reliability").rename(columns=renamed)):
        item = short(row.task)
        rows += [
            Entry(STUDY, name, item, "agreement", row.pct_agree, needs=NEEDS_RATINGS),
            Entry(STUDY, name, item, "Krippendorff's alpha", row.alpha, needs=NEEDS_RATINGS),
        ]
        for column in ("gap_agreement", "gap_alpha"):
            value = figure(float(own[column][item]), "the printed agreement and alpha")
            label = "gap to 0.90" if column == "gap_agreement" else "gap to 0.25"
            rows.append(Entry(STUDY, name, item, label, getattr(row, column), value, role=FROM_ROWS))
    return rows


def _swap() -> list[Entry]:
    rows = []
    for row in rows_of(paper.as_text("table3_decontamination")):
        for column, label in (("t3_kb_arc_rho", "rho of T3-KB with ARC"), ("mean_t3_kb", "mean T3-KB")):
            text, value = getattr(row, column), None
            if (row.iteration, column) == ("v75", "mean_t3_kb"):
                value = figure(float(paper.scores()["T3_KB"].mean()), FROM_CELLS, reach=0.5)
            if text:
                rows.append(
                    Entry(
                        STUDY,
                        table_name("3"),
                        f"iteration {row.iteration}",
                        label,
                        text,
                        value,
                        needs=NEEDS_ANSWERS,
                    )
                )
    return rows


def _rank_tests() -> list[Entry]:
    name, rows = table_name("4"), []
    source = f"the printed rho and {rank_tests.N} items"
    text: Any = paper.as_text("table4_spearman").set_index("model")
    for row in rows_of(rank_tests.recomputed_tests()):
        printed = text.loc[row.model]
        off = half_last_digit("0.001")
        spans = _items_note("interval", row.sizes_ci)
        rows += [
            Entry(STUDY, name, row.model, "rho", printed["rho"], needs=NEEDS_ANSWERS),
            Entry(
                STUDY,
                name,
                row.model,
                "p",
                printed["p"],
                figure(row.p_24, source, reach=row.p_off, note=_items_note("p", row.sizes_p)),
                precision=paper.precision("table4_spearman", "p"),
            ),
            Entry(
                STUDY,
                name,
                row.model,
                "lower end",
                printed["lower"],
                figure(row.lower_24, source, note=spans, reach=off),
                precision=paper.precision("table4_spearman", "lower"),
            ),
            Entry(
                STUDY,
                name,
                row.model,
                "upper end",
                printed["upper"],
                figure(row.upper_24, source, note=spans, reach=off),
                precision=paper.precision("table4_spearman", "upper"),
            ),
            Entry(
                STUDY,
                name,
                row.model,
                "survives Bonferroni",
                printed["bonferroni_survives"],
                figure(float(row.survives_24), source),
                in_words=True,
            ),
        ]
    return rows


#: Which numbers of items give a printed figure.
ITEMS_NOTE = {
    False: "no number of items gives the printed {what}",
    True: "the printed {what} is that of {sizes} items",
}


def _items_note(what: str, sizes: str) -> str:
    return ITEMS_NOTE[sizes != "none"].format(what=what, sizes=sizes)


def _items() -> list[Entry]:
    name, rows = table_name("5"), []
    for row in rows_of(paper.as_text("table5_flash_t4cr_items")):
        for column in ("correct", "confidence"):
            printed = getattr(row, column)
            rows.append(
                Entry(
                    STUDY,
                    name,
                    f"item {row.item}",
                    column,
                    printed,
                    figure(float(printed), "itself"),
                    role=ITEMS,
                )
            )
    right, sure = paper.flash_items()
    good, bad = sure[right == 1], sure[right == 0]
    score = range_score(right, sure)
    found = {
        "n_correct": right.sum(),
        "mean_conf_correct": good.mean(),
        "sd_conf_correct": good.std(ddof=1),
        "mean_conf_wrong": bad.mean(),
        "sd_conf_all": score.sd,
        "range_conf": score.spread,
        "raw_brier_score_no_penalty": score.brier,
    }
    table_1 = paper.score(FLASH, "T4_CR")
    twice = {
        "t4cr_score": (figure(table_1, "its cell of table 1"), TWICE),
        "within_model_gap": (figure(paper.score(FLASH, "T1_CC") - table_1, FROM_CELLS), FROM_ROWS),
    }
    for row in rows_of(paper.as_text("flash_t4cr_claims")):
        value, role = twice.get(row.claim) or (figure(float(found[row.claim]), FROM_ITEMS), None)
        rows.append(Entry(STUDY, name, FLASH, row.claim.replace("_", " "), row.value, value, role=role))
    return rows


def _components() -> list[Entry]:
    name, rows = table_name("6"), []
    eigenvalues, loadings = panel.components(paper.scores())
    for row in rows_of(paper.as_text("pca_eigenvalues")):
        value = figure(float(eigenvalues[int(row.component) - 1]), FROM_CELLS)
        rows.append(
            Entry(
                STUDY,
                name,
                f"component {row.component}",
                "eigenvalue",
                row.eigenvalue,
                value,
                precision=paper.precision("pca_eigenvalues", "eigenvalue"),
            )
        )
    printed: Any = paper.as_text("table6_pca").set_index("task")
    for column in ("c1", "c2"):
        turned = panel.same_sign(loadings[column], printed[column].astype(float))
        for task in printed.index:
            value = figure(float(turned[task]), FROM_CELLS, note="the sign of a component is arbitrary")
            rows.append(
                Entry(
                    STUDY,
                    name,
                    short(task),
                    f"loading on component {column[1]}",
                    printed.loc[task, column],
                    value,
                    precision=paper.precision("table6_pca", column),
                )
            )
    return rows


def _sweep() -> list[Entry]:
    name, rows = table_name("A.5"), []
    own = sweep(*paper.flash_items()).set_index(["sigma_T", "range_T"])["score"]
    spread = float(paper.claim("sonnet_spread"))
    sd = float(paper.claim("sd_sonnet"))
    zero = float(paper.claim("sonnet_zero_penalty"))
    flash_t1 = float(paper.score(FLASH, "T1_CC"))
    for row in rows_of(paper.as_text("a5_sensitivity")):
        item = sweep_item(row)
        thresholds = SIGMA_BAND[row.sigma_T], RANGE_BAND[row.range_T]
        penalty = sum(penalties(sd, spread, *thresholds))
        live = _is_live(row)
        again = figure(paper.score(FLASH, "T4_CR"), "its cell of table 1")
        assumed = (
            "thresholds {:g} and {:g} assumed, of the band of section E.3: section A.5 names none".format(
                *thresholds
            )
        )
        flash = figure(
            float(own[row.sigma_T, row.range_T]),
            FROM_ITEMS,
            note=f"{assumed}; {_with_any_thresholds(row.flash_t4cr)}",
        )
        rows += [
            Entry(
                STUDY,
                name,
                item,
                AGAIN,
                row.flash_t4cr,
                again if live else flash,
                role=TWICE if live else None,
            ),
            Entry(
                STUDY,
                name,
                item,
                "Sonnet T4-CR",
                row.sonnet_t4cr,
                figure(
                    zero - penalty,
                    "the printed score without penalties, sd and range",
                    note=f"{assumed}; both penalties are 0 at this sd and range",
                ),
            ),
            Entry(
                STUDY,
                name,
                item,
                "Flash T1-CC minus T4-CR",
                row.flash_gap,
                figure(flash_t1 - float(row.flash_t4cr), "the printed scores"),
                role=FROM_ROWS,
            ),
        ]
    return rows


def _with_any_thresholds(printed: str) -> str:
    """Whether Flash's items can give a printed score at other thresholds than those of the band."""
    brier = range_score(*paper.flash_items()).brier
    low = brier - FLAT - NARROW
    possible = inside(printed, low, brier)
    return (
        f"{'other' if possible else 'no'} thresholds could give it, {low:.1f} to {brier:.1f} being possible"
    )


LEDGER = StudyLedger(STUDY, entries, roles=(ITEMS, SOLVED_FROM, FROM_END, FROM_ROWS, TWICE))
