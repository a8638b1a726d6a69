"""Do the results rest on settings that could have been chosen otherwise? R1 to R6.

R5, forced decoding: was the right answer likely, although the model gave a wrong one? For questions answered wrongly
at T = 1 the accepted answers and the wrong answer are scored as continuations of the same prompt, and their
normalised log-probabilities are compared. The best of several accepted answers has several chances to win, so the
key answer alone is compared too. The paper names meta-d' on force-decoded confidence: that of an accepted answer to
every question, whatever the model said. An answer that is right is an accepted one, and its NLP was recorded.

R6: are domain and model differences only differences of difficulty? The paper does not define R6 further. Ours: a
question's difficulty is how many of the run's models answered it correctly at T = 1. *Domains*: from every domain
draw questions so that all domains have the same number of questions at each difficulty (the smallest that any domain
has). *Model pairs*: both models answer the same questions, so keep those that both got right or both got wrong, and
as many where only the first was right as where only the second was: each model then has the same number of right
answers at each difficulty. Drawing is repeated over seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.collect.models import paper_names
from metacog.core.frames import ended, rows_of, with_ends
from metacog.core.words import plural
from metacog.measures.cell import Cell, Measured, question_resamples
from metacog.measures.fits import fitted, fitted_of, rating_tables
from metacog.report.views import Views
from metacog.sdt.binning import rate
from metacog.sdt.checks import FloatArray
from metacog.sdt.decisions import bootstrap_p, holm
from metacog.sdt.intervals import percentile_limits, wilson
from metacog.studies.study import Inputs, analysis
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
    table_flags,
)
from metacog.studies.study1_qa.h2 import OTHER
from metacog.studies.study1_qa.paper import NAMES, published_cells
from metacog.studies.study1_qa.robustness_variants import OURS, PUBLISHED, by_model, judge, told
from metacog.verdicts.levels import POWER, power, power_numbers
from metacog.verdicts.outcomes import Rule, of_rule, outcomes, tally, those
from metacog.verdicts.rules import ZERO, Unit, shown
from metacog.verdicts.verdict import Kind

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


@analysis(needs=("open", "forced"), files=(*PUBLISHED_FILES, POWER))
def robustness(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_matched_resamples: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> dict[str, Any]:
    """Do the results rest on settings that could have been chosen otherwise?"""
    trials, decoded = open_trials(inputs), inputs.trials("forced")
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
    return {
        "variants": ours[0],
        "published": pd.concat([theirs[0], robustness_variants.from_print(**drawn)], ignore_index=True),
        "forced": forced(decoded, trials, **drawn),
        "force_decoded": force_decoded(decoded, trials, **drawn),
        "matched_domains": domains,
        "checks": pd.DataFrame(checks, columns=["claim", "model", "answer", "why"]),
        "power": power("r6"),
        "outcomes": judged,
    }


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
    for (model, dataset), group in decoded.groupby(["model", "dataset"], sort=False):
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
        row |= {"right_lowest": share, "right_lowest_lower": low, "right_lowest_upper": high}
        rows.append(row | {"lowest": lowest})
    return pd.DataFrame(rows, columns=["model", "dataset", "n", *SHARES])


#: Whose confidence a question has in R5: the column ``confidence_of``.
OWN, ACCEPTED = "the answer that was given", "an accepted answer"
#: What is fitted in R5, and where its ratings are cut.
FORCED_FITS = ("d_prime", "meta_d", "m_ratio")
_INNER = np.arange(1, 2 * cells.K) / (2 * cells.K)


def force_decoded(
    decoded: pd.DataFrame, trials: pd.DataFrame, *, n_resamples: int = 10_000, seed: int = 42
) -> pd.DataFrame:
    """R5's fits on all questions, in eight ratings, with the confidence of the answer given and of an accepted one.

    The accepted one of a wrong answer is the likeliest that was scored. Wrong answers to be scored were drawn by a
    seed, so that each scored one ``stands_for`` so many wrong ones, in edges and in counts; right and wrong answers are
    resampled apart. ``n`` counts those that are there.
    """
    at_one, rows = trials[(trials["temperature"] == REFERENCE) & trials["nlp"].notna()], []
    for (model, dataset), scored in decoded.groupby(["model", "dataset"], sort=False):
        own = at_one[(at_one["model"] == model) & (at_one["dataset"] == dataset)]
        own = own.drop_duplicates("question_id")
        right, n_wrong = own[own["correct"]], int((~own["correct"] & ~own["refusal"]).sum())
        correct = np.repeat([True, False], [len(right), len(scored)])
        ids = [*right["question_id"], *scored["question_id"]]
        asked = tuple((str(mark), str(one)) for mark, one in zip(correct, ids, strict=True))
        share = np.where(correct, 1.0, n_wrong / len(scored))
        drawn = share * np.vstack([np.ones(len(ids)), *question_resamples(asked, n_resamples, seed)])
        about = {"model": model, "dataset": dataset, "n": len(ids)}
        about |= {"n_wrong": n_wrong, "stands_for": share[-1]}
        for whose, column in ((OWN, "nlp_recorded"), (ACCEPTED, "nlp_best_alias")):
            score = np.concatenate([right["nlp"], scored[column]])
            edges = np.quantile(score, _INNER, weights=share, method="inverted_cdf")
            none, unit = np.full(len(ids), np.nan), np.arange(len(ids))
            cell = Cell(correct, score, rate(score, edges) - 1, 2 * cells.K, none, unit)
            found = fitted_of(cell, drawn)
            made = Measured.drawn(**{name: found[name] for name in FORCED_FITS})
            wrong, known = (table.astype(np.int64) for table in rating_tables(cell, np.ones((1, len(ids)))))
            row = {**about, "confidence_of": whose, "flag": table_flags(wrong, known)[0]}
            for name in FORCED_FITS:
                row |= ended(name, made.values[name], *made.bounds[name])
            rows.append(row)
    about_it = ("model", "dataset", "confidence_of", "n", "n_wrong", "stands_for", "flag")
    return pd.DataFrame(rows, columns=[*about_it, *with_ends(*FORCED_FITS)])


#: Counts of some questions, shape ``(M, 2, L)``.
Count = Callable[[NDArray[np.int64]], FloatArray]


def matched(
    rated: Rated, *, n_seeds: int = 200, n_resamples: int = 2000, seed: int = 42
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """R6 on one question set: subjects, pairs of models, and what became of its rules; see the module's docstring.

    The mean over ``n_seeds`` matched subsamples is the estimate; each resample of questions is matched once. Questions
    are those that all models answered with a rating at T = 1 that is no single value: M-ratio is what is matched.
    """
    one = rated.trials[(rated.trials["temperature"] == REFERENCE) & rated.trials["rating"].notna()]
    one = one[~one["coarse"]].drop_duplicates(["model", "question_id"])
    models, n = list(dict.fromkeys(one["model"])), rated.n_ratings
    wide = one.pivot(index="question_id", columns="model", values=["correct", "rating"]).dropna()
    domain = one.drop_duplicates("question_id").set_index("question_id")["domain"].reindex(wide.index)
    correct = wide["correct"][models].to_numpy(dtype=bool) if models else np.empty((0, 0), dtype=bool)
    rating = wide["rating"][models].to_numpy(dtype=np.int64) if models else np.empty((0, 0), dtype=np.int64)
    cell = correct * n + rating - 1 + 2 * n * np.arange(len(models))

    def count(rows: NDArray[np.int64]) -> FloatArray:
        tally = np.bincount(cell[rows].ravel(), minlength=2 * n * len(models))
        return tally.reshape(-1, 2, n).astype(np.float64)

    at_one = rated.cells().frame
    left_out = {str(r.model): r.flag or "no rating" for r in rows_of(at_one) if r.model not in models}
    groups = {str(d): np.flatnonzero(domain == d) for d in sorted(set(domain) - set(OTHER))}
    rngs = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(4)]
    domains = _domains(count, models, correct.sum(axis=1), groups, rngs[0], rngs[1], n_seeds, n_resamples)
    plain = estimate(rated.cells(("model", "dataset", "domain")))[["model", "domain", "m_ratio"]]
    domains = domains.merge(plain, how="left", on=["model", "domain"])
    domains.insert(2, "m_ratio", domains.pop("m_ratio"))
    pairs = _pairs(count, models, correct, rngs[2], rngs[3], n_seeds, n_resamples)
    sound = set(at_one.loc[~flagged(at_one), "model"])
    pairs["flagged"] = ~(pairs["model_a"].isin(sound) & pairs["model_b"].isin(sound))
    pairs["p_holm"] = holm(pairs["p"].where(~pairs["flagged"]))
    apart = {
        pair: left_out.get(pair[0]) or left_out[pair[1]]
        for pair in combinations(map(str, at_one["model"]), 2)
        if set(pair) & set(left_out)
    }
    told = pd.concat([judge_domains(domains, left_out), judge_models(pairs, apart)], ignore_index=True)
    return domains.drop(columns="draws"), pairs, told


def _match(groups: Iterable[NDArray], level: NDArray[np.int64], rng: np.random.Generator) -> list[NDArray]:
    """One subsample of each group with the same number at each level."""
    picked: list[list[NDArray]] = [[] for _ in groups]
    for value in np.unique(level):
        members = [g[level[g] == value] for g in groups]
        size = min(m.size for m in members)
        for place, m in zip(picked, members, strict=True):
            place.append(rng.permutation(m)[:size])
    return [np.concatenate(p) if p else np.empty(0, dtype=np.int64) for p in picked]


def _m_ratios(tables: FloatArray) -> FloatArray:
    return fitted(tables[..., 0, :], tables[..., 1, :])["m_ratio"]


def _domains(
    count: Count,
    models: Sequence[str],
    level: NDArray[np.int64],
    groups: Mapping[str, NDArray[np.int64]],
    rng: np.random.Generator,
    rng_draws: np.random.Generator,
    n_seeds: int,
    n_resamples: int,
) -> pd.DataFrame:
    """M-ratio of each model in each subject of equal difficulty, which is how many models are right (``level``)."""
    ends = ["m_ratio_matched", "m_ratio_matched_lower", "m_ratio_matched_upper"]
    rows: list[tuple[object, ...]] = []
    questions = list(groups.values())
    if len(groups) > 1:
        once = np.array([[*map(count, _match(questions, level, rng))] for _ in range(n_seeds)])
        again = []
        for _ in range(n_resamples):
            drawn = [g[rng_draws.integers(0, g.size, g.size)] for g in questions]
            again.append([*map(count, _match(drawn, level, rng_draws))])
        ratio, draws = _m_ratios(once), _m_ratios(np.array(again))  # (B, D, M)
        for m, model in enumerate(models):
            for d, domain in enumerate(groups):
                smallest = int(once[:, d, m].sum(axis=-1).min(axis=1).mean())
                flag = (Flag.FEW_OF_A_CLASS if smallest < MIN_CLASS else Flag.NONE).value
                limits = percentile_limits(draws[:, d, m])
                n_matched = int(once[0, d, m].sum())
                rows.append((model, domain, _mean(ratio[:, d, m]), *limits, n_matched, flag, draws[:, d, m]))
    return pd.DataFrame(rows, columns=["model", "domain", *ends, "n_matched", "flag", "draws"])


def _mean(x: FloatArray) -> float:
    good = x[np.isfinite(x)]
    return float(good.mean()) if good.size else float("nan")


def _pairs(
    count: Count,
    models: Sequence[str],
    correct: NDArray[np.bool_],
    rng: np.random.Generator,
    rng_draws: np.random.Generator,
    n_seeds: int,
    n_resamples: int,
) -> pd.DataFrame:
    """Difference of M-ratio of every pair of models that are right equally often at each difficulty."""
    rows, every = [], np.arange(len(correct))
    for i, j in combinations(range(len(models)), 2):
        a, b = correct[:, i], correct[:, j]
        once = np.array([count(_match_pair(a, b, every, rng))[[i, j]] for _ in range(n_seeds)])
        again = []
        for _ in range(n_resamples):
            drawn = rng_draws.integers(0, every.size, every.size)
            again.append(count(_match_pair(a, b, drawn, rng_draws))[[i, j]])
        ratio, draws = _m_ratios(once), _m_ratios(np.array(again))
        gap = draws[:, 0] - draws[:, 1]
        difference, n_matched = _mean(ratio[:, 0] - ratio[:, 1]), int(once[0, 0].sum())
        rows.append((models[i], models[j], difference, *percentile_limits(gap), bootstrap_p(gap), n_matched))
    columns = ["model_a", "model_b", "matched_difference", "lower", "upper", "p", "n_matched"]
    return pd.DataFrame(rows, columns=columns)


def _match_pair(
    a: NDArray[np.bool_], b: NDArray[np.bool_], rows: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Questions that both got right or wrong, and as many that the one alone got right as the other alone."""
    first, second = rows[a[rows] & ~b[rows]], rows[b[rows] & ~a[rows]]
    size = min(first.size, second.size)
    alone = [rng.permutation(first)[:size], rng.permutation(second)[:size]]
    return np.concatenate([rows[a[rows] == b[rows]], *alone])


def judge_domains(domains: pd.DataFrame, left_out: Mapping[str, str] | None = None) -> pd.DataFrame:
    """R6 between subjects, from ``draws`` of their M-ratio; ``left_out``: models that could not be matched, and why."""
    tested, unused = [], {}
    for model, rows in domains.groupby("model", sort=False):
        pairs = list(combinations(rows_of(rows), 2))
        p = [bootstrap_p(a.draws - b.draws) for a, b in pairs if a.flag == b.flag == Flag.NONE]
        known = [(str(model), one) for one in p if np.isfinite(one)]
        tested += known
        unused[str(model)] = len(pairs) - len(known)
    small = holm([p for _, p in tested]) < 0.05
    remain = {model for (model, _), one in zip(tested, small, strict=True) if one}
    units = [
        Unit(m, True) if m in remain else Unit(m, None, f"{plural(n, 'pair')} cannot be used" if n else ZERO)
        for m, n in unused.items()
    ]
    units += [Unit(model, None, why) for model, why in (left_out or {}).items()]
    return outcomes("domains", units, 1)


def judge_models(models: pd.DataFrame, left_out: Mapping[tuple[str, str], str] | None = None) -> pd.DataFrame:
    apart = [Unit(" and ".join(pair), None, why) for pair, why in (left_out or {}).items()]
    return outcomes("models", [*_differ(models), *apart], 1)


def _differ(models: pd.DataFrame) -> list[Unit]:
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


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand.

    The published model with the lowest M-ratio as registered (``low_``), its place under other choices, what the other
    checks move, shares of forced decoding in per cent, and pairs that differ at equal difficulty.
    """
    rows, base = result.published, robustness_variants.BASELINE
    first = rows[rows["variant"] == base].drop_duplicates("model").set_index("model")
    model = str(first["m_ratio"].idxmin())
    found: dict[str, Any] = {"low_model": model, "n_theirs": len(first)}
    kinds = {"low": first, "other": rows[(rows["check"] == "R4") & (rows["variant"] != base)]}
    kinds["width"] = rows[rows["check"] == "R3"]
    for name, own in kinds.items():
        by = own if own.index.name == "model" else own.set_index("model")
        ends = by.loc[model, ["m_ratio", "m_ratio_lower", "m_ratio_upper"]]
        found |= dict(zip((name, f"{name}_lower", f"{name}_upper"), map(float, ends), strict=True))
        found[f"{name}_highest"] = by["m_ratio"].idxmax() == model
    printed, spread = rows[rows["check"] == "R1"], rows[(rows["check"] == "R2") & (rows["variant"] != base)]
    moved = printed["m_ratio"] - printed["model"].map(first["m_ratio"])
    slopes = spread.loc[spread["model"] == model, "m_ratio"]
    told_, forced_ = result.outcomes, result.forced
    weights = result.force_decoded["stands_for"]
    return found | {
        "ratings_moved": float(moved.abs().max()),
        "spread_least": float(slopes.min()),
        "spread_most": float(slopes.max()),
        **{f"n_turned_{name}": _turned(told_, check) for name, check in (("spread", "R2"), ("other", "R4"))},
        "likelier_least": 100 * forced_["share_best"].min(),
        "likelier_most": 100 * forced_["share_best"].max(),
        "usual_least": 100 * forced_["right_lowest"].min(),
        "usual_most": 100 * forced_["right_lowest"].max(),
        "stands_least": weights.min(),
        "stands_most": weights.max(),
        **{f"pairs_{name}": n for name, n in tally(told_, "models").items()},
        **{f"subjects_{name}": n for name, n in tally(told_, "domains").items()},
        **power_numbers(result.power),
    }


def _turned(told_: pd.DataFrame | None, check: str) -> int:
    """How many pairs of published models a check turns round."""
    turned = [] if told_ is None else those(told_, f"{check} {PUBLISHED}", False)
    return len({name.rsplit(" (", 1)[0] for name in turned if " with " in name})


VIEWS = Views("robustness", names=NAMES, numbers=figures)
