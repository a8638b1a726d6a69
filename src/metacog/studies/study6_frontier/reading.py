"""What is in the atlas's rows: repeats, partial runs, replies without an answer, ties."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study6_frontier.ledger.rows import NO_ANSWER, Rows, load
from metacog.studies.study6_frontier.paper import FILES


@analysis(files=FILES)
def reading(inputs: Inputs, rows: Rows | None = None) -> dict[str, Any]:
    """What is in the atlas's rows?"""
    rows = rows or load()
    trials = rows.trials
    answered, n_items = trials.groupby("model").size(), trials["question_id"].nunique()
    put_in, score = trials.loc[~trials["stated"], "model"], rows.stated["score"]
    return {
        "n_read": rows.n_read,
        "n_copies": rows.n_copies,
        "n_models": len(answered),
        "n_families": int(trials["family"].nunique()),
        "n_items": int(n_items),
        "n_shared": int((trials.groupby("question_id").size() == len(answered)).sum()),
        "n_partial": int((answered < n_items).sum()),
        "n_no_answer": int((trials["answer"] == NO_ANSWER).sum()),
        "imputed": ", ".join(put_in.unique()),
        "n_imputed": len(put_in),
        "n_of_imputed": int(trials["model"].isin(put_in).sum()),
        "share_at_100": float(score.eq(100).mean()),
        "share_at_95": float(score.eq(95).mean()),
    }


def numbers(result: Result) -> dict[str, Any]:
    """How many replies of the models with confidences that were put in do state one."""
    return {"n_stated": result.n_of_imputed - result.n_imputed}


VIEWS = Views("reading", numbers=numbers)
