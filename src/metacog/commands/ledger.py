"""``metacog ledger``: published and recomputed figures."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("ledger")
@click.option("--study", "studies", multiple=True, help="Only this study, by its name in the ledger.")
@click.option(
    "--file",
    "given",
    multiple=True,
    metavar="NAME=PATH",
    help="Other people's data, by the name they are fetched under [default: as `data fetch NAME` leaves it].",
)
@click.option(
    "--n-resamples",
    type=click.IntRange(min=100),
    default=10_000,
    show_default=True,
    help="Of our own resampled figures; the tolerance follows from it.",
)
@click.option("--seed", default=42, show_default=True)
@click.option(
    "--profile",
    default="default",
    show_default=True,
    help="Profile whose stored results fill rows that take long to compute; `metacog book` makes them.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="CSV to write [default: results/PROFILE/ledger.csv; of the profile default results/ledger.csv too].",
)
@click.option("--strict", is_flag=True, help="Exit with status 1 if any row differs.")
def command(
    studies: tuple[str, ...],
    given: tuple[str, ...],
    n_resamples: int,
    seed: int,
    profile: str,
    out: Path | None,
    strict: bool,
) -> None:
    """Recompute every published figure the data here allow, and say which match."""
    from metacog.core.config import load_profile
    from metacog.core.paths import for_programs, project_root
    from metacog.core.words import listed
    from metacog.ledger.entry import Settings, Status
    from metacog.ledger.judging import available_files, files_given, make_ledger
    from metacog.ledger.summary import headline, write_ledger
    from metacog.studies.ledgers import ledger_results, ledgers
    from metacog.studies.reference import leading
    from metacog.studies.results import stored

    chosen = ledgers(studies or None)
    files = {**available_files(chosen), **files_given(given, chosen)}
    run = load_profile(profile)
    results = {
        f"{s.name}.{a.name}": stored(s, leading(run, s), a) for s, a in ledger_results(studies or None)
    }
    settings = Settings(n_resamples=n_resamples, seed=seed, files=files, results=results)
    ledger = make_ledger(settings, chosen)
    paths = [out] if out else for_programs(project_root(), run.name, "ledger.csv")
    write_ledger(ledger, settings, paths)
    for row in ledger[ledger["status"] == Status.DIFFERS].to_dict("records"):
        note = f" ({row['note']})" if row["note"] else ""
        click.echo(
            f"differs  {row['table']}: {row['item']}, {row['quantity']}: published {row['published']}, "
            f"reproduced {row['reproduced']:.6g}{note}"
        )
    click.echo(headline(ledger))
    click.echo(f"wrote {listed(map(str, paths))}")
    if strict and (ledger["status"] == Status.DIFFERS).any():
        raise SystemExit(1)
