"""H2: does M-ratio differ between domains?

Pre-registered: in at least two models, at least one of the six pairwise differences of M-ratio draws
has a 95 % interval without zero. Beside it: the same differences with Bonferroni (0.05/18, as
printed) and Holm, and the same question asked of AUROC2 and meta-I2r (see the correction). meta-I2r
depends on accuracy, in which domains differ, so it is compared at one accuracy as well: the model's own
(:mod:`metacog.studies.study1_qa.h2.standardised`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.sdt.bootstrap import resample_counts
from metacog.sdt.information import meta_i2r, meta_i2r_se, plugin_meta_i2r, studentised
from metacog.sdt.intervals import centred
from metacog.sdt.type2 import auroc2_from_counts, auroc2_interval_from_counts
from metacog.sdt.zroc import z_roc
from metacog.studies.study1_qa.cells.contrasts import differences, holm
from metacog.studies.study1_qa.cells.counts import GROUP, Cells, FloatArray, Rated
from metacog.studies.study1_qa.cells.estimates import CellDraws, bootstrap_cells
from metacog.studies.study1_qa.cells.flags import flagged
from metacog.studies.study1_qa.h2.judging import UNPADDED, chance_of_rule, judge
from metacog.studies.study1_qa.h2.standardised import meta_i2r_at, meta_i2r_over_accuracy, plugin_meta_i2r_at

#: The printed correction: 0.05 over 6 pairs x 3 models.
BONFERRONI = 0.05 / 18
#: Domains that are no domain.
OTHER = ("Unclassified", "Sports", "Pop Culture")

#: Accuracies at which the page shows what accuracy alone does to meta-I2r.
ACCURACIES = (0.05, 0.1, 0.2, 0.43, 0.6, 0.8, 0.95)


@dataclass(frozen=True)
class H2:
    """Result of H2.

    Attributes
    ----------
    table : DataFrame
        One row per model, question set and domain: counts, flag, and for ``m_ratio`` and each of
        :data:`UNPADDED` the estimate with 95 % limits.
    pairs : DataFrame
        One row per model, question set, measure and pair of domains: ``difference``, 95 % limits
        ``lower, upper``, Bonferroni limits ``lower2, upper2``, ``p``, ``p_holm`` (within the measure), and
        ``flagged`` where a domain carries a flag that concerns the measure.
    by_accuracy : DataFrame
        What accuracy alone does: ``accuracy, d_a, meta_i2r`` for one separation, the run's median d_a.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    by_accuracy: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def domain_cells(rated: Rated) -> Cells:
    """Counts by domain at T = 1, without the questions that no domain claims."""
    cells = rated.cells((*GROUP, "domain"))
    return cells.select(~cells.frame["domain"].isin(OTHER))


def h2(rated: Rated, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H2:
    """H2 as pre-registered and its sound counterparts; see the module's docstring."""
    cells = domain_cells(rated)
    draws = bootstrap_cells(cells, n_resamples=n_resamples, seed=seed)
    common = common_accuracy(cells)
    others = measure_draws(cells, n_resamples=n_resamples, seed=seed, accuracy=common)
    table = draws.table.copy()
    for name, (values, b) in others.items():
        table[name] = values
        limits = np.full((len(cells), 2), np.nan)
        good = np.isfinite(b).any(axis=1)
        if good.any():
            limits[good] = np.nanquantile(b[good], [0.025, 0.975], axis=1).T
        table[f"{name}_lower"], table[f"{name}_upper"] = limits.T
    table[["auroc2_lower", "auroc2_upper"]] = area_limits(cells)
    pairs = _pairs(cells, draws, others)
    if verdicts:
        found = judge(pairs, chance_of_rule(cells, draws))
    return H2(table, pairs, by_accuracy(cells), found if verdicts else ())


def common_accuracy(cells: Cells) -> FloatArray:
    """Accuracy over all domains of each group's own model, shape ``(G,)``."""
    frame = cells.frame
    sums = frame.groupby(list(GROUP))[["n_correct", "n"]].transform("sum")
    return (sums["n_correct"] / sums["n"]).to_numpy(dtype=np.float64)


def by_accuracy(cells: Cells) -> pd.DataFrame:
    """What accuracy alone does to meta-I2r at the median d_a of the groups; empty without any."""
    good = cells.measurable
    d_a = np.asarray(z_roc(cells.nR_S1[good], cells.nR_S2[good]).d_a) if good.any() else np.array([])
    d_a = d_a[np.isfinite(d_a) & (d_a > 0)]
    if not d_a.size:
        return pd.DataFrame(columns=["accuracy", "d_a", "meta_i2r"])
    middle = float(np.median(d_a))
    values = meta_i2r_over_accuracy(middle, ACCURACIES)
    return pd.DataFrame({"accuracy": ACCURACIES, "d_a": middle, "meta_i2r": values})


def measure_draws(
    cells: Cells, *, n_resamples: int, seed: int, accuracy: FloatArray | None = None
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """The measures of :data:`UNPADDED` for every group: estimates ``(G,)`` and bootstrap draws ``(G, B)``.

    Parameters
    ----------
    accuracy : array, shape ``(G,)``, optional
        The accuracy at which meta-I2r is standardised; that measure is left out without it.

    Notes
    -----
    meta-I2r is the plug-in value less its exact mean under independence; its draws are studentised, so
    that their percentiles are the book's interval (:func:`metacog.sdt.information.meta_i2r_interval`).
    The standardised measure's draws are moved to its estimate, whose bias the jackknife took off.
    """
    size = len(cells)
    names = [n for n in UNPADDED if accuracy is not None or n != "meta_i2r_standardised"]
    found = {n: (np.full(size, np.nan), np.full((size, n_resamples), np.nan)) for n in names}
    children = np.random.SeedSequence(seed).spawn(size)
    for i in np.flatnonzero(cells.measurable):
        s1, s2 = cells.nR_S1[i], cells.nR_S2[i]
        a, b = resample_counts(s1, s2, n_resamples, seed=children[i])
        made: dict[str, tuple[Any, Any]] = {"auroc2": (auroc2_from_counts(s1, s2), auroc2_from_counts(a, b))}
        value = float(meta_i2r(s1, s2))
        own = float(meta_i2r_se(s1, s2))
        made["meta_i2r"] = value, studentised(plugin_meta_i2r(a, b), meta_i2r_se(a, b), value, own)
        if accuracy is not None and 0 < accuracy[i] < 1:
            at = float(accuracy[i])
            value = float(meta_i2r_at(s1, s2, at))
            made["meta_i2r_standardised"] = value, centred(plugin_meta_i2r_at(a, b, at), value)
        for name, (estimate, drawn) in made.items():
            found[name][0][i], found[name][1][i] = estimate, drawn
    return found


def area_limits(cells: Cells) -> FloatArray:
    """95 % interval of every group's AUROC2 from placement values, ``(G, 2)``."""
    limits = np.full((len(cells), 2), np.nan)
    for i in np.flatnonzero(cells.measurable):
        area = auroc2_interval_from_counts(cells.nR_S1[i], cells.nR_S2[i])
        limits[i] = area.lower, area.upper
    return limits


def _pairs(cells: Cells, draws: CellDraws, others: dict[str, tuple[FloatArray, FloatArray]]) -> pd.DataFrame:
    sources = {"m_ratio": (draws.table["m_ratio"].to_numpy(dtype=np.float64), draws.m_ratio), **others}
    frames = []
    for measure, (values, b) in sources.items():
        parts = []
        indices: dict[Any, Any] = cells.frame.groupby(list(GROUP), sort=False).indices
        for (model, dataset), rows in indices.items():
            part = differences(
                cells.frame["domain"].iloc[rows].tolist(),
                values[rows],
                b[rows],
                levels=(0.95, 1 - BONFERRONI),
            )
            mine = cells.frame.iloc[rows]
            flags = dict(zip(mine["domain"], flagged(mine, padded=measure not in UNPADDED), strict=True))
            part["flagged"] = part["a"].map(flags).astype(bool) | part["b"].map(flags).astype(bool)
            part.insert(0, "measure", measure)
            part.insert(0, "dataset", dataset)
            part.insert(0, "model", model)
            parts.append(part)
        if parts:
            frame = pd.concat(parts, ignore_index=True)
            frame["p_holm"] = holm(frame["p"].where(~frame["flagged"]))
            frames.append(frame)
    if not frames:
        return pd.DataFrame(
            columns=[
                "model",
                "dataset",
                "measure",
                "a",
                "b",
                "difference",
                "lower",
                "upper",
                "lower2",
                "upper2",
                "p",
                "flagged",
                "p_holm",
            ]
        )
    found = pd.concat(frames, ignore_index=True)
    return found.rename(columns={"a": "domain_a", "b": "domain_b"})
