"""Rows of study 5 in the ledger: its result files, and its text (:mod:`.text`)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Kind, Role, Settings, Status, StudyLedger, entries_of
from metacog.sdt.correlations import spearman_brown
from metacog.studies.study5_battery import paper
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, path_rates
from metacog.studies.study5_battery.ledger import text
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.ledger.text import SOURCE, STUDY
from metacog.studies.study5_battery.monitoring import leaderboard
from metacog.studies.study5_battery.profiles import with_printed
from metacog.studies.study5_battery.regulation import dissociation
from metacog.studies.study5_battery.robustness import profiles_apart, split_half

TRACKS, BOARD = "study 5, rates a track", "study 5, leaderboard"
PATHS, RELIABILITY = "study 5, T6 paths", "study 5, reliability"
ITEMS = "study 5, items"

FOLLOWS = Role(
    Status.REPEAT,
    "accuracies and deltas a track",
    "follows from the counts, or from the rates, of the same row",
)
RANKED = Role(Status.REPEAT, "ranks of the leaderboard", "ranks the means of the same table")

#: Columns of the printed rates, what they are, our columns, and why they had to agree.
RATES = {
    "n_correct": ("right answers", "n_correct", None),
    "n_incorrect": ("wrong answers", "n_incorrect", None),
    "kc_rate": ("KEEP of right answers, %", "kc", None),
    "ki_rate": ("KEEP of wrong answers, %", "ki", None),
    "accuracy": ("accuracy", "accuracy", FOLLOWS),
    "withdraw_delta": ("withdraw delta", "delta", FOLLOWS),
}


def entries(settings: Settings) -> pd.DataFrame:
    tables = [one() for one in (rates, board, paths, reliability, items)]
    return pd.concat([entries_of(pd.concat(tables, ignore_index=True), STUDY), text.entries()])


def _figures(
    table: str, item: pd.Series, quantity: Any, published: Any, value: pd.Series, **more: Any
) -> Any:
    """A quantity of a printed table next to what the responses give, a row each."""
    about = {"table": table, "item": item, "quantity": quantity, "published": published}
    about |= {"value": value.astype(float), "source": SOURCE, "kind": Kind.RECOUNTED}
    return pd.DataFrame(about | more)


def _by_row(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Quantities of one printed table, one after the other within each of its rows."""
    return pd.concat(parts).sort_index(kind="stable")


def rates() -> pd.DataFrame:
    printed = paper.as_text("per_track")
    ours = printed[["model", "track"]].merge(deltas(load()), how="left", validate="1:1")
    item, parts = printed["model"] + ", " + printed["track"], []
    for column, (quantity, field, role) in RATES.items():
        none = ours[field].isna()
        more = {"role": role, "undefined": none, "precision": paper.precision("per_track", column)}
        more["note"] = none.map({True: "there is no such answer: undefined, printed as 0", False: ""})
        more["in_words"] = column.startswith("n_")
        parts.append(_figures(TRACKS, item, quantity, printed[column], ours[field], **more))
    found = _by_row(parts)
    return found[found["published"] != ""]  # an undefined delta, printed as undefined


def board() -> pd.DataFrame:
    printed, means = paper.as_text("leaderboard"), mean_deltas(deltas(load()))
    models = printed["model"]
    ours, profiles = (
        models.to_frame().merge(table, how="left", validate="1:1")
        for table in (leaderboard(means), with_printed(means))
    )
    few = ("rests on " + ours["n_defined"].astype(str) + " of 5 tracks").where(~ours["complete"], "")
    parts, more = [], dict[str, Any]()
    for column, quantity, field, note in (
        ("mean_withdraw_delta", "mean withdraw delta", "delta", few),
        ("mean_accuracy", "mean accuracy", "accuracy", ""),
    ):
        more = {"note": note, "precision": paper.precision("leaderboard", column)}
        parts.append(_figures(BOARD, models, quantity, printed[column], ours[field], **more))
    for column, quantity, field, note in (
        ("accuracy_rank", "rank by accuracy", "accuracy_rank", ""),
        ("metacognition_rank", "rank by withdraw delta", "printed_rank", few),
    ):
        more = {"note": note, "role": RANKED, "in_words": True}
        parts.append(_figures(BOARD, models, quantity, printed[column], ours[field], **more))
    same = profiles["rule"] == profiles["printed"]
    why = pd.Series(
        f"by the printed rule {one.rule}: KEEP {one.stood:.1f} %, mean delta {one.delta:.1f}"
        for one in rows_of(profiles)
    )
    more, names = {"note": why.mask(same, ""), "in_words": True}, "profile: " + printed["profile"]
    parts.append(_figures(BOARD, models, names, "True", same, **more))
    return _by_row(parts)


def paths() -> pd.DataFrame:
    printed = paper.as_text("t6_paths")
    ours = printed[["model"]].merge(path_rates(load()), how="left", validate="1:1")
    return _by_row(
        [
            _figures(PATHS, ours["model"], f"{name}, %", printed[f"{name}_rate"], ours[name], precision=1e-9)
            for name in ("direct", "hint", "decline")
        ]
    )


def reliability() -> pd.DataFrame:
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
    value, note = (printed["statistic"].map({name: row[k] for name, row in found.items()}) for k in (0, 1))
    item, more = printed["statistic"].str.replace("_", " "), {"note": note, "kind": Kind.ESTIMATED}
    return _figures(RELIABILITY, item, "value", printed["value"], value, **more)


def items() -> pd.DataFrame:
    printed = paper.as_text("items")
    ours = printed["track"].map(load().groupby("track")["item"].nunique())
    item = printed["track"] + ": " + printed["domain"]
    return _figures(ITEMS, item, "items", printed["n_items"], ours, in_words=True)


LEDGER = StudyLedger(STUDY, entries, roles=(FOLLOWS, RANKED))
