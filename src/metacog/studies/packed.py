"""How many of the items that are asked today the packs of another run still answer, as a page says it.

Reading counts them (:attr:`metacog.collect.reading.Reading.counts`) and writes the counts into the footer of the
trial table, so that a page looks them up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from metacog.core.config import Profile
from metacog.core.words import listed
from metacog.studies.registry import studies
from metacog.studies.results import analysis_needs, other_results, profile_for, reference_results
from metacog.studies.study import Analysis, Study
from metacog.studies.trials import owner_of, trial_files

#: What the sentence on a page begins with.
OPENING = (
    "Replies of the reference run come from the packs in `data/replies`; no model was asked for them here."
)


@dataclass(frozen=True)
class Answered:
    """Items of a study that a page rests on, and how many of them the packs answer.

    ``n_otherwise`` were asked in other words, ``n_unasked`` have no reply. Not ``recorded``: a table of trials is
    missing or says nothing of it.
    """

    study: str
    profile: str
    title: str
    n_items: int = 0
    n_otherwise: int = 0
    n_unasked: int = 0
    recorded: bool = True

    @property
    def n_answered(self) -> int:
        """Items whose replies are those to what is asked today."""
        return self.n_items - self.n_otherwise - self.n_unasked

    @property
    def words(self) -> str:
        """The counts as part of a sentence."""
        if not self.recorded:
            command = f"`metacog read --profile {self.profile} --study {self.study} --packed`"
            return f"an unknown number of the items of “{self.title}” that this page rests on ({command} counts them)"
        if self.n_answered == self.n_items:
            return f"all {self.n_items:,} items of “{self.title}” that this page rests on"
        why = [f"{self.n_otherwise:,} were asked in another way"] * (self.n_otherwise > 0)
        why += [f"{self.n_unasked:,} have no reply"] * (self.n_unasked > 0)
        left_out = f"{self.n_items - self.n_answered:,} are left out: {listed(why)}"
        those = f"items of “{self.title}” that this page rests on"
        return f"{self.n_answered:,} of the {self.n_items:,} {those} ({left_out})"


def collections_read(
    uses: Iterable[tuple[str, str]], profiles: Iterable[Profile]
) -> list[tuple[Study, Profile, str]]:
    """Every collection whose trials some results rest on, with the study that asks it and the run.

    ``uses`` are the studies and analyses that are shown, ``profiles`` whose runs of them.
    """
    by_name = {study.name: study for study in studies()}
    wanted: list[tuple[Study, Profile, Analysis]] = [
        (by_name[study], profile, by_name[study].analysis(name))
        for study, name in uses
        for profile in profiles
    ]
    found: dict[tuple[str, str, str], tuple[Study, Profile, str]] = {}
    for study, profile, analysis in wanted:
        others = set(analysis_needs(study, analysis))
        for name in analysis.needs:
            if name not in others:
                asking = owner_of(study, name)
                found[asking.name, profile.name, name] = asking, profile, name
        read = [
            (owner, profile_for(study, profile, owner, analysis), other)
            for owner, other in other_results(study, profile, analysis).values()
        ]
        wanted += [
            one for one in (*read, *reference_results(profile, analysis).values()) if one not in wanted
        ]
    return list(found.values())


def answered(read: Iterable[tuple[Study, Profile, str]], own: Profile, model: str = "") -> list[Answered]:
    """What packs answer of the collections that are read from another profile's run, study by study.

    ``own`` is the profile whose book it is: its own run was collected, not taken from packs. With a ``model`` only its
    items count.
    """
    tables: dict[tuple[str, str], tuple[Study, Profile, list[Path]]] = {}
    for study, profile, collection in read:
        if profile.name != own.name and study.name in profile.studies:
            place = tables.setdefault((study.name, profile.name), (study, profile, []))
            place[2].extend(trial_files(study, profile, collection, model))
    return [_of(study, profile, files) for study, profile, files in tables.values()]


def _of(study: Study, profile: Profile, files: Iterable[Path]) -> Answered:
    counts = [_counts(file) for file in files]
    about = study.name, profile.name, study.title
    known = [one for one in counts if one is not None]
    if not known or len(known) < len(counts):
        return Answered(*about, recorded=False)
    n_items, n_otherwise, n_unasked = (
        sum(one[k] for one in known) for k in ("items", "otherwise", "unasked")
    )
    return Answered(*about, n_items, n_otherwise, n_unasked)


def _counts(table: Path) -> dict[str, int] | None:
    """Items by what became of them, from a trial table's footer; None if there is no table or no such count."""
    if not table.is_file():
        return None
    footer = (pq.read_schema(table).metadata or {}).get(b"metacog", b"{}")
    found: dict[str, int] | None = json.loads(footer).get("counts")
    return found


def sentence(found: Iterable[Answered]) -> str:
    """What a page says of the packs that it shows; empty if it shows none."""
    parts = [one.words for one in found]
    if not parts:
        return ""
    return (
        f"{OPENING} As they are asked today, the packs answer {listed(parts)}; an item is one question or task "
        "put to one model."
    )
