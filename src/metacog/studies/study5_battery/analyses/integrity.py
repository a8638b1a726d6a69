"""What was published, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.words import plural
from metacog.studies.study import analysis
from metacog.studies.study5_battery import headlines as lines
from metacog.studies.study5_battery import integrity as checks
from metacog.studies.study5_battery.conditions import easy_items
from metacog.studies.study5_battery.published import FILES, TRACKS
from metacog.studies.study5_battery.responses import load

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Integrity:
    """The integrity report.

    ``tracks`` has how many items and responses each track holds, ``identical``, ``declined``,
    ``unnormalised``, ``repeated`` and ``undefined`` what each check finds, ``headlines`` the study's
    headlines as published and after each mending.
    """

    tracks: pd.DataFrame
    identical: pd.DataFrame
    declined: pd.DataFrame
    unnormalised: pd.DataFrame
    repeated: pd.DataFrame
    undefined: pd.DataFrame
    headlines: pd.DataFrame
    responses: int
    items: int
    models: int
    declined_items: int
    mended_answers: int
    thin: int
    defined: int
    all_right: int
    none_right: int
    identical_said: str
    declined_said: str
    keys_said: str
    repeated_said: str
    headlines_said: str


@analysis(returns=Integrity, files=FILES)
def integrity(inputs: Inputs) -> Integrity:
    """What is wrong with the published responses, and does it matter?"""
    rows = load()
    pairs, declined = checks.identical(rows), checks.declined(rows)
    mended, repeated = checks.unnormalised(rows), checks.repeated_answers(rows)
    empty = checks.undefined(rows)
    items, all_right, none_right = easy_items(rows)
    table = lines.with_and_without(rows)
    counted = (
        rows.groupby("track")
        .agg(
            items=("item", "nunique"),
            responses=("item", "size"),
            accuracy=("correct", "mean"),
            kept=("keep", "mean"),
            bet=("bet", "mean"),
        )
        .reset_index()
    )
    n_cells = rows.groupby(["model", "track"]).ngroups
    return Integrity(
        tracks=counted.assign(about=counted["track"].map(TRACKS)),
        identical=pairs,
        declined=declined,
        unnormalised=mended,
        repeated=repeated,
        undefined=empty,
        headlines=table,
        responses=len(rows),
        items=items,
        models=rows["model"].nunique(),
        declined_items=int(declined["declined"].sum()),
        mended_answers=int(mended.loc[mended["certain"], "n"].sum()),
        thin=checks.thin(rows),
        defined=n_cells - len(empty),
        all_right=all_right,
        none_right=none_right,
        identical_said=_identical_said(pairs),
        declined_said=_declined_said(declined, counted),
        keys_said=_keys_said(mended),
        repeated_said=_repeated_said(repeated),
        headlines_said=lines.changed_said(table),
    )


def _identical_said(pairs: pd.DataFrame) -> str:
    copied = pairs[pairs["copied"]]
    named = [f"{r['first']} and {r['second']} on {r['track']}" for r in copied.to_dict("records")]
    rest = len(pairs) - len(copied)
    return (
        f"{plural(len(copied), 'pair')} of files cannot be alike by chance: {'; '.join(named)}. "
        f"{plural(rest, 'other identical pair')} can: files that say KEEP and BET to nearly everything and "
        "are nearly always right have little to differ in."
    )


def _declined_said(declined: pd.DataFrame, tracks: pd.DataFrame) -> str:
    items = int(tracks.loc[tracks["track"] == "T6", "items"].iloc[0])
    most = declined[declined["declined"] > items / 2]
    rest = declined[declined["declined"] <= items / 2]
    named = " ".join(
        f"{r['model']} declined {r['declined']} of {items}: its accuracy on T6 says nothing of what it knows."
        for r in most.to_dict("records")
    )
    few = f"{plural(len(rest), 'other model')} declined at most {int(rest['declined'].max())} items each."
    return f"{named} {few}".strip()


def _keys_said(mended: pd.DataFrame) -> str:
    certain = mended[mended["certain"]]
    return (
        f"{int(certain['n'].sum())} answers, to {plural(len(certain), 'item')}, were logged as wrong "
        f"although "
        f"they are the key in other characters; {int(mended['n'].sum() - certain['n'].sum())} more hold it "
        "within a sentence."
    )


def _repeated_said(repeated: pd.DataFrame) -> str:
    if repeated.empty:
        return "No model wrote one and the same answer to most items."
    return " ".join(
        f"{r['model']} wrote one and the same answer to {r['n']} of the {r['of']} items that it did not "
        f"decline, {r['right'] or 'none'} of them rightly: what is scored there is a failure of form."
        for r in repeated.to_dict("records")
    )
