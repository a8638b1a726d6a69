"""Where a study's collected trials lie."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

from metacog.collect.jobs import targets, trials_file
from metacog.collect.plan import models_of
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.studies.registry import studies
from metacog.studies.study import Study


def owner_of(study: Study, collection: str) -> Study:
    """The study that asks a collection: the study itself, or, where it asks nothing, the first that does."""
    if study.collections:
        return study
    return next((s for s in studies() if collection in {c.name for c in s.collections}), study)


def trial_files(study: Study, profile: Profile, collection: str, model: str = "") -> list[Path]:
    """Tables of one collection's trials, as the workflow writes them; of one model if it is named.

    None of another study's that the profile does not run.
    """
    asking = owner_of(study, collection)
    if asking is not study and asking.name not in profile.studies:
        return []
    made = targets(asking, profile, collections=[collection], models=(model,) if model else ())
    return [trials_file(profile.name, asking.name, collection, t.model, t.dataset) for t in made]


def read_new(
    profile: Profile, model: str = "", *, echo: Callable[[str], object] = lambda text: None
) -> dict[str, bool]:
    """Read trials of replies that were collected and have no table yet, or an older one, as the book does.

    Of one ``model``, whether the profile names it or not, or of the profile's. Returned is whether a study has tables
    of all its collections now, by study that was asked at all.
    """
    found: dict[str, bool] = {}
    for study in (one for one in studies() if one.collections and one.name in profile.studies):
        n_read = 0
        for target in targets(study, profile, models=(model,) if model else ()):
            table = trials_file(profile.name, study.name, target.collection, target.model, target.dataset)
            runs = target.spenders(f"{Path(target.dataset).stem}-*/manifest.json")
            newest = max((run.stat().st_mtime for run in runs), default=0.0)
            if newest and not (table.is_file() and table.stat().st_mtime >= newest):
                try:
                    n_read += len(target.write(table).trials)
                except MetacogError as error:
                    echo(f"{target.collection}: {target.model} on {target.dataset}: not read ({error})")
            if newest or study.name in found:
                found[study.name] = found.get(study.name, True) and table.is_file()
        if n_read:
            echo(f"{study.name}: {n_read:,} trials read from what was collected")
    return found


def uncollected(study: Study, profile: Profile, collection: str) -> list[str]:
    """Models of a profile of which a collection has no trials, where it has some of others."""
    asking = owner_of(study, collection)
    if asking.name not in profile.studies:
        return []
    models = models_of(asking, profile)
    absent = [
        model
        for model in models
        if not any(file.is_file() for file in trial_files(study, profile, collection, model))
    ]
    return absent if len(absent) < len(models) else []


def left_out(study: Study, profile: Profile, collection: str, model: str = "") -> dict[str, str]:
    """Why a collection left models out, by model; none of those that it asked."""
    found = {}
    for file in trial_files(study, profile, collection, model):
        facts = read_facts(file) if file.is_file() else {}
        if facts.get("left_out"):
            found[file.name.partition(".")[0]] = str(facts["left_out"])
    return found


def cannot(study: Study, profile: Profile, collection: str, model: str) -> dict[str, str]:
    """What the engine that a model's trials came from cannot do, each with the reason."""
    found: dict[str, str] = {}
    for file in trial_files(study, profile, collection, model):
        found |= read_facts(file).get("cannot", {}) if file.is_file() else {}
    return found


def read_facts(file: Path) -> dict[str, Any]:
    """What made a table of trials, as it was written with it."""
    footer = pq.read_schema(file).metadata or {}
    found: dict[str, Any] = json.loads(footer.get(b"metacog", b"{}"))
    return found


def read_collected(study: Study, profile: Profile, collection: str, model: str = "") -> pd.DataFrame:
    files = [f for f in trial_files(study, profile, collection, model) if f.is_file()]
    if not files:
        raise MetacogError(
            f"there are no trials of {owner_of(study, collection).name}, {collection}, under {profile.name}: "
            f"`metacog book --profile {profile.name}` collects them, and so does `metacog collect --profile "
            f"{profile.name}{f' --model {model}' if model else ''}`"
        )
    return pd.concat([pd.read_parquet(f) for f in files], ignore_index=True)
