"""What can M-ratio show for open answers, and what does version 2 measure instead?

Open answers have no two-choice decision. With "incorrect" and "correct" in the places of S1 and S2, d' and meta-d'
both come from one correctness-by-rating table, so their ratio compares that table with itself: it is 1 when the two
confidence distributions are Gaussian with equal variance, however much or little confidence knows, and departs from
1 with their *shape*.

Does the order of the published models carry over from one question set to the other? A rank correlation of four
models has no p below 0.08, so each pair of models is judged by the 95 % intervals of its difference on both sets,
on the same resamples.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.measures.fits import Fits, of_ratings
from metacog.report.views import Views
from metacog.sdt import fit_meta_d_batch, z_roc
from metacog.sdt.checks import FloatArray
from metacog.sdt.populations import confidence_population
from metacog.sdt.type1 import z_roc_mle
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import (
    PUBLISHED_FILES,
    Cells,
    kept_orders,
    measured,
    open_trials,
    rate_trials,
    with_limits,
)

#: Measures with an interval in the table.
MEASURES = ("m_ratio", "meta_i2r", "auroc2", "z_slope")
_MANY = 1e7


@analysis(files=PUBLISHED_FILES)
def correction(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> dict[str, Any]:
    """What do both versions show for the published counts?"""
    cells, drawn = paper.published_cells(), {"n_resamples": n_resamples, "seed": seed}
    return {
        "measures": measure_cells(cells, **drawn),
        "cuts": cuts(cells),
        "pairs": carried_pairs(cells, **drawn),
    }


@analysis(needs=("open",), name="correction_replication")
def replication(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> dict[str, Any]:
    """What do both versions show for this run's models?"""
    return {"measures": run_measures(open_trials(inputs), n_resamples=n_resamples, seed=seed)}


def run_measures(trials: pd.DataFrame, **drawn: int) -> pd.DataFrame:
    if not (trials["temperature"] == 1.0).any():
        raise MetacogError("the correction looks at T = 1, and the run has no trials there")
    return measure_cells(rate_trials(trials).cells(), **drawn)


def measure_cells(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """Version 1's and version 2's measures of every cell, side by side, with ``flag``; NaN where a class is lacking.

    meta-I2r is the plug-in value less the exact mean of its permutation null. ``predicted_m_ratio`` is what the z-ROC
    predicts if it is straight. Intervals are those of the whole book, not version 2's.
    """
    made = measured(cells, [(of_ratings, Fits())] * len(cells), n_resamples=n_resamples, seed=seed)
    table = cells.frame[[*cells.by, "n", "accuracy", "flag"]].reset_index(drop=True)
    names = [*MEASURES, "d_prime", "meta_d"]
    table = table.assign(**{name: [one.values.get(name, np.nan) for one in made] for name in names})
    return with_limits(table, made, MEASURES).assign(predicted_m_ratio=predicted(cells))


def predicted(cells: Cells) -> list[float]:
    """M-ratio that slope and accuracy of each cell predict if its z-ROC is straight; NaN where there is no line."""
    found = []
    fine = cells.measurable & ~cells.coarse & ((cells.nR_S1 + cells.nR_S2 > 0).sum(axis=1) > 2)
    for wrong, right, good in zip(cells.nR_S1, cells.nR_S2, fine, strict=True):  # two ratings lie on any line
        fit = z_roc_mle(wrong, right) if good else None
        known = fit is not None and fit.converged
        odds = float(right.sum() / wrong.sum()) if known else np.nan
        found.append(m_ratio_of_line(fit.d_a, fit.slope, odds) if fit is not None and known else np.nan)
    return found


def m_ratio_of_line(d_a: float, slope: float, odds: float = 1.0) -> float:
    """M-ratio of a population whose z-ROC is a straight line, with ``odds`` right answers for each wrong one.

    Confidence is Gaussian for wrong and for right answers, cut into eight equally frequent ratings; the fit is that of
    version 1 on the expected counts. At slope 1 the result is 1 whatever d_a.
    """
    population = confidence_population(d_a, accuracy=odds / (1 + odds), n_ratings=8, slope=slope)
    fit = fit_meta_d_batch(population.s1[None] * _MANY, population.s2[None] * _MANY, undefined="flag")
    return float(fit.m_ratio[0])


def cuts(cells: Cells) -> pd.DataFrame:
    d_prime = d_prime_at_cuts(cells.nR_S1 + 0.5, cells.nR_S2 + 0.5)
    keys = zip(cells.frame["model"], cells.frame["dataset"], d_prime, cells.measurable, strict=True)
    rows = [
        (model, dataset, after, float(value))
        for model, dataset, values, good in keys
        if good
        for after, value in enumerate(values, 1)
    ]
    return pd.DataFrame(rows, columns=["model", "dataset", "cut_after", "d_prime"])


def d_prime_at_cuts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """d' at each of the L - 1 places where the ratings can be cut in two, lowest first."""
    line = z_roc(nR_S1, nR_S2)
    return np.asarray(line.z_hr - line.z_far)[..., ::-1]


def carried_pairs(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """Whether every pair of models keeps its order by M-ratio on a second question set: ``model_a, model_b, kept``."""
    sides = []
    for dataset in dict.fromkeys(cells.frame["dataset"]):
        own = cells.select(cells.frame["dataset"] == dataset)
        found = measured(own, [[Fits()]] * len(own), n_resamples=n_resamples, seed=seed)
        sides.append(dict(zip(own.frame["model"], found, strict=True)))
    return kept_orders(sides[0], sides[1]).rename(columns={"first": "model_a", "second": "model_b"})


#: The end of :func:`answer`, by what the second set of questions is shown to do to the order of the models.
ORDERS = {
    "one": "it puts {model} {before} of the paper's models on {asked}, {after} on {other}.",
    "some": "on other questions {turned} of {n} pairs of the paper's models are shown to change their order.",
    "none": "yet on other questions no pair of the paper's models changes its order.",
    "open": "whether it orders the paper's models alike on other questions is open.",
}


def answer(result: Any) -> str:
    pairs = result.pairs.replace({"model_a": paper.MODELS, "model_b": paper.MODELS})
    measures = result.measures.replace({"model": paper.MODELS})
    turned = [{r.model_a, r.model_b} for r in rows_of(pairs) if r.kept is False]
    common = set.intersection(*turned) if len(turned) > 1 else set()
    found, told = "some" if turned else "open" if pairs["kept"].isna().any() else "none", {}
    if len(common) == 1:  # one model is in all of these
        (model,) = common
        ratios = measures.set_index(["dataset", "model"])["m_ratio"]
        asked, other = measures.loc[measures["model"] == model, "dataset"]
        before, after = (_place(ratios[name], model) for name in (asked, other))
        found = "one"
        told = {"model": model, "before": before, "after": after, "asked": asked, "other": other}
    said = ORDERS[found].format(turned=len(turned), n=len(pairs), **told)
    return f"The M-ratio compares a table with itself: {said}"


def _place(ratios: pd.Series, model: str) -> str:
    rank = int(ratios.rank(ascending=False)[model])
    return {1: "first", len(ratios): "last"}.get(rank, f"at place {rank}")


VIEWS = (
    Views("correction", names=paper.NAMES, sentences={"answer": answer}),
    Views("correction_replication", names=paper.NAMES),
)
