"""Is it self-knowledge?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.frames import committed_table
from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import COMMITTED, CUTS, MIXTURES, own_and_others
from metacog.studies.study import analysis
from metacog.studies.study6_frontier.ledger.rows import model_items, partly_stated
from metacog.studies.study6_frontier.paper import FILES
from metacog.verdicts.self_knowledge import SelfKnowledge, judge

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# What the measures of self-knowledge do where the truth is known, from committed simulations.

#: Made by ``benchmarks/self_knowledge_placebo.py``: simulated leaderboards of 33 models and 1,500 items.
WORLDS = "data/simulations/self_knowledge_placebo.csv"
#: Kinds of simulated models in which only shares are known, as the file of shares calls them.
DIFFICULTY, MIXTURE, OWN = "difficulty", "mixture", "own state"
#: Share of runs without self-knowledge in which a model may be called self-knowing.
ALLOWED = 0.05


def simulated() -> pd.DataFrame:
    """Share of the information by kind of models and share of their own state in what confidence reads.

    Returns
    -------
    DataFrame
        ``kind, self_share, runs`` (of a judged model each), ``true_share, share`` (means over the judged models).
    """
    table = committed_table(MIXTURES)
    table = table[table["kind"].isin((DIFFICULTY, MIXTURE, OWN)) & table["above_0"].notna()]
    made = table.groupby(["kind", "self_share"], sort=False).agg(
        runs=("n_runs", "sum"), true_share=("true_share", "mean"), share=("share", "mean")
    )
    return made.reset_index().astype({"runs": int})


def worlds() -> pd.DataFrame:
    """The committed table of worlds of as many models as the atlas has, one row for each world and judged model.

    Returns
    -------
    DataFrame
        ``world, self_share, model, n_runs, n_models``; means of ``corrected, placebo, placebo_best, own_less_placebo,
        added, blend``; ``sd`` of own less the median placebo and in how many runs its interval holds its mean
        (``covers_mean``); runs whose interval lies above 0 (``..._above_0``), and ``called_self_knowing``.
    """
    table = committed_table(WORLDS)
    return table[table["n_models"] == table["n_models"].max()].reset_index(drop=True)


# Is it self-knowledge? What is computed.


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
    return Frontier(**numbers, proof=simulated(), worlds=worlds())


@analysis(returns=Frontier, files=(*FILES, *COMMITTED, WORLDS))
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
