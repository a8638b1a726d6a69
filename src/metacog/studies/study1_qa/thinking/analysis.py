"""Does thinking help a model to know itself? What is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import PUBLISHED
from metacog.studies.study1_qa.ledger.thinking import Mode, counts, whole_pairs
from metacog.studies.study1_qa.thinking import estimates, judging, left_out, print_alone

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Thinking:
    """Thinking on and off, from the author's counts by four ratings and from what is printed beside them.

    ``cells, differences`` as in :class:`.estimates.Compared`; ``ratings, parts, equal, fits`` as
    :func:`.estimates.by_rating`, :func:`.estimates.parts`, :func:`.estimates.at_equal` and
    :func:`.estimates.fits` make them; ``replies`` what the replies left out could change
    (:func:`.left_out.table`); ``raw, domains, marking`` what is printed of raw confidence
    (:mod:`.print_alone`); ``whole`` whether printed AUROC2 are whole numbers of pairs.
    """

    cells: pd.DataFrame
    differences: pd.DataFrame
    ratings: pd.DataFrame
    parts: pd.DataFrame
    equal: pd.DataFrame
    fits: pd.DataFrame
    replies: pd.DataFrame
    raw: pd.DataFrame
    domains: pd.DataFrame
    marking: pd.DataFrame
    whole: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def think(
    tables: Mapping[tuple[str, str], Mode], *, n_resamples: int, seed: int, verdicts: bool = True
) -> Thinking:
    """All of the chapter for some tables of counts, by (model, mode) with ``thinking`` and ``non_thinking``."""
    found = estimates.pairs(tables)
    made = estimates.compared(found, n_resamples=n_resamples, seed=seed)
    parts = estimates.parts(found, n_resamples=n_resamples, seed=seed)
    replies = left_out.table(found)
    judgements = drawn(
        *(judging.on_differences(made.differences, name) for name in judging.ASKED),
        judging.on_parts(parts),
        judging.on_left_out(replies),
    )
    return Thinking(
        made.cells,
        made.differences,
        estimates.by_rating(found),
        parts,
        estimates.at_equal(found),
        estimates.fits(found, made.measured),
        replies,
        print_alone.raw(),
        print_alone.domains(),
        print_alone.marking(),
        whole_pairs(),
        judgements if verdicts else (),
    )


@analysis(returns=Thinking, files=PUBLISHED)
def thinking(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True) -> Thinking:
    """Does thinking help a model to know itself?"""
    return think(counts(), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
