"""``metacog data label``: domains for a question set that has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from metacog.core.errors import MetacogError


@click.command("label")
@click.argument("name")
@click.option("--rules", type=click.Path(path_type=Path), help="YAML file of words and domains.")
@click.option("--model", help="Model of the registry that sorts questions into the study's classes.")
@click.option("--study", help="Study whose classes these are [default: the first that has some].")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N questions.")
@click.option("--check", is_flag=True, help="Compare with the set's own domains; change nothing.")
def command(name: str, study: str | None, **options: Any) -> None:
    """Give the question set NAME domains, by rules or by a model.

    \b
    metacog data label my-set --rules my-rules.yaml
    metacog data label my-set --model llama3-8b-instruct
    metacog data label bank --model smollm2-135m --limit 200 --check
    """
    from metacog.collect.labels import label_set
    from metacog.studies import first_with, get_study

    scheme = (get_study(study) if study else first_with("labels")).labels
    if scheme is None:
        raise MetacogError(f"study {study} sorts its questions into no classes")
    made = label_set(name, scheme, echo=click.echo, **options)
    for domain, n in made.table["domain"].value_counts().items():
        click.echo(f"{n:7,}  {domain}")
    if made.n_known:
        click.echo(f"{100 * made.agreement:.1f} % of {made.n_known:,} agree with the set's own domains")
    if not options["check"]:
        click.echo(f"wrote {made.path}, where the set finds it")
