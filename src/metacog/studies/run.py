"""One profile's run of a study: its trials and its results, for chapters, summaries and the ledger alike."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from metacog.collect.models import labels_of
from metacog.collect.plan import models_of
from metacog.core.config import Profile
from metacog.core.words import listed
from metacog.studies.named import with_labels
from metacog.studies.results import rests_on_trials, result
from metacog.studies.study import Study
from metacog.studies.trials import read_collected
from metacog.studies.view import OWN, REFERENCE, View, views_of


@dataclass(frozen=True)
class Run:
    """A study under a profile; ``other`` is another profile, whose run of it a chapter shows as well."""

    study: Study
    profile: Profile
    other: Profile | None = None

    def trials(self, collection: str, model: str = "") -> pd.DataFrame:
        return read_collected(self.study, self.profile, collection, model)

    def result(self, analysis: str, **parameters: Any) -> View:
        """A stored result, computed if it is missing or its inputs, code or parameters changed.

        It names models as readers know them. Where a page shows another run too, its rows of other models come with
        those of this.
        """
        one, views = self.study.analysis(analysis), views_of(self.study, analysis)

        def of(profile: Profile) -> Any:
            return with_labels(result(self.study, profile, one, parameters), views.names)

        if self.other is None or not rests_on_trials(self.study, one):
            return View(of(self.profile), views, study=self.study.name, judged_by=self.study.rules)
        runs = tuple(
            REFERENCE if profile.name == other.reference else OWN
            for profile, other in ((self.profile, self.other), (self.other, self.profile))
        )
        second = functools.partial(of, self.other)
        asked = frozenset(labels_of(models_of(self.study, self.profile)).values())
        return View(of(self.profile), views, second, runs, self.study.name, self.study.rules, asked)


def run_words(profile: Profile, other: Profile, asked: Iterable[Study] = ()) -> str:
    """One of the two runs that a page shows, in words, with the models that the studies ``asked`` ask in it.

    Without such studies all models of the profile are named.
    """
    of_studies = [models_of(study, profile) for study in asked if study.collections]
    names = [name for name in profile.models if not of_studies or any(name in of for of in of_studies)]
    models = listed(labels_of(names).values())
    if other.reference == profile.name:
        return f"the reference run ({models})"
    return f"the run of the profile {profile.name}, made on this machine ({models})"
