"""H3: is meta-d' stable across temperatures?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study1_qa import cells
from metacog.studies.study1_qa.cells import (
    COVERAGE,
    PUBLISHED_FILES,
    open_trials,
    primary,
    rate_trials,
)
from metacog.studies.study1_qa.paper import as_numbers
from metacog.studies.study1_qa.temperatures import BOUND, FIXED, compare, h3_estimates, range_and_rank
from metacog.studies.study1_qa.version2 import temperature_measures
from metacog.verdicts.verdict import Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Columns of the comparison with the published models.
COMPARED = ["model", "rho_meta_d_T", "rho_d_prime_T", "meta_d_range", "tost_pass", "relative_robust"]
FROM_TABLE_7 = "published, recomputed from printed table 7"


@dataclass(frozen=True)
class H3:
    """H3: ``temperatures`` (edges of T = 1), ``summary`` and ``pairs`` as in
    :class:`metacog.studies.study1_qa.temperatures.H3Estimates`.

    ``corrected`` holds version 2's measures by temperature.
    """

    temperatures: pd.DataFrame
    summary: pd.DataFrame
    pairs: pd.DataFrame
    corrected: pd.DataFrame
    comparison: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    bound: float


@analysis(needs=("open",), returns=H3, files=(*PUBLISHED_FILES, *COVERAGE))
def h3(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_corrected_resamples: int = 2_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> H3:
    """Is meta-d' the same at every temperature?"""
    trials = primary(open_trials(inputs))
    separate = rate_trials(trials, own_edges=True)
    run = h3_estimates(rate_trials(trials), separate, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    corrected = temperature_measures(
        trials, n_permutations=n_permutations, n_resamples=n_corrected_resamples, seed=seed
    )
    recomputed, printed, ours = compared(run.summary)
    parts = {cells.PUBLISHED: printed, FROM_TABLE_7: recomputed, cells.RUN: ours}
    return H3(
        run.table,
        run.summary,
        run.pairs,
        corrected,
        cells.stacked(**{source: rows[COMPARED] for source, rows in parts.items()}),
        (*run.verdicts, compare(printed, recomputed, ours)) if verdicts else (),
        BOUND,
    )


def compared(summary: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The pre-registered statistics: recomputed from the printed table 7, as printed, and the run's."""
    by_model = as_numbers("v1_table7_temperature").groupby("model", sort=False)
    recomputed = [{"model": model, **range_and_rank(rows)} for model, rows in by_model]
    registered = summary[summary["edges"] == FIXED] if len(summary) else pd.DataFrame(columns=COMPARED)
    return pd.DataFrame(recomputed), as_numbers("v1_h3_verdicts"), registered
