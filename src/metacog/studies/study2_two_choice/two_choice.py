"""Do the models know when they are right? The published decisions with confidence.

No cell is padded. Stimuli were given, so tables are resampled within each of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from metacog.core.frames import rows_of
from metacog.ledger.entry import Status
from metacog.measures.posterior import (
    SamplingQuality,
    group_table,
    posterior_table,
    predictive_points,
    predictive_table,
    sampling_quality,
)
from metacog.sdt import fit_meta_d, meta_information_from_counts, type2_table
from metacog.sdt.bayes import BayesFit, GroupFit, fit_bayes, fit_group, predict_roc
from metacog.sdt.bootstrap import MetaDBootstrap, bootstrap_meta_d_many
from metacog.sdt.decisions import bonferroni_z
from metacog.sdt.information_bits import normal_meta_information, plugin_meta_i, rated_meta_information
from metacog.sdt.meta_d import MetaDFit
from metacog.sdt.simulate import MetaDObserver
from metacog.sdt.type1 import type1
from metacog.sdt.type2 import auroc2_interval_from_counts
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import cells, paper
from metacog.studies.study2_two_choice.cells import by_confidence, m_ratio_contrasts, model_contrasts
from metacog.studies.study2_two_choice.ledger import chains, claims
from metacog.studies.study2_two_choice.ledger.chains import printed_figures
from metacog.studies.study2_two_choice.ledger.claims import with_names
from metacog.studies.study2_two_choice.ledger.entries import judged_s1
from metacog.studies.study2_two_choice.paper import CONFIDENCE, Ratings

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Fitted:
    """The nine cells, fitted.

    Attributes
    ----------
    table : DataFrame
        One row per cell: ``task, model, n, accuracy``; ``d_prime, meta_d, m_ratio`` with ``_lower`` and
        ``_upper`` of the bootstrap; ``d_prime_se`` and ``c, c_lower, c_upper`` by the delta method;
        ``auroc2`` with limits; ``meta_i`` in bits and ``meta_i1r, meta_i2r, rmi``; what meta-I1r would be of an ideal
        observer who gives each level as often (``i1r_levels``), and of the fitted model of the M-ratio
        (``i1r_fitted``); ``empty`` (ratings that no trial has), ``dropped`` (resamples without an M-ratio).
    draws : mapping of (task, model) to array
        Bootstrap draws of M-ratio.
    """

    table: pd.DataFrame
    draws: Mapping[tuple[str, str], NDArray[np.float64]]

    @property
    def estimates(self) -> dict[tuple[str, str], float]:
        """M-ratio of each cell."""
        return {(r.task, r.model): float(r.m_ratio) for r in rows_of(self.table)}


def fitted_ratings(n_resamples: int, seed: int) -> Fitted:
    """Fit the published tables and bootstrap them."""
    cells = paper.rating_cells()
    many = bootstrap_meta_d_many(
        np.stack([c.nR_S1 for c in cells]),
        np.stack([c.nR_S2 for c in cells]),
        n_resamples=n_resamples,
        seed=seed,
        pad=0.0,
        scheme="stratified",
    )
    rows = [_row(cell, boot) for cell, boot in zip(cells, many, strict=True)]
    draws = {(cell.task, cell.model): boot.m_ratio for cell, boot in zip(cells, many, strict=True)}
    return Fitted(pd.DataFrame(rows), draws)


def _row(cell: Ratings, boot: MetaDBootstrap) -> dict[str, object]:
    one = type1(cell.nR_S1, cell.nR_S2)
    wrong, right = type2_table(cell.nR_S1, cell.nR_S2)
    area = auroc2_interval_from_counts(wrong, right)
    info = meta_information_from_counts(wrong, right, correction="exact", d_prime=one.d_prime)
    ideal = float(normal_meta_information(one.d_prime))
    ends = {"d_prime": boot.ci_d_prime, "meta_d": boot.ci_meta_d, "m_ratio": boot.ci_m_ratio}
    found: dict[str, object] = {
        "task": cell.task,
        "model": cell.model,
        "n": int(one.n_S1 + one.n_S2),
        "accuracy": info.accuracy,
    }
    for name, (low, high) in ends.items():
        found |= {name: getattr(boot.estimate, name), f"{name}_lower": low, f"{name}_upper": high}
    return found | {
        "d_prime_se": one.half_width("d_prime", z=1.0),
        "c": one.c,
        "c_lower": one.c - one.half_width("c"),
        "c_upper": one.c + one.half_width("c"),
        "auroc2": area.estimate,
        "auroc2_lower": area.lower,
        "auroc2_upper": area.upper,
        "meta_i": info.meta_i,
        "meta_i1r": info.meta_i1r,
        "i1r_levels": rated_meta_information(one.d_prime, wrong + right) / ideal,
        "i1r_fitted": _bits_of_fit(boot.estimate, one.n_S2 / (one.n_S1 + one.n_S2)) / ideal,
        "meta_i2r": info.meta_i2r,
        "rmi": info.rmi,
        "empty": int(((cell.nR_S1 + cell.nR_S2) == 0).sum()),
        "dropped": boot.n_resamples - boot.n_valid,
    }


def _bits_of_fit(fit: MetaDFit, base_rate: float) -> float:
    """meta-I in bits of the ratings that a fitted model of meta-d' makes; cuts of unused levels are told apart."""
    apart = 1e-9 * np.arange(1, len(fit.t2_criteria_rS1) + 1)
    low, high = np.array(fit.t2_criteria_rS1) - apart[::-1], np.array(fit.t2_criteria_rS2) + apart
    made = MetaDObserver(fit.d_prime, fit.meta_d, fit.c, tuple(low), tuple(high))
    s1, s2 = made.probabilities()
    return float(plugin_meta_i(*type2_table((1 - base_rate) * s1, base_rate * s2)))


def with_published(table: pd.DataFrame) -> pd.DataFrame:
    """Our estimates and the published posterior means of table S1.

    ``off`` is the published d' minus that of the counts, in standard errors of the latter;
    ``ratio_published`` is the published meta-d' over the published d'.
    """
    wide = paper.as_numbers("tableS1").pivot(index=["task", "model"], columns="measure", values="estimate")
    wide = wide.add_suffix("_published").reset_index()
    both = table.merge(wide, on=["task", "model"], validate="one_to_one")
    return both.assign(
        off=(both["d_prime_published"] - both["d_prime"]) / both["d_prime_se"],
        ratio_published=both["meta_d_published"] / both["d_prime_published"],
    )


def confidence_given() -> pd.DataFrame:
    """Share of each confidence among right and among wrong answers (the paper's figure S1)."""
    rows = []
    for cell in paper.rating_cells():
        for correct, counts in zip((False, True), type2_table(cell.nR_S1, cell.nR_S2), strict=True):
            for level, n in zip(CONFIDENCE, counts, strict=True):
                share = float(n / counts.sum())
                rows.append(
                    {
                        "task": cell.task,
                        "model": cell.model,
                        "correct": correct,
                        "confidence": level,
                        "n": int(n),
                        "share": share,
                    }
                )
    return pd.DataFrame(rows)


# Do the models know when they are right? The published decisions with confidence, in nine cells.


@dataclass(frozen=True)
class TwoChoice:
    """Measures of the nine cells and their comparisons.

    ``cells`` is :class:`.ratings.Fitted`'s table with the published table S1, ``ratios`` the differences of
    log M-ratio (bootstrap) and ``sensitivity`` those of d' between models (delta method), ``accuracy`` right
    answers by confidence, ``given`` confidence given right and wrong answers. Levels of confidence with
    fewer than ``fewest`` trials are not shown.
    """

    cells: pd.DataFrame
    ratios: pd.DataFrame
    sensitivity: pd.DataFrame
    accuracy: pd.DataFrame
    given: pd.DataFrame
    resamples: int
    fewest: int
    trials: int


@analysis(returns=TwoChoice, files=paper.FILES)
def two_choice(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, fewest: int = 20) -> TwoChoice:
    """Do the models know when they are right?"""
    fitted = fitted_ratings(n_resamples, seed)
    return TwoChoice(
        cells=with_names(with_published(fitted.table)),
        ratios=with_names(m_ratio_contrasts(fitted.draws, fitted.estimates)),
        sensitivity=with_names(model_contrasts(fitted.table)),
        accuracy=with_names(by_confidence(paper.rating_cells(), fewest)),
        given=with_names(confidence_given()),
        resamples=n_resamples,
        fewest=fewest,
        trials=int(fitted.table["n"].sum()),
    )


# Posteriors of the nine published tables, compared with maximum likelihood and the published table S1.

#: What table S1 reports.
MEASURES = ("d_prime", "meta_d", "m_ratio")
#: Published figures of each: a mean and two ends.
FIGURES = 3

Row = dict[str, Any]


def posterior_labels() -> pd.DataFrame:
    """Task and model of the nine tables, in the order they are fitted in."""
    cells = paper.rating_cells()
    return pd.DataFrame({"task": [c.task for c in cells], "model": [c.model for c in cells]})


def fitted(n_draws: int, n_warmup: int, seed: int) -> BayesFit:
    """The nine tables as one batch of four chains each."""
    return fit_bayes(*_counts(), n_draws=n_draws, n_warmup=n_warmup, seed=seed)


def grouped(n_draws: int, n_warmup: int, seed: int) -> GroupFit:
    """The hierarchical model: log M-ratio is normal over models, who are measured on three tasks."""
    one = posterior_labels()
    return fit_group(
        *_counts(),
        subject=list(one["model"]),
        condition=list(one["task"]),
        n_draws=n_draws,
        n_warmup=n_warmup,
        seed=seed,
    )


def _counts() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    cells = paper.rating_cells()
    return np.stack([c.nR_S1 for c in cells]), np.stack([c.nR_S2 for c in cells])


def cells_of(fit: BayesFit) -> pd.DataFrame:
    """:func:`metacog.measures.posterior.posterior_table` of the nine tables."""
    return posterior_table(fit, posterior_labels(), rope=cells.ROPE["m_ratio"])


def draws_of(fit: BayesFit) -> dict[tuple[str, str], NDArray[np.float64]]:
    """Draws of M-ratio by task and model."""
    return {
        (row.task, row.model): draws.ravel()
        for row, draws in zip(rows_of(posterior_labels()), fit.draws("m_ratio"), strict=True)
    }


def contrasts(fit: BayesFit) -> pd.DataFrame:
    """:func:`.comparisons.m_ratio_contrasts` of the posterior."""
    draws = draws_of(fit)
    return cells.m_ratio_contrasts(draws, {key: float(x.mean()) for key, x in draws.items()})


def compared_posteriors(cells: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """Maximum likelihood, posterior and published figure: one row per task, model and measure.

    Parameters
    ----------
    cells : DataFrame
        As :func:`cells_of` gives it.
    judged : DataFrame
        What the ledger says of each published figure: ``task, model, measure, column, status``.

    Returns
    -------
    DataFrame
        ``task, model, measure``; ``ml``; ``bayes, published``, each with ``_lower`` and ``_upper``; ``off``,
        posterior minus published mean; ``off_ends``, the larger absolute difference of the ends; ``matches``,
        how many of mean and ends the ledger calls a match, and ``reproduced``, whether all three.
    """
    theirs = {(r.task, r.model, r.measure): r for r in rows_of(paper.as_numbers("tableS1"))}
    ours = cells.set_index(["task", "model"]).to_dict("index")
    rows = []
    for cell in paper.rating_cells():
        fit, one = fit_meta_d(cell.nR_S1, cell.nR_S2), ours[cell.task, cell.model]
        for measure in MEASURES:
            figure = theirs[cell.task, cell.model, measure]
            rows.append(
                {
                    "task": cell.task,
                    "model": cell.model,
                    "measure": measure,
                    "ml": getattr(fit, measure),
                    **{f"bayes{end}": one[f"{measure}{end}"] for end in ("", "_lower", "_upper")},
                    "published": figure.estimate,
                    "published_lower": figure.lower,
                    "published_upper": figure.upper,
                }
            )
    both = pd.DataFrame(rows)
    lower, upper = ((both[f"bayes_{end}"] - both[f"published_{end}"]).abs() for end in ("lower", "upper"))
    met = judged["status"].eq(Status.MATCH).groupby([judged[c] for c in ("task", "model", "measure")]).sum()
    places = pd.MultiIndex.from_frame(both[["task", "model", "measure"]])
    matches = met.reindex(places).to_numpy(dtype=np.int64)
    return both.assign(
        off=both["bayes"] - both["published"],
        off_ends=np.maximum(lower, upper),
        matches=matches,
        reproduced=matches == FIGURES,
    )


def evidence(both: pd.DataFrame, fit: BayesFit) -> pd.DataFrame:
    """What the counts and the published row say where a published d' is not reproduced: one row per cell.

    Parameters
    ----------
    both : DataFrame
        As :func:`compared` gives it.
    fit : BayesFit
        Of the nine tables.

    Returns
    -------
    DataFrame
        ``task, model``; ``d_prime`` of the counts, ``bayes``, ``published, published_lower,
        published_upper``; ``draws`` and those at least as ``extreme`` as the published mean; ``answers`` and
        those that would have to be ``different`` for it; of the published row ``ratio`` (meta-d'/d'),
        ``m_ratio`` and ``meta_d``, and whether that is ``meta_d_inside`` our
        interval; ``chains``, the mean of chains like the paper's, ``share`` of the way from the posterior
        mean to the published one that it covers, and whether the chains are ``too_short`` to forget their
        start.
    """
    off = both[(both["measure"] == "d_prime") & ~both["reproduced"]]
    wide = both.set_index(["task", "model", "measure"]).to_dict("index")
    rows = [_evidence(*key, wide, fit) for key in zip(off["task"], off["model"], strict=True)]
    return pd.DataFrame(rows)


def _evidence(task: str, model: str, wide: Mapping[Hashable, Mapping[Hashable, Any]], fit: BayesFit) -> Row:
    d, meta_d, m_ratio = (wide[task, model, measure] for measure in MEASURES)
    place = [(c.task, c.model) for c in paper.rating_cells()].index((task, model))
    cell, draws = paper.rating_cells()[place], fit.draws("d_prime")[place]
    one = type1(cell.nR_S1, cell.nR_S2)
    extreme = draws <= d["published"] if d["published"] < d["bayes"] else draws >= d["published"]
    return {
        "task": task,
        "model": model,
        "d_prime": one.d_prime,
        **{name: d[name] for name in ("bayes", "published", "published_lower", "published_upper")},
        "draws": int(draws.size),
        "extreme": int(extreme.sum()),
        "answers": int(cell.nR_S1.sum() + cell.nR_S2.sum()),
        "different": _moved(one.d_prime, one.c, d["published"], cell.nR_S1.sum(), cell.nR_S2.sum()),
        "ratio": meta_d["published"] / d["published"],
        "m_ratio": m_ratio["published"],
        "meta_d": meta_d["published"],
        "meta_d_inside": bool(meta_d["bayes_lower"] <= meta_d["published"] <= meta_d["bayes_upper"]),
        **sampler(task, model, d["bayes"], d["published"]),
    }


def sampler(task: str, model: str, ours: float, theirs: float) -> Row:
    """Whether chains like the paper's, which may not have forgotten their start, lie towards its figure."""
    chains = printed_figures()[task, model, "d_prime", "estimate"]
    moved = chains.mean - ours
    share = moved / (theirs - ours)
    beyond_chance = abs(moved) > bonferroni_z(m=len(posterior_labels())) * chains.spread
    return {"chains": chains.mean, "share": share, "too_short": bool(share > 0 and beyond_chance)}


def _moved(d_prime: float, c: float, wanted: float, n_s1: int, n_s2: int) -> float:
    """Answers that would have to be different for another d' at the same c."""
    hits = abs(norm.cdf(d_prime / 2 - c) - norm.cdf(wanted / 2 - c)) * n_s2
    return float(hits + abs(norm.cdf(-d_prime / 2 - c) - norm.cdf(-wanted / 2 - c)) * n_s1)


def drawn_towards(fit: GroupFit) -> pd.DataFrame:
    """Each cell's M-ratio under the hierarchical model: ``task, model``, ``m_ratio`` with its limits."""
    one = fit.table_m_ratio
    return posterior_labels().assign(m_ratio=one.estimate, m_ratio_lower=one.lower, m_ratio_upper=one.upper)


# Posteriors of the published tables, as the paper reports them: of each cell, and of the group.


@dataclass(frozen=True)
class Posterior:
    """Posteriors of the nine cells.

    ``cells`` is :func:`.posteriors.cells_of`, ``compared`` maximum likelihood, posterior and published
    figures, ``evidence`` what speaks for and against a published d' that is not reproduced, ``ratios`` the
    differences of log M-ratio and ``published_verdicts`` the paper's verdicts on them; ``points`` and
    ``predictive`` check whether the model makes such ratings.
    """

    cells: pd.DataFrame
    compared: pd.DataFrame
    evidence: pd.DataFrame
    ratios: pd.DataFrame
    published_verdicts: pd.DataFrame
    points: pd.DataFrame
    predictive: pd.DataFrame
    sampling: SamplingQuality
    draws: int


@analysis(returns=Posterior, files=(*paper.FILES, chains.TABLE))
def posterior(inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42) -> Posterior:
    """What does the paper's Bayesian model say of its nine cells?"""
    fit = fitted(n_draws, n_warmup, seed)
    cells, ratios = cells_of(fit), contrasts(fit)
    compared = compared_posteriors(cells, judged_s1(SimpleNamespace(cells=cells, ratios=ratios)))
    n_draws_in_all = int(fit.posterior[0, ..., 0].size)
    check = predict_roc(fit, n_replicates=min(1_000, n_draws_in_all), seed=seed)
    labels = claims.with_names(posterior_labels())
    return Posterior(
        cells=claims.with_names(cells),
        compared=claims.with_names(compared),
        evidence=claims.with_names(evidence(compared, fit)),
        ratios=claims.with_names(ratios),
        published_verdicts=claims.with_names(claims.with_claims(ratios)),
        points=predictive_points(check, labels),
        predictive=predictive_table(check, labels),
        sampling=sampling_quality(fit),
        draws=n_draws_in_all,
    )


@dataclass(frozen=True)
class Group:
    """The hierarchical model: the group's M-ratio on each task, and each cell drawn towards it."""

    groups: pd.DataFrame
    cells: pd.DataFrame
    sampling: SamplingQuality


@analysis(returns=Group, files=paper.FILES)
def posterior_group(inputs: Inputs, *, n_draws: int = 1_000, n_warmup: int = 1_000, seed: int = 42) -> Group:
    """What do the three models have in common on each task?"""
    fit = grouped(n_draws, n_warmup, seed)
    cells = claims.with_names(drawn_towards(fit))
    return Group(group_table(fit), cells, sampling_quality(fit))
