"""One profile's run of a study: its trials and its results, for chapters, summaries and the ledger alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.study import Study


def trial_files(study: Study, profile: Profile, collection: str, model: str = "") -> list[Path]:
    """Tables of one collection's trials, as the workflow writes them; of one model if it is named."""
    folder = project_root() / "results" / profile.name / ("trials" if collection == "open" else collection)
    models: Sequence[str] = (model,) if model else profile.models
    return [folder / f"{name}.{dataset}.parquet" for name in models for dataset in profile.datasets]


@dataclass(frozen=True)
class Run:
    """A study under a profile.

    Attributes
    ----------
    study : Study
    profile : Profile
    """

    study: Study
    profile: Profile

    def trials(self, collection: str, model: str = "") -> pd.DataFrame:
        """Trials of one collection, of all models or of one.

        Raises
        ------
        MetacogError
            If none was collected; says how to.
        """
        files = [f for f in trial_files(self.study, self.profile, collection, model) if f.is_file()]
        if not files:
            raise MetacogError(
                f"there are no trials of {self.study.name}, {collection}, under the profile {self.profile.name}: "
                f"`metacog book --profile {self.profile.name}` collects them"
            )
        return pd.concat([pd.read_parquet(f) for f in files], ignore_index=True)

    def result(self, analysis: str, **parameters: Any) -> Any:
        """A stored result, computed if it is missing or its inputs, code or parameters changed."""
        raise NotImplementedError
