"""Is it self-knowledge? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.measures.model_items import ModelItems
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study6_frontier.ledger.published import FILES
from metacog.studies.study6_frontier.ledger.rows import load, model_items
from metacog.studies.study6_frontier.self_knowledge import estimates, judging, proof

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class SelfKnowledge:
    """How much of confidence is knowledge of oneself.

    Attributes
    ----------
    models : DataFrame
        :func:`.estimates.merged`: one row per model, on all items and with difficulty cut in the main way.
    rivals, remainders : DataFrame
        :func:`.estimates.rival_tables` and :func:`.estimates.remainders`: every way of taking the rows.
    matrix : DataFrame
        ``confidence_of, correctness_of, area`` on all items.
    advantage, means : DataFrame
        What the diagonal has beyond row and column, by model and on average (:func:`.estimates.mean_table`).
    factors : DataFrame
        ``factor, eigenvalue, parallel, share``.
    proof : DataFrame
        :func:`.proof.simulated`: what the measure of the remainder does where the truth is known.
    ways : DataFrame
        :func:`.judging.stable` of what remains (AUROC2).
    verdicts : tuple of Verdict
    answer : str
        :func:`.judging.answer`.
    n_models, n_items, n_left_out, n_panel, n_others, n_factors, n_factor_models : int
        ``n_left_out``: items whose key is suspected for some model; ``n_panel``: items that all models which stand as
        others answered, and ``n_others``, how many stand for each judged model.
    first_share : float
        Of the first factor.
    """

    models: pd.DataFrame
    rivals: pd.DataFrame
    remainders: pd.DataFrame
    matrix: pd.DataFrame
    advantage: pd.DataFrame
    means: pd.DataFrame
    factors: pd.DataFrame
    proof: pd.DataFrame
    ways: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    answer: str
    n_models: int
    n_items: int
    n_left_out: int
    n_panel: int
    n_others: int
    n_factors: int
    n_factor_models: int
    first_share: float


def examine(
    items: ModelItems,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 200,
    seed: int = 42,
    verdicts: bool = True,
    n_cuts: int = len(estimates.CUTS),
) -> SelfKnowledge:
    """Own confidence against the others', in every way; ``n_cuts`` of cutting difficulty, the main one first."""
    drawn = {"n_resamples": n_resamples, "seed": seed}
    rivals = estimates.rival_tables(items, **drawn)
    rest = estimates.remainders(items, n_permutations=n_permutations, cuts=estimates.CUTS[:n_cuts], **drawn)
    matrices = estimates.matrices(items, n_permutations=n_permutations, **drawn)
    means = estimates.mean_table(matrices)
    factors, made = estimates.factor_table(items, n_permutations=min(200, n_permutations), seed=seed)
    main = rivals[(rivals["rows"] == estimates.WITH) & (rivals["levels"] == 0)]
    within = rest[(rest["rows"] == estimates.WITH) & (rest["cut"] == estimates.EXACT)]
    whole = matrices[estimates.WITH]
    models = estimates.merged(items, main, within, whole)
    judgements = (
        *(judging.over_models(models, name) for name in judging.OVER_MODELS),
        judging.privileged(means, estimates.WITH),
    )
    return SelfKnowledge(
        models=models,
        rivals=rivals,
        remainders=rest,
        matrix=estimates.matrix_table(whole),
        advantage=whole.advantage,
        means=means,
        factors=factors,
        proof=proof.simulated(),
        ways=judging.stable(rest, "corrected", 0.0),
        verdicts=judgements if verdicts else (),
        answer=judging.answer(judgements),
        n_models=len(items.models),
        n_items=len(items.items),
        n_left_out=estimates.n_lost(items, estimates.unsuspected(items)),
        n_panel=int(main["n_panel"].iloc[0]),
        n_others=int(main["n_others"].iloc[0]),
        n_factors=made.n_factors,
        n_factor_models=made.n_models,
        first_share=made.first_share,
    )


@analysis(returns=SelfKnowledge, files=(*FILES, proof.SIMULATED))
def self_knowledge(
    inputs: Inputs,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 200,
    seed: int = 42,
    verdicts: bool = True,
    n_cuts: int = len(estimates.CUTS),
) -> SelfKnowledge:
    """How much of 33 models' confidence is knowledge of themselves?

    Confidences that the parser of replies put in are left out: they are nobody's.
    """
    trials = load().trials
    drawn = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    return examine(model_items(trials[trials["stated"]]), verdicts=verdicts, n_cuts=n_cuts, **drawn)
