"""Rows of study 2's text that are no verdicts on pairs: over tasks, ranges, and how the scale is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.ledger.claims import Answers, claim_entries
from metacog.ledger.entry import Kind, Role, Status, Value
from metacog.sdt.decisions import NOT_SIGNIFICANT, z_test
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.cells import risk_cells, risk_contrasts, wide_z
from metacog.studies.study2_two_choice.ledger import claims
from metacog.studies.study2_two_choice.paper import CONFIDENCE, FROM_COUNTS, MODELS, RISKS, TASKS

STUDY = "study 2"
FROM_POSTERIOR = "posterior of the published counts"
TEXT = "study 2, text"
GPT5, MISTRAL = "GPT-5-2025-08-07", "Mistral-Medium-2508"
estimated, recounted = (
    partial(Value, source=FROM_COUNTS, kind=kind) for kind in (Kind.ESTIMATED, Kind.RECOUNTED)
)
WIDTH = Role(
    Status.INPUT,
    "verdicts and counts of verdicts over risk that are reproduced with one width of interval only",
    "the paper says 95 %; intervals as wide as its test were taken: with them the printed verdicts are reproduced",
)
FROM_S1 = Role(
    Status.REPEAT,
    "ends of the range of M-ratio in the text",
    "the smallest and the largest M-ratio of table S1, rounded",
)


def text_rows(posterior: pd.DataFrame | None = None, needs: str = "") -> pd.DataFrame:
    """A row for every figure that ``servajean_text_claims.csv`` prints; what ``needs`` the posterior's cells waits."""
    return claim_entries(
        paper.as_text("text_claims"),
        {**answers(), **trials(), "meta_d_substantial": _substantial(posterior)},
        study=STUDY,
        table=TEXT,
        quantities={"lower": "smallest", "upper": "largest"},
        needs=lambda line: needs if line.id == "meta_d_substantial" else "",
        role=_role,
    )


def _substantial(cells: pd.DataFrame | None) -> Value | None:
    """In how many cells the 95 % interval of meta-d' lies above 0; None without a posterior."""
    if cells is None:
        return None
    lowest = float(cells["meta_d_lower"].min())
    return Value(
        float((cells["meta_d_lower"] > 0).sum()),
        FROM_POSTERIOR,
        note=f"the lowest end is {lowest:.2f}",
        kind=Kind.ESTIMATED,
    )


def trials() -> dict[str, Value]:
    """Trials of a model on each task: of the smallest cell where cells differ, which the note says."""
    rated: Any = used().sum(axis=1)
    decided: Any = paper.risk_counts().set_index(["task", "model", "risk"])["total"]
    found: dict[str, Value] = {}
    for of, counts in (("rated", rated), ("decided", decided)):
        for name, tasks in (("a", ["A"]), ("bc", ["B", "C"])):
            own = counts[counts.index.get_level_values("task").isin(tasks)]
            few = own[own < own.max()]
            note = "; ".join(f"{MODELS[i[1]]}, task {i[0]}, warned of {i[2]}: {n:,}" for i, n in few.items())
            note = f"{note}; every other cell has {own.max():,}" if note else ""
            found[f"trials_{of}_{name}"] = recounted(float(own.min()), note=note)
    for name in ("a", "bc"):
        own, said = (
            found[f"trials_rated_{name}"],
            "the Methods print ten times as many, which the counts hold",
        )
        found[f"trials_caption_{name}"] = replace(own, note=said)
    return found


def _role(claim: str, column: str, value: Value | None) -> Role | None:
    if claim in claims.COUNTED.values():
        return WIDTH if value is not None and value.rival is not None else None
    return FROM_S1 if claim == "m_ratio_range" else None


def answers() -> Answers:
    counts: Any = used()
    cells = risk_cells()
    gpt5 = cells[cells["model"] == GPT5].set_index("risk")["c"]
    frame = paper.as_numbers("tableS1")
    ratios = frame.loc[frame["measure"] == "m_ratio", "estimate"]
    seldom, points = counts.loc[("B", MISTRAL)], counts.loc[("C", MISTRAL)]
    given = ", ".join(f"{level}: {n:,}" for level, n in points[points > 0].items())
    whole = whole_scale(counts)
    scale = f"every model gives all {len(CONFIDENCE)} confidences in: {', '.join(whole) or 'none'}"
    from_print = partial(Value, kind=Kind.PRINTED)
    return {
        **_counted(),
        "d_prime_over_tasks": _varies(),
        "c_gpt5_direction": _direction(cells[cells["model"] == GPT5], every=True),
        "c_direction": _direction(cells),
        "c_warned_of_s1": estimated(float(gpt5["S1"].max())),
        "c_warned_of_s2": estimated(float(gpt5["S2"].min())),
        "m_ratio_range": {
            "lower": from_print(float(ratios.min()), "table S1 as printed"),
            "upper": from_print(float(ratios.max()), "table S1 as printed"),
        },
        "confidence_1_in_b": recounted(float(counts.loc[("B", GPT5), 1])),
        "confidence_1_in_c": recounted(float(counts.loc[("C", GPT5), 1])),
        "confidence_3_in_b": recounted(float(100 * seldom[3] / seldom.sum())),
        "full_scale": recounted(float(whole == ["A"]), note=scale),
        "two_points": recounted(float((points > 0).sum()), note=f"answers by confidence: {given}"),
        "critical_z": from_print(wide_z(), "the number of pairs"),
        "c_prime_mirrors": _mirrors(cells),
    }


def _counted() -> dict[str, Value]:
    """How many of the d' pairs over risk that the text does not name get each verdict.

    What either width of interval gives does not depend on it: there the other width is no rival.
    """
    counted: Any = claims.counted_claims(risk_contrasts(risk_cells())).set_index("verdict")
    found = {}
    for verdict, claim in claims.COUNTED.items():
        narrow, wide = (float(counted.at[verdict, name]) for name in ("found", "found_wide"))
        found[claim] = (
            estimated(wide, note="by intervals of either width")
            if narrow == wide
            else estimated(
                wide, note="by intervals as wide as the test", rival=narrow, without="with intervals of 95 %"
            )
        )
    return found


def _varies() -> Value:
    """In how many models d' of two tasks differs."""
    tests = {
        name: task_tests([cell for cell in paper.rating_cells() if cell.model == model])
        for model, name in MODELS.items()
    }
    note = "; ".join(f"{m}: |z| {min(abs(z) for z, _ in own):.1f} or more" for m, own in tests.items())
    return estimated(float(sum(any(rejected for _, rejected in own) for own in tests.values())), note=note)


def task_tests(cells: Sequence[paper.Ratings]) -> list[tuple[float, bool]]:
    """z of the difference of d' of each pair of tasks of a model, and whether it is rejected."""
    own = [type1(cell.nR_S1, cell.nR_S2) for cell in cells]
    pairs = list(combinations(own, 2))
    found = []
    for a, b in pairs:
        error = float(np.hypot(a.half_width("d_prime", z=1.0), b.half_width("d_prime", z=1.0)))
        test = z_test(a.d_prime - b.d_prime, error, m=len(pairs))
        found.append((float(test.z), bool(test.rejected)))
    return found


def used() -> pd.DataFrame:
    """How often each confidence was given: one row per task and model, one column per level."""
    counts = paper.as_numbers("meta_d_counts")
    return counts.pivot_table(
        index=["task", "model"], columns="confidence", values="n", aggfunc="sum", fill_value=0
    )


def _direction(cells: pd.DataFrame, *, every: bool = False) -> Value:
    """Whether c lies on the cautious side of every pair over risk, or of those that the test tells apart."""
    pairs = risk_contrasts(cells).query("measure == 'c'")
    own = pairs if every else pairs[pairs["decision_wide"] != NOT_SIGNIFICANT]
    sides = list(zip(own["first"].map(RISKS.index), own["second"].map(RISKS.index), strict=True))
    gaps = zip(sides, own["difference"], strict=True)
    cautious = np.array([(first < second) == (gap < 0) for (first, second), gap in gaps])
    note = f"in {int(cautious.sum())} of {len(own)} pairs{'' if every else ' that differ'}"
    return estimated(float(len(own) > 0 and cautious.all()), note=note)


def _mirrors(cells: pd.DataFrame) -> Value:
    """Whether c' differs, and in the direction, as c does in every pair over risk whose d' differs."""
    alike = mirrored(cells)
    there = alike[alike["d_differs"]]["alike"]
    note = f"in {there.sum()} of {len(there)} pairs whose d' differs, and in {alike['alike'].sum()} of all {len(alike)}"
    return estimated(float(len(there) > 0 and there.all()), note=f"{note}, by the test and the sign")


def mirrored(cells: pd.DataFrame) -> pd.DataFrame:
    """Pairs over risk: ``task, model``, whether d' differs, and whether c' and c are judged alike."""
    measured = risk_contrasts(cells).groupby("measure")
    c, d = (measured.get_group(name).reset_index(drop=True) for name in ("c", "d_prime"))
    primed = risk_contrasts(cells.assign(c=cells["c_prime"], c_se=cells["c_prime_se"]))
    primed = primed[primed["measure"] == "c"].reset_index(drop=True)
    differ, differ_primed = (table["decision"] != NOT_SIGNIFICANT for table in (c, primed))
    same = (differ == differ_primed) & (~differ | (np.sign(c["difference"]) == np.sign(primed["difference"])))
    return c[["task", "model"]].assign(d_differs=d["decision"] != NOT_SIGNIFICANT, alike=same)


def whole_scale(table: pd.DataFrame) -> list[str]:
    """Tasks in which every model gives every confidence, from :func:`used`."""
    every = (table.reindex(columns=list(CONFIDENCE), fill_value=0) > 0).all(axis=1)
    whole = every.groupby(level="task").all()
    return [task for task in TASKS if bool(whole[task])]
