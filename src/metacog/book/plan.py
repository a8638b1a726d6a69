"""What the workflow asks: plans of collection, results to compute, pages to execute."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from metacog.book.chapters import Page, pages
from metacog.collect.collection import Collection
from metacog.collect.jobs import Target, targets
from metacog.collect.plan import collection_of
from metacog.collect.reading import reading_code
from metacog.core.config import Profile, load_profile
from metacog.studies import get_study, studies
from metacog.studies.reference import shown
from metacog.studies.steps import Step, steps


@dataclass(frozen=True)
class Workflow:
    """What the Snakefile asks: plans of collection and pages of the book for one profile."""

    profile: Profile
    pages: list[Page]

    @functools.cached_property
    def targets(self) -> list[Target]:
        """Trial tables of the runs that the pages show: the profile's, and the reference run's from packs."""
        chosen = (study for study in studies() if study.name in self.profile.studies)
        return [
            target
            for study in chosen
            for run in shown(self.profile, study).profiles
            for target in targets(study, run, packed=run.name != self.profile.name)
        ]

    @functools.cached_property
    def sets(self) -> dict[tuple[str, str, str], list[str]]:
        """Question sets of each collection, by profile, study and collection."""
        found: dict[tuple[str, str, str], list[str]] = {}
        for target in self.targets:
            names = found.setdefault((target.profile.name, target.study.name, target.collection), [])
            if target.dataset not in names:
                names.append(target.dataset)
        return found

    def key(self, profile: str, study: str, collection: str, wildcards: Any) -> list[str]:
        """Keys of the replies of a model, set by set, as far as they are known before anything is asked."""
        place = profile, study, collection, wildcards.model
        return [
            t.key() for t in self.targets if (t.profile.name, t.study.name, t.collection, t.model) == place
        ]

    def shards(self, profile: str) -> list[str]:
        """Numbers of a profile's shards."""
        return [str(k) for k in range(load_profile(profile).shards)]

    def needed(self, study: str, collection: str) -> tuple[str, ...]:
        """Collections whose trials another needs."""
        return self.collection(study, collection).needs

    def reading(self, study: str, collection: str) -> str:
        """Digest of the code that reads a collection's replies."""
        return reading_code(self.collection(study, collection))

    def collection(self, study: str, collection: str) -> Collection:
        """A study's collection by name."""
        return collection_of(get_study(study), collection)

    @functools.cached_property
    def steps(self) -> dict[str, Step]:
        """Results to compute, by the file that says they are there."""
        return {step.target: step for step in steps(self.profile)}

    @functools.cached_property
    def code(self) -> dict[str, str]:
        """Digest of the code that shows each page."""
        return {page.name: page.chapter.code() for page in self.pages}

    def results(self, page: Page) -> list[str]:
        """Files of the results that a page reads."""
        used, model = set(page.chapter.uses()), page.parameters.get("model", "")
        return [
            target
            for target, step in self.steps.items()
            if (step.study, step.analysis) in used and step.model in ("", model)
        ]


def workflow(profile_name: str) -> Workflow:
    """Plans and pages of a profile."""
    profile = load_profile(profile_name)
    return Workflow(profile, pages(profile))
