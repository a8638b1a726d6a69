"""Rows of study 5 in the ledger: its result files and the claims of its text."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.claims import claim_entries
from metacog.ledger.entry import Entry, Role, Settings, Status, StudyLedger
from metacog.ledger.judging import agreement
from metacog.studies.study5_battery.ledger import published
from metacog.studies.study5_battery.ledger.claims import ANSWERS, estimated, recounted
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas, table_of
from metacog.studies.study5_battery.measures.profiles import path_rates
from metacog.studies.study5_battery.monitoring.profiles import with_printed
from metacog.studies.study5_battery.monitoring.ranks import leaderboard
from metacog.studies.study5_battery.regulation.reliability import dissociation, profiles_apart, split_half

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
    return [*_tracks(), *_board(), *_paths(), *_reliability(), *_items(), *_text()]


def _tracks() -> list[Entry]:
    ours = {(r.model, r.track): r for r in rows_of(deltas(load()))}
    rows = []
    for row in published.as_text("per_track").to_dict("records"):
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
                    precision=published.precision("per_track", column),
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
    for row in published.as_text("leaderboard").to_dict("records"):
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
                    precision=None if rank else published.precision("leaderboard", column),
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
        for row in published.as_text("t6_paths").to_dict("records")
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
        for row in published.as_text("reliability").to_dict("records")
    ]


def _items() -> list[Entry]:
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
        for row in published.as_text("items").to_dict("records")
    ]


def _text() -> list[Entry]:
    return claim_entries(
        published.as_text("text_claims"),
        ANSWERS,
        load(),
        study=STUDY,
        table=TEXT,
        quantities={"lower": "lowest", "upper": "highest"},
    )


LEDGER = StudyLedger(STUDY, entries, roles=(FOLLOWS, RANKED))
