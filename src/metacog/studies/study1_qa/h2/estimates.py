"""H2: does M-ratio differ between domains?

Pre-registered: in at least two models, at least one of the six pairwise differences of M-ratio draws
has a 95 % interval without zero. Beside it: the same differences with Bonferroni (0.05/18, as
printed) and Holm, and the same question asked of AUROC2 and meta-I2r (see the correction). meta-I2r
depends on accuracy, in which domains differ, so it is compared at one accuracy as well: the model's own
(:mod:`metacog.studies.study1_qa.h2.standardised`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.measures.cell import Cell, tables_of
from metacog.measures.fits import Fits
from metacog.measures.measured import Estimator, Measured
from metacog.measures.pairs import differences
from metacog.measures.ratings import of_ratings, rating_tables
from metacog.report.verdicts import Verdict
from metacog.sdt import InputError
from metacog.sdt.decisions import holm
from metacog.sdt.intervals import centred
from metacog.sdt.zroc import z_roc
from metacog.studies.study1_qa.cells.counts import GROUP, Cells, FloatArray, Rated
from metacog.studies.study1_qa.cells.estimates import fits_table, measured, with_limits
from metacog.studies.study1_qa.cells.flags import flagged
from metacog.studies.study1_qa.h2.judging import UNPADDED, chance_of_rule, judge
from metacog.studies.study1_qa.h2.standardised import meta_i2r_at, meta_i2r_over_accuracy, plugin_meta_i2r_at

#: The printed correction: 0.05 over 6 pairs x 3 models.
BONFERRONI = 0.05 / 18
#: Domains that are no domain.
OTHER = ("Unclassified", "Sports", "Pop Culture")

_PAIR_COLUMNS = (
    "model",
    "dataset",
    "measure",
    "domain_a",
    "domain_b",
    "difference",
    "lower",
    "upper",
    "lower2",
    "upper2",
    "p",
    "flagged",
    "p_holm",
)
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


def domain_cells(rated: Rated, domains: Sequence[str] = ()) -> Cells:
    """Counts by domain at T = 1, of those named or of all but the questions that no domain claims.

    Raises
    ------
    InputError
        Where a domain is named that the trials do not have, or a single one.
    """
    cells = rated.cells((*GROUP, "domain"))
    cells = cells.select(~cells.frame["domain"].isin(OTHER))
    if not domains:
        return cells
    known = sorted(cells.frame["domain"].unique())
    if unknown := [name for name in domains if name not in known]:
        raise InputError(f"there is no domain {listed(unknown)}; the trials have {listed(known)}")
    if len(set(domains)) < 2:
        raise InputError("domains are compared: name two at least")
    return cells.select(cells.frame["domain"].isin(domains))


def h2(
    rated: Rated,
    *,
    domains: Sequence[str] = (),
    n_resamples: int = 10_000,
    seed: int = 42,
    verdicts: bool = True,
) -> H2:
    """H2 as pre-registered and its sound counterparts; see the module's docstring."""
    cells = domain_cells(rated, domains)
    estimators: list[list[Estimator]] = [
        [Fits(), of_ratings, AtAccuracy(float(one))] for one in common_accuracy(cells)
    ]
    made = measured(cells, estimators, n_resamples=n_resamples, seed=seed)
    values = {name: [one.values.get(name, np.nan) for one in made] for name in UNPADDED}
    table = with_limits(fits_table(cells, made).assign(**values), made, list(UNPADDED))
    pairs = _pairs(cells, made)
    found = judge(pairs, chance_of_rule(cells, made)) if verdicts else ()
    return H2(table, pairs, by_accuracy(cells), found)


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


@dataclass(frozen=True)
class AtAccuracy:
    """meta-I2r at an accuracy of its own (an :data:`metacog.measures.measured.Estimator`).

    Its draws are moved to the estimate, whose bias the jackknife took off.
    """

    accuracy: float

    def __call__(self, cell: Cell, weights: FloatArray) -> Measured:
        """Estimates of the cell and of its resamples; none where all are right or all wrong."""
        if not 0 < self.accuracy < 1:
            return Measured.drawn()
        tables = rating_tables(cell, weights)
        value = float(meta_i2r_at(*tables_of(cell), self.accuracy))
        draws = centred(plugin_meta_i2r_at(*tables, self.accuracy)[1:], value)
        return Measured.drawn(meta_i2r_standardised=np.concatenate([[value], draws]))


def _pairs(cells: Cells, made: Sequence[Measured]) -> pd.DataFrame:
    """``pairs`` of :class:`H2`; domains have questions of their own."""
    frames = []
    groups: dict[Any, Any] = cells.frame.groupby(list(GROUP), sort=False).indices
    for measure in ("m_ratio", *UNPADDED):
        parts = []
        for (model, dataset), rows in groups.items():
            mine = cells.frame.iloc[rows]
            domains = dict(zip(mine["domain"], [made[i] for i in rows], strict=True))
            part = differences(domains, measure, paired=False)
            wide = differences(domains, measure, paired=False, level=1 - BONFERRONI)
            flags = dict(zip(mine["domain"], flagged(mine, padded=measure not in UNPADDED), strict=True))
            part = part.assign(
                model=model,
                dataset=dataset,
                measure=measure,
                lower2=wide["lower"],
                upper2=wide["upper"],
                flagged=[flags[a] or flags[b] for a, b in combinations(domains, 2)],
            )
            parts.append(part)
        if parts:
            frame = pd.concat(parts, ignore_index=True)
            frames.append(frame.assign(p_holm=holm(frame["p"].where(~frame["flagged"].astype(bool)))))
    found = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(_PAIR_COLUMNS))
    return found.rename(columns={"first": "domain_a", "second": "domain_b"})[list(_PAIR_COLUMNS)]
