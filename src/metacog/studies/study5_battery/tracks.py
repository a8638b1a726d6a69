"""Who leads, and who fails where?

Are failures spread over kinds of item otherwise than one ability and equal discrimination would (H2)? Random tables
with the same margins are draws from the Rasch model: one ability for each model, one difficulty for each item, and
items that discriminate equally. Errors that depart from it need not be a model's own, for items that discriminate
unequally spread the errors of one-dimensional models unevenly as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.forensics.resamples import same_margins
from metacog.report.views import Views
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import permutation_p
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import counts, sum_of
from metacog.studies.study5_battery.integrity import copied, without_declined, without_pairs
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE, TRACKS
from metacog.studies.study5_battery.scores import kind_in_words, track_scores
from metacog.verdicts.outcomes import outcomes
from metacog.verdicts.rules import Unit, unit

#: A test is significant below this.
ALPHA = 0.05
#: A kind of item on which this share of the models is right throughout cannot tell them apart.
CEILING = 0.5


@analysis(files=FILES)
def tracks(
    inputs: Inputs, *, n_resamples: int = 10_000, n_permutations: int = 2_000, seed: int = 42
) -> dict[str, Any]:
    """Does one model lead everywhere, and do all fail in the same places?"""
    rows = load()
    distinct = without_pairs(rows, copied(rows))
    leaders, types = score_leaders(rows, n_resamples, seed), by_item_type(rows, without_declined(distinct))
    p, p_all = (errors_depart(one, n_permutations, seed) for one in (distinct, rows))
    return {
        "scores": track_scores(rows).sort_values("mean", ascending=False, kind="stable", ignore_index=True),
        "leaders": leaders,
        "item_types": types,
        "permutations": n_permutations,
        "p": p,
        "outcomes": pd.concat([h1(leaders), h2("h2", p), h2("h2, all files", p_all), discrimination(types)]),
    }


def errors_depart(responses: pd.DataFrame, n_permutations: int, seed: int) -> float:
    """p of errors by kind of item beyond a model's ability and the items' difficulty, if items discriminate alike.

    Two statistics: the sum over models and kinds of (errors - expected)^2, which weighs kinds that many fail,
    and Pearson's, each square over its expectation, which weighs kinds that hardly any model fails. Expected
    and null come from random tables in which every model fails as many items, and every item as many models,
    as they did, of the models that have all tracks. The smaller p counts twice (Bonferroni).
    """
    rows = responses[responses["track"].isin(RETROSPECTIVE)]
    kind = rows["track"] + ", " + rows["item_type"].map(kind_in_words)
    rows = rows.assign(place=rows["track"] + " " + rows["item"], kind=kind)
    table = rows.pivot(index="model", columns="place", values="correct").dropna()
    kinds = rows.drop_duplicates("place").set_index("place")["kind"][table.columns]
    errors = ~table.to_numpy(dtype=bool)
    of_kind = (kinds.to_numpy()[:, None] == np.unique(kinds)).astype(float)
    observed = errors @ of_kind
    drawn = np.stack([one @ of_kind for one in same_margins(errors, n_permutations, seed=seed)])
    # the observed table is one of those it is compared with, so that every one of them counts alike
    expected = (drawn.sum(axis=0) + observed) / (len(drawn) + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = np.where(expected > 0, 1 / expected, 0.0)
    found = []
    for one in (np.ones_like(weight), weight):
        own, null = (((counted - expected) ** 2 * one).sum(axis=(-2, -1)) for counted in (observed, drawn))
        found.append(permutation_p(float(own), null, alternative="greater").p_value)
    return min(1.0, 2 * min(found))


def h2(rule: str, p: float) -> pd.DataFrame:
    """Whether errors depart; a test that does not reject shows nothing."""
    return outcomes(rule, [Unit("models", True if p < ALPHA else None, "the test does not reject")])


def by_item_type(responses: pd.DataFrame, distinct: pd.DataFrame) -> pd.DataFrame:
    """How many models err on each kind of item, and its withdraw delta within models (:func:`within_models`).

    ``perfect`` of the ``models`` with the whole track, of all (``of``), make no error. Deltas are of the ``distinct``
    responses: without files that were filed twice and items that were declined.
    """
    parts = []
    for track in TRACKS:
        subset = responses[responses["track"] == track]
        right = subset.pivot(index="item", columns="model", values="correct").dropna(axis=1).astype(bool)
        kind = subset.drop_duplicates("item").set_index("item")["item_type"]
        perfect = right.groupby(kind, sort=False).all().sum(axis=1).reindex(kind.unique())
        parts.append(perfect.rename("perfect").reset_index().assign(track=track, models=right.shape[1]))
    found = pd.concat(parts).assign(of=responses["model"].nunique())
    found = found.merge(within_models(distinct), how="left", on=["track", "item_type"], validate="1:1")
    return found.assign(item_type=found["item_type"].map(kind_in_words))


def within_models(responses: pd.DataFrame) -> pd.DataFrame:
    """Weighted mean of models' withdraw deltas on each kind of item: right answers against one's own wrong ones.

    With all answers in one table, models that err more and withdraw more raise the delta of a kind on which none of
    them withdraws its wrong answers in particular. Models are weighted as Mantel and Haenszel do, by right times wrong
    answers over all, so that one with a single wrong answer decides little. Score intervals take answers as
    independent; NaN where no model has both.
    """
    rows = []
    cells = counts(responses, ["model", "track", "item_type"])
    for kind, every in cells.groupby(["track", "item_type"], sort=False):
        both = every[(every["n_correct"] > 0) & (every["n_incorrect"] > 0)]
        right, wrong = (both[f"n_{which}"].to_numpy(dtype=float) for which in ("correct", "incorrect"))
        weight = right * wrong / (right + wrong)
        one = sum_of(both, weight / weight.sum() if len(both) else weight)
        rows.append((*kind, one.estimate, *one))
    return pd.DataFrame(rows, columns=["track", "item_type", "delta", "lower", "upper"])


def discrimination(table: pd.DataFrame) -> pd.DataFrame:
    """Whether more than half of all models err on each kind of item, whatever those without the track would do."""
    units = []
    for row in rows_of(table):
        most, erring = CEILING * row.of, row.models - row.perfect
        flag = "models without the whole track" if erring <= most < erring + row.of - row.models else ""
        units.append(unit(f"{row.item_type} ({row.track})", erring > most, flag=flag))
    return outcomes("item_types", units)


def score_leaders(responses: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """Who scores highest on each track (all that tie, joined by ``; ``), and how far from the next model.

    Items are resampled with all their models' responses. ``not_apart``: models whose paired interval with the leader
    contains 0; ``unscored``: models without a score there.
    """
    rng, rows = np.random.default_rng(seed), []
    table = responses.pivot(index=["track", "item"], columns="model", values="score")
    for track in TRACKS:
        values = table.loc[track].to_numpy(dtype=float)
        scores = pd.Series(values.mean(axis=0), table.columns)
        weights = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), n_resamples)
        means = weights @ values / len(values)
        order = np.argsort(-scores.fillna(-1.0).to_numpy(), kind="stable")
        ranked = scores.iloc[order]
        # two sums of the same tenths differ in their last bit
        n_tied = int((ranked >= ranked.iloc[0] - 1e-9).sum())
        others = order[1 : scores.count()]
        limits = {i: percentile_limits(means[:, order[0]] - means[:, i]) for i in others}
        lower, upper = limits.get(order[min(n_tied, len(order) - 1)], (np.nan, np.nan))
        rows.append(
            {
                "track": track,
                "about": TRACKS[track],
                "leader": "; ".join(ranked.index[:n_tied]),
                "score": ranked.iloc[0],
                "second": ranked.index[n_tied],
                "gap": ranked.iloc[0] - ranked.iloc[n_tied],
                "lower": lower,
                "upper": upper,
                "not_apart": sum(low <= 1e-9 for low, _ in limits.values()),
                "unscored": "; ".join(scores.index[scores.isna()]),
            }
        )
    return pd.DataFrame(rows)


def h1(leaders: pd.DataFrame) -> pd.DataFrame:
    """H1: no model scores highest on all tracks."""
    firsts, missing = ([_names(one) for one in leaders[name]] for name in ("leader", "unscored"))
    sweeping = set.intersection(*firsts)
    # a model that leads wherever it has a score would lead everywhere if its other scores were the highest
    able = set.intersection(*(f | m for f, m in zip(firsts, missing, strict=True)))
    units = [
        unit(name, name not in sweeping, flag="no score on some track" if name in able - sweeping else "")
        for name in sorted(set().union(*firsts, *missing))
    ]
    return outcomes("h1", units)


def _names(joined: object) -> set[str]:
    return set(filter(None, str(joined).split("; ")))


def figures(result: Any) -> dict[str, Any]:
    """On how many tracks one model leads at most, and on how many the leader cannot be told from another."""
    firsts = [name for one in result.leaders["leader"] for name in _names(one)]
    return {
        "n_tracks": len(result.leaders),
        "most_led": max(map(firsts.count, firsts)),
        "n_tied": int((result.leaders["not_apart"] > 0).sum()),
    }


ANALYSES = (tracks,)
VIEWS = (Views("tracks", numbers=figures),)
