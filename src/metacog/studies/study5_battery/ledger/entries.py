"""Rows of study 5 in the ledger: its result files and the claims of its text.

The claims of the paper's text: what each asks of the responses, and what they answer.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.ledger.entry import Entry, Kind, Rival, Role, Settings, Status, StudyLedger, Value
from metacog.ledger.judging import Answers, agreement, claim_entries
from metacog.sdt.correlations import Correlation, correlation
from metacog.studies.study5_battery import paper
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import (
    PRINTED,
    deltas,
    identical,
    mean_deltas,
    path_rates,
    table_of,
    track_scores,
)
from metacog.studies.study5_battery.monitoring_ranks import (
    by_track,
    grid,
    inversion,
    leaderboard,
    with_printed,
)
from metacog.studies.study5_battery.paper import RETROSPECTIVE
from metacog.studies.study5_battery.regulation import dissociation, profiles_apart, split_half
from metacog.studies.study5_battery.regulation_contrasts import (
    CLAIMED_ON,
    FAMILIES,
    Family,
    course_of,
    scaling,
    twins_of,
)

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
    r = dissociation(responses).pearson
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
    rival = None
    if shared := twins_of(family, copied):
        left = course_of(_left(family, values, copied)) == family.claim
        rival = Rival(float(left), f"{shared}: with one of these two sizes left out,")
    return recounted(float(two["course"] == family.claim), note=note, rival=rival)


def _left(family: Family, values: list[float], copied: pd.DataFrame) -> list[float]:
    """Deltas of the sizes but the first of those that share a file on the track of the claim."""
    in_family = copied[(copied["track"] == CLAIMED_ON) & copied["first"].isin(family.models)]
    out = set(in_family["first"])
    return [v for model, v in zip(family.models, values, strict=True) if model not in out]


def _plateau(responses: pd.DataFrame) -> Value:
    cells = grid(mean_deltas(deltas(responses)))
    base, five = cells[cells["moved"] == 0].iloc[0], _by_five(cells)
    return recounted(
        float(20 - five["changed"].max()),
        note=f"models that keep their profile in every shift by 5 points; {int(base['as_printed'])} have the "
        "printed profile at the printed thresholds",
    )


def _shift(responses: pd.DataFrame) -> Ends:
    five = _by_five(grid(mean_deltas(deltas(responses))))
    alone = five[five["moved"] == 1]["changed"]
    note = f"one threshold at a time, both ways; all together at most {int(five['changed'].max())}"
    return _between(float(alone.min()), float(alone.max()), note)


def _by_five(cells: pd.DataFrame) -> pd.DataFrame:
    return cells[(cells["largest"] == 5) & (cells["moved"] > 0)]


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
    return recounted(table_of(path_rates(responses), "model", ["decline"])["decline"][R1])


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

PROFILE = "profile: {}"
#: Columns of the printed rates, their names, ours, and whether they are whole numbers.
RATES = {
    "n_correct": ("right answers", "n_correct", None),
    "n_incorrect": ("wrong answers", "n_incorrect", None),
    "kc_rate": ("KEEP of right answers, %", "kc", None),
    "ki_rate": ("KEEP of wrong answers, %", "ki", None),
    "accuracy": ("accuracy", "accuracy", FOLLOWS),
    "withdraw_delta": ("withdraw delta", "delta", FOLLOWS),
}


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 5."""
    return [*_track_entries(), *_board(), *_paths(), *_reliability(), *_item_entries(), *_text()]


def _track_entries() -> list[Entry]:
    ours = {(r.model, r.track): r for r in rows_of(deltas(load()))}
    rows = []
    for row in paper.as_text("per_track").to_dict("records"):
        counted = ours[row["model"], row["track"]]
        for column, (name, field, role) in RATES.items():
            if not row[column]:
                continue  # an undefined delta, printed as undefined
            value = float(getattr(counted, field))
            note = "there is no such answer: undefined, printed as 0" if value != value else ""
            rows.append(
                Entry(
                    STUDY,
                    TRACKS,
                    f"{row['model']}, {row['track']}",
                    name,
                    row[column],
                    recounted(value, note=note),
                    precision=paper.precision("per_track", column),
                    role=role,
                    in_words=column.startswith("n_"),
                )
            )
    return rows


def judged_profiles(means: pd.DataFrame) -> pd.DataFrame:
    """:func:`.with_printed`, and whether the ledger calls each printed profile that of the rule: ``same``."""
    both, agreed = with_printed(means), agreement(_board())
    names = [PROFILE.format(printed) for printed in both["printed"]]
    same = np.array([agreed[BOARD, model, name] for model, name in zip(both["model"], names, strict=True)])
    return both.assign(same=same, why=both["why"].mask(same, ""))


def _board() -> list[Entry]:
    means = mean_deltas(deltas(load()))
    ours = {r.model: r for r in rows_of(leaderboard(means))}
    profiles = {r.model: r for r in rows_of(with_printed(means))}
    rows = []
    for row in paper.as_text("leaderboard").to_dict("records"):
        counted, profile = ours[row["model"]], profiles[row["model"]]
        few = "" if counted.complete else f"rests on {counted.n_defined} of 5 tracks"
        for column, name, value, note, role in (
            ("mean_withdraw_delta", "mean withdraw delta", counted.delta, few, None),
            ("mean_accuracy", "mean accuracy", counted.accuracy, "", None),
            ("accuracy_rank", "rank by accuracy", counted.accuracy_rank, "", RANKED),
            ("metacognition_rank", "rank by withdraw delta", counted.printed_rank, few, RANKED),
        ):
            rank = column.endswith("rank")
            rows.append(
                Entry(
                    STUDY,
                    BOARD,
                    row["model"],
                    name,
                    row[column],
                    recounted(float(value), note=note),
                    precision=None if rank else paper.precision("leaderboard", column),
                    in_words=rank,
                    role=role,
                )
            )
        same = profile.rule == profile.printed
        note = "" if same else f"by the printed rule {profile.rule}: {profile.why}"
        rows.append(
            Entry(
                STUDY,
                BOARD,
                row["model"],
                PROFILE.format(row["profile"]),
                "True",
                recounted(float(same), note=note),
                in_words=True,
            )
        )
    return rows


def _paths() -> list[Entry]:
    ours = table_of(path_rates(load()), "model", ["direct", "hint", "decline"])
    return [
        Entry(
            STUDY,
            PATHS,
            row["model"],
            f"{name}, %",
            row[f"{name}_rate"],
            recounted(ours[name][row["model"]]),
            precision=1e-9,
        )
        for row in paper.as_text("t6_paths").to_dict("records")
        for name in ("direct", "hint", "decline")
    ]


def _reliability() -> list[Entry]:
    responses = load()
    halves, apart = split_half(responses), profiles_apart(mean_deltas(deltas(responses)))
    related = dissociation(responses).pearson
    low, high = halves.whole_limits
    p = halves.pearson
    found = {
        "split_half_r": (p.r, f"95 % {p.lower:.2f} to {p.upper:.2f}, {p.n} models"),
        "spearman_brown": (halves.whole, f"95 % {low:.2f} to {high:.2f}"),
        "cohens_d_C_vs_A": (apart.d, "the profiles are cut by the same means"),
        "cohens_d_ci_lo": (apart.lower, "the printed generator, seed and order of draws"),
        "cohens_d_ci_hi": (apart.upper, "the printed generator, seed and order of draws"),
        "retrospective_prospective_r": (related.r, f"95 % {related.lower:.2f} to {related.upper:.2f}"),
    }
    return [
        Entry(
            STUDY,
            RELIABILITY,
            row["statistic"].replace("_", " "),
            "value",
            row["value"],
            estimated(float(found[row["statistic"]][0]), note=found[row["statistic"]][1]),
        )
        for row in paper.as_text("reliability").to_dict("records")
    ]


def _item_entries() -> list[Entry]:
    ours = load().groupby("track")["item"].nunique()
    return [
        Entry(
            STUDY,
            ITEMS,
            f"{row['track']}: {row['domain']}",
            "items",
            row["n_items"],
            recounted(float(ours[row["track"]])),
            in_words=True,
        )
        for row in paper.as_text("items").to_dict("records")
    ]


def _text() -> list[Entry]:
    return claim_entries(
        paper.as_text("text_claims"),
        ANSWERS,
        load(),
        study=STUDY,
        table=TEXT,
        quantities={"lower": "lowest", "upper": "highest"},
    )


LEDGER = StudyLedger(STUDY, entries, roles=(FOLLOWS, RANKED))
