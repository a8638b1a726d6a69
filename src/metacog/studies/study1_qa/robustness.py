"""Do the results rest on settings that could have been chosen otherwise? R1 to R6.

R5, forced decoding: was the right answer likely, although the model gave a wrong one? For questions answered wrongly
at T = 1 the accepted answers and the wrong answer are scored as continuations of the same prompt, and their
normalised log-probabilities are compared. The best of several accepted answers has several chances to win, so the
key answer alone is compared too.

R6: are domain and model differences only differences of difficulty? The paper does not define R6 further. Ours: a
question's difficulty is how many of the run's models answered it correctly at T = 1. *Domains*: from every domain
draw questions so that all domains have the same number of questions at each difficulty (the smallest that any domain
has). *Model pairs*: both models answer the same questions, so keep those that both got right or both got wrong, and
as many where only the first was right as where only the second was: each model then has the same number of right
answers at each difficulty. Drawing is repeated over seeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.collect.models import paper_names
from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.measures.fits import fitted
from metacog.sdt.checks import FloatArray
from metacog.sdt.decisions import bootstrap_p, holm
from metacog.sdt.information import meta_i2r
from metacog.sdt.intervals import percentile_limits, wilson
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import analysis
from metacog.studies.study1_qa import cells, robustness_variants
from metacog.studies.study1_qa.cells import (
    MIN_CLASS,
    PUBLISHED_FILES,
    REFERENCE,
    Flag,
    Rated,
    estimate,
    flagged,
    open_trials,
    primary,
    rate_trials,
)
from metacog.studies.study1_qa.h2 import OTHER
from metacog.studies.study1_qa.paper import as_numbers, published_cells
from metacog.studies.study1_qa.robustness_variants import judge_domains, judge_forced, judge_models
from metacog.verdicts.levels import FRONT, power
from metacog.verdicts.verdict import Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Columns of a table of forced decodings, one row per question.
COLUMNS = {
    "model": "str",
    "dataset": "str",
    "question_id": "str",
    "domain": "str",
    "wrong": "str",  # the wrong answer as it was generated
    "nlp_recorded": "float64",  # its NLP when it was generated
    "nlp_wrong": "float64",  # its NLP when scored again, as the others are
    "n_tokens_wrong": "int64",
    "key": "str",
    "nlp_key": "float64",  # the first accepted answer
    "best_alias": "str",
    "nlp_best_alias": "float64",
    "n_tokens_best": "int64",
    "n_aliases": "int64",  # accepted answers scored
    "n_known_aliases": "int64",  # accepted answers there are
    "seed": "int64",
}


_TABLE = (
    "model",
    "dataset",
    "n",
    *(f"share_{name}{end}" for name in ("best", "key", "sum") for end in ("", "_lower", "_upper")),
    "median_gap",
    "aliases_scored",
    "rescoring_gap",
)
#: What :func:`with_lowest` adds.
LOWEST = ("lowest", "right_lowest", "right_lowest_lower", "right_lowest_upper")


@dataclass(frozen=True)
class Forced:
    """R5.

    Attributes
    ----------
    table : DataFrame
        One row per model and question set: ``n``, ``share_best`` (best accepted answer likelier than the
        wrong one) with limits, ``share_key`` with limits, ``share_sum`` (the same accepted answer by its
        whole log-probability: the mean over tokens favours long names whose end follows from their
        beginning) with limits, ``median_gap`` (best minus wrong, nats per
        token), ``rescoring_gap`` (median absolute difference of the wrong answer's two NLPs).
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def check_forced(frame: pd.DataFrame) -> pd.DataFrame:
    """Check a table of forced decodings and give it back.

    Raises
    ------
    MetacogError
        Naming missing columns or the number of rows without a finite score.
    """
    missing = [c for c in COLUMNS if c not in frame.columns]
    if missing:
        raise MetacogError(f"the table of forced decodings lacks the columns {', '.join(missing)}")
    scores = frame[["nlp_wrong", "nlp_key", "nlp_best_alias"]].to_numpy(dtype=np.float64)
    if not np.isfinite(scores).all():
        raise MetacogError(f"{int((~np.isfinite(scores)).any(axis=1).sum())} forced decodings have no score")
    return frame


def analyse_forced(
    frame: pd.DataFrame, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Forced:
    """Share of wrongly answered questions whose right answer was the likelier; questions resampled."""
    rows = []
    for (model, dataset), group in check_forced(frame).groupby(["model", "dataset"], sort=False):
        rng = np.random.default_rng(np.random.SeedSequence(seed))
        gap = (group["nlp_best_alias"] - group["nlp_wrong"]).to_numpy(dtype=np.float64)
        key = (group["nlp_key"] - group["nlp_wrong"]).to_numpy(dtype=np.float64)
        row: dict[str, object] = {"model": model, "dataset": dataset, "n": len(group)}
        whole = (
            group["nlp_best_alias"] * group["n_tokens_best"] - group["nlp_wrong"] * group["n_tokens_wrong"]
        ).to_numpy(dtype=np.float64)
        for name, values in (("best", gap), ("key", key), ("sum", whole)):
            share = float((values > 0).mean())
            low, high = percentile_limits(rng.binomial(len(group), share, n_resamples) / len(group))
            row |= {f"share_{name}": share, f"share_{name}_lower": low, f"share_{name}_upper": high}
        row["median_gap"] = float(np.median(gap))
        row["aliases_scored"] = float(group["n_aliases"].mean())
        row["rescoring_gap"] = float((group["nlp_wrong"] - group["nlp_recorded"]).abs().median())
        rows.append(row)
    table = pd.DataFrame(rows, columns=list(_TABLE))
    found = tuple(judge_forced(row) for row in table.to_dict("records")) if verdicts else ()
    return Forced(table, found)


def with_lowest(table: pd.DataFrame, frame: pd.DataFrame, trials: pd.DataFrame) -> pd.DataFrame:
    """R5's table, and how many of the same questions each model gets right at the lowest temperature.

    That an accepted answer is likelier than the wrong one that was drawn does not make it the model's usual
    answer: the wrong one may be improbable itself. The answer at the lowest temperature is the usual one, nearly.

    Parameters
    ----------
    table : DataFrame
        Of :func:`analyse_forced`.
    frame : DataFrame
        The forced decodings it rests on.
    trials : DataFrame
        Open answers, one a model, question and temperature.

    Returns
    -------
    DataFrame
        The table with ``lowest`` (the temperature; missing where there is none below 1) and ``right_lowest,
        right_lowest_lower, right_lowest_upper`` (share of its questions, with Wilson's 95 % interval).
    """
    rows = []
    for row in table.to_dict("records"):
        own = trials[(trials["model"] == row["model"]) & (trials["dataset"] == row["dataset"])]
        decoded = frame[(frame["model"] == row["model"]) & (frame["dataset"] == row["dataset"])]
        cool = own[(own["temperature"] < REFERENCE) & own["question_id"].isin(decoded["question_id"])]
        lowest = float(cool["temperature"].min())
        right = cool.loc[cool["temperature"] == lowest, "correct"].to_numpy(dtype=np.float64)
        share = float(right.mean()) if right.size else np.nan
        low, high = (float(end) for end in wilson(share, max(right.size, 1)))
        ends = {"right_lowest_lower": low, "right_lowest_upper": high}
        rows.append(row | {"lowest": lowest, "right_lowest": share, **ends})
    return pd.DataFrame(rows, columns=[*table.columns, *LOWEST])


@dataclass(frozen=True)
class Matched:
    """R6.

    Attributes
    ----------
    levels : DataFrame
        Questions of each domain at each difficulty: ``domain, n_right, n_questions, n_matched``.
    domains : DataFrame
        One row per model and domain: unmatched M-ratio, mean matched M-ratio, AUROC2 and meta-I2r over
        seeds with 95 % limits (questions resampled, then matched), and smallest class size.
    models : DataFrame
        One row per pair of models: unmatched and matched difference of M-ratio with 95 % limits, ``p_holm``
        over unflagged pairs, and ``flagged`` where a model's cell at T = 1 carries a flag.
    verdicts : tuple of Verdict
    """

    levels: pd.DataFrame
    domains: pd.DataFrame
    models: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True)
class _Wide:
    """Questions that all models answered with a rating at T = 1, one row each."""

    domain: NDArray
    correct: NDArray[np.bool_]  # (Q, M)
    rating: NDArray[np.int64]  # (Q, M), from 0
    models: list[str]
    n_ratings: int

    @property
    def n_right(self) -> NDArray[np.int64]:
        return self.correct.sum(axis=1)


def _wide(rated: Rated) -> _Wide:
    one = rated.trials[(rated.trials["temperature"] == REFERENCE) & rated.trials["rating"].notna()]
    one = one[~one["coarse"]].drop_duplicates(["model", "question_id"])  # M-ratio is what is matched
    models = list(dict.fromkeys(one["model"]))
    correct = one.pivot(index="question_id", columns="model", values="correct")[models]
    rating = one.pivot(index="question_id", columns="model", values="rating")[models]
    whole = correct.notna().all(axis=1) & rating.notna().all(axis=1)
    domain = one.drop_duplicates("question_id").set_index("question_id")["domain"].reindex(correct.index)
    return _Wide(
        domain[whole].to_numpy(dtype=object),
        correct[whole].to_numpy(dtype=bool),
        rating[whole].to_numpy(dtype=np.int64) - 1,
        models,
        rated.n_ratings,
    )


def matched(
    rated: Rated, *, n_seeds: int = 200, n_resamples: int = 2000, seed: int = 42, verdicts: bool = True
) -> Matched:
    """R6 on one question set; see the module's docstring for what is matched.

    Parameters
    ----------
    rated : Rated
        Trials of one question set.
    n_seeds : int
        Matched subsamples whose mean is the estimate.
    n_resamples : int
        Resamples of questions, each then matched once, for the limits.
    """
    wide = _wide(rated)
    at_one = rated.cells().frame
    left_out = {str(r.model): r.flag or "no rating" for r in rows_of(at_one) if r.model not in wide.models}
    named = ~np.isin(wide.domain, OTHER)
    groups = [np.flatnonzero(named & (wide.domain == d)) for d in sorted(set(wide.domain[named]))]
    names = [str(wide.domain[g[0]]) for g in groups]
    levels = _levels(wide, groups, names)
    rngs = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(4)]
    plain = estimate(rated.cells(("model", "dataset", "domain")))
    domains = _domains(wide, groups, names, plain, rngs[0], rngs[1], n_seeds, n_resamples)
    models = _pairs(wide, rngs[2], rngs[3], n_seeds, n_resamples)
    sound = set(at_one.loc[~flagged(at_one), "model"])
    models["flagged"] = ~(models["model_a"].isin(sound) & models["model_b"].isin(sound))
    models["p_holm"] = holm(models["p"].where(~models["flagged"]))
    if not verdicts:
        return Matched(levels, domains.drop(columns="draws"), models, ())
    asked = sorted(set(rated.trials["domain"]) - set(OTHER))
    pairs = {
        pair: left_out.get(pair[0]) or left_out[pair[1]]
        for pair in combinations(map(str, at_one["model"]), 2)
        if set(pair) & set(left_out)
    }
    found = (judge_domains(domains, asked, left_out), judge_models(models, pairs))
    return Matched(levels, domains.drop(columns="draws"), models, found)


def _levels(wide: _Wide, groups: list[NDArray], names: list[str]) -> pd.DataFrame:
    size = len(wide.models) + 1
    n = np.array([np.bincount(wide.n_right[g], minlength=size) for g in groups]).reshape(len(groups), size)
    smallest = n.min(axis=0) if len(groups) else np.zeros(size, dtype=int)
    rows = [
        {"domain": name, "n_right": level, "n_questions": n[i, level], "n_matched": smallest[level]}
        for i, name in enumerate(names)
        for level in range(size)
    ]
    return pd.DataFrame(rows, columns=["domain", "n_right", "n_questions", "n_matched"])


def _match(groups: list[NDArray], level: NDArray[np.int64], rng: np.random.Generator) -> list[NDArray]:
    """One subsample of each group with the same number at each level."""
    picked: list[list[NDArray]] = [[] for _ in groups]
    for value in np.unique(level):
        members = [g[level[g] == value] for g in groups]
        size = min(m.size for m in members)
        for place, m in zip(picked, members, strict=True):
            place.append(rng.permutation(m)[:size])
    return [np.concatenate(p) if p else np.empty(0, dtype=np.int64) for p in picked]


def _tables(wide: _Wide, rows: NDArray[np.int64]) -> FloatArray:
    """Counts of some questions, shape ``(M, 2, L)``."""
    levels = wide.n_ratings
    cell = wide.correct[rows] * levels + wide.rating[rows] + 2 * levels * np.arange(len(wide.models))
    tally = np.bincount(cell.ravel(), minlength=2 * levels * len(wide.models))
    return tally.reshape(-1, 2, levels).astype(np.float64)


def _domains(
    wide: _Wide,
    groups: list[NDArray],
    names: list[str],
    plain: pd.DataFrame,
    rng: np.random.Generator,
    rng_draws: np.random.Generator,
    n_seeds: int,
    n_resamples: int,
) -> pd.DataFrame:
    level = wide.n_right
    columns = [
        "model",
        "domain",
        "m_ratio",
        "m_ratio_matched",
        "m_ratio_matched_lower",
        "m_ratio_matched_upper",
        "auroc2_matched",
        "meta_i2r_chi_square_matched",
        "n_matched",
        "smallest_class",
        "flag",
        "draws",
    ]
    if len(groups) < 2:
        return pd.DataFrame(columns=columns)
    once = np.array([[_tables(wide, g) for g in _match(groups, level, rng)] for _ in range(n_seeds)])
    again = []
    for _ in range(n_resamples):
        drawn = [g[rng_draws.integers(0, g.size, g.size)] for g in groups]
        again.append([_tables(wide, g) for g in _match(drawn, level, rng_draws)])
    draws = np.array(again)  # (B, D, M, 2, L)
    ratio = fitted(once[..., 0, :], once[..., 1, :])["m_ratio"]
    ratio_draws = fitted(draws[..., 0, :], draws[..., 1, :])["m_ratio"]
    area = auroc2_from_counts(once[..., 0, :], once[..., 1, :])
    information = meta_i2r(once[..., 0, :], once[..., 1, :], correction="chi-square")
    rows = []
    for m, model in enumerate(wide.models):
        for d, domain in enumerate(names):
            low, high = percentile_limits(ratio_draws[:, d, m])
            here = (plain["model"] == model) & (plain["domain"] == domain)
            classes = once[:, d, m].sum(axis=-1)
            smallest = int(classes.min(axis=1).mean()) if len(classes) else 0
            rows.append(
                {
                    "model": model,
                    "domain": domain,
                    "m_ratio": float(plain.loc[here, "m_ratio"].iloc[0]) if here.any() else np.nan,
                    "m_ratio_matched": _mean(ratio[:, d, m]),
                    "m_ratio_matched_lower": low,
                    "m_ratio_matched_upper": high,
                    "auroc2_matched": _mean(area[:, d, m]),
                    "meta_i2r_chi_square_matched": _mean(information[:, d, m]),
                    "n_matched": int(once[0, d, m].sum()),
                    "smallest_class": smallest,
                    "flag": (Flag.FEW_OF_A_CLASS if smallest < MIN_CLASS else Flag.NONE).value,
                    "draws": ratio_draws[:, d, m],
                }
            )
    return pd.DataFrame(rows, columns=columns)


def _mean(x: FloatArray) -> float:
    good = x[np.isfinite(x)]
    return float(good.mean()) if good.size else float("nan")


def _pairs(
    wide: _Wide, rng: np.random.Generator, rng_draws: np.random.Generator, n_seeds: int, n_resamples: int
) -> pd.DataFrame:
    rows = []
    everything = np.arange(len(wide.domain))
    for i, j in combinations(range(len(wide.models)), 2):
        once = np.array(
            [_tables(wide, _match_pair(wide, everything, i, j, rng))[[i, j]] for _ in range(n_seeds)]
        )
        draws = []
        for _ in range(n_resamples):
            drawn = rng_draws.integers(0, everything.size, everything.size)
            draws.append(_tables(wide, _match_pair(wide, drawn, i, j, rng_draws))[[i, j]])
        stacked = np.array(draws)
        ratio = fitted(once[..., 0, :], once[..., 1, :])["m_ratio"]
        again = fitted(stacked[..., 0, :], stacked[..., 1, :])["m_ratio"]
        whole = _tables(wide, everything)[[i, j]]
        unmatched = fitted(whole[:, 0], whole[:, 1])["m_ratio"]
        gap = again[:, 0] - again[:, 1]
        low, high = percentile_limits(gap)
        rows.append(
            {
                "model_a": wide.models[i],
                "model_b": wide.models[j],
                "difference": float(unmatched[0] - unmatched[1]),
                "matched_difference": _mean(ratio[:, 0] - ratio[:, 1]),
                "lower": low,
                "upper": high,
                "p": bootstrap_p(gap),
                "n_matched": int(once[0, 0].sum()) if len(once) else 0,
            }
        )
    columns = ["model_a", "model_b", "difference", "matched_difference", "lower", "upper", "p", "n_matched"]
    return pd.DataFrame(rows, columns=columns)


def _match_pair(
    wide: _Wide, rows: NDArray[np.int64], i: int, j: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    a, b = wide.correct[rows, i], wide.correct[rows, j]
    agree, first, second = rows[a == b], rows[a & ~b], rows[b & ~a]
    size = min(first.size, second.size)
    return np.concatenate([agree, rng.permutation(first)[:size], rng.permutation(second)[:size]])


# R1 to R6: do the results rest on settings that could have been chosen otherwise? What is computed.


@dataclass(frozen=True)
class Robustness:
    """R1 to R4 in ``variants`` and ``orders``, R5 in ``forced``, R6 in the ``matched`` tables.

    ``gaps`` are R5's by question, ``levels`` each domain's questions by difficulty, ``comparison`` R1's
    M-ratio next to the published one; ``published`` holds R2 and R4 of the paper's models, ``checks`` what all of
    them say of each model (``claim, model, answer, why``), ``power`` how often R6 finds what is there in simulated runs
    (:func:`metacog.verdicts.levels.power`), and ``left_out`` why models were not asked R5, by model.
    """

    variants: pd.DataFrame
    orders: pd.DataFrame
    forced: pd.DataFrame
    gaps: pd.DataFrame
    levels: pd.DataFrame
    matched_domains: pd.DataFrame
    matched_models: pd.DataFrame
    comparison: pd.DataFrame
    published: pd.DataFrame
    checks: pd.DataFrame
    power: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


@analysis(needs=("open", "forced"), returns=Robustness, files=(*PUBLISHED_FILES, FRONT))
def robustness(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_matched_resamples: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Robustness:
    """Do the results rest on settings that could have been chosen otherwise?"""
    trials = open_trials(inputs)
    names = paper_names(trials["model"].unique())
    checks = robustness_variants.checked(
        trials, paper_names=names, n_resamples=n_resamples, seed=seed, verdicts=verdicts
    )
    decoded = check_forced(inputs.trials("forced"))
    r5 = analyse_forced(decoded, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    rated = rate_trials(primary(trials))
    r6 = matched(rated, n_resamples=n_matched_resamples, seed=seed, verdicts=verdicts)
    printed, run = as_numbers("v1_table4_r1_binning"), checks.table[checks.table["check"] == "R1"]
    run = run.rename(columns={"k": "ratings_per_side"})
    columns = ["model", "ratings_per_side", "m_ratio"]
    theirs = robustness_variants.robustness_from_counts(
        published_cells(None), n_resamples=n_resamples, seed=seed, verdicts=verdicts
    )
    found = []
    if verdicts:
        found = robustness_variants.by_model(theirs.table, theirs.orders, ", published")
        found += robustness_variants.by_model(checks.table, checks.orders) + robustness_variants.of_matched(
            r6.verdicts[0], r6.models
        )
    return Robustness(
        checks.table,
        checks.orders,
        with_lowest(r5.table, decoded, trials),
        decoded[["model", "dataset", "nlp_best_alias", "nlp_wrong"]],
        by_level(r6.levels),
        r6.domains,
        r6.models,
        cells.stacked(**{cells.PUBLISHED: printed[columns], cells.RUN: run[columns]}),
        theirs.table,
        pd.DataFrame(found, columns=["claim", "model", "answer", "why"]),
        power(["robustness"]),
        (
            *checks.verdicts,
            *r5.verdicts,
            *r6.verdicts,
            robustness_variants.compare(printed, run),
            *(v.under("published") for v in theirs.verdicts),
        )
        if verdicts
        else (),
        inputs.left_out("forced"),
    )


def by_level(levels: pd.DataFrame) -> pd.DataFrame:
    """Questions of each domain, one row per number of models that were right."""
    wide = levels.pivot(index="n_right", columns="domain", values="n_questions").reset_index()
    wide["kept in each"] = levels.groupby("n_right")["n_matched"].first().to_numpy() if len(levels) else []
    return wide.rename(columns={"n_right": "models right"}).rename_axis(columns=None)
