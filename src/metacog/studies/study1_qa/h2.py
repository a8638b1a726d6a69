"""H2: does M-ratio differ between domains?

Pre-registered: in at least two models, at least one of the six pairwise differences of M-ratio draws has a 95 %
interval without zero. Beside it: the same differences with Bonferroni (0.05/18, as printed) and Holm, and the same
question asked of AUROC2 and meta-I2r (see the correction).

meta-I2r depends on accuracy, in which domains differ: the same separation of right and wrong answers takes away more
of the uncertainty where both are equally frequent than where one is rare. So it is compared at one accuracy, the
model's own, as well: each table's distributions of ratings, of wrong and of right answers, are kept and their
mixture is set to that accuracy (direct standardisation). That is what a domain would show if accuracy changed and
confidence given correctness did not: a model, not an observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.words import listed
from metacog.measures.cell import Cell, Estimator, Measured, tables_of
from metacog.measures.fits import Fits, of_ratings, rating_tables
from metacog.measures.pairs import differences, excludes_zero
from metacog.sdt.checks import FloatArray, InputError, as_tables
from metacog.sdt.decisions import adjust_p, bonferroni_z, holm, z_test
from metacog.sdt.information import binary_entropy, plugin_meta_i2r, studentised
from metacog.sdt.simulate import confidence_population
from metacog.sdt.type1 import z_roc
from metacog.studies.study import analysis
from metacog.studies.study1_qa import cells
from metacog.studies.study1_qa.cells import (
    GROUP,
    PUBLISHED,
    PUBLISHED_FILES,
    RUN,
    Cells,
    Rated,
    cell_name,
    fits_table,
    flagged,
    measured,
    rated_primary,
    with_limits,
)
from metacog.studies.study1_qa.paper import as_numbers
from metacog.verdicts.rules import ZERO, Unit, at_least, judged, open_units, those
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# What H2's rule says of pairs of domains, and how often it would pass by chance.

RULE = (
    "In at least two models, at least one pairwise difference of M-ratio between domains has a 95 % "
    "bootstrap interval without zero."
)
#: Models in which the rule wants a difference.
NEEDED_MODELS = 2
#: Measures that take no padding, and what readers call them.
UNPADDED = {
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "meta_i2r_standardised": "meta-I2r at one accuracy",
}
RULE_HOLM = (
    f"In at least {NEEDED_MODELS} models a difference of M-ratio remains after Holm over all of the run's "
    "pairs (after Bonferroni at 0.05/18 beside it); a model without one stays open."
)
RULE_UNPADDED = (
    f"In at least {NEEDED_MODELS} models a domain difference remains in each of AUROC2, meta-I2r and "
    "meta-I2r at one accuracy, Holm-corrected within each measure; a model without one stays open."
)
RULE_PUBLISHED = "Lowest domain by model."


def judge(pairs: pd.DataFrame, chance: float) -> tuple[Verdict, ...]:
    """Verdicts of H2's pairs, as pre-registered and sound; ``chance`` as of :func:`chance_of_rule`."""
    return judge_differences(pairs, chance), judge_holm(pairs), judge_unpadded(pairs)


def _usable(pairs: pd.DataFrame, measure: str) -> tuple[pd.DataFrame, int]:
    rows = pairs[pairs["measure"] == measure]
    return rows[~rows["flagged"] & rows["lower"].notna()], int(rows["flagged"].sum())


def domains_apart(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs of domains with a 95 % interval of the M-ratio difference without zero, as the rule asks."""
    rows, _ = _usable(pairs, "m_ratio")
    return rows[excludes_zero(rows["lower"], rows["upper"])]


def model_units(
    pairs: pd.DataFrame, hits: Sequence[pd.DataFrame], measures: Sequence[str], *, counting: bool = False
) -> list[Unit]:
    """One unit per model: it holds if every measure has a pair that hits.

    Undecided if some measure has none and not all of its pairs can be used: those could have hit.

    Parameters
    ----------
    hits : sequence of DataFrame
        The usable pairs that differ, one frame a measure.
    counting : bool
        Whether a model without a hit does not hold, as a rule says that counts hits; else it is undecided, since a
        difference that is not shown may be there.
    """
    n_sets = pairs["dataset"].nunique()
    found = []
    for (model, dataset), own in pairs.groupby(list(GROUP), sort=False):
        states: list[bool | None] = []
        left = 0
        for measure, hit in zip(measures, hits, strict=True):
            rows = own[own["measure"] == measure]
            unused = int((rows["flagged"] | rows["lower"].isna()).sum())
            yes = bool(((hit["model"] == model) & (hit["dataset"] == dataset)).any())
            states.append(True if yes else None if unused or not counting else False)
            left = max(left, 0 if yes else unused)
        holds = False if False in states else None if None in states else True
        why = "" if holds is not None else f"{left} of {len(rows)} pairs cannot be used" if left else ZERO
        found.append(Unit(cell_name(model, dataset, n_sets), holds, why))
    return found


def chance_of_rule(cells: Cells, made: Sequence[Measured]) -> float:
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
        drawn = [made[i].draws["m_ratio"] for i in rows if sound[i] and made[i].defined("m_ratio")]
        usable = np.array([one for one in drawn if np.isfinite(one).mean() > 0.5])
        if len(usable) < 2:
            continue
        moved = usable - np.nanmean(usable, axis=1, keepdims=True)
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


def _models(rows: pd.DataFrame) -> list[str]:
    return [str(model) for model in rows["model"].unique()]


def judge_differences(pairs: pd.DataFrame, chance: float) -> Verdict:
    """The pre-registered rule; undecided with fewer than :data:`NEEDED_MODELS` models."""
    rows, left = _usable(pairs, "m_ratio")
    hit = domains_apart(pairs)
    units = model_units(pairs, [hit], ["m_ratio"], counting=True)
    return judged(
        units,
        "H2",
        Kind.PREREGISTERED,
        RULE,
        name="difference",
        k=NEEDED_MODELS,
        n_models=len(units),
        differ=len(hit),
        usable=len(rows),
        models=_models(hit),
        flagged=left,
        chance=chance,
    )


def judge_holm(pairs: pd.DataFrame) -> Verdict:
    """The same differences, corrected for their number."""
    rows, left = _usable(pairs, "m_ratio")
    holm = rows[rows["p_holm"] < 0.05]
    bonferroni = rows[excludes_zero(rows["lower2"], rows["upper2"])]
    return judged(
        model_units(pairs, [holm], ["m_ratio"]),
        "H2",
        Kind.SOUND,
        RULE_HOLM,
        name="holm",
        k=NEEDED_MODELS,
        usable=len(rows),
        flagged=left,
        holm=len(holm),
        holm_models=_models(holm),
        bonferroni=len(bonferroni),
        bonferroni_models=_models(bonferroni),
    )


def judge_unpadded(pairs: pd.DataFrame) -> Verdict:
    """The same question of measures without padding, in ``measures``: one entry per measure."""
    measures, hits, left = [], [], 0
    for measure in UNPADDED:
        rows, unused = _usable(pairs, measure)
        kept = rows[rows["p_holm"] < 0.05]
        hits.append(kept)
        left = max(left, unused)
        measures.append(
            {"measure": measure, "differ": len(kept), "usable": len(rows), "models": _models(kept)}
        )
    units = model_units(pairs, hits, list(UNPADDED))
    passed, in_all = at_least(units, NEEDED_MODELS), those(units, True)
    values = {"measures": measures, "in_all": in_all, "flagged": left}
    undecided = open_units(units)
    return Verdict(
        "H2", Kind.SOUND, RULE_UNPADDED, passed, name="unpadded", values=values, undecided=undecided
    )


def compare(theirs: pd.DataFrame, ours: pd.DataFrame) -> Verdict:
    """Which domain has the lowest M-ratio and the lowest meta-I2r in each model, published and in the run.

    Its values: ``lowest``, for each source and measure the domain by model (:func:`_lowest`).

    Parameters
    ----------
    theirs, ours : DataFrame
        ``model, domain, m_ratio, meta_i2r``, and ``flag`` of the run's.
    """
    measures = ("m_ratio", "meta_i2r")
    sound = {measure: ours[~flagged(ours, padded=measure not in UNPADDED)] for measure in measures}
    lowest = [
        {"source": source, **{measure: _lowest(rows[measure], measure) for measure in measures}}
        for source, rows in ((PUBLISHED, dict.fromkeys(measures, theirs)), (RUN, sound))
    ]
    values = {"lowest": lowest}
    return Verdict("H2", Kind.PUBLISHED, RULE_PUBLISHED, None, name="published", values=values)


def _lowest(rows: pd.DataFrame, measure: str) -> dict[str, str]:
    """The domain with the lowest value, for each model in which two can be compared: one alone is not the lowest."""
    wide = rows.pivot(index="model", columns="domain", values=measure)
    return {str(model): str(row.idxmin()) for model, row in wide.iterrows() if row.notna().sum() > 1}


def plugin_meta_i2r_at(nR_S1: ArrayLike, nR_S2: ArrayLike, accuracy: float) -> FloatArray:
    """Plug-in meta-I2r at a common accuracy, for tables of shape ``(..., L)``; NaN where a class is empty.

    Raises
    ------
    InputError
        If the accuracy does not lie between 0 and 1.
    """
    if not 0 < accuracy < 1:
        raise InputError(f"the common accuracy must lie between 0 and 1, got {accuracy}")
    wrong, right = as_tables(nR_S1, nR_S2)
    n0, n1 = (x.sum(axis=-1, keepdims=True) for x in (wrong, right))
    with np.errstate(invalid="ignore", divide="ignore"):
        mixed = np.nan_to_num((1 - accuracy) * wrong / n0), np.nan_to_num(accuracy * right / n1)
    both = (n0[..., 0] > 0) & (n1[..., 0] > 0)
    return np.where(both, plugin_meta_i2r(*mixed), np.nan)


def meta_i2r_at(nR_S1: ArrayLike, nR_S2: ArrayLike, accuracy: float) -> FloatArray:
    """meta-I2r at a common accuracy, less its jackknife bias, for tables of shape ``(..., L)``.

    Notes
    -----
    The classes are independent samples here, so each is jackknifed by itself: the bias is the sum over
    classes of (n_c - 1)(mean leave-one-out value - plug-in). NaN with under two trials of a class.
    """
    wrong, right = as_tables(nR_S1, nR_S2)
    plain = plugin_meta_i2r_at(wrong, right, accuracy)
    eye = np.eye(wrong.shape[-1])
    bias = np.zeros(plain.shape)
    for which, counts in enumerate((wrong, right)):
        n = counts.sum(axis=-1)
        less = np.maximum(counts[..., None, :] - eye, 0.0)
        other = np.broadcast_to((right, wrong)[which][..., None, :], less.shape)
        first, second = (less, other) if which == 0 else (other, less)
        leave = plugin_meta_i2r_at(first, second, accuracy)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.nansum(np.where(counts > 0, counts * leave, 0.0), axis=-1) / n
            bias = bias + np.where(n > 1, (n - 1) * (mean - plain), np.nan)
    return np.asarray(plain - bias)


def meta_i2r_at_se(nR_S1: ArrayLike, nR_S2: ArrayLike, accuracy: float) -> FloatArray:
    """Standard error of the plug-in meta-I2r at a common accuracy, by the delta method; NaN where a class is empty.

    Of the two classes, which are independent samples: sd of log(p(r | class)/p(r)) over trials, times its share.
    """
    of_class = []
    with np.errstate(invalid="ignore", divide="ignore"):
        given = [x / x.sum(axis=-1, keepdims=True) for x in as_tables(nR_S1, nR_S2)]
        mixed = (1 - accuracy) * given[0] + accuracy * given[1]
        for share, counts, p in zip((1 - accuracy, accuracy), as_tables(nR_S1, nR_S2), given, strict=True):
            logs = np.log2(np.where(p > 0, p, 1.0) / np.where(p > 0, mixed, 1.0))
            variance = (p * logs**2).sum(axis=-1) - (p * logs).sum(axis=-1) ** 2
            of_class.append(share**2 * np.maximum(variance, 0.0) / counts.sum(axis=-1))
    return np.asarray(np.sqrt(sum(of_class)) / binary_entropy(accuracy))


def meta_i2r_over_accuracy(d_a: float, accuracies: ArrayLike, *, n_levels: int = 8) -> FloatArray:
    """meta-I2r of equal-variance Gaussian confidence of one d_a at several accuracies.

    The population is :func:`.populations.confidence_population`: ratings are equally frequent.
    """
    found = []
    for accuracy in np.atleast_1d(np.asarray(accuracies, dtype=np.float64)):
        population = confidence_population(d_a, accuracy=float(accuracy), n_ratings=n_levels)
        found.append(float(plugin_meta_i2r(population.s1, population.s2)))
    return np.array(found)


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
class H2Estimates:
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


def h2_estimates(
    rated: Rated,
    *,
    domains: Sequence[str] = (),
    n_resamples: int = 10_000,
    seed: int = 42,
    verdicts: bool = True,
) -> H2Estimates:
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
    return H2Estimates(table, pairs, by_accuracy(cells), found)


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
    """meta-I2r at an accuracy of its own (an :data:`metacog.measures.cell.Estimator`).

    Its draws are studentised, as those of meta-I2r are: moved to the estimate, whose bias the jackknife took off, they
    find too many differences between cells of 50 right and 50 wrong answers (``verdict_level.csv``).
    """

    accuracy: float

    def __call__(self, cell: Cell, weights: FloatArray) -> Measured:
        """Estimates of the cell and of its resamples; none where all are right or all wrong."""
        if not 0 < self.accuracy < 1:
            return Measured.drawn()
        tables = rating_tables(cell, weights)
        value = float(meta_i2r_at(*tables_of(cell), self.accuracy))
        drawn, errors = (of(*tables, self.accuracy) for of in (plugin_meta_i2r_at, meta_i2r_at_se))
        draws = studentised(drawn[1:], errors[1:], value, float(errors[0]))
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


# H2: does M-ratio differ between domains? What is computed.

#: Half the width of a 95 % interval in standard errors.
Z95 = bonferroni_z(m=1)
#: Columns of the comparison with the published models.
COMPARED = ["model", "domain", "m_ratio", "auroc2", "auroc2_lower", "auroc2_upper", "meta_i2r"]


@dataclass(frozen=True)
class H2:
    """H2: tables as in :class:`metacog.studies.study1_qa.h2.H2Estimates`.

    ``printed_apart`` names the paper's models in which two domains differ in AUROC2 (:func:`printed_apart`), of
    ``printed_models``.
    """

    domains: pd.DataFrame
    pairs: pd.DataFrame
    by_accuracy: pd.DataFrame
    comparison: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    n_pairs: int
    flagged: int
    printed_apart: tuple[str, ...]
    printed_models: int


@analysis(needs=("open",), returns=H2, files=PUBLISHED_FILES)
def h2(
    inputs: Inputs,
    *,
    domains: Sequence[str] = (),
    n_resamples: int = 10_000,
    seed: int = 42,
    verdicts: bool = True,
) -> H2:
    """Does M-ratio differ between domains?"""
    run = h2_estimates(
        rated_primary(inputs), domains=domains, n_resamples=n_resamples, seed=seed, verdicts=verdicts
    )
    theirs = published_domains()
    parts = {cells.PUBLISHED: theirs[COMPARED], cells.RUN: run.table[[*COMPARED, "flag"]]}
    ratio = run.pairs[run.pairs["measure"] == "m_ratio"]
    return H2(
        run.table,
        run.pairs,
        run.by_accuracy,
        cells.stacked(**parts),
        (*run.verdicts, compare(theirs, run.table)) if verdicts else (),
        len(ratio),
        int(ratio["flagged"].sum()),
        printed_apart(theirs),
        theirs["model"].nunique(),
    )


def printed_apart(printed: pd.DataFrame) -> tuple[str, ...]:
    """Models in which two domains differ in AUROC2 by their printed 95 % intervals, after Holm over all pairs.

    Parameters
    ----------
    printed : DataFrame
        ``model, auroc2, auroc2_lower, auroc2_upper``, one row a domain; domains have questions of their own, so their
        estimates are independent, and an interval is read as 1.96 standard errors to either side.
    """
    models, p = [], []
    for model, rows in printed.groupby("model", sort=False):
        errors = (rows["auroc2_upper"] - rows["auroc2_lower"]) / (2 * Z95)
        for a, b in combinations(range(len(rows)), 2):
            apart = rows["auroc2"].iloc[a] - rows["auroc2"].iloc[b]
            models.append(str(model))
            p.append(z_test(float(apart), float(np.hypot(errors.iloc[a], errors.iloc[b]))).p_value)
    differ = adjust_p(p) < 0.05
    return tuple(dict.fromkeys(model for model, one in zip(models, differ, strict=True) if one))


def published_domains() -> pd.DataFrame:
    """M-ratio, AUROC2 with its interval and meta-I2r by domain as printed: their counts by rating are not public."""
    printed = as_numbers("v2_domain").rename(columns={"a_lower": "auroc2_lower", "a_upper": "auroc2_upper"})
    information = printed[["model", "domain", "meta_i2r", "auroc2", "auroc2_lower", "auroc2_upper"]]
    return as_numbers("v1_table6_domain_m_ratio").merge(information, on=["model", "domain"])
