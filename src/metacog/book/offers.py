"""What a rendered book offers to programs: its trials, described, and the summary of its results."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

from metacog.book.addresses import addresses
from metacog.book.metadata import File, croissant, declared, text_of
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.studies import studies
from metacog.studies.reference import shown
from metacog.studies.results import runs
from metacog.studies.trials import read_collected
from metacog.trials import write_parquet

#: Folder of the trials among the static files, and the name of metadata in any folder.
TRIALS, METADATA = "trials", "croissant.json"


def of_folder(name: str) -> tuple[Path, dict[str, Any]]:
    """Folder and metadata of a dataset of the repository; a table that is not declared, or not there, is an error."""
    about, known = declared()["datasets"][name], addresses()
    folder = project_root() / about["folder"]
    there = {p.name for p in folder.iterdir() if p.suffix != ".md" and p.name != METADATA}
    if there != set(about["files"]):
        odd = ", ".join(sorted(there ^ set(about["files"])))
        raise MetacogError(f"config/croissant.yaml and {about['folder']} differ in: {odd}")
    files = [File(folder / f, one["description"], one.get("key", "")) for f, one in about["files"].items()]
    return folder, croissant(name, about, files, about.get("url") or known.repository or known.book)


def write_descriptions() -> list[Path]:
    """Write the metadata of every dataset of the repository next to its files; their paths."""
    return [_write(*of_folder(name)) for name in declared()["datasets"]]


def _write(folder: Path, metadata: Mapping[str, Any]) -> Path:
    with replacing(folder / METADATA) as handle:
        handle.write(text_of(metadata))
    return folder / METADATA


def write_offers(profile: Profile, static: Path, address: str = "") -> dict[str, str]:
    """Write what the book offers to programs; what each is, by its address from a page.

    The content of ``static`` lies in ``_static`` of the rendered book; ``address`` is the book's, if it is known.
    """
    offers = {}
    root = project_root()
    static.mkdir(parents=True, exist_ok=True)
    told = "The results of this book: headline values, verdicts, numbers, what made them"
    copied = {
        "summary.json": (root / "results" / profile.name / "summary.json", told),
        "summary.schema.json": (root / "config/schema/summary.json", "JSON schema of these results"),
    }
    for name, (source, what) in copied.items():
        if source.is_file():
            shutil.copyfile(source, static / name)
            offers[f"../_static/{name}"] = what
    files = write_trials(profile, static / TRIALS)
    if files:
        name = f"companion-trials-{profile.name}"
        _write(static / TRIALS, croissant(name, declared()["trials"], files, address))
        offers[f"../_static/{TRIALS}/{METADATA}"] = "Croissant metadata of the trials below"
        for file in files:
            offers[f"../_static/{TRIALS}/{file.path.name}"] = file.description
    return offers


def closing_cell(profile: Profile, static: Path, address: str = "") -> Any:
    """What made this book, and what it offers to programs (:func:`write_offers`), as a cell of a notebook."""
    made, offers = provenance(), write_offers(profile, static, address)
    versions = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    listed = "\n".join(f'<li><a href="{at}">{what}</a></li>' for at, what in offers.items())
    return nbformat.v4.new_markdown_cell(
        f"## What made this book\n<!-- fold -->\n\nThis rendering is of the profile {profile.name}, from "
        f"commit `{made['commit']}`, with {versions}. When each page and result was made, and in how many seconds, "
        "stands in `results/times.jsonl`." + (f"\n\nFor programs:\n\n<ul>\n{listed}\n</ul>" if offers else "")
    )


def write_trials(profile: Profile, folder: Path) -> list[File]:
    """Write every collection's trials, of all models and sets, one Parquet file for each run that the pages show."""
    shutil.rmtree(folder, ignore_errors=True)
    made = []
    for study in studies():
        for run in shown(profile, study).profiles if runs(profile, study) else ():
            for collection in study.collections:
                try:
                    trials = read_collected(study, run, collection.name)
                except MetacogError:  # this run does not ask it
                    continue
                path = folder / f"{study.name}-{collection.name}-{run.name}.parquet"
                # without columns that are empty throughout, whose type no file tells
                write_parquet(trials.dropna(axis="columns", how="all"), path)
                whose = "the reference run" if run.name == profile.reference else f"the profile {run.name}"
                described = (
                    f"{study.title.partition(':')[0]}, {collection.name}: {len(trials):,} trials, {whose}"
                )
                made.append(File(path, described))
    return made
