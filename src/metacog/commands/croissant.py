"""``metacog data croissant``: metadata of the data in the repository."""

from __future__ import annotations

import click


@click.command("croissant")
def command() -> None:
    """Describe the data of the repository for programs: FOLDER/croissant.json (MLCommons Croissant 1.0).

    What is in the files is read from them, and what it means from config/croissant.yaml. Run it after a file of
    a folder that is named there has changed.
    """
    from metacog.book.offers import write_descriptions
    from metacog.core.paths import from_root

    for path in write_descriptions():
        click.echo(f"wrote {from_root(path)}")
