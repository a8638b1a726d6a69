"""The room's result of each model in one number, for the table of all models."""

from __future__ import annotations

from metacog.studies.contributions import Headline, headline_values
from metacog.studies.study import Inputs, analysis


@analysis(needs=("ranking",), returns=Headline)
def headline(inputs: Inputs) -> Headline:
    """How well does stated confidence rank right answers above wrong ones?"""
    ends = {"auroc2": "estimate", "auroc2_lower": "lower", "auroc2_upper": "upper"}
    board = inputs.result("ranking").board.sort_values("auroc2", ascending=False, kind="stable")
    why = board["flag"].fillna("").mask(board["uncounted"], "only part of its replies state a confidence")
    models = board.rename(columns=ends).assign(why=why)
    return Headline(
        "AUROC2 of stated confidence",
        "how often a right answer carries more confidence than a wrong one, on four-option questions; 0.5 is chance",
        0.5,
        headline_values(models.iloc[:0], models),
    )
