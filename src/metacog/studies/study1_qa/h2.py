"""H2: does metacognitive efficiency differ between domains?

Pre-registered: in at least two models, at least one of the six pairwise differences of M-ratio draws
has a 95 % interval without zero. Beside it: the same differences with Bonferroni (0.05/18, as
printed) and Holm, and the same question asked of measures that mean something for open answers:
AUROC2 and meta-I2r (see the correction).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from metacog.sdt.bootstrap import resample_counts
from metacog.sdt.information import meta_i2r, meta_i2r_se, plugin_meta_i2r, studentised
from metacog.sdt.type2 import auroc2_from_counts, auroc2_interval_from_counts
from metacog.studies.study1_qa.cells import (
    GROUP,
    CellDraws,
    Cells,
    FloatArray,
    Rated,
    bootstrap_cells,
    flagged,
)
from metacog.studies.study1_qa.contrasts import differences, excludes_zero, holm
from metacog.studies.study1_qa.verdicts import PREREGISTERED, SOUND, Verdict, listed, plural, rows_of, where

RULE = (
    "In at least two models, at least one pairwise difference of M-ratio between domains has a 95 % "
    "bootstrap interval without zero."
)
#: The printed correction: 0.05 over 6 pairs x 3 models.
BONFERRONI = 0.05 / 18
#: Models in which the rule wants a difference.
NEEDED_MODELS = 2
#: Domains that are no domain.
OTHER = ("Unclassified", "Sports", "Pop Culture")

Statistic = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class H2:
    """Result of H2.

    Attributes
    ----------
    table : DataFrame
        One row a model, question set and domain: counts, flag, and for ``m_ratio``, ``auroc2`` and
        ``meta_i2r`` the estimate with 95 % limits.
    pairs : DataFrame
        One row a model, question set, measure and pair of domains: ``difference``, 95 % limits
        ``lo, hi``, Bonferroni limits ``lo2, hi2``, ``p``, ``p_holm`` (within the measure), and
        ``flagged`` where a domain has too few trials for a verdict.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def domain_cells(rated: Rated) -> Cells:
    """Counts by domain at T = 1, without the questions that no domain claims."""
    cells = rated.cells((*GROUP, "domain"))
    return cells.select(~cells.frame["domain"].isin(OTHER))


def h2(rated: Rated, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H2:
    """H2 as pre-registered and its sound counterparts; see the module's docstring."""
    cells = domain_cells(rated)
    draws = bootstrap_cells(cells, n_resamples=n_resamples, seed=seed)
    others = measure_draws(cells, n_resamples=n_resamples, seed=seed)
    table = draws.table.copy()
    for name, (values, b) in others.items():
        table[name] = values
        limits = np.full((len(cells), 2), np.nan)
        good = np.isfinite(b).any(axis=1)
        limits[good] = np.nanquantile(b[good], [0.025, 0.975], axis=1).T
        table[f"{name}_lo"], table[f"{name}_hi"] = limits.T
    table[["auroc2_lo", "auroc2_hi"]] = area_limits(cells)
    pairs = _pairs(cells, draws, others)
    found = (_judge(pairs), _judge_corrected(pairs), _judge_valid(pairs)) if verdicts else ()
    return H2(table, pairs, found)


def measure_draws(cells: Cells, *, n_resamples: int, seed: int) -> dict[str, tuple[FloatArray, FloatArray]]:
    """AUROC2 and meta-I2r of every group: estimates ``(G,)`` and bootstrap draws ``(G, B)``.

    meta-I2r is the plug-in value less its exact mean under independence; its draws are studentised, so
    that their percentiles are the book's interval (:func:`metacog.sdt.information.meta_i2r_interval`).
    """
    size = len(cells)
    area, information = np.full(size, np.nan), np.full(size, np.nan)
    area_draws = np.full((size, n_resamples), np.nan)
    information_draws = np.full((size, n_resamples), np.nan)
    children = np.random.SeedSequence(seed).spawn(size)
    for i in np.flatnonzero(cells.both_classes):
        s1, s2 = cells.nR_S1[i], cells.nR_S2[i]
        a, b = resample_counts(s1, s2, n_resamples, children[i])
        area[i], area_draws[i] = auroc2_from_counts(s1, s2), auroc2_from_counts(a, b)
        information[i] = meta_i2r(s1, s2)
        information_draws[i] = studentised(
            plugin_meta_i2r(a, b), meta_i2r_se(a, b), information[i], float(meta_i2r_se(s1, s2))
        )
    return {"auroc2": (area, area_draws), "meta_i2r": (information, information_draws)}


def area_limits(cells: Cells) -> FloatArray:
    """95 % interval of every group's AUROC2 from placement values, ``(G, 2)``."""
    limits = np.full((len(cells), 2), np.nan)
    for i in np.flatnonzero(cells.both_classes):
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
                cells.frame["domain"].iloc[rows].tolist(), values[rows], b[rows],
                levels=(0.95, 1 - BONFERRONI),
            )  # fmt: skip
            mine = cells.frame.iloc[rows]
            flags = dict(zip(mine["domain"], flagged(mine), strict=True))
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
            columns=["model", "dataset", "measure", "a", "b", "difference", "lo", "hi", "lo2", "hi2", "p",
                     "flagged", "p_holm"]
        )  # fmt: skip
    found = pd.concat(frames, ignore_index=True)
    return found.rename(columns={"a": "domain_a", "b": "domain_b"})


def _usable(pairs: pd.DataFrame, measure: str) -> tuple[pd.DataFrame, int]:
    rows = pairs[pairs["measure"] == measure]
    return rows[~rows["flagged"] & rows["lo"].notna()], int(rows["flagged"].sum())


def _left_out(n: int) -> str:
    return f" {plural(n, 'pair')} with too few trials left out." if n else ""


def domains_apart(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs of domains with a 95 % interval of the M-ratio difference without zero, as the rule asks."""
    rows, _ = _usable(pairs, "m_ratio")
    return rows[excludes_zero(rows["lo"], rows["hi"])]


def _judge(pairs: pd.DataFrame) -> Verdict:
    rows, flagged = _usable(pairs, "m_ratio")
    models = rows[list(GROUP)].drop_duplicates()
    if len(models) < NEEDED_MODELS:
        sentence = (
            f"The rule needs {NEEDED_MODELS} models with two or more usable domains; this run has "
            f"{len(models)}.{_left_out(flagged)}"
        )
        return Verdict("H2", PREREGISTERED, RULE, None, sentence)
    hit = domains_apart(pairs)
    with_one = hit[list(GROUP)].drop_duplicates()
    n_sets = models["dataset"].nunique()
    names = [where(r.model, r.dataset, n_sets) for r in rows_of(with_one)]
    passed = len(names) >= NEEDED_MODELS
    sentence = (
        f"{len(hit)} of {plural(len(rows), 'difference')} of M-ratio exclude zero at 95 %, in "
        f"{listed(names)}: H2 is {'' if passed else 'not '}supported by its own rule.{_left_out(flagged)}"
    )
    return Verdict("H2", PREREGISTERED, RULE, passed, sentence)


def _judge_corrected(pairs: pd.DataFrame) -> Verdict:
    rule = "The same differences after Bonferroni (0.05/18) and after Holm over all of the run's pairs."
    rows, flagged = _usable(pairs, "m_ratio")
    if rows.empty:
        return Verdict("H2", SOUND, rule, None, f"No pair can be compared.{_left_out(flagged)}")
    strict = rows[excludes_zero(rows["lo2"], rows["hi2"])]
    stepwise = rows[rows["p_holm"] < 0.05]
    chance = 1 - 0.95 ** len(rows)
    sentence = (
        f"After Bonferroni {_remain(strict)} and after Holm {_remain(stepwise)} of "
        f"{plural(len(rows), 'pair')} remain. "
        f"Without correction, {plural(len(rows), 'independent comparison')} of equal domains would show at "
        f"least one difference with probability {chance:.2f}."
    )
    enough = stepwise[list(GROUP)].drop_duplicates().shape[0] >= NEEDED_MODELS
    judged = rows[list(GROUP)].drop_duplicates().shape[0] >= NEEDED_MODELS
    return Verdict("H2", SOUND, rule, enough if judged else None, sentence)


def _remain(rows: pd.DataFrame) -> str:
    return f"{len(rows)} (in {listed(dict.fromkeys(rows['model']))})" if len(rows) else "none"


def _judge_valid(pairs: pd.DataFrame) -> Verdict:
    rule = "Domain differences of AUROC2 and of meta-I2r, Holm-corrected within each measure."
    parts, hits, judged = [], [], 0
    for measure, title in (("auroc2", "AUROC2"), ("meta_i2r", "meta-I2r")):
        rows, _ = _usable(pairs, measure)
        kept = rows[rows["p_holm"] < 0.05]
        judged = max(judged, len(rows[list(GROUP)].drop_duplicates()))
        hits.append(len(kept[list(GROUP)].drop_duplicates()))
        parts.append(f"{len(kept)} of {plural(len(rows), 'difference')} of {title}")
    sentence = f"{parts[0]} and {parts[1]} remain after Holm, in {hits[0]} and {plural(hits[1], 'model')}."
    passed = None if judged < NEEDED_MODELS else min(hits) >= NEEDED_MODELS
    return Verdict("H2", SOUND, rule, passed, sentence)
