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
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.collect.models import paper_names
from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.measures.fits import fitted
from metacog.report.views import Views
from metacog.sdt.checks import FloatArray
from metacog.sdt.decisions import bootstrap_p, holm
from metacog.sdt.intervals import percentile_limits, wilson
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
from metacog.studies.study1_qa.paper import NAMES, as_numbers, published_cells
from metacog.studies.study1_qa.robustness_variants import OURS, PUBLISHED, by_model, judge, told
from metacog.verdicts.levels import FOUND, FRONT, power
from metacog.verdicts.outcomes import Rule, of_rule, outcomes, those
from metacog.verdicts.rules import ZERO, Unit, shown
from metacog.verdicts.verdict import Kind

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


#: R6 is named in the paper and not defined there: its rules are this book's, and so are not "pre-registered".
RULES = robustness_variants.RULES | {
    "domains": Rule(
        "In at least one model a domain difference of M-ratio remains (Holm) when every domain has the same "
        "spread of difficulty; a model without one stays open.",
        "R6",
        Kind.SOUND,
        "matched",
        null=("equal",),
    ),
    "models": Rule(
        "At least one difference of M-ratio between models remains (Holm) when both are right equally often at "
        "each difficulty; a pair that is not shown to differ stays open.",
        "R6",
        Kind.SOUND,
        "matched",
        null=("equal",),
    ),
}


@analysis(needs=("open", "forced"), files=(*PUBLISHED_FILES, FRONT))
def robustness(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_matched_resamples: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> dict[str, Any]:
    """Do the results rest on settings that could have been chosen otherwise?"""
    trials = open_trials(inputs)
    drawn = {"n_resamples": n_resamples, "seed": seed}
    ours = robustness_variants.checked(trials, paper_names=paper_names(trials["model"].unique()), **drawn)
    theirs = robustness_variants.robustness_from_counts(published_cells(None), **drawn)
    domains, pairs, remaining = matched(
        rate_trials(primary(trials)), n_resamples=n_matched_resamples, seed=seed
    )
    checks, judged = [], None
    if verdicts:
        checks = [*by_model(*theirs, ", published"), *by_model(*ours), *of_matched(remaining, pairs)]
        judged = pd.concat([judge(*ours, OURS), remaining, judge(*theirs, PUBLISHED)], ignore_index=True)
    r1 = ours[0][ours[0]["check"] == "R1"].rename(columns={"k": "ratings_per_side"})
    compared = {cells.PUBLISHED: as_numbers("v1_table4_r1_binning"), cells.RUN: r1}
    columns = ["model", "ratings_per_side", "m_ratio"]
    return {
        "variants": ours[0],
        "published": theirs[0],
        "forced": forced(inputs.trials("forced"), trials, **drawn),
        "matched_domains": domains,
        "comparison": cells.stacked(**{source: rows[columns] for source, rows in compared.items()}),
        "checks": pd.DataFrame(checks, columns=["claim", "model", "answer", "why"]),
        "power": power(["robustness"]),
        "outcomes": judged,
    }


def check_forced(frame: pd.DataFrame) -> pd.DataFrame:
    """A table of forced decodings, if it has its columns and every score."""
    missing = [c for c in COLUMNS if c not in frame.columns]
    if missing:
        raise MetacogError(f"the table of forced decodings lacks the columns {', '.join(missing)}")
    scores = frame[["nlp_wrong", "nlp_key", "nlp_best_alias"]].to_numpy(dtype=np.float64)
    if not np.isfinite(scores).all():
        raise MetacogError(f"{int((~np.isfinite(scores)).any(axis=1).sum())} forced decodings have no score")
    return frame


#: Columns of R5's table: shares of wrongly answered questions.
SHARES = (
    *(f"share_{name}{end}" for name in ("best", "key", "sum") for end in ("", "_lower", "_upper")),
    *("lowest", "right_lowest", "right_lowest_lower", "right_lowest_upper"),
)


def forced(
    decoded: pd.DataFrame, trials: pd.DataFrame, *, n_resamples: int = 10_000, seed: int = 42
) -> pd.DataFrame:
    """R5: how often the right answer was the likelier, and how often it is the answer at the lowest temperature.

    The best accepted answer (``share_best``), the key answer alone (``share_key``), and the best by its whole
    log-probability (``share_sum``): the mean over tokens favours long names whose end follows from their beginning.
    That it is likelier than the wrong one that was drawn does not make it the model's usual answer: the wrong one may
    be improbable itself. The answer at the lowest temperature below 1 is the usual one, nearly.
    """
    rows = []
    for (model, dataset), group in check_forced(decoded).groupby(["model", "dataset"], sort=False):
        rng = np.random.default_rng(np.random.SeedSequence(seed))
        row: dict[str, object] = {"model": model, "dataset": dataset, "n": len(group)}
        best, wrong = group["nlp_best_alias"], group["nlp_wrong"]
        gaps = {
            "best": best - wrong,
            "key": group["nlp_key"] - wrong,
            "sum": best * group["n_tokens_best"] - wrong * group["n_tokens_wrong"],
        }
        for name, gap in gaps.items():
            share = float((gap > 0).mean())
            low, high = percentile_limits(rng.binomial(len(group), share, n_resamples) / len(group))
            row |= {f"share_{name}": share, f"share_{name}_lower": low, f"share_{name}_upper": high}
        own = trials[(trials["model"] == model) & (trials["dataset"] == dataset)]
        cool = own[(own["temperature"] < REFERENCE) & own["question_id"].isin(group["question_id"])]
        lowest = float(cool["temperature"].min())
        right = cool.loc[cool["temperature"] == lowest, "correct"].to_numpy(dtype=np.float64)
        share = float(right.mean()) if right.size else np.nan
        low, high = (float(end) for end in wilson(share, max(right.size, 1)))
        ends = {"right_lowest_lower": low, "right_lowest_upper": high}
        rows.append(row | {"lowest": lowest, "right_lowest": share, **ends})
    return pd.DataFrame(rows, columns=["model", "dataset", "n", *SHARES])


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
    rated: Rated, *, n_seeds: int = 200, n_resamples: int = 2000, seed: int = 42
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """R6 on one question set: subjects, pairs of models, and what became of its rules; see the module's docstring.

    The mean over ``n_seeds`` matched subsamples is the estimate; each resample of questions is matched once.
    """
    wide = _wide(rated)
    at_one = rated.cells().frame
    left_out = {str(r.model): r.flag or "no rating" for r in rows_of(at_one) if r.model not in wide.models}
    named = ~np.isin(wide.domain, OTHER)
    groups = [np.flatnonzero(named & (wide.domain == d)) for d in sorted(set(wide.domain[named]))]
    rngs = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(4)]
    plain = estimate(rated.cells(("model", "dataset", "domain")))
    domains = _domains(wide, groups, plain, rngs[0], rngs[1], n_seeds, n_resamples)
    models = _pairs(wide, rngs[2], rngs[3], n_seeds, n_resamples)
    sound = set(at_one.loc[~flagged(at_one), "model"])
    models["flagged"] = ~(models["model_a"].isin(sound) & models["model_b"].isin(sound))
    models["p_holm"] = holm(models["p"].where(~models["flagged"]))
    pairs = {
        pair: left_out.get(pair[0]) or left_out[pair[1]]
        for pair in combinations(map(str, at_one["model"]), 2)
        if set(pair) & set(left_out)
    }
    told = pd.concat([judge_domains(domains, left_out), judge_models(models, pairs)], ignore_index=True)
    return domains.drop(columns="draws"), models, told


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
        "n_matched",
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
    rows = []
    for m, model in enumerate(wide.models):
        for d, group in enumerate(groups):
            domain = wide.domain[group[0]]
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
                    "n_matched": int(once[0, d, m].sum()),
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


def judge_domains(domains: pd.DataFrame, left_out: Mapping[str, str] | None = None) -> pd.DataFrame:
    """R6 between subjects, from ``draws`` of their M-ratio; ``left_out``: models that could not be matched, and why."""
    p, of_model, left = [], [], {}
    for model, rows in domains.groupby("model", sort=False):
        pairs = list(combinations(rows.to_dict("records"), 2))
        tested = [
            bootstrap_p(np.asarray(a["draws"]) - np.asarray(b["draws"]))
            for a, b in pairs
            if a["flag"] == b["flag"] == Flag.NONE
        ]
        known = [one for one in tested if np.isfinite(one)]
        p += known
        of_model += [str(model)] * len(known)
        left[str(model)] = len(pairs) - len(known)
    remain = {m for m, one in zip(of_model, holm(p) < 0.05, strict=True) if one}
    units = [
        Unit(m, True)
        if m in remain
        else Unit(m, None, f"{n} {'pair' if n == 1 else 'pairs'} cannot be used" if n else ZERO)
        for m, n in left.items()
    ]
    units += [Unit(model, None, why) for model, why in (left_out or {}).items()]
    return outcomes("domains", units, 1)


def judge_models(models: pd.DataFrame, left_out: Mapping[tuple[str, str], str] | None = None) -> pd.DataFrame:
    """R6 between models; ``left_out``: pairs that could not be matched, and why."""
    apart = [Unit(" and ".join(pair), None, why) for pair, why in (left_out or {}).items()]
    return outcomes("models", [*_differ(models), *apart], 1)


def _differ(models: pd.DataFrame) -> list[Unit]:
    """Does a difference between two matched models remain?"""
    return [
        shown(
            f"{r.model_a} and {r.model_b}",
            r.p_holm < 0.05,
            known=np.isfinite(r.p),
            flag="a flagged cell" if r.flagged else "",
        )
        for r in rows_of(models)
    ]


def of_matched(remaining: pd.DataFrame, models: pd.DataFrame) -> list[dict[str, str]]:
    """What R6 says of each model: its subjects, and its differences from other models."""
    rows = [
        told("subjects of equal difficulty differ", r.unit, [Unit(r.unit, r.holds, r.why)])
        for r in rows_of(of_rule(remaining, "domains"))
    ]
    for model in dict.fromkeys([*models["model_a"], *models["model_b"]]):
        pairs = models[(models["model_a"] == model) | (models["model_b"] == model)]
        rows.append(told("differs from models right equally often", model, _differ(pairs), k=1))
    return rows


#: The answer, by whether pairs of the paper's models turn with unequal spread, and on other questions.
ANSWERS = {
    (False, False): (
        "With unequal spread or other questions, no pair of the paper's models is shown to change its order by M-ratio."
    ),
    (False, True): (
        "On other questions {R4} of the paper's models change their order by M-ratio{all}; "
        "with unequal spread none is shown to."
    ),
    (True, False): (
        "With unequal spread {R2} of the paper's models change their order by M-ratio{all}; "
        "on other questions none is shown to."
    ),
    (True, True): (
        "With unequal spread {R2} of the paper's models change their order by M-ratio, on other questions {R4}."
    ),
}


def answer(result: Any) -> str:
    """Which pairs of the paper's models unequal spread and other questions turn round by M-ratio."""
    if result.outcomes is None:
        return "This run is too small to judge the checks; the default book does."
    turned = {check: those(result.outcomes, f"{check} {PUBLISHED}", False) for check in ("R2", "R4")}
    pairs = {
        check: {name.rsplit(" (", 1)[0] for name in names if " with " in name}
        for check, names in turned.items()
    }
    models = [set(pair.split(" with ")) for found in pairs.values() for pair in found]
    common = set.intersection(*models) if len(models) > 1 else set()
    counted = {check: plural(len(found), "pair") for check, found in pairs.items()}
    return ANSWERS[bool(pairs["R2"]), bool(pairs["R4"])].format(
        **counted, all=f", all with {min(common)}" if common else ""
    )


def needed(result: Any) -> str:
    """How often matching for difficulty finds a difference of two models in simulated runs in which there is one."""
    found = float(result.power["right_supported"].iloc[0])
    said = f"In simulated runs whose models differ, this check shows it in {100 * found:.0f} %"
    return f"{said}: where it stays undecided, that says little." if found < FOUND else f"{said}."


VIEWS = Views("robustness", names=NAMES, sentences={"answer": answer, "needed": needed})
