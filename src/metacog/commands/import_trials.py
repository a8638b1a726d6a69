"""``metacog import-trials``: the whole analysis on trials that somebody else made."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import click


@click.command("import-trials")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--correct", help="Column: was the answer right (0/1, true/false, C/I ...)?")
@click.option(
    "--confidence",
    multiple=True,
    help="Column: how sure was the model? Several times to compare several signals; the first one leads. Or, where the "
    "file has answers alone, how to compute it: agreement (several answers to a question).",
)
@click.option("--lower-is-surer", is_flag=True, help="Confidence is an uncertainty: less of it is surer.")
@click.option(
    "--missing",
    multiple=True,
    metavar="VALUE",
    help="A cell that says VALUE is empty, in one column alone with COLUMN=VALUE; several times for several.",
)
@click.option("--answer", help="Column: what the model answered, in words.")
@click.option(
    "--key", help="Column: the right answer, others with | between them; answers are marked against it."
)
@click.option("--stimulus", help="Two-choice data. Column: which of the two was shown?")
@click.option("--response", help="Two-choice data. Column: which of the two was answered?")
@click.option("--rating", help="Two-choice data. Column: confidence rating.")
@click.option("--nr-table", is_flag=True, help="FILE holds nR_S1/nR_S2 tables of counts (CSV or JSON).")
@click.option("--model", help="Column: which model answered?")
@click.option(
    "--person", help="Column: which person answered? People are measured each alone, and as a group."
)
@click.option("--refusal", help="Column: did the answer refuse (0/1)?")
@click.option(
    "--refusals",
    type=click.Choice(["wrong", "drop", "separate"]),
    default="wrong",
    show_default=True,
    help="Refusals count as wrong answers, are left out, or are counted apart.",
)
@click.option("--domain", help="Column: subject of the question.")
@click.option("--temperature", help="Column: sampling temperature.")
@click.option("--question-id", help="Column: which question? Whole questions are then resampled.")
@click.option("--sample", help="Column: number of the sample, where a question was asked several times.")
@click.option(
    "--repeats",
    type=click.Choice(["refuse", "keep", "first"]),
    default="refuse",
    show_default=True,
    help="The same question of the same model at the same temperature, with other contents: stop, keep "
    "them as samples, or keep the first. Rows that repeat another wholly are dropped and counted.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for results [default: results/imports/FILE]."
)
@click.option("--replace", is_flag=True, help="Write over an earlier import in that folder.")
@click.option("--name", default="", help="What to call these data in the report [default: the file's name].")
@click.option(
    "--confidence-scale",
    type=click.Choice(["auto", "probability", "percent", "logprob", "score"]),
    default="auto",
    show_default=True,
    help="What the confidence numbers are; of several signals, the first.",
)
@click.option("--correct-threshold", type=float, help="Scores of this much and more count as correct.")
@click.option(
    "--high-from",
    type=float,
    help="Validity screen: confidence of this much and more is high [default: each model's median].",
)
@click.option(
    "--scorer",
    help="Logs: which scorer of Inspect (NAME, or NAME.KEY of several values) [default: the first]; which metric of "
    "lm-evaluation-harness [default: acc, where there is one].",
)
@click.option(
    "--filter", "filter_name", help="Logs of lm-evaluation-harness: which filter, where they have several."
)
@click.option("--pool", is_flag=True, help="Treat a file of several models as one.")
@click.option("--m-ratio", is_flag=True, help="Compute M-ratio for open answers too, where it is not valid.")
@click.option("--n-resamples", type=click.IntRange(min=100), default=2000, show_default=True)
@click.option(
    "--bayes/--no-bayes",
    default=True,
    show_default=True,
    help="Two-choice data: draw the posterior of M-ratio too (half a minute, mostly once).",
)
@click.option("--hierarchical", is_flag=True, help="People: add the group's M-ratio by a hierarchical model.")
@click.option(
    "--among-people", is_flag=True, help="Two-choice data: say where values lie among thousands of people."
)
@click.option(
    "--draws",
    type=click.IntRange(min=100),
    default=1000,
    show_default=True,
    help="Draws of the posterior that each of four chains keeps.",
)
@click.option(
    "--most-tables",
    type=click.IntRange(min=1),
    default=24,
    show_default=True,
    help="No posterior where there are more tables (models, by domain where several are named).",
)
@click.option("--seed", type=int, default=42, show_default=True)
@click.option("--no-report", is_flag=True, help="Write tables only.")
def command(
    files: tuple[Path, ...],
    confidence: tuple[str, ...],
    out: Path | None,
    no_report: bool,
    among_people: bool,
    **given: Any,
) -> None:
    """Analyse FILE: a CSV, parquet or JSON-lines table, or a log of lm-evaluation-harness or Inspect.

    \b
    Any task:     metacog import-trials answers.csv --correct right --confidence sure
    Two choices:  metacog import-trials trials.csv --stimulus side --response answered --rating conf
    Counts:       metacog import-trials counts.json --nr-table
    Logs:         metacog import-trials samples_arc_easy_2024-01-01.jsonl
                  metacog import-trials logs/run.eval
    Answers only: metacog import-trials answers.csv --question-id item --answer said --key gold \\
                      --confidence agreement

    For a gate: which answers may pass, if at most 1, 2, 5 or 10 % of them are to be wrong, stands last in what is
    printed, and in gate.csv.

    Two-choice data and counts get posteriors of d', meta-d' and M-ratio too: how M-ratio stands to 1, whether
    the model makes ratings like these, and from three models on that of the group.
    """
    from metacog.core.words import listed
    from metacog.imports.decisions import gate_lines, signal_lines
    from metacog.imports.mapping import Columns
    from metacog.imports.own_trials import apart_line, flags_line, terminal_table
    from metacog.imports.people import group_lines
    from metacog.imports.posterior import Sampling, hierarchical_lines
    from metacog.imports.report import Request, import_trials
    from metacog.measures.among_people import lines_among_people
    from metacog.measures.table import Options
    from metacog.verdicts.posterior_words import posterior_lines

    n, draws = given["n_resamples"], given["draws"]
    request = Request(
        **_of(Request, given),
        columns=Columns(**_of(Columns, given), confidence=confidence[0] if confidence else None),
        further=confidence[1:],
        scale=given["confidence_scale"],
        threshold=given["correct_threshold"],
        options=Options(n_resamples=n, n_permutations=n, seed=given["seed"], open_m_ratio=given["m_ratio"]),
        sampling=Sampling(given["bayes"], n_draws=draws, n_warmup=draws, most_tables=given["most_tables"]),
    )
    made = import_trials(files, out, request, page=not no_report, echo=click.echo)
    models, drawn = made.rows("model"), made.posteriors
    if len(made.people):
        click.echo("\n" + "\n".join(group_lines(made.people, models, request.options.level)))
    else:
        click.echo(f"\n{terminal_table(models, made.ranks, two_choice=made.two_choice)}")
    if among_people:
        click.echo("\n" + "\n".join(lines_among_people(models.rename(columns={"n_trials": "trials"}))))
    if flagged := flags_line(made.measures):
        click.echo(f"\n{flagged}: {'the report names each' if made.page else 'measures.csv names each'}")
    if len(made.pairs):
        click.echo(f"\n{apart_line(made.pairs)}")
    if "posterior" in drawn.frames:
        click.echo(f"\nposteriors: {drawn.facts['sampling']}")
        click.echo(posterior_lines(drawn.frames["posterior"], drawn.facts["labels"]))
    if len(made.people) and (request.hierarchical or not drawn.facts["why_not"]):
        click.echo("\n" + "\n".join(hierarchical_lines(drawn)))
    for line in drawn.facts["left_out"]:
        click.echo(line)
    if lines := signal_lines(made.decisions):
        click.echo("\nsignals, in AUROC2 on the answers that have all of them (DeLong, Holm)")
        click.echo("\n".join(lines).replace("`", ""))
    if lines := gate_lines(made.decisions):
        click.echo("\n" + "\n".join(lines))
    of = ["people"] if len(made.people) else ["pairs", "ranks"]
    of += [name for name in ("posterior", "posterior_pairs", "group") if name in drawn.frames]
    names = listed(["trials.parquet", *(f"{name}.csv" for name in ("measures", *of))])
    click.echo(f"\n{made.seconds:.0f} s: {names} are in {made.folder}")
    if made.page is not None:
        click.echo(f"report, with the sentences that these numbers allow: {made.page}")


def _of(kind: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The options that bear the names of a class's fields."""
    return {f.name: given[f.name] for f in fields(kind) if f.name in given}
