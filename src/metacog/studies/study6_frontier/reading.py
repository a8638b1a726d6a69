"""What is in the rows: repeats, partial runs, replies without an answer, ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import mannwhitneyu

from metacog.sdt.decisions import adjust_p
from metacog.studies.study import analysis
from metacog.studies.study6_frontier.ledger.rows import NO_ANSWER, Rows, load, stated
from metacog.studies.study6_frontier.paper import DOMAINS, FILES

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Missing items from which it is asked whether they are like the others.
FEWEST_MISSING = 10


@dataclass(frozen=True)
class Reading:
    """The rows, and what to know of them.

    Attributes
    ----------
    runs : DataFrame
        One row per model: ``model, family, n, missing``, items missing in each domain (named as in the rows),
        ``there`` and ``lacking`` (share of right answers of the models with whole runs on the items that it answered,
        and on those it lacks), ``p_holm`` (of the difference of these two, where it lacks at least
        :data:`FEWEST_MISSING` items: rank sums, adjusted over the models), ``stretches`` (blocks of neighbouring items
        that it lacks), ``no_answer``; of the confidences that it states, ``levels`` (how many differ), ``top`` and
        ``top_share`` (the most frequent one).
    n_read, n_copies, n_trials, n_models, n_families, n_items, n_shared, n_partial, n_no_answer, n_imputed : int
        ``n_shared``: items that every model answered; ``n_imputed``: confidences put in by the parser of replies.
    copied, imputed : str
        Whose rows repeat, and whose confidences were put in.
    share_at_100, share_at_95 : float
    """

    runs: pd.DataFrame
    n_read: int
    n_copies: int
    n_trials: int
    n_models: int
    n_families: int
    n_items: int
    n_shared: int
    n_partial: int
    n_no_answer: int
    n_imputed: int
    copied: str
    imputed: str
    share_at_100: float
    share_at_95: float


def runs_of(trials: pd.DataFrame) -> pd.DataFrame:
    """What each model's run holds and lacks: :attr:`Reading.runs`."""
    items = trials.drop_duplicates("question_id").set_index("question_id")["domain"].sort_index()
    answered = trials.pivot(index="question_id", columns="model", values="correct").astype(float)
    whole = answered.columns[answered.notna().all()]
    rows = []
    for model, own in trials.groupby("model", sort=False):
        lacks = ~items.index.isin(own["question_id"])
        missing = items[lacks].value_counts()
        others = answered[[m for m in whole if m != model]].mean(axis=1).reindex(items.index)
        own_word = stated(own)["score"]
        counts = own_word.value_counts()
        rows.append(
            {
                "model": model,
                "family": own["family"].iloc[0],
                "n": len(own),
                "missing": int(lacks.sum()),
                **{domain: int(missing.get(domain, 0)) for domain in DOMAINS},
                "there": float(others[~lacks].mean()),
                "lacking": float(others[lacks].mean()) if lacks.any() else np.nan,
                "p": mannwhitneyu(others[lacks], others[~lacks]).pvalue
                if lacks.sum() >= FEWEST_MISSING
                else np.nan,
                "stretches": int(lacks[0]) + int((np.diff(lacks.astype(int)) == 1).sum()),
                "no_answer": int((own["answer"] == NO_ANSWER).sum()),
                "levels": len(counts),
                "top": float(counts.index[0]),
                "top_share": float(counts.iloc[0] / len(own_word)),
            }
        )
    runs = pd.DataFrame(rows)
    known = runs["p"].notna()
    adjusted = adjust_p(runs.loc[known, "p"]) if known.any() else np.empty(0)
    return runs.drop(columns="p").assign(p_holm=pd.Series(adjusted, index=runs.index[known], dtype=float))


def read(rows: Rows) -> Reading:
    """What is in some rows."""
    trials = rows.trials
    runs = runs_of(trials)
    imputed = trials.loc[~trials["stated"], "model"].unique()
    return Reading(
        runs=runs.sort_values(["missing", "model"], ascending=[False, True]).reset_index(drop=True),
        n_read=rows.n_read,
        n_copies=rows.n_copies,
        n_trials=len(trials),
        n_models=len(runs),
        n_families=int(runs["family"].nunique()),
        n_items=int(trials["question_id"].nunique()),
        n_shared=int((trials.groupby("question_id").size() == len(runs)).sum()),
        n_partial=int((runs["missing"] > 0).sum()),
        n_no_answer=int(runs["no_answer"].sum()),
        n_imputed=int((~trials["stated"]).sum()),
        copied=rows.copied,
        imputed=", ".join(imputed),
        share_at_100=float(rows.stated["score"].eq(100).mean()),
        share_at_95=float(rows.stated["score"].eq(95).mean()),
    )


@analysis(returns=Reading, files=FILES)
def reading(inputs: Inputs) -> Reading:
    """What is in the atlas's rows?"""
    return read(load())
