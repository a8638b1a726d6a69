"""What a rendered book offers to programs: its trials, described, and the summary of its results."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from metacog.book.addresses import addresses
from metacog.book.croissant import Dataset, File, croissant, text_of
from metacog.core.config import Profile, load_yaml
from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.core.paths import project_root
from metacog.studies import studies
from metacog.studies.reference import shown
from metacog.studies.results import runs
from metacog.studies.trials import read_collected
from metacog.trials import write_parquet

#: Folder of the trials among the static files, and the name of metadata in any folder.
TRIALS, METADATA = "trials", "croissant.json"


def own_citation() -> tuple[str, str]:
    """Who made this project, and how it is cited, as ``CITATION.cff`` says."""
    said = yaml.safe_load((project_root() / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(one["name"] for one in said["authors"])
    return authors, f"{authors}. {said['title']}. Version {said['version']}"


def declared() -> dict[str, Any]:
    """What ``config/croissant.yaml`` says of the data."""
    return load_yaml(project_root() / "config" / "croissant.yaml", "croissant")


def datasets() -> Iterator[tuple[Path, Dataset]]:
    """The datasets of the repository, each with its folder.

    Raises
    ------
    MetacogError
        If a folder holds a table that is not declared, or lacks one that is.
    """
    said, known = declared(), addresses()
    authors, citation = own_citation()
    for name, about in said["datasets"].items():
        folder = project_root() / about["folder"]
        there = {p.name for p in folder.iterdir() if p.suffix not in (".md",) and p.name != METADATA}
        if there != set(about["files"]):
            odd = ", ".join(sorted(there ^ set(about["files"])))
            raise MetacogError(f"config/croissant.yaml and {about['folder']} differ in: {odd}")
        files = (
            File(folder / file, one["description"], one.get("key", ""))
            for file, one in about["files"].items()
        )
        yield (
            folder,
            Dataset(
                name,
                about["title"],
                about["description"],
                about["licence"],
                about.get("creator", authors),
                said["published"],
                tuple(files),
                about.get("url") or known.repository or known.book,
                about.get("cite", citation),
                said["fields"],
                person="creator" in about,
            ),
        )


def write_descriptions() -> list[Path]:
    """Write the metadata of every dataset of the repository next to its files; their paths."""
    made = []
    for folder, dataset in datasets():
        made.append(folder / METADATA)
        with replacing(made[-1]) as handle:
            handle.write(text_of(croissant(dataset)))
    return made


def write_offers(profile: Profile, static: Path, address: str = "") -> dict[str, str]:
    """Write what the book offers to programs; what each is, by its address from a page.

    Parameters
    ----------
    profile : Profile
    static : Path
        A folder whose content lies in ``_static`` of the rendered book.
    address : str
        Of the book; empty if it is not known.
    """
    offers = {}
    root = project_root()
    static.mkdir(parents=True, exist_ok=True)
    summary, schema = root / "results" / profile.name / "summary.json", root / "config/schema/summary.json"
    for source, name, what in (
        (
            summary,
            "summary.json",
            "The results of this book: headline values, verdicts, numbers, what made them",
        ),
        (schema, "summary.schema.json", "JSON schema of these results"),
    ):
        if source.is_file():
            shutil.copyfile(source, static / name)
            offers[f"../_static/{name}"] = what
    files = write_trials(profile, static / TRIALS)
    if files:
        said = declared()
        about = said["trials"]
        authors, citation = own_citation()
        dataset = Dataset(
            f"companion-trials-{profile.name}",
            about["title"],
            about["description"],
            about["licence"],
            authors,
            said["published"],
            tuple(files),
            address,
            citation,
            said["fields"],
        )
        with replacing(static / TRIALS / METADATA) as handle:
            handle.write(text_of(croissant(dataset)))
        offers[f"../_static/{TRIALS}/{METADATA}"] = "Croissant metadata of the trials below"
        for file in files:
            offers[f"../_static/{TRIALS}/{file.path.name}"] = file.description
    return offers


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
                write_parquet(_plain(trials), path)
                whose = "the reference run" if run.name == profile.reference else f"the profile {run.name}"
                described = (
                    f"{study.title.partition(':')[0]}, {collection.name}: {len(trials):,} trials, {whose}"
                )
                made.append(File(path, described))
    return made


def _plain(trials: pd.DataFrame) -> pd.DataFrame:
    """Without columns that are empty throughout, whose type no file tells."""
    return trials.dropna(axis="columns", how="all")
