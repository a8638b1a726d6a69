"""A model's card as Markdown, for the model's README."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import metacog
from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.engines.base import WORDS as CAPABILITIES
from metacog.studies.shared.all_models.analysis import HERE
from metacog.studies.shared.model_card.card import Card, above_nothing, untold, with_interval
from metacog.trials.signals import WORDS

#: Name of the book.
BOOK = "Do LLMs know what they know?"
NOTHING = "-"
#: Whose trials a result rests on, for readers elsewhere.
WHOSE = {HERE: "this run"}
#: Columns of the results.
HEAD = (
    *("Study", "Quantity", "Trials", "Result [95 % interval]", "Knows nothing", "Place"),
    "Published: below / overlap / above",
)
PLACES = (
    "A *place* is the range of ranks that 95 % intervals leave open among models with the same trials, study and part, "
    "highest first; a model that was asked alone has none. Published models answered the questions of their papers; "
    "how many of their intervals lie below this one, overlap it or lie above it is a description, not a test."
)
NO_DOMAINS = "No open answers by domain are stored for this model."
NO_PAGE = (
    "The book has no page of this model's open answers; each study's quantity above names what it measures."
)
TAKEN = (
    "Confidence in open answers, at temperature {at:g}, is {what}. The other studies take confidence in their own "
    "ways, which their quantities name."
)


def markdown(card: Card, address: str = "") -> str:
    """The card.

    Parameters
    ----------
    card : Card
    address : str
        Of the rendered book, ending in ``/``; without one, the book is named and not linked.
    """
    parts = [
        f"# {card.label}: does it know when it is right?",
        " ".join(filter(None, (card.answer, in_short(card)))),
        "## Results",
        _results(card),
        PLACES,
        "## What the numbers mean",
        "\n".join(_meanings(card)),
        "## By domain",
        _domains(card),
        "## How confidence was taken",
        _signal(card),
        "## What could not be told",
        "\n".join(_untold(card)) or "Every result above could be judged.",
        "## How this card was made",
        "\n".join(_made(card, address)),
    ]
    return "\n\n".join(parts) + "\n"


def in_short(card: Card) -> str:
    """How many results there are, and how many show more than chance."""
    results = card.results
    n_judged = int(with_interval(results).sum())
    known = results[results["estimate"].notna()]
    above, able = above_nothing(results)
    first = (
        f"{plural(len(known), 'result')} from {plural(known['study'].nunique(), 'study', 'studies')} of the "
        f"metacognition of language models; {n_judged} can be judged by a 95 % interval."
    )
    if not able:
        return f"{first} None of these could show that the model knows anything of its own answers."
    return (
        f"{first} Of {able} that could show that confidence knows something of the answers, "
        f"{above} {'does' if above == 1 else 'do'}."
    )


def _results(card: Card) -> str:
    rows = []
    for row in rows_of(card.results):
        estimate = (
            f"{rounded(row.estimate)}{interval(row.lower, row.upper)}" if _known(row.estimate) else NOTHING
        )
        if estimate != NOTHING and row.why:
            estimate += " (not judged)"
        rows.append(
            (
                row.study,
                " ".join(filter(None, (row.quantity, f"({row.part})" if row.part else ""))),
                WHOSE.get(row.whose, row.whose) or NOTHING,
                estimate,
                rounded(row.nothing) if _known(row.nothing) else NOTHING,
                _place(row),
                f"{row.below:.0f} / {row.meets:.0f} / {row.above:.0f}" if _known(row.below) else NOTHING,
            )
        )
    return _table(HEAD, rows)


def _place(row: Any) -> str:
    if not _known(row.first):
        return NOTHING
    range_ = f"{row.first:.0f}" if row.first == row.last else f"{row.first:.0f} to {row.last:.0f}"
    return f"{range_} of {row.among:.0f}"


def _meanings(card: Card) -> Iterable[str]:
    for row in rows_of(card.results.drop_duplicates(["study", "quantity"])):
        yield f"- **{row.quantity}** ({row.study.split(':')[0]}): {row.meaning}."


def _domains(card: Card) -> str:
    if card.domains.empty:
        return NO_DOMAINS
    rows = [
        (
            row.domain,
            f"{row.n_trials:,}",
            f"{100 * row.accuracy:.0f} %",
            f"{rounded(row.auroc2)}{interval(row.auroc2_lower, row.auroc2_upper)}"
            if _known(row.auroc2)
            else NOTHING,
        )
        for row in rows_of(card.domains)
    ]
    return _table(("Domain", "Answers", "Right", "AUROC2 [95 % interval]"), rows)


def _signal(card: Card) -> str:
    return TAKEN.format(at=card.temperature, what=WORDS[card.signal]) if card.signal else NO_PAGE


def _untold(card: Card) -> Iterable[str]:
    for what, why in untold(card):
        yield f"- {what}: {why}."
    for name, why in card.cannot.items():
        yield f"- What serves the model cannot {CAPABILITIES[name]}: {why}."


def _made(card: Card, address: str) -> Iterable[str]:
    entry = card.entry
    if entry is not None:
        yield f"- Model: {card.label}; licence: {entry.licence or 'not stated'}"
        yield f"- SHA-256 of its file: {f'`{entry.sha256}`' if entry.sha256 else 'none is registered'}"
    book = f"[{BOOK}]({address})" if address else f"*{BOOK}*"
    commit, when = card.made.get("commit", "unknown"), str(card.made.get("made", ""))[:10]
    yield f"- From the book {book}, version {metacog.__version__}, commit `{commit}`, profile `{card.profile}`"
    yield f"- Results computed on {when or 'a day that was not recorded'}"
    versions = ", ".join(f"{name} {version}" for name, version in card.made.get("versions", {}).items())
    yield f"- With {versions or 'versions that were not recorded'}"
    name = entry.name if entry else card.label
    yield f"- Made again by `metacog card {_quoted(name)} --profile {card.profile}`"


def _quoted(name: str) -> str:
    return name if name.replace("-", "").replace(".", "").isalnum() else f'"{name}"'


def _known(value: float) -> bool:
    return bool(np.isfinite(value))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def rounded(value: float) -> str:
    """A result with as many decimals as its size asks for."""
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def interval(lower: float, upper: float) -> str:
    """Both ends of an interval behind a value; nothing where there is none."""
    return f" [{rounded(lower)}, {rounded(upper)}]" if np.isfinite(lower) else ""
