"""What the workflow asks: plans of collection, results to compute, pages to execute."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from metacog.book.chapters import Page, pages
from metacog.collect.runner import Plan, make_plan
from metacog.core.config import Profile, load_profile
from metacog.studies.steps import Step, steps


@dataclass(frozen=True)
class Workflow:
    """What the Snakefile asks: plans of collection and pages of the book for one profile."""

    profile: Profile
    pages: list[Page]

    @functools.cached_property
    def plans(self) -> dict[tuple[str, str, int], Plan]:
        """Plans by model, question set and shard."""
        return {
            (model, dataset, shard): make_plan(self.profile, model, dataset, shard=shard)
            for model in self.profile.models
            for dataset in self.profile.datasets
            for shard in range(self.profile.shards)
        }

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
