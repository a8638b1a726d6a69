"""``metacog ledger``: published figures beside recomputed ones."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("ledger")
@click.option("--study", "studies", multiple=True, help="Only this study, e.g. 'study 1' [default: all].")
@click.option(
    "--cacioli-trials",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The author's m1_trial_data.csv [default: where `metacog data fetch cacioli-trials` puts it].",
)
@click.option(
    "--n-resamples",
    type=click.IntRange(min=100),
    default=10_000,
    show_default=True,
    help="Of our own resampled figures; the tolerance follows from it.",
)
@click.option("--seed", default=42, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="CSV to write [default: results/ledger.csv].")
@click.option("--strict", is_flag=True, help="Exit with status 1 if any row differs.")
def command(
    studies: tuple[str, ...],
    cacioli_trials: Path | None,
    n_resamples: int,
    seed: int,
    out: Path | None,
    strict: bool,
) -> None:
    """Recompute every published figure the data here allow, and say which match."""
    from metacog.ledger.entry import Settings, Status
    from metacog.ledger.judging import available_files, make_ledger
    from metacog.ledger.summary import summarise, write_ledger
    from metacog.studies.ledgers import ledgers

    chosen = ledgers(studies or None)
    files = available_files(chosen)
    if cacioli_trials is not None:
        files["cacioli-trials"] = cacioli_trials
    settings = Settings(n_resamples=n_resamples, seed=seed, files=files)
    ledger = make_ledger(settings, chosen)
    path = write_ledger(ledger, settings, out)
    for row in ledger[ledger["status"] == Status.DIFFERS].to_dict("records"):
        note = f" ({row['note']})" if row["note"] else ""
        click.echo(
            f"differs  {row['table']}: {row['item']}, {row['quantity']}: published {row['published']}, "
            f"reproduced {row['reproduced']:.6g}{note}"
        )
    summary = summarise(ledger)
    click.echo(summary.sentence)
    click.echo(f"wrote {path}")
    if strict and summary.by_status[Status.DIFFERS]:
        raise SystemExit(1)
