"""Claims of the text of study 4 that table 1 and other printed figures settle, and figures printed twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.ledger.entry import Role, Value
from metacog.raters.reliability import cronbach_alpha
from metacog.sdt.correlation import fisher_interval
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import FLASH, FROM_CELLS, ITEMS, SONNET, short
from metacog.studies.study4_probe.ledger.roles import FROM_ROWS, TWICE, figure
from metacog.studies.study4_probe.measures.range_score import FLAT, NARROW
from metacog.studies.study4_probe.published import benchmarks, rank_tests, reliability

#: Recomputed figures of a claim by the column that prints it: ``value``, ``lo``, ``hi``.
Found = Mapping[str, Value]
Key = tuple[str, str]
DEEPSEEK, GEMMA, PRO = "DeepSeek-R1", "Gemma 3 27B", "Gemini 2.5 Pro"
RIGHT_DEEPSEEK = 8
ENDS = ("lo", "hi")

#: Figures that stand elsewhere in the ledger as well, whole or a column.
REPEATED: dict[Key, Role | dict[str, Role]] = {
    ("A.5", "Flash zero-penalty T4-CR"): TWICE,
    ("A.5", "gap Sonnet minus Flash without a penalty"): FROM_ROWS,
    ("A.4", "table 3 mean of T3-KB v75 over the 8 models"): TWICE,
    ("C.2.1", "rho composite against MMLU"): TWICE,
    ("5.4", "rho of the four-task mean against MMLU"): dict.fromkeys(ENDS, TWICE),
    ("D.1", "H1 r(T1-CC T2-EV) humans"): TWICE,
    ("D.1", "H2 tau education"): TWICE,
}


def claims() -> dict[Key, Found]:
    """Recomputed figures of these claims."""
    return {**_twice(), **_reliability(), **_only(), **_scores(), **_mmlu(), **_overlap()}


def _one(value: float, source: str, note: str = "", reach: float = 0.0) -> Found:
    return {"value": figure(float(value), source, note=note, reach=reach)}


def _holds(claim: object, source: str, note: str) -> Found:
    return _one(float(bool(claim)), source, note)


def _twice() -> dict[Key, Found]:
    """Each beside the row that prints it first, so that one fault is not counted twice."""
    raw = _printed("flash_t4cr_claims", "claim", "raw_brier_score_no_penalty")
    swap = _printed("table3_decontamination", "iteration", "v75")
    mmlu = _printed("external_validity", "benchmark", "MMLU")
    sonnet = float(published.claim("A.5", "Sonnet zero-penalty T4-CR"))
    where = "its row of table 8"
    found: dict[Key, Found] = {
        ("A.5", "Flash zero-penalty T4-CR"): _one(float(raw.value), "its row of table 5"),
        ("A.5", "gap Sonnet minus Flash without a penalty"): _one(
            sonnet - float(raw.value), "the printed scores without penalties"
        ),
        ("A.4", "table 3 mean of T3-KB v75 over the 8 models"): _one(
            float(swap.mean_t3_kb), "its row of table 3"
        ),
        ("C.2.1", "rho composite against MMLU"): {
            "value": figure(float(mmlu.rho), where),
            "lo": figure(float(mmlu.ci_lo), where),
            "hi": figure(float(mmlu.ci_hi), where),
        },
    }
    for hypothesis, name in (("H1", "H1 r(T1-CC T2-EV) humans"), ("H2", "H2 tau education")):
        row = _printed("table9_hypotheses", "id", hypothesis)
        ends = {"value": row.value, "lo": row.ci_lo, "hi": row.ci_hi}
        found["D.1", name] = {c: figure(float(text), "its row of table 9") for c, text in ends.items()}
    return found


def _printed(table: str, column: str, name: str) -> Any:
    return next(r for r in rows_of(published.as_text(table)) if getattr(r, column) == name)


def _reliability() -> dict[Key, Found]:
    """Section 3.4."""
    alphas = reliability.table().set_index("task")["alpha"].drop(short("T4_CR"))
    return {
        ("3.4", "Cronbach alpha of the composite over tasks"): _one(
            cronbach_alpha(published.scores().to_numpy()), FROM_CELLS
        ),
        ("3.4", "mean of per-task alphas without T4-CR"): _one(
            alphas.mean(), "the printed alphas", reach=0.005
        ),
    }


def _only() -> dict[Key, Found]:
    """Claims in words: "only Sonnet", "only Gemma", which task is hardest, and DeepSeek's answers."""
    t = published.scores()
    means = t.mean()
    hardest, easiest = short(str(means.idxmin())), short(str(means.idxmax()))
    share = RIGHT_DEEPSEEK / ITEMS["T4_CR"]
    most = 100 * (1 - share * (1 - share)) - FLAT - NARROW  # by stating the share of right answers
    found = {}
    for section, task, leader, claim in (
        ("5.3", "T4_CR", SONNET, "Sonnet is the only model whose T4-CR exceeds its T1-CC"),
        ("B.4", "T5_RCV", GEMMA, "Gemma is the only model whose T5-RCV exceeds its T1-CC"),
    ):
        above = [str(m) for m in t.index[t[task] > t["T1_CC"]]]
        found[section, claim] = _holds(above == [leader], FROM_CELLS, f"in table 1: {listed(above)}")
    return {
        **found,
        ("5.5", "in both panels T2-EV is the hardest task and T4-CR the easiest"): _holds(
            (hardest, easiest) == ("T2-EV", "T4-CR"),
            FROM_CELLS,
            f"over the models {hardest} has the lowest mean and {easiest} the highest",
        ),
        ("5.2", "DeepSeek also has 8 of 12 right on T4-CR (its printed T4-CR is 62)"): _holds(
            published.score(DEEPSEEK, "T4_CR") - 0.5 <= most,
            "the formula, the printed sd of 0 and 8 of 12 right",
            f"with one confidence for all twelve no more than {most:.1f} can be reached",
        ),
    }


def _scores() -> dict[Key, Found]:
    """Differences of printed scores."""
    t, four = published.scores(), published.composite("mean_T1_T2_T4_T5")
    before = published.as_text("table1b_t2ev_v60_mean").set_index("model").iloc[:, 0].astype(float)
    moved = 4 * (four - before[four.index])
    far = str(moved.abs().idxmax())
    return {
        ("5.3", "Pro gap between tasks"): _one(
            published.score(PRO, "T1_CC") - published.score(PRO, "T4_CR"), FROM_CELLS
        ),
        ("4.2", "deltas between T2-EV v60 and v61 are up to 12 points"): _one(
            moved.abs().max(),
            "four times the difference of the means of tables 1 and 1b",
            f"largest for {far}; T2-EV is the only one of the {len(t.columns) - 1} tasks that changed",
        ),
    }


def _mmlu() -> dict[Key, Found]:
    """The correlation with MMLU that section 5.4 prints of the mean of four tasks."""
    row: Any = benchmarks.recomputed().set_index("benchmark").loc["MMLU"]
    other = _printed("external_validity", "benchmark", "MMLU")
    found = {c: figure(float(getattr(other, f"ci_{c}")), "its row of table 8") for c in ENDS}
    if row["rankings"] == 1:
        source = "the one ranking that gives the column MMLU of table 7, and the mean of four tasks"
        found["value"] = figure(
            float(row["mean_T1_T2_T4_T5"]),
            source,
            note="the same figure is printed of the 15-slot composite in table 8",
        )
    return {("5.4", "rho of the four-task mean against MMLU"): found}


def _overlap() -> dict[Key, Found]:
    """How far the intervals of table 4 of Flash and Sonnet overlap: of which length is not said.

    The intervals are taken from the printed rho at the number of items that gives the printed ends, since
    rounding of the ends moves the share by more than a percent.
    """
    table = rank_tests.recomputed().set_index("model")
    sizes = str(table["sizes_ci"][FLASH])
    if not sizes.isdigit() or sizes != table["sizes_ci"][SONNET]:
        return {}
    flash, sonnet = (fisher_interval(float(table["rho"][m]), int(sizes)).ends for m in (FLASH, SONNET))
    shared = min(flash[1], sonnet[1]) - max(flash[0], sonnet[0])
    both = max(flash[1], sonnet[1]) - min(flash[0], sonnet[0])
    shares = [100 * shared / length for length in (both, np.ptp(sonnet), np.ptp(flash))]
    claim = "confidence intervals overlap by more than 99 percent"
    note = (
        f"the overlap is {shares[2]:.1f} percent of Flash's interval, {shares[1]:.1f} of Sonnet's and "
        f"{shares[0]:.1f} of what both cover; the text does not say which it means"
    )
    value = figure(
        float("nan"), f"the printed rho and {sizes} items", note=note, bounds=(min(shares), max(shares))
    )
    return {("abstract", claim): {"value": value}}
