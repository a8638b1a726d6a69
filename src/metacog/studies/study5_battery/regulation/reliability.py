"""How far the battery agrees with itself: looking back and ahead, half and half, profile and profile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.forensics.resamples import bootstrap_cohens_d, cohens_d, order_limits
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.correlation import Correlation, correlation, spearman_brown
from metacog.studies.study5_battery.ledger.published import models_of, printed_profiles
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.measures.profiles import path_rates

HALVES = (("T1", "T2", "T4"), ("T3", "T5", "T6"))
#: A half needs this many tracks with a delta.
FEWEST = 2


@dataclass(frozen=True)
class Dissociation:
    """Mean withdraw delta (T1 to T5) against the rate of answering directly (T6), one pair per model."""

    pairs: pd.DataFrame
    pearson: Correlation
    spearman: Correlation


def dissociation(responses: pd.DataFrame, complete_only: bool = False) -> Dissociation:
    """Does standing by the right answers go with asking for help?"""
    means = mean_deltas(deltas(responses))
    if complete_only:
        means = means[means["complete"]]
    pairs = means.merge(path_rates(responses), on="model")
    x, y = pairs["delta"], pairs["direct"]
    return Dissociation(pairs, correlation(x, y), correlation(x, y, kind="spearman"))


def dissociation_verdict(results: Dissociation, complete: Dissociation) -> Verdict:
    """Whether the two are shown to be unrelated."""
    return Verdict(
        "dissociation",
        Kind.EXPLORATORY,
        "The withdraw delta and answering directly are nearly unrelated: the correlation's interval lies "
        "within -0.3 and 0.3.",
        within(results.pearson, -0.3, 0.3),
        name="dissociation",
        values={"pearson": results.pearson, "spearman": results.spearman, "complete": complete.pearson},
    )


def within(one: Correlation, low: float, high: float) -> bool | None:
    """Whether an interval lies inside two limits; False only if entirely outside, None while it straddles."""
    if low <= one.lower and one.upper <= high:
        return True
    return False if one.lower > high or one.upper < low else None


@dataclass(frozen=True)
class SplitHalf:
    """Mean deltas of two halves of the tracks: ``pairs`` has one row per model, and how they correlate."""

    pairs: pd.DataFrame
    pearson: Correlation

    @property
    def whole(self) -> float:
        """Spearman-Brown: the reliability of both halves together."""
        return spearman_brown(self.pearson.r)

    @property
    def whole_limits(self) -> tuple[float, float]:
        """Ends of Fisher's interval, lengthened likewise."""
        return spearman_brown(self.pearson.lower), spearman_brown(self.pearson.upper)


def split_half(responses: pd.DataFrame) -> SplitHalf:
    """Mean delta of one half of the tracks against the other, models with two tracks per half."""
    per_track = deltas(responses)
    rows = []
    for model in models_of(per_track):
        subset = per_track[(per_track["model"] == model) & per_track["delta"].notna()]
        halves = [subset[subset["track"].isin(tracks)]["delta"] for tracks in HALVES]
        if min(len(h) for h in halves) >= FEWEST:
            rows.append({"model": model, "first": halves[0].mean(), "second": halves[1].mean()})
    pairs = pd.DataFrame(rows, columns=["model", "first", "second"])
    return SplitHalf(pairs, correlation(pairs["first"], pairs["second"]))


@dataclass(frozen=True)
class Apart:
    """Cohen's d of the means of two profiles, with percentile limits."""

    d: float
    lower: float
    upper: float
    n_c: int
    n_a: int


def profiles_apart(means: pd.DataFrame, n_resamples: int = 10_000, seed: int = 42) -> Apart:
    """How far the means of the printed profile C lie above those of profile A.

    Models go in alphabetical order, C before A; see :func:`metacog.forensics.resamples.bootstrap_cohens_d`.
    Profiles are given by the same means, so a large d is no evidence of kinds.
    """
    profiles = printed_profiles()
    known = means[means["n_defined"] >= FEWEST].sort_values("model")
    groups = {
        name: [float(row.delta) for row in rows_of(known) if profiles.get(row.model) == name] for name in "CA"
    }
    draws = bootstrap_cohens_d(
        groups["C"], groups["A"], n_resamples=n_resamples if all(groups.values()) else 0, seed=seed
    )
    return Apart(cohens_d(groups["C"], groups["A"]), *order_limits(draws), len(groups["C"]), len(groups["A"]))


def split_d(means: pd.DataFrame, threshold: float = 15.0) -> tuple[float, float]:
    """Cohen's d of the means above a threshold against those below, and the same of a cut bell curve.

    The second is that of a normal distribution with the mean and standard deviation of all the means: what d
    there would be without any kinds.
    """
    from scipy.stats import truncnorm

    values = means["delta"].dropna()
    m, sd = float(values.mean()), float(values.std(ddof=1))
    cut = (threshold - m) / sd
    above, below = truncnorm(cut, np.inf), truncnorm(-np.inf, cut)
    n_above, n_below = int((values >= threshold).sum()), int((values < threshold).sum())
    spread = ((n_above - 1) * above.var() + (n_below - 1) * below.var()) / (n_above + n_below - 2)
    here = cohens_d(values[values >= threshold], values[values < threshold])
    return here, float((above.mean() - below.mean()) / np.sqrt(spread))
