"""What is it good for?

Reliability over items: the study splits its six tracks into two sets of three, which measure different things. Here
the items of each kind are split into two halves at random, as a generator with two seeds would make them: an
alternate-form reliability of half the length, which the published responses can give without being collected again.

Do AUROC2 of the four states and the withdraw delta order the models alike? From the same answers they must: of KEEP
alone, AUROC2 is a function of the delta. So one is taken from one half of the items and the other from the other
half, and their correlation is set next to that of each with itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.forensics.resamples import bootstrap_cohens_d, cohens_d, order_limits
from metacog.sdt.correlations import Correlation, correlation, spearman_brown
from metacog.sdt.intervals import wilson
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import analysis
from metacog.studies.study5_battery import regulation_contrasts
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import (
    FEWEST,
    NAMES,
    deltas,
    identical,
    mean_deltas,
    measured,
    path_rates,
    states,
)
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE, models_of, printed_profiles
from metacog.verdicts.rules import beyond, judged, those, unit
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# How often each state of commitment is right, and what is judged of both probes as one confidence.

STATES = ("WITHDRAW, NO_BET", "WITHDRAW, BET", "KEEP, NO_BET", "KEEP, BET")
#: An AUROC2 that moves by no more than this is called unmoved.
MOVED = 0.02


def accuracy_by_state(responses: pd.DataFrame) -> pd.DataFrame:
    """Share of right answers in each state, all models together, T1 to T5: ``state, n, right, lower, upper``.

    ``climb``: how many of the ``of`` models with ten responses in this state and the next are more often
    right in the next; the last row has none.
    """
    retro = responses[responses["track"].isin(RETROSPECTIVE)]
    subset = retro.assign(state=states(retro))
    rows = []
    for k, name in enumerate(STATES):
        part = subset[subset["state"] == k]
        right = part["correct"].mean()
        low, high = wilson(right, len(part))
        rows.append(
            {"state": name, "n": len(part), "right": right, "lower": float(low), "upper": float(high)}
        )
    table = pd.DataFrame(rows)
    by = subset.groupby(["model", "state"])["correct"].agg(["mean", "size"]).unstack()
    by = pd.DataFrame(by).reindex(columns=pd.MultiIndex.from_product([["mean", "size"], range(len(STATES))]))
    climbs, of = [], []
    for k in range(3):
        enough = (by["size"][k] >= FEWEST) & (by["size"][k + 1] >= FEWEST)
        climbs.append(int((by["mean"][k + 1] > by["mean"][k])[enough].sum()))
        of.append(int(enough.sum()))
    return table.assign(climb=[*climbs, np.nan], of=[*of, np.nan])


def commitment_verdicts(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """Whether monitoring is above chance, and whether the order of the middle states matters."""
    few = f"fewer than {FEWEST} right or wrong answers"
    above = [beyond(r.model, r.lower, r.upper, 0.5, few) for r in rows_of(table)]
    shifts = (table["auroc2"] - table["merged"]).abs()
    steady = [
        unit(model, shift <= MOVED, known=np.isfinite(shift))
        for model, shift in zip(table["model"], shifts, strict=True)
    ]
    return (
        judged(
            above,
            "AUROC2",
            Kind.EXPLORATORY,
            "Every model's commitment tells right from wrong: AUROC2 above 0.5.",
            name="above_chance",
            above=len(those(above, True)),
            models=int(table["lower"].notna().sum()),
        ),
        judged(
            steady,
            "states",
            Kind.EXPLORATORY,
            f"Merging the middle states moves no model's AUROC2 by more than {MOVED}.",
            name="steady",
            largest=float(shifts.max()),
        ),
    )


# How far the battery agrees with itself: looking back and ahead, half and half, profile and profile.

HALVES = (("T1", "T2", "T4"), ("T3", "T5", "T6"))
#: A half needs this many tracks with a delta.
FEWEST_TRACKS = 2


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
        if min(len(h) for h in halves) >= FEWEST_TRACKS:
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
    known = means[means["n_defined"] >= FEWEST_TRACKS].sort_values("model", kind="stable")
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


#: What the halves are compared on.
MEASURES = ("right", "KEEP", "BET", "withdraw delta", "bet delta")
_COLUMNS = {"right": "correct", "KEEP": "keep", "BET": "bet"}
_PROBES = {"withdraw delta": "KEEP", "bet delta": "BET"}


def item_halves(responses: pd.DataFrame, n_splits: int, seed: int) -> pd.DataFrame:
    """How well one half of the items predicts the other, models compared; T1 to T5.

    A rate is the mean over tracks. A delta is the mean over the tracks in which both halves have one, of the
    models with at least :data:`.reliability.FEWEST` such tracks. Models without a track are left out.

    Returns
    -------
    DataFrame
        One row per measure: ``measure, models`` (fewest of any split), ``r`` (median Pearson's over the
        splits), ``lower, upper`` (2.5 and 97.5 % of the splits: how much depends on the split, not a
        confidence interval), ``whole`` (Spearman-Brown of ``r``: forms of full length).
    """
    rng = np.random.default_rng(seed)
    answers, kind, track = answers_of(responses)
    results = [_compared(answers, track, split(kind, rng)) for _ in range(n_splits)]
    rows = []
    for i, name in enumerate(MEASURES):
        r = [one[i][0] for one in results if np.isfinite(one[i][0])]
        low, mid, high = np.quantile(r, (0.025, 0.5, 0.975)) if r else [np.nan] * 3
        rows.append(
            {
                "measure": name,
                "models": min(one[i][1] for one in results),
                "r": mid,
                "lower": low,
                "upper": high,
                "whole": spearman_brown(float(mid)),
            }
        )
    return pd.DataFrame(rows)


def answers_of(
    responses: pd.DataFrame,
) -> tuple[dict[str, NDArray[np.bool_]], NDArray[np.int64], NDArray[np.int64]]:
    """What each model (row) did with each item (column), and the kind and track of the items."""
    subset = responses[responses["track"].isin(RETROSPECTIVE)]
    tables = {
        name: subset.pivot(index="model", columns=["track", "item_type", "item"], values=column).dropna()
        for name, column in _COLUMNS.items()
    }
    items = tables["right"].columns.to_frame(index=False)
    kind, track = (
        np.asarray(items.groupby(by).ngroup(), dtype=np.int64) for by in (["track", "item_type"], ["track"])
    )
    return {n: t.to_numpy(dtype=bool) for n, t in tables.items()}, kind, track


def split(kind: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Split items into two halves at random, kind by kind; of an odd number chance decides who gets one more.

    Parameters
    ----------
    kind : ndarray of int, shape ``(n,)``
        From 0, each number used.
    """
    order = np.lexsort((rng.random(len(kind)), kind))
    sizes = np.bincount(kind)
    place = np.arange(len(kind)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    half = np.empty(len(kind), dtype=bool)
    half[order] = (place + np.repeat(rng.integers(0, 2, len(sizes)), sizes)) % 2 == 0
    return half


def _compared(
    answers: dict[str, NDArray[np.bool_]], track: NDArray[np.int64], half: NDArray[np.bool_]
) -> list[tuple[float, int]]:
    """Correlation of the halves over models, and how many these are, for each of :data:`MEASURES`."""
    one, other = (rates_by_track(answers, track, part) for part in (half, ~half))
    results = []
    for name in MEASURES:
        both = np.isfinite(one[name]) & np.isfinite(other[name])
        enough = both.sum(axis=1) >= FEWEST_TRACKS
        x, y = (
            np.where(both, side[name], 0).sum(axis=1)[enough] / both.sum(axis=1)[enough]
            for side in (one, other)
        )
        results.append((correlation(x, y).r if len(x) > 2 else np.nan, int(enough.sum())))
    return results


def rates_by_track(
    answers: dict[str, NDArray[np.bool_]], track: NDArray[np.int64], part: NDArray[np.bool_]
) -> dict[str, NDArray[np.float64]]:
    """Rates and deltas on some of the items: arrays of models by tracks, NaN where there is none."""
    to_track = (track[:, None] == np.arange(track.max() + 1)) & part[:, None]

    def total(flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        return flags.astype(float) @ to_track

    right = answers["right"]
    with np.errstate(invalid="ignore"):
        results = {name: total(flags) / to_track.sum(axis=0) for name, flags in answers.items()}
        for name, probe in _PROBES.items():
            stood = answers[probe]
            results[name] = total(right & stood) / total(right) - total(~right & stood) / total(~right)
    return results


#: What is compared with what.
PAIRS = ("AUROC2 with the delta", "the delta with itself", "AUROC2 with itself")
COLUMNS = ("pair", "models", "rho", "lower", "upper")
Floats = NDArray[np.float64]


def half_against_half(responses: pd.DataFrame, n_splits: int, seed: int) -> pd.DataFrame:
    """Spearman's correlation over models of a measure of one half of the items with one of the other.

    Items of each kind are split into two halves at random, ``n_splits`` times; T1 to T5. Models without
    right and wrong answers in both halves, or with deltas on fewer than two tracks in one, are left out of
    a split.

    Returns
    -------
    DataFrame
        One row for each of :data:`PAIRS`: ``pair, models`` (fewest of any split), ``rho`` (median of the
        splits, both directions of the first pair averaged), ``lower, upper`` (2.5 and 97.5 % of the splits:
        how much depends on the split, not a confidence interval).
    """
    rng = np.random.default_rng(seed)
    answers, kind, track = answers_of(responses)
    results: list[tuple[float, float, float]] = []
    models = []
    for _ in range(n_splits):
        half = split(kind, rng)
        (a1, d1), (a2, d2) = (_measured(answers, track, part) for part in (half, ~half))
        both = np.isfinite(np.stack([a1, d1, a2, d2])).all(axis=0)
        models.append(int(both.sum()))
        if both.sum() > 2:
            a1, d1, a2, d2 = (x[both] for x in (a1, d1, a2, d2))
            crossed = (_rho(a1, d2) + _rho(d1, a2)) / 2
            results.append((crossed, _rho(d1, d2), _rho(a1, a2)))
    rows = []
    for i, name in enumerate(PAIRS):
        values = [one[i] for one in results if np.isfinite(one[i])]
        low, mid, high = np.quantile(values, (0.025, 0.5, 0.975)) if values else [np.nan] * 3
        rows.append((name, min(models, default=0), mid, low, high))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rho(x: Floats, y: Floats) -> float:
    return correlation(x, y, kind="spearman").r


def _measured(
    answers: dict[str, NDArray[np.bool_]], track: NDArray[np.int64], part: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """AUROC2 and mean delta of each model on some of the items; NaN where undefined."""
    right, state = answers["right"], 2 * answers["KEEP"].astype(int) + answers["BET"]
    counts = [
        np.stack([((state == k) & side & part).sum(axis=1) for k in range(4)], axis=1)
        for side in (~right, right)
    ]
    defined = np.minimum(counts[0].sum(axis=1), counts[1].sum(axis=1)) > 0
    area = np.full(len(right), np.nan)
    area[defined] = auroc2_from_counts(counts[0][defined], counts[1][defined])
    delta = rates_by_track(answers, track, part)["withdraw delta"]
    known = np.isfinite(delta)
    enough = known.sum(axis=1) >= FEWEST_TRACKS
    mean = np.where(known, delta, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return area, np.where(enough, mean, np.nan)


# Looking back and looking ahead, pairs and families, reliability, and commitment as confidence.


@dataclass(frozen=True)
class Regulation:
    """``pairs`` has each model's mean withdraw delta and its paths on T6."""

    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(returns=Regulation, files=FILES)
def regulation(inputs: Inputs) -> Regulation:
    """Does a model that judges its answers well also know when to ask for help?"""
    every, complete = dissociation(load()), dissociation(load(), complete_only=True)
    pairs = every.pairs.assign(profile=every.pairs["model"].map(printed_profiles()).map(NAMES))
    return Regulation(
        pairs=pairs.sort_values("direct", kind="stable").reset_index(drop=True),
        verdicts=(dissociation_verdict(every, complete),),
    )


@dataclass(frozen=True)
class Contrasts:
    """``pairs`` has models that differ in reasoning at length, ``scaling`` families over size."""

    pairs: pd.DataFrame
    scaling: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(returns=Contrasts, files=FILES)
def contrasts(inputs: Inputs) -> Contrasts:
    """What do thinking and size change?"""
    rows = load()
    twins = identical(rows)
    return Contrasts(
        pairs=regulation_contrasts.pair_table(rows),
        scaling=regulation_contrasts.scaling(rows),
        verdicts=regulation_contrasts.scaling_verdicts(rows, twins[twins["copied"]]),
    )


@dataclass(frozen=True)
class Robustness:
    """``halves`` has mean deltas of two halves of the tracks; the numbers show how they agree.

    ``items`` shows how well two halves of the items agree, assigned kind by kind.
    """

    halves: pd.DataFrame
    items: pd.DataFrame
    splits: int
    n: int
    r: float
    lower: float
    upper: float
    whole: float
    whole_lower: float
    whole_upper: float
    d: float
    d_lower: float
    d_upper: float
    d_at_cut: float
    d_without_kinds: float


@analysis(returns=Robustness, files=FILES)
def robustness(inputs: Inputs, *, n_splits: int = 1_000, seed: int = 42) -> Robustness:
    """How far does the battery agree with itself?"""
    rows = load()
    halves, means = split_half(rows), mean_deltas(deltas(rows))
    apart = profiles_apart(means)
    lower, upper = halves.whole_limits
    at_cut, bell = split_d(means)
    return Robustness(
        halves=halves.pairs.assign(profile=halves.pairs["model"].map(printed_profiles()).map(NAMES)),
        items=item_halves(rows, n_splits, seed),
        splits=n_splits,
        n=halves.pearson.n,
        r=halves.pearson.r,
        lower=halves.pearson.lower,
        upper=halves.pearson.upper,
        whole=halves.whole,
        whole_lower=lower,
        whole_upper=upper,
        d=apart.d,
        d_lower=apart.lower,
        d_upper=apart.upper,
        d_at_cut=at_cut,
        d_without_kinds=bell,
    )


@dataclass(frozen=True)
class Commitment:
    """``measures`` has type-2 measures of each model, ``states`` how often each state is right.

    ``halves`` compares AUROC2 of one half of the items with the delta of the other half.
    """

    measures: pd.DataFrame
    states: pd.DataFrame
    halves: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(returns=Commitment, files=FILES)
def commitment(inputs: Inputs, *, n_splits: int = 400, seed: int = 42) -> Commitment:
    """Do both probes together tell right from wrong?"""
    rows = load()
    table = measured(rows)
    return Commitment(
        measures=table.sort_values("auroc2", ascending=False, kind="stable").reset_index(drop=True),
        states=accuracy_by_state(rows),
        halves=half_against_half(rows, n_splits, seed),
        verdicts=commitment_verdicts(table),
    )


ANALYSES = (regulation, contrasts, robustness, commitment)
