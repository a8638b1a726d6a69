"""What do single items, and ways of stating confidence, say of this run's models?

T4-CR's Brier score is taken apart (Murphy 1973), in points of the score: what is lost is uncertainty and miscalibration
less resolution, each value of confidence that was stated being a bin of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.collect.models import labelled
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.report.views import Views
from metacog.sdt.calibration import brier_decomposition
from metacog.sdt.checks import FloatArray
from metacog.studies.study import Inputs, analysis
from metacog.studies.study4_probe import relations, scores
from metacog.studies.study4_probe.asking.marking import SCALES
from metacog.studies.study4_probe.judging import claims_of, judge_entropy
from metacog.studies.study4_probe.own_benchmarks import FILE, external
from metacog.studies.study4_probe.panel import components, leave_out
from metacog.studies.study4_probe.paper import TASKS, short
from metacog.studies.study4_probe.range_score import range_score
from metacog.studies.study4_probe.scores import scored

STATES_NONE, STATES_ONE, CEILING = "not stated", "constant", "near the ceiling"
TWO, GRADED = "two-valued", "graded"
#: Share of confidence that makes a class, of the scale's top where the ceiling begins, and fewest stated ones.
MOST, NEAR, FEWEST = 0.9, 0.9, 3
STRATEGIES = (
    f"Confidence is *constant* if it has one value; *near the ceiling* if at least {MOST:.0%} of it lies at "
    f"{NEAR:.0%} of the top of the scale or above; *two-valued* if two values make up at least "
    f"{MOST:.0%}; *graded* otherwise; *not stated* if less than half of the replies hold one, or fewer than "
    f"{FEWEST}."
)


#: What T4-CR takes off for confidence that hardly moves.
SPREAD = ("sd", "spread", "flat", "narrow", "score")


@analysis(needs=("probe", "replication"), files=("data/questions/probe-v1*", FILE))
def replication_items(inputs: Inputs, *, seed: int = 42, verdicts: bool = True) -> dict[str, Any]:
    """What do single items and ways of stating confidence say of this run's models?"""
    trials = labelled(inputs.trials("probe"))
    torn = relations.with_entropy(trials, seed=seed)
    told = judge_entropy(torn if verdicts else torn.iloc[:0], trials["model"].unique())
    left_out, loadings, refused = lineages(trials)
    benchmarks, no_benchmarks = external(inputs.result("replication").composites, project_root() / FILE)
    return {
        "strategies": strategies(trials),
        "murphy": brier_terms(trials),
        "drawn": relations.by_item(trials),
        "lineages": left_out,
        "loadings": loadings,
        "benchmarks": benchmarks,
        "no_benchmarks": no_benchmarks,
        "lineages_refused": refused,
        "draws": int(trials["entropy_asked"].max()),
        "outcomes": told,
        "claims": claims_of(pd.concat([inputs.result("replication").outcomes, told])),
    }


def lineages(trials: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """The panel's figures without each lineage, the loadings of two components, or why there are none."""
    profile = scores.profile(trials, scores.thresholds_of(trials), n_resamples=2, seed=1)
    wide = profile.pivot(index="model", columns="task", values="score")
    return lineages_of(
        wide.rename(columns={short(t): t for t in TASKS}).reindex(columns=list(TASKS)).dropna()
    )


def lineages_of(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """The same of five scores, models x tasks."""
    try:
        loadings = components(table)[1][["c1", "c2"]].rename(index=short).rename_axis("task").reset_index()
        return leave_out(table), loadings, ""
    except MetacogError as refused:
        return pd.DataFrame(), pd.DataFrame(), f"{str(refused)[0].upper()}{str(refused)[1:]}."


def brier_terms(trials: pd.DataFrame) -> pd.DataFrame:
    """T4-CR taken apart, what was not stated counting as 50: ``model, right`` (percent), ``loss, uncertainty,
    reliability, resolution``, ``sd, spread`` of confidence with their penalties ``flat, narrow``, and the ``score``.
    """
    at, found = scores.thresholds_of(trials), []
    for model, right, sure in scores.t4_of(trials):
        own = range_score(right, sure, sigma_t=at.sigma_t, range_t=at.range_t)
        known = {name: getattr(own, name) for name in SPREAD}
        found.append({"model": model, **decomposed(right, sure), **known})
    names = ["model", "right", "loss", "uncertainty", "reliability", "resolution", *SPREAD]
    return pd.DataFrame(found, columns=names)


def decomposed(correct: FloatArray, confidence: FloatArray) -> dict[str, float]:
    """Murphy's terms of answers (0 or 1) and confidence in percent, in points of 100."""
    own = brier_decomposition(correct, confidence / 100, binning="unique")
    terms = {name: 100 * getattr(own, name) for name in ("uncertainty", "reliability", "resolution")}
    return {"right": 100 * float(np.mean(correct)), "loss": 100 * own.brier, **terms}


def strategy(stated: ArrayLike, top: float) -> str:
    """The class of a list of stated confidences on a scale that ends at ``top``: the first of :data:`STRATEGIES`."""
    every = np.asarray(stated, dtype=np.float64)
    values = every[np.isfinite(every)]
    if values.size and not (values.min() >= 0 and values.max() <= top):
        raise MetacogError(f"a confidence lies outside its scale, 0 to {top:g}")
    if values.size < FEWEST or 2 * values.size < every.size:
        return STATES_NONE
    counts = np.sort(np.unique(values, return_counts=True)[1])[::-1]
    if counts.size == 1:
        return STATES_ONE
    if np.mean(values >= NEAR * top) >= MOST:
        return CEILING
    return TWO if counts[:2].sum() >= MOST * values.size else GRADED


def strategies(trials: pd.DataFrame) -> pd.DataFrame:
    """The strategy of each model on each task with a confidence: ``stated`` of ``items``, different ``values``."""
    found = []
    for model, rows in scored(trials).groupby("model", sort=False):
        for task, (_, top) in SCALES.items():
            own = rows.loc[rows["task"] == task, "stated"]
            values = own.dropna()
            row = {
                "model": model,
                "task": short(task),
                "items": len(own),
                "stated": len(values),
                "values": int(values.nunique()),
                "commonest": float(values.value_counts(normalize=True).iloc[0]) if len(values) else np.nan,
                "strategy": strategy(own, top),
            }
            found += [row] if len(own) else []
    return pd.DataFrame(found)


VIEWS = Views("replication_items", sentences={"strategy_rule": lambda result: f"> {STRATEGIES}"})
