"""Claims of the text of study 4 that table 1 and other printed figures settle, and figures printed twice."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from metacog.core.words import listed
from metacog.ledger.claims import Answers
from metacog.ledger.entry import Value
from metacog.raters.reliability import cronbach_alpha
from metacog.sdt.correlation import fisher_interval
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import FLASH, FROM_CELLS, ITEMS, SONNET, short
from metacog.studies.study4_probe.ledger.roles import figure
from metacog.studies.study4_probe.measures.range_score import FLAT, NARROW
from metacog.studies.study4_probe.published import benchmarks, rank_tests, reliability

#: Recomputed figures of a claim by the column that prints it: ``value``, ``lower``, ``upper``.
Found = dict[str, Value]
DEEPSEEK, GEMMA, PRO = "DeepSeek-R1", "Gemma 3 27B", "Gemini 2.5 Pro"
RIGHT_DEEPSEEK = 8
ENDS = ("lower", "upper")
#: The row that prints raw Brier scores of Flash, and the one of table 8 on MMLU.
RAW = {"name": "flash_t4cr_claims", "claim": "raw_brier_score_no_penalty"}
MMLU = {"name": "external_validity", "benchmark": "MMLU"}


def twice(where: str, columns: dict[str, str], **row: str) -> Found:
    """Figures of the row that prints them first, by column: one fault is not counted twice."""
    line = published.row(**row)
    return {column: figure(float(getattr(line, there)), where) for column, there in columns.items()}


def _gap_without_penalty() -> Value:
    sonnet = float(published.claim("sonnet_zero_penalty"))
    source = "the printed scores without penalties"
    return figure(sonnet - float(published.row(**RAW).value), source)


def _people(hypothesis: str) -> Found:
    columns = {column: column for column in ("value", *ENDS)}
    return twice("its row of table 9", columns, name="table9_hypotheses", id=hypothesis)


def _mean_alpha() -> Value:
    alphas = reliability.table().set_index("task")["alpha"].drop(short("T4_CR"))
    return figure(alphas.mean(), "the printed alphas", reach=0.005)


def _only(task: str, leader: str) -> Value:
    """Whether one model alone scores higher on a task than on T1-CC."""
    t = published.scores()
    above = [str(m) for m in t.index[t[task] > t["T1_CC"]]]
    return figure(float(above == [leader]), FROM_CELLS, note=f"in table 1: {listed(above)}")


def _hardest_and_easiest() -> Value:
    means = published.scores().mean()
    hardest, easiest = short(str(means.idxmin())), short(str(means.idxmax()))
    note = f"over the models {hardest} has the lowest mean and {easiest} the highest"
    return figure(float((hardest, easiest) == ("T2-EV", "T4-CR")), FROM_CELLS, note=note)


def _deepseek_right() -> Value:
    share = RIGHT_DEEPSEEK / ITEMS["T4_CR"]
    most = 100 * (1 - share * (1 - share)) - FLAT - NARROW  # by stating the share of right answers
    return figure(
        float(published.score(DEEPSEEK, "T4_CR") - 0.5 <= most),
        "the formula, the printed sd of 0 and 8 of 12 right",
        note=f"with one confidence for all twelve no more than {most:.1f} can be reached",
    )


def _versions() -> Value:
    """How far T2-EV moved between two versions."""
    four = published.composite("mean_T1_T2_T4_T5")
    before = published.as_text("table1b_t2ev_v60_mean").set_index("model").iloc[:, 0].astype(float)
    moved = 4 * (four - before[four.index])
    far, tasks = str(moved.abs().idxmax()), len(published.TASKS) - 1
    return figure(
        float(moved.abs().max()),
        "four times the difference of the means of tables 1 and 1b",
        note=f"largest for {far}; T2-EV is the only one of the {tasks} tasks that changed",
    )


def _mmlu() -> Found:
    """The correlation with MMLU that section 5.4 prints of the mean of four tasks."""
    row: Any = benchmarks.recomputed().set_index("benchmark").loc["MMLU"]
    found = twice("its row of table 8", {end: end for end in ENDS}, **MMLU)
    if row["rankings"] == 1:
        source = "the one ranking that gives the column MMLU of table 7, and the mean of four tasks"
        note = "the same figure is printed of the 15-slot composite in table 8"
        found["value"] = figure(float(row["mean_T1_T2_T4_T5"]), source, note=note)
    return found


def _overlap() -> Value | None:
    """How far the intervals of table 4 of Flash and Sonnet overlap: of which length is not said.

    The intervals are taken from the printed rho at the number of items that gives the printed ends, since
    rounding of the ends moves the share by more than a percent.
    """
    table = rank_tests.recomputed().set_index("model")
    sizes = str(table["sizes_ci"][FLASH])
    if not sizes.isdigit() or sizes != table["sizes_ci"][SONNET]:
        return None
    flash, sonnet = (fisher_interval(float(table["rho"][m]), int(sizes)).ends for m in (FLASH, SONNET))
    shared = min(flash[1], sonnet[1]) - max(flash[0], sonnet[0])
    both = max(flash[1], sonnet[1]) - min(flash[0], sonnet[0])
    shares = [100 * shared / length for length in (both, np.ptp(sonnet), np.ptp(flash))]
    note = (
        f"the overlap is {shares[2]:.1f} percent of Flash's interval, {shares[1]:.1f} of Sonnet's and "
        f"{shares[0]:.1f} of what both cover; the text does not say which it means"
    )
    return figure(
        float("nan"), f"the printed rho and {sizes} items", note=note, bounds=(min(shares), max(shares))
    )


#: What answers each of these claims, by its id.
ANSWERS: Answers = {
    "flash_zero_penalty": partial(twice, "its row of table 5", {"value": "value"}, **RAW),
    "gap_without_penalty": _gap_without_penalty,
    "swap_mean": partial(
        twice, "its row of table 3", {"value": "mean_t3_kb"}, name="table3_decontamination", iteration="v75"
    ),
    "mmlu_rho": partial(
        twice, "its row of table 8", {"value": "rho", "lower": "lower", "upper": "upper"}, **MMLU
    ),
    "h1_people": partial(_people, "H1"),
    "h2_people": partial(_people, "H2"),
    "cronbach": lambda: figure(cronbach_alpha(published.scores().to_numpy()), FROM_CELLS),
    "mean_alpha_without_t4": _mean_alpha,
    "sonnet_only": partial(_only, "T4_CR", SONNET),
    "gemma_only": partial(_only, "T5_RCV", GEMMA),
    "hardest_easiest": _hardest_and_easiest,
    "deepseek_right": _deepseek_right,
    "pro_gap": lambda: figure(published.score(PRO, "T1_CC") - published.score(PRO, "T4_CR"), FROM_CELLS),
    "v60_v61": _versions,
    "mmlu_four_tasks": _mmlu,
    "intervals_overlap": _overlap,
}
