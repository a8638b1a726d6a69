"""Track scores, what they pay for, the rule behind them, and whether one model leads them all (H1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.rules import unit, verdict_over
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study5_battery.published import TRACKS
from metacog.studies.study5_battery.wordings import PAYOFFS

#: Payoffs are read off these tracks' files; T2's depend on the kind of item as well.
STATES = ("correct", "keep", "bet")
#: What a state (right, kept, bet on) earns. Nobody printed it; :func:`reproduced` holds it to the files.
STATE_SCORES = {
    (True, True, True): 1.0,
    (True, True, False): 0.8,
    (True, False, False): 0.5,
    (True, False, True): 0.3,
    (False, False, False): 0.6,
    (False, False, True): 0.2,
    (False, True, False): 0.1,
    (False, True, True): 0.0,
}
#: Kinds of T2 that earn 1 if right, else 0, whatever is kept or bet on.
PLAIN = "prospective"
#: Kinds of T2 whose score rests on a reply that the files do not hold: no rule is known.
UNKNOWN = "knowledge_boundary"


def payoffs(responses: pd.DataFrame) -> pd.DataFrame:
    """What each state earns, read off the files.

    Returns
    -------
    DataFrame
        ``group`` (T1 and T3 to T5; T2 by kind of item; T6), ``correct, keep, bet, path``, ``score``, ``n``,
        ``others`` (further scores of the same state, empty where the state decides).
    """
    kinds = responses["track"].map(lambda t: "T1, T3, T4, T5")
    two = responses["track"] == "T2"
    kinds = kinds.mask(two, "T2, " + responses["item_type"]).mask(responses["track"] == "T6", "T6")
    rows = []
    six = responses["track"] == "T6"
    for part, by in ((responses[~six], STATES), (responses[six], ("path", "correct"))):
        for key, own in part.assign(group=kinds).groupby(["group", *by]):
            scores = own["score"].value_counts()
            state = dict(zip(["group", *by], key, strict=True))
            rows.append(
                {
                    "group": state["group"],
                    "path": state.get("path", ""),
                    "correct": state["correct"],
                    "keep": state.get("keep"),
                    "bet": state.get("bet"),
                    "score": float(scores.index[0]),
                    "n": len(own),
                    "others": listed(f"{v:g}" for v in scores.index[1:]) if len(scores) > 1 else "",
                }
            )
    return pd.DataFrame(rows)


def by_rule(responses: pd.DataFrame) -> pd.Series:
    """Score of each response by the rule read off the files; NaN where none is known (:data:`UNKNOWN`)."""

    def earned(row: Any) -> float:
        if row.track == "T6":
            right, wrong = PAYOFFS[row.path]
            return right if row.correct else wrong
        if row.item_type in (PLAIN, UNKNOWN):
            return float(row.correct) if row.item_type == PLAIN else np.nan
        return STATE_SCORES[bool(row.correct), bool(row.keep), bool(row.bet)]

    return pd.Series([earned(row) for row in rows_of(responses)], responses.index, dtype=float)


def reproduced(responses: pd.DataFrame) -> pd.DataFrame:
    """How many of the published scores the rule gives: a row a track, ``track, n, known, equal, files``.

    ``known`` are the responses for which there is a rule, ``files`` the models' files that it gives whole.
    """
    rule = by_rule(responses)
    flags = responses[["model", "track"]].assign(
        n=True, known=rule.notna(), equal=np.isclose(rule, responses["score"])
    )
    table = flags.groupby("track")[["n", "known", "equal"]].sum()
    whole = flags.groupby(["track", "model"])["equal"].all().groupby("track").sum()
    return table.assign(files=whole).reset_index()


def rule_said(table: pd.DataFrame) -> str:
    """The tally of :func:`reproduced` in a sentence."""
    n, known, equal, files = (int(table[c].sum()) for c in ("n", "known", "equal", "files"))
    return (
        f"The rule says what {known:,} of the {n:,} responses earn, and {equal:,} of these are the published "
        f"scores; {files} files come out whole."
    )


def track_scores(responses: pd.DataFrame) -> pd.DataFrame:
    """Mean score of each model on each track: ``model``, a column a track, ``mean`` (of all six, or none)."""
    table = responses.groupby(["model", "track"])["score"].mean().unstack()
    table = table.reindex(columns=list(TRACKS))
    return table.assign(mean=table.mean(axis=1, skipna=False)).reset_index()


def beside_published(own: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Track scores of some models by rule, above the lowest, the middle and the highest published one."""
    ours, theirs = (track_scores(rows.assign(score=by_rule(rows))) for rows in (own, published))
    columns = theirs.drop(columns="model")
    ends = {"lowest": columns.min(), "median": columns.median(), "highest": columns.max()}
    rows = [{"model": f"published, {name}", **values} for name, values in ends.items()]
    return pd.concat([ours, pd.DataFrame(rows)], ignore_index=True)


def matrices(responses: pd.DataFrame, what: str) -> dict[str, pd.DataFrame]:
    """What each model got on each item, a table a track: items in rows, models in columns."""
    return {
        track: responses[responses["track"] == track].pivot(index="item", columns="model", values=what)
        for track in TRACKS
    }


def leaders(responses: pd.DataFrame, n_resamples: int, seed: int) -> tuple[pd.DataFrame, float]:
    """Who scores highest on each track, and how often one model would on all of them.

    Items are resampled with all their models' responses.

    Returns
    -------
    DataFrame
        One row for each track: ``track, about, leader`` (all that tie), ``score, second, gap, lower, upper``
        (paired 95 % interval of the first less the next model), ``not_apart`` (models whose paired interval
        with the leader holds 0), ``unscored`` (models without a score there).
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
        "leader": listed(tied),
        "score": scores[first],
        "second": names[second],
        "gap": scores[first] - scores[second],
        "lower": low,
        "upper": high,
        "not_apart": sum(lo <= 1e-9 for lo, _ in gaps),
        "unscored": listed(n for n, s in zip(names, scores, strict=True) if not np.isfinite(s)),
    }


def h1(table: pd.DataFrame, on_all: float) -> Verdict:
    """H1: no model scores highest on all tracks."""
    firsts = [set(_names(row.leader)) for row in rows_of(table)]
    sweeping = set.intersection(*firsts)
    tracks = {name: sum(name in f for f in firsts) for name in set().union(*firsts)}
    most = max(tracks.values())
    said = (
        f"{listed(sorted(sweeping))} scores highest on every track."
        if sweeping
        else f"No model scores highest on every track: the most any leads is {most} of {len(table)} "
        f"({listed(sorted(n for n, k in tracks.items() if k == most))})."
    )
    loose = table[table["not_apart"] > 0]
    # whoever leads wherever it has a score would lead everywhere if its other scores were the highest
    missing = [set(_names(row.unscored)) - {"none"} for row in rows_of(table)]
    able = set.intersection(*(f | m for f, m in zip(firsts, missing, strict=True)))
    units = [
        unit(name, name not in sweeping, flag="no score on some track" if name in able - sweeping else "")
        for name in sorted(set().union(*firsts, *missing))
    ]
    return verdict_over(
        units,
        "H1",
        Kind.BESIDE,
        "No single model has the highest score on all six tracks.",
        f"{said} In {on_all:.1%} of resamples of the items one model leads all of them. On {len(loose)} of "
        f"{len(table)} tracks the leader cannot be told from at least one other model.",
    )


def _names(leader: object) -> list[str]:
    return cast(str, leader).replace(" and ", ", ").split(", ")
