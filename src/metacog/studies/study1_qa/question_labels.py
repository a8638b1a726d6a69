"""How far can a subject be believed that a small model gave a question?

The paper had a model sort its questions; ``benchmarks/question_labels.py`` had small ones sort questions of the bank,
whose subjects are known, and of TriviaQA, and says what was fixed before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.questions import UNCLASSIFIED
from metacog.core.frames import committed_table, ended
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.checks import FloatArray
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.asking.labels import SCHEME

#: ``model, dataset, question_id, own, class, domain``: the set's own subject, the class chosen and its subject.
FILE = "data/benchmarks/question_labels.csv"
#: From this kappa on agreement is "almost perfect" (Landis and Koch 1977); asked of the lower end of its interval. The
#: bound was taken after the labels had been seen.
ENOUGH = 0.8


@analysis(files=(FILE,))
def question_labels(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """How far can a subject be believed that a small model gave a question?"""
    table = committed_table(FILE)
    known, none = (table[(table["own"] == UNCLASSIFIED) == lacking] for lacking in (False, True))
    counts = known.assign(n=1).pivot_table(
        index=["model", "own"], columns="class", values="n", aggfunc="sum", fill_value=0, sort=False
    )
    counts = counts.reindex(columns=list(SCHEME.classes), fill_value=0).rename_axis(columns=None)
    return {
        "agreement": pd.DataFrame(
            [
                {"model": model, **agreement(own, n_resamples=n_resamples, seed=seed)}
                for model, own in known.groupby("model", sort=False)
            ]
        ),
        "counts": counts.reset_index(),
        "enough": ENOUGH,
        "n": int(known["question_id"].nunique()),
        "unknown": none.value_counts(["model", "domain"]).reset_index(name="n"),
    }


def agreement(own: pd.DataFrame, *, n_resamples: int, seed: int) -> dict[str, object]:
    """Share of labels that are the question's own subject, Cohen's kappa, and classes that were never given."""
    n, rng = len(own), np.random.default_rng(seed)
    weights = np.vstack([np.ones(n), rng.multinomial(n, np.full(n, 1 / n), n_resamples)]) / n
    shares = kappas(own["own"], own["domain"], weights)
    never = [name for name in SCHEME.classes if name not in set(own["class"])]
    return {
        "n": n,
        "agreeing": float((own["own"] == own["domain"]).mean()),
        **ended("kappa", float(shares[0]), *percentile_limits(shares[1:])),
        "never_given": listed(never) if never else "",
    }


def kappas(one: pd.Series, other: pd.Series, weights: FloatArray) -> FloatArray:
    """Cohen's kappa for rows of weights that sum to 1: agreement beyond that of labels given by chance."""
    classes = sorted({*one, *other})
    first, second = (x.to_numpy()[:, None] == np.array(classes) for x in (one, other))
    agreed = weights @ (one.to_numpy() == other.to_numpy())
    chance = ((weights @ first) * (weights @ second)).sum(axis=1)
    return np.asarray((agreed - chance) / (1 - chance))


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: of the model whose labels agree best, and how many do."""
    rows = result.agreement.sort_values("kappa")
    best, never = rows.iloc[-1], rows["kappa_lower"] >= ENOUGH
    arts = result.counts[result.counts["own"] == SCHEME.classes["Arts"]]
    return {
        "best_model": best["model"],
        "best": best["kappa"],
        "best_lower": best["kappa_lower"],
        "best_upper": best["kappa_upper"],
        "n_believed": int(never.sum()),
        "n_labelling": len(rows),
        "arts_most": float(arts["Arts"].max()),
        "n_arts": float(arts[list(SCHEME.classes)].sum(axis=1).max()),
        "n_unknown": float(result.unknown.groupby("model")["n"].sum().max()),
    }


VIEWS = Views("question_labels", numbers=figures)
