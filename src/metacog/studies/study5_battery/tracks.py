"""Who leads, and who fails where?

Are failures spread over kinds of item otherwise than one ability and equal discrimination would (H2)? Random tables
with the same margins are draws from the Rasch model: one ability for each model, one difficulty for each item, and
items that discriminate equally. Errors that depart from it need not be a model's own, for items that discriminate
unequally spread the errors of one-dimensional models unevenly as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.forensics.resamples import same_margins
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import permutation_p
from metacog.sdt.standardised import weighted_shares
from metacog.studies.study import analysis
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import (
    counts,
    kind_in_words,
    scored_by_rule,
    track_scores,
    variants,
    without_declined,
)
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE, TRACKS
from metacog.verdicts.rules import Unit, judged, those, unit
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: A test is significant below this.
ALPHA = 0.05


def _errors(responses: pd.DataFrame) -> tuple[NDArray[np.bool_], NDArray[np.int64], list[str], list[str]]:
    """Errors (models x items) of the models that have all tracks, and the kind of each item."""
    subset = responses[responses["track"].isin(RETROSPECTIVE)]
    subset = subset.assign(
        place=subset["track"] + " " + subset["item"],
        kind=subset["track"] + ", " + subset["item_type"].map(kind_in_words),
    )
    table = subset.pivot(index="model", columns="place", values="correct").dropna()
    kind_of = subset.drop_duplicates("place").set_index("place")["kind"]
    kinds = sorted(set(kind_of))
    of_item = np.array([kinds.index(kind_of[place]) for place in table.columns])
    return ~table.to_numpy(dtype=bool), of_item, list(table.index), kinds


def by_kind(errors: NDArray[np.bool_], of_item: NDArray[np.int64], n_kinds: int) -> NDArray[np.int64]:
    """Errors of each model on each kind of item."""
    return np.stack([errors[:, of_item == k].sum(axis=1) for k in range(n_kinds)], axis=1)


def error_profiles(responses: pd.DataFrame, n_permutations: int, seed: int) -> tuple[pd.DataFrame, Verdict]:
    """Errors by kind of item beyond a model's ability and the items' difficulty, if items discriminate alike.

    Two statistics: the sum over models and kinds of (errors - expected)^2, which weighs kinds that many fail,
    and Pearson's, each square over its expectation, which weighs kinds that hardly any model fails. Expected
    and null come from random tables in which every model fails as many items, and every item as many models,
    as they did. The smaller p counts twice (Bonferroni).

    Returns
    -------
    DataFrame
        One row per model: ``model, errors, statistic, p`` (its own share of the sum, by the same tables),
        ``most`` (kind with the largest excess of errors), ``excess``, ``least``, ``deficit``.
    Verdict
    """
    errors, of_item, models, kinds = _errors(responses)
    observed = by_kind(errors, of_item, len(kinds)).astype(float)
    drawn = np.stack(
        [by_kind(table, of_item, len(kinds)) for table in same_margins(errors, n_permutations, seed=seed)]
    ).astype(float)
    # the observed table is one of those it is compared with, so that every one of them counts alike
    expected = (drawn.sum(axis=0) + observed) / (len(drawn) + 1)
    subset, null = ((observed - expected) ** 2).sum(axis=1), ((drawn - expected) ** 2).sum(axis=2)
    plain = permutation_p(float(subset.sum()), null.sum(axis=1), alternative="greater").p_value
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = np.where(expected > 0, 1 / expected, 0.0)
    pearson = permutation_p(
        float(((observed - expected) ** 2 * weight).sum()),
        ((drawn - expected) ** 2 * weight).sum(axis=(1, 2)),
        alternative="greater",
    ).p_value
    rows = []
    for i, model in enumerate(models):
        gap = observed[i] - expected[i]
        up, down = int(gap.argmax()), int(gap.argmin())
        rows.append(
            {
                "model": model,
                "errors": int(observed[i].sum()),
                "statistic": subset[i],
                "p": permutation_p(float(subset[i]), null[:, i], alternative="greater").p_value,
                "most": kinds[up],
                "excess": gap[up],
                "least": kinds[down],
                "deficit": gap[down],
            }
        )
    table = pd.DataFrame(rows).sort_values("p", kind="stable").reset_index(drop=True)
    return table, _verdict(table, plain, pearson, n_permutations)


def _verdict(table: pd.DataFrame, plain: float, pearson: float, n: int) -> Verdict:
    p = min(1.0, 2 * min(plain, pearson))
    return Verdict(
        "H2",
        Kind.EXPLORATORY,
        "Errors over kinds of item depart from equal discrimination: from one ability for each model and "
        "one difficulty for each item.",
        True if p < ALPHA else None,  # a test that does not reject shows nothing
        name="h2",
        values={
            "models": len(table),
            "p": p,
            "p_squares": plain,
            "p_pearson": pearson,
            "tables": n,
            "alone": int((table["p"] < ALPHA).sum()),
        },
    )


# Which kinds of item tell models apart, and on which monitoring works.

#: A kind of item on which this share of the models is right throughout cannot tell them apart.
CEILING = 0.5


def by_item_type(responses: pd.DataFrame, distinct: pd.DataFrame) -> pd.DataFrame:
    """Discrimination of each kind of item, all models together, and its withdraw delta within models.

    Parameters
    ----------
    responses : DataFrame
    distinct : DataFrame
        Those from which deltas are computed: without files that were filed twice and items that were declined.

    Returns
    -------
    DataFrame
        ``track, item_type, n_items, accuracy, lowest, highest`` (of the models' accuracies), ``perfect``
        (models without an error), ``models`` (with the whole track), ``of`` (all), ``item_rest`` (mean
        correlation over models of an item with the rest of its track; items that all models get right have
        none), ``n_incorrect`` (wrong answers of all models), ``delta, lower, upper, compared`` (:func:`within_models`).
    """
    rows = []
    wrong = (~responses["correct"]).groupby([responses["track"], responses["item_type"]]).sum()
    own = within_models(distinct).set_index(["track", "item_type"]).reindex(wrong.index)
    for track in TRACKS:
        subset = responses[responses["track"] == track]
        table = subset.pivot(index="item", columns="model", values="correct").dropna(axis=1).astype(float)
        rest = _item_rest(table)
        kind = subset.drop_duplicates("item").set_index("item")["item_type"]
        for name in kind.unique():
            items = kind.index[kind == name]
            means = table.loc[items].mean()
            cell = own.loc[(track, name)]
            known = rest.loc[items].dropna()
            rows.append(
                {
                    "track": track,
                    "item_type": kind_in_words(name),
                    "n_items": len(items),
                    "accuracy": means.mean(),
                    "lowest": means.min(),
                    "highest": means.max(),
                    "perfect": int((means == 1).sum()),
                    "models": table.shape[1],
                    "of": responses["model"].nunique(),
                    "item_rest": known.mean() if len(known) else np.nan,
                    "delta": cell["delta"],
                    "lower": cell["lower"],
                    "upper": cell["upper"],
                    "n_incorrect": int(wrong.loc[(track, name)]),
                    "compared": int(np.nan_to_num(cell["compared"])),
                }
            )
    return pd.DataFrame(rows)


def within_models(responses: pd.DataFrame) -> pd.DataFrame:
    """Weighted mean of models' withdraw deltas on each kind of item: right answers against one's own wrong ones.

    With all answers in one table, models that err more and withdraw more raise the delta of a kind on which none of
    them withdraws its wrong answers in particular. Models are weighted as Mantel and Haenszel do, by right times wrong
    answers over all, so that one with a single wrong answer decides little.

    Returns
    -------
    DataFrame
        ``track, item_type, compared`` (models with a right and a wrong answer), ``delta, lower, upper`` (points, with a
        score interval that takes answers as independent; NaN where no model has both).
    """
    rows = []
    cells = counts(responses, ["model", "track", "item_type"])
    for (track, kind), every in cells.groupby(["track", "item_type"], sort=False):
        both = every[(every["n_correct"] > 0) & (every["n_incorrect"] > 0)]
        right, wrong = (both[f"n_{which}"].to_numpy(dtype=float) for which in ("correct", "incorrect"))
        weight = right * wrong / (right + wrong)
        weight = weight / weight.sum() if len(both) else weight
        stood = np.concatenate([both["stood_correct"], both["stood_incorrect"]])
        one = weighted_shares(stood, np.concatenate([right, wrong]), np.concatenate([weight, -weight]))
        ends = {"delta": 100 * one.estimate, "lower": 100 * one.lower, "upper": 100 * one.upper}
        rows.append({"track": track, "item_type": kind, "compared": len(both), **ends})
    return pd.DataFrame(rows)


def _item_rest(table: pd.DataFrame) -> pd.Series:
    """Correlation of each item with the sum of the other items, over models; NaN if one does not vary."""
    total = table.sum()
    results = {}
    for item, row in table.iterrows():
        remaining = total - row
        varies = row.nunique() > 1 and remaining.nunique() > 1
        results[item] = np.corrcoef(row, remaining)[0, 1] if varies else np.nan
    return pd.Series(results)


def discrimination_verdict(table: pd.DataFrame) -> Verdict:
    """Whether every kind of item tells models apart."""
    units = [_tells(row) for row in rows_of(table)]
    return judged(
        units,
        "item types",
        Kind.EXPLORATORY,
        "On every kind of item more than half of the models make an error.",
        name="discrimination",
        topic="items",
        kinds=len(table),
        flat=those(units, False),
    )


def _tells(row: Any) -> Unit:
    """Whether more than half of all models err on a kind, whatever those without the track would do."""
    name, erring, missing = f"{row.item_type} ({row.track})", row.models - row.perfect, row.of - row.models
    if erring > CEILING * row.of:
        return Unit(name, True)
    open_ = erring + missing > CEILING * row.of
    return Unit(name, None, "models without the whole track") if open_ else Unit(name, False)


# What the scores pay for, how far the rule behind them goes, and whether one model leads all tracks (H1).

#: Payoffs are read off these tracks' files; T2's depend on the kind of item as well.
STATES = ("correct", "keep", "bet")


def payoffs(responses: pd.DataFrame) -> pd.DataFrame:
    """What each state earns, read off the files.

    Returns
    -------
    DataFrame
        ``group`` (T1 and T3 to T5; T2 by kind of item; T6), ``correct, keep, bet, path``, ``score``, ``n``,
        ``others`` (further scores of the same state joined by ``; ``, empty where the state decides).
    """
    kinds = responses["track"].map(lambda t: "T1, T3, T4, T5")
    two = responses["track"] == "T2"
    kinds = kinds.mask(two, "T2, " + responses["item_type"]).mask(responses["track"] == "T6", "T6")
    rows = []
    six = responses["track"] == "T6"
    for part, by in ((responses[~six], STATES), (responses[six], ("path", "correct"))):
        for key, subset in part.assign(group=kinds).groupby(["group", *by]):
            scores = subset["score"].value_counts()
            state = dict(zip(["group", *by], key, strict=True))
            rows.append(
                {
                    "group": state["group"],
                    "path": state.get("path", ""),
                    "correct": state["correct"],
                    "keep": state.get("keep"),
                    "bet": state.get("bet"),
                    "score": float(scores.index[0]),
                    "n": len(subset),
                    "others": "; ".join(f"{v:g}" for v in scores.index[1:]),
                }
            )
    return pd.DataFrame(rows)


def reproduced(responses: pd.DataFrame) -> pd.DataFrame:
    """How many of the published scores the rule gives: one row per track, ``track, n, known, equal, files``.

    ``known`` are the responses for which there is a rule, ``files`` the models' files that are
    reproduced entirely.
    """
    rule = scored_by_rule(responses)
    flags = responses[["model", "track"]].assign(
        n=True, known=rule.notna(), equal=np.isclose(rule, responses["score"])
    )
    table = flags.groupby("track")[["n", "known", "equal"]].sum()
    whole = flags.groupby(["track", "model"])["equal"].all().groupby("track").sum()
    return table.assign(files=whole).reset_index()


def matrices(responses: pd.DataFrame, what: str) -> dict[str, pd.DataFrame]:
    """What each model got on each item, a table a track: items in rows, models in columns."""
    return {
        track: responses[responses["track"] == track].pivot(index="item", columns="model", values=what)
        for track in TRACKS
    }


def score_leaders(responses: pd.DataFrame, n_resamples: int, seed: int) -> tuple[pd.DataFrame, float]:
    """Who scores highest on each track, and how often one model would on all of them.

    Items are resampled with all their models' responses.

    Returns
    -------
    DataFrame
        One row for each track: ``track, about, leader`` (all that tie), ``score, second, gap, lower, upper``
        (paired 95 % interval of the first minus the next model), ``not_apart`` (models whose paired interval
        with the leader contains 0), ``unscored`` (models without a score there).
    float
        Share of resamples in which a single model is highest, ties counted, on all tracks.
    """
    rng = np.random.default_rng(seed)
    tables = matrices(responses, "score")
    names = sorted(set().union(*(t.columns for t in tables.values())))
    on_all = np.ones((n_resamples, len(names)), dtype=bool)
    rows = []
    for track, table in tables.items():
        values = table.reindex(columns=names).to_numpy(dtype=float)
        weights = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), n_resamples)
        means = weights @ values / len(values)
        # two sums of the same tenths differ in their last bit
        best = np.nanmax(means, axis=1, keepdims=True)
        on_all &= np.nan_to_num(means, nan=-1.0) >= best - 1e-9
        rows.append(_leader(track, values.mean(axis=0), means, names))
    return pd.DataFrame(rows), float(on_all.any(axis=1).mean())


def _leader(track: str, scores: NDArray, means: NDArray, names: list[str]) -> Mapping[str, object]:
    order = np.argsort(-np.nan_to_num(scores, nan=-1.0), kind="stable")
    first = order[0]
    tied = [names[i] for i in order if scores[i] >= scores[first] - 1e-9]
    second = order[len(tied)]
    low, high = percentile_limits(means[:, first] - means[:, second])
    gaps = [percentile_limits(means[:, first] - means[:, i]) for i in order[1:] if np.isfinite(scores[i])]
    return {
        "track": track,
        "about": TRACKS[track],
        "leader": "; ".join(tied),
        "score": scores[first],
        "second": names[second],
        "gap": scores[first] - scores[second],
        "lower": low,
        "upper": high,
        "not_apart": sum(lo <= 1e-9 for lo, _ in gaps),
        "unscored": "; ".join(n for n, s in zip(names, scores, strict=True) if not np.isfinite(s)),
    }


def h1(table: pd.DataFrame, on_all: float) -> Verdict:
    """H1: no model scores highest on all tracks."""
    firsts = [_names(row.leader) for row in rows_of(table)]
    sweeping = set.intersection(*firsts)
    tracks = {name: sum(name in f for f in firsts) for name in set().union(*firsts)}
    most = max(tracks.values())
    # a model that leads wherever it has a score would lead everywhere if its other scores were the highest
    missing = [_names(row.unscored) for row in rows_of(table)]
    able = set.intersection(*(f | m for f, m in zip(firsts, missing, strict=True)))
    units = [
        unit(name, name not in sweeping, flag="no score on some track" if name in able - sweeping else "")
        for name in sorted(set().union(*firsts, *missing))
    ]
    return judged(
        units,
        "H1",
        Kind.PUBLISHED,
        "No single model has the highest score on all six tracks.",
        name="h1",
        topic="h1",
        sweeping=sorted(sweeping),
        most=most,
        leading_most=sorted(n for n, k in tracks.items() if k == most),
        tracks=len(table),
        tied=int((table["not_apart"] > 0).sum()),
        on_all=on_all,
    )


def _names(joined: object) -> set[str]:
    return set(filter(None, str(joined).split("; ")))


# Scores of the six tracks: H1, H2 and what kinds of item tell.


@dataclass(frozen=True)
class Tracks:
    """Scores and errors.

    ``scores`` has each model's score on each track, ``payoffs`` what each state earns, ``rule`` how many
    scores follow from that alone, ``leaders`` who leads, ``errors`` how each model's errors are spread,
    ``item_types`` what each kind of item tells.
    """

    scores: pd.DataFrame
    payoffs: pd.DataFrame
    rule: pd.DataFrame
    leaders: pd.DataFrame
    errors: pd.DataFrame
    item_types: pd.DataFrame
    permutations: int
    verdicts: tuple[Verdict, ...]


@analysis(returns=Tracks, files=FILES)
def tracks(
    inputs: Inputs, *, n_resamples: int = 10_000, n_permutations: int = 2_000, seed: int = 42
) -> Tracks:
    """Does one model lead everywhere, and do all fail in the same places?"""
    rows = load()
    leaders, on_all = score_leaders(rows, n_resamples, seed)
    distinct = variants(rows)["without copied files"]
    errors, h2 = error_profiles(distinct, n_permutations, seed)
    _, h2_all = error_profiles(rows, n_permutations, seed)
    types = by_item_type(rows, without_declined(distinct))
    return Tracks(
        scores=track_scores(rows).sort_values("mean", ascending=False, kind="stable").reset_index(drop=True),
        payoffs=payoffs(rows),
        rule=reproduced(rows),
        leaders=leaders,
        errors=errors,
        item_types=types,
        permutations=n_permutations,
        verdicts=(
            h1(leaders, on_all),
            h2.under("h2"),
            h2_all.under("h2 all"),
            discrimination_verdict(types),
        ),
    )


ANALYSES = (tracks,)
