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


def _bank(study: str, profile: str, **which: str) -> Any:
    from metacog.core.config import load_profile
    from metacog.imports.panel import open_bank
    from metacog.studies import get_study

    found, run = get_study(study), load_profile(profile)
    return open_bank(found, run, **which), found, run


#: What is known of the people.
_ABOUT = click.option(
    "--about", type=click.Path(path_type=Path), help="Table of people, by its column person."
)


def _marked(bank: Any, files: tuple[Path, ...], about: Path | None) -> tuple[Any, int]:
    from metacog.imports.panel import mark_sheets
    from metacog.imports.panel_people import with_people
    from metacog.imports.tables import read_table

    trials, n_empty = mark_sheets(bank, files)
    return (with_people(trials, read_table(about, as_text=True)) if about else trials), n_empty


@click.group("panel")
def command() -> None:
    """A human panel: sheets to answer, sheets to judge, and what the answers are marked as."""


@command.command("ask")
@_of_a_study
@click.option("--people", type=click.IntRange(min=1), required=True, help="Sheets to write.")
@click.option(
    "--items", type=click.IntRange(min=1), help="As many for all, drawn evenly from the parts [default: all]."
)
@click.option("--quota", "quotas", multiple=True, help="COLUMN=GROUP:SHARE,GROUP:SHARE, as often as need be.")
@click.option("--seed", type=int, default=42, show_default=True, help="Of the items and the orders.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the sheets.")
def ask(people: int, items: int | None, quotas: tuple[str, ...], seed: int, out: Path, **of: str) -> None:
    """Write one sheet per person: what a model is asked, without keys, in an order of their own.

    With quotas, people.csv says who is to be found for each sheet; put what is true of them in its place.

    \b
    metacog panel ask --study NAME --people 100 --items 30 --out panel/sheets \\
        --quota education=school:25,bachelor:25,advanced:50 --quota stem=yes:50,no:50
    """
    from metacog.core.words import plural
    from metacog.imports.panel import answer_sheets, write_sheets
    from metacog.imports.panel_people import balanced, quotas_of, wanted_people

    bank, _, _ = _bank(**of)
    bank = balanced(bank, items, seed) if items else bank
    sheets = answer_sheets(bank, people, seed)
    shares = quotas_of(quotas)
    write_sheets(sheets | ({"people": wanted_people(list(sheets), shares)} if shares else {}), out)
    click.echo(f"wrote {plural(people, 'sheet')} of {plural(len(bank.items), 'item')} to {out}")


@command.command("judge")
@_of_a_study
@click.option("--model", "models", multiple=True, help="Whose replies [default: all of the profile].")
@click.option("--raters", type=click.IntRange(min=1), required=True, help="Sheets to write.")
@click.option("--seed", type=int, default=42, show_default=True, help="Of codes and orders.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the sheets.")
def judge(models: tuple[str, ...], raters: int, seed: int, out: Path, **of: str) -> None:
    """Write a sheet a rater: collected replies with rubric and key, but without the models' names.

    codes.csv says whose replies they are; keep it from the raters until they are done.
    """
    from metacog.core.words import plural
    from metacog.imports.panel import judge_sheets, replies_of, write_sheets

    bank, found, run = _bank(**of)
    sheets, codes = judge_sheets(bank, replies_of(bank, found, run, models), raters, seed)
    write_sheets(sheets, out, codes)
    click.echo(
        f"wrote {plural(raters, 'sheet')} of {plural(len(codes), 'reply', 'replies')}, "
        f"and codes.csv, to {out}"
    )


@command.command("mark")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SHEET...")
@_of_a_study
@_ABOUT
@click.option("--out", type=click.Path(path_type=Path), required=True, help="CSV to write.")
def mark(files: tuple[Path, ...], about: Path | None, out: Path, **of: str) -> None:
    """Mark sheets that people filled in by the rules that models are marked by.

    \b
    metacog raters OUT --rater person --judgement correct --by part
    metacog import-trials OUT --correct correct --confidence confidence --model person --question-id item
    """
    from metacog.core.errors import MetacogError
    from metacog.core.words import plural

    bank, _, _ = _bank(**of)
    trials, n_empty = _marked(bank, files, about)
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


@command.command("test")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SHEET...")
@_of_a_study
@_ABOUT
@click.option("--parts", help="FIRST,SECOND: parts that should not correlate over people.")
@click.option(
    "--order", help="COLUMN=LOWEST,...,HIGHEST: groups of people that should rise with the share right."
)
@click.option(
    "--models/--no-models", default=False, show_default=True, help="Beside models that the profile asked."
)
@click.option(
    "--r-bar", type=click.FloatRange(-1, 1), default=0.40, show_default=True, help="Most of --parts."
)
@click.option(
    "--tau-bar", type=click.FloatRange(-1, 1), default=0.30, show_default=True, help="Least of --order."
)
@click.option("--agreement-bar", type=click.FloatRange(0, 1), default=0.90, show_default=True)
@click.option("--alpha-bar", type=click.FloatRange(-1, 1), default=0.25, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="CSV to write, too.")
def test(
    files: tuple[Path, ...],
    about: Path | None,
    parts: str | None,
    order: str | None,
    models: bool,
    r_bar: float,
    tau_bar: float,
    agreement_bar: float,
    alpha_bar: float,
    out: Path | None,
    **of: str,
) -> None:
    """Test hypotheses on people with their filled-in sheets, and say how confidence goes with being right.

    The bars are those of the probe's paper; set your own. A figure is held against its bar as it is, so read its 95 %
    interval, too.

    \b
    metacog panel test panel/sheets/person-*.csv --study NAME --about panel/sheets/people.csv \\
        --parts FIRST,SECOND --order education=school,bachelor,advanced --models
    """
    from metacog.core.errors import MetacogError
    from metacog.core.words import plural
    from metacog.imports.panel import part_of, replies_of
    from metacog.imports.panel_people import Bars, lines, panel_tests

    bank, found, run = _bank(**of)
    trials, _ = _marked(bank, files, about)
    first, _, second = (parts or "").partition(",")
    if parts and not (first and second and "," not in second):
        raise MetacogError(f"--parts takes two parts, FIRST,SECOND, not {parts!r}")
    name, _, groups = (order or "").partition("=")
    others = None
    if models:
        answered = replies_of(bank, found, run, ())
        answered = answered[answered["question_id"].astype(str).isin(trials["item"])]
        answered = answered.drop_duplicates(["model", "question_id"])
        others = answered.assign(part=[part_of(bank.items[str(one)]) for one in answered["question_id"]])
    table = panel_tests(
        trials,
        parts=(first, second) if parts else None,
        order=(name, groups.split(",")) if order else None,
        models=others,
        bars=Bars(r_bar, tau_bar, agreement_bar, alpha_bar),
    )
    if out:
        table.to_csv(out, index=False)
    click.echo(f"{plural(trials['person'].nunique(), 'person', 'people')}, {plural(len(trials), 'answer')}")
    click.echo("\n".join(lines(table)))
