"""The study's result of each model in one number, for the page of a model."""

from __future__ import annotations

import pandas as pd

from metacog.collect.models import labelled
from metacog.studies.contributions import Headline, headline_values
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.paper import MAIN, MODELS
from metacog.trials import NLP

#: Why a model with another signal has no place among the others.
OTHER_SIGNAL = "its confidence is {signal}, that of published models NLP"


@analysis(needs=("correction", "correction_replication", "signal"), returns=Headline)
def headline(inputs: Inputs) -> Headline:
    """How well does confidence rank right answers above wrong ones?

    A model whose confidence was not taken from NLP, as in the published ones, has no place among them.
    """
    theirs = inputs.result("correction").measures
    theirs = theirs[theirs["dataset"] == MAIN]
    signals = labelled(inputs.result("signal").table)
    ours = _named(labelled(inputs.result("correction_replication").measures))
    other = ours["model"].map(dict(zip(signals["model"], signals["signal"], strict=True))).fillna(NLP)
    values = headline_values(
        ours.assign(
            why=ours["why"].where(
                (other == NLP) | ours["estimate"].isna(), [OTHER_SIGNAL.format(signal=name) for name in other]
            )
        ),
        _named(theirs.assign(model=theirs["model"].map(MODELS))),
    )
    return Headline(
        "AUROC2 of eight ratings",
        "how often a right answer carries more confidence than a wrong one, at T = 1; 0.5 is chance, and what is "
        "above it can be the luck of the draw (the chapter on luck), so that a high place need not be self-knowledge",
        0.5,
        values,
    )


def _named(measures: pd.DataFrame) -> pd.DataFrame:
    ends = {"auroc2": "estimate", "auroc2_lower": "lower", "auroc2_upper": "upper"}
    rows = measures.rename(columns=ends)
    return rows.assign(why=rows["flag"].fillna("").where(rows["lower"].isna(), ""))
