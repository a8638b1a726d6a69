"""``metacog panel``: sheets for people who answer a study's items, or judge models' replies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def _of_a_study(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that name a set of items."""
    for option in (
        click.option("--dataset", default="", help="Which set [default: the only one]."),
        click.option("--collection", default="", help="Which collection [default: the only one]."),
        click.option("--profile", default="default", show_default=True, help="Profile name or YAML file."),
        click.option("--study", required=True, help="Whose items."),
    ):
        function = option(function)
    return function


def _bank(study: str, profile: str, collection: str, dataset: str) -> Any:
    from metacog.core.config import load_profile
    from metacog.imports.panel import open_bank
    from metacog.studies import get_study

    found, run = get_study(study), load_profile(profile)
    return open_bank(found, run, collection, dataset), found, run


@click.group("panel")
def command() -> None:
    """A human panel: sheets to answer, sheets to judge, and what the answers are marked as."""


@command.command("ask")
@_of_a_study
@click.option("--people", type=click.IntRange(min=1), required=True, help="Sheets to write.")
@click.option("--seed", type=int, default=42, show_default=True, help="Of the orders.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the sheets.")
def ask(study: str, profile: str, collection: str, dataset: str, people: int, seed: int, out: Path) -> None:
    """Write one sheet per person: what a model is asked, without keys, in an order of their own."""
    from metacog.core.words import plural
    from metacog.imports.panel import answer_sheets, write_sheets

    bank, _, _ = _bank(study, profile, collection, dataset)
    write_sheets(answer_sheets(bank, people, seed), out)
    click.echo(f"wrote {plural(people, 'sheet')} of {plural(len(bank.items), 'item')} to {out}")


@command.command("judge")
@_of_a_study
@click.option("--model", "models", multiple=True, help="Whose replies [default: all of the profile].")
@click.option("--raters", type=click.IntRange(min=1), required=True, help="Sheets to write.")
@click.option("--seed", type=int, default=42, show_default=True, help="Of codes and orders.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the sheets.")
def judge(
    study: str,
    profile: str,
    collection: str,
    dataset: str,
    models: tuple[str, ...],
    raters: int,
    seed: int,
    out: Path,
) -> None:
    """Write a sheet a rater: collected replies with rubric and key, but without the models' names.

    codes.csv says whose replies they are; keep it from the raters until they are done.
    """
    from metacog.core.words import plural
    from metacog.imports.panel import judge_sheets, replies_of, write_sheets

    bank, found, run = _bank(study, profile, collection, dataset)
    sheets, codes = judge_sheets(bank, replies_of(bank, found, run, models), raters, seed)
    write_sheets(sheets, out, codes)
    click.echo(
        f"wrote {plural(raters, 'sheet')} of {plural(len(codes), 'reply', 'replies')}, "
        f"and codes.csv, to {out}"
    )


@command.command("mark")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SHEET...")
@_of_a_study
@click.option("--out", type=click.Path(path_type=Path), required=True, help="CSV to write.")
def mark(files: tuple[Path, ...], study: str, profile: str, collection: str, dataset: str, out: Path) -> None:
    """Mark sheets that people filled in by the rules that models are marked by.

    \b
    metacog raters OUT --rater person --judgement correct --by part
    metacog import-trials OUT --correct correct --confidence confidence --model person --question-id item
    """
    from metacog.core.errors import MetacogError
    from metacog.core.words import plural
    from metacog.imports.panel import mark_sheets

    bank, _, _ = _bank(study, profile, collection, dataset)
    trials, n_empty = mark_sheets(bank, files)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        trials.to_csv(out, index=False)
    except OSError as error:
        raise MetacogError(f"could not write {out}: {error.strerror or error}") from error
    people = plural(trials["person"].nunique(), "person", "people")
    click.echo(
        f"{plural(len(trials), 'reply', 'replies')} of {people} marked, "
        f"{plural(n_empty, 'row')} without a reply left out; wrote {out}"
    )
