"""What several questions of study 2 share: measures of cells, and the paper's rule for a difference.

A difference that its test does not reject is *not significant*. One that is rejected is *significant* where its
interval lies outside the region of practical equivalence (ROPE), *negligible* inside, and otherwise *inconclusive*.
The paper says that intervals are 95 % ones; its verdicts on d' over risk are reproduced by intervals as wide as the
Bonferroni test, so both are computed and both are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of, typed_rows
from metacog.sdt import type2_table
from metacog.sdt.decisions import bonferroni_z, finding, log_ratio_decision, quotient, rope_decision, z_test
from metacog.sdt.intervals import wilson
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.paper import CONFIDENCE, MODELS, TASKS, Ratings

#: Differences of d' and c, and of log M-ratio, that are too small to matter.
ROPE = {"d_prime": 0.1, "c": 0.1, "m_ratio": 0.05}
#: Pairs of risk configurations over three models and three tasks: the paper's Bonferroni family.
FAMILY = 27
#: Level of the wide intervals.
WIDE = 1 - 0.05 / FAMILY


#: Columns of contrasts: one difference, first minus second, and the decision on it. ``kind`` is what the two sides
#: differ in: ``risk``, ``models``, ``tasks``, or ``optimality``; ``task`` and ``model`` are empty where they differ.
#: ``difference, se, z`` are of log M-ratio where the measure is M-ratio, ``plain`` is on the measure's own scale. One
#: decision is by 95 % intervals, one by intervals as wide as the Bonferroni test. ``relative`` is in percent of the
#: second, ``relative_first`` of the first; NaN for c, which may be 0. ``undefined`` is the share of draws that are no
#: ratio, or of two M-ratios at or below 0, whose order says nothing; above 1 % there is no decision.
CONTRAST = (
    *("measure", "kind", "task", "model", "first", "second", "difference", "se", "z", "plain"),
    *("lower", "upper", "lower_wide", "upper_wide", "decision", "decision_wide"),
    *("relative", "relative_first", "undefined"),
)
#: One row of these columns.
Row = tuple[object, ...]


def risk_contrasts(cells: pd.DataFrame) -> pd.DataFrame:
    """Differences of c and d' over risk configurations, within a model and task.

    The test is the Bonferroni one whatever the interval.
    """
    made = []
    for measure in ("c", "d_prime"):
        for (task, model), part in cells.groupby(["task", "model"], sort=False):
            by = part.set_index("risk")
            for first, second in combinations(by.index, 2):
                pair = _estimates(by, measure, first, second)
                made.append(
                    _by_delta(measure, "risk", str(task), str(model), first, second, *pair, family=FAMILY)
                )
    return pd.DataFrame(made, columns=list(CONTRAST))


def model_contrasts(cells: pd.DataFrame) -> pd.DataFrame:
    """Differences of d' between models within a task; the test is as wide as the interval."""
    made = []
    for task, part in cells.groupby("task", sort=False):
        by = part.set_index("model")
        for first, second in combinations(by.index, 2):
            pair = _estimates(by, "d_prime", first, second)
            made.append(_by_delta("d_prime", "models", str(task), "", first, second, *pair, family=1))
    return pd.DataFrame(made, columns=list(CONTRAST))


def m_ratio_contrasts(
    draws: Mapping[tuple[str, str], NDArray[np.float64]], estimates: Mapping[tuple[str, str], float]
) -> pd.DataFrame:
    """Log M-ratio against optimality (0), between models within a task, and between tasks within a model.

    By task and model: draws of M-ratio (of a bootstrap or a posterior), independent between cells; and M-ratio itself.
    """
    made = []
    for task, model in draws:
        made.append(
            _by_draws(
                "optimality", task, model, model, "optimal", draws[task, model], estimates[task, model], 1.0
            )
        )
    for one, other in combinations(draws, 2):
        if (one[0] == other[0]) == (one[1] == other[1]):
            continue
        kind, sides = ("models", (one[1], other[1])) if one[0] == other[0] else ("tasks", (one[0], other[0]))
        ratio = quotient(draws[one], draws[other])
        place = (one[0], "") if kind == "models" else ("", one[1])
        made.append(_by_draws(kind, *place, *sides, ratio, estimates[one], estimates[other]))
    return pd.DataFrame(made, columns=list(CONTRAST))


def _estimates(by: pd.DataFrame, measure: str, first: str, second: str) -> tuple[float, float, float]:
    a, b = by[measure].to_dict(), by[f"{measure}_se"].to_dict()
    return float(a[first]), float(a[second]), float(np.hypot(b[first], b[second]))


def _by_delta(
    measure: str,
    kind: str,
    task: str,
    model: str,
    first: str,
    second: str,
    a: float,
    b: float,
    se: float,
    *,
    family: int,
) -> Row:
    rope = ROPE[measure]
    plain, wide = z_test(a - b, se), z_test(a - b, se, m=FAMILY)
    narrow_rejects = wide.rejected if family == FAMILY else plain.rejected
    ends, wide_ends = plain.interval().ends, wide.interval().ends
    relative, relative_first = (
        (_percent(a - b, b), _percent(a - b, a)) if measure != "c" else (float("nan"),) * 2
    )
    return (
        measure,
        kind,
        task,
        model,
        first,
        second,
        a - b,
        se,
        plain.z,
        a - b,
        *ends,
        *wide_ends,
        finding(narrow_rejects, rope_decision(*ends, -rope, rope)),
        finding(wide.rejected, rope_decision(*wide_ends, -rope, rope)),
        relative,
        relative_first,
        0.0,
    )


def _by_draws(
    kind: str, task: str, model: str, first: str, second: str, ratio: NDArray[np.float64], a: float, b: float
) -> Row:
    nan = float("nan")
    narrow, wide = (log_ratio_decision(ratio, ROPE["m_ratio"], level=level) for level in (0.95, WIDE))
    return (
        "m_ratio",
        kind,
        task,
        model,
        first,
        second,
        narrow.mean,
        nan,
        nan,
        a - b,
        narrow.lower,
        narrow.upper,
        wide.lower,
        wide.upper,
        finding(narrow.excludes_zero, narrow.decision),
        finding(wide.excludes_zero, wide.decision),
        _percent(a - b, b),
        _percent(a - b, a),
        narrow.share_undefined,
    )


def _percent(difference: float, of: float) -> float:
    """A difference in percent of what may be 0; NaN then."""
    return difference / of * 100 if of else float("nan")


def wide_z() -> float:
    """Standard errors of the wide interval, about 3.11."""
    return bonferroni_z(m=FAMILY)


# Accuracy at each level of confidence.

#: Columns of :func:`by_confidence`.
CONFIDENCE_TYPES = {
    "task": "str",
    "model": "str",
    "confidence": "int64",
    "n": "int64",
    "right": "float64",
    "lower": "float64",
    "upper": "float64",
    "shown": "bool",
}


def by_confidence(cells: Iterable[Ratings], fewest: int) -> pd.DataFrame:
    """Accuracy at each level of confidence; levels with fewer trials than ``fewest`` are not ``shown``."""
    rows = []
    for cell in cells:
        wrong, right = type2_table(cell.nR_S1, cell.nR_S2)
        n = wrong + right
        share = np.divide(right, n, out=np.full(n.shape, np.nan), where=n > 0)
        low, high = wilson(np.nan_to_num(share), np.maximum(n, 1))
        for i, level in enumerate(CONFIDENCE):
            some = n[i] > 0
            rows.append(
                {
                    "task": cell.task,
                    "model": cell.model,
                    "confidence": level,
                    "n": int(n[i]),
                    "right": share[i],
                    "lower": low[i] if some else np.nan,
                    "upper": high[i] if some else np.nan,
                    "shown": bool(n[i] >= fewest),
                }
            )
    return typed_rows(rows, CONFIDENCE_TYPES)


# d', c and c' of decisions between two alternatives, from their four counts.

#: Standard errors on either side of an interval, as in the paper.
Z = 1.96
#: Columns of :func:`decision_cells`.
DECISION_TYPES = {
    "task": "str",
    "model": "str",
    "risk": "str",
    "n": "int64",
    "hit_rate": "float64",
    "false_alarm_rate": "float64",
    **{f"{name}{what}": "float64" for name in ("d_prime", "c", "c_prime") for what in ("", "_se", "_half")},
}


def decision_cells(counts: pd.DataFrame, correction: str = "none") -> pd.DataFrame:
    """d', c and c' by task, model and risk configuration, with standard errors and 1.96 of them (``_half``), as in the
    paper; ``correction`` as :func:`metacog.sdt.type1.type1` takes it."""
    rows = []
    for row in rows_of(counts):
        r = type1([row.correct_rejections, row.false_alarms], [row.misses, row.hits], correction=correction)
        cell: dict[str, object] = {
            "task": row.task,
            "model": row.model,
            "risk": row.risk,
            "n": int(row.total),
            "hit_rate": r.hit_rate,
            "false_alarm_rate": r.false_alarm_rate,
        }
        for measure in ("d_prime", "c", "c_prime"):
            cell |= {
                measure: getattr(r, measure),
                f"{measure}_se": r.half_width(measure, z=1.0),
                f"{measure}_half": r.half_width(measure, z=Z),
            }
        rows.append(cell)
    return typed_rows(rows, DECISION_TYPES)


# The decision-only experiments: d', c and c' of 27 cells, and the published table S2.


def risk_cells(correction: str = "none") -> pd.DataFrame:
    """The paper's 27 cells; see :func:`decision_cells`."""
    return decision_cells(paper.risk_counts(), correction)


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
