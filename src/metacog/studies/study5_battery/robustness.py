"""How far does the battery agree with itself?

The study splits its six tracks into two sets of three, which measure different things. Here the items of each kind are
split into two halves at random as well, as a generator with two seeds would make them: an alternate-form reliability of
half the length, which the published responses can give without being collected again.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import truncnorm

from metacog.core.frames import rows_of
from metacog.forensics.resamples import bootstrap_cohens_d, cohens_d, order_limits
from metacog.sdt.correlations import Correlation, correlation, spearman_brown
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE, TRACKS, models_of, printed_profiles
from metacog.studies.study5_battery.profiles import PRINTED

#: The print's own seed of the intervals of Cohen's d.
SEED = 42
HALVES = (("T1", "T2", "T4"), ("T3", "T5", "T6"))
#: A half needs this many tracks with a delta.
FEWEST_TRACKS = 2
#: What two halves of the items are compared on, and where it stands in the responses.
RATES = {"right": "correct", "KEEP": "keep", "BET": "bet"}
DELTAS = {"withdraw delta": "KEEP", "bet delta": "BET"}
Answers = dict[str, NDArray[np.bool_]]


@analysis(files=FILES)
def robustness(inputs: Inputs, *, n_splits: int = 1_000, seed: int = 42) -> dict[str, Any]:
    """How far does the battery agree with itself?"""
    rows = load()
    halves, means = split_half(rows), mean_deltas(deltas(rows))
    d, d_lower, d_upper = profiles_apart(means)
    at_cut, bell = split_d(means)
    return {
        "item_halves": item_halves(rows, n_splits, seed),
        "between_tracks": between_tracks(deltas(rows)),
        "n": halves.n,
        "r": halves.r,
        "lower": halves.lower,
        "upper": halves.upper,
        "d": d,
        "d_lower": d_lower,
        "d_upper": d_upper,
        "d_at_cut": at_cut,
        "d_without_kinds": bell,
    }


def split_half(responses: pd.DataFrame) -> Correlation:
    """Mean delta of one half of the tracks against the other, models with two tracks per half."""
    per_track = deltas(responses)
    table = per_track.pivot(index="model", columns="track", values="delta").reindex(models_of(per_track))
    first, second = (table.reindex(columns=list(tracks)) for tracks in HALVES)
    enough = np.minimum(first.notna().sum(axis=1), second.notna().sum(axis=1)) >= FEWEST_TRACKS
    return correlation(first[enough].mean(axis=1), second[enough].mean(axis=1))


def between_tracks(per_track: pd.DataFrame) -> pd.DataFrame:
    """Correlation of the deltas of each two tracks over the models that have both: ``first, second, r, told``."""
    table = per_track.pivot(index="model", columns="track", values="delta")
    rows = []
    for first, second in product([track for track in TRACKS if track in table], repeat=2):
        found = correlation(table[first], table[second])
        told = f"{found.lower:.2f} to {found.upper:.2f}, {found.n} models"
        itself = first == second
        rows.append((first, second, np.nan if itself else found.r, "the same track" if itself else told))
    return pd.DataFrame(rows, columns=["first", "second", "r", "told"])


def profiles_apart(means: pd.DataFrame, n_resamples: int = 10_000) -> tuple[float, float, float]:
    """Cohen's d of the means of the printed profiles C and A, with percentile limits.

    Models go in alphabetical order, C before A; see :func:`metacog.forensics.resamples.bootstrap_cohens_d`.
    Profiles are given by the same means, so a large d is no evidence of kinds.
    """
    profiles = printed_profiles()
    known = means[means["n_defined"] >= FEWEST_TRACKS].sort_values("model", kind="stable")
    c, a = ([float(row.delta) for row in rows_of(known) if profiles.get(row.model) == name] for name in "CA")
    draws = bootstrap_cohens_d(c, a, n_resamples=n_resamples if c and a else 0, seed=SEED)
    return cohens_d(c, a), *order_limits(draws)


def split_d(means: pd.DataFrame) -> tuple[float, float]:
    """Cohen's d of the means above the threshold of a delta against those below, and the same of a cut bell curve.

    The second is that of a normal distribution with the mean and standard deviation of all the means: what d
    there would be without any kinds.
    """
    values = means["delta"].dropna()
    cut = (PRINTED.delta - float(values.mean())) / float(values.std(ddof=1))
    above, below = truncnorm(cut, np.inf), truncnorm(-np.inf, cut)
    higher, lower = (values[side] for side in (values >= PRINTED.delta, values < PRINTED.delta))
    n_above, n_below = len(higher), len(lower)
    spread = ((n_above - 1) * above.var() + (n_below - 1) * below.var()) / (n_above + n_below - 2)
    return cohens_d(higher, lower), float((above.mean() - below.mean()) / np.sqrt(spread))


def item_halves(responses: pd.DataFrame, n_splits: int, seed: int) -> pd.DataFrame:
    """How well one half of the items predicts the other, models compared; T1 to T5.

    A rate is the mean over tracks. A delta is the mean over the tracks in which both halves have one, of the
    models with at least :data:`FEWEST_TRACKS` such tracks. Models without a track are left out. ``models``: fewest of
    any split; ``r``: median Pearson's over the splits; ``whole``: Spearman-Brown of it (forms of full length).
    """
    rng = np.random.default_rng(seed)
    answers, kind, track = answers_of(responses)
    results = [compared(answers, track, split(kind, rng)) for _ in range(n_splits)]
    rows = []
    for name in results[0]:
        found, models = np.array([one[name] for one in results], dtype=float).T
        r = found[np.isfinite(found)]
        middle = float(np.quantile(r, 0.5)) if r.size else np.nan
        rows.append((name, int(models.min()), middle, spearman_brown(middle)))
    return pd.DataFrame(rows, columns=["measure", "models", "r", "whole"])


def answers_of(responses: pd.DataFrame) -> tuple[Answers, NDArray[np.int64], NDArray[np.int64]]:
    """What each model (row) did with each item (column), and the kind and track of the items."""
    subset = responses[responses["track"].isin(RETROSPECTIVE)]
    tables = {
        name: subset.pivot(index="model", columns=["track", "item_type", "item"], values=column).dropna()
        for name, column in RATES.items()
    }
    items = tables["right"].columns.to_frame(index=False)
    kind, track = (
        np.asarray(items.groupby(by).ngroup(), dtype=np.int64) for by in (["track", "item_type"], ["track"])
    )
    return {name: table.to_numpy(dtype=bool) for name, table in tables.items()}, kind, track


def split(kind: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Split items into two halves at random, kind by kind; of an odd number chance decides who gets one more.

    Kinds are numbers from 0, each of them used.
    """
    order = np.lexsort((rng.random(len(kind)), kind))
    sizes = np.bincount(kind)
    place = np.arange(len(kind)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    half = np.empty(len(kind), dtype=bool)
    half[order] = (place + np.repeat(rng.integers(0, 2, len(sizes)), sizes)) % 2 == 0
    return half


def compared(
    answers: Answers, track: NDArray[np.int64], half: NDArray[np.bool_]
) -> dict[str, tuple[float, int]]:
    """Correlation of the halves over models, and how many these are, of each rate and delta."""
    one, other = (rates_by_track(answers, track, part) for part in (half, ~half))
    results = {}
    for name in one:
        both = np.isfinite(one[name]) & np.isfinite(other[name])
        n = both.sum(axis=1)
        enough = n >= FEWEST_TRACKS
        x, y = (np.where(both, side[name], 0).sum(axis=1)[enough] / n[enough] for side in (one, other))
        results[name] = (correlation(x, y).r if len(x) > 2 else np.nan, int(enough.sum()))
    return results


def rates_by_track(
    answers: Answers, track: NDArray[np.int64], part: NDArray[np.bool_]
) -> dict[str, NDArray[np.float64]]:
    """Rates and deltas on some of the items: arrays of models by tracks, NaN where there is none."""
    to_track = ((track[:, None] == np.arange(track.max() + 1)) & part[:, None]).astype(float)
    right = answers["right"]
    with np.errstate(invalid="ignore"):
        results = {name: (flags @ to_track) / to_track.sum(axis=0) for name, flags in answers.items()}
        for name, probe in DELTAS.items():
            kept = ((which & answers[probe]) @ to_track / (which @ to_track) for which in (right, ~right))
            results[name] = np.subtract(*kept)
    return results


ANALYSES = (robustness,)
