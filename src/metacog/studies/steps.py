"""What the workflow learns from the studies: one step a result, with what it reads and what it hangs on."""

from __future__ import annotations

from dataclasses import dataclass

from metacog.core.config import Profile, digest
from metacog.core.paths import project_root
from metacog.studies import studies
from metacog.studies.codec import RECORD
from metacog.studies.results import code_of, folder_of, other_results, parameters_of, reference_run, runs
from metacog.studies.study import Analysis, Study
from metacog.studies.trials import trial_files


@dataclass(frozen=True)
class Step:
    """One result to compute.

    Attributes
    ----------
    study, analysis, model : str
        ``model`` is empty but for analyses that are made per model.
    target : str
        File that says it is there.
    inputs : tuple of str
        Trials, results and files that it reads.
    code, parameters : str
        Digests.
    question : str
        What the analysis asks.
    """

    study: str
    analysis: str
    model: str
    target: str
    inputs: tuple[str, ...]
    code: str
    parameters: str
    question: str = ""

    @property
    def words(self) -> str:
        """The step in plain words, as the account of a book shows it."""
        of = f"{self.analysis}, {self.model}" if self.model else self.analysis
        return f"computing: {self.question} ({of})"


def steps(profile: Profile) -> list[Step]:
    """Every result of every study that a profile runs, and those that they read of other studies."""
    wanted = [(study, one) for study in studies() if runs(profile, study) for one in study.analyses]
    for study, analysis in wanted:
        others = other_results(study, profile, analysis).values()
        wanted += [other for other in others if other not in wanted]
    return [
        _step(study, profile, analysis, model)
        for study, analysis in wanted
        for model in (profile.models if analysis.per_model else ("",))
    ]


def target_of(study: Study, profile: Profile, analysis: Analysis, model: str = "") -> str:
    """File that holds a result under the profile's own parameters."""
    given = {"model": model} if model else {}
    folder = folder_of(study, profile, analysis, parameters_of(study, analysis, profile, given))
    return str((folder / RECORD).relative_to(project_root()))


def _step(study: Study, profile: Profile, analysis: Analysis, model: str) -> Step:
    root = project_root()
    others = other_results(study, profile, analysis)
    given = {"model": model} if model else {}
    parameters = parameters_of(study, analysis, profile, given)
    trials = [f for n in analysis.needs if n not in others for f in trial_files(study, profile, n, model)]
    files = [f for pattern in analysis.files for f in sorted(root.glob(pattern)) if f.is_file()]
    inputs = [str(f.relative_to(root)) for f in (*trials, *files)]
    inputs += [target_of(owner, profile, other) for owner, other in others.values()]
    if analysis.across and (reference := reference_run(profile)):
        theirs = [target_of(s, reference, o) for s, o in other_results(study, reference, analysis).values()]
        inputs += [file for file in theirs if (root / file).is_file()]
    target = target_of(study, profile, analysis, model)
    return Step(
        study.name,
        analysis.name,
        model,
        target,
        tuple(inputs),
        code_of(analysis),
        digest(dict(parameters)),
        analysis.question,
    )
