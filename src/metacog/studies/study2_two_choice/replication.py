"""The same experiments on the models of the run: models compared within a task, and tasks within a model.

A cell is resampled over all sentences that its task was asked about. Models that were asked the same sentences have
the same resamples, so their differences are paired; the sentences of two tasks differ, so tasks are resampled
independently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.special import ndtri

from metacog.collect.jobs import manifests
from metacog.collect.manifest import run_facts
from metacog.collect.models import labels_of
from metacog.collect.plan import settings_of
from metacog.core.frames import rows_of, typed_rows
from metacog.measures.cell import Cell, Flag, FloatArray, whole_and_resamples
from metacog.measures.estimates import Measured, measure
from metacog.measures.pairs import family_table, together
from metacog.measures.posterior import SamplingQuality, posterior_table, sampling_quality, without_tables
from metacog.sdt import fit_meta_d_batch
from metacog.sdt.bayes import fit_bayes
from metacog.sdt.bootstrap import padding
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import cells as cells_page
from metacog.studies.study2_two_choice import replication_ratings as replication_ratings_page
from metacog.studies.study2_two_choice.cells import by_confidence, decision_cells
from metacog.studies.study2_two_choice.paper import RISKS
from metacog.studies.study2_two_choice.replication_ratings import (
    PAD,
    K,
    groups,
    of_both,
    requests,
    with_labels,
)
from metacog.studies.study2_two_choice.settings import Settings
from metacog.verdicts.rules import judged, shown
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# Decisions under risk of the models of the run: counts and cells.

#: The three configurations, for readers.
WARNED = {
    "S1": "warned of the first answer",
    "None": "no warning",
    "S2": "warned of the second answer",
}


def decision_counts(trials: pd.DataFrame) -> pd.DataFrame:
    """Hits, misses, false alarms and correct rejections of usable trials.

    Returns
    -------
    DataFrame
        One row per task, model and risk configuration with trials of both stimuli: ``task, model, risk, hits,
        misses, false_alarms, correct_rejections, total``.
    """
    rows = []
    for task, model, part in groups(trials):
        for risk in RISKS:
            under = part[part["risk"] == risk]
            table = pd.crosstab(under["stimulus"], under["response"]).reindex(
                index=[0, 1], columns=[0, 1], fill_value=0
            )
            (rejections, alarms), (misses, hits) = table.to_numpy().tolist()
            if rejections + alarms and misses + hits:
                rows.append((task, model, risk, hits, misses, alarms, rejections, len(under)))
    counted = ("hits", "misses", "false_alarms", "correct_rejections", "total")
    types = {**dict.fromkeys(("task", "model", "risk"), "str"), **dict.fromkeys(counted, "int64")}
    return typed_rows([dict(zip(types, row, strict=True)) for row in rows], types)


def decided(counts: pd.DataFrame) -> pd.DataFrame:
    """:func:`.decisions.decision_cells` with half a trial in each outcome, and what that determines.

    Returns
    -------
    DataFrame
        With ``padded``: whether d' is determined by what is added (:mod:`metacog.sdt.bootstrap`). Its
        half-widths, and those of c and c', are NaN then.
    """
    cells = decision_cells(counts, "loglinear")
    s1, s2 = (
        counts[list(names)].to_numpy(np.float64)
        for names in (("correct_rejections", "false_alarms"), ("misses", "hits"))
    )
    made = padding(s1, s2).sensitive if len(counts) else np.zeros(0, dtype=bool)
    halves = [f"{name}_half" for name in ("d_prime", "c", "c_prime")]
    return cells.assign(padded=made, **{name: cells[name].mask(made) for name in halves})


def with_ends(cells: pd.DataFrame) -> pd.DataFrame:
    """The same rows with the ends of the interval of c, and with ``warned``: what was punished, in words."""
    ends = {f"c_{end}": cells["c"] + k * cells["c_half"] for end, k in (("lower", -1), ("upper", 1))}
    return cells.assign(**ends, warned=cells["risk"].map(WARNED).astype("str"))


#: What is compared, as readers know it.
QUANTITIES = {
    "accuracy": "accuracy",
    "d_prime": "d'",
    "m_ratio": "M-ratio",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
}
#: Those that are judged by a rule: the study's own measure, and the one that assumes nothing of the evidence.
JUDGED = ("m_ratio", "auroc2")
#: Those that are about confidence, and not about decisions alone.
OF_CONFIDENCE = ("m_ratio", "auroc2", "meta_i2r")
#: With one of these confidence is not compared: the floors of every chapter (:mod:`metacog.measures.cell`).
FLOORS = {Flag.FEW_TRIALS, Flag.ONE_CLASS, Flag.CONSTANT, Flag.FEW_OF_A_CLASS, Flag.FEW_QUESTIONS}
#: A quantity is undefined if more than this share of its resamples is.
MOST_LOST = 0.1

#: Cells by task and model.
Cells = Mapping[tuple[str, str], Measured]


def measured(trials: pd.DataFrame, n_resamples: int, seed: int) -> Cells:
    """Every cell that was asked; what cannot be judged has no value, and says why.

    Parameters
    ----------
    trials : DataFrame
        Decisions with confidence.
    n_resamples, seed : int
    """
    fitted = replication_ratings_page.fitted(replication_ratings_page.rating_cells(trials), 0, seed)
    known = fitted.assign(why=replication_ratings_page.unjudged(fitted))
    lacking = {(r.task, r.model): r.why for r in rows_of(replication_ratings_page.unfitted(trials, fitted))}
    sentences = {str(task): np.unique(ids) for task, ids in trials.groupby("task")["question_id"]}
    found = {cell: Measured({}, {}, (), {}, dict.fromkeys(QUANTITIES, why)) for cell, why in lacking.items()}
    for task, model, part in groups(trials):
        place = np.searchsorted(sentences[task], part["question_id"])
        rating, side = part["rating"].to_numpy(np.int64), part["response"].to_numpy()
        column = np.where(side == 1, K + rating - 1, K - rating) + 2 * K * part["stimulus"].to_numpy()
        size = sentences[task].size
        cell = Cell(
            part["correct"].to_numpy(bool),
            rating.astype(float),
            rating - 1,
            K,
            np.full(len(part), np.nan),
            place.astype(np.int64),
            questions=tuple((task, str(one)) for one in sentences[task]),
        )
        made = measure(cell, n_resamples=n_resamples, n_permutations=1, seed=seed)  # no p of one cell is used
        per_sentence = sparse.csr_array((np.ones(len(part)), (place, column)), shape=(size, 4 * K))
        weights = whole_and_resamples(cell, n_resamples, seed)
        rows = known[(known["task"] == task) & (known["model"] == model)]
        row = rows.iloc[0] if len(rows) else None
        fit = row is not None and not row["why"]
        made = with_ratio(made, (per_sentence.T @ weights.T).T, fit)
        found[task, model] = floored(made, row, lacking.get((task, model), ""))
    return found


def with_ratio(made: Measured, counts: FloatArray, fit: bool) -> Measured:
    """Measures of a cell with d', and M-ratio where it is to be fitted, with 1/(2K) added to every count.

    Parameters
    ----------
    made : Measured
    counts : array, shape ``(1 + n_resamples, 4 K)``
        S1's, then S2's: of the cell itself, and of each resample.
    fit : bool
        Not where the M-ratio cannot be judged: near chance fits are slow.
    """
    s1, s2 = counts[:, : 2 * K] + PAD, counts[:, 2 * K :] + PAD
    z_false, z_hit = (ndtri(side[:, K:].sum(axis=1) / side.sum(axis=1)) for side in (s1, s2))
    drawn = {"d_prime": z_hit - z_false}
    if fit:
        fits = fit_meta_d_batch(s1, s2, undefined="flag")
        drawn["m_ratio"] = np.where(fits.converged, fits.m_ratio, np.nan)
    values = {name: float(one[0]) for name, one in drawn.items()}
    draws = {name: one[1:] for name, one in drawn.items()}
    return replace(made, values={**made.values, **values}, draws={**made.draws, **draws})


def floored(made: Measured, row: pd.Series | None, lacking: str = "") -> Measured:
    """Measures without those that cannot be judged, and the reasons.

    Decisions need enough trials; confidence needs both right and wrong ones, and different ratings. A cell without
    a ``row`` of :func:`.ratings.fitted` is ``lacking`` something for which it has no table of ratings.
    """
    flags = {remark.flag: remark.text.partition(":")[0] for remark in made.remarks if remark.flag in FLOORS}
    few = next(iter(flags.values()), "")
    why = dict.fromkeys(OF_CONFIDENCE, few) if few else {}
    if row is None or Flag.FEW_TRIALS in flags:
        why |= dict.fromkeys(QUANTITIES, lacking or few)
    elif row["why"]:
        why |= {"m_ratio": row["why"]} | ({"d_prime": row["why"]} if row["padded"] else {})
    for name in set(QUANTITIES) - set(why):
        if not made.defined(name) or np.isnan(made.draws.get(name, np.full(1, np.nan))).mean() > MOST_LOST:
            why[name] = "undefined, or in too many resamples"
    return replace(made, values={k: v for k, v in made.values.items() if k not in why}, why=why)


def compared(cells: Cells, labels: Mapping[str, str], n_sentences: float = np.inf) -> pd.DataFrame:
    """Differences of every pair, first minus second, judged as one family per quantity and kind.

    Parameters
    ----------
    cells : mapping
    labels : mapping
        How models are called.
    n_sentences : float
        Fewest sentences of a task.

    Returns
    -------
    DataFrame
        ``kind`` (``models`` within a task, ``tasks`` within a model), ``within`` (the task or the model, for
        readers), ``quantity, first, second, value_first, value_second, difference``; ``lower`` and ``upper`` hold
        for all pairs of a family together, ``p_holm`` is adjusted over them, ``differs`` whether it is below .05;
        ``why`` a pair is not judged.
    """
    parts = []
    ordered = sorted(cells, key=lambda cell: (cell[0], list(labels).index(cell[1])))
    for shared, kind in enumerate(("models", "tasks")):
        pairs = [(a, b) for a, b in combinations(ordered, 2) if a[shared] == b[shared]]
        names = {cell: (f"task {cell[0]}", labels[cell[1]]) for cell in cells}
        sides = [(names[a][1 - shared], names[b][1 - shared]) for a, b in pairs]
        for quantity in QUANTITIES:
            # tasks have sentences of their own
            both = [together(cells[a], cells[b], quantity, paired=kind == "models") for a, b in pairs]
            rows = family_table(quantity, sides, both, n_units=n_sentences)
            parts.append(
                rows.assign(
                    kind=kind,
                    within=[names[a][shared] for a, _ in pairs],
                    value_first=[cells[a].values.get(quantity, np.nan) for a, _ in pairs],
                    value_second=[cells[b].values.get(quantity, np.nan) for _, b in pairs],
                    why=[
                        _why(
                            {
                                name: cells[cell].why.get(quantity, "")
                                for name, cell in zip(side, pair, strict=True)
                            }
                        )
                        for side, pair in zip(sides, pairs, strict=True)
                    ],
                )
            )
    return pd.concat(parts, ignore_index=True)


def _why(reasons: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {why}" for name, why in reasons.items() if why)


def judge_compared(pairs: pd.DataFrame) -> tuple[Verdict, ...]:
    """Whether any two models, and any two tasks, differ in what the study measures."""
    return tuple(
        _verdict(kind, QUANTITIES[quantity], pairs[(pairs["kind"] == kind) & (pairs["quantity"] == quantity)])
        for kind in ("models", "tasks")
        for quantity in JUDGED
    )


def _verdict(kind: str, quantity: str, pairs: pd.DataFrame) -> Verdict:
    columns = ["first", "second", "within", "difference", "lower", "upper", "differs"]
    units = [
        shown(f"{r.first} and {r.second} ({r.within})", r.differs, np.isfinite(r.p_holm), r.why)
        for r in rows_of(pairs)
    ]
    return judged(
        units,
        kind,
        Kind.EXPLORATORY,
        f"At least one pair of {kind} differs in {quantity} (p below .05 after Holm over all pairs); a pair that is "
        "not shown to differ stays open.",
        name="compared",
        k=1,
        topic=kind,
        quantity=quantity,
        pairs=pairs.loc[pairs["p_holm"].notna(), columns],
    )


@dataclass(frozen=True)
class Asked:
    """What was put to the models of the run, and what of it can be used.

    ``settings`` say how it was asked, ``requests`` has the turns of a first request of each task, ``cells``
    counts usable and lost replies of every cell, ``facts`` has one row per run of a model.
    """

    settings: Settings
    requests: pd.DataFrame
    cells: pd.DataFrame
    facts: pd.DataFrame
    trials: int
    minutes: float


@analysis(needs=("confidence", "warned"), returns=Asked, files=("config/two-choice.yaml",))
def replication_asked(inputs: Inputs) -> Asked:
    """What was asked, and how much of it was answered?"""
    settings = settings_of(inputs.study, inputs.profile)
    names = ("confidence", "warned")
    cells = of_both({name: inputs.trials(name) for name in names})
    facts = run_facts([one for name in names for one in manifests(inputs.study, inputs.profile, name)])
    if len(facts):
        by_model = facts.groupby(["model", "prompt", "sha256"], sort=False)[["n_trials", "minutes"]]
        facts = with_labels(by_model.sum().reset_index())
    return Asked(
        settings=settings,
        requests=requests(settings, inputs.study.collections),
        cells=with_labels(cells),
        facts=facts,
        trials=int(cells["asked"].sum()),
        minutes=float(facts["minutes"].sum()) if len(facts) else 0.0,
    )


@dataclass(frozen=True)
class RatedDecisions:
    """Measures of the decisions with confidence.

    ``cells`` is :func:`.ratings.fitted`'s table, ``unfitted`` is :func:`.ratings.unfitted`'s: cells that were asked
    and could not be fitted. Where no cell could be, ``cells`` and ``accuracy`` have no rows. ``signals`` compares
    signals of confidence, ``draws`` says how many decisions went against the model's own preference
    (:func:`.ratings.draws`), ``accuracy`` has right answers by confidence; levels with fewer than ``fewest`` trials are
    not shown.
    """

    cells: pd.DataFrame
    unfitted: pd.DataFrame
    signals: pd.DataFrame
    draws: pd.DataFrame
    accuracy: pd.DataFrame
    resamples: int
    fewest: int
    trials: int


@analysis(needs=("confidence",), returns=RatedDecisions)
def replication_ratings(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, fewest: int = 10
) -> RatedDecisions:
    """Do the models of this run know when they are right?"""
    trials = inputs.trials("confidence")
    tables = replication_ratings_page.rating_cells(trials)
    cells = with_labels(replication_ratings_page.fitted(tables, n_resamples, seed))
    return RatedDecisions(
        cells=cells,
        unfitted=with_labels(replication_ratings_page.unfitted(trials, cells)),
        signals=with_labels(replication_ratings_page.with_names(replication_ratings_page.signals(trials))),
        draws=with_labels(replication_ratings_page.draws(trials)),
        accuracy=with_labels(by_confidence(tables, fewest)),
        resamples=n_resamples,
        fewest=fewest,
        trials=int(cells["n"].sum()),
    )


@dataclass(frozen=True)
class Compared:
    """Models compared within a task and tasks within a model: :func:`.compared.compared`'s ``pairs``."""

    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    resamples: int


@analysis(needs=("confidence",), returns=Compared)
def replication_compared(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Compared:
    """Do the models of this run differ from one another, and do the tasks?"""
    trials = inputs.trials("confidence")
    cells = measured(trials, n_resamples, seed)
    n_sentences = trials.groupby("task")["question_id"].nunique().min()
    pairs = compared(cells, labels_of(trials["model"]), n_sentences)
    return Compared(pairs, judge_compared(pairs) if verdicts else (), n_resamples)


@dataclass(frozen=True)
class RatedPosterior:
    """Posteriors of the decisions with confidence, one row per cell, all sampled as one batch.

    ``unfitted`` has the cells without a table of ratings (:func:`.ratings.unfitted`). Where that is every cell,
    nothing is sampled: ``cells`` has no row, ``sampling`` is None and there are 0 ``draws``.
    """

    cells: pd.DataFrame
    sampling: SamplingQuality | None
    draws: int
    unfitted: pd.DataFrame


@analysis(needs=("confidence",), returns=RatedPosterior)
def replication_posterior(
    inputs: Inputs, *, n_draws: int = 2_000, n_warmup: int = 1_000, seed: int = 42
) -> RatedPosterior:
    """What does the paper's Bayesian model say of the models of this run?"""
    trials = inputs.trials("confidence")
    tables = replication_ratings_page.rating_cells(trials)
    named = [{"task": t.task, "model": t.model} for t in tables]
    labels = with_labels(typed_rows(named, {"task": "str", "model": "str"}))
    unfitted = with_labels(replication_ratings_page.unfitted(trials, labels))
    if not tables:
        return RatedPosterior(without_tables(labels), None, 0, unfitted)
    fit = fit_bayes(
        np.stack([t.nR_S1 for t in tables]),
        np.stack([t.nR_S2 for t in tables]),
        n_draws=n_draws,
        n_warmup=n_warmup,
        seed=seed,
    )
    draws = int(fit.posterior[0, ..., 0].size)
    return RatedPosterior(posterior_table(fit, labels), sampling_quality(fit), draws, unfitted)


@dataclass(frozen=True)
class WarnedDecisions:
    """Decisions under the three risk configurations: ``cells`` with c and d', ``pairs`` their differences.

    Cells that are determined by their padding are in no pair. ``trials`` are those that can be used, of ``asked``.
    """

    cells: pd.DataFrame
    pairs: pd.DataFrame
    wide_z: float
    trials: int
    asked: int


@analysis(needs=("warned",), returns=WarnedDecisions)
def replication_risk(inputs: Inputs) -> WarnedDecisions:
    """What does a warning do to the criterion of the models of this run?"""
    trials = inputs.trials("warned")
    counts = decision_counts(trials)
    cells = with_labels(with_ends(decided(counts)))
    pairs = with_labels(cells_page.risk_contrasts(cells[~cells["padded"]]))
    names = [f"{r.name}, task {r.task}: {r.first} and {r.second}" for r in rows_of(pairs)]
    usable = int(counts["total"].sum())
    return WarnedDecisions(cells, pairs.assign(pair=names), cells_page.wide_z(), usable, len(trials))
