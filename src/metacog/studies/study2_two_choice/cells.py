"""What several questions of study 2 share: measures of cells, and the paper's rule for a difference.

A difference that its test does not reject is *not significant*. One that is rejected is *significant* where its
interval lies outside the region of practical equivalence (ROPE), *negligible* inside, and otherwise *inconclusive*.
The paper says that intervals are 95 % ones; its verdicts on d' over risk are reproduced by intervals as wide as the
Bonferroni test, so both are computed and both are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of, typed_rows
from metacog.measures.posterior import draws_finding
from metacog.sdt import type2_table
from metacog.sdt.decisions import bonferroni_z, finding, log_ratio_decision, quotient, rope_decision, z_test
from metacog.sdt.intervals import wilson
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.paper import MODELS, TASKS, Ratings

#: Differences of d' and c, and of log M-ratio, that are too small to matter.
ROPE = {"d_prime": 0.1, "c": 0.1, "m_ratio": 0.05}
#: Pairs of risk configurations over three models and three tasks: the paper's Bonferroni family.
FAMILY = 27
#: Level of the wide intervals.
WIDE = 1 - 0.05 / FAMILY
#: Columns of contrasts: one difference, first minus second, and the decision on it. ``kind`` is what the two sides
#: differ in: ``risk``, ``models``, ``tasks``, or ``optimality``; ``task`` and ``model`` are empty where they differ.
#: ``difference`` is of log M-ratio where the measure is M-ratio, ``plain`` is on the measure's own scale. One decision
#: is by 95 % intervals, one by intervals as wide as the Bonferroni test. ``relative`` is in percent of the second,
#: ``relative_first`` of the first; NaN for c, which may be 0.
CONTRAST = (
    *("measure", "kind", "task", "model", "first", "second", "difference", "plain", "lower", "upper"),
    *("lower_wide", "upper_wide", "decision", "decision_wide", "relative", "relative_first"),
)
#: Their types.
CONTRAST_TYPES = {
    name: "str" if name in (*CONTRAST[:6], "decision", "decision_wide") else "float64" for name in CONTRAST
}
#: One row of these columns.
Row = tuple[object, ...]
#: A task and a model.
Cell = tuple[str, str]


def risk_contrasts(cells: pd.DataFrame) -> pd.DataFrame:
    """Differences of c and d' over risk configurations, within a model and task.

    The test is the Bonferroni one whatever the interval.
    """
    rows = (row for measure in ("c", "d_prime") for row in _by_delta(cells, measure, "risk"))
    return pd.DataFrame(rows, columns=list(CONTRAST))


def model_contrasts(cells: pd.DataFrame) -> pd.DataFrame:
    """Differences of d' between models within a task; the test is as wide as the interval."""
    return pd.DataFrame(_by_delta(cells, "d_prime", "models"), columns=list(CONTRAST))


def _by_delta(cells: pd.DataFrame, measure: str, kind: str) -> Iterator[Row]:
    rope, over_risk = ROPE[measure], kind == "risk"
    for place, part in cells.groupby(["task", "model"] if over_risk else ["task"], sort=False):
        sides = part["risk" if over_risk else "model"]
        known = zip(sides, part[measure].tolist(), part[f"{measure}_se"].tolist(), strict=True)
        for (first, a, se_a), (second, b, se_b) in combinations(known, 2):
            se = float(np.hypot(se_a, se_b))
            plain, wide = z_test(a - b, se), z_test(a - b, se, m=FAMILY)
            ends, wide_ends = plain.interval().ends, wide.interval().ends
            rejects = wide.rejected if over_risk else plain.rejected
            task, model = place if over_risk else (*place, "")
            yield (
                *(measure, kind, task, model, first, second, a - b, a - b, *ends, *wide_ends),
                finding(rejects, rope_decision(*ends, -rope, rope)),
                finding(wide.rejected, rope_decision(*wide_ends, -rope, rope)),
                *((np.nan, np.nan) if measure == "c" else (_percent(a - b, b), _percent(a - b, a))),
            )


def m_ratio_contrasts(
    draws: Mapping[Cell, NDArray[np.float64]], estimates: Mapping[Cell, float]
) -> pd.DataFrame:
    """Log M-ratio against optimality (0), between models within a task, and between tasks within a model.

    By task and model: draws of M-ratio (of a bootstrap or a posterior), independent between cells; and M-ratio itself.
    More than 1 % of draws that are no ratio, or of two M-ratios at or below 0, whose order says nothing: no decision.
    """
    made = [
        _by_draws(("optimality", task, model, model, "optimal"), own, estimates[task, model], 1.0)
        for (task, model), own in draws.items()
    ]
    made += [
        _by_draws(place, quotient(draws[one], draws[other]), estimates[one], estimates[other])
        for place, one, other in _pairs(draws)
    ]
    return typed_rows([dict(zip(CONTRAST, row, strict=True)) for row in made], CONTRAST_TYPES)


def d_prime_contrasts(draws: Mapping[Cell, NDArray[np.float64]]) -> pd.DataFrame:
    """Differences of d' between models within a task, and between tasks within a model, from draws of a posterior.

    Where all draws lie above 0, the interval of the difference excludes 0 exactly where that of the log ratio does,
    which is the paper's test.
    """
    made = []
    for place, one, other in _pairs(draws):
        gap, a, b = draws[one] - draws[other], float(draws[one].mean()), float(draws[other].mean())
        found = [draws_finding(gap, ROPE["d_prime"], level) for level in (0.95, WIDE)]
        ends, said = [end for one in found for end in one[:2]], [one[2] for one in found]
        made.append(("d_prime", *place, a - b, a - b, *ends, *said, _percent(a - b, b), _percent(a - b, a)))
    return typed_rows([dict(zip(CONTRAST, row, strict=True)) for row in made], CONTRAST_TYPES)


def _pairs(cells: Iterable[Cell]) -> Iterator[tuple[tuple[str, ...], Cell, Cell]]:
    """Pairs of cells that share a task or a model: kind to second as in :data:`CONTRAST`, and the two."""
    for one, other in combinations(cells, 2):
        if one[0] == other[0]:
            yield ("models", one[0], "", one[1], other[1]), one, other
        elif one[1] == other[1]:
            yield ("tasks", "", one[1], one[0], other[0]), one, other


def _by_draws(place: tuple[str, ...], ratio: NDArray[np.float64], a: float, b: float) -> Row:
    narrow, wide = (log_ratio_decision(ratio, ROPE["m_ratio"], level=level) for level in (0.95, WIDE))
    return (
        *("m_ratio", *place, narrow.mean, a - b, narrow.lower, narrow.upper, wide.lower, wide.upper),
        finding(narrow.excludes_zero, narrow.decision),
        finding(wide.excludes_zero, wide.decision),
        *(_percent(a - b, b), _percent(a - b, a)),
    )


def _percent(difference: float, of: float) -> float:
    """A difference in percent of what may be 0; NaN then."""
    return difference / of * 100 if of else float("nan")


def wide_z() -> float:
    """Standard errors of the wide interval, about 3.11."""
    return bonferroni_z(m=FAMILY)


#: Columns of :func:`by_confidence`.
CONFIDENCE_TYPES = {
    **dict.fromkeys(("task", "model"), "str"),
    **dict.fromkeys(("confidence", "n"), "int64"),
    **dict.fromkeys(("right", "lower", "upper"), "float64"),
    "shown": "bool",
}


def by_confidence(cells: Iterable[Ratings], fewest: int) -> pd.DataFrame:
    """Accuracy at each level of confidence; levels with fewer trials than ``fewest`` are not ``shown``."""
    rows: list[Row] = []
    for cell in cells:
        wrong, right = type2_table(cell.nR_S1, cell.nR_S2)
        n = wrong + right
        share = np.divide(right, n, out=np.full(n.shape, np.nan), where=n > 0)
        ends = np.where(n > 0, wilson(np.nan_to_num(share), np.maximum(n, 1)), np.nan)
        levels = zip(range(1, n.size + 1), n, share, *ends, n >= fewest, strict=True)
        rows += [(cell.task, cell.model, *level) for level in levels]
    return typed_rows([dict(zip(CONFIDENCE_TYPES, row, strict=True)) for row in rows], CONFIDENCE_TYPES)


#: Standard errors on either side of an interval, as in the paper.
Z = 1.96
#: Columns of :func:`decision_cells`.
DECISION_TYPES = {
    **dict.fromkeys(("task", "model", "risk"), "str"),
    "n": "int64",
    **dict.fromkeys(("hit_rate", "false_alarm_rate"), "float64"),
    **{f"{name}{what}": "float64" for name in ("d_prime", "c", "c_prime") for what in ("", "_se", "_half")},
}


def decision_cells(counts: pd.DataFrame, correction: str = "none") -> pd.DataFrame:
    """d', c and c' by task, model and risk configuration, with standard errors and 1.96 of them (``_half``), as in the
    paper; ``correction`` as :func:`metacog.sdt.type1.type1` takes it."""
    rows = []
    for row in rows_of(counts):
        r = type1([row.correct_rejections, row.false_alarms], [row.misses, row.hits], correction=correction)
        cell = [row.task, row.model, row.risk, row.total, r.hit_rate, r.false_alarm_rate]
        for measure in ("d_prime", "c", "c_prime"):
            cell += [getattr(r, measure), r.half_width(measure, z=1.0), r.half_width(measure, z=Z)]
        rows.append(dict(zip(DECISION_TYPES, cell, strict=True)))
    return typed_rows(rows, DECISION_TYPES)


def risk_cells() -> pd.DataFrame:
    return decision_cells(paper.risk_counts())


def with_published(cells: pd.DataFrame) -> pd.DataFrame:
    """Our cells and the published table S2: ``c_printed, half_printed``."""
    printed = paper.as_numbers("tableS2").rename(columns={"c": "c_printed", "half_width_95": "half_printed"})
    return cells.merge(printed, on=["task", "model", "risk"], how="left", validate="one_to_one")


def cell_name(row: object) -> str:
    """``GPT-5, task C, warned of S1``."""
    risk = getattr(row, "risk", "")
    warned = {"": "", "None": ", no warning"}.get(risk, f", warned of {risk}")
    return f"{MODELS[row.model]}, task {row.task}{warned}"  # type: ignore[attr-defined]


def moved(cells: pd.DataFrame) -> pd.DataFrame:
    """The criterion in answers: the share of "S2" in each configuration, were both stimuli as frequent."""
    shares = 0.5 * (cells["hit_rate"] + cells["false_alarm_rate"])
    wide = cells.assign(share=shares).pivot_table(
        index=["model", "task"], columns="risk", values="share", sort=False
    )
    out = wide.reset_index().rename(columns={"S1": "s1", "None": "none", "S2": "s2"})
    return out.assign(model=out["model"].map(MODELS), task_name=out["task"].map(TASKS))
