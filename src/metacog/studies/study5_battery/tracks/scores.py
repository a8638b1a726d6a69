"""What the scores pay for, how far the rule behind them goes, and whether one model leads all tracks (H1)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.report.rules import judged, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study5_battery.ledger.published import TRACKS
from metacog.studies.study5_battery.measures.scores import by_rule

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
    rule = by_rule(responses)
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


def leaders(responses: pd.DataFrame, n_resamples: int, seed: int) -> tuple[pd.DataFrame, float]:
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
