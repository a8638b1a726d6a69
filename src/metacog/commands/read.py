"""``metacog read``: trials from stored replies, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
def command(profile: str, studies: tuple[str, ...], **which: Any) -> None:
    """Read trials again from the replies that were collected: marking, parsing, checking."""
    from metacog.collect.jobs import read_again
    from metacog.core.config import load_profile
    from metacog.studies import get_study

    found = load_profile(profile)
    read_again([get_study(name) for name in studies or found.studies], found, echo=click.echo, **which)
