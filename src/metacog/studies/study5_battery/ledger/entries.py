"""Rows of study 5 in the ledger: its result files and the claims of its text.

The claims of the paper's text: what each asks of the responses, and what they answer.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.ledger.entry import Kind, Role, Settings, Status, StudyLedger, Value, entries_of
from metacog.ledger.judging import Answers, claim_entries
from metacog.sdt.correlations import Correlation, correlation, spearman_brown
from metacog.studies.study5_battery import paper
from metacog.studies.study5_battery.contrasts import (
    CLAIMED_ON,
    FAMILIES,
    Family,
    course_of,
    scaling,
    twins_of,
)
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, path_rates
from metacog.studies.study5_battery.integrity import identical
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.monitoring import inversion, leaderboard
from metacog.studies.study5_battery.paper import RETROSPECTIVE
from metacog.studies.study5_battery.profiles import PRINTED, by_five, by_track, grid, with_printed
from metacog.studies.study5_battery.regulation import dissociation
from metacog.studies.study5_battery.robustness import profiles_apart, split_half
from metacog.studies.study5_battery.scores import track_scores

#: The rank correlation from which on ranks are called inverted (below zero) or convergent (above).
STRONG = 0.5
LOWEST, R1 = "Gemma 3 1B", "DeepSeek R1"
SOURCE = "the published responses"
#: Item types whose numbers of items the text prints.
CONDITIONS = {
    "T2": ("calibration", "prospective", "error_detection", "knowledge_boundary"),
    "T5": ("format_flexibility", "inhibitory_control", "task_switching"),
}
#: A count, share or mean of the responses, and what an estimator makes of them.
recounted = partial(Value, source=SOURCE, kind=Kind.RECOUNTED)
estimated = partial(Value, source=SOURCE, kind=Kind.ESTIMATED)
Ends = dict[str, Value]


def _between(lower: float, upper: float, note: str) -> Ends:
    return {"lower": recounted(lower, note=note), "upper": recounted(upper, note=note)}


def _inverted(responses: pd.DataFrame) -> Value:
    every, whole = inversion(mean_deltas(deltas(responses)))
    return estimated(
        float(every.r <= -STRONG),
        note=f"taken as a rank correlation of {-STRONG} or below: it is {every.r:.2f} (95 % {every.lower:.2f} to "
        f"{every.upper:.2f}), and {whole.r:.2f} over the {whole.n} models with a delta on all five tracks",
    )


def _prospective(responses: pd.DataFrame) -> Value:
    _, r = dissociation(responses)
    note = f"95 % {r.lower:.2f} to {r.upper:.2f}: neither unrelated nor related is shown"
    return estimated(r.r, note=note)


def _tracks(responses: pd.DataFrame) -> pd.DataFrame:
    """Scores of the six tracks by model."""
    return track_scores(responses).set_index("model").drop(columns="mean")


def _widest(responses: pd.DataFrame) -> Value:
    scores = _tracks(responses)
    spread = (scores.max() - scores.min()).sort_values(ascending=False, kind="stable")
    note = "; ".join(f"{track} {value:.3f}" for track, value in spread.items())
    return recounted(float(str(spread.index[0]) == "T6"), note=note)


def _scaling(name: str, responses: pd.DataFrame) -> Value:
    """A family's course over size, on the track that the abstract names."""
    table, pairs = scaling(responses), identical(responses)
    copied = pairs[pairs["copied"]]
    (family,) = (one for one in FAMILIES if one.name == name)
    rows_of_family = table[table["family"] == family.name]
    rows = rows_of_family[rows_of_family["measure"] == CLAIMED_ON]
    two, mean = rows.iloc[0], rows_of_family[rows_of_family["measure"] == "mean"].iloc[0]
    values = [float(v) for v in rows["delta"]]
    note = (
        f"{', '.join(f'{v:.1f}' for v in values)} from the smallest; largest minus smallest "
        f"{two['change']:+.1f} (95 % {two['change_lower']:.1f} to {two['change_upper']:.1f}); the mean over "
        f"T1 to T5: {mean['course']}, {mean['change']:+.1f}"
    )
    rival, without = None, ""
    if shared := twins_of(family, copied):
        left = course_of(_left(family, values, copied)) == family.claim
        rival, without = float(left), f"{shared}: with one of these two sizes left out,"
    return recounted(float(two["course"] == family.claim), note=note, rival=rival, without=without)


def _left(family: Family, values: list[float], copied: pd.DataFrame) -> list[float]:
    """Deltas of the sizes but the first of those that share a file on the track of the claim."""
    in_family = copied[(copied["track"] == CLAIMED_ON) & copied["first"].isin(family.models)]
    out = set(in_family["first"])
    return [v for model, v in zip(family.models, values, strict=True) if model not in out]


def _plateau(responses: pd.DataFrame) -> Value:
    cells = grid(mean_deltas(deltas(responses)))
    base, five = cells[cells["moved"] == 0].iloc[0], by_five(cells)
    return recounted(
        float(20 - five["changed"].max()),
        note=f"models that keep their profile in every shift by 5 points; {int(base['as_printed'])} have the "
        "printed profile at the printed thresholds",
    )


def _shift(responses: pd.DataFrame) -> Ends:
    five = by_five(grid(mean_deltas(deltas(responses))))
    alone = five[five["moved"] == 1]["changed"]
    note = f"one threshold at a time, both ways; all together at most {int(five['changed'].max())}"
    return _between(float(alone.min()), float(alone.max()), note)


def overall(responses: pd.DataFrame) -> pd.Series:
    """Overall accuracy as the print seems to count it: T2 by its score, then the mean of T1 to T5."""
    accuracy = responses.groupby(["model", "track"])["correct"].mean().unstack()
    accuracy["T2"] = track_scores(responses).set_index("model")["T2"]
    return accuracy[list(RETROSPECTIVE)].mean(axis=1)


def _accuracy(model: str, responses: pd.DataFrame) -> Value:
    """A model's overall accuracy, which the text says is the lowest or the highest."""
    whole = overall(responses)
    plain = mean_deltas(deltas(responses)).set_index("model")["accuracy"]
    rank = f"lowest is {whole.idxmin()}" if model == LOWEST else f"highest is {whole.idxmax()}"
    note = (
        f"T2 by its score, mean of T1 to T5, {rank}; by accuracy throughout {plain[model]:.3f}, where "
        f"{plain.idxmin()} is lowest and {plain.idxmax()} highest"
    )
    return recounted(whole[model], note=note)


def _no_leader(responses: pd.DataFrame) -> Value:
    tracks = _tracks(responses)
    ahead = list(tracks.index[(tracks >= tracks.max() - 1e-9).all(axis=1)])
    return recounted(float(not ahead), note=f"led by one model: {listed(ahead)}")


def _spread(responses: pd.DataFrame) -> Value:
    t6 = _tracks(responses)["T6"]
    return recounted(t6.max() - t6.min(), note=f"{t6.idxmax()} less {t6.idxmin()}")


def _score(track: str, responses: pd.DataFrame) -> Value:
    return recounted(float(_tracks(responses)[track][R1]))


def _declines(responses: pd.DataFrame) -> Value:
    return recounted(float(path_rates(responses).set_index("model")["decline"][R1]))


def _withdraws(responses: pd.DataFrame) -> Ends:
    r1 = deltas(responses)
    stood = r1[(r1["model"] == R1) & r1["track"].isin(RETROSPECTIVE)]["stood"]
    return _between(100 - stood.max(), 100 - stood.min(), "over the five tracks")


def _blanket() -> list[str]:
    """Models that the paper prints as blanket confidence."""
    return [m for m, p in paper.printed_profiles().items() if p == "A"]


def _on_all(responses: pd.DataFrame) -> Value:
    per_track, paths = deltas(responses), path_rates(responses)
    table = by_track(per_track, paths).set_index("model")
    on_all = list(table.index[(table[[*RETROSPECTIVE, "T6"]] == "A").all(axis=1)])
    rates = per_track[per_track["track"].isin(RETROSPECTIVE)].groupby("model")["stood"].min()
    ahead = paths.set_index("model")["direct"].reindex(rates.index)
    by_rates = list(rates.index[(rates >= PRINTED.high) & (ahead >= PRINTED.high)])
    return recounted(
        float(len(on_all)),
        note=f"by rule on every track: {listed(on_all)}; by the rates alone, whatever the deltas: "
        f"{listed(by_rates)}; printed: {listed(sorted(_blanket()))}",
    )


def _keeps(responses: pd.DataFrame) -> Value:
    per_track, printed = deltas(responses), _blanket()
    means = mean_deltas(per_track).set_index("model").loc[printed]
    tracked = per_track[per_track["model"].isin(printed) & per_track["track"].isin(RETROSPECTIVE)]
    below = tracked[tracked["stood"] < PRINTED.high]
    return recounted(
        float(means["stood"].min()),
        note=f"lowest mean over T1 to T5 of the {len(printed)} printed models; {plural(len(below), 'track')} "
        f"of theirs lie below, the lowest at {tracked['stood'].min():.1f} %",
    )


def _direct(responses: pd.DataFrame) -> Value:
    return recounted(float(path_rates(responses).set_index("model").loc[_blanket(), "direct"].min()))


def _converges(responses: pd.DataFrame) -> Value:
    """Whether models rank by withdraw delta as by the atlas's AUROC2, from other questions and a stated confidence."""
    per_track = deltas(responses)
    means = mean_deltas(per_track).set_index("model")
    areas = paper.atlas()["auroc2"].reindex(means.index)
    calibration = per_track[per_track["track"] == CLAIMED_ON].set_index("model")["delta"].reindex(means.index)
    whole = means["complete"]
    every, complete, one = (
        correlation(x, areas[x.index], kind="spearman")
        for x in (means["delta"], means.loc[whole, "delta"], calibration)
    )
    return estimated(
        float(every.r >= STRONG),
        source=f"{SOURCE}, and the atlas's AUROC2 of the same models",
        note=f"taken as a rank correlation of {STRONG} or above of mean withdraw delta with the atlas's AUROC2: it is "
        f"{_shown(every)} over {every.n} models, {_shown(complete)} over the {complete.n} with a delta on all five "
        f"tracks, and {_shown(one)} for the delta on {CLAIMED_ON}; the text names no measure of the other approach",
    )


def _shown(found: Correlation) -> str:
    return f"{found.r:.2f} (95 % {found.lower:.2f} to {found.upper:.2f})"


def _items(track: str, kind: str, responses: pd.DataFrame) -> Value:
    asked = responses[(responses["track"] == track) & (responses["item_type"] == kind)]
    return recounted(float(asked["item"].nunique()))


def _types(track: str, responses: pd.DataFrame) -> Value:
    """Item types of a track; the files name them, and the paper its conditions."""
    own = responses[responses["track"] == track]
    kinds, levels = ([str(name) for name in own[column].unique()] for column in ("item_type", "level"))
    empty = ", an empty one among them" if "" in levels else ""
    note = f"{listed(kind.replace('_', ' ') for kind in kinds)}; levels of the items: {len(levels)}{empty}"
    return recounted(float(len(kinds)), note=note)


def _makers(responses: pd.DataFrame) -> Value:
    makers = paper.atlas()["maker"].reindex(responses["model"].unique())
    return recounted(
        float(makers.nunique()),
        source="the models of the responses, and the atlas's names of them",
        note=listed(sorted(set(makers.dropna()))),
    )


#: What answers each claim of ``battery_text_claims.csv`` from the responses, by its id.
ANSWERS: Answers = {
    "ranks_inverted": _inverted,
    "prospective": _prospective,
    "scale_qwen": partial(_scaling, "Qwen"),
    "scale_gpt": partial(_scaling, "GPT-5.4"),
    "scale_gemma": partial(_scaling, "Gemma"),
    "plateau": _plateau,
    "shift_by_five": _shift,
    "lowest_accuracy": partial(_accuracy, LOWEST),
    "highest_accuracy": partial(_accuracy, "GLM-5"),
    "no_leader": _no_leader,
    "spread_t6": _spread,
    "r1_t2": partial(_score, "T2"),
    "r1_t6": partial(_score, "T6"),
    "r1_declines": _declines,
    "r1_withdraws": _withdraws,
    "blanket_models": _on_all,
    "blanket_keeps": _keeps,
    "blanket_direct": _direct,
    "widest_spread": _widest,
    "independent": _converges,
    "responses": lambda responses: recounted(float(len(responses))),
    "providers": _makers,
    **{f"conditions_{track.lower()}": partial(_types, track) for track in ("T1", "T3", "T4")},
    **{
        f"{track.lower()}_{kind}": partial(_items, track, kind)
        for track, kinds in CONDITIONS.items()
        for kind in kinds
    },
}


STUDY = "study 5"
TRACKS, BOARD = "study 5, rates a track", "study 5, leaderboard"
PATHS, RELIABILITY = "study 5, T6 paths", "study 5, reliability"
ITEMS, TEXT = "study 5, items", "study 5, text"

FOLLOWS = Role(
    Status.REPEAT,
    "accuracies and deltas a track",
    "follows from the counts, or from the rates, of the same row",
)
RANKED = Role(Status.REPEAT, "ranks of the leaderboard", "ranks the means of the same table")

#: Columns of the printed rates, their names, ours, and whether they are whole numbers.
RATES = {
    "n_correct": ("right answers", "n_correct", None),
    "n_incorrect": ("wrong answers", "n_incorrect", None),
    "kc_rate": ("KEEP of right answers, %", "kc", None),
    "ki_rate": ("KEEP of wrong answers, %", "ki", None),
    "accuracy": ("accuracy", "accuracy", FOLLOWS),
    "withdraw_delta": ("withdraw delta", "delta", FOLLOWS),
}


def entries(settings: Settings) -> pd.DataFrame:
    """Every row of study 5."""
    tables = [one() for one in (rates, board, paths, reliability, items)]
    return pd.concat([entries_of(pd.concat(tables, ignore_index=True), STUDY), _text()])


def _filled(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Quantities of one printed table, one after the other within each of its rows."""
    return pd.concat(parts).sort_index(kind="stable").assign(source=SOURCE)


def rates() -> pd.DataFrame:
    """Counts and rates of each model and track."""
    printed = paper.as_text("per_track")
    ours = (
        deltas(load())
        .set_index(["model", "track"])
        .loc[pd.MultiIndex.from_frame(printed[["model", "track"]])]
    )
    parts = []
    for column, (quantity, field, role) in RATES.items():
        value = ours[field].to_numpy(dtype=float)
        about: dict[str, Any] = {
            "table": TRACKS,
            "item": printed["model"] + ", " + printed["track"],
            "quantity": quantity,
        }
        about |= {"published": printed[column], "value": value, "role": role}
        about |= {"undefined": np.isnan(value), "precision": paper.precision("per_track", column)}
        about |= {"in_words": column.startswith("n_")}
        parts.append(pd.DataFrame(about))
    found = _filled(parts).assign(kind=Kind.RECOUNTED)
    found["note"] = found["undefined"].map(
        {True: "there is no such answer: undefined, printed as 0", False: ""}
    )
    return found[found["published"] != ""]  # an undefined delta, printed as undefined


def board() -> pd.DataFrame:
    """Means, ranks and profiles of the leaderboard."""
    printed, means = paper.as_text("leaderboard"), mean_deltas(deltas(load()))
    ours, profiles = (
        table.set_index("model").loc[printed["model"]].reset_index()
        for table in (leaderboard(means), with_printed(means))
    )
    few = ("rests on " + ours["n_defined"].astype(str) + " of 5 tracks").where(~ours["complete"], "")
    about: dict[str, Any] = {"table": BOARD, "item": printed["model"]}
    parts = [
        pd.DataFrame(
            about
            | {
                "quantity": name,
                "published": printed[column],
                "value": ours[field].astype(float),
                "note": note,
            }
            | {"role": role, "in_words": role is not None}
            | {"precision": paper.precision("leaderboard", column) if role is None else None}
        )
        for column, name, field, note, role in (
            ("mean_withdraw_delta", "mean withdraw delta", "delta", few, None),
            ("mean_accuracy", "mean accuracy", "accuracy", "", None),
            ("accuracy_rank", "rank by accuracy", "accuracy_rank", "", RANKED),
            ("metacognition_rank", "rank by withdraw delta", "printed_rank", few, RANKED),
        )
    ]
    same = profiles["rule"] == profiles["printed"]
    why = [
        f"by the printed rule {one.rule}: KEEP {one.stood:.1f} %, mean delta {one.delta:.1f}"
        for one in rows_of(profiles)
    ]
    about |= {"quantity": "profile: " + printed["profile"], "published": "True", "value": same.astype(float)}
    parts.append(pd.DataFrame(about | {"note": pd.Series(why).mask(same, ""), "in_words": True}))
    return _filled(parts).assign(kind=Kind.RECOUNTED)


def paths() -> pd.DataFrame:
    """How often each path of T6 was chosen."""
    printed = paper.as_text("t6_paths")
    ours = path_rates(load()).set_index("model").loc[printed["model"]].reset_index()
    about = {"table": PATHS, "item": printed["model"], "precision": 1e-9, "kind": Kind.RECOUNTED}
    return _filled(
        [
            pd.DataFrame(
                about | {"quantity": f"{name}, %", "published": printed[f"{name}_rate"], "value": ours[name]}
            )
            for name in ("direct", "hint", "decline")
        ]
    )


def reliability() -> pd.DataFrame:
    """How the battery agrees with itself."""
    responses = load()
    halves, (d, lower, upper) = split_half(responses), profiles_apart(mean_deltas(deltas(responses)))
    _, related = dissociation(responses)
    whole, low, high = (spearman_brown(one) for one in (halves.r, halves.lower, halves.upper))
    drawn = "the printed generator, seed and order of draws"
    found = {
        "split_half_r": (halves.r, f"95 % {halves.lower:.2f} to {halves.upper:.2f}, {halves.n} models"),
        "spearman_brown": (whole, f"95 % {low:.2f} to {high:.2f}"),
        "cohens_d_C_vs_A": (d, "the profiles are cut by the same means"),
        "cohens_d_ci_lo": (lower, drawn),
        "cohens_d_ci_hi": (upper, drawn),
        "retrospective_prospective_r": (related.r, f"95 % {related.lower:.2f} to {related.upper:.2f}"),
    }
    printed = paper.as_text("reliability")
    ours = pd.DataFrame(found, index=["value", "note"]).T.loc[printed["statistic"]].reset_index(drop=True)
    about = {"table": RELIABILITY, "item": printed["statistic"].str.replace("_", " "), "quantity": "value"}
    return _filled([pd.DataFrame(about | {"published": printed["value"], "kind": Kind.ESTIMATED}).join(ours)])


def items() -> pd.DataFrame:
    """How many items each track has."""
    printed = paper.as_text("items")
    ours = load().groupby("track")["item"].nunique()
    about = {"table": ITEMS, "item": printed["track"] + ": " + printed["domain"], "quantity": "items"}
    about |= {"published": printed["n_items"], "value": printed["track"].map(ours).astype(float)}
    return _filled([pd.DataFrame(about).assign(in_words=True, kind=Kind.RECOUNTED)])


def _text() -> pd.DataFrame:
    return claim_entries(
        paper.as_text("text_claims"),
        ANSWERS,
        load(),
        study=STUDY,
        table=TEXT,
        quantities={"lower": "lowest", "upper": "highest"},
    )


LEDGER = StudyLedger(STUDY, entries, roles=(FOLLOWS, RANKED))
