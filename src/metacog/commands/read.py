"""``metacog read``: trials from stored replies, without a model."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("read")
@click.option("--profile", default="default", show_default=True, help="Profile name or YAML file.")
@click.option("--study", "studies", multiple=True, help="Read for this study only.")
@click.option("--collection", "collections", multiple=True, help="Only this of a study's collections.")
@click.option("--model", "models", multiple=True, help="Default: the profile's.")
@click.option("--dataset", "datasets", multiple=True, help="Default: the profile's.")
@click.option(
    "--packed", is_flag=True, help="From the replies at hand and in packs, whatever was asked then."
)
@click.option("--runs", type=click.Path(path_type=Path), help="Folder of runs [default: runs/].")
def command(
    profile: str,
    studies: tuple[str, ...],
    collections: tuple[str, ...],
    models: tuple[str, ...],
    datasets: tuple[str, ...],
    packed: bool,
    runs: Path | None,
) -> None:
    """Read trials again from the replies that were collected: marking, parsing, checking."""
    from metacog.collect.jobs import targets, trials_file
    from metacog.core.config import load_profile
    from metacog.studies import get_study

    found = load_profile(profile)
    for name in studies or found.studies:
        for target in targets(
            get_study(name),
            found,
            collections=collections,
            models=models,
            datasets=datasets,
            runs=runs,
            packed=packed,
        ):
            out = trials_file(found.name, name, target.collection, target.model, target.dataset)
            reading = target.write(out)
            for remark in reading.remarks():
                click.echo(f"{target.collection}: {target.model} on {target.dataset}: {remark}")
            click.echo(f"{len(reading.trials)} trials -> {out}")
