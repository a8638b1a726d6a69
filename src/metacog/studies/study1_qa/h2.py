"""H2: does M-ratio differ between domains?

Pre-registered: in at least two models, at least one of the six pairwise differences of M-ratio draws
has a 95 % interval without zero. Beside it: the same differences with Bonferroni (0.05/18, as
printed) and Holm, and the same question asked of AUROC2 and meta-I2r (see the correction). meta-I2r
depends on accuracy, in which domains differ, so it is compared at one accuracy as well: the model's own
(:mod:`metacog.sdt.standardised`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from metacog.report.rules import Unit, at_least, those, undecided
from metacog.report.verdicts import IN_WORDS
from metacog.sdt.bootstrap import resample_counts
from metacog.sdt.information import meta_i2r, meta_i2r_se, plugin_meta_i2r, studentised
from metacog.sdt.intervals import centred
from metacog.sdt.standardised import meta_i2r_at, meta_i2r_over_accuracy, plugin_meta_i2r_at
from metacog.sdt.type2 import auroc2_from_counts, auroc2_interval_from_counts
from metacog.sdt.zroc import z_roc
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
from metacog.studies.study1_qa.verdicts import PREREGISTERED, SOUND, Verdict, listed, plural, where

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

#: Measures that take no padding, and what readers call them.
UNPADDED = {
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "meta_i2r_standardised": "meta-I2r at one accuracy",
}
#: Accuracies at which the page shows what accuracy alone does to meta-I2r.
ACCURACIES = (0.05, 0.1, 0.2, 0.43, 0.6, 0.8, 0.95)


@dataclass(frozen=True)
class H2:
    """Result of H2.

    Attributes
    ----------
    table : DataFrame
        One row a model, question set and domain: counts, flag, and for ``m_ratio`` and each of
        :data:`UNPADDED` the estimate with 95 % limits.
    pairs : DataFrame
        One row a model, question set, measure and pair of domains: ``difference``, 95 % limits
        ``lo, hi``, Bonferroni limits ``lo2, hi2``, ``p``, ``p_holm`` (within the measure), and
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
        limits[good] = np.nanquantile(b[good], [0.025, 0.975], axis=1).T
        table[f"{name}_lo"], table[f"{name}_hi"] = limits.T
    table[["auroc2_lo", "auroc2_hi"]] = area_limits(cells)
    pairs = _pairs(cells, draws, others)
    if verdicts:
        chance = chance_of_rule(cells, draws)
        found = (_judge(pairs, chance), _judge_corrected(pairs), _judge_valid(pairs))
    return H2(table, pairs, by_accuracy(cells), found if verdicts else ())


def common_accuracy(cells: Cells) -> FloatArray:
    """Accuracy over all domains of each group's own model, shape ``(G,)``."""
    frame = cells.frame
    sums = frame.groupby(list(GROUP))[["n_correct", "n"]].transform("sum")
    return (sums["n_correct"] / sums["n"]).to_numpy(dtype=np.float64)


def by_accuracy(cells: Cells) -> pd.DataFrame:
    """What accuracy alone does to meta-I2r at the median d_a of the groups; empty without any."""
    good = cells.both_classes
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
    for i in np.flatnonzero(cells.both_classes):
        s1, s2 = cells.nR_S1[i], cells.nR_S2[i]
        a, b = resample_counts(s1, s2, n_resamples, children[i])
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
            columns=["model", "dataset", "measure", "a", "b", "difference", "lo", "hi", "lo2", "hi2", "p",
                     "flagged", "p_holm"]
        )  # fmt: skip
    found = pd.concat(frames, ignore_index=True)
    return found.rename(columns={"a": "domain_a", "b": "domain_b"})


def _usable(pairs: pd.DataFrame, measure: str) -> tuple[pd.DataFrame, int]:
    rows = pairs[pairs["measure"] == measure]
    return rows[~rows["flagged"] & rows["lo"].notna()], int(rows["flagged"].sum())


def _left_out(n: int) -> str:
    return f" {plural(n, 'pair')} with a flagged domain left out." if n else ""


def domains_apart(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs of domains with a 95 % interval of the M-ratio difference without zero, as the rule asks."""
    rows, _ = _usable(pairs, "m_ratio")
    return rows[excludes_zero(rows["lo"], rows["hi"])]


def model_units(pairs: pd.DataFrame, hits: Sequence[pd.DataFrame], measures: Sequence[str]) -> list[Unit]:
    """One unit a model: it holds if every measure has a pair that hits.

    Undecided if some measure has none and not all of its pairs can be used: those could have hit.

    Parameters
    ----------
    hits : sequence of DataFrame
        The usable pairs that differ, one frame a measure.
    """
    n_sets = pairs["dataset"].nunique()
    found = []
    for (model, dataset), own in pairs.groupby(list(GROUP), sort=False):
        states: list[bool | None] = []
        left = 0
        for measure, hit in zip(measures, hits, strict=True):
            rows = own[own["measure"] == measure]
            unused = int((rows["flagged"] | rows["lo"].isna()).sum())
            yes = bool(((hit["model"] == model) & (hit["dataset"] == dataset)).any())
            states.append(True if yes else None if unused else False)
            left = max(left, 0 if yes else unused)
        holds = False if False in states else None if None in states else True
        why = f"{left} of {plural(len(rows), 'pair')} cannot be used" if holds is None else ""
        found.append(Unit(where(str(model), str(dataset), n_sets), holds, why))
    return found


def chance_of_rule(cells: Cells, draws: CellDraws) -> float:
    """How often the pre-registered rule would pass if no model's domains differed.

    Each domain's draws are moved to a common centre; a difference counts where it leaves the 95 %
    interval of such differences. That gives each model's chance of at least one difference among its
    unflagged domains, dependence of pairs included, and models are taken as independent for the chance
    that :data:`NEEDED_MODELS` of them have one. NaN with fewer models.
    """
    sound = ~flagged(cells.frame).to_numpy()
    chances = []
    indices: dict[Any, Any] = cells.frame.groupby(list(GROUP), sort=False).indices
    for rows in indices.values():
        usable = [i for i in rows if sound[i] and np.isfinite(draws.m_ratio[i]).mean() > 0.5]
        if len(usable) < 2:
            continue
        moved = draws.m_ratio[usable] - np.nanmean(draws.m_ratio[usable], axis=1, keepdims=True)
        one, other = np.triu_indices(len(usable), k=1)
        gaps = moved[one] - moved[other]
        low, high = np.nanquantile(gaps, [0.025, 0.975], axis=1)
        whole = np.isfinite(gaps).all(axis=0)
        outside = (gaps < low[:, None]) | (gaps > high[:, None])
        chances.append(float(outside[:, whole].any(axis=0).mean()))
    if len(chances) < NEEDED_MODELS:
        return float("nan")
    number = np.array([1.0])  # distribution of how many models have a difference
    for p in chances:
        number = np.convolve(number, [1 - p, p])
    return float(number[NEEDED_MODELS:].sum())


def _judge(pairs: pd.DataFrame, chance: float) -> Verdict:
    rows, left = _usable(pairs, "m_ratio")
    hit = domains_apart(pairs)
    units = model_units(pairs, [hit], ["m_ratio"])
    passed = at_least(units, NEEDED_MODELS)
    if len(units) < NEEDED_MODELS:
        sentence = (
            f"The rule needs {NEEDED_MODELS} models with domains; this run has {len(units)}."
            f"{undecided(units)}{_left_out(left)}"
        )
        return Verdict("H2", PREREGISTERED, RULE, None, sentence)
    found = (
        f"{len(hit)} of {plural(len(rows), 'usable difference')} of M-ratio exclude zero at 95 %, in "
        f"{_models(hit)}"
        if len(rows)
        else "No difference of M-ratio can be used"
    )
    sentence = f"{found}: H2 is {IN_WORDS[passed]} by its own rule.{undecided(units)}{_left_out(left)}"
    if np.isfinite(chance):
        sentence += (
            f" If no model's domains differed, this rule would pass with probability {chance:.2f} on the "
            "pairs that can be used."
        )
    return Verdict("H2", PREREGISTERED, RULE, passed, sentence)


def _judge_corrected(pairs: pd.DataFrame) -> Verdict:
    rule = (
        f"In at least {NEEDED_MODELS} models a difference of M-ratio remains after Holm over all of the "
        "run's pairs (after Bonferroni at 0.05/18 beside it)."
    )
    rows, left = _usable(pairs, "m_ratio")
    stepwise = rows[rows["p_holm"] < 0.05]
    units = model_units(pairs, [stepwise], ["m_ratio"])
    passed = at_least(units, NEEDED_MODELS)
    if rows.empty:
        return Verdict("H2", SOUND, rule, passed, f"No pair can be compared.{_left_out(left)}")
    strict = rows[excludes_zero(rows["lo2"], rows["hi2"])]
    sentence = (
        f"After Bonferroni {_remain(strict)} and after Holm {_remain(stepwise)} of "
        f"{plural(len(rows), 'pair')} remain.{undecided(units)}{_left_out(left)}"
    )
    return Verdict("H2", SOUND, rule, passed, sentence)


def _remain(rows: pd.DataFrame) -> str:
    return f"{len(rows)} (in {listed(dict.fromkeys(rows['model']))})" if len(rows) else "none"


def _judge_valid(pairs: pd.DataFrame) -> Verdict:
    titles = listed(UNPADDED.values())
    rule = (
        f"In at least {NEEDED_MODELS} models a domain difference remains in each of {titles}, Holm-corrected "
        "within each measure."
    )
    parts, hits, left = [], [], 0
    for measure, title in UNPADDED.items():
        rows, unused = _usable(pairs, measure)
        kept = rows[rows["p_holm"] < 0.05]
        hits.append(kept)
        left = max(left, unused)
        parts.append(
            f"{len(kept)} of {plural(len(rows), 'usable difference')} of {title} (in {_models(kept)})"
        )
    units = model_units(pairs, hits, list(UNPADDED))
    passed, both = at_least(units, NEEDED_MODELS), those(units, True)
    sentence = (
        f"After Holm there remain {listed(parts)}. All three in "
        f"{listed(both) if both else 'no model'}.{undecided(units)}{_left_out(left)}"
    )
    return Verdict("H2", SOUND, rule, passed, sentence)


def _models(rows: pd.DataFrame) -> str:
    return listed(dict.fromkeys(rows["model"])) if len(rows) else "no model"
