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
from metacog.studies.steps import Step, steps


@dataclass(frozen=True)
class Workflow:
    """What the Snakefile asks: plans of collection and pages of the book for one profile."""

    profile: Profile
    pages: list[Page]

    @functools.cached_property
    def targets(self) -> list[Target]:
        """Trial tables that the profile's studies collect."""
        chosen = (study for study in studies() if study.name in self.profile.studies)
        return [target for study in chosen for target in targets(study, self.profile)]

    @functools.cached_property
    def sets(self) -> dict[tuple[str, str], list[str]]:
        """Question sets of each collection, by study and collection."""
        found: dict[tuple[str, str], list[str]] = {}
        for target in self.targets:
            names = found.setdefault((target.study.name, target.collection), [])
            if target.dataset not in names:
                names.append(target.dataset)
        return found

    def key(self, study: str, collection: str, wildcards: Any) -> list[str]:
        """Keys of the replies of a model, set by set, as far as they are known before anything is asked."""
        place = study, collection, wildcards.model
        return [t.key() for t in self.targets if (t.study.name, t.collection, t.model) == place]

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
        return [t for t, s in self.steps.items() if (s.study, s.analysis) in used and s.model in ("", model)]


def workflow(profile_name: str) -> Workflow:
    """Plans and pages of a profile."""
    profile = load_profile(profile_name)
    return Workflow(profile, pages(profile))
