"""What a book learns from the studies: one step per result, with what it reads."""

from __future__ import annotations

from dataclasses import dataclass

from metacog.core.config import Profile
from metacog.core.paths import project_root
from metacog.studies import studies
from metacog.studies.codec import RECORD
from metacog.studies.reference import models_shown, shown
from metacog.studies.results import (
    folder_of,
    input_files,
    other_results,
    parameters_of,
    profile_for,
    reference_results,
    rests_on_trials,
    runs,
)
from metacog.studies.study import Analysis, Study


@dataclass(frozen=True)
class Step:
    """One result to compute: ``target`` is the file that says it is there, ``inputs`` what it reads.

    ``model`` is empty but for analyses that are made per model; ``question`` is what the analysis asks.
    """

    profile: str
    study: str
    analysis: str
    model: str
    target: str
    inputs: tuple[str, ...]
    question: str = ""

    @property
    def words(self) -> str:
        """The step in plain words, as the account of a book shows it."""
        of = f"{self.analysis}, {self.model}" if self.model else self.analysis
        return f"computing: {self.question} ({of})"


def steps(profile: Profile) -> list[Step]:
    """Every result of every study that a profile runs, those they read of others, and the reference run's.

    Of the run that follows on a study's pages only what rests on its trials is computed. Of what no one study asks,
    the reference run has no more than the models whose pages show it.
    """
    of_models = models_shown(profile)
    wanted = [
        (study, run, analysis)
        for study in studies()
        if runs(profile, study)
        for place, run in enumerate(shown(profile, study).profiles)
        for analysis in study.analyses
        if place == 0 or rests_on_trials(study, analysis)
    ]
    wanted += [
        (study, run, analysis)
        for study in studies()
        for run in {run.name: run for run in of_models.values() if run != profile}.values()
        for analysis in study.analyses
        if analysis.per_model and not study.collections
    ]
    for study, run, analysis in wanted:
        for owner, other in other_results(study, run, analysis).values():
            read = owner, profile_for(study, run, owner, analysis), other
            if read not in wanted:
                wanted.append(read)
    return [
        _step(study, run, analysis, model)
        for study, run, analysis in wanted
        for model in (run.models if analysis.per_model else ("",))
        if study.collections or not model or of_models.get(model) == run
    ]


def target_of(study: Study, profile: Profile, analysis: Analysis, model: str = "") -> str:
    given = {"model": model} if model else {}
    folder = folder_of(study, profile, analysis, parameters_of(study, analysis, profile, given))
    return str((folder / RECORD).relative_to(project_root()))


def _step(study: Study, profile: Profile, analysis: Analysis, model: str) -> Step:
    root = project_root()
    others = other_results(study, profile, analysis)
    given = {"model": model} if model else {}
    parameters = parameters_of(study, analysis, profile, given)
    inputs = [str(f.relative_to(root)) for f in input_files(study, profile, analysis, parameters)]
    inputs += [
        target_of(owner, profile_for(study, profile, owner, analysis), other)
        for owner, other in others.values()
    ]
    inputs += [target_of(*one) for one in reference_results(profile, analysis).values()]
    target = target_of(study, profile, analysis, model)
    return Step(
        profile.name,
        study.name,
        analysis.name,
        model,
        target,
        tuple(inputs),
        analysis.question,
    )
