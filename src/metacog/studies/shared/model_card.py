"""What the book found of one model, on one page that travels with the model."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
import pandas as pd

import metacog
from metacog.collect.models import ModelEntry, load_models
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.engines.capabilities import WORDS as CAPABILITIES
from metacog.studies import get_study, studies
from metacog.studies.reference import models_shown
from metacog.studies.results import last_stored, result
from metacog.studies.shared.all_models import HERE, PUBLISHED
from metacog.studies.shared.model_headlines import sides, why_absent
from metacog.studies.shared.model_page import answer
from metacog.studies.trials import read_new
from metacog.trials import WORDS

# What the book found of one model: gathered from stored results, and computed where it was collected alone.

#: The study and the analysis whose stored result a card begins with.
BOARD = ("shared", "all_models")
#: Columns of :attr:`Card.domains`.
DOMAINS = ("domain", "n_trials", "accuracy", "auroc2", "auroc2_lower", "auroc2_upper", "flag")


@dataclass(frozen=True)
class Card:
    """One model's results in a profile, by the label that readers know it by.

    Attributes
    ----------
    entry : ModelEntry or None
        Of the registry; None for a model that was only published.
    made : mapping
        What made the table of all models, such as ``commit`` and ``versions``.
    results : DataFrame
        A row for each study, part and kind of trials: ``study, quantity, meaning, part, whose, estimate, lower, upper,
        why, nothing``; ``first`` and ``last``, the places that intervals leave open, ``among`` so many models of the
        same trials; and of how many published models the interval lies ``below``, ``above`` it, or ``meets`` it.
    domains : DataFrame
        :data:`DOMAINS` of the open answers at one ``temperature``; empty without the model's page.
    signal : str
        What confidence in them was taken from (:data:`metacog.trials.WORDS`); empty without them.
    cannot : mapping
        What the model's engine cannot do, with reasons.
    answer : str
        What heads the model's page; empty without one.
    """

    label: str
    entry: ModelEntry | None
    profile: str
    made: Mapping[str, Any]
    results: pd.DataFrame
    domains: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(DOMAINS)))
    temperature: float = float("nan")
    signal: str = ""
    cannot: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""


def models_with_cards(profile: Profile) -> dict[str, str]:
    """Labels of the registry's models that a study of the profile, or of its reference run, asked; by name.

    They come in the order of their pages.
    """
    found = _board(profile)
    if found is None:
        return {}
    board = found[0].models
    asked = set(board.loc[board["whose"] != PUBLISHED, "model"])
    labels = {name: entry.label for name, entry in load_models().items() if entry.label in asked}
    return {name: labels[name] for name in models_shown(profile) if name in labels} | labels


def card_of(name: str, profile: Profile, *, echo: Callable[[str], object] = lambda text: None) -> Card:
    """The card of a model: from stored results, or, of one that is not in them, from replies that were collected.

    The model goes by its name in the registry, or as a study published it; ``echo`` is told what is read and computed.
    """
    registry, found = load_models(), _board(profile)
    entry = registry.get(name)
    label = entry.label if entry else name
    collected = None
    if entry and (found is None or label not in set(found[0].models["model"])):
        collected = _computed(entry, profile, echo)
        found = _board(collected) if collected else found
    if found is None or label not in set(found[0].models["model"]):
        _refuse(name, entry, profile, [*registry, *(found[0].models["model"].unique() if found else ())])
    board, made = found[0].models, found[1]
    own = board.loc[board["model"] == label, "whose"].ne(PUBLISHED).any()
    asking = {study.title: why_absent(study, profile, name) for study in studies() if study.collections}
    results = results_of(board, label, asking if own else {})
    run = collected or (models_shown(profile).get(name) if entry else None)
    page = _page(name, run) if run else None
    told = answer(page) if page is not None else ""
    if page is None or page.overall.empty:
        return Card(label, entry, profile.name, made, results, answer=told)
    domains = page.domains.reindex(columns=list(DOMAINS))
    about = page.answers.temperature, page.signal, page.cannot
    return Card(label, entry, profile.name, made, results, domains, *about, told)


def results_of(board: pd.DataFrame, label: str, asking: Mapping[str, str]) -> pd.DataFrame:
    """A model's rows of the table of all models, with its places; see :attr:`Card.results`.

    Studies of the titles ``asking`` that have no result of the model are named with the reason given there.
    """
    rows: list[Mapping[Any, Any]] = []
    for (study, _), every in board.groupby(["study", "part"], sort=False):
        published = every[every["whose"] == PUBLISHED]
        mine = every[every["model"] == label]
        for row in mine.to_dict("records"):
            same = every[every["whose"] == row["whose"]]
            others = published[published["model"] != label]
            rows.append({**row, "among": int(same["first"].notna().sum()), **sides(pd.Series(row), others)})
        if mine.empty and study in asking:
            first = every.iloc[0]
            known = {name: first[name] for name in ("study", "quantity", "meaning", "part", "nothing")}
            rows.append({**known, "whose": "", "why": asking[str(study)], "among": 0})
    columns = [*board.columns, "among", "below", "above", "meets"]
    return pd.DataFrame(rows).reindex(columns=columns).drop(columns="model").reset_index(drop=True)


def above_nothing(results: pd.DataFrame) -> tuple[int, int]:
    """How many judged results lie above what confidence that knows nothing gives, and how many could."""
    able = results[with_interval(results) & np.isfinite(results["nothing"].astype(float))]
    return int((able["lower"] > able["nothing"]).sum()), len(able)


def with_interval(results: pd.DataFrame) -> pd.Series:
    """Which results have an interval and no reason against judging them."""
    return results["lower"].notna() & (results["why"].fillna("") == "")


def untold(card: Card) -> list[tuple[str, str]]:
    """What could not be told, and why: results, domains, and what the model's engine cannot do."""
    found = []
    for row in rows_of(card.results[~with_interval(card.results)]):
        what = ", ".join(filter(None, (row.study, row.part, "" if row.whose == HERE else row.whose)))
        found.append((what, row.why or "no interval can be computed for it"))
    flagged = card.domains[card.domains["flag"].fillna("") != ""]
    return found + [(f"AUROC2 in {row.domain}", row.flag) for row in rows_of(flagged)]


def _board(profile: Profile) -> tuple[Any, dict[str, Any]] | None:
    """The stored table of all models, and what made it; None where there is none, or no study to make it."""
    home = next((study for study in studies() if study.name == BOARD[0]), None)
    return last_stored(home, profile, home.analysis(BOARD[1])) if home else None


def _page(name: str, profile: Profile) -> Any:
    home = get_study(BOARD[0])
    found = last_stored(home, profile, home.analysis("model_page"), name)
    return found[0] if found else None


def _computed(entry: ModelEntry, profile: Profile, echo: Callable[[str], object]) -> Profile | None:
    """A profile of one model under which its results were just stored, of the studies collected whole; None of none.

    The profile's own results, which are of all its models, stay as they are.
    """
    own = dataclasses.replace(
        profile,
        name=f"{profile.name}-{entry.name}",
        models=(entry.name,),
        reference="",
        reference_leads=False,
    )
    whole = [name for name, all_there in read_new(own, entry.name, echo=echo).items() if all_there]
    if not whole:
        return None
    own = dataclasses.replace(own, studies={name: profile.studies[name] for name in whole})
    home = get_study(BOARD[0])
    if lacking := [name for name in profile.studies if name not in whole]:
        echo(f"not all was collected of {', '.join(lacking)}: the card is without")
    echo(f"computing the results of {entry.label} in {plural(len(whole), 'study', 'studies')}")
    result(home, own, home.analysis(BOARD[1]), {})
    first = next((one.name for one in studies() if one.collections), "")
    if first in whole and models_shown(own):
        result(home, own, home.analysis("model_page"), {"model": entry.name})
    return own


def _refuse(name: str, entry: ModelEntry | None, profile: Profile, known: list[str]) -> NoReturn:
    if entry is not None:
        raise MetacogError(
            f"no study of the profile {profile.name} has a result of {entry.label}, and of none are all its replies in "
            f"runs/: `metacog collect --profile {profile.name} --model {entry.name}` asks it, and so does "
            f"`metacog book --profile {profile.name}`"
        )
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    meant = f"Did you mean {' or '.join(near)}? " if near else ""
    raise MetacogError(
        f"the book has no model {name!r}. {meant}`metacog models` lists those that can be asked"
    )


# A model's card as Markdown, for the model's README.

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
    """The card; the book is linked at the address of its pages, which ends in ``/``, or named without one."""
    quantities = rows_of(card.results.drop_duplicates(["study", "quantity"]))
    meanings = (f"- **{row.quantity}** ({row.study.split(':')[0]}): {row.meaning}." for row in quantities)
    taken = TAKEN.format(at=card.temperature, what=WORDS[card.signal]) if card.signal else NO_PAGE
    parts = [
        f"# {card.label}: does it know when it is right?",
        " ".join(filter(None, (card.answer, in_short(card)))),
        "## Results",
        _results(card),
        PLACES,
        "## What the numbers mean",
        "\n".join(meanings),
        "## By domain",
        _domains(card),
        "## How confidence was taken",
        taken,
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
    return (
        f"{plural(len(known), 'result')} from {plural(known['study'].nunique(), 'study', 'studies')} of the "
        f"metacognition of language models; {n_judged} can be judged by a 95 % interval. Of {able} that could show "
        f"that confidence knows something of the answers, {above} {'does' if above == 1 else 'do'}."
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
    commit = card.made.get("commit", "unknown")
    yield f"- From the book {book}, version {metacog.__version__}, commit `{commit}`, profile `{card.profile}`"
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
