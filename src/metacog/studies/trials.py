"""Where a study's collected trials lie."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from metacog.collect.jobs import targets, trials_file
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.studies.study import Study


def trial_files(study: Study, profile: Profile, collection: str, model: str = "") -> list[Path]:
    """Tables of one collection's trials, as the workflow writes them; of one model if it is named."""
    made = targets(study, profile, collections=[collection], models=(model,) if model else ())
    return [trials_file(profile.name, study.name, collection, t.model, t.dataset) for t in made]


def read_collected(study: Study, profile: Profile, collection: str, model: str = "") -> pd.DataFrame:
    """Trials of one collection, of all models or of one.

    Raises
    ------
    MetacogError
        If none was collected; says how to.
    """
    files = [f for f in trial_files(study, profile, collection, model) if f.is_file()]
    if not files:
        raise MetacogError(
            f"there are no trials of {study.name}, {collection}, under the profile {profile.name}: "
            f"`metacog book --profile {profile.name}` collects them"
        )
    return pd.concat([pd.read_parquet(f) for f in files], ignore_index=True)
