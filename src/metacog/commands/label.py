"""``metacog data label``: domains for a question set that has none."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("label")
@click.argument("name")
@click.option("--rules", type=click.Path(path_type=Path), help="YAML file of words and domains.")
@click.option("--model", help="Model of the registry that sorts questions into the study's six classes.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N questions.")
@click.option("--check", is_flag=True, help="Compare with the set's own domains; change nothing.")
def command(name: str, rules: Path | None, model: str | None, limit: int | None, check: bool) -> None:
    """Give the question set NAME domains, by rules or by a model.

    \b
    metacog data label triviaqa-dev --rules my-rules.yaml
    metacog data label triviaqa-dev --model llama3-8b-instruct
    metacog data label bank --model smollm2-135m --limit 200 --check
    """
    from metacog.collect.labels import label_set

    made = label_set(name, rules=rules, model=model, limit=limit, check=check, say=click.echo)
    for domain, n in made.table["domain"].value_counts().items():
        click.echo(f"{n:7,}  {domain}")
    if made.n_known:
        click.echo(f"{100 * made.agreement:.1f} % of {made.n_known:,} agree with the set's own domains")
    if not check:
        click.echo(f"wrote {made.path}; config/datasets.yaml points to it")
