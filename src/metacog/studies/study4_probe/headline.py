"""The mean of four tasks of the probe, of the run's models and the published ones."""

from __future__ import annotations

from metacog.studies.contributions import Headline, headline_values
from metacog.studies.study import Inputs, analysis
from metacog.studies.study4_probe.scores import without_score


@analysis(needs=("replication", "published"), returns=Headline)
def headline(inputs: Inputs) -> Headline:
    """What does a model score on the probe?"""
    found = inputs.result("replication")
    run, unread = found.composites.rename(columns={"of_four": "estimate"}), without_score(found.profile)
    why = run["model"].map(unread).fillna("a task has no score").where(run["estimate"].isna(), "")
    printed = inputs.result("published").leaderboard.rename(columns={"mean_T1_T2_T4_T5": "estimate"})
    return Headline(
        "mean of four of the five tasks",
        "points out of 100; the published models were asked other items",
        float("nan"),
        headline_values(run.assign(why=why), printed),
    )
