"""``metacog add-model``: a model of one's own in the registry, the runs and the book."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from metacog.collect.estimate import StudyTime
    from metacog.commands._adding import Added


@click.command("add-model")
@click.argument("name")
@click.option("--gguf", type=click.Path(path_type=Path), help="GGUF file on this machine.")
@click.option("--hub", help="OWNER/REPO:FILE.gguf on the model hub; downloaded now.")
@click.option("--endpoint", help="Address of an OpenAI-compatible server.")
@click.option("--endpoint-model", help="Name that the server gives the model.")
@click.option(
    "--api",
    type=click.Choice(["completions", "chat"]),
    help="How the server is spoken to [default: chat; completions with --kind base].",
)
@click.option("--key-env", help="Environment variable that holds the server's key.")
@click.option(
    "--kind",
    type=click.Choice(["base", "instruct"]),
    help="[default: from its chat template; of a server: base with --api completions]",
)
@click.option("--label", default="", help="Name for readers [default: NAME].")
@click.option("--family", default="", help="Models of one family are compared, base with instruct.")
@click.option("--base-of", default="", help="The instruct model of the registry that this is the base of.")
@click.option("--licence", default="", help="Licence of the weights.")
@click.option("--prompt", "prompts", multiple=True, help="SET=PROMPT, e.g. fewshot=fewshot-v1.")
@click.option(
    "--thinking",
    type=click.Choice(["refuse", "strip", "strip-opened", "apart"]),
    help="What becomes of text between think marks, or of a server's field of thoughts [default: refuse].",
)
@click.option(
    "--thought-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Room for thoughts: an answer may have so many tokens more, e.g. 2000 [default: none].",
)
@click.option("--reasoning-effort", metavar="WORD", help="How much a hosted model may think, e.g. low.")
@click.option(
    "--template-switch",
    "switches",
    multiple=True,
    help="KEY=VALUE for the model's chat template, e.g. enable_thinking=false.",
)
@click.option(
    "--confidence",
    default="",
    metavar="SIGNAL",
    help="What confidence in open answers is taken from: nlp, verbal, p-true or agreement "
    "[default: nlp where log-probabilities can be had, else agreement].",
)
@click.option("--profile", default="default", show_default=True, help="Profile whose runs it joins.")
@click.option("--dry-run", is_flag=True, help="Try the model and say what would be written; write nothing.")
def command(
    name: str,
    gguf: Path | None,
    hub: str | None,
    endpoint: str | None,
    endpoint_model: str | None,
    api: str | None,
    key_env: str | None,
    kind: str | None,
    prompts: tuple[str, ...],
    thinking: str | None,
    thought_tokens: int | None,
    reasoning_effort: str | None,
    switches: tuple[str, ...],
    profile: str,
    dry_run: bool,
    **given: Any,
) -> None:
    """Try a model on three questions, time each study, and add it as NAME; `metacog book` then includes it.

    \b
    metacog add-model my-model --gguf ~/models/my-model.Q5_K_M.gguf
    metacog add-model my-model --hub owner/my-model-GGUF:my-model.Q5_K_M.gguf
    metacog add-model my-model --endpoint http://localhost:8000/v1 --endpoint-model served-name
    """
    from metacog.collect.prompts import prompt_ids
    from metacog.commands._adding import Candidate, add_model, source_of
    from metacog.core.errors import MetacogError
    from metacog.core.paths import from_root

    known = prompt_ids()
    chosen = {}
    for pair in prompts:
        prompt_set, equals, prompt = pair.partition("=")
        if not equals or prompt not in known:
            raise MetacogError(f"--prompt {pair!r} must be SET=PROMPT; prompts are: {', '.join(known)}")
        chosen[prompt_set] = prompt
    if endpoint is not None:
        api = api or ("completions" if kind == "base" else "chat")
    source = source_of(gguf, hub, endpoint, endpoint_model, api=api, key_env=key_env)
    settings = _settings(thinking, switches, reasoning_effort, thought_tokens)
    candidate = Candidate(
        name, source, kind=kind or "", prompts=chosen, profile=profile, settings=settings, **given
    )
    made = add_model(candidate, dry_run=dry_run, echo=click.echo)
    click.echo(
        f"{made.entry.label} ({made.entry.kind}) loads, tokenises and answers: "
        f"{sum(one.correct for one in made.tried)} of {len(made.tried)} right"
    )
    for line in signal_shown(made):
        click.echo(line)
    for line in times_shown(made.times, profile):
        click.echo(line)
    for path in made.changed:
        click.echo(f"{'would write' if dry_run else 'wrote'} {from_root(path)}")
    if not dry_run:
        of = f"--profile {profile}"
        click.echo(f"next: metacog book {of} (collects its trials, then renders its page)")
        click.echo(
            f"or, of it alone: metacog collect {of} --model {name}, then metacog card {name} {of} and "
            f"metacog run-chapter model-page-{name} {of}"
        )


def signal_shown(made: Added) -> list[str]:
    """What confidence in its open answers is taken from, and what its engine cannot do, a line each."""
    from metacog.collect.confidence_signals import SIGNALS, refusal_of
    from metacog.engines.capabilities import WORDS

    lines = [f"  it cannot {WORDS[name]}: {why}" for name, why in made.can.why.items()]
    return [
        f"confidence in its open answers is taken from: {made.signal} (another by --confidence: "
        f"{', '.join(name for name in SIGNALS if name != made.signal and not refusal_of(name, made.can))})",
        *lines,
    ]


def times_shown(times: Sequence[StudyTime], profile: str) -> list[str]:
    """What collecting each study will take in answers, requests, tokens and time, a line each, and all of them."""
    from metacog.collect.estimate import in_words
    from metacog.engines.budget import Tally
    from metacog.studies import get_study

    takes = Tally()
    lines = [
        f"profile {profile!r} will take of it, by a few items of each collection (full blocks are faster):"
    ]
    for one in times:
        later = f", and {', '.join(one.uncounted)}, which depends on its answers" if one.uncounted else ""
        later += f"; left out: {', '.join(one.left_out)}" if one.left_out else ""
        took = (
            f"{one.n_items:,} items, {in_words(one.answers, one.takes)}, about {_minutes(one.seconds)}{later}"
            if one.n_items
            else "not asked of it"
        )
        took = f"cannot be told: {one.why}" if one.why else took
        lines.append(f"  {get_study(one.study).title}: {took}")
        takes.add(one.takes)
    items, answers = sum(one.n_items for one in times), sum(one.answers for one in times)
    time = _minutes(sum(one.seconds for one in times))
    return [*lines, f"  all studies: {items:,} items, {in_words(answers, takes)}, about {time}"]


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def _settings(
    thinking: str | None,
    switches: tuple[str, ...],
    reasoning_effort: str | None = None,
    thought_tokens: int | None = None,
) -> dict[str, Any]:
    """The model's own settings of its engine, as they stand in the registry."""
    import yaml

    from metacog.core.errors import MetacogError

    given = {"thinking": thinking, "thought_tokens": thought_tokens, "reasoning_effort": reasoning_effort}
    settings: dict[str, Any] = {name: value for name, value in given.items() if value}
    for pair in switches:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise MetacogError(f"--template-switch {pair!r} must be KEY=VALUE, such as enable_thinking=false")
        settings.setdefault("chat_template_kwargs", {})[name] = yaml.safe_load(value)
    return settings
