"""How many of the items that are asked today the packs of another run still answer, as a page says it.

Reading counts them (:attr:`metacog.collect.reading.Reading.counts`) and writes the counts into the footer of the
trial table, so that a page looks them up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq

from metacog.core.config import Profile
from metacog.core.words import listed
from metacog.studies.registry import studies
from metacog.studies.results import analysis_needs, other_results, profile_for, reference_results
from metacog.studies.study import Analysis, Study
from metacog.studies.trials import owner_of, trial_files

#: What the sentence on a page begins with.
OPENING = "The models of the reference run were asked elsewhere; their replies lie in `data/replies`."


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


def answered(read: Iterable[tuple[Study, Profile, str]], own: Profile, model: str = "") -> list[str]:
    """What packs answer of the collections that are read from another profile's run, study by study, in words.

    ``own`` is the profile whose book it is: its own run was collected, not taken from packs. With a ``model`` only its
    items count.
    """
    tables: dict[tuple[str, str, str], list[Path]] = {}
    for study, profile, collection in read:
        if profile.name != own.name and study.name in profile.studies:
            files = tables.setdefault((study.name, profile.name, study.title), [])
            files.extend(trial_files(study, profile, collection, model))
    return [words_of(*about, [_counts(file) for file in files]) for about, files in tables.items()]


def words_of(study: str, profile: str, title: str, counts: list[dict[str, int] | None]) -> str:
    """How many items of some tables of trials the packs answer; unknown where a table was not read."""
    items = f"items of “{title}” that this page rests on"
    known = [one for one in counts if one is not None]
    if not known or len(known) < len(counts):
        command = f"`metacog read --profile {profile} --study {study} --packed`"
        return f"an unknown number of the {items} ({command} counts them)"
    n, n_otherwise, n_unasked = (sum(one[k] for one in known) for k in ("items", "otherwise", "unasked"))
    if not (left_out := n_otherwise + n_unasked):
        return f"all {n:,} {items}"
    why = [f"{n_otherwise:,} were asked in another way"] * (n_otherwise > 0)
    why += [f"{n_unasked:,} have no reply"] * (n_unasked > 0)
    return f"{n - left_out:,} of the {n:,} {items} ({left_out:,} are left out: {listed(why)})"


def _counts(table: Path) -> dict[str, int] | None:
    """Items by what became of them, from a trial table's footer; None if there is no table or no such count."""
    if not table.is_file():
        return None
    footer = (pq.read_schema(table).metadata or {}).get(b"metacog", b"{}")
    found: dict[str, int] | None = json.loads(footer).get("counts")
    return found


def sentence(parts: list[str]) -> str:
    """What a page says of the packs that it shows; empty if it shows none."""
    if not parts:
        return ""
    return (
        f"{OPENING} They hold an answer to {listed(parts)}. An item is one question or task put to one model."
    )
