"""What the workflow asks: plans of collection, results to compute, pages to execute."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.book.chapters import Page, pages
from metacog.collect.collection import Collection
from metacog.collect.jobs import Target, targets
from metacog.collect.models import entries_digest
from metacog.collect.plan import collection_of
from metacog.collect.reading import reading_code
from metacog.core.config import Profile, digest, load_profile
from metacog.core.paths import DEFAULT, project_root
from metacog.core.provenance import code_digest, module_file
from metacog.studies import STUDIES, get_study, studies
from metacog.studies.reference import shown
from metacog.studies.results import rests_on_trials
from metacog.studies.steps import Step, steps
from metacog.studies.summary import FRONT_PAGE, pasted_names
from metacog.studies.view import view_files

#: Packages that hold studies.
_TOPS = tuple({package.partition(".")[0] for package in STUDIES})


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
    def making(self) -> dict[str, str]:
        """Digest of what makes each page of its results: text, code, parameters, and how its models are called."""
        found = {}
        for page in self.pages:
            read = page.chapter.uses()
            labels = self.labels if any(_names_models(*one) for one in read) else ""
            found[page.name] = digest([page.chapter.code(read), page.parameters, labels])
        return found

    @functools.cached_property
    def models(self) -> list[str]:
        """Models that pages may name: the profile's, and those of the default book, which committed files name."""
        asking = [self.profile, load_profile(DEFAULT)]
        asking += [load_profile(one.reference) for one in asking if one.reference]
        return list(dict.fromkeys(model for one in asking for model in one.models))

    @functools.cached_property
    def labels(self) -> str:
        """Digest of what readers know these models by."""
        return entries_digest(self.models, ["labels_of"])

    @functools.cached_property
    def summing(self) -> str:
        """Digest of what makes the summary of its results: code, views, labels, and what the front page pastes."""
        views = dict.fromkeys(
            f for step in self.steps.values() for f in view_files(get_study(step.study), step.analysis)
        )
        code = code_digest(_module("metacog.studies.summary"), *views, tops=_TOPS)
        pasted = sorted(pasted_names(project_root() / FRONT_PAGE))
        return digest([code, self.labels, pasted])

    @functools.cached_property
    def for_programs(self) -> list[str]:
        """Files that the summary writes: what the book found, and the ledger's rows where an analysis runs ledgers."""
        ledger = any(get_study(one.study).analysis(one.analysis).ledgers for one in self.steps.values())
        names = ("summary.json", "ledger.csv") if ledger else ("summary.json",)
        return [f"results/{self.profile.name}/{name}" for name in names]

    @functools.cached_property
    def rendering(self) -> str:
        """Digest of what makes the rendered book of its pages: code, and the entries of models that cards tell."""
        code = code_digest(_module("metacog.book.rendering"), tops=_TOPS, shown=True)
        return digest([code, entries_digest(self.models, ["load_models"])])

    def results(self, page: Page) -> list[str]:
        """Files of the results that a page reads."""
        used, model = set(page.chapter.uses()), page.parameters.get("model", "")
        return [
            target
            for target, step in self.steps.items()
            if (step.study, step.analysis) in used and step.model in ("", model)
        ]


def _names_models(study: str, name: str) -> bool:
    """Whether a result may name models: it rests on trials, on committed files or on other studies' results."""
    owner = get_study(study)
    one = owner.analysis(name)
    return bool(one.files or one.across or one.ledgers or one.per_model) or rests_on_trials(owner, one)


def _module(name: str) -> Path:
    file = module_file(name)
    assert file is not None
    return file


def workflow(profile_name: str) -> Workflow:
    """Plans and pages of a profile."""
    profile = load_profile(profile_name)
    return Workflow(profile, pages(profile))
