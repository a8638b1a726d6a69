"""``metacog card``: what the book found of one model, for the model's README."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("card")
@click.argument("name")
@click.option(
    "--profile", default="default", show_default=True, help="Profile whose stored results it tells."
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder [default: results/cards].")
def command(name: str, profile: str, out: Path | None) -> None:
    """Write what the book found of the model NAME as one page, in Markdown and in HTML.

    NAME is one of `metacog models`, or a published model as a study names it. Its results are those that `metacog
    book` has stored; of a model that is not among them they are computed from what `metacog collect` brought.

    \b
    metacog card smollm2-135m
    """
    from metacog.book.addresses import addresses
    from metacog.book.cards import write_card
    from metacog.core.config import load_profile
    from metacog.core.paths import from_root, project_root
    from metacog.studies.shared.model_card import card_of

    card = card_of(name, load_profile(profile), echo=click.echo)
    for path in write_card(card, out or project_root() / "results" / "cards", addresses().book):
        click.echo(f"wrote {from_root(path)}")
