"""The store of results: computed once, kept with what made them, computed again only when that changed.

``results/PROFILE/STUDY/ANALYSIS/`` holds one record. A chapter run with other parameters keeps its own
next to it, as ``ANALYSIS@KEY``.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.collect import models as registry
from metacog.collect.models import entries_digest
from metacog.core.code import Place, code_digest, place_of, places_of, reached
from metacog.core.config import Profile, digest
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.core.provenance import file_digest, provenance
from metacog.core.times import note_time
from metacog.studies.codec import read_facts, read_record, write_record
from metacog.studies.reference import leading, shown
from metacog.studies.registry import studies
from metacog.studies.study import Analysis, Result, Study
from metacog.studies.trials import cannot, left_out, owner_of, read_collected, trial_files


def parameters_of(
    study: Study, analysis: Analysis, profile: Profile, given: Mapping[str, Any]
) -> dict[str, Any]:
    """All parameters of an analysis: its defaults, over them the profile's, over them those given.

    The profile's ``analysis`` block holds values for every analysis, and under ``STUDY.ANALYSIS`` those of
    one.
    """
    special = profile.analysis.get(f"{study.name}.{analysis.name}", {})
    if unknown := sorted({*given, *special} - set(analysis.parameters)):
        known = ", ".join(analysis.parameters) or "none"
        raise MetacogError(f"analysis {analysis.name} has no parameter {', '.join(unknown)}; it has: {known}")
    general = {k: v for k, v in profile.analysis.items() if k in analysis.parameters}
    return {**analysis.parameters, **general, **special, **given}


@dataclass(frozen=True)
class Inputs:
    """The trials and results that an analysis is handed, from the store (:class:`metacog.studies.study.Inputs`)."""

    study: Study
    profile: Profile
    analysis: Analysis
    parameters: Mapping[str, Any]

    def trials(self, collection: str) -> pd.DataFrame:
        """Trials of a collection, of the one model if the analysis is made per model."""
        self._named(collection)
        return read_collected(self.study, self.profile, collection, self._model)

    def left_out(self, collection: str) -> dict[str, str]:
        """Why a collection left models out, by model."""
        self._named(collection)
        return left_out(self.study, self.profile, collection, self._model)

    def cannot(self, collection: str) -> dict[str, str]:
        """What the engine of the one model cannot do, each with the reason."""
        self._named(collection)
        return cannot(self.study, self.profile, collection, self._model)

    def result(self, name: str) -> Any:
        """Another analysis's result; what was set here against the profile is set there too."""
        self._named(name)
        return self._of(self.study, self.study.analysis(name))

    def ledger_results(self) -> dict[str, Any]:
        """The results that ledgers rest on, as ``study.analysis``, of the studies that the profile runs."""
        return {name: self._of(*one) for name, one in _of_ledgers(self.profile, self.analysis).items()}

    def across(self) -> dict[str, Any]:
        """The results that it reads of other studies, by study."""
        found = _across(self.profile, self.analysis)
        return {owner.name: self._of(owner, other) for owner, other in found.values()}

    def reference(self) -> dict[str, Any]:
        """The same results of the reference run, of the studies that show it, by study."""
        return {
            owner.name: result(owner, run, other, {})
            for owner, run, other in reference_results(self.profile, self.analysis).values()
        }

    def owner(self, collection: str) -> Study | None:
        """The study that asks a collection; None if the profile does not run it."""
        self._named(collection)
        asking = owner_of(self.study, collection)
        return asking if asking.name in self.profile.studies else None

    def _of(self, study: Study, other: Analysis) -> Any:
        handed = _handed_on(self.study, self.analysis, self.profile, self.parameters, other)
        return result(study, profile_for(self.study, self.profile, study, self.analysis), other, handed)

    @property
    def _model(self) -> str:
        return str(self.parameters["model"]) if self.analysis.per_model else ""

    def _named(self, name: str) -> None:
        if name not in self.analysis.needs:
            raise MetacogError(f"analysis {self.analysis.name} reads {name!r} and does not name it in needs=")


@dataclass(frozen=True)
class Making:
    """What a result depends on: parameters, and digests of its code, of models' entries, of what is collected.

    ``files`` and ``results`` hold digests of the files and keys of the results that it reads, by name.
    """

    parameters: Mapping[str, Any]
    code: str
    entries: str
    settings: str
    files: Mapping[str, str]
    results: Mapping[str, str]

    @property
    def key(self) -> str:
        return digest(asdict(self))


def making(study: Study, profile: Profile, analysis: Analysis, parameters: Mapping[str, Any]) -> Making:
    """What a result would depend on if it were computed now."""
    root = project_root()
    files = (f for f in input_files(study, profile, analysis, parameters) if f.is_file())
    digests = {str(f.relative_to(root)): file_digest(f) for f in files}
    others = {}
    for name, (owner, other) in other_results(study, profile, analysis).items():
        handed = _handed_on(study, analysis, profile, parameters, other)
        run = profile_for(study, profile, owner, analysis)
        others[name] = making(owner, run, other, parameters_of(owner, other, run, handed)).key
    for name, (owner, run, other) in reference_results(profile, analysis).items():
        others[f"{run.name}: {name}"] = making(owner, run, other, parameters_of(owner, other, run, {})).key
    asked = {
        k: v for k, v in asdict(profile).items() if k in ("name", "models", "studies", "shards", "engine")
    }
    if study.collections:
        asked["studies"] = profile.studies.get(study.name)
    entries = entries_of(study, profile, analysis, parameters)
    return Making(dict(parameters), code_of(analysis), entries, digest(asked), digests, others)


def _handed_on(
    study: Study, analysis: Analysis, profile: Profile, parameters: Mapping[str, Any], other: Analysis
) -> dict[str, Any]:
    """Those parameters that differ from the profile's own and that another analysis has too."""
    usual = parameters_of(study, analysis, profile, {})
    return {k: v for k, v in parameters.items() if k in other.parameters and v != usual[k]}


def profile_for(study: Study, profile: Profile, other: Study, analysis: Analysis) -> Profile:
    """The profile whose results of another study an analysis reads: of the run that carries its pages.

    An analysis of both runs reads the profile's own here and the other by :func:`reference_results`; one of a model
    reads the own alone.
    """
    own = other.name == study.name or analysis.both_runs or analysis.per_model
    return profile if own else leading(profile, other)


def runs(profile: Profile, study: Study) -> bool:
    """Whether a profile runs a study: it has a block for it, or the study collects nothing."""
    return study.name in profile.studies or not study.collections


def other_results(study: Study, profile: Profile, analysis: Analysis) -> dict[str, tuple[Study, Analysis]]:
    """The analyses whose results an analysis reads, by name; those of other studies as ``study.analysis``."""
    of_study = {name: (study, study.analysis(name)) for name in analysis_needs(study, analysis)}
    return of_study | _of_ledgers(profile, analysis) | _across(profile, analysis)


def _of_ledgers(profile: Profile, analysis: Analysis) -> dict[str, tuple[Study, Analysis]]:
    if not analysis.ledgers:
        return {}
    from metacog.studies.ledgers import ledger_results

    return {f"{s.name}.{a.name}": (s, a) for s, a in ledger_results() if runs(profile, s)}


def _across(profile: Profile, analysis: Analysis) -> dict[str, tuple[Study, Analysis]]:
    """Analyses of the name asked for: of the studies that the profile runs, and those that need no trials.

    An analysis of one model reads only studies that ask models.
    """
    return {
        f"{study.name}.{one.name}": (study, one)
        for study in studies()
        for one in study.analyses
        if analysis.across == one.name
        and (runs(profile, study) or not rests_on_trials(study, one))
        and (study.collections or not analysis.per_model)
    }


def reference_results(profile: Profile, analysis: Analysis) -> dict[str, tuple[Study, Profile, Analysis]]:
    """What an analysis of both runs reads across studies, of the reference run where a study shows it."""
    if not analysis.across or not analysis.both_runs:
        return {}
    return {
        name: (owner, run, other)
        for name, (owner, other) in _across(profile, analysis).items()
        for run in shown(profile, owner).profiles
        if run.name == profile.reference
    }


def rests_on_trials(study: Study, analysis: Analysis) -> bool:
    """Whether an analysis rests on collected trials, itself or by another's result."""
    known = analysis_needs(study, analysis)
    return len(known) < len(analysis.needs) or any(rests_on_trials(study, study.analysis(n)) for n in known)


def analysis_needs(study: Study, analysis: Analysis) -> list[str]:
    """Names of the other analyses whose results an analysis reads."""
    known = {a.name for a in study.analyses}
    return [n for n in analysis.needs if n in known]


def input_files(
    study: Study, profile: Profile, analysis: Analysis, parameters: Mapping[str, Any]
) -> list[Path]:
    """Files that an analysis reads: tables of trials, collected or not yet, and what its patterns match."""
    others = set(analysis_needs(study, analysis))
    model = str(parameters.get("model", "")) if analysis.per_model else ""
    tables = [f for n in analysis.needs if n not in others for f in trial_files(study, profile, n, model)]
    matched = [f for pattern in analysis.files for f in sorted(project_root().glob(pattern)) if f.is_file()]
    return [*tables, *matched]


def code_places(analysis: Analysis) -> list[Place]:
    """Where the code of an analysis begins: its own definition, and the ledgers' where it runs them."""
    ledgers = [one.ledger.entries for one in studies() if one.ledger] if analysis.ledgers else []
    made = [place_of(one) for one in (analysis.function, *ledgers)]
    return list(dict.fromkeys([*places_of(analysis, _tops(analysis)), *made]))


def code_of(analysis: Analysis) -> str:
    """Digest of the code that an analysis runs: of its definition, and of all of ours that it reaches."""
    return code_digest(*code_places(analysis), tops=_tops(analysis))


def entries_of(study: Study, profile: Profile, analysis: Analysis, parameters: Mapping[str, Any]) -> str:
    """Digest of what an analysis reads of its models' entries, such as their labels.

    Which fields these are follows from the functions of :mod:`metacog.collect.models` that its code names. What
    collecting reads of an entry is not among them: the trials follow from it.
    """
    if not rests_on_trials(study, analysis) and not analysis.per_model:
        return ""
    entries = Path(str(registry.__file__))
    names = {
        name
        for (file, _), named in reached(*code_places(analysis), tops=_tops(analysis)).items()
        for of, name in named
        if of == entries and not file.is_relative_to(entries.parent)
    }
    models = [str(parameters["model"])] if analysis.per_model else profile.models
    return entries_digest(models, names)


def folder_of(study: Study, profile: Profile, analysis: Analysis, parameters: Mapping[str, Any]) -> Path:
    name = analysis.name
    usual = parameters_of(study, analysis, profile, {})
    if analysis.per_model:
        name = f"{name}-{parameters['model']}"
        usual["model"] = parameters["model"]
    if digest(dict(parameters)) != digest(usual):  # a list is as good as a tuple
        name = f"{name}@{digest(dict(parameters))[:8]}"
    return project_root() / "results" / profile.name / study.name / name


def result(study: Study, profile: Profile, analysis: Analysis, given: Mapping[str, Any]) -> Any:
    """The result of an analysis: from the store if nothing that it depends on changed, else computed."""
    parameters = parameters_of(study, analysis, profile, given)
    folder = folder_of(study, profile, analysis, parameters)
    made = making(study, profile, analysis, parameters)
    if read_facts(folder).get("key") == made.key:
        return read_record(folder, _tops(analysis))
    started = time.monotonic()
    record = analysis(Inputs(study, profile, analysis, parameters), **parameters)
    if not isinstance(record, analysis.returns):
        raise MetacogError(
            f"analysis {analysis.name} declares {analysis.returns.__name__} "
            f"and returned a {type(record).__name__}"
        )
    note_time(project_root(), folder, time.monotonic() - started)
    store(record, folder, {"key": made.key, **asdict(made), **provenance(profile=profile.name)})
    return Result(record) if isinstance(record, dict) else record


def stored(study: Study, profile: Profile, analysis: Analysis) -> Any:
    """The stored result under the profile's own parameters; None if there is none or something changed."""
    parameters = parameters_of(study, analysis, profile, {})
    folder = folder_of(study, profile, analysis, parameters)
    current = read_facts(folder).get("key") == making(study, profile, analysis, parameters).key
    return read_record(folder, _tops(analysis)) if current else None


def last_stored(
    study: Study, profile: Profile, analysis: Analysis, model: str = ""
) -> tuple[Any, dict[str, Any]] | None:
    """The result that was stored last under the profile's own parameters, and what made it; None if there is none.

    Unlike :func:`stored` it does not ask whether anything changed since: what made it says of what it is.
    """
    given = {"model": model} if model else {}
    folder = folder_of(study, profile, analysis, parameters_of(study, analysis, profile, given))
    facts = read_facts(folder)
    return (read_record(folder, _tops(analysis)), facts) if facts else None


def _tops(analysis: Analysis) -> tuple[str, ...]:
    """Packages of ours that an analysis comes from: their code counts, and a stored result may name their classes."""
    return ("metacog", analysis.function.__module__.split(".")[0], analysis.returns.__module__.split(".")[0])


def store(record: Any, folder: Path, facts: Mapping[str, Any]) -> None:
    """Put a record in its place: the folder is the old one or the whole new one, never a mixture."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    try:
        write_record(record, new, facts)
        if folder.exists():
            os.replace(folder, old)
        os.replace(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
