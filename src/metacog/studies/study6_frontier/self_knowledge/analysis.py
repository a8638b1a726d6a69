"""Is it self-knowledge? What is computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import pandas as pd

from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import COMMITTED, CUTS, own_and_others
from metacog.report.self_knowledge_verdicts import SelfKnowledge, judge
from metacog.studies.study import analysis
from metacog.studies.study6_frontier.ledger.published import FILES
from metacog.studies.study6_frontier.ledger.rows import model_items, partly_stated
from metacog.studies.study6_frontier.self_knowledge import proof

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Frontier(SelfKnowledge):
    """How much of the atlas's models' confidence is knowledge of themselves.

    Attributes
    ----------
    proof : DataFrame
        :func:`.proof.simulated`: shares of the information where the truth is known.
    worlds : DataFrame
        :func:`.proof.worlds`: how often a model is called self-knowing where the truth is known.
    """

    proof: pd.DataFrame
    worlds: pd.DataFrame


def examine(
    items: ModelItems,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 200,
    seed: int = 42,
    verdicts: bool = True,
    n_cuts: int = len(CUTS),
    uncounted: Sequence[str] = (),
) -> Frontier:
    """Own confidence against the others', in every way; ``n_cuts`` of cutting difficulty, the main one first.

    ``uncounted`` models are shown and take no part in counts of models.
    """
    found = own_and_others(
        items, cuts=CUTS[:n_cuts], n_resamples=n_resamples, n_permutations=n_permutations, seed=seed
    )
    made = judge(found, verdicts=verdicts, uncounted=uncounted)
    numbers = {f.name: getattr(made, f.name) for f in fields(SelfKnowledge)}
    return Frontier(**numbers, proof=proof.simulated(), worlds=proof.worlds())


@analysis(returns=Frontier, files=(*FILES, *COMMITTED, proof.WORLDS))
def self_knowledge(
    inputs: Inputs,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 200,
    seed: int = 42,
    verdicts: bool = True,
    n_cuts: int = len(CUTS),
) -> Frontier:
    """How much of large models' confidence is knowledge of themselves?"""
    drawn = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    return examine(model_items(), verdicts=verdicts, n_cuts=n_cuts, uncounted=partly_stated(), **drawn)
