"""The studies of the book, listed in ``registry.py``, and the door through which chapters come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metacog.core.errors import MetacogError
from metacog.studies.registry import STUDIES, get_study, studies
from metacog.studies.study import Study
from metacog.verdicts.verdict import Kind

if TYPE_CHECKING:
    from metacog.studies.run import Run

__all__ = ["STUDIES", "Kind", "Study", "first_with", "get_study", "open_run", "studies"]


def first_with(what: str) -> Study:
    """The first registered study whose record holds something under ``what``."""
    for study in studies():
        if getattr(study, what, None):
            return study
    raise MetacogError(f"no registered study has {what}")


def open_run(study: str, profile: str = "default", other: str = "") -> Run:
    """A profile's run of a study: its trials and results, made if they are missing or out of date.

    ``other`` names another profile, whose run a chapter shows as well. What a study that asks no models found is the
    book's: of a reference run and the profile that names it, it is read from the latter.
    """
    from metacog.core.config import load_profile
    from metacog.studies.run import Run

    asked, run, beside = get_study(study), load_profile(profile), load_profile(other) if other else None
    if beside and not asked.collections and beside.reference == run.name:
        return Run(asked, beside)
    return Run(asked, run, beside)
