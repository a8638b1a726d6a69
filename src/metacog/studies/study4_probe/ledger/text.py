"""Rows of the text of study 4: each claim beside what the printed tables give for it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from metacog.core.frames import rows_of
from metacog.ledger.entry import Entry, Role
from metacog.ledger.tolerances import half_last_digit
from metacog.sdt.correlation import fisher_interval
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.claims import REPEATED, Found, Key, claims
from metacog.studies.study4_probe.ledger.published import FLASH, FROM_CELLS, ITEMS, SONNET
from metacog.studies.study4_probe.ledger.roles import FROM_ROWS, STUDY, figure, table_name
from metacog.studies.study4_probe.measures import lineages, panel
from metacog.studies.study4_probe.measures.range_score import over_band, sd_bounds
from metacog.studies.study4_probe.measures.shown import printed_correlation
from metacog.studies.study4_probe.published import benchmarks, rank_tests, reliability

OPUS, QWEN, DEEPSEEK, GEMMA = "Claude Opus 4.6", "Qwen 3 Next 80B", "DeepSeek-R1", "Gemma 3 27B"
NEEDS = "answers that were not published"

#: Claims that are bounds.
RELATIONS: dict[Key, str] = {("abstract", "confidence intervals overlap by more than 99 percent"): ">"}
#: What claims wait for, where it is not answers.
WAITS: dict[Key, str] = {
    ("4.3", "retest correlation"): "the replies of the replicates",
    ("A.5", "failed replies of all replies"): (
        f"the log of the replies; {sum(ITEMS.values())} items of {len(published.scores())} models are "
        f"{sum(ITEMS.values()) * len(published.scores())} replies"
    ),
}
#: Claims that restate other rows, whole or a column.
REPEATS: dict[Key, Role | dict[str, Role]] = {
    ("A.5", "Flash T4-CR over the nine configurations"): FROM_ROWS,
    ("A.5", "Sonnet T4-CR over the nine configurations"): FROM_ROWS,
    ("A.5", "Flash gap T1-CC minus T4-CR over the nine configurations"): FROM_ROWS,
    **REPEATED,
}


def text_rows() -> list[Entry]:
    """Every printed figure of the text."""
    found = _all()
    rows = []
    for row in rows_of(published.as_text("text_claims")):
        key = (row.section, row.claim)
        values = found.get(key, {})
        role = REPEATS.get(key)
        if row.quantity == "claim":  # in words: it holds or not
            rows.append(
                Entry(
                    STUDY,
                    table_name("text"),
                    f"{row.section}: {row.claim}",
                    "claim",
                    "True",
                    values["value"],
                    in_words=True,
                )
            )
        for column in ("value", "lo", "hi"):
            if text := getattr(row, column):
                label = row.quantity if column == "value" else f"{row.quantity}, {column}"
                rows.append(
                    Entry(
                        STUDY,
                        table_name("text"),
                        f"{row.section}: {row.claim}",
                        label,
                        text,
                        values.get(column),
                        relation=RELATIONS.get(key, "="),
                        needs=WAITS.get(key, NEEDS),
                        role=role.get(column) if isinstance(role, dict) else role,
                    )
                )
    return rows


def _all() -> dict[Key, Found]:
    return {**_thresholds(), **_tests(), **_scores(), **_panel(), **_others(), **claims()}


def _value(value: float, source: str, note: str = "", reach: float = 0.0) -> Found:
    return {"value": figure(float(value), source, note=note, reach=reach)}


def _ends(values: object, source: str) -> Found:
    found = np.asarray(values, dtype=float)
    return {"lo": figure(float(found.min()), source), "hi": figure(float(found.max()), source)}


def _thresholds() -> dict[Key, Found]:
    """Section A.5 and the penalties of B.3."""
    printed = published.as_text("a5_sensitivity")
    rows = "the nine printed rows of the sweep"
    t4_sonnet = published.score(SONNET, "T4_CR")
    constant = [100 - s for s in over_band(100.0, 0.0, 0.0)]
    spread = float(published.claim("B.5", "Sonnet range of confidence"))
    bounds = sd_bounds(spread, ITEMS["T4_CR"])
    return {
        ("A.5", "Flash T4-CR over the nine configurations"): _ends(printed["flash_t4cr"].astype(float), rows),
        ("A.5", "Sonnet T4-CR over the nine configurations"): _ends(
            printed["sonnet_t4cr"].astype(float), rows
        ),
        ("A.5", "Flash gap T1-CC minus T4-CR over the nine configurations"): _ends(
            printed["flash_gap"].astype(float), rows
        ),
        ("A.5", "Sonnet zero-penalty T4-CR"): _value(
            t4_sonnet, FROM_CELLS, "at the printed sd and range no penalty is due"
        ),
        ("B.3", "penalty of constant-confidence models"): _ends(constant, "the formula, over the band"),
        ("B.3", "sd of confidence Sonnet"): {
            "value": figure(
                math.nan,
                "the printed range of confidence",
                note="the smallest and largest sd that twelve values of this range can have",
                bounds=bounds,
            )
        },
    }


def _tests() -> dict[Key, Found]:
    """Sections A.2, A.4 and B.1."""
    table = rank_tests.recomputed()
    rho = table.set_index("model")["rho"]
    alphas = reliability.table()["alpha"]
    means = published.as_text("table3_decontamination")["mean_t3_kb"]
    drop = float(means.iloc[0]) - float(means.iloc[1])
    return {
        ("A.2", "unweighted mean of per-task alphas"): _value(
            alphas.mean(), "the printed alphas", reach=0.005
        ),
        ("A.4", "all models drop by 12 points on T3-KB after the swap"): _value(
            drop, "the printed means of table 3", reach=sum(half_last_digit(m) for m in means)
        ),
        ("B.1", "Bonferroni threshold for eight models"): _value(
            rank_tests.ALPHA / len(table), "the number of models"
        ),
        ("B.1", "models that survive Bonferroni"): _value(
            table["survives_24"].sum(), f"the printed rho and {rank_tests.N} items"
        ),
        ("B.1", "Flash leads Sonnet in rho by"): _value(rho[FLASH] - rho[SONNET], "the printed rho"),
    }


def _scores() -> dict[Key, Found]:
    """Sections B.4 to B.6: figures that table 1 holds."""
    t = published.scores()
    right, wrong = (
        float(published.claim("B.5", f"Sonnet mean confidence given {which}"))
        for which in ("correct", "wrong")
    )
    weakest, best = published.scores_of(QWEN).idxmin(), published.scores_of(GEMMA).idxmax()
    return {
        ("B.4", "Opus range over the five tasks"): _value(np.ptp(published.scores_of(OPUS)), FROM_CELLS),
        ("B.4", "Opus has no task below"): _value(published.scores_of(OPUS).min(), FROM_CELLS),
        ("B.4", "Sonnet T1-CC below Flash T1-CC by"): _value(
            published.score(FLASH, "T1_CC") - published.score(SONNET, "T1_CC"), FROM_CELLS
        ),
        ("B.4", "Qwen weakest task is T2-EV"): _value(
            published.scores_of(QWEN).min(),
            FROM_CELLS,
            f"its lowest score in table 1 is {published.short(str(weakest))}",
        ),
        ("B.4", "Gemma best task is T5-RCV"): _value(
            published.scores_of(GEMMA).max(),
            FROM_CELLS,
            f"its highest score in table 1 is {published.short(str(best))}",
        ),
        ("B.4", "DeepSeek T5-RCV is the panel's worst"): _value(t["T5_RCV"].min(), FROM_CELLS),
        ("B.5", "Sonnet difference"): _value(right - wrong, "the two printed means"),
        ("B.6", "DeepSeek gap T2-EV minus T5-RCV"): _value(
            published.score(DEEPSEEK, "T2_EV") - published.score(DEEPSEEK, "T5_RCV"), FROM_CELLS
        ),
    }


def _panel() -> dict[Key, Found]:
    """Sections C.1 and C.4."""
    t = published.scores()
    cosines = panel.cosines()
    out = lineages.leave_out(t)
    found = {
        ("C.1", "variance of two retained components"): _value(100 * panel.components(t).share, FROM_CELLS),
        ("C.1", "standard error of a loading at N = 8"): _value(1 / math.sqrt(len(t)), "1/sqrt(N)"),
        ("C.4", "r(T1-CC T2-EV) of the model panel"): _value(
            panel.correlation(t), FROM_CELLS, printed_correlation(lineages.without_dropped(out))
        ),
        ("C.4", "r(T1-CC T2-EV) without Gemma"): _value(panel.correlation(panel.without_one(t)), FROM_CELLS),
    }
    names = ("inter-model profile cosine", "inter-model profile cosine without Gemma")
    for name, row in zip(names, rows_of(cosines), strict=True):
        note = (
            f"of the scores as they are; {row.by_task:.2f} less each task's mean, {row.by_model:.2f} less "
            "each model's mean"
        )
        found["C.4", name] = _value(row.raw, FROM_CELLS, note)
    return found


def _others() -> dict[Key, Found]:
    """Section C.2.1 and section 5.5."""
    row: Any = benchmarks.recomputed().set_index("benchmark").loc["MMLU"]
    source = "the one ranking that gives the column MMLU of table 7, and the 15-slot composite"
    found: dict[Key, Found] = {}
    if row["rankings"] == 1:
        agree = f"the printed rho stands for {(1 - row['printed']) * 84:.0f}"
        found["C.2.1", "sum of squared rank differences composite against MMLU"] = _value(
            row["sum_d2"], source, agree
        )
    text = published.claim("5.5", "LLM-human task-rank correlation Spearman at N = 5")
    low, high = fisher_interval(float(text), len(published.TASKS))
    reach = half_last_digit(text)
    people = "the printed rho and 5 tasks"
    found["5.5", "LLM-human task-rank correlation Spearman at N = 5"] = {
        "lo": figure(low, people, reach=reach),
        "hi": figure(high, people, reach=reach),
    }
    return found
