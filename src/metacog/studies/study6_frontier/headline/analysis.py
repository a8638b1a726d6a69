"""AUROC2 of stated confidence, of the atlas's models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.frames import rows_of
from metacog.studies.contributions import Headline, headline_values
from metacog.studies.study import analysis
from metacog.studies.study6_frontier.ranking.analysis import ALL, STATED

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@analysis(needs=("ranking",), returns=Headline)
def headline(inputs: Inputs) -> Headline:
    """How well does stated confidence rank right answers above wrong ones?"""
    ends = {"auroc2": "estimate", "auroc2_lower": "lower", "auroc2_upper": "upper"}
    ranking = inputs.result("ranking")
    models = ranking.models.rename(columns=ends)
    why = models["flag"].fillna("")
    resting = resting_on_put_in(ranking.unlike)
    put_in = models["model"].map(lambda model: resting.get(model, ""))
    return Headline(
        "AUROC2 of stated confidence",
        "how often a right answer carries more confidence than a wrong one, on four-option questions; 0.5 is chance",
        0.5,
        headline_values(models.iloc[:0], models.assign(why=why.where(why != "", put_in))),
    )


def resting_on_put_in(unlike: pd.DataFrame) -> dict[str, str]:
    """Models whose AUROC2 rests on confidences that the parser put in, and why it is not judged.

    Parameters
    ----------
    unlike : DataFrame
        :attr:`metacog.studies.study6_frontier.ranking.analysis.Ranking.unlike`.

    Returns
    -------
    dict
        The reason by model, for those whose AUROC2 of all rows lies outside the interval of the stated ones.
    """
    stated = unlike[unlike["rows"] == STATED].set_index("model")
    found = {}
    for row in rows_of(unlike[unlike["rows"] == ALL]):
        own = stated.loc[row.model]
        if row.auroc2 < own["auroc2_lower"] or row.auroc2 > own["auroc2_upper"]:
            found[str(row.model)] = (
                f"{row.n - own['n']:,} of its {row.n:,} confidences were put in by the parser, not stated"
            )
    return found
