"""``metacog raters``: how far raters of the same items agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command("raters")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--rater", help="Long table. Column: who judged?")
@click.option("--item", help="Column: what was judged?")
@click.option("--judgement", help="Long table. Column: the judgement.")
@click.option("--by", help="Column: part that an item belongs to (task, domain); each is judged as well.")
@click.option("--ignore", multiple=True, help="Wide table. Column that is no rater, as often as need be.")
@click.option(
    "--agreement-bar",
    type=click.FloatRange(0, 1),
    default=0.90,
    show_default=True,
    help="What pairwise agreement should reach.",
)
@click.option(
    "--alpha-bar",
    type=click.FloatRange(-1, 1),
    default=0.25,
    show_default=True,
    help="What Krippendorff's alpha should reach.",
)
@click.option("--n-resamples", type=click.IntRange(min=100), default=2000, show_default=True)
@click.option("--level", type=_SHARE, default=0.95, show_default=True, help="Coverage of intervals.")
@click.option("--seed", type=int, default=42, show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for results [default: results/raters/FILE]."
)
def command(
    files: tuple[Path, ...],
    agreement_bar: float,
    alpha_bar: float,
    n_resamples: int,
    level: float,
    seed: int,
    out: Path | None,
    **columns: Any,
) -> None:
    """Agreement of raters: pairwise agreement, Krippendorff's alpha and Cronbach's alpha, with intervals.

    FILE is a CSV (or TSV, parquet, JSON lines): long, with one row per judgement and columns for rater, item and
    judgement; or wide, with a row an item, a column for the item and one a rater. Several long files are
    read as one. Judgements are labels without order; empty cells are missing.

    \b
    metacog raters judged.csv
    metacog raters judged.csv --rater who --item question --judgement verdict --by task
    metacog raters sheets/rater-*.csv --by part

    The bars are those of the published panel that the book's page on human panels is about; set your own.
    """
    from metacog.core.paths import results_folder
    from metacog.imports.raters import RaterColumns, RaterOptions, import_ratings, lines

    options = RaterOptions({"agreement": agreement_bar, "alpha": alpha_bar}, n_resamples, seed, level)
    target = out or results_folder() / "raters" / files[0].stem
    click.echo("\n".join(lines(import_ratings(files, target, RaterColumns(**columns), options), level)))
    click.echo(f"\nreliability.csv, pairs.csv and raters.json are in {target}")
