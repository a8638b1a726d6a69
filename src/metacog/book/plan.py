"""What a book is made of: the tasks that ask models and make all else, each with what it reads."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from metacog.book import finish
from metacog.book.addresses import addresses
from metacog.book.chapters import Page, pages
from metacog.book.pool import Task
from metacog.collect.jobs import Target, read_again, targets
from metacog.collect.jobs import run as run_jobs
from metacog.collect.models import entries_digest
from metacog.collect.plan import collection_of
from metacog.collect.reading import reading_code
from metacog.core.code import code_digest, module_file
from metacog.core.config import Profile, digest, load_profile
from metacog.core.paths import DEFAULT, project_root
from metacog.core.provenance import file_digest
from metacog.studies import STUDIES, get_study, studies
from metacog.studies.codec import read_facts
from metacog.studies.reference import shown
from metacog.studies.results import Making, making, parameters_of, rests_on_trials, result
from metacog.studies.steps import Step, steps
from metacog.studies.summary import FRONT_PAGE, pages_pasted, pasted_names, write_ledger_rows, write_summary
from metacog.studies.view import view_places

#: Names how many seconds another process that asks the same is waited for, an hour without it.
LOCK_WAIT = "METACOG_LOCK_WAIT"
#: Packages that hold studies.
_TOPS = tuple({package.partition(".")[0] for package in STUDIES})


@dataclass(frozen=True)
class Workflow:
    """The tasks of the book for one profile; the Snakefile of a cluster reads those that ask models."""

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
    def sets(self) -> dict[tuple[str, str, str, str], list[Target]]:
        """Trial tables of each collection, a question set each, by profile, study, collection and model."""
        found: dict[tuple[str, str, str, str], list[Target]] = {}
        for target in self.targets:
            of = target.profile.name, target.study.name, target.collection, target.model
            found.setdefault(of, []).append(target)
        return found

    def key(self, *of: str) -> list[str]:
        """Keys of the replies of a model, set by set, as far as they are known before anything is asked.

        Profile, study, collection and model.
        """
        return [target.key() for target in self.sets[(*of,)]]  # type: ignore[index]

    def shards(self, profile: str) -> list[str]:
        return [str(k) for k in range(load_profile(profile).shards)]

    def needed(self, profile: str, study: str, collection: str, model: str) -> list[str]:
        """Receipts of the collections whose trials a collection needs."""
        names = collection_of(get_study(study), collection).needs
        return [file for name in names for file in self.receipts(profile, study, name, model)]

    def receipts(self, profile: str, study: str, collection: str, model: str) -> list[str]:
        """Files that say the replies of a collection's sets are there, one a shard."""
        folder = f"results/{profile}/{study}/replies/{collection}"
        return [f"{folder}/{model}.{shard}.json" for shard in self.shards(profile)]

    @functools.cached_property
    def collected(self) -> dict[str, Task]:
        """What models are asked under the profile, by the receipt that says the replies are there."""
        own = (of for of in self.sets if of[0] == self.profile.name)
        tasks = [self._replies(*of, shard) for of in own for shard in self.shards(of[0])]
        return {task.makes[0]: task for task in tasks}

    @functools.cached_property
    def tasks(self) -> list[Task]:
        """Everything, what others read first."""
        packed = (of for of in self.sets if of[0] != self.profile.name)
        taken = [self._replies(*of, shard) for of in packed for shard in self.shards(of[0])]
        read = [self._read(*of) for of in self.sets]
        results = [self._result(step) for step in self.steps.values()]
        chapters = map(self._chapter, self.pages)
        return [
            *self.collected.values(),
            *taken,
            *read,
            *results,
            *chapters,
            self._summary(),
            self._rendered(),
        ]

    def _replies(self, profile: str, study: str, collection: str, model: str, shard: str) -> Task:
        """The replies of a shard: asked of the model, or the reference run's taken from packs.

        Asked again only if what is asked, the model or the engine's schedule changes, or the trials that it needs. All
        sets of a collection are one task, so that a model is loaded once for them.
        """
        of = profile, study, collection, model
        asked = profile == self.profile.name
        last = len(self.shards(profile)) - 1
        made = f"results/{profile}/{study}/replies/{collection}/{model}.{shard}.json"
        needed = self.needed(*of)
        return Task(
            f"{'collecting' if asked else 'taking from packs'} {collection}: {model}"
            + (f", shard {shard} (0 to {last})" if last else ""),
            gather,
            (*of, shard, made, "" if asked else "packed"),
            (made,),
            tuple(needed),
            lambda: {"what is asked": self.key(*of), "replies": _digests(needed)},
            made.removesuffix("json") + "key",
            alone=asked,
        )

    def _read(self, profile: str, study: str, collection: str, model: str) -> Task:
        """Trials, read from the replies again whenever marking or parsing changes; loads no model."""
        of = profile, study, collection, model
        receipts = [*self.needed(*of), *self.receipts(*of)]
        code = reading_code(collection_of(get_study(study), collection))
        folder = f"results/{profile}/{study}/trials/{collection}"
        return Task(
            f"reading {collection}: {model}",
            read,
            (*of, "packed" if profile != self.profile.name else ""),
            tuple(f"{folder}/{model}.{target.dataset}.parquet" for target in self.sets[of]),
            tuple(receipts),
            lambda: {"code": code, "replies": _digests(receipts)},
            f"{folder}/{model}.key",
        )

    def _result(self, step: Step) -> Task:
        """One analysis: computed once, read by chapters, by other results and by the summary."""
        words = step.profile, step.study, step.analysis, step.model
        folder = (project_root() / step.target).parent
        return Task(
            step.words,
            compute,
            words,
            (step.target,),
            step.inputs,
            lambda: asdict(made_of(*words)),
            made=lambda: read_facts(folder),
        )

    def _chapter(self, page: Page) -> Task:
        made = f"_executed/{self.profile.name}/{page.name}.ipynb"
        read = self.results(page)
        return Task(
            f"chapter {page.name}",
            execute,
            (page.name, self.profile.name),
            (made,),
            tuple(read),
            lambda: {"text, code or parameters": self.making[page.name], "results": _keys(read)},
            made.removesuffix("ipynb") + "key",
            page=page.name,
        )

    def _summary(self) -> Task:
        """For programs: what the book found, and the ledger's rows."""
        return Task(
            "the summary of all results",
            sum_up,
            (self.profile.name,),
            tuple(self.for_programs),
            (*self.steps, *self.front),
            lambda: {
                "code or labels": self.summing,
                "results": _keys(self.steps),
                "chapters": _digests(self.front),
            },
            f"results/{self.profile.name}/summary.key",
        )

    def _rendered(self) -> Task:
        made = [f"_executed/{self.profile.name}/{page.name}.ipynb" for page in self.pages]
        made.append(self.for_programs[0])

        def parts() -> dict[str, Any]:
            root = project_root()
            prose = (f for kind in ("*.md", "*.bib", "_static/*") for f in sorted((root / "book").glob(kind)))
            files = ["_config.yml", "_toc.yml", *(str(f.relative_to(root)) for f in prose if f.is_file())]
            about = {"profile": self.profile.name, "code": self.rendering, "addresses": str(addresses())}
            return {**about, "pages": _digests(made), "files": _digests(files)}

        index = ("_build/html/index.html",)
        return Task(
            "rendering the pages", draw, (self.profile.name,), index, tuple(made), parts, "_build/book.key"
        )

    @functools.cached_property
    def steps(self) -> dict[str, Step]:
        """Results to compute, by the file that says they are there."""
        return {step.target: step for step in steps(self.profile)}

    @functools.cached_property
    def making(self) -> dict[str, str]:
        """Digest of what makes each page: text, code, parameters, how its models are called, and the page's boxes."""
        found, finishing = {}, file_digest(Path(finish.__file__))
        for page in self.pages:
            read = page.chapter.uses()
            labels = self.labels if any(_names_models(*one) for one in read) else ""
            found[page.name] = digest([page.chapter.code(read), page.parameters, labels, finishing])
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
            f for step in self.steps.values() for f in view_places(get_study(step.study), step.analysis)
        )
        code = code_digest(_module("metacog.studies.summary"), *views, tops=_TOPS)
        pasted = pasted_names(project_root() / FRONT_PAGE)
        return digest([code, self.labels, pasted])

    @functools.cached_property
    def front(self) -> list[str]:
        """Executed chapters from which the front page pastes."""
        pasted = pages_pasted(project_root() / FRONT_PAGE)
        return [f"_executed/{self.profile.name}/{p.name}.ipynb" for p in self.pages if p.name in pasted]

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


def _digests(files: Iterable[str]) -> dict[str, str]:
    """Digests of files below the project's root that are there."""
    there = {name: project_root() / name for name in files}
    return {name: file_digest(file) for name, file in there.items() if file.is_file()}


def _keys(targets: Iterable[str]) -> dict[str, str]:
    return {name: str(read_facts((project_root() / name).parent).get("key", "")) for name in targets}


def made_of(profile: str, study: str, analysis: str, model: str) -> Making:
    """What a result would depend on if it were computed now."""
    owner, run = get_study(study), load_profile(profile)
    one = owner.analysis(analysis)
    return making(owner, run, one, parameters_of(owner, one, run, {"model": model} if model else {}))


def gather(
    profile: str, study: str, collection: str, model: str, shard: str, receipt: str, how: str = ""
) -> None:
    """Have the replies of a shard: ask the model, or (``how`` is ``packed``) take them from packs, asking nothing."""
    chosen: dict[str, Any] = {"collections": [collection], "models": [model], "shard": int(shard)}
    run_jobs(
        [get_study(study)],
        load_profile(profile),
        **chosen,
        packed=how == "packed",
        receipt=project_root() / receipt,
        lock_wait=float(os.environ.get(LOCK_WAIT) or 3600),
        progress=how != "packed",
    )


def read(profile: str, study: str, collection: str, model: str, how: str) -> None:
    chosen: dict[str, Any] = {"collections": [collection], "models": [model]}
    read_again([get_study(study)], load_profile(profile), **chosen, packed=how == "packed")


def compute(profile: str, study: str, analysis: str, model: str) -> None:
    """See to it that a result is stored."""
    owner = get_study(study)
    result(owner, load_profile(profile), owner.analysis(analysis), {"model": model} if model else {})


def execute(page: str, profile: str) -> None:
    from metacog.book.execution import execute_chapter

    execute_chapter(page, profile)


def sum_up(profile: str) -> None:
    write_ledger_rows(load_profile(profile))
    write_summary(load_profile(profile))


def draw(profile: str) -> None:
    from metacog.book.rendering import render

    render(profile)


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
    profile = load_profile(profile_name)
    return Workflow(profile, pages(profile))
