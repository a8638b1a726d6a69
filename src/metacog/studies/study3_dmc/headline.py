"""The study's result of each model in one number, for the page of a model."""

from __future__ import annotations

import pandas as pd

from metacog.studies.contributions import Headline, headline_values
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.paper import MODELS, averages

#: The way of asking that every model gets, as the run's trials and as the paper's table name it.
WAY, PRINTED_WAY = "verbal_vanilla", "verb_vanilla"


@analysis(needs=("replication",), returns=Headline, files=("data/published/dmc_table3.csv",))
def headline(inputs: Inputs) -> Headline:
    """How well is failure predicted, whatever the ability?"""
    cells = inputs.result("replication").cells
    chosen = (cells["method"] == WAY) & (cells["form"] != "written") & (cells["dataset"] == ALL)
    run = cells[chosen].rename(columns={"mc": "estimate", "mc_lower": "lower", "mc_upper": "upper"})
    printed = averages("table3").xs(PRINTED_WAY, level="method")
    return Headline(
        "MC of verbalised confidence",
        "failure prediction apart from ability, by DMC; 0 is none",
        0.0,
        headline_values(
            run.assign(why=run["why"].where(run["why"] != "", run["why_ratio"])),
            pd.DataFrame({"model": [MODELS[m] for m in printed.index], "estimate": printed.to_numpy()}),
        ),
    )
