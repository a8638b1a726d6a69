"""H2: does M-ratio differ between domains? What is computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report import levels
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import comparison
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, rated_primary
from metacog.studies.study1_qa.h2 import estimates, judging
from metacog.studies.study1_qa.ledger.published import as_numbers

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Columns of the comparison with the published models.
COMPARED = ["model", "domain", "m_ratio", "auroc2", "auroc2_lower", "auroc2_upper", "meta_i2r"]


@dataclass(frozen=True)
class H2:
    """H2: tables as in :class:`metacog.studies.study1_qa.h2.estimates.H2`; ``levels`` of its rules."""

    domains: pd.DataFrame
    pairs: pd.DataFrame
    by_accuracy: pd.DataFrame
    comparison: pd.DataFrame
    levels: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    n_pairs: int
    flagged: int


@analysis(needs=("open",), returns=H2, files=(*PUBLISHED, levels.FILE))
def h2(
    inputs: Inputs,
    *,
    domains: Sequence[str] = (),
    n_resamples: int = 10_000,
    seed: int = 42,
    verdicts: bool = True,
) -> H2:
    """Does M-ratio differ between domains?"""
    run = estimates.h2(
        rated_primary(inputs), domains=domains, n_resamples=n_resamples, seed=seed, verdicts=verdicts
    )
    theirs = published_domains()
    parts = {comparison.PUBLISHED: theirs[COMPARED], comparison.RUN: run.table[[*COMPARED, "flag"]]}
    ratio = run.pairs[run.pairs["measure"] == "m_ratio"]
    return H2(
        run.table,
        run.pairs,
        run.by_accuracy,
        comparison.stacked(**parts),
        levels.verdict_levels("H2, meta"),
        (*run.verdicts, judging.compare(theirs, run.table)) if verdicts else (),
        len(ratio),
        int(ratio["flagged"].sum()),
    )


def published_domains() -> pd.DataFrame:
    """M-ratio, AUROC2 with its interval and meta-I2r by domain as printed: their counts by rating are not public."""
    printed = as_numbers("v2_domain").rename(columns={"a_lower": "auroc2_lower", "a_upper": "auroc2_upper"})
    information = printed[["model", "domain", "meta_i2r", "auroc2", "auroc2_lower", "auroc2_upper"]]
    return as_numbers("v1_table6_domain_m_ratio").merge(information, on=["model", "domain"])
