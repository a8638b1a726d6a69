"""Rows of the text of study 4: each claim next to what the printed tables give for it."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.claims import Answers, claim_entries
from metacog.ledger.entry import Role, Value
from metacog.ledger.tolerances import half_last_digit
from metacog.sdt.correlations import fisher_interval
from metacog.studies.study4_probe import benchmarks, panel, paper, rank_tests, reliability
from metacog.studies.study4_probe.ledger import claims, solved
from metacog.studies.study4_probe.ledger.claims import GEMMA, Found
from metacog.studies.study4_probe.ledger.roles import FROM_ROWS, STUDY, TWICE, figure, table_name
from metacog.studies.study4_probe.paper import (
    DEEPSEEK,
    FLASH,
    FROM_CELLS,
    ITEMS,
    OPUS,
    QWEN,
    SONNET,
)
from metacog.studies.study4_probe.range_score import sd_bounds

#: What a claim waits for, by its id; the rest for answers that were not published.
NEEDS = {
    "": "answers that were not published",
    "retest": "the replies of the replicates",
    "retest_other": "the replies of the replicates",
    "pro_gap_withdrawn": "the scores of earlier versions of the tasks",
    **dict.fromkeys(
        ("people", "people_items", "people_stem", "people_degree", "people_daily", "people_missing"),
        "the answers of the human panel",
    ),
    "failed_replies": "the log of the replies; {items} items of {models} models are {replies} replies",
}
ROWS = "the nine printed rows of the sweep"

#: Claims that restate other rows, in every column or in some.
REPEATS = {
    "flash_over_band": FROM_ROWS,
    "sonnet_over_band": FROM_ROWS,
    "gap_over_band": FROM_ROWS,
    "flash_zero_penalty": TWICE,
    "gap_without_penalty": FROM_ROWS,
    "swap_mean": TWICE,
    "mmlu_rho": TWICE,
    "mmlu_four_tasks": TWICE,
    "h1_people": TWICE,
    "h2_people": TWICE,
    "rho_range": TWICE,
}


def text_rows() -> pd.DataFrame:
    """Every printed figure of the text."""
    return claim_entries(
        paper.as_text("text_claims"),
        ANSWERS,
        study=STUDY,
        table=table_name("text"),
        item="{section}: {claim}",
        quantities={"lower": "{quantity}, lo", "upper": "{quantity}, hi"},
        needs=_needs,
        role=_role,
    )


def _needs(line: Any) -> str:
    items, models = sum(ITEMS.values()), len(paper.scores())
    return NEEDS.get(line.id, NEEDS[""]).format(items=items, models=models, replies=items * models)


def _role(claim: str, column: str, value: Value | None) -> Role | None:
    # the correlation itself is computed from the ranking found; its ends stand in table 8
    return None if (claim, column) == ("mmlu_four_tasks", "value") else REPEATS.get(claim)


def _ends(values: object, source: str) -> Found:
    found = np.asarray(values, dtype=float)
    return {"lower": figure(float(found.min()), source), "upper": figure(float(found.max()), source)}


def _swept(column: str) -> Found:
    return _ends(paper.as_text("a5_sensitivity")[column].astype(float), ROWS)


def _sd_sonnet() -> Value:
    return figure(
        math.nan,
        "the printed range of confidence",
        note="the smallest and largest sd that twelve values of this range can have",
        bounds=sd_bounds(float(paper.claim("sonnet_spread")), ITEMS["T4_CR"]),
    )


def _swap_drop(after: str) -> Value:
    """From the mean that table 3 prints before the swap to the one that it prints after, or to that of table 1."""
    before, printed = paper.as_text("table3_decontamination")["mean_t3_kb"]
    half = half_last_digit(before)
    if after == "table 3":
        reach = half + half_last_digit(printed)
        return figure(float(before) - float(printed), "the printed means of table 3", reach=reach)
    mean = float(paper.scores()["T3_KB"].mean())
    note = f"the mean of table 1 is {mean:.2f}, where table 3 prints {printed}"
    # scores are printed whole: their mean may be off by as much as each of them
    return figure(float(before) - mean, f"table 3 and {FROM_CELLS}", note=note, reach=half + 0.5)


def _survivors() -> Value:
    source = f"the printed rho and {rank_tests.N} items"
    return figure(float(rank_tests.recomputed_tests()["survives_24"].sum()), source)


def _flash_leads() -> Value:
    rho = rank_tests.recomputed_tests().set_index("model")["rho"]
    return figure(rho[FLASH] - rho[SONNET], "the printed rho")


def _between(first: tuple[str, str], second: tuple[str, str]) -> Value:
    """One score of table 1 minus another, each by model and task."""
    return figure(paper.score(*first) - paper.score(*second), FROM_CELLS)


def _weakest() -> Value:
    own = paper.scores_of(QWEN)
    note = f"its lowest score in table 1 is {paper.short(str(own.idxmin()))}"
    return figure(own.min(), FROM_CELLS, note=note)


def _best() -> Value:
    own = paper.scores_of(GEMMA)
    note = f"its highest score in table 1 is {paper.short(str(own.idxmax()))}"
    return figure(own.max(), FROM_CELLS, note=note)


def _difference() -> Value:
    right, wrong = (float(paper.claim(f"sonnet_{which}")) for which in ("right", "wrong"))
    return figure(right - wrong, "the two printed means")


def _r_panel() -> Value:
    t, other = paper.scores(), paper.claim("r_without_gemma")
    note = "; ".join(
        f"the printed figure would be that of the panel without {row.left_out}, and {row.r:.2f} without "
        f"{panel.DROPPED} as well, where {other} is printed"
        for row in rows_of(solved.without_dropped(panel.leave_out(t)))
    )
    return figure(panel.correlation(t), FROM_CELLS, note=note)


def _cosine(left_out: str) -> Value:
    row: Any = panel.leave_out(paper.scores()).set_index("left_out").loc[left_out]
    note = (
        f"of the scores as they are; {row['cosine_by_task']:.2f} once each task's mean is subtracted, "
        f"{row['cosine_by_model']:.2f} once each model's is"
    )
    return figure(row["cosine"], FROM_CELLS, note=note)


def _sum_of_squares() -> Value | None:
    row: Any = benchmarks.recomputed_benchmarks().set_index("benchmark").loc["MMLU"]
    if row["rankings"] != 1:
        return None
    source = "the one ranking that gives the column MMLU of table 7, and the 15-slot composite"
    return figure(row["sum_d2"], source, note=f"the printed rho stands for {(1 - row['printed']) * 84:.0f}")


def _people_and_models() -> Found:
    text = paper.claim("people_and_models")
    ends = zip(("lower", "upper"), fisher_interval(float(text), len(paper.TASKS)), strict=True)
    reach = half_last_digit(text)
    return {name: figure(end, "the printed rho and 5 tasks", reach=reach) for name, end in ends}


def _waits() -> None:
    """Nothing printed answers it."""


#: What answers each claim of ``probe_text_claims.csv`` from printed figures, by its id.
ANSWERS: Answers = {
    **claims.ANSWERS,
    "pooled_alpha": _waits,
    "mean_alpha": lambda: figure(
        reliability.reliability_table()["alpha"].mean(), "the printed alphas", reach=0.005
    ),
    "swap_drop": partial(_swap_drop, "table 3"),
    "swap_drop_scores": partial(_swap_drop, "table 1"),
    "discrimination": _waits,
    "discriminating_items": _waits,
    "flash_over_band": partial(_swept, "flash_t4cr"),
    "sonnet_over_band": partial(_swept, "sonnet_t4cr"),
    "gap_over_band": partial(_swept, "flash_gap"),
    "sonnet_zero_penalty": lambda: figure(
        paper.score(SONNET, "T4_CR"), FROM_CELLS, note="at the printed sd and range no penalty is due"
    ),
    "bonferroni_threshold": lambda: figure(
        rank_tests.ALPHA / len(rank_tests.recomputed_tests()), "the number of models"
    ),
    "bonferroni_survivors": _survivors,
    "flash_leads": _flash_leads,
    "sd_sonnet": _sd_sonnet,
    "sd_opus": _waits,
    "sd_constant": _waits,
    "opus_range": lambda: figure(float(np.ptp(paper.scores_of(OPUS))), FROM_CELLS),
    "opus_lowest": lambda: figure(paper.scores_of(OPUS).min(), FROM_CELLS),
    "sonnet_below_flash": partial(_between, (FLASH, "T1_CC"), (SONNET, "T1_CC")),
    "qwen_weakest": _weakest,
    "gemma_best": _best,
    "deepseek_worst": lambda: figure(paper.scores()["T5_RCV"].min(), FROM_CELLS),
    "sonnet_spread": _waits,
    "sonnet_right": _waits,
    "sonnet_wrong": _waits,
    "sonnet_difference": _difference,
    "deepseek_gap": partial(_between, (DEEPSEEK, "T2_EV"), (DEEPSEEK, "T5_RCV")),
    "two_components": lambda: figure(panel.share_of_two(panel.components(paper.scores())[0]), FROM_CELLS),
    "loading_error": lambda: figure(1 / math.sqrt(len(paper.scores())), "1/sqrt(N)"),
    "mmlu_sum_d2": _sum_of_squares,
    "r_panel": _r_panel,
    "r_without_gemma": lambda: figure(
        panel.correlation(paper.scores().drop(index=panel.DROPPED)), FROM_CELLS
    ),
    "cosine": partial(_cosine, panel.NOBODY),
    "cosine_without_gemma": partial(_cosine, panel.lineage(panel.DROPPED)),
    "calibration_people": _waits,
    "people_and_models": _people_and_models,
    "retest": _waits,
    "failed_replies": _waits,
    "people": _waits,
    "people_items": _waits,
    "people_stem": _waits,
    "people_degree": _waits,
    "people_daily": _waits,
    "people_missing": _waits,
    "retest_other": _waits,
    "pro_gap_withdrawn": _waits,
    "deepseek_local": _waits,
    "deepseek_whole": _waits,
}
