"""Does the order of the published models carry over from one question set to the other? Judged pair by pair.

A rank correlation of four models has no p below 0.08, so each pair of models is judged by the 95 % intervals of its
difference on both sets, as R4 does (:mod:`metacog.studies.study1_qa.robustness.variants`), on the same resamples.
"""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.fits import Fits
from metacog.measures.measured import Estimator
from metacog.measures.pairs import differences
from metacog.measures.ratings import of_ratings
from metacog.studies.study1_qa.cells.counts import Cells
from metacog.studies.study1_qa.cells.estimates import measured

#: Measures by which models are put in order.
MEASURES = ("m_ratio", "meta_i2r", "auroc2")
COLUMNS = (
    "measure",
    "model_a",
    "model_b",
    *(f"{side}{end}" for side in ("first", "second") for end in ("", "_lower", "_upper")),
    "kept",
)


def pairs(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """Differences of every pair of models on two question sets; models are drawn independently of one another.

    Parameters
    ----------
    cells : Cells
        The same models on both sets.
    n_resamples, seed : int

    Returns
    -------
    DataFrame
        One row per measure and pair: ``measure, model_a, model_b``, the difference on the ``first`` and on the
        ``second`` set, each with 95 % limits ``_lower, _upper``, and ``kept``: True if both intervals exclude zero on
        the same side, False if on opposite sides, None where either contains zero or is missing.
    """
    made = []
    for dataset in dict.fromkeys(cells.frame["dataset"]):
        own = cells.select(cells.frame["dataset"] == dataset)
        asked: list[list[Estimator]] = [[Fits(), of_ratings]] * len(own)
        found = measured(own, asked, n_resamples=n_resamples, seed=seed)
        made.append(dict(zip(own.frame["model"], found, strict=True)))
    shared = [model for model in made[0] if model in made[1]]
    rows = []
    for measure in MEASURES:
        sides = [differences({m: one[m] for m in shared}, measure, paired=False) for one in made]
        for one, two in zip(*map(rows_of, sides), strict=True):
            states = [1 if gap.lower > 0 else -1 if gap.upper < 0 else 0 for gap in (one, two)]
            limits = [x for gap in (one, two) for x in (gap.difference, gap.lower, gap.upper)]
            kept = None if 0 in states else states[0] == states[1]
            rows.append((measure, one.first, one.second, *limits, kept))
    return pd.DataFrame(rows, columns=list(COLUMNS))
