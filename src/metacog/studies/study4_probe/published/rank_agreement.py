"""Kendall's tau-b of everything printed that ranks the same models, or the same tasks.

Hypotheses H1 and H2 are about people and H3 about raters, whose answers were not published. What follows from
the print is the same question asked of the eight models (H1) and of the five tasks (H3); there is none for
H2, since no model has an education.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from metacog.sdt.correlation import kendall
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import TASKS, plain, short
from metacog.studies.study4_probe.published import benchmarks, reliability
from metacog.studies.study4_probe.published.benchmarks import COMPOSITES

#: Level of one test.
ALPHA = 0.05
TASK_PAIRS, COMPOSITE_PAIRS, WITH_BENCHMARKS = "two tasks", "two composites", "composite and benchmark"
RATERS = "agreement and alpha"


def pairs() -> pd.DataFrame:
    """One row per pair of rankings.

    Returns
    -------
    DataFrame
        ``kind, first, second, pair, tau, lower, upper, p, n, hypothesis``; ``p`` goes through all orders. Ranks on
        benchmarks are those solved from table 7, where there is only one solution.
    """
    rows = []
    for kind, first, second, x, y, hypothesis in _lists():
        found = kendall(x, y)
        rows.append(
            {
                "kind": kind,
                "first": first,
                "second": second,
                "pair": f"{plain(first)}, {plain(second)}",
                "tau": found.tau,
                "lower": found.lower,
                "upper": found.upper,
                "p": found.p_value,
                "n": found.n,
                "hypothesis": hypothesis,
            }
        )
    return pd.DataFrame(rows)


def _lists() -> Iterator[tuple[str, str, str, np.ndarray, np.ndarray, str]]:
    table = published.scores()
    for a, b in combinations(TASKS, 2):
        hypothesis = "H1, on models" if (a, b) == ("T1_CC", "T2_EV") else ""
        yield TASK_PAIRS, short(a), short(b), table[a].to_numpy(), table[b].to_numpy(), hypothesis
    for a, b in combinations(COMPOSITES, 2):
        x, y = (published.composite(name).to_numpy() for name in (a, b))
        yield COMPOSITE_PAIRS, COMPOSITES[a], COMPOSITES[b], x, y, ""
    slots = published.composite("composite_15_slot").to_numpy()
    for one in benchmarks.solved():
        if one.found and len(one.ranks) == 1:
            yield WITH_BENCHMARKS, COMPOSITES["composite_15_slot"], one.benchmark, slots, one.ranks[0], ""
    rated = reliability.table()
    yield (
        RATERS,
        "Agreement",
        "Krippendorff's alpha",
        rated["agreement"].to_numpy(),
        rated["alpha"].to_numpy(),
        "H3, on tasks",
    )
