"""The room's result of each model in one number, for the table of all models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metacog.studies.contributions import Headline, headline_values
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Why a model is not counted.
NOT_STATED = "only part of its replies state a confidence"


@analysis(needs=("ranking",), returns=Headline)
def headline(inputs: Inputs) -> Headline:
    """How well does stated confidence rank right answers above wrong ones?"""
    ends = {"auroc2": "estimate", "auroc2_lower": "lower", "auroc2_upper": "upper"}
    ranking = inputs.result("ranking")
    uncounted = set(ranking.board.loc[ranking.board["uncounted"], "model"])
    models = ranking.models.rename(columns=ends)
    why = models["flag"].fillna("").mask(models["model"].isin(uncounted), NOT_STATED)
    return Headline(
        "AUROC2 of stated confidence",
        "how often a right answer carries more confidence than a wrong one, on four-option questions; 0.5 is chance",
        0.5,
        headline_values(models.iloc[:0], models.assign(why=why)),
    )
