"""The study's result of each model in one number, for the page of a model."""

from __future__ import annotations

import pandas as pd

from metacog.studies.contributions import LEAST_D, LOW_D, Headline, headline_values
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.replication_ratings import unjudged


@analysis(needs=("replication_ratings", "two_choice"), returns=Headline)
def headline(inputs: Inputs) -> Headline:
    """How much of the evidence behind a decision does its confidence use?"""
    rated = inputs.result("replication_ratings")
    nothing = rated.unfitted[["task", "model", "name", "why"]]
    run = pd.concat([rated.cells.assign(why=unjudged(rated.cells)), nothing], ignore_index=True)
    values = headline_values(
        _named(run.sort_values("task", kind="stable")),
        _named(inputs.result("two_choice").cells.assign(why="")),
    )
    return Headline(
        "M-ratio",
        "how much of the evidence behind a decision its confidence uses; 1 is all, 0 none",
        0.0,
        values,
    )


def _named(cells: pd.DataFrame) -> pd.DataFrame:
    ends = {"name": "model", "m_ratio": "estimate", "m_ratio_lower": "lower", "m_ratio_upper": "upper"}
    rows = cells.drop(columns="model").rename(columns=ends)
    return rows.assign(part="task " + rows["task"], why=rows["why"].mask(rows["d_prime"] < LEAST_D, LOW_D))
