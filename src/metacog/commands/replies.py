"""``metacog replies``: runs that travel from one machine to another."""

from __future__ import annotations

from pathlib import Path

import click

from metacog.core.errors import MetacogError


@click.group("replies")
def command() -> None:
    """Give collected replies to others, and take theirs."""


@command.command("pack")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--study", "studies", multiple=True, help="Only this study's replies.")
@click.option("--collection", "collections", multiple=True, help="Only this of a study's collections.")
@click.option("--model", "models", multiple=True, help="Only this model's replies.")
@click.option("--profile", help="Only what this profile asks [default: every run].")
@click.option("--runs", type=click.Path(path_type=Path), help="Folder of runs [default: runs/].")
def pack(
    out: Path,
    studies: tuple[str, ...],
    collections: tuple[str, ...],
    models: tuple[str, ...],
    profile: str | None,
    runs: Path | None,
) -> None:
    """Put replies with their manifests and checksums into the file OUT (a ZIP file).

    \b
    metacog replies pack mine.zip
    metacog replies pack one-model.zip --model smollm2-135m
    """
    from metacog.collect import packs
    from metacog.core.paths import project_root

    place = runs or project_root() / "runs"
    chosen = [m.parent for m in place.glob("*/*/*/*/manifest.json")]
    for part, names in enumerate((studies, collections, models)):
        chosen = [f for f in chosen if not names or f.relative_to(place).parts[part] in names]
    if profile:
        asked = _asked_by(profile, place, studies)
        chosen = [f for f in chosen if f in asked]
    made = packs.pack(chosen, place, out)
    for run in made:
        click.echo(run.title)
    click.echo(f"{len(made)} runs, {out.stat().st_size / 1e6:.1f} MB -> {out}")


def _asked_by(name: str, runs: Path, only: tuple[str, ...]) -> set[Path]:
    """Run folders that a profile's plans have, of these studies or of all."""
    from metacog.collect.jobs import targets
    from metacog.core.config import load_profile
    from metacog.studies import get_study

    profile = load_profile(name)
    found = set()
    for study in [name for name in profile.studies if not only or name in only]:
        for target in targets(get_study(study), profile, runs=runs):
            try:
                found |= {plan.folder(runs) for plan in target.plans()}
            except MetacogError as error:
                click.echo(f"passed over: {target.collection}, {target.model} ({error})", err=True)
    return found


@command.command("unpack")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--runs", type=click.Path(path_type=Path), help="Folder of runs [default: runs/].")
def unpack(file: Path, runs: Path | None) -> None:
    """Take the replies of the pack FILE; what is already here stays."""
    from metacog.collect import packs
    from metacog.core.paths import project_root

    for run, new in packs.unpack(file, runs or project_root() / "runs"):
        click.echo(f"{run.title}: {new} blocks taken")


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check the pack FILE: its list, its checksums, its configurations and its tables."""
    from metacog.collect import packs

    opened = packs.Pack(file)
    for run in opened.runs:
        click.echo(run.title)
    click.echo(f"{file.name} is whole: {len(opened.runs)} runs")
