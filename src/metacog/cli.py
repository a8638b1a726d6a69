"""The ``metacog`` command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import metacog
from metacog.core.config import Profile
from metacog.core.errors import MetacogError, extra_for
from metacog.core.files import shortage
from metacog.core.paths import keep_compiled
from metacog.core.supervise import INTERRUPTED, hold_lifeline, run_self

#: Commands that run a model in this program: a process of their own, for it can die without a word.
ENGINE_COMMANDS = {("collect",): "collecting", ("data", "label"): "labelling questions"}
#: Commands of metacog.commands that belong below ``metacog data``.
OF_DATA = ("label", "croissant")


class _Group(click.Group):
    """Prints our own errors without a traceback; runs engines in a process of their own."""

    supervised = False

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, **extra: Any
    ) -> Any:
        if args is None:  # a command line, not a call from Python
            keep_compiled()
            # jsonschema would make a grammar of addresses with it, for over a second; none of our schemas asks for one
            sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
            words = sys.argv[1:]
            doing = next((d for c, d in ENGINE_COMMANDS.items() if tuple(words[: len(c)]) == c), "")
            self.supervised = hold_lifeline()
            if doing and not self.supervised:
                sys.exit(run_self(words, doing, lambda text: click.echo(f"metacog: {text}", err=True)))
        return super().main(args, **extra)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except MetacogError as error:
            click.echo(f"metacog: {error}", err=True)
            ctx.exit(error.exit_status)
        except KeyboardInterrupt:
            if not self.supervised:
                raise
            ctx.exit(INTERRUPTED)  # whoever watches says it
        except ModuleNotFoundError as error:
            extra = extra_for(error.name or "")
            if not extra:
                raise
            click.echo(f"metacog: this needs {error.name}: pip install 'metacog[{extra}]'", err=True)
            ctx.exit(2)
        except (OSError, MemoryError) as error:
            if not (what := shortage(error)):
                raise
            click.echo(f"metacog: {what}", err=True)
            ctx.exit(2)
        except ValueError as error:
            from metacog.sdt import InputError

            if not isinstance(error, InputError):
                raise
            click.echo(f"metacog: {error}", err=True)
            ctx.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(metacog.__version__)
def main() -> None:
    """Do LLMs know what they know? Collect trials, measure metacognition, render the book."""


@main.command()
@click.option("--profile", default="default", show_default=True, help="Profile name or YAML file.")
@click.option(
    "--paper",
    metavar="STUDY",
    help="Run the paper of this study: its own settings at full size, on --model or its own models.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    help="With --paper: ask this part of its items, drawn by seed.",
)
@click.option(
    "--instead",
    multiple=True,
    metavar="SET=OTHER",
    help="With --paper: another question set in the place of one of the paper's.",
)
@click.option(
    "--items", default="", metavar="PATH", help="With --paper: items of a file or folder beside its own."
)
@click.option("--pages/--no-pages", default=True, help="With --paper: make its pages then [default: yes].")
@click.option("--study", "studies", multiple=True, help="Collect for this study only.")
@click.option("--collection", "collections", multiple=True, help="Only this of a study's collections.")
@click.option("--model", "models", multiple=True, help="Registry name or .gguf file; default: the profile's.")
@click.option("--dataset", "datasets", multiple=True, help="Question set, or a .jsonl or .csv file.")
@click.option("--limit", type=click.IntRange(min=1), help="Ask only the first N items.")
@click.option(
    "--confidence",
    metavar="SIGNAL",
    help="What confidence in open answers is taken from: nlp, verbal, p-true or agreement "
    "[default: what the profile or the model's entry says].",
)
@click.option("--shard", type=click.IntRange(min=0), help="Collect one shard only.")
@click.option("--runs", type=click.Path(path_type=Path), help="Folder of runs [default: runs/].")
@click.option("--out", type=click.Path(path_type=Path), help="Write the trials of this one run here.")
@click.option("--receipt", type=click.Path(path_type=Path), hidden=True, help="For the workflow.")
@click.option("--packed", is_flag=True, help="Ask nothing: take the replies at hand and in packs.")
@click.option("--dry-run", is_flag=True, help="Say what it would take, from a small probe; collect nothing.")
@click.option("--max-requests", type=click.IntRange(min=1), help="Endpoints: stop before so many requests.")
@click.option("--max-tokens-total", type=click.IntRange(min=1), help="Endpoints: stop before so many tokens.")
@click.option("--max-cost", type=click.FloatRange(min=0), help="Endpoints: stop before so much is spent.")
@click.option(
    "--ask-twice",
    type=click.FloatRange(0, 1),
    help="Endpoints: share of items asked twice at temperature 0 [default: 0.1].",
)
@click.option(
    "--server-wait",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Endpoints: how long one that refuses connections is waited for [default: 600; --dry-run: not].",
)
@click.option(
    "--batch-out", type=click.Path(path_type=Path), help="Endpoints: write a batch file, ask nothing."
)
@click.option("--batch-in", type=click.Path(path_type=Path), help="Endpoints: read a batch's results.")
@click.option(
    "--lock-wait",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    default=3600.0,
    envvar="METACOG_LOCK_WAIT",
    show_envvar=True,
    help="How long another process that collects the same run is waited for [default: 3600].",
)
@click.option("--quiet", is_flag=True, help="No progress bar.")
def collect(
    profile: str,
    paper: str | None,
    share: float,
    instead: tuple[str, ...],
    items: str,
    pages: bool,
    studies: tuple[str, ...],
    quiet: bool,
    confidence: str | None,
    max_requests: int | None,
    max_tokens_total: int | None,
    max_cost: float | None,
    **options: Any,
) -> None:
    """Put items to models; resumes where an earlier run stopped.

    Limits count what the named runs have spent in earlier calls, too: raise one, and the same command goes on.
    """
    from metacog.collect import jobs
    from metacog.collect.plan import with_signal
    from metacog.core.config import load_profile
    from metacog.engines.budget import Limits
    from metacog.studies import get_study

    if paper:
        found = _of_paper(paper, options, share, instead, items, studies)
    elif share < 1 or instead or items:
        raise MetacogError("--share, --instead and --items go with --paper")
    else:
        found = load_profile(profile)
    chosen: Sequence[Any] = [get_study(name) for name in studies or found.studies]
    if not studies:
        named = {name: options[name] for name in ("collections", "datasets")}
        chosen = jobs.knowing(chosen, found, **named)
    if confidence:
        found = with_signal(found, chosen, confidence)
    limits = Limits(max_requests, max_tokens_total, max_cost)
    jobs.run(chosen, found, progress=not quiet, echo=click.echo, limits=limits, **options)
    if paper and not options["dry_run"]:
        from metacog.studies.trials import read_new

        read_new(found, echo=click.echo)
        if pages and not (options["collections"] or options["batch_out"] or options["shard"] is not None):
            from metacog.book.paper_pages import write_pages

            write_pages(found, paper, click.echo)
        click.echo(f"settings, chapters, cards and the book of it: `--profile {found.name}`")


def _of_paper(
    study: str,
    options: dict[str, Any],
    share: float,
    instead: tuple[str, ...],
    items: str,
    studies: tuple[str, ...],
) -> Profile:
    """The profile of one paper, kept in a file but for a dry run."""
    from metacog.collect.plan import settings_of
    from metacog.collect.whole_paper import keep, paper_profile
    from metacog.studies import get_study

    if studies or options["limit"] or options["datasets"]:
        raise MetacogError("--paper stands without --study, --dataset and --limit; --share asks fewer items")
    pairs = [text.partition("=") for text in instead]
    if wrong := [text for text, (old, _, new) in zip(instead, pairs, strict=True) if not old or not new]:
        raise MetacogError(f"--instead {wrong[0]}: write SET=OTHER")
    found = paper_profile(study, options["models"], share, {old: new for old, _, new in pairs}, items)
    settings_of(
        get_study(study), found
    )  # a study that reads no items of others says so before a file is written
    if not options["dry_run"]:
        keep(found, click.echo)
    return found


@main.command()
@click.option("--profile", default="default", show_default=True, help="Profile name.")
@click.option("--cores", type=click.IntRange(min=1), help="Cores to use [default: all].")
@click.option("--dry-run", is_flag=True, help="Say what would be run, and why.")
@click.option("--ask-paid", is_flag=True, help="Ask models that cost money, too, without a limit.")
@click.option("-v", "--verbose", is_flag=True, help="Print everything the steps say, as the log keeps it.")
def book(profile: str, cores: int | None, dry_run: bool, ask_paid: bool, verbose: bool) -> None:
    """Collect what is missing, run the chapters that changed, render the book."""
    from metacog.book.making import build, explain

    if dry_run:
        explain(profile)
        return
    build(profile, cores=cores, verbose=verbose, ask_paid=ask_paid)


@main.command("run-chapter")
@click.argument("chapter")
@click.option("--profile", default="default", show_default=True)
@click.option("-p", "--parameter", "parameters", multiple=True, help="NAME=VALUE, as often as need be.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Executed notebook [default: _executed/PROFILE/CHAPTER.ipynb].",
)
def run_chapter(chapter: str, profile: str, parameters: tuple[str, ...], out: Path | None) -> None:
    """Execute one chapter, with other parameters if you like."""
    from metacog.book.execution import execute_chapter
    from metacog.core.config import load_profile
    from metacog.studies.trials import read_new

    read_new(
        load_profile(profile), echo=click.echo
    )  # what `metacog collect` has brought since the book was made
    click.echo(f"wrote {execute_chapter(chapter, profile, parameters, out)}")


@main.command()
@click.option(
    "--same",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Compare the book here with that of another folder instead: what is the same, what is not.",
)
def doctor(same: Path | None) -> None:
    """Check installation, models, disk and versions; say what to mend."""
    from metacog.doctor import examine

    if same is not None:
        from metacog.book.same import compare
        from metacog.core.paths import project_root

        parts = compare(project_root(), same.resolve())
        for line in (line for part in parts for line in part.lines()):
            click.echo(line)
        sys.exit(int(any(part.different for part in parts)))

    checks = examine()
    for check in checks:
        click.echo(f"{'ok  ' if check.ok else 'MEND'}  {check.name}: {check.found}")
        if not check.ok:
            click.echo(f"      -> {check.remedy}")
    if not all(check.ok for check in checks):
        sys.exit(1)


@main.command("models")
@click.option("--fetch", "fetched", metavar="NAME", help="Get this model's file and check it.")
def list_models(fetched: str | None) -> None:
    """List the models of the registry and whether their files are here."""
    from metacog.collect.models import get_model, is_here, load_models, locate

    if fetched:
        click.echo(f"{fetched}: {locate(get_model(fetched))[0]}")
        return
    for name, entry in load_models().items():
        away = "gone" if "path" in entry.source else "to be fetched"
        place = "served" if entry.is_endpoint else "here" if is_here(entry) else away
        click.echo(f"{name:22s} {entry.kind:9s} {place:14s} {entry.label} ({entry.licence})")


@main.group("data")
def data_group() -> None:
    """Question sets and other people's data."""


@data_group.command("list")
def data_list() -> None:
    """List the question sets, and other people's data that can be fetched."""
    from metacog.collect.known_sets import known_sets
    from metacog.studies import studies

    for name, entry in known_sets().items():
        click.echo(f"{name:14s} {entry['label']} [{entry['licence']}]")
    for study in studies():
        for name in study.fetches:
            click.echo(f"{name:14s} published data ({study.title})")


@data_group.command("fetch")
@click.argument("name")
def data_fetch(name: str) -> None:
    """Download a question set, or other people's data that a study's ledger can use, with a checksum."""
    from metacog.collect.published_choices import READERS, form_of, load_choices
    from metacog.collect.questions import is_labelled, load_labelled, load_questions
    from metacog.studies import studies

    for study in studies():
        if name in study.fetches:
            click.echo(f"{name}: {study.fetches[name]()}")
            return
    if is_labelled(name):
        click.echo(f"{name}: {len(load_labelled(name)):,} labelled sentences ready")
        return
    if form_of(name) in (*READERS, "generated"):
        click.echo(f"{name}: {len(load_choices(name)):,} questions with options ready")
        return
    click.echo(f"{name}: {len(load_questions(name))} questions ready")


def _register() -> None:
    """Commands that have a room of their own in metacog.commands."""
    import importlib
    import pkgutil

    import metacog.commands

    for module in pkgutil.iter_modules(metacog.commands.__path__):
        if module.name.startswith("_"):  # what a command does, imported when it is called
            continue
        command = getattr(importlib.import_module(f"metacog.commands.{module.name}"), "command", None)
        if command is not None:
            (data_group if command.name in OF_DATA else main).add_command(command)


_register()


if __name__ == "__main__":
    main(prog_name="metacog")
