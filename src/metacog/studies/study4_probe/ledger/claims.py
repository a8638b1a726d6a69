"""Claims of the text of study 4 that table 1 and other printed figures settle, and figures printed twice."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from metacog.core.words import listed
from metacog.ledger.claims import Answers
from metacog.ledger.entry import Value
from metacog.raters.reliability import cronbach_alpha
from metacog.sdt.correlations import fisher_interval
from metacog.studies.study4_probe import benchmarks, panel, paper, rank_tests, reliability
from metacog.studies.study4_probe.ledger import solved
from metacog.studies.study4_probe.ledger.roles import figure
from metacog.studies.study4_probe.paper import (
    BINARY,
    DEEPSEEK,
    FLASH,
    FROM_CELLS,
    FROM_ITEMS,
    ITEMS,
    OPUS,
    PRO,
    RIGHT,
    SLOTS,
    SONNET,
    short,
)
from metacog.studies.study4_probe.range_score import LIVE, SIGMA_BAND, penalties, range_score

#: Recomputed figures of a claim by the column that prints it: ``value``, ``lower``, ``upper``.
Found = dict[str, Value]
GEMMA = "Gemma 3 27B"
#: Confidence below which the gate of the abstract escalates.
GATE = 80
ENDS = ("lower", "upper")
#: The row that prints raw Brier scores of Flash, and the one of table 8 on MMLU.
RAW = {"name": "flash_t4cr_claims", "claim": "raw_brier_score_no_penalty"}
MMLU = {"name": "external_validity", "benchmark": "MMLU"}


def twice(where: str, columns: dict[str, str], **row: str) -> Found:
    """Figures of the row that prints them first, by column: one fault is not counted twice."""
    line = paper.row(**row)
    return {column: figure(float(getattr(line, there)), where) for column, there in columns.items()}


def _gap_without_penalty() -> Value:
    sonnet = float(paper.claim("sonnet_zero_penalty"))
    source = "the printed scores without penalties"
    return figure(sonnet - float(paper.row(**RAW).value), source)


def _people(hypothesis: str) -> Found:
    columns = {column: column for column in ("value", *ENDS)}
    return twice("its row of table 9", columns, name="table9_hypotheses", id=hypothesis)


def _mean_alpha() -> Value:
    alphas = reliability.reliability_table().set_index("task")["alpha"].drop(short("T4_CR"))
    return figure(alphas.mean(), "the printed alphas", reach=0.005)


def _only(task: str, leader: str) -> Value:
    """Whether one model alone scores higher on a task than on T1-CC."""
    t = paper.scores()
    above = [str(m) for m in t.index[t[task] > t["T1_CC"]]]
    return figure(float(above == [leader]), FROM_CELLS, note=f"in table 1: {listed(above)}")


def _hardest_and_easiest() -> Value:
    means = paper.scores().mean()
    hardest, easiest = short(str(means.idxmin())), short(str(means.idxmax()))
    note = f"over the models {hardest} has the lowest mean and {easiest} the highest"
    return figure(float((hardest, easiest) == ("T2-EV", "T4-CR")), FROM_CELLS, note=note)


def _deepseek_right() -> Value:
    most = solved.most_with_one_confidence(RIGHT[DEEPSEEK])
    return figure(
        float(paper.score(DEEPSEEK, "T4_CR") - 0.5 <= most),
        "the formula, the printed sd of 0 and 8 of 12 right",
        note=f"with one confidence for all twelve no more than {most:.1f} can be reached",
    )


def _lowest_accuracy() -> Value:
    """Whether no other flat profile is printed with as few right answers as Flash's."""
    own = int(paper.flash_items()[0].sum())
    alike = [f"{model} with {right}" for model, right in RIGHT.items() if right <= own]
    note = f"section 5.2 prints as few of {listed(alike)}, whose profile is called flat too" if alike else ""
    return figure(float(not alike), "the printed right answers of Flash and DeepSeek-R1", note=note)


def _penalties() -> Found:
    """Penalties of the flat profiles of section B.3, to which Flash belongs, at the live thresholds."""
    flash = range_score(*paper.flash_items())
    found = {FLASH: flash.flat + flash.narrow, "one confidence": sum(penalties(0, 0, *LIVE))}
    source = f"{FROM_ITEMS}, the formula, and the middle of the band of section E.3"
    note = listed(f"{who} {points:.1f}" for who, points in found.items())
    ends = zip(ENDS, (min(found.values()), max(found.values())), strict=True)
    return {end: figure(points, source, note=note) for end, points in ends}


def _shares(task: str) -> Value:
    step, n = 100 / ITEMS[task], len(paper.scores())
    note = f"of {n} printed ones; {ITEMS[task]} items allow the multiples of {step:.4g}"
    return figure(float(solved.shares_of_items(task)), FROM_CELLS, note=note)


def _runs() -> Value:
    models = len(paper.scores())
    note = (
        f"{len(paper.TASKS)} tasks give {len(paper.TASKS) * models}; section 4.3 adds 40 and 120 replicates"
    )
    return figure(float(SLOTS * models), f"the printed {SLOTS} slots and {models} models", note=note)


def _largest_gap() -> Value:
    t = paper.scores()
    gaps, ranges = (t["T1_CC"] - t["T4_CR"]).abs(), t.max(axis=1) - t.min(axis=1)
    note = f"of {gaps.idxmax()}; over any two tasks {ranges.max():.0f}, of {ranges.idxmax()}"
    return figure(float(gaps.max()), FROM_CELLS, note=note)


def _order_v60() -> Value:
    """Whether table 1b puts Opus first, and Sonnet and Flash below their places in table 1."""
    before = paper.as_text("table1b_t2ev_v60_mean").set_index("model").iloc[:, 0].astype(float)
    now = paper.composite("mean_T1_T2_T4_T5")
    old, new = (means.rank(ascending=False) for means in (before, now))
    moved = [f"{m} {new[m]:.0f} to {old[m]:.0f}" for m in new.index if old[m] != new[m]]
    holds = old[OPUS] == 1 and old[SONNET] > new[SONNET] and old[FLASH] > new[FLASH]
    return figure(float(holds), "the printed means of tables 1 and 1b", note=f"places: {listed(moved)}")


def _lead() -> Value:
    means = panel.printed_composites()["mean_T1_T2_T4_T5"]
    return figure(float(means[SONNET] - means[OPUS]), FROM_CELLS)


def _below(end: str) -> Value:
    sd = range_score(*paper.flash_items()).sd
    threshold = SIGMA_BAND[end]
    return figure(threshold / sd, FROM_ITEMS, note=f"{threshold:g} over {sd:.2f}; roughly is read as a bound")


def _gate_flash() -> Value:
    right, sure = paper.flash_items()
    wrong = sure[right == 0]
    note = f"of {wrong.size} wrong answers; the lowest confidence of one is {wrong.min():.0f}"
    return figure(float((wrong < GATE).sum()), FROM_ITEMS, note=note)


def _gate_sonnet() -> Value:
    note = "a mean below the gate has an answer below it"
    return figure(float(paper.claim("sonnet_wrong")), "the printed mean of section B.5", note=note)


def _rho_range() -> Found:
    rho = rank_tests.recomputed_tests().set_index("model")["rho"]
    ends = zip(ENDS, ((rho.min(), rho.idxmin()), (rho.max(), rho.idxmax())), strict=True)
    return {end: figure(float(value), "table 4 as printed", note=f"of {who}") for end, (value, who) in ends}


def _versions() -> Value:
    """How far T2-EV moved between two versions."""
    four = paper.composite("mean_T1_T2_T4_T5")
    before = paper.as_text("table1b_t2ev_v60_mean").set_index("model").iloc[:, 0].astype(float)
    moved = 4 * (four - before[four.index])
    far, tasks = str(moved.abs().idxmax()), len(paper.TASKS) - 1
    return figure(
        float(moved.abs().max()),
        "four times the difference of the means of tables 1 and 1b",
        note=f"largest for {far}; T2-EV is the only one of the {tasks} tasks that changed",
    )


def _mmlu() -> Found:
    """The correlation with MMLU that section 5.4 prints of the mean of four tasks."""
    row: Any = benchmarks.recomputed_benchmarks().set_index("benchmark").loc["MMLU"]
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
    table = rank_tests.recomputed_tests().set_index("model")
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
    "cronbach": lambda: figure(cronbach_alpha(paper.scores().to_numpy()), FROM_CELLS),
    "mean_alpha_without_t4": _mean_alpha,
    "sonnet_only": partial(_only, "T4_CR", SONNET),
    "gemma_only": partial(_only, "T5_RCV", GEMMA),
    "hardest_easiest": _hardest_and_easiest,
    "deepseek_right": _deepseek_right,
    "pro_gap": lambda: figure(paper.score(PRO, "T1_CC") - paper.score(PRO, "T4_CR"), FROM_CELLS),
    "v60_v61": _versions,
    "mmlu_four_tasks": _mmlu,
    "intervals_overlap": _overlap,
    "constant_penalty": _penalties,
    "lowest_accuracy": _lowest_accuracy,
    "runs": _runs,
    **{f"binary_{task[:2].lower()}": partial(_shares, task) for task in BINARY},
    "largest_gap": _largest_gap,
    "order_v60": _order_v60,
    "lead": _lead,
    "below_lowest": partial(_below, "low"),
    "below_highest": partial(_below, "high"),
    "gate_flash": _gate_flash,
    "gate_sonnet": _gate_sonnet,
    "rho_range": _rho_range,
}
