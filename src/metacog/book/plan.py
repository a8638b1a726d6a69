"""What the workflow asks and the chapters read: plans of collection, pages, files of trials."""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.book.chapters import Page, pages
from metacog.collect.jobs import run_folder
from metacog.collect.runner import Plan, make_plan
from metacog.core.config import Profile, digest, load_profile
from metacog.core.paths import project_root

#: Packages whose code chapters run; a change there executes the chapters anew.
ANALYSIS_ROOMS = ("sdt", "trials", "measures", "ledger", "studies", "report", "imports")


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
    def code(self) -> dict[str, str]:
        """Hash of the code that chapters run: everything below src/metacog but collection and tools."""
        package = Path(__file__).parents[1]
        files = [f for room in ANALYSIS_ROOMS for f in sorted((package / room).rglob("*.py"))]
        return {"analysis": digest([hashlib.sha256(f.read_bytes()).hexdigest() for f in files])}


def workflow(profile_name: str) -> Workflow:
    """Plans and pages of a profile."""
    profile = load_profile(profile_name)
    return Workflow(profile, pages(profile))


def trial_files(profile_name: str) -> list[Path]:
    """Trial tables of a profile, as the workflow writes them."""
    profile = load_profile(profile_name)
    folder = project_root() / "results" / profile.name / "trials"
    return [folder / f"{model}.{dataset}.parquet" for model in profile.models for dataset in profile.datasets]


def manifests(profile_name: str) -> list[dict[str, Any]]:
    """Manifests of a profile's runs, for the chapter on collection."""
    found = []
    for plan in workflow(profile_name).plans.values():
        path = run_folder(plan) / "manifest.json"
        if path.is_file():
            found.append(json.loads(path.read_text(encoding="utf-8")))
    return found
