"""Run a study's analyses on simulated trials, without the store of results and without collecting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from metacog.core.config import Profile, load_profile
from metacog.studies import get_study
from metacog.studies.results import parameters_of
from metacog.studies.study import Analysis, Result, Study
from metacog.studies.trials import owner_of

#: Parameters of analyses that cost time, where an analysis has them.
FEW: Mapping[str, Any] = {
    "n_resamples": 200,
    "n_permutations": 200,
    "ledger_resamples": 100,
    "n_draws": 100,
    "n_warmup": 100,
    "n_panels": 40,
    "verdicts": True,
}


@dataclass
class Simulated:
    """What an analysis is handed in place of :class:`metacog.studies.results.Inputs`."""

    study: Study
    profile: Profile
    given: Mapping[str, pd.DataFrame]
    options: Mapping[str, Any] = field(default_factory=lambda: FEW)
    model: str = ""
    known: dict[str, Any] = field(default_factory=dict)

    def trials(self, collection: str) -> pd.DataFrame:
        """The trials of a collection, of the one model if there is one."""
        rows = self.given[collection]
        return rows[rows["model"] == self.model].reset_index(drop=True) if self.model else rows.copy()

    def result(self, name: str) -> Any:
        """The result of another analysis, computed once."""
        if name not in self.known:
            made = self.compute(self.study.analysis(name))
            self.known[name] = Result(made) if isinstance(made, dict) else made
        return self.known[name]

    def left_out(self, collection: str) -> dict[str, str]:
        """Every model could be asked."""
        return {}

    def cannot(self, collection: str) -> dict[str, str]:
        """An engine that can do everything."""
        return {}

    def ledger_results(self) -> dict[str, Any]:
        """No results of other studies."""
        return {}

    def across(self) -> dict[str, Any]:
        """No results of other studies."""
        return {}

    def owner(self, collection: str) -> Study:
        """The study that asks a collection."""
        return owner_of(self.study, collection)

    def compute(self, analysis: Analysis) -> Any:
        """The result of an analysis."""
        asked = {k: v for k, v in self.options.items() if k in analysis.parameters}
        if analysis.per_model:
            asked["model"] = self.model or str(next(iter(self.given.values()))["model"].iloc[0])
            of_model = Simulated(self.study, self.profile, self.given, self.options, asked["model"])
            return analysis(of_model, **parameters_of(self.study, analysis, self.profile, asked))
        return analysis(self, **parameters_of(self.study, analysis, self.profile, asked))


def simulated_run(study: str, given: Mapping[str, pd.DataFrame], **options: Any) -> Simulated:
    """Inputs of a study whose collections gave these trials."""
    return Simulated(get_study(study), load_profile("default"), given, {**FEW, **options})
