"""Is what KEEP and BET say knowledge of oneself, or difficulty that other models see too?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import COMMITTED, EXACT, SIZES, Cut, own_and_others, simulated_like
from metacog.studies.study import analysis
from metacog.studies.study5_battery.ledger.responses import PROBES, load
from metacog.studies.study5_battery.measures import identical, without_pairs
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE
from metacog.verdicts.self_knowledge import SelfKnowledge, judge

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Ways of cutting difficulty, the main one first.
CUTS = (Cut(EXACT), Cut("5 classes", 5), Cut("5 classes by track", 5, True))
#: A probe has two levels, and so has the others' mean where it is compared on equal terms.
LEVELS = (2,)


@dataclass(frozen=True)
class ProbesSelfKnowledge:
    """Both probes as confidence, against those of the other models.

    Attributes
    ----------
    keep, bet : SelfKnowledge
    coarse : DataFrame
        :func:`coarse_table` of both.
    simulated : DataFrame
        What simulated models of about this size come to.
    n_copied : int
        Files of a model and track left out because two models' are one.
    """

    keep: SelfKnowledge
    bet: SelfKnowledge
    coarse: pd.DataFrame
    simulated: pd.DataFrame
    n_copied: int


@analysis(returns=ProbesSelfKnowledge, files=(*FILES, *COMMITTED, SIZES))
def probes_self_knowledge(
    inputs: Inputs, *, n_resamples: int = 1000, n_permutations: int = 200, seed: int = 42
) -> ProbesSelfKnowledge:
    """How much of what KEEP and BET say is knowledge of oneself?"""
    rows = load()
    return examine(rows, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)


def examine(
    responses: pd.DataFrame, *, n_resamples: int = 1000, n_permutations: int = 200, seed: int = 42
) -> ProbesSelfKnowledge:
    """Both probes of the tracks that are answered first and judged afterwards, without files filed twice."""
    rows = responses[responses["track"].isin(RETROSPECTIVE)]
    pairs = identical(rows)
    copied = pairs[pairs["copied"]]
    rows = without_pairs(rows, copied)
    found = {}
    for probe in PROBES:
        made = own_and_others(
            items_of(rows, probe),
            cuts=CUTS,
            levels=LEVELS,
            n_resamples=n_resamples,
            n_permutations=n_permutations,
            seed=seed,
        )
        found[probe] = judge(made, verdicts=False)
    keep = found["keep"]
    return ProbesSelfKnowledge(
        **found,
        coarse=pd.concat([coarse_table(items_of(rows, probe), probe) for probe in PROBES], ignore_index=True),
        simulated=simulated_like(keep.models, keep.n_items),
        n_copied=2 * len(copied),
    )


def items_of(rows: pd.DataFrame, probe: str) -> ModelItems:
    """Models by items, with a probe as confidence: 1 for KEEP or BET, 0 for the other reply.

    A model's family is the first word of its name.
    """
    named = rows.assign(
        family=rows["model"].str.split().str[0],
        question_id=rows["track"] + ":" + rows["item"].astype(str),
        sure=rows[probe].astype(float),
    )
    return ModelItems.of(named, confidence="sure", family="family", stratum="track")


def coarse_table(items: ModelItems, probe: str) -> pd.DataFrame:
    """What two values can say at most, by model.

    Returns
    -------
    DataFrame
        ``probe, model, said`` (share of answers with the higher value), ``tied`` (share of the pairs of a right and a
        wrong answer that it does not order), ``ceiling`` (the largest AUROC2 that a probe said as often could have,
        given the model's accuracy), ``entropy`` (the most bits that it could say); NaN without right or wrong answers.
    """
    found = []
    for model, right, sure in zip(items.models, items.right, items.confidence, strict=True):
        there = np.isfinite(right)
        hits, yes = right[there] > 0, sure[there] > 0
        said, accuracy = float(yes.mean()), float(hits.mean())
        row = {"probe": probe, "model": model, "said": said, "entropy": _entropy(said)}
        if 0 < accuracy < 1:
            of_right, of_wrong = float(yes[hits].mean()), float(yes[~hits].mean())
            row["tied"] = of_right * of_wrong + (1 - of_right) * (1 - of_wrong)
            lost = (said - accuracy) / (1 - accuracy) if said >= accuracy else 1 - said / accuracy
            row["ceiling"] = 1 - lost / 2
        found.append(row)
    return pd.DataFrame(found, columns=["probe", "model", "said", "tied", "ceiling", "entropy"])


def _entropy(share: float) -> float:
    kept = [p for p in (share, 1 - share) if p > 0]
    return float(-sum(p * np.log2(p) for p in kept))


ANALYSES = (probes_self_knowledge,)
