"""Which run carries a study's pages, and which follows: a profile's own, and the reference run.

The reference run is another profile's. Its replies travel in packs (``data/replies``) and are never asked for
here. A profile names it and says whether it leads. A study whose reference replies are not all at hand is
shown from the profile's own run alone.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from metacog.collect.jobs import known_packs, targets
from metacog.collect.packs import answered_sets
from metacog.collect.plan import models_of
from metacog.core.config import Profile, load_profile
from metacog.core.paths import project_root
from metacog.studies.registry import get_study, studies
from metacog.studies.study import Study


@dataclass(frozen=True)
class Shown:
    """The runs that a study's pages show: one carries them, the other follows."""

    lead: Profile
    other: Profile | None = None

    @property
    def profiles(self) -> tuple[Profile, ...]:
        return (self.lead, self.other) if self.other else (self.lead,)


def shown(profile: Profile, study: Study) -> Shown:
    if not profile.reference or not study.collections or study.name not in profile.studies:
        return Shown(profile)
    reference = load_profile(profile.reference)
    if study.name not in reference.studies or missing(study.name, profile.reference):
        return Shown(profile)
    return Shown(reference, profile) if profile.reference_leads else Shown(profile, reference)


def models_shown(profile: Profile) -> dict[str, Profile]:
    """Every model with pages of its own, and whose run they show: the profile's, of all models that it asks.

    Models that the reference run alone asked come first, if its replies of every study are at hand. A model that is
    left out of the first study, whose answers such a page begins with, has none.
    """
    own = dict.fromkeys(_of_first(profile), profile)
    if not profile.reference:
        return own
    reference = load_profile(profile.reference)
    asked = [study for study in studies() if study.name in reference.studies]
    if any(reference not in shown(profile, study).profiles for study in asked):
        return own
    return {model: reference for model in _of_first(reference) if model not in profile.models} | own


def _of_first(profile: Profile) -> tuple[str, ...]:
    """Models that the first study asks; all where a profile does not run it, or no study asks any."""
    first = next((study for study in studies() if study.collections), None)
    return models_of(first, profile) if first and first.name in profile.studies else profile.models


def leading(profile: Profile, study: Study) -> Profile:
    """The profile whose run carries a study's pages."""
    return shown(profile, study).lead


def missing(study: str, reference: str) -> tuple[str, ...]:
    """What the packs lack of a profile's run of a study: collections, models and sets."""
    return _missing(study, reference, project_root())


@functools.cache
def _missing(study: str, reference: str, root: Path) -> tuple[str, ...]:
    """Of the project whose root is given, kept."""
    asking = get_study(study)
    there = answered_sets(known_packs())
    return tuple(
        f"{t.collection}: {t.model} on {t.dataset}"
        for t in targets(asking, load_profile(reference))
        if f"{study}/{t.collection}/{t.model}/{Path(t.dataset).stem}" not in there
    )
