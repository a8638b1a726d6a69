"""The mean withdraw delta, of the run's models and the twenty published ones."""

from __future__ import annotations

from metacog.studies.contributions import Headline, headline_values
from metacog.studies.study import Inputs, analysis


@analysis(needs=("replication_monitoring",), returns=Headline)
def headline(inputs: Inputs) -> Headline:
    """Are wrong answers withdrawn more often than right ones?"""
    board = inputs.result("replication_monitoring").board.rename(columns={"delta": "estimate"})
    board = board.assign(
        why=board["complete"].map({True: "", False: "some tracks have no wrong or no right answer"})
    )
    here = board["here"].astype(bool)
    return Headline(
        "mean withdraw delta",
        "by how many points more often wrong answers are withdrawn than right ones; 0 is no difference",
        0.0,
        headline_values(board[here], board[~here]),
    )
