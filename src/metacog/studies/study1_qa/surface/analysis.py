"""Is it only the surface? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.paths import project_root
from metacog.measures.answer_surface import surface_controls
from metacog.measures.answer_words import TABLE, word_table
from metacog.report.verdicts import Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.counts import REFERENCE, primary
from metacog.studies.study1_qa.cells.inputs import open_trials
from metacog.studies.study1_qa.surface import judging
from metacog.trials.signals import SCORE, scored

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Simulated answerers of whom it is known what is left (``benchmarks/surface_controls.py``).
SIMULATED = "data/simulations/surface_controls.csv"


@dataclass(frozen=True)
class Surface:
    """What the surface of answers says, and what is left of confidence beyond it.

    ``left``, ``features`` and ``known`` as in :class:`metacog.measures.answer_surface.SurfaceControls`; ``verdicts`` of
    :mod:`.judging`, ``outcome`` as :func:`.judging.outcome` has it. ``lowest`` and ``highest`` are the temperatures
    that the verdicts are about: the lowest, and T = 1 or the one next below it. ``n_words`` and ``floor`` describe the
    table of words. ``proof`` is the table of :data:`SIMULATED`.
    """

    left: pd.DataFrame
    features: pd.DataFrame
    known: pd.DataFrame
    proof: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    outcome: str
    lowest: float
    highest: float
    n_others: int
    n_words: int
    floor: float


def examine(
    trials: pd.DataFrame,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
    verdicts: bool = True,
) -> Surface:
    """What the surface says of one question set's open answers, and what is left beyond it."""
    found = surface_controls(
        scored(trials), confidence=SCORE, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed
    )
    asked = sorted(float(t) for t in trials["temperature"].unique())
    highest = max((t for t in asked if t <= REFERENCE), default=asked[0])
    judged = drawn(*judging.verdicts(found.left, sorted({asked[0], highest})))
    words = word_table()
    return Surface(
        found.left,
        found.features,
        found.known,
        pd.read_csv(project_root() / SIMULATED),
        judged if verdicts else (),
        judging.outcome(judged) if verdicts else judging.TOO_SMALL,
        asked[0],
        highest,
        int(found.left["n_others"].max()),
        len(words.zipf),
        words.floor,
    )


@analysis(needs=("open",), returns=Surface, files=(TABLE, SIMULATED))
def surface(
    inputs: Inputs,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
    verdicts: bool = True,
) -> Surface:
    """How much of confidence could be read from the surface of an answer?"""
    drawn_with = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    return examine(primary(open_trials(inputs)), verdicts=verdicts, **drawn_with)
